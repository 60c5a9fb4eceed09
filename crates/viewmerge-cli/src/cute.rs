//! `viewmerge cute`: questions about CuTe layouts.

use clap::{Args, ValueEnum};
use viewmerge::Limit;
use viewmerge_cute::{Banks, Error, Layout, Operation};
use viewmerge_draw::{ColourBy, Drawing};
use viewmerge_json::layouts::{self, Pattern, Told};

use crate::atoms;
use crate::commands::no_latex;
use crate::draw::Picture;
use crate::options::Format;
use crate::show::{Answer, Refusal, verdict_word};

/// The arguments of `viewmerge cute`.
#[derive(Args)]
pub struct Cute {
    /// The operation; "draw" for a picture of the layout, "atoms" for who holds what in matrix instructions,
    /// "banks" for bank conflicts.
    #[arg(index = 1, value_name = "OP")]
    operation: String,
    /// The layout; swizzled, Sw<B,M,S> o offset o layout, for compose, plain, size and is_injective; with
    /// strides k@i for coordinates. For "atoms" a name, or a part of names.
    #[arg(index = 2, value_name = "A", allow_hyphen_values = true)]
    a: Option<String>,
    /// What the operation takes beside it: a layout, a tiler, a profile or a number.
    #[arg(index = 3, value_name = "B", allow_hyphen_values = true)]
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
    /// banks, sectors: the bytes of an element.
    #[arg(long, value_name = "NUMBER")]
    bytes: Option<i64>,
    /// banks, sectors: how many values a thread reads at once.
    #[arg(long, value_name = "NUMBER")]
    vector: Option<i64>,
    /// banks: how many banks the memory has [default: 32].
    #[arg(long, value_name = "NUMBER")]
    banks: Option<i64>,
    /// banks: the bytes that a bank gives in a cycle [default: 4].
    #[arg(long, value_name = "NUMBER")]
    width: Option<i64>,
    /// banks: the threads of a transaction; by default as many as all banks can serve at once.
    #[arg(long, value_name = "NUMBER")]
    lanes: Option<i64>,
    /// tiled_mma: how often every warp covers what it does along M, N and K.
    #[arg(long, value_name = "M,N,K", value_delimiter = ',')]
    repeat: Option<Vec<i64>>,
    /// local_tile: which tile, a number for every mode.
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    at: Option<Vec<i64>>,
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
/// If the input is bad, or the limit was reached.
pub fn run(asked: &Cute, limit: &Limit<'_>, format: Format) -> Result<Answer, Refusal> {
    let draws = ["draw", "banks"].contains(&asked.operation.as_str());
    if !draws && (asked.thread_value || asked.picture.is_asked_for()) {
        return Err("only draw and banks make pictures: viewmerge cute draw A -o FILE".into());
    }
    if !draws {
        no_latex(format)?;
    }
    if let Some((_, ask)) = BESIDE.iter().find(|(name, _)| *name == asked.operation) {
        return ask(asked, limit, format);
    }
    let operation: Operation = asked.operation.parse().map_err(refused)?;
    let outcome =
        operation.ask(asked.a()?, asked.b.as_deref(), asked.extend, limit).map_err(refused)?;
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

/// `viewmerge cute banks`, with a picture if one is asked for.
fn banks(asked: &Cute, limit: &Limit<'_>, format: Format) -> Result<Answer, Refusal> {
    let usual = Banks::default();
    let banks = Banks {
        banks: asked.banks.unwrap_or(usual.banks),
        width: asked.width.unwrap_or(usual.width),
        lanes: asked.lanes,
    };
    let told = asked.pattern()?.conflicts(&banks, limit).map_err(refused)?;
    if asked.picture.is_asked_for() {
        let access = asked.pattern()?.access().map_err(refused)?;
        let drawing = Drawing::of_access(&access, &banks, Some(&told.answer));
        let format = asked.picture.format()?;
        return asked.picture.write(drawing, format);
    }
    no_latex(format)?;
    answered(told.answer.degree <= 1, &told, format)
}

/// The names of all operations.
pub fn operations() -> Vec<&'static str> {
    let algebra = Operation::ALL.iter().map(|operation| operation.name());
    algebra.chain(BESIDE.iter().map(|(name, _)| *name)).collect()
}

/// A function that answers a question.
type Ask = fn(&Cute, &Limit<'_>, Format) -> Result<Answer, Refusal>;

/// The questions other than the operations of the algebra.
const BESIDE: [(&str, Ask); 7] = [
    ("draw", draw),
    ("atoms", |asked, _, format| atoms::run(asked.a.as_deref(), format)),
    ("banks", banks),
    ("sectors", |asked, limit, format| {
        let access = asked.pattern()?.access().map_err(refused)?;
        let answer = access.sectors(limit).map_err(refused)?;
        answered(true, &Told { text: answer.to_string(), answer }, format)
    }),
    ("tiled_copy", |asked, limit, format| {
        let told = layouts::copied(asked.a()?, asked.b()?, limit).map_err(refused)?;
        answered(told.answer.layout.is_some(), &told, format)
    }),
    ("tiled_mma", |asked, limit, format| {
        let repeat = match asked.repeat.as_deref() {
            None => None,
            Some(&[m, n, k]) => Some([m, n, k]),
            Some(_) => return Err("--repeat takes three numbers, as 1,2,1".into()),
        };
        let atom = layouts::tiled(asked.a()?, asked.b()?, repeat, limit).map_err(refused)?;
        atoms::of(&atom, format)
    }),
    ("local_tile", |asked, limit, format| {
        let at = asked.at.as_deref().unwrap_or_default();
        let told = layouts::tile_at(asked.a()?, asked.b()?, at, limit).map_err(refused)?;
        answered(told.answer.layout.is_some(), &told, format)
    }),
];

fn answered<T: serde::Serialize>(
    yes: bool,
    told: &Told<T>,
    format: Format,
) -> Result<Answer, Refusal> {
    match format {
        Format::Json => Answer::json(yes, &told.answer),
        _ => Ok(Answer::new(yes, told.text.as_str())),
    }
}

impl Cute {
    fn a(&self) -> Result<&str, Refusal> {
        let needed = || format!("{} takes a layout A", self.operation).into();
        self.a.as_deref().ok_or_else(needed)
    }

    fn b(&self) -> Result<&str, Refusal> {
        let needed = || format!("{} takes B beside A", self.operation).into();
        self.b.as_deref().ok_or_else(needed)
    }

    fn pattern(&self) -> Result<Pattern<'_>, Refusal> {
        let (memory, bytes, vector) = (self.a()?, self.bytes, self.vector);
        Ok(Pattern { memory, pattern: self.b.as_deref(), bytes, vector })
    }
}

/// `viewmerge cute draw`
fn draw(asked: &Cute, _: &Limit<'_>, _: Format) -> Result<Answer, Refusal> {
    let a = asked.a()?;
    if asked.b.is_some() || asked.extend {
        return Err("draw takes one layout".into());
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
