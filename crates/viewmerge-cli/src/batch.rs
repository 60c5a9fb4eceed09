//! `viewmerge batch`: answers each line as it arrives, in order.
//!
//! The input is cut into chunks of whole lines (`batch/lines.rs`), the chunks are
//! answered on all cores (`batch/in_order.rs`), and the answers are written in the
//! order of the questions, a chunk at a time. On a terminal, the progress through a file
//! is shown (`batch/progress.rs`).
//!
//! Cost: memory holds a few chunks and their answers for every core, whatever the length
//! of the input; a line longer than a chunk is held whole.
//!
//! Policy: lines are answered as soon as they are complete, so a client may wait for each
//! answer before it asks again. A line that cannot be read gets an error line. A reader
//! that stops reading ends the run at once, without an error; any other failure to write
//! is reported as an error of the output, not of the input.

mod in_order;
mod lines;
mod progress;

use std::fs::File;
use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::thread;

use viewmerge::Limit;
use viewmerge_json::answer_line;

use crate::show::written;
use in_order::{InOrder, Stop};
use lines::Chunks;
use progress::Progress;

/// What ends a run before the end of the input.
enum Failure {
    Input(io::Error),
    Output(io::Error),
    /// Anything else.
    Run(String),
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        match stop {
            Stop::Source(error) => Failure::Input(error),
            Stop::Thread(why) => Failure::Run(why.into()),
        }
    }
}

/// Answers every line of a file, or of standard input.
///
/// A reader that stops reading ends the run cleanly. The run then does not wait for the
/// thread that reads the input, which may be blocked: it ends after its next read, or
/// with the process.
///
/// # Errors
///
/// If the input cannot be read or the answers cannot be written.
pub fn run(file: Option<&Path>, limit: Limit<'static>) -> Result<(), String> {
    let output = io::stdout().lock();
    let file = file.filter(|path| *path != Path::new("-"));
    let done = match file {
        Some(path) => answer_file(path, output, limit),
        None => answer_all(io::stdin(), output, Progress::hidden(), limit),
    };
    match (done, file) {
        (Ok(()), _) => Ok(()),
        (Err(Failure::Output(error)), _) => written(Err(error)),
        (Err(Failure::Run(why)), _) => Err(why),
        (Err(Failure::Input(error)), Some(path)) => Err(format!("{}: {error}", path.display())),
        (Err(Failure::Input(error)), None) => Err(format!("standard input: {error}")),
    }
}

fn answer_file(path: &Path, output: impl Write, limit: Limit<'static>) -> Result<(), Failure> {
    let source = File::open(path).map_err(Failure::Input)?;
    let progress = Progress::of(&source.metadata().map_err(Failure::Input)?);
    answer_all(source, output, progress, limit)
}

fn answer_all(
    source: impl Read + Send + 'static,
    mut output: impl Write,
    mut progress: Progress,
    limit: Limit<'static>,
) -> Result<(), Failure> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let other = |error: io::Error| Failure::Run(error.to_string());
    let answer = move |chunk: &[u8]| answer_lines(chunk, &limit);
    let chunks = InOrder::start(Chunks::new(source), threads, answer);
    for answers in chunks.map_err(other)? {
        let answers = answers?.map_err(other)?;
        let attempt = output.write_all(&answers.text).and_then(|()| output.flush());
        attempt.map_err(Failure::Output)?;
        progress.add(answers.bytes, answers.lines);
    }
    Ok(())
}

/// The answers to a chunk of lines.
struct Answers {
    /// One line for each question.
    text: Vec<u8>,
    /// How many lines there were, and how long the chunk was.
    lines: u64,
    bytes: u64,
}

fn answer_lines(chunk: &[u8], limit: &Limit<'_>) -> io::Result<Answers> {
    // An answer is seldom longer than its question.
    let mut text = Vec::with_capacity(chunk.len());
    let (mut rest, mut lines) = (chunk, 0);
    while !rest.is_empty() {
        let start = rest;
        let length = rest.skip_until(b'\n')?;
        let line = without_end(&start[..length]);
        text.extend_from_slice(answer_line(line, limit).as_bytes());
        text.push(b'\n');
        lines += 1;
    }
    Ok(Answers { text, lines, bytes: chunk.len() as u64 })
}

/// The line without its line end, so that columns in messages are those of the line.
fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that gives a few bytes at a time, cutting lines anywhere.
    struct Dribble(Vec<u8>, usize);

    impl Read for Dribble {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = self.1 % 7 + 1;
            let count = self.1.min(self.0.len()).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0.drain(..count);
            Ok(count)
        }
    }

    #[test]
    fn reads_that_cut_lines_change_nothing() {
        let text = "{\"views\":[{\"shape\":[2]}]}\r\n\nno json\n{\"view\":1}";
        let mut output = Vec::new();
        let done =
            answer_all(Dribble(text.into(), 0), &mut output, Progress::hidden(), Limit::none());
        assert!(done.is_ok());
        let whole = answer_lines(text.as_bytes(), &Limit::none()).expect("no failure");
        assert_eq!(output, whole.text);
        assert_eq!((whole.lines, whole.bytes), (4, text.len() as u64));
    }

    #[test]
    fn a_read_that_fails_is_told_after_the_answers_before_it() {
        struct Failing(bool);
        impl Read for Failing {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                if std::mem::replace(&mut self.0, true) {
                    return Err(io::Error::other("unplugged"));
                }
                buffer[..3].copy_from_slice(b"{}\n");
                Ok(3)
            }
        }
        let mut output = Vec::new();
        match answer_all(Failing(false), &mut output, Progress::hidden(), Limit::none()) {
            Err(Failure::Input(error)) => assert_eq!(error.to_string(), "unplugged"),
            _ => unreachable!("the input fails"),
        }
        assert_eq!(output, answer_lines(b"{}", &Limit::none()).expect("no failure").text);
    }
}
