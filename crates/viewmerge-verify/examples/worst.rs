//! Searches for the texts that take the most time and memory to check, kind by kind: starting from a small
//! text, one of its three numbers is changed at a time, as long as that makes it worse.
//!
//! ```sh
//! cargo run --release -p viewmerge-verify --example worst
//! ```
//!
//! Words after it name the kinds; without any, all kinds are searched. Texts are at most 16 MB long.

#[path = "../tests/support/mod.rs"]
mod support;

use support::worst::{KINDS, Taken, check_requested, measure};

/// The longest text.
const LONGEST: usize = 16 << 20;

/// How bad it is, relative to what is allowed: 10 seconds, 600 MB.
fn badness(taken: &Taken) -> f64 {
    (taken.seconds / 10.0).max(taken.megabytes / 600.0)
}

fn main() {
    if check_requested() {
        return;
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    for (kind, make) in KINDS {
        if !words.is_empty() && !words.iter().any(|word| word == kind) {
            continue;
        }
        let mut best = ([16, 16, 16], measure(kind, [16; 3], &[]));
        for start in [[16, 16, 16], [256, 256, 256], [4096, 1, 4096]] {
            if make(start).len() > LONGEST {
                continue;
            }
            let mut here = (start, measure(kind, start, &[]));
            let mut factors = vec![8.0, 2.0];
            while let Some(&factor) = factors.first() {
                let changes = (0..3).flat_map(|k| [(k, factor), (k, 1.0 / factor)]);
                let numbers = changes.map(|(k, by)| {
                    let mut numbers = here.0;
                    numbers[k] = ((numbers[k] as f64) * by).ceil() as usize;
                    numbers
                });
                let numbers: Vec<_> = numbers.filter(|n| *n != here.0 && fits(make, *n)).collect();
                let worse = numbers.into_iter().map(|n| (n, measure(kind, n, &[])));
                let worst = worse.max_by(|a, b| badness(&a.1).total_cmp(&badness(&b.1)));
                match worst {
                    Some(worst) if badness(&worst.1) > 1.02 * badness(&here.1) => here = worst,
                    _ => drop(factors.remove(0)),
                }
            }
            if badness(&here.1) > badness(&best.1) {
                best = here;
            }
        }
        let ([a, b, c], Taken { seconds, megabytes, verdict }) = &best;
        println!("(\"{kind}\", [{a}, {b}, {c}]), {seconds:.2} s, {megabytes:.0} MB, {verdict}");
    }
}

/// Whether the text is short enough, without building one that is much too long.
fn fits(make: fn([usize; 3]) -> String, numbers: [usize; 3]) -> bool {
    let product = numbers.iter().fold(1_usize, |product, n| product.saturating_mul((*n).max(1)));
    product <= 8 * LONGEST && make(numbers).len() <= LONGEST
}
