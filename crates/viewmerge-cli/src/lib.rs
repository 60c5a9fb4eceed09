//! The parts of the `viewmerge` command that can be tested without running it.

pub mod batch;
pub mod question;
