//! Operations that change the size of an axis: Concat, Slice, Split, Pad, Gather.

use std::collections::BTreeMap;

use super::order::Driven;
use crate::graph::Attribute;
use crate::layout::AxisDigit;

/// An interval of an axis, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub axis: usize,
    pub start: i64,
    pub end: i64,
    pub step: i64,
}

/// How the sizes change.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Concat {
        axis: usize,
    },
    Slice {
        intervals: Vec<Interval>,
    },
    /// With `operand`, the sizes are operand 1; otherwise they are an attribute.
    Split {
        axis: usize,
        sizes: Vec<i64>,
        operand: bool,
    },
    /// Before and after, for every axis that grows.
    Pad {
        pads: Vec<(usize, i64, i64)>,
    },
    Gather {
        axis: usize,
        indices: Vec<i64>,
    },
}

impl Change {
    /// Writes axis and bounds for an order; `at` is the written axis for the outer digit of an
    /// axis.
    pub fn write(
        &self,
        driven: &Driven,
        order: &[AxisDigit],
        at: &dyn Fn(usize) -> Option<usize>,
        rank: usize,
        attributes: &mut BTreeMap<String, Attribute>,
        operands: &mut Vec<(usize, Vec<i64>)>,
    ) -> Option<()> {
        // The place of the outer digit, which is the unit of the bounds.
        let place = |axis: usize| {
            let outer = |digit: &&AxisDigit| {
                digit.axis == axis && digit.place * digit.size == driven.sizes[axis]
            };
            order.iter().find(outer).map(|digit| digit.place)
        };
        let number = |axis: usize| at(axis).and_then(|axis| i64::try_from(axis).ok());
        match self {
            Change::Concat { axis } => {
                attributes.insert("axis".into(), Attribute::Int(number(*axis)?));
            }
            Change::Slice { intervals } => {
                let (mut starts, mut ends, mut axes, mut steps) = (vec![], vec![], vec![], vec![]);
                for interval in intervals {
                    let place = place(interval.axis)?;
                    starts.push(interval.start / place);
                    // When reading backwards to the first element, the end lies before it.
                    ends.push(if interval.end < 0 { i64::MIN + 1 } else { interval.end / place });
                    axes.push(number(interval.axis)?);
                    steps.push(interval.step);
                }
                operands.extend([(1, starts), (2, ends), (3, axes), (4, steps)]);
            }
            Change::Split { axis, sizes, operand } => {
                let place = place(*axis)?;
                let sizes: Vec<i64> = sizes.iter().map(|size| size / place).collect();
                attributes.insert("axis".into(), Attribute::Int(number(*axis)?));
                attributes.remove("num_outputs");
                if *operand {
                    operands.push((1, sizes));
                } else {
                    attributes.insert("split".into(), Attribute::Ints(sizes));
                }
            }
            Change::Pad { pads } => {
                let mut amounts = vec![0; 2 * rank];
                for &(axis, before, after) in pads {
                    let (place, own) = (place(axis)?, at(axis)?);
                    amounts[own] = before / place;
                    amounts[rank + own] = after / place;
                }
                operands.push((1, amounts));
            }
            Change::Gather { axis, indices } => {
                let place = place(*axis)?;
                let step = usize::try_from(place).ok()?;
                let firsts = indices.iter().step_by(step).map(|index| index / place).collect();
                attributes.insert("axis".into(), Attribute::Int(number(*axis)?));
                operands.push((1, firsts));
            }
        }
        Some(())
    }
}

/// The largest number that divides all of these; 0 if all are 0.
pub(crate) fn common_divisor(numbers: impl IntoIterator<Item = i64>) -> i64 {
    numbers.into_iter().fold(0, |one, other| {
        let (mut one, mut other) = (one, other.abs());
        while other != 0 {
            (one, other) = (other, one % other);
        }
        one
    })
}

/// The largest number p such that the indices come in runs of p that begin at multiples of p.
pub(crate) fn run_length(indices: &[i64], size: i64) -> i64 {
    let Ok(count) = i64::try_from(indices.len()) else { return 1 };
    let most = common_divisor([count, size]);
    let fits = |p: i64| {
        let Ok(step) = usize::try_from(p) else { return false };
        most % p == 0
            && indices.chunks(step).all(|run| {
                run[0] % p == 0 && run.iter().zip(run[0]..).all(|(&index, want)| index == want)
            })
    };
    (1..=most).rev().find(|&p| fits(p)).unwrap_or(1)
}
