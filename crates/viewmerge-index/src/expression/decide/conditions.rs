//! Conditions with the fewest floors and comparisons, where others hold.
//!
//! Running example: `i // 10 == 5 and 7 <= i % 10` is `57 <= i < 60`.

use alloc::vec::Vec;

use super::cases::sorted;
use super::{Task, related};
use crate::expression::lower::Lowering;
use crate::expression::normal;
use crate::expression::tree::Expr;
use crate::expression::write::Writer;
use viewmerge::Error;

impl Task<'_, '_, '_> {
    /// A condition, simplified where others hold.
    pub(crate) fn condition(&mut self, condition: &Expr, holds: &[Expr]) -> Result<Expr, Error> {
        match condition {
            Expr::Compare(..) => self.all_of(core::slice::from_ref(condition), holds),
            Expr::Join(list, true) => self.all_of(list, holds),
            Expr::Join(list, false) => self.any_of(list, holds),
            Expr::Not(inner) => {
                let opposite = normal::condition(inner, true, &self.ranges)?;
                self.condition(&opposite, holds)
            }
            _ => Ok(condition.clone()),
        }
    }

    fn all_of(&mut self, list: &[Expr], holds: &[Expr]) -> Result<Expr, Error> {
        let (comparisons, others) = sorted(list);
        if others.contains(&&Expr::Always(false)) {
            return Ok(Expr::Always(false));
        }
        let (given, beside) = sorted(holds);
        let count = |all: &[Expr]| all.iter().map(Expr::choices).sum::<usize>();
        let mut lowering = Lowering::new(&self.ranges, count(list) + count(holds));
        lowering.require(given.iter().copied())?;
        if lowering.builder.nothing {
            // Nothing holds to begin with.
            return Ok(Expr::Always(true));
        }
        let related = related(&mut lowering, &beside)?;
        let mut before = lowering.builder.program.axes.clone();
        let assumed = core::mem::take(&mut lowering.builder.program.guards);
        lowering.require(comparisons.iter().copied())?;
        if lowering.builder.nothing {
            return Ok(Expr::Always(false));
        }
        let Lowering { builder, choices: chosen, .. } = lowering;
        let mut program = builder.program;
        // Choices of these conditions have a range only now.
        let variables = self.ranges.len();
        before[variables..].copy_from_slice(&program.axes[variables..]);
        let mut all = Vec::new();
        program.say_ranges(before);
        if !program.guards.is_empty() {
            let Some(found) = self.settle(&program, &assumed, &related, &chosen)? else {
                return Ok(Expr::Always(false));
            };
            let mut writer = Writer::new(&program, &found);
            writer.choices = self.choices(&chosen, &writer.uses, holds)?;
            found.guards.iter().try_for_each(|guard| writer.guard(guard, &mut all))?;
        }
        let inside = [holds, &all].concat();
        for other in others {
            match self.condition(other, &inside)? {
                Expr::Always(true) => {}
                Expr::Always(false) => return Ok(Expr::Always(false)),
                other => all.push(other),
            }
        }
        Ok(Expr::join(all, true))
    }

    fn any_of(&mut self, list: &[Expr], holds: &[Expr]) -> Result<Expr, Error> {
        let mut left: Vec<Expr> = Vec::with_capacity(list.len());
        for one in list {
            match self.condition(one, holds)? {
                Expr::Always(true) => return Ok(Expr::Always(true)),
                Expr::Always(false) => {}
                Expr::Join(inner, false) => left.extend(inner),
                other => left.push(other),
            }
        }
        if left.len() > 1 {
            let opposites = left.iter().map(|one| normal::condition(one, true, &self.ranges));
            let mut opposites = opposites.collect::<Result<Vec<_>, _>>()?;
            if self.is_never(&[holds, &opposites].concat())? {
                return Ok(Expr::Always(true));
            }
            // One that the others cover; the last ones first.
            for k in (0..left.len()).rev() {
                let (before, after) = (&opposites[..k], &opposites[k + 1..]);
                let alone = [holds, &left[k..=k], before, after].concat();
                if left.len() > 1 && self.is_never(&alone)? {
                    left.remove(k);
                    opposites.remove(k);
                }
            }
        }
        Ok(Expr::join(left, false))
    }
}
