//! All the integration tests of this crate, as one program: a file for each subject.

mod batch;
mod draw;
mod help;
mod layouts;
mod output;
mod plan;
mod questions;
mod snapshots;
mod testdata;
mod verify;
mod watch;
