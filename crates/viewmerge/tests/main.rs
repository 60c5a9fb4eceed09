//! All the integration tests of this crate, as one program: a file for each subject.

mod accidental;
mod certificates;
mod conditions;
mod copies;
mod engines;
mod examples;
mod fuzz_seeds;
mod limits;
mod no_alloc;
mod random;
mod serde;
mod splits;
mod strides;
mod testdata;
mod worked_example;
