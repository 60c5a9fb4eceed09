//! Two views as one, where that is seen for all parameters.

use crate::cond::Cond;
use crate::domain::Domain;
use crate::engine::{Engine, Front, Mode, Outcome};
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
    let stage = match seen.and_then(|outcome| engine.written(top, outcome)) {
        Some(stage) => stage,
        None if below.is_masked() => engine.pulled(below, top)?,
        None => return None,
    };
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

    /// The two views as one, the bounds of the lower one as bounds of the upper one whether they cut something off or
    /// not, if each depends on one axis: P ≤ 3·x is (P + 2) div 3 ≤ x.
    fn pulled(&mut self, below: &Stage, top: &Stage) -> Option<Stage> {
        let plain = |stage: &Stage| {
            let Stage { shape, strides, offset, .. } = stage.clone();
            Stage::strided(shape, strides, offset)
        };
        let outcome = self.lazily(&[plain(below), plain(top)])?;
        let mut stage = self.written(top, outcome)?;
        stage.bounds = top.bounds.clone();
        stage.alive = [&below.alive[..], &top.alive[..]].concat();
        let front = Front::whole(&top.shape.iter().map(|size| size - 1).collect::<Vec<_>>());
        let n = top.position();
        let mut behind = below.count();
        for (axis, bounds) in below.bounds.iter().enumerate() {
            let modulus = self.norm(&behind);
            behind = below.shape[axis + 1..].iter().product();
            if bounds.is_free() {
                continue;
            }
            let residue = match axis {
                0 => n.clone(),
                _ => self.seen_floor(&front, &n, &modulus)?.residue,
            };
            let mut zero = |p: &Poly| self.norm(p).is_zero();
            let moving: Vec<usize> = (0..top.rank())
                .filter(|&l| !zero(&residue.step[l]) && !zero(&front.last[l]))
                .collect();
            // Both as p ≥ 0 for what is left of a bound at index 0.
            let lower = bounds.lo.iter().map(|lo| (&residue.base - lo * &behind, true));
            let upper = bounds.hi.iter().map(|hi| (hi * &behind - 1 - &residue.base, false));
            for (p, rising) in lower.chain(upper) {
                let [l] = moving[..] else {
                    if !moving.is_empty() {
                        return None;
                    }
                    stage.alive.push(p);
                    continue;
                };
                let step = self.norm(&residue.step[l]);
                let falls = self.domain.proves(self.names, &-&step);
                let step = if falls { -&step } else { step };
                // p + step·x ≥ 0, or p − step·x ≥ 0.
                let last = self.domain.divide(self.names, &p, &step)?;
                let limits = &mut stage.bounds[l];
                match rising != falls {
                    true => limits.lo.push(-&last),
                    false => limits.hi.push(&last + 1),
                }
                limits.beyond = true;
            }
        }
        Some(stage)
    }
}

/// Restricts a domain to where a size is 1 or more.
pub(crate) fn nonempty(domain: &mut Domain, names: &Names, size: &Poly) {
    let size = domain.norm(names, size);
    match size.terms() {
        [(mono, c)] if *c > 0 => {
            for v in mono.vars() {
                if domain.bounds(v).0 == Some(0) {
                    domain.assume(names, &Cond::Ge(Poly::var(v) - 1));
                }
            }
        }
        _ => domain.assume(names, &Cond::Ge(&size - 1)),
    }
}
