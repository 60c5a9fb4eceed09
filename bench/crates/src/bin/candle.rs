//! candle: `Tensor::reshape` keeps the data if `Layout::is_contiguous`, with the layout
//! `Layout::contiguous_with_offset`; otherwise it copies. Both functions are called here, since a tensor with
//! arbitrary strides cannot be made.

use std::error::Error;

use candle_core::Layout;
use viewmerge_bench_crates::{Question, answer, signed};

fn main() -> Result<(), Box<dyn Error>> {
    answer(
        "candle",
        |question: &Question| {
            let strides = question.unsigned_strides()?;
            let layout = Layout::new(question.shape.clone().into(), strides, 0);
            Some((layout, question.new_shape.clone()))
        },
        |(layout, new_shape)| {
            layout.is_contiguous().then(|| {
                Layout::contiguous_with_offset(new_shape.as_slice(), layout.start_offset())
            })
        },
        |layout| Some(signed(layout?.stride())),
    )
}
