//! All the integration tests of this crate, as one program: a file for each subject.

mod examples;
mod expression_certificates;
mod expression_open;
mod expression_random;
mod expression_render;
mod expression_views;
mod expressions;
mod fewest;
mod fewest_enumerated;
mod limits;
mod names;
