#![no_main]
libfuzzer_sys::fuzz_target!(|line: &[u8]| {
    let answer = viewmerge_json::answer_line(line, &viewmerge::Limit::steps(10_000));
    serde_json::from_str::<serde_json::Value>(&answer).expect("an answer is JSON");
});
