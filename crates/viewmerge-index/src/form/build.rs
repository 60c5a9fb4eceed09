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

use alloc::vec::Vec;

use smallvec::SmallVec;

use super::floors::divisors;
use super::known::{Known, Part, Relation};
use super::linear::{Linear, Sum, narrow, used_floors};
use super::{FloorTerm, Guard};
use viewmerge::Error;
use viewmerge::View;
use viewmerge::internal::Intervals;
use viewmerge::internal::{Slab, Staircase};
use viewmerge::internal::{divide_up_wide, gcd};

/// What was found for a chain that has valid indices in every view.
pub(crate) struct Built {
    /// The intervals of the axes outside of which nothing is valid.
    pub bounds: Intervals,
    pub floors: Vec<FloorTerm>,
    pub guards: Vec<Guard>,
    pub position: Linear,
}

pub(crate) struct Builder {
    pub(crate) known: Known,
    pub(crate) floors: Vec<FloorTerm>,
    pub(crate) guards: Vec<Guard>,
    /// A guard can hold nowhere.
    pub(crate) nothing: bool,
}

impl Builder {
    /// The guards of a chain, memory side first in `below`, and its position; `None` if no index
    /// is valid.
    pub(super) fn of_chain(below: &[View], top: &View) -> Result<Option<(Builder, Linear)>, Error> {
        let stages: SmallVec<[Staircase; 2]> = below.iter().rev().map(Staircase::new).collect();
        let axes = (0..top.rank()).map(|axis| top.interval(axis));
        let mut builder = Builder::over(axes.map(|(lo, hi)| (lo, hi - 1)));
        let start =
            Linear { constant: top.offset(), axes: top.strides().into(), floors: SmallVec::new() };
        let mut position = start.clone();
        for (number, stage) in stages.iter().enumerate() {
            builder.add_slabs(&position, &stage.slabs)?;
            if builder.nothing {
                return Ok(None);
            }
            if number + 1 < stages.len() {
                position = builder.push_down(&position, stage)?;
            }
        }
        position = start;
        for stage in &stages {
            position = builder.push_down(&position, stage)?;
        }
        Ok(Some((builder, position)))
    }

    /// Axes with a first and a last value.
    pub(crate) fn over(axes: impl Iterator<Item = (i64, i64)>) -> Builder {
        Builder {
            known: Known {
                axes: axes.collect(),
                floors: SmallVec::new(),
                relations: SmallVec::new(),
            },
            floors: Vec::new(),
            guards: Vec::new(),
            nothing: false,
        }
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
                let mut residue = Sum::new(0, p.axes.len());
                residue.add(&p, 1)?;
                if let Some(modulus) = slab.modulus {
                    residue.add(&self.floor(&p, modulus)?, -i128::from(modulus))?;
                }
                self.require(residue.finish()?, slab.lo.into(), slab.hi.into())?;
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
        let affine = |g: i64| Some((self.known.affine_floor(p, g)?, g));
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
                match self.known.fit(p, modulus, (hi - m, m + lo - 1), Part::Residue) {
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
        let range = self.known.range(&function);
        if range.low >= lo && range.high < hi {
            return Ok(());
        }
        if range.low >= hi || range.high < lo {
            self.nothing = true;
            return Ok(());
        }
        let mut first = lo.max(range.low) - i128::from(function.constant);
        let mut last = (hi - 1).min(range.high) - i128::from(function.constant);
        let mut implied = (lo <= range.low, hi > range.high);
        function.constant = 0;
        let common = function.coefficients().fold(0, |g, c| gcd(g, c.checked_abs().unwrap_or(1)));
        let leading = function.coefficients().find(|&c| c != 0).unwrap_or(1);
        let unit = if leading < 0 { -common } else { common };
        for c in function.axes.iter_mut().chain(&mut function.floors) {
            *c /= unit;
        }
        if unit < 0 {
            (first, last) = (-last, -first);
            implied = (implied.1, implied.0);
        }
        let wide = i128::from(common);
        (first, last) = (divide_up_wide(first, wide), -divide_up_wide(-last, wide));
        if first > last {
            self.nothing = true;
            return Ok(());
        }
        let (first, last) = (narrow(first)?, narrow(last)?);
        if let Some(axis) = function.only_axis() {
            // The coefficient is 1 by now.
            let known = &mut self.known.axes[axis];
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
        match self.guards.iter_mut().find(|guard| guard.function == function) {
            Some(guard) => {
                guard.lower = lower.or(guard.lower);
                guard.upper = upper.or(guard.upper);
            }
            None => self.guards.push(Guard { function: function.clone(), lower, upper }),
        }
        self.known.relations.push(Relation { function, low: first, high: last });
        Ok(())
    }

    /// The position in the view below, read through a staircase.
    fn push_down(&mut self, p: &Linear, stage: &Staircase) -> Result<Linear, Error> {
        let mut next = Sum::new(stage.base, p.axes.len());
        next.add(p, stage.slope)?;
        for level in &stage.levels {
            next.add(&self.floor(p, level.modulus)?, level.jump)?;
        }
        next.finish()
    }

    /// `lo ≤ A ± ⌊u/n⌋ < hi` without the floor: `n·lo ≤ n·A + u < n·hi`, or
    /// `n·lo − (n − 1) ≤ n·A − u < n·(hi − 1) + 1`.
    fn unfloored(&self, function: &Linear, lo: i128, hi: i128) -> Option<(Linear, i128, i128)> {
        let unit = |&k: &usize| function.floors[k] == 1 || function.floors[k] == -1;
        let inner = (0..function.floors.len()).rev().find(unit)?;
        let FloorTerm { operand, divisor, .. } = &self.floors[inner];
        let sign = function.floors[inner];
        let mut outer = function.clone();
        outer.floors[inner] = 0;
        outer.trim();
        let flat = Linear::always(0, outer.axes.len()).plus(&outer, *divisor)?;
        let flat = flat.plus(operand, sign)?;
        let n = i128::from(*divisor);
        let (lo, hi) = (n.checked_mul(lo)?, n.checked_mul(hi)?);
        Some(if sign > 0 { (flat, lo, hi) } else { (flat, lo - (n - 1), hi - n + 1) })
    }

    /// Removes unused floors.
    pub(crate) fn finish(self, mut position: Linear) -> Result<Built, Error> {
        let Builder { known, mut floors, mut guards, .. } = self;
        let functions = guards.iter().map(|guard| &guard.function);
        let used = used_floors(functions.chain([&position]), &floors);
        if used.contains(&false) {
            let keep = |function: &mut Linear| {
                let mut number = 0;
                function.floors.retain(|_| {
                    number += 1;
                    used[number - 1]
                });
                function.trim();
            };
            keep(&mut position);
            guards.iter_mut().for_each(|guard| keep(&mut guard.function));
            floors.iter_mut().for_each(|floor| keep(&mut floor.operand));
            let mut number = 0;
            floors.retain(|_| {
                number += 1;
                used[number - 1]
            });
        }
        let bounds = known.axes.iter().map(|&(first, last)| (first, last + 1)).collect();
        Ok(Built { bounds, floors, guards, position })
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
