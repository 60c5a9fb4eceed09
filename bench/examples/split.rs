//! Split timings.
use std::hint::black_box;
use std::time::Instant;
use viewmerge::{Verdict, View, Witness, merge};
use viewmerge_testkit::cases;
fn main() {
    for file in ["pairs.jsonl", "reshapes.jsonl"] {
        let qs: Vec<Vec<View>> =
            cases::read(file).iter().map(|c| c.question.views().unwrap()).collect();
        let mut groups: std::collections::BTreeMap<&str, Vec<&Vec<View>>> = Default::default();
        for q in &qs {
            let masked = q[0].masked_axes().next().is_some() || q[1].masked_axes().next().is_some();
            let k = match (merge(q).unwrap(), masked) {
                (Verdict::Merged(_), false) => "merged",
                (Verdict::Merged(_), true) => "merged masked",
                (Verdict::NotMergeable(Witness::Step { .. }), _) => "step",
                _ => "hole",
            };
            groups.entry(k).or_default().push(q);
        }
        for (k, g) in &groups {
            let mut best = f64::INFINITY;
            for _ in 0..50 {
                let t = Instant::now();
                for q in g {
                    let _ = black_box(merge(black_box(q)));
                }
                best = best.min(t.elapsed().as_nanos() as f64 / g.len() as f64);
            }
            println!("{file} {k}: {} cases {best:.0} ns", g.len());
        }
    }
}
