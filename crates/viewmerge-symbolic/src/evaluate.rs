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
    /// It depends on this quotient.
    Quotient(Poly, Poly),
    /// It depends on this.
    Unknown(Cond),
}

impl Engine<'_> {
    /// The chain below at an index of the box.
    pub(crate) fn evaluate(&mut self, stages: &[Stage], n: &Position, at: &[Poly]) -> Seen {
        let mut position = n.base.clone();
        for (t, x) in n.step.iter().zip(at) {
            position += t * x;
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
                    let digit = &rest - &size * &quotient;
                    rest = quotient;
                    self.norm(&digit)
                };
                let lower = stage.bounds[axis].lo.iter().map(|lo| &digit - lo);
                let upper = stage.bounds[axis].hi.iter().map(|hi| hi - &digit - 1);
                for p in lower.chain(upper).collect::<Vec<_>>() {
                    let cond = Cond::Ge(p);
                    match self.ask(&cond) {
                        Some(true) => {}
                        Some(false) => return Seen::Padding,
                        None => return Seen::Unknown(cond),
                    }
                }
                position += &stage.strides[axis] * &digit;
            }
        }
        Seen::Valid(self.norm(&position))
    }
}
