//! Prints answers and errors.
//!
//! Policy: an answer that cannot be written is an error, exit status 2, unless the reader
//! has closed the pipe.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use viewmerge::Error;

use crate::options::{Colour, Format};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// The answer of a command: text for standard output, and the exit status, 0 for yes.
pub struct Answer {
    text: String,
    status: u8,
}

impl Answer {
    /// An answer of some lines.
    pub fn new(yes: bool, text: impl Into<String>) -> Answer {
        Answer { text: text.into(), status: u8::from(!yes) }
    }

    /// An answer that is one JSON object.
    ///
    /// # Errors
    ///
    /// If it cannot be written as JSON.
    pub fn json(yes: bool, value: &impl Serialize) -> Result<Answer, Refusal> {
        let text = serde_json::to_string(value).map_err(|e| e.to_string())?;
        Ok(Answer::new(yes, text))
    }

    /// The text for standard output.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Yes, without text.
    pub fn silent() -> Answer {
        Answer::status(0)
    }

    /// This exit status, without text.
    pub fn status(status: u8) -> Answer {
        Answer { text: String::new(), status }
    }
}

/// Why there is no answer.
pub enum Refusal {
    /// The input is bad, or a file cannot be read or written.
    Bad(String),
    /// The library refuses the input.
    Refused {
        /// A stable name.
        kind: &'static str,
        /// One line.
        message: String,
        /// The place in the text, in characters from its start.
        at: Option<usize>,
        /// The message with a mark under the place.
        marked: String,
    },
    /// The limit was reached first.
    Undecided(String),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        match error {
            Error::Undecided { .. } | Error::TooManyCases { .. } => {
                Refusal::Undecided(error.to_string())
            }
            error => {
                let (kind, message) = (error.kind(), error.to_string());
                Refusal::Refused { kind, at: error.at(), marked: message.clone(), message }
            }
        }
    }
}

impl From<String> for Refusal {
    fn from(message: String) -> Refusal {
        Refusal::Bad(message)
    }
}

impl From<&str> for Refusal {
    fn from(message: &str) -> Refusal {
        Refusal::Bad(message.into())
    }
}

/// A word in the colour of the answer it gives.
pub fn verdict_word(yes: bool, word: &str) -> String {
    let style = if yes { GOOD } else { BAD };
    format!("{style}{word}{style:#}")
}

/// An index or a shape: `(1,2)`.
pub fn tuple(numbers: &[i64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
    format!("({})", numbers.join(","))
}

/// Decides once whether colour is used.
pub fn set_colour(colour: Colour) {
    match colour {
        Colour::Auto => anstream::ColorChoice::Auto,
        Colour::Always => anstream::ColorChoice::Always,
        Colour::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Prints the answer, or the refusal on standard error; as JSON, if that is the format.
pub fn finish(answer: Result<Answer, Refusal>, format: Option<Format>) -> ExitCode {
    let shown = answer.and_then(|Answer { text, status }| {
        let line = if text.is_empty() { text } else { format!("{}\n", text.trim_end()) };
        print(&line)?;
        Ok(ExitCode::from(status))
    });
    shown.unwrap_or_else(|refusal| {
        let (kind, message, at, marked, status) = match refusal {
            Refusal::Bad(message) => ("bad_input", message.clone(), None, message, 2),
            Refusal::Undecided(message) => ("undecided", message.clone(), None, message, 3),
            Refusal::Refused { kind, message, at, marked } => (kind, message, at, marked, 2),
        };
        if format == Some(Format::Json) {
            let message = anstream::adapter::strip_str(&message).to_string();
            let error = viewmerge_json::Refused { kind: kind.into(), message, at };
            let _ = writeln!(anstream::stderr(), "{error}");
            return ExitCode::from(status);
        }
        // If this fails, only the exit status is left.
        let _ = writeln!(anstream::stderr(), "{BAD}viewmerge:{BAD:#} {marked}");
        ExitCode::from(status)
    })
}

/// Prints what clap answers itself: help, the version, or an error in the arguments.
pub fn finish_early(told: &clap::Error) -> ExitCode {
    if told.use_stderr() {
        let _ = told.print();
        return ExitCode::from(2);
    }
    finish(Ok(Answer::new(true, told.render().ansi().to_string())), None)
}

/// Writes a whole text to standard output.
pub(crate) fn print(text: &str) -> Result<(), String> {
    let mut output = anstream::stdout().lock();
    written(output.write_all(text.as_bytes()).and_then(|()| output.flush()))
}

/// The outcome of an attempt to write to standard output.
///
/// # Errors
///
/// If it failed, other than because the reader closed the pipe.
pub fn written(attempt: io::Result<()>) -> Result<(), String> {
    match attempt {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("standard output: {error}"))
        }
        _ => Ok(()),
    }
}

/// An error in a text, with a caret under the place if it is known.
pub fn mistake(text: &str, error: Error) -> Refusal {
    let mut shown = error.with_source(text);
    if let Some(name) = unknown_name(text, &error) {
        shown += &format!("\nfor a number that is not known, declare it: --param {name}");
    }
    match Refusal::from(error) {
        Refusal::Refused { kind, message, at, .. } => {
            Refusal::Refused { kind, message, at, marked: shown }
        }
        refusal => refusal,
    }
}

/// The name that stands where a number is expected.
fn unknown_name(text: &str, error: &Error) -> Option<String> {
    let Error::Syntax { at, expected, .. } = error else { return None };
    let word = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
    let name: String = text.chars().skip(*at).take_while(word).collect();
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (expected.contains("number") && is_name).then_some(name)
}
