//! Rows with ends rounded inwards, and those that fix a coordinate.

use alloc::vec;
use alloc::vec::Vec;

use super::part::Part;
use super::{Explored, Search};
use crate::limit::Halt;
use crate::number::{Big, Number, Overflow};
use crate::proof::Rounding;
use crate::reduce::{self, Coordinates};
use crate::row::Side;

impl<N: Number> Search<'_, '_, N> {
    /// Divides every row by its divisor and rounds its ends inwards.
    pub(super) fn round(
        &mut self,
        part: &mut Part<N>,
        coordinates: &Coordinates<N>,
        roundings: &mut Vec<Rounding>,
    ) -> Result<Option<Explored>, Halt> {
        let mut kept = 0;
        for number in 0..part.rows.len() {
            let divisor = part.rows[number].divisor()?;
            let row = &mut part.rows[number];
            if divisor.is_zero() {
                let (low, high) = (&row.low, &row.high);
                if low.as_ref().is_some_and(Number::is_positive) {
                    let because = [(number, Side::Low, N::ONE)];
                    return Ok(Some(Explored::Nothing(self.absurd(part, &because))));
                }
                if high.as_ref().is_some_and(Number::is_negative) {
                    let because = [(number, Side::High, N::ONE)];
                    return Ok(Some(Explored::Nothing(self.absurd(part, &because))));
                }
                continue;
            }
            if divisor != N::ONE {
                for entry in &mut row.form {
                    *entry = entry.divided_down(&divisor);
                }
                let rounded = |end: &N, up: bool| -> Result<(N, bool), Overflow> {
                    let rounded =
                        if up { end.divided_up(&divisor)? } else { end.divided_down(&divisor) };
                    let exact = rounded.times(&divisor)? == *end;
                    Ok((rounded, exact))
                };
                let ends = [
                    (Side::Low, row.low.as_ref().map(|end| rounded(end, true)).transpose()?),
                    (Side::High, row.high.as_ref().map(|end| rounded(end, false)).transpose()?),
                ];
                for (side, end) in ends {
                    let Some((value, exact)) = end else { continue };
                    let origin = match side {
                        Side::Low => {
                            row.low = Some(value.clone());
                            &mut row.low_from
                        }
                        Side::High => {
                            row.high = Some(value.clone());
                            &mut row.high_from
                        }
                    };
                    if let Some(recorder) = &mut self.recorder {
                        origin.scale = origin.scale.times(&divisor)?;
                        if !exact {
                            let form = form_of_variables(&row.form, coordinates)?;
                            roundings.push(recorder.round(form, &value.big(), side, origin));
                        }
                    }
                }
            }
            if let (Some(low), Some(high)) = (&row.low, &row.high)
                && low > high
            {
                let because = [(number, Side::Low, N::ONE), (number, Side::High, N::ONE)];
                return Ok(Some(Explored::Nothing(self.absurd(part, &because))));
            }
            part.rows.swap(kept, number);
            kept += 1;
        }
        part.rows.truncate(kept);
        Ok(None)
    }

    /// Makes the form of a row, whose ends are equal, the last coordinate, and sets it.
    pub(super) fn fix_by_row(
        &mut self,
        part: &mut Part<N>,
        coordinates: &mut Coordinates<N>,
        fixing: usize,
    ) -> Result<(), Halt> {
        let last = coordinates.width() - 1;
        // Euclid's algorithm on the coefficients, which have no common divisor.
        loop {
            let form = &part.rows[fixing].form;
            let mut least: Option<usize> = None;
            let mut moving = 0;
            for (k, entry) in form.iter().enumerate() {
                if entry.is_zero() {
                    continue;
                }
                moving += 1;
                let smaller = match least {
                    None => true,
                    Some(known) => entry.absolute()? < form[known].absolute()?,
                };
                if smaller {
                    least = Some(k);
                }
            }
            let Some(least) = least else { return Ok(()) };
            if moving == 1 {
                if least != last {
                    reduce::swap(part, coordinates, least, last)?;
                }
                break;
            }
            for k in 0..=last {
                let form = &part.rows[fixing].form;
                if k == least || form[k].is_zero() {
                    continue;
                }
                let pivot = form[least].absolute()?;
                let mut r = form[k].divided_down(&pivot);
                if form[least].is_negative() {
                    r = r.negated()?;
                }
                reduce::subtract(part, coordinates, k, least, &r)?;
            }
        }
        let row = &part.rows[fixing];
        let up = row.form[last].is_positive();
        let value = row.low.clone().unwrap_or(N::ZERO);
        let value = if up { value } else { value.negated()? };
        let (low, high) = (row.low_from.clone(), row.high_from.clone());
        let (low, high) = if up { (low, high) } else { (high, low) };
        let column = coordinates.fix_last(&value)?;
        if let Some(recorder) = &mut self.recorder {
            recorder.fix(&column, &low, &high);
        }
        part.rows.remove(fixing);
        part.fix_last(&value)?;
        Ok(())
    }
}

/// A form of the free coordinates as one of the variables.
fn form_of_variables<N: Number>(
    form: &[N],
    coordinates: &Coordinates<N>,
) -> Result<Vec<Big>, Overflow> {
    let mut sum = vec![Big::ZERO; coordinates.origin.len()];
    for (coefficient, dual) in form.iter().zip(&coordinates.duals) {
        let coefficient = coefficient.big();
        for (to, by) in sum.iter_mut().zip(dual) {
            *to += &coefficient * by.big();
        }
    }
    Ok(sum)
}
