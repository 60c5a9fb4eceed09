//! A layout: a tree of modes, each a size and a stride.
//!
//! Running example: `((2,2),3):((1,4),8)` has the flattened modes 2:1, 2:4 and 3:8. Position 7 has the
//! coordinates (1,1,1) there, and its value is 1 + 4 + 8 = 13.
//!
//! As a view, the flattened modes come in reverse, because the last axis of a view is the fastest. A
//! position of the layout is the row-major position of the view.

use viewmerge::{View, ViewChain};

use crate::error::Error;

/// How deeply a layout may be nested.
pub(crate) const MOST_DEPTH: usize = 64;

/// One mode of a layout: a size and a stride, or several modes side by side.
///
/// ```
/// use viewmerge_cute::{Layout, Mode};
///
/// let layout: Layout = "(2,(3,4)):(1,(2,6))".parse()?;
/// let Mode::Node(modes) = layout.mode() else { unreachable!() };
/// assert_eq!(modes[0], Mode::Leaf { size: 2, stride: 1 });
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Mode {
    /// `size:stride`.
    Leaf {
        /// The number of coordinates, 1 or more.
        size: i64,
        /// What each step along the mode adds.
        stride: i64,
    },
    /// Modes side by side, the first one fastest.
    Node(Vec<Mode>),
}

impl Mode {
    /// The unit mode, `1:0`.
    pub(crate) const UNIT: Mode = Mode::Leaf { size: 1, stride: 0 };

    pub(crate) fn leaf((size, stride): (i64, i64)) -> Mode {
        Mode::Leaf { size, stride: if size == 1 { 0 } else { stride } }
    }

    /// Modes side by side as one mode: the unit mode for an empty list, a leaf for a single one.
    pub(crate) fn of_leaves(leaves: impl IntoIterator<Item = (i64, i64)>) -> Mode {
        let mut modes: Vec<Mode> = leaves.into_iter().map(Mode::leaf).collect();
        match modes.len() {
            0 => Mode::UNIT,
            1 => modes.swap_remove(0),
            _ => Mode::Node(modes),
        }
    }

    fn push_leaves(&self, leaves: &mut Vec<(i64, i64)>) {
        match self {
            Mode::Leaf { size, stride } => leaves.push((*size, *stride)),
            Mode::Node(modes) => modes.iter().for_each(|mode| mode.push_leaves(leaves)),
        }
    }

    /// The leaves in order, fastest first.
    pub(crate) fn leaves(&self) -> Vec<(i64, i64)> {
        let mut leaves = Vec::with_capacity(4);
        self.push_leaves(&mut leaves);
        leaves
    }

    /// The same tree, each leaf replaced by what the function returns for it, in order.
    pub(crate) fn map(&self, replace: &mut impl FnMut(i64, i64) -> Mode) -> Mode {
        match self {
            Mode::Leaf { size, stride } => replace(*size, *stride),
            Mode::Node(modes) => Mode::Node(modes.iter().map(|mode| mode.map(replace)).collect()),
        }
    }

    fn depth(&self) -> usize {
        match self {
            Mode::Leaf { .. } => 0,
            Mode::Node(modes) => 1 + modes.iter().map(Mode::depth).max().unwrap_or(0),
        }
    }
}

/// A CuTe layout: a shape and strides, nested alike, the first mode fastest.
///
/// Its text is `shape:strides`; serde formats use that text. `==` compares the spelling,
/// [`equal`](crate::equal) the functions.
///
/// # Invariants
///
/// - **L1** Every size is at least 1; a mode of size 1 may have any stride.
/// - **L2** As a view it keeps within the bounds of [`View`]: at most 2^62 elements, within ±2^62.
/// - **L3** It is nested at most 64 levels deep.
///
/// ```
/// use viewmerge_cute::Layout;
///
/// let layout: Layout = "((2,2),3):((1,4),8)".parse()?;
/// assert_eq!(layout.size(), 12);
/// assert_eq!(layout.cosize(), 22);
/// assert_eq!(layout.at(7)?, 13);
/// // Without strides it is compact, the first mode fastest.
/// assert_eq!("(4,8)".parse::<Layout>()?.to_string(), "(4,8):(1,4)");
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Layout {
    mode: Mode,
}

impl Layout {
    /// A layout from its modes.
    ///
    /// # Errors
    ///
    /// For a size below 1, a layout nested too deeply, or one that exceeds the bounds of a view.
    ///
    /// ```
    /// use viewmerge_cute::{Layout, Mode};
    ///
    /// let row = Layout::new(Mode::Leaf { size: 4, stride: 2 })?;
    /// assert_eq!(row.to_string(), "4:2");
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn new(mode: Mode) -> Result<Layout, Error> {
        if mode.depth() > MOST_DEPTH {
            return Err(Error::Depth { most: MOST_DEPTH });
        }
        let leaves = mode.leaves();
        if let Some(place) = leaves.iter().position(|leaf| leaf.0 < 1) {
            return Err(Error::Size { mode: place, size: leaves[place].0 });
        }
        view_of(&leaves)?;
        Ok(Layout { mode })
    }

    /// A layout of leaves side by side, fastest first.
    ///
    /// # Errors
    ///
    /// As [`Layout::new`].
    ///
    /// ```
    /// use viewmerge_cute::Layout;
    ///
    /// assert_eq!(Layout::flat(&[(2, 1), (3, 4)])?.to_string(), "(2,3):(1,4)");
    /// assert_eq!(Layout::flat(&[(2, 1)])?.to_string(), "2:1");
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn flat(leaves: &[(i64, i64)]) -> Result<Layout, Error> {
        // Not `of_leaves`, which drops the strides of unit modes.
        let leaf = |&(size, stride): &(i64, i64)| Mode::Leaf { size, stride };
        Layout::new(match leaves {
            [] => Mode::UNIT,
            [one] => leaf(one),
            many => Mode::Node(many.iter().map(leaf).collect()),
        })
    }

    /// Layouts side by side, the first one fastest.
    pub(crate) fn beside(layouts: impl IntoIterator<Item = Mode>) -> Result<Layout, Error> {
        Layout::new(Mode::Node(layouts.into_iter().collect()))
    }

    /// The tree of modes.
    ///
    /// ```
    /// use viewmerge_cute::{Layout, Mode};
    ///
    /// assert_eq!("4:2".parse::<Layout>()?.mode(), &Mode::Leaf { size: 4, stride: 2 });
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn mode(&self) -> &Mode {
        &self.mode
    }

    /// The modes at the top level; a leaf is its own only mode.
    ///
    /// ```
    /// use viewmerge_cute::Layout;
    ///
    /// assert_eq!("((2,2),3):((1,4),8)".parse::<Layout>()?.modes().len(), 2);
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn modes(&self) -> &[Mode] {
        match &self.mode {
            Mode::Leaf { .. } => std::slice::from_ref(&self.mode),
            Mode::Node(modes) => modes,
        }
    }

    /// The flattened modes, `(size, stride)`, fastest first.
    ///
    /// ```
    /// use viewmerge_cute::Layout;
    ///
    /// let layout: Layout = "((2,2),3):((1,4),8)".parse()?;
    /// assert_eq!(layout.leaves(), [(2, 1), (2, 4), (3, 8)]);
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn leaves(&self) -> Vec<(i64, i64)> {
        self.mode.leaves()
    }

    /// The number of positions.
    ///
    /// ```
    /// assert_eq!("(4,8)".parse::<viewmerge_cute::Layout>()?.size(), 32);
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn size(&self) -> i64 {
        self.leaves().iter().map(|leaf| leaf.0).product()
    }

    /// One more than the largest value.
    ///
    /// ```
    /// assert_eq!("(2,4):(2,4)".parse::<viewmerge_cute::Layout>()?.cosize(), 15);
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn cosize(&self) -> i64 {
        let ends = self.leaves().into_iter().map(|(size, stride)| match size {
            1 => 0,
            _ => stride.max(0) * (size - 1),
        });
        1 + ends.sum::<i64>()
    }

    /// The value at a position.
    ///
    /// # Errors
    ///
    /// For a position outside `0..size`.
    ///
    /// ```
    /// assert_eq!("(2,4):(4,1)".parse::<viewmerge_cute::Layout>()?.at(3)?, 5);
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn at(&self, position: i64) -> Result<i64, Error> {
        let count = self.size();
        if position < 0 || position >= count {
            return Err(viewmerge::Error::PositionOutOfBounds { position, count }.into());
        }
        Ok(value_at(&self.leaves(), position))
    }

    /// The view that is this function of the row-major position: the flattened modes in reverse.
    ///
    /// ```
    /// let layout: viewmerge_cute::Layout = "((2,2),3):((1,4),8)".parse()?;
    /// assert_eq!(layout.view()?.to_string(), "(3,2,2):(8,4,1)");
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn view(&self) -> Result<View, Error> {
        view_of(&self.leaves())
    }

    /// The chain that computes A ∘ B: the view of B over the view of A.
    ///
    /// # Errors
    ///
    /// If B leaves the domain of A.
    ///
    /// ```
    /// use viewmerge_cute::Layout;
    ///
    /// let (a, b): (Layout, Layout) = ("(4,3):(3,1)".parse()?, "12:1".parse()?);
    /// assert_eq!(a.chain(&b)?.to_string(), "(3,4):(1,3) | (12):(1)");
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn chain(&self, b: &Layout) -> Result<ViewChain, Error> {
        Ok(ViewChain::from_views(&[self.view()?, b.view()?])?)
    }

    /// The flat layout that is the view's function of the row-major position.
    ///
    /// # Errors
    ///
    /// For a view with padding, with an offset, or without elements: these are not layouts.
    ///
    /// ```
    /// use viewmerge_cute::Layout;
    ///
    /// let layout = Layout::from_view(&"(3,4):(8,1)".parse()?)?;
    /// assert_eq!(layout.to_string(), "(4,3):(1,8)");
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn from_view(view: &View) -> Result<Layout, Error> {
        let refuse = |why| Err(Error::Operand { op: "a layout from a view", why });
        if view.is_empty() {
            return refuse("takes a view with elements");
        }
        if view.masked_axes().next().is_some() {
            return refuse("takes a view without padding");
        }
        if view.offset() != 0 {
            return refuse("takes a view with offset 0");
        }
        let axes = view.shape().iter().copied().zip(view.strides().iter().copied());
        Layout::flat(&axes.rev().collect::<Vec<_>>())
    }
}

/// The value of the flattened modes at a position within their size.
pub(crate) fn value_at(leaves: &[(i64, i64)], position: i64) -> i64 {
    let mut rest = position;
    let mut value = 0;
    for &(size, stride) in leaves {
        if size > 1 {
            value += rest % size * stride;
            rest /= size;
        }
    }
    value
}

/// The coordinates of a position in the flattened modes; a position beyond their size wraps around.
pub(crate) fn coordinates(leaves: &[(i64, i64)], position: i64) -> Vec<i64> {
    let mut rest = position;
    let digit = |&(size, _): &(i64, i64)| {
        let digit = rest % size;
        rest /= size;
        digit
    };
    leaves.iter().map(digit).collect()
}

/// The view of flattened modes.
pub(crate) fn view_of(leaves: &[(i64, i64)]) -> Result<View, Error> {
    let mut shape = [0; 8];
    let mut strides = [0; 8];
    if let (Some(shape), Some(strides)) =
        (shape.get_mut(..leaves.len()), strides.get_mut(..leaves.len()))
    {
        for (k, leaf) in leaves.iter().rev().enumerate() {
            (shape[k], strides[k]) = *leaf;
        }
        return Ok(View::strided(shape, strides, 0)?);
    }
    let (shape, strides): (Vec<i64>, Vec<i64>) = leaves.iter().rev().copied().unzip();
    Ok(View::strided(&shape, &strides, 0)?)
}
