//! `viewmerge cute`: questions about CuTe layouts.

use clap::Args;
use viewmerge::Limit;
use viewmerge_cute::{Error, Operation};

use crate::args::Format;
use crate::commands::no_latex;
use crate::show::{Answer, Refusal, verdict_word};

/// What `viewmerge cute` is asked.
#[derive(Args)]
pub struct Cute {
    /// The operation.
    #[arg(value_name = "OP")]
    operation: String,
    /// The layout; swizzled, Sw<B,M,S> o offset o layout, for compose, plain, size and is_injective.
    #[arg(value_name = "A", allow_hyphen_values = true)]
    a: String,
    /// What the operation takes beside it: a layout, a tiler, a profile or a number.
    #[arg(value_name = "B", allow_hyphen_values = true)]
    b: Option<String>,
    /// Let the last mode of A go on as far as a composition needs it.
    #[arg(long)]
    extend: bool,
}

/// `viewmerge cute`
///
/// # Errors
///
/// What is wrong with the input, or that the limit was reached.
pub fn run(asked: &Cute, limit: &Limit<'_>, format: Format) -> Result<Answer, Refusal> {
    no_latex(format)?;
    let operation: Operation = asked.operation.parse().map_err(refused)?;
    let outcome =
        operation.ask(&asked.a, asked.b.as_deref(), asked.extend, limit).map_err(refused)?;
    let yes = outcome.holds();
    if format == Format::Json {
        return Answer::json(yes, &outcome);
    }
    let text = outcome.to_string();
    Ok(Answer::new(
        yes,
        match (text.split_once(':'), format) {
            (Some((word, rest)), Format::Text) if !yes => {
                format!("{}:{rest}", verdict_word(false, word))
            }
            (_, Format::Markdown) if yes => format!("`{text}`"),
            _ => text,
        },
    ))
}

fn refused(error: Error) -> Refusal {
    match error {
        Error::View(error) => error.into(),
        Error::Undecided { .. } => Refusal::Undecided(error.to_string()),
        error => Refusal::Bad(error.to_string()),
    }
}
