//! A floor of a position: affine where the guards hold, or as small as possible.
//!
//! Example: ⌊(4·i + 2)/8⌋ is ⌊(2·i + 1)/4⌋, and that ⌊i/2⌋, since ⌊(2·i + 1)/2⌋ is i.

use smallvec::SmallVec;

use super::build::Builder;
use super::linear::{Linear, narrow};
use super::program::FloorTerm;
use viewmerge::Error;
use viewmerge::internal::{divide_wide, gcd};

impl Builder {
    /// ⌊p/m⌋ as a linear function, with a new floor if it takes one.
    pub(crate) fn floor(&mut self, p: &Linear, modulus: i64) -> Result<Linear, Error> {
        match self.affine_floor(p, modulus) {
            Some(affine) => Ok(affine),
            None => self.new_floor(p, modulus),
        }
    }

    /// ⌊p/m⌋ where it is known not to be affine.
    pub(super) fn new_floor(&mut self, p: &Linear, modulus: i64) -> Result<Linear, Error> {
        let rank = self.program.rank();
        if let Some((operand, divisor, more, inner)) = self.unnested(p, modulus) {
            let floor = self.floor(&operand, divisor)?;
            if more == 0 {
                return Ok(floor);
            }
            let parts = [(1, &floor), (more, &Linear::column(rank + inner, rank))];
            return Linear::sum(0, rank, parts.into_iter());
        }
        // A floor that only names another one would lead back to where this began.
        let no_more = |inner: &Linear| {
            inner.columns().filter(|&column| column >= rank).all(|column| p.term(column) != 0)
        };
        let affine = |g: i64| {
            let inner = self.affine_floor(p, g).filter(no_more)?;
            Some((inner, modulus / g))
        };
        if let Some((inner, modulus)) = divisors(p, modulus).into_iter().find_map(affine) {
            return self.floor(&inner, modulus);
        }
        let too_large = || Error::ExpressionRange { number: modulus.into() };
        let (mut floor, operand, range) = self.reduce(p, modulus).ok_or_else(too_large)?;
        let same = |known: &FloorTerm| known.operand == operand && known.divisor == modulus;
        let number = match self.program.floors.iter().position(same) {
            Some(number) => number,
            None => {
                let number = self.program.floors.len();
                let ends = [range.0, range.1].map(|end| divide_wide(end, modulus.into()));
                let range = (narrow(ends[0])?, narrow(ends[1])?);
                let term = FloorTerm { operand, divisor: modulus, range };
                self.relations.push(term.residue(rank + number));
                self.program.floors.push(term);
                number
            }
        };
        floor.add_column(rank + number, 1);
        Ok(floor)
    }

    /// ⌊(A ± ⌊u/n⌋)/m⌋ as one floor: ⌊(n·A + u)/(n·m)⌋, for −⌊u/n⌋ = ⌊(n − 1 − u)/n⌋ likewise. Multiples
    /// of m that the inner floor comes with are taken out: the multiple, and which floor it is.
    fn unnested(&self, p: &Linear, modulus: i64) -> Option<(Linear, i64, i128, usize)> {
        let split = |(inner, &times): (usize, &i64)| {
            let sign = match times.rem_euclid(modulus) {
                1 => 1,
                rest if rest == modulus - 1 => -1,
                _ => return None,
            };
            Some((inner, sign, (i128::from(times) - i128::from(sign)) / i128::from(modulus)))
        };
        // The finest one: what is left of coarser ones stays a multiple.
        let candidates = p.floors().iter().enumerate().rev().filter_map(split);
        let divisor = |inner: usize| self.program.floors[inner].divisor;
        let (inner, sign, more) = candidates.min_by_key(|&(inner, ..)| divisor(inner))?;
        let mut operand = self.flattened(p, inner, sign)?;
        if sign < 0 {
            operand.constant = operand.constant.checked_add(divisor(inner) - 1)?;
        }
        let divisor = divisor(inner).checked_mul(modulus)?;
        Some((operand, divisor, more, inner))
    }
}

/// Proper divisors of a modulus worth trying, the largest first: those it
/// shares with one coefficient or more. The smallest divides all coefficients.
pub(super) fn divisors(p: &Linear, modulus: i64) -> SmallVec<[i64; 8]> {
    let descending = |list: &mut SmallVec<[i64; 8]>| {
        list.sort_unstable_by(|a, b| b.cmp(a));
        list.dedup();
    };
    let rests = p.terms().iter().map(|c| (c % modulus).abs()).filter(|&rest| rest != 0);
    let mut shared: SmallVec<[i64; 8]> = rests.map(|rest| gcd(modulus, rest)).collect();
    descending(&mut shared);
    let mut all = shared.clone();
    let mut running = modulus;
    for g in shared {
        running = gcd(running, g);
        all.push(running);
    }
    descending(&mut all);
    all.retain(|g| *g > 1);
    all
}
