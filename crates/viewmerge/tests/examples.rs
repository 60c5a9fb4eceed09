//! The examples that come with the crate run.

#[path = "../examples/tensor_reshape.rs"]
mod tensor_reshape;

#[test]
fn a_tensor_library_reshapes() {
    tensor_reshape::main().expect("runs");
}
