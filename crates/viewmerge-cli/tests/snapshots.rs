//! The command as a person sees it, and the examples in README.

#[test]
fn commands() {
    trycmd::TestCases::new()
        .case("tests/cmd/*.trycmd")
        .case("../../README.md")
        .case("README.md")
        .case("../../docs/theory.md");
}
