//! A copy as a permutation of axes.

use serde::Serialize;

/// A copy as a Reshape and a Transpose: the memory is read in `shape`, and its axes are permuted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Permutation {
    /// The shape in which the source is read.
    pub shape: Vec<i64>,
    /// Axis `i` of the result is axis `perm[i]` of the source.
    pub perm: Vec<usize>,
}

impl Permutation {
    /// The shape of the result.
    #[must_use]
    pub fn made(&self) -> Vec<i64> {
        self.perm.iter().map(|&axis| self.shape[axis]).collect()
    }

    /// The inverse copy.
    pub(crate) fn inverse(&self) -> Permutation {
        let mut perm = vec![0; self.perm.len()];
        for (to, &from) in self.perm.iter().enumerate() {
            perm[from] = to;
        }
        Permutation { shape: self.made(), perm }
    }

    /// The same copy without axes of one element, and with axes that stay together fused.
    pub(crate) fn fused(&self) -> Permutation {
        let mut next: Vec<Option<usize>> = vec![None; self.shape.len()];
        let axes: Vec<usize> = (0..self.shape.len()).filter(|&axis| self.shape[axis] > 1).collect();
        for pair in axes.windows(2) {
            next[pair[0]] = Some(pair[1]);
        }
        // (first axis, size), in the order of the result.
        let mut runs: Vec<(usize, i64)> = Vec::new();
        let mut before = None;
        for &axis in self.perm.iter().filter(|&&axis| self.shape[axis] > 1) {
            match runs.last_mut() {
                Some(run) if before.and_then(|before: usize| next[before]) == Some(axis) => {
                    run.1 *= self.shape[axis];
                }
                _ => runs.push((axis, self.shape[axis])),
            }
            before = Some(axis);
        }
        let mut sorted = runs.clone();
        sorted.sort_unstable();
        let place = |run: &(usize, i64)| sorted.iter().position(|own| own == run).unwrap_or(0);
        Permutation {
            perm: runs.iter().map(place).collect(),
            shape: sorted.iter().map(|run| run.1).collect(),
        }
    }
}
