//! Compares viewmerge, z3 and isl on whether two index expressions are the same.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use serde::Deserialize;
use viewmerge::Limit;
use viewmerge_index::{Domain, Expression, Same};

use crate::Result;
use crate::clock::{Summary, grouped, show};

/// A pair, and what the others answered.
#[derive(Deserialize)]
struct Line {
    one: String,
    two: String,
    vars: serde_json::Map<String, serde_json::Value>,
    z3: Option<String>,
    z3_ns: f64,
    isl: Option<String>,
    isl_ns: f64,
}

/// The section of the report.
pub(crate) fn section(folder: &Path) -> Result<String> {
    let text = std::fs::read_to_string(folder.join("pairs.jsonl"))?;
    let lines: Vec<Line> =
        text.lines().map(serde_json::from_str).collect::<Result<_, serde_json::Error>>()?;
    let (mut times, mut answers) = (Vec::new(), Vec::new());
    for line in &lines {
        let mut best = f64::INFINITY;
        let mut answer = None;
        for _ in 0..3 {
            let start = Instant::now();
            answer = ask(line)?;
            best = best.min(start.elapsed().as_nanos() as f64);
        }
        times.push(best);
        answers.push(answer);
    }
    let differ = |other: &dyn Fn(&Line) -> Option<String>| {
        let both = lines
            .iter()
            .zip(&answers)
            .filter_map(|(line, ours)| other(line).zip(*ours).map(|(other, ours)| other != ours));
        both.filter(|differ| *differ).count()
    };
    let mut table = format!(
        "## Equal expressions\n\n\
         {} random pairs of index expressions over three variables, half of them with one number changed\n\
         (`bench/peers/equal_pairs.py`): are they the same wherever the variables are in their ranges? z3 is given 100 ms, isl 300,000\n\
         of its operations, viewmerge 100,000 steps.\n\n\
         | | answered | the same | other than viewmerge | median | mean | 99 % |\n\
         |---|---|---|---|---|---|---|\n",
        grouped(lines.len() as f64)
    );
    let mut row = |name: &str, same: Vec<Option<bool>>, wrong: usize, times: Vec<f64>| {
        let answered = same.iter().flatten().count();
        let yes = same.iter().flatten().filter(|same| **same).count();
        let summary = Summary::of(times);
        let (median, mean, late) = (show(summary.median), show(summary.mean), show(summary.p99));
        writeln!(
            table,
            "| {name} | {} | {} | {wrong} | {median} | {mean} | {late} |",
            grouped(answered as f64),
            grouped(yes as f64)
        )
    };
    let is = |word: &Option<String>| word.as_deref().map(|word| word == "same");
    let ours = answers.iter().map(|answer| answer.map(|answer| answer == "same")).collect();
    row("viewmerge `Domain::equal`, reading included", ours, 0, times)?;
    let z3 = lines.iter().map(|line| is(&line.z3)).collect();
    let wrong = differ(&|line| line.z3.clone());
    row("z3", z3, wrong, lines.iter().map(|line| line.z3_ns).collect())?;
    let isl = lines.iter().map(|line| is(&line.isl)).collect();
    let wrong = differ(&|line| line.isl.clone());
    row("isl, through islpy", isl, wrong, lines.iter().map(|line| line.isl_ns).collect())?;
    Ok(table)
}

/// viewmerge's answer; `None` if it takes too many steps. A reported difference is evaluated.
fn ask(line: &Line) -> Result<Option<&'static str>> {
    let end = |range: &serde_json::Value, k: usize| {
        range.get(k).and_then(serde_json::Value::as_i64).ok_or("no range")
    };
    let mut ranges = Vec::with_capacity(line.vars.len());
    for (name, range) in &line.vars {
        ranges.push((name.as_str(), end(range, 0)?, end(range, 1)?));
    }
    let domain = Domain::new(&ranges)?;
    let (one, two): (Expression, Expression) = (line.one.parse()?, line.two.parse()?);
    match domain.equal(&one, &two, &Limit::steps(100_000)) {
        Ok(Same::Yes) => Ok(Some("same")),
        Ok(Same::No { point, .. }) => {
            let at = |expression: &Expression| {
                let place = |name: &String| ranges.iter().position(|(known, ..)| known == name);
                let names = expression.names().iter();
                let values: Option<Vec<i64>> =
                    names.map(|name| Some(point[place(name)?])).collect();
                expression.value(&values?)
            };
            if at(&one) == at(&two) {
                return Err(
                    format!("{} and {} do not differ at {point:?}", line.one, line.two).into()
                );
            }
            Ok(Some("different"))
        }
        _ => Ok(None),
    }
}
