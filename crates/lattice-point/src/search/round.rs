//! Rows with ends rounded inwards, and those that fix a coordinate.

use alloc::vec::Vec;

use super::node::{Coordinate, Node, Working};
use super::{Found, Search};
use crate::limit::Halt;
use crate::number::{Big, Number};
use crate::proof::Rounding;
use crate::row::Side;

impl Search<'_, '_> {
    /// Divides every row by its divisor and rounds its ends inwards.
    pub(super) fn round<N: Number>(
        &mut self,
        node: &mut Node<N>,
        roundings: &mut Vec<Rounding>,
    ) -> Result<Option<Found<N>>, Halt> {
        let mut kept = 0;
        for number in 0..node.rows.len() {
            let divisor = node.rows[number].divisor()?;
            let Working { row, from } = &mut node.rows[number];
            if divisor.is_zero() {
                // 0 lies within the ends, or the row holds nowhere.
                let low = row.low.as_ref().filter(|low| low.is_positive()).map(|_| Side::Low);
                let high = row.high.as_ref().filter(|high| high.is_negative()).map(|_| Side::High);
                if let Some(side) = low.or(high) {
                    return Ok(Some(self.nothing(node, &[(number, side, N::ONE)])));
                }
                continue;
            }
            if divisor != N::ONE {
                for entry in &mut row.form {
                    *entry = entry.divided_down(&divisor);
                }
                for side in [Side::Low, Side::High] {
                    let Some(end) = row.end_mut(side) else { continue };
                    let value = match side {
                        Side::Low => end.divided_up(&divisor)?,
                        Side::High => end.divided_down(&divisor),
                    };
                    let exact = value.times(&divisor)? == *end;
                    *end = value.clone();
                    if let Some(recorder) = &mut self.recorder {
                        let origin = &mut from[side as usize];
                        origin.scale = origin.scale.times(&divisor)?;
                        if !exact {
                            let form = form_of_variables(&row.form, &node.free);
                            roundings.push(recorder.round(form, &value.big(), side, origin));
                        }
                    }
                }
            }
            if let (Some(low), Some(high)) = (&row.low, &row.high)
                && low > high
            {
                let because = [(number, Side::Low, N::ONE), (number, Side::High, N::ONE)];
                return Ok(Some(self.nothing(node, &because)));
            }
            node.rows.swap(kept, number);
            kept += 1;
        }
        node.rows.truncate(kept);
        Ok(None)
    }

    /// Makes the form of a row, whose ends are equal, the last coordinate, and sets it.
    pub(super) fn fix_by_row<N: Number>(
        &mut self,
        node: &mut Node<N>,
        fixing: usize,
    ) -> Result<(), Halt> {
        let last = node.width() - 1;
        // Euclid's algorithm on the coefficients, which have no common divisor.
        loop {
            let form = &node.rows[fixing].row.form;
            let moving = || (0..=last).filter(|&k| !form[k].is_zero());
            let Some(mut least) = moving().next() else { return Ok(()) };
            for k in moving() {
                if form[k].absolute()? < form[least].absolute()? {
                    least = k;
                }
            }
            if moving().all(|k| k == least) {
                node.swap(least, last);
                break;
            }
            for k in (0..=last).filter(|&k| k != least) {
                let form = &node.rows[fixing].row.form;
                if form[k].is_zero() {
                    continue;
                }
                let mut r = form[k].divided_down(&form[least].absolute()?);
                if form[least].is_negative() {
                    r = r.negated()?;
                }
                node.subtract(k, least, &r)?;
            }
        }
        let Working { row, from: [low, high] } = node.rows.remove(fixing);
        let value = row.low.unwrap_or(N::ZERO);
        let (value, low, high) = match row.form[last].is_positive() {
            true => (value, low, high),
            false => (value.negated()?, high, low),
        };
        if let Some(recorder) = &mut self.recorder {
            recorder.fix(&node.free[last].column, &low, &high);
        }
        node.fix_last(&value)?;
        Ok(())
    }
}

/// A form of the free coordinates as one of the variables.
fn form_of_variables<N: Number>(form: &[N], free: &[Coordinate<N>]) -> Vec<Big> {
    let variables = free.first().map_or(0, |coordinate| coordinate.dual.len());
    let term = |i: usize, (c, coordinate): (&N, &Coordinate<N>)| c.big() * coordinate.dual[i].big();
    (0..variables).map(|i| form.iter().zip(free).map(|pair| term(i, pair)).sum()).collect()
}
