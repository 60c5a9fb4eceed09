//! Products: one layout repeated at the places of another.
//!
//! `logical_product(A, B)` = (A, R ∘ B), where R is the complement of A up to size(A)·cosize(B): mode 0 is
//! a tile like A, mode 1 has the places of its copies. The blocked and the raked product distribute the
//! same over the modes of A and B, block by block or interleaved.

use viewmerge::Limit;

use crate::answer::Answer;
use crate::complement::complement_up_to;
use crate::compose::compose;
use crate::divide::{flattened, tiled};
use crate::error::Error;
use crate::layout::{Layout, Mode};

/// A, and its copies as B orders them: the modes (A, copies).
///
/// # Errors
///
/// For negative strides, for numbers that do not fit, or if the limit is reached first.
///
/// ```
/// use viewmerge_cute::{Limit, logical_product};
///
/// let product = logical_product(&"(2,2):(4,1)".parse()?, &"6:1".parse()?, &Limit::none())?;
/// assert_eq!(product.to_string(), "((2,2),(2,3)):((4,1),(2,8))");
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn logical_product(a: &Layout, b: &Layout, limit: &Limit<'_>) -> Result<Answer, Error> {
    let wide = i128::from(a.size()) * i128::from(b.cosize());
    let size = i64::try_from(wide).map_err(|_| viewmerge::Error::OffsetRange { offset: wide })?;
    let rest = match complement_up_to(a, size)? {
        Ok((rest, _)) => Layout::new(rest)?,
        Err(none) => return Ok(Answer::None(none)),
    };
    compose(&rest, b, false, limit)?.try_map(|copies| {
        Ok(Answer::Layout(Layout::beside([a.mode().clone(), copies.mode().clone()])?))
    })
}

/// The modes of a layout, padded with unit modes to a rank.
fn padded(layout: &Layout, rank: usize) -> Result<Layout, Error> {
    let modes = layout.modes().iter().cloned();
    Layout::beside(modes.chain(std::iter::repeat_n(Mode::UNIT, rank)).take(rank))
}

/// The logical product with the modes of A and B paired.
fn paired(
    a: &Layout,
    b: &Layout,
    limit: &Limit<'_>,
    pair: fn(Mode, Mode) -> [Mode; 2],
) -> Result<Answer, Error> {
    let rank = a.modes().len().max(b.modes().len());
    let product = logical_product(&padded(a, rank)?, &padded(b, rank)?, limit)?;
    product.try_map(|product| {
        let both = product.modes();
        let modes = |number: usize| match both.get(number) {
            Some(Mode::Node(modes)) => modes.clone(),
            Some(leaf) => vec![leaf.clone()],
            None => Vec::new(),
        };
        let pairs = modes(0).into_iter().zip(modes(1));
        Ok(Answer::Layout(Layout::beside(pairs.map(|(a, b)| Mode::Node(pair(a, b).into())))?))
    })
}

/// Copies of A side by side as the modes of B say, each copy in one piece: ((A0,B0), (A1,B1), …).
///
/// # Errors
///
/// As [`logical_product`].
///
/// ```
/// use viewmerge_cute::{Limit, blocked_product};
///
/// let product = blocked_product(&"(2,5):(5,1)".parse()?, &"(3,4):(1,3)".parse()?, &Limit::none())?;
/// assert_eq!(product.to_string(), "((2,3),(5,4)):((5,10),(1,30))");
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn blocked_product(a: &Layout, b: &Layout, limit: &Limit<'_>) -> Result<Answer, Error> {
    paired(a, b, limit, |a, b| [a, b])
}

/// Copies of A interleaved as the modes of B say: ((B0,A0), (B1,A1), …).
///
/// # Errors
///
/// As [`logical_product`].
///
/// ```
/// use viewmerge_cute::{Limit, raked_product};
///
/// let product = raked_product(&"(2,5):(5,1)".parse()?, &"(3,4):(1,3)".parse()?, &Limit::none())?;
/// assert_eq!(product.to_string(), "((3,2),(4,5)):((10,5),(30,1))");
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn raked_product(a: &Layout, b: &Layout, limit: &Limit<'_>) -> Result<Answer, Error> {
    paired(a, b, limit, |a, b| [b, a])
}

/// A, and the modes of its copies beside it: (A, B0, B1, …).
///
/// # Errors
///
/// As [`logical_product`].
///
/// ```
/// use viewmerge_cute::{Limit, tiled_product};
///
/// let product = tiled_product(&"(2,5):(5,1)".parse()?, &"(3,4):(1,3)".parse()?, &Limit::none())?;
/// assert_eq!(product.to_string(), "((2,5),3,4):((5,1),10,30)");
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn tiled_product(a: &Layout, b: &Layout, limit: &Limit<'_>) -> Result<Answer, Error> {
    logical_product(a, b, limit)?.try_map(tiled)
}

/// The modes of A and of its copies side by side: (A0, A1, …, B0, B1, …).
///
/// # Errors
///
/// As [`logical_product`].
///
/// ```
/// use viewmerge_cute::{Limit, flat_product};
///
/// let product = flat_product(&"(2,5):(5,1)".parse()?, &"(3,4):(1,3)".parse()?, &Limit::none())?;
/// assert_eq!(product.to_string(), "(2,5,3,4):(5,1,10,30)");
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn flat_product(a: &Layout, b: &Layout, limit: &Limit<'_>) -> Result<Answer, Error> {
    logical_product(a, b, limit)?.try_map(flattened)
}
