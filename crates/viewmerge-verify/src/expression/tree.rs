//! Expressions: their terms, their values, and how they are printed.
//!
//! `["+",["*",4,"i"],["//","j",3]]` is 4·i + ⌊j/3⌋. A tree is one flat list in which every part comes
//! before the term that uses it, so nothing here depends on the stack: evaluation goes through the list
//! once, and dropping the tree is dropping a list.

use std::fmt;

use super::Variable;
use crate::budget::Budget;
use crate::number::{Divisor, Integer};
use crate::refusal::TooLarge;

/// A term of an [`Expression`]; it refers to its parts by their places in the list.
///
/// ```
/// use viewmerge_verify::{Shown, Term, verify};
///
/// let text = r#"{"variables":[["i",0,9]],"one":{"value":["//","i",2],"valid":null},
///     "two":{"value":0,"valid":null},"differ":[5]}"#;
/// let Ok(Shown::DifferentExpressions { one, .. }) = verify(text) else { panic!("was refused") };
/// let Term::Quotient(of, by) = one.value.root() else { panic!("is another term") };
/// assert_eq!(one.value.terms()[*of], Term::Variable(0));
/// assert_eq!(by.get(), &2.into());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Term {
    /// A number.
    Number(Integer),
    /// A variable, by its place among the variables.
    Variable(usize),
    /// The sum of some values; 0 for an empty list.
    Sum(Vec<usize>),
    /// A constant times a value.
    Times(Integer, usize),
    /// A value divided by a number, rounded down.
    Quotient(usize, Divisor),
    /// The remainder of that division.
    Rest(usize, Divisor),
    /// The least of one value or more.
    Least(Vec<usize>),
    /// The greatest of one value or more.
    Greatest(Vec<usize>),
    /// The first value where the condition holds, the second elsewhere.
    Where(usize, usize, usize),
    /// A comparison of two values. This and all variants that follow are conditions.
    Compare(usize, Relation, usize),
    /// All of the conditions hold.
    All(Vec<usize>),
    /// At least one of the conditions holds.
    Any(Vec<usize>),
    /// The condition does not hold.
    Not(usize),
}

impl Term {
    /// Whether it is a condition rather than a value.
    pub(super) fn is_condition(&self) -> bool {
        matches!(self, Term::Compare(..) | Term::All(_) | Term::Any(_) | Term::Not(_))
    }
}

/// How two values compare.
///
/// ```
/// assert_eq!(viewmerge_verify::Relation::AtMost.to_string(), "<=");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `<`.
    Less,
    /// `<=`.
    AtMost,
    /// `>`.
    Greater,
    /// `>=`.
    AtLeast,
    /// `==`.
    Equal,
    /// `!=`.
    Unequal,
}

impl Relation {
    const SIGNS: [(&'static str, Relation); 6] = [
        ("<", Relation::Less),
        ("<=", Relation::AtMost),
        (">", Relation::Greater),
        (">=", Relation::AtLeast),
        ("==", Relation::Equal),
        ("!=", Relation::Unequal),
    ];

    pub(super) fn of_sign(sign: &str) -> Option<Relation> {
        Relation::SIGNS.iter().find(|(known, _)| *known == sign).map(|(_, relation)| *relation)
    }

    fn sign(self) -> &'static str {
        Relation::SIGNS.iter().find(|(_, known)| *known == self).map_or("", |(sign, _)| sign)
    }

    pub(super) fn opposite(self) -> Relation {
        match self {
            Relation::Less => Relation::AtLeast,
            Relation::AtMost => Relation::Greater,
            Relation::Greater => Relation::AtMost,
            Relation::AtLeast => Relation::Less,
            Relation::Equal => Relation::Unequal,
            Relation::Unequal => Relation::Equal,
        }
    }

    fn holds(self, a: &Integer, b: &Integer) -> bool {
        match self {
            Relation::Less => a < b,
            Relation::AtMost => a <= b,
            Relation::Greater => a > b,
            Relation::AtLeast => a >= b,
            Relation::Equal => a == b,
            Relation::Unequal => a != b,
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sign())
    }
}

/// A tree of [`Term`]s, as a list in which every part comes before the term that uses it.
///
/// ```
/// use viewmerge_verify::{Shown, verify};
///
/// let text = r#"{"variables":[["i",0,9]],"one":{"value":["+","i",["%","i",4]],"valid":null},
///     "two":{"value":0,"valid":null},"differ":[5]}"#;
/// let Ok(Shown::DifferentExpressions { variables, one, .. }) = verify(text) else { panic!("!") };
/// assert_eq!(one.value.terms().len(), 4);
/// assert_eq!(one.value.named(&variables).to_string(), "i + (i % 4)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    /// Never empty.
    pub(super) terms: Vec<Term>,
}

impl Expression {
    /// The terms; the last one is the root.
    ///
    /// ```
    /// # use viewmerge_verify::{Shown, Term, verify};
    /// # let text = r#"{"variables":[],"one":{"value":1,"valid":null},"two":{"value":0,"valid":null},"differ":[]}"#;
    /// let Ok(Shown::DifferentExpressions { one, .. }) = verify(text) else { panic!("was refused") };
    /// assert_eq!(one.value.terms(), [Term::Number(1.into())]);
    /// ```
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The root.
    ///
    /// ```
    /// # use viewmerge_verify::{Shown, Term, verify};
    /// # let text = r#"{"variables":[],"one":{"value":1,"valid":null},"two":{"value":0,"valid":null},"differ":[]}"#;
    /// let Ok(Shown::DifferentExpressions { two, .. }) = verify(text) else { panic!("was refused") };
    /// assert_eq!(two.value.root(), &Term::Number(0.into()));
    /// ```
    pub fn root(&self) -> &Term {
        &self.terms[self.place()]
    }

    /// The place of the root.
    pub(super) fn place(&self) -> usize {
        self.terms.len() - 1
    }

    /// The expression with these names for its variables, printed as Python.
    ///
    /// ```
    /// # use viewmerge_verify::{Shown, verify};
    /// # let text = r#"{"variables":[["i",0,9]],"one":{"value":["*",2,"i"],"valid":null},"two":{"value":1,"valid":null},"differ":[0]}"#;
    /// let Ok(Shown::DifferentExpressions { variables, one, .. }) = verify(text) else { panic!("!") };
    /// assert_eq!(one.value.named(&variables).to_string(), "2*i");
    /// ```
    pub fn named<'a>(&'a self, variables: &'a [Variable]) -> impl fmt::Display + 'a {
        Named { expression: self, variables }
    }

    /// The value at a point, which has a number for every variable. A condition is 1 where it holds and 0
    /// elsewhere.
    pub(super) fn at(&self, point: &[Integer], budget: &Budget) -> Result<Integer, TooLarge> {
        let mut values: Vec<Integer> = Vec::with_capacity(self.terms.len());
        budget.hold((self.terms.len() * size_of::<Integer>()) as u64)?;
        for term in &self.terms {
            let holds = |place: &usize| !values[*place].is_zero();
            let truth = |holds: bool| Integer::from(i32::from(holds));
            let value = match term {
                Term::Number(number) => number.clone(),
                Term::Variable(variable) => point[*variable].clone(),
                Term::Sum(parts) => {
                    let mut sum = Integer::ZERO;
                    for part in parts {
                        sum = budget.sum(&sum, &values[*part])?;
                    }
                    sum
                }
                Term::Times(by, a) => budget.product(by, &values[*a])?,
                Term::Quotient(a, by) => budget.divided(&values[*a], by)?.0,
                Term::Rest(a, by) => budget.divided(&values[*a], by)?.1,
                Term::Least(parts) => {
                    parts.iter().map(|part| &values[*part]).min().cloned().unwrap_or_default()
                }
                Term::Greatest(parts) => {
                    parts.iter().map(|part| &values[*part]).max().cloned().unwrap_or_default()
                }
                Term::Where(when, a, b) => values[if holds(when) { *a } else { *b }].clone(),
                Term::Compare(a, relation, b) => truth(relation.holds(&values[*a], &values[*b])),
                Term::All(parts) => truth(parts.iter().all(holds)),
                Term::Any(parts) => truth(parts.iter().any(holds)),
                Term::Not(a) => truth(!holds(a)),
            };
            budget.spend(64 + value.words())?;
            budget.hold(value.heap())?;
            values.push(value);
        }
        Ok(values.pop().unwrap_or_default())
    }
}

/// An expression and the names of its variables.
struct Named<'a> {
    expression: &'a Expression,
    variables: &'a [Variable],
}

/// What is still to be written.
enum Piece {
    Text(&'static str),
    /// The number in a term: a factor before its value, or a divisor after it.
    Number(usize),
    Term(usize),
    /// A term in brackets, if it needs them.
    Inner(usize),
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms = &self.expression.terms;
        let mut waiting = vec![Piece::Term(self.expression.place())];
        while let Some(piece) = waiting.pop() {
            match piece {
                Piece::Text(text) => f.write_str(text)?,
                Piece::Number(place) => match &terms[place] {
                    Term::Times(by, _) => write!(f, "{by}")?,
                    Term::Quotient(_, by) | Term::Rest(_, by) => write!(f, "{by}")?,
                    _ => {}
                },
                Piece::Inner(place) => {
                    let bare = matches!(
                        terms[place],
                        Term::Number(_) | Term::Variable(_) | Term::Least(_) | Term::Greatest(_)
                    );
                    match bare {
                        true => waiting.push(Piece::Term(place)),
                        false => {
                            waiting.extend([Piece::Text(")"), Piece::Term(place), Piece::Text("(")])
                        }
                    }
                }
                Piece::Term(place) => match &terms[place] {
                    Term::Number(number) => write!(f, "{number}")?,
                    Term::Variable(variable) => match self.variables.get(*variable) {
                        Some(variable) => f.write_str(&variable.name)?,
                        None => write!(f, "_{variable}")?,
                    },
                    term => {
                        let start = waiting.len();
                        self.pieces(term, place, &mut waiting);
                        // The piece added last is written first.
                        waiting[start..].reverse();
                    }
                },
            }
        }
        Ok(())
    }
}

impl Named<'_> {
    /// Adds the pieces of a term, in order.
    fn pieces(&self, term: &Term, place: usize, to: &mut Vec<Piece>) {
        use Piece::{Inner, Number, Text};
        let terms = &self.expression.terms;
        let joined = |to: &mut Vec<Piece>, parts: &[usize], sign, bare: fn(&Term) -> bool| {
            for (number, &part) in parts.iter().enumerate() {
                if number > 0 {
                    to.push(Text(sign));
                }
                to.push(if bare(&terms[part]) { Piece::Term(part) } else { Inner(part) });
            }
        };
        match term {
            Term::Number(_) | Term::Variable(_) => {}
            Term::Sum(parts) if parts.is_empty() => to.push(Text("0")),
            Term::Sum(parts) => joined(to, parts, " + ", |term| matches!(term, Term::Times(..))),
            Term::Times(_, a) => to.extend([Number(place), Text("*"), Inner(*a)]),
            Term::Quotient(a, _) => to.extend([Inner(*a), Text(" // "), Number(place)]),
            Term::Rest(a, _) => to.extend([Inner(*a), Text(" % "), Number(place)]),
            Term::Least(parts) | Term::Greatest(parts) => {
                to.push(Text(if matches!(term, Term::Least(_)) { "min(" } else { "max(" }));
                joined(to, parts, ", ", |_| true);
                to.push(Text(")"));
            }
            Term::Where(when, a, b) => {
                to.extend([Inner(*a), Text(" if "), Piece::Term(*when), Text(" else "), Inner(*b)])
            }
            Term::Compare(a, relation, b) => {
                let side = |place: usize| match terms[place] {
                    Term::Where(..) => Inner(place),
                    _ => Piece::Term(place),
                };
                to.extend([side(*a), Text(" "), Text(relation.sign()), Text(" "), side(*b)]);
            }
            Term::All(parts) if parts.is_empty() => to.push(Text("True")),
            Term::Any(parts) if parts.is_empty() => to.push(Text("False")),
            Term::All(parts) => {
                joined(to, parts, " and ", |term| matches!(term, Term::Compare(..)))
            }
            Term::Any(parts) => joined(to, parts, " or ", |term| matches!(term, Term::Compare(..))),
            Term::Not(a) => to.extend([Text("not ("), Piece::Term(*a), Text(")")]),
        }
    }
}
