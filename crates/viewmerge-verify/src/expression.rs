//! Certificates about index expressions: what they say, and whether it holds.
//!
//! Two expressions of the same variables, each with a condition under which it counts. They are the same
//! if four systems have no integer point on any of the ways their choices can go: the one is
//! above the other, or below it, or counts where the other does not, or the other way round.
//! They differ if they do at a point, and there both are evaluated.
//!
//! Example: `i // 2 * 2 + i % 2` and `i`. The variables are i and q, row 1 is 0 ≤ i − 2q ≤ 1, and
//! row 2 of `above` is 2q + (i − 2q) − i ≥ 1, which says 0 ≥ 1.

mod cases;
mod tree;

use std::fmt;

use crate::check::Proofs;
use crate::claim::{Claim, Question};
use crate::json::{Read, Reader};
use crate::number::Integer;
use crate::refusal::{Failure, Refusal};
use crate::system::Memory;

pub(crate) use tree::{Condition, Value};

/// A variable and its values, ends included; an end that is not there does not bound.
///
/// ```
/// use viewmerge_verify::Variable;
///
/// let variable = Variable { name: "i".into(), first: Some(0.into()), last: None };
/// assert_eq!(variable.to_string(), "0 <= i");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// The least value.
    pub first: Option<Integer>,
    /// The greatest value.
    pub last: Option<Integer>,
}

impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(first) = &self.first {
            write!(f, "{first} <= ")?;
        }
        f.write_str(&self.name)?;
        match &self.last {
            Some(last) => write!(f, " <= {last}"),
            None => Ok(()),
        }
    }
}

/// An expression, and when it counts.
pub(crate) struct Partial {
    pub(crate) value: Value,
    pub(crate) valid: Option<Condition>,
}

impl Partial {
    /// The value at a point; `None` if it does not count there.
    fn at(&self, point: &[Integer]) -> Option<Integer> {
        let counts = self.valid.as_ref().is_none_or(|valid| valid.at(point));
        counts.then(|| self.value.at(point))
    }

    pub(crate) fn text(&self, variables: &[Variable]) -> String {
        let value = self.value.text(variables);
        match &self.valid {
            None => value,
            Some(valid) => format!("{value} if {}", valid.text(variables)),
        }
    }
}

/// Two expressions of the same variables.
pub(crate) struct Pair {
    pub(crate) variables: Vec<Variable>,
    pub(crate) one: Partial,
    pub(crate) two: Partial,
}

impl Pair {
    /// Whether the two are shown to be the same.
    pub(crate) fn are_equal(&self, proofs: &Proofs<'_>) -> Result<(), Refusal> {
        let mut memory = Memory::default();
        let mut claims = Vec::new();
        let mut systems = Vec::new();
        for question in Question::ALL {
            for (case, system) in self.systems(question, &mut memory)?.into_iter().enumerate() {
                claims.push(Claim::Case { question, case });
                systems.push(system);
            }
        }
        let given = proofs.matched(&claims)?;
        for ((claim, root), system) in given.into_iter().zip(&systems) {
            proofs.prove(claim, root, system.variables, system.rows())?;
        }
        Ok(())
    }

    /// Whether the two differ at the point.
    pub(crate) fn are_different(&self, point: &[Integer]) -> Result<(), Failure> {
        let within = |(x, variable): (&Integer, &Variable)| {
            variable.first.as_ref().is_none_or(|first| first <= x)
                && variable.last.as_ref().is_none_or(|last| x <= last)
        };
        let fits =
            point.len() == self.variables.len() && point.iter().zip(&self.variables).all(within);
        if !fits {
            return Err(Failure::OutsideRanges { point: point.to_vec() });
        }
        if self.one.at(point) == self.two.at(point) {
            return Err(Failure::SameValue { point: point.to_vec() });
        }
        Ok(())
    }
}

/// Parts of a certificate about expressions that are read already.
#[derive(Default)]
pub(crate) struct HalfRead {
    variables: Option<Vec<Variable>>,
    one: Option<tree::HalfPartial>,
    two: Option<tree::HalfPartial>,
}

impl HalfRead {
    /// Reads a member, which is one of `variables`, `one`, `two`.
    pub(crate) fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Read<()> {
        match name {
            "variables" => self.variables = Some(variables(reader)?),
            "one" => self.one = Some(tree::HalfPartial::read(reader)?),
            _ => self.two = Some(tree::HalfPartial::read(reader)?),
        }
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.variables.is_none() && self.one.is_none() && self.two.is_none()
    }

    /// The two expressions, if all of it is there.
    pub(crate) fn pair(self, reader: &Reader<'_>) -> Read<Option<Pair>> {
        let (Some(variables), Some(one), Some(two)) = (self.variables, self.one, self.two) else {
            return Ok(None);
        };
        let one = one.named(&variables, reader)?;
        let two = two.named(&variables, reader)?;
        Ok(Some(Pair { variables, one, two }))
    }
}

fn variables(reader: &mut Reader<'_>) -> Read<Vec<Variable>> {
    const VARIABLE: &str = "[name, first, last]";
    let mut names: Vec<String> = Vec::new();
    reader.list("a list of [name, first, last]", |reader| {
        reader.sign(b'[', VARIABLE)?;
        let at = reader.place();
        let name = reader.string("a name in quotes")?;
        if names.contains(&name) {
            let found = format!("{name:?} again");
            return Err(reader.malformed(at, "variables", found, "a name of its own for each"));
        }
        names.push(name.clone());
        reader.sign(b',', VARIABLE)?;
        let first = reader.end_or_null()?;
        reader.sign(b',', VARIABLE)?;
        let last = reader.end_or_null()?;
        reader.sign(b']', VARIABLE)?;
        Ok(Variable { name, first, last })
    })
}

impl Reader<'_> {
    fn end_or_null(&mut self) -> Read<Option<Integer>> {
        if self.null() { Ok(None) } else { self.integer().map(Some) }
    }
}
