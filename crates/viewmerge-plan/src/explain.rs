//! Why a copy remains: which two contracts conflict, and along which operations.

use std::collections::{BTreeMap, VecDeque};

use crate::closure::Who;
use crate::graph::Graph;
use crate::planner::Work;
use crate::program::Spot;

/// The sentence for a class stored in two layouts.
pub(crate) fn conflict(graph: &Graph, work: &Work, spots: [Spot; 2], bytes: i64) -> String {
    let [one, other] = spots.map(|spot| strict(graph, work, spot));
    let mut along = one.along;
    along.reverse();
    along.extend(other.along);
    let mut text =
        format!("{} wants {}, {} wants {}", one.name, one.wants, other.name, other.wants);
    if !along.is_empty() {
        text.push_str(&format!(", along {}", along.join(", ")));
    }
    format!("{text}; {}", size(bytes))
}

/// An operation that allows less than all layouts.
struct Strict {
    name: String,
    wants: String,
    /// The operations between it and the class, the nearest last.
    along: Vec<String>,
}

/// The nearest operation that holds a class to a layout: through operations that take any.
fn strict(graph: &Graph, work: &Work, start: Spot) -> Strict {
    let choices = &work.closure.choices;
    let placed = |number: usize| &choices[number].options[work.solved.chosen[number]];
    let mut users: BTreeMap<Spot, Vec<usize>> = BTreeMap::new();
    for number in 0..choices.len() {
        for &spot in &placed(number).uses {
            users.entry(spot).or_default().push(number);
        }
    }
    let mut from: BTreeMap<usize, Option<usize>> = BTreeMap::new();
    let mut queue: VecDeque<(Spot, Option<usize>)> = VecDeque::from([(start, None)]);
    let mut nearest = None;
    while let Some((spot, via)) = queue.pop_front() {
        for &user in users.get(&spot).into_iter().flatten() {
            if from.contains_key(&user) {
                continue;
            }
            from.insert(user, via);
            let uses = &placed(user).uses;
            let slot = uses.iter().position(|own| *own == spot).unwrap_or(0);
            let (name, wants) = match (choices[user].who, &choices[user].contract) {
                (Who::Input(id), _) => {
                    (format!("input {}", graph.tensor(id).name), "row-major".into())
                }
                (Who::Output(id), _) => {
                    (format!("output {}", graph.tensor(id).name), "row-major".into())
                }
                (Who::Op(id), Some(contract)) => (graph.op(id).name.clone(), contract.wants(slot)),
                (Who::Op(id), None) => (graph.op(id).name.clone(), String::new()),
            };
            if !wants.starts_with("any") {
                let mut along = Vec::new();
                let mut step = via;
                while let Some(number) = step {
                    if let Who::Op(id) = choices[number].who {
                        along.push(graph.op(id).name.clone());
                    }
                    step = from.get(&number).copied().flatten();
                }
                along.reverse();
                return Strict { name, wants, along };
            }
            nearest.get_or_insert((name, wants));
            queue.extend(
                uses.iter().filter(|next| next.0 != start.0).map(|&next| (next, Some(user))),
            );
        }
    }
    let (name, wants) = nearest.unwrap_or_default();
    Strict { name, wants, along: Vec::new() }
}

/// Bytes as a reader likes them.
fn size(bytes: i64) -> String {
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => format!("{} KiB", tenths(bytes, 1024)),
        _ => format!("{} MiB", tenths(bytes, 1 << 20)),
    }
}

/// A quotient with one digit after the point, where it is not whole.
fn tenths(bytes: i64, unit: i64) -> String {
    let tenths = (bytes * 10 + unit / 2) / unit;
    if tenths % 10 == 0 {
        format!("{}", tenths / 10)
    } else {
        format!("{}.{}", tenths / 10, tenths % 10)
    }
}
