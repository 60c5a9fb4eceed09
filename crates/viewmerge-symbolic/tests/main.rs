//! All the integration tests of this crate, as one program: a file for each subject.

mod certificates;
mod conditions;
mod equivalent;
mod expand;
mod explain;
mod forms;
mod fuzz_seeds;
mod random;
mod splits;
mod support;
mod testdata;
