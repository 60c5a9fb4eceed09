//! One integer system for every question (theory, "one integer system").
//!
//! A question about a chain is whether some rows, low ≤ form ≤ high with
//! integer forms, have an integer point. No point means *yes*, a point is a
//! witness. [`encode`] writes the rows of a question; [`mod@search`] decides them, with exact
//! linear programming ([`lp`]) in reduced coordinates ([`lattice`]), and can
//! write the reason down as a [`proof`]. [`hull`] finds every relation that holds on all points.
//!
//! Running example: `(10,3,3):(8,1,2)` seen through `(6):(4)` has the index x
//! and the quotients q₁ = ⌊4x/3⌋, q₂ = ⌊4x/9⌋. The rows 0 ≤ x ≤ 5,
//! 0 ≤ 4x − 3q₁ ≤ 2, 0 ≤ q₁ − 3q₂ ≤ 2, 0 ≤ q₂ ≤ 9 hold for nothing else, and the
//! position is F = 8x − 5q₁ + 5q₂. Is it 3x? F − 3x ≥ 1 has the point x = 5.

pub(crate) mod encode;
pub(crate) mod hull;
mod lattice;
mod lp;
mod number;
mod proof;
mod search;
#[cfg(test)]
mod tests;

pub(crate) use lp::Side;
pub(crate) use number::{Big, Number, Overflow};
pub(crate) use proof::{Proof, RowRef};

use crate::limit::{Exhausted, Meter};
use alloc::vec::Vec;
use search::{Found, Goal, Halt};

/// low ≤ Σ form·z ≤ high; an end that is not there does not bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row<N> {
    pub form: Vec<N>,
    pub low: Option<N>,
    pub high: Option<N>,
}

/// Rows over integer variables, and a form that may be asked for its largest value.
#[derive(Debug, Clone)]
pub(crate) struct System<N> {
    pub variables: usize,
    pub rows: Vec<Row<N>>,
    pub objective: Vec<N>,
}

/// Rows that are written already.
impl Encode for System<i128> {
    fn encode<N: Number>(&self) -> Result<System<N>, Overflow> {
        let numbers = |list: &[i128]| list.iter().map(|&a| N::from_wide(a)).collect();
        let rows = self.rows.iter().map(|row| Row {
            form: numbers(&row.form),
            low: row.low.map(N::from_wide),
            high: row.high.map(N::from_wide),
        });
        let objective = numbers(&self.objective);
        Ok(System { variables: self.variables, rows: rows.collect(), objective })
    }
}

/// A question that can be written as a system, in numbers of any type.
pub(crate) trait Encode {
    fn encode<N: Number>(&self) -> Result<System<N>, Overflow>;

    /// A point of the system, if it has one.
    fn point(&self, meter: &mut Meter<'_>) -> Result<Option<Vec<i128>>, Exhausted> {
        match search(self, Goal::Point, meter)? {
            Found::Point(point) => Ok(Some(point)),
            Found::Nothing(_) => Ok(None),
        }
    }

    /// A point with the largest value of the objective, if that is above a value.
    fn largest(
        &self,
        above: Option<i128>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<i128>>, Exhausted> {
        match search(self, Goal::Largest { above }, meter)? {
            Found::Point(point) => Ok(Some(point)),
            Found::Nothing(_) => Ok(None),
        }
    }

    /// Why the system has no point, or a point.
    fn refute(&self, meter: &mut Meter<'_>) -> Result<Result<Proof, Vec<i128>>, Exhausted> {
        match search(self, Goal::Proof, meter)? {
            Found::Point(point) => Ok(Err(point)),
            Found::Nothing(Some(proof)) => Ok(Ok(proof)),
            Found::Nothing(None) => unreachable!("a proof was asked for"),
        }
    }
}

/// Searches with `i128`, and once more with big numbers if they overflow.
fn search<Q: Encode + ?Sized>(
    question: &Q,
    goal: Goal,
    meter: &mut Meter<'_>,
) -> Result<Found, Exhausted> {
    match attempt::<i128, Q>(question, goal, meter) {
        Ok(found) => Ok(found),
        Err(Halt::Exhausted(exhausted)) => Err(exhausted),
        Err(Halt::Overflow) => match attempt::<Big, Q>(question, goal, meter) {
            Ok(found) => Ok(found),
            Err(Halt::Exhausted(exhausted)) => Err(exhausted),
            Err(Halt::Overflow) => unreachable!("big numbers do not overflow"),
        },
    }
}

fn attempt<N: Number, Q: Encode + ?Sized>(
    question: &Q,
    goal: Goal,
    meter: &mut Meter<'_>,
) -> Result<Found, Halt> {
    search::run(question.encode::<N>()?, goal, meter)
}
