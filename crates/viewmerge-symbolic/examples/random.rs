//! `random COUNT SEED [LEAST [MOST]]`: random chains of ops (pairs with unknown strides for LEAST −1, other
//! people's programs for −2 to −5 and −7, real cases with more parameters for −6, raw pairs for −8) against concrete merges at all
//! points. In the environment STEPS is the limit of steps, SHOW prints every
//! question, OPEN those that stay open, SLOW those that take longest.

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;

use support::programs::{attention, convolution, mutated, people, raw_pairs, strides, windows};
use support::{Draw, Tally, ask, chain_of_ops, pair};

fn main() {
    let number = |place: usize, default: i64| {
        std::env::args().nth(place).map_or(default, |text| text.parse().expect("a number"))
    };
    let (chains, seed, least, most) = (number(1, 100), number(2, 1), number(3, 1), number(4, 8));
    let mut draw = Draw(seed as u64);
    let mut tally = Tally::default();
    let (mut times, mut refused) = (Vec::new(), 0);
    for _ in 0..chains {
        let question = match least {
            -1 => pair(&mut draw),
            -2 => attention(&mut draw),
            -3 => convolution(&mut draw),
            -4 => windows(&mut draw),
            -5 => strides(&mut draw),
            -6 => mutated(&mut draw),
            -7 => people(&mut draw),
            -8 => raw_pairs(&mut draw),
            _ => chain_of_ops(&mut draw, least),
        };
        if std::env::var_os("SHOW").is_some() {
            eprintln!("{:?} {}", question.params, question.written());
        }
        // The best of three: other work on the machine comes in between.
        let timed = || {
            let start = Instant::now();
            let asked = ask(&question);
            (start.elapsed(), asked)
        };
        let (first, asked) = timed();
        let best = (0..2).map(|_| timed().0).fold(first, std::cmp::min);
        times.push((best, question.written()));
        match asked {
            Some((chain, answer)) => {
                let before = tally.open_views;
                tally.compare(&question, &chain, &answer, most);
                if std::env::var_os("OPEN").is_some() && !answer.open.is_never() {
                    let views = tally.open_views - before;
                    println!(
                        "OPEN {views} {:?} {}\n   {answer}",
                        question.params,
                        question.written()
                    );
                }
            }
            None => refused += 1,
        }
    }
    times.sort();
    if std::env::var_os("SLOW").is_some() {
        for (time, text) in times.iter().rev().take(25) {
            println!("SLOW {time:?} {text}");
        }
    }
    let at = |share: usize| &times[(times.len() * share / 1000).min(times.len() - 1)];
    for wrong in tally.wrong.iter().take(8) {
        println!("WRONG {wrong}");
    }
    println!("{}; {refused} refused", tally.report("ops"));
    println!(
        "time: median {:?}, 90 % {:?}, 99 % {:?}, most {:?} {}",
        at(500).0,
        at(900).0,
        at(990).0,
        at(1000).0,
        at(1000).1
    );
}
