//! `random SET COUNT SEED [MOST [ASK]]`: a question about random chains of one set (`ops`, `ops-from-0`, `pairs`, `raw-pairs`,
//! `attention`, `convolution`, `windows`, `strides`, `mutated`, `people`), compared with the concrete library at all points with
//! values up to MOST (8). ASK is `merge`, `split`, `equal`, `expr` or `explain`. In the environment
//! STEPS is the limit of steps, SHOW prints every question, OPEN those that stay open, SLOW those that take longest.

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;

use support::{Draw, programs, questions};

fn main() {
    let arg = |place: usize| std::env::args().nth(place);
    let number = |place: usize, default: i64| {
        arg(place).map_or(default, |text| text.parse().expect("a number"))
    };
    let set = arg(1).unwrap_or("ops".to_owned());
    let (chains, seed, most) = (number(2, 100), number(3, 1), number(4, 8));
    let make = programs::set(&set).expect("a set of chains");
    let mut asked = questions::named(&arg(5).unwrap_or("merge".to_owned()));
    let mut draw = Draw(seed as u64);
    let (mut times, mut refused) = (Vec::new(), 0);
    let set_in_environment = |name: &str| std::env::var_os(name).is_some();
    for _ in 0..chains {
        let question = make(&mut draw);
        if set_in_environment("SHOW") {
            eprintln!("{:?} {}", question.params, question.written());
        }
        // The best of three: other work on the machine comes in between.
        let mut timed = || {
            let start = Instant::now();
            let legal = asked.ask(&question);
            (start.elapsed(), legal)
        };
        let (first, _) = timed();
        let second = timed().0;
        let (third, legal) = timed();
        times.push((first.min(second).min(third), question.written()));
        if !legal {
            refused += 1;
            continue;
        }
        asked.compare(&question, most);
        if let Some(answer) = asked.open().filter(|_| set_in_environment("OPEN")) {
            println!("OPEN {:?} {}\n   {answer}", question.params, question.written());
        }
    }
    times.sort();
    if set_in_environment("SLOW") {
        for (time, text) in times.iter().rev().take(25) {
            println!("SLOW {time:?} {text}");
        }
    }
    let at = |share: usize| &times[(times.len() * share / 1000).min(times.len() - 1)];
    for wrong in asked.wrong().iter().take(8) {
        println!("WRONG {wrong}");
    }
    println!("{}; {refused} refused", asked.report(&set));
    println!(
        "time: median {:?}, 90 % {:?}, 99 % {:?}, most {:?} {}",
        at(500).0,
        at(900).0,
        at(990).0,
        at(1000).0,
        at(1000).1
    );
}
