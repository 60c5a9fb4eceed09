//! All the integration tests of this crate, as one program: a file for each subject.

mod extremes;
mod indices;
mod no_panic;
mod support;
mod tampering;
mod testdata;
mod worst;
