//! Whether the claim of a certificate is true, in integers of any size: by the definitions, at every point
//! if there are few, and at many points otherwise.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use serde_json::{Value, json};

use super::random::Random;

/// The most points to look at exhaustively.
const MOST: usize = 2_000;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Truth {
    True,
    False,
    /// No point that was looked at contradicts it.
    Unknown,
}

/// The greatest q with q·by ≤ a, for by > 0.
pub fn floor(a: &BigInt, by: &BigInt) -> BigInt {
    let rest = ((a % by) + by) % by;
    (a - rest) / by
}

pub fn number(value: &Value) -> Option<BigInt> {
    match value {
        Value::String(digits) => digits.parse().ok(),
        Value::Number(number) => number.to_string().parse().ok(),
        _ => None,
    }
}

/// A number as certificates write it.
pub fn written(number: &BigInt) -> Value {
    match i64::try_from(number) {
        Ok(small) if small.unsigned_abs() < 1 << 53 => json!(small),
        _ => json!(number.to_string()),
    }
}

fn numbers(value: &Value) -> Option<Vec<BigInt>> {
    value.as_array()?.iter().map(number).collect()
}

struct View {
    shape: Vec<BigInt>,
    strides: Vec<BigInt>,
    offset: BigInt,
    /// `None` if nothing is valid.
    valid: Option<Vec<(BigInt, BigInt)>>,
}

impl View {
    fn read(value: &Value) -> Option<View> {
        let shape = numbers(&value["shape"])?;
        let interval = |pair: &Value| Some((number(&pair[0])?, number(&pair[1])?));
        let empty = shape.contains(&BigInt::ZERO);
        let valid = match &value["mask"] {
            Value::Null => Some(shape.iter().map(|size| (BigInt::ZERO, size.clone())).collect()),
            Value::String(_) => None,
            list => Some(list.as_array()?.iter().map(interval).collect::<Option<Vec<_>>>()?),
        };
        Some(View {
            valid: valid.filter(|_| !empty),
            strides: numbers(&value["strides"])?,
            offset: number(&value["offset"])?,
            shape,
        })
    }

    fn position(&self, index: &[BigInt]) -> Option<BigInt> {
        let inside = |(i, (lo, hi)): (&BigInt, &(BigInt, BigInt))| lo <= i && i < hi;
        if !index.iter().zip(self.valid.as_ref()?).all(inside) {
            return None;
        }
        let moved = self.strides.iter().zip(index).map(|(stride, i)| stride * i);
        Some(&self.offset + moved.sum::<BigInt>())
    }

    fn index(&self, mut position: BigInt) -> Vec<BigInt> {
        let mut index = Vec::new();
        for size in self.shape.iter().rev() {
            let quotient = floor(&position, size);
            index.push(position - &quotient * size);
            position = quotient;
        }
        index.reverse();
        index
    }

    /// The ends of every axis, of the shape and of the mask, and their neighbours.
    fn interesting(&self) -> Vec<Vec<BigInt>> {
        let axis = |(axis, size): (usize, &BigInt)| {
            let mut all = BTreeSet::from([BigInt::ZERO, size - 1]);
            if let Some((lo, hi)) = self.valid.as_ref().map(|valid| &valid[axis]) {
                all.extend([lo - 1, lo.clone(), hi - 1, hi.clone(), lo + 1, hi - 2]);
            }
            all.into_iter().filter(|i| *i >= BigInt::ZERO && i < size).collect()
        };
        self.shape.iter().enumerate().map(axis).collect()
    }
}

/// All points, given the first value and the number of values on each axis, if there are few.
fn all(first: &[BigInt], counts: &[BigInt]) -> Option<Vec<Vec<BigInt>>> {
    let mut points: Vec<Vec<BigInt>> = vec![vec![]];
    for (first, count) in first.iter().zip(counts) {
        let few = |count: &usize| count.saturating_mul(points.len()) <= MOST;
        let count = usize::try_from(count).ok().filter(few)?;
        let with = |point: &Vec<BigInt>| {
            let point = point.clone();
            (0..count).map(move |k| [point.as_slice(), &[first + k]].concat()).collect::<Vec<_>>()
        };
        points = points.iter().flat_map(with).collect();
    }
    Some(points)
}

fn some(axes: &[Vec<BigInt>], random: &mut Random) -> Vec<Vec<BigInt>> {
    if axes.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    (0..200)
        .map(|_| axes.iter().map(|axis| axis[random.below(axis.len())].clone()).collect())
        .collect()
}

/// Points of a shape, and whether they are all.
fn points(view: &View, random: &mut Random) -> (Vec<Vec<BigInt>>, bool) {
    let first = vec![BigInt::ZERO; view.shape.len()];
    match all(&first, &view.shape) {
        Some(points) => (points, true),
        None => (some(&view.interesting(), random), false),
    }
}

fn composes(chain: &[View]) -> bool {
    chain.windows(2).all(|pair| {
        let Some(valid) = &pair[1].valid else { return true };
        let (mut least, mut most) = (pair[1].offset.clone(), pair[1].offset.clone());
        for (stride, (lo, hi)) in pair[1].strides.iter().zip(valid) {
            let ends = [stride * lo, stride * (hi - 1)];
            least += (&ends[0]).min(&ends[1]);
            most += (&ends[0]).max(&ends[1]);
        }
        least >= BigInt::ZERO && most < pair[0].shape.iter().product()
    })
}

fn value(chain: &[View], index: &[BigInt]) -> Option<BigInt> {
    let (top, below) = chain.split_last()?;
    let start = top.position(index);
    below.iter().rev().fold(start, |position, view| view.position(&view.index(position?)))
}

fn same(one: &[View], other: &[View], random: &mut Random) -> Truth {
    let (top, other_top) = (&one[one.len() - 1], &other[other.len() - 1]);
    if top.shape != other_top.shape {
        return Truth::False;
    }
    let (mut looked, whole) = points(top, random);
    looked.extend(if whole { Vec::new() } else { points(other_top, random).0 });
    match looked.iter().all(|index| value(one, index) == value(other, index)) {
        false => Truth::False,
        true if whole => Truth::True,
        true => Truth::Unknown,
    }
}

/// Whether a small chain is one view, by the definition.
fn is_one_view(chain: &[View], points: &[Vec<BigInt>]) -> bool {
    let valid: Vec<_> = points.iter().filter_map(|p| Some((p, value(chain, p)?))).collect();
    let Some((first, start)) = valid.first() else { return true };
    let bounds = |axis: usize| {
        let along = || valid.iter().map(|(p, _)| &p[axis]);
        (along().min().expect("one"), along().max().expect("one"))
    };
    let bounds: Vec<_> = (0..first.len()).map(bounds).collect();
    let inside = |p: &&Vec<BigInt>| p.iter().zip(&bounds).all(|(i, (lo, hi))| *lo <= i && i <= *hi);
    if points.iter().filter(inside).count() != valid.len() {
        return false;
    }
    let stride = |axis: usize| {
        let mut next = (*first).clone();
        next[axis] += 1;
        value(chain, &next).map_or(BigInt::ZERO, |there| there - start)
    };
    let strides: Vec<BigInt> = (0..first.len()).map(stride).collect();
    valid.iter().all(|(p, found)| {
        let moved = p.iter().zip(*first).zip(&strides).map(|((i, from), s)| s * (i - from));
        start + moved.sum::<BigInt>() == *found
    })
}

/// Whether a witness holds.
fn witnesses(chain: &[View], witness: &Value) -> Option<bool> {
    let top = &chain[chain.len() - 1];
    let at = |index: &[BigInt]| {
        let inside = |(i, size): (&BigInt, &BigInt)| *i >= BigInt::ZERO && i < size;
        let fits = index.len() == top.shape.len() && index.iter().zip(&top.shape).all(inside);
        fits.then(|| value(chain, index))
    };
    if witness["kind"] == json!("hole") {
        let (a, b) = (numbers(&witness["valid"][0])?, numbers(&witness["valid"][1])?);
        let hole = numbers(&witness["invalid"])?;
        let between =
            hole.iter().zip(a.iter().zip(&b)).all(|(i, (a, b))| a.min(b) <= i && i <= a.max(b));
        return Some(at(&a)?.is_some() && at(&b)?.is_some() && at(&hole)?.is_none() && between);
    }
    let axis = usize::try_from(&number(&witness["axis"])?).ok().filter(|a| *a < top.shape.len())?;
    let step = |name: &str| {
        let from = numbers(&witness[name])?;
        let start = at(&from)??;
        let mut next = from;
        next[axis] += 1;
        Some(at(&next)?? - start)
    };
    let (one, other) = (step("at")?, step("other")?);
    let claimed = (number(&witness["step"])?, number(&witness["other_step"])?);
    Some((&one, &other) == (&claimed.0, &claimed.1) && one != other)
}

/// The value of an expression; 1 or 0 for a condition.
fn evaluate(tree: &Value, names: &[&str], point: &[BigInt]) -> BigInt {
    let Value::Array(parts) = tree else {
        let name = names.iter().position(|name| tree.as_str() == Some(name));
        return name.map_or_else(|| number(tree).expect("a number"), |place| point[place].clone());
    };
    let at = |k: usize| evaluate(&parts[k], names, point);
    let mut all = (1..parts.len()).map(at);
    let holds = |n: BigInt| n != BigInt::ZERO;
    let truth = |holds: bool| BigInt::from(u8::from(holds));
    match parts[0].as_str().expect("a sign") {
        "+" => all.sum(),
        "*" => at(1) * at(2),
        "//" => floor(&at(1), &at(2)),
        "%" => at(1) - at(2) * floor(&at(1), &at(2)),
        "min" => all.min().expect("one"),
        "max" => all.max().expect("one"),
        "where" => {
            if holds(at(1)) {
                at(2)
            } else {
                at(3)
            }
        }
        "and" => truth(all.all(holds)),
        "or" => truth(all.any(holds)),
        "not" => truth(!holds(at(1))),
        "<" => truth(at(1) < at(2)),
        "<=" => truth(at(1) <= at(2)),
        ">" => truth(at(1) > at(2)),
        ">=" => truth(at(1) >= at(2)),
        "==" => truth(at(1) == at(2)),
        "!=" => truth(at(1) != at(2)),
        sign => panic!("no such sign: {sign}"),
    }
}

pub fn partial(of: &Value, names: &[&str], point: &[BigInt]) -> Option<BigInt> {
    let valid = &of["valid"];
    let counts = valid.is_null() || evaluate(valid, names, point) != BigInt::ZERO;
    counts.then(|| evaluate(&of["value"], names, point))
}

/// All numbers in a value.
fn literals(value: &Value, found: &mut BTreeSet<BigInt>) {
    match value {
        Value::Array(list) => list.iter().for_each(|entry| literals(entry, found)),
        Value::Object(members) => members.values().for_each(|member| literals(member, found)),
        other => found.extend(number(other)),
    }
}

/// Points of the ranges of variables, and whether they are all.
pub fn points_of(certificate: &Value, random: &mut Random) -> (Vec<Vec<BigInt>>, bool) {
    let variables = certificate["variables"].as_array().expect("variables");
    let ends: Vec<_> = variables.iter().map(|v| (number(&v[1]), number(&v[2]))).collect();
    let closed: Option<Vec<_>> =
        ends.iter().map(|(first, last)| Some((first.clone()?, last.clone()?))).collect();
    if let Some(closed) = closed {
        let first: Vec<BigInt> = closed.iter().map(|(first, _)| first.clone()).collect();
        let count = |(first, last): &(BigInt, BigInt)| BigInt::ZERO.max(last - first + 1_u8);
        let counts: Vec<BigInt> = closed.iter().map(count).collect();
        if let Some(points) = all(&first, &counts) {
            return (points, true);
        }
    }
    let mut known = BTreeSet::new();
    for member in ["one", "two", "variables"] {
        literals(&certificate[member], &mut known);
    }
    let wide: BigInt = BigInt::from(random.next()) << random.below(80);
    known.extend([wide.clone(), -wide, BigInt::from(random.between(-99, 99))]);
    let near = known.iter().flat_map(|n| [-n - 1, -n, -n + 1, n - 1, n.clone(), n + 1, n * 2]);
    let near: Vec<BigInt> = near.collect();
    let axis = |(first, last): &(Option<BigInt>, Option<BigInt>)| {
        let fits = |n: &&BigInt| {
            first.as_ref().is_none_or(|first| first <= *n)
                && last.as_ref().is_none_or(|last| *n <= last)
        };
        near.iter().filter(fits).cloned().collect()
    };
    let axes: Vec<Vec<BigInt>> = ends.iter().map(axis).collect();
    (some(&axes, random), false)
}

fn of_expressions(certificate: &Value, random: &mut Random) -> Option<Truth> {
    let variables = certificate["variables"].as_array()?;
    let names: Vec<&str> = variables.iter().map(|v| v[0].as_str()).collect::<Option<_>>()?;
    let differ = |point: &Vec<BigInt>| {
        let [one, two] = ["one", "two"].map(|name| partial(&certificate[name], &names, point));
        one != two
    };
    let Some(point) = certificate.get("differ") else {
        let (points, whole) = points_of(certificate, random);
        return Some(match points.iter().any(differ) {
            true => Truth::False,
            false if whole => Truth::True,
            false => Truth::Unknown,
        });
    };
    let point = numbers(point)?;
    let inside = |(x, v): (&BigInt, &Value)| {
        number(&v[1]).is_none_or(|first| first <= *x) && number(&v[2]).is_none_or(|last| *x <= last)
    };
    let fits = point.len() == variables.len() && point.iter().zip(variables).all(inside);
    Some(if fits && differ(&point) { Truth::True } else { Truth::False })
}

/// Whether the claim of a certificate is true, whatever its proofs are.
pub fn truth(certificate: &Value, random: &mut Random) -> Truth {
    let known = |holds: Option<bool>| match holds {
        Some(true) => Truth::True,
        _ => Truth::False,
    };
    if certificate.get("variables").is_some() {
        return of_expressions(certificate, random).unwrap_or(Truth::False);
    }
    let views = |name: &str| -> Option<Vec<View>> {
        certificate.get(name)?.as_array()?.iter().map(View::read).collect()
    };
    let Some(chain) = views("views").filter(|chain| composes(chain)) else { return Truth::False };
    if let Some(merged) = certificate.get("merged") {
        return View::read(merged).map_or(Truth::False, |merged| same(&chain, &[merged], random));
    }
    if let Some(witness) = certificate.get("witness") {
        let holds = witnesses(&chain, witness);
        // What a witness shows must also be true by the definition.
        if let (Some(true), (points, true)) = (holds, points(&chain[chain.len() - 1], random)) {
            assert!(!is_one_view(&chain, &points), "{certificate}");
        }
        return known(holds);
    }
    let Some(other) = views("other").filter(|other| composes(other)) else { return Truth::False };
    let Some(at) = certificate.get("differ") else { return same(&chain, &other, random) };
    let [one, two] = [&chain, &other].map(|chain| &chain[chain.len() - 1].shape);
    if at.is_null() {
        return known(Some(one != two));
    }
    let Some(at) = numbers(at).filter(|at| one == two && at.len() == one.len()) else {
        return Truth::False;
    };
    let inside = at.iter().zip(one).all(|(i, size)| *i >= BigInt::ZERO && i < size);
    known(Some(inside && value(&chain, &at) != value(&other, &at)))
}
