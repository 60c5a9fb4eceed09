//! Two views as one, where that is seen for all parameters.

use crate::cond::Cond;
use crate::domain::Domain;
use crate::engine::{Engine, Mode, Outcome};
use crate::names::Names;
use crate::poly::Poly;
use crate::stage::Stage;
use crate::work::Work;

/// The two views as one, seen without any distinction of cases; the upper one composes.
pub(crate) fn joined(work: &mut Work, below: &Stage, top: &Stage) -> Option<Stage> {
    let mut domain = work.domain.clone();
    for stage in [below, top] {
        for size in &stage.shape {
            nonempty(&mut domain, &work.names, size);
        }
    }
    if domain.dead {
        return None;
    }
    let mut engine = Engine { names: &work.names, domain: &mut domain, mode: Mode::Lazy };
    let seen = engine.lazily(&[below.clone(), top.clone()]);
    let stage = seen.and_then(|outcome| engine.written(top, outcome))?;
    Some(stage.expanded(&work.names))
}

impl Engine<'_> {
    /// An outcome as a view.
    fn written(&mut self, top: &Stage, outcome: Outcome) -> Option<Stage> {
        let Outcome::View { base, steps, mut bounds, .. } = outcome else { return None };
        self.domain.name_ends(self.names, &mut bounds, &top.shape);
        let strides = steps.into_iter().map(Option::unwrap_or_default).collect();
        Some(Stage::from_corner(&top.shape, strides, base, &bounds))
    }
}

/// Restricts a domain to where a size is 1 or more.
pub(crate) fn nonempty(domain: &mut Domain, names: &Names, size: &Poly) {
    let size = domain.norm(names, size);
    domain.assume(names, &Cond::Ge(&size - 1));
}
