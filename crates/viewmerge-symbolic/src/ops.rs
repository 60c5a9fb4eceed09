//! Movement ops with expressions for numbers.
//!
//! The ops are those of [`viewmerge::ViewChain`]; what they need of the parameters becomes a requirement.
//! A shrink must fit, an axis to be expanded must have size 1 or its new size; a slice clamps its ends
//! (`clamp.rs`); ops that regroup elements put a view on top (`regroup.rs`).

use viewmerge::Movement;
use viewmerge::internal::{axis as place_of, check_rank, distinct_axes};

use crate::chain::SymbolicChain;
use crate::cond::Cond;
use crate::error::Error;
use crate::expr::Expr;
use crate::poly::Poly;
use crate::stage::{Bounds, Stage};
use crate::work::Work;

impl SymbolicChain {
    /// Applies an op, with expressions for numbers.
    ///
    /// A size that is −1 is inferred by `reshape` and `unflatten`, and kept by `expand`. An axis that is expanded is
    /// required to have size 1 or its new size, where it is not seen which. What `shrink` keeps must be
    /// there; slices are clamped to their axes. A step must not be 0; where it is negative it walks backwards from the last index.
    ///
    /// # Errors
    ///
    /// If an axis does not exist, a list has the wrong length, or what the op requires holds for no parameters.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let params = Params::new().size("N")?.size("M")?.multiple("K", 4)?;
    /// let rows = [
    ///     ("(N,6)", "permute(1,0)", "(6,N):(1,6)"),
    ///     ("(N,6)", "transpose(0,-1)", "(6,N):(1,6)"),
    ///     ("(6,1)", "expand(6,N)", "(6,N):(1,0)"),
    ///     ("(N)", "pad((1,1))", "(N + 2):(1)-1 [1:N + 1]"),
    ///     ("(N)", "shrink((1,N))", "(N - 1):(1)+1"),
    ///     ("(N)", "flip(0)", "(N):(-1)+N - 1"),
    ///     ("(N)", "step(2)", "((N + 1)//2):(2)"),
    ///     ("(N)", "step(N)", "(1):(N)"),
    ///     ("(N)", "slice(:-1)", "(N - 1):(1)"),
    ///     ("(N)", "slice(:3)", "(min(3, N)):(1)"),
    ///     ("(N*M)", "slice(::M)", "(N):(M)"),
    ///     ("(N,1)", "squeeze(1)", "(N):(1)"),
    ///     ("(N)", "unsqueeze(0)", "(1,N):(0,1)"),
    ///     ("(N,6)", "reshape(-1,2)", "(3*N,2):(2,1)"),
    ///     ("(N,6)", "flatten(0,-1)", "(6*N):(1)"),
    ///     ("(K,6)", "unflatten(0,(-1,4))", "(K//4,4,6):(24,6,1)"),
    ///     ("(N+2)", "as_strided((N,3),(1,1))", "(N,3):(1,1)"),
    /// ];
    /// for (view, op, expected) in rows {
    ///     let chain = SymbolicChain::parse(&params, view)?.apply_op(&op.parse()?)?;
    ///     assert_eq!(chain.to_string(), expected, "{op}");
    /// }
    /// let repeated = SymbolicChain::parse(&params, "(N)")?.apply_op(&"expand(M)".parse()?)?;
    /// assert_eq!(
    ///     repeated.merge(&Limit::none()).to_string(),
    ///     "N == M -> (M):(1); N != M -> (M):(0), requires N == 1 or N == M",
    /// );
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn apply_op(&self, op: &Movement<Expr>) -> Result<SymbolicChain, Error> {
        self.edit(op.name(), |work, stages| work.apply(stages, op))
    }
}

impl Work {
    fn apply(&mut self, stages: &mut Vec<Stage>, op: &Movement<Expr>) -> Result<(), Error> {
        let Some(stage) = stages.last_mut() else { return Ok(()) };
        let (name, rank) = (self.op, stage.rank());
        let check = |found: usize| check_rank(name, rank, found);
        match op {
            Movement::Permute(axes) => {
                check(axes.len())?;
                *stage = stage.rearranged(&distinct_axes(name, axes, rank)?);
            }
            Movement::Transpose(first, second) => {
                let mut order: Vec<usize> = (0..rank).collect();
                order.swap(place_of(name, *first, rank)?, place_of(name, *second, rank)?);
                *stage = stage.rearranged(&order);
            }
            Movement::Flip(axes) => {
                distinct_axes(name, axes, rank)?.iter().for_each(|&axis| stage.flip(axis));
            }
            Movement::Unsqueeze(axis) => {
                stage.insert(place_of(name, *axis, rank + 1)?, Poly::one());
            }
            Movement::Squeeze(axis) => {
                let place = place_of(name, *axis, rank)?;
                self.require(format_args!("axis {axis}"), Cond::Eq(&stage.shape[place] - 1))?;
                stage.retire_bounds(place);
                *stage = stage.without(place);
            }
            Movement::Expand(shape) => {
                check(shape.len().min(rank))?;
                for (axis, size) in shape.iter().enumerate() {
                    let fresh = axis < shape.len() - rank;
                    if fresh {
                        stage.insert(axis, self.size(size)?);
                    } else if size.as_number() != Some(-1) {
                        let new = self.size(size)?;
                        self.expand(stage, axis, new)?;
                    }
                }
            }
            Movement::Pad(amounts) => {
                check(amounts.len())?;
                for (axis, (before, after)) in amounts.iter().enumerate() {
                    let (before, after) = (self.size(before)?, self.size(after)?);
                    stage.pad(axis, before, after);
                }
            }
            Movement::Shrink(bounds) => {
                check(bounds.len())?;
                for (axis, (lo, hi)) in bounds.iter().enumerate() {
                    let (lo, hi) = (self.poly(lo)?, self.poly(hi)?);
                    self.require_within(axis, (&lo, &hi), &stage.shape[axis])?;
                    stage.narrow(axis, &lo, &hi - &lo);
                }
            }
            Movement::Step(steps) => {
                check(steps.len())?;
                for (axis, step) in steps.iter().enumerate() {
                    let step = self.step(step)?;
                    self.walk(stage, axis, &step)?;
                }
            }
            Movement::Slice(slices) => {
                check(slices.len().max(rank))?;
                for (axis, slice) in slices.iter().enumerate() {
                    self.slice(stage, axis, slice)?;
                }
            }
            Movement::Reshape(shape) => {
                let shape = self.inferred(shape, &stage.count())?;
                self.regroup(stages, shape)?;
            }
            Movement::Flatten(start, end) => {
                let start = place_of(name, *start, rank.max(1))?;
                let end = place_of(name, *end, rank.max(1))?;
                if start > end {
                    return Err(viewmerge::Error::FlattenOrder { start, end }.into());
                }
                let mut shape = stage.shape.clone();
                // Without axes there is nothing to join, and one axis of size 1 comes in.
                let joined = start..rank.min(end + 1);
                let size = shape[joined.clone()].iter().product::<Poly>();
                shape.splice(joined, [size]);
                self.regroup(stages, shape)?;
            }
            Movement::Unflatten(axis, sizes) => {
                let place = place_of(name, *axis, rank)?;
                let mut shape = stage.shape.clone();
                let split = self.inferred(sizes, &shape[place])?;
                let difference = split.iter().product::<Poly>() - &shape[place];
                self.require(format_args!("axis {axis}"), Cond::Eq(difference))?;
                shape.splice(place..=place, split);
                self.regroup(stages, shape)?;
            }
            Movement::AsStrided { shape, strides, offset } => {
                let top = self.strided(shape, Some(strides), offset)?;
                self.require_composes(stage, &top)?;
                self.stack(stages, top);
            }
            _ => {
                let what = "has no form with unknown sizes".to_owned();
                return Err(Error::Unsupported { op: name.to_owned(), what });
            }
        }
        Ok(())
    }

    /// An axis of size 1 repeated, or one that has the new size already.
    fn expand(&mut self, stage: &mut Stage, axis: usize, new: Poly) -> Result<(), Error> {
        let old = self.domain.norm(&self.names, &stage.shape[axis]);
        let (unit, same) = (Cond::Eq(&old - 1), Cond::Eq(&old - &new));
        let mut truth = |cond: &Cond| self.domain.ask(&self.names, cond);
        let argument = format!("axis {axis}");
        match (truth(&unit), truth(&same)) {
            (_, Some(true)) => return Ok(()),
            (Some(false), None) => self.require(argument, same)?,
            (Some(true), _) | (_, Some(false)) => {
                self.require(argument, unit)?;
                stage.retire_bounds(axis);
                stage.strides[axis] = Poly::zero();
            }
            (None, None) => {
                self.require_one(argument, &[unit, same.clone()])?;
                // 1 where the axis stays as it is, 0 where it is repeated.
                let kept = self.choice(same, &Poly::one(), &Poly::zero())?;
                let repeated = Poly::one() - &kept;
                let bounds = std::mem::take(&mut stage.bounds[axis]);
                stage.alive.extend(bounds.lo.iter().map(|lo| -&(&repeated * lo)));
                stage.alive.extend(bounds.hi.iter().map(|hi| &repeated * (hi - 1)));
                stage.bounds[axis] = Bounds {
                    lo: bounds.lo.iter().map(|lo| &kept * lo).collect(),
                    hi: bounds.hi.iter().map(|hi| &kept * hi + &repeated * &new).collect(),
                };
                stage.strides[axis] *= &kept;
            }
        }
        stage.shape[axis] = new;
        Ok(())
    }
}
