//! Polynomials that are not negative, written as sums of products of what is not negative by itself.
//!
//! Example: with N ≥ 1 and M ≥ 2, N·M − M is (N − 1)·(M − 2) + 2·(N − 1). With every variable counted from its least
//! value most polynomials have no negative coefficient, and are such sums already. Others become one
//! by taking off multiples of what else is known, or at the two ends of a variable.

use smallvec::SmallVec;

use crate::poly::{Mono, Poly, Var, gcd};

/// `times` the polynomial is the sum of the multiples of products of atoms, up to a number below `times`.
#[derive(Clone, Debug)]
pub(crate) struct Sum {
    pub(crate) times: i128,
    pub(crate) terms: Vec<(i128, Vec<usize>)>,
}

impl Sum {
    /// This sum and another one multiplied, each with one more factor if one is given.
    fn plus(self, factor: Option<usize>, other: Sum, with: Option<usize>) -> Option<Sum> {
        let g = gcd(self.times, other.times);
        let (mine, its) = (other.times / g, self.times / g);
        let times = self.times.checked_mul(mine)?;
        let mut terms = Vec::new();
        for (sum, by, more) in [(self, mine, factor), (other, its, with)] {
            for (c, mut factors) in sum.terms {
                factors.extend(more);
                terms.push((c.checked_mul(by)?, factors));
            }
        }
        Some(Sum { times, terms })
    }
}

/// The most steps of one search.
const STEPS: u32 = 400;

struct Search<'a> {
    /// Least value and its atom, greatest value and its atom, for every variable that has one.
    least: Vec<Option<(i128, usize)>>,
    greatest: Vec<Option<(i128, usize)>>,
    /// The other atoms, in variables counted from their least values.
    facts: Vec<(usize, Poly)>,
    /// What is known not to be negative.
    atoms: &'a [Poly],
    left: u32,
}

/// A polynomial as a sum of products of atoms, which are known not to be negative, if that is found.
pub(crate) fn sum(atoms: &[Poly], p: &Poly) -> Option<Sum> {
    let (least, greatest, facts) = (Vec::new(), Vec::new(), Vec::new());
    let mut search = Search { least, greatest, facts, atoms, left: STEPS };
    search.bounds();
    // A fact such as 2·N ≥ 3 says N ≥ 2: twice N − 2, and 1 more, is not negative.
    let contents = atoms.iter().map(Poly::content).filter(|c| (2..64).contains(c));
    let mut tries: SmallVec<[i128; 4]> = std::iter::once(1).chain(contents).collect();
    tries.sort_unstable();
    tries.dedup();
    tries.into_iter().find_map(|by| {
        let p = &p.scaled(by) + Poly::number(by - 1);
        let sum = search.sum(&search.shifted(&p), 4)?;
        Some(Sum { times: sum.times.checked_mul(by)?, ..sum })
    })
}

impl Search<'_> {
    /// Reads ranges of variables off the atoms.
    fn bounds(&mut self) {
        for (place, atom) in self.atoms.iter().enumerate() {
            let [v] = atom.vars()[..] else { continue };
            let at = usize::from(v);
            let count = self.least.len().max(at + 1);
            self.least.resize(count, None);
            self.greatest.resize(count, None);
            match atom.lone(v) {
                Some(1) if self.least[at].is_none_or(|(lo, _)| lo < -atom.constant()) => {
                    self.least[at] = Some((-atom.constant(), place));
                }
                Some(-1) if self.greatest[at].is_none_or(|(hi, _)| hi > atom.constant()) => {
                    self.greatest[at] = Some((atom.constant(), place));
                }
                _ => {}
            }
        }
        let used = |place: &usize| {
            let ends = self.least.iter().chain(&self.greatest).flatten();
            !ends.clone().any(|(_, known)| known == place)
        };
        let others = (0..self.atoms.len()).filter(used);
        self.facts = others.map(|place| (place, self.shifted(&self.atoms[place]))).collect();
    }

    fn least(&self, v: Var) -> Option<(i128, usize)> {
        self.least.get(usize::from(v)).copied().flatten()
    }

    /// The polynomial in variables that start at 0.
    fn shifted(&self, p: &Poly) -> Poly {
        let mut p = p.clone();
        for v in p.vars() {
            if let Some((lo, _)) = self.least(v)
                && lo != 0
            {
                p = p.replaced(v, &(Poly::var(v) + lo));
            }
        }
        p
    }

    /// The atoms of a product of variables that start at 0.
    fn factors(&self, mono: Mono) -> Option<Vec<usize>> {
        mono.vars().map(|v| self.least(v).map(|(_, place)| place)).collect()
    }

    fn sum(&mut self, p: &Poly, depth: u32) -> Option<Sum> {
        if p.is_spoilt() {
            return None;
        }
        let plain =
            |(mono, c): &(Mono, i128)| (*c > 0).then(|| Some((*c, self.factors(*mono)?)))?;
        if let Some(terms) = p.terms().iter().map(plain).collect() {
            return Some(Sum { times: 1, terms });
        }
        if depth == 0 || self.left == 0 || p.as_number().is_some() {
            return None;
        }
        self.left -= 1;
        // All variables at their least.
        if p.constant() < 0 && self.facts.iter().all(|(_, f)| f.constant() >= 0) {
            return None;
        }
        let vars = p.vars();
        for &v in vars.iter().filter(|&&v| p.degree_in(v) == 1) {
            let greatest = self.greatest.get(usize::from(v)).copied().flatten();
            if let (Some((lo, low)), Some((hi, high))) = (self.least(v), greatest) {
                let width = hi - lo;
                let near = self.sum(&p.replaced(v, &Poly::zero()), depth - 1);
                if let Some(near) = near
                    && width > 0
                    && let Some(far) = self.sum(&p.replaced(v, &Poly::number(width)), depth - 1)
                {
                    let both = near.plus(Some(high), far, Some(low))?;
                    return Some(Sum { times: both.times.checked_mul(width)?, ..both });
                }
            }
        }
        self.by_facts(p, depth).or_else(|| {
            vars.iter().find_map(|&v| {
                let (_, place) = self.least(v)?;
                let (q, r) = p.split_at(v);
                if q.as_number().is_some_and(|q| q < 0) {
                    return None;
                }
                let rest = self.sum(&r, depth - 1)?;
                rest.plus(None, self.sum(&q, depth - 1)?, Some(place))
            })
        })
    }

    /// Takes off a multiple of a fact that has a negative term, too.
    fn by_facts(&mut self, p: &Poly, depth: u32) -> Option<Sum> {
        for (mono, c) in p.terms().iter().filter(|(_, c)| *c < 0) {
            for number in 0..self.facts.len() {
                let (place, fact) = self.facts[number].clone();
                for (own, b) in fact.terms().iter().filter(|(_, b)| *b < 0) {
                    let Some(times) = mono.over(*own) else { continue };
                    let Some(mut factors) = self.factors(times) else { continue };
                    let down = c / b;
                    let up = down + i128::from(c % b != 0);
                    factors.push(place);
                    for k in if down == up || down == 0 { [up, 0] } else { [up, down] } {
                        if k < 1 || self.left == 0 {
                            continue;
                        }
                        let rest = p - &fact.times_term(times, k);
                        if let Some(mut sum) = self.sum(&rest, depth - 1) {
                            sum.terms.push((sum.times.checked_mul(k)?, factors));
                            return Some(sum);
                        }
                    }
                }
            }
        }
        None
    }
}
