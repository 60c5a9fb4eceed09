//! A chain of views with unknown sizes.

use std::fmt;

use viewmerge::internal::joined;
use viewmerge::{Limit, Validity, View, ViewChain};

use crate::cond::{Clause, Cond, any};
use crate::domain::Domain;
use crate::error::Error;
use crate::expr::Expr;
use crate::names::{Def, Names, value};
use crate::params::Params;
use crate::poly::Poly;
use crate::print;
use crate::stage::Stage;
use crate::work::{BUILDING, Work};

/// Views that compose for the parameters that the ops allow, memory side first.
///
/// The ops are those of [`ViewChain`], with expressions for numbers. What an op needs of the
/// parameters (a size that divides, a shrink that fits) becomes a requirement.
///
/// ```
/// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
///
/// let params = Params::new().size("B")?.size("T")?;
/// let chain =
///     SymbolicChain::parse(&params, "(B,T,64)")?.apply("permute(1,0,2)")?.apply("reshape(T*B,64)")?;
/// let answer = chain.merge(&Limit::none());
/// assert_eq!(answer.to_string(), "T == 1 or B == 1 -> (B*T,64):(64,1)");
/// # Ok::<(), viewmerge_symbolic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SymbolicChain {
    pub(crate) params: Params,
    pub(crate) defs: Vec<Def>,
    pub(crate) domain: Domain,
    pub(crate) assumed: Vec<Cond>,
    pub(crate) requires: Vec<Clause>,
    /// Invariant: at least one.
    pub(crate) stages: Vec<Stage>,
    /// The ops that were given as text, the first one first.
    pub(crate) trail: Vec<Applied>,
}

/// An op that a chain was made by.
#[derive(Clone, Debug)]
pub(crate) struct Applied {
    pub(crate) op: String,
    /// The view it acted on, and what it made of it.
    pub(crate) before: Stage,
    pub(crate) after: Stage,
    /// The view, counted from the memory side, that has its result.
    pub(crate) view: usize,
    /// Whether that view was put on top by this op.
    pub(crate) added: bool,
}

impl SymbolicChain {
    pub(crate) fn start(
        params: &Params,
        make: impl FnOnce(&mut Work) -> Result<Stage, Error>,
    ) -> Result<SymbolicChain, Error> {
        let mut work = params.start()?;
        let stage = make(&mut work)?;
        SymbolicChain::finish(work, vec![stage])
    }

    fn finish(mut work: Work, mut stages: Vec<Stage>) -> Result<SymbolicChain, Error> {
        if stages.iter().any(Stage::is_spoilt) {
            return Err(Error::TooLarge);
        }
        if let Some(last) = stages.last_mut() {
            work.drop_idle_bounds(last);
        }
        let stages = stages.iter().map(|stage| stage.expanded(&work.names)).collect();
        let Work { params, names, domain, assumed, requires, .. } = work;
        let (defs, trail) = (names.into_defs(), Vec::new());
        Ok(SymbolicChain { params, defs, domain, assumed, requires, stages, trail })
    }

    /// The chain after an op that changes its views.
    pub(crate) fn edit(
        &self,
        op: &'static str,
        change: impl FnOnce(&mut Work, &mut Vec<Stage>) -> Result<(), Error>,
    ) -> Result<SymbolicChain, Error> {
        let mut work = Work {
            op,
            params: self.params.clone(),
            names: Names::new(self.defs.clone(), &Limit::steps(BUILDING)),
            domain: self.domain.clone(),
            assumed: self.assumed.clone(),
            requires: self.requires.clone(),
        };
        let mut stages = self.stages.clone();
        change(&mut work, &mut stages)?;
        Ok(SymbolicChain { trail: self.trail.clone(), ..SymbolicChain::finish(work, stages)? })
    }

    pub(crate) fn last(&self) -> &Stage {
        &self.stages[self.stages.len() - 1]
    }

    /// The parameters.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N)")?;
    /// assert_eq!(chain.params().names().count(), 1);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The shape of the last view.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | flatten()")?;
    /// assert_eq!(chain.shape(), ["3*N".parse()?]);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn shape(&self) -> Vec<Expr> {
        self.last().shape.iter().map(|size| print::expr(&self.defs, size)).collect()
    }

    /// The parameters with these values.
    pub(crate) fn named(&self, point: &[i64]) -> Vec<(String, i64)> {
        self.params.names().map(str::to_owned).zip(point.iter().copied()).collect()
    }

    /// The values of the parameters, in their order.
    pub(crate) fn point(&self, values: &[(&str, i64)]) -> Result<Vec<i128>, Error> {
        let unknown = |(name, _): &&(&str, i64)| !self.params.names().any(|known| known == *name);
        if let Some((name, _)) = values.iter().find(unknown) {
            return Err(Error::point(name, "is not declared"));
        }
        let mut point = Vec::new();
        for param in self.params.list() {
            let given = values.iter().find(|(name, _)| *name == param.name);
            let Some((name, value)) = given else {
                return Err(Error::point(&param.name, "has no value"));
            };
            let value = i128::from(*value);
            if !param.admits(value) {
                return Err(Error::point(name, format_args!("cannot be {value}")));
            }
            point.push(value);
        }
        for cond in &self.assumed {
            if cond.holds(&self.defs, &point) == Some(false) {
                let text = print::atom(&self.defs, cond);
                return Err(Error::point("the point", format_args!("contradicts {text}")));
            }
        }
        Ok(point)
    }

    /// The concrete chain at a point.
    ///
    /// # Errors
    ///
    /// If a parameter has no value or one that is not allowed, if a requirement does not hold there,
    /// or if the views are too large.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | flip(0)")?;
    /// assert_eq!(chain.at(&[("N", 4)])?.to_string(), "(4,3):(-3,1)+9");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn at(&self, values: &[(&str, i64)]) -> Result<ViewChain, Error> {
        self.at_point(&self.point(values)?)
    }

    pub(crate) fn at_point(&self, point: &[i128]) -> Result<ViewChain, Error> {
        self.check_allowed(point)?;
        let views: Result<Vec<View>, Error> =
            self.stages.iter().map(|stage| stage.at(&self.defs, point)).collect();
        Ok(ViewChain::from_views(&views?)?)
    }

    /// That a point is one that the ops allow.
    pub(crate) fn check_allowed(&self, point: &[i128]) -> Result<(), Error> {
        let holds = |cond: &Cond| cond.holds(&self.defs, point);
        match self.requires.iter().find(|clause| any(clause.iter().map(holds)) != Some(true)) {
            None => Ok(()),
            Some(clause) => {
                let choice = clause.iter().map(|cond| vec![cond.clone()]).collect();
                let missed = print::guard(&self.defs, &choice);
                Err(Error::point("the point", format_args!("does not satisfy {missed}")))
            }
        }
    }
}

impl Work {
    /// Removes bounds that the size implies.
    fn drop_idle_bounds(&mut self, stage: &mut Stage) {
        let Stage { bounds, shape, .. } = stage;
        for (bounds, size) in bounds.iter_mut().zip(shape) {
            let mut idle = |p: Poly| self.domain.implies(&self.names, &Cond::Ge(p));
            bounds.lo.retain(|lo| !idle(-lo));
            bounds.hi.retain(|hi| !idle(hi - &*size));
        }
    }
}

impl Stage {
    /// The concrete view at a point.
    pub(crate) fn at(&self, defs: &[Def], point: &[i128]) -> Result<View, Error> {
        self.with_values(|p| value(defs, point, p))
    }

    /// The concrete view where polynomials have these values.
    pub(crate) fn with_values(&self, value: impl Fn(&Poly) -> Option<i128>) -> Result<View, Error> {
        let number = |p: &Poly| value(p).and_then(|x| i64::try_from(x).ok()).ok_or(Error::TooLarge);
        let all = |list: &[Poly]| list.iter().map(number).collect::<Result<Vec<i64>, Error>>();
        let shape = all(&self.shape)?;
        if shape.contains(&0) {
            return Ok(View::contiguous(&shape)?);
        }
        if all(&self.alive)?.iter().any(|&p| p < 0) {
            return Ok(View::nothing(&shape)?);
        }
        let mut bounds = Vec::new();
        for (axis, &size) in shape.iter().enumerate() {
            let lo = all(&self.bounds[axis].lo)?.into_iter().fold(0, i64::max);
            let hi = all(&self.bounds[axis].hi)?.into_iter().fold(size, i64::min);
            if lo >= hi {
                return Ok(View::nothing(&shape)?);
            }
            bounds.push((lo, hi));
        }
        let (strides, offset) = (all(&self.strides)?, number(&self.offset)?);
        Ok(View::new(&shape, &strides, offset, Validity::boxed(&bounds))?)
    }
}

impl fmt::Display for SymbolicChain {
    /// The views as in the notation; which of several bounds counts is written with `max` and `min`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&joined(self.stages.iter().map(|stage| stage.written(&self.defs)), " | "))
    }
}
