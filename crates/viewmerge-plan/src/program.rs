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

use std::collections::{BTreeMap, BTreeSet};

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

use crate::error::PlanError;
use crate::presolve::{Presolved, Prices};

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
    fn proved(
        &self,
        fixed: &Fixed,
        denominator: i64,
        prices: &BTreeMap<(usize, Spot), i64>,
    ) -> Option<i128> {
        let paid: i64 =
            fixed.iter().filter(|(_, stored)| **stored).map(|(spot, _)| self.bytes[spot.0]).sum();
        let mut total = i128::from(denominator) * (i128::from(paid) - i128::from(self.free()));
        for (chooser, options) in self.choosers.iter().enumerate() {
            let price = |option: &Choosable| {
                if option.uses.iter().any(|spot| fixed.get(spot) == Some(&false)) {
                    return None;
                }
                let open = option.uses.iter().filter(|spot| !fixed.contains_key(spot));
                let sum: i128 = open
                    .map(|&spot| i128::from(prices.get(&(chooser, spot)).copied().unwrap_or(0)))
                    .sum();
                Some(i128::from(denominator) * i128::from(option.cost) + sum)
            };
            total += options.iter().filter_map(price).min()?;
        }
        Some(total)
    }

    /// The least plan, with a proof that it is the least.
    pub fn solve(&self) -> Result<Solved, PlanError> {
        let mut search = Search { program: self, unit: self.unit(), best: None, nodes: 0 };
        let tree = search.node(&mut Fixed::new())?;
        let (cost, chosen) = search.best.ok_or_else(|| failed("no plan was found"))?;
        let bound = self.bound(&tree, &mut Fixed::new()).map_or(cost, |bound| bound.min(cost));
        Ok(Solved { chosen, cost, bound, tree })
    }

    /// A number that divides all bytes and costs, to keep the numbers of the solver small.
    fn unit(&self) -> i64 {
        let costs = self.choosers.iter().flatten().map(|option| option.cost);
        let all = self.bytes.iter().copied().chain(costs);
        all.fold(0, |one, other| {
            let (mut one, mut other) = (one, other);
            while other != 0 {
                (one, other) = (other, one % other);
            }
            one
        })
        .max(1)
    }

    /// The program under what is fixed, and for every chooser the numbers its options had.
    /// `None` if a chooser has none left.
    fn under(&self, fixed: &Fixed) -> Option<(Program, Vec<Vec<usize>>)> {
        let mut choosers = Vec::with_capacity(self.choosers.len());
        let mut numbers = Vec::with_capacity(self.choosers.len());
        for options in &self.choosers {
            let open = options.iter().enumerate().filter(|(_, option)| {
                !option.uses.iter().any(|spot| fixed.get(spot) == Some(&false))
            });
            let (own, left): (Vec<usize>, Vec<Choosable>) = open
                .map(|(number, option)| {
                    let mut option = option.clone();
                    option.uses.retain(|spot| !fixed.contains_key(spot));
                    (number, option)
                })
                .unzip();
            if left.is_empty() {
                return None;
            }
            choosers.push(left);
            numbers.push(own);
        }
        Some((Program { bytes: self.bytes.clone(), choosers }, numbers))
    }

    /// What a tree proves; `None` if there is no plan.
    fn bound(&self, tree: &Tree, fixed: &mut Fixed) -> Option<i64> {
        match tree {
            Tree::Prices { denominator, prices } => {
                let total = self.proved(fixed, *denominator, prices)?;
                i64::try_from(
                    total.div_euclid(i128::from(*denominator))
                        + i128::from(total.rem_euclid(i128::from(*denominator)) != 0),
                )
                .ok()
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

struct Search<'a> {
    program: &'a Program,
    unit: i64,
    best: Option<(i64, Vec<usize>)>,
    nodes: usize,
}

/// How many nodes of the tree are solved before giving up on closing the gap.
const MOST_NODES: usize = 200;

impl Search<'_> {
    fn node(&mut self, fixed: &mut Fixed) -> Result<Tree, PlanError> {
        self.nodes += 1;
        let nothing = Tree::Prices { denominator: 1, prices: BTreeMap::new() };
        let Some((open, numbers)) = self.program.under(fixed) else { return Ok(nothing) };
        let small = Presolved::of(&open);
        let stored = self.relaxed(&small)?;
        self.round(&small, &stored, &numbers);
        let prices = self.priced(&small, fixed)?;
        let bound = self.program.bound(&prices, &mut fixed.clone());
        let best = self.best.as_ref().map_or(i64::MAX, |best| best.0);
        if bound.is_none_or(|bound| bound >= best) || self.nodes >= MOST_NODES {
            return Ok(prices);
        }
        let fraction = |value: f64| (value - value.round()).abs();
        let most = stored.iter().max_by(|one, other| {
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

    /// The y's of the relaxation.
    fn relaxed(&self, small: &Presolved) -> Result<BTreeMap<Spot, f64>, PlanError> {
        let unit = self.unit as f64;
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let mut stored: BTreeMap<Spot, Variable> = BTreeMap::new();
        // What a chooser with one option uses is stored.
        let one = |(_, options): &(usize, Vec<&Choosable>)| options.len() == 1;
        let forced: BTreeSet<Spot> = small
            .choosers()
            .filter(one)
            .flat_map(|(_, options)| options.into_iter().flat_map(|option| option.uses.clone()))
            .collect();
        for (_, options) in small.choosers() {
            for spot in options.iter().flat_map(|option| &option.uses) {
                stored.entry(*spot).or_insert_with(|| {
                    let least = if forced.contains(spot) { 1.0 } else { 0.0 };
                    problem.add_var(self.program.bytes[spot.0] as f64 / unit, (least, 1.0))
                });
            }
            if options.len() == 1 {
                continue;
            }
            let mut users: BTreeMap<Spot, Vec<Variable>> = BTreeMap::new();
            let mut all = Vec::new();
            for option in options {
                let taken = problem.add_var(option.cost as f64 / unit, (0.0, f64::INFINITY));
                all.push((taken, 1.0));
                for spot in &option.uses {
                    users.entry(*spot).or_default().push(taken);
                }
            }
            problem.add_constraint(&all, ComparisonOp::Eq, 1.0);
            for (spot, users) in users {
                if forced.contains(&spot) {
                    continue;
                }
                let mut terms: Vec<(Variable, f64)> =
                    users.into_iter().map(|user| (user, 1.0)).collect();
                terms.push((stored[&spot], -1.0));
                problem.add_constraint(&terms, ComparisonOp::Le, 0.0);
            }
        }
        if stored.is_empty() {
            return Ok(BTreeMap::new());
        }
        let solution = optimum(&problem)?;
        Ok(stored
            .into_iter()
            .map(|(spot, variable)| (spot, solution.var_value(variable)))
            .collect())
    }

    /// The best plan with the layouts that the relaxation stores at all.
    fn round(&mut self, small: &Presolved, stored: &BTreeMap<Spot, f64>, numbers: &[Vec<usize>]) {
        // First with what is stored anyway for nothing, then with every new layout paid.
        for (least, paid) in [(0.99, 0), (0.99, 1), (0.5, 0), (0.5, 1), (1e-6, 1)] {
            let held = |spot: &Spot| stored.get(spot).is_some_and(|&value| value >= least);
            let mut used: BTreeSet<Spot> = BTreeSet::new();
            let mut chosen = BTreeMap::new();
            for (chooser, options) in small.choosers() {
                let price = |option: &Choosable| {
                    let new = option.uses.iter().filter(|spot| !used.contains(spot));
                    let missing = option.uses.iter().filter(|spot| !held(spot)).count();
                    let new: i64 = new.map(|spot| self.program.bytes[spot.0]).sum();
                    (missing, option.cost + paid * new, new)
                };
                let least = options.iter().enumerate().min_by_key(|(_, option)| price(option));
                let Some((number, found)) = least else { return };
                used.extend(&found.uses);
                chosen.insert(chooser, number);
            }
            let options = small.expanded(&chosen);
            let chosen: Vec<usize> =
                options.iter().zip(numbers).map(|(&option, numbers)| numbers[option]).collect();
            let cost = self.program.cost(&chosen);
            if self.best.as_ref().is_none_or(|best| cost < best.0) {
                self.best = Some((cost, chosen));
            }
        }
    }

    /// The dual under what is fixed, in integers: the best of some denominators.
    fn priced(&self, small: &Presolved, fixed: &Fixed) -> Result<Tree, PlanError> {
        let unit = self.unit;
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let mut prices: BTreeMap<(usize, Spot), Variable> = BTreeMap::new();
        let mut sums: BTreeMap<Spot, Vec<(Variable, f64)>> = BTreeMap::new();
        for (chooser, options) in small.choosers() {
            let least = problem.add_var(1.0, (f64::NEG_INFINITY, f64::INFINITY));
            for option in options {
                let mut terms = vec![(least, 1.0)];
                for &spot in &option.uses {
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
            let bytes = (self.program.bytes[spot.0] / unit) as f64;
            problem.add_constraint(terms, ComparisonOp::Le, bytes);
        }
        let found: BTreeMap<(usize, Spot), f64> = if prices.is_empty() {
            BTreeMap::new()
        } else {
            let solution = optimum(&problem)?;
            prices.into_iter().map(|(key, variable)| (key, solution.var_value(variable))).collect()
        };
        let mut best: Option<(i128, i64, Tree)> = None;
        for denominator in [1, 2, 3, 4, 6, 12, 60] {
            let prices = small.priced(self.rounded(&found, denominator), denominator);
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
    fn rounded(&self, found: &Priced, denominator: i64) -> Prices {
        let mut prices = Prices::new();
        let mut sums: BTreeMap<Spot, i64> = BTreeMap::new();
        for (&(chooser, spot), &value) in found {
            let most = self.program.bytes[spot.0] * denominator;
            let scaled = (value * denominator as f64 + 1e-6).floor() as i64 * self.unit;
            let sum = sums.entry(spot).or_insert(0);
            let price = scaled.clamp(0, most - *sum);
            *sum += price;
            if price > 0 {
                prices.insert((chooser, spot), price);
            }
        }
        prices
    }
}

/// Prices as the solver gives them.
type Priced = BTreeMap<(usize, Spot), f64>;

fn optimum(problem: &Problem) -> Result<microlp::Solution, PlanError> {
    let outcome = problem.solve().map_err(failed)?;
    outcome.into_solution().map_err(|_| failed("it was interrupted"))
}
