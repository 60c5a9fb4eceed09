//! A floor of a position: affine where the guards hold, or as small as possible.
//!
//! Example: ⌊(4·i + 2)/8⌋ is ⌊(2·i + 1)/4⌋, and that ⌊i/2⌋, since ⌊(2·i + 1)/2⌋ is i.

use smallvec::SmallVec;

use super::FloorTerm;
use super::build::Builder;
use super::known::{Reduced, Relation};
use super::linear::{Linear, Sum, narrow};
use viewmerge::Error;
use viewmerge::internal::gcd;

impl Builder {
    /// ⌊p/m⌋ as a linear function, with a new floor if it takes one.
    pub(crate) fn floor(&mut self, p: &Linear, modulus: i64) -> Result<Linear, Error> {
        if let Some(affine) = self.known.affine_floor(p, modulus) {
            return Ok(affine);
        }
        if let Some(flat) = self.unnested(p, modulus) {
            let mut floor = self.floor(&flat.operand, flat.divisor)?;
            if flat.more != 0 {
                let more = i128::from(flat.more);
                let mut sum = Sum::new(0, p.axes.len());
                let mut inner = Linear::always(0, p.axes.len());
                inner.add_floor(flat.inner, 1);
                sum.add(&floor, 1)?;
                sum.add(&inner, more)?;
                floor = sum.finish()?;
            }
            return Ok(floor);
        }
        // A floor that only names another one would lead back to where this began.
        let no_more = |inner: &Linear| {
            let used = |list: &[i64], k: usize| list.get(k).is_some_and(|&c| c != 0);
            (0..inner.floors.len()).all(|k| !used(&inner.floors, k) || used(&p.floors, k))
        };
        let affine = |g: i64| {
            let inner = self.known.affine_floor(p, g).filter(no_more)?;
            Some((inner, modulus / g))
        };
        if let Some((inner, modulus)) = divisors(p, modulus).into_iter().find_map(affine) {
            return self.floor(&inner, modulus);
        }
        let too_large = || Error::ExpressionRange { number: modulus.into() };
        let Reduced { quotient: mut floor, residue: operand, range } =
            self.known.reduce(p, modulus).ok_or_else(too_large)?;
        let same = |known: &FloorTerm| known.operand == operand && known.divisor == modulus;
        let number = match self.floors.iter().position(same) {
            Some(number) => number,
            None => {
                let number = self.floors.len();
                let ends = [range.low, range.high].map(|end| end / i128::from(modulus));
                let ends = (narrow(ends[0])?, narrow(ends[1])?);
                let mut residue = operand.clone();
                residue.add_floor(number, -modulus);
                self.known.floors.push(ends);
                self.known.relations.push(Relation {
                    function: residue,
                    low: 0,
                    high: modulus - 1,
                });
                self.floors.push(FloorTerm { operand, divisor: modulus, range: ends });
                number
            }
        };
        floor.add_floor(number, 1);
        Ok(floor)
    }

    /// ⌊(A ± ⌊u/n⌋)/m⌋ as one floor: ⌊(n·A + u)/(n·m)⌋, for −⌊u/n⌋ = ⌊(n − 1 − u)/n⌋ likewise;
    /// multiples of m that the inner floor comes with are taken out.
    fn unnested(&self, p: &Linear, modulus: i64) -> Option<Unnested> {
        let split = |inner: usize| {
            let times = p.floors[inner];
            let sign = match times.rem_euclid(modulus) {
                1 => 1,
                rest if rest == modulus - 1 => -1,
                _ => return None,
            };
            Some((inner, sign, (i128::from(times) - i128::from(sign)) / i128::from(modulus)))
        };
        // The finest one: what is left of coarser ones stays a multiple.
        let candidates = (0..p.floors.len()).rev().filter_map(split);
        let (inner, sign, more) =
            candidates.min_by_key(|&(inner, ..)| self.floors[inner].divisor)?;
        let FloorTerm { operand, divisor, .. } = &self.floors[inner];
        let mut outer = p.clone();
        outer.floors[inner] = 0;
        outer.trim();
        let zero = Linear::always(0, p.axes.len());
        let mut flat = zero.plus(&outer, *divisor)?.plus(operand, sign)?;
        if sign < 0 {
            flat.constant = flat.constant.checked_add(divisor - 1)?;
        }
        let divisor = divisor.checked_mul(modulus)?;
        Some(Unnested { operand: flat, divisor, inner, more: i64::try_from(more).ok()? })
    }
}

/// A floor of a floor as ⌊operand/divisor⌋ + more·(the inner floor).
struct Unnested {
    operand: Linear,
    divisor: i64,
    inner: usize,
    more: i64,
}

/// Proper divisors of a modulus worth trying, the largest first: those it
/// shares with one coefficient or more. The smallest divides all coefficients.
pub(super) fn divisors(p: &Linear, modulus: i64) -> SmallVec<[i64; 8]> {
    let descending = |list: &mut SmallVec<[i64; 8]>| {
        list.sort_unstable_by(|a, b| b.cmp(a));
        list.dedup();
    };
    let rests = p.coefficients().map(|c| (c % modulus).abs()).filter(|&rest| rest != 0);
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
