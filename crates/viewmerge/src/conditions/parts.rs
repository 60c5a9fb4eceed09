//! What is found out about an open chain, and what follows from it.
//!
//! In serde formats conditions are what was found out:
//! `{"known":[null,1],"equations":[..],"steps":[[..]],"lengths":[[..]],"first":[..],"hole":null}`:
//! the strides that were known, the equations, the first step along every axis of the
//! last view as coefficients, the lengths at which equations appear, and the first valid
//! index. Everything else is computed from these.

use alloc::vec::Vec;

use super::{Conditions, Equation, Obstacle, Solutions, with_known};
use crate::dims::{Index, check_rank};
use crate::error::Error;
use crate::merge::Witness;
use lattice_point::{Echelon, Overflow};

/// What is found out about an open chain.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Parts {
    /// The strides of v₁ that were given.
    pub known: Vec<Option<i64>>,
    pub equations: Vec<Equation>,
    /// The coefficients of the first step along every axis of the last view.
    pub steps: Vec<Vec<i64>>,
    pub lengths: Vec<Vec<i64>>,
    /// The first valid index, if the valid indices are a box.
    pub first: Option<Index>,
    pub hole: Option<Witness>,
}

impl Parts {
    pub(super) fn coefficients(&self) -> impl Iterator<Item = &[i64]> {
        self.equations.iter().map(|equation| equation.coefficients.as_slice())
    }

    /// Solves the equations, and expresses the merged strides.
    pub(super) fn solve(self) -> Result<Conditions, Overflow> {
        let mut reduced = Echelon::new(self.known.len() + 1);
        for coefficients in self.coefficients() {
            reduced.insert(&with_known(coefficients, &self.known)?)?;
        }
        let solutions = match self.hole {
            Some(_) => Err(Obstacle::Hole),
            None => Solutions::of(self.coefficients(), &self.known)?,
        };
        let merged = match &solutions {
            Ok(found) => {
                self.steps.iter().map(|step| found.express(step)).collect::<Result<_, _>>()?
            }
            Err(_) => Vec::new(),
        };
        Ok(Conditions { parts: self, reduced, solutions, merged })
    }
}

impl From<Conditions> for Parts {
    fn from(conditions: Conditions) -> Parts {
        conditions.parts
    }
}

impl TryFrom<Parts> for Conditions {
    type Error = Error;

    fn try_from(parts: Parts) -> Result<Conditions, Error> {
        let (below, above) = (parts.known.len(), parts.steps.len());
        check_rank("lengths", above, parts.lengths.len())?;
        for coefficients in &parts.steps {
            check_rank("coefficients", below, coefficients.len())?;
        }
        for equation in &parts.equations {
            check_rank("coefficients", below, equation.coefficients.len())?;
            check_rank("index", above, equation.at.len())?;
            check_rank("index", above, equation.other.len())?;
            // Bounded like the digits of a shape, so that no sum of products with strides overflows.
            let sizes = equation.coefficients.iter().map(|c| u128::from(c.unsigned_abs()));
            if sizes.sum::<u128>() > u128::from(i64::MAX.unsigned_abs()) {
                return Err(Error::ConditionsTooLarge);
            }
        }
        parts.solve().map_err(super::too_large)
    }
}
