//! Where to copy: the cheapest place to materialise a chain.
//!
//! A copy writes the elements of some view k to new memory, in row-major order. Along each axis of
//! view k it stores
//!
//! - all indices; or
//! - those from the first valid one to the last: a mask describes the padding outside, and padding
//!   in between is stored like an element; or
//! - a single index, if view k has stride 0 along the axis (a broadcast).
//!
//! So a copy is a box of elements, and it costs as many elements as the box has. The views above
//! must be one view of the copy. The cheapest copy is the one with the fewest elements, over all k;
//! copying the elements of the last view always works. (Elements that the views above never read
//! are stored and counted like the others.)
//!
//! Running example: `(3,3):(4,1)+1 [0:2,0:3]`, six elements of a matrix with a row of
//! padding below, seen through `(9)`. Copying all nine elements that are seen would
//! work. The first six of them are enough, and the copy is seen through
//! `(9):(1) [0:6]`.
//!
//! Cost: for every view at most 3^n decisions, where n is the number of padded or repeated axes, and
//! never more than 4096: if there are more such axes, the last ones are stored whole.

use alloc::string::String;
use alloc::vec::Vec;

use core::fmt;

use crate::chain::ViewChain;
use crate::dims::{Bounds, Dims};
use crate::error::{Error, if_writable};
use crate::limit::{Limit, Meter};
use crate::merge::{Verdict, decide_chain, valid_hull};
use crate::view::{Validity, View};

/// Copy once, and the rest is one view of the copy.
///
/// ```
/// use viewmerge::{Limit, ViewChain};
///
/// let chain: ViewChain = "(2,3) | permute(1,0) | reshape(6)".parse()?;
/// let plan = chain.cheapest_copy(&Limit::none())?.unwrap();
/// assert_eq!((plan.view, plan.elements), (1, 6));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct CopyPlan {
    /// The view whose elements are copied, counted from the memory side.
    pub view: usize,
    /// Which of its indices are stored: an interval for every axis, of length 1 along an axis that
    /// repeats.
    pub stored: Bounds,
    /// Whether these are all indices of the view.
    pub whole: bool,
    /// How many elements are stored.
    pub elements: i64,
    /// The rest of the chain, as one view of the copy.
    pub rest: View,
}

impl CopyPlan {
    /// `the 6 elements [0:2,0:3]`.
    pub(super) fn stored_in_words(&self) -> String {
        let part = if self.whole { String::new() } else { format!(" {}", self.stored) };
        format!("the {} elements{part}", self.elements)
    }
}

impl fmt::Display for CopyPlan {
    /// What is copied: `the 6 elements [0:2,0:3] of view 0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of view {}", self.stored_in_words(), self.view)
    }
}

/// # Questions: where to copy
impl ViewChain {
    /// The copy with the fewest elements after which the rest of the chain is one view; `None` if
    /// the chain is one view already.
    ///
    /// A copy stores the elements of some view k in order: along each axis all indices, or those from
    /// the first valid one to the last, or a single one if view k has stride 0 along it. Its cost is the
    /// number of elements stored, including padding between valid ones. If several copies cost the
    /// same, one of a whole view is preferred, then one of the last view.
    ///
    /// # Errors
    ///
    /// [`Error::Undecided`] if the limit is reached first.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// // Flattening a transpose cannot be a view; the repetition after it can.
    /// let chain = ViewChain::contiguous(&[2, 3])?.permute(&[1, 0])?.reshape(&[6])?.expand(&[100, 6])?;
    /// let plan = chain.cheapest_copy(&Limit::none())?.unwrap();
    /// assert_eq!((plan.view, plan.elements), (0, 6));
    /// assert_eq!(plan.rest.to_string(), "(100,6):(0,1)");
    ///
    /// // Padding need not be stored.
    /// let chain: ViewChain = "(6,4) | slice(0:2,1:) | pad((0,1),(0,0)) | reshape(9)".parse()?;
    /// let plan = chain.cheapest_copy(&Limit::none())?.unwrap();
    /// assert_eq!(plan.to_string(), "the 6 elements [0:6] of view 1");
    /// assert_eq!(plan.rest.to_string(), "(9):(1) [0:6]");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn cheapest_copy(&self, limit: &Limit<'_>) -> Result<Option<CopyPlan>, Error> {
        let mut meter = limit.meter();
        match if_writable(decide_chain(self.views(), &mut meter))? {
            Some(Verdict::Merged(_)) => Ok(None),
            _ => cheapest(self.views(), &mut meter),
        }
    }
}

/// [`ViewChain::cheapest_copy`] for a chain that is not one view, or whose one view cannot be written down.
pub(super) fn cheapest(views: &[View], meter: &mut Meter) -> Result<Option<CopyPlan>, Error> {
    let mut best: Option<CopyPlan> = None;
    for number in (0..views.len()).rev() {
        let view = &views[number];
        let mut ways = Layout::all(view, &valid_hull(&views[..number], view, meter)?);
        ways.sort_by_key(Layout::elements);
        for layout in ways {
            // Fewer elements are better, then the whole view.
            let elements = layout.elements();
            let whole = elements == view.count();
            let better = |plan: &CopyPlan| (elements, !whole) < (plan.elements, !plan.whole);
            if !best.as_ref().is_none_or(better) {
                break;
            }
            // Skip layouts that cannot be written down as a view.
            let Some(copy) = if_writable(layout.view(view))? else { continue };
            let above = views[number + 1..].iter().cloned();
            let copied: Vec<View> = core::iter::once(copy).chain(above).collect();
            let rest = if_writable(decide_chain(&copied, meter))?;
            if let Some(rest) = rest.and_then(Verdict::into_view) {
                best =
                    Some(CopyPlan { view: number, stored: layout.stored(), whole, elements, rest });
                break;
            }
        }
    }
    Ok(best)
}

/// The most layouts of one view that are tried.
const MOST_LAYOUTS: usize = 1 << 12;

/// What is stored of one axis.
#[derive(Clone, Copy)]
struct Part {
    /// The indices that read the copy: all, or those from the first valid one to the last.
    read: (i64, i64),
    /// The indices that are stored: those, or the first of them if all read the same element.
    stored: (i64, i64),
}

/// What is stored of every axis of a view.
struct Layout(Vec<Part>);

impl Layout {
    /// All ways to store the elements of a view whose valid indices lie in a box.
    fn all(view: &View, valid: &Bounds) -> Vec<Layout> {
        let mut layouts = vec![Layout(Vec::new())];
        for (axis, (&size, &(lo, hi))) in view.shape().iter().zip(valid).enumerate() {
            let mut parts = vec![Part { read: (0, size), stored: (0, size) }];
            if (lo, hi) != (0, size) {
                parts.push(Part { read: (lo, hi), stored: (lo, hi) });
            }
            if view.strides()[axis] == 0 && hi - lo > 1 {
                parts.push(Part { read: (lo, hi), stored: (lo, lo + 1) });
            }
            if layouts.len() * parts.len() > MOST_LAYOUTS {
                parts.truncate(1);
            }
            let longer = |layout: &Layout, part: Part| {
                Layout(layout.0.iter().copied().chain([part]).collect())
            };
            layouts = layouts
                .iter()
                .flat_map(|layout| parts.iter().map(move |&part| longer(layout, part)))
                .collect();
        }
        layouts
    }

    fn stored(&self) -> Bounds {
        self.0.iter().map(|part| part.stored).collect()
    }

    /// The number of elements, at most that of the view.
    fn elements(&self) -> i64 {
        self.0.iter().map(|Part { stored: (lo, hi), .. }| hi - lo).product()
    }

    /// The view's indices as elements of the copy.
    fn view(&self, of: &View) -> Result<View, Error> {
        let mut strides: Dims = self.0.iter().map(|_| 0).collect();
        let (mut run, mut offset) = (1i64, 0i128);
        for (stride, Part { read, stored }) in strides.iter_mut().zip(&self.0).rev() {
            let (lo, hi) = stored;
            if read == stored {
                *stride = run;
                offset -= i128::from(run) * i128::from(*lo);
            }
            run *= hi - lo;
        }
        let read = self.0.iter().map(|part| part.read).collect();
        View::build(of.shape().into(), strides, offset, Validity::Box(read))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::ViewChain;

    #[test]
    fn plans() {
        // (chain, what is copied, what the copy is seen through)
        let rows = [
            ("(3,2):(1,3) | (6)", "the 6 elements of view 1", "(6):(1)"),
            // A pad of a slice: six elements and not nine, whether they are repeated or not.
            ("(3,3):(4,1)+1 [0:2,0:3] | (9)", "the 6 elements [0:6] of view 1", "(9):(1) [0:6]"),
            (
                "(3,3):(4,1)+1 [0:2,0:3] | (5,9):(0,1)",
                "the 6 elements [0:1,0:6] of view 1",
                "(5,9):(0,1) [0:5,0:6]",
            ),
            // Elements that are seen several times are copied before that.
            (
                "(3,3):(4,1)+1 [0:2,0:3] | (2,9):(-1,1)+1 [0:2,0:5]",
                "the 6 elements [0:2,0:3] of view 0",
                "(2,9):(-1,1)+1 [0:2,0:5]",
            ),
            // Padding beside the rows must be stored, padding before and after them need not.
            (
                "(4,5):(9,1) [1:3,1:4] | (20)",
                "the 8 elements [6:14] of view 1",
                "(20):(1)-6 [6:14]",
            ),
            (
                "(4,5):(9,1) [1:3,1:4] | (20) | (7,20):(0,1)",
                "the 8 elements [0:1,6:14] of view 2",
                "(7,20):(0,1)-6 [0:7,6:14]",
            ),
            // A repetition is stored once, if it can stay one.
            ("(9,3,2):(0,1,3) | (9,6)", "the 6 elements [0:1,0:3,0:2] of view 0", "(9,6):(0,1)"),
            ("(9,3,2):(0,1,3) | (54)", "the 54 elements of view 1", "(54):(1)"),
            // Padding that repeats is stored from the first to the last valid index.
            ("(3,4) [0:3,1:3] | (12)", "the 10 elements [1:11] of view 1", "(12):(1)-1 [1:11]"),
            ("(6):(1)-1 [1:5] | (4,3):(1,1)", "the 6 elements of view 0", "(4,3):(1,1)"),
        ];
        for (text, copied, rest) in rows {
            let chain: ViewChain = text.parse().expect(text);
            let plan = chain.cheapest_copy(&Limit::none()).expect("decides").expect("not one view");
            let found = (plan.to_string(), plan.rest.to_string());
            assert_eq!(found, (copied.to_string(), rest.to_string()), "{text}");
        }
    }

    #[test]
    fn many_padded_axes_are_not_tried_in_all_ways() {
        let size = "3,".repeat(30);
        let mask = "1:2,".repeat(29);
        let view: View = format!("({size}) [{mask}0:2]").parse().expect("reads");
        let layouts = Layout::all(&view, &view.valid_box().expect("some"));
        assert_eq!(layouts.len(), MOST_LAYOUTS);
    }
}
