//! What the concrete library decides: only strides next to memory, lengths of the last view and
//! leading sizes are unknown.
//!
//! With the views above known, the strides next to memory for which a chain is one view are those that
//! satisfy some linear equations ([`viewmerge::OpenChain`]); here the strides are polynomials, so
//! the equations are conditions. A longer axis only adds equations, so an unknown length is asked at its
//! least value and at one beyond which nothing new comes: after a period every level repeats. In
//! between the domain is split at the first length that adds something.
//!
//! Example: (B,5,6):(34,7,1) seen through (L):(38). The period is 15; up to L = 2 there is no equation,
//! from 3 on there is one that 34, 7 and 1 do not satisfy. So it is one view where L ≤ 2.

use viewmerge::{Limit, OpenChain, StridePattern, Validity, View, ViewChain, unravel};

use crate::cond::Cond;
use crate::engine::{Answer, Engine, Outcome, Stop};
use crate::poly::{Poly, gcd};
use crate::stage::Stage;

/// Steps of the concrete library for one chain.
const STEPS: u64 = 4_000;
/// Longer lengths than this are not tried.
const LONGEST: i128 = 1 << 24;
/// The most lengths that may be unknown.
const LENGTHS: usize = 2;

/// The views above memory with known numbers, apart from lengths and leading sizes.
struct Known {
    /// Memory side first; a leading size that is unknown is `None`.
    views: Vec<Numbers>,
    /// The axes of the last view whose lengths are unknown, their least values and values from which on nothing
    /// changes.
    lengths: Vec<(usize, i64, i64)>,
}

/// One view of them.
struct Numbers {
    shape: Vec<Option<i64>>,
    strides: Vec<i64>,
    offset: i64,
    bounds: Option<Vec<(i64, i64)>>,
}

/// How much a chain asks of the strides next to memory: all that matters grows with the lengths.
#[derive(PartialEq, Eq)]
struct Asked {
    hole: bool,
    equations: usize,
}

fn number(p: &Poly) -> Option<i64> {
    i64::try_from(p.as_number()?).ok()
}

fn numbers(list: &[Poly]) -> Option<Vec<i64>> {
    list.iter().map(number).collect()
}

impl Numbers {
    /// `strides` are left out next to memory.
    fn of(stage: &Stage, strides: bool) -> Option<Numbers> {
        if !stage.alive.is_empty() {
            return None;
        }
        let shape: Vec<Option<i64>> = stage.shape.iter().map(number).collect();
        let bounds = match stage.is_masked() {
            false => None,
            true => {
                let mut found = Vec::new();
                for (bounds, size) in stage.bounds.iter().zip(&stage.shape) {
                    let size = number(size)?;
                    let lo = numbers(&bounds.lo)?.into_iter().fold(0, i64::max);
                    let hi = numbers(&bounds.hi)?.into_iter().fold(size, i64::min);
                    if lo >= hi {
                        return None;
                    }
                    found.push((lo, hi));
                }
                Some(found)
            }
        };
        let rank = stage.rank();
        Some(Numbers {
            shape,
            strides: if strides { numbers(&stage.strides)? } else { vec![0; rank] },
            offset: if strides { number(&stage.offset)? } else { 0 },
            bounds,
        })
    }

    /// The number of elements behind the leading axis.
    fn behind(&self) -> Option<i64> {
        self.shape.iter().skip(1).try_fold(1i64, |product, size| product.checked_mul((*size)?))
    }

    fn validity(&self) -> Validity {
        self.bounds.as_ref().map_or(Validity::All, |bounds| Validity::boxed(bounds))
    }
}

impl Known {
    fn of(stages: &[Stage]) -> Option<Known> {
        let views: Vec<Numbers> = stages
            .iter()
            .enumerate()
            .map(|(place, stage)| Numbers::of(stage, place > 0))
            .collect::<Option<_>>()?;
        let (top, below) = views.split_last()?;
        if below.is_empty() || below.iter().any(|view| view.behind().is_none()) {
            return None;
        }
        let unknown = |axis: &usize| top.shape[*axis].is_none();
        let lengths: Vec<_> =
            (0..top.shape.len()).filter(unknown).map(|axis| (axis, 0, 0)).collect();
        let open = views.iter().any(|view| view.shape.contains(&None));
        // Where a mask ends depends on sizes.
        if lengths.len() > LENGTHS || (open && views.iter().any(|view| view.bounds.is_some())) {
            return None;
        }
        Some(Known { views, lengths })
    }

    /// After how many indices of an axis every level of every view repeats.
    fn period(&self, axis: usize) -> Option<i64> {
        let (top, below) = self.views.split_last()?;
        let mut period = 1i128;
        let mut shift = i128::from(top.strides[axis]);
        for view in below.iter().rev() {
            let behind = i128::from(view.behind()?);
            let times = behind / gcd(behind, shift).max(1);
            period = period.checked_mul(times)?;
            // So many elements of the leading axis further.
            let further = shift.checked_mul(times)? / behind;
            shift = further.checked_mul((*view.strides.first().unwrap_or(&0)).into())?;
        }
        if period > LONGEST { None } else { i64::try_from(period).ok() }
    }

    /// The views at some lengths, memory side first, its strides 0; leading sizes as small as they may
    /// be.
    fn at(&self, lengths: &[i64]) -> Option<Vec<View>> {
        let mut views: Vec<View> = Vec::new();
        let mut highest = 0i64;
        for (place, numbers) in self.views.iter().enumerate().rev() {
            let mut shape = Vec::new();
            for (axis, size) in numbers.shape.iter().enumerate() {
                shape.push(match size {
                    Some(size) => *size,
                    None if place + 1 == self.views.len() => {
                        let place = self.lengths.iter().position(|(known, ..)| *known == axis)?;
                        lengths[place]
                    }
                    None => highest.checked_div(numbers.behind()?)?.checked_add(1)?,
                });
            }
            highest = numbers.offset;
            for (&size, &stride) in shape.iter().zip(&numbers.strides) {
                if stride > 0 {
                    highest = highest.checked_add(stride.checked_mul(size - 1)?)?;
                }
            }
            let view = View::new(&shape, &numbers.strides, numbers.offset, numbers.validity());
            views.push(view.ok()?);
        }
        views.reverse();
        Some(views)
    }

    /// The equations on the strides next to memory at some lengths; `None` in place of them for a
    /// hole.
    fn equations(&self, lengths: &[i64]) -> Option<Option<Vec<Vec<i64>>>> {
        let views = self.at(lengths)?;
        let (memory, above) = views.split_first()?;
        let open = vec![None; memory.rank()];
        let below = StridePattern::masked(memory.shape(), &open, memory.validity().clone()).ok()?;
        let chain = OpenChain::new(below, above).ok()?;
        let found = chain.conditions(&Limit::steps(STEPS)).ok()?;
        if found.hole().is_some() {
            return Some(None);
        }
        Some(Some(found.equations().iter().map(|e| e.coefficients.clone()).collect()))
    }

    fn asked(&self, lengths: &[i64]) -> Option<Asked> {
        let equations = self.equations(lengths)?;
        Some(Asked { hole: equations.is_none(), equations: equations.map_or(0, |list| list.len()) })
    }

    /// The least value of one length, more than its least one, at which more is asked, others as
    /// they are.
    fn first_change(&self, lengths: &[i64], place: usize) -> Option<Option<i64>> {
        let (_, least, most) = self.lengths[place];
        let at = |value: i64| {
            let mut lengths = lengths.to_vec();
            lengths[place] = value;
            self.asked(&lengths)
        };
        let known = at(least)?;
        if at(most)? == known {
            return Some(None);
        }
        let (mut same, mut more) = (least, most);
        while more - same > 1 {
            let middle = same + (more - same) / 2;
            if at(middle)? == known { same = middle } else { more = middle }
        }
        Some(Some(more))
    }

    /// A length and a value of it from which on more is asked; `Some(None)` if all lengths ask the
    /// same.
    #[allow(clippy::option_option)]
    fn next_length(&self) -> Option<Option<(usize, i64)>> {
        let least: Vec<i64> = self.lengths.iter().map(|(_, least, _)| *least).collect();
        let most: Vec<i64> = self.lengths.iter().map(|(_, _, most)| *most).collect();
        if self.lengths.is_empty() || self.asked(&least)? == self.asked(&most)? {
            return Some(None);
        }
        for others in [&least, &most] {
            for (place, (axis, ..)) in self.lengths.iter().enumerate() {
                if let Some(value) = self.first_change(others, place)? {
                    return Some(Some((*axis, value)));
                }
            }
        }
        None
    }
}

impl Engine<'_> {
    /// Decides a chain as the concrete library does; `None` if too much is unknown.
    pub(crate) fn concretely(&mut self, stages: &[Stage]) -> Answer<Option<Outcome>> {
        let Some(mut known) = Known::of(stages) else { return Ok(None) };
        let Some(top) = stages.last() else { return Ok(None) };
        let lengths = std::mem::take(&mut known.lengths);
        for (axis, ..) in lengths {
            let Some(range) = self.range(&top.shape[axis]) else { return Ok(None) };
            let Some(period) = known.period(axis) else { return Ok(None) };
            let Some(enough) = period.checked_mul(2).and_then(|p| p.checked_add(range.0)) else {
                return Ok(None);
            };
            let most = range.1.map_or(enough, |most| most.min(enough));
            known.lengths.push((axis, range.0, most));
        }
        // What the concrete library does is not free.
        if !self.names.spend_for(16) {
            return Err(Stop::Unknown);
        }
        let Some(next) = known.next_length() else { return Ok(None) };
        if let Some((axis, value)) = next {
            // A split, unless the bounds of the length are not seen.
            self.know(Cond::Ge(&top.shape[axis] - i128::from(value)))?;
            return Ok(None);
        }
        match self.with_equations(stages, &known) {
            Err(Stop::Unknown) => Ok(None),
            answer => answer.map(Some),
        }
    }

    /// The least and the greatest value of a length, 2 or more.
    fn range(&mut self, size: &Poly) -> Option<(i64, Option<i64>)> {
        let size = self.norm(size);
        if let ([v], 1, Some(1)) =
            (&size.vars()[..], size.degree(), size.vars().first().and_then(|&v| size.lone(v)))
        {
            let (lo, hi) = self.domain.bounds(*v);
            let c = size.constant();
            let lo = i64::try_from(lo? + c).ok()?.max(2);
            return Some((lo, hi.and_then(|hi| i64::try_from(hi + c).ok())));
        }
        Some((2, None))
    }

    /// The chain where all lengths ask the same of the strides next to memory.
    fn with_equations(&mut self, stages: &[Stage], known: &Known) -> Answer<Outcome> {
        let most: Vec<i64> = known.lengths.iter().map(|(_, _, most)| *most).collect();
        let unknown = || Stop::Unknown;
        let views = known.at(&most).ok_or_else(unknown)?;
        let memory = &stages[0];
        let equations = match known.equations(&most).ok_or_else(unknown)? {
            Some(equations) => equations,
            None => return Ok(Outcome::Never),
        };
        for equation in &equations {
            let mut sum = Poly::zero();
            for (&c, stride) in equation.iter().zip(&memory.strides) {
                sum += stride.scaled(c.into());
            }
            if !self.know(Cond::Eq(sum))? {
                return Ok(Outcome::Never);
            }
        }
        // With strides of 0 the chain is one view that is valid where it is.
        let chain = ViewChain::from_views(&views).map_err(|_| unknown())?;
        let merged = chain.merge_within(&Limit::steps(STEPS)).map_err(|_| unknown())?;
        let merged = merged.into_view().ok_or_else(unknown)?;
        let bounds = match merged.validity() {
            Validity::Nothing => return Ok(Outcome::Nothing),
            Validity::Box(bounds) => bounds.to_vec(),
            Validity::All => merged.shape().iter().map(|&size| (0, size)).collect(),
        };
        let above = ViewChain::from_views(&views[1..]).map_err(|_| unknown())?;
        let value = |index: &[i64]| -> Answer<Poly> {
            let position = above.index(index).ok().flatten().ok_or_else(unknown)?;
            let digits = unravel(views[0].shape(), position).map_err(|_| unknown())?;
            let terms = digits.iter().zip(&memory.strides);
            Ok(terms.fold(memory.offset.clone(), |sum, (&digit, stride)| {
                &sum + &stride.scaled(digit.into())
            }))
        };
        let corner: Vec<i64> = bounds.iter().map(|(lo, _)| *lo).collect();
        let base = value(&corner)?;
        let (mut steps, mut within) = (Vec::new(), Vec::new());
        for (axis, &(lo, hi)) in bounds.iter().enumerate() {
            let mut step = None;
            if hi - lo > 1 {
                let mut next = corner.clone();
                next[axis] += 1;
                step = Some(self.norm(&(&value(&next)? - &base)));
            }
            steps.push(step);
            let open = known.lengths.iter().any(|(unknown, ..)| *unknown == axis);
            let end = match (open, stages.last()) {
                (true, Some(top)) => top.shape[axis].clone(),
                _ => Poly::number(hi.into()),
            };
            within.push((Poly::number(lo.into()), end));
        }
        let base = self.norm(&base);
        Ok(Outcome::View { base, steps, bounds: within, cuts: Vec::new() })
    }
}
