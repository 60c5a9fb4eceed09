//! From a chain to its form.
//!
//! The last view's position is affine. Every view below is a staircase: its
//! slabs become guards and its levels floors of the position so far. A floor
//! that is affine where the guards hold is replaced by its slopes; any other is
//! made as small as possible (⌊P/(g·m)⌋ = ⌊⌊P/g⌋/m⌋ with ⌊P/g⌋ affine), and
//! equal ones are shared.
//!
//! Guards are found first, view by view, each with what the earlier ones
//! guarantee; the position is computed afterwards with what all guarantee. So
//! every guard is right wherever those before it hold, and the position is
//! right wherever all hold, which is all that is asked.

use smallvec::SmallVec;

use super::floors::divisors;
use super::known::Part;
use super::linear::{Linear, narrow};
use super::program::{FloorTerm, Guard, Program};
use viewmerge::internal::{Slab, Staircase, divide_up_wide, gcd};
use viewmerge::{Error, View};

/// A program that is being built, and what is known where its guards so far hold.
pub(crate) struct Builder {
    pub program: Program,
    /// What holds of floors and where the guards do, both ends given.
    pub relations: SmallVec<[Guard; 4]>,
    /// A guard can hold nowhere.
    pub nothing: bool,
}

/// The program of a chain, memory side first in `below`; `None` if no index is valid.
pub(super) fn of_chain(below: &[View], top: &View) -> Result<Option<Program>, Error> {
    let stages: SmallVec<[Staircase; 2]> = below.iter().rev().map(Staircase::new).collect();
    let mut builder = Builder::new(Program::of_view(top));
    let mut position = builder.program.value.clone();
    for (number, stage) in stages.iter().enumerate() {
        builder.add_slabs(&position, &stage.slabs)?;
        if builder.nothing {
            return Ok(None);
        }
        if number + 1 < stages.len() {
            position = builder.push_down(&position, stage)?;
        }
    }
    position = builder.program.value.clone();
    for stage in &stages {
        position = builder.push_down(&position, stage)?;
    }
    Ok(Some(Program { value: position, ..builder.program }))
}

impl Builder {
    pub(crate) fn new(program: Program) -> Builder {
        Builder { program, relations: SmallVec::new(), nothing: false }
    }

    /// Adds the guards of one view; `p` is the position in it.
    ///
    /// Slabs that need no floor go first: the others may then need none either.
    fn add_slabs(&mut self, p: &Linear, slabs: &[Slab]) -> Result<(), Error> {
        let mut open: SmallVec<[(Linear, Slab); 4]> = SmallVec::new();
        for slab in slabs {
            let (p, slab) = self.coarsened(p, slab);
            if !self.add_slab(&p, &slab)? {
                open.push((p, slab));
            }
        }
        // The coarsest first: its residue is what the finer ones are taken of.
        let mut learnt = open.len() < slabs.len();
        while let Some((p, slab)) = open.pop() {
            if !(learnt && self.add_slab(&p, &slab)?) {
                learnt = true;
                let residue = match slab.modulus {
                    Some(modulus) => {
                        // No guess of the floor fits even the window of the slab.
                        let floor = self.new_floor(&p, modulus)?;
                        p.remainder(modulus, &floor)?
                    }
                    None => p,
                };
                self.require(residue, slab.lo.into(), slab.hi.into())?;
            }
        }
        Ok(())
    }

    /// n mod M ∈ [lo, hi) is equivalent to the same condition on ⌊n/g⌋, M/g, lo/g and hi/g.
    fn coarsened(&self, p: &Linear, slab: &Slab) -> (Linear, Slab) {
        let common = gcd(gcd(slab.lo, slab.hi), slab.modulus.unwrap_or(0));
        if common == 1 {
            return (p.clone(), *slab);
        }
        let affine = |g: i64| Some((self.affine_floor(p, g)?, g));
        match affine(common).or_else(|| divisors(p, common).into_iter().find_map(affine)) {
            None => (p.clone(), *slab),
            Some((quotient, g)) => {
                let modulus = slab.modulus.map(|modulus| modulus / g);
                (quotient, Slab { modulus, lo: slab.lo / g, hi: slab.hi / g })
            }
        }
    }

    /// Adds the guard of one slab; `false` if that takes a floor.
    fn add_slab(&mut self, p: &Linear, slab: &Slab) -> Result<bool, Error> {
        let (lo, hi) = (i128::from(slab.lo), i128::from(slab.hi));
        let function = match slab.modulus {
            None => p.clone(),
            Some(modulus) => {
                // Where the residue of a guess is in [lo, hi), the guess is the
                // floor. Where it is not, the slab could only hold one modulus
                // further up or down; this window leaves no room for that.
                let m = i128::from(modulus);
                match self.fit(p, modulus, (hi - m, m + lo - 1), Part::Remainder) {
                    Some(residue) => residue,
                    None => return Ok(false),
                }
            }
        };
        self.require(function, lo, hi)?;
        Ok(true)
    }

    /// Adds the guard `lo ≤ function < hi`, in its simplest form, unless it is known to hold.
    pub(crate) fn require(
        &mut self,
        mut function: Linear,
        lo: i128,
        hi: i128,
    ) -> Result<(), Error> {
        let (low, high) = self.range(&function);
        if low >= lo && high < hi {
            return Ok(());
        }
        if low >= hi || high < lo {
            self.nothing = true;
            return Ok(());
        }
        let constant = i128::from(core::mem::take(&mut function.constant));
        let (mut first, mut last) = (lo.max(low) - constant, (hi - 1).min(high) - constant);
        let mut implied = (lo <= low, hi > high);
        let unit = i128::from(function.make_primitive());
        if unit < 0 {
            (first, last) = (-last, -first);
            implied = (implied.1, implied.0);
        }
        (first, last) = (divide_up_wide(first, unit.abs()), -divide_up_wide(-last, unit.abs()));
        if first > last {
            self.nothing = true;
            return Ok(());
        }
        let (first, last) = (narrow(first)?, narrow(last)?);
        if let Some(axis) = function.only_axis() {
            // The coefficient is 1 by now.
            let known = &mut self.program.axes[axis];
            *known = (known.0.max(first), known.1.min(last));
            self.nothing |= known.0 > known.1;
            return Ok(());
        }
        // Widened by FAR so that removing a floor cannot make it binding again.
        const FAR: i128 = 1 << 62;
        let low = i128::from(first) - if implied.0 { FAR } else { 0 };
        let past = i128::from(last) + 1 + if implied.1 { FAR } else { 0 };
        if let Some((flat, lo, hi)) = self.unfloored(&function, low, past) {
            return self.require(flat, lo, hi);
        }
        // If one value remains, keep both bounds: it is an equality.
        let implied = if first == last { (false, false) } else { implied };
        let lower = (!implied.0).then_some(first);
        let upper = if implied.1 { None } else { Some(narrow(i128::from(last) + 1)?) };
        Guard { function: function.clone(), lower, upper }.join(&mut self.program.guards);
        self.relations.push(Guard::known(function, first, last));
        Ok(())
    }

    /// The position in the view below, read through a staircase.
    fn push_down(&mut self, p: &Linear, stage: &Staircase) -> Result<Linear, Error> {
        let mut floors: SmallVec<[(i128, Linear); 2]> = SmallVec::new();
        for level in &stage.levels {
            floors.push((level.jump, self.floor(p, level.modulus)?));
        }
        let levels = floors.iter().map(|(jump, floor)| (*jump, floor));
        Linear::sum(stage.base, p.axes().len(), [(stage.slope, p)].into_iter().chain(levels))
    }

    /// `lo ≤ A ± ⌊u/n⌋ < hi` without the floor: `n·lo ≤ n·A + u < n·hi`, or
    /// `n·lo − (n − 1) ≤ n·A − u < n·(hi − 1) + 1`.
    fn unfloored(&self, function: &Linear, lo: i128, hi: i128) -> Option<(Linear, i128, i128)> {
        let unit = |(_, c): &(usize, &i64)| **c == 1 || **c == -1;
        let (inner, &sign) = function.floors().iter().enumerate().rev().find(unit)?;
        let flat = self.flattened(function, inner, sign)?;
        let n = i128::from(self.program.floors[inner].divisor);
        let (lo, hi) = (n.checked_mul(lo)?, n.checked_mul(hi)?);
        Some(if sign > 0 { (flat, lo, hi) } else { (flat, lo - (n - 1), hi - n + 1) })
    }

    /// n·A ± u, where a function is A and a multiple of ⌊u/n⌋.
    pub(super) fn flattened(&self, function: &Linear, inner: usize, sign: i64) -> Option<Linear> {
        let FloorTerm { operand, divisor, .. } = &self.program.floors[inner];
        let rank = self.program.rank();
        let outer = function.without(rank + inner);
        Linear::always(0, rank).plus(&outer, *divisor)?.plus(operand, sign)
    }
}

#[cfg(test)]
mod tests {
    use crate::chain::IndexChain;
    use lattice_point::Limit;
    use viewmerge::ViewChain;

    #[test]
    fn forms() {
        // (chain, its form)
        let rows = [
            ("(2,3):(1,2)+5", "i0 + 2*i1 + 5"),
            ("(2,3) nothing", "nothing"),
            ("()+3", "3"),
            ("(4,3):(1,4) | (12)", "4*i0 - 11*f0 where f0 = i0 / 3"),
            // The floor of a multiple, and of what stays below a multiple.
            ("(6,4):(1,6) | (6,4):(4,1)", "i0 + 6*i1"),
            ("(3,8):(1,3) | (6,4)", "12*i0 + 3*i1 - 23*f0 where f0 = i0 / 2"),
            // Guards across axes; the floor is affine where they hold.
            ("(18):(1)-2 [2:17] | (16,3):(1,1)", "i0 + i1 - 2 if 2 <= i0 + i1 < 17"),
            ("(5,5):(0,1) [0:5,2:5] | (3,5):(6,1)", "i0 + i1 if 2 <= i0 + i1 < 5"),
            // A mask that rescues: without it the floor would not be affine.
            ("(4,3):(1,4) | (12):(1) [3:6]", "4*i0 - 11 if 3 <= i0 < 6"),
            // One floor serves mask and position.
            ("(4,3):(7,1) [0:4,0:2] | (12)", "i0 + 4*f0 if i0 - 3*f0 < 2 where f0 = i0 / 3"),
            // Two masks that never hold together.
            ("(2,9):(0,0) [0:2,1:3] | (2,5):(5,1) [0:1,3:5]", "nothing"),
            // The operand is never negative.
            ("(3,2):(1,3) | (6):(-1)+5", "2*i0 - 5*f0 + 5 where f0 = (i0 + 1) / 2"),
        ];
        for (text, form) in rows {
            let chain: ViewChain = text.parse().expect(text);
            assert_eq!(chain.form(&Limit::none()).expect(text).to_string(), form, "{text}");
        }
    }
}
