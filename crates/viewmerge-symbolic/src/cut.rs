//! Over which split of its axes is a chain one view, on one domain?
//!
//! The theory is that of the concrete library's `split`: the coarsest split is unique, and its places are
//! forced. Here sizes are polynomials, so places are too.
//!
//! Example: (N,M) transposed and flattened, N ≥ 2 and M ≥ 2. Along the only axis the first step that
//! differs comes after N elements, so every split cuts there; N divides the size N·M, the next
//! digit runs to the end, and over (M,N) the chain is one view.
//!
//! 1. Where the valid indices are a box, the places are read off one line for every axis (`forced.rs`). A
//!    place that does not divide its size leaves no split. If all lines can be read, one pass over the
//!    split shape can show that there is none, either.
//! 2. From these places on, or from whole axes, axes are cut where a floor is not affine, until the pass
//!    succeeds. Then there is *a* split, and the coarsest one is read off its view (`coarsest`).
//!
//! What none of these settles is open.

use crate::cond::Cond;
use crate::engine::{Answer, Block, Engine, Left, Mode, Outcome, Stop, Stuck};
use crate::poly::Poly;
use crate::quotient::long_division;
use crate::stage::Stage;

/// How often axes are cut before the search gives up.
const ROUNDS: usize = 5;

/// The factors of every axis, slowest first.
pub(crate) type Cuts = Vec<Vec<Poly>>;

impl Engine<'_> {
    /// Decides over which split a chain is one view, possibly without cuts.
    pub(crate) fn cut(&mut self, stages: &[Stage]) -> Answer<Outcome> {
        let slim = match self.prepared(stages)? {
            Left::Break(outcome) => return Ok(outcome),
            Left::Continue(slim) => slim,
        };
        self.mode = Mode::Strict;
        let stuck = match self.walk(&slim)? {
            Left::Break(outcome) => return Ok(outcome),
            Left::Continue(stuck) => stuck,
        };
        let Some((top, below)) = slim.split_last() else { return Ok(Outcome::Open) };
        let masked = slim[..=stuck.number].iter().any(Stage::is_masked);
        let cuts = if masked { Some(whole(top)) } else { self.read_off(&slim, &stuck)? };
        cuts.map_or(Ok(Outcome::Never), |cuts| self.search(below, top, cuts))
    }

    /// Cuts axes further until the chain is one view over the pieces.
    fn search(&mut self, below: &[Stage], top: &Stage, mut cuts: Cuts) -> Answer<Outcome> {
        for _ in 0..ROUNDS {
            let stages = self.normal_stages(&over(below, top, &cuts));
            let stuck = match self.walk(&stages) {
                Ok(Left::Break(Outcome::View { base, steps, bounds, .. })) => {
                    return self.coarsest(&cuts, base, &steps, &bounds);
                }
                Ok(Left::Break(Outcome::Nothing)) => return Ok(Outcome::Nothing),
                Ok(Left::Continue(stuck)) => stuck,
                Err(Stop::Split(cond)) => return Err(Stop::Split(cond)),
                Ok(Left::Break(_)) | Err(Stop::Unknown) => return Ok(Outcome::Open),
            };
            if !self.refine(&mut cuts, &stages, &stuck)? {
                return Ok(Outcome::Open);
            }
        }
        Ok(Outcome::Open)
    }

    /// Cuts factors at the periods of the levels that are not affine; tells whether it cut any.
    fn refine(&mut self, cuts: &mut Cuts, stages: &[Stage], stuck: &Stuck) -> Answer<bool> {
        let moduli = match stuck.block {
            Block::Levels(_) => stuck.moduli(),
            Block::Mask { .. } => {
                let (sizes, mut behind) = (stages[stuck.number].shape.iter().rev(), Poly::one());
                let times = |size| {
                    behind = self.norm(&(&behind * size));
                    behind.clone()
                };
                sizes.map(times).collect()
            }
        };
        let mut found = false;
        // The axis of every factor and its place there.
        let factors = cuts.iter().enumerate();
        let places: Vec<(usize, usize)> = factors
            .flat_map(|(axis, factors)| (0..factors.len()).map(move |place| (axis, place)))
            .collect();
        // Starts at the last factor, so that the numbers of the others stay the same.
        for l in (0..stuck.front.axis.len()).rev() {
            let (axis, place) = places[stuck.front.axis[l]];
            let step = self.norm(&stuck.position.step[l]);
            for modulus in &moduli {
                let Some(period) = self.exactly_over(modulus, &step) else { continue };
                let size = self.norm(&cuts[axis][place]);
                if !self.at_least(&period, 2)? || !self.know(Cond::Ge(&size - &period - 1))? {
                    continue;
                }
                if let Some(rest) = self.divisible(&size, &period)? {
                    cuts[axis][place] = self.norm(&rest);
                    cuts[axis].insert(place + 1, self.norm(&period));
                    found = true;
                    break;
                }
            }
        }
        Ok(found)
    }

    /// modulus / |step| if that is a polynomial.
    fn exactly_over(&mut self, modulus: &Poly, step: &Poly) -> Option<Poly> {
        let (modulus, step) = (self.norm(modulus), self.norm(step));
        if step.is_zero() {
            return None;
        }
        let step = match self.domain.truth(self.names, &Cond::Ge(step.clone())) {
            Some(false) => -&step,
            _ => step,
        };
        let quotient = long_division(&modulus, &step);
        self.norm(&(&modulus - &step * &quotient)).is_zero().then_some(quotient)
    }

    /// The coarsest split, read off the view over any split: a digit that continues the one
    /// below it is fused with it.
    fn coarsest(
        &mut self,
        cuts: &Cuts,
        base: Poly,
        steps: &[Option<Poly>],
        bounds: &[(Poly, Poly)],
    ) -> Answer<Outcome> {
        let (mut kept, mut out_steps, mut out_bounds) = (Cuts::new(), Vec::new(), Vec::new());
        let mut first = 0;
        for factors in cuts {
            let digits = self.fused(factors, &steps[first..], &bounds[first..])?;
            first += factors.len();
            kept.push(digits.iter().rev().map(|digit| digit.size.clone()).collect());
            for digit in digits.into_iter().rev() {
                let count = digit.run.as_ref().map_or(Poly::one(), |(count, _)| count.clone());
                let hi = self.norm(&(&digit.lo + &count));
                out_bounds.push((digit.lo, hi));
                out_steps.push(digit.run.map(|(_, step)| step));
            }
        }
        if kept.iter().all(|factors| factors.len() == 1) {
            kept.clear();
        }
        Ok(Outcome::View { base, steps: out_steps, bounds: out_bounds, cuts: kept })
    }

    /// The digits of one axis, finest first, fused as far as they can be.
    fn fused(
        &mut self,
        factors: &[Poly],
        steps: &[Option<Poly>],
        bounds: &[(Poly, Poly)],
    ) -> Answer<Vec<Digit>> {
        let mut digits: Vec<Digit> = Vec::new();
        // The product of the factors below, and that of the factors in the last digit.
        let (mut place, mut within) = (Poly::one(), Poly::one());
        // Where the last digit that moves ends.
        let mut end: Option<(Poly, Poly)> = None;
        for k in (0..factors.len()).rev() {
            let (lo, hi) = &bounds[k];
            let count = self.norm(&(hi - lo));
            let moves = match &steps[k] {
                Some(step) if self.at_least(&count, 2)? => Some(step.clone()),
                _ => None,
            };
            let mut fresh = digits.is_empty();
            if let Some(step) = &moves {
                let goes_on = match &end {
                    Some((next, carried)) => {
                        self.know(Cond::Eq(next - &place))?
                            && self.know(Cond::Eq(carried - step))?
                    }
                    None => false,
                };
                fresh |= !goes_on;
                end = Some((&place * &count, step * &count));
            }
            match digits.last_mut() {
                Some(last) if !fresh => {
                    last.lo += lo * &within;
                    last.size *= &factors[k];
                    if moves.is_some()
                        && let Some((run, _)) = &mut last.run
                    {
                        *run *= &count;
                    }
                    within *= &factors[k];
                }
                _ => {
                    let run = moves.map(|step| (count, step));
                    digits.push(Digit { size: factors[k].clone(), lo: lo.clone(), run });
                    within = factors[k].clone();
                }
            }
            place *= &factors[k];
        }
        for digit in &mut digits {
            digit.size = self.norm(&digit.size);
            digit.lo = self.norm(&digit.lo);
        }
        Ok(digits)
    }
}

/// One digit of an axis.
struct Digit {
    /// The factor.
    size: Poly,
    /// The least valid value.
    lo: Poly,
    /// How many values are valid, and the step from one to the next, if there is more than one.
    run: Option<(Poly, Poly)>,
}

/// No axis cut.
pub(crate) fn whole(top: &Stage) -> Cuts {
    top.shape.iter().map(|size| vec![size.clone()]).collect()
}

/// The chain over a split shape, which is a view of its own.
pub(crate) fn over(below: &[Stage], top: &Stage, cuts: &Cuts) -> Vec<Stage> {
    let split = Stage::contiguous(cuts.iter().flatten().cloned().collect());
    [below, &[top.clone(), split]].concat()
}
