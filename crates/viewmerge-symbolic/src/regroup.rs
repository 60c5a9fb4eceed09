//! Ops that put a view on top: reshapes and strided views.
//!
//! If the two are proved to be one view for all parameters, they are joined at once.
//!
//! Example: (N,6) reshaped to (3·N,2) is again one view, and the chain stays one view long; (N,6)
//! transposed and flattened becomes a chain of two.

use viewmerge::internal::check_rank;

use crate::cond::Cond;
use crate::domain::Domain;
use crate::engine::{Engine, Mode, Outcome};
use crate::error::Error;
use crate::expr::Expr;
use crate::names::Names;
use crate::poly::Poly;
use crate::stage::Stage;
use crate::work::Work;

impl Work {
    /// A size, required to be 0 or more.
    pub(crate) fn size(&mut self, size: &Expr) -> Result<Poly, Error> {
        let p = self.poly(size)?;
        self.require(format_args!("size {size}"), Cond::Ge(p.clone()))?;
        Ok(p)
    }

    pub(crate) fn sizes(&mut self, sizes: &[Expr]) -> Result<Vec<Poly>, Error> {
        sizes.iter().map(|size| self.size(size)).collect()
    }

    /// A view from its parts.
    pub(crate) fn strided(
        &mut self,
        shape: &[Expr],
        strides: Option<&[Expr]>,
        offset: &Expr,
    ) -> Result<Stage, Error> {
        let mut stage = Stage::contiguous(self.sizes(shape)?);
        if let Some(strides) = strides {
            check_rank("strides", shape.len(), strides.len())?;
            stage.strides = strides.iter().map(|s| self.poly(s)).collect::<Result<_, _>>()?;
        }
        stage.offset = self.poly(offset)?;
        Ok(stage)
    }

    /// Requires that a view reads only positions of the view below.
    pub(crate) fn require_composes(&mut self, below: &Stage, top: &Stage) -> Result<(), Error> {
        let unsupported = |op: &str, what: &str| {
            Err(Error::Unsupported { op: op.to_owned(), what: what.to_owned() })
        };
        let Some(valid) = top.intervals() else {
            let what = "a mask with several bounds cannot go on top of another view";
            return unsupported(self.op, what);
        };
        let (mut lowest, mut highest) = (vec![top.offset.clone()], vec![top.offset.clone()]);
        // A view without valid indices reads nothing.
        let mut empty = Vec::new();
        for ((lo, hi), stride) in valid.iter().zip(&top.strides) {
            empty.push(Cond::Eq(hi - lo));
            let stride = self.domain.norm(&self.names, stride);
            let ends = [&stride * lo, &stride * (hi - 1)];
            let (low, high) = match () {
                () if self.domain.proves(&self.names, &stride) => (&ends[..1], &ends[1..]),
                () if self.domain.proves(&self.names, &-&stride) => (&ends[1..], &ends[..1]),
                () => (&ends[..], &ends[..]),
            };
            let added = |some: &[Poly], more: &[Poly]| -> Vec<Poly> {
                more.iter().flat_map(|p| some.iter().map(move |q| q + p)).collect()
            };
            (lowest, highest) = (added(&lowest, low), added(&highest, high));
            if lowest.len() > 64 {
                return unsupported(self.op, "the signs of more than six strides are not known");
            }
        }
        let last = below.count() - 1;
        let lowest = lowest.into_iter().map(|p| (p, "the lowest position"));
        let highest = highest.into_iter().map(|p| (&last - &p, "the highest position"));
        for (p, argument) in lowest.chain(highest) {
            empty.push(Cond::Ge(p));
            self.require_one(argument, &empty)?;
            empty.pop();
        }
        Ok(())
    }

    /// Puts a view on top, joined with the one below if that is proved for all parameters.
    pub(crate) fn stack(&mut self, stages: &mut Vec<Stage>, top: Stage) {
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
        let mut normal = |stage: &Stage| stage.map(|p| self.domain.norm(&self.names, p));
        normal(top) == normal(&Stage::contiguous(below.shape.clone()))
    }

    /// Sizes, with a −1 filled in.
    pub(crate) fn inferred(&mut self, sizes: &[Expr], count: &Poly) -> Result<Vec<Poly>, Error> {
        let open: Vec<usize> =
            (0..sizes.len()).filter(|&axis| sizes[axis].as_number() == Some(-1)).collect();
        let place = match open[..] {
            [] => return self.sizes(sizes),
            [place] => place,
            [first, second, ..] => {
                return Err(viewmerge::Error::TwoInferred { op: self.op, first, second }.into());
            }
        };
        let mut filled = sizes.to_vec();
        filled[place] = Expr::Number(1);
        let mut found = self.sizes(&filled)?;
        let known = found.iter().product::<Poly>();
        let size = self.divide("the other sizes", count, &known)?;
        self.require("size -1", Cond::Eq(count - &known * &size))?;
        found[place] = self.domain.norm(&self.names, &size);
        Ok(found)
    }

    pub(crate) fn regroup(
        &mut self,
        stages: &mut Vec<Stage>,
        shape: Vec<Poly>,
    ) -> Result<(), Error> {
        let Some(last) = stages.last() else { return Ok(()) };
        let top = Stage::contiguous(shape);
        self.require("the number of elements", Cond::Eq(top.count() - last.count()))?;
        let mut same = |(p, q)| self.domain.norm(&self.names, &(p - q)).is_zero();
        if top.rank() != last.rank() || !top.shape.iter().zip(&last.shape).all(&mut same) {
            self.stack(stages, top);
        }
        Ok(())
    }
}

/// The two views as one, seen without any distinction of cases; the upper one composes.
fn joined(work: &mut Work, below: &Stage, top: &Stage) -> Option<Stage> {
    let mut domain = work.domain.clone();
    domain.nonempty(&work.names, below.shape.iter().chain(&top.shape));
    if domain.dead {
        return None;
    }
    let mut engine = Engine { names: &work.names, domain: &mut domain, mode: Mode::Lazy };
    let seen = engine.lazily(&[below.clone(), top.clone()]);
    let Some(Outcome::View { base, steps, mut bounds, .. }) = seen else { return None };
    domain.name_ends(&work.names, &mut bounds, &top.shape);
    let strides = steps.into_iter().map(Option::unwrap_or_default).collect();
    let stage = Stage::from_corner(&top.shape, strides, base, &bounds);
    Some(stage.expanded(&work.names))
}

impl Domain {
    /// Restricts it to where some sizes are 1 or more.
    pub(crate) fn nonempty<'p>(&mut self, names: &Names, sizes: impl Iterator<Item = &'p Poly>) {
        for size in sizes {
            self.assume(names, &Cond::Ge(size - 1));
        }
    }
}
