//! The value of a chain at a symbolic index, as far as it is seen.

use crate::cond::Cond;
use crate::engine::{Engine, Position};
use crate::poly::Poly;
use crate::stage::Stage;

/// The value of a chain at an index, as far as it is seen.
#[derive(Clone, Debug)]
pub(crate) enum Seen {
    Valid(Poly),
    Padding,
    Unknown,
}

impl Engine<'_> {
    /// The chain below at an index of the box.
    pub(crate) fn evaluate(&mut self, stages: &[Stage], n: &Position, at: &[Poly]) -> Seen {
        let mut position = n.at(at);
        for stage in stages.iter().rev() {
            let mut rest = self.norm(&position);
            position = stage.offset.clone();
            for axis in (0..stage.rank()).rev() {
                let size = self.norm(&stage.shape[axis]);
                let digit = if axis == 0 {
                    rest.clone()
                } else {
                    let quotient = self.domain.divided(self.names, &rest, &size);
                    let Some(quotient) = quotient else {
                        return Seen::Unknown;
                    };
                    let digit = &rest - &size * &quotient;
                    rest = quotient;
                    self.norm(&digit)
                };
                if let Some(unmet) = self.unmet(stage.bounds[axis].room(&digit)) {
                    return unmet;
                }
                position += &stage.strides[axis] * &digit;
            }
        }
        Seen::Valid(self.norm(&position))
    }

    /// A chain at an index of its last view.
    pub(crate) fn value_at(&mut self, stages: &[Stage], at: &[Poly]) -> Seen {
        let Some((top, below)) = stages.split_last() else { return Seen::Padding };
        let alive = stages.iter().flat_map(|stage| stage.alive.iter().cloned());
        let bounds = top.bounds.iter().zip(at).flat_map(|(bounds, x)| bounds.room(x));
        if let Some(unmet) = self.unmet(alive.chain(bounds)) {
            return unmet;
        }
        self.evaluate(below, &top.position(), at)
    }

    /// What there is at an index where one of these must be at least 0 and is not seen to be.
    fn unmet(&mut self, polys: impl IntoIterator<Item = Poly>) -> Option<Seen> {
        polys.into_iter().map(Cond::Ge).find_map(|cond| match self.ask(&cond) {
            Some(true) => None,
            Some(false) => Some(Seen::Padding),
            None => Some(Seen::Unknown),
        })
    }
}
