//! Indices that show that a chain is not one view.
//!
//! Where a chain is one view, its valid indices are a box, and its position is affine there. So for two
//! valid indices every index between them is valid too, and a move along one axis adds the same
//! wherever it starts. A few indices of a form that was built by ranges mostly show that this is not so, and
//! then the exact question, which takes a search, need not be asked.
//!
//! Example: `4*i - 11*(i / 3)` for i from 0 to 11 is 0 at 0 and 11 at 11, but 20 at 5.

use super::program::Program;
use viewmerge::internal::{Dims, scattered};

/// How many indices are looked at to find two that are valid.
const MOST_SAMPLES: usize = 12;

/// A value of a range: its ends and its middle first, then scattered ones.
pub(super) fn value((first, last): (i64, i64), sample: usize, state: &mut u64) -> i64 {
    let room = last.abs_diff(first);
    let step = match sample {
        0 => 0,
        1 => room,
        2 => room / 2,
        _ => {
            let number = scattered(state);
            room.checked_add(1).map_or(number, |count| number % count)
        }
    };
    first.saturating_add_unsigned(step)
}

impl Program {
    /// Whether some indices show that a form is not one view; `None` if a number does not fit. Scattered
    /// indices first, then those beside a valid one that leave a floor's residue alone.
    pub(super) fn shows_no_view(&self) -> Option<bool> {
        let mut state = 0u64;
        let mut valid: Option<(Dims, i64)> = None;
        // Not from the middle: a longer way shows more.
        for sample in [0, 1].into_iter().chain(3..=MOST_SAMPLES) {
            let axes = self.axes.iter();
            let index: Dims = axes.map(|&range| value(range, sample, &mut state)).collect();
            let Some(there) = self.at(&index)? else { continue };
            match &valid {
                None => valid = Some((index, there)),
                Some((start, from)) => {
                    if self.is_bent((start, *from), (&index, there))? {
                        return Some(true);
                    }
                }
            }
        }
        let Some((start, from)) = valid else { return Some(false) };
        for (axis, &(first, last)) in self.axes.iter().enumerate() {
            for step in self.floors.iter().flat_map(|floor| [floor.divisor, -floor.divisor]) {
                let mut index = start.clone();
                index[axis] = start[axis].checked_add(step)?;
                if (first..=last).contains(&index[axis])
                    && let Some(there) = self.at(&index)?
                    && self.is_bent((&start, from), (&index, there))?
                {
                    return Some(true);
                }
            }
        }
        Some(false)
    }

    /// Whether the way from one valid index to another, each with its position, leaves the valid ones or
    /// has steps that differ.
    fn is_bent(&self, (start, from): (&[i64], i64), (end, to): (&[i64], i64)) -> Option<bool> {
        let mut sum = from;
        let mut index: Dims = start.into();
        for axis in 0..start.len() {
            let (first, last) = (start[axis], end[axis]);
            if first == last {
                continue;
            }
            index[axis] = last;
            let Some(whole) = self.at(&index)? else { return Some(true) };
            let whole = whole.checked_sub(from)?;
            sum = sum.checked_add(whole)?;
            // A step, and half the way.
            for part in [(last - first).signum(), (last - first) / 2] {
                index[axis] = first + part;
                let Some(there) = self.at(&index)? else { return Some(true) };
                let moved = i128::from(there.checked_sub(from)?) * i128::from(last - first);
                if moved != i128::from(whole) * i128::from(part) {
                    return Some(true);
                }
            }
            index[axis] = first;
        }
        Some(to != sum)
    }
}

#[cfg(test)]
mod tests {
    use super::super::build::of_chain;
    use viewmerge::ViewChain;

    #[test]
    fn only_what_is_not_one_view_is_refuted() {
        // (chain, whether some indices show that it is not one view)
        let rows = [
            ("(4,3):(1,4) | (12)", true),
            ("(4,3):(7,1) [0:4,0:2] | (12)", true),
            ("(18):(1)-2 [2:17] | (16,3):(1,1)", true),
            // One in seven is valid: no two are seen, but those 7 apart.
            ("(900,7):(1,0) [0:900,0:1] | (6300)", true),
            ("(2,6) | (3,4)", false),
            ("(10,3,3):(8,1,2) | (4):(4)", false),
            ("(4,3):(1,4) | (12):(1) [3:6]", false),
        ];
        for (text, expected) in rows {
            let chain: ViewChain = text.parse().expect(text);
            let (top, below) = chain.views().split_last().expect(text);
            let program = of_chain(below, top).expect(text).expect(text);
            assert_eq!(program.shows_no_view(), Some(expected), "{text}");
        }
    }
}
