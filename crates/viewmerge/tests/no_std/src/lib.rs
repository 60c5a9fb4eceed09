//! A program without the standard library that uses viewmerge.
//!
//! It has a panic handler of its own, which is an error (E0152) as soon as
//! anything it depends on brings in `std`, which has one too.
#![no_std]
#![forbid(unsafe_code)]

use viewmerge::{Error, Limit, ViewChain};
use viewmerge_index::IndexChain;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// Whether flattening a transpose is one view.
///
/// # Errors
///
/// None that is known.
pub fn flattened_transpose() -> Result<bool, Error> {
    let chain = ViewChain::contiguous(&[2, 3])?.permute(&[1, 0])?.reshape(&[6])?;
    Ok(chain.merge()?.is_merged())
}

/// How many divisions the index expression of a flattened transpose takes.
///
/// # Errors
///
/// None that is known.
pub fn divisions() -> Result<usize, Error> {
    let chain = ViewChain::contiguous(&[2, 3])?.permute(&[1, 0])?.reshape(&[6])?;
    Ok(chain.form(&Limit::none())?.floors().len())
}
