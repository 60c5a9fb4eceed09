//! `viewmerge batch`: a line in, a line out, in order, as they come.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::Path;

use crate::question::answer;

/// Answers every line of a file, or of standard input.
///
/// A reader that stops reading ends the run cleanly.
///
/// # Errors
///
/// What kept the input from being read or the answers from being written.
pub fn run(file: Option<&Path>) -> Result<(), String> {
    let source: Box<dyn Read> = match file {
        Some(path) if path != Path::new("-") => {
            Box::new(File::open(path).map_err(|e| format!("{}: {e}", path.display()))?)
        }
        _ => Box::new(io::stdin().lock()),
    };
    match answer_all(BufReader::new(source), io::stdout().lock()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(|e| e.to_string()),
    }
}

fn answer_all(mut input: BufReader<impl Read>, output: impl Write) -> io::Result<()> {
    let mut output = BufWriter::new(output);
    let mut line = Vec::new();
    loop {
        // Before waiting for more input, show what is known.
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return output.flush();
        }
        serde_json::to_writer(&mut output, &answer(&line))?;
        output.write_all(b"\n")?;
    }
}
