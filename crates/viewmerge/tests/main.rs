//! All the integration tests of this crate, as one program: a file for each subject.

mod accidental;
mod certificates;
mod conditions;
mod copies;
mod engines;
mod expression_certificates;
mod expression_open;
mod expression_random;
mod expression_render;
mod expression_views;
mod expressions;
mod fewest;
mod fewest_enumerated;
mod fuzz_seeds;
mod limits;
mod names;
mod no_alloc;
mod random;
mod serde;
mod splits;
mod strides;
mod testdata;
mod worked_example;
