//! Functions as tables, and movement ops by definition.

use alloc::vec;
use alloc::vec::Vec;

use super::{Spec, count, evaluate, indices};

/// A shape, and a memory position or padding for every index in row-major order.
///
/// An op gives `None` where its argument does not fit, so the tables also say
/// which arguments are good.
///
/// ```
/// use viewmerge::reference::Table;
///
/// let transposed = Table::contiguous(&[2, 3]).and_then(|table| table.permute(&[1, 0]));
/// let flat = transposed.and_then(|table| table.reshape(&[6])).unwrap();
/// assert_eq!(flat.cells(), [0, 3, 1, 4, 2, 5].map(Some));
/// assert_eq!(flat.single_view(), None);
/// assert_eq!(flat.reshape(&[4]), None);
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

    /// The table of `shape` whose value at an index is this table's value at `source(index)`.
    fn pull(&self, shape: Vec<i64>, source: impl Fn(&[i64]) -> Vec<i64>) -> Option<Table> {
        small_count(&shape)?;
        let cells = indices(&shape).map(|index| self.get(&source(&index))).collect();
        Some(Table { shape, cells })
    }

    /// The same cells in the same order under another shape of as many.
    ///
    /// ```
    /// use viewmerge::reference::Table;
    ///
    /// let table = Table::contiguous(&[2, 2]).and_then(|t| t.reshape(&[4])).unwrap();
    /// assert_eq!(table.cells(), [Some(0), Some(1), Some(2), Some(3)]);
    /// ```
    #[must_use]
    pub fn reshape(&self, shape: &[i64]) -> Option<Table> {
        let fits = small_count(shape)? == self.cells.len() as i128;
        fits.then(|| Table { shape: shape.to_vec(), cells: self.cells.clone() })
    }

    /// New axis k is old axis `axes[k]`; every axis is named once.
    ///
    /// ```
    /// use viewmerge::reference::Table;
    ///
    /// let table = Table::contiguous(&[2, 2]).and_then(|t| t.permute(&[1, 0])).unwrap();
    /// assert_eq!(table.cells(), [Some(0), Some(2), Some(1), Some(3)]);
    /// ```
    #[must_use]
    pub fn permute(&self, axes: &[usize]) -> Option<Table> {
        let mut sorted = axes.to_vec();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(0..self.shape.len()) {
            return None;
        }
        self.pull(axes.iter().map(|&axis| self.shape[axis]).collect(), |index| {
            let mut old = vec![0; axes.len()];
            for (k, &axis) in axes.iter().enumerate() {
                old[axis] = index[k];
            }
            old
        })
    }

    /// Axes of size 1 repeated; `shape` is aligned at the last axis.
    ///
    /// ```
    /// use viewmerge::reference::Table;
    ///
    /// let table = Table::contiguous(&[2, 1]).and_then(|t| t.expand(&[2, 2])).unwrap();
    /// assert_eq!(table.cells(), [0, 0, 1, 1].map(Some));
    /// ```
    #[must_use]
    pub fn expand(&self, shape: &[i64]) -> Option<Table> {
        let fresh = shape.len().checked_sub(self.shape.len())?;
        let kept = self.shape.iter().zip(&shape[fresh..]);
        if kept.clone().any(|(&old, &new)| old != new && old != 1) {
            return None;
        }
        self.pull(shape.to_vec(), |index| {
            let kept = index[fresh..].iter().zip(&self.shape);
            kept.map(|(&i, &size)| if size == 1 { 0 } else { i }).collect()
        })
    }

    /// (before, after) cells of padding on every axis.
    ///
    /// ```
    /// use viewmerge::reference::Table;
    ///
    /// let table = Table::contiguous(&[2]).and_then(|t| t.pad(&[(1, 0)])).unwrap();
    /// assert_eq!(table.cells(), [None, Some(0), Some(1)]);
    /// ```
    #[must_use]
    pub fn pad(&self, amounts: &[(i64, i64)]) -> Option<Table> {
        let negative = amounts.iter().any(|&(before, after)| before < 0 || after < 0);
        if negative || amounts.len() != self.shape.len() {
            return None;
        }
        let padded = self.shape.iter().zip(amounts);
        let shape = padded.map(|(&size, &(b, a))| size.checked_add(b)?.checked_add(a));
        self.pull(shape.collect::<Option<_>>()?, |index| {
            index.iter().zip(amounts).map(|(i, (before, _))| i - before).collect()
        })
    }

    /// Only `lo..hi` of every axis.
    ///
    /// ```
    /// use viewmerge::reference::Table;
    ///
    /// let table = Table::contiguous(&[2, 2]).and_then(|t| t.shrink(&[(1, 2), (0, 2)])).unwrap();
    /// assert_eq!(table.cells(), [Some(2), Some(3)]);
    /// ```
    #[must_use]
    pub fn shrink(&self, bounds: &[(i64, i64)]) -> Option<Table> {
        let fits = |(&(lo, hi), &size): (&(i64, i64), &i64)| 0 <= lo && lo <= hi && hi <= size;
        if bounds.len() != self.shape.len() || !bounds.iter().zip(&self.shape).all(fits) {
            return None;
        }
        self.pull(bounds.iter().map(|(lo, hi)| hi - lo).collect(), |index| {
            index.iter().zip(bounds).map(|(i, (lo, _))| i + lo).collect()
        })
    }

    /// The named axes reversed, each named once.
    ///
    /// ```
    /// use viewmerge::reference::Table;
    ///
    /// let table = Table::contiguous(&[2, 2]).and_then(|t| t.flip(&[0])).unwrap();
    /// assert_eq!(table.cells(), [Some(2), Some(3), Some(0), Some(1)]);
    /// ```
    #[must_use]
    pub fn flip(&self, axes: &[usize]) -> Option<Table> {
        let repeated = axes.iter().enumerate().any(|(k, axis)| axes[..k].contains(axis));
        if repeated || axes.iter().any(|&axis| axis >= self.shape.len()) {
            return None;
        }
        self.pull(self.shape.clone(), |index| {
            let mut old = index.to_vec();
            for &axis in axes {
                old[axis] = self.shape[axis] - 1 - old[axis];
            }
            old
        })
    }

    /// Every step-th index; a negative step starts at the last one.
    ///
    /// ```
    /// use viewmerge::reference::Table;
    ///
    /// let table = Table::contiguous(&[2, 2]).and_then(|t| t.step(&[1, -2])).unwrap();
    /// assert_eq!(table.cells(), [Some(1), Some(3)]);
    /// ```
    #[must_use]
    pub fn step(&self, steps: &[i64]) -> Option<Table> {
        if steps.contains(&0) || steps.len() != self.shape.len() {
            return None;
        }
        let kept = |(&size, &step): (&i64, &i64)| {
            (1..=size).filter(|i| (i - 1).unsigned_abs() % step.unsigned_abs() == 0).count() as i64
        };
        let shape = self.shape.iter().zip(steps).map(kept).collect();
        self.pull(shape, |index| {
            let old = |(axis, &k): (usize, &i64)| match index[axis] {
                // The step may be larger than any product with it can be.
                0 if k > 0 => 0,
                0 => self.shape[axis] - 1,
                i if k > 0 => i * k,
                i => self.shape[axis] - 1 + i * k,
            };
            steps.iter().enumerate().map(old).collect()
        })
    }

    /// Some indices of each axis, in the order given.
    ///
    /// ```
    /// use viewmerge::reference::Table;
    ///
    /// let table = Table::contiguous(&[2, 3]).and_then(|t| t.pick(&[vec![1], vec![2, 0]])).unwrap();
    /// assert_eq!(table.cells(), [Some(5), Some(3)]);
    /// ```
    #[must_use]
    pub fn pick(&self, kept: &[Vec<i64>]) -> Option<Table> {
        let inside = |(kept, &size): (&Vec<i64>, &i64)| kept.iter().all(|i| (0..size).contains(i));
        if kept.len() != self.shape.len() || !kept.iter().zip(&self.shape).all(inside) {
            return None;
        }
        let shape = kept.iter().map(|kept| kept.len() as i64).collect();
        self.pull(shape, |index| {
            index.iter().zip(kept).map(|(&i, kept)| kept[i as usize]).collect()
        })
    }

    /// The cell at each index is number `offset + Σ stride·index` of the cells in order.
    ///
    /// ```
    /// use viewmerge::reference::Table;
    ///
    /// let table = Table::contiguous(&[2, 2]).and_then(|t| t.as_strided(&[2], &[-2], 3)).unwrap();
    /// assert_eq!(table.cells(), [Some(3), Some(1)]);
    /// ```
    #[must_use]
    pub fn as_strided(&self, shape: &[i64], strides: &[i64], offset: i64) -> Option<Table> {
        if strides.len() != shape.len() {
            return None;
        }
        small_count(shape)?;
        let place = |index: Vec<i64>| {
            let terms = index.iter().zip(strides).map(|(&i, &s)| i128::from(i) * i128::from(s));
            usize::try_from(i128::from(offset) + terms.sum::<i128>()).ok()
        };
        let cells = indices(shape).map(|index| self.cells.get(place(index)?).copied());
        Some(Table { shape: shape.to_vec(), cells: cells.collect::<Option<_>>()? })
    }

    /// The criterion: the one view with this function, if there is one.
    ///
    /// The valid indices must be all of a box, and along every axis all steps
    /// between two of them must be equal.
    ///
    /// ```
    /// use viewmerge::reference::Table;
    ///
    /// let table = Table::contiguous(&[2, 3]).and_then(|t| t.permute(&[1, 0])).unwrap();
    /// assert_eq!(table.single_view().unwrap().strides, [1, 3]);
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
        let mut strides = vec![0; rank];
        for (axis, stride) in strides.iter_mut().enumerate() {
            let mut step = None;
            for index in &valid {
                if index[axis] + 1 < bounds[axis].1 {
                    let mut next = index.clone();
                    next[axis] += 1;
                    let found = self.get(&next)? - self.get(index)?;
                    if *step.get_or_insert(found) != found {
                        return None;
                    }
                }
            }
            *stride = i64::try_from(step.unwrap_or(0)).ok()?;
        }
        let mut offset = self.get(corner)?;
        for axis in 0..rank {
            offset -= i128::from(strides[axis]) * i128::from(corner[axis]);
        }
        let offset = i64::try_from(offset).ok()?;
        Some(Spec { shape, strides, offset, bounds: Some(bounds) })
    }

    /// For every axis the one step along it; `None` if steps differ or validity depends on the axis.
    ///
    /// ```
    /// use viewmerge::reference::Table;
    ///
    /// let table = Table::contiguous(&[2, 3]).and_then(|t| t.pad(&[(0, 0), (1, 0)])).unwrap();
    /// assert_eq!(table.real_strides(), [Some(3), None]);
    /// ```
    #[must_use]
    pub fn real_strides(&self) -> Vec<Option<i128>> {
        let along = |axis: usize| {
            let mut step = None;
            for index in indices(&self.shape) {
                let mut next = index.clone();
                next[axis] += 1;
                if next[axis] == self.shape[axis] {
                    continue;
                }
                match (self.get(&index), self.get(&next)) {
                    (None, None) => {}
                    (Some(from), Some(to)) if *step.get_or_insert(to - from) == to - from => {}
                    _ => return None,
                }
            }
            Some(step.unwrap_or(0))
        };
        (0..self.shape.len()).map(along).collect()
    }

    /// One more than the largest position, 0 if there is none.
    ///
    /// ```
    /// use viewmerge::reference::Table;
    ///
    /// assert_eq!(Table::contiguous(&[2, 3]).unwrap().real_size(), 6);
    /// ```
    #[must_use]
    pub fn real_size(&self) -> i128 {
        self.cells.iter().flatten().map(|position| position + 1).max().unwrap_or(0).max(0)
    }
}

/// The number of cells, if it is not too large and no size is negative.
fn small_count(shape: &[i64]) -> Option<i128> {
    let count = count(shape);
    (count <= MOST_CELLS && shape.iter().all(|&size| size >= 0)).then_some(count)
}
