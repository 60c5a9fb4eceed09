//! What must be copied whatever the layouts: conflict cores.
//!
//! A *core* is a path from one operation to another, through operations that carry an order of
//! digits along, such that the two contracts at its ends allow no common layout.
//! If every class on the path were stored once, both ends would see one layout; so some class
//! of it is stored twice, or an end pays for another configuration. That holds for all
//! layouts, since only the blocks of the contracts are compared: if one end wants the block
//! of axis c before that of h and w, and the other behind it, every layout that fits both
//! would have a digit of c in front of one of h and behind it.
//!
//! Cores that share no class add up. More generally each core takes a share of the bytes of
//! its classes, no class giving more than it has.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::closure::{Choice, Who};
use crate::contract::Hold;
use crate::graph::{Graph, TensorId};
use crate::layout::{Layout, row_major_strides};
use crate::work::Work;

/// A digit of one index that is a digit of another: (place there, place here, size).
type Pair = (i64, i64, i64);

/// A slot of a chooser, and what it wants there.
#[derive(Clone)]
struct User {
    chooser: usize,
    slot: usize,
    tensor: TensorId,
    hold: Option<Hold>,
}

/// A path that forces a copy.
struct Core {
    classes: Vec<usize>,
    /// The choosers at its ends that can pay instead, and what.
    escapes: Vec<(usize, i64)>,
    weight: i64,
}

/// Paths longer than this many classes are not looked at.
const MOST_CLASSES: usize = 12;

/// So many states of a search are looked at.
const MOST_STATES: usize = 300;

/// Bytes that every plan over any layouts must copy or pay.
pub(crate) fn bound(graph: &Graph, work: &Work) -> i64 {
    let bytes: Vec<i64> =
        work.classes.classes.iter().map(|class| graph.tensor(class.root).bytes()).collect();
    let choices = &work.closure.choices;
    let mut users: Vec<Vec<User>> = vec![Vec::new(); bytes.len()];
    for (chooser, choice) in choices.iter().enumerate() {
        for (slot, tensor) in ends(choice).into_iter().enumerate() {
            let hold = held(graph, choice, slot);
            users[work.classes.class(tensor)].push(User { chooser, slot, tensor, hold });
        }
    }
    let mut cores = Vec::new();
    for start in users.iter().flatten() {
        if let Some(hold) = &start.hold {
            cores.extend(from(graph, work, (&bytes, &users), start, hold));
        }
    }
    cores.sort_by_key(|core| (core.classes.len(), -core.weight));
    let mut left = bytes;
    let mut bound: i64 = work
        .classes
        .refused
        .iter()
        .map(|(op, _)| graph.op(*op).output(0).map_or(0, |id| graph.tensor(id).bytes()))
        .sum();
    // What an operation pays to be free frees it of all its cores at once.
    let mut pays: BTreeMap<usize, i64> = BTreeMap::new();
    for core in cores {
        let mut share =
            core.classes.iter().map(|&class| left[class]).min().unwrap_or(0).min(core.weight);
        for &(who, cost) in &core.escapes {
            share =
                share.min(*pays.entry(who).and_modify(|own| *own = cost.min(*own)).or_insert(cost));
        }
        for (who, _) in &core.escapes {
            pays.entry(*who).and_modify(|own| *own -= share);
        }
        for &class in &core.classes {
            left[class] -= share;
        }
        bound += share;
    }
    bound
}

/// The tensors of a chooser's slots.
fn ends(choice: &Choice) -> Vec<TensorId> {
    match (&choice.contract, choice.who) {
        (Some(contract), _) => contract.slots().iter().map(|slot| slot.tensor).collect(),
        (None, Who::Input(id) | Who::Output(id)) => vec![id],
        (None, Who::Op(_)) => Vec::new(),
    }
}

fn held(graph: &Graph, choice: &Choice, slot: usize) -> Option<Hold> {
    match (&choice.contract, choice.who) {
        (Some(contract), _) => contract.hold(slot),
        (None, Who::Input(id) | Who::Output(id)) => {
            Some(Hold { shape: graph.tensor(id).shape.clone(), forms: Vec::new(), escape: None })
        }
        (None, Who::Op(_)) => None,
    }
}

/// The nearest cores that begin at a slot; each pair of ends is found from its lower number.
fn from(
    graph: &Graph,
    work: &Work,
    (bytes, users): (&[i64], &[Vec<User>]),
    start: &User,
    hold: &Hold,
) -> Vec<Core> {
    let classes = &work.classes;
    let elements = graph.tensor(start.tensor).elements();
    let mut found = Vec::new();
    let mut seen: BTreeSet<(usize, Vec<Pair>)> = BTreeSet::new();
    let class = classes.class(start.tensor);
    let first = carried(&[(1, 1, elements)], classes.row_major(start.tensor), true);
    let Some(first) = first else { return found };
    let mut queue = VecDeque::from([(class, first, vec![class])]);
    while let Some((class, pairs, path)) = queue.pop_front() {
        for user in &users[class] {
            let own = (user.chooser, user.slot);
            if own == (start.chooser, start.slot) {
                continue;
            }
            let here = carried(&pairs, classes.row_major(user.tensor), false);
            let Some(here) = here else { continue };
            if own > (start.chooser, start.slot)
                && let Some(other) = &user.hold
                && conflict(hold, other, &here)
            {
                let least = path.iter().map(|&class| bytes[class]).min().unwrap_or(0);
                let escapes = [(start.chooser, hold.escape), (user.chooser, other.escape)];
                let escapes: Vec<(usize, i64)> =
                    escapes.into_iter().filter_map(|(who, cost)| Some((who, cost?))).collect();
                let weight = escapes.iter().fold(least, |least, escape| least.min(escape.1));
                found.push(Core { classes: path.clone(), escapes, weight });
            }
            let Some(contract) = &work.closure.choices[user.chooser].contract else { continue };
            let slot = user.slot;
            if path.len() >= MOST_CLASSES {
                continue;
            }
            for (next, end) in contract.slots().iter().enumerate().filter(|(next, _)| *next != slot)
            {
                let to = classes.class(end.tensor);
                for kept in contract.carries(slot, next) {
                    let across = crossed(&here, &kept);
                    let there = carried(&across, classes.row_major(end.tensor), true);
                    let Some(there) = there.filter(|pairs| pairs.len() > 1) else { continue };
                    // A class is looked at once for every set of digits that reaches it.
                    if !path.contains(&to)
                        && seen.insert((to, there.clone()))
                        && seen.len() < MOST_STATES
                    {
                        let path = [path.as_slice(), &[to]].concat();
                        queue.push_back((to, there, path));
                    }
                }
            }
        }
    }
    found
}

/// Pairs whose second place is of a tensor's index, with it of the root's; or the other way.
/// `place` is the layout of the root that is row-major for the tensor.
fn carried(pairs: &[Pair], place: &Layout, to_root: bool) -> Option<Vec<Pair>> {
    // (place at the tensor, place at the root, size), fastest first.
    let mut own = 1;
    let mut moves: Vec<Pair> = Vec::new();
    for digit in place.digits().iter().rev() {
        moves.push(if to_root {
            (own, digit.place, digit.size)
        } else {
            (digit.place, own, digit.size)
        });
        own *= digit.size;
    }
    let bounds: Vec<i64> = moves.iter().map(|(from, _, _)| *from).collect();
    let mut found = Vec::new();
    for &(first, second, size) in pairs.iter().filter(|pair| pair.2 > 1) {
        for (at, size) in pieces(second, size, &bounds)? {
            let (from, to, _) =
                moves.iter().find(|(from, _, size)| *from <= at && at < from * size)?;
            if at % from != 0 {
                return None;
            }
            found.push((first * (at / second), to * (at / from), size));
        }
    }
    Some(found)
}

/// Pairs whose second place is of one end's index, with it of another end's; digits that do not
/// get there, or would have to be cut off the grid, are left out.
fn crossed(pairs: &[Pair], kept: &[Pair]) -> Vec<Pair> {
    let bounds: Vec<i64> = kept.iter().flat_map(|&(from, _, size)| [from, from * size]).collect();
    let mut found = Vec::new();
    for &(first, second, size) in pairs {
        for (at, size) in pieces(second, size, &bounds).unwrap_or_default() {
            let within = kept.iter().find(|(from, _, whole)| {
                *from <= at && at * size <= from * whole && at % from == 0
            });
            if let Some((from, to, _)) = within {
                found.push((first * (at / second), to * (at / from), size));
            }
        }
    }
    found
}

/// A digit cut at the bounds inside it; `None` if one does not divide it.
fn pieces(place: i64, size: i64, bounds: &[i64]) -> Option<Vec<(i64, i64)>> {
    let end = place * size;
    let mut inside: Vec<i64> =
        bounds.iter().copied().filter(|&bound| place < bound && bound < end).collect();
    inside.sort_unstable();
    inside.dedup();
    inside.push(end);
    let mut at = place;
    let mut found = Vec::new();
    for bound in inside {
        if bound % at != 0 {
            return None;
        }
        found.push((at, bound / at));
        at = bound;
    }
    Some(found)
}

/// Whether no layout has one of the forms of both; pairs lead from the one index to the other.
fn conflict(one: &Hold, other: &Hold, pairs: &[Pair]) -> bool {
    let [ours, theirs] = [one, other].map(|hold| row_major_strides(&hold.shape));
    // Cut at the axes of both.
    let mut cut = Vec::new();
    for &(first, second, size) in pairs {
        let Some(parts) = pieces(first, size, &ours) else { return false };
        for (at, size) in parts {
            let second = second * (at / first);
            let Some(parts) = pieces(second, size, &theirs) else { return false };
            cut.extend(parts.into_iter().map(|(there, size)| (at * (there / second), there, size)));
        }
    }
    let ranked =
        |hold: &Hold, form: Option<&Vec<Vec<usize>>>, strides: &[i64], place: i64| -> i64 {
            let Some(form) = form else { return -place };
            let axis = (0..strides.len())
                .find(|&axis| strides[axis] <= place && place < strides[axis] * hold.shape[axis]);
            let block =
                form.iter().position(|block| axis.is_some_and(|axis| block.contains(&axis)));
            block.and_then(|block| i64::try_from(block).ok()).unwrap_or(0)
        };
    let forms = |hold: &Hold| -> Vec<Option<Vec<Vec<usize>>>> {
        if hold.forms.is_empty() {
            vec![None]
        } else {
            hold.forms.iter().cloned().map(Some).collect()
        }
    };
    forms(one).iter().all(|mine| {
        forms(other).iter().all(|yours| {
            let ranks: Vec<(i64, i64)> = cut
                .iter()
                .map(|&(first, second, _)| {
                    (
                        ranked(one, mine.as_ref(), &ours, first),
                        ranked(other, yours.as_ref(), &theirs, second),
                    )
                })
                .collect();
            ranks.iter().any(|a| ranks.iter().any(|b| a.0 < b.0 && a.1 > b.1))
        })
    })
}
