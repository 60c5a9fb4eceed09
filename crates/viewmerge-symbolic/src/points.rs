//! A few indices of a box, and what a chain is there at samples of the parameters.

use viewmerge::{View, ViewChain};

use crate::combine::extended;
use crate::engine::{Engine, Interval, Mode, Position};
use crate::error::Error;
use crate::poly::Poly;
use crate::stage::Stage;

/// The value at one sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sampled {
    Valid(i64),
    Padding,
    /// Not an index, or not to be evaluated.
    Out,
}

/// More indices than this are not tried.
const MOST_POINTS: usize = 320;
/// More places along an axis are not tried.
const MOST_PLACES: usize = 24;
/// The first indices of an axis, all of them tried: more if it is the only one.
const FIRST: [i128; 2] = [6, 4];
/// The most samples at which they are evaluated.
const MOST_SAMPLES: usize = 16;
/// Symbolic indices and their values at samples.
pub(crate) struct Points {
    pub(crate) indices: Vec<Vec<Poly>>,
    /// For every index one a sample.
    pub(crate) places: Vec<Vec<Vec<i64>>>,
    pub(crate) values: Vec<Vec<Sampled>>,
    /// A step along an axis, from one index to another.
    pub(crate) steps: Vec<(usize, usize, usize)>,
    /// Indices that lie on a line, or are corners of the box.
    pub(crate) groups: Vec<Vec<usize>>,
}

impl Points {
    /// How much a step adds at each sample, where it is one between valid indices; `None` if it is
    /// at none.
    pub(crate) fn step(&self, &(_, from, to): &(usize, usize, usize)) -> Option<Vec<Option<i64>>> {
        let pairs = self.values[from].iter().zip(&self.values[to]);
        let added: Vec<Option<i64>> = pairs
            .map(|pair| match pair {
                (Sampled::Valid(from), Sampled::Valid(to)) => to.checked_sub(*from),
                _ => None,
            })
            .collect();
        added.iter().any(Option::is_some).then_some(added)
    }

    /// The ends of two steps.
    pub(crate) fn ends(
        &self,
        one: &(usize, usize, usize),
        other: &(usize, usize, usize),
    ) -> [[&Vec<Poly>; 2]; 2] {
        [one, other].map(|(_, from, to)| [&self.indices[*from], &self.indices[*to]])
    }

    /// Whether it is so wherever it is an index, which is at some samples.
    pub(crate) fn always(&self, point: usize, test: impl Fn(Sampled) -> bool) -> bool {
        let mut inside =
            self.values[point].iter().filter(|value| **value != Sampled::Out).peekable();
        inside.peek().is_some() && inside.all(|value| test(*value))
    }

    /// Padding in the box of two valid indices, at all samples; at most so many.
    pub(crate) fn holes(&self, most: usize) -> Vec<[usize; 3]> {
        let mut found = Vec::new();
        for group in &self.groups {
            let is = |test: fn(Sampled) -> bool| -> Vec<usize> {
                group.iter().copied().filter(|&k| self.always(k, test)).collect()
            };
            let valid = is(|value| matches!(value, Sampled::Valid(_)));
            for c in is(|value| value == Sampled::Padding) {
                let pairs = valid.iter().enumerate();
                let pairs = pairs.flat_map(|(k, &b)| valid[..k].iter().map(move |&a| (a, b)));
                if let Some((a, b)) = pairs.clone().find(|&(a, b)| self.between(a, c, b)) {
                    found.push([a, c, b]);
                    if found.len() == most {
                        return found;
                    }
                }
            }
        }
        found
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
    /// The indices that are tried.
    pub(crate) fn points(
        &mut self,
        stages: &[Stage],
        n: &Position,
        last: &[Poly],
        targets: &[Poly],
    ) -> Points {
        let rank = last.len();
        let one = Poly::one();
        let mut corners = vec![vec![Poly::zero(); rank], last.to_vec()];
        if rank == 2 {
            corners.push(vec![last[0].clone(), Poly::zero()]);
            corners.push(vec![Poly::zero(), last[1].clone()]);
        }
        if rank > 1 {
            corners.push(vec![one.clone(); rank]);
        }
        let mut points = Points {
            indices: Vec::new(),
            places: Vec::new(),
            values: Vec::new(),
            steps: Vec::new(),
            groups: Vec::new(),
        };
        let mut add = |at: Vec<Poly>| match points.indices.iter().position(|known| *known == at) {
            Some(place) => place,
            None => {
                points.indices.push(at);
                points.indices.len() - 1
            }
        };
        for l in 0..rank {
            let mut places = vec![Poly::zero(), &last[l] - 1];
            places.extend((1..FIRST[usize::from(rank > 1)]).map(Poly::number));
            let found = targets.iter().filter_map(|target| self.reached(n, l, target));
            let found: Vec<Poly> = found.collect();
            for x in found {
                places.push(&x - 1);
                places.push(x);
            }
            places.truncate(MOST_PLACES);
            let mut known: Vec<Poly> = Vec::new();
            let mut lines: Vec<Vec<usize>> = vec![Vec::new(); corners.len()];
            for x in places {
                let x = self.norm(&x);
                if known.contains(&x) {
                    continue;
                }
                for (corner, line) in corners.iter().zip(&mut lines) {
                    let (mut from, mut to) = (corner.clone(), corner.clone());
                    (from[l], to[l]) = (x.clone(), self.norm(&(&x + 1)));
                    let step = (l, add(from), add(to));
                    points.steps.push(step);
                    line.extend([step.1, step.2]);
                }
                known.push(x);
            }
            points.groups.extend(lines);
        }
        if (2..=3).contains(&rank) {
            let mut some: Vec<Vec<Poly>> = vec![Vec::new()];
            for e in last {
                let mut values = vec![Poly::zero(), e.clone()];
                if rank == 2 {
                    values.extend([one.clone(), e - 1]);
                }
                some = extended(&some, &values).collect();
            }
            let grid = some.into_iter().map(&mut add).collect();
            points.groups.push(grid);
        }
        points.indices.truncate(MOST_POINTS);
        let count = points.indices.len();
        points.places = vec![Vec::new(); count];
        points.values = vec![Vec::new(); count];
        for group in &mut points.groups {
            group.retain(|&point| point < count);
            group.sort_unstable();
            group.dedup();
        }
        points.steps.retain(|(_, from, to)| *from < count && *to < count);
        let samples = self.domain.samples(self.names);
        let extents = last.iter().map(|e| e + 1).collect();
        let through = Stage::strided(extents, n.step.clone(), n.base.clone());
        for sample in samples.iter().take(MOST_SAMPLES) {
            let value = |p: &Poly| p.value(&|v| sample.get(v));
            let views = stages.iter().chain([&through]).map(|stage| stage.with_values(value));
            let views: Result<Vec<View>, Error> = views.collect();
            let chain = views.ok().and_then(|views| ViewChain::from_views(&views).ok());
            for (place, index) in points.indices.iter().enumerate() {
                let number = |p: &Poly| i64::try_from(value(p)?).ok();
                let index: Option<Vec<i64>> = index.iter().map(number).collect();
                let index = index.unwrap_or_else(|| vec![-1; rank]);
                points.values[place].push(match chain.as_ref().map(|chain| chain.index(&index)) {
                    Some(Ok(Some(value))) => Sampled::Valid(value),
                    Some(Ok(None)) => Sampled::Padding,
                    _ => Sampled::Out,
                });
                points.places[place].push(index);
            }
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
            first += lo * &behind[axis + 1];
            end += (hi - 1) * &behind[axis + 1];
        }
        let (first, end) = (self.norm(&first), self.norm(&end));
        for (axis, (lo, hi)) in intervals.iter().enumerate() {
            let c = &behind[axis + 1];
            // The next valid index of this axis, and the first one past its interval.
            found.push(&first + c);
            found.push(&first + (hi - lo) * c);
            found.push(&end - c);
            found.push(&end - (hi - lo) * c);
        }
        found.push(first);
        found.push(end);
        found.iter().map(|p| self.norm(p)).collect()
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
        let up = &way + &step - 1;
        self.domain.divide(self.names, &up, &step)
    }
}
