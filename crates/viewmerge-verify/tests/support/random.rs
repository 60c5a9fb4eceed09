//! Random chains and random mutations, the same in every run.

use num_bigint::BigInt;
use serde_json::{Value, json};

use super::naive::{Mask, View, composes, same, single, value};
use super::prover;
use super::truth::written;

/// A small generator (splitmix64).
pub struct Random(u64);

impl Random {
    /// `VIEWMERGE_SEED` picks other numbers.
    pub fn new(stream: u64) -> Random {
        let seed = environment("VIEWMERGE_SEED").unwrap_or(1);
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ stream)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below n, or 0 if n is 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % (n.max(1) as u64)) as usize
    }

    /// A number from low to high.
    pub fn between(&mut self, low: i128, high: i128) -> i128 {
        low + i128::from(self.next()) % (high - low + 1)
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// At most this many entries of a list.
    pub fn some<'a, T>(&mut self, list: &'a [T], most: usize) -> Vec<&'a T> {
        if list.len() <= most {
            return list.iter().collect();
        }
        (0..most).filter_map(|_| self.pick(list)).collect()
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }
}

fn environment(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// How many cases to run; `VIEWMERGE_CASES` multiplies them.
pub fn cases(number: u64) -> u64 {
    number * environment("VIEWMERGE_CASES").unwrap_or(1)
}

fn contiguous(shape: &[i128]) -> Vec<i128> {
    (0..shape.len()).map(|axis| shape[axis + 1..].iter().product()).collect()
}

fn mask(shape: &[i128], random: &mut Random) -> Mask {
    match random.below(16) {
        0..10 => Mask::All,
        10 if random.one_in(3) => Mask::Nothing,
        _ => {
            let interval = |&size: &i128| {
                if size == 0 || random.one_in(2) {
                    return (0, size);
                }
                let lo = random.between(0, size - 1);
                (lo, random.between(lo + 1, size))
            };
            Mask::Box(shape.iter().map(interval).collect())
        }
    }
}

fn shape(random: &mut Random) -> Vec<i128> {
    let size = |random: &mut Random| if random.one_in(40) { 0 } else { random.between(1, 4) };
    (0..random.below(4)).map(|_| size(random)).collect()
}

/// A shape with this many elements.
fn shape_of(mut elements: i128, random: &mut Random) -> Vec<i128> {
    let mut shape = Vec::new();
    while elements > 1 && shape.len() < 3 {
        let fits = (1..=elements).filter(|size| elements % size == 0).collect::<Vec<_>>();
        let size = random.pick(&fits).copied().unwrap_or(1);
        shape.push(size);
        elements /= size;
    }
    shape.push(elements);
    shape
}

/// A chain of one to three views that composes.
pub fn chain(random: &mut Random) -> Vec<View> {
    let first = shape(random);
    let strides = match random.below(3) {
        0 => contiguous(&first),
        _ => first.iter().map(|_| random.between(-3, 6)).collect(),
    };
    let mask_of_first = mask(&first, random);
    let mut views =
        vec![View { strides, offset: random.between(-4, 4), mask: mask_of_first, shape: first }];
    let length = 1 + random.below(3);
    for _ in 0..200 {
        if views.len() >= length {
            break;
        }
        let below = &views[views.len() - 1];
        let next = if random.one_in(2) {
            let shape = shape_of(below.elements(), random);
            View { strides: contiguous(&shape), offset: 0, mask: mask(&shape, random), shape }
        } else {
            let shape = shape(random);
            let strides = shape.iter().map(|_| random.between(-4, 5)).collect();
            let offset = random.between(0, below.elements().max(1));
            View { mask: mask(&shape, random), strides, offset, shape }
        };
        views.push(next);
        if !composes(&views[views.len() - 2..]) {
            views.pop();
        }
    }
    views
}

/// A certificate that holds, of any kind, about a random chain.
pub fn certificate(random: &mut Random) -> Value {
    let mut views = chain(random);
    if random.one_in(4) {
        // Most chains are one view, so search for one that is not.
        for _ in 0..12 {
            if single(&views).is_ok() {
                views = chain(random);
            }
        }
        return prover::certificate(&views, random);
    }
    if random.one_in(2) {
        return prover::certificate(&views, random);
    }
    let other = match (random.below(4), single(&views)) {
        (0..2, Ok(merged)) => vec![merged],
        (0..3, _) => {
            // The same chain with one more view that splits positions.
            let at = random.below(views.len());
            let shape = shape_of(views[at].elements(), random);
            let level = View { strides: contiguous(&shape), offset: 0, mask: Mask::All, shape };
            let mut longer = views.clone();
            longer.insert(at + usize::from(at + 1 < views.len()), level);
            longer
        }
        _ => chain(random),
    };
    let (views, other) = if random.one_in(2) { (other, views) } else { (views, other) };
    if !composes(&views) || !composes(&other) {
        return prover::certificate(&views[..1], random);
    }
    let top = |views: &[View]| views[views.len() - 1].clone();
    if top(&views).shape != top(&other).shape {
        return prover::differ(&views, &other, None);
    }
    if same(&views, &other) {
        return prover::equal(&views, &other, random);
    }
    let indices = top(&views).indices();
    let at = indices.iter().find(|index| value(&views, index) != value(&other, index));
    prover::differ(&views, &other, at.map(Vec::as_slice))
}

/// The paths of all values in a value.
fn paths(value: &Value, path: String, all: &mut Vec<String>) {
    all.push(path.clone());
    match value {
        Value::Array(list) => {
            for (place, entry) in list.iter().enumerate() {
                paths(entry, format!("{path}/{place}"), all);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                paths(member, format!("{path}/{name}"), all);
            }
        }
        _ => {}
    }
}

/// The words of expressions, and some that are not words of expressions.
const SIGNS: [&str; 20] = [
    "+", "*", "//", "%", "min", "max", "where", "<", "<=", ">", ">=", "==", "!=", "and", "or",
    "not", "i", "j", "low", "lost",
];

/// A power of 2 at which numbers get wider, or a neighbour of it.
pub fn large(random: &mut Random) -> BigInt {
    let power = [31, 63, 64, 127, 128][random.below(5)];
    (BigInt::from(1) << power) + random.between(-1, 1)
}

/// Another number: near, large or negative, as a number or in quotes.
fn changed_number(n: BigInt, random: &mut Random) -> Value {
    let changed = match random.below(12) {
        0 => -n,
        1 => BigInt::ZERO,
        2 => n * 2,
        3 => large(random),
        4 => -large(random),
        5 => n + large(random),
        6 => n - large(random),
        7..9 => n - 1,
        _ => n + 1,
    };
    if random.one_in(8) { json!(changed.to_string()) } else { written(&changed) }
}

/// Changes one thing, and says what.
pub fn mutate(certificate: &mut Value, random: &mut Random) -> String {
    let mut all = Vec::new();
    paths(certificate, String::new(), &mut all);
    if random.one_in(2) {
        // Most values are lists, but numbers matter most.
        let is_number = |path: &String| match certificate.pointer(path) {
            Some(Value::String(word)) => word.parse::<BigInt>().is_ok(),
            other => other.is_some_and(Value::is_number),
        };
        let numbers: Vec<String> = all.iter().filter(|path| is_number(path)).cloned().collect();
        all = if numbers.is_empty() { all } else { numbers };
    }
    let path = all[random.below(all.len())].clone();
    let donor = all[random.below(all.len())].clone();
    // A value from elsewhere with the same name, if there is one.
    let name = |path: &str| path.rsplit('/').next().map(str::to_string);
    let stranger = (name(&path) == name(&donor)).then(|| certificate.pointer(&donor).cloned());
    let target = certificate.pointer_mut(&path).expect("is there");
    if let Some(Some(stranger)) = stranger
        && path != donor
    {
        *target = stranger;
        return format!("{path} := {donor}");
    }
    let told = target.to_string();
    match target {
        Value::Number(number) => {
            let n = BigInt::from(number.as_i64().unwrap_or(0));
            *target = changed_number(n, random);
        }
        Value::String(word) => {
            if let Ok(n) = word.parse::<BigInt>() {
                *target = changed_number(n, random);
                return format!("{path}: {told} -> {target}");
            }
            let words = match word.chars().all(char::is_alphabetic) && word.len() > 3 {
                true => {
                    &["low", "high", "above", "below", "empty", "outside", "hole", "nothing"][..]
                }
                false => &SIGNS[..],
            };
            let others: Vec<_> = words.iter().filter(|other| *other != word).collect();
            *target = json!(random.pick(&others));
        }
        Value::Array(list) if !list.is_empty() => {
            let (i, j) = (random.below(list.len()), random.below(list.len()));
            match random.below(4) {
                0 => list.swap(i, j),
                1 => list.push(list[i].clone()),
                2 => list.insert(i, list[j].clone()),
                _ => drop(list.remove(i)),
            }
        }
        Value::Object(members) if !members.is_empty() => {
            let names: Vec<String> = members.keys().cloned().collect();
            let (one, other) =
                (&names[random.below(names.len())], &names[random.below(names.len())]);
            if random.one_in(3) {
                members.remove(one);
            } else if let (Some(a), Some(b)) =
                (members.get(one).cloned(), members.get(other).cloned())
            {
                members.insert(one.clone(), b);
                members.insert(other.clone(), a);
            }
        }
        other => *other = json!([]),
    }
    let short = |text: String| text.chars().take(60).collect::<String>();
    format!(
        "{path}: {} -> {}",
        short(told),
        short(certificate.pointer(&path).map_or(String::new(), Value::to_string))
    )
}
