//! `splits COUNT SEED [LEAST [MOST]]`: splits of random chains of ops (pairs with unknown strides for
//! LEAST −1) against concrete splits at all points. In the environment STEPS is the limit of steps, OPEN
//! prints the questions that stay open, SLOW those that take longest.

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;

use support::splits::{Tally, ask};
use support::{Draw, chain_of_ops, pair};

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
            _ => chain_of_ops(&mut draw, least),
        };
        // The best of three: other work on the machine comes in between.
        let timed = || {
            let start = Instant::now();
            let asked = ask(&question);
            (start.elapsed(), asked)
        };
        let (first, asked) = timed();
        let best = (0..2).map(|_| timed().0).fold(first, std::cmp::min);
        times.push((best, question.written()));
        let Some(answer) = asked else {
            refused += 1;
            continue;
        };
        let before = (tally.open_points, tally.open_splits);
        tally.compare(&question, &answer, most);
        if std::env::var_os("OPEN").is_some() && !answer.open.is_never() {
            let (points, splits) = (tally.open_points - before.0, tally.open_splits - before.1);
            println!(
                "OPEN {points} {splits} {:?} {}\n   {answer}",
                question.params,
                question.written()
            );
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
    println!("{}; {refused} refused", tally.report("splits"));
    println!(
        "time: median {:?}, 90 % {:?}, 99 % {:?}, most {:?} {}",
        at(500).0,
        at(900).0,
        at(990).0,
        at(1000).0,
        at(1000).1
    );
}
