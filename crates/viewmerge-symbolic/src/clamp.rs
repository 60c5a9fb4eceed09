//! Numbers that are one of two, and the ends of slices that are made of them.
//!
//! A slice takes any ends: what is beyond an end of the axis counts as that end, and what is negative
//! counts from the last index. With unknown sizes it is not known which it is. The number gets a
//! name, as quotients do: `(N) | slice(:3)` has the size min(N, 3). A question is decided on both
//! sides of every such name, so nothing else deals with them, and what an op requires is written for each
//! side: `reshape(3)` after it requires N ≥ 3, since on the other side N = 3 never holds.

use viewmerge::Slice;

use crate::cases::Part;
use crate::cond::Cond;
use crate::domain::{Domain, State};
use crate::error::Error;
use crate::expr::Expr;
use crate::names::{Def, Names, used};
use crate::poly::{Poly, Var};
use crate::stage::{Bounds, Stage};
use crate::work::Work;

/// More parts than this are not told apart for one requirement, which then names the numbers.
const MOST_PARTS: usize = 32;

impl Domain {
    /// Replaces a number that is one of two by the one, if the domain tells which; otherwise notes how
    /// small it may be.
    pub(crate) fn settle_case(&mut self, names: &Names, v: Var) {
        let Def::Case(cond, a, b) = names.def(v) else { return };
        let cond = cond.map(|p| self.norm(names, p));
        let State::Base { lo, hi, derived } = *self.state(v) else { return };
        match self.truth(names, &cond) {
            Some(holds) => self.choose(names, v, holds),
            None if lo.is_none() => {
                let sides = [(&cond, &a), (&cond.negated(), &b)];
                let mut sides = sides.map(|(cond, p)| (self.with(names, cond), p));
                let lo = [1, 0].into_iter().find(|&least| {
                    let enough = |(domain, p): &mut (Domain, &Poly)| {
                        domain.implies(names, &Cond::Ge(&**p - least))
                    };
                    sides.iter_mut().all(enough)
                });
                self.set_state(v, State::Base { lo, hi, derived });
            }
            None => {}
        }
    }

    /// Replaces a number that is one of two by the first of them, or by the second.
    fn choose(&mut self, names: &Names, v: Var, first: bool) {
        if let (State::Base { .. }, Def::Case(_, a, b)) = (self.state(v), names.def(v)) {
            let meaning = self.norm(names, if first { &a } else { &b });
            self.replace(names, v, meaning);
        }
    }

    /// The first number that is one of two and not known to be which, among those that some polynomials rest
    /// on, and what tells.
    fn untold(&mut self, names: &Names, polys: &[&Poly]) -> Option<(Var, Cond)> {
        let polys: Vec<Poly> = polys.iter().map(|p| self.norm(names, p)).collect();
        let used = names.with_defs(|defs| used(defs, polys.iter()));
        used.into_iter().find_map(|v| Some((v, self.tells(names, v)?)))
    }

    /// The condition that tells which of two numbers it is.
    pub(crate) fn tells(&mut self, names: &Names, v: Var) -> Option<Cond> {
        match (self.state(v), names.def(v)) {
            (State::Base { .. }, Def::Case(cond, ..)) => Some(cond.map(|p| self.norm(names, p))),
            _ => None,
        }
    }
}

impl Work {
    /// The domain in parts in which some polynomials rest on no number that is one of two.
    pub(crate) fn parts(&self, polys: &[&Poly]) -> Vec<Part> {
        let mut done: Vec<Part> = Vec::new();
        let mut todo: Vec<Part> = vec![(Vec::new(), self.domain.clone())];
        while let Some((path, mut domain)) = todo.pop() {
            let few = done.len() + todo.len() < MOST_PARTS;
            let Some((v, cond)) = few.then(|| domain.untold(&self.names, polys)).flatten() else {
                done.push((path, domain));
                continue;
            };
            let mut sides = Vec::new();
            for (cond, first) in [(cond.negated(), false), (cond, true)] {
                let mut side = domain.with(&self.names, &cond);
                side.choose(&self.names, v, first);
                side.settle_names(&self.names);
                if !side.dead {
                    sides.push(([&path[..], &[cond]].concat(), side));
                }
            }
            // A condition that holds anyway is none.
            if let [(longer, _)] = &mut sides[..] {
                *longer = path;
            }
            todo.extend(sides);
        }
        done
    }

    /// Whether a condition holds in all parts, or in none.
    pub(crate) fn known(&mut self, cond: &Cond) -> Option<bool> {
        let parts = self.parts(&[cond.poly()]).into_iter();
        let mut truths = parts.map(|(_, mut domain)| domain.ask(&self.names, cond));
        let first = truths.next()?;
        first.filter(|_| truths.all(|truth| truth == first))
    }

    /// The one where p is 0 or more, otherwise the other.
    pub(crate) fn case(&mut self, p: &Poly, one: &Poly, other: &Poly) -> Result<Poly, Error> {
        self.choice(Cond::Ge(p.clone()), one, other)
    }

    /// The one where a condition holds, otherwise the other.
    pub(crate) fn choice(&mut self, cond: Cond, one: &Poly, other: &Poly) -> Result<Poly, Error> {
        let first = if one == other { Some(true) } else { self.known(&cond) };
        match first {
            Some(true) => Ok(one.clone()),
            Some(false) => Ok(other.clone()),
            None => self.define(&Def::Case(cond, one.clone(), other.clone())),
        }
    }

    /// The first index of a slice that is kept, counted from the low end of the axis, and the end behind the last.
    fn ends(
        &mut self,
        slice: &Slice<Expr>,
        size: &Poly,
        backwards: bool,
    ) -> Result<(Poly, Poly), Error> {
        let zero = Poly::zero();
        let mut bound = |given: &Option<Expr>| -> Result<Option<Poly>, Error> {
            let Some(given) = given else { return Ok(None) };
            let p = self.poly(given)?;
            let p = self.case(&p, &p, &(size + &p))?;
            Ok(Some(if backwards { &p + 1 } else { p }))
        };
        let (start, stop) = (bound(&slice.start)?, bound(&slice.stop)?);
        let (lo, hi) = if backwards { (stop, start) } else { (start, stop) };
        let (lo, hi) = (lo.unwrap_or_default(), hi.unwrap_or_else(|| size.clone()));
        // A first index beyond the axis leaves nothing, so it may stay.
        Ok((self.case(&lo, &lo, &zero)?, self.case(&(size - &hi), &hi, size)?))
    }

    /// What a slice keeps of an axis.
    pub(crate) fn slice(
        &mut self,
        stage: &mut Stage,
        axis: usize,
        slice: &Slice<Expr>,
    ) -> Result<(), Error> {
        let size = stage.shape[axis].clone();
        let step = self.step(&slice.step)?;
        let (lo, hi) = match step.forwards {
            Some(forwards) => self.ends(slice, &size, !forwards)?,
            None => {
                let (up, down) = (self.ends(slice, &size, false)?, self.ends(slice, &size, true)?);
                let sign = &step.given;
                (self.case(sign, &up.0, &down.0)?, self.case(sign, &up.1, &down.1)?)
            }
        };
        let count = &hi - &lo;
        stage.narrow(axis, &lo, self.case(&count, &count, &Poly::zero())?);
        self.walk(stage, axis, &step)
    }

    /// A step and its direction.
    pub(crate) fn step(&mut self, step: &Expr) -> Result<Step, Error> {
        let given = self.poly(step)?;
        let forwards = self.known(&Cond::Ge(given.clone()));
        let moves = match forwards {
            Some(_) => Cond::Ge(&given - 1),
            None => Cond::Ne(given.clone()),
        };
        if forwards != Some(false) {
            self.require(format_args!("step {step}"), moves)?;
        }
        let given = self.domain.norm(&self.names, &given);
        let length = self.case(&given.scaled(2), &given, &-&given)?;
        Ok(Step { given, length, forwards })
    }

    /// Every so many indices of an axis, from its last one if the step is negative.
    pub(crate) fn walk(
        &mut self,
        stage: &mut Stage,
        axis: usize,
        step: &Step,
    ) -> Result<(), Error> {
        let mut turned = stage.clone();
        turned.flip(axis);
        let stride = &stage.strides[axis] * &step.given;
        match step.forwards {
            Some(true) => {}
            Some(false) => *stage = turned,
            None => {
                let (zero, size) = (Poly::zero(), stage.shape[axis].clone());
                let mut pick = |up: &Poly, down: &Poly| self.case(&step.given, up, down);
                stage.offset = pick(&stage.offset, &turned.offset)?;
                // A bound of one direction leaves all to the other.
                let mut either = |up: &[Poly], down: &[Poly], idle: &Poly| {
                    let up = up.iter().map(|p| pick(p, idle)).collect::<Vec<_>>();
                    let down = down.iter().map(|p| pick(idle, p));
                    up.into_iter().chain(down).collect::<Result<_, Error>>()
                };
                let (up, down) = (&stage.bounds[axis], &turned.bounds[axis]);
                let lo = either(&up.lo, &down.lo, &zero)?;
                let hi = either(&up.hi, &down.hi, &size)?;
                stage.bounds[axis] = Bounds { lo, hi };
            }
        }
        stage.strides[axis] = stride;
        if step.length.as_number() == Some(1) {
            return Ok(());
        }
        let by = &step.length;
        let mut per = |p: &Poly| self.divide(format_args!("axis {axis}"), &(p + by - 1), by);
        let Bounds { lo, hi } = &stage.bounds[axis];
        let lo = lo.iter().map(&mut per).collect::<Result<_, _>>()?;
        let hi = hi.iter().map(&mut per).collect::<Result<_, _>>()?;
        stage.bounds[axis] = Bounds { lo, hi };
        stage.shape[axis] = per(&stage.shape[axis])?;
        Ok(())
    }
}

/// A step, its length, and whether it walks forwards, if that is known.
pub(crate) struct Step {
    given: Poly,
    length: Poly,
    forwards: Option<bool>,
}
