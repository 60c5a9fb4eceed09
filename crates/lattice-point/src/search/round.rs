//! Rows with ends rounded inwards, and those that fix a coordinate.

use alloc::vec;
use alloc::vec::Vec;

use super::part::{Part, Working};
use super::{Found, Search};
use crate::limit::Halt;
use crate::number::{Big, Number, Overflow};
use crate::proof::Rounding;
use crate::reduction::{self, Coordinates};
use crate::row::Side;

impl Search<'_, '_> {
    /// Divides every row by its divisor and rounds its ends inwards.
    pub(super) fn round<N: Number>(
        &mut self,
        part: &mut Part<N>,
        coordinates: &Coordinates<N>,
        roundings: &mut Vec<Rounding>,
    ) -> Result<Option<Found<N>>, Halt> {
        let mut kept = 0;
        for number in 0..part.rows.len() {
            let divisor = part.rows[number].divisor()?;
            let Working { row, from } = &mut part.rows[number];
            if divisor.is_zero() {
                // 0 lies within the ends, or the row holds nowhere.
                let outside = [
                    (Side::Low, row.low.as_ref().is_some_and(Number::is_positive)),
                    (Side::High, row.high.as_ref().is_some_and(Number::is_negative)),
                ];
                if let Some((side, _)) = outside.into_iter().find(|(_, outside)| *outside) {
                    let because = [(number, side, N::ONE)];
                    return Ok(Some(Found::Nothing(self.absurd(part, &because))));
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
                return Ok(Some(Found::Nothing(self.absurd(part, &because))));
            }
            part.rows.swap(kept, number);
            kept += 1;
        }
        part.rows.truncate(kept);
        Ok(None)
    }

    /// Makes the form of a row, whose ends are equal, the last coordinate, and sets it.
    pub(super) fn fix_by_row<N: Number>(
        &mut self,
        part: &mut Part<N>,
        coordinates: &mut Coordinates<N>,
        fixing: usize,
    ) -> Result<(), Halt> {
        let last = coordinates.width() - 1;
        // Euclid's algorithm on the coefficients, which have no common divisor.
        loop {
            let form = &part.rows[fixing].row.form;
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
                    reduction::swap(part, coordinates, least, last)?;
                }
                break;
            }
            for k in 0..=last {
                let form = &part.rows[fixing].row.form;
                if k == least || form[k].is_zero() {
                    continue;
                }
                let pivot = form[least].absolute()?;
                let mut r = form[k].divided_down(&pivot);
                if form[least].is_negative() {
                    r = r.negated()?;
                }
                reduction::subtract(part, coordinates, k, least, &r)?;
            }
        }
        let Working { row, from: [low, high] } = &part.rows[fixing];
        let up = row.form[last].is_positive();
        let value = row.low.clone().unwrap_or(N::ZERO);
        let value = if up { value } else { value.negated()? };
        let (low, high) =
            if up { (low.clone(), high.clone()) } else { (high.clone(), low.clone()) };
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
