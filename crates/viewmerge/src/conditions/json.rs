//! How conditions are written in serde formats.
//!
//! `{"known":[null,1],"equations":[..],"merged":[[..]],"lengths":[[..]],"hole":null}`:
//! the strides that were known, the equations, the merged stride of every axis of v₂
//! as coefficients, and the lengths at which equations appear. What follows from these
//! is worked out anew.

use alloc::vec::Vec;

use super::linear::Space;
use super::{Conditions, Equation};
use crate::dims::check_rank;
use crate::error::Error;
use crate::merge::Witness;

#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Parts {
    known: Vec<Option<i64>>,
    equations: Vec<Equation>,
    merged: Vec<Vec<i64>>,
    lengths: Vec<Vec<i64>>,
    hole: Option<Witness>,
}

impl From<Conditions> for Parts {
    fn from(found: Conditions) -> Parts {
        let Conditions { known, equations, merged, lengths, hole, .. } = found;
        Parts { known, equations, merged, lengths, hole }
    }
}

impl TryFrom<Parts> for Conditions {
    type Error = Error;

    fn try_from(parts: Parts) -> Result<Conditions, Error> {
        let Parts { known, equations, merged, lengths, hole } = parts;
        let (below, above) = (known.len(), merged.len());
        check_rank("lengths", above, lengths.len())?;
        for coefficients in &merged {
            check_rank("coefficients", below, coefficients.len())?;
        }
        let reduced = Space::new(below + 1);
        let mut found = Conditions { known, equations: Vec::new(), reduced, merged, lengths, hole };
        for equation in equations {
            check_rank("coefficients", below, equation.coefficients.len())?;
            check_rank("index", above, equation.at.len())?;
            check_rank("index", above, equation.other.len())?;
            // As those of a shape: then no sum of products with strides is too large.
            let sizes = equation.coefficients.iter().map(|c| u128::from(c.unsigned_abs()));
            if sizes.sum::<u128>() > u128::from(i64::MAX.unsigned_abs()) {
                return Err(Error::ConditionsTooLarge);
            }
            found.add(equation)?;
        }
        Ok(found)
    }
}
