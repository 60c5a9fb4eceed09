//! Whether conditions can hold together, and where a value is least or greatest.
//!
//! Every way that `or` and choices can go is a system of rows by itself ([`lattice_point`]).

use alloc::vec::Vec;

use super::cases::{Compared, cases};
use super::{MOST_CASES, Task};
use crate::expression::choice;
use crate::expression::lower::Lowering;
use crate::expression::tree::{Expr, Relation};
use lattice_point::Encode;
use viewmerge::Error;

/// That the alternatives make more cases than are tried.
fn too_many() -> Error {
    let most = MOST_CASES as u64;
    Error::TooManyCases { what: "alternatives", cases: u128::from(most) + 1, most }
}

impl Task<'_, '_, '_> {
    /// A point where conditions hold together, if there is one.
    pub(crate) fn possible(&mut self, holds: &[Expr]) -> Result<Option<Vec<i64>>, Error> {
        match self.possible_if_few(holds)? {
            Some(point) => Ok(point),
            None => Err(too_many()),
        }
    }

    /// The same, or that there are too many cases to ask.
    pub(super) fn possible_if_few(
        &mut self,
        holds: &[Expr],
    ) -> Result<Option<Option<Vec<i64>>>, Error> {
        let Some(split) = split_choices(holds, self.ranges)? else { return Ok(None) };
        let mut lists = Vec::new();
        for conditions in &split {
            let conditions: Vec<&Expr> = conditions.iter().collect();
            let Some(more) = cases(&conditions, MOST_CASES) else { return Ok(None) };
            lists.extend(more);
        }
        if lists.len() > MOST_CASES {
            return Ok(None);
        }
        for list in lists {
            if let Some(point) = self.point(&list)? {
                return Ok(Some(Some(point)));
            }
        }
        Ok(Some(None))
    }

    /// A point where all of some comparisons hold.
    fn point(&mut self, list: &[Compared<'_>]) -> Result<Option<Vec<i64>>, Error> {
        let mut lowering = Lowering::new(self.ranges, 0);
        lowering.require(list.iter().copied())?;
        if lowering.builder.nothing {
            return Ok(None);
        }
        let point = lowering.builder.program.rows().point(self.meter)?;
        Ok(point.map(|point| narrowed(&point[..self.ranges.len()])))
    }

    /// A point with the least or greatest value where conditions hold, and that value.
    pub(crate) fn extreme(
        &mut self,
        value: &Expr,
        holds: &[Expr],
        greatest: bool,
    ) -> Result<Option<(i128, Vec<i64>)>, Error> {
        // The value takes part in the splitting as one side of a comparison.
        let carrier = Expr::compare(value.clone(), Relation::Equal, Expr::Number(0));
        let mut conditions = vec![carrier];
        conditions.extend(holds.iter().cloned());
        let split = split_choices(&conditions, self.ranges)?.ok_or_else(too_many)?;
        let mut best: Option<(i128, Vec<i64>)> = None;
        for conditions in &split {
            let Some((Expr::Compare(sides, _), rest)) = conditions.split_first() else { continue };
            let value = &sides[0];
            let rest: Vec<&Expr> = rest.iter().collect();
            for list in cases(&rest, MOST_CASES).ok_or_else(too_many)? {
                let mut lowering = Lowering::new(self.ranges, 0);
                lowering.require(list.iter().copied())?;
                if lowering.builder.nothing {
                    continue;
                }
                let function = lowering.linear(value)?;
                let mut system = lowering.builder.program.rows();
                let sign = if greatest { 1 } else { -1 };
                system.objective = function.terms().iter().map(|&c| sign * i128::from(c)).collect();
                system.objective.resize(system.variables, 0);
                if let Some(point) = system.largest(None, self.meter)? {
                    let point = narrowed(&point[..self.ranges.len()]);
                    let Some(at) = value.at(&point) else { continue };
                    let better = |known: &i128| if greatest { at > *known } else { at < *known };
                    if best.as_ref().is_none_or(|(known, _)| better(known)) {
                        best = Some((at, point));
                    }
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

/// Conditions without choices in their values, one list for every way the choices can go;
/// `None` if these are many.
fn split_choices(
    conditions: &[Expr],
    ranges: &[(i64, i64)],
) -> Result<Option<Vec<Vec<Expr>>>, Error> {
    let mut done: Vec<Vec<Expr>> = Vec::new();
    let mut open: Vec<Vec<Expr>> = vec![conditions.to_vec()];
    while let Some(list) = open.pop() {
        let Some(node) = list.iter().find_map(choice::first).cloned() else {
            done.push(list);
            continue;
        };
        if done.len() + open.len() + 2 > MOST_CASES {
            return Ok(None);
        }
        for (when, value) in choice::ways(&node, ranges)? {
            let mut other: Vec<Expr> = list.iter().map(|one| one.replaced(&node, &value)).collect();
            other.extend(when);
            open.push(other);
        }
    }
    Ok(Some(done))
}
