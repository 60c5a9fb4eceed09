//! Proofs that rows have no integer point.
//!
//! A proof is a tree. Its inner nodes split on an integer form: at most a number, or more. At a
//! leaf, multiples of row ends add up to 0 ≥ 1. Rows are those of the system and those of the
//! splits on the way to the leaf.
//!
//! Example: 1 ≤ 2x ≤ 1 has no integer point. Split on x ≤ 0: there 2·(x ≤ 0) contradicts 2x ≥ 1;
//! above, 2·(x ≥ 1) contradicts 2x ≤ 1.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::Cell;

use crate::number::{Big, Number, divisor};
use crate::row::Side;

/// A row that a proof may use.
///
/// ```
/// use lattice_point::RowRef;
///
/// assert_ne!(RowRef::Given(0), RowRef::Split(0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowRef {
    /// A row of the system.
    Given(usize),
    /// The row of a split on the way, by its number.
    Split(usize),
}

/// Why a system has no integer point.
///
/// ```
/// use lattice_point::{Encode, Limit, Proof, System};
///
/// let mut system = System::new(1);
/// system.push(vec![2], Some(1), Some(1));
/// let proof = system.refute(&mut Limit::none().meter())?.unwrap();
/// assert!(matches!(proof, Proof::Split { .. }));
/// # Ok::<(), lattice_point::Exhausted>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Proof {
    /// These positive multiples of row ends add up to 0 ≥ 1.
    Absurd(Vec<(RowRef, Side, Big)>),
    /// No point has form ≤ at, and none has form ≥ at + 1.
    Split {
        /// Its name in the leaves below: [`RowRef::Split`].
        number: usize,
        /// The form, a coefficient for each variable.
        form: Vec<Big>,
        /// The value at which it is split.
        at: Big,
        /// Why no point has form ≤ at.
        low: Box<Proof>,
        /// Why no point has form ≥ at + 1.
        high: Box<Proof>,
    },
}

impl Proof {
    /// The number of its nodes.
    ///
    /// ```
    /// assert_eq!(lattice_point::Proof::Absurd(Vec::new()).nodes(), 1);
    /// ```
    #[must_use]
    pub fn nodes(&self) -> usize {
        match self {
            Proof::Absurd(_) => 1,
            Proof::Split { low, high, .. } => 1 + low.nodes() + high.nodes(),
        }
    }

    /// A split on a form.
    pub(super) fn split(number: usize, form: &[Big], at: Big, low: Proof, high: Proof) -> Proof {
        let (low, high) = (Box::new(low), Box::new(high));
        Proof::Split { number, form: form.to_vec(), at, low, high }
    }

    /// Whether a split's row is used.
    fn uses(&self, number: usize) -> bool {
        match self {
            Proof::Absurd(multiples) => {
                multiples.iter().any(|(row, ..)| *row == RowRef::Split(number))
            }
            Proof::Split { low, high, .. } => low.uses(number) || high.uses(number),
        }
    }
}

/// Multiples of row ends, and what they add up to.
///
/// ```
/// use lattice_point::{Big, RowRef, Side, Sum};
///
/// // 2·(x − y ≥ low), written as 2·low − 2x + 2y ≤ 0.
/// let mut sum = Sum::new(2);
/// sum.add((RowRef::Given(0), Side::Low), Big::from(2), &[Big::from(1), Big::from(-1)]);
/// assert_eq!(sum.total, [Big::from(-2), Big::from(2)]);
/// ```
#[derive(Debug, Clone)]
pub struct Sum {
    /// Each row end once.
    pub multiples: Vec<(RowRef, Side, Big)>,
    /// The coefficients of the variables, with the ends written as sums ≤ 0.
    pub total: Vec<Big>,
}

impl Sum {
    /// Nothing yet, over this many variables.
    ///
    /// ```
    /// assert!(lattice_point::Sum::new(3).multiples.is_empty());
    /// ```
    #[must_use]
    pub fn new(variables: usize) -> Sum {
        Sum { multiples: Vec::new(), total: vec![Big::ZERO; variables] }
    }

    /// Adds a multiple of a row end, given the row's form.
    ///
    /// ```
    /// use lattice_point::{Big, RowRef, Side, Sum};
    ///
    /// let mut sum = Sum::new(1);
    /// for _ in 0..2 {
    ///     sum.add((RowRef::Given(0), Side::High), Big::from(3), &[Big::from(1)]);
    /// }
    /// assert_eq!(sum.multiples, [(RowRef::Given(0), Side::High, Big::from(6))]);
    /// ```
    pub fn add(&mut self, (row, side): (RowRef, Side), times: Big, form: &[Big]) {
        if times == Big::ZERO {
            return;
        }
        for (to, by) in self.total.iter_mut().zip(form) {
            match side {
                Side::Low => *to -= &times * by,
                Side::High => *to += &times * by,
            }
        }
        match self.multiples.iter_mut().find(|known| (known.0, known.1) == (row, side)) {
            Some((.., known)) => *known += times,
            None => self.multiples.push((row, side, times)),
        }
    }
}

/// Where an end of a working row comes from: `scale` times it is this end of a row that proofs may
/// name, apart from what fixed coordinates add.
#[derive(Debug, Clone)]
pub(super) struct Origin {
    end: (RowRef, Side),
    /// The row as a form of the variables.
    form: Rc<[Big]>,
    pub scale: Big,
}

impl Origin {
    /// An end of a row.
    pub(super) fn new(row: RowRef, side: Side, form: &Rc<[Big]>) -> Origin {
        Origin { end: (row, side), form: form.clone(), scale: Big::ONE }
    }

    /// Both ends of a row.
    pub(super) fn both(row: RowRef, form: &Rc<[Big]>) -> Vec<Origin> {
        [Side::Low, Side::High].map(|side| Origin::new(row, side, form)).into()
    }

    /// Adds a multiple of what comes from this end to a sum, which is scaled up by the number
    /// returned so that it stays integral.
    fn add_to(&self, sum: &mut Sum, times: Big) -> Big {
        let common = divisor(&times, &self.scale);
        let scale = &self.scale / &common;
        if scale != Big::ONE {
            let multiples = sum.multiples.iter_mut().map(|(.., times)| times);
            multiples.chain(&mut sum.total).for_each(|number| *number *= &scale);
        }
        sum.add(self.end, times / common, &self.form);
        scale
    }
}

/// What a search has done on its way to a node, as far as proofs need it.
#[derive(Debug, Clone, Default)]
pub(super) struct Trail {
    /// The coordinates that have one value: how the point moves with each of them, and the two ends
    /// that fix it.
    fixed: Vec<(Rc<[Big]>, Vec<Origin>)>,
    /// How many splits the whole search has made.
    splits: Rc<Cell<usize>>,
}

/// A split that makes an end of a row integral: `absurd` is the other side.
pub(super) struct Rounding {
    number: usize,
    form: Rc<[Big]>,
    at: Big,
    /// Which side the search goes on with.
    keeps: Side,
    absurd: Proof,
}

impl Rounding {
    /// The proof with the split around it, if it is used.
    pub(super) fn around(self, proof: Proof) -> Proof {
        if !proof.uses(self.number) {
            return proof;
        }
        let (low, high) = match self.keeps {
            // Goes on with form ≥ at + 1.
            Side::Low => (self.absurd, proof),
            Side::High => (proof, self.absurd),
        };
        Proof::split(self.number, &self.form, self.at, low, high)
    }
}

/// Numbers as big integers.
pub(super) fn big_list<N: Number>(numbers: &[N]) -> Rc<[Big]> {
    numbers.iter().cloned().map(Into::into).collect()
}

impl Trail {
    /// The number of a new split.
    pub(super) fn split(&self) -> usize {
        self.splits.replace(self.splits.get() + 1)
    }

    /// A coordinate has one value, because of the ends of a row.
    pub(super) fn fix<N: Number>(&mut self, column: &[N], ends: Vec<Origin>) {
        self.fixed.push((big_list(column), ends));
    }

    /// A split that rounds an end of a form, given as one of the variables, to
    /// `value`; the end comes from the split afterwards.
    pub(super) fn round(
        &self,
        form: Rc<[Big]>,
        value: Big,
        side: Side,
        origin: &mut Origin,
    ) -> Rounding {
        let number = self.split();
        let [rounded, other] =
            [side, side.opposite()].map(|side| Origin::new(RowRef::Split(number), side, &form));
        let exact = core::mem::replace(origin, rounded);
        let absurd = self.absurd(&[(other, Big::ONE), (exact, Big::ONE)]);
        let at = if side == Side::Low { value - Big::ONE } else { value };
        Rounding { number, form, at, keeps: side, absurd }
    }

    /// The leaf that these multiples of ends of working rows make; what they
    /// leave of fixed coordinates is cancelled with the ends that fix them.
    pub(super) fn absurd(&self, parts: &[(Origin, Big)]) -> Proof {
        let mut sum = Sum::new(parts.first().map_or(0, |(origin, _)| origin.form.len()));
        // What 1 has become, to keep all of it integral.
        let mut unit = Big::ONE;
        for (origin, times) in parts {
            let scale = origin.add_to(&mut sum, times * &unit);
            unit *= scale;
        }
        for (column, ends) in self.fixed.iter().rev() {
            let rest: Big = sum.total.iter().zip(column.iter()).map(|(a, b)| a * b).sum();
            let (end, times) = if rest > Big::ZERO { (0, rest) } else { (1, -rest) };
            ends[end].add_to(&mut sum, times);
        }
        debug_assert!(sum.total.iter().all(|left| *left == Big::ZERO), "variables are left");
        let common =
            sum.multiples.iter().fold(Big::ZERO, |common, (.., times)| divisor(&common, times));
        sum.multiples.iter_mut().for_each(|(.., times)| *times /= &common);
        Proof::Absurd(sum.multiples)
    }
}
