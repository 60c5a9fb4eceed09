//! `coverage PATH [MOST]`: the questions of a file, one JSON object a line with `params` (least value,
//! greatest or null, multiple) and `chain`: how many stay open in part, the share of points in the
//! open part, disagreements with concrete merges at all points up to MOST, and times. In the environment
//! OPEN prints those that stay open.

#[path = "../tests/support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{Question, Tally, ask, braced};

fn read(row: &Value) -> Question {
    let number = |value: &Value| value.as_i64();
    let params = row["params"].as_object().expect("params").iter().map(|(name, about)| {
        let least = number(&about["min"]).unwrap_or(i64::MIN);
        (name.clone(), least, number(&about["multiple"]).unwrap_or(1))
    });
    Question { params: params.collect(), text: braced(row["chain"].as_str().expect("a chain")) }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let path = args.next().expect("the path of a file");
    let most: i64 = args.next().map_or(6, |text| text.parse().expect("a number"));
    let text = std::fs::read_to_string(path).expect("a file");
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut times: Vec<(Duration, String)> = Vec::new();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).expect("an object");
        let question = read(&row);
        let start = Instant::now();
        let asked = ask(&question);
        times.push((start.elapsed(), question.written()));
        let tally = tallies.entry(row["source"].as_str().unwrap_or("all").to_owned()).or_default();
        match asked {
            Some((chain, answer)) => {
                let before = tally.wrong.len();
                tally.compare(&question, &chain, &answer, most);
                let open = std::env::var_os("OPEN").is_some() && !answer.open.is_never();
                if open || tally.wrong.len() > before {
                    println!("OPEN {:?} {}\n   {answer}", question.params, question.written());
                }
            }
            None => println!("REFUSED {}", question.written()),
        }
    }
    times.sort();
    for (source, tally) in &mut tallies {
        tally.wrong.iter().take(8).for_each(|wrong| println!("WRONG {wrong}"));
        println!("{}", tally.report(source));
    }
    let open: usize = tallies.values().map(|tally| tally.some_open).sum();
    let at = |share: usize| &times[(times.len() * share / 1000).min(times.len() - 1)];
    println!("{open} of {} open in part", times.len());
    println!(
        "time: median {:?}, 99 % {:?}, most {:?} {}",
        at(500).0,
        at(990).0,
        at(1000).0,
        at(1000).1
    );
}
