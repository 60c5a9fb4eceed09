//! Solves a program: the relaxation, its dual, and branches where it is not integral.

use std::collections::{BTreeMap, BTreeSet};

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

use crate::contract::common_divisor;
use crate::error::PlanError;
use crate::presolve::{Presolved, Prices};
use crate::program::{Choosable, Fixed, Program, Solved, Spot, Tree, failed};

impl Program {
    /// The cheapest plan, with a proof that it is the cheapest.
    pub fn solve(&self) -> Result<Solved, PlanError> {
        let mut search = Search::new(self, self.unit());
        let tree = search.node(&mut Fixed::new())?;
        let (cost, chosen) = search.best.ok_or_else(|| failed("no plan was found"))?;
        let bound = self.bound(&tree, &mut Fixed::new()).map_or(cost, |bound| bound.min(cost));
        Ok(Solved { chosen, cost, bound, tree })
    }

    /// A number that divides all bytes and costs, to keep the solver's numbers small.
    fn unit(&self) -> i64 {
        let costs = self.choosers.iter().flatten().map(|option| option.cost);
        let all = self.bytes.iter().copied().chain(costs);
        common_divisor(all).max(1)
    }
}

/// The search for the least plan.
pub(crate) struct Search<'a> {
    program: &'a Program,
    unit: i64,
    pub best: Option<(i64, Vec<usize>)>,
    nodes: usize,
}

/// The most nodes of the tree to solve before giving up on closing the gap.
const MOST_NODES: usize = 200;

impl<'a> Search<'a> {
    /// A search that has found nothing yet; `unit` divides all bytes and costs.
    pub fn new(program: &'a Program, unit: i64) -> Search<'a> {
        Search { program, unit, best: None, nodes: 0 }
    }

    /// The best plan and the proof, under the fixed layouts.
    pub fn node(&mut self, fixed: &mut Fixed) -> Result<Tree, PlanError> {
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
        // The layouts of a chooser with a single option are stored.
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
        // First with stored layouts for free, then with every new layout paid for.
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

    /// The dual under the fixed layouts, in integers: the best of several denominators.
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

    /// Prices as integers over a denominator, at most what the class's bytes allow.
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

/// Prices as the solver returns them.
type Priced = BTreeMap<(usize, Spot), f64>;

fn optimum(problem: &Problem) -> Result<microlp::Solution, PlanError> {
    let outcome = problem.solve().map_err(failed)?;
    outcome.into_solution().map_err(|_| failed("it was interrupted"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least cost over all choices, by trying each of them.
    fn least(program: &Program) -> i64 {
        let mut chosen = vec![0; program.choosers.len()];
        let mut best = i64::MAX;
        loop {
            best = best.min(program.cost(&chosen));
            let Some(at) =
                (0..chosen.len()).find(|&at| chosen[at] + 1 < program.choosers[at].len())
            else {
                return best;
            };
            chosen[at] += 1;
            chosen[..at].fill(0);
        }
    }

    /// On random programs the result equals that of trying every choice, and is proved.
    #[test]
    fn least_of_all_choices() {
        let count: u64 = std::env::var("VIEWMERGE_PROGRAMS")
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or(3000);
        let mut branched = 0;
        for seed in 0..count {
            let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            let mut below = |bound: usize| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                usize::try_from(state % bound as u64).unwrap_or(0)
            };
            let classes = 1 + below(4);
            let bytes = (0..classes).map(|_| 1 + below(6) as i64).collect();
            let choosers = (0..2 + below(5))
                .map(|_| {
                    (0..1 + below(4))
                        .map(|_| {
                            let uses: BTreeSet<Spot> =
                                (0..1 + below(3)).map(|_| (below(classes), below(3))).collect();
                            let cost = if below(3) == 0 { below(4) as i64 } else { 0 };
                            Choosable { uses: uses.into_iter().collect(), cost }
                        })
                        .collect()
                })
                .collect();
            let program = Program { bytes, choosers };
            let solved = program.solve().expect("it has a plan");
            let want = least(&program);
            assert_eq!(solved.cost, want, "{program:?}");
            assert_eq!(solved.bound, want, "not proved: {program:?}");
            branched += usize::from(matches!(solved.tree, Tree::Branch { .. }));
        }
        assert!(branched > 0, "no program needed a branch");
        let one = Program {
            bytes: vec![5],
            choosers: vec![vec![Choosable { uses: vec![(0, 0)], cost: 2 }]],
        };
        assert_eq!(least(&one), 2);
    }
}
