//! An explanation as lines, in the ops that were given: the cases; each view with the ops that made
//! it, and where it breaks; why, at a point; what would help.
//!
//! ```text
//! one view if N == 1: (3*N):(1)
//! otherwise not one view, for example at N = 2: the step along axis 0 is +3 at (0), but −2 at (1)
//!   view 0  (3,N):(1,3)  after permute(1,0)
//!   view 1  (3*N):(1)    flatten()           ← breaks here: axis 1 of view 0 carries into axis 0, …
//! why     at N = 2:
//!           (0) → (1) is +3: digits of view 0 (0,0) → (0,1)
//!           …
//! fixes   assume N == 1
//!         copy 3*N elements before flatten()  → (3*N):(1)
//! ```
//!
//! The layout of the lines is the concrete library's, and so are the reasons at the point.

use viewmerge::internal::{Lines, ViewLine, joined};
use viewmerge::{Blame, Explanation, Limit, ViewChain};

use super::SymbolicCopy;
use crate::answer::{Answer, Case};
use crate::chain::{Applied, SymbolicChain};
use crate::names::value;
use crate::poly::Poly;
use crate::print;
use crate::report::Kind;
use crate::stage::Stage;

/// The steps for what is shown at a point.
const SHOWN: u64 = 20_000;

/// The chain at some point, explained.
pub(super) struct Shown {
    /// Where, as it is told.
    at: String,
    /// The values of the parameters, in their order.
    point: Vec<i128>,
    pub(super) why: Explanation,
}

impl Shown {
    /// The chain at a point, if the point is allowed and the chain is decided there.
    pub(super) fn new(chain: &SymbolicChain, point: &[i64]) -> Option<Shown> {
        let at = format!("at {}", print::point(&chain.named(point)));
        let point: Vec<i128> = point.iter().map(|&x| x.into()).collect();
        let why = chain.at_point(&point).ok()?.explain(&Limit::steps(SHOWN)).ok()?;
        Some(Shown { at, point, why })
    }
}

impl SymbolicChain {
    /// All lines of an explanation.
    pub(super) fn lines(
        &self,
        answer: &Answer,
        shown: Option<&Shown>,
        assumptions: &[Case],
        copies: &[SymbolicCopy],
    ) -> String {
        let views = self.stages.iter().enumerate().map(|(number, stage)| {
            let ops = || self.trail.iter().filter(|applied| applied.view == number);
            ViewLine {
                view: stage.written(&self.defs),
                ops: ops().map(|applied| applied.op.clone()).collect(),
                added: ops().any(|applied| applied.added),
                breaks: shown.map(|shown| self.breaks(number, shown)).unwrap_or_default(),
            }
        });
        let mut fixes: Vec<(String, String)> = assumptions
            .iter()
            .map(|case| (format!("assume {}", case.guard), case.view.to_string()))
            .collect();
        fixes.extend(copies.iter().map(|copy| (self.copy_in_ops(copy), cases(&copy.rest))));
        let (views, answers) = (views.collect(), self.answers(answer, shown));
        let why = shown.map(|shown| self.why(shown)).unwrap_or_default();
        Lines { answers, views, why, fixes }.to_string()
    }

    /// For which parameters it is one view, and where it is not.
    fn answers(&self, answer: &Answer, shown: Option<&Shown>) -> Vec<String> {
        let mut lines = Vec::new();
        if !answer.requires.is_always() {
            lines.push(format!("the ops require {}", answer.requires));
        }
        for case in &answer.cases {
            lines.push(match case.guard.is_always() {
                true => format!("always one view: {}", case.view),
                false => format!("one view if {}: {}", case.guard, case.view),
            });
        }
        if !answer.open.is_never() {
            lines.push(format!("undecided if {}", answer.open));
        }
        if answer.rest {
            let not = match answer.kind {
                Kind::Never => "never one view",
                _ => "otherwise not one view",
            };
            let witness = shown.and_then(|shown| Some((shown, shown.why.verdict.witness()?)));
            lines.push(match witness {
                Some((shown, witness)) => {
                    format!("{not}, for example {}: {witness}", shown.at)
                }
                None => not.to_owned(),
            });
        }
        lines
    }

    /// What breaks where a view is put on the one to blame, for all parameters where that can be said.
    fn breaks(&self, view: usize, shown: &Shown) -> Vec<String> {
        let here = |blame: &&Blame| blame.view().checked_add(1) == Some(view);
        let told = |blame: &Blame| {
            let Blame::Axes { view, outer, inner, stride, contiguous, .. } = blame else {
                return blame.to_string();
            };
            let stage = &self.stages[*view];
            let needed = &stage.shape[*inner] * &stage.strides[*inner];
            let at = |p: &Poly| value(&self.defs, &shown.point, p);
            let same = at(&stage.strides[*outer]) == Some((*stride).into())
                && at(&needed) == Some(*contiguous);
            match same {
                false => format!("{}, {blame}", shown.at),
                true => format!(
                    "axis {inner} of view {view} carries into axis {outer}, which has stride {} and would need {}",
                    print::expr(&self.defs, &stage.strides[*outer]),
                    print::expr(&self.defs, &needed)
                ),
            }
        };
        shown.why.blame.iter().filter(here).map(told).collect()
    }

    /// Why it is so at the point, a line for each step and reason.
    fn why(&self, shown: &Shown) -> Vec<String> {
        let held: Vec<String> = match shown.why.verdict.is_merged() {
            true => self.trail.iter().flat_map(|op| self.held(op, &shown.point)).collect(),
            false => Vec::new(),
        };
        // That there is one view is no news where ops are told that it could hold.
        let rest = match (self.stages.len(), held.is_empty()) {
            (1, false) => Vec::new(),
            (1, true) => return shown.why.why(),
            _ => shown.why.why(),
        };
        let lines = held.into_iter().chain(rest).map(|line| format!("  {line}"));
        [format!("{}:", shown.at)].into_iter().chain(lines).collect()
    }

    /// Why one view could hold the result of an op that regroups elements, at a point.
    fn held(&self, applied: &Applied, point: &[i128]) -> Vec<String> {
        let Applied { op, before, after, added, .. } = applied;
        let regroups = ["reshape", "flatten", "unflatten"].iter().any(|name| op.starts_with(name));
        let views = (before.at(&self.defs, point).ok(), after.at(&self.defs, point).ok());
        let (false, true, (Some(from), Some(to))) = (*added, regroups, views) else {
            return Vec::new();
        };
        let why = ViewChain::from(from)
            .recording()
            .reshape(to.shape())
            .and_then(|chain| chain.explain(&Limit::steps(SHOWN)));
        let Ok(why) = why else { return Vec::new() };
        if why.regrouped.is_empty() {
            return Vec::new();
        }
        let first = format!("{op} on {}", before.written(&self.defs));
        [first].into_iter().chain(why.why().into_iter().skip(1)).collect()
    }

    /// What is copied, and before or after which op: `copy 3*N elements before flatten()`.
    fn copy_in_ops(&self, copy: &SymbolicCopy) -> String {
        let ops = || self.trail.iter().filter(|applied| applied.view == copy.view);
        let (Some(first), Some(last)) = (ops().next(), ops().next_back()) else {
            return format!("copy {copy}");
        };
        // A reshape takes all elements in order: copying them before it is the same.
        let stage = &self.stages[copy.view];
        let in_order = *stage == Stage::contiguous(stage.shape.clone())
            && self.domain.normal(&first.before.count()) == self.domain.normal(&stage.count());
        if copy.whole && first.added && in_order {
            return format!("copy {} elements before {}", copy.elements, first.op);
        }
        let some = if copy.whole { "" } else { SymbolicCopy::SOME };
        format!("copy the {} elements{some} after {}", copy.elements, last.op)
    }
}

/// The view, or one for every case.
fn cases(cases: &[Case]) -> String {
    if let [one] = cases {
        return one.view.to_string();
    }
    joined(cases.iter().map(|case| format!("if {} {}", case.guard, case.view)), ", ")
}
