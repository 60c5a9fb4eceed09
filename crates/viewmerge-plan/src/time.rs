//! How long copies take, by kind.
//!
//! Runtimes have three ways to transpose. If one block of axes changes places with the last ones,
//! matrices are transposed, one for every index of the axes before. If the last axes stay, they
//! are copied as runs. Otherwise every element is copied alone, which takes many times as long;
//! then two copies of the other kinds, one after the other, are faster.

use serde::{Deserialize, Serialize};

use crate::permutation::Permutation;

/// How long a copy takes on a target, in picoseconds: the table `[copy]`.
///
/// ```
/// use viewmerge_plan::plan::Permutation;
/// use viewmerge_plan::Target;
///
/// let target = Target::named("ort-cpu")?;
/// let times = target.copy_times().expect("it has them");
/// // All three axes reversed: element by element, or in two steps.
/// let reversed = Permutation { shape: vec![8, 64, 32], perm: vec![2, 1, 0] };
/// let steps = times.steps(&reversed, 4);
/// assert_eq!(steps.len(), 2);
/// assert!(steps.iter().map(|step| times.of(step, 4)).sum::<i128>() < times.of(&reversed, 4) / 5);
/// # Ok::<(), viewmerge_plan::TargetError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CopyTimes {
    /// For each node, whatever it does.
    pub node: u32,
    /// For each byte written.
    pub byte: u32,
    /// For each run of elements that stay together, or each matrix that is transposed.
    pub run: u32,
    /// For each element that is copied alone, in addition to its bytes.
    pub element: u32,
}

impl CopyTimes {
    /// How long a copy takes as one Transpose.
    #[must_use]
    pub fn of(&self, copy: &Permutation, element_bytes: i64) -> i128 {
        let Permutation { shape, perm } = copy.fused();
        let product = |sizes: &[i64]| sizes.iter().map(|&size| i128::from(size)).product::<i128>();
        let elements = product(&shape);
        let (runs, alone) = match perm.as_slice() {
            [] | [_] => return i128::from(self.node),
            [.., last] if last + 1 == perm.len() => (elements / product(&shape[*last..]), 0),
            [1, 0] => (1, 0),
            [0, 2, 1] => (product(&shape[..1]), 0),
            _ => (0, elements),
        };
        i128::from(self.node)
            + i128::from(self.byte) * elements * i128::from(element_bytes)
            + i128::from(self.run) * runs
            + i128::from(self.element) * alone
    }

    /// The Transposes that make a copy in the least time: one or two.
    ///
    /// Between the two, the tensor is read in another shape, which joins axes that were apart
    /// before, so that runtimes do not combine the two Transposes again.
    #[must_use]
    pub fn steps(&self, copy: &Permutation, element_bytes: i64) -> Vec<Permutation> {
        let whole = copy.fused();
        let time = |steps: &[Permutation]| -> i128 {
            // Two steps need a Reshape between them.
            let between = i128::from(self.node) * (steps.len() as i128 - 1);
            steps.iter().map(|step| self.of(step, element_bytes)).sum::<i128>() + between
        };
        // A block larger than the part moved to the end joins axes.
        let joins = |steps: &[Permutation; 2]| {
            steps[0].shape.get(steps[0].shape.len() - 2) != steps[1].shape.last()
        };
        let two = [last_first(&whole).filter(joins), last_later(&whole)];
        let two = two.into_iter().flatten().min_by_key(|steps| time(steps));
        match two {
            Some(steps) if time(&steps) < self.of(copy, element_bytes) => steps.to_vec(),
            _ => vec![copy.clone()],
        }
    }
}

/// Moves the last axes of the result to the end, then puts the rest in order.
fn last_first(copy: &Permutation) -> Option<[Permutation; 2]> {
    let Permutation { shape, perm } = copy;
    let &last = perm.last()?;
    if last + 1 == shape.len() {
        return None;
    }
    let product = |sizes: &[i64]| sizes.iter().product::<i64>();
    let first = Permutation {
        shape: vec![product(&shape[..last]), shape[last], product(&shape[last + 1..])],
        perm: vec![0, 2, 1],
    };
    let mut order: Vec<usize> = (0..shape.len()).filter(|&axis| axis != last).collect();
    order.push(last);
    let place = |axis: &usize| order.iter().position(|own| own == axis);
    let second = Permutation {
        shape: order.iter().map(|&axis| shape[axis]).collect(),
        perm: perm.iter().map(place).collect::<Option<_>>()?,
    };
    Some([first.fused(), second.fused()])
}

/// Keeps the last axes in place, puts the rest in order, and then moves the last axes: the
/// steps for the inverse, backwards.
fn last_later(copy: &Permutation) -> Option<[Permutation; 2]> {
    let [second, first] = last_first(&copy.inverse())?;
    Some([first.inverse(), second.inverse()])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: CopyTimes = CopyTimes { node: 160_000, byte: 18, run: 2300, element: 2200 };

    fn permutation(shape: &[i64], perm: &[usize]) -> Permutation {
        Permutation { shape: shape.to_vec(), perm: perm.to_vec() }
    }

    /// Where each element of the result comes from.
    fn moved(copy: &Permutation, values: &[usize]) -> Vec<usize> {
        let strides = crate::layout::row_major_strides(&copy.shape);
        let made = copy.made();
        (0..values.len())
            .map(|mut index| {
                let mut from = 0;
                for (axis, &size) in made.iter().enumerate().rev() {
                    let size = usize::try_from(size).unwrap_or(1);
                    from += index % size * usize::try_from(strides[copy.perm[axis]]).unwrap_or(0);
                    index /= size;
                }
                values[from]
            })
            .collect()
    }

    /// For all permutations of four and of five axes, the steps make the same copy and never take
    /// longer.
    #[test]
    fn steps_make_the_copy() {
        let mut two = 0;
        for (shape, count) in [(vec![3, 4, 5, 7], 24_usize), (vec![3, 1, 4, 2, 6], 120)] {
            for number in 0..count {
                let (mut left, mut rest) = (number, (0..shape.len()).collect::<Vec<_>>());
                let mut perm = Vec::new();
                while !rest.is_empty() {
                    perm.push(rest.remove(left % rest.len()));
                    left /= rest.len() + 1;
                }
                let copy = permutation(&shape, &perm);
                let values: Vec<usize> =
                    (0..usize::try_from(shape.iter().product::<i64>()).unwrap_or(0)).collect();
                let wanted = moved(&copy, &values);
                assert_eq!(moved(&copy.fused(), &values), wanted, "{copy:?}");
                for steps in
                    [last_first(&copy.fused()), last_later(&copy.fused())].into_iter().flatten()
                {
                    let done = steps.iter().fold(values.clone(), |now, step| moved(step, &now));
                    assert_eq!(done, wanted, "{copy:?} as {steps:?}");
                }
                let large =
                    permutation(&shape.iter().map(|size| size * 8).collect::<Vec<_>>(), &copy.perm);
                let steps = TIMES.steps(&large, 4);
                let time: i128 = steps.iter().map(|step| TIMES.of(step, 4)).sum();
                assert!(time <= TIMES.of(&large, 4));
                two += usize::from(steps.len() == 2);
            }
        }
        assert!(two > 50, "{two} of 144 are made in two steps");
    }

    #[test]
    fn kinds_are_told_apart() {
        let time = |shape: &[i64], perm: &[usize]| TIMES.of(&permutation(shape, perm), 4);
        let bytes = 160_000 + 18 * 4 * 1024;
        assert_eq!(time(&[32, 32], &[1, 0]), bytes + 2300);
        assert_eq!(time(&[1, 32, 8, 4], &[0, 2, 3, 1]), bytes + 2300);
        assert_eq!(time(&[4, 8, 32], &[0, 2, 1]), bytes + 4 * 2300);
        assert_eq!(time(&[4, 8, 32], &[1, 0, 2]), bytes + 32 * 2300);
        assert_eq!(time(&[4, 8, 32], &[2, 1, 0]), bytes + 1024 * 2200);
        assert_eq!(time(&[4, 1, 256], &[1, 0, 2]), 160_000);
    }
}
