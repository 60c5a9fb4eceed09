//! The integer systems of two expressions, one for every way their choices can go.
//!
//! The variables are those of the certificate, then a quotient for every division that is met. A
//! division of the same form by the same number as one before has the same quotient. Rows are numbered as
//! they are met, after those of the ranges.
//!
//! Cost: as many systems as there are combinations of choices; what they take is counted, and
//! too much is refused.

use super::tree::{Condition, Relation, Value};
use super::{Pair, Partial};
use crate::claim::Question;
use crate::number::Integer;
use crate::refusal::Refusal;
use crate::system::{Form, Memory, Row};

/// A form and its ends.
#[derive(Clone)]
struct Bounded {
    form: Form,
    low: Option<Integer>,
    high: Option<Integer>,
}

/// Where a walk has come to.
#[derive(Clone, Default)]
struct Way {
    /// Form and divisor of every quotient so far.
    quotients: Vec<(Form, Integer)>,
    rows: Vec<Bounded>,
}

/// The rows of a claim about one way.
pub(super) struct System {
    pub(super) variables: usize,
    rows: Vec<Bounded>,
}

impl System {
    pub(super) fn rows(&self) -> Vec<Row<'_>> {
        self.rows
            .iter()
            .map(|bounded| Row {
                form: &bounded.form,
                low: bounded.low.clone(),
                high: bounded.high.clone(),
            })
            .collect()
    }
}

fn minus_one() -> Integer {
    &Integer::ZERO - &Integer::ONE
}

impl Pair {
    /// The systems that must have no point.
    pub(super) fn systems(
        &self,
        question: Question,
        memory: &mut Memory,
    ) -> Result<Vec<System>, Refusal> {
        let mut walk = Walk { first: self.variables.len(), memory };
        let start = vec![Way::default()];
        let ways = match question {
            Question::Lost => {
                let ways = walk.valid(&self.one, true, start)?;
                walk.valid(&self.two, false, ways)?
            }
            Question::Gained => {
                let ways = walk.valid(&self.two, true, start)?;
                walk.valid(&self.one, false, ways)?
            }
            Question::Above | Question::Below => {
                let mut found = Vec::new();
                for way in walk.valid(&self.one, true, start)? {
                    for (one, way) in walk.value(&self.one.value, way)? {
                        for (two, mut way) in walk.value(&self.two.value, way)? {
                            let mut form = one.clone();
                            form.add(&minus_one(), &two);
                            let (low, high) = match question {
                                Question::Above => (Some(Integer::ONE), None),
                                _ => (None, Some(minus_one())),
                            };
                            walk.push(&mut way, form, low, high)?;
                            found.push(way);
                        }
                    }
                }
                found
            }
        };
        Ok(ways.into_iter().map(|way| self.system(way)).collect())
    }

    fn system(&self, way: Way) -> System {
        let mut rows: Vec<Bounded> = Vec::with_capacity(self.variables.len() + way.rows.len());
        for (number, variable) in self.variables.iter().enumerate() {
            let (low, high) = (variable.first.clone(), variable.last.clone());
            rows.push(Bounded { form: Form::variable(number), low, high });
        }
        rows.extend(way.rows);
        System { variables: self.variables.len() + way.quotients.len(), rows }
    }
}

struct Walk<'m> {
    /// The number of the first quotient.
    first: usize,
    memory: &'m mut Memory,
}

impl Walk<'_> {
    fn push(
        &mut self,
        way: &mut Way,
        form: Form,
        low: Option<Integer>,
        high: Option<Integer>,
    ) -> Result<(), Refusal> {
        let form = self.memory.hold(form)?;
        way.rows.push(Bounded { form, low, high });
        Ok(())
    }

    /// Another way from the same place, which takes as much.
    fn fork(&mut self, way: &Way) -> Result<Way, Refusal> {
        for form in way.rows.iter().map(|row| &row.form).chain(way.quotients.iter().map(|q| &q.0)) {
            self.memory.count(form)?;
        }
        Ok(way.clone())
    }

    fn valid(&mut self, of: &Partial, holds: bool, ways: Vec<Way>) -> Result<Vec<Way>, Refusal> {
        match &of.valid {
            Some(condition) => self.after_each(condition, holds, ways),
            None if holds => Ok(ways),
            None => Ok(Vec::new()),
        }
    }

    fn value(&mut self, value: &Value, way: Way) -> Result<Vec<(Form, Way)>, Refusal> {
        match value {
            Value::Number(number) => Ok(vec![(Form::constant(number), way)]),
            Value::Variable(variable) => Ok(vec![(Form::variable(*variable), way)]),
            Value::Sum(all) => {
                let mut ways = vec![(Form::default(), way)];
                for one in all {
                    let mut next = Vec::new();
                    for (sum, way) in ways {
                        for (form, way) in self.value(one, way)? {
                            let mut sum = sum.clone();
                            sum.add(&Integer::ONE, &form);
                            next.push((sum, way));
                        }
                    }
                    ways = next;
                }
                Ok(ways)
            }
            Value::Times(by, a) => {
                let mut ways = self.value(a, way)?;
                for (form, _) in &mut ways {
                    let mut product = Form::default();
                    product.add(by, form);
                    *form = product;
                }
                Ok(ways)
            }
            Value::Quotient(a, by) | Value::Rest(a, by) => {
                let mut ways = self.value(a, way)?;
                for (form, way) in &mut ways {
                    let (quotient, rest) = self.divided(form, by, way)?;
                    *form = if matches!(value, Value::Quotient(..)) { quotient } else { rest };
                }
                Ok(ways)
            }
            Value::Least(all) => self.extreme(all, &Integer::ONE, way),
            Value::Greatest(all) => self.extreme(all, &minus_one(), way),
            Value::Where(when, a, b) => {
                let mut found = Vec::new();
                for (holds, chosen) in [(true, a), (false, b)] {
                    let way = self.fork(&way)?;
                    for way in self.condition(when, holds, way)? {
                        found.extend(self.value(chosen, way)?);
                    }
                }
                Ok(found)
            }
        }
    }

    /// The quotient, and what is left.
    fn divided(
        &mut self,
        form: &Form,
        by: &Integer,
        way: &mut Way,
    ) -> Result<(Form, Form), Refusal> {
        let known = way.quotients.iter().position(|(of, divisor)| of == form && divisor == by);
        let number = known.unwrap_or(way.quotients.len());
        let quotient = Form::variable(self.first + number);
        let mut rest = form.clone();
        rest.add(&(&Integer::ZERO - by), &quotient);
        if known.is_none() {
            way.quotients.push((self.memory.hold(form.clone())?, by.clone()));
            let last = by - &Integer::ONE;
            self.push(way, rest.clone(), Some(Integer::ZERO), Some(last))?;
        }
        Ok((quotient, rest))
    }

    /// Each of some values in turn, where sign·(it − another) ≤ 0 for all others.
    fn extreme(
        &mut self,
        all: &[Value],
        sign: &Integer,
        way: Way,
    ) -> Result<Vec<(Form, Way)>, Refusal> {
        let mut ways: Vec<(Vec<Form>, Way)> = vec![(Vec::new(), way)];
        for one in all {
            let mut next = Vec::new();
            for (forms, way) in ways {
                for (form, way) in self.value(one, way)? {
                    next.push((forms.iter().cloned().chain([form]).collect(), way));
                }
            }
            ways = next;
        }
        let mut found = Vec::new();
        for (forms, way) in ways {
            for (k, form) in forms.iter().enumerate() {
                let mut way = self.fork(&way)?;
                for (_, other) in forms.iter().enumerate().filter(|(j, _)| *j != k) {
                    let mut ahead = Form::default();
                    ahead.add(sign, form);
                    ahead.add(&(&Integer::ZERO - sign), other);
                    self.push(&mut way, ahead, None, Some(Integer::ZERO))?;
                }
                found.push((form.clone(), way));
            }
        }
        Ok(found)
    }

    fn after_each(
        &mut self,
        condition: &Condition,
        holds: bool,
        ways: Vec<Way>,
    ) -> Result<Vec<Way>, Refusal> {
        let mut found = Vec::new();
        for way in ways {
            found.extend(self.condition(condition, holds, way)?);
        }
        Ok(found)
    }

    /// The ways in which a condition holds, or does not.
    fn condition(
        &mut self,
        condition: &Condition,
        holds: bool,
        way: Way,
    ) -> Result<Vec<Way>, Refusal> {
        match condition {
            Condition::Not(one) => self.condition(one, !holds, way),
            Condition::All(all) | Condition::Any(all) => {
                if matches!(condition, Condition::All(_)) == holds {
                    let mut ways = vec![way];
                    for one in all {
                        ways = self.after_each(one, holds, ways)?;
                    }
                    return Ok(ways);
                }
                let mut found = Vec::new();
                for one in all {
                    let way = self.fork(&way)?;
                    found.extend(self.condition(one, holds, way)?);
                }
                Ok(found)
            }
            Condition::Compare(a, relation, b) => {
                let relation = if holds { *relation } else { relation.opposite() };
                let (zero, one) = (Integer::ZERO, Integer::ONE);
                let ends = match relation {
                    Relation::Less => vec![(None, Some(minus_one()))],
                    Relation::AtMost => vec![(None, Some(zero))],
                    Relation::Greater => vec![(Some(one), None)],
                    Relation::AtLeast => vec![(Some(zero), None)],
                    Relation::Equal => vec![(Some(zero.clone()), Some(zero))],
                    Relation::Unequal => vec![(None, Some(minus_one())), (Some(one), None)],
                };
                let mut found = Vec::new();
                for (a, way) in self.value(a, way)? {
                    for (b, way) in self.value(b, way)? {
                        for (low, high) in &ends {
                            let mut way = self.fork(&way)?;
                            let mut form = a.clone();
                            form.add(&minus_one(), &b);
                            self.push(&mut way, form, low.clone(), high.clone())?;
                            found.push(way);
                        }
                    }
                }
                Ok(found)
            }
        }
    }
}
