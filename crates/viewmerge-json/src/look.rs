//! Data for animated pictures of a chain: its views and their cells, how the digits move
//! where two steps disagree, the chain with a remedy applied, and for which numbers in
//! its text it is one view.
//!
//! Nothing is decided here: positions come from [`View::index`], verdicts from
//! [`ViewChain::merge`].
//!
//! ```
//! use viewmerge::ViewChain;
//! use viewmerge_json::look;
//!
//! let chain: ViewChain = "(2,3) | permute(1,0) | reshape(6)".parse()?;
//! let cells = look::cells(&chain, &[None, Some(vec![(1, 3)])])?;
//! assert_eq!(cells["views"][1]["position"].to_string(), "[1,2]");
//! assert_eq!(cells["views"][1]["memory"].to_string(), "[3,1]");
//! # Ok::<(), viewmerge_json::Refused>(())
//! ```
//!
//! Policy: a number that a browser cannot hold exactly, beyond ±(2^53 − 1), is written
//! as a string. Cost: a microsecond for every ten cells; [`MOST_CELLS`] of a view at most.

mod agree;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use viewmerge::{Error, Explanation, Limit, View, ViewChain, Witness, ravel, unravel};

use crate::refused::Refused;
pub use agree::{agreeing, first_difference};

/// The most cells of a view in one answer.
pub const MOST_CELLS: i64 = 4096;

/// The most numbers that a sweep tries.
pub const MOST_VALUES: i64 = 512;

/// A number that a reader with 64-bit floats reads exactly.
#[derive(Clone, Copy)]
struct Exact(i64);

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const SAFE: u64 = (1 << 53) - 1;
        if self.0.unsigned_abs() <= SAFE {
            serializer.serialize_i64(self.0)
        } else {
            serializer.collect_str(&self.0)
        }
    }
}

fn exact(numbers: &[i64]) -> Vec<Exact> {
    numbers.iter().copied().map(Exact).collect()
}

/// The views of a chain, and the memory they reach.
pub fn views(chain: &ViewChain) -> Value {
    let views = chain.views().iter().map(|view| {
        json!({
            "text": view.to_string(),
            "shape": exact(view.shape()),
            "strides": exact(view.strides()),
            "offset": Exact(view.offset()),
            "valid": view.valid_box().map(|bounds| {
                bounds.iter().map(|&(lo, hi)| [Exact(lo), Exact(hi)]).collect::<Vec<_>>()
            }),
            "count": Exact(view.count()),
        })
    });
    let views: Vec<Value> = views.collect();
    json!({ "text": chain.to_string(), "views": views, "memory": memory_range(chain) })
}

/// The smallest and the largest memory position of the view next to memory.
fn memory_range(chain: &ViewChain) -> Option<[Exact; 2]> {
    let (low, high) = chain.views().first()?.position_range()?;
    Some([Exact(low), Exact(high)])
}

/// A window of a view: an interval of every axis.
pub type Window = Vec<(i64, i64)>;

/// The cells of the views of a chain that lie in windows, those of a view without a
/// window left out.
///
/// For every cell: its linear index, its position, which is a linear index of the view
/// below, and its memory position; null for padding.
///
/// # Errors
///
/// If a window does not have the rank of its view, or has too many cells.
pub fn cells(chain: &ViewChain, windows: &[Option<Window>]) -> Result<Value, Refused> {
    let views = chain.views();
    let told = views.iter().enumerate().map(|(number, view)| {
        let Some(window) = windows.get(number).and_then(Option::as_ref) else {
            return Ok(Value::Null);
        };
        let below = match number {
            0 => None,
            _ => Some(ViewChain::from_views(&views[..number])?),
        };
        cells_of(view, number, below.as_ref(), window)
    });
    let told: Vec<Value> = told.collect::<Result<_, Refused>>()?;
    Ok(json!({ "views": told }))
}

fn cells_of(
    view: &View,
    number: usize,
    below: Option<&ViewChain>,
    window: &[(i64, i64)],
) -> Result<Value, Refused> {
    if window.len() != view.rank() {
        return Err(refused(format!(
            "the window of view {number} has {} intervals for {} axes",
            window.len(),
            view.rank()
        )));
    }
    let within = |(&(lo, hi), &size): (&(i64, i64), &i64)| {
        let lo = lo.clamp(0, size);
        (lo, hi.clamp(lo, size))
    };
    let window: Window = window.iter().zip(view.shape()).map(within).collect();
    let lengths: Vec<i64> = window.iter().map(|(lo, hi)| hi - lo).collect();
    let count = lengths.iter().try_fold(1i64, |count, &length| count.checked_mul(length));
    let Some(count) = count.filter(|&count| count <= MOST_CELLS) else {
        return Err(refused(format!(
            "the window of view {number} has more than {MOST_CELLS} cells"
        )));
    };
    let (mut linear, mut position, mut memory) = (Vec::new(), Vec::new(), Vec::new());
    for cell in 0..count {
        let offset = unravel(&lengths, cell)?;
        let index: Vec<i64> = offset.iter().zip(&window).map(|(o, (lo, _))| o + lo).collect();
        let here = view.index(&index)?;
        let there = match (here, below) {
            (Some(here), Some(below)) => below.at(here)?,
            (here, _) => here,
        };
        linear.push(Exact(ravel(view.shape(), &index)?));
        position.push(here.map(Exact));
        memory.push(there.map(Exact));
    }
    let window: Vec<[Exact; 2]> = window.iter().map(|&(lo, hi)| [Exact(lo), Exact(hi)]).collect();
    Ok(json!({ "window": window, "index": linear, "position": position, "memory": memory }))
}

fn refused(message: String) -> Refused {
    Refused::new("window", message)
}

/// An index on its way down, view by view, the last view first: its digits in the shape of
/// the view, and the position there; null from the first view where it is padding.
///
/// # Errors
///
/// If the last view does not have this index.
pub fn trace(chain: &ViewChain, index: &[i64]) -> Result<Value, Error> {
    let levels = levels(chain, index)?;
    Ok(json!({ "levels": levels.iter().map(Level::json).collect::<Vec<_>>() }))
}

/// An index on its way down: where it is in one view.
struct Level {
    view: usize,
    digits: Vec<i64>,
    linear: i64,
    position: Option<i64>,
}

impl Level {
    fn json(&self) -> Value {
        json!({
            "view": self.view,
            "digits": exact(&self.digits),
            "linear": Exact(self.linear),
            "position": self.position.map(Exact),
        })
    }
}

fn levels(chain: &ViewChain, index: &[i64]) -> Result<Vec<Level>, Error> {
    let mut levels = Vec::new();
    let mut digits = index.to_vec();
    for (number, view) in chain.views().iter().enumerate().rev() {
        let position = view.index(&digits)?;
        let linear = ravel(view.shape(), &digits)?;
        levels.push(Level { view: number, digits, linear, position });
        let (Some(position), Some(below)) = (position, number.checked_sub(1)) else { break };
        digits = unravel(chain.views()[below].shape(), position)?.to_vec();
    }
    Ok(levels)
}

/// The indices of a witness on their way down. For a step, both its ends and, at every
/// view, the digits that overflow between them; for a hole, its three indices.
///
/// # Errors
///
/// If the witness is about another chain.
pub fn witnessed(chain: &ViewChain, witness: &Witness) -> Result<Value, Error> {
    match witness {
        Witness::Step { axis, at, step, other, other_step } => {
            let one = step_of(chain, *axis, at, *step)?;
            let two = step_of(chain, *axis, other, *other_step)?;
            Ok(json!({ "kind": "step", "axis": axis, "steps": [one, two] }))
        }
        Witness::Hole { valid: [first, second], invalid } => Ok(json!({
            "kind": "hole",
            "valid": [trace(chain, first)?, trace(chain, second)?],
            "invalid": trace(chain, invalid)?,
        })),
    }
}

fn step_of(chain: &ViewChain, axis: usize, at: &[i64], step: i64) -> Result<Value, Error> {
    let mut next = at.to_vec();
    if let Some(index) = next.get_mut(axis) {
        *index += 1;
    }
    let (from, to) = (levels(chain, at)?, levels(chain, &next)?);
    let overflows = from.iter().zip(&to).map(|(from, to)| {
        let shape = chain.views()[from.view].shape();
        json!({ "view": from.view, "digits": overflowing(shape, from.linear, to.linear) })
    });
    Ok(json!({
        "step": Exact(step),
        "overflows": overflows.collect::<Vec<_>>(),
        "from": from.iter().map(Level::json).collect::<Vec<_>>(),
        "to": to.iter().map(Level::json).collect::<Vec<_>>(),
    }))
}

/// The digits that overflow into the one before them on the way from one linear position
/// to another: where the floor above a digit moves by another amount than the step alone.
fn overflowing(shape: &[i64], from: i64, to: i64) -> Vec<usize> {
    let mut digits = Vec::new();
    let mut modulus = 1i64;
    for digit in (1..shape.len()).rev() {
        modulus = modulus.saturating_mul(shape[digit].max(1));
        if to.div_euclid(modulus) - from.div_euclid(modulus) != (to - from).div_euclid(modulus) {
            digits.push(digit);
        }
    }
    digits
}

/// The chain with every remedy of an explanation applied, as text for further questions.
///
/// # Errors
///
/// If the explanation is about another chain.
pub fn remedied(chain: &ViewChain, why: &Explanation) -> Result<Value, Error> {
    let mut told = Vec::new();
    if let Some(remedy) = why.remedies.stride {
        let (number, axis, stride) = (remedy.view, remedy.axis, remedy.stride);
        let mut views = chain.views().to_vec();
        let view = &views[number];
        let mut strides = view.strides().to_vec();
        if let Some(old) = strides.get_mut(axis) {
            *old = stride;
        }
        views[number] = View::new(view.shape(), &strides, view.offset(), view.validity().clone())?;
        told.push(json!({
            "kind": "stride",
            "words": remedy.to_string(),
            "chain": ViewChain::from_views(&views)?.to_string(),
        }));
    }
    if let Some(remedy) = why.remedies.length {
        let (axis, length) = (remedy.axis, remedy.length);
        let keep = |(here, &size): (usize, &i64)| (0, if here == axis { length } else { size });
        let bounds: Vec<(i64, i64)> = chain.shape().iter().enumerate().map(keep).collect();
        told.push(json!({
            "kind": "length",
            "words": remedy.to_string(),
            "chain": chain.shrink(&bounds)?.to_string(),
            "op": format!("shrink({})", pairs(&bounds)),
        }));
    }
    if let Some(split) = &why.remedies.split {
        let shape = split.factors.shape();
        let sizes: Vec<String> = shape.iter().map(i64::to_string).collect();
        told.push(json!({
            "kind": "split",
            "words": split.to_string(),
            "chain": chain.reshape(&shape)?.to_string(),
            "op": format!("reshape({})", sizes.join(",")),
        }));
    }
    if let Some(copy) = &why.remedies.copy {
        told.push(json!({
            "kind": "copy",
            "words": format!("copy {copy}"),
            "chain": copy.rest.to_string(),
        }));
    }
    Ok(Value::Array(told))
}

fn pairs(bounds: &[(i64, i64)]) -> String {
    let pairs: Vec<String> = bounds.iter().map(|(lo, hi)| format!("({lo},{hi})")).collect();
    pairs.join(",")
}

/// Whether the text `before N after` is one view, for every N of an interval: a letter
/// for each, `m` one view, `n` not, `u` undecided within the limit, `e` refused.
///
/// ```
/// use viewmerge::Limit;
/// use viewmerge_json::look::sweep;
///
/// let value = sweep("(10,3,3):(8,1,2) | (", "):(4)", (3, 24), &Limit::none())?;
/// assert_eq!(value["verdicts"], "mmmnnnnnnnnnnnnnnnnnne");
/// # Ok::<(), viewmerge_json::Refused>(())
/// ```
///
/// # Errors
///
/// If the interval has more than [`MOST_VALUES`] numbers.
pub fn sweep(
    before: &str,
    after: &str,
    (from, to): (i64, i64),
    limit: &Limit<'_>,
) -> Result<Value, Refused> {
    if to.checked_sub(from).is_none_or(|count| count >= MOST_VALUES) {
        let message =
            format!("{from} to {to} is too long, at most {MOST_VALUES} numbers are tried");
        return Err(Refused::new("sweep", message));
    }
    let verdict = |number: i64| {
        let text = format!("{before}{number}{after}");
        let Ok(chain) = viewmerge_paste::parse(&text, str::parse::<ViewChain>) else { return 'e' };
        match chain.merge_within(limit) {
            Ok(verdict) if verdict.is_merged() => 'm',
            Ok(_) => 'n',
            Err(Error::Undecided { .. }) => 'u',
            Err(_) => 'e',
        }
    };
    Ok(json!({ "from": Exact(from), "verdicts": (from..=to).map(verdict).collect::<String>() }))
}
