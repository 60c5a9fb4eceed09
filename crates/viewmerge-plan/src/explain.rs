//! Why a copy remains: which two contracts conflict, and along which operations.

use std::collections::{BTreeMap, VecDeque};

use crate::closure::{Placed, Who};
use crate::graph::Graph;
use crate::program::Spot;
use crate::work::Work;

/// The sentence for a class stored in two layouts.
pub(crate) fn conflict(
    graph: &Graph,
    work: &Work,
    chosen: &[usize],
    spots: [Spot; 2],
    bytes: i64,
) -> String {
    let [one, other] = [[0, 1], [1, 0]]
        .map(|[own, other]| strict(graph, (work, chosen), spots[own], spots[other]));
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

/// An operation that does not accept the other layout.
struct Strict {
    name: String,
    wants: String,
    /// The operations between the class and this one, nearest to the class first.
    along: Vec<String>,
}

/// The nearest operation that fixes a class to a layout. The search passes through operations
/// that would also accept the other layout, since their other ends would then change too.
fn strict(graph: &Graph, (work, chosen): (&Work, &[usize]), held: Spot, other: Spot) -> Strict {
    let choices = &work.closure.choices;
    let placed = |number: usize| &choices[number].options[chosen[number]];
    let named = |user: usize, slot: usize| match (choices[user].who, &choices[user].contract) {
        (Who::Input(id), _) => (format!("input {}", graph.tensor(id).name), "row-major".into()),
        (Who::Output(id), _) => (format!("output {}", graph.tensor(id).name), "row-major".into()),
        (Who::Op(id), Some(contract)) => (graph.op(id).name.clone(), contract.wants(slot)),
        (Who::Op(id), None) => (graph.op(id).name.clone(), String::new()),
    };
    let mut from: BTreeMap<usize, Option<usize>> = BTreeMap::new();
    let mut queue: VecDeque<(Spot, Spot, Option<usize>)> = VecDeque::from([(held, other, None)]);
    let mut nearest = None;
    while let Some((spot, instead, via)) = queue.pop_front() {
        for (user, choice) in choices.iter().enumerate() {
            let uses = &placed(user).uses;
            let Some(slot) = uses.iter().position(|own| *own == spot) else { continue };
            if from.contains_key(&user) {
                continue;
            }
            from.insert(user, via);
            // The option with the other layout here that changes the least elsewhere.
            let options = choice.options.iter().filter(|option| option.uses[slot] == instead);
            let changes = |option: &&Placed| {
                option.uses.iter().zip(uses).filter(|(one, two)| one != two).count()
            };
            let (name, wants) = named(user, slot);
            let Some(option) = options.min_by_key(changes) else {
                let mut along = Vec::new();
                let mut step = via;
                while let Some(number) = step {
                    along.push(named(number, 0).0);
                    step = from.get(&number).copied().flatten();
                }
                along.reverse();
                return Strict { name, wants, along };
            };
            nearest.get_or_insert((name, wants));
            let changed =
                uses.iter().zip(&option.uses).filter(|(own, new)| own != new && own.0 != held.0);
            queue.extend(changed.map(|(own, new)| (*own, *new, Some(user))));
        }
    }
    let (name, wants) = nearest.unwrap_or_default();
    Strict { name, wants, along: Vec::new() }
}

/// Bytes in a readable unit.
fn size(bytes: i64) -> String {
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => format!("{} KiB", tenths(bytes, 1024)),
        _ => format!("{} MiB", tenths(bytes, 1 << 20)),
    }
}

/// A quotient with one decimal, unless it is whole.
fn tenths(bytes: i64, unit: i64) -> String {
    let tenths = (bytes * 10 + unit / 2) / unit;
    if tenths % 10 == 0 {
        format!("{}", tenths / 10)
    } else {
        format!("{}.{}", tenths / 10, tenths % 10)
    }
}
