//! The examples that come with the crate run.

#[path = "../examples/tracker.rs"]
mod tracker;

#[test]
fn a_compiler_tracks_a_tensor() {
    tracker::main().expect("runs");
}
