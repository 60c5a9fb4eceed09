//! What the command prints: its own cases, README, and every page of the book.

#[test]
fn commands() {
    trycmd::TestCases::new()
        .case("tests/cmd/*.trycmd")
        .case("../../README.md")
        .case("README.md")
        .case("../../docs/*.md")
        .case("../../docs/study/*.md");
}
