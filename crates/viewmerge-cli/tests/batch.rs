//! `viewmerge batch` on inputs of many chunks: order, bad lines, streams and pipes that close.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use viewmerge::Limit;
use viewmerge_json::answer_line;
use viewmerge_testkit::cases;

/// Longer than any chunk.
const LONG: usize = 300_000;

fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_viewmerge"))
        .arg("batch")
        .args(arguments)
        .current_dir(cases::folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts")
}

fn batch(input: &[u8]) -> Output {
    let mut child = start(&[]);
    let mut stdin = child.stdin.take().expect("is piped");
    let input = input.to_vec();
    let writer = thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("ends");
    writer.join().expect("no panic").expect("is read");
    output
}

/// The answers to lines without line ends, asked one by one.
fn one_by_one<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut text = Vec::new();
    for line in lines {
        text.extend_from_slice(answer_line(line, &Limit::none()).as_bytes());
        text.push(b'\n');
    }
    text
}

#[track_caller]
fn check(input: &[u8], lines: &[&[u8]]) {
    let output = batch(input);
    assert!(output.status.success() && output.stderr.is_empty(), "{:?}", output.status);
    let expected = one_by_one(lines.iter().copied());
    // Not assert_eq, which would print megabytes.
    let same = output.stdout.iter().zip(&expected).take_while(|(a, b)| a == b).count();
    let line = expected[..same].iter().filter(|&&byte| byte == b'\n').count();
    assert!(output.stdout == expected, "differs at line {line}");
}

/// Lines of very different length and cost, good and bad: a few megabytes.
fn mixed() -> Vec<Vec<u8>> {
    let texts = ["cases.jsonl", "reshapes.jsonl", "trackers.jsonl"].map(cases::text);
    let recorded: Vec<&str> = texts.iter().flat_map(|text| text.lines()).collect();
    let mut lines = Vec::new();
    for (number, line) in recorded.iter().cycle().take(12_000).enumerate() {
        lines.push(line.as_bytes().to_vec());
        match number % 1000 {
            0 => lines.push(Vec::new()),
            100 => lines.push(b"\xff\xfe{".to_vec()),
            200 => lines.push(b"{\"views\":".to_vec()),
            300 => lines.push("[".repeat(LONG).into_bytes()),
            400 => lines.push(format!("{{\"x\":\"{}\"}}", "é".repeat(LONG)).into_bytes()),
            500 => {
                let name = "n".repeat(number * 20);
                lines.push(format!(r#"{{"name":"{name}","views":[{{"shape":[2]}}]}}"#).into());
            }
            // Long chains: every run of views must be decided.
            600 => {
                let view = r#"{"shape":[4,2],"strides":[1,4]},"#.repeat(40);
                let last = r#"{"shape":[8]}"#;
                lines.push(format!(r#"{{"views":[{view}{last}]}}"#).into());
            }
            _ => {}
        }
    }
    lines
}

#[test]
fn order_is_kept_over_many_chunks() {
    let lines = mixed();
    let lines: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
    check(&lines.join(&b'\n'), &lines);
}

#[test]
fn line_ends_may_be_of_either_kind() {
    let lines = mixed();
    let lines: Vec<&[u8]> = lines.iter().take(3000).map(Vec::as_slice).collect();
    let mut input = lines.join(&b"\r\n"[..]);
    input.extend_from_slice(b"\r\n");
    check(&input, &lines);
}

#[test]
fn the_ends_of_inputs() {
    let good: &[u8] = br#"{"views":[{"shape":[2]}]}"#;
    check(b"", &[]);
    check(b"\n", &[b""]);
    check(b"\n\n", &[b"", b""]);
    check(good, &[good]);
    check(&[good, b"\n"].concat(), &[good]);
    check(&[good, b"\n\n"].concat(), &[good, b""]);
    check(&[good, b"\n", good].concat(), &[good, good]);
    check(&[good, b"\r"].concat(), &[good]);
}

#[test]
fn a_line_may_be_longer_than_a_chunk() {
    let name = "n".repeat(8 << 20);
    let long = format!(r#"{{"name":"{name}","views":[{{"shape":[3]}}]}}"#).into_bytes();
    let good: &[u8] = br#"{"views":[{"shape":[2]}]}"#;
    check(&[good, &long, good].join(&b'\n'), &[good, &long, good]);
    check(&long, &[&long]);
}

#[test]
fn a_file_is_answered_like_standard_input() {
    let from_file = start(&["pairs.jsonl"]).wait_with_output().expect("ends");
    assert!(from_file.status.success() && from_file.stderr.is_empty());
    let text = cases::text("pairs.jsonl");
    assert!(from_file.stdout == one_by_one(text.lines().map(str::as_bytes)));
    assert!(from_file.stdout == batch(text.as_bytes()).stdout);
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    for path in ["no such file", "."] {
        let output = start(&[path]).wait_with_output().expect("ends");
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(message.contains(path) && message.lines().count() == 1, "{message}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn lines_complete_after_a_burst_are_answered_before_more_is_asked() {
    let mut child = start(&[]);
    let mut stdin = child.stdin.take().expect("is piped");
    let mut answers = BufReader::new(child.stdout.take().expect("is piped"));
    // A whole chunk and more, whole chunks exactly, and half a line at the end.
    let line = format!("{{\"views\":[{{\"shape\":[2]}}],\"x\":\"{}\"}}\n", "n".repeat(95));
    assert_eq!(line.len(), 128);
    let expected = one_by_one([line.trim_end().as_bytes()]);
    for count in [1, 512, 1024, 3, 1500] {
        let mut text = line.repeat(count);
        let half = text.split_off(text.len() - 50);
        let mut sender = stdin;
        let writer = thread::spawn(move || sender.write_all(text.as_bytes()).map(|()| sender));
        let mut found = Vec::new();
        for _ in 1..count {
            answers.read_until(b'\n', &mut found).expect("is written");
        }
        assert!(found == expected.repeat(count - 1));
        stdin = writer.join().expect("no panic").expect("is read");
        stdin.write_all(half.as_bytes()).expect("is read");
        let mut last = Vec::new();
        answers.read_until(b'\n', &mut last).expect("is written");
        assert_eq!(last, expected);
    }
    drop(stdin);
    assert!(child.wait().expect("ends").success());
}

/// Waits for the end, but not for ever.
#[track_caller]
fn ends_well(mut child: Child) {
    let start = Instant::now();
    while child.try_wait().expect("can be asked").is_none() {
        if start.elapsed() > Duration::from_secs(20) {
            child.kill().expect("can be ended");
            assert_eq!(start.elapsed(), Duration::ZERO, "did not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("ends");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && message.is_empty(), "{:?} {message}", output.status);
}

#[test]
fn a_reader_that_leaves_ends_the_run_while_input_keeps_coming() {
    let text = cases::text("pairs.jsonl");
    for taken in [0, 1, 10_000, 1_000_000] {
        let mut child = start(&[]);
        let mut stdin = child.stdin.take().expect("is piped");
        let text = text.clone();
        // Writes until nobody reads.
        let writer = thread::spawn(move || while stdin.write_all(text.as_bytes()).is_ok() {});
        let mut stdout = child.stdout.take().expect("is piped");
        let mut answers = vec![0; taken];
        stdout.read_exact(&mut answers).expect("is written");
        drop(stdout);
        ends_well(child);
        writer.join().expect("no panic");
    }
}

#[test]
fn a_reader_that_leaves_ends_the_run_while_input_stands_still() {
    let mut child = start(&[]);
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("is piped");
    stdin.write_all(b"{}\n{}\n{}").expect("is read");
    ends_well(child);
    drop(stdin);
}
