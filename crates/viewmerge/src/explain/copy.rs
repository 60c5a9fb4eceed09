//! Where to copy: the cheapest place to materialise a chain.

use crate::error::Error;
use crate::limit::{Limit, Meter};
use crate::merge::{Verdict, check_chain, climb, decide_chain};
use crate::view::View;

/// Copy once, and the rest is one view of the copy.
///
/// ```
/// use viewmerge::{Limit, ViewChain, cheapest_copy};
///
/// let chain: ViewChain = "(2,3) | permute(1,0) | reshape(6)".parse()?;
/// let plan = cheapest_copy(&chain, &Limit::none())?.unwrap();
/// assert_eq!((plan.view, plan.elements), (1, 6));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct CopyPlan {
    /// The elements of this view, counted from the memory side, are to be copied in order.
    pub view: usize,
    /// How many elements that is, padding included.
    pub elements: i64,
    /// What the copy is then seen through.
    pub rest: View,
}

/// The place where fewest elements are copied so that the rest of the chain is
/// one view of the copy; `None` if the chain is one view as it is.
///
/// Copying the last view's elements always works. An earlier place may have
/// fewer, when what follows repeats or pads them.
///
/// # Errors
///
/// [`Error::EmptyChain`] and [`Error::NotComposable`] for views that do not
/// compose, [`Error::Undecided`] if the limit is reached first.
///
/// ```
/// use viewmerge::{Limit, ViewChain, cheapest_copy};
///
/// // Flattening a transpose cannot be a view; the repetition after it can.
/// let chain = ViewChain::contiguous(&[2, 3])?.permute(&[1, 0])?.reshape(&[6])?.expand(&[100, 6])?;
/// let plan = cheapest_copy(&chain, &Limit::none())?.unwrap();
/// assert_eq!((plan.view, plan.elements), (0, 6));
/// assert_eq!(plan.rest.to_string(), "(100,6):(0,1)");
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn cheapest_copy(chain: &[View], limit: &Limit<'_>) -> Result<Option<CopyPlan>, Error> {
    check_chain(chain)?;
    find_cheapest_copy(chain, &mut Meter::new(limit))
}

/// [`cheapest_copy`] for views known to compose.
pub(crate) fn find_cheapest_copy(
    views: &[View],
    meter: &mut Meter,
) -> Result<Option<CopyPlan>, Error> {
    match decide_chain(views, meter) {
        Ok(Verdict::Merged(_)) => return Ok(None),
        Ok(Verdict::NotMergeable(_))
        | Err(Error::OffsetRange { .. } | Error::IndexRange { .. }) => {}
        Err(error) => return Err(error),
    }
    let mut best: Option<CopyPlan> = None;
    for (number, view) in views.iter().enumerate().rev() {
        let elements = view.count();
        if best.as_ref().is_some_and(|plan| plan.elements <= elements) {
            continue;
        }
        let rest = match views[number + 1..].split_last() {
            None => Verdict::Merged(View::contiguous(view.shape())?),
            Some((top, between)) => match climb(between, top, meter) {
                Ok(verdict) => verdict,
                Err(Error::OffsetRange { .. } | Error::IndexRange { .. }) => continue,
                Err(error) => return Err(error),
            },
        };
        if let Verdict::Merged(rest) = rest {
            best = Some(CopyPlan { view: number, elements, rest });
        }
    }
    Ok(best)
}
