//! What ops do to one axis of a view.

use crate::cond::Cond;
use crate::domain::State;
use crate::error::Error;
use crate::names::Def;
use crate::poly::Poly;
use crate::stage::{Bounds, Stage};
use crate::work::Work;

pub(crate) fn shrink_axis(
    work: &mut Work,
    op: &str,
    stage: &mut Stage,
    axis: usize,
    (lo, hi): (&Poly, &Poly),
) -> Result<(), Error> {
    let argument = format!("axis {axis}");
    work.require(op, &argument, Cond::Ge(lo.clone()))?;
    work.require(op, &argument, Cond::Ge(hi - lo))?;
    work.require(op, &argument, Cond::Ge(&stage.shape[axis] - hi))?;
    stage.offset += &stage.strides[axis] * lo;
    stage.bounds[axis] = stage.bounds[axis].shifted(&-lo);
    stage.bounds[axis].beyond = true;
    stage.shape[axis] = hi - lo;
    Ok(())
}

/// Every so many indices of an axis are counted; its stride is left as it is.
pub(crate) fn step_axis(
    work: &mut Work,
    op: &str,
    stage: &mut Stage,
    axis: usize,
    step: &Poly,
) -> Result<(), Error> {
    if step.as_number() == Some(1) {
        return Ok(());
    }
    let argument = format!("axis {axis}");
    let mut per = |p: &Poly| work.divide(op, &argument, &(p + step - 1), step);
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
    let one = Poly::one();
    let old = work.domain.norm(&work.names, &stage.shape[axis]);
    let (unit, same) = (Cond::Eq(&old - 1), Cond::Eq(&old - &new));
    let mut truth = |cond: &Cond| {
        let p = work.domain.norm(&work.names, cond.poly());
        work.domain.truth(&work.names, &cond.map(|_| p))
    };
    let argument = format!("axis {axis}");
    match (truth(&unit), truth(&same)) {
        (_, Some(true)) => return Ok(()),
        (Some(false), None) => {
            work.require("expand", &argument, same)?;
            stage.shape[axis] = new;
            return Ok(());
        }
        (Some(true), _) | (_, Some(false)) => {
            work.require("expand", &argument, unit)?;
            retire_bounds(stage, axis);
            stage.shape[axis] = new;
            stage.strides[axis] = Poly::zero();
            return Ok(());
        }
        (None, None) => {}
    }
    // 1 where the axis stays as it is, 0 where it is repeated.
    let kept = Def::Same(work.names.expand(&old), work.names.expand(&new));
    let v = work.names.intern(kept).ok_or(Error::TooLarge)?;
    if matches!(work.domain.state(v), State::Absent) {
        work.domain.declare(v, Some(0), Some(1));
    }
    let kept = Poly::var(v);
    let repeated = &one - &kept;
    work.require("expand", &argument, Cond::Eq(&old - 1 - &kept * (&new - 1)))?;
    let bounds = std::mem::take(&mut stage.bounds[axis]);
    stage.alive.extend(bounds.lo.iter().map(|lo| -&(&repeated * lo)));
    stage.alive.extend(bounds.hi.iter().map(|hi| &repeated * (hi - 1)));
    stage.bounds[axis] = Bounds {
        lo: bounds.lo.iter().map(|lo| &kept * lo).collect(),
        hi: bounds.hi.iter().map(|hi| &kept * hi + &repeated * &new).collect(),
        beyond: true,
    };
    stage.strides[axis] *= &kept;
    stage.shape[axis] = new;
    Ok(())
}

/// What is valid on an axis of size 1 that goes away or is repeated.
pub(crate) fn retire_bounds(stage: &mut Stage, axis: usize) {
    let bounds = std::mem::take(&mut stage.bounds[axis]);
    stage.alive.extend(bounds.lo.iter().map(|lo| -lo));
    stage.alive.extend(bounds.hi.iter().map(|hi| hi - 1));
}
