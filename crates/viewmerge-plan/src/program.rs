//! The integer program of a plan, and its solution with the proof.
//!
//! Every chooser (operation or end of the graph) takes one option; an option uses layouts of
//! classes. A class pays its bytes for every layout used but one. As a program: x(option) sum
//! to 1 for every chooser, and for every chooser and layout the x that use it are at most
//! y(layout); minimise Σ bytes·y + Σ cost·x − Σ bytes. Only y must be integral.
//!
//! The dual gives every (chooser, layout) a price v ≥ 0 with Σ over choosers ≤ bytes. Then a
//! plan costs at least Σ over choosers of the least (cost + prices) of an option, minus Σ
//! bytes of the classes. Where the relaxation is not integral, a tree fixes y's to 0 or 1:
//! at 0 the options that use the layout are gone; at 1 the layout is paid for, its prices
//! count as 0.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

use crate::error::PlanError;

/// A layout of a class, both by number.
pub(crate) type Spot = (usize, usize);

/// An option of a chooser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choosable {
    /// The layouts it uses, sorted, each once.
    pub uses: Vec<Spot>,
    pub cost: i64,
}

/// Bytes of every class, options of every chooser.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub bytes: Vec<i64>,
    pub choosers: Vec<Vec<Choosable>>,
}

/// Prices that prove a bound: integers over a denominator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tree {
    /// Prices for (chooser, layout).
    Prices { denominator: i64, prices: BTreeMap<(usize, Spot), i64> },
    /// The layout is not stored, or it is.
    Branch { spot: Spot, without: Box<Tree>, with: Box<Tree> },
}

/// The least plan and its proof.
#[derive(Clone, Debug)]
pub(crate) struct Solved {
    /// For every chooser its option.
    pub chosen: Vec<usize>,
    pub cost: i64,
    pub bound: i64,
    pub tree: Tree,
}

/// What a branch fixes.
type Fixed = BTreeMap<Spot, bool>;

impl Program {
    /// The cost of a choice.
    pub fn cost(&self, chosen: &[usize]) -> i64 {
        let mut used: BTreeSet<Spot> = BTreeSet::new();
        let mut cost = 0;
        for (options, &option) in self.choosers.iter().zip(chosen) {
            cost += options[option].cost;
            used.extend(&options[option].uses);
        }
        let classes: BTreeSet<usize> = used.iter().map(|spot| spot.0).collect();
        let stored: i64 = used.iter().map(|spot| self.bytes[spot.0]).sum();
        cost + stored - classes.iter().map(|&class| self.bytes[class]).sum::<i64>()
    }

    /// Bytes of all classes that are used at all: the first layout of each is free.
    fn free(&self) -> i64 {
        let used = self.choosers.iter().flatten().flat_map(|option| &option.uses);
        let classes: BTreeSet<usize> = used.map(|spot| spot.0).collect();
        classes.iter().map(|&class| self.bytes[class]).sum()
    }

    /// What prices prove under what is fixed, over their denominator; `None` if some chooser
    /// has no option left, so that there is no plan at all.
    fn proved(&self, fixed: &Fixed, denominator: i64, prices: &BTreeMap<(usize, Spot), i64>) -> Option<i128> {
        let paid: i64 = fixed.iter().filter(|(_, stored)| **stored).map(|(spot, _)| self.bytes[spot.0]).sum();
        let mut total = i128::from(denominator) * (i128::from(paid) - i128::from(self.free()));
        for (chooser, options) in self.choosers.iter().enumerate() {
            let price = |option: &Choosable| {
                if option.uses.iter().any(|spot| fixed.get(spot) == Some(&false)) {
                    return None;
                }
                let open = option.uses.iter().filter(|spot| !fixed.contains_key(spot));
                let sum: i128 = open.map(|&spot| i128::from(prices.get(&(chooser, spot)).copied().unwrap_or(0))).sum();
                Some(i128::from(denominator) * i128::from(option.cost) + sum)
            };
            total += options.iter().filter_map(price).min()?;
        }
        Some(total)
    }

    /// The least plan, with a proof that it is the least.
    pub fn solve(&self) -> Result<Solved, PlanError> {
        let reduced = Reduced::of(self);
        let mut search = Search { program: self, reduced: &reduced, best: None, nodes: 0 };
        let tree = search.node(&mut Fixed::new())?;
        let (cost, chosen) = search.best.ok_or_else(|| failed("no plan was found"))?;
        let bound = self.bound(&tree, &mut Fixed::new()).map_or(cost, |bound| bound.min(cost));
        Ok(Solved { chosen, cost, bound, tree })
    }

    /// What a tree proves; `None` if there is no plan.
    fn bound(&self, tree: &Tree, fixed: &mut Fixed) -> Option<i64> {
        match tree {
            Tree::Prices { denominator, prices } => {
                let total = self.proved(fixed, *denominator, prices)?;
                i64::try_from(total.div_euclid(i128::from(*denominator)) + i128::from(total.rem_euclid(i128::from(*denominator)) != 0)).ok()
            }
            Tree::Branch { spot, without, with } => {
                fixed.insert(*spot, false);
                let one = self.bound(without, fixed);
                fixed.insert(*spot, true);
                let other = self.bound(with, fixed);
                fixed.remove(spot);
                match (one, other) {
                    (Some(one), Some(other)) => Some(one.min(other)),
                    (one, other) => one.or(other),
                }
            }
        }
    }
}

fn failed(reason: impl ToString) -> PlanError {
    PlanError::Solver { reason: reason.to_string() }
}

/// The options worth solving for.
///
/// A layout that one chooser alone uses serves nobody else: an option with such a layout is
/// no better than one with any other layout there and the same elsewhere. Priced at the
/// class's bytes it never is the least, so the proof covers it.
struct Reduced {
    /// For every chooser the numbers of the options that stay.
    options: Vec<Vec<usize>>,
    /// Layouts that one chooser alone uses, with that chooser.
    alone: Vec<(usize, Spot)>,
}

impl Reduced {
    fn of(program: &Program) -> Reduced {
        let mut users: HashMap<Spot, BTreeSet<usize>> = HashMap::new();
        for (chooser, options) in program.choosers.iter().enumerate() {
            for spot in options.iter().flat_map(|option| &option.uses) {
                users.entry(*spot).or_default().insert(chooser);
            }
        }
        let alone = |spot: &Spot| users.get(spot).is_some_and(|users| users.len() == 1);
        let mut stay = Vec::with_capacity(program.choosers.len());
        for options in &program.choosers {
            // By what others see of it: shared layouts, and the classes of the others.
            let mut order: Vec<usize> = (0..options.len()).collect();
            let lonely = |option: usize| options[option].uses.iter().filter(|spot| alone(spot)).count();
            order.sort_by_key(|&option| (lonely(option), options[option].cost));
            let mut kept: Vec<usize> = Vec::new();
            for option in order {
                let beaten = lonely(option) > 0
                    && kept.iter().any(|&other| {
                        options[other].cost <= options[option].cost
                            && serves(&options[other].uses, &options[option].uses, &alone)
                    });
                if !beaten {
                    kept.push(option);
                }
            }
            kept.sort_unstable();
            stay.push(kept);
        }
        let mut lonely: Vec<(usize, Spot)> = users
            .iter()
            .filter(|(_, users)| users.len() == 1)
            .flat_map(|(spot, users)| users.iter().map(|&chooser| (chooser, *spot)))
            .collect();
        lonely.sort_unstable();
        Reduced { options: stay, alone: lonely }
    }
}

/// Whether the layouts of `one` are those of `other`, or each stands for another one of its
/// class that nobody else uses.
fn serves(one: &[Spot], other: &[Spot], alone: &dyn Fn(&Spot) -> bool) -> bool {
    let new = |class: usize| one.iter().filter(|spot| spot.0 == class && !other.contains(spot)).count();
    let old = |class: usize| {
        other.iter().filter(|spot| spot.0 == class && alone(spot) && !one.contains(spot)).count()
    };
    one.iter().all(|spot| new(spot.0) <= old(spot.0))
}

struct Search<'a> {
    program: &'a Program,
    reduced: &'a Reduced,
    best: Option<(i64, Vec<usize>)>,
    nodes: usize,
}

/// How many nodes of the tree are solved before giving up on closing the gap.
const MOST_NODES: usize = 400;

impl Search<'_> {
    fn node(&mut self, fixed: &mut Fixed) -> Result<Tree, PlanError> {
        self.nodes += 1;
        let nothing = Tree::Prices { denominator: 1, prices: BTreeMap::new() };
        let Some(stored) = self.relaxed(fixed)? else { return Ok(nothing) };
        self.round(fixed, &stored);
        let prices = self.priced(fixed)?;
        let bound = self.program.bound(&prices, &mut fixed.clone());
        let best = self.best.as_ref().map_or(i64::MAX, |best| best.0);
        if bound.is_none_or(|bound| bound >= best) || self.nodes >= MOST_NODES {
            return Ok(prices);
        }
        let fraction = |value: f64| (value - value.round()).abs();
        let open = stored.iter().filter(|(spot, _)| !fixed.contains_key(spot));
        let most = open.max_by(|one, other| {
            let weight = |(spot, value): &(&Spot, &f64)| {
                fraction(**value) * self.program.bytes[spot.0] as f64
            };
            weight(one).total_cmp(&weight(other))
        });
        let Some((&spot, &value)) = most else { return Ok(prices) };
        if fraction(value) < 1e-6 {
            return Ok(prices);
        }
        fixed.insert(spot, true);
        let with = Box::new(self.node(fixed)?);
        fixed.insert(spot, false);
        let without = Box::new(self.node(fixed)?);
        fixed.remove(&spot);
        Ok(Tree::Branch { spot, without, with })
    }

    fn open(&self, fixed: &Fixed, chooser: usize) -> impl Iterator<Item = (usize, &Choosable)> {
        let gone: Vec<Spot> =
            fixed.iter().filter(|(_, stored)| !**stored).map(|(spot, _)| *spot).collect();
        let options = &self.program.choosers[chooser];
        self.reduced.options[chooser]
            .iter()
            .map(move |&option| (option, &options[option]))
            .filter(move |(_, option)| !option.uses.iter().any(|spot| gone.contains(spot)))
    }

    /// A number that divides all bytes and costs, to keep the numbers of the solver small.
    fn unit(&self) -> i64 {
        let costs = self.program.choosers.iter().flatten().map(|option| option.cost);
        let all = self.program.bytes.iter().copied().chain(costs);
        all.fold(0, |one, other| {
            let (mut one, mut other) = (one, other);
            while other != 0 {
                (one, other) = (other, one % other);
            }
            one
        })
        .max(1)
    }

    /// The y's of the relaxation; `None` if there is no plan.
    fn relaxed(&self, fixed: &Fixed) -> Result<Option<BTreeMap<Spot, f64>>, PlanError> {
        let unit = self.unit() as f64;
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let mut stored: BTreeMap<Spot, Variable> = BTreeMap::new();
        // What a chooser with one option uses is stored.
        let mut forced: BTreeSet<Spot> = BTreeSet::new();
        for chooser in 0..self.program.choosers.len() {
            let mut open = self.open(fixed, chooser);
            match (open.next(), open.next()) {
                (None, _) => return Ok(None),
                (Some((_, only)), None) => forced.extend(&only.uses),
                _ => {}
            }
        }
        for chooser in 0..self.program.choosers.len() {
            let options: Vec<(usize, &Choosable)> = self.open(fixed, chooser).collect();
            for spot in options.iter().flat_map(|(_, option)| &option.uses) {
                stored.entry(*spot).or_insert_with(|| {
                    let must = forced.contains(spot) || fixed.get(spot) == Some(&true);
                    let least = if must { 1.0 } else { 0.0 };
                    problem.add_var(self.program.bytes[spot.0] as f64 / unit, (least, 1.0))
                });
            }
            if options.len() == 1 {
                continue;
            }
            let mut users: BTreeMap<Spot, Vec<Variable>> = BTreeMap::new();
            let mut all = Vec::new();
            for (_, option) in options {
                let taken = problem.add_var(option.cost as f64 / unit, (0.0, f64::INFINITY));
                all.push((taken, 1.0));
                for spot in &option.uses {
                    users.entry(*spot).or_default().push(taken);
                }
            }
            problem.add_constraint(&all, ComparisonOp::Eq, 1.0);
            for (spot, users) in users {
                if forced.contains(&spot) || fixed.get(&spot) == Some(&true) {
                    continue;
                }
                let mut terms: Vec<(Variable, f64)> = users.into_iter().map(|user| (user, 1.0)).collect();
                terms.push((stored[&spot], -1.0));
                problem.add_constraint(&terms, ComparisonOp::Le, 0.0);
            }
        }
        let solution = problem.solve().map_err(failed)?.into_solution().map_err(|_| failed("it was interrupted"))?;
        Ok(Some(stored.into_iter().map(|(spot, variable)| (spot, solution.var_value(variable))).collect()))
    }

    /// The best plan with the layouts that the relaxation stores at all.
    fn round(&mut self, fixed: &Fixed, stored: &BTreeMap<Spot, f64>) {
        for least in [0.99, 0.5, 1e-6] {
            let held = |spot: &Spot| stored.get(spot).is_some_and(|&value| value >= least);
            let mut used: BTreeSet<Spot> = BTreeSet::new();
            let mut chosen = Vec::with_capacity(self.program.choosers.len());
            for chooser in 0..self.program.choosers.len() {
                let price = |option: &Choosable| {
                    let new = option.uses.iter().filter(|spot| !used.contains(spot));
                    let missing = option.uses.iter().filter(|spot| !held(spot)).count();
                    (missing, option.cost + new.map(|spot| self.program.bytes[spot.0]).sum::<i64>())
                };
                let Some((option, found)) = self.open(fixed, chooser).min_by_key(|(_, option)| price(option)) else { return };
                used.extend(&found.uses);
                chosen.push(option);
            }
            let cost = self.program.cost(&chosen);
            if self.best.as_ref().is_none_or(|best| cost < best.0) {
                self.best = Some((cost, chosen));
            }
        }
    }

    /// The dual under what is fixed, in integers: the best of some denominators.
    fn priced(&self, fixed: &Fixed) -> Result<Tree, PlanError> {
        let unit = self.unit();
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let mut prices: BTreeMap<(usize, Spot), Variable> = BTreeMap::new();
        let mut sums: BTreeMap<Spot, Vec<(Variable, f64)>> = BTreeMap::new();
        for chooser in 0..self.program.choosers.len() {
            let least = problem.add_var(1.0, (f64::NEG_INFINITY, f64::INFINITY));
            for (_, option) in self.open(fixed, chooser) {
                let mut terms = vec![(least, 1.0)];
                for &spot in option.uses.iter().filter(|spot| !fixed.contains_key(spot)) {
                    let price = *prices.entry((chooser, spot)).or_insert_with(|| {
                        let price = problem.add_var(0.0, (0.0, f64::INFINITY));
                        sums.entry(spot).or_default().push((price, 1.0));
                        price
                    });
                    terms.push((price, -1.0));
                }
                problem.add_constraint(&terms, ComparisonOp::Le, (option.cost / unit) as f64);
            }
        }
        for (spot, terms) in &sums {
            problem.add_constraint(terms, ComparisonOp::Le, (self.program.bytes[spot.0] / unit) as f64);
        }
        let solution = problem.solve().map_err(failed)?.into_solution().map_err(|_| failed("it was interrupted"))?;
        let found: BTreeMap<(usize, Spot), f64> =
            prices.into_iter().map(|(key, variable)| (key, solution.var_value(variable))).collect();
        let mut best: Option<(i128, i64, Tree)> = None;
        for denominator in [1, 2, 3, 4, 6, 12, 60] {
            let prices = self.rounded(fixed, &found, unit, denominator);
            let Some(total) = self.program.proved(fixed, denominator, &prices) else {
                return Ok(Tree::Prices { denominator: 1, prices: BTreeMap::new() });
            };
            let better = best.as_ref().is_none_or(|(most, own, _)| {
                total * i128::from(*own) > most * i128::from(denominator)
            });
            if better {
                best = Some((total, denominator, Tree::Prices { denominator, prices }));
            }
        }
        best.map(|(_, _, tree)| tree).ok_or_else(|| failed("no prices"))
    }

    /// Prices as integers over a denominator, none above what the class's bytes allow.
    fn rounded(
        &self,
        fixed: &Fixed,
        found: &BTreeMap<(usize, Spot), f64>,
        unit: i64,
        denominator: i64,
    ) -> BTreeMap<(usize, Spot), i64> {
        let mut prices = BTreeMap::new();
        let mut sums: BTreeMap<Spot, i64> = BTreeMap::new();
        for (&(chooser, spot), &value) in found {
            let most = self.program.bytes[spot.0] * denominator;
            let scaled = (value * denominator as f64 + 1e-6).floor() as i64 * unit;
            let sum = sums.entry(spot).or_insert(0);
            let price = scaled.clamp(0, most - *sum);
            *sum += price;
            if price > 0 {
                prices.insert((chooser, spot), price);
            }
        }
        for &(chooser, spot) in &self.reduced.alone {
            if !fixed.contains_key(&spot) {
                prices.insert((chooser, spot), self.program.bytes[spot.0] * denominator);
            }
        }
        prices
    }
}
