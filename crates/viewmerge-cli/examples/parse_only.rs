//! Measures merely reading a file of batch questions as JSON, on one thread and on all
//! cores: roughly a lower bound for `viewmerge batch`.
//!
//! ```sh
//! cargo run --release -p viewmerge-cli --example parse_only questions.jsonl
//! ```
//!
//! Each line is parsed as a tree ([`serde_json::Value`]) and as the views it
//! holds, unchecked. Every thread reads its part of the file.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use std::{env, thread};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use viewmerge::{Movement, ViewParts};

/// The fields of a question, which are read and not used.
#[derive(Deserialize)]
#[allow(dead_code)]
struct Question {
    views: Option<Vec<ViewParts>>,
    view: Option<ViewParts>,
    new_shape: Option<Vec<i64>>,
    shape: Option<Vec<i64>>,
    ops: Option<Vec<Movement>>,
}

/// Whether a line can be parsed.
type Parser = fn(&[u8]) -> bool;

fn main() -> ExitCode {
    let Some(path) = env::args_os().nth(1) else {
        eprintln!("which file?");
        return ExitCode::from(2);
    };
    match measure(Path::new(&path)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            ExitCode::from(2)
        }
    }
}

fn measure(path: &Path) -> io::Result<()> {
    let cores = thread::available_parallelism().map_or(1, usize::from) as u64;
    let length = fs::metadata(path)?.len();
    let parsers: [(&str, Parser); 2] = [("tree", parse::<Value>), ("views", parse::<Question>)];
    for (name, parser) in parsers {
        for threads in [1, cores] {
            let start = Instant::now();
            let lines = thread::scope(|scope| {
                let part = |n: u64| length * n / threads..length * (n + 1) / threads;
                let parts: Vec<_> = (0..threads)
                    .map(|n| scope.spawn(move || count(path, part(n), parser)))
                    .collect();
                let ended = |_| Err(io::Error::other("a thread has panicked"));
                parts
                    .into_iter()
                    .map(|part| part.join().unwrap_or_else(ended))
                    .sum::<io::Result<u64>>()
            })?;
            let seconds = start.elapsed().as_secs_f64();
            let rate = lines as f64 / seconds;
            println!(
                "{name}, threads: {threads}, {lines} lines in {seconds:.3} s, {rate:.0} lines/s"
            );
        }
    }
    Ok(())
}

/// How many lines that begin in this part of the file can be parsed.
fn count(path: &Path, part: Range<u64>, parser: Parser) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let mut at = part.start.saturating_sub(1);
    file.seek(SeekFrom::Start(at))?;
    let mut file = BufReader::with_capacity(64 * 1024, file);
    if part.start > 0 {
        at += file.skip_until(b'\n')? as u64;
    }
    let (mut line, mut parsed) = (Vec::new(), 0);
    while at < part.end {
        line.clear();
        at += file.read_until(b'\n', &mut line)? as u64;
        parsed += u64::from(parser(&line));
    }
    Ok(parsed)
}

fn parse<T: DeserializeOwned>(line: &[u8]) -> bool {
    black_box(serde_json::from_slice::<T>(line)).is_ok()
}
