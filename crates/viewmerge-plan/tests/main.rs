//! The tests of the crate.

mod certificates;
mod graphs;
mod models;
mod random;
