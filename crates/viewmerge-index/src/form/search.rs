//! Rewrites a built form with the fewest floors and guards.
//!
//! Example: `i - 3*(i // 3)` where `i < 3` is known only from a guard that comes later: the floor
//! is 0 wherever all guards hold, and is left out.

use super::fewest::{Problem, fewest};
use super::linear::narrow;
use super::program::Program;
use lattice_point::{Halt, Meter};
use viewmerge::Error;
use viewmerge::internal::divide_up_wide;

impl Program {
    /// Looks for the fewest floors and guards; whether any index is valid.
    pub(super) fn search(&mut self, meter: &mut Meter<'_>) -> Result<bool, Error> {
        let problem =
            Problem { program: self, assumed: &[], cases: &[], shared: true, fill: &|_| Some(()) };
        let found = match fewest(&problem, meter) {
            Ok(found) => found,
            Err(Halt::Exhausted(exhausted)) => return Err(exhausted.into()),
            // What was built is right, if not the shortest.
            Err(Halt::Overflow) => return Ok(true),
        };
        let Some(found) = found else { return Ok(false) };
        let changed = found.guards != self.guards;
        (self.guards, self.value) = (found.guards, found.value);
        let guards = self.guards.iter().filter(|_| changed);
        let asked = self.needed(guards.map(|guard| &guard.function));
        for number in 0..self.floors.len() {
            if let Some((_, low)) = found.two_valued.iter().find(|(known, _)| *known == number) {
                self.shift(number, -i128::from(*low))?;
                self.floors[number].range = (0, 1);
            } else if asked.contains(&(self.rank() + number)) {
                // Guards are looked at in any order now, so what they divide must not be negative
                // at any index of the box.
                let floor = &self.floors[number];
                // By the ranges of floors as they are now.
                let (low, high) = floor.operand.interval(self.ranges());
                let divisor = i128::from(floor.divisor);
                let cells = divide_up_wide(-low, divisor).max(0);
                self.shift(number, cells)?;
                let ends = [low, high].map(|end| (end + cells * divisor) / divisor);
                self.floors[number].range = (narrow(ends[0])?, narrow(ends[1])?);
            }
        }
        Ok(true)
    }

    /// Counts a floor from so many cells further down, and makes up for it wherever it is
    /// used.
    fn shift(&mut self, number: usize, cells: i128) -> Result<(), Error> {
        if cells == 0 {
            return Ok(());
        }
        let column = self.rank() + number;
        let floor = &mut self.floors[number];
        let more = cells.saturating_mul(floor.divisor.into());
        let add = |to: &mut i64, more: i128| -> Result<(), Error> {
            *to = narrow(more.saturating_add((*to).into()))?;
            Ok(())
        };
        add(&mut floor.operand.constant, more)?;
        for guard in &mut self.guards {
            let by = cells.saturating_mul(guard.function.term(column).into());
            for end in [&mut guard.lower, &mut guard.upper].into_iter().flatten() {
                add(end, by)?;
            }
        }
        let operands = self.floors[number + 1..].iter_mut().map(|floor| &mut floor.operand);
        for function in operands.chain([&mut self.value]) {
            let by = cells.saturating_mul(function.term(column).into());
            add(&mut function.constant, by.saturating_neg())?;
        }
        Ok(())
    }
}
