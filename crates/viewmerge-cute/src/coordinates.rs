//! Layouts whose values are coordinates: `(4,8):(1@0,1@1)`.
//!
//! A stride `k@i` adds k to coordinate i, and `k@j@i` adds k to entry j of coordinate i, which
//! is a tuple then. So `(4,8):(1@0,1@1)` takes (i,j) to (i,j), and `(4,8):(1@1,1@0)` to (j,i): that
//! is what CuTe's identity tensors and the tensors of its bulk copies are. A stride may
//! name several coordinates, `1@0+2@1`, and an origin may stand before: `(2,0) o (4,8):(1@0,1@1)`.
//!
//! Coordinate by coordinate such a layout is an ordinary one: `(4,8):(1,0)` and `(4,8):(0,1)` here. So every
//! question is asked of ordinary layouts, and their answers are put together (`algebra.rs`).
//!
//! Cost: that of the ordinary layouts, one for every coordinate. Bounds: at most 16 entries of a
//! tuple, nested at most 4 deep; each coordinate keeps to the bounds of a [`Layout`].

mod algebra;
mod compare;
mod notation;

use crate::error::Error;
use crate::layout::{Layout, Mode, value_at};

/// The most entries of a tuple.
const MOST_ENTRIES: usize = 16;
/// The deepest tuple.
const MOST_NESTED: usize = 4;

/// What the errors call such a layout.
pub(crate) const NAME: &str = "a layout of coordinates";

/// A coordinate: the entries that lead to it, the outermost first.
type Path = Vec<usize>;

/// `@1@0`, as strides name it.
pub(crate) fn name(path: &[usize]) -> String {
    path.iter().rev().map(|entry| format!("@{entry}")).collect()
}

/// A layout whose values are coordinates.
///
/// As text it is `shape:strides` with strides `k@i`; the tuples are as long as the strides and the
/// origin name entries, and count as followed by zeros.
///
/// # Invariants
///
/// - **C1** There is an ordinary layout for every coordinate, all of one shape.
/// - **C2** The coordinates are in order, without gaps, and none is a number and a tuple.
/// - **C3** No value plus the origin leaves the range of 64 bits.
///
/// ```
/// use viewmerge_cute::CoordinateLayout;
///
/// let turned: CoordinateLayout = "(4,8):(1@1,1@0)".parse()?;
/// assert_eq!(turned.at(6)?, [1, 2]);
/// let tile: CoordinateLayout = "ArithTuple(0,_4) o (_4,_8):(_1@0,_1@1)".parse()?;
/// assert_eq!(tile.to_string(), "(0,4) o (4,8):(1@0,1@1)");
/// assert_eq!(tile.at(6)?, [2, 5]);
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CoordinateLayout {
    pub(crate) paths: Vec<Path>,
    pub(crate) parts: Vec<Layout>,
    pub(crate) origin: Vec<i64>,
}

impl CoordinateLayout {
    /// A layout from its coordinates; the parts have one shape (C1), the paths are sorted (C2).
    fn new(
        paths: Vec<Path>,
        parts: Vec<Layout>,
        origin: Vec<i64>,
    ) -> Result<CoordinateLayout, Error> {
        for (part, start) in parts.iter().zip(&origin) {
            let (least, most) = part.view()?.position_range().unwrap_or((0, 0));
            if start.checked_add(least).is_none() || start.checked_add(most).is_none() {
                let why = "takes an origin with which every coordinate is a number of 64 bits";
                return Err(Error::Operand { op: NAME, why });
            }
        }
        Ok(CoordinateLayout { paths, parts, origin })
    }

    /// Coordinate i of every position is its coordinate in the mode i of a layout's shape: the identity.
    ///
    /// ```
    /// use viewmerge_cute::CoordinateLayout;
    ///
    /// let identity = CoordinateLayout::identity(&"((2,2),3)".parse()?)?;
    /// assert_eq!(identity.to_string(), "((2,2),3):((1@0@0,1@1@0),1@1)");
    /// assert_eq!(identity.written(&identity.at(11)?), "((1,1),2)");
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// For a shape of more than 16 modes side by side, or nested more than 4 deep.
    pub fn identity(shape: &Layout) -> Result<CoordinateLayout, Error> {
        notation::identity(shape.mode())
    }

    /// The ordinary layout that is one coordinate, without the origin; they are counted as
    /// [`at`](CoordinateLayout::at) has them.
    ///
    /// ```
    /// use viewmerge_cute::CoordinateLayout;
    ///
    /// let layout: CoordinateLayout = "(4,8):(1@0,2@1)".parse()?;
    /// assert_eq!(layout.part(1).map(ToString::to_string).as_deref(), Some("(4,8):(0,2)"));
    /// assert_eq!(layout.part(2), None);
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn part(&self, coordinate: usize) -> Option<&Layout> {
        self.parts.get(coordinate)
    }

    /// The number of positions.
    ///
    /// ```
    /// let layout: viewmerge_cute::CoordinateLayout = "(4,8):(1@0,1@1)".parse()?;
    /// assert_eq!(layout.size(), 32);
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn size(&self) -> i64 {
        self.parts.first().map_or(1, Layout::size)
    }

    /// The modes at the top, of any of the parts: their shapes are the same.
    ///
    /// ```
    /// let layout: viewmerge_cute::CoordinateLayout = "((2,2),8):((1@0,2@0),1@1)".parse()?;
    /// assert_eq!(layout.modes().len(), 2);
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn modes(&self) -> &[Mode] {
        self.parts.first().map_or(&[], Layout::modes)
    }

    /// The coordinates at a position, nested ones one after the other.
    ///
    /// # Errors
    ///
    /// For a position outside `0..size`.
    ///
    /// ```
    /// let layout: viewmerge_cute::CoordinateLayout = "(4,8):(1@0,1@1)".parse()?;
    /// assert_eq!(layout.at(5)?, [1, 1]);
    /// assert!(layout.at(32).is_err());
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn at(&self, position: i64) -> Result<Vec<i64>, Error> {
        let count = self.size();
        if position < 0 || position >= count {
            return Err(viewmerge::Error::PositionOutOfBounds { position, count }.into());
        }
        let parts = self.parts.iter().zip(&self.origin);
        Ok(parts.map(|(part, start)| start + value_at(&part.leaves(), position)).collect())
    }
}
