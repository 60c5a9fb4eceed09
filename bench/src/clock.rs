//! How long calls take.

use std::hint::black_box;
use std::time::Instant;

/// Nanoseconds of one call, in the best of several rounds of about a millisecond.
pub(crate) fn best(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    call();
    let once = start.elapsed().as_nanos().max(1);
    let calls = (1_000_000 / once).clamp(1, 100_000) as u32;
    let rounds = if once > 20_000_000 { 1 } else { 9 };
    let round = |call: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..calls).for_each(|_| call());
        start.elapsed().as_nanos() as f64 / f64::from(calls)
    };
    (0..rounds).map(|_| round(&mut call)).fold(f64::INFINITY, f64::min)
}

/// Nanoseconds of each question: all are asked in turn, many times over, and the median for each is
/// kept, minus the overhead of the clock.
pub(crate) fn each<Q, A>(questions: &[Q], passes: usize, ask: impl Fn(&Q) -> A) -> Vec<f64> {
    let mut times = vec![Vec::with_capacity(passes); questions.len()];
    for _ in 0..passes {
        for (question, times) in questions.iter().zip(&mut times) {
            let start = Instant::now();
            black_box(ask(black_box(question)));
            times.push(start.elapsed().as_nanos() as f64);
        }
    }
    let mut nothing: Vec<f64> =
        (0..10_001).map(|_| black_box(Instant::now()).elapsed().as_nanos() as f64).collect();
    let clock = median(&mut nothing);
    times.iter_mut().map(|times| (median(times) - clock).max(1.0)).collect()
}

/// The median.
pub(crate) fn median(times: &mut [f64]) -> f64 {
    share(times, 0.5)
}

/// The time within which this share of the calls finishes.
fn share(times: &mut [f64], share: f64) -> f64 {
    times.sort_by(f64::total_cmp);
    let last = times.len().saturating_sub(1);
    times.get((share * last as f64).round() as usize).copied().unwrap_or(f64::NAN)
}

/// The times of many questions, in three numbers.
#[derive(Clone, Copy)]
pub(crate) struct Summary {
    pub(crate) count: usize,
    pub(crate) mean: f64,
    pub(crate) median: f64,
    pub(crate) p99: f64,
}

impl Summary {
    pub(crate) fn of(times: impl IntoIterator<Item = f64>) -> Summary {
        let mut times: Vec<f64> = times.into_iter().collect();
        let count = times.len();
        let mean = times.iter().sum::<f64>() / count as f64;
        Summary { count, mean, median: median(&mut times), p99: share(&mut times, 0.99) }
    }
}

/// A time in a readable unit.
pub(crate) fn show(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        t if t < 999.5 => (t, "ns"),
        t if t < 999.5e3 => (t / 1e3, "µs"),
        t if t < 999.5e6 => (t / 1e6, "ms"),
        t => (t / 1e9, "s"),
    };
    let digits = if unit == "ns" || value >= 99.5 { 0 } else { 1 };
    format!("{value:.digits$} {unit}")
}

/// How many times as long, in readable form.
pub(crate) fn times(ratio: f64) -> String {
    if ratio < 9.95 { format!("{ratio:.1}×") } else { format!("{}×", grouped(ratio)) }
}

/// A whole number with commas.
pub(crate) fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| str::from_utf8(group).unwrap_or_default())
        .collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!([show(237.9), show(1.34e3), show(2e8)], ["238 ns", "1.3 µs", "200 ms"]);
        assert_eq!([times(2.04), times(2345.0)], ["2.0×", "2,345×"]);
        assert_eq!([grouped(12.0), grouped(1e6)], ["12", "1,000,000"]);
    }

    #[test]
    fn summaries() {
        let summary = Summary::of((1..=101).map(f64::from));
        assert_eq!((summary.count, summary.mean, summary.median), (101, 51.0, 51.0));
        assert_eq!(summary.p99, 100.0);
    }
}
