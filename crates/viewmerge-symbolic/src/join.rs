//! Two views as one, where that is seen for all parameters.

use crate::cond::Cond;
use crate::domain::Domain;
use crate::engine::{Engine, Mode, Outcome};
use crate::names::Names;
use crate::poly::{Poly, Var};
use crate::stage::{Bounds, Stage};
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
    let outcome = engine.lazily(&[below.clone(), top.clone()])?;
    let shape = top.shape.clone();
    match outcome {
        Outcome::View { base, steps, bounds, .. } => {
            let mut strides = Vec::new();
            let mut offset = base;
            let mut limits = Vec::new();
            for (axis, step) in steps.into_iter().enumerate() {
                let stride = step.unwrap_or_default();
                let (lo, hi) = &bounds[axis];
                offset = &offset - &(&stride * lo);
                strides.push(stride);
                let size = domain.norm(&work.names, &shape[axis]);
                limits.push(Bounds {
                    lo: if lo.is_zero() { Vec::new() } else { vec![lo.clone()] },
                    hi: if (hi - &size).is_zero() { Vec::new() } else { vec![hi.clone()] },
                    beyond: false,
                });
            }
            let stage = Stage { shape, strides, offset, bounds: limits, alive: Vec::new() };
            Some(stage.expanded(&work.names))
        }
        _ => None,
    }
}

/// Restricts a domain to where a size is 1 or more.
pub(crate) fn nonempty(domain: &mut Domain, names: &Names, size: &Poly) {
    let size = domain.norm(names, size);
    match size.terms() {
        [(mono, c)] if *c > 0 => {
            let vars: Vec<Var> = mono.0.to_vec();
            for v in vars {
                if domain.bounds(v).0 == Some(0) {
                    domain.assume(names, &Cond::Ge(&Poly::var(v) - &Poly::one()));
                }
            }
        }
        _ => domain.assume(names, &Cond::Ge(&size - &Poly::one())),
    }
}
