//! ndarray: `to_shape`, and `into_shape_with_order`, which is for contiguous arrays only.
//!
//! Elements have size zero, so that arrays of any extent need no memory.

use std::error::Error;

use ndarray::{ArrayViewD, Axis, IxDyn, ShapeBuilder};
use viewmerge_bench_crates::{Question, answer};

/// The most axes of a new shape.
const AXES: usize = 16;

static ELEMENTS: [(); isize::MAX as usize] = [(); isize::MAX as usize];

fn array(question: &Question) -> Option<ArrayViewD<'static, ()>> {
    let distances: Vec<usize> =
        question.strides.iter().map(|stride| stride.unsigned_abs()).collect();
    let shape = IxDyn(&question.shape).strides(IxDyn(&distances));
    let mut array = ArrayViewD::from_shape(shape, &ELEMENTS).ok()?;
    for (axis, &stride) in question.strides.iter().enumerate() {
        if stride < 0 {
            array.invert_axis(Axis(axis));
        }
    }
    // As intended, except for axes with one index.
    let same = array.strides().iter().zip(&question.strides).zip(&question.shape);
    same.clone().all(|((found, wanted), &size)| found == wanted || size <= 1).then_some(array)
}

fn main() -> Result<(), Box<dyn Error>> {
    let ready = |question: &Question| {
        let new_shape = (question.new_shape.len() <= AXES).then(|| IxDyn(&question.new_shape))?;
        Some((array(question)?, new_shape))
    };
    answer(
        "ndarray-to_shape",
        ready,
        |(array, shape)| {
            let reshaped = array.to_shape(shape.clone()).ok()?;
            // The result borrows the array; its strides are kept without allocating.
            let (mut strides, rank) = ([0; AXES], reshaped.ndim());
            strides[..rank].copy_from_slice(reshaped.strides());
            reshaped.is_view().then_some((strides, rank))
        },
        |found| found.map(|(strides, rank)| strides[..rank].to_vec()),
    )?;
    answer(
        "ndarray-into_shape_with_order",
        ready,
        |(array, shape)| array.clone().into_shape_with_order(shape.clone()).ok(),
        |reshaped| Some(reshaped?.strides().to_vec()),
    )
}
