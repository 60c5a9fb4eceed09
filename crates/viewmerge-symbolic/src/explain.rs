//! Why a chain is not one view for some parameters, what would make it one, and where to copy.
//!
//! Example: a transpose of heads and its flattening, (B,H,T,D) to (B,T,H·D). It is one view if
//! T == 1 or H == 1, so each of the two is an assumption that helps. At the first point that is no
//! view the concrete library gives its witness. And copying the B·T·H·D elements of the transpose
//! once makes the rest one view for all parameters.
//!
//! A copy stores the elements of one view of the chain in order: all of them, or of a padded axis
//! the valid ones and of a repeated one a single index. It is offered if the views above are one view
//! of the copy for all parameters; of two that are offered the one that is never larger stays.
//!
//! Cost: that of merging, once more for every view. The text is in `explain/lines.rs`.

mod lines;

use std::fmt;

use serde::Serialize;
use viewmerge::Limit;

use crate::answer::{Answer, Case};
use crate::cases::points;
use crate::chain::SymbolicChain;
use crate::cond::Cond;
use crate::expr::Expr;
use crate::guard::Guard;
use crate::json::named;
use crate::names::Names;
use crate::params::Param;
use crate::poly::Poly;
use crate::print;
use crate::report::{At, Kind};
use crate::stage::{Intervals, Stage};
use lines::Shown;

/// A point at which a chain is not one view, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Example {
    /// The values of the parameters, in the order of their declaration.
    #[serde(serialize_with = "named")]
    pub point: Vec<(String, i64)>,
    /// What the concrete library says.
    pub witness: String,
}

/// Copy once, and the rest is one view of the copy for all parameters.
#[derive(Debug, Clone, Serialize)]
pub struct SymbolicCopy {
    /// Elements of this view, counted from the memory side, are copied in order.
    pub view: usize,
    /// Those with these indices, an interval for every axis of that view; one index of an axis along
    /// which they repeat.
    pub stored: Vec<(Expr, Expr)>,
    /// How many.
    pub elements: Expr,
    /// Whether these are all elements of the view: without what is padding or repeats otherwise.
    pub whole: bool,
    /// What the copy is then seen through; the first whose guard holds counts.
    pub rest: Vec<Case>,
}

/// For which parameters a chain is one view, why not for others, and what would help.
///
/// ```
/// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
///
/// let params = Params::new().size("B")?.size("T")?.size("H")?.size("D")?;
/// let text = "(B,H,T,D) | permute(0,2,1,3) | reshape(B,T,H*D)";
/// let why = SymbolicChain::parse(&params, text)?.explain(&Limit::none());
/// let assumed: Vec<String> = why.assumptions.iter().map(|case| case.guard.to_string()).collect();
/// assert_eq!(assumed, ["T == 1", "H == 1", "D == 1"]);
/// assert_eq!(why.copies[0].elements.to_string(), "B*T*H*D");
/// let text = why.to_string();
/// assert!(text.ends_with("copy B*T*H*D elements before reshape(B,T,H*D)  → (B,T,H*D):(T*H*D,H*D,1)"), "{text}");
/// # Ok::<(), viewmerge_symbolic::Error>(())
/// ```
#[derive(Debug, Clone, Serialize)]
pub struct SymbolicExplanation {
    /// The answer itself.
    pub answer: Answer,
    /// What could be assumed of the parameters to make it one view, the shortest first, and that
    /// view; none if it always is, or never.
    #[serde(rename = "assume")]
    pub assumptions: Vec<Case>,
    /// A point at which it is not one view, if one was met.
    pub example: Option<Example>,
    /// The copies that make it one view for all parameters; none if it always is.
    pub copies: Vec<SymbolicCopy>,
    /// Lines without a line feed at the end: for which parameters, the views with their ops, why, and
    /// what would help.
    pub text: String,
}

impl SymbolicChain {
    /// For which parameters it is one view, why not for others, and what would help.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | flatten()")?;
    /// let why = chain.explain(&Limit::none()).to_string();
    /// assert_eq!(why, "\
    /// always one view: (3*N):(1)
    ///   view 0  (3*N):(1)  after flatten()
    /// why     at N = 2:
    ///           flatten() on (N,3):(3,1)
    ///             axes 0 and 1 can be fused: a carry between them adds nothing");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn explain(&self, limit: &Limit<'_>) -> SymbolicExplanation {
        let answer = self.merge(limit);
        let mut assumptions = Vec::new();
        let mut copies = Vec::new();
        if answer.kind != Kind::Always {
            for case in &answer.cases {
                for list in &case.guard.choices {
                    let guard = Guard { choices: vec![list.clone()] };
                    assumptions.push(Case { guard, ..case.clone() });
                }
            }
            assumptions.sort_by_key(|case| case.guard.atoms());
            copies = self.copies(limit);
        }
        let (shown, example) = self.shown(&answer);
        let text = self.lines(&answer, shown.as_ref(), &assumptions, &copies);
        SymbolicExplanation { answer, assumptions, example, copies, text }
    }

    /// The chain at the first sampled point that is no view; where it always is, at the first point.
    fn shown(&self, answer: &Answer) -> (Option<Shown>, Option<Example>) {
        let points = self.small_points();
        if answer.kind == Kind::Always {
            // Where a size is 1 there is little to see.
            let (large, small): (Vec<_>, Vec<_>) =
                points.iter().partition(|point| point.iter().all(|&x| x > 1));
            let mut points = large.into_iter().chain(small);
            return (points.find_map(|point| Shown::new(self, point)), None);
        }
        let refuted = points.iter().find_map(|point| {
            let by_name: Vec<(&str, i64)> =
                self.params.names().zip(point.iter().copied()).collect();
            if answer.at(&by_name) != Ok(At::No) {
                return None;
            }
            let shown = Shown::new(self, point)?;
            let witness = shown.why.verdict.witness()?.to_string();
            Some((shown, Example { point: self.named(point), witness }))
        });
        refuted.unzip()
    }

    /// Sampled points, the small ones first: they are easier to follow.
    fn small_points(&self) -> Vec<Vec<i64>> {
        let names = Names::new(self.defs.clone(), &Limit::steps(1_000));
        let params = self.params.list();
        let narrow = |point: Vec<i128>| point.into_iter().map(|x| i64::try_from(x).ok()).collect();
        let samples = points(&names, &self.domain);
        let mut points: Vec<Vec<i64>> = samples.into_iter().filter_map(narrow).collect();
        // A few that no sample is among, too.
        for first in 0..=1 {
            for second in 1..=3 {
                let at = |(k, p): (usize, &Param)| {
                    let least = p.quotients().0.unwrap_or(0).max(0);
                    let more = if k % 2 == first { second } else { 1 };
                    (least + more) * p.multiple
                };
                points.push(params.iter().enumerate().map(at).collect());
            }
        }
        points.sort_by_key(|point| {
            let sizes = point.iter().map(|x| x.unsigned_abs());
            (sizes.clone().max(), sizes.sum::<u64>())
        });
        points.dedup();
        points
    }

    /// The copies that help, none of them seen never to be smaller than another.
    fn copies(&self, limit: &Limit<'_>) -> Vec<SymbolicCopy> {
        let names = Names::new(self.defs.clone(), limit);
        let mut found: Vec<(Poly, SymbolicCopy)> = Vec::new();
        for view in (0..self.stages.len()).rev() {
            for whole in [false, true] {
                let stage = &self.stages[view];
                let Some((seen, bounds, elements)) = stored(stage, whole) else { continue };
                let mut stages = self.stages[view..].to_vec();
                stages[0] = seen;
                let rest = SymbolicChain { stages, ..self.clone() }.merge(limit);
                if rest.kind != Kind::Always {
                    continue;
                }
                let elements = self.domain.normal(&elements);
                let known =
                    |p: &Poly, q: &Poly| self.domain.clone().implies(&names, &Cond::Ge(q - p));
                let whole = elements == self.domain.normal(&stage.count());
                // Of two of the same size the one of a whole view is kept, then that of the last view.
                let beaten = |(other, copy): &(Poly, SymbolicCopy)| {
                    known(other, &elements) && !(whole && !copy.whole && *other == elements)
                };
                if !found.iter().any(beaten) {
                    found.retain(|(other, _)| !known(&elements, other));
                    let text = |p: &Poly| print::expr(&self.defs, &names.expand(p));
                    let interval = |(lo, hi): &(Poly, Poly)| (text(lo), text(hi));
                    let copy = SymbolicCopy {
                        view,
                        stored: bounds.iter().map(interval).collect(),
                        elements: text(&elements),
                        whole,
                        rest: rest.cases.to_vec(),
                    };
                    found.push((elements, copy));
                }
                break;
            }
            names.refill();
        }
        found.into_iter().map(|(_, copy)| copy).collect()
    }
}

/// The elements of a view that a copy stores, as they are seen in the copy, which they are and how many: all, if none is
/// padding, or only those that are neither padding nor repeated.
fn stored(stage: &Stage, whole: bool) -> Option<(Stage, Intervals, Poly)> {
    if whole && stage.is_masked() {
        return None;
    }
    let mut seen = stage.clone();
    seen.offset = Poly::zero();
    let (mut bounds, mut elements) = (stage.intervals()?, Poly::one());
    for axis in (0..stage.rank()).rev() {
        let (lo, hi) = &mut bounds[axis];
        let repeats = !whole && stage.strides[axis].is_zero();
        seen.strides[axis] = if repeats { Poly::zero() } else { elements.clone() };
        seen.offset -= &seen.strides[axis] * &*lo;
        if repeats {
            *hi = &*lo + 1;
        }
        elements *= &*hi - &*lo;
    }
    Some((seen, bounds, elements))
}

impl SymbolicCopy {
    /// Which elements, where it is not all of them.
    const SOME: &str = " that are neither padding nor repeated";
}

impl fmt::Display for SymbolicCopy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let some = if self.whole { "" } else { SymbolicCopy::SOME };
        write!(f, "the {} elements of view {}{some}", self.elements, self.view)
    }
}

impl fmt::Display for SymbolicExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
