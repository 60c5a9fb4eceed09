//! One pass over the pairs that merge, for counting instructions.
use std::hint::black_box;
use viewmerge::{View, merge};
use viewmerge_testkit::cases;
fn main() {
    let want = std::env::args().nth(1).as_deref() != Some("no");
    let qs: Vec<Vec<View>> = cases::read("pairs.jsonl")
        .iter()
        .map(|c| c.question.views().unwrap())
        .filter(|q| merge(q).unwrap().is_merged() == want)
        .collect();
    work(&qs);
    println!("{}", qs.len());
}
#[inline(never)]
fn work(qs: &[Vec<View>]) {
    for _ in 0..5 {
        for q in qs {
            let _ = black_box(merge(black_box(q)));
        }
    }
}
