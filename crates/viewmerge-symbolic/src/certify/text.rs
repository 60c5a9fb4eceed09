//! Certificates as JSON.

use viewmerge::internal::{exact, listed};

use super::{Clip, Cut, Floor, Proof, Range};
use crate::domain::Domain;
use crate::names::Def;
use crate::poly::{Poly, Var};
use crate::stage::Stage;
use crate::sums::Sum;

/// What polynomials are written in.
pub(super) struct Text<'a> {
    pub(super) defs: &'a [Def],
    pub(super) domain: &'a Domain,
    /// The variables of the certificate.
    pub(super) vars: &'a [Var],
}

impl Text<'_> {
    /// The whole certificate; parameters that are no variables have a meaning.
    pub(super) fn certificate(
        &self,
        meanings: &[Poly],
        given: &[Poly],
        views: &[Stage],
        proof: &Proof,
    ) -> String {
        let variables = self.vars.iter().map(|&v| {
            let (lo, hi) = self.domain.bounds(v);
            let [lo, hi] = [lo, hi].map(|end| end.map_or("null".to_owned(), exact));
            format!("[\"{}\",{lo},{hi}]", self.name(v))
        });
        let gone = (0..).zip(meanings).filter(|(v, _)| !self.vars.contains(v));
        let gone = gone.map(|(v, p)| format!("[\"{}\",{}]", self.name(v), self.poly(p)));
        let composes = proof.composes.iter().map(|range| format!("{{{}}}", in_range(range)));
        format!(
            r#"{{"always":{{"variables":{},"parameters":{},"given":{},"views":{},"merged":{},"sizes":{},"composes":{},"clips":{},"floors":{}}}}}"#,
            listed(variables),
            listed(gone),
            self.polys(given),
            listed(views.iter().map(|view| self.view(view))),
            self.view(&proof.merged),
            listed(proof.sizes.iter().map(sum)),
            listed(composes),
            listed(proof.clips.iter().map(|clip| self.clip(clip))),
            self.floors(&proof.floors),
        )
    }

    /// A name that a certificate may have: that of a parameter, or its place.
    fn name(&self, v: Var) -> String {
        const TAKEN: [&str; 9] = ["and", "or", "not", "if", "else", "min", "max", "True", "False"];
        match self.defs.get(usize::from(v)) {
            Some(Def::Param(name)) if name.is_ascii() && !TAKEN.contains(&name.as_str()) => {
                name.clone()
            }
            _ => format!("${v}"),
        }
    }

    fn poly(&self, p: &Poly) -> String {
        if let Some(value) = p.as_number() {
            return exact(value);
        }
        listed(p.terms().iter().map(|(mono, c)| {
            let names = mono.vars().map(|v| format!(",\"{}\"", self.name(v)));
            format!("[{}{}]", exact(*c), names.collect::<String>())
        }))
    }

    fn polys(&self, polys: &[Poly]) -> String {
        listed(polys.iter().map(|p| self.poly(p)))
    }

    fn floors(&self, floors: &[Vec<Floor>]) -> String {
        let floor = |Floor { axis, quotient, range, .. }: &Floor| {
            let (base, steps) = (self.poly(&quotient.base), self.polys(&quotient.step));
            let range = in_range(range);
            format!(r#"{{"axis":{axis},"quotient":{base},"steps":{steps},{range}}}"#)
        };
        listed(floors.iter().map(|view| listed(view.iter().map(floor))))
    }

    fn clip(&self, Clip { cut, proof, floors }: &Clip) -> String {
        let [side, from] = [cut.above, cut.from_end].map(|high| if high { "high" } else { "low" });
        let Cut { view, axis, along, count, .. } = cut;
        format!(
            r#"{{"view":{view},"axis":{axis},"side":"{side}","along":{along},"from":"{from}","cut":{},"proof":{},"floors":{}}}"#,
            self.poly(count),
            sum(proof),
            self.floors(floors),
        )
    }

    fn view(&self, view: &Stage) -> String {
        let interval = |(lo, hi)| format!("[{},{}]", self.poly(&lo), self.poly(&hi));
        let mask = view.intervals().filter(|_| view.is_masked());
        let mask = mask.map_or("null".to_owned(), |mask| listed(mask.into_iter().map(interval)));
        let (shape, strides) = (self.polys(&view.shape), self.polys(&view.strides));
        let offset = self.poly(&view.offset);
        format!(r#"{{"shape":{shape},"strides":{strides},"offset":{offset},"mask":{mask}}}"#)
    }
}

/// Members of what stays in a range.
fn in_range(range: &Range) -> String {
    let (down, proofs) = (listed(&range.down), listed(range.proofs.iter().map(sum)));
    format!(r#""down":{down},"proofs":{proofs}"#)
}

fn sum(Sum { times, terms }: &Sum) -> String {
    let terms = terms.iter().map(|(c, factors)| {
        let factors = factors.iter().map(usize::to_string);
        listed(std::iter::once(exact(*c)).chain(factors))
    });
    listed(std::iter::once(exact(*times)).chain(terms))
}
