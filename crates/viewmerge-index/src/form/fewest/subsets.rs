//! Sets of a size, one after the other.

use alloc::vec::Vec;

/// The subsets of 0 … count − 1 of a size, in order.
pub(super) struct Subsets {
    count: usize,
    next: Option<Vec<usize>>,
}

impl Subsets {
    pub(super) fn new(count: usize, size: usize) -> Subsets {
        Subsets { count, next: (size <= count).then(|| (0..size).collect()) }
    }

    pub(super) fn next(&mut self) -> Option<Vec<usize>> {
        let now = self.next.clone()?;
        let mut after = now.clone();
        let size = after.len();
        let place = (0..size).rev().find(|&k| after[k] < self.count - size + k);
        self.next = place.map(|place| {
            after[place] += 1;
            for k in place + 1..size {
                after[k] = after[k - 1] + 1;
            }
            after
        });
        Some(now)
    }
}
