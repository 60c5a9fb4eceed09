//! Whether two chains are the same function on one domain.
//!
//! Both are decided; two views are the same if their valid boxes, their positions at the low corner
//! and their steps are, and a view is never the same as a chain that is none. Two chains that are
//! no view are pushed down as far as they go: they are the same if that leaves the same positions
//! above the same views, and differ if they do at one of a few symbolic indices.

use crate::combine::extended;
use crate::cond::Cond;
use crate::engine::{Answer, Engine, Front, Mode, Outcome, Prepared, Stuck, Walked};
use crate::evaluate::Seen;
use crate::poly::Poly;
use crate::stage::Stage;

/// Whether the two are the same; `None` if that was not seen.
pub(crate) type Compared = Option<bool>;

const SAME: Compared = Some(true);
const DIFFER: Compared = Some(false);

/// What a chain that gets stuck reads, and where: the view that does not take the box, the axes of the
/// box, and the numbers that must be the same for another chain to read the same.
struct Reading {
    number: usize,
    axes: Vec<usize>,
    lists: Vec<Vec<Poly>>,
}

impl Engine<'_> {
    /// Compares two chains, memory side first.
    pub(crate) fn compare(&mut self, a: &[Stage], b: &[Stage]) -> Answer<Compared> {
        let (Some(top), Some(other)) = (a.last(), b.last()) else { return Ok(None) };
        if top.rank() != other.rank() {
            return Ok(DIFFER);
        }
        for (size, wanted) in top.shape.iter().zip(&other.shape) {
            if !self.know(Cond::Eq(size - wanted))? {
                return Ok(DIFFER);
            }
        }
        let (first, second) = (self.decide(a)?, self.decide(b)?);
        self.mode = Mode::Strict;
        match (&first, &second) {
            (Outcome::Empty, _) | (_, Outcome::Empty) => Ok(SAME),
            (Outcome::Nothing, Outcome::Nothing) => Ok(SAME),
            (Outcome::View { .. }, Outcome::View { .. }) => self.compare_views(&first, &second),
            (Outcome::Never | Outcome::Open, Outcome::Never | Outcome::Open) => {
                if self.alike(a, b, false)? {
                    return Ok(SAME);
                }
                match self.tell_apart(a, b) {
                    None if self.alike(a, b, true)? => Ok(SAME),
                    compared => Ok(compared),
                }
            }
            (Outcome::Open, _) | (_, Outcome::Open) => Ok(self.tell_apart(a, b)),
            _ => Ok(DIFFER),
        }
    }

    fn compare_views(&mut self, a: &Outcome, b: &Outcome) -> Answer<Compared> {
        let (
            Outcome::View { base, steps, bounds, .. },
            Outcome::View { base: other, steps: others, bounds: within, .. },
        ) = (a, b)
        else {
            return Ok(None);
        };
        let ends = bounds.iter().zip(within);
        let ends = ends.flat_map(|((lo, hi), (from, to))| [lo - from, hi - to]);
        for difference in ends.chain([base - other]) {
            if !self.know(Cond::Eq(difference))? {
                return Ok(DIFFER);
            }
        }
        for (axis, (step, wanted)) in steps.iter().zip(others).enumerate() {
            let (Some(step), Some(wanted)) = (step, wanted) else { continue };
            let difference = Cond::Eq(step - wanted);
            if self.ask(&difference) == Some(true) {
                continue;
            }
            // Steps along one valid index are no steps.
            let (lo, hi) = &bounds[axis];
            if self.at_least(&(hi - lo), 2)? && !self.know(difference)? {
                return Ok(DIFFER);
            }
        }
        Ok(SAME)
    }

    /// Whether two chains that get stuck do so at the same positions above the same views; what is
    /// not seen is split on or taken for no.
    fn alike(&mut self, a: &[Stage], b: &[Stage], split: bool) -> Answer<bool> {
        let (Some(x), Some(y)) = (self.reading(a)?, self.reading(b)?) else { return Ok(false) };
        let lengths = |of: &Reading| of.lists.iter().map(Vec::len).collect::<Vec<_>>();
        if (x.number, &x.axes, lengths(&x)) != (y.number, &y.axes, lengths(&y)) {
            return Ok(false);
        }
        for (p, q) in x.lists.iter().flatten().zip(y.lists.iter().flatten()) {
            let same = Cond::Eq(p - q);
            match self.ask(&same) {
                Some(true) => {}
                None if split && self.know(same)? => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// What a chain reads, if it gets stuck. How axes of a view are grouped does not matter where no mask does.
    fn reading(&mut self, stages: &[Stage]) -> Answer<Option<Reading>> {
        let Prepared::Slim(slim) = self.prepared(stages)? else { return Ok(None) };
        let Walked::Stuck(stuck) = self.walk(&slim)? else { return Ok(None) };
        let Stuck { number, whole, front: Front { axis: axes, lo, last }, position, .. } = stuck;
        // The intervals of the axes of the box are in the box.
        let outside = (0..whole.len()).filter(|axis| !axes.contains(axis));
        let outside = outside.map(|axis| whole[axis].0.clone()).collect();
        let mut lists = vec![lo, last, outside, vec![position.base], position.step];
        for stage in slim.into_iter().take(number + 1) {
            lists.push(vec![stage.offset.clone()]);
            if stage.is_masked() {
                lists.extend([stage.shape, stage.strides, stage.alive]);
                lists.extend(stage.bounds.into_iter().flat_map(|bounds| [bounds.lo, bounds.hi]));
            } else {
                lists.push(self.staircase(&stage));
            }
        }
        Ok(Some(Reading { number, axes, lists }))
    }

    /// The modulus and jump of every level, the last stride as that of modulus 1.
    fn staircase(&mut self, stage: &Stage) -> Vec<Poly> {
        let mut levels = Vec::new();
        let mut modulus = Poly::one();
        let mut below: Option<Poly> = None;
        for axis in (0..stage.rank()).rev() {
            let stride = &stage.strides[axis];
            let jump = below.map_or_else(|| stride.clone(), |ramp| stride - &ramp);
            let jump = self.norm(&jump);
            if !jump.is_zero() || axis + 1 == stage.rank() {
                levels.extend([self.norm(&modulus), jump]);
            }
            below = Some(stride * &stage.shape[axis]);
            modulus *= &stage.shape[axis];
        }
        levels
    }

    /// Looks for a symbolic index where the two are seen to differ.
    fn tell_apart(&mut self, a: &[Stage], b: &[Stage]) -> Compared {
        let top = a.last()?;
        let mut places: Vec<Vec<Poly>> = vec![Vec::new()];
        for size in &top.shape {
            let last = self.norm(&(size - 1));
            let mut values = vec![Poly::zero()];
            if !last.is_zero() {
                let several = self.ask(&Cond::Ge(&last - 1)) == Some(true);
                values.push(last);
                values.extend(several.then(Poly::one));
            }
            places = extended(&places, &values).take(27).collect();
        }
        for at in &places {
            let differ = match (self.value_at(a, at), self.value_at(b, at)) {
                (Seen::Valid(x), Seen::Valid(y)) => {
                    let difference = self.norm(&(&x - &y));
                    self.domain.proves_nonzero(self.names, &difference)
                }
                (Seen::Valid(_), Seen::Padding) | (Seen::Padding, Seen::Valid(_)) => true,
                _ => false,
            };
            if differ {
                return DIFFER;
            }
        }
        None
    }
}
