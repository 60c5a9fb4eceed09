//! The search for equations: strides that satisfy those found so far are tried,
//! and a witness that they do not merge is a new one.

use alloc::vec::Vec;

use super::open_chain::OpenChain;
use super::{Equation, equate, insert, narrowed, too_large};
use crate::arith::bisect;
use crate::dims::{Bounds, Index};
use crate::error::Error;
use crate::limit::Meter;
use crate::merge::{Verdict, Witness, verdict};
use crate::view::View;
use lattice_point::Echelon;

/// An open chain on the box of its valid indices; `low` is where the box starts.
pub(super) struct Problem<'a> {
    chain: &'a OpenChain,
    shape: &'a [i64],
    /// The last view on that box, where nothing is padding.
    top: View,
    low: Index,
}

impl<'a> Problem<'a> {
    pub(super) fn new(chain: &'a OpenChain, bounds: &Bounds) -> Result<Problem<'a>, Error> {
        let top = chain.last().shrink(bounds)?;
        Ok(Problem { chain, shape: chain.below().shape(), top, low: bounds.low() })
    }

    /// How the digits move at the low corner; not at all along an axis of one index.
    pub(super) fn first_step(&self, axis: usize) -> Vec<i64> {
        match self.top.shape()[axis] {
            0 | 1 => vec![0; self.shape.len()],
            _ => self.step(axis, &self.low),
        }
    }

    /// How the digits move from an index of the box to the next along an axis.
    fn step(&self, axis: usize, index: &Index) -> Vec<i64> {
        // Nothing in the box is padding.
        self.chain.digit_step(axis, index).unwrap_or_default()
    }

    /// The equations, growing one axis after the other from length 1, the last axis first.
    pub(super) fn equations(&self, meter: &mut Meter) -> Result<Vec<Equation>, Error> {
        let mut space = Echelon::new(self.shape.len());
        let mut equations = Vec::new();
        for axis in (0..self.low.len()).rev() {
            let ends = |(l, &size): (usize, &i64)| (0, if l < axis { 1 } else { size });
            let bounds: Bounds = self.top.shape().iter().enumerate().map(ends).collect();
            self.grow(&mut space, &self.top.shrink(&bounds)?, axis, &mut equations, meter)?;
        }
        Ok(equations)
    }

    /// The lengths of one axis at which an equation is added, all other axes at their full length.
    pub(super) fn lengths(&self, axis: usize, meter: &mut Meter) -> Result<Vec<i64>, Error> {
        let mut space = Echelon::new(self.shape.len());
        while let Some(equation) = self.new_equation(&space, &self.top, axis, 1, meter)? {
            insert(&mut space, &equation.coefficients).map_err(too_large)?;
        }
        let mut equations = Vec::new();
        self.grow(&mut space, &self.top, axis, &mut equations, meter)?;
        Ok(equations.iter().map(|equation| equation.length).collect())
    }

    /// The equations that are added when an axis of a part of the box grows from length 1.
    fn grow(
        &self,
        space: &mut Echelon,
        part: &View,
        axis: usize,
        equations: &mut Vec<Equation>,
        meter: &mut Meter,
    ) -> Result<(), Error> {
        let full = part.shape()[axis];
        while self.new_equation(space, part, axis, full, meter)?.is_some() {
            // The shortest length at which the known equations are not enough.
            let enough = bisect(1, full, |length| {
                Ok::<_, Error>(self.new_equation(space, part, axis, length, meter)?.is_none())
            })?;
            let short = full.min(enough + 1);
            if let Some(equation) = self.new_equation(space, part, axis, short, meter)? {
                insert(space, &equation.coefficients).map_err(too_large)?;
                equations.push(equation);
            }
        }
        Ok(())
    }

    /// An equation that a part of the box, cut to `length` on one axis, needs and the space does not
    /// have.
    fn new_equation(
        &self,
        space: &Echelon,
        part: &View,
        grown: usize,
        length: i64,
        meter: &mut Meter,
    ) -> Result<Option<Equation>, Error> {
        let top = part.shrink_axis(grown, 0, length)?;
        for strides in space.complement().map_err(too_large)? {
            let strides = narrowed(strides).map_err(too_large)?;
            let below = View::strided(self.shape, &strides, 0)?;
            if let Verdict::NotMergeable(Witness::Step { axis, at, other, .. }) =
                verdict(&self.chain.below_last(&below), &top, meter)?
            {
                let place = |index: Index| -> Index {
                    index.iter().zip(&self.low).map(|(i, lo)| i + lo).collect()
                };
                let (at, other) = (place(at), place(other));
                let (there, here) = (self.step(axis, &other), self.step(axis, &at));
                // The steps differ, and so do the digits.
                let coefficients = equate(&there, &here).map_err(too_large)?.unwrap_or_default();
                return Ok(Some(Equation {
                    coefficients,
                    axis,
                    at,
                    other,
                    grown,
                    length: length + self.low[grown],
                }));
            }
        }
        Ok(None)
    }
}
