//! All the integration tests of this crate, as one program: a file for each subject.

mod external;
mod mistakes;
mod reading;
mod small_models;
