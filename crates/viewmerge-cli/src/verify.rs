//! `viewmerge verify`: what certificates show, or why they are refused.
//!
//! The checking is `viewmerge-verify`'s, which shares nothing with the library.
//! A file holds one certificate, or one a line; every one gets a line of output, in order.
//!
//! Cost: the file is read as a whole, then checked in time proportional to it in
//! nearly all cases.

use std::io::{Read, Write};
use std::path::Path;

use serde_json::{Value, json};
use viewmerge_verify::{Refusal, Shown, verify_each};

use crate::args::Format;
use crate::commands::no_latex;
use crate::show::{Answer, Refusal as NoAnswer, verdict_word};

/// Checks the certificates in a file, or in standard input.
///
/// The answer is yes if all of them hold.
///
/// # Errors
///
/// What kept the input from being read, or that something in it is no certificate.
pub fn run(file: Option<&Path>, format: Format) -> Result<Answer, NoAnswer> {
    no_latex(format)?;
    let text = read(file)?;
    let results: Vec<_> = verify_each(&text).collect();
    let unread = results.iter().filter(|result| !is_decided(result)).count();
    if let ([Err(refusal)], 1) = (results.as_slice(), unread) {
        return Err(refusal.to_string().into());
    }
    let yes = results.iter().all(Result::is_ok);
    let lines: Vec<String> = results.iter().map(|result| line(result, format)).collect();
    let answer = lines.join("\n");
    if unread == 0 {
        return Ok(Answer::new(yes, answer));
    }
    let _ = writeln!(anstream::stdout(), "{answer}");
    let are = if unread == 1 { "is no certificate" } else { "are no certificates" };
    Err(format!("{unread} of {} {are} that can be checked", results.len()).into())
}

fn read(file: Option<&Path>) -> Result<String, String> {
    let mut bytes = Vec::new();
    let name = match file {
        Some(path) if path != Path::new("-") => {
            bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
            path.display().to_string()
        }
        _ => {
            std::io::stdin().read_to_end(&mut bytes).map_err(|error| error.to_string())?;
            "standard input".into()
        }
    };
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("{name}: not a certificate: byte {at} is not UTF-8, accepted: JSON")
    })
}

/// Whether it is a certificate, which holds or does not.
fn is_decided(result: &Result<Shown, Refusal>) -> bool {
    matches!(result, Ok(_) | Err(Refusal::Fails(_)))
}

/// One line of output.
fn line(result: &Result<Shown, Refusal>, format: Format) -> String {
    if format == Format::Json {
        return match result {
            Ok(shown) => {
                json!({"holds": true, "shown": shown.kind(), "text": shown.to_string()})
            }
            Err(refusal) => {
                let holds = if is_decided(result) { json!(false) } else { Value::Null };
                json!({"holds": holds, "reason": refusal.to_string()})
            }
        }
        .to_string();
    }
    let bullet = if format == Format::Markdown { "- " } else { "" };
    match result {
        Ok(shown) => format!("{bullet}{}: {shown}", verdict_word(true, "holds")),
        Err(refusal) => {
            let text = refusal.to_string();
            let (word, rest) = text.split_once(':').unwrap_or((&text, ""));
            format!("{bullet}{}:{rest}", verdict_word(false, word))
        }
    }
}
