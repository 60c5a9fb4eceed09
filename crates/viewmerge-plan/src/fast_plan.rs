//! The plan to write, chosen by the time its copies take.
//!
//! The fewest bytes do not always take the least time: one Transpose that copies element by
//! element takes longer than three that copy rows. So the cheapest plan is compared with the
//! graph as given, part by part, and then operations are moved to another configuration as long
//! as that saves time. A part is a set of choosers whose choice differs, connected by the classes
//! they share. No class belongs to two parts, so each part can be taken from either plan.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use crate::graph::Graph;
use crate::permutation::Permutation;
use crate::target::Target;
use crate::time::CopyTimes;
use crate::work::Work;

/// The most passes over all operations.
const MOST_SWEEPS: usize = 8;

/// The fastest choice among those looked at; `None` if the target does not give times, or the
/// cheapest plan is as fast.
pub(crate) fn fastest(graph: &Graph, target: &Target, work: &Work) -> Option<Vec<usize>> {
    let timed = Timed::new(graph, target.copy_times()?, work);
    let mut chosen = work.solved.chosen.clone();
    timed.keep_given_where_faster(&mut chosen);
    for _ in 0..MOST_SWEEPS {
        if !timed.moved(&mut chosen) {
            break;
        }
    }
    (chosen != work.solved.chosen).then_some(chosen)
}

/// What is needed to compute the time of a choice.
struct Timed<'a> {
    graph: &'a Graph,
    times: CopyTimes,
    work: &'a Work,
    /// The choosers and slots of every class.
    users: Vec<Vec<(usize, usize)>>,
    /// The time of every copy computed so far, by class, source and destination.
    known: RefCell<HashMap<(usize, usize, usize), i128>>,
}

impl<'a> Timed<'a> {
    fn new(graph: &'a Graph, times: CopyTimes, work: &'a Work) -> Timed<'a> {
        let mut users = vec![Vec::new(); work.classes.classes.len()];
        for (chooser, choice) in work.closure.choices.iter().enumerate() {
            let slots = choice.options.first().map_or(&[][..], |option| &option.uses);
            for (slot, (class, _)) in slots.iter().enumerate() {
                users[*class].push((chooser, slot));
            }
        }
        Timed { graph, times, work, users, known: RefCell::default() }
    }

    /// How long the copies of a class take.
    fn class(&self, class: usize, chosen: &[usize]) -> i128 {
        let choices = &self.work.closure.choices;
        let mut made = None;
        let mut used: BTreeSet<usize> = BTreeSet::new();
        for &(chooser, slot) in &self.users[class] {
            let layout = choices[chooser].options[chosen[chooser]].uses[slot].1;
            used.insert(layout);
            if choices[chooser].makes(slot) {
                made = Some(layout);
            }
        }
        let Some(made) = made else { return 0 };
        used.into_iter().filter(|&layout| layout != made).map(|to| self.copy(class, made, to)).sum()
    }

    fn copy(&self, class: usize, from: usize, to: usize) -> i128 {
        if let Some(&time) = self.known.borrow().get(&(class, from, to)) {
            return time;
        }
        let layouts = &self.work.closure.layouts[class];
        let (shape, perm) = layouts[from].permutation_to(&layouts[to]).unwrap_or_default();
        let copy = Permutation { shape, perm };
        let bytes = self.graph.tensor(self.work.classes.classes[class].root).element_bytes;
        let steps = self.times.steps(&copy, bytes);
        let time = steps.iter().map(|step| self.times.of(step, bytes)).sum();
        self.known.borrow_mut().insert((class, from, to), time);
        time
    }

    /// How much longer a configuration takes than the usual one. A copy of the sizes at which
    /// configurations were measured takes twice as long as its bytes alone.
    fn option(&self, chooser: usize, option: usize) -> i128 {
        let cost = self.work.closure.choices[chooser].options[option].configuration.cost;
        2 * i128::from(self.times.byte) * i128::from(cost)
    }

    /// How long these choosers and their classes take.
    fn part(&self, choosers: &BTreeSet<usize>, chosen: &[usize]) -> i128 {
        let classes: BTreeSet<usize> = choosers.iter().flat_map(|&one| self.classes(one)).collect();
        classes.into_iter().map(|class| self.class(class, chosen)).sum::<i128>()
            + choosers.iter().map(|&one| self.option(one, chosen[one])).sum::<i128>()
    }

    /// The classes that a chooser uses.
    fn classes(&self, chooser: usize) -> impl Iterator<Item = usize> {
        let options = &self.work.closure.choices[chooser].options;
        options.first().into_iter().flat_map(|option| option.uses.iter().map(|spot| spot.0))
    }

    /// The options of the graph as given; those of the cheapest plan where it has none.
    fn given(&self, least: &[usize]) -> Vec<usize> {
        let own = |(choice, &least): (&crate::closure::Choice, &usize)| {
            let row_major = |option: &crate::closure::Placed| {
                option.configuration.layouts.iter().all(|layout| layout.is_row_major())
            };
            let given = choice.options.iter().enumerate().filter(|(_, option)| row_major(option));
            let cheapest = given.min_by_key(|(_, option)| option.configuration.cost);
            cheapest.map_or(least, |(number, _)| number)
        };
        self.work.closure.choices.iter().zip(least).map(own).collect()
    }

    /// Takes the graph as given in every part where that is faster.
    fn keep_given_where_faster(&self, chosen: &mut [usize]) {
        let given = self.given(chosen);
        let mut left: BTreeSet<usize> =
            (0..chosen.len()).filter(|&one| chosen[one] != given[one]).collect();
        while let Some(first) = left.pop_first() {
            let mut part = BTreeSet::from([first]);
            let mut queue = vec![first];
            while let Some(one) = queue.pop() {
                for (other, _) in self.classes(one).flat_map(|class| self.users[class].clone()) {
                    if left.remove(&other) {
                        part.insert(other);
                        queue.push(other);
                    }
                }
            }
            let mut as_given = chosen.to_vec();
            for &one in &part {
                as_given[one] = given[one];
            }
            if self.part(&part, &as_given) < self.part(&part, chosen) {
                chosen.copy_from_slice(&as_given);
            }
        }
    }

    /// Gives every operation next to a copy the configuration that takes the least time; returns
    /// whether one was changed.
    fn moved(&self, chosen: &mut [usize]) -> bool {
        let mut changed = false;
        for chooser in 0..chosen.len() {
            let alone = BTreeSet::from([chooser]);
            let mut best = (self.part(&alone, chosen), chosen[chooser]);
            if best.0 == 0 {
                continue;
            }
            for option in 0..self.work.closure.choices[chooser].options.len() {
                let before = std::mem::replace(&mut chosen[chooser], option);
                let time = self.part(&alone, chosen);
                chosen[chooser] = before;
                if time < best.0 {
                    best = (time, option);
                }
            }
            changed |= best.1 != chosen[chooser];
            chosen[chooser] = best.1;
        }
        changed
    }
}
