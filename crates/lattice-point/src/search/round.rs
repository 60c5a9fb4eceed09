//! Rows with ends rounded inwards, and those that fix a coordinate.

use alloc::rc::Rc;
use alloc::vec::Vec;

use super::node::{Coordinate, Node, Working};
use crate::lp::Multiples;
use crate::number::{Big, Number, Overflow};
use crate::proof::Rounding;
use crate::row::Side;
use crate::vector::common_divisor;

impl<N: Number> Node<N> {
    /// Divides every row by its divisor and rounds its ends inwards; returns ends that contradict
    /// each other, if a row holds nowhere.
    pub(super) fn round(
        &mut self,
        roundings: &mut Vec<Rounding>,
    ) -> Result<Option<Multiples<N>>, Overflow> {
        let Node { rows, free, trail, .. } = self;
        let mut kept = 0;
        for number in 0..rows.len() {
            let divisor = common_divisor(N::ZERO, &rows[number].row.form)?;
            let Working { row, from } = &mut rows[number];
            if divisor.is_zero() {
                // 0 lies within the ends, or the row holds nowhere.
                let low = row.low.as_ref().filter(|low| low.is_positive()).map(|_| Side::Low);
                let high = row.high.as_ref().filter(|high| high.is_negative()).map(|_| Side::High);
                if let Some(side) = low.or(high) {
                    return Ok(Some(vec![(number, side, N::ONE)]));
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
                    if let Some((trail, origin)) = trail.as_ref().zip(from.get_mut(side as usize)) {
                        origin.scale *= divisor.clone().into();
                        if !exact {
                            let form = form_of_variables(&row.form, free);
                            roundings.push(trail.round(form, value.into(), side, origin));
                        }
                    }
                }
            }
            if let (Some(low), Some(high)) = (&row.low, &row.high)
                && low > high
            {
                return Ok(Some([Side::Low, Side::High].map(|side| (number, side, N::ONE)).into()));
            }
            rows.swap(kept, number);
            kept += 1;
        }
        rows.truncate(kept);
        Ok(None)
    }

    /// Makes the form of a row, whose ends are equal, the last coordinate, and sets it.
    pub(super) fn fix_by_row(&mut self, fixing: usize) -> Result<(), Overflow> {
        let last = self.width() - 1;
        // Euclid's algorithm on the coefficients, which have no common divisor.
        loop {
            let form = &self.rows[fixing].row.form;
            let moving = || (0..=last).filter(|&k| !form[k].is_zero());
            let least = moving().min_by_key(|&k| form[k].absolute().ok());
            let Some(least) = least else { return Ok(()) };
            if moving().all(|k| k == least) {
                self.swap(least, last);
                break;
            }
            for k in (0..=last).filter(|&k| k != least) {
                let form = &self.rows[fixing].row.form;
                if form[k].is_zero() {
                    continue;
                }
                let mut r = form[k].divided_down(&form[least].absolute()?);
                if form[least].is_negative() {
                    r = r.negated()?;
                }
                self.subtract(k, least, &r)?;
            }
        }
        let Working { row, mut from } = self.rows.remove(fixing);
        let mut value = row.low.unwrap_or(N::ZERO);
        if row.form[last].is_negative() {
            value = value.negated()?;
            from.reverse();
        }
        if let Some(trail) = &mut self.trail {
            trail.fix(&self.free[last].column, from);
        }
        self.fix_last(&value)
    }
}

/// A form of the free coordinates as one of the variables.
fn form_of_variables<N: Number>(form: &[N], free: &[Coordinate<N>]) -> Rc<[Big]> {
    let variables = free.first().map_or(0, |coordinate| coordinate.dual.len());
    let term = |i: usize, (c, coordinate): (&N, &Coordinate<N>)| -> Big {
        c.clone().into() * coordinate.dual[i].clone().into()
    };
    (0..variables).map(|i| form.iter().zip(free).map(|pair| term(i, pair)).sum()).collect()
}
