//! Polynomials with integer coefficients, and what they cost.

use std::collections::BTreeMap;
use std::fmt;

use crate::budget::Budget;
use crate::expression::Variable;
use crate::number::Integer;
use crate::refusal::TooLarge;

/// A polynomial with integer coefficients.
///
/// ```
/// use viewmerge_verify::Polynomial;
///
/// assert_eq!(Polynomial::number(7.into()).named(&[]).to_string(), "7");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Polynomial {
    /// Products of variables, by their places in ascending order; no coefficient is 0.
    terms: BTreeMap<Vec<usize>, Integer>,
}

/// The bytes of an entry in a map, in addition to its numbers.
const ENTRY: u64 = 128;

impl Polynomial {
    /// A number.
    ///
    /// ```
    /// # use viewmerge_verify::Polynomial;
    /// assert_eq!(Polynomial::number(0.into()), Polynomial::default());
    /// ```
    pub fn number(number: Integer) -> Polynomial {
        Polynomial::term(number, Vec::new())
    }

    pub(super) fn term(coefficient: Integer, mut variables: Vec<usize>) -> Polynomial {
        variables.sort_unstable();
        let zero = coefficient.is_zero();
        let terms = (!zero).then_some((variables, coefficient)).into_iter().collect();
        Polynomial { terms }
    }

    /// The terms: coefficients, and products of variables by their places.
    ///
    /// ```
    /// # use viewmerge_verify::Polynomial;
    /// assert_eq!(Polynomial::number(7.into()).terms().count(), 1);
    /// ```
    pub fn terms(&self) -> impl Iterator<Item = (&Integer, &[usize])> {
        self.terms.iter().map(|(variables, coefficient)| (coefficient, &variables[..]))
    }

    pub(super) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Its value, if it has no variables.
    pub(super) fn as_number(&self) -> Option<Integer> {
        match self.terms.iter().next() {
            None => Some(Integer::ZERO),
            Some((variables, number)) if self.terms.len() == 1 && variables.is_empty() => {
                Some(number.clone())
            }
            Some(_) => None,
        }
    }

    /// Adds a multiple of the product of two polynomials.
    pub(super) fn add(
        &mut self,
        by: &Integer,
        one: &Polynomial,
        other: &Polynomial,
        budget: &Budget,
    ) -> Result<(), TooLarge> {
        for (a, x) in &one.terms {
            let x = budget.product(by, x)?;
            for (b, y) in &other.terms {
                let size = (a.len() + b.len()) as u64;
                // An entry of a large map is slow to reach.
                budget.spend(1000 + 100 * size)?;
                let mut variables = [&a[..], b].concat();
                variables.sort_unstable();
                let product = budget.product(&x, y)?;
                let sum = match self.terms.get(&variables) {
                    Some(known) => budget.sum(known, &product)?,
                    None => {
                        budget.hold(ENTRY + 8 * size + product.heap())?;
                        product
                    }
                };
                if sum.is_zero() {
                    self.terms.remove(&variables);
                } else {
                    self.terms.insert(variables, sum);
                }
            }
        }
        Ok(())
    }

    pub(super) fn plus(&self, by: i32, other: &Polynomial, budget: &Budget) -> Made {
        let mut sum = self.copied(budget)?;
        sum.add(&by.into(), &Polynomial::number(Integer::ONE), other, budget)?;
        Ok(sum)
    }

    pub(super) fn times(&self, other: &Polynomial, budget: &Budget) -> Made {
        let mut product = Polynomial::default();
        product.add(&Integer::ONE, self, other, budget)?;
        Ok(product)
    }

    pub(super) fn copied(&self, budget: &Budget) -> Made {
        for (variables, coefficient) in &self.terms {
            budget.spend(200)?;
            budget.hold(ENTRY + 8 * variables.len() as u64 + coefficient.heap())?;
        }
        Ok(self.clone())
    }

    /// The polynomial with these names for its variables.
    ///
    /// ```
    /// # use viewmerge_verify::Polynomial;
    /// assert_eq!(Polynomial::number((-2).into()).named(&[]).to_string(), "-2");
    /// ```
    pub fn named<'a>(&'a self, variables: &'a [Variable]) -> impl fmt::Display + 'a {
        Named { polynomial: self, variables }
    }
}

/// A polynomial, unless it would exceed the budget.
pub(super) type Made = Result<Polynomial, TooLarge>;

/// A polynomial, and the names of its variables.
struct Named<'a> {
    polynomial: &'a Polynomial,
    variables: &'a [Variable],
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.polynomial.is_zero() {
            return f.write_str("0");
        }
        // Long products first, the constant last.
        let terms = self.polynomial.terms.iter().rev();
        for (place, (variables, coefficient)) in terms.enumerate() {
            let negative = coefficient.is_negative();
            match (place, negative) {
                (0, false) => {}
                (0, true) => f.write_str("-")?,
                (_, false) => f.write_str("+")?,
                (_, true) => f.write_str("-")?,
            }
            let size = if negative { &Integer::ZERO - coefficient } else { coefficient.clone() };
            let names = variables.iter().map(|&v| self.variables.get(v).map_or("?", |v| &v.name));
            let names: Vec<&str> = names.collect();
            match (size == Integer::ONE, names.is_empty()) {
                (true, false) => f.write_str(&names.join("*"))?,
                (_, true) => write!(f, "{size}")?,
                (false, false) => write!(f, "{size}*{}", names.join("*"))?,
            }
        }
        Ok(())
    }
}
