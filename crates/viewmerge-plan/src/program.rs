//! The integer program of a plan, and what prices prove about it.
//!
//! Every chooser (an operation or an end of the graph) takes one option; an option uses layouts
//! of classes. A class pays its bytes for every layout used but one. As a program: for every
//! chooser the x(option) sum to 1, and for every chooser and layout the sum of the x that use it
//! is at most y(layout); minimise Σ bytes·y + Σ cost·x − Σ bytes. Only y must be integral.
//!
//! The dual gives every (chooser, layout) a price v ≥ 0 such that, for each layout, the sum over
//! choosers is at most the bytes of its class. Then a plan costs at least the sum, over choosers,
//! of the least (cost + prices) of an option, minus the bytes of the classes. Where the
//! relaxation is not integral, a tree fixes some y to 0 or 1: at 0 the options that use the
//! layout are removed; at 1 the layout is paid for and its prices are 0.

use std::collections::{BTreeMap, BTreeSet};

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
    /// A branch: the layout is not stored, or it is.
    Branch { spot: Spot, without: Box<Tree>, with: Box<Tree> },
}

/// The cheapest plan and its proof.
#[derive(Clone, Debug)]
pub(crate) struct Solved {
    /// The option of every chooser.
    pub chosen: Vec<usize>,
    pub cost: i64,
    pub bound: i64,
    pub tree: Tree,
}

/// The layouts that branches fix, as stored or not.
pub(crate) type Fixed = BTreeMap<Spot, bool>;

impl Program {
    /// The cost of a choice: its costs, plus the bytes of all layouts used, minus what is free.
    pub fn cost(&self, chosen: &[usize]) -> i64 {
        let taken = || self.choosers.iter().zip(chosen).map(|(options, &option)| &options[option]);
        let used: BTreeSet<Spot> = taken().flat_map(|option| option.uses.iter().copied()).collect();
        let stored: i64 = used.iter().map(|spot| self.bytes[spot.0]).sum();
        taken().map(|option| option.cost).sum::<i64>() + stored - self.free()
    }

    /// The bytes of all classes that are used at all; the first layout of each is free.
    fn free(&self) -> i64 {
        let used = self.choosers.iter().flatten().flat_map(|option| &option.uses);
        let classes: BTreeSet<usize> = used.map(|spot| spot.0).collect();
        classes.iter().map(|&class| self.bytes[class]).sum()
    }

    /// The bound that prices prove under the fixed layouts, over their denominator; `None` if
    /// some chooser has no option left, so that no plan exists.
    pub fn proved(
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

    /// The program under the fixed layouts, and for every chooser the original numbers of
    /// its options. `None` if a chooser has no option left.
    pub fn under(&self, fixed: &Fixed) -> Option<(Program, Vec<Vec<usize>>)> {
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

    /// The bound that a tree proves; `None` if no plan exists.
    pub fn bound(&self, tree: &Tree, fixed: &mut Fixed) -> Option<i64> {
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

pub(crate) fn failed(reason: impl ToString) -> PlanError {
    PlanError::Solver { reason: reason.to_string() }
}
