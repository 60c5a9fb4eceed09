//! The `viewmerge` command: is this stack of tensor views one view?
//!
//! Results go to standard output, messages to standard error. Exit status 0
//! means yes, 1 no, 2 bad input.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use viewmerge::{Error, Verdict, View};
use viewmerge_cli::batch;

/// The command line.
#[derive(Parser)]
#[command(name = "viewmerge", version, about = ABOUT, long_about = LONG_ABOUT, after_help = EXIT_STATUS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const ABOUT: &str = "Is this stack of tensor views one view, and if not, why?";

const LONG_ABOUT: &str = "\
Is this stack of tensor views one view, and if not, why?

A view is written (shape):(strides)+offset [mask], for example
\"(10,3,3):(8,1,2)+5 [0:10,1:3,0:3]\". Strides left out are contiguous, the
word \"nothing\" stands for a view that is padding everywhere.";

const EXIT_STATUS: &str = "Exit status: 0 one view, 1 not one view, 2 bad input.";

#[derive(Subcommand)]
enum Command {
    /// Decide whether views merge into one: print it, or why there is none.
    #[command(after_help = MERGE_HELP)]
    Merge {
        /// The views, memory side first.
        #[arg(required = true, value_name = "VIEW")]
        views: Vec<String>,
    },
    /// Answer one JSON question a line, in order.
    #[command(after_help = BATCH_HELP)]
    Batch {
        /// The file to read; standard input if left out or "-".
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
}

const MERGE_HELP: &str = "\
Examples:
  viewmerge merge \"(10,3,3):(8,1,2)\" \"(4):(4)\"
  viewmerge merge \"(3,2):(1,3)\" \"(6)\"

Exit status: 0 one view, 1 not one view, 2 bad input.";

const BATCH_HELP: &str = r#"A line is one of
  {"views":[VIEW, ...]}
  {"view":VIEW,"new_shape":[...]}
  {"shape":[...],"ops":[["reshape",[...]],["permute",[...]],["expand",[...]],
    ["pad",[[before,after],...]],["shrink",[[lo,hi],...]],["flip",[axis,...]],["step",[k,...]]]}
where VIEW is {"shape":[...],"strides":[...],"offset":0,"mask":null | [[lo,hi],...] | "nothing"};
other fields are ignored. Every line gives one line:
  {"mergeable":true,"view":VIEW}
  {"mergeable":false,"witness":{...},"views":[the fewest views known]}
  {"error":{"kind":"...","message":"..."}}

Example:
  echo '{"shape":[2,3],"ops":[["permute",[1,0]],["reshape",[6]]]}' | viewmerge batch

Exit status: 0 when all lines were answered, also if some had errors; 2 if the file cannot be read."#;

const NO: u8 = 1;
const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Merge { views } => merge(&views),
        Command::Batch { file } => match batch::run(file.as_deref()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => bad_input(&message),
        },
    }
}

fn merge(texts: &[String]) -> ExitCode {
    let mut views: Vec<View> = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        match text.parse() {
            Ok(view) => views.push(view),
            Err(error) => return bad_input(&describe(number, text, &error)),
        }
    }
    match viewmerge::merge(&views) {
        Ok(Verdict::Merged(view)) => say(&view.to_string(), 0),
        Ok(Verdict::NotMergeable(witness)) => say(&format!("not one view: {witness}"), NO),
        Err(error) => bad_input(&error.to_string()),
    }
}

/// What is wrong with a view, with a caret under the place if it is known.
fn describe(number: usize, text: &str, error: &Error) -> String {
    let mut message = format!("view {number}: {error}\n  {}", text.replace(char::is_control, " "));
    if let Error::Syntax { at, .. } = error {
        message.push_str(&format!("\n  {:>1$}", '^', at + 1));
    }
    message
}

/// Prints a result; a reader that has gone away is no failure.
fn say(result: &str, status: u8) -> ExitCode {
    use std::io::Write;
    let _ = writeln!(std::io::stdout(), "{result}");
    ExitCode::from(status)
}

fn bad_input(message: &str) -> ExitCode {
    eprintln!("viewmerge: {message}");
    ExitCode::from(BAD_INPUT)
}
