//! Shrinks a program before it is solved, and turns the prices of the small program into prices
//! of the whole one.
//!
//! Three steps are repeated until none applies. Let B be the bytes of a class.
//! 1. *Alone*: a layout that only one chooser uses costs B wherever it is used, so it becomes
//!    part of the cost of the options. Its price is B.
//! 2. *Dominance*: an option is dropped if another one is so much cheaper that it can pay B for
//!    every layout that only it uses. No price is above B, so the dropped option is
//!    never cheaper, whatever the prices are.
//! 3. *Merging*: two choosers that are the only users of a class, and share no other class,
//!    become one, with pairs of options. Let f(ℓ) be the least cost of the first's options with
//!    layout ℓ, including prices of other classes; let f₀ be the least cost of those without a
//!    layout of the class; and let T be the lesser of f₀ and min f + B. Then v(ℓ) = T − f(ℓ),
//!    clamped to 0..B, for the first chooser and B − v(ℓ) for the second prove as much as the
//!    pair does.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::program::{Choosable, Program, Spot};

/// Prices of (chooser, layout).
pub(crate) type Prices = BTreeMap<(usize, Spot), i64>;

/// An option of a chooser, possibly merged.
#[derive(Clone, Debug)]
struct Part {
    option: Choosable,
    /// The options it was made from: its own number, or one of each of two choosers.
    of: (usize, usize),
}

enum Step {
    Alone { chooser: usize, spot: Spot },
    Merge { first: usize, second: usize, class: usize, parts: [Vec<Part>; 2] },
}

/// A program after shrinking.
pub(crate) struct Presolved {
    bytes: Vec<i64>,
    /// The options of every chooser; empty once the chooser was merged into another.
    parts: Vec<Vec<Part>>,
    steps: Vec<Step>,
}

/// Merging stops where it would look at more pairs, or leave more options, than this.
const MOST_PAIRS: usize = 6000;
const MOST_OPTIONS: usize = 80;

impl Presolved {
    /// Shrinks a program.
    pub fn of(program: &Program) -> Presolved {
        let own = |options: &Vec<Choosable>| {
            let part = |(number, option): (usize, &Choosable)| Part {
                option: option.clone(),
                of: (number, 0),
            };
            options.iter().enumerate().map(part).collect()
        };
        let parts = program.choosers.iter().map(own).collect();
        let mut presolved = Presolved { bytes: program.bytes.clone(), parts, steps: Vec::new() };
        for chooser in 0..presolved.parts.len() {
            presolved.dominate(chooser);
        }
        let mut refused: BTreeSet<(usize, usize, usize)> = BTreeSet::new();
        loop {
            presolved.absorb();
            if !presolved.merge(&mut refused) {
                return presolved;
            }
        }
    }

    /// The remaining choosers, with their options.
    pub fn choosers(&self) -> impl Iterator<Item = (usize, Vec<&Choosable>)> {
        let left = self.parts.iter().enumerate().filter(|(_, parts)| !parts.is_empty());
        left.map(|(chooser, parts)| (chooser, parts.iter().map(|part| &part.option).collect()))
    }

    /// Step 1, followed by step 2 where step 1 changed something.
    fn absorb(&mut self) {
        loop {
            let mut users: HashMap<Spot, BTreeSet<usize>> = HashMap::new();
            for (chooser, parts) in self.parts.iter().enumerate() {
                for spot in parts.iter().flat_map(|part| &part.option.uses) {
                    users.entry(*spot).or_default().insert(chooser);
                }
            }
            let mut alone: Vec<(usize, Spot)> = users
                .into_iter()
                .filter(|(_, users)| users.len() == 1)
                .flat_map(|(spot, users)| users.into_iter().map(move |chooser| (chooser, spot)))
                .collect();
            if alone.is_empty() {
                return;
            }
            alone.sort_unstable();
            let mut changed = BTreeSet::new();
            for (chooser, spot) in alone {
                for part in &mut self.parts[chooser] {
                    if let Some(at) = part.option.uses.iter().position(|own| *own == spot) {
                        part.option.uses.remove(at);
                        part.option.cost += self.bytes[spot.0];
                    }
                }
                self.steps.push(Step::Alone { chooser, spot });
                changed.insert(chooser);
            }
            for chooser in changed {
                self.dominate(chooser);
            }
        }
    }

    /// Step 2.
    fn dominate(&mut self, chooser: usize) {
        let parts = std::mem::take(&mut self.parts[chooser]);
        self.parts[chooser] = dominating(parts, &self.bytes);
    }

    /// Step 3, once.
    fn merge(&mut self, refused: &mut BTreeSet<(usize, usize, usize)>) -> bool {
        let mut users: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let mut classes: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.parts.len()];
        for (chooser, parts) in self.parts.iter().enumerate() {
            for spot in parts.iter().flat_map(|part| &part.option.uses) {
                users.entry(spot.0).or_default().insert(chooser);
                classes[chooser].insert(spot.0);
            }
        }
        // The smallest pair first, because its result is small too.
        let mut pairs: Vec<(usize, usize, usize, usize)> = users
            .iter()
            .filter(|(_, users)| users.len() == 2)
            .filter_map(|(&class, users)| {
                let mut users = users.iter().copied();
                let (first, second) = (users.next()?, users.next()?);
                let shared = classes[first].intersection(&classes[second]).count();
                let size = self.parts[first].len() * self.parts[second].len();
                let fits =
                    shared == 1 && size <= MOST_PAIRS && !refused.contains(&(first, second, class));
                fits.then_some((size, first, second, class))
            })
            .collect();
        pairs.sort_unstable();
        let mut merged = false;
        let mut touched: BTreeSet<usize> = BTreeSet::new();
        for (_, first, second, class) in pairs {
            if touched.contains(&first) || touched.contains(&second) {
                continue;
            }
            if self.merge_pair(first, second, class) {
                merged = true;
                touched.extend([first, second]);
            } else {
                refused.insert((first, second, class));
            }
        }
        merged
    }

    fn merge_pair(&mut self, first: usize, second: usize, class: usize) -> bool {
        let at = |part: &Part| -> Vec<Spot> {
            part.option.uses.iter().filter(|spot| spot.0 == class).copied().collect()
        };
        let sides = [&self.parts[first], &self.parts[second]];
        if sides.iter().any(|parts| parts.iter().any(|part| at(part).len() > 1)) {
            return false;
        }
        let mut found: BTreeMap<Vec<Spot>, (i64, (usize, usize))> = BTreeMap::new();
        for (one, left) in sides[0].iter().enumerate() {
            for (other, right) in sides[1].iter().enumerate() {
                let inside: BTreeSet<Spot> = at(left).into_iter().chain(at(right)).collect();
                let count = i64::try_from(inside.len()).unwrap_or(2);
                let cost = left.option.cost + right.option.cost + count * self.bytes[class];
                let mut uses: Vec<Spot> = left
                    .option
                    .uses
                    .iter()
                    .chain(&right.option.uses)
                    .copied()
                    .filter(|spot| spot.0 != class)
                    .collect();
                uses.sort_unstable();
                let new = (cost, (one, other));
                found.entry(uses).and_modify(|least| *least = new.min(*least)).or_insert(new);
            }
        }
        let most = MOST_OPTIONS.max(sides[0].len() + sides[1].len());
        let parts: Vec<Part> = found
            .into_iter()
            .map(|(uses, (cost, of))| Part { option: Choosable { uses, cost }, of })
            .collect();
        let parts = dominating(parts, &self.bytes);
        if parts.len() > most {
            return false;
        }
        let firsts = std::mem::replace(&mut self.parts[first], parts);
        let seconds = std::mem::take(&mut self.parts[second]);
        self.steps.push(Step::Merge { first, second, class, parts: [firsts, seconds] });
        true
    }

    /// The options of the whole program that correspond to one option for each remaining chooser.
    pub fn expanded(&self, chosen: &BTreeMap<usize, usize>) -> Vec<usize> {
        let mut numbers: BTreeMap<usize, usize> = chosen.clone();
        let mut current: BTreeMap<usize, (usize, usize)> = numbers
            .iter()
            .map(|(&chooser, &number)| (chooser, self.parts[chooser][number].of))
            .collect();
        for step in self.steps.iter().rev() {
            if let Step::Merge { first, second, parts, .. } = step {
                let (one, other) = current.get(first).copied().unwrap_or_default();
                current.insert(*first, parts[0][one].of);
                current.insert(*second, parts[1][other].of);
            }
        }
        for (chooser, of) in current {
            numbers.insert(chooser, of.0);
        }
        numbers.into_values().collect()
    }

    /// Prices of the whole program that prove the same bound as these prices of the small one,
    /// over one denominator.
    pub fn priced(&self, mut prices: Prices, denominator: i64) -> Prices {
        for step in self.steps.iter().rev() {
            match step {
                Step::Alone { chooser, spot } => {
                    prices.insert((*chooser, *spot), self.bytes[spot.0] * denominator);
                }
                Step::Merge { first, second, class, parts } => {
                    let theirs: BTreeSet<Spot> =
                        parts[1].iter().flat_map(|part| part.option.uses.iter().copied()).collect();
                    for spot in &theirs {
                        if let Some(price) = prices.remove(&(*first, *spot)) {
                            prices.insert((*second, *spot), price);
                        }
                    }
                    let bytes = self.bytes[*class] * denominator;
                    let mut least: BTreeMap<Option<Spot>, i64> = BTreeMap::new();
                    for part in &parts[0] {
                        let inside = part.option.uses.iter().find(|spot| spot.0 == *class).copied();
                        let outside: i64 = part
                            .option
                            .uses
                            .iter()
                            .filter(|spot| spot.0 != *class)
                            .map(|&spot| prices.get(&(*first, spot)).copied().unwrap_or(0))
                            .sum();
                        let price = part.option.cost * denominator + outside;
                        least
                            .entry(inside)
                            .and_modify(|own| *own = price.min(*own))
                            .or_insert(price);
                    }
                    let without = least.get(&None).copied();
                    let with = least
                        .iter()
                        .filter(|(spot, _)| spot.is_some())
                        .map(|(_, price)| *price)
                        .min();
                    let level = [without, with.map(|least| least + bytes)]
                        .into_iter()
                        .flatten()
                        .min()
                        .unwrap_or(0);
                    let spots: BTreeSet<Spot> = parts
                        .iter()
                        .flatten()
                        .flat_map(|part| part.option.uses.iter().copied())
                        .filter(|spot| spot.0 == *class)
                        .collect();
                    for spot in spots {
                        // The second chooser prices a layout that the first never uses.
                        let own = least
                            .get(&Some(spot))
                            .map_or(0, |price| (level - price).clamp(0, bytes));
                        prices.insert((*first, spot), own);
                        prices.insert((*second, spot), bytes - own);
                    }
                }
            }
        }
        prices.retain(|_, price| *price > 0);
        prices
    }
}

/// The options that no other option makes superfluous.
fn dominating(mut parts: Vec<Part>, bytes: &[i64]) -> Vec<Part> {
    parts.sort_by(|one, other| {
        let key = |part: &Part| (part.option.cost, part.option.uses.len());
        key(one).cmp(&key(other)).then_with(|| one.option.uses.cmp(&other.option.uses))
    });
    let mut kept: Vec<Part> = Vec::new();
    for part in parts {
        let beaten = kept.iter().any(|other| {
            let mut spare = part.option.cost - other.option.cost;
            other.option.uses.iter().all(|spot| {
                if !part.option.uses.contains(spot) {
                    spare -= bytes[spot.0];
                }
                spare >= 0
            })
        });
        if !beaten {
            kept.push(part);
        }
    }
    kept
}
