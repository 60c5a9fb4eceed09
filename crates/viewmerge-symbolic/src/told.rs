//! What every answer by cases holds: the cases with their conditions, what is open and what the ops
//! require, as they are told and as they are evaluated at a point.

use std::fmt::{self, Display};

use crate::answer::{chosen, shown_requires, simplified_choice};
use crate::chain::SymbolicChain;
use crate::cond::{Cond, one_holds};
use crate::error::Error;
use crate::group::{Choice, Formula, Grouped};
use crate::guard::Guard;
use crate::names::{Def, Names};
use crate::print;

/// Cases, of which the first that holds counts; where it is open; what the ops require.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub chain: SymbolicChain,
    pub defs: Vec<Def>,
    pub cases: Vec<(Choice, Formula)>,
    pub open: Choice,
    /// Whether something is left where no case holds and nothing is open.
    pub rest: bool,
    pub shown_open: Guard,
    pub shown_requires: Guard,
}

/// What holds at a point.
pub(crate) enum Holding<'a> {
    /// The first case that does, and the values of the parameters.
    Case(&'a Formula, Vec<i128>),
    /// No case, and nothing is open.
    Nothing,
    Open,
    /// Some op is not allowed there.
    Refused,
}

impl Told {
    pub(crate) fn new(chain: &SymbolicChain, names: &Names, grouped: Grouped) -> Told {
        let plain = |choice: &Choice| simplified_choice(&chain.domain, names, choice);
        let cases: Vec<(Choice, Formula)> =
            grouped.cases.into_iter().map(|(choice, view)| (plain(&choice), view)).collect();
        let (open, rest) = (plain(&grouped.open), grouped.rest);
        let requires = shown_requires(names, &chain.requires);
        let defs = names.defs();
        let shown_open = print::guard(&defs, &open);
        let shown_requires = print::guard(&defs, &requires);
        Told { chain: chain.clone(), defs, cases, open, rest, shown_open, shown_requires }
    }

    /// The guard of a case.
    pub(crate) fn guard(&self, choice: &Choice) -> Guard {
        print::guard(&self.defs, choice)
    }

    /// What holds at a point; open where that cannot be evaluated.
    pub(crate) fn at(&self, values: &[(&str, i64)]) -> Result<Holding<'_>, Error> {
        let point = self.chain.point(values)?;
        let holds = |cond: &Cond| cond.holds(&self.defs, &point);
        for clause in &self.chain.requires {
            match one_holds(clause, &self.defs, &point) {
                Some(true) => {}
                Some(false) => return Ok(Holding::Refused),
                None => return Ok(Holding::Open),
            }
        }
        for (choice, formula) in &self.cases {
            match chosen(choice, &holds) {
                Some(true) => return Ok(Holding::Case(formula, point)),
                Some(false) => {}
                None => return Ok(Holding::Open),
            }
        }
        Ok(match chosen(&self.open, &holds) {
            Some(false) => Holding::Nothing,
            _ => Holding::Open,
        })
    }

    /// Writes the answer: one case that always holds, *never*, or all that there is.
    pub(crate) fn write<C: Display>(
        &self,
        f: &mut fmt::Formatter<'_>,
        cases: &[(&Guard, C)],
        always: Option<&C>,
    ) -> fmt::Result {
        if let Some(case) = always {
            write!(f, "always {case}")?;
        } else if cases.is_empty() && self.open.is_empty() {
            f.write_str("never")?;
        } else {
            for (place, (guard, case)) in cases.iter().enumerate() {
                let before = if place == 0 { "" } else { "; " };
                write!(f, "{before}{guard} -> {case}")?;
            }
            if !self.open.is_empty() {
                let before = if cases.is_empty() { "" } else { "; " };
                write!(f, "{before}open {}", self.shown_open)?;
            }
        }
        if !self.shown_requires.is_always() {
            write!(f, ", requires {}", self.shown_requires)?;
        }
        Ok(())
    }
}
