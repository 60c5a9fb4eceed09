//! Are two chains the same function, and for which parameters?
//!
//! Example: a transpose flattened, and the matrix flattened as it is, both of (N,M), are the same
//! if N == 1 or M == 1; at N = M = 2 they differ at index 1. Every part of the domain is decided by
//! itself (`equal.rs`); a part where they differ is shown by a point and an index of it, found
//! by the concrete library.

use std::fmt;

use viewmerge::{Equivalence, Limit};

use crate::cases::{Leaf, explore_with};
use crate::chain::SymbolicChain;
use crate::cond::Clause;
use crate::engine::Outcome;
use crate::error::Error;
use crate::group::group;
use crate::guard::Guard;
use crate::names::{Def, Names};
use crate::poly::{Poly, Var};
use crate::print;
use crate::report::{At, Kind, Report};

/// Where two chains differ.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Difference {
    /// The values of the parameters, in the order of their declaration.
    pub point: Vec<(String, i64)>,
    /// The index where they differ; `None` if their shapes do.
    pub index: Option<Vec<i64>>,
}

impl fmt::Display for Difference {
    /// `N = 2, M = 2: at (1)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.point.is_empty() {
            write!(f, "{}: ", print::point(&self.point))?;
        }
        match &self.index {
            None => f.write_str("the shapes differ"),
            Some(index) => write!(f, "they differ at {}", print::tuple(index)),
        }
    }
}

/// For which parameters two chains are the same function.
///
/// ```
/// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
///
/// let params = Params::new().size("N")?.size("M")?;
/// let rows = SymbolicChain::parse(&params, "(N,M) | flatten()")?;
/// let columns = SymbolicChain::parse(&params, "(N,M) | permute(1,0) | flatten()")?;
/// let answer = rows.equivalent(&columns, &Limit::none())?;
/// assert_eq!(answer.same().to_string(), "M == 1 or N == 1");
/// assert_eq!(
///     answer.to_string(),
///     "the same if M == 1 or N == 1; at N = 2, M = 2: they differ at (1)",
/// );
/// # Ok::<(), viewmerge_symbolic::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SymbolicEquivalence {
    told: Report,
    shown_same: Guard,
    difference: Option<Difference>,
}

impl SymbolicChain {
    /// Whether two chains are the same function wherever the ops of both allow.
    ///
    /// # Errors
    ///
    /// If the chains have other parameters, or what they require contradicts.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let params = Params::new().size("N")?.size("M")?;
    /// let chain = SymbolicChain::parse(&params, "(N,M) | permute(1,0)")?;
    /// let back = chain.apply("flatten()")?.apply("reshape(M,N)")?;
    /// assert!(chain.equivalent(&back, &Limit::none())?.is_same());
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn equivalent(
        &self,
        other: &SymbolicChain,
        limit: &Limit<'_>,
    ) -> Result<SymbolicEquivalence, Error> {
        if self.params != other.params {
            return Err(Error::OtherParams);
        }
        let names = Names::new(self.defs.clone(), limit);
        let places = names.taken_over(&other.defs).ok_or(Error::TooLarge)?;
        let moved = |p: &Poly| p.renamed(&places);
        let mut root = self.domain.clone();
        let mut requires = self.requires.clone();
        for clause in &other.requires {
            let clause: Clause = clause.iter().map(|cond| cond.map(moved)).collect();
            root.assume_one(&names, clause.clone());
            if !requires.contains(&clause) {
                requires.push(clause);
            }
        }
        if root.dead {
            let what = "what the two chains require".to_owned();
            return Err(Error::Contradiction { what });
        }
        let stages: Vec<_> = other.stages.iter().map(|stage| stage.map(moved)).collect();
        let count = self.params.list().len();
        let leaves = explore_with(&names, &root, count, |engine| {
            // As outcomes that group with their like: chains that are the same are one case.
            Ok(match engine.compare(&self.stages, &stages)? {
                Some(true) => Outcome::Nothing,
                Some(false) => Outcome::Never,
                None => Outcome::Open,
            })
        });
        let difference = self.difference(other, &leaves);
        let grouped = group(&names, &root, leaves, &[], None);
        let both = SymbolicChain { domain: root, requires, ..self.clone() };
        let told = Report::new(&both, &names, grouped);
        let same = told.cases.first().map(|(choice, _)| choice.clone()).unwrap_or_default();
        Ok(SymbolicEquivalence { shown_same: told.guard(&same), told, difference })
    }

    /// A point of a case that is not seen to be the same, and an index where the chains differ.
    fn difference(&self, other: &SymbolicChain, leaves: &[Leaf]) -> Option<Difference> {
        let never = |leaf: &&Leaf| matches!(leaf.outcome, Outcome::Never);
        let open = |leaf: &&Leaf| matches!(leaf.outcome, Outcome::Open);
        let points = |leaf: &Leaf| {
            let mut points = leaf.points.clone();
            points.sort_by_key(|point| point.iter().map(|x| x.unsigned_abs()).max());
            points.truncate(6);
            points
        };
        let cases = leaves.iter().filter(never).chain(leaves.iter().filter(open));
        cases.flat_map(points).find_map(|point| self.differ_at(other, &point))
    }

    fn differ_at(&self, other: &SymbolicChain, point: &[i128]) -> Option<Difference> {
        let (one, other) = (self.at_point(point).ok()?, other.at_point(point).ok()?);
        let index = match one.equivalent(&other, &Limit::steps(20_000)).ok()? {
            Equivalence::Same => return None,
            Equivalence::Shapes => None,
            Equivalence::Differ(index) => Some(index.to_vec()),
        };
        let values = point.iter().map(|&x| i64::try_from(x).ok()).collect::<Option<Vec<_>>>()?;
        Some(Difference { point: self.named(&values), index })
    }
}

impl SymbolicEquivalence {
    /// Whether they are the same for all parameters that the ops allow.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | flatten()")?;
    /// let other = SymbolicChain::parse(chain.params(), "(3*N)")?;
    /// assert!(chain.equivalent(&other, &Limit::none())?.is_same());
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn is_same(&self) -> bool {
        self.told.kind() == Kind::Always
    }

    /// Where they are the same.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N)")?;
    /// let answer = chain.equivalent(&chain.flip(&[0])?, &Limit::none())?;
    /// assert_eq!(answer.same().to_string(), "N == 1");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn same(&self) -> &Guard {
        &self.shown_same
    }

    /// Where the concrete library is to be asked.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N)")?;
    /// assert!(chain.equivalent(&chain.flip(&[0])?, &Limit::none())?.open().is_never());
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn open(&self) -> &Guard {
        &self.told.shown_open
    }

    /// What the ops of both require; outside they are refused.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N)")?;
    /// let other = chain.apply("shrink((1,N))")?.apply("pad((1,0))")?;
    /// let answer = chain.equivalent(&other.apply("reshape(-1,2)")?.apply("flatten()")?, &Limit::none())?;
    /// assert_eq!(answer.requires().to_string(), "N%2 == 0");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn requires(&self) -> &Guard {
        &self.told.shown_requires
    }

    /// A point and an index where they differ, if one was found.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N)")?;
    /// let answer = chain.equivalent(&chain.flip(&[0])?, &Limit::none())?;
    /// assert_eq!(answer.difference().expect("differ").point, [("N".to_owned(), 2)]);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn difference(&self) -> Option<&Difference> {
        self.difference.as_ref()
    }

    /// What it says at a point.
    ///
    /// # Errors
    ///
    /// If a parameter has no value, or one outside its declaration.
    ///
    /// ```
    /// use viewmerge_symbolic::{At, Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N)")?;
    /// let answer = chain.equivalent(&chain.flip(&[0])?, &Limit::none())?;
    /// assert_eq!(answer.at(&[("N", 1)])?, At::Yes(()));
    /// assert_eq!(answer.at(&[("N", 5)])?, At::No);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn at(&self, values: &[(&str, i64)]) -> Result<At<()>, Error> {
        self.told.at(values, |_, _| Some(()))
    }
}

impl fmt::Display for SymbolicEquivalence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if self.is_same() {
            parts.push("the same".to_owned());
        } else if !self.shown_same.is_never() {
            parts.push(format!("the same if {}", self.shown_same));
        }
        match &self.difference {
            Some(found) if parts.is_empty() => {
                parts.push(format!("computes a different function: at {found}"))
            }
            Some(found) => parts.push(format!("at {found}")),
            None => {}
        }
        if !self.open().is_never() {
            parts.push(format!("open {}", self.open()));
        }
        f.write_str(&parts.join("; "))?;
        if !self.requires().is_always() {
            write!(f, ", requires {}", self.requires())?;
        }
        Ok(())
    }
}

impl Names<'_> {
    /// Where the variables of other definitions are found among these; they are added if need be.
    fn taken_over(&self, defs: &[Def]) -> Option<Vec<Var>> {
        let mut places: Vec<Var> = Vec::new();
        for def in defs {
            places.push(self.intern(def.map(|p| p.renamed(&places)))?);
        }
        Some(places)
    }
}
