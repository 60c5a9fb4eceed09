//! All the integration tests of this crate, as one program: a file for each subject.

mod atoms;
mod banks;
mod coordinates;
mod large_inverses;
mod limits;
mod random;
mod small_left_inverses;
