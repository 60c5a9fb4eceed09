//! The examples that come with the crate run.

#[path = "../examples/layout_debugger.rs"]
#[allow(dead_code)]
mod layout_debugger;

#[test]
fn a_layout_is_debugged() {
    let picture = layout_debugger::debug("(4,6) | permute(1,0) | reshape(24)").expect("runs");
    assert!(picture.starts_with("<svg") && picture.contains("not one view"));
    let mistake = layout_debugger::debug("(4,6) | flaten()").expect_err("no such op");
    assert!(mistake.to_string().contains("did you mean flatten?\n"), "{mistake}");
}
