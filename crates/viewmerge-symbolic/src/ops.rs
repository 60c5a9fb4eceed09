//! Movement ops with expressions for numbers.
//!
//! The ops are those of [`viewmerge::ViewChain`]; what they need of the parameters becomes a requirement.
//! A shrink must fit, an axis to be expanded must have size 1 or its new size; a slice clamps its ends
//! (`clamp.rs`).

use viewmerge::Slice;
use viewmerge::internal::{axis as place_of, check_rank, distinct_axes};

use crate::chain::SymbolicChain;
use crate::cond::Cond;
use crate::error::Error;
use crate::expr::Expr;
use crate::names::Def;
use crate::poly::Poly;
use crate::stage::{Bounds, Stage};
use crate::work::Work;

/// Changes the last view.
fn on_last(
    chain: &SymbolicChain,
    op: &'static str,
    change: impl FnOnce(&mut Work, &mut Stage) -> Result<(), Error>,
) -> Result<SymbolicChain, Error> {
    chain.edit(op, |work, stages| stages.last_mut().map_or(Ok(()), |last| change(work, last)))
}

/// An axis of size 1 repeated, or one that has the new size already.
fn expand_axis(work: &mut Work, stage: &mut Stage, axis: usize, new: Poly) -> Result<(), Error> {
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

impl SymbolicChain {
    /// The axes in another order: new axis `k` is old axis `axes[k]`.
    ///
    /// # Errors
    ///
    /// If the axes are not all axes, each once.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,6)")?;
    /// assert_eq!(chain.permute(&[1, 0])?.to_string(), "(6,N):(1,6)");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn permute(&self, axes: &[i64]) -> Result<SymbolicChain, Error> {
        check_rank("permute", self.last().rank(), axes.len())?;
        let order = distinct_axes("permute", axes, self.last().rank())?;
        on_last(self, "permute", |_, stage| {
            *stage = stage.rearranged(&order);
            Ok(())
        })
    }

    /// Two axes exchanged.
    ///
    /// # Errors
    ///
    /// If an axis does not exist.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,6)")?;
    /// assert_eq!(chain.transpose(0, -1)?.to_string(), "(6,N):(1,6)");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn transpose(&self, first: i64, second: i64) -> Result<SymbolicChain, Error> {
        let rank = self.last().rank();
        let mut order: Vec<i64> = (0..).take(rank).collect();
        order.swap(place_of("transpose", first, rank)?, place_of("transpose", second, rank)?);
        self.permute(&order)
    }

    /// Axes of size 1 repeated to the sizes of `shape`, aligned at the last axis; −1 keeps a size.
    /// A size that is neither seen to be 1 nor seen to be the new one is required to be one of them.
    ///
    /// # Errors
    ///
    /// If there are fewer sizes than axes, or a size is never 1 or the new one.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let params = Params::new().size("N")?.size("M")?;
    /// let chain = SymbolicChain::parse(&params, "(6,1)")?;
    /// assert_eq!(chain.expand(&[6.into(), "N".parse()?])?.to_string(), "(6,N):(1,0)");
    /// let chain = SymbolicChain::parse(&params, "(N)")?.expand(&["M".parse()?])?;
    /// assert_eq!(
    ///     chain.merge(&Limit::none()).to_string(),
    ///     "N == M -> (M):(1); N != M -> (M):(0), requires N == 1 or N == M",
    /// );
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn expand(&self, shape: &[Expr]) -> Result<SymbolicChain, Error> {
        let rank = self.last().rank();
        if shape.len() < rank {
            check_rank("expand", rank, shape.len())?;
        }
        on_last(self, "expand", |work, stage| {
            for (axis, size) in shape.iter().enumerate() {
                let fresh = axis < shape.len() - rank;
                if !fresh && size.as_number() == Some(-1) {
                    continue;
                }
                let new = work.size(size)?;
                match fresh {
                    true => stage.insert(axis, new),
                    false => expand_axis(work, stage, axis, new)?,
                }
            }
            Ok(())
        })
    }

    /// Padding of `(before, after)` invalid indices on every axis.
    ///
    /// # Errors
    ///
    /// If an amount is never 0 or more.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N)")?;
    /// assert_eq!(chain.pad(&[(1.into(), 1.into())])?.to_string(), "(N + 2):(1)-1 [1:N + 1]");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn pad(&self, amounts: &[(Expr, Expr)]) -> Result<SymbolicChain, Error> {
        check_rank("pad", self.last().rank(), amounts.len())?;
        on_last(self, "pad", |work, stage| {
            for (axis, (before, after)) in amounts.iter().enumerate() {
                let (before, after) = (work.size(before)?, work.size(after)?);
                let mut bounds = stage.bounds[axis].shifted(&before);
                let end = &stage.shape[axis] + &before;
                stage.offset -= &stage.strides[axis] * &before;
                stage.shape[axis] = &end + &after;
                bounds.lo.extend((!before.is_zero()).then_some(before));
                bounds.hi.extend((!after.is_zero()).then_some(end));
                stage.bounds[axis] = bounds;
            }
            Ok(())
        })
    }

    /// Only the indices `lo <= i < hi` of every axis kept; they must be there.
    ///
    /// # Errors
    ///
    /// If the bounds fit for no parameters.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N)")?;
    /// assert_eq!(chain.shrink(&[(1.into(), "N".parse()?)])?.to_string(), "(N - 1):(1)+1");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn shrink(&self, bounds: &[(Expr, Expr)]) -> Result<SymbolicChain, Error> {
        check_rank("shrink", self.last().rank(), bounds.len())?;
        on_last(self, "shrink", |work, stage| {
            for (axis, (lo, hi)) in bounds.iter().enumerate() {
                let (lo, hi) = (work.poly(lo)?, work.poly(hi)?);
                work.require_within(axis, (&lo, &hi), &stage.shape[axis])?;
                stage.narrow(axis, &lo, &hi - &lo);
            }
            Ok(())
        })
    }

    /// The named axes reversed.
    ///
    /// # Errors
    ///
    /// If an axis does not exist or is named twice.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N)")?;
    /// assert_eq!(chain.flip(&[0])?.to_string(), "(N):(-1)+N - 1");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn flip(&self, axes: &[i64]) -> Result<SymbolicChain, Error> {
        let axes = distinct_axes("flip", axes, self.last().rank())?;
        on_last(self, "flip", |_, stage| {
            axes.iter().for_each(|&axis| stage.flip(axis));
            Ok(())
        })
    }

    /// Every `steps[axis]`-th index of each axis; where a step is negative it walks backwards from the last
    /// one. A step is required not to be 0.
    ///
    /// # Errors
    ///
    /// If a step is always 0.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N)")?;
    /// assert_eq!(chain.step(&[2.into()])?.to_string(), "((N + 1)//2):(2)");
    /// assert_eq!(chain.step(&["N".parse()?])?.to_string(), "(1):(N)");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn step(&self, steps: &[Expr]) -> Result<SymbolicChain, Error> {
        check_rank("step", self.last().rank(), steps.len())?;
        on_last(self, "step", |work, stage| {
            for (axis, step) in steps.iter().enumerate() {
                let step = work.step(step)?;
                work.walk(stage, axis, &step)?;
            }
            Ok(())
        })
    }

    /// Python slices of the leading axes; bounds outside an axis are clamped to it.
    ///
    /// # Errors
    ///
    /// If there are more slices than axes, or a step is always 0.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, Slice, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N)")?;
    /// let all_but_one = Slice { start: None, stop: Some((-1).into()), step: 1.into() };
    /// assert_eq!(chain.slice(&[all_but_one])?.to_string(), "(N - 1):(1)");
    /// assert_eq!(chain.apply("slice(:3)")?.to_string(), "(min(3, N)):(1)");
    /// let params = Params::new().size("N")?.size("k")?;
    /// let every = SymbolicChain::parse(&params, "(N*k) | slice(::k)")?;
    /// assert_eq!(every.to_string(), "(N):(k)");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn slice(&self, slices: &[Slice<Expr>]) -> Result<SymbolicChain, Error> {
        let rank = self.last().rank();
        if slices.len() > rank {
            check_rank("slice", rank, slices.len())?;
        }
        on_last(self, "slice", |work, stage| {
            for (axis, slice) in slices.iter().enumerate() {
                work.slice(stage, axis, slice)?;
            }
            Ok(())
        })
    }

    /// All axes of size 1 removed; the others are required to have another size.
    ///
    /// # Errors
    ///
    /// If a size is not seen to be 1 and yet never another.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(1,N,1)")?.squeeze_all()?;
    /// assert_eq!(chain.merge(&Limit::none()).to_string(), "always (N):(1), requires N != 1");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn squeeze_all(&self) -> Result<SymbolicChain, Error> {
        on_last(self, "squeeze_all", |work, stage| {
            for axis in (0..stage.rank()).rev() {
                let rest = work.domain.norm(&work.names, &(&stage.shape[axis] - 1));
                if rest.is_zero() {
                    stage.retire_bounds(axis);
                    *stage = stage.without(axis);
                } else {
                    work.require(format_args!("axis {axis}"), Cond::Ne(rest))?;
                }
            }
            Ok(())
        })
    }

    /// An axis of size 1 removed.
    ///
    /// # Errors
    ///
    /// If the axis does not exist or its size is never 1.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,1)")?;
    /// assert_eq!(chain.squeeze(1)?.to_string(), "(N):(1)");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn squeeze(&self, axis: i64) -> Result<SymbolicChain, Error> {
        let place = place_of("squeeze", axis, self.last().rank())?;
        on_last(self, "squeeze", |work, stage| {
            work.require(format_args!("axis {axis}"), Cond::Eq(&stage.shape[place] - 1))?;
            stage.retire_bounds(place);
            *stage = stage.without(place);
            Ok(())
        })
    }

    /// A new axis of size 1, which will be axis `axis` of the result.
    ///
    /// # Errors
    ///
    /// If there is no such place.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N)")?;
    /// assert_eq!(chain.unsqueeze(0)?.to_string(), "(1,N):(0,1)");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn unsqueeze(&self, axis: i64) -> Result<SymbolicChain, Error> {
        let place = place_of("unsqueeze", axis, self.last().rank() + 1)?;
        on_last(self, "unsqueeze", |_, stage| {
            stage.insert(place, Poly::one());
            Ok(())
        })
    }
}
