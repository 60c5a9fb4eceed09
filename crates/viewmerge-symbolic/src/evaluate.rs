//! The value of a chain at a symbolic index.

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

/// What makes an index valid, if that is noted instead of asked. Quotients then get names where they are not seen.
type Needs<'n> = Option<&'n mut Vec<Cond>>;

impl Engine<'_> {
    /// The chain below at an index of the box.
    pub(crate) fn evaluate(&mut self, stages: &[Stage], n: &Position, at: &[Poly]) -> Seen {
        self.read(stages, n.at(at), None)
    }

    /// A chain at an index of its last view.
    pub(crate) fn value_at(&mut self, stages: &[Stage], at: &[Poly], mut needs: Needs) -> Seen {
        let Some((top, below)) = stages.split_last() else { return Seen::Padding };
        let alive = stages.iter().flat_map(|stage| stage.alive.iter().cloned());
        let bounds = top.bounds.iter().zip(at).flat_map(|(bounds, x)| bounds.room(x));
        if let Some(unmet) = self.unmet(alive.chain(bounds), &mut needs) {
            return unmet;
        }
        self.read(below, top.position().at(at), needs)
    }

    /// What some views read at a position.
    fn read(&mut self, stages: &[Stage], mut position: Poly, mut needs: Needs) -> Seen {
        for stage in stages.iter().rev() {
            let mut rest = self.norm(&position);
            position = stage.offset.clone();
            for axis in (0..stage.rank()).rev() {
                let digit = if axis == 0 {
                    rest.clone()
                } else {
                    let size = self.norm(&stage.shape[axis]);
                    let quotient = match needs {
                        None => self.domain.divided(self.names, &rest, &size),
                        Some(_) => self.domain.divide(self.names, &rest, &size),
                    };
                    let Some(quotient) = quotient else { return Seen::Unknown };
                    let digit = &rest - &size * &quotient;
                    rest = quotient;
                    self.norm(&digit)
                };
                if let Some(unmet) = self.unmet(stage.bounds[axis].room(&digit), &mut needs) {
                    return unmet;
                }
                position += &stage.strides[axis] * &digit;
            }
        }
        Seen::Valid(self.norm(&position))
    }

    /// What there is at an index where one of these must be at least 0 and is not seen to be.
    fn unmet(&mut self, polys: impl IntoIterator<Item = Poly>, needs: &mut Needs) -> Option<Seen> {
        let mut conds = polys.into_iter().map(Cond::Ge);
        if let Some(needs) = needs {
            needs.extend(conds.map(|cond| cond.map(|p| self.norm(p))));
            return None;
        }
        conds.find_map(|cond| match self.ask(&cond) {
            Some(true) => None,
            Some(false) => Some(Seen::Padding),
            None => Some(Seen::Unknown),
        })
    }
}
