//! CuTe layouts: random compositions, judged by enumeration, compared with tensor-layouts and pycute.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use serde::{Deserialize, Serialize};
use viewmerge_cute::{Answer, Layout, Limit, compose, equal, is_injective};
use viewmerge_testkit::choices::Choices;

use crate::Result;
use crate::clock::{self, Summary, grouped, show, times};
use crate::random::Bytes;

/// The number of compositions.
const COUNT: usize = 20_000;

/// A composition in the form that the peers read.
#[derive(Serialize)]
struct Pair {
    a: Vec<(i64, i64)>,
    b: Vec<(i64, i64)>,
}

/// A peer's answer.
#[derive(Deserialize)]
struct Line {
    /// The flattened modes of its layout; null if it refuses.
    layout: Option<Vec<(i64, i64)>>,
    ns: f64,
}

/// The time a peer takes for questions that it answers by listing.
#[derive(Deserialize)]
struct Listed {
    elements: i64,
    injective_ns: f64,
    equal_ns: f64,
}

/// Modes of at most four, sizes up to 12.
fn random_pair(choices: &mut Choices<'_>) -> Pair {
    let mut room = 600;
    let mut a = Vec::new();
    for _ in 0..choices.pick(&[1, 2, 2, 3, 3, 4]) {
        let size = choices.pick(&[2, 3, 4, 6, 8, 5, 2, 12, 10]).min(room);
        room /= size;
        if size > 1 {
            let stride = match choices.below(2) {
                0 => choices.pick(&[1, 2, 4, 8, 3, 6, 12, 16, 24, 48, 80]),
                _ => choices.between(0, 60),
            };
            a.push((size, stride));
        }
    }
    let size: i64 = a.iter().map(|mode| mode.0).product();
    let mut left = size - 1;
    let mut b = Vec::new();
    for _ in 0..choices.pick(&[1, 1, 2, 2, 3, 4]) {
        let size = choices.pick(&[2, 3, 4, 6, 2, 8, 5, 10]).min(left + 1);
        if size > 1 {
            let most = left / (size - 1);
            let stride = match choices.below(3) {
                0 => choices.pick(&[1, 2, 3, 4, 6, 8, 12, 5, 9, 18]).min(most),
                _ => choices.between(0, most),
            };
            left -= stride * (size - 1);
            b.push((size, stride));
        }
    }
    if b.is_empty() {
        b.push((1, 0));
    }
    Pair { a, b }
}

fn pairs() -> Vec<Pair> {
    let mut bytes = Bytes(7);
    (0..COUNT).map(|_| random_pair(&mut Choices::new(&bytes.take(64)))).collect()
}

/// Writes the questions for the peers.
pub(crate) fn write(folder: &Path) -> Result<()> {
    let lines: Vec<String> = pairs().iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    fs::create_dir_all(folder)?;
    fs::write(folder.join("layouts.jsonl"), lines.join("\n") + "\n")?;
    Ok(())
}

/// The values of flattened modes.
fn table(modes: &[(i64, i64)]) -> Vec<i64> {
    let mut values = vec![0];
    for &(size, stride) in modes {
        values = (0..size).flat_map(|i| values.iter().map(move |v| v + i * stride)).collect();
    }
    values
}

fn factorizations(size: i64) -> Vec<Vec<i64>> {
    let mut all = vec![vec![size]];
    for first in (2..size).filter(|d| size % d == 0) {
        for rest in factorizations(size / first) {
            all.push([vec![first], rest].concat());
        }
    }
    all
}

/// Whether some layout compatible with modes of these sizes is the function.
fn exists(sizes: &[i64], function: &[i64]) -> bool {
    let mut all: Vec<Vec<i64>> = vec![vec![]];
    for &size in sizes {
        let axis = factorizations(size);
        let longer = |cut: &Vec<i64>| {
            axis.iter().map(|factors| [cut.clone(), factors.clone()].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.iter().any(|cut| {
        let mut place = 1usize;
        let digit = |&size: &i64| {
            let stride = if size > 1 { function[place] } else { 0 };
            place *= size as usize;
            (size, stride)
        };
        let modes: Vec<(i64, i64)> = cut.iter().map(digit).collect();
        table(&modes) == function
    })
}

/// How many answers of each kind were given.
#[derive(Default)]
struct Judged {
    refused: usize,
    wrong: usize,
    invented: usize,
}

impl Judged {
    fn count(&mut self, answer: Option<&[(i64, i64)]>, truth: &(Vec<i64>, bool)) {
        let (function, exists) = truth;
        match answer {
            None => self.refused += usize::from(*exists),
            Some(_) if !exists => self.invented += 1,
            Some(modes) => self.wrong += usize::from(&table(modes) != function),
        }
    }

    fn row(&self, name: &str, time: &Summary) -> String {
        format!(
            "| {name} | {} | {} | {} | {} | {} | {} |\n",
            self.refused,
            self.wrong,
            self.invented,
            show(time.median),
            show(time.mean),
            show(time.p99)
        )
    }
}

/// A peer's answers to the pairs.
fn answers(folder: &Path, place: &str, count: usize) -> Result<Vec<Line>> {
    let text = fs::read_to_string(folder.join("answers").join(place).join("layouts.jsonl"))?;
    let lines: Vec<Line> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    if lines.len() == count {
        Ok(lines)
    } else {
        Err(format!("{place}: {} answers to {count} pairs", lines.len()).into())
    }
}

/// The section of the report.
pub(crate) fn section(folder: &Path) -> Result<String> {
    let pairs = pairs();
    let peers = [("tensor-layouts", "tensor_layouts"), ("pycute", "pycute")]
        .map(|(name, place)| Ok((name, answers(folder, place, pairs.len())?)));
    let peers: Vec<(&str, Vec<Line>)> = peers.into_iter().collect::<Result<_>>()?;
    let listed = fs::read_to_string(folder.join("answers/tensor_layouts/listed.json"))?;
    let listed: Listed = serde_json::from_str(&listed)?;
    let layouts: Vec<(Layout, Layout)> = pairs
        .iter()
        .map(|pair| Ok((Layout::flat(&pair.a)?, Layout::flat(&pair.b)?)))
        .collect::<Result<_>>()?;
    let truths: Vec<(Vec<i64>, bool)> = pairs
        .iter()
        .map(|pair| {
            let below = table(&pair.a);
            let function: Vec<i64> = table(&pair.b).iter().map(|&x| below[x as usize]).collect();
            let sizes: Vec<i64> = pair.b.iter().map(|mode| mode.0).collect();
            let exists = exists(&sizes, &function);
            (function, exists)
        })
        .collect();
    let mut us = Judged::default();
    let limit = Limit::none();
    for ((a, b), truth) in layouts.iter().zip(&truths) {
        let ours = compose(a, b, false, &limit)?;
        us.count(ours.layout().map(Layout::leaves).as_deref(), truth);
    }
    let ask = |pair: &(Layout, Layout)| -> Option<Answer> {
        compose(&pair.0, &pair.1, false, &limit).ok()
    };
    let ours = Summary::of(clock::each(&layouts, 9, ask));
    let there = truths.iter().filter(|truth| truth.1).count();
    let mut text = format!(
        "## CuTe layouts\n\n\
         {} random compositions A ∘ B of at most four modes each, B within the domain of A. By enumeration \
         {} of them exist.\n\n\
         | | refused, though it exists | another function | answered, though none exists | median | mean | 99 % |\n\
         |---|---|---|---|---|---|---|\n",
        grouped(COUNT as f64),
        grouped(there as f64)
    );
    text += &us.row("viewmerge-cute", &ours);
    let mut slower = Vec::new();
    for (name, lines) in &peers {
        let mut them = Judged::default();
        for (line, truth) in lines.iter().zip(&truths) {
            them.count(line.layout.as_deref(), truth);
        }
        let time = Summary::of(lines.iter().map(|line| line.ns));
        text += &them.row(name, &time);
        slower.push(format!("{name} takes {} as long", times(time.mean / ours.mean)));
    }
    let large: Layout = "(1000000,1000,1000):(1000,1000000000,1)".parse()?;
    let same: Layout = "(1000000,(10,100),1000):(1000,(1000000000,10000000000),1)".parse()?;
    let open: Layout = "(1000000007,1000):(1009,1000003)".parse()?;
    let mut both = [0.0; 2];
    for (layout, time) in [&large, &open].into_iter().zip(&mut both) {
        *time = clock::best(|| {
            let _ = black_box(is_injective(layout, &limit));
        });
    }
    let equality = clock::best(|| {
        black_box(equal(&large, &same));
    });
    text += &format!(
        "\nOn average {}. For layouts of 10^12 elements viewmerge-cute decides in {} whether one is \
         injective (in {} where its strides mix), and in {} whether two are equal. tensor-layouts lists the elements: for \
         layouts of {} it takes {} to decide whether one is injective, and {} whether two are equal.\n",
        slower.join(", "),
        show(both[0]),
        show(both[1]),
        show(equality),
        grouped(listed.elements as f64),
        show(listed.injective_ns),
        show(listed.equal_ns)
    );
    Ok(text)
}
