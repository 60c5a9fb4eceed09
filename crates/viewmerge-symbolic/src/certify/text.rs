//! Certificates as JSON.

use super::{Clip, Floor, Proof, Range};
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
            let end = |end: Option<i128>| end.map_or("null".to_owned(), number);
            format!("[\"{}\",{},{}]", self.name(v), end(lo), end(hi))
        });
        let gone = (0..).zip(meanings).filter(|(v, _)| !self.vars.contains(v));
        let gone = gone.map(|(v, p)| format!("[\"{}\",{}]", self.name(v), self.poly(p)));
        let composes = proof.composes.iter().map(|range| object(range_members(range)));
        let members = object([
            ("variables", list(variables)),
            ("parameters", list(gone)),
            ("given", self.polys(given)),
            ("views", list(views.iter().map(|view| self.view(view)))),
            ("merged", self.view(&proof.merged)),
            ("sizes", list(proof.sizes.iter().map(sum))),
            ("composes", list(composes)),
            ("clips", list(proof.clips.iter().map(|clip| self.clip(clip)))),
            ("floors", self.floors(&proof.floors)),
        ]);
        object([("always", members)])
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
            return number(value);
        }
        list(p.terms().iter().map(|(mono, c)| {
            let names = mono.vars().map(|v| format!(",\"{}\"", self.name(v)));
            format!("[{}{}]", number(*c), names.collect::<String>())
        }))
    }

    fn polys(&self, polys: &[Poly]) -> String {
        list(polys.iter().map(|p| self.poly(p)))
    }

    fn floors(&self, floors: &[Vec<Floor>]) -> String {
        let floor = |Floor { axis, quotient, range, .. }: &Floor| {
            let own = [
                ("axis", axis.to_string()),
                ("quotient", self.poly(&quotient.base)),
                ("steps", self.polys(&quotient.step)),
            ];
            object(own.into_iter().chain(range_members(range)))
        };
        list(floors.iter().map(|view| list(view.iter().map(floor))))
    }

    fn clip(&self, Clip { cut, proof, floors }: &Clip) -> String {
        let side = |high: bool| if high { "\"high\"" } else { "\"low\"" }.to_owned();
        object([
            ("view", cut.view.to_string()),
            ("axis", cut.axis.to_string()),
            ("side", side(cut.above)),
            ("along", cut.along.to_string()),
            ("from", side(cut.from_end)),
            ("cut", self.poly(&cut.count)),
            ("proof", sum(proof)),
            ("floors", self.floors(floors)),
        ])
    }

    fn view(&self, view: &Stage) -> String {
        let interval = |(lo, hi)| format!("[{},{}]", self.poly(&lo), self.poly(&hi));
        let mask = view.intervals().filter(|_| view.is_masked());
        object([
            ("shape", self.polys(&view.shape)),
            ("strides", self.polys(&view.strides)),
            ("offset", self.poly(&view.offset)),
            ("mask", mask.map_or("null".to_owned(), |mask| list(mask.into_iter().map(interval)))),
        ])
    }
}

fn range_members(range: &Range) -> [(&'static str, String); 2] {
    [
        ("down", list(range.down.iter().map(usize::to_string))),
        ("proofs", list(range.proofs.iter().map(sum))),
    ]
}

fn sum(Sum { times, terms }: &Sum) -> String {
    let terms = terms.iter().map(|(c, factors)| {
        let factors = factors.iter().map(usize::to_string);
        list(std::iter::once(number(*c)).chain(factors))
    });
    list(std::iter::once(number(*times)).chain(terms))
}

fn list(entries: impl Iterator<Item = String>) -> String {
    format!("[{}]", entries.collect::<Vec<_>>().join(","))
}

fn object(members: impl IntoIterator<Item = (&'static str, String)>) -> String {
    let members = members.into_iter().map(|(name, value)| format!("\"{name}\":{value}"));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// Readers of JSON keep 53 bits of a number.
fn number(value: i128) -> String {
    let plain = value.unsigned_abs() <= 1 << 53;
    if plain { value.to_string() } else { format!("\"{value}\"") }
}
