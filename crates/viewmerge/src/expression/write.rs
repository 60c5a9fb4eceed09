//! From linear functions back to trees.
//!
//! Floors are written where they are used; a floor that takes two values is a comparison, and
//! c·(E − m·⌊E/m⌋) is `c * (E % m)` where that takes fewer terms.
//!
//! Running example: 4·i − 12·⌊i/3⌋ is `i % 3 * 4`, 4·i − 11·⌊i/3⌋ stays.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::normal::compare;
use super::tree::{Condition, Part, Place, Relation, Rounding, Value};
use crate::error::Error;
use crate::form::linear::{Linear, narrow};
use crate::form::{FloorTerm, Guard};

/// What linear functions are made of.
pub(super) struct Writer<'a> {
    /// How many variables there are; choices follow.
    pub variables: usize,
    pub choices: &'a [Value],
    pub floors: &'a [FloorTerm],
    /// Floors with two values, and the smaller one.
    pub two_valued: &'a [(usize, i64)],
    /// Floors that are used more than once: they are quotients everywhere, so that there is
    /// one division.
    pub shared: &'a [bool],
}

/// Terms and a constant.
struct Terms {
    terms: Vec<(i128, Value)>,
    constant: i128,
}

impl Writer<'_> {
    /// A function as a tree.
    pub(super) fn value(&self, function: &Linear) -> Result<Value, Error> {
        let Terms { terms, constant } = self.terms(function)?;
        sum(terms, constant)
    }

    fn terms(&self, function: &Linear) -> Result<Terms, Error> {
        let mut constant = i128::from(function.constant);
        let mut axes: Vec<i128> = function.axes.iter().map(|&c| c.into()).collect();
        let mut floors: Vec<i128> = function.floors.iter().map(|&c| c.into()).collect();
        let mut behind: Vec<(i128, Value)> = Vec::new();
        for number in (0..floors.len()).rev() {
            let times = floors[number];
            if times == 0 {
                continue;
            }
            let FloorTerm { operand, divisor, .. } = &self.floors[number];
            let divisor = i128::from(*divisor);
            if let Some((_, low)) = self.two_valued.iter().find(|(known, _)| *known == number) {
                let Terms { terms, constant: inner } = self.terms(operand)?;
                let end = (i128::from(*low) + 1) * divisor - inner;
                let at_least = compare(sum(terms, 0)?, Relation::AtLeast, number_of(end)?);
                let (one, zero) = (Box::new(Value::Number(1)), Box::new(Value::Number(0)));
                behind.push((times, Value::Where(Box::new(at_least), one, zero)));
                constant += times * i128::from(*low);
                continue;
            }
            let Terms { terms, constant: inner } = self.terms(operand)?;
            let cells = inner.div_euclid(divisor);
            let operand_tree = Box::new(sum(terms, inner - cells * divisor)?);
            let by = Box::new(number_of(divisor)?);
            let node = |part| {
                let (a, b) = (operand_tree.clone(), by.clone());
                Value::Divide(a, b, Rounding::Down, part, Place::default())
            };
            // times·⌊E/m⌋ = r·(E % m) − r·E for times = −r·m.
            let r = -times / divisor;
            let fewer = !self.shared[number] && times % divisor == 0 && {
                let without = |list: &[i128], of: &[i64]| {
                    let zeros = of.iter().copied().chain(core::iter::repeat(0));
                    list.iter().zip(zeros).fold(0i64, |change, (&c, e)| {
                        let left = c - r * i128::from(e);
                        change + i64::from(left != 0) - i64::from(c != 0)
                    })
                };
                without(&axes, &operand.axes) + without(&floors[..number], &operand.floors) < 0
            };
            if fewer {
                for (c, &e) in axes.iter_mut().zip(&operand.axes) {
                    *c -= r * i128::from(e);
                }
                for (c, &e) in floors.iter_mut().zip(&operand.floors) {
                    *c -= r * i128::from(e);
                }
                // E = (shifted) + cells·m, and E % m is that of what is shifted.
                constant -= r * i128::from(operand.constant);
                behind.push((r, node(Part::Rest)));
            } else {
                constant += times * cells;
                behind.push((times, node(Part::Quotient)));
            }
        }
        let mut terms: Vec<(i128, Value)> = Vec::new();
        for (axis, &c) in axes.iter().enumerate().filter(|(_, c)| **c != 0) {
            terms.push((
                c,
                match axis.checked_sub(self.variables) {
                    None => Value::Variable(axis),
                    Some(choice) => self.choices[choice].clone(),
                },
            ));
        }
        terms.extend(behind.into_iter().rev());
        Ok(Terms { terms, constant })
    }

    /// Ranges that are narrower than they were.
    pub(super) fn ranges(
        &self,
        before: &[(i64, i64)],
        after: &[(i64, i64)],
        into: &mut Vec<Condition>,
    ) {
        for (variable, (&(low, high), &(first, last))) in before.iter().zip(after).enumerate() {
            let compared = |relation, number| {
                compare(Value::Variable(variable), relation, Value::Number(number))
            };
            if first == last && low < high {
                into.push(compared(Relation::Equal, first));
                continue;
            }
            if first > low {
                into.push(compared(Relation::AtLeast, first));
            }
            if last < high {
                into.push(compared(Relation::Less, last + 1));
            }
        }
    }

    /// A guard as comparisons.
    pub(super) fn guard(&self, guard: &Guard, into: &mut Vec<Condition>) -> Result<(), Error> {
        let Terms { terms, constant } = self.terms(&guard.function)?;
        let tree = sum(terms, 0)?;
        let end = |end: i64| number_of(i128::from(end) - constant);
        if let (Some(lower), Some(upper)) = (guard.lower, guard.upper)
            && lower.checked_add(1) == Some(upper)
        {
            into.push(compare(tree, Relation::Equal, end(lower)?));
            return Ok(());
        }
        if let Some(lower) = guard.lower {
            into.push(compare(tree.clone(), Relation::AtLeast, end(lower)?));
        }
        if let Some(upper) = guard.upper {
            into.push(compare(tree, Relation::Less, end(upper)?));
        }
        Ok(())
    }
}

fn number_of(number: i128) -> Result<Value, Error> {
    narrow(number).map(Value::Number)
}

/// A sum, a positive term first if there is one.
fn sum(mut terms: Vec<(i128, Value)>, constant: i128) -> Result<Value, Error> {
    if let Some(lead) = terms.iter().position(|(c, _)| *c > 0) {
        terms[..=lead].rotate_right(1);
    }
    let mut all = Vec::with_capacity(terms.len() + 1);
    for (c, value) in terms {
        all.push(match c {
            0 => continue,
            1 => value,
            -1 => Value::Negate(Box::new(value)),
            c => Value::Multiply(Box::new(value), Box::new(number_of(c)?), Place::default()),
        });
    }
    if constant != 0 || all.is_empty() {
        all.push(number_of(constant)?);
    }
    Ok(if all.len() == 1 { all.remove(0) } else { Value::Sum(all) })
}

/// Divisions of a tree, those that are the same counted once.
pub(super) fn divisions(value: Option<&Value>, condition: Option<&Condition>) -> usize {
    let mut found: Vec<&Value> = vec![];
    if let Some(value) = value {
        collect(value, &mut found);
    }
    if let Some(condition) = condition {
        collect_in(condition, &mut found);
    }
    found.len()
}

fn collect<'v>(value: &'v Value, found: &mut Vec<&'v Value>) {
    match value {
        Value::Number(_) | Value::Variable(_) => {}
        Value::Sum(all) | Value::Least(all) | Value::Greatest(all) => {
            all.iter().for_each(|one| collect(one, found));
        }
        Value::Negate(a) => collect(a, found),
        Value::Multiply(a, b, _) => [a, b].into_iter().for_each(|one| collect(one, found)),
        Value::Divide(a, b, ..) => {
            [a, b].into_iter().for_each(|one| collect(one, found));
            if !found.contains(&value) {
                found.push(value);
            }
        }
        Value::Where(when, a, b) => {
            collect_in(when, found);
            [a, b].into_iter().for_each(|one| collect(one, found));
        }
    }
}

fn collect_in<'v>(condition: &'v Condition, found: &mut Vec<&'v Value>) {
    match condition {
        Condition::Always(_) => {}
        Condition::Compare(a, _, b) => [a, b].into_iter().for_each(|one| collect(one, found)),
        Condition::All(all) | Condition::Any(all) => {
            all.iter().for_each(|one| collect_in(one, found));
        }
        Condition::Not(inner) => collect_in(inner, found),
    }
}
