//! The fuzzers' interesting inputs, each kept as one line of hexadecimal digits.
//!
//! The repository keeps `fuzz/seeds/<target>.hex`; a fuzzer needs a folder with one file for each
//! input, `fuzz/corpus/<target>/`.

use std::io;
use std::path::{Path, PathBuf};

/// The fuzz targets.
pub const TARGETS: [&str; 7] =
    ["merge", "reshape", "ops", "notation", "batch_line", "symbolic", "verify"];

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz"))
}

fn file(target: &str) -> PathBuf {
    folder().join("seeds").join(format!("{target}.hex"))
}

/// The folder in which a fuzzer keeps its inputs.
pub fn corpus(target: &str) -> PathBuf {
    folder().join("corpus").join(target)
}

/// The kept inputs of a target.
///
/// # Errors
///
/// If the file cannot be read, or a line is not hexadecimal.
pub fn read(target: &str) -> io::Result<Vec<Vec<u8>>> {
    let text = std::fs::read_to_string(file(target))?;
    let bad = |line: &str| io::Error::new(io::ErrorKind::InvalidData, line.to_string());
    text.lines()
        .map(|line| {
            let digits: Option<Vec<u8>> =
                line.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
            let digits = digits.filter(|d| d.len() % 2 == 0).ok_or_else(|| bad(line))?;
            Ok(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
        })
        .collect()
}

/// Writes the kept inputs into the folder a fuzzer reads.
///
/// # Errors
///
/// If a file cannot be read or written.
pub fn unpack(target: &str) -> io::Result<usize> {
    let inputs = read(target)?;
    std::fs::create_dir_all(corpus(target))?;
    for (number, input) in inputs.iter().enumerate() {
        std::fs::write(corpus(target).join(format!("seed-{number:04}")), input)?;
    }
    Ok(inputs.len())
}

/// Keeps the inputs of a folder, shortest first.
///
/// # Errors
///
/// If a file cannot be read or written.
pub fn pack(target: &str, from: &Path) -> io::Result<usize> {
    let files = std::fs::read_dir(from)?;
    let inputs = files.map(|entry| std::fs::read(entry?.path()));
    let mut inputs: Vec<Vec<u8>> = inputs.collect::<io::Result<_>>()?;
    inputs.sort_by_key(|input| (input.len(), input.clone()));
    let line = |input: &Vec<u8>| -> String {
        input.iter().map(|byte| format!("{byte:02x}")).chain(["\n".to_string()]).collect()
    };
    std::fs::create_dir_all(folder().join("seeds"))?;
    std::fs::write(file(target), inputs.iter().map(line).collect::<String>())?;
    Ok(inputs.len())
}
