//! What ops do to one axis of a view.

use crate::cond::Cond;
use crate::error::Error;
use crate::names::Def;
use crate::poly::Poly;
use crate::stage::{Bounds, Stage};
use crate::work::Work;

/// Every so many indices of an axis are counted; its stride is left as it is.
pub(crate) fn step_axis(
    work: &mut Work,
    stage: &mut Stage,
    axis: usize,
    step: &Poly,
) -> Result<(), Error> {
    if step.as_number() == Some(1) {
        return Ok(());
    }
    let mut per = |p: &Poly| work.divide(format_args!("axis {axis}"), &(p + step - 1), step);
    let bounds = &stage.bounds[axis];
    let lo = bounds.lo.iter().map(&mut per).collect::<Result<_, _>>()?;
    let hi = bounds.hi.iter().map(&mut per).collect::<Result<_, _>>()?;
    stage.shape[axis] = per(&stage.shape[axis])?;
    let beyond = stage.bounds[axis].beyond;
    stage.bounds[axis] = Bounds { lo, hi, beyond };
    Ok(())
}

/// An axis of size 1 repeated, or one that has the new size already.
pub(crate) fn expand_axis(
    work: &mut Work,
    stage: &mut Stage,
    axis: usize,
    new: Poly,
) -> Result<(), Error> {
    let old = work.domain.norm(&work.names, &stage.shape[axis]);
    let (unit, same) = (Cond::Eq(&old - 1), Cond::Eq(&old - &new));
    let mut truth = |cond: &Cond| work.domain.ask(&work.names, cond);
    let argument = format!("axis {axis}");
    match (truth(&unit), truth(&same)) {
        (_, Some(true)) => return Ok(()),
        (Some(false), None) => work.require(argument, same)?,
        (Some(true), _) | (_, Some(false)) => {
            work.require(argument, unit)?;
            stage.retire_bounds(axis);
            stage.strides[axis] = Poly::zero();
        }
        (None, None) => {
            // 1 where the axis stays as it is, 0 where it is repeated.
            let kept = work.define(&Def::Same(old.clone(), new.clone()))?;
            let repeated = Poly::one() - &kept;
            work.require(argument, Cond::Eq(&old - 1 - &kept * (&new - 1)))?;
            let bounds = std::mem::take(&mut stage.bounds[axis]);
            stage.alive.extend(bounds.lo.iter().map(|lo| -&(&repeated * lo)));
            stage.alive.extend(bounds.hi.iter().map(|hi| &repeated * (hi - 1)));
            stage.bounds[axis] = Bounds {
                lo: bounds.lo.iter().map(|lo| &kept * lo).collect(),
                hi: bounds.hi.iter().map(|hi| &kept * hi + &repeated * &new).collect(),
                beyond: true,
            };
            stage.strides[axis] *= &kept;
        }
    }
    stage.shape[axis] = new;
    Ok(())
}
