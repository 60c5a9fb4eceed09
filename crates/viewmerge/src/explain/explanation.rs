//! Why a chain is or is not one view, in terms of the ops that made it.
//!
//! If it is one view: the reasons (`reasons.rs`), also for each regrouping op that one view could
//! hold. If not: the witness, what is to blame (`blame.rs`), and what would help (`remedies.rs`). A
//! stride, a shorter axis, a split or a copy is offered only if it was tried and gives one view. The
//! text is in `lines.rs`.
//!
//! Cost: one decision, and those of the remedies.

use alloc::vec::Vec;

use super::blame::{Blame, blame};
use super::reasons::{Reason, reasons};
use super::remedies::{Remedies, find_remedies};
use super::stages::{Regrouped, Stage, regrouped, stages};
use super::steps::{DigitStep, carrying};
use crate::chain::ViewChain;
use crate::error::Error;
use crate::limit::Limit;
use crate::merge::{Verdict, decide_chain};

/// A verdict with its reasons; `Display` writes it as text.
///
/// ```
/// use viewmerge::{Limit, ViewChain};
///
/// let chain: ViewChain = "(2,3) | permute(1,0) | reshape(6)".parse()?;
/// let why = chain.explain(&Limit::none())?;
/// assert_eq!(
///     why.to_string(),
///     "not one view: the step along axis 0 is +3 at (0), but −2 at (1)
///   view 0  (3,2):(1,3)  after permute(1,0)
///   view 1  (6):(1)      reshape(6)          ← breaks here: axis 1 of view 0 carries into axis 0, which has stride 1 and would need 6
/// why     (0) → (1) is +3: digits of view 0 (0,0) → (0,1)
///         (1) → (2) is −2: digits of view 0 (0,1) → (1,0), axis 1 carries into axis 0 (−5)
/// fixes   split axis 0 into 3 × 2            → (3,2):(1,3), no copy
///         copy 6 elements before reshape(6)  → (6):(1)
///         keep at most 2 along axis 0
///         give axis 0 of view 0 the stride 6",
/// );
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Explanation {
    /// The answer.
    pub verdict: Verdict,
    /// The views, and the ops that made them, if known.
    #[cfg_attr(feature = "serde", serde(default))]
    pub stages: Vec<Stage>,
    /// Why the chain is one view; empty if it is not.
    #[cfg_attr(feature = "serde", serde(default))]
    pub because: Vec<Reason>,
    /// The regrouping ops whose results are one view, and why; empty if the chain is not one view.
    #[cfg_attr(feature = "serde", serde(default))]
    pub regrouped: Vec<Regrouped>,
    /// Steps that show the reason, digit by digit.
    #[cfg_attr(feature = "serde", serde(default))]
    pub steps: Vec<DigitStep>,
    /// What is to blame; empty if the chain is one view.
    pub blame: Vec<Blame>,
    /// What would help; empty if the chain is one view.
    pub remedies: Remedies,
}

/// # Questions: why, or why not
impl ViewChain {
    /// Why the chain is or is not one view, in the ops that made it, and what would help.
    ///
    /// The limit covers everything: the verdict, the reasons, and the search for remedies.
    ///
    /// # Errors
    ///
    /// [`Error::Undecided`] if the limit is reached first; [`Error::OffsetRange`] and
    /// [`Error::IndexRange`] if the one view cannot be written down.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain: ViewChain = "(10,3,3):(8,1,2) | (4):(4)".parse()?;
    /// assert_eq!(
    ///     chain.explain(&Limit::none())?.to_string(),
    ///     "one view: (4):(3)
    ///   view 0  (10,3,3):(8,1,2)
    ///   view 1  (4):(4)
    /// why     (0) → (1) is +3: digits of view 0 (0,0,0) → (0,1,1)
    ///         (2) → (3) is +3: digits of view 0 (0,2,2) → (1,1,0), \
    /// axis 2 carries into axis 1 (−5), axis 1 carries into axis 0 (+5)
    ///         −5 and +5 cancel, here and at every other step",
    /// );
    /// let chain: ViewChain = "(2,3) | permute(1,0) | reshape(6)".parse()?;
    /// assert_eq!(chain.explain(&Limit::none())?.remedies.length.unwrap().length, 2);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn explain(&self, limit: &Limit<'_>) -> Result<Explanation, Error> {
        let (views, ops, meter) = (self.views(), self.trail.ops(), &mut limit.meter());
        let mut why = Explanation {
            verdict: decide_chain(views, meter)?,
            stages: stages(views, &ops),
            because: Vec::new(),
            regrouped: Vec::new(),
            steps: Vec::new(),
            blame: Vec::new(),
            remedies: Remedies::default(),
        };
        match &why.verdict {
            Verdict::Merged(view) => {
                why.because = reasons(views, view, meter)?;
                why.steps = carrying(views, view, &why.because);
                why.regrouped = regrouped(views, &ops, meter)?;
            }
            Verdict::NotMergeable(witness) => {
                (why.blame, why.steps) = blame(views, witness);
                why.remedies = find_remedies(views, witness, &why.blame, meter)?;
            }
        }
        Ok(why)
    }
}
