//! What would make a chain one view: another stride, a shorter axis, a split or a copy. Each is tried
//! before it is offered.

use core::fmt;

use crate::conditions::longest_part;
use crate::error::{Error, if_writable};
use crate::explain::blame::Blame;
use crate::explain::copy::{CopyPlan, cheapest};
use crate::limit::Meter;
use crate::merge::{Witness, check_chain, one_view};
use crate::split::{Split, decide_split};
use crate::view::View;

/// What would make a chain one view; every entry was tried.
///
/// ```
/// use viewmerge::{Limit, ViewChain};
///
/// let chain: ViewChain = "(2,3) | permute(1,0) | reshape(6)".parse()?;
/// let why = chain.explain(&Limit::none())?;
/// assert_eq!(why.remedies.stride.unwrap().stride, 6);
/// assert_eq!(why.remedies.length.unwrap().length, 2);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Remedies {
    /// Another stride.
    pub stride: Option<OtherStride>,
    /// A shorter axis of the last view.
    pub length: Option<ShorterAxis>,
    /// Axes cut into factors.
    #[cfg_attr(feature = "serde", serde(default))]
    pub split: Option<SplitAxes>,
    /// A copy.
    pub copy: Option<CopyPlan>,
}

/// A stride of one axis with which the chain would be one view.
///
/// ```
/// let chain: viewmerge::ViewChain = "(2,3) | permute(1,0) | reshape(6)".parse()?;
/// let remedy = chain.explain(&viewmerge::Limit::none())?.remedies.stride.unwrap();
/// assert_eq!(remedy.to_string(), "give axis 0 of view 0 the stride 6");
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct OtherStride {
    /// Which view, counted from the memory side.
    pub view: usize,
    /// The axis.
    pub axis: usize,
    /// The stride it would need.
    pub stride: i64,
}

impl fmt::Display for OtherStride {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OtherStride { view, axis, stride } = self;
        write!(f, "give axis {axis} of view {view} the stride {stride}")
    }
}

/// The length of an axis of the last view up to which the chain is one view.
///
/// ```
/// let chain: viewmerge::ViewChain = "(2,3) | permute(1,0) | reshape(6)".parse()?;
/// let remedy = chain.explain(&viewmerge::Limit::none())?.remedies.length.unwrap();
/// assert_eq!(remedy.to_string(), "keep at most 2 along axis 0");
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ShorterAxis {
    /// The axis.
    pub axis: usize,
    /// The longest it may be.
    pub length: i64,
}

impl fmt::Display for ShorterAxis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "keep at most {} along axis {}", self.length, self.axis)
    }
}

/// The coarsest split of the last view's shape over which the chain is one view.
///
/// ```
/// let chain: viewmerge::ViewChain = "(2,3) | permute(1,0) | reshape(6)".parse()?;
/// let remedy = chain.explain(&viewmerge::Limit::none())?.remedies.split.unwrap();
/// assert_eq!(remedy.to_string(), "split axis 0 into 3 × 2");
/// assert_eq!(remedy.view.to_string(), "(3,2):(1,3)");
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SplitAxes {
    /// The factors of every axis.
    pub factors: Split,
    /// The one view over the split shape.
    pub view: View,
}

impl fmt::Display for SplitAxes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "split {}", self.factors.in_words())
    }
}

/// The remedies for a chain with this witness.
pub(super) fn find_remedies(
    chain: &[View],
    witness: &Witness,
    blame: &[Blame],
    meter: &mut Meter,
) -> Result<Remedies, Error> {
    let mut stride = None;
    for blame in blame {
        if stride.is_none() {
            stride = other_stride(chain, blame, meter)?;
        }
    }
    let length = match witness.axes().first() {
        Some(&axis) => if_writable(longest_part(chain, axis, meter))?
            .filter(|&length| length > 1)
            .map(|length| ShorterAxis { axis, length }),
        None => None,
    };
    let split = if_writable(decide_split(chain, Some(witness), meter))?;
    let split = split.and_then(Result::ok);
    let split = split.map(|found| SplitAxes { factors: found.split, view: found.view });
    Ok(Remedies { stride, length, split, copy: cheapest(chain, meter)? })
}

/// The stride that makes an axis to blame contiguous, if the chain is one view with it.
fn other_stride(
    chain: &[View],
    blame: &Blame,
    meter: &mut Meter,
) -> Result<Option<OtherStride>, Error> {
    let &Blame::Axes { view, outer: axis, contiguous, .. } = blame else { return Ok(None) };
    let Ok(stride) = i64::try_from(contiguous) else { return Ok(None) };
    let old = &chain[view];
    let mut strides = old.strides().to_vec();
    strides[axis] = stride;
    let changed = View::new(old.shape(), &strides, old.offset(), old.validity().clone());
    let Ok(changed) = changed else { return Ok(None) };
    let mut views = chain.to_vec();
    views[view] = changed;
    let Ok((top, below)) = check_chain(&views) else { return Ok(None) };
    Ok(one_view(below, top, meter)?.map(|_| OtherStride { view, axis, stride }))
}
