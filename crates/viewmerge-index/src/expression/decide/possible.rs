//! Whether conditions can hold together, and where a value is least or greatest.
//!
//! Every way that `or` and choices can go is a system of rows by itself ([`lattice_point`]).

use alloc::vec::Vec;

use super::cases::{cases, too_many};
use super::{MOST_CASES, Task};
use crate::expression::choice;
use crate::expression::lower::Lowering;
use crate::expression::tree::Expr;
use lattice_point::Encode;
use viewmerge::Error;

impl Task<'_, '_, '_> {
    /// A point where conditions hold together, if there is one.
    pub(crate) fn possible(&mut self, holds: &[Expr]) -> Result<Option<Vec<i64>>, Error> {
        let split = split_choices(holds, &self.ranges)?;
        let mut lists = Vec::new();
        for conditions in &split {
            lists.extend(cases(&mut conditions.iter(), MOST_CASES)?);
        }
        if lists.len() > MOST_CASES {
            return Err(too_many(MOST_CASES));
        }
        for list in lists {
            if let Some(point) = self.point(&list, None)? {
                return Ok(Some(point));
            }
        }
        Ok(None)
    }

    /// Whether conditions are known to hold nowhere together; there may be too many cases to ask.
    pub(super) fn is_never(&mut self, holds: &[Expr]) -> Result<bool, Error> {
        match self.possible(holds) {
            Err(Error::TooManyCases { .. }) => Ok(false),
            found => Ok(found?.is_none()),
        }
    }

    /// A point where all of some comparisons hold; with a value, one where it times 1 or −1 is greatest.
    fn point(
        &mut self,
        list: &[&Expr],
        value: Option<(&Expr, i128)>,
    ) -> Result<Option<Vec<i64>>, Error> {
        let mut lowering = Lowering::new(&self.ranges, 0);
        lowering.require(list)?;
        if lowering.builder.nothing {
            return Ok(None);
        }
        let function = value.map(|(value, _)| lowering.linear(value)).transpose()?;
        let mut system = lowering.builder.program.rows();
        let point = match (function, value) {
            (Some(function), Some((_, sign))) => {
                system.objective = function.terms().iter().map(|&c| sign * i128::from(c)).collect();
                system.objective.resize(system.variables, 0);
                system.largest(None, self.meter)?
            }
            _ => system.point(self.meter)?,
        };
        Ok(point.map(|point| narrowed(&point[..self.ranges.len()])))
    }

    /// A point with the least or greatest value where conditions hold, and that value.
    pub(crate) fn extreme(
        &mut self,
        value: &Expr,
        holds: &[Expr],
        greatest: bool,
    ) -> Result<Option<(i128, Vec<i64>)>, Error> {
        let given = [core::slice::from_ref(value), holds].concat();
        let mut best: Option<(i128, Vec<i64>)> = None;
        for split in split_choices(&given, &self.ranges)? {
            let Some((value, conditions)) = split.split_first() else { continue };
            for list in cases(&mut conditions.iter(), MOST_CASES)? {
                let found = self.point(&list, Some((value, if greatest { 1 } else { -1 })))?;
                let Some(point) = found else { continue };
                let Some(at) = value.at(&point) else { continue };
                let better = |known: &i128| if greatest { at > *known } else { at < *known };
                if best.as_ref().is_none_or(|(known, _)| better(known)) {
                    best = Some((at, point));
                }
            }
        }
        Ok(best)
    }
}

/// A point within the ranges, which fit.
pub(crate) fn narrowed(point: &[i128]) -> Vec<i64> {
    let ends = (i128::from(i64::MIN), i128::from(i64::MAX));
    point.iter().map(|x| (*x).clamp(ends.0, ends.1) as i64).collect()
}

/// Conditions and values without choices, one list for every way the choices can go: what was given, then
/// the conditions of that way.
fn split_choices(given: &[Expr], ranges: &[(i64, i64)]) -> Result<Vec<Vec<Expr>>, Error> {
    let mut done: Vec<Vec<Expr>> = Vec::new();
    let mut open: Vec<Vec<Expr>> = vec![given.to_vec()];
    while let Some(list) = open.pop() {
        let Some(node) = list.iter().find_map(choice::first).cloned() else {
            done.push(list);
            continue;
        };
        if done.len() + open.len() + 2 > MOST_CASES {
            return Err(too_many(MOST_CASES));
        }
        for (when, value) in choice::ways(&node, ranges)? {
            let mut other: Vec<Expr> = list.iter().map(|one| one.replaced(&node, &value)).collect();
            other.extend(when);
            open.push(other);
        }
    }
    Ok(done)
}
