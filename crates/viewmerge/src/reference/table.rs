//! Functions as tables, and movement ops by definition.

use super::{Spec, evaluate, indices};

/// A shape, and a memory position or padding for every index in row-major order.
///
/// Ops take good arguments only: this is what they mean, not a check of them.
///
/// ```
/// use viewmerge::reference::Table;
///
/// let table = Table::contiguous(&[2, 3]).permute(&[1, 0]).reshape(&[6]);
/// assert_eq!(table.cells, [0, 3, 1, 4, 2, 5].map(Some));
/// assert_eq!(table.single_view(), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Sizes of the axes.
    pub shape: Vec<i64>,
    /// The value at every index.
    pub cells: Vec<Option<i128>>,
}

impl Table {
    /// 0, 1, 2, … under a shape.
    pub fn contiguous(shape: &[i64]) -> Table {
        let count: i64 = shape.iter().product();
        Table { shape: shape.to_vec(), cells: (0..count).map(|n| Some(n.into())).collect() }
    }

    /// The function of a chain, memory side first.
    ///
    /// # Panics
    ///
    /// If there is no view, or the views do not compose.
    pub fn of_chain(chain: &[Spec]) -> Table {
        let shape = &chain.last().expect("a chain has views").shape;
        let cells = indices(shape).iter().map(|index| evaluate(chain, index)).collect();
        Table { shape: shape.clone(), cells }
    }

    /// The value at an index of the shape.
    pub fn get(&self, index: &[i64]) -> Option<i128> {
        let mut place = 0;
        for (axis, &i) in index.iter().enumerate() {
            place = place * self.shape[axis] + i;
        }
        self.cells[place as usize]
    }

    /// The table of `shape` whose value at an index is this table's value at `source(index)`.
    fn pull(&self, shape: Vec<i64>, source: impl Fn(&[i64]) -> Option<Vec<i64>>) -> Table {
        let cells = indices(&shape).iter().map(|index| self.get(&source(index)?)).collect();
        Table { shape, cells }
    }

    /// The same cells in the same order under another shape.
    pub fn reshape(&self, shape: &[i64]) -> Table {
        Table { shape: shape.to_vec(), cells: self.cells.clone() }
    }

    /// New axis k is old axis `axes[k]`.
    pub fn permute(&self, axes: &[usize]) -> Table {
        let shape = axes.iter().map(|&axis| self.shape[axis]).collect();
        self.pull(shape, |index| {
            let mut old = vec![0; axes.len()];
            for (k, &axis) in axes.iter().enumerate() {
                old[axis] = index[k];
            }
            Some(old)
        })
    }

    /// Axes of size 1 repeated; `shape` is aligned at the last axis.
    pub fn expand(&self, shape: &[i64]) -> Table {
        let fresh = shape.len() - self.shape.len();
        self.pull(shape.to_vec(), |index| {
            let kept = index[fresh..].iter().zip(&self.shape);
            Some(kept.map(|(&i, &size)| if size == 1 { 0 } else { i }).collect())
        })
    }

    /// (before, after) cells of padding on every axis.
    pub fn pad(&self, amounts: &[(i64, i64)]) -> Table {
        let shape = self.shape.iter().zip(amounts).map(|(size, (b, a))| size + b + a).collect();
        self.pull(shape, |index| {
            let old: Vec<i64> =
                index.iter().zip(amounts).map(|(i, (before, _))| i - before).collect();
            let inside = old.iter().zip(&self.shape).all(|(i, size)| 0 <= *i && i < size);
            inside.then_some(old)
        })
    }

    /// Only `lo..hi` of every axis.
    pub fn shrink(&self, bounds: &[(i64, i64)]) -> Table {
        let shape = bounds.iter().map(|(lo, hi)| hi - lo).collect();
        self.pull(shape, |index| {
            Some(index.iter().zip(bounds).map(|(i, (lo, _))| i + lo).collect())
        })
    }

    /// The named axes reversed.
    pub fn flip(&self, axes: &[usize]) -> Table {
        self.pull(self.shape.clone(), |index| {
            let mut old = index.to_vec();
            for &axis in axes {
                old[axis] = self.shape[axis] - 1 - old[axis];
            }
            Some(old)
        })
    }

    /// Every step-th index; a negative step starts at the last one.
    pub fn step(&self, steps: &[i64]) -> Table {
        let shape = self
            .shape
            .iter()
            .zip(steps)
            .map(|(&size, &k)| (size + k.abs() - 1) / k.abs())
            .collect();
        self.pull(shape, |index| {
            let old = |(axis, &k): (usize, &i64)| {
                let first = if k > 0 { 0 } else { self.shape[axis] - 1 };
                first + k * index[axis]
            };
            Some(steps.iter().enumerate().map(old).collect())
        })
    }

    /// The criterion: the one view with this function, if there is one.
    ///
    /// The valid indices must be all of a box, and along every axis all steps
    /// between two of them must be equal.
    pub fn single_view(&self) -> Option<Spec> {
        let all = indices(&self.shape);
        let rank = self.shape.len();
        let valid: Vec<&Vec<i64>> = all.iter().filter(|index| self.get(index).is_some()).collect();
        let Some(&corner) = valid.first() else {
            return Some(Spec {
                shape: self.shape.clone(),
                strides: vec![0; rank],
                offset: 0,
                bounds: None,
            });
        };
        let least = |axis: usize| valid.iter().map(|index| index[axis]).min();
        let most = |axis: usize| valid.iter().map(|index| index[axis]).max();
        let bounds: Option<Vec<(i64, i64)>> =
            (0..rank).map(|axis| Some((least(axis)?, most(axis)? + 1))).collect();
        let bounds = bounds?;
        let volume: i64 = bounds.iter().map(|(lo, hi)| hi - lo).product();
        if volume != valid.len() as i64 {
            return None;
        }
        let mut strides = vec![0; rank];
        for (axis, stride) in strides.iter_mut().enumerate() {
            let mut step = None;
            for index in &valid {
                if index[axis] + 1 < bounds[axis].1 {
                    let mut next = index.to_vec();
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
        Some(Spec {
            shape: self.shape.clone(),
            strides,
            offset: i64::try_from(offset).ok()?,
            bounds: Some(bounds),
        })
    }

    /// For every axis the one step along it; `None` if steps differ or validity depends on the axis.
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
    pub fn real_size(&self) -> i128 {
        self.cells.iter().flatten().map(|position| position + 1).max().unwrap_or(0).max(0)
    }
}
