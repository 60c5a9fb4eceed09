//! Functions as tables.

use alloc::vec::Vec;

use super::{Spec, count, evaluate, indices};

/// A shape, and a memory position or padding for every index in row-major order.
///
/// ```
/// use viewmerge::reference::Table;
///
/// // The elements of (2,3) by columns.
/// let flat = Table::contiguous(&[2, 3]).and_then(|t| t.pull(vec![6], |i| vec![i[0] % 2, i[0] / 2]));
/// let flat = flat.unwrap();
/// assert_eq!(flat.cells(), [0, 3, 1, 4, 2, 5].map(Some));
/// assert_eq!(flat.single_view(), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Table {
    shape: Vec<i64>,
    cells: Vec<Option<i128>>,
}

/// The most cells a table has; nothing larger is walked.
///
/// ```
/// use viewmerge::reference::{MOST_CELLS, Table};
///
/// assert_eq!(Table::contiguous(&[MOST_CELLS as i64 + 1]), None);
/// ```
pub const MOST_CELLS: i128 = 1 << 24;

impl Table {
    /// 0, 1, 2, … under a shape; `None` for more than [`MOST_CELLS`].
    ///
    /// ```
    /// use viewmerge::reference::Table;
    ///
    /// assert_eq!(Table::contiguous(&[2]).unwrap().cells(), [Some(0), Some(1)]);
    /// ```
    pub fn contiguous(shape: &[i64]) -> Option<Table> {
        let count = small_count(shape)?;
        Some(Table { shape: shape.to_vec(), cells: (0..count).map(Some).collect() })
    }

    /// The function of a chain, memory side first; `None` if it has no value somewhere.
    ///
    /// ```
    /// use viewmerge::reference::{Spec, Table};
    ///
    /// let chain = ["(2,2):(1,2)", "(4)"].map(|v| Spec::from_parts(&v.parse().unwrap()));
    /// assert_eq!(Table::of_chain(&chain).unwrap().cells(), [0, 2, 1, 3].map(Some));
    /// ```
    #[must_use]
    pub fn of_chain(chain: &[Spec]) -> Option<Table> {
        let shape = &chain.last()?.shape;
        small_count(shape)?;
        let cells = indices(shape).map(|index| evaluate(chain, &index));
        Some(Table { shape: shape.clone(), cells: cells.collect::<Option<_>>()? })
    }

    /// The sizes of the axes.
    ///
    /// ```
    /// use viewmerge::reference::Table;
    ///
    /// assert_eq!(Table::contiguous(&[2, 0]).unwrap().shape(), [2, 0]);
    /// ```
    #[must_use]
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// The value at every index in row-major order, `None` for padding.
    ///
    /// ```
    /// use viewmerge::reference::Table;
    ///
    /// assert_eq!(Table::contiguous(&[]).unwrap().cells(), [Some(0)]);
    /// ```
    #[must_use]
    pub fn cells(&self) -> &[Option<i128>] {
        &self.cells
    }

    /// The value at an index; `None` for padding and outside the shape.
    ///
    /// ```
    /// use viewmerge::reference::Table;
    ///
    /// assert_eq!(Table::contiguous(&[2, 3]).unwrap().get(&[1, 1]), Some(4));
    /// ```
    #[must_use]
    pub fn get(&self, index: &[i64]) -> Option<i128> {
        let mut place = 0;
        for (&size, &i) in self.shape.iter().zip(index) {
            if i < 0 || i >= size {
                return None;
            }
            place = place * size + i;
        }
        self.cells.get(usize::try_from(place).ok()?).copied().flatten()
    }

    /// The table of `shape` whose value at an index is this table's value at `source(index)`: what a
    /// movement op gives, by definition. `None` for more than [`MOST_CELLS`].
    ///
    /// ```
    /// use viewmerge::reference::Table;
    ///
    /// let table = Table::contiguous(&[2, 2]).and_then(|t| t.pull(vec![2, 2], |i| vec![i[1], i[0]]));
    /// assert_eq!(table.unwrap().cells(), [0, 2, 1, 3].map(Some));
    /// ```
    pub fn pull(&self, shape: Vec<i64>, source: impl Fn(&[i64]) -> Vec<i64>) -> Option<Table> {
        small_count(&shape)?;
        let cells = indices(&shape).map(|index| self.get(&source(&index))).collect();
        Some(Table { shape, cells })
    }

    /// The criterion: the one view with this function, if there is one.
    ///
    /// The valid indices must be all of a box, and along every axis all steps
    /// between two of them must be equal.
    ///
    /// ```
    /// use viewmerge::reference::Table;
    ///
    /// let table = Table::contiguous(&[2, 3]).and_then(|t| t.pull(vec![3, 2], |i| vec![i[1], i[0]]));
    /// assert_eq!(table.unwrap().single_view().unwrap().strides, [1, 3]);
    /// ```
    #[must_use]
    pub fn single_view(&self) -> Option<Spec> {
        let rank = self.shape.len();
        let valid: Vec<Vec<i64>> =
            indices(&self.shape).filter(|index| self.get(index).is_some()).collect();
        let shape = self.shape.clone();
        let Some(corner) = valid.first() else {
            return Some(Spec { shape, strides: vec![0; rank], offset: 0, bounds: None });
        };
        let least = |axis: usize| valid.iter().map(|index| index[axis]).min();
        let most = |axis: usize| valid.iter().map(|index| index[axis]).max();
        let bounds: Vec<(i64, i64)> =
            (0..rank).map(|axis| Some((least(axis)?, most(axis)? + 1))).collect::<Option<_>>()?;
        let volume: i64 = bounds.iter().map(|(lo, hi)| hi - lo).product();
        if volume != valid.len() as i64 {
            return None;
        }
        // No other strides and no other offset give the positions at the corner and next to it.
        let at_corner = self.get(corner)?;
        let step = |axis: usize| {
            let mut next = corner.clone();
            next[axis] += 1;
            let is_last = next[axis] == bounds[axis].1;
            if is_last { Some(0) } else { i64::try_from(self.get(&next)? - at_corner).ok() }
        };
        let strides: Vec<i64> = (0..rank).map(step).collect::<Option<_>>()?;
        let travel = strides.iter().zip(corner).map(|(&s, &i)| i128::from(s) * i128::from(i));
        let offset = i64::try_from(at_corner - travel.sum::<i128>()).ok()?;
        let spec = Spec { shape, strides, offset, bounds: Some(bounds) };
        valid.iter().all(|index| spec.index(index) == self.get(index)).then_some(spec)
    }
}

/// The number of cells, if it is not too large and no size is negative.
fn small_count(shape: &[i64]) -> Option<i128> {
    let count = count(shape);
    (count <= MOST_CELLS && shape.iter().all(|&size| size >= 0)).then_some(count)
}
