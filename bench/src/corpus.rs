//! Simplifies a file of expressions and compares the results with those of others.
//!
//! A line is `{"source": …, "vars": {"i": [0, 9]}, "expr": …, "valid"?: …, "theirs": …}`, ranges
//! inclusive. Every answer is evaluated at all points, or at 2,000 of them. `--list` prints the lines
//! with more divisions left than theirs, and the slow ones.
//!
//! Divisions are counted in the value; a repeated one counts once. A floor that takes two values is written
//! as a comparison, which is not a division; a separate column includes these. A line may also have the
//! others' condition (`theirs_valid`) and time (`ns`). Sources are identified by their first word.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use serde::Deserialize;
use viewmerge::Limit;
use viewmerge_index::{Domain, Expression, Simplified};

use crate::Result;
use crate::clock::{Summary, show};

/// The most points at which an answer is evaluated.
const MOST_POINTS: u128 = 2_000;

#[derive(Deserialize)]
struct Line {
    source: String,
    vars: serde_json::Map<String, serde_json::Value>,
    expr: String,
    valid: Option<String>,
    #[serde(default)]
    theirs: String,
    theirs_valid: Option<String>,
    ns: Option<f64>,
    tvm_divisions: Option<usize>,
    tvm_ns: Option<f64>,
}

impl Line {
    fn ranges(&self) -> Result<Vec<(String, i64, i64)>> {
        let range = |(name, range): (&String, &serde_json::Value)| {
            let end = |k: usize| range.get(k).and_then(serde_json::Value::as_i64);
            Ok((name.clone(), end(0).ok_or("no range")?, end(1).ok_or("no range")?))
        };
        self.vars.iter().map(range).collect()
    }
}

/// Simplifies a line, parsing included.
fn simplified(line: &Line, ranges: &[(String, i64, i64)]) -> Result<Simplified, viewmerge::Error> {
    let mut domain = Domain::new(ranges)?;
    if let Some(valid) = &line.valid {
        domain = domain.valid(&valid.parse()?)?;
    }
    domain.simplify(&line.expr.parse()?, &Limit::steps(100_000))
}

/// The points of ranges, or a selection of them.
fn points(ranges: &[(String, i64, i64)]) -> Vec<Vec<i64>> {
    let sizes = ranges.iter().map(|&(_, first, last)| u128::from(last.abs_diff(first)) + 1);
    let count = sizes.clone().fold(1u128, u128::saturating_mul);
    let mut state = 1u64;
    (0..count.min(MOST_POINTS))
        .map(|number| {
            let mut number = number;
            let coordinate = |(&(_, first, _), size): (&(String, i64, i64), u128)| {
                let step = if count <= MOST_POINTS {
                    let step = number % size;
                    number /= size;
                    step
                } else {
                    state =
                        state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    u128::from(state >> 24) % size
                };
                first + step as i64
            };
            ranges.iter().zip(sizes.clone()).map(coordinate).collect()
        })
        .collect()
}

/// The value of an expression at a point of named variables.
fn value(expression: &Expression, ranges: &[(String, i64, i64)], point: &[i64]) -> Option<i128> {
    let at = |name: &String| {
        let place = ranges.iter().position(|(known, ..)| known == name)?;
        point.get(place).copied()
    };
    expression.value(&expression.names().iter().map(at).collect::<Option<Vec<i64>>>()?)
}

/// What is wrong with an answer, if anything.
fn wrong(line: &Line, ranges: &[(String, i64, i64)], found: &Simplified) -> Result<Option<String>> {
    let given: Expression = line.expr.parse()?;
    let valid: Option<Expression> = line.valid.as_deref().map(str::parse).transpose()?;
    for point in points(ranges) {
        let holds = |valid: Option<&Expression>| {
            valid.is_none_or(|valid| value(valid, ranges, &point) == Some(1))
        };
        let (before, after) = (holds(valid.as_ref()), holds(found.condition()));
        if before != after {
            return Ok(Some(format!("at {point:?}: validity {before} became {after}")));
        }
        if before {
            let (a, b) = (value(&given, ranges, &point), value(found.expression(), ranges, &point));
            if a != b {
                return Ok(Some(format!("at {point:?}: {a:?} became {b:?}")));
            }
        }
    }
    Ok(None)
}

#[derive(Default, Clone)]
struct Tally {
    lines: usize,
    read: usize,
    undecided: usize,
    given: usize,
    theirs: usize,
    ours: usize,
    /// Including floors of two values.
    ours_all: usize,
    more: usize,
    /// In value and condition together.
    theirs_both: usize,
    ours_both: usize,
    wrong: usize,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.lines += other.lines;
        self.read += other.read;
        self.undecided += other.undecided;
        self.given += other.given;
        self.theirs += other.theirs;
        self.ours += other.ours;
        self.ours_all += other.ours_all;
        self.more += other.more;
        self.theirs_both += other.theirs_both;
        self.ours_both += other.ours_both;
        self.wrong += other.wrong;
    }
}

/// How many comparisons a text uses as numbers.
fn comparisons(text: &str) -> usize {
    text.matches("int(").count()
}

/// Prints how well expressions are simplified, source by source.
pub(crate) fn run(path: &str, list: bool) -> Result<()> {
    print!("{}", table(Path::new(path), "the other", list)?);
    Ok(())
}

/// The section of the report about kernels that tinygrad compiles today.
pub(crate) fn section(folder: &Path) -> Result<String> {
    let table = table(&folder.join("kernels.jsonl"), "tinygrad, for value and condition,", false)?;
    Ok(format!(
        "## Index expressions of compiled kernels\n\n\
         What tinygrad's scheduler and code generator leave in the kernels of some models, after their own\n\
         simplification: convolutions, gradients, pooling, padding and dilation, a transformer block, window\n\
         rearrangements (`bench/peers/tinygrad_kernels.py`; nothing is computed). *theirs* is what tinygrad's `sym` and\n\
         `indexing_simplify` make of value and condition when run again. Every answer of viewmerge is evaluated at all points, or at 2,000.\n\n\
         {table}"
    ))
}

/// The section about TorchInductor's loops and kernels, if they were recorded.
pub(crate) fn inductor(folder: &Path) -> Result<String> {
    let heading = "## Index expressions of TorchInductor\n\n";
    let path = folder.join("inductor.jsonl");
    if !path.exists() {
        return Ok(format!(
            "{heading}Not run: `VIEWMERGE_TORCH` names no Python with torch (`bench/peers/inductor_kernels.py`).\n"
        ));
    }
    let table = table(&path, "TorchInductor", false)?;
    Ok(format!(
        "{heading}\
         What `torch.compile` makes of small models for a CPU, forward and backward, each expression once:\n\
         convolutions as windows, pooling, padding of every mode, a transformer block, windows and pixel shuffles, reshapes across rolls,\n\
         flips and concatenations (`bench/peers/inductor_kernels.py`; nothing is computed). *loops* are the indices of loop bodies;\n\
         *theirs* is what Inductor's simplification for the ranges of the loops makes of them. *kernels* are the indices of the\n\
         generated C++, without vectors: they are final, so *theirs* is the expression as given. Indices that depend on data are left out, and\n\
         the expressions that cannot be read multiply two variables. Conditions of loads are ignored: expressions are taken\n\
         over the whole loops. Every answer of viewmerge is evaluated at all points, or at 2,000. Inductor's time is the processor time of\n\
         the one call that compiling makes for an index of a loop; viewmerge's is the best of five.\n\n\
         {table}"
    ))
}

fn table(path: &Path, them: &str, list: bool) -> Result<String> {
    let text = std::fs::read_to_string(path)?;
    let lines: Vec<Line> =
        text.lines().map(serde_json::from_str).collect::<Result<_, serde_json::Error>>()?;
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let (mut times, mut their_times, mut tvm_times) = (Vec::new(), Vec::new(), Vec::new());
    let mut tvm = 0;
    for line in &lines {
        let source = line.source.split_whitespace().next().unwrap_or_default().to_string();
        let tally = tallies.entry(source).or_default();
        tally.lines += 1;
        let ranges = line.ranges()?;
        let found = match simplified(line, &ranges) {
            Ok(found) => found,
            Err(error) => {
                if list {
                    println!("REFUSED {}: {error}", line.expr);
                }
                continue;
            }
        };
        tally.read += 1;
        let mut best = f64::INFINITY;
        for _ in 0..5 {
            let start = Instant::now();
            let _ = std::hint::black_box(simplified(line, &ranges));
            best = best.min(start.elapsed().as_nanos() as f64);
        }
        times.push(best);
        their_times.extend(line.ns);
        tvm_times.extend(line.tvm_ns);
        tvm += line.tvm_divisions.unwrap_or(0);
        if !found.is_decided() {
            tally.undecided += 1;
        }
        let count = |text: &str| text.parse::<Expression>().map_or(0, |read| read.divisions());
        let (ours, theirs) = (found.expression().divisions(), count(&line.theirs));
        tally.given += count(&line.expr);
        tally.ours += ours;
        tally.theirs += theirs;
        let given: Expression = line.expr.parse()?;
        let more = comparisons(&found.to_string());
        tally.ours_all += ours + more.saturating_sub(comparisons(&given.to_string()));
        // Counted separately in value and condition, for them and for us.
        tally.ours_both += ours + found.condition().map_or(0, Expression::divisions);
        let their_valid = line.theirs_valid.as_deref().or(line.valid.as_deref());
        tally.theirs_both += theirs + their_valid.map_or(0, count);
        let valid = line.valid.as_deref().unwrap_or("");
        if ours > theirs {
            tally.more += 1;
        }
        if list && (ours > theirs || best > 1e6 || !found.is_decided()) {
            let now = found.condition().map_or(String::new(), ToString::to_string);
            println!(
                "{ours} > {theirs}, {}: {} if {valid} => {found} if {now}; theirs {} {:?}",
                show(best),
                line.expr,
                line.theirs,
                line.vars,
            );
        }
        if let Some(what) = wrong(line, &ranges, &found)? {
            tally.wrong += 1;
            println!("WRONG {} if {valid} => {found}: {what} {:?}", line.expr, line.vars);
        }
    }
    let mut text = String::from(
        "| source | lines | read | undecided | divisions given | theirs | ours | ours, floors of two values counted | \
         value and condition, theirs | ours | more than theirs | wrong |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let mut all = Tally::default();
    tallies.values().for_each(|tally| all.add(tally));
    tallies.insert("~all".into(), all);
    for (name, t) in &tallies {
        writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            name.trim_start_matches('~').replace('_', " "),
            t.lines,
            t.read,
            t.undecided,
            t.given,
            t.theirs,
            t.ours,
            t.ours_all,
            t.theirs_both,
            t.ours_both,
            t.more,
            t.wrong
        )?;
    }
    let mut told = |who: &str, times: Vec<f64>| {
        let summary = Summary::of(times);
        let (mean, median, late) = (show(summary.mean), show(summary.median), show(summary.p99));
        writeln!(
            text,
            "{who} takes {mean} per line on average, {median} at the median, {late} at 99 %."
        )
    };
    told("\nviewmerge, reading included,", times)?;
    if !their_times.is_empty() {
        told(them, their_times)?;
    }
    if !tvm_times.is_empty() {
        told(&format!("TVM, which leaves {tvm} divisions in the values,"), tvm_times)?;
    }
    Ok(text)
}
