//! burn: `reshape_action`, which its backends ask before they copy.

use std::error::Error;

use burn_std::tensor::{ReshapeAction, Shape, Strides, reshape_action};
use viewmerge_bench_crates::{Question, answer, signed};

fn main() -> Result<(), Box<dyn Error>> {
    answer(
        "burn",
        |question: &Question| {
            let strides = question.unsigned_strides()?;
            let shapes = [&question.shape, &question.new_shape].map(|shape| Shape::from(shape.clone()));
            let [shape, new_shape] = shapes;
            Some((shape, Strides::from(strides.clone()), new_shape, strides))
        },
        |(shape, strides, new_shape, kept)| match reshape_action(shape, strides, new_shape) {
            ReshapeAction::UpdateStrides { strides } => Some(strides.to_vec()),
            ReshapeAction::NoChange => Some(kept.clone()),
            ReshapeAction::Recompute => None,
        },
        |strides| Some(signed(&strides?)),
    )
}
