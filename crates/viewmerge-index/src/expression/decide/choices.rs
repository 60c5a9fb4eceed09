//! `min`, `max` and choices inside of values: what conditions settle goes, and the parts of the others
//! are simplified.
//!
//! Running example: `min(i, j)` where `i < j` is `i`.

use alloc::vec::Vec;

use super::Task;
use crate::expression::tree::{Expr, Relation};
use crate::expression::{choice, normal};
use viewmerge::Error;

/// How deep choices are simplified inside of others.
const DEEPEST: usize = 12;

impl Task<'_, '_, '_> {
    /// An expression without the choices that are settled where conditions hold.
    pub(super) fn settled(&mut self, expr: &Expr, holds: &[Expr]) -> Result<Expr, Error> {
        if let Expr::Where(parts) = expr {
            let [when, yes, no] = &**parts;
            return Ok(match self.condition(when, holds)? {
                Expr::Always(true) => self.settled(yes, holds)?,
                Expr::Always(false) => self.settled(no, holds)?,
                when => Expr::choose(when, self.settled(yes, holds)?, self.settled(no, holds)?),
            });
        }
        match expr.map_children(|child| self.settled(child, holds))? {
            Expr::Extreme(all, least) => self.extreme_of_few(all, least, holds),
            other => Ok(other),
        }
    }

    /// The least or the greatest, without those that are never ahead of another one.
    fn extreme_of_few(
        &mut self,
        mut all: Vec<Expr>,
        least: bool,
        holds: &[Expr],
    ) -> Result<Expr, Error> {
        let relation = if least { Relation::Less } else { Relation::Greater };
        choice::keep_needed(&mut all, |other, one| {
            let ahead = Expr::compare(one.clone(), relation, other.clone());
            Ok::<_, Error>(self.possible(&[holds, &[ahead]].concat())?.is_none())
        })?;
        Ok(if all.len() == 1 { all.remove(0) } else { Expr::Extreme(all, least) })
    }

    /// The choices that stay, their parts simplified. A choice that is not used is left as it
    /// is, and so is one that is being simplified already: conditions may hold choices of their
    /// own, and a part may be equal to one of them, which would never end.
    pub(super) fn choices(
        &mut self,
        chosen: &[Expr],
        uses: &[usize],
        holds: &[Expr],
    ) -> Result<Vec<Expr>, Error> {
        let mut trees = Vec::with_capacity(chosen.len());
        for (choice, uses) in chosen.iter().zip(&uses[self.ranges.len()..]) {
            if *uses == 0 || self.open.len() >= DEEPEST || self.open.contains(choice) {
                trees.push(choice.clone());
                continue;
            }
            self.open.push(choice.clone());
            trees.push(match choice {
                Expr::Where(parts) => {
                    let [when, yes, no] = &**parts;
                    let otherwise = normal::condition(when, true, &self.ranges)?;
                    let mut inside = |value, when: &Expr| {
                        let holds = [holds, core::slice::from_ref(when)].concat();
                        Ok::<_, Error>(self.rewritten(Some(value), &[], &holds)?.0)
                    };
                    let (yes, no) = (inside(yes, when)?, inside(no, &otherwise)?);
                    Expr::choose(when.clone(), yes, no)
                }
                other => other.map_children(|part| {
                    self.rewritten(Some(part), &[], holds).map(|(value, _)| value)
                })?,
            });
            self.open.pop();
        }
        Ok(trees)
    }
}
