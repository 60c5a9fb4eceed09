//! `viewmerge::strides::reshape_strides`.

use std::error::Error;

use viewmerge::strides::{Reshape, reshape_strides};

/// The most axes of a new shape.
const AXES: usize = 16;

fn main() -> Result<(), Box<dyn Error>> {
    viewmerge_bench_crates::answer(
        "viewmerge",
        |question| {
            let (shape, new_shape) = (question.shape.clone(), question.new_shape.clone());
            let layout = (shape, question.strides.clone(), new_shape);
            (question.new_shape.len() <= AXES).then_some(layout)
        },
        |(shape, strides, new_shape)| {
            let mut out = [0; AXES];
            let answer = reshape_strides(shape, strides, new_shape, &mut out[..new_shape.len()]);
            (answer, out, new_shape.len())
        },
        |(answer, out, rank)| matches!(answer, Ok(Reshape::View)).then(|| out[..rank].to_vec()),
    )
}
