//! Movement ops and measures of tables, by definition.

use viewmerge::reference::{Table, indices, unravel};

/// An op returns `None` if its argument does not fit, so tables also define which arguments are
/// valid.
pub trait TableOps: Sized {
    /// The same cells in the same order under another shape of as many.
    fn reshape(&self, shape: &[i64]) -> Option<Table>;

    /// New axis k is old axis `axes[k]`; every axis is named once.
    fn permute(&self, axes: &[usize]) -> Option<Table>;

    /// Axes of size 1 repeated; `shape` is aligned at the last axis.
    fn expand(&self, shape: &[i64]) -> Option<Table>;

    /// (before, after) cells of padding on every axis.
    fn pad(&self, amounts: &[(i64, i64)]) -> Option<Table>;

    /// Only `lo..hi` of every axis.
    fn shrink(&self, bounds: &[(i64, i64)]) -> Option<Table>;

    /// The named axes reversed, each named once.
    fn flip(&self, axes: &[usize]) -> Option<Table>;

    /// Every step-th index; a negative step starts at the last one.
    fn step(&self, steps: &[i64]) -> Option<Table>;

    /// Some indices of each axis, in the order given.
    fn pick(&self, kept: &[Vec<i64>]) -> Option<Table>;

    /// The cell at each index is number `offset + Σ stride·index` of the cells in order.
    fn as_strided(&self, shape: &[i64], strides: &[i64], offset: i64) -> Option<Table>;

    /// For every axis the one step along it; `None` if steps differ or validity depends on the axis.
    fn real_strides(&self) -> Vec<Option<i128>>;

    /// One more than the largest position, 0 if there is none.
    fn real_size(&self) -> i128;
}

impl TableOps for Table {
    fn reshape(&self, shape: &[i64]) -> Option<Table> {
        let places = Table::contiguous(shape)?;
        if places.cells().len() != self.cells().len() {
            return None;
        }
        self.pull(shape.to_vec(), |index| {
            let place = places.get(index).expect("an index of the shape");
            unravel(self.shape(), place).expect("as many cells")
        })
    }

    fn permute(&self, axes: &[usize]) -> Option<Table> {
        let mut sorted = axes.to_vec();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(0..self.shape().len()) {
            return None;
        }
        self.pull(axes.iter().map(|&axis| self.shape()[axis]).collect(), |index| {
            let mut old = vec![0; axes.len()];
            for (k, &axis) in axes.iter().enumerate() {
                old[axis] = index[k];
            }
            old
        })
    }

    fn expand(&self, shape: &[i64]) -> Option<Table> {
        let fresh = shape.len().checked_sub(self.shape().len())?;
        let kept = self.shape().iter().zip(&shape[fresh..]);
        if kept.clone().any(|(&old, &new)| old != new && old != 1) {
            return None;
        }
        self.pull(shape.to_vec(), |index| {
            let kept = index[fresh..].iter().zip(self.shape());
            kept.map(|(&i, &size)| if size == 1 { 0 } else { i }).collect()
        })
    }

    fn pad(&self, amounts: &[(i64, i64)]) -> Option<Table> {
        let negative = amounts.iter().any(|&(before, after)| before < 0 || after < 0);
        if negative || amounts.len() != self.shape().len() {
            return None;
        }
        let padded = self.shape().iter().zip(amounts);
        let shape = padded.map(|(&size, &(b, a))| size.checked_add(b)?.checked_add(a));
        self.pull(shape.collect::<Option<_>>()?, |index| {
            index.iter().zip(amounts).map(|(i, (before, _))| i - before).collect()
        })
    }

    fn shrink(&self, bounds: &[(i64, i64)]) -> Option<Table> {
        let fits = |(&(lo, hi), &size): (&(i64, i64), &i64)| 0 <= lo && lo <= hi && hi <= size;
        if bounds.len() != self.shape().len() || !bounds.iter().zip(self.shape()).all(fits) {
            return None;
        }
        self.pull(bounds.iter().map(|(lo, hi)| hi - lo).collect(), |index| {
            index.iter().zip(bounds).map(|(i, (lo, _))| i + lo).collect()
        })
    }

    fn flip(&self, axes: &[usize]) -> Option<Table> {
        let repeated = axes.iter().enumerate().any(|(k, axis)| axes[..k].contains(axis));
        if repeated || axes.iter().any(|&axis| axis >= self.shape().len()) {
            return None;
        }
        self.pull(self.shape().to_vec(), |index| {
            let mut old = index.to_vec();
            for &axis in axes {
                old[axis] = self.shape()[axis] - 1 - old[axis];
            }
            old
        })
    }

    fn step(&self, steps: &[i64]) -> Option<Table> {
        if steps.contains(&0) || steps.len() != self.shape().len() {
            return None;
        }
        let kept = |(&size, &step): (&i64, &i64)| {
            (1..=size).filter(|i| (i - 1).unsigned_abs() % step.unsigned_abs() == 0).count() as i64
        };
        let shape = self.shape().iter().zip(steps).map(kept).collect();
        self.pull(shape, |index| {
            let old = |(axis, &k): (usize, &i64)| match index[axis] {
                // The step may be larger than any product with it can be.
                0 if k > 0 => 0,
                0 => self.shape()[axis] - 1,
                i if k > 0 => i * k,
                i => self.shape()[axis] - 1 + i * k,
            };
            steps.iter().enumerate().map(old).collect()
        })
    }

    fn pick(&self, kept: &[Vec<i64>]) -> Option<Table> {
        let inside = |(kept, &size): (&Vec<i64>, &i64)| kept.iter().all(|i| (0..size).contains(i));
        if kept.len() != self.shape().len() || !kept.iter().zip(self.shape()).all(inside) {
            return None;
        }
        let shape = kept.iter().map(|kept| kept.len() as i64).collect();
        self.pull(shape, |index| {
            index.iter().zip(kept).map(|(&i, kept)| kept[i as usize]).collect()
        })
    }

    fn as_strided(&self, shape: &[i64], strides: &[i64], offset: i64) -> Option<Table> {
        if strides.len() != shape.len() {
            return None;
        }
        Table::contiguous(shape)?;
        let place = |index: &[i64]| {
            let terms = index.iter().zip(strides).map(|(&i, &s)| i128::from(i) * i128::from(s));
            i128::from(offset) + terms.sum::<i128>()
        };
        let cells = 0..self.cells().len() as i128;
        if indices(shape).any(|index| !cells.contains(&place(&index))) {
            return None;
        }
        self.pull(shape.to_vec(), |index| unravel(self.shape(), place(index)).expect("a cell"))
    }

    fn real_strides(&self) -> Vec<Option<i128>> {
        let along = |axis: usize| {
            let mut step = None;
            for index in indices(self.shape()) {
                let mut next = index.clone();
                next[axis] += 1;
                if next[axis] == self.shape()[axis] {
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
        (0..self.shape().len()).map(along).collect()
    }

    fn real_size(&self) -> i128 {
        self.cells().iter().flatten().map(|position| position + 1).max().unwrap_or(0).max(0)
    }
}
