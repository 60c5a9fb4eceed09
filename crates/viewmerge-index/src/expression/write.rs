//! From linear functions back to trees.
//!
//! Floors are written where they are used; a floor that takes two values is a comparison, and
//! c·(E − m·⌊E/m⌋) is `c * (E % m)` where that takes fewer terms.
//!
//! Running example: 4·i − 12·⌊i/3⌋ is `i % 3 * 4`, 4·i − 11·⌊i/3⌋ stays.

use alloc::vec::Vec;

use super::tree::{Expr, Part, Place, Relation, Rounding};
use crate::form::fewest::Fewest;
use crate::form::linear::{Linear, narrow};
use crate::form::program::Program;
use crate::form::{FloorTerm, Guard};
use viewmerge::Error;

/// What linear functions are made of.
pub(super) struct Writer<'a> {
    program: &'a Program,
    /// Floors with two values, and the smaller one.
    two_valued: &'a [(usize, i64)],
    /// How often every column is used. A floor that is used more than once is a quotient everywhere, so
    /// that there is one division.
    pub uses: Vec<usize>,
    /// What the axes behind the inputs stand for.
    pub choices: Vec<Expr>,
}

/// Terms and a constant.
type Terms = (Vec<(i128, Expr)>, i128);

impl<'a> Writer<'a> {
    /// For what was found of a program.
    pub(super) fn new(program: &'a Program, found: &'a Fewest) -> Writer<'a> {
        let guards = found.guards.iter().map(|guard| &guard.function);
        let uses = program.uses(guards.chain([&found.value]));
        Writer { program, two_valued: &found.two_valued, uses, choices: Vec::new() }
    }

    /// A function as a tree.
    pub(super) fn value(&self, function: &Linear) -> Result<Expr, Error> {
        let (terms, constant) = self.terms(function)?;
        sum(terms, constant)
    }

    fn terms(&self, function: &Linear) -> Result<Terms, Error> {
        let mut constant = i128::from(function.constant);
        let mut columns: Vec<i128> = function.terms().iter().map(|&c| c.into()).collect();
        let rank = function.axes().len();
        let mut behind: Vec<(i128, Expr)> = Vec::new();
        for number in (0..function.floors().len()).rev() {
            let times = columns[rank + number];
            if times == 0 {
                continue;
            }
            let FloorTerm { operand, divisor, .. } = &self.program.floors[number];
            let divisor = i128::from(*divisor);
            let (terms, inner) = self.terms(operand)?;
            if let Some((_, low)) = self.two_valued.iter().find(|(known, _)| *known == number) {
                let end = (i128::from(*low) + 1) * divisor - inner;
                let at_least = Expr::compare(sum(terms, 0)?, Relation::AtLeast, number_of(end)?);
                behind.push((times, at_least.into_value()));
                constant += times * i128::from(*low);
                continue;
            }
            let cells = inner.div_euclid(divisor);
            let operand_tree = sum(terms, inner - cells * divisor)?;
            let by = number_of(divisor)?;
            let node = |part| {
                let (a, b) = (operand_tree.clone(), by.clone());
                Expr::divide(a, b, Rounding::Down, part, Place::default())
            };
            // times·⌊E/m⌋ = r·(E % m) − r·E for times = −r·m.
            let r = -times / divisor;
            let fewer = self.uses[rank + number] < 2 && times % divisor == 0 && {
                let left = |(&c, &e): (&i128, &i64)| c - r * i128::from(e);
                let terms = columns.iter().zip(operand.terms());
                let change = terms.map(|both| i64::from(left(both) != 0) - i64::from(*both.0 != 0));
                change.sum::<i64>() < 0
            };
            if fewer {
                for (c, &e) in columns.iter_mut().zip(operand.terms()) {
                    *c -= r * i128::from(e);
                }
                // E = (shifted) + cells·m, and E % m is that of what is shifted.
                constant -= r * i128::from(operand.constant);
                behind.push((r, node(Part::Remainder)));
            } else {
                constant += times * cells;
                behind.push((times, node(Part::Quotient)));
            }
        }
        let axis = |axis: usize| match axis.checked_sub(self.program.inputs) {
            None => Expr::Variable(axis),
            Some(choice) => self.choices[choice].clone(),
        };
        let used = columns[..rank].iter().enumerate().filter(|(_, c)| **c != 0);
        let axes = used.map(|(number, &c)| (c, axis(number)));
        Ok((axes.chain(behind.into_iter().rev()).collect(), constant))
    }

    /// The ranges of variables that are narrower than they were, as comparisons.
    pub(super) fn ranges(&self, before: &[(i64, i64)], into: &mut Vec<Expr>) -> Result<(), Error> {
        let rank = self.program.rank();
        let ranges = before.iter().zip(&self.program.axes).enumerate();
        for (axis, (&own, &(first, last))) in ranges.filter(|(_, (own, now))| own != now) {
            let guard = match first == last {
                true => Guard::known(Linear::column(axis, rank), first, last),
                false => Guard::on_axis(axis, rank, own, (first, last)),
            };
            self.guard(&guard, into)?;
        }
        Ok(())
    }

    /// A guard as comparisons.
    pub(super) fn guard(&self, guard: &Guard, into: &mut Vec<Expr>) -> Result<(), Error> {
        let (terms, constant) = self.terms(&guard.function)?;
        let tree = sum(terms, 0)?;
        let (lower, upper) = match guard.only_value() {
            Some(value) => ((Relation::Equal, Some(value)), None),
            None => ((Relation::AtLeast, guard.lower), guard.upper),
        };
        for (relation, end) in [lower, (Relation::Less, upper)] {
            if let Some(end) = end {
                let end = number_of(i128::from(end) - constant)?;
                into.push(Expr::compare(tree.clone(), relation, end));
            }
        }
        Ok(())
    }
}

fn number_of(number: i128) -> Result<Expr, Error> {
    narrow(number).map(Expr::Number)
}

/// The terms of a linear function: axes and then floors are variables.
pub(crate) fn terms(function: &Linear) -> Vec<(i128, Expr)> {
    function
        .columns()
        .map(|column| (function.term(column).into(), Expr::Variable(column)))
        .collect()
}

/// A linear function, its terms in their order.
pub(crate) fn tree(function: &Linear) -> Result<Expr, Error> {
    in_order(terms(function), function.constant.into())
}

/// A sum, a positive term first if there is one.
pub(crate) fn sum(mut terms: Vec<(i128, Expr)>, constant: i128) -> Result<Expr, Error> {
    if let Some(lead) = terms.iter().position(|(c, _)| *c > 0) {
        terms[..=lead].rotate_right(1);
    }
    in_order(terms, constant)
}

/// A sum, its terms in their order.
fn in_order(terms: Vec<(i128, Expr)>, constant: i128) -> Result<Expr, Error> {
    let mut all = Vec::with_capacity(terms.len() + 1);
    for (c, value) in terms {
        all.push(match c {
            0 => continue,
            1 => value,
            c => Expr::multiply(value, number_of(c)?, Place::default()),
        });
    }
    if constant != 0 || all.is_empty() {
        all.push(number_of(constant)?);
    }
    Ok(if all.len() == 1 { all.remove(0) } else { Expr::Sum(all) })
}

#[cfg(test)]
mod tests {
    use crate::expression::Domain;
    use lattice_point::Limit;

    #[test]
    fn remainders_and_comparisons_where_they_are_shorter() {
        // (expression for i from 0 to 11 and j from 0 to 3, its simplest form)
        let rows = [
            ("4*i - 12*(i // 3)", "4*(i % 3)"),
            ("4*i - 11*(i // 3)", "4*i - 11*(i // 3)"),
            // A floor that is used twice is divided once.
            ("i % 3 + i // 3", "i - 2*(i // 3)"),
            // Two values are a comparison.
            ("i // 7", "int(i >= 7)"),
            ("3 - i", "-i + 3"),
            ("j - i", "j - i"),
            ("4*i + j < 6", "4*i + j < 6"),
            ("(4*i + j) // 8", "i // 2"),
        ];
        let domain = Domain::new(&[("i", 0, 11), ("j", 0, 3)]).expect("small");
        for (text, expected) in rows {
            let simple = domain.simplify(&text.parse().expect(text), &Limit::none());
            assert_eq!(simple.expect(text).to_string(), expected, "{text}");
        }
    }
}
