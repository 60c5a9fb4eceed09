//! Conditions on parameters: a polynomial is at least 0, is 0, or is not.

use crate::poly::Poly;

/// One condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Cond {
    /// p ≥ 0.
    Ge(Poly),
    /// p = 0.
    Eq(Poly),
    /// p ≠ 0.
    Ne(Poly),
}

/// Conditions of which one holds.
pub(crate) type Clause = Vec<Cond>;

/// Conditions of which one list must hold whole.
pub(crate) type Choice = Vec<Vec<Cond>>;

/// Whether all are true; one that is not decides, one that is not known leaves it open.
pub(crate) fn all(mut truths: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let known = truths.try_fold(Some(true), |known, truth| match truth {
        Some(false) => None,
        truth => Some(known.and(truth)),
    });
    known.unwrap_or(Some(false))
}

/// Whether one is true.
pub(crate) fn any(truths: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    all(truths.map(|truth| Some(!truth?))).map(|none| !none)
}

impl Cond {
    /// The opposite.
    pub(crate) fn negated(&self) -> Cond {
        match self {
            Cond::Ge(p) => Cond::Ge(-p - 1),
            Cond::Eq(p) => Cond::Ne(p.clone()),
            Cond::Ne(p) => Cond::Eq(p.clone()),
        }
    }

    pub(crate) fn poly(&self) -> &Poly {
        let (Cond::Ge(p) | Cond::Eq(p) | Cond::Ne(p)) = self;
        p
    }

    pub(crate) fn map(&self, f: impl FnOnce(&Poly) -> Poly) -> Cond {
        match self {
            Cond::Ge(p) => Cond::Ge(f(p)),
            Cond::Eq(p) => Cond::Eq(f(p)),
            Cond::Ne(p) => Cond::Ne(f(p)),
        }
    }

    /// Without a factor that all coefficients have in common.
    pub(crate) fn reduced(&self) -> Cond {
        let p = self.poly();
        match p.content() {
            0 | 1 => self.clone(),
            content if !matches!(self, Cond::Ge(_)) && p.constant() % content != 0 => self.clone(),
            content => self.map(|p| p.divided_down(content)),
        }
    }

    /// Whether it holds for this value of its polynomial.
    pub(crate) fn holds_for(&self, value: i128) -> bool {
        match self {
            Cond::Ge(_) => value >= 0,
            Cond::Eq(_) => value == 0,
            Cond::Ne(_) => value != 0,
        }
    }
}
