//! An explanation as text: the answer, each view with the ops that made it and where it breaks,
//! the reasons, the remedies.
//!
//! ```text
//! not one view: the step along axis 0 is +3 at (0), but −2 at (1)
//!   view 0  (3,2):(1,3)  after permute(1,0)
//!   view 1  (6):(1)      reshape(6)          ← breaks here: axis 1 of view 0 carries into axis 0, …
//! why     (0) → (1) is +3: digits of view 0 (0,0) → (0,1)
//!         …
//! fixes   split axis 0 into 3 × 2            → (3,2):(1,3), no copy
//!         …
//! ```

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::blame::Blame;
use super::copy::CopyPlan;
use super::explanation::Explanation;
use super::reasons::{Reason, clauses};
use super::remedies::Remedies;
use super::stages::Regrouped;
use super::steps::{DigitStep, descend};
use crate::dims::Index;
use crate::merge::{Verdict, Witness};
use crate::movement::Movement;

impl fmt::Display for Explanation {
    /// No line feed at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let views = self.stages.iter().enumerate().map(|(number, stage)| ViewLine {
            view: stage.view.to_string(),
            ops: stage.ops.iter().map(Movement::to_string).collect(),
            added: stage.added,
            breaks: self.breaks(number),
        });
        Lines {
            answers: [self.verdict.to_string()].into(),
            views: views.collect(),
            why: self.why(),
            fixes: self.fixes(),
        }
        .fmt(f)
    }
}

/// The parts of an explanation as text; `Display` arranges them in lines and columns.
pub struct Lines {
    /// The answer, in one or more lines.
    pub answers: Vec<String>,
    /// Every view of the chain, memory side first.
    pub views: Vec<ViewLine>,
    /// The reasons.
    pub why: Vec<String>,
    /// The remedies, and what each of them gives; the second text may be empty.
    pub fixes: Vec<(String, String)>,
}

/// A view, the ops that made it, and what breaks between it and the view below.
pub struct ViewLine {
    /// The view.
    pub view: String,
    /// The ops, the first one first.
    pub ops: Vec<String>,
    /// Whether the first of them added the view.
    pub added: bool,
    /// What breaks.
    pub breaks: Vec<String>,
}

impl ViewLine {
    /// The ops that made the view: `after permute(1,0)`, or `reshape(6)` if it put the view there.
    fn note(&self) -> String {
        match (self.ops.is_empty(), self.added) {
            (true, _) => String::new(),
            (false, true) => self.ops.join(" | "),
            (false, false) => format!("after {}", self.ops.join(" | ")),
        }
    }
}

impl fmt::Display for Lines {
    /// No line feed at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.answers.join("\n"))?;
        self.write_views(f)?;
        write_block(f, "why", &self.why)?;
        write_block(f, "fixes", &aligned(&self.fixes))
    }
}

impl Lines {
    fn write_views(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let notes: Vec<String> = self.views.iter().map(ViewLine::note).collect();
        let wider = notes.iter().map(|note| note.chars().count()).max().unwrap_or(0);
        let wide = self.views.iter().map(|line| line.view.chars().count()).max().unwrap_or(0);
        let digits = self.views.len().saturating_sub(1).to_string().len();
        for (number, (ViewLine { view, breaks, .. }, note)) in
            self.views.iter().zip(&notes).enumerate()
        {
            let line = format!("  view {number:<digits$}  {view:<wide$}  {note:<wider$}");
            if breaks.is_empty() {
                write!(f, "\n{}", line.trim_end())?;
            }
            for (place, broken) in breaks.iter().enumerate() {
                // Without a note the mark follows the view.
                let line = if wider == 0 { line.trim_end_matches(' ') } else { &line };
                match place {
                    0 => write!(f, "\n{line}  ← breaks here: {broken}")?,
                    _ => write!(f, "\n{:1$}    also: {broken}", "", line.chars().count())?,
                }
            }
        }
        Ok(())
    }
}

/// A word, and lines beside it.
fn write_block(f: &mut fmt::Formatter<'_>, word: &str, lines: &[String]) -> fmt::Result {
    for (number, line) in lines.iter().enumerate() {
        write!(f, "\n{:<8}{line}", if number == 0 { word } else { "" })?;
    }
    Ok(())
}

/// Lines in two columns, the second behind an arrow.
fn aligned(rows: &[(String, String)]) -> Vec<String> {
    let with_result = rows.iter().filter(|(_, result)| !result.is_empty());
    let width = with_result.map(|(fix, _)| fix.chars().count()).max().unwrap_or(0);
    let line = |(fix, result): &(String, String)| match result.is_empty() {
        true => fix.clone(),
        false => format!("{fix:<width$}  → {result}"),
    };
    rows.iter().map(line).collect()
}

impl Explanation {
    /// What breaks at a view: what is to blame in the view below it.
    fn breaks(&self, view: usize) -> Vec<String> {
        let here = |blame: &&Blame| blame.view().checked_add(1) == Some(view);
        self.blame.iter().filter(here).map(Blame::to_string).collect()
    }

    /// Why it is so, a line for each step and reason.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain: ViewChain = "(2,3,4) | (24)".parse()?;
    /// let why = chain.explain(&Limit::none())?.why();
    /// assert_eq!(why, ["axes 0, 1 and 2 of view 0 can be fused: a carry between them adds nothing"]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn why(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for Regrouped { op, before, because, steps } in &self.regrouped {
            lines.push(format!("{op} on {before}"));
            let told = steps.iter().map(|step| step.told(""));
            lines.extend(told.chain(clauses(because, false)).map(|line| format!("  {line}")));
        }
        lines.extend(self.hole());
        lines.extend(self.steps.iter().map(DigitStep::to_string));
        // "There is only one view" says nothing new if regrouping ops were explained above.
        let silent = self.because == [Reason::Single] && !self.regrouped.is_empty();
        if !silent {
            lines.extend(clauses(&self.because, true));
        }
        lines
    }

    /// The digits of a hole's indices in the view whose mask is to blame, and which axis is outside.
    fn hole(&self) -> Vec<String> {
        let (
            Verdict::NotMergeable(Witness::Hole { valid: [first, second], invalid }),
            Some(Blame::Mask { view, axis, .. }),
        ) = (&self.verdict, self.blame.first())
        else {
            return Vec::new();
        };
        let told = |index: &Index, how: &str| {
            let digits = self.digits(*view, index)?;
            Some(format!("{index} has the digits {digits} in view {view}: {how}"))
        };
        let bounds = self.stages.get(*view).and_then(|stage| stage.view.valid_box());
        let (lo, hi) = bounds.and_then(|bounds| bounds.get(*axis).copied()).unwrap_or((0, 0));
        let outside = format!("axis {axis} is padding outside of {lo}:{hi}");
        let lines = [told(first, "valid"), told(second, "valid"), told(invalid, &outside)];
        lines.into_iter().flatten().collect()
    }

    /// The digits in a view that an index of the last view has; `None` if a view above rejects it.
    fn digits(&self, view: usize, index: &Index) -> Option<Index> {
        let depth = self.stages.len().checked_sub(view.checked_add(1)?)?;
        descend(self.stages.iter().map(|stage| &stage.view), index).into_iter().nth(depth)
    }

    /// The remedies, and the view each of them gives.
    fn fixes(&self) -> Vec<(String, String)> {
        let Remedies { split, copy, length, stride } = &self.remedies;
        let split = split.iter().map(|s| (s.to_string(), format!("{}, no copy", s.view)));
        let copy = copy.iter().map(|copy| (self.copy_in_ops(copy), copy.rest.to_string()));
        let shorter = length.iter().map(|length| (length.to_string(), String::new()));
        let stride = stride.iter().map(|stride| (stride.to_string(), String::new()));
        split.chain(copy).chain(shorter).chain(stride).collect()
    }

    /// What is copied, and before or after which op: `copy 6 elements before reshape(6)`.
    fn copy_in_ops(&self, copy: &CopyPlan) -> String {
        let Some(stage) = self.stages.get(copy.view) else { return format!("copy {copy}") };
        let (Some(first), Some(last)) = (stage.ops.first(), stage.ops.last()) else {
            return format!("copy {copy}");
        };
        // A reshape takes all elements in order: copying them before it is the same.
        let below = copy.view.checked_sub(1).and_then(|below| self.stages.get(below));
        let in_order = below.is_some_and(|below| below.view.count() == stage.view.count());
        if copy.whole && stage.added && in_order && stage.view.is_contiguous() {
            return format!("copy {} elements before {first}", copy.elements);
        }
        format!("copy {} after {last}", copy.stored_in_words())
    }
}
