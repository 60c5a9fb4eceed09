//! Answers that cannot be written: a full disk is an error, a closed pipe is not.

use std::fs::OpenOptions;
use std::process::{Command, Output, Stdio};

use viewmerge_testkit::cases;

/// Every way to write to standard output, and its exit status if that succeeds.
const CALLS: [(&[&str], i32); 28] = [
    (&["--help"], 0),
    (&["-h"], 0),
    (&["--version"], 0),
    (&["help", "merge"], 0),
    (&["draw", "--help"], 0),
    (&["merge", "(2,3)"], 0),
    (&["merge", "(3,2):(1,3)", "(6)"], 1),
    (&["merge", "--format", "json", "(2,3)"], 0),
    (&["reshape", "(6,4):(1,6)", "24"], 1),
    (&["chain", "(2,3) | permute(1,0)"], 0),
    (&["chain", "--format", "markdown", "(2,3)"], 0),
    (&["explain", "(2,3)"], 0),
    (&["explain", "--table", "(4,3):(5,1)", "(6):(2)"], 1),
    (&["conditions", "(10,3,3)", "(6):(4)"], 0),
    (&["conditions", "--format", "latex", "(10,3,3)", "(6):(4)"], 0),
    (&["dims", "(2,3)"], 0),
    (&["equal", "(2)", "(2)"], 0),
    (&["expr", "(2)"], 0),
    (&["expr", "--lang", "c", "(2)"], 0),
    (&["draw", "(2,3)"], 0),
    (&["draw", "(2,3)", "-o", "-"], 0),
    (&["draw", "(2,3)", "--as", "tikz"], 0),
    (&["batch", "cases.jsonl"], 0),
    (&["batch", "pairs.jsonl"], 0),
    (&["completions", "bash"], 0),
    (&["completions", "zsh"], 0),
    (&["man"], 0),
    (&["man", "batch"], 0),
];

fn run(arguments: &[&str], stdin: Stdio, stdout: Stdio) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_viewmerge"));
    command.args(arguments).current_dir(cases::folder()).stdin(stdin).stdout(stdout);
    command.stderr(Stdio::piped()).spawn().and_then(|child| child.wait_with_output()).expect("runs")
}

fn full() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").expect("there is one").into()
}

/// A pipe that nobody reads.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("is made");
    drop(reader);
    writer.into()
}

#[track_caller]
fn told(output: &Output, message: &str) {
    let found = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), found.as_ref()), (Some(2), message));
}

const FULL: &str = "viewmerge: standard output: No space left on device (os error 28)\n";
const FULL_AS_JSON: &str = concat!(
    r#"{"error":{"kind":"bad_input","message":"standard output: No space left on device (os error 28)"}}"#,
    "\n"
);

#[test]
fn a_full_disk_is_told_and_the_output_named() {
    for (arguments, _) in CALLS {
        let message = match arguments.contains(&"json") {
            true => FULL_AS_JSON,
            false => FULL,
        };
        told(&run(arguments, Stdio::null(), full()), message);
    }
    let questions = std::fs::File::open(cases::folder().join("cases.jsonl")).expect("is kept");
    told(&run(&["batch"], questions.into(), full()), FULL);
    for format in ["png", "pdf"] {
        told(&run(&["draw", "(2,3)", "--as", format], Stdio::null(), full()), FULL);
    }
    told(
        &run(&["draw", "(2,3)", "-o", "/dev/full"], Stdio::null(), Stdio::null()),
        "viewmerge: /dev/full: No space left on device (os error 28)\n",
    );
}

#[test]
fn a_reader_that_has_left_is_no_failure() {
    for (arguments, status) in CALLS {
        let output = run(arguments, Stdio::null(), closed());
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), told.as_ref()), (Some(status), ""), "{arguments:?}");
    }
}

#[test]
fn the_same_calls_succeed_where_they_can_be_written() {
    for (arguments, status) in CALLS {
        let output = run(arguments, Stdio::null(), Stdio::piped());
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), told.as_ref()), (Some(status), ""), "{arguments:?}");
        assert!(output.stdout.ends_with(b"\n"), "{arguments:?}");
    }
}

/// If standard error is full or closed too, only the exit status is left.
#[test]
fn mistakes_that_cannot_be_told_have_their_exit_status() {
    for stderr in [full(), closed()] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_viewmerge"));
        let status = command.args(["merge", "(2"]).stderr(stderr).status().expect("runs");
        assert_eq!(status.code(), Some(2));
    }
    for arguments in [&["--no-such-option"][..], &["merge"], &[]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_viewmerge"));
        let status = command.args(arguments).stderr(full()).status().expect("runs");
        assert_eq!(status.code(), Some(2));
    }
}
