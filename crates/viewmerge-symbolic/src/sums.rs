//! Polynomials that are not negative, written as sums of products of what is not negative by itself.
//!
//! Example: with N ≥ 1 and M ≥ 2, N·M − M is (N − 1)·(M − 2) + 2·(N − 1). Every variable is counted from its least
//! value; then products of variables are not negative, nor are facts times such products. That p ≤ −1 contradicts these
//! is found by elimination (`eliminate.rs`), and the multiples of the rows are the sum.

use crate::eliminate::{monomials, refuted};
use crate::names::Names;
use crate::poly::{Mono, Poly, Var};

/// `times` the polynomial is the sum of the multiples of products of atoms, up to a number below `times`.
#[derive(Clone, Debug)]
pub(crate) struct Sum {
    pub(crate) times: i128,
    pub(crate) terms: Vec<(i128, Vec<usize>)>,
}

/// How often products of facts with monomials are looked for.
const ROUNDS: usize = 3;

/// With more products than this no others are looked for.
const MOST_PRODUCTS: usize = 60;

/// A polynomial as a sum of products of atoms, which are known not to be negative, if that is found.
pub(crate) fn sum(names: &Names, atoms: &[Poly], p: &Poly) -> Option<Sum> {
    let known = Known::new(atoms);
    // That it is negative, then the products; and the atoms of these.
    let mut rows = vec![-known.shifted(p) - 1];
    let mut products = Vec::new();
    for _ in 0..ROUNDS {
        // A product is of use where its negative term cancels another one.
        let positive = rows.iter().flat_map(Poly::terms).filter(|(_, c)| *c > 0);
        let mut wanted: Vec<Mono> = positive.map(|(mono, _)| *mono).collect();
        wanted.push(Mono::default());
        for (place, fact) in &known.facts {
            for (own, _) in fact.terms().iter().filter(|(_, c)| *c < 0) {
                for times in wanted.iter().filter_map(|mono| mono.over(*own)) {
                    let Some(mut factors) = known.factors(times) else { continue };
                    factors.push(*place);
                    if rows.len() <= MOST_PRODUCTS && !products.contains(&factors) {
                        rows.push(fact.times_term(times, 1));
                        products.push(factors);
                    }
                }
            }
        }
    }
    for mono in monomials(&rows) {
        if let Some(factors) = known.factors(mono) {
            rows.push(Poly::term(mono, 1));
            products.push(factors);
        }
    }
    let found = refuted(names, &rows)?;
    let [below, times @ (1..), multiples @ ..] = &found[..] else { return None };
    let terms = multiples.iter().copied().zip(products).filter(|(c, _)| *c != 0);
    // What is left over beyond a number below `times`.
    let more = -below - times;
    let terms = terms.chain((more > 0).then(|| (more, Vec::new()))).collect();
    Some(Sum { times: *times, terms })
}

/// What is known not to be negative.
struct Known {
    /// The least value and its atom, for every variable that has one.
    least: Vec<Option<(i128, usize)>>,
    /// The other atoms, in variables counted from their least values.
    facts: Vec<(usize, Poly)>,
}

impl Known {
    fn new(atoms: &[Poly]) -> Known {
        let mut known = Known { least: Vec::new(), facts: Vec::new() };
        for (place, atom) in atoms.iter().enumerate() {
            let [v] = atom.vars()[..] else { continue };
            let (at, lo) = (usize::from(v), -atom.constant());
            known.least.resize(known.least.len().max(at + 1), None);
            if atom.lone(v) == Some(1) && known.least[at].is_none_or(|(least, _)| least < lo) {
                known.least[at] = Some((lo, place));
            }
        }
        let used = |place: &usize| known.least.iter().flatten().any(|(_, known)| known == place);
        let others = (0..atoms.len()).filter(|place| !used(place));
        known.facts = others.map(|place| (place, known.shifted(&atoms[place]))).collect();
        known
    }

    fn least(&self, v: Var) -> Option<(i128, usize)> {
        self.least.get(usize::from(v)).copied().flatten()
    }

    /// The polynomial in variables that start at 0.
    fn shifted(&self, p: &Poly) -> Poly {
        p.vars().into_iter().fold(p.clone(), |p, v| match self.least(v) {
            Some((lo, _)) => p.replaced(v, &(Poly::var(v) + lo)),
            None => p,
        })
    }

    /// The atoms of a product of variables that start at 0.
    fn factors(&self, mono: Mono) -> Option<Vec<usize>> {
        mono.vars().map(|v| self.least(v).map(|(_, place)| place)).collect()
    }
}
