//! How answers and mistakes are shown.

use std::io::Write;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use viewmerge::Error;

use crate::args::Colour;

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// What a command found: text for standard output, and whether the answer is yes.
pub struct Answer {
    text: String,
    yes: bool,
}

impl Answer {
    /// An answer of some lines.
    pub fn new(yes: bool, text: impl Into<String>) -> Answer {
        Answer { text: text.into(), yes }
    }

    /// An answer that is one JSON object.
    ///
    /// # Errors
    ///
    /// If it cannot be written as JSON.
    pub fn json(yes: bool, value: &impl Serialize) -> Result<Answer, Refusal> {
        let text = serde_json::to_string(value).map_err(|e| e.to_string())?;
        Ok(Answer { text, yes })
    }

    /// Yes, and nothing more to say.
    pub fn silent() -> Answer {
        Answer { text: String::new(), yes: true }
    }
}

/// Why there is no answer.
pub enum Refusal {
    /// The input is bad, or a file cannot be read or written.
    Bad(String),
    /// The limit was reached first.
    Undecided(String),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        match error {
            Error::Undecided { .. } => Refusal::Undecided(error.to_string()),
            error => Refusal::Bad(error.to_string()),
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

/// Decides once whether colour is used.
pub fn set_colour(colour: Colour) {
    match colour {
        Colour::Auto => anstream::ColorChoice::Auto,
        Colour::Always => anstream::ColorChoice::Always,
        Colour::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Prints the answer or the mistake; a reader that has gone away is no failure.
pub fn finish(answer: Result<Answer, Refusal>) -> ExitCode {
    let (message, status) = match answer {
        Ok(Answer { text, yes }) => {
            if !text.is_empty() {
                let _ = writeln!(anstream::stdout(), "{}", text.trim_end());
            }
            return ExitCode::from(u8::from(!yes));
        }
        Err(Refusal::Bad(message)) => (message, 2),
        Err(Refusal::Undecided(message)) => (message, 3),
    };
    let _ = writeln!(anstream::stderr(), "{BAD}viewmerge:{BAD:#} {message}");
    ExitCode::from(status)
}

/// A mistake in a text, with a caret under the place if it is known.
pub fn mistake(text: &str, error: &Error) -> String {
    let Some(at) = error.at() else { return format!("{error}\n  {}", one_line(text)) };
    format!("{error}\n  {}\n  {:>2$}", one_line(text), '^', at + 1)
}

/// Every character in its place, none that moves the cursor.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}
