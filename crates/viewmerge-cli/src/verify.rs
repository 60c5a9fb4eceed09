//! `viewmerge verify`: what certificates show, or why they are refused.
//!
//! `viewmerge-verify` does the checking; it shares nothing with the library.
//! A file holds one certificate, or one per line; each gets a line of output, in order.
//!
//! Certificates of plans (docs/plan.md) are recognised by their member `"certificate":"plan"`.
//!
//! Cost: the file is read as a whole, then checked in time proportional to it in
//! nearly all cases.

use std::io::Read;
use std::path::Path;

use serde_json::json;
use viewmerge_json::verified;
use viewmerge_verify::plan::{PlanShown, Refused, verify_plan};
use viewmerge_verify::{Refusal, Shown, verify_each};

use crate::commands::no_latex;
use crate::options::Format;
use crate::show::{self, Answer, verdict_word};

/// Checks the certificates in a file, or in standard input.
///
/// The answer is yes if all of them hold.
///
/// # Errors
///
/// If the input cannot be read, holds something that is not a certificate, or is too
/// large to check.
pub fn run(file: Option<&Path>, format: Format) -> Result<Answer, show::Refusal> {
    no_latex(format)?;
    let text = read(file)?;
    if let Some(plans) = plans(&text) {
        return about_plans(&plans, format);
    }
    let mut results = verify_each(&text);
    let first = results.next();
    let Some(second) = results.next() else { return alone(first, format) };
    // Line by line, so that many certificates take no more memory than one.
    let (mut all, mut fails, mut malformed, mut too_large) = (0_usize, 0_usize, 0_usize, 0_usize);
    for result in first.into_iter().chain([second]).chain(results) {
        show::print(&format!("{}\n", line(&result, format)))?;
        all += 1;
        match result {
            Ok(_) => {}
            Err(Refusal::Fails(_)) => fails += 1,
            Err(Refusal::Malformed(_)) => malformed += 1,
            Err(_) => too_large += 1,
        }
    }
    let refused = malformed + too_large;
    if refused == 0 {
        return Ok(Answer::status(u8::from(fails > 0)));
    }
    let message =
        format!("{refused} of {all} not checked: {malformed} malformed, {too_large} too large");
    Err(match malformed {
        0 => show::Refusal::Undecided(message),
        _ => show::Refusal::Bad(message),
    })
}

/// The answer about a text that is one certificate.
fn alone(result: Option<Result<Shown, Refusal>>, format: Format) -> Result<Answer, show::Refusal> {
    match result {
        Some(Err(refusal @ Refusal::Malformed(_))) => Err(show::Refusal::Bad(refusal.to_string())),
        Some(Err(refusal @ Refusal::TooLarge(_))) => {
            Err(show::Refusal::Undecided(refusal.to_string()))
        }
        Some(result) => Ok(Answer::new(result.is_ok(), line(&result, format))),
        None => Ok(Answer::status(0)),
    }
}

/// The certificates of plans in a text, if there is one: the whole text, or its lines.
fn plans(text: &str) -> Option<Vec<&str>> {
    let is_plan = |part: &str| {
        let (before, after) = part.split_once("\"certificate\"")?;
        let after = after.trim_start().strip_prefix(':')?.trim_start();
        (before.trim_start().starts_with('{') && after.starts_with("\"plan\"")).then_some(())
    };
    is_plan(text)?;
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let each = lines.iter().all(|line| line.starts_with('{') && line.trim_end().ends_with('}'));
    Some(if each { lines } else { vec![text] })
}

/// A line for every certificate of a plan.
fn about_plans(plans: &[&str], format: Format) -> Result<Answer, show::Refusal> {
    let bullet = if format == Format::Markdown { "- " } else { "" };
    let (mut all, mut bad, mut lines) = (true, None, Vec::new());
    for plan in plans {
        let shown = verify_plan(plan);
        all &= shown.is_ok();
        lines.push(match (&shown, format) {
            (Ok(shown), Format::Json) => {
                json!({ "holds": true, "shown": "plan", "text": plan_text(shown) }).to_string()
            }
            (Ok(shown), _) => {
                format!("{bullet}{}: {}", verdict_word(true, "holds"), plan_text(shown))
            }
            (Err(refused), Format::Json) => {
                let holds = matches!(refused, Refused::Proof { .. }).then_some(false);
                json!({ "holds": holds, "reason": refused.to_string() }).to_string()
            }
            (Err(refused), _) => {
                let text = refused.to_string();
                let (word, rest) = text.split_once(':').unwrap_or((&text, ""));
                format!("{bullet}{}:{rest}", verdict_word(false, word))
            }
        });
        if let Err(refused) = shown
            && !matches!(refused, Refused::Proof { .. })
        {
            bad.get_or_insert(match refused {
                Refused::TooMany { .. } => show::Refusal::Undecided(refused.to_string()),
                _ => show::Refusal::Bad(refused.to_string()),
            });
        }
    }
    match bad {
        None => Ok(Answer::new(all, lines.join("\n"))),
        Some(refusal) => {
            if plans.len() > 1 {
                show::print(&format!("{}\n", lines.join("\n")))?;
            }
            Err(refusal)
        }
    }
}

fn plan_text(shown: &PlanShown) -> String {
    let PlanShown { target, ops, considered, bound, cost, .. } = shown;
    let least = if bound == cost {
        "and none over them costs less"
    } else {
        "and none over them costs less than"
    };
    let rest = if bound == cost { String::new() } else { format!(" {bound}") };
    format!(
        "a plan of {ops} ops for {target:?} costs {cost} bytes, {least}{rest} (up to {considered} layouts a class)"
    )
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

/// One line of output.
fn line(result: &Result<Shown, Refusal>, format: Format) -> String {
    if format == Format::Json {
        return verified(result).to_string();
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
