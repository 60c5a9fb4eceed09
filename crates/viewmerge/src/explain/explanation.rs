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
use crate::limit::{Limit, Meter};
use crate::merge::{Verdict, check_chain, decide_chain};
use crate::view::View;

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

/// Explains why a chain is or is not one view.
///
/// The limit covers everything: the verdict, the reasons, and the search for remedies. A list of
/// views does not say which ops made them; [`ViewChain::explain`] names the ops.
///
/// # Errors
///
/// [`Error::EmptyChain`] and [`Error::NotComposable`] for views that do not
/// compose, [`Error::Undecided`] if the limit is reached first;
/// [`Error::OffsetRange`] and [`Error::IndexRange`] if the one view cannot be
/// written down.
///
/// ```
/// use viewmerge::{Limit, View, explain};
///
/// let views: [View; 2] = ["(10,3,3):(8,1,2)".parse()?, "(4):(4)".parse()?];
/// assert_eq!(
///     explain(&views, &Limit::none())?.to_string(),
///     "one view: (4):(3)
///   view 0  (10,3,3):(8,1,2)
///   view 1  (4):(4)
/// why     (0) → (1) is +3: digits of view 0 (0,0,0) → (0,1,1)
///         (2) → (3) is +3: digits of view 0 (0,2,2) → (1,1,0), \
/// axis 2 carries into axis 1 (−5), axis 1 carries into axis 0 (+5)
///         −5 and +5 cancel, here and at every other step",
/// );
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn explain(
    chain: &(impl AsRef<[View]> + ?Sized),
    limit: &Limit<'_>,
) -> Result<Explanation, Error> {
    let chain = chain.as_ref();
    check_chain(chain)?;
    explain_views(chain, stages(chain, &[]), &mut limit.meter())
}

/// [`explain`] for a chain, with the ops that made it.
pub(crate) fn explain_chain(
    chain: &ViewChain,
    meter: &mut Meter<'_>,
) -> Result<Explanation, Error> {
    let ops = chain.trail.ops();
    let mut why = explain_views(chain.views(), stages(chain.views(), &ops), meter)?;
    if why.verdict.is_merged() {
        why.regrouped = regrouped(chain.views(), &ops, meter)?;
    }
    Ok(why)
}

/// [`explain`] for views known to compose.
fn explain_views(
    chain: &[View],
    stages: Vec<Stage>,
    meter: &mut Meter<'_>,
) -> Result<Explanation, Error> {
    let verdict = decide_chain(chain, meter)?;
    let mut why = Explanation {
        stages,
        because: Vec::new(),
        regrouped: Vec::new(),
        steps: Vec::new(),
        blame: Vec::new(),
        remedies: Remedies::default(),
        verdict,
    };
    match &why.verdict {
        Verdict::Merged(view) => {
            why.because = reasons(chain, view, meter)?;
            why.steps = carrying(chain, view, &why.because);
        }
        Verdict::NotMergeable(witness) => {
            (why.blame, why.steps) = blame(chain, witness);
            why.remedies = find_remedies(chain, witness, &why.blame, meter)?;
        }
    }
    Ok(why)
}
