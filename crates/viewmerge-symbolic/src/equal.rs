//! Whether two chains are the same function on one domain.
//!
//! Both are decided; two views are the same if their valid boxes, their positions at the low corner
//! and their steps are, and a view is never the same as a chain that is none. Two chains that are
//! no view are pushed down as far as they go: they are the same if that leaves the same positions
//! above the same views, and differ if they do at one of a few symbolic indices.

use crate::combine::extended;
use crate::cond::Cond;
use crate::engine::{Answer, Engine, Mode, Outcome, Position, Prepared, Walked};
use crate::evaluate::Seen;
use crate::poly::Poly;
use crate::stage::Stage;

/// Whether the two are the same; `None` if that was not seen.
pub(crate) type Compared = Option<bool>;

const SAME: Compared = Some(true);
const DIFFER: Compared = Some(false);

/// Polynomials that must be 0, if the lists they come from are of the same lengths.
struct Pairs {
    differences: Vec<Poly>,
    fit: bool,
}

impl Default for Pairs {
    fn default() -> Pairs {
        Pairs { differences: Vec::new(), fit: true }
    }
}

impl Pairs {
    fn one(&mut self, p: &Poly, q: &Poly) {
        self.differences.push(p - q);
    }

    fn all(&mut self, some: &[Poly], others: &[Poly]) {
        self.fit &= some.len() == others.len();
        self.differences.extend(some.iter().zip(others).map(|(p, q)| p - q));
    }
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
        for ((lo, hi), (from, to)) in bounds.iter().zip(within) {
            if !self.know(Cond::Eq(lo - from))? || !self.know(Cond::Eq(hi - to))? {
                return Ok(DIFFER);
            }
        }
        if !self.know(Cond::Eq(base - other))? {
            return Ok(DIFFER);
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
        let mut ends = Vec::new();
        for stages in [a, b] {
            let Prepared::Slim(slim) = self.prepared(stages)? else { return Ok(false) };
            let Walked::Stuck(stuck) = self.walk(&slim)? else { return Ok(false) };
            ends.push((slim, stuck));
        }
        let [(first, x), (second, y)] = &ends[..] else { return Ok(false) };
        if x.number != y.number || x.front.axis != y.front.axis {
            return Ok(false);
        }
        let mut pairs = Pairs::default();
        pairs.all(&x.front.lo, &y.front.lo);
        pairs.all(&x.front.last, &y.front.last);
        for (axis, ((lo, _), (from, _))) in x.whole.iter().zip(&y.whole).enumerate() {
            // The intervals of the axes of the front are in the front.
            if !x.front.axis.contains(&axis) {
                pairs.one(lo, from);
            }
        }
        pairs.one(&x.position.base, &y.position.base);
        pairs.all(&x.position.step, &y.position.step);
        for (v, w) in first.iter().zip(second).take(x.number + 1) {
            self.read_alike(v, w, &mut pairs);
        }
        if !pairs.fit {
            return Ok(false);
        }
        for difference in pairs.differences {
            let same = Cond::Eq(difference);
            match self.ask(&same) {
                Some(true) => {}
                None if split && self.know(same)? => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// What must be equal for two views to give the same by linear position: how axes are grouped
    /// does not matter where no mask does.
    fn read_alike(&mut self, v: &Stage, w: &Stage, pairs: &mut Pairs) {
        pairs.one(&v.offset, &w.offset);
        if v.is_masked() || w.is_masked() {
            pairs.all(&v.shape, &w.shape);
            pairs.all(&v.strides, &w.strides);
            pairs.all(&v.alive, &w.alive);
            for (x, y) in v.bounds.iter().zip(&w.bounds) {
                pairs.all(&x.lo, &y.lo);
                pairs.all(&x.hi, &y.hi);
            }
            return;
        }
        let (x, y) = (self.staircase(v), self.staircase(w));
        pairs.fit &= x.len() == y.len();
        for ((c, jump), (d, other)) in x.iter().zip(&y) {
            pairs.one(c, d);
            pairs.one(jump, other);
        }
    }

    /// The modulus and jump of every level, the last stride as that of modulus 1.
    fn staircase(&mut self, stage: &Stage) -> Vec<(Poly, Poly)> {
        let mut levels = Vec::new();
        let mut modulus = Poly::one();
        let mut below: Option<Poly> = None;
        for axis in (0..stage.rank()).rev() {
            let stride = &stage.strides[axis];
            let jump = below.map_or_else(|| stride.clone(), |ramp| stride - &ramp);
            let jump = self.norm(&jump);
            if !jump.is_zero() || axis + 1 == stage.rank() {
                levels.push((self.norm(&modulus), jump));
            }
            below = Some(stride * &stage.shape[axis]);
            modulus *= &stage.shape[axis];
        }
        levels
    }

    /// Looks for a symbolic index where the two are seen to differ.
    fn tell_apart(&mut self, a: &[Stage], b: &[Stage]) -> Compared {
        let top = a.last()?;
        let one = Poly::one();
        let mut places: Vec<Vec<Poly>> = vec![Vec::new()];
        for size in &top.shape {
            let last = self.norm(&(size - 1));
            let mut values = vec![Poly::zero()];
            if !last.is_zero() {
                values.push(last.clone());
                if self.ask(&Cond::Ge(&last - 1)) == Some(true) {
                    values.push(one.clone());
                }
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

    /// A chain at an index of its last view.
    fn value_at(&mut self, stages: &[Stage], at: &[Poly]) -> Seen {
        let Some((top, below)) = stages.split_last() else { return Seen::Padding };
        for p in stages.iter().flat_map(|stage| &stage.alive) {
            let cond = Cond::Ge(p.clone());
            match self.ask(&cond) {
                Some(true) => {}
                Some(false) => return Seen::Padding,
                None => return Seen::Unknown(cond),
            }
        }
        for (bounds, x) in top.bounds.iter().zip(at) {
            let low = bounds.lo.iter().map(|lo| x - lo);
            let high = bounds.hi.iter().map(|hi| hi - x - 1);
            for p in low.chain(high) {
                let cond = Cond::Ge(p);
                match self.ask(&cond) {
                    Some(true) => {}
                    Some(false) => return Seen::Padding,
                    None => return Seen::Unknown(cond),
                }
            }
        }
        let position = Position { base: top.offset.clone(), step: top.strides.clone() };
        self.evaluate(below, &position, at)
    }
}
