//! Layouts whose values are coordinates: `(4,8):(1@0,1@1)`.
//!
//! A stride `k@i` adds k to coordinate i, and `k@j@i` adds k to entry j of coordinate i, which is then a
//! tuple. So `(4,8):(1@0,1@1)` takes (i,j) to (i,j), and `(4,8):(1@1,1@0)` takes it to (j,i). CuTe's
//! identity tensors and the tensors of its bulk copies are such layouts. A stride may name several
//! coordinates, `1@0+2@1`, and an origin may precede the layout: `(2,0) o (4,8):(1@0,1@1)`.
//!
//! Each coordinate by itself is an ordinary layout, here `(4,8):(1,0)` and `(4,8):(0,1)`. So every question
//! reduces to ordinary layouts, whose answers are combined (`algebra.rs`).
//!
//! Cost: that of one ordinary layout for each coordinate. Bounds: a tuple has at most 16 entries and is
//! nested at most 4 deep; each coordinate keeps within the bounds of a [`Layout`].

mod algebra;
mod compare;
mod notation;

use crate::error::Error;
use crate::layout::{Layout, Mode, value_at};

/// The most entries of a tuple.
const MOST_ENTRIES: usize = 16;
/// How deeply a tuple may be nested.
const MOST_NESTED: usize = 4;

/// The name of such a layout in error messages.
pub(crate) const NAME: &str = "a layout of coordinates";

/// A coordinate: the entries that lead to it, outermost first.
type Path = Vec<usize>;

/// A coordinate as strides name it: `@1@0`.
pub(crate) fn name(path: &[usize]) -> String {
    path.iter().rev().map(|entry| format!("@{entry}")).collect()
}

/// A layout whose values are coordinates.
///
/// Its text is `shape:strides` with strides `k@i`. The tuples are as long as the strides and the origin
/// require; missing entries are 0.
///
/// # Invariants
///
/// - **C1** It has an ordinary layout for every coordinate, all of one shape.
/// - **C2** The coordinates are in order, without gaps, and none is both a number and a tuple.
/// - **C3** No value plus the origin exceeds 64 bits.
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
    /// A layout from its coordinates. The parts must have one shape (C1), the paths must be sorted (C2).
    fn new(
        paths: Vec<Path>,
        parts: Vec<Layout>,
        origin: Vec<i64>,
    ) -> Result<CoordinateLayout, Error> {
        for (part, start) in parts.iter().zip(&origin) {
            let (least, most) = part.view()?.position_range().unwrap_or((0, 0));
            if start.checked_add(least).is_none() || start.checked_add(most).is_none() {
                let why = "takes an origin that keeps every coordinate within 64 bits";
                return Err(Error::Operand { op: NAME, why });
            }
        }
        Ok(CoordinateLayout { paths, parts, origin })
    }

    /// The identity: coordinate i of every position is its coordinate in mode i of the layout's shape.
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

    /// The ordinary layout of one coordinate, without the origin. Coordinates are numbered as in
    /// [`at`](CoordinateLayout::at).
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

    /// The sizes of the leaves; all parts have the same shape.
    pub(crate) fn leaf_sizes(&self) -> impl Iterator<Item = i64> {
        let leaves = self.parts.first().map_or_else(Vec::new, Layout::leaves);
        leaves.into_iter().map(|(size, _)| size)
    }

    /// The modes at the top level of any part; all parts have the same shape.
    ///
    /// ```
    /// let layout: viewmerge_cute::CoordinateLayout = "((2,2),8):((1@0,2@0),1@1)".parse()?;
    /// assert_eq!(layout.modes().len(), 2);
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn modes(&self) -> &[Mode] {
        self.parts.first().map_or(&[], Layout::modes)
    }

    /// The coordinates at a position; nested ones are flattened.
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
