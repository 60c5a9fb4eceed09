//! burn: `reshape_action`, which its backends call before they copy.

use std::error::Error;

use burn_std::tensor::{ReshapeAction, Shape, Strides, reshape_action};
use viewmerge_bench_crates::{Question, answer, signed};

fn main() -> Result<(), Box<dyn Error>> {
    answer(
        "burn",
        |question: &Question| {
            let strides = Strides::from(question.unsigned_strides()?);
            let shapes = [&question.shape, &question.new_shape];
            let [shape, new_shape] = shapes.map(|shape| Shape::from(shape.clone()));
            Some((shape, strides, new_shape))
        },
        |(shape, strides, new_shape)| match reshape_action(shape, strides, new_shape) {
            ReshapeAction::UpdateStrides { strides } => Some(strides),
            ReshapeAction::NoChange => Some(strides.clone()),
            ReshapeAction::Recompute => None,
        },
        |strides| Some(signed(&strides?)),
    )
}
