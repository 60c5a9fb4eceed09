//! `viewmerge cute`: questions about CuTe layouts.

use clap::{Args, ValueEnum};
use viewmerge::Limit;
use viewmerge_cute::{Error, Layout, Operation};
use viewmerge_draw::{ColourBy, Drawing};

use crate::atoms;
use crate::commands::no_latex;
use crate::draw::Picture;
use crate::options::Format;
use crate::show::{Answer, Refusal, verdict_word};

/// What `viewmerge cute` is asked.
#[derive(Args)]
pub struct Cute {
    /// The operation; "draw" for a picture of the layout, "atoms" for who holds what in matrix instructions.
    #[arg(value_name = "OP")]
    operation: String,
    /// The layout; swizzled, Sw<B,M,S> o offset o layout, for compose, plain, size and is_injective; with
    /// strides k@i for coordinates. For "atoms" a name, or a part of names.
    #[arg(value_name = "A", allow_hyphen_values = true)]
    a: Option<String>,
    /// What the operation takes beside it: a layout, a tiler, a profile or a number.
    #[arg(value_name = "B", allow_hyphen_values = true)]
    b: Option<String>,
    /// Let the last mode of A go on as far as a composition needs it.
    #[arg(long)]
    extend: bool,
    /// Draw which thread holds what: A takes (thread, value) to a position of a tile.
    #[arg(long)]
    thread_value: bool,
    /// The tile that a thread-value layout fills, as rows and columns.
    #[arg(long, value_name = "M,N", requires = "thread_value", value_parser = tile)]
    tile: Option<[i64; 2]>,
    /// What the cells of a thread-value layout are coloured by.
    #[arg(long, value_enum, default_value_t = Paint::Thread)]
    colour: Paint,
    /// Show in a thread-value layout what one thread holds.
    #[arg(long, value_name = "NUMBER")]
    thread: Option<i64>,
    #[command(flatten)]
    picture: Picture,
}

/// What the cells of a thread-value layout are coloured by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Paint {
    /// The thread.
    Thread,
    /// The number of the value.
    Value,
}

/// The sizes of a tile, as `16,8` or `16x8`.
fn tile(text: &str) -> Result<[i64; 2], String> {
    let trimmed = text.trim().trim_start_matches('(').trim_end_matches(')');
    let sizes: Vec<Option<i64>> =
        trimmed.split([',', 'x']).map(|size| size.trim().parse().ok()).collect();
    match sizes[..] {
        [Some(rows), Some(columns)] if rows > 0 && columns > 0 => Ok([rows, columns]),
        _ => Err(format!("{text:?} is no tile, that is two sizes of 1 or more, as 16,8")),
    }
}

/// `viewmerge cute`
///
/// # Errors
///
/// What is wrong with the input, or that the limit was reached.
pub fn run(asked: &Cute, limit: &Limit<'_>, format: Format) -> Result<Answer, Refusal> {
    if asked.operation == "atoms" {
        no_latex(format)?;
        return atoms::run(asked.a.as_deref(), format);
    }
    let Some(a) = asked.a.as_deref() else {
        return Err(format!("{} takes a layout A", asked.operation).into());
    };
    if asked.operation == "draw" {
        return draw(asked, a);
    }
    if asked.thread_value || asked.picture.is_asked_for() {
        return Err("only draw makes pictures: viewmerge cute draw A -o FILE".to_owned().into());
    }
    no_latex(format)?;
    let operation: Operation = asked.operation.parse().map_err(refused)?;
    let outcome = operation.ask(a, asked.b.as_deref(), asked.extend, limit).map_err(refused)?;
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

/// `viewmerge cute draw`
fn draw(asked: &Cute, a: &str) -> Result<Answer, Refusal> {
    if asked.b.is_some() || asked.extend {
        return Err("draw takes one layout".to_owned().into());
    }
    let format = asked.picture.format()?;
    let held = match atoms::operand(a) {
        Some(operand) => {
            let operand = operand.map_err(refused)?;
            operand.layout.map(|layout| (layout, Some(operand.tile)))
        }
        None if asked.thread_value => {
            let layout: Layout = a.parse().map_err(refused)?;
            Some((layout, asked.tile))
        }
        None => None,
    };
    let drawing = match held {
        Some((layout, tile)) => {
            let by = match asked.colour {
                Paint::Thread => ColourBy::Thread,
                Paint::Value => ColourBy::Value,
            };
            let drawing = Drawing::of_thread_values(&layout, tile, by).map_err(refused)?;
            match asked.thread {
                None => drawing,
                Some(thread) => drawing.only_thread(thread),
            }
        }
        None if asked.thread.is_some() => {
            return Err("--thread is for thread-value layouts: --thread-value".into());
        }
        None => Drawing::of_cute(a).map_err(refused)?,
    };
    asked.picture.write(drawing, format)
}

fn refused(error: Error) -> Refusal {
    match error {
        Error::View(error) => error.into(),
        Error::Undecided { .. } => Refusal::Undecided(error.to_string()),
        error => Refusal::Bad(error.to_string()),
    }
}
