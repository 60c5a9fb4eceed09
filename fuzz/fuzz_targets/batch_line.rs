#![no_main]
libfuzzer_sys::fuzz_target!(|line: &[u8]| {
    let answer = viewmerge_cli::question::answer(line, &viewmerge::Limit::steps(10_000));
    serde_json::to_string(&answer).expect("an answer can be written");
});
