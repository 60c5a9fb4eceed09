//! ndarray: `to_shape`, and `into_shape_with_order`, which is for contiguous arrays only.
//!
//! Elements are of no size, so that arrays of any extent need no memory.

use std::error::Error;

use ndarray::{ArrayViewD, Axis, IxDyn, ShapeBuilder};
use viewmerge_bench_crates::{Question, answer};

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
    // As it was meant, but for axes that have one index.
    let same = array.strides().iter().zip(&question.strides).zip(&question.shape);
    same.clone().all(|((found, wanted), &size)| found == wanted || size <= 1).then_some(array)
}

fn main() -> Result<(), Box<dyn Error>> {
    let ready = |question: &Question| Some((array(question)?, IxDyn(&question.new_shape)));
    answer(
        "ndarray-to_shape",
        ready,
        |(array, shape)| {
            let reshaped = array.to_shape(shape.clone()).ok()?;
            reshaped.is_view().then(|| reshaped.strides().to_vec())
        },
        |strides| strides,
    )?;
    answer(
        "ndarray-into_shape_with_order",
        ready,
        |(array, shape)| {
            let reshaped = array.view().into_shape_with_order(shape.clone()).ok()?;
            Some(reshaped.strides().to_vec())
        },
        |strides| strides,
    )
}
