//! `guards [COUNT [SEED]]`: how long the tests of real and of COUNT random answers take at a
//! point, and how large their guards are.

#[path = "../tests/support/mod.rs"]
mod support;

use std::hint::black_box;
use std::time::{Duration, Instant};

use support::{Draw, ask, chain_of_ops, declared, pair, rows};
use viewmerge_symbolic::{Answer, Kind, Limit, Params, SymbolicChain};

/// Some points that the declarations allow.
fn points(params: &Params, draw: &mut Draw) -> Vec<Vec<i64>> {
    let value = |draw: &mut Draw, param: &viewmerge_symbolic::Param| {
        let least = param.min.unwrap_or(-3).div_euclid(param.multiple);
        (least + draw.below(12) as i64) * param.multiple
    };
    (0..256).map(|_| params.list().iter().map(|param| value(draw, param)).collect()).collect()
}

/// The time of one test, the best of some rounds.
fn time(answer: &Answer, points: &[Vec<i64>]) -> Option<Duration> {
    let round = || {
        let start = Instant::now();
        for point in points {
            black_box(answer.choose(black_box(point)));
        }
        start.elapsed() / u32::try_from(points.len()).unwrap_or(1)
    };
    (0..9).map(|_| round()).min()
}

fn report(title: &str, times: &mut [Duration], atoms: &mut [usize]) {
    times.sort();
    atoms.sort_unstable();
    let at = |share: usize, length: usize| (length * share / 1000).min(length.saturating_sub(1));
    let (t, a) = (|share| times[at(share, times.len())], |share| atoms[at(share, atoms.len())]);
    println!(
        "{title}: {} tests: median {:?}, 90 % {:?}, 99 % {:?}, most {:?}; comparisons of a guard: \
         median {}, 90 % {}, 99 % {}, most {}",
        times.len(),
        t(500),
        t(900),
        t(990),
        t(1000),
        a(500),
        a(900),
        a(990),
        a(1000)
    );
}

fn main() {
    let number = |place: usize, default: u64| {
        std::env::args().nth(place).map_or(default, |text| text.parse().expect("a number"))
    };
    let (count, mut draw) = (number(1, 2_000), Draw(number(2, 1)));
    let measure = |title: &str, answers: &[(SymbolicChain, Answer)], draw: &mut Draw| {
        let some = answers.iter().filter(|(_, answer)| answer.kind == Kind::When);
        let (mut times, mut atoms) = (Vec::new(), Vec::new());
        for (chain, answer) in some {
            if let Some(time) = time(answer, &points(chain.params(), draw)) {
                times.push(time);
                atoms.push(answer.cases.iter().map(|case| case.guard.atoms()).sum());
            }
        }
        report(title, &mut times, &mut atoms);
    };
    let real: Vec<_> = rows()
        .iter()
        .map(|row| {
            let chain = SymbolicChain::parse(&declared(row), row["chain"].as_str().expect("text"));
            let chain = chain.expect("a chain");
            let answer = chain.merge(&Limit::none());
            (chain, answer)
        })
        .collect();
    measure("real cases", &real, &mut draw);
    let random = |draw: &mut Draw, strides: bool| -> Vec<_> {
        let make = |draw: &mut Draw| if strides { pair(draw) } else { chain_of_ops(draw, 1) };
        (0..count).filter_map(|_| ask(&make(draw))).collect()
    };
    let ops = random(&mut draw, false);
    measure("random ops", &ops, &mut draw);
    let pairs = random(&mut draw, true);
    measure("random pairs", &pairs, &mut draw);
}
