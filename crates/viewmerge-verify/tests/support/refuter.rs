//! Proves that rows have no integer solution: bounds are propagated along rows, and where that does not
//! yield a contradiction, a variable is split.

use std::collections::BTreeMap;

use num_bigint::{BigInt, Sign};
use serde_json::{Value, json};

use super::naive::Interval;
use super::random::Random;
use super::truth::{floor, written};

/// A linear form: coefficients and a constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Form(pub Vec<BigInt>, pub BigInt);

impl Form {
    pub fn constant(variables: usize, constant: impl Into<BigInt>) -> Form {
        Form(vec![BigInt::ZERO; variables], constant.into())
    }

    pub fn zero(variables: usize) -> Form {
        Form::constant(variables, 0)
    }

    pub fn variable(variables: usize, number: usize) -> Form {
        let mut form = Form::zero(variables);
        form.0[number] = 1.into();
        form
    }

    /// The same form over this many variables.
    pub fn wide(mut self, variables: usize) -> Form {
        self.0.resize(variables, BigInt::ZERO);
        self
    }

    pub fn plus(&self, times: impl Into<BigInt>, other: &Form) -> Form {
        let (times, most) = (times.into(), self.0.len().max(other.0.len()));
        let (mut sum, other) = (self.clone().wide(most), other.clone().wide(most));
        for (a, b) in sum.0.iter_mut().zip(&other.0) {
            *a += &times * b;
        }
        sum.1 += times * other.1;
        sum
    }
}

#[derive(Clone, Debug)]
pub struct Row {
    pub form: Form,
    pub ends: [Option<BigInt>; 2],
}

impl Row {
    pub fn new(form: Form, low: Option<i128>, high: Option<i128>) -> Row {
        Row { form, ends: [low.map(BigInt::from), high.map(BigInt::from)] }
    }

    pub fn within(form: Form, (lo, hi): Interval) -> Row {
        Row::new(form, Some(lo), Some(hi - 1))
    }

    pub fn beyond(form: Form, (lo, hi): Interval, side: usize) -> Row {
        if side == 0 { Row::new(form, None, Some(lo - 1)) } else { Row::new(form, Some(hi), None) }
    }
}

fn positive(number: &BigInt) -> bool {
    number.sign() == Sign::Plus
}

fn magnitude(number: &BigInt) -> BigInt {
    number.magnitude().clone().into()
}

pub const SIDES: [&str; 2] = ["low", "high"];

/// Multiples of ends of rows: how a bound of a variable is derived.
type Multiples = BTreeMap<(usize, usize), BigInt>;

/// A bound of a variable, and how it is derived.
#[derive(Clone)]
struct Bound(BigInt, Multiples);

/// The bounds of a variable: low and high.
type Bounds = [Option<Bound>; 2];

/// The least (0) or greatest (1) value of a form without one variable, and how it is derived.
fn extreme(form: &Form, side: usize, without: usize, bounds: &[Bounds]) -> Option<Bound> {
    let mut sum = Bound(form.1.clone(), Multiples::new());
    for (variable, c) in form.0.iter().enumerate() {
        if *c == BigInt::ZERO || variable == without {
            continue;
        }
        let bound = bounds[variable][if positive(c) { side } else { 1 - side }].as_ref()?;
        sum.0 += c * &bound.0;
        for (end, times) in &bound.1 {
            *sum.1.entry(*end).or_default() += magnitude(c) * times;
        }
    }
    Some(sum)
}

/// The bounds of all variables; or absurd multiples, if two bounds exclude each other.
fn propagate(rows: &[Row], variables: usize) -> Result<Vec<Bounds>, Multiples> {
    let mut bounds: Vec<Bounds> = vec![[None, None]; variables];
    for _ in 0..2 * variables + 2 {
        for (number, row) in rows.iter().enumerate() {
            let ones = |(_, c): &(usize, &BigInt)| magnitude(c) == 1.into();
            for (variable, c) in row.form.0.iter().enumerate().filter(ones) {
                for end in 0..2 {
                    let Some(value) = &row.ends[end] else { continue };
                    // form ≥ low gives c·v ≥ low − (greatest of the rest).
                    let Some(rest) = extreme(&row.form, 1 - end, variable, bounds.as_slice())
                    else {
                        continue;
                    };
                    let side = if positive(c) { end } else { 1 - end };
                    let found = c * (value - rest.0);
                    let known = bounds[variable][side].as_ref().map(|bound| &bound.0);
                    let better = match side {
                        0 => known.is_none_or(|known| found > *known),
                        _ => known.is_none_or(|known| found < *known),
                    };
                    if better {
                        let mut multiples = rest.1;
                        *multiples.entry((number, end)).or_default() += 1;
                        bounds[variable][side] = Some(Bound(found, multiples));
                        if let [Some(low), Some(high)] = &bounds[variable]
                            && low.0 > high.0
                        {
                            let mut sum = low.1.clone();
                            for (end, times) in &high.1 {
                                *sum.entry(*end).or_default() += times;
                            }
                            return Err(sum);
                        }
                    }
                }
            }
        }
    }
    Ok(bounds)
}

fn absurd(multiples: &Multiples) -> Value {
    let parts =
        multiples.iter().map(|((row, end), times)| json!([row, SIDES[*end], written(times)]));
    json!({"absurd": parts.collect::<Vec<_>>()})
}

/// The most nested splits, and the most values of a variable that splits distinguish.
pub const DEEPEST: usize = 400;
const WIDEST: i32 = 64;

/// A proof that no integers satisfy all rows, if that is so and the proof is found.
pub fn prove(rows: &[Row], variables: usize, random: &mut Random, depth: usize) -> Option<Value> {
    if depth > DEEPEST {
        return None;
    }
    let bounds = match propagate(rows, variables) {
        Ok(bounds) => bounds,
        Err(multiples) => return Some(absurd(&multiples)),
    };
    for (number, row) in rows.iter().enumerate() {
        for end in 0..2 {
            let Some(value) = &row.ends[end] else { continue };
            // The greatest value is below the low end, or the least is above the high end.
            let Some(Bound(far, mut multiples)) =
                extreme(&row.form, 1 - end, usize::MAX, bounds.as_slice())
            else {
                continue;
            };
            if (end == 0 && far < *value) || (end == 1 && far > *value) {
                *multiples.entry((number, end)).or_default() += 1;
                return Some(absurd(&multiples));
            }
        }
    }
    if let Some((variable, at)) = cut(rows, &bounds) {
        return split(Form::variable(variables, variable), at, rows, variables, random, depth);
    }
    let used = |v: usize| rows.iter().any(|row| row.form.0[v] != BigInt::ZERO);
    let open = (0..variables).filter_map(|v| match &bounds[v] {
        [Some(low), Some(high)] if used(v) && low.0 < high.0 => {
            Some((v, low.0.clone(), high.0.clone()))
        }
        _ => None,
    });
    let open: Vec<_> = open.collect();
    let (form, at) = if depth < 2 && variables > 1 && random.one_in(6) {
        // A form of several variables: not needed, but allowed.
        let form = Form((0..variables).map(|_| random.between(-1, 1).into()).collect(), 0.into());
        (form, random.between(-2, 6).into())
    } else {
        // In order: once the index is fixed, each row in turn fixes its quotient.
        let (variable, low, high) =
            open.first().filter(|(_, low, high)| high - low < WIDEST.into())?;
        (Form::variable(variables, *variable), (low + high - 1) >> 1)
    };
    split(form, at, rows, variables, random, depth)
}

fn split(
    form: Form,
    at: BigInt,
    rows: &[Row],
    variables: usize,
    random: &mut Random,
    depth: usize,
) -> Option<Value> {
    let with = |ends| [rows, &[Row { form: form.clone(), ends }]].concat();
    let low = prove(&with([None, Some(at.clone())]), variables, random, depth + 1)?;
    let high = prove(&with([Some(&at + 1), None]), variables, random, depth + 1)?;
    let split: Vec<Value> = form.0.iter().map(written).collect();
    Some(json!({"split": split, "at": written(&at), "low": low, "high": high}))
}

/// A split that leaves nothing on one side: it bounds a variable that had no bound, because a row bounds a
/// multiple of it.
fn cut(rows: &[Row], bounds: &[Bounds]) -> Option<(usize, BigInt)> {
    for row in rows {
        for (variable, c) in row.form.0.iter().enumerate() {
            if magnitude(c) <= 1.into() {
                continue;
            }
            for end in 0..2 {
                let Some(value) = &row.ends[end] else { continue };
                let Some(rest) = extreme(&row.form, 1 - end, variable, bounds) else { continue };
                let far = value - rest.0;
                let [low, high] = &bounds[variable];
                if positive(c) == (end == 1) {
                    // c·v ≤ far, or −|c|·v ≥ far.
                    let most = floor(&if positive(c) { far } else { -far }, &magnitude(c));
                    if high.as_ref().is_none_or(|high| high.0 > most) {
                        return Some((variable, most));
                    }
                } else {
                    let least = -floor(&if positive(c) { -far } else { far }, &magnitude(c));
                    if low.as_ref().is_none_or(|low| low.0 < least) {
                        return Some((variable, least - 1));
                    }
                }
            }
        }
    }
    None
}
