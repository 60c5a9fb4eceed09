//! Ops that put a view on top: reshapes and strided views.
//!
//! If the two are proved to be one view for all parameters, they are joined at once.
//!
//! Example: (N,6) reshaped to (3·N,2) is again one view, and the chain stays one view long; (N,6)
//! transposed and flattened becomes a chain of two.

use crate::chain::SymbolicChain;
use crate::cond::Cond;
use crate::error::Error;
use crate::expr::Expr;
use crate::join::joined;
use crate::ops::{axis_of, check_rank};
use crate::poly::Poly;
use crate::stage::Stage;
use crate::work::Work;

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

    /// Requires that a view reads only positions of the view below.
    pub(crate) fn require_composes(
        &mut self,
        op: &str,
        below: &Stage,
        top: &Stage,
    ) -> Result<(), Error> {
        let (mut lowest, mut highest) = (vec![top.offset.clone()], vec![top.offset.clone()]);
        let mut empty = Vec::new();
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
            // A view without valid indices reads nothing.
            let extent = &hi - &lo - 1;
            empty.push(Cond::Eq(&hi - &lo));
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
            if lowest.len() > 64 {
                let what = "the signs of more than six strides are not known";
                return Err(Error::Unsupported { op: op.to_owned(), what: what.to_owned() });
            }
        }
        let count = below.count();
        let ends = lowest.into_iter().map(|p| (p, "the lowest position"));
        let highest = highest.into_iter().map(|p| (&count - 1 - &p, "the highest position"));
        for (p, argument) in ends.chain(highest) {
            empty.push(Cond::Ge(p));
            self.require_one(op, argument, &empty)?;
            empty.pop();
        }
        Ok(())
    }

    /// Puts a view on top, joined with the one below if that is proved for all parameters.
    fn stack(&mut self, stages: &mut Vec<Stage>, top: Stage) {
        if let Some(below) = stages.last()
            && let Some(one) = joined(self, below, &top)
        {
            stages.pop();
            if !stages.last().is_some_and(|below| self.is_whole(below, &one)) {
                stages.push(one);
            }
            return;
        }
        stages.push(top);
    }

    /// Whether a view is the view below, unchanged.
    fn is_whole(&mut self, below: &Stage, top: &Stage) -> bool {
        let plain = Stage::contiguous(below.shape.clone());
        let mut same = |p: &Poly, q: &Poly| self.domain.norm(&self.names, &(p - q)).is_zero();
        !top.is_masked()
            && top.rank() == below.rank()
            && same(&top.offset, &plain.offset)
            && top.shape.iter().zip(&plain.shape).all(|(p, q)| same(p, q))
            && top.strides.iter().zip(&plain.strides).all(|(p, q)| same(p, q))
    }

    /// Sizes, with a −1 filled in.
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
        let known = found.iter().product::<Poly>();
        let size = self.divide(op, "the other sizes", count, &known)?;
        let rest = count - &known * &size;
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
            shape.push(stage.shape[first..=last].iter().product::<Poly>());
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
            let product = split.iter().product::<Poly>();
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
}
