//! How conditions are written in serde formats.
//!
//! `{"known":[null,1],"equations":[..],"steps":[[..]],"lengths":[[..]],"first":[..],"hole":null}`:
//! the strides that were known, the equations, the first step along every axis of the
//! last view as coefficients, the lengths at which equations appear, and the first valid
//! index. Everything else is recomputed from these.

use alloc::vec::Vec;

use super::{Conditions, Equation};
use crate::dims::{Index, check_rank};
use crate::error::Error;
use crate::merge::Witness;

#[derive(serde::Deserialize)]
pub(super) struct Parts {
    known: Vec<Option<i64>>,
    equations: Vec<Equation>,
    steps: Vec<Vec<i64>>,
    lengths: Vec<Vec<i64>>,
    first: Option<Index>,
    hole: Option<Witness>,
}

impl TryFrom<Parts> for Conditions {
    type Error = Error;

    fn try_from(parts: Parts) -> Result<Conditions, Error> {
        let Parts { known, equations, steps, lengths, first, hole } = parts;
        let (below, above) = (known.len(), steps.len());
        check_rank("lengths", above, lengths.len())?;
        for coefficients in &steps {
            check_rank("coefficients", below, coefficients.len())?;
        }
        let unsolved = hole.is_some();
        let mut found =
            Conditions { steps, lengths, first, hole, ..Conditions::empty(&known, above) };
        for equation in equations {
            check_rank("coefficients", below, equation.coefficients.len())?;
            check_rank("index", above, equation.at.len())?;
            check_rank("index", above, equation.other.len())?;
            // Bounded like the digits of a shape, so that no sum of products with strides overflows.
            let sizes = equation.coefficients.iter().map(|c| u128::from(c.unsigned_abs()));
            if sizes.sum::<u128>() > u128::from(i64::MAX.unsigned_abs()) {
                return Err(Error::ConditionsTooLarge);
            }
            found.add(equation)?;
        }
        if !unsolved {
            found.solve()?;
        }
        Ok(found)
    }
}
