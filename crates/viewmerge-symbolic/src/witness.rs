//! Indices at which a chain is seen not to be one view.
//!
//! A few symbolic indices are tried: the ends of every axis, and where a level of the view that is stuck
//! changes first. At samples of the parameters the chain is evaluated with numbers, so that only what
//! is right at all of them is proved: two steps along an axis that differ, or padding in the box
//! of two valid indices. Two steps that differ at some samples only are a condition: where they do,
//! there is no view.
//!
//! Example: (N,M):(1,N) flattened, N ≥ 3 and M ≥ 2. The first level changes at x = M: the step from 0
//! is N, that from M − 1 is 1 − (M − 1)·N, and they differ for all N and M.

use crate::combine::extended;
use crate::cond::Cond;
use crate::domain::Sample;
use crate::engine::{Answer, Engine, Front, Interval, Mode, Outcome, Position, Stop};
use crate::poly::Poly;
use crate::stage::Stage;

/// The value of a chain at an index, as far as it is seen.
#[derive(Clone, Debug)]
pub(crate) enum Seen {
    Valid(Poly),
    Padding,
    /// It depends on this quotient.
    Quotient(Poly, Poly),
    /// It depends on this.
    Unknown(Cond),
}

/// The value at one sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sampled {
    Valid(i128),
    Padding,
    /// Not an index, or not to be evaluated.
    Out,
}

/// More indices than this are not tried.
const MOST_POINTS: usize = 160;
/// More places where something may change are not looked at.
const MOST_TARGETS: usize = 16;
/// The first indices of an axis, all of them tried.
const FIRST: i128 = 4;
/// The most samples at which they are evaluated.
const MOST_SAMPLES: usize = 16;
/// The most witnesses that are to be proved.
const MOST_PROOFS: usize = 6;

/// Symbolic indices and their values at samples.
struct Points {
    indices: Vec<Vec<Poly>>,
    /// For every index one a sample.
    places: Vec<Vec<Vec<i128>>>,
    values: Vec<Vec<Sampled>>,
    /// A step along an axis, from one index to another.
    steps: Vec<(usize, usize, usize)>,
}

impl Points {
    /// How much a step adds at each sample, where it is one between valid indices; `None` if it is
    /// at none.
    fn step(&self, &(_, from, to): &(usize, usize, usize)) -> Option<Vec<Option<i128>>> {
        let pairs = self.values[from].iter().zip(&self.values[to]);
        let added: Vec<Option<i128>> = pairs
            .map(|pair| match pair {
                (Sampled::Valid(from), Sampled::Valid(to)) => to.checked_sub(*from),
                _ => None,
            })
            .collect();
        added.iter().any(Option::is_some).then_some(added)
    }

    /// Whether it is so wherever it is an index, which is at some samples.
    fn always(&self, point: usize, test: impl Fn(Sampled) -> bool) -> bool {
        let mut inside =
            self.values[point].iter().filter(|value| **value != Sampled::Out).peekable();
        inside.peek().is_some() && inside.all(|value| test(*value))
    }

    /// Whether an index is in the box of two others at all samples.
    fn between(&self, a: usize, c: usize, b: usize) -> bool {
        let (a, b, c) = (&self.places[a], &self.places[b], &self.places[c]);
        c.iter().zip(a.iter().zip(b)).all(|(c, (a, b))| {
            let ends = a.iter().zip(b);
            c.iter().zip(ends).all(|(c, (a, b))| a.min(b) <= c && c <= a.max(b))
        })
    }
}

impl Engine<'_> {
    /// Looks for a witness, or for a condition on which one depends.
    pub(crate) fn by_witness(
        &mut self,
        stages: &[Stage],
        front: &Front,
        n: &Position,
        levels: &[(Poly, Poly)],
    ) -> Answer<Option<Outcome>> {
        // Places may get names, which nobody else needs.
        let domain = self.domain.clone();
        let found = self.witness(stages, front, n, levels);
        *self.domain = domain;
        match found {
            Some(Stop::Unknown) => Ok(Some(Outcome::Never)),
            Some(Stop::Split(cond)) => {
                // It may be in terms of those names.
                let cond = cond.expanded(self.names);
                self.know(cond)?;
                Ok(None)
            }
            None => Ok(None),
        }
    }

    /// `Unknown` for a witness, a condition to split on, or nothing.
    fn witness(
        &mut self,
        stages: &[Stage],
        front: &Front,
        n: &Position,
        levels: &[(Poly, Poly)],
    ) -> Option<Stop> {
        let last: Vec<Poly> = front.last.iter().map(|e| self.norm(e)).collect();
        let mut targets = self.targets(stages.last()?, levels);
        self.add_products(stages, &mut targets);
        let points = self.points(stages, n, &last, &targets);
        let steps: Vec<_> =
            points.steps.iter().filter_map(|step| Some((*step, points.step(step)?))).collect();
        let mut hint: Option<Cond> = None;
        let mut left = MOST_PROOFS;
        let mut sometimes: Vec<((usize, usize, usize), (usize, usize, usize))> = Vec::new();
        for (place, (step, added)) in steps.iter().enumerate() {
            for (other, more) in &steps[..place] {
                if step.0 != other.0 || left == 0 {
                    continue;
                }
                let pairs = || added.iter().zip(more).filter_map(|(a, b)| Some(((*a)?, (*b)?)));
                let both = pairs().count();
                let differ = pairs().filter(|(a, b)| a != b).count();
                if differ == both && differ > 0 {
                    left -= 1;
                    match self.difference(stages, n, &last, &points, &[*other, *step]) {
                        Ok(p) if self.domain.proves_nonzero(self.names, &p) => {
                            return Some(Stop::Unknown);
                        }
                        Ok(_) => {}
                        Err(cond) => hint = hint.or(cond),
                    }
                } else if differ > 0 && sometimes.len() < MOST_PROOFS {
                    sometimes.push((*other, *step));
                }
            }
        }
        if stages.iter().any(Stage::is_masked) {
            match self.hole(stages, n, &last, &points) {
                Ok(true) => return Some(Stop::Unknown),
                Ok(false) => {}
                Err(cond) => hint = hint.or(Some(cond)),
            }
        }
        for (other, step) in sometimes {
            match self.difference(stages, n, &last, &points, &[other, step]) {
                Ok(p) if !p.is_zero() => return Some(Stop::Split(Cond::Eq(p))),
                Ok(_) => {}
                Err(cond) => hint = hint.or(cond),
            }
        }
        hint.map(Stop::Split)
    }

    /// The difference of two steps, or what it depends on.
    fn difference(
        &mut self,
        stages: &[Stage],
        n: &Position,
        last: &[Poly],
        points: &Points,
        steps: &[(usize, usize, usize); 2],
    ) -> Result<Poly, Option<Cond>> {
        let mut added = Vec::new();
        for &(_, from, to) in steps {
            let mut ends = Vec::new();
            for point in [from, to] {
                let at = &points.indices[point];
                self.inside(at, last)?;
                match self.evaluate(stages, n, at) {
                    Seen::Valid(value) => ends.push(value),
                    Seen::Padding => return Err(None),
                    seen => return Err(self.undecided(seen)),
                }
            }
            added.push(&ends[1] - &ends[0]);
        }
        Ok(self.norm(&(&added[0] - &added[1])))
    }

    /// What a value depends on.
    fn undecided(&mut self, seen: Seen) -> Option<Cond> {
        match seen {
            Seen::Quotient(p, c) => {
                let (p, c) = (self.norm(&p), self.norm(&c));
                self.domain.few_quotients(self.names, &p, &c)
            }
            Seen::Unknown(cond) => Some(cond),
            _ => None,
        }
    }

    /// Whether an index is in the box, or what that depends on.
    fn inside(&mut self, at: &[Poly], last: &[Poly]) -> Result<(), Option<Cond>> {
        for (x, last) in at.iter().zip(last) {
            for p in [x.clone(), last - x] {
                let p = self.norm(&p);
                if !self.domain.proves(self.names, &p) {
                    return Err(Some(Cond::Ge(p)));
                }
            }
        }
        Ok(())
    }

    /// Whether there is padding in the box of two valid indices.
    fn hole(
        &mut self,
        stages: &[Stage],
        n: &Position,
        last: &[Poly],
        points: &Points,
    ) -> Result<bool, Cond> {
        let count = points.indices.len();
        let valid: Vec<usize> = (0..count)
            .filter(|&k| points.always(k, |value| matches!(value, Sampled::Valid(_))))
            .collect();
        let padding: Vec<usize> =
            (0..count).filter(|&k| points.always(k, |value| value == Sampled::Padding)).collect();
        let mut hint: Option<Cond> = None;
        let mut left = MOST_PROOFS;
        for &c in &padding {
            for (place, &b) in valid.iter().enumerate() {
                for &a in &valid[..place] {
                    if left == 0 {
                        return hint.map_or(Ok(false), Err);
                    }
                    if !points.between(a, c, b) {
                        continue;
                    }
                    left -= 1;
                    match self.is_hole(stages, n, last, [a, c, b].map(|k| &points.indices[k])) {
                        Ok(true) => return Ok(true),
                        Ok(false) => {}
                        Err(cond) => hint = hint.or(cond),
                    }
                }
            }
        }
        hint.map_or(Ok(false), Err)
    }

    /// Whether the second of three indices is padding between two that are valid.
    fn is_hole(
        &mut self,
        stages: &[Stage],
        n: &Position,
        last: &[Poly],
        three: [&Vec<Poly>; 3],
    ) -> Result<bool, Option<Cond>> {
        for (number, at) in three.iter().enumerate() {
            self.inside(at, last)?;
            match (self.evaluate(stages, n, at), number) {
                (Seen::Padding, 1) | (Seen::Valid(_), 0 | 2) => {}
                (Seen::Padding | Seen::Valid(_), _) => return Ok(false),
                (seen, _) => return Err(self.undecided(seen)),
            }
        }
        let [a, c, b] = three;
        for l in 0..c.len() {
            let mut least = |p: &Poly, q: &Poly| {
                let p = self.norm(&(q - p));
                self.domain.proves(self.names, &p)
            };
            let rising = least(&a[l], &c[l]) && least(&c[l], &b[l]);
            if !rising && !(least(&b[l], &c[l]) && least(&c[l], &a[l])) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The indices that are tried.
    fn points(
        &mut self,
        stages: &[Stage],
        n: &Position,
        last: &[Poly],
        targets: &[Poly],
    ) -> Points {
        let rank = last.len();
        let one = Poly::one();
        let mut corners = vec![vec![Poly::zero(); rank], last.to_vec()];
        for l in 0..rank.min(3) {
            if rank > 1 {
                let mut corner = vec![Poly::zero(); rank];
                corner[l] = last[l].clone();
                corners.push(corner);
            }
        }
        if rank > 1 {
            corners.push(vec![one.clone(); rank]);
        }
        let mut points = Points {
            indices: Vec::new(),
            places: Vec::new(),
            values: Vec::new(),
            steps: Vec::new(),
        };
        let mut add = |at: Vec<Poly>| match points.indices.iter().position(|known| *known == at) {
            Some(place) => place,
            None => {
                points.indices.push(at);
                points.indices.len() - 1
            }
        };
        for l in 0..rank {
            let mut places = vec![Poly::zero(), &last[l] - &one];
            places.extend((1..FIRST).map(Poly::number));
            let found = targets.iter().filter_map(|target| self.reached(n, l, target));
            let mut found: Vec<Poly> = found.collect();
            found.extend(self.carries(stages, n, l));
            for x in found {
                places.push(&x - &one);
                places.push(x);
            }
            let mut known: Vec<Poly> = Vec::new();
            for x in places {
                let x = self.norm(&x);
                if known.contains(&x) {
                    continue;
                }
                for corner in &corners {
                    let (mut from, mut to) = (corner.clone(), corner.clone());
                    (from[l], to[l]) = (x.clone(), self.norm(&(&x + &one)));
                    let step = (l, add(from), add(to));
                    points.steps.push(step);
                }
                known.push(x);
            }
        }
        if (2..=3).contains(&rank) {
            let mut some: Vec<Vec<Poly>> = vec![Vec::new()];
            for e in last {
                let mut values = vec![Poly::zero(), e.clone()];
                if rank == 2 {
                    values.extend([one.clone(), e - &one]);
                }
                some = extended(&some, &values).collect();
            }
            for at in some {
                add(at);
            }
        }
        points.indices.truncate(MOST_POINTS);
        let count = points.indices.len();
        points.steps.retain(|(_, from, to)| *from < count && *to < count);
        let samples = self.domain.samples(self.names);
        let chains: Vec<(&Sample, Vec<Stage>)> = samples
            .iter()
            .take(MOST_SAMPLES)
            .map(|sample| {
                (sample, stages.iter().map(|stage| stage.map(|p| at_sample(p, sample))).collect())
            })
            .collect();
        for index in &points.indices {
            let (mut places, mut values) = (Vec::new(), Vec::new());
            for (sample, chain) in &chains {
                let number = |p: &Poly| p.value(&|v| sample.get(v));
                let at: Option<Vec<i128>> = index.iter().map(number).collect();
                let value = at.as_ref().and_then(|at| {
                    let ends = last.iter().map(number).collect::<Option<Vec<i128>>>()?;
                    let inside = at.iter().zip(&ends).all(|(x, end)| (0..=*end).contains(x));
                    let steps = n.step.iter().map(number).collect::<Option<Vec<i128>>>()?;
                    let mut position = number(&n.base)?;
                    for (step, x) in steps.iter().zip(at) {
                        position = position.checked_add(step.checked_mul(*x)?)?;
                    }
                    inside.then(|| sampled(chain, position))
                });
                places.push(at.unwrap_or_else(|| vec![0; index.len()]));
                values.push(value.unwrap_or(Sampled::Out));
            }
            points.places.push(places);
            points.values.push(values);
        }
        points
    }

    /// Positions of a view at which something changes: multiples of its moduli, and the first and
    /// last valid ones.
    pub(crate) fn targets(&mut self, stage: &Stage, levels: &[(Poly, Poly)]) -> Vec<Poly> {
        let mut found: Vec<Poly> = levels.iter().map(|(modulus, _)| modulus.clone()).collect();
        let mut behind = vec![Poly::one(); stage.rank() + 1];
        for axis in (0..stage.rank()).rev() {
            behind[axis] = self.norm(&(&behind[axis + 1] * &stage.shape[axis]));
        }
        if !stage.is_masked() {
            found.extend(behind.into_iter().skip(1).filter(|c| c.as_number() != Some(1)));
            return found;
        }
        let mode = std::mem::replace(&mut self.mode, Mode::Lazy);
        let mut intervals = Vec::new();
        for (bounds, size) in stage.bounds.iter().zip(&stage.shape) {
            if let Ok(Interval::Of(lo, hi)) = self.interval(bounds, size) {
                intervals.push((lo, hi));
            }
        }
        self.mode = mode;
        if intervals.len() < stage.rank() {
            return found;
        }
        let mut first = Poly::zero();
        let mut end = Poly::zero();
        for (axis, (lo, hi)) in intervals.iter().enumerate() {
            first = &first + &(lo * &behind[axis + 1]);
            end = &end + &(&(hi - &Poly::one()) * &behind[axis + 1]);
        }
        let (first, end) = (self.norm(&first), self.norm(&end));
        for (axis, (lo, hi)) in intervals.iter().enumerate() {
            let c = &behind[axis + 1];
            // The next valid index of this axis, and the first one past its interval.
            found.push(&first + c);
            found.push(&first + &(&(hi - lo) * c));
            found.push(&end - c);
            found.push(&end - &(&(hi - lo) * c));
        }
        found.push(first);
        found.push(end);
        found.iter().map(|p| self.norm(p)).collect()
    }

    /// Moduli of the views further down times what is there.
    fn add_products(&mut self, stages: &[Stage], targets: &mut Vec<Poly>) {
        let Some((_, below)) = stages.split_last() else { return };
        let above = targets.clone();
        for stage in below.iter().rev() {
            let mut behind = Poly::one();
            for size in stage.shape.iter().skip(1).rev() {
                behind = self.norm(&(&behind * size));
                for p in above.iter().map(|target| target * &behind) {
                    if !p.is_spoilt() && !targets.contains(&p) && targets.len() < MOST_TARGETS {
                        targets.push(p);
                    }
                }
            }
        }
    }

    /// Where along an axis each level of each view changes first, if all goes on as it begins.
    fn carries(&mut self, stages: &[Stage], n: &Position, l: usize) -> Vec<Poly> {
        let mut found = Vec::new();
        let mut first = vec![Poly::zero(); n.step.len()];
        for number in (0..stages.len()).rev() {
            // The position above this view at 0 and at 1.
            let Seen::Valid(from) = self.evaluate(&stages[number + 1..], n, &first) else { break };
            first[l] = Poly::one();
            let Seen::Valid(to) = self.evaluate(&stages[number + 1..], n, &first) else { break };
            first[l] = Poly::zero();
            let local = Position { base: from.clone(), step: vec![self.norm(&(&to - &from))] };
            let mut behind = Poly::one();
            for size in stages[number].shape.iter().skip(1).rev() {
                behind = self.norm(&(&behind * size));
                if let Some(quotient) = self.domain.divided(self.names, &from, &behind) {
                    let next = &behind * &(&quotient + &Poly::one());
                    let next = self.norm(&next);
                    found.extend(self.reached(&local, 0, &next));
                }
            }
        }
        found
    }

    /// Where along an axis the position reaches a target first, the other axes at 0.
    pub(crate) fn reached(&mut self, n: &Position, l: usize, target: &Poly) -> Option<Poly> {
        let step = self.norm(&n.step[l]);
        let way = self.norm(&(target - &n.base));
        let down =
            step.as_number().is_some_and(|t| t < 0) || step.terms().iter().all(|(_, c)| *c < 0);
        let (way, step) = if down { (-&way, -&step) } else { (way, step) };
        if step.is_zero() {
            return None;
        }
        let up = &(&way + &step) - &Poly::one();
        self.domain.divide(self.names, &up, &step)
    }

    /// The chain below at an index of the box.
    pub(crate) fn evaluate(&mut self, stages: &[Stage], n: &Position, at: &[Poly]) -> Seen {
        let mut position = n.base.clone();
        for (t, x) in n.step.iter().zip(at) {
            position = &position + &(t * x);
        }
        for stage in stages.iter().rev() {
            let mut rest = self.norm(&position);
            position = stage.offset.clone();
            for axis in (0..stage.rank()).rev() {
                let size = self.norm(&stage.shape[axis]);
                let digit = if axis == 0 {
                    rest.clone()
                } else {
                    let Some(quotient) = self.domain.divided(self.names, &rest, &size) else {
                        return Seen::Quotient(rest, size);
                    };
                    let digit = &rest - &(&size * &quotient);
                    rest = quotient;
                    self.norm(&digit)
                };
                let lower = stage.bounds[axis].lo.iter().map(|lo| &digit - lo);
                let upper = stage.bounds[axis].hi.iter().map(|hi| &(hi - &digit) - &Poly::one());
                for p in lower.chain(upper).collect::<Vec<_>>() {
                    let cond = Cond::Ge(p);
                    match self.ask(&cond) {
                        Some(true) => {}
                        Some(false) => return Seen::Padding,
                        None => return Seen::Unknown(cond),
                    }
                }
                position = &position + &(&stage.strides[axis] * &digit);
            }
        }
        Seen::Valid(self.norm(&position))
    }
}

/// A number in place of a polynomial; what cannot be evaluated spoils all that it is part of.
fn at_sample(p: &Poly, sample: &Sample) -> Poly {
    p.value(&|v| sample.get(v)).map_or_else(|| p.clone(), Poly::number)
}

/// The value of views with numbers at a position.
fn sampled(stages: &[Stage], position: i128) -> Sampled {
    let mut position = position;
    let mut valid = true;
    for stage in stages.iter().rev() {
        let at = || -> Option<(i128, bool)> {
            let mut rest = position;
            let (mut sum, mut within) = (stage.offset.as_number()?, true);
            for axis in (0..stage.rank()).rev() {
                let size = stage.shape[axis].as_number().filter(|size| *size > 0)?;
                let digit = if axis == 0 { rest } else { rest.rem_euclid(size) };
                rest = rest.div_euclid(size);
                for lo in &stage.bounds[axis].lo {
                    within &= digit >= lo.as_number()?;
                }
                for hi in &stage.bounds[axis].hi {
                    within &= digit < hi.as_number()?;
                }
                sum = sum.checked_add(stage.strides[axis].as_number()?.checked_mul(digit)?)?;
            }
            Some((sum, within))
        };
        let Some((next, within)) = at() else { return Sampled::Out };
        position = next;
        valid &= within;
        if !valid {
            return Sampled::Padding;
        }
    }
    Sampled::Valid(position)
}
