//! Rewrites a built form with the fewest floors and guards.
//!
//! Example: `i - 3*(i // 3)` where `i < 3` is known only from a guard that comes later: the floor
//! is 0 wherever all guards hold, and is left out.

use super::build::Builder;
use super::fewest::{Problem, fewest};
use super::linear::{Linear, narrow, used_floors};
use lattice_point::Halt;
use lattice_point::Meter;
use viewmerge::Error;
use viewmerge::internal::divide_up_wide;

impl Builder {
    /// Looks for the fewest floors and guards; whether any index is valid.
    pub(super) fn search(
        &mut self,
        position: &mut Linear,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Error> {
        let problem = Problem {
            axes: &self.known.axes,
            inputs: self.known.axes.len(),
            floors: &self.floors,
            assumed: &[],
            cases: &[],
            guards: self.guards.clone(),
            position: Some(position.clone()),
            shared: true,
            fill: &|_| Some(()),
        };
        let found = match fewest(&problem, meter) {
            Ok(found) => found,
            Err(Halt::Exhausted(exhausted)) => return Err(exhausted.into()),
            // What was built is right, if not the shortest.
            Err(Halt::Overflow) => return Ok(true),
        };
        let Some(new) = found.position else { return Ok(false) };
        let changed = found.guards != self.guards;
        *position = new;
        self.guards = found.guards;
        let functions = self.guards.iter().map(|guard| &guard.function);
        let asked = used_floors(functions.filter(|_| changed), &self.floors);
        for (number, asked) in asked.into_iter().enumerate() {
            if let Some((_, low)) = found.two_valued.iter().find(|(known, _)| *known == number) {
                self.shift(number, -i128::from(*low), position)?;
                self.floors[number].range = (0, 1);
            } else if asked {
                // Guards are looked at in any order now, so what they divide must not be negative
                // at any index of the box.
                let floor = &self.floors[number];
                // By the ranges of floors as they are now.
                let ranges = self.known.axes.iter().copied();
                let ranges = ranges.chain(self.floors.iter().map(|floor| floor.range));
                let (low, high) = floor.operand.interval(ranges);
                let divisor = i128::from(floor.divisor);
                let cells = divide_up_wide(-low, divisor).max(0);
                self.shift(number, cells, position)?;
                let ends = [low, high].map(|end| (end + cells * divisor) / divisor);
                self.floors[number].range = (narrow(ends[0])?, narrow(ends[1])?);
            }
        }
        Ok(true)
    }

    /// Counts a floor from so many cells further down, and makes up for it wherever it is
    /// used.
    fn shift(&mut self, number: usize, cells: i128, position: &mut Linear) -> Result<(), Error> {
        if cells == 0 {
            return Ok(());
        }
        let floor = &mut self.floors[number];
        let more = cells.saturating_mul(floor.divisor.into());
        floor.operand.constant = narrow(more.saturating_add(floor.operand.constant.into()))?;
        let moved = |end: i64| narrow(cells.saturating_add(end.into()));
        floor.range = (moved(floor.range.0)?, moved(floor.range.1)?);
        let change = |function: &Linear| {
            let times = function.floors.get(number).copied().unwrap_or(0);
            -cells.saturating_mul(times.into())
        };
        for guard in &mut self.guards {
            let by = -change(&guard.function);
            for end in [&mut guard.lower, &mut guard.upper].into_iter().flatten() {
                *end = narrow(by.saturating_add((*end).into()))?;
            }
        }
        let operands = self.floors[number + 1..].iter_mut().map(|floor| &mut floor.operand);
        for function in operands.chain(core::iter::once(position)) {
            let constant = change(function).saturating_add(function.constant.into());
            function.constant = narrow(constant)?;
        }
        Ok(())
    }
}
