#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| viewmerge_onnx::fuzz::model(bytes));
