//! The questions about a system, and the two kinds of numbers they are tried with.
//!
//! A search runs with `i128`. If a number does not fit, it starts again with big integers, where
//! every number fits. A question that can be written down in either kind implements [`Encode`].

use alloc::vec::Vec;

use crate::limit::{Exhausted, Halt, Meter};
use crate::number::{Big, Number, Overflow};
use crate::proof::Proof;
use crate::row::{Row, System};
use crate::search::{self, Found, Goal};

/// A question that can be written as a system, in numbers of any type.
///
/// [`System<i128>`](System) is one. Implement it for a type of your own if its rows may have
/// coefficients beyond 128 bits.
///
/// ```
/// use lattice_point::{Encode, Limit, System};
///
/// let mut system = System::new(1);
/// system.push(vec![3], Some(4), Some(5));
/// assert_eq!(system.point(&mut Limit::none().meter())?, None);
/// # Ok::<(), lattice_point::Exhausted>(())
/// ```
pub trait Encode {
    /// The rows and the objective.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number does not fit; big integers always do.
    fn encode<N: Number>(&self) -> Result<System<N>, Overflow>;

    /// A point of the system, if it has one.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if the limit is reached first.
    fn point(&self, meter: &mut Meter<'_>) -> Result<Option<Vec<i128>>, Exhausted> {
        Ok(solve(self, Goal::Point, meter)?.ok())
    }

    /// A point with the largest value of the objective, if that exceeds `above`.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if the limit is reached first.
    fn largest(
        &self,
        above: Option<i128>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<i128>>, Exhausted> {
        Ok(solve(self, Goal::Largest { above }, meter)?.ok())
    }

    /// A proof that the system has no point, or a point.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if the limit is reached first.
    fn refute(&self, meter: &mut Meter<'_>) -> Result<Result<Proof, Vec<i128>>, Exhausted> {
        Ok(match solve(self, Goal::Proof, meter)? {
            Ok(point) => Err(point),
            Err(Some(proof)) => Ok(proof),
            Err(None) => unreachable!("a proof was asked for"),
        })
    }
}

impl Encode for System<i128> {
    fn encode<N: Number>(&self) -> Result<System<N>, Overflow> {
        let numbers = |list: &[i128]| list.iter().map(|&a| N::from(a)).collect();
        let rows = self.rows.iter().map(|row| Row {
            form: numbers(&row.form),
            low: row.low.map(N::from),
            high: row.high.map(N::from),
        });
        let objective = numbers(&self.objective);
        Ok(System { variables: self.variables, rows: rows.collect(), objective })
    }
}

/// Searches with `i128`, and again with big integers if a number does not fit.
fn solve<Q: Encode + ?Sized>(
    question: &Q,
    goal: Goal,
    meter: &mut Meter<'_>,
) -> Result<Found<i128>, Exhausted> {
    let narrow = question.encode::<i128>().map_err(Halt::from);
    let found = match narrow.and_then(|system| search::run(system, goal, meter)) {
        Err(Halt::Overflow) => {
            let wide = question.encode::<Big>().map_err(Halt::from);
            wide.and_then(|system| search::run(system, goal, meter))
        }
        found => found,
    };
    found.map_err(|halt| match halt {
        Halt::Exhausted(exhausted) => exhausted,
        Halt::Overflow => unreachable!("big numbers do not overflow"),
    })
}
