//! Programs that tests write, compile and run.

use std::io::Write;
use std::process::{Command, Stdio};

/// Runs a compiler, which must succeed.
///
/// # Panics
///
/// If it does not start, or fails.
pub fn compile(command: &mut Command) {
    let status = command.status().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?}");
}

/// The lines that a program prints for an input.
///
/// # Panics
///
/// If it does not start, does not read its input, or fails.
#[must_use]
pub fn answers(program: &mut Command, input: String) -> Vec<String> {
    let mut child =
        program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    // In a separate thread, because a pipe holds little.
    let writer = std::thread::spawn(move || {
        pipe.write_all(input.as_bytes()).expect("is read");
    });
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("is written");
    assert!(output.status.success(), "{program:?}");
    let output = String::from_utf8(output.stdout).expect("text");
    output.lines().map(str::to_owned).collect()
}
