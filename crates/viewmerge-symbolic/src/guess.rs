//! Witnesses guessed from samples of the parameters.
//!
//! At every sample the chain is walked along lines of the box: where does it become valid, where does a step
//! differ from the first one, where does padding begin, where does it end? A place that one
//! polynomial gives at all samples is a guess, and what it shows is then proved.

use crate::cond::Cond;
use crate::domain::Sample;
use crate::engine::{Engine, Position};
use crate::fit::{divisors, fitted};
use crate::points::{Numbers, Sampled};
use crate::poly::{Mono, Poly};
use crate::stage::Stage;

/// How far lines are walked.
const FAR: i128 = 160;

/// Places along a line at one sample.
#[derive(Clone, Copy, Default)]
struct Places {
    /// The first valid one.
    first: Option<i128>,
    /// From where a step differs from the first one.
    break_at: Option<i128>,
    /// The first padding after something valid.
    padding: Option<i128>,
    /// The first valid one after that.
    again: Option<i128>,
    /// The first valid ones of this line and of the next.
    rows: [Option<i128>; 2],
}

impl Places {
    /// Of the values along a line, or of their differences along another axis.
    fn of(values: &[Sampled], differences: bool) -> Places {
        let mut found = Places::default();
        let valid = |x: usize| match values.get(x) {
            Some(Sampled::Valid(value)) => Some(*value),
            _ => None,
        };
        let index = |x: usize| i128::try_from(x).ok();
        let Some(first) = (0..values.len()).find(|&x| valid(x).is_some()) else { return found };
        found.first = index(first);
        let step = |x: usize| match differences {
            true => valid(x),
            false => Some(valid(x + 1)? - valid(x)?),
        };
        if let Some(known) = step(first) {
            let breaks = |x: &usize| step(*x).is_some_and(|step| step != known);
            found.break_at = (first..values.len()).find(breaks).and_then(index);
        }
        let padding = (first..values.len()).find(|&x| values[x] == Sampled::Padding);
        if let Some(padding) = padding {
            found.padding = index(padding);
            found.again = (padding..values.len()).find(|&x| valid(x).is_some()).and_then(index);
        }
        found
    }
}

impl Engine<'_> {
    /// Whether a guess shows that there is no view, or what that depends on.
    pub(crate) fn guessed(
        &mut self,
        stages: &[Stage],
        n: &Position,
        last: &[Poly],
    ) -> Result<bool, Cond> {
        let rank = last.len();
        let samples = self.domain.samples(self.names);
        let chains: Vec<(&Sample, Numbers)> = samples
            .iter()
            .filter_map(|sample| Some((sample, Numbers::at(stages, n, last, sample)?)))
            .collect();
        if chains.len() < 3 || !self.names.spend_for(16) {
            return Ok(false);
        }
        let sizes = stages.iter().flat_map(|stage| &stage.shape);
        let monos = divisors(last.iter().chain(sizes));
        let mut hint = None;
        for far in [false, true] {
            for l in 0..rank {
                // Differences along l are looked at along m.
                for m in 0..rank {
                    if far && rank == 1 {
                        continue;
                    }
                    let places: Vec<(&Sample, Places)> = chains
                        .iter()
                        .map(|(sample, chain)| (*sample, chain.line(l, m, far)))
                        .collect();
                    match self.guess_along(stages, n, last, (l, m, far), &places, &monos) {
                        Ok(true) => return Ok(true),
                        Ok(false) => {}
                        Err(cond) => hint = hint.or(cond),
                    }
                }
            }
        }
        hint.map_or(Ok(false), Err)
    }

    fn guess_along(
        &mut self,
        stages: &[Stage],
        n: &Position,
        last: &[Poly],
        (l, m, far): (usize, usize, bool),
        places: &[(&Sample, Places)],
        monos: &[Mono],
    ) -> Result<bool, Option<Cond>> {
        // One polynomial for a place, if it is one at every sample.
        let fit = |of: fn(&Places) -> Option<i128>| {
            let found = places.iter().map(|(sample, place)| Some((*sample, of(place)?)));
            fitted(monos, &found.collect::<Option<Vec<_>>>()?)
        };
        let at = |x: &Poly, more: bool| {
            let mut at: Vec<Poly> =
                if far { last.to_vec() } else { vec![Poly::zero(); last.len()] };
            if l != m {
                at[l] = Poly::zero();
            }
            at[m] = x.clone();
            if more {
                at[l] = &at[l] + &Poly::one();
            }
            at
        };
        let mut hint = None;
        let first = fit(|place| place.first);
        if let (Some(first), Some(second)) = (&first, fit(|place| place.break_at)) {
            let four = [at(first, false), at(first, true), at(&second, false), at(&second, true)];
            let [a, b, c, d] = &four;
            match self.difference(stages, n, last, [[a, b], [c, d]]) {
                Ok(p) if self.domain.proves_nonzero(self.names, &p) => return Ok(true),
                Ok(_) => {}
                Err(cond) => hint = cond,
            }
        }
        if l == m
            && let Some(first) = &first
            && let Some(padding) = fit(|place| place.padding)
            && let Some(again) = fit(|place| place.again)
        {
            let three = [at(first, false), at(&padding, false), at(&again, false)];
            let [a, c, b] = &three;
            match self.is_hole(stages, n, last, [a, c, b]) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(cond) => hint = hint.or(cond),
            }
        }
        // Two lines that do not begin alike: what is valid is no box.
        if l != m
            && places.iter().any(|(_, place)| place.rows[0] != place.rows[1])
            && let Some(here) = fit(|place| place.rows[0])
            && let Some(next) = fit(|place| place.rows[1])
        {
            let ends = [at(&here, false), at(&next, true)];
            for padding in [at(&next, false), at(&here, true)] {
                match self.is_hole(stages, n, last, [&ends[0], &padding, &ends[1]]) {
                    Ok(true) => return Ok(true),
                    Ok(false) => {}
                    Err(cond) => hint = hint.or(cond),
                }
            }
        }
        hint.map_or(Ok(false), |cond| Err(Some(cond)))
    }
}

impl Numbers {
    /// What is seen along axis m, all others at their first or last index; of steps along l if that is
    /// another axis.
    fn line(&self, l: usize, m: usize, far: bool) -> Places {
        let mut at = if far { self.last.clone() } else { vec![0; self.last.len()] };
        let mut values = Vec::new();
        let mut rows = [None; 2];
        let end = self.last[m].min(FAR);
        if l != m {
            at[l] = 0;
        }
        for x in 0..=end {
            at[m] = x;
            let here = self.value(&at).unwrap_or(Sampled::Out);
            if l == m {
                values.push(here);
                continue;
            }
            at[l] = 1;
            let next = self.value(&at).unwrap_or(Sampled::Out);
            at[l] = 0;
            for (first, value) in rows.iter_mut().zip([here, next]) {
                if first.is_none() && matches!(value, Sampled::Valid(_)) {
                    *first = Some(x);
                }
            }
            values.push(match (here, next) {
                (Sampled::Valid(from), Sampled::Valid(to)) => {
                    to.checked_sub(from).map_or(Sampled::Out, Sampled::Valid)
                }
                _ => Sampled::Out,
            });
        }
        Places { rows, ..Places::of(&values, l != m) }
    }
}
