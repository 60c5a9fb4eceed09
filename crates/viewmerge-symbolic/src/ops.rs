//! Movement ops with expressions for numbers.
//!
//! The ops are those of [`viewmerge::ViewChain`]; what they need of the parameters becomes a requirement.
//! Slices and shrinks must fit (nothing is clamped), an axis to be expanded must have size 1.

use crate::chain::{SymbolicChain, joined};
use crate::cond::Cond;
use crate::error::Error;
use crate::expr::Expr;
use crate::poly::Poly;
use crate::stage::{Bounds, Stage};
use crate::work::Work;

/// A Python slice of one axis with expressions for bounds; negative numbers count from the end.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SymbolicSlice {
    /// First index.
    pub start: Option<Expr>,
    /// Where to stop, this index not included.
    pub stop: Option<Expr>,
    /// The distance between two kept indices, a number other than 0.
    pub step: i64,
}

fn axis_of(op: &str, axis: i64, rank: usize) -> Result<usize, Error> {
    let signed = i64::try_from(rank).unwrap_or(i64::MAX);
    let from_front = if axis < 0 { axis.saturating_add(signed) } else { axis };
    match usize::try_from(from_front) {
        Ok(place) if place < rank => Ok(place),
        _ => Err(Error::BadAxis { op: op.to_owned(), axis, rank }),
    }
}

fn distinct_axes(op: &str, axes: &[i64], rank: usize) -> Result<Vec<usize>, Error> {
    let mut found = Vec::new();
    for &axis in axes {
        let place = axis_of(op, axis, rank)?;
        if found.contains(&place) {
            return Err(Error::BadAxis { op: op.to_owned(), axis, rank });
        }
        found.push(place);
    }
    Ok(found)
}

fn check_rank(op: &str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found {
        return Ok(());
    }
    Err(Error::RankMismatch { op: op.to_owned(), expected, found })
}

impl Work {
    /// Sizes, all required to be 0 or more.
    pub(crate) fn sizes(&mut self, op: &str, sizes: &[Expr]) -> Result<Vec<Poly>, Error> {
        let mut found = Vec::new();
        for size in sizes {
            let p = self.poly(op, size)?;
            self.require(op, &format!("size {size}"), Cond::Ge(p.clone()))?;
            found.push(p);
        }
        Ok(found)
    }

    /// A view from its parts.
    pub(crate) fn strided(
        &mut self,
        op: &str,
        shape: &[Expr],
        strides: Option<&[Expr]>,
        offset: &Expr,
    ) -> Result<Stage, Error> {
        let sizes = self.sizes(op, shape)?;
        let mut stage = Stage::contiguous(sizes);
        if let Some(strides) = strides {
            check_rank(&format!("{op}: strides"), shape.len(), strides.len())?;
            stage.strides = strides.iter().map(|s| self.poly(op, s)).collect::<Result<_, _>>()?;
        }
        stage.offset = self.poly(op, offset)?;
        Ok(stage)
    }

    /// A view on top of another: all that it reads must be there.
    pub(crate) fn require_composes(
        &mut self,
        op: &str,
        below: &Stage,
        top: &Stage,
    ) -> Result<(), Error> {
        let one = Poly::one();
        let (mut lowest, mut highest) = (vec![top.offset.clone()], vec![top.offset.clone()]);
        for axis in 0..top.rank() {
            let bounds = &top.bounds[axis];
            let [lo, hi] = match (&bounds.lo[..], &bounds.hi[..]) {
                ([], []) => [Poly::zero(), top.shape[axis].clone()],
                ([lo], [hi]) => [lo.clone(), hi.clone()],
                _ => {
                    let what = "a mask with several bounds cannot go on top of another view";
                    return Err(Error::Unsupported { op: op.to_owned(), what: what.to_owned() });
                }
            };
            let extent = &(&hi - &lo) - &one;
            self.require(op, &format!("axis {axis}"), Cond::Ge(extent.clone()))?;
            let stride = self.domain.norm(&self.names, &top.strides[axis]);
            let first = &stride * &lo;
            let travel = &stride * &extent;
            let up = self.domain.proves(&self.names, &stride);
            let down = self.domain.proves(&self.names, &-&stride);
            let grow = |ends: &mut Vec<Poly>, far: bool, both: bool| {
                let near: Vec<Poly> = ends.iter().map(|p| p + &first).collect();
                let distant = || near.iter().map(|p| p + &travel).collect::<Vec<Poly>>();
                *ends = match (far, both) {
                    (_, true) => near.iter().cloned().chain(distant()).collect(),
                    (true, _) => distant(),
                    (false, _) => near.clone(),
                };
            };
            let unknown = !up && !down;
            grow(&mut lowest, down && !up, unknown);
            grow(&mut highest, up, unknown);
            if lowest.len() > 16 {
                let what = "the signs of more than four strides are not known";
                return Err(Error::Unsupported { op: op.to_owned(), what: what.to_owned() });
            }
        }
        let count = below.count();
        for p in lowest {
            self.require(op, "the lowest position", Cond::Ge(p))?;
        }
        for p in highest {
            self.require(op, "the highest position", Cond::Ge(&(&count - &one) - &p))?;
        }
        Ok(())
    }

    /// Whether a condition holds at all samples.
    fn seems(&self, cond: &Cond) -> bool {
        let samples = self.domain.samples(&self.names);
        samples.iter().all(|s| cond.poly().value(&|v| s.get(v)).is_some_and(|x| cond.holds_for(x)))
    }

    /// A view goes on top: merged with the one below if that is seen for all parameters.
    fn stack(&mut self, stages: &mut Vec<Stage>, top: Stage) {
        if let Some(below) = stages.last()
            && let Some(one) = joined(self, below, &top)
        {
            stages.pop();
            stages.push(one);
            return;
        }
        stages.push(top);
    }

    /// Sizes with one −1 filled in.
    fn inferred(&mut self, op: &str, sizes: &[Expr], count: &Poly) -> Result<Vec<Poly>, Error> {
        let open: Vec<usize> =
            (0..sizes.len()).filter(|&axis| sizes[axis].as_number() == Some(-1)).collect();
        let Some((&place, more)) = open.split_first() else { return self.sizes(op, sizes) };
        if !more.is_empty() {
            return Err(Error::TwoInferred { op: op.to_owned() });
        }
        let mut filled = sizes.to_vec();
        filled[place] = Expr::Number(1);
        let mut found = self.sizes(op, &filled)?;
        let known = found.iter().fold(Poly::one(), |product, size| &product * size);
        self.require(op, "the other sizes", Cond::Ge(&known - &Poly::one()))?;
        let size = self.divide(op, count, &known)?;
        let rest = count - &(&known * &size);
        self.require(op, "size -1", Cond::Eq(rest))?;
        found[place] = self.domain.norm(&self.names, &size);
        Ok(found)
    }

    fn regroup(
        &mut self,
        op: &str,
        stages: &mut Vec<Stage>,
        shape: Vec<Poly>,
    ) -> Result<(), Error> {
        let Some(last) = stages.last() else { return Ok(()) };
        let top = Stage::contiguous(shape);
        let difference = &top.count() - &last.count();
        self.require(op, "the number of elements", Cond::Eq(difference))?;
        let same = top.rank() == last.rank()
            && top
                .shape
                .iter()
                .zip(&last.shape)
                .all(|(a, b)| self.domain.norm(&self.names, &(a - b)).is_zero());
        if !same {
            self.stack(stages, top);
        }
        Ok(())
    }
}

/// Changes the last view.
fn on_last(
    chain: &SymbolicChain,
    change: impl FnOnce(&mut Work, &mut Stage) -> Result<(), Error>,
) -> Result<SymbolicChain, Error> {
    chain.edit(|work, stages| match stages.last_mut() {
        Some(last) => change(work, last),
        None => Ok(()),
    })
}

fn flip_axis(stage: &mut Stage, axis: usize) {
    let size = stage.shape[axis].clone();
    let last = &size - &Poly::one();
    stage.offset = &stage.offset + &(&stage.strides[axis] * &last);
    stage.strides[axis] = -&stage.strides[axis];
    stage.bounds[axis] = stage.bounds[axis].flipped(&size);
}

fn shrink_axis(
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
    stage.offset = &stage.offset + &(&stage.strides[axis] * lo);
    stage.bounds[axis] = stage.bounds[axis].shifted(&-lo);
    stage.shape[axis] = hi - lo;
    Ok(())
}

fn step_axis(
    work: &mut Work,
    op: &str,
    stage: &mut Stage,
    axis: usize,
    step: &Poly,
) -> Result<(), Error> {
    if step.as_number() == Some(1) {
        return Ok(());
    }
    let mut per = |p: &Poly| work.divide(op, &(&(p + step) - &Poly::one()), step);
    let bounds = &stage.bounds[axis];
    let lo = bounds.lo.iter().map(&mut per).collect::<Result<_, _>>()?;
    let hi = bounds.hi.iter().map(&mut per).collect::<Result<_, _>>()?;
    stage.shape[axis] = per(&stage.shape[axis])?;
    stage.bounds[axis] = Bounds { lo, hi };
    stage.strides[axis] = &stage.strides[axis] * step;
    Ok(())
}

/// What is valid on an axis of size 1 that goes away or is repeated.
fn retire_bounds(stage: &mut Stage, axis: usize) {
    let bounds = std::mem::take(&mut stage.bounds[axis]);
    stage.alive.extend(bounds.lo.iter().map(|lo| -lo));
    stage.alive.extend(bounds.hi.iter().map(|hi| hi - &Poly::one()));
}

impl SymbolicChain {
    /// The elements in the same order under another shape; one size may be −1.
    ///
    /// # Errors
    ///
    /// If the number of elements is the same for no parameters.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,6)")?;
    /// assert_eq!(chain.reshape(&[(-1).into(), 2.into()])?.to_string(), "(3*N,2):(2,1)");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn reshape(&self, shape: &[Expr]) -> Result<SymbolicChain, Error> {
        self.edit(|work, stages| {
            let count = stages.last().map(Stage::count).unwrap_or_default();
            let shape = work.inferred("reshape", shape, &count)?;
            work.regroup("reshape", stages, shape)
        })
    }

    /// The axes from `start` to `end`, both included, joined into one.
    ///
    /// # Errors
    ///
    /// If an axis does not exist.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,6)")?;
    /// assert_eq!(chain.flatten(0, -1)?.to_string(), "(6*N):(1)");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn flatten(&self, start: i64, end: i64) -> Result<SymbolicChain, Error> {
        let rank = self.last().rank();
        let first = axis_of("flatten", start, rank.max(1))?;
        let last = axis_of("flatten", end, rank.max(1))?;
        if first > last {
            return Err(Error::BadAxis { op: "flatten".to_owned(), axis: end, rank });
        }
        self.edit(|work, stages| {
            let Some(stage) = stages.last() else { return Ok(()) };
            if rank == 0 {
                return work.regroup("flatten", stages, vec![Poly::one()]);
            }
            let mut shape = stage.shape[..first].to_vec();
            shape.push(stage.shape[first..=last].iter().fold(Poly::one(), |c, s| &c * s));
            shape.extend_from_slice(&stage.shape[last + 1..]);
            work.regroup("flatten", stages, shape)
        })
    }

    /// One axis split into several; one of their sizes may be −1.
    ///
    /// # Errors
    ///
    /// If the sizes multiply to that of the axis for no parameters.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().multiple("N", 4)?, "(N,6)")?;
    /// assert_eq!(chain.unflatten(0, &[(-1).into(), 4.into()])?.to_string(), "(N//4,4,6):(24,6,1)");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn unflatten(&self, axis: i64, sizes: &[Expr]) -> Result<SymbolicChain, Error> {
        let place = axis_of("unflatten", axis, self.last().rank())?;
        self.edit(|work, stages| {
            let Some(stage) = stages.last().cloned() else { return Ok(()) };
            let split = work.inferred("unflatten", sizes, &stage.shape[place])?;
            let product = split.iter().fold(Poly::one(), |c, s| &c * s);
            let difference = &product - &stage.shape[place];
            work.require("unflatten", &format!("axis {axis}"), Cond::Eq(difference))?;
            let mut shape = stage.shape[..place].to_vec();
            shape.extend(split);
            shape.extend_from_slice(&stage.shape[place + 1..]);
            work.regroup("unflatten", stages, shape)
        })
    }

    /// Any strided view of the elements in row-major order, none of its axes empty.
    ///
    /// # Errors
    ///
    /// If it reads beyond the elements for all parameters.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().range("N", Some(3), None)?, "(N)")?;
    /// let windows = chain.as_strided(&["N-2".parse()?, 3.into()], &[1.into(), 1.into()], &0.into())?;
    /// assert_eq!(windows.to_string(), "(N - 2,3):(1,1)");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn as_strided(
        &self,
        shape: &[Expr],
        strides: &[Expr],
        offset: &Expr,
    ) -> Result<SymbolicChain, Error> {
        self.edit(|work, stages| {
            let top = work.strided("as_strided", shape, Some(strides), offset)?;
            if let Some(below) = stages.last() {
                work.require_composes("as_strided", below, &top)?;
            }
            work.stack(stages, top);
            Ok(())
        })
    }

    /// Another view on top.
    pub(crate) fn append(
        &self,
        make: impl FnOnce(&mut Work) -> Result<Stage, Error>,
    ) -> Result<SymbolicChain, Error> {
        self.edit(|work, stages| {
            let top = make(work)?;
            if let Some(below) = stages.last() {
                work.require_composes("view", below, &top)?;
            }
            stages.push(top);
            Ok(())
        })
    }

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
        on_last(self, |_, stage| {
            stage.shape = order.iter().map(|&a| stage.shape[a].clone()).collect();
            stage.strides = order.iter().map(|&a| stage.strides[a].clone()).collect();
            stage.bounds = order.iter().map(|&a| stage.bounds[a].clone()).collect();
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
        let first = axis_of("transpose", first, rank)?;
        let second = axis_of("transpose", second, rank)?;
        on_last(self, |_, stage| {
            stage.shape.swap(first, second);
            stage.strides.swap(first, second);
            stage.bounds.swap(first, second);
            Ok(())
        })
    }

    /// Axes of size 1 repeated to the sizes of `shape`, aligned at the last axis; −1 keeps a size.
    /// A size that is not seen to be the new one is required to be 1.
    ///
    /// # Errors
    ///
    /// If there are fewer sizes than axes, or a size is never 1.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(6,1)")?;
    /// assert_eq!(chain.expand(&[6.into(), "N".parse()?])?.to_string(), "(6,N):(1,0)");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn expand(&self, shape: &[Expr]) -> Result<SymbolicChain, Error> {
        let rank = self.last().rank();
        let Some(fresh) = shape.len().checked_sub(rank) else {
            return Err(Error::RankMismatch {
                op: "expand".to_owned(),
                expected: rank,
                found: shape.len(),
            });
        };
        on_last(self, |work, stage| {
            for (axis, size) in shape.iter().enumerate() {
                if axis >= fresh && size.as_number() == Some(-1) {
                    continue;
                }
                let new = work.sizes("expand", std::slice::from_ref(size))?.remove(0);
                if axis < fresh {
                    stage.shape.insert(axis, new);
                    stage.strides.insert(axis, Poly::zero());
                    stage.bounds.insert(axis, Bounds::default());
                    continue;
                }
                let old = work.domain.norm(&work.names, &stage.shape[axis]);
                let same = Cond::Eq(work.domain.norm(&work.names, &(&old - &new)));
                match work.domain.truth(&work.names, &same) {
                    Some(true) => continue,
                    None if old.as_number() != Some(1) && work.seems(&same) => {
                        let what =
                            format!("axis {axis} may have size {size} already, which is not seen");
                        return Err(Error::Unsupported { op: "expand".to_owned(), what });
                    }
                    _ => {}
                }
                work.require("expand", &format!("axis {axis}"), Cond::Eq(&old - &Poly::one()))?;
                retire_bounds(stage, axis);
                stage.shape[axis] = new;
                stage.strides[axis] = Poly::zero();
            }
            Ok(())
        })
    }

    /// NumPy's name for [`SymbolicChain::expand`].
    ///
    /// # Errors
    ///
    /// Those of `expand`.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(6)")?;
    /// assert_eq!(chain.broadcast_to(&["N".parse()?, 6.into()])?.to_string(), "(N,6):(0,1)");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn broadcast_to(&self, shape: &[Expr]) -> Result<SymbolicChain, Error> {
        self.expand(shape)
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
        on_last(self, |work, stage| {
            for (axis, (before, after)) in amounts.iter().enumerate() {
                let ends = work.sizes("pad", &[before.clone(), after.clone()])?;
                let (before, after) = (&ends[0], &ends[1]);
                let mut bounds = stage.bounds[axis].shifted(before);
                let end = &stage.shape[axis] + before;
                if !before.is_zero() {
                    bounds.lo.push(before.clone());
                }
                if !after.is_zero() {
                    bounds.hi.push(end.clone());
                }
                stage.bounds[axis] = bounds;
                stage.offset = &stage.offset - &(&stage.strides[axis] * before);
                stage.shape[axis] = &end + after;
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
        on_last(self, |work, stage| {
            for (axis, (lo, hi)) in bounds.iter().enumerate() {
                let (lo, hi) = (work.poly("shrink", lo)?, work.poly("shrink", hi)?);
                shrink_axis(work, "shrink", stage, axis, (&lo, &hi))?;
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
        on_last(self, |_, stage| {
            axes.iter().for_each(|&axis| flip_axis(stage, axis));
            Ok(())
        })
    }

    /// Every `steps[axis]`-th index of each axis; a negative number walks backwards from the last one.
    ///
    /// # Errors
    ///
    /// If a step is 0 or, for an expression, never 1 or more.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N)")?;
    /// assert_eq!(chain.step(&[2.into()])?.to_string(), "((N + 1)//2):(2)");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn step(&self, steps: &[Expr]) -> Result<SymbolicChain, Error> {
        check_rank("step", self.last().rank(), steps.len())?;
        on_last(self, |work, stage| {
            for (axis, step) in steps.iter().enumerate() {
                let mut step = work.poly("step", step)?;
                if step.as_number().is_some_and(|step| step < 0) {
                    flip_axis(stage, axis);
                    step = -&step;
                }
                work.require("step", &format!("axis {axis}"), Cond::Ge(&step - &Poly::one()))?;
                step_axis(work, "step", stage, axis, &step)?;
            }
            Ok(())
        })
    }

    /// Python slices of the leading axes; bounds must fit, they are not clamped.
    ///
    /// # Errors
    ///
    /// If the bounds fit for no parameters, or a step is 0.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain, SymbolicSlice};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N)")?;
    /// let all_but_one = SymbolicSlice { start: None, stop: Some((-1).into()), step: 1 };
    /// assert_eq!(chain.slice(&[all_but_one])?.to_string(), "(N - 1):(1)");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn slice(&self, slices: &[SymbolicSlice]) -> Result<SymbolicChain, Error> {
        let rank = self.last().rank();
        if slices.len() > rank {
            check_rank("slice", rank, slices.len())?;
        }
        on_last(self, |work, stage| {
            for (axis, slice) in slices.iter().enumerate() {
                let size = stage.shape[axis].clone();
                let mut bound = |given: &Option<Expr>| -> Result<Option<Poly>, Error> {
                    let Some(given) = given else { return Ok(None) };
                    let p = work.poly("slice", given)?;
                    let from_end = given.as_number().is_some_and(|value| value < 0);
                    Ok(Some(if from_end { &size + &p } else { p }))
                };
                let (start, stop) = (bound(&slice.start)?, bound(&slice.stop)?);
                let one = Poly::one();
                let step = Poly::number(i128::from(slice.step).abs());
                work.require("slice", &format!("step {}", slice.step), Cond::Ge(&step - &one))?;
                let (lo, hi) = if slice.step > 0 {
                    (start.unwrap_or_default(), stop.unwrap_or(size))
                } else {
                    let first = start.map_or(size.clone(), |start| &start + &one);
                    (stop.map_or(Poly::zero(), |stop| &stop + &one), first)
                };
                shrink_axis(work, "slice", stage, axis, (&lo, &hi))?;
                if slice.step < 0 {
                    flip_axis(stage, axis);
                }
                step_axis(work, "slice", stage, axis, &step)?;
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
        let place = axis_of("squeeze", axis, self.last().rank())?;
        on_last(self, |work, stage| {
            let unit = Cond::Eq(&stage.shape[place] - &Poly::one());
            work.require("squeeze", &format!("axis {axis}"), unit)?;
            retire_bounds(stage, place);
            stage.shape.remove(place);
            stage.strides.remove(place);
            stage.bounds.remove(place);
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
        let place = axis_of("unsqueeze", axis, self.last().rank() + 1)?;
        on_last(self, |_, stage| {
            stage.shape.insert(place, Poly::one());
            stage.strides.insert(place, Poly::zero());
            stage.bounds.insert(place, Bounds::default());
            Ok(())
        })
    }
}
