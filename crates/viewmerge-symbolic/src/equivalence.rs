//! Are two chains the same function, and for which parameters?
//!
//! Example: a transpose flattened, and the matrix flattened as it is, both of (N,M), are the same
//! if N == 1 or M == 1; at N = M = 2 they differ at index 1. Every part of the domain is decided by
//! itself; a part where they differ is shown by a point and an index of it, found
//! by the concrete library.
//!
//! On one domain both chains are decided; two views are the same if their valid boxes, their positions at the low corner
//! and their steps are, and a view is never the same as a chain that is none. Two chains that are
//! no view are pushed down as far as they go: they are the same if that leaves the same positions
//! above the same views, and differ if they do at one of a few symbolic indices.

use std::fmt;

use viewmerge::{Equivalence, Limit};

use crate::answer;
use crate::cases::{Leaf, explore};
use crate::chain::SymbolicChain;
use crate::combine::extended;
use crate::cond::{Clause, Cond};
use crate::engine::{Answer, Engine, Front, Left, Mode, Outcome, Stuck};
use crate::error::Error;
use crate::evaluate::Seen;
use crate::group::group;
use crate::guard::Guard;
use crate::json::{Point, Region, object};
use crate::names::{Def, Names};
use crate::poly::{Poly, Var};
use crate::print;
use crate::report::{At, Kind};
use crate::stage::Stage;

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
/// assert_eq!(answer.same.to_string(), "M == 1 or N == 1");
/// assert_eq!(
///     answer.to_string(),
///     "the same if M == 1 or N == 1; at N = 2, M = 2: they differ at (1)",
/// );
/// # Ok::<(), viewmerge_symbolic::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SymbolicEquivalence {
    /// Where they are the same.
    pub same: Guard,
    /// What the ops of both require; outside they are refused.
    pub requires: Guard,
    /// Where the concrete library is to be asked.
    pub open: Guard,
    /// A point and an index where they differ, if one was found.
    pub difference: Option<Difference>,
    /// Chains that are the same are a case of it.
    answer: answer::Answer,
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
        let whole = vec![(Vec::new(), root.clone())];
        let leaves = explore(&names, whole, |engine| engine.compare(&self.stages, &stages));
        let difference = self.difference(other, &leaves);
        let grouped = group(&names, &root, leaves, &[], None);
        let both = SymbolicChain { domain: root, requires, ..self.clone() };
        let answer = answer::Answer::new(&both, &names, grouped, false);
        let same = answer.cases.first().map(|case| case.guard.clone()).unwrap_or_default();
        let (requires, open) = (answer.requires.clone(), answer.open.clone());
        Ok(SymbolicEquivalence { same, requires, open, difference, answer })
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
        self.answer.kind == Kind::Always
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
    /// let answer = chain.equivalent(&chain.apply("flip(0)")?, &Limit::none())?;
    /// assert_eq!(answer.at(&[("N", 1)])?, At::Yes(()));
    /// assert_eq!(answer.at(&[("N", 5)])?, At::No);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn at(&self, values: &[(&str, i64)]) -> Result<At<()>, Error> {
        self.answer.said(values, |_, _| Some(()))
    }
}

impl fmt::Display for SymbolicEquivalence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if self.is_same() {
            parts.push("the same".to_owned());
        } else if !self.same.is_never() {
            parts.push(format!("the same if {}", self.same));
        }
        match &self.difference {
            Some(found) if parts.is_empty() => {
                parts.push(format!("computes a different function: at {found}"))
            }
            Some(found) => parts.push(format!("at {found}")),
            None => {}
        }
        if !self.open.is_never() {
            parts.push(format!("open {}", self.open));
        }
        f.write_str(&parts.join("; "))?;
        if !self.requires.is_always() {
            write!(f, ", requires {}", self.requires)?;
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

/// Numbers that are compared as they stand, and lists of polynomials.
type Reading = (Vec<usize>, Vec<Vec<Poly>>);

impl Engine<'_> {
    /// Compares two chains, memory side first. Where they are the same that is an outcome that groups with its like, so
    /// that it is one case.
    fn compare(&mut self, a: &[Stage], b: &[Stage]) -> Answer<Outcome> {
        let (Some(top), Some(other)) = (a.last(), b.last()) else { return Ok(Outcome::Open) };
        if top.rank() != other.rank() {
            return Ok(Outcome::Never);
        }
        for (size, wanted) in top.shape.iter().zip(&other.shape) {
            if !self.know(Cond::Eq(size - wanted))? {
                return Ok(Outcome::Never);
            }
        }
        let (first, second) = (self.decide(a)?, self.decide(b)?);
        self.mode = Mode::Strict;
        let is_stuck = |outcome| matches!(outcome, &(Outcome::Never | Outcome::Open));
        let same = match (&first, &second) {
            (Outcome::Empty, _) | (_, Outcome::Empty) | (Outcome::Nothing, Outcome::Nothing) => {
                true
            }
            (Outcome::View { .. }, Outcome::View { .. }) => self.agree(&first, &second)?,
            (Outcome::Open, _) | (_, Outcome::Open) | (Outcome::Never, Outcome::Never)
                if !self.differ(a, b) =>
            {
                if !(is_stuck(&first) && is_stuck(&second) && self.alike(a, b)?) {
                    return Ok(Outcome::Open);
                }
                true
            }
            _ => false,
        };
        Ok(if same { Outcome::Nothing } else { Outcome::Never })
    }

    /// Whether two views are the same.
    fn agree(&mut self, a: &Outcome, b: &Outcome) -> Answer<bool> {
        let (
            Outcome::View { base, steps, bounds, .. },
            Outcome::View { base: other, steps: others, bounds: within, .. },
        ) = (a, b)
        else {
            return Ok(false);
        };
        let ends = bounds.iter().zip(within);
        let ends = ends.flat_map(|((lo, hi), (from, to))| [lo - from, hi - to]);
        for difference in ends.chain([base - other]) {
            if !self.know(Cond::Eq(difference))? {
                return Ok(false);
            }
        }
        for ((step, wanted), (lo, hi)) in steps.iter().zip(others).zip(bounds) {
            let (Some(step), Some(wanted)) = (step, wanted) else { continue };
            let same = Cond::Eq(step - wanted);
            // Steps along one valid index are no steps.
            let moves = self.ask(&same) != Some(true) && self.at_least(&(hi - lo), 2)?;
            if moves && !self.know(same)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether two chains that get stuck do so at the same positions above the same views.
    fn alike(&mut self, a: &[Stage], b: &[Stage]) -> Answer<bool> {
        let (Some((x, first)), Some((y, second))) = (self.reading(a)?, self.reading(b)?) else {
            return Ok(false);
        };
        let lengths = |lists: &[Vec<Poly>]| lists.iter().map(Vec::len).collect::<Vec<_>>();
        if x != y || lengths(&first) != lengths(&second) {
            return Ok(false);
        }
        for (p, q) in first.iter().flatten().zip(second.iter().flatten()) {
            if !self.know(Cond::Eq(p - q))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What a chain reads, if it gets stuck: the view that does not take the box with the axes of the box, and the
    /// numbers that must be the same for another chain to read the same. How axes of a view are grouped does not matter
    /// where no mask does.
    fn reading(&mut self, stages: &[Stage]) -> Answer<Option<Reading>> {
        let Left::Continue(slim) = self.prepared(stages)? else { return Ok(None) };
        let Left::Continue(stuck) = self.walk(&slim)? else { return Ok(None) };
        let Stuck { number, whole, front: Front { axis: axes, lo, last }, position, .. } = stuck;
        // The intervals of the axes of the box are in the box.
        let outside = (0..whole.len()).filter(|axis| !axes.contains(axis));
        let outside = outside.map(|axis| whole[axis].0.clone()).collect();
        let mut lists = vec![lo, last, outside, vec![position.base], position.step];
        for stage in slim.into_iter().take(number + 1) {
            lists.extend([vec![stage.offset], stage.shape, stage.strides, stage.alive]);
            lists.extend(stage.bounds.into_iter().flat_map(|bounds| [bounds.lo, bounds.hi]));
        }
        Ok(Some(([vec![number], axes].concat(), lists)))
    }

    /// Whether the two are seen to differ at a symbolic index.
    fn differ(&mut self, a: &[Stage], b: &[Stage]) -> bool {
        let mut places: Vec<Vec<Poly>> = vec![Vec::new()];
        for size in a.last().into_iter().flat_map(|top| &top.shape) {
            let last = self.norm(&(size - 1));
            let several = self.ask(&Cond::Ge(&last - 1)) == Some(true);
            let mut values = vec![Poly::zero(), last];
            values.dedup();
            values.extend(several.then(Poly::one));
            places = extended(&places, &values).take(27).collect();
        }
        places.iter().any(|at| match (self.value_at(a, at, None), self.value_at(b, at, None)) {
            (Seen::Valid(x), Seen::Valid(y)) => {
                let difference = self.norm(&(&x - &y));
                self.domain.proves_nonzero(self.names, &difference)
            }
            (Seen::Valid(_), Seen::Padding) | (Seen::Padding, Seen::Valid(_)) => true,
            _ => false,
        })
    }
}

object!(SymbolicEquivalence, answer,
    "equal": if answer.is_same() { Some(true) } else { answer.difference.as_ref().map(|_| false) },
    "point": answer.difference.as_ref().map(|found| Point(&found.point)),
    "index": answer.difference.as_ref().and_then(|found| found.index.as_ref()),
    "same": Region(&answer.same), "requires": answer.requires, "open": Region(&answer.open),
);
