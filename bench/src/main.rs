//! Measures how long decisions take, and prints the figures as Markdown.
//!
//! `cargo run --release -p viewmerge-bench`

mod families;

use std::hint::black_box;
use std::time::Instant;

use viewmerge::{Decision, View, ViewChain, merge, merge_within};
use viewmerge_testkit::cases;

fn main() {
    corpus("pairs.jsonl");
    corpus("reshapes.jsonl");
    trackers();
    accidental();
    subset_sums();
}

/// Nanoseconds that one call takes, in the best of several rounds of about a millisecond.
fn nanoseconds(mut call: impl FnMut()) -> f64 {
    let rounds = 9;
    let start = Instant::now();
    call();
    let once = start.elapsed().as_nanos().max(1);
    let calls = (1_000_000 / once).clamp(1, 100_000) as u32;
    let time = |calls: u32, call: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..calls).for_each(|_| call());
        start.elapsed().as_nanos() as f64 / f64::from(calls)
    };
    (0..rounds).map(|_| time(calls, &mut call)).fold(f64::INFINITY, f64::min)
}

/// Distinct questions one after the other, as a program would ask them.
fn corpus(file: &str) {
    let questions: Vec<Vec<View>> =
        cases::read(file).iter().map(|case| case.question.views().expect("composes")).collect();
    let merged =
        questions.iter().filter(|views| merge(views).expect("composes").is_merged()).count();
    let pass = nanoseconds(|| {
        for views in &questions {
            let _ = black_box(merge(black_box(views)));
        }
    });
    println!(
        "{file}: {} questions, {merged} are one view, mean {:.0} ns",
        questions.len(),
        pass / questions.len() as f64
    );
}

fn trackers() {
    let chains: Vec<ViewChain> = cases::text("trackers.jsonl")
        .lines()
        .map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let views: Vec<View> = serde_json::from_value(line["views"].clone()).expect("views");
            ViewChain::from_views(&views).expect("composes")
        })
        .collect();
    let merged = chains.iter().filter(|chain| chain.merge().expect("composes").is_merged()).count();
    let pass = nanoseconds(|| {
        for chain in &chains {
            let _ = black_box(black_box(chain).merge());
        }
    });
    let mean = pass / chains.len() as f64;
    println!("trackers.jsonl: {} chains, {merged} are one view, mean {mean:.0} ns", chains.len());
    let views: usize = chains.iter().map(|chain| chain.views().len()).sum();
    let fewest: usize = chains.iter().map(|c| c.simplify().expect("composes").views().len()).sum();
    println!("trackers.jsonl: {views} views in all, {fewest} after simplify");
}

fn accidental() {
    println!("\n| family | length | one view | ns |\n|---|---|---|---|");
    for (name, length, views) in families::accidental() {
        let answer = merge(&views).expect("composes").is_merged();
        let time = nanoseconds(|| {
            let _ = black_box(merge(black_box(&views)));
        });
        println!("| {name} | {length} | {answer} | {time:.0} |");
    }
}

fn subset_sums() {
    println!("\n| numbers | sum exists | answer | ms |\n|---|---|---|---|");
    for (count, exists, views) in families::subset_sums() {
        let start = Instant::now();
        let answer = merge(&views).expect("composes").is_merged();
        let time = start.elapsed().as_secs_f64() * 1e3;
        println!("| {count} | {exists} | one view: {answer} | {time:.3} |");
        let start = Instant::now();
        let steps = 10_000;
        if merge_within(&views, steps).expect("composes") == Decision::Undecided {
            let time = start.elapsed().as_secs_f64() * 1e3;
            println!("| {count} | {exists} | undecided within {steps} steps | {time:.3} |");
        }
    }
}
