//! Conflict cores: copies that no layouts avoid.
//!
//! A *core* is a path from one operation to another, through operations that preserve an order of
//! digits, such that the two contracts at its ends allow no common layout. If every class on the
//! path were stored once, both ends would see one layout; so some class on it is stored twice, or
//! an end pays for another configuration. This holds for all layouts, since only the blocks of
//! the contracts are compared: if one end wants the block of axis c before that of h and w, and
//! the other wants it after, then in a layout that fits both, a digit of c would come both before
//! and after one of h.
//!
//! The costs of cores that share no class add up. More generally, each core takes a share of the
//! bytes of its classes, and no class gives more than it has.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

use crate::closure::{Choice, Who};
use crate::contract::Hold;
use crate::contract::common_divisor;
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

/// The choosers that can pay to avoid a core, and how much.
type Escapes = Vec<(usize, i64)>;

/// A path that forces a copy.
struct Core {
    classes: Vec<usize>,
    /// The choosers at its ends that can pay instead, and how much.
    escapes: Escapes,
    weight: i64,
}

/// The longest path to look at, in classes.
const MOST_CLASSES: usize = 12;

/// The most states of a search to look at.
const MOST_STATES: usize = 300;

/// The most cores to weigh against each other.
const MOST_CORES: usize = 2000;

/// The bytes that every plan, over any layouts, must copy or pay.
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
        let Some(hold) = &start.hold else { continue };
        for reached in reached(graph, work, &users, start) {
            let other = &users[reached.class][reached.user];
            let Some(theirs) = &other.hold else { continue };
            let after = (other.chooser, other.slot) > (start.chooser, start.slot);
            if after && conflict(hold, theirs, &reached.pairs) {
                let escapes = [(start.chooser, hold.escape), (other.chooser, theirs.escape)];
                let least = reached.path.iter().map(|&class| bytes[class]).min().unwrap_or(0);
                cores.push(Core::new(reached.path, &escapes, least));
            }
        }
    }
    let refused: i64 = work
        .classes
        .refused
        .iter()
        .map(|(op, _)| graph.op(*op).output(0).map_or(0, |id| graph.tensor(id).bytes()))
        .sum();
    refused + greedy(&mut cores, &bytes).max(shared(&cores, &bytes).unwrap_or(0))
}

/// Nearest cores first; each takes as much as the others have left.
fn greedy(cores: &mut [Core], bytes: &[i64]) -> i64 {
    cores.sort_by_key(|core| (core.classes.len(), -core.weight));
    let mut left = bytes.to_vec();
    let mut bound = 0;
    // A payment frees an operation from all its cores at once.
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

/// The largest shares that classes and operations can give, by a linear program; rounded down.
fn shared(cores: &[Core], bytes: &[i64]) -> Option<i64> {
    let unit = common_divisor(bytes.iter().copied()).max(1) as f64;
    // One core is enough among those with the same classes and escapes.
    let distinct: BTreeSet<(Vec<usize>, Escapes)> = cores
        .iter()
        .map(|core| {
            let mut classes = core.classes.clone();
            classes.sort_unstable();
            (classes, core.escapes.clone())
        })
        .collect();
    if distinct.is_empty() || distinct.len() > MOST_CORES {
        return None;
    }
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let mut given: BTreeMap<usize, Vec<(Variable, f64)>> = BTreeMap::new();
    let mut paid: BTreeMap<usize, (i64, Vec<(Variable, f64)>)> = BTreeMap::new();
    let mut shares = Vec::new();
    for (classes, escapes) in &distinct {
        let share = problem.add_var(1.0, (0.0, f64::INFINITY));
        shares.push(share);
        for &class in classes {
            given.entry(class).or_default().push((share, 1.0));
        }
        for &(who, cost) in escapes {
            let (least, terms) = paid.entry(who).or_insert((cost, Vec::new()));
            *least = cost.min(*least);
            terms.push((share, 1.0));
        }
    }
    for (class, terms) in &given {
        problem.add_constraint(terms, ComparisonOp::Le, bytes[*class] as f64 / unit);
    }
    for (cost, terms) in paid.values() {
        problem.add_constraint(terms, ComparisonOp::Le, *cost as f64 / unit);
    }
    let solution = problem.solve().ok()?.into_solution().ok()?;
    // Exactly: every share is rounded down to a whole number of bytes, and reduced where a class
    // or an operation would give too much.
    let mut left: BTreeMap<usize, i64> = given.keys().map(|&class| (class, bytes[class])).collect();
    let mut pays: BTreeMap<usize, i64> =
        paid.iter().map(|(&who, (cost, _))| (who, *cost)).collect();
    let mut bound = 0;
    for ((classes, escapes), &variable) in distinct.iter().zip(&shares) {
        let mut share = (solution.var_value(variable) * unit + 1e-3).floor() as i64;
        share = classes.iter().fold(share, |share, class| share.min(left[class]));
        share = escapes.iter().fold(share, |share, (who, _)| share.min(pays[who])).max(0);
        classes.iter().for_each(|class| *left.entry(*class).or_default() -= share);
        escapes.iter().for_each(|(who, _)| *pays.entry(*who).or_default() -= share);
        bound += share;
    }
    Some(bound)
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

impl Core {
    fn new(classes: Vec<usize>, escapes: &[(usize, Option<i64>)], least: i64) -> Core {
        let escapes: Escapes =
            escapes.iter().filter_map(|&(who, cost)| Some((who, cost?))).collect();
        let weight = escapes.iter().fold(least, |least, escape| least.min(escape.1));
        Core { classes, escapes, weight }
    }
}

/// A user of a class that a path from a slot reaches.
struct Reached {
    class: usize,
    /// Its number among the users of the class.
    user: usize,
    /// The digits of the first index that are also digits of this one.
    pairs: Vec<Pair>,
    /// The classes along the path.
    path: Vec<usize>,
}

/// All users that paths from a slot reach, nearest first.
fn reached(graph: &Graph, work: &Work, users: &[Vec<User>], start: &User) -> Vec<Reached> {
    let classes = &work.classes;
    let elements = graph.tensor(start.tensor).elements();
    let mut found = Vec::new();
    let mut seen: BTreeSet<(usize, Vec<Pair>)> = BTreeSet::new();
    let class = classes.class(start.tensor);
    let first = carried(&[(1, 1, elements)], classes.row_major(start.tensor), true);
    let Some(first) = first else { return found };
    let mut queue = VecDeque::from([(class, first, vec![class])]);
    while let Some((class, pairs, path)) = queue.pop_front() {
        for (number, user) in users[class].iter().enumerate() {
            if (user.chooser, user.slot) == (start.chooser, start.slot) {
                continue;
            }
            let here = carried(&pairs, classes.row_major(user.tensor), false);
            let Some(here) = here else { continue };
            found.push(Reached { class, user: number, pairs: here.clone(), path: path.clone() });
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
                    // A class is visited once for each set of digits that reaches it.
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

/// Changes the second place of pairs from a tensor's index to the root's, or back. `place` is the
/// layout of the root that is row-major for the tensor.
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

/// Changes the second place of pairs from one end's index to another end's. Digits that do not
/// reach the other end, or would have to be cut unevenly, are left out.
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

/// Whether no layout has a form of both; pairs lead from one index to the other.
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
