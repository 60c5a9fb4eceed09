//! rten: `Layout::reshaped_for_view`.

use std::error::Error;

use rten_tensor::layout::{MutLayout, OverlapPolicy};
use rten_tensor::{DynLayout, Layout};
use viewmerge_bench_crates::{Question, answer, signed};

fn main() -> Result<(), Box<dyn Error>> {
    answer(
        "rten",
        |question: &Question| {
            let strides = question.unsigned_strides()?;
            let overlap = OverlapPolicy::AllowOverlap;
            let layout = DynLayout::from_shape_and_strides(&question.shape, &strides, overlap);
            Some((layout.ok()?, question.new_shape.clone()))
        },
        |(layout, new_shape)| layout.reshaped_for_view(new_shape.as_slice()).ok(),
        |layout| Some(signed(layout?.strides())),
    )
}
