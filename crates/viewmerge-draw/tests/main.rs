//! All the integration tests of this crate, as one program: a file for each subject.

mod any_view;
mod examples;
mod exports;
mod pictures;
