use proptest::collection::vec;
use proptest::num::u8;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

use crate::choices::Choices;

/// Runs a check on random inputs, the same in every run, and shrinks a failure.
///
/// `VIEWMERGE_CASES` multiplies the number of cases; `VIEWMERGE_SEED` picks others.
///
/// # Panics
///
/// If the check fails on some input: the message shows the smallest one found.
pub fn run(cases: u32, check: impl Fn(&mut Choices<'_>) -> Result<(), String>) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let times = number("VIEWMERGE_CASES").unwrap_or(1) as u32;
    let mut seed = [0u8; 32];
    seed[..8].copy_from_slice(&number("VIEWMERGE_SEED").unwrap_or(1).to_le_bytes());
    let config = Config {
        cases: cases * times,
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let outcome = TestRunner::new_with_rng(config, rng).run(&vec(u8::ANY, 0..100), |bytes| {
        check(&mut Choices::new(&bytes)).map_err(TestCaseError::fail)
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}
