#![no_main]
//! Text that may be a certificate: it is checked, and the answer is printed and discarded.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for result in std::iter::once(viewmerge_verify::verify(text))
        .chain(viewmerge_verify::verify_each(text))
    {
        let words = result.map_or_else(|refusal| refusal.to_string(), |shown| shown.to_string());
        assert!(!words.contains('\n'));
    }
});
