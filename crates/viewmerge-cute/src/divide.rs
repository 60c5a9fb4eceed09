//! Division: a layout cut into tiles.
//!
//! `logical_divide(A, B)` = A ∘ (B, R), where R is the complement of B up to the size of A: mode 0 is a
//! tile, mode 1 enumerates the tiles. It exists exactly if B and its complement end at A's size and the
//! composition exists. CuTe rounds up instead, and returns a layout of another size, with values that A
//! does not have.
//!
//! With a tiler `<B0,B1,…>` every mode is divided by its own layout; modes without a layout stay as they
//! are.

use std::sync::atomic::AtomicU64;

use viewmerge::Limit;

use crate::answer::{Answer, NoLayout};
use crate::complement::complement_up_to;
use crate::compose::compose;
use crate::error::Error;
use crate::layout::{Layout, Mode};
use crate::tiler::Tiler;

/// A layout divided by one layout: the modes (tile, tiles).
fn divide(a: &Layout, b: &Layout, limit: &Limit<'_>) -> Result<Answer, Error> {
    let size = a.size();
    match complement_up_to(b, size)? {
        Err(none) => Ok(Answer::None(none)),
        Ok((_, end)) if end != i128::from(size) => {
            let (_, reach) = complement_up_to(b, 1)?.unwrap_or((Mode::UNIT, end));
            let reach = i64::try_from(reach).unwrap_or(i64::MAX);
            Ok(Answer::None(NoLayout::Remainder { reach, size }))
        }
        Ok((rest, _)) => compose(a, &Layout::beside([b.mode().clone(), rest])?, false, limit),
    }
}

/// The two modes that [`divide`] gives.
fn parts(layout: &Layout) -> [Mode; 2] {
    match layout.modes() {
        [tile, rest] => [tile.clone(), rest.clone()],
        _ => [layout.mode().clone(), Mode::UNIT],
    }
}

/// The tile and the rest of every divided mode, and the other modes.
type Divided = (Vec<[Mode; 2]>, Vec<Mode>);

/// Divides by mode: the tile and the rest of every mode for which the tiler has a layout, and the other
/// modes.
fn by_mode(
    op: &'static str,
    a: &Layout,
    tiler: &[Layout],
    limit: &Limit<'_>,
) -> Result<Result<Divided, Answer>, Error> {
    let modes = a.modes();
    if tiler.len() > modes.len() {
        return Err(Error::TilerRank { op, rank: modes.len(), found: tiler.len() });
    }
    let mut divided = Vec::new();
    let spent = AtomicU64::new(0);
    let limit = &limit.sharing(&spent);
    for (mode, tile) in modes.iter().zip(tiler) {
        match divide(&Layout::new(mode.clone())?, tile, limit)? {
            Answer::Layout(layout) => divided.push(parts(&layout)),
            none => return Ok(Err(none)),
        }
    }
    Ok(Ok((divided, modes[tiler.len()..].to_vec())))
}

/// The layout cut into tiles, (tile, tiles); with a tiler, in every mode.
///
/// # Errors
///
/// For a tiler with more layouts than the layout has modes, for negative strides of a tile, or if the limit
/// is reached first.
///
/// ```
/// use viewmerge_cute::{Limit, logical_divide};
///
/// let none = Limit::none();
/// let divided = logical_divide(&"(4,2,3):(2,1,8)".parse()?, &"4:2".parse()?, &none)?;
/// assert_eq!(divided.to_string(), "((2,2),(2,3)):((4,1),(2,8))");
/// let a = "(9,(4,8)):(59,(13,1))".parse()?;
/// let divided = logical_divide(&a, &"<3:3,(2,4):(1,8)>".parse()?, &none)?;
/// assert_eq!(divided.to_string(), "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))");
/// let divided = logical_divide(&"10:1".parse()?, &"4:1".parse()?, &none)?;
/// assert_eq!(
///     divided.to_string(),
///     "no layout: the tiler takes up 4, which does not divide the size 10",
/// );
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn logical_divide(a: &Layout, tiler: &Tiler, limit: &Limit<'_>) -> Result<Answer, Error> {
    match tiler {
        Tiler::Layout(b) => divide(a, b, limit),
        Tiler::ByMode(tiler) => Ok(match by_mode("logical_divide", a, tiler, limit)? {
            Err(none) => none,
            Ok((divided, others)) => {
                let divided = divided.into_iter().map(|parts| Mode::Node(parts.into()));
                Answer::Layout(Layout::beside(divided.chain(others))?)
            }
        }),
    }
}

/// The layout cut into tiles, the modes of the tiles together: ((tile of mode 0, …), (rest of mode 0, …)).
///
/// # Errors
///
/// As [`logical_divide`].
///
/// ```
/// use viewmerge_cute::{Limit, zipped_divide};
///
/// let a = "(9,(4,8)):(59,(13,1))".parse()?;
/// let divided = zipped_divide(&a, &"<3:3,(2,4):(1,8)>".parse()?, &Limit::none())?;
/// assert_eq!(divided.to_string(), "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))");
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn zipped_divide(a: &Layout, tiler: &Tiler, limit: &Limit<'_>) -> Result<Answer, Error> {
    match tiler {
        Tiler::Layout(b) => divide(a, b, limit),
        Tiler::ByMode(tiler) => Ok(match by_mode("zipped_divide", a, tiler, limit)? {
            Err(none) => none,
            Ok((divided, others)) => {
                let (tiles, rests): (Vec<_>, Vec<_>) =
                    divided.into_iter().map(|[tile, rest]| (tile, rest)).unzip();
                let rests = rests.into_iter().chain(others).collect();
                Answer::Layout(Layout::beside([Mode::Node(tiles), Mode::Node(rests)])?)
            }
        }),
    }
}

/// Like [`zipped_divide`], with each rest as a mode of its own: ((tile of mode 0, …), rest of mode 0, …).
///
/// # Errors
///
/// As [`logical_divide`].
///
/// ```
/// use viewmerge_cute::{Limit, tiled_divide};
///
/// let a = "(9,(4,8)):(59,(13,1))".parse()?;
/// let divided = tiled_divide(&a, &"<3:3,(2,4):(1,8)>".parse()?, &Limit::none())?;
/// assert_eq!(divided.to_string(), "((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))");
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn tiled_divide(a: &Layout, tiler: &Tiler, limit: &Limit<'_>) -> Result<Answer, Error> {
    zipped_divide(a, tiler, limit)?.try_map(tiled)
}

/// Like [`zipped_divide`], with all modes side by side: (tile of mode 0, …, rest of mode 0, …).
///
/// # Errors
///
/// As [`logical_divide`].
///
/// ```
/// use viewmerge_cute::{Limit, flat_divide};
///
/// let a = "(9,(4,8)):(59,(13,1))".parse()?;
/// let divided = flat_divide(&a, &"<3:3,(2,4):(1,8)>".parse()?, &Limit::none())?;
/// assert_eq!(divided.to_string(), "(3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))");
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn flat_divide(a: &Layout, tiler: &Tiler, limit: &Limit<'_>) -> Result<Answer, Error> {
    zipped_divide(a, tiler, limit)?.try_map(flattened)
}

/// One tile of a layout: where it starts, and its layout, or why there are no tiles.
///
/// # Errors
///
/// As [`logical_divide`], and for a tile that does not exist.
///
/// ```
/// use viewmerge_cute::{Limit, local_tile};
///
/// // Tile (1,2) of a 16 by 32 matrix in tiles of 8 by 8.
/// let (a, tiler) = ("(16,32):(32,1)".parse()?, "<8,8>".parse()?);
/// let (start, tile) = local_tile(&a, &tiler, &[1, 2], &Limit::none())?.expect("it is cut evenly");
/// assert_eq!((start, tile.to_string()), (8 * 32 + 16, "(8,8):(32,1)".to_owned()));
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn local_tile(
    a: &Layout,
    tiler: &Tiler,
    at: &[i64],
    limit: &Limit<'_>,
) -> Result<Result<(i64, Layout), NoLayout>, Error> {
    let zipped = match zipped_divide(a, tiler, limit)? {
        Answer::Layout(zipped) => zipped,
        Answer::None(none) => return Ok(Err(none)),
    };
    let [tile, rest] = parts(&zipped);
    let tiles = Layout::new(rest)?;
    let modes: Vec<Layout> =
        tiles.modes().iter().cloned().map(Layout::new).collect::<Result<_, _>>()?;
    if at.len() != modes.len() {
        let why = "takes one number for each mode to say which tile";
        return Err(Error::Operand { op: "local_tile", why });
    }
    let mut start = 0;
    for (mode, &number) in modes.iter().zip(at) {
        start += mode.at(number)?;
    }
    Ok(Ok((start, Layout::new(tile)?)))
}

/// Two modes; those inside the second one are put beside the first.
pub(crate) fn tiled(zipped: Layout) -> Result<Answer, Error> {
    let [tile, rest] = parts(&zipped);
    Ok(Answer::Layout(Layout::beside([tile].into_iter().chain(unpacked(rest)))?))
}

/// Two modes; those inside both are put side by side.
pub(crate) fn flattened(zipped: Layout) -> Result<Answer, Error> {
    let [tile, rest] = parts(&zipped);
    Ok(Answer::Layout(Layout::beside(unpacked(tile).into_iter().chain(unpacked(rest)))?))
}

fn unpacked(mode: Mode) -> Vec<Mode> {
    match mode {
        Mode::Node(modes) => modes,
        leaf => vec![leaf],
    }
}
