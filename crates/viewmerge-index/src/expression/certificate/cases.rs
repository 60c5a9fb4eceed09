//! The systems of a certificate about expressions, exactly as docs/certificates.md numbers them.
//!
//! A walk through a tree has a list of states: what is known so far on each of the ways that
//! choices can go. A state has a variable for every quotient met, and a row for every
//! quotient and every comparison, in the order in which they are met.
//!
//! Running example: `min(i // 2, 3)` has two ways. Both have q with the row 0 ≤ i − 2q ≤ 1; the one is q where
//! q − 3 ≤ 0, the other 3 where 3 − q ≤ 0.

use alloc::vec;
use alloc::vec::Vec;

use super::Partial;
use crate::expression::tree::{Expr, Part, Relation};
use lattice_point::{Affine, System};
use viewmerge::Error;

/// How many ways a question may have.
const MOST: usize = 1_024;

/// What is to be refuted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Claim {
    /// The first is defined, and greater than the second.
    Above,
    /// The first is defined, and less than the second.
    Below,
    /// Only the first is defined.
    Lost,
    /// Only the second is defined.
    Gained,
}

impl Claim {
    pub(super) const ALL: [Claim; 4] = [Claim::Above, Claim::Below, Claim::Lost, Claim::Gained];
}

/// Two expressions of variables with these ranges.
pub(super) struct Question<'a> {
    pub ranges: &'a [(i64, i64)],
    pub one: &'a Partial,
    pub two: &'a Partial,
}

/// low ≤ function ≤ high.
type Bounded = (Affine<i128>, Option<i128>, Option<i128>);

/// What is known on one way.
#[derive(Debug, Clone, Default)]
struct State {
    /// Dividends and divisors of the quotients.
    quotients: Vec<(Affine<i128>, i64)>,
    rows: Vec<Bounded>,
}

type Ways = Vec<(Affine<i128>, State)>;

/// a + times·b.
fn combined(a: &Affine<i128>, times: i128, b: &Affine<i128>) -> Result<Affine<i128>, Error> {
    // The number that does not fit is a sum of products with this one.
    a.clone().plus(&times, b).map_err(|_| Error::ExpressionRange { number: times })
}

fn few<T>(ways: Vec<T>) -> Result<Vec<T>, Error> {
    match ways.len() {
        0..=MOST => Ok(ways),
        more => Err(Error::TooManyCases {
            what: "alternatives",
            cases: more as u128,
            most: MOST as u64,
        }),
    }
}

impl Question<'_> {
    /// The systems of a claim, one for every way.
    pub(super) fn systems(&self, claim: Claim) -> Result<Vec<System<i128>>, Error> {
        let (one, two) = (self.one, self.two);
        let valid = |of: &Partial, holds: bool, states: Vec<State>| match &of.valid {
            Some(condition) => self.all_condition(condition, holds, states),
            None if holds => Ok(states),
            None => Ok(vec![]),
        };
        let start = vec![State::default()];
        let states = match claim {
            Claim::Lost => valid(two, false, valid(one, true, start)?)?,
            Claim::Gained => valid(one, false, valid(two, true, start)?)?,
            Claim::Above | Claim::Below => {
                let mut found = Vec::new();
                for state in valid(one, true, start)? {
                    for (a, state) in self.value(&one.value, state)? {
                        for (b, mut state) in self.value(&two.value, state)? {
                            let form = combined(&a, -1, &b)?;
                            let (low, high) = match claim {
                                Claim::Above => (Some(1), None),
                                _ => (None, Some(-1)),
                            };
                            state.rows.push((form, low, high));
                            found.push(state);
                        }
                    }
                }
                few(found)?
            }
        };
        states.into_iter().map(|state| self.system(state)).collect()
    }

    fn system(&self, state: State) -> Result<System<i128>, Error> {
        let variables = self.ranges.len() + state.quotients.len();
        let mut system = System::new(variables);
        for (number, &(first, last)) in self.ranges.iter().enumerate() {
            system.bound(number, Some(first.into()), Some(last.into()));
        }
        for (function, low, high) in state.rows {
            let number = *function.constant();
            let row = function.between(low, high, variables);
            system.rows.push(row.map_err(|_| Error::ExpressionRange { number })?);
        }
        Ok(system)
    }

    /// The ways of a value from a state.
    fn value(&self, value: &Expr, state: State) -> Result<Ways, Error> {
        let linear_only = || Error::NotLinear { what: "a product or a divisor that varies" };
        match value {
            Expr::Number(number) => Ok(vec![(Affine::always((*number).into()), state)]),
            Expr::Variable(variable) => Ok(vec![(Affine::column(*variable), state)]),
            Expr::Sum(all) => {
                let mut ways = vec![(Affine::always(0), state)];
                for one in all {
                    let mut next = Vec::with_capacity(ways.len());
                    for (sum, state) in ways {
                        for (form, state) in self.value(one, state)? {
                            next.push((combined(&sum, 1, &form)?, state));
                        }
                    }
                    ways = few(next)?;
                }
                Ok(ways)
            }
            Expr::Negate(a) => scaled(self.value(a, state)?, -1),
            Expr::Multiply(..) => {
                let (inner, by) = value.scaled().ok_or_else(linear_only)?;
                scaled(self.value(inner, state)?, by.into())
            }
            Expr::Divide(ab, _, part, _) => {
                let [a, Expr::Number(by)] = &**ab else { return Err(linear_only()) };
                let by = *by;
                let mut ways = self.value(a, state)?;
                for (form, state) in &mut ways {
                    let quotient = self.quotient(form, by, state)?;
                    *form = match part {
                        Part::Quotient => quotient,
                        Part::Remainder => combined(form, -i128::from(by), &quotient)?,
                    };
                }
                Ok(ways)
            }
            Expr::Least(all) => self.extreme(all, 1, state),
            Expr::Greatest(all) => self.extreme(all, -1, state),
            Expr::Where(parts) => {
                let [when, yes, no] = &**parts;
                let mut ways = Vec::new();
                for (holds, value) in [(true, yes), (false, no)] {
                    for state in self.condition(when, holds, state.clone())? {
                        ways.extend(self.value(value, state)?);
                    }
                }
                few(ways)
            }
            _ => Err(linear_only()),
        }
    }

    /// The variable of a quotient; one that was met before is the same.
    fn quotient(
        &self,
        form: &Affine<i128>,
        by: i64,
        state: &mut State,
    ) -> Result<Affine<i128>, Error> {
        let known = state.quotients.iter().position(|(of, d)| of == form && *d == by);
        if let Some(known) = known {
            return Ok(Affine::column(self.ranges.len() + known));
        }
        let quotient = Affine::column(self.ranges.len() + state.quotients.len());
        state.quotients.push((form.clone(), by));
        let rest = combined(form, -i128::from(by), &quotient)?;
        state.rows.push((rest, Some(0), Some(i128::from(by) - 1)));
        Ok(quotient)
    }

    /// The least (sign 1) or greatest (−1) of some values: each in turn, where no other is ahead.
    fn extreme(&self, all: &[Expr], sign: i128, state: State) -> Result<Ways, Error> {
        let mut ways = vec![(Vec::new(), state)];
        for one in all {
            let mut next = Vec::with_capacity(ways.len());
            for (forms, state) in ways {
                for (form, state) in self.value(one, state)? {
                    let mut forms: Vec<Affine<i128>> = forms.clone();
                    forms.push(form);
                    next.push((forms, state));
                }
            }
            ways = few(next)?;
        }
        let mut found = Vec::with_capacity(ways.len() * all.len());
        for (forms, state) in ways {
            for (k, form) in forms.iter().enumerate() {
                let mut state = state.clone();
                for (_, other) in forms.iter().enumerate().filter(|(j, _)| *j != k) {
                    let ahead = combined(form, -1, other)?;
                    state.rows.push((combined(&Affine::always(0), sign, &ahead)?, None, Some(0)));
                }
                found.push((form.clone(), state));
            }
        }
        few(found)
    }

    /// The ways in which a condition holds, or does not, from each of some states.
    fn all_condition(
        &self,
        condition: &Expr,
        holds: bool,
        states: Vec<State>,
    ) -> Result<Vec<State>, Error> {
        let mut next = Vec::with_capacity(states.len());
        for state in states {
            next.extend(self.condition(condition, holds, state)?);
        }
        few(next)
    }

    fn condition(&self, condition: &Expr, holds: bool, state: State) -> Result<Vec<State>, Error> {
        match condition {
            Expr::Always(always) => Ok(if *always == holds { vec![state] } else { vec![] }),
            Expr::Not(inner) => self.condition(inner, !holds, state),
            Expr::All(list) | Expr::Any(list) => {
                if matches!(condition, Expr::All(_)) == holds {
                    let mut states = vec![state];
                    for one in list {
                        states = self.all_condition(one, holds, states)?;
                    }
                    return Ok(states);
                }
                let mut states = Vec::new();
                for one in list {
                    states.extend(self.condition(one, holds, state.clone())?);
                }
                few(states)
            }
            Expr::Compare(ab, relation) => {
                let [a, b] = &**ab;
                let relations: &[Relation] =
                    match if holds { *relation } else { relation.opposite() } {
                        Relation::Unequal => &[Relation::Less, Relation::Greater],
                        Relation::Less => &[Relation::Less],
                        Relation::AtMost => &[Relation::AtMost],
                        Relation::Greater => &[Relation::Greater],
                        Relation::AtLeast => &[Relation::AtLeast],
                        Relation::Equal => &[Relation::Equal],
                    };
                let mut states = Vec::new();
                for (a, state) in self.value(a, state)? {
                    for (b, state) in self.value(b, state)? {
                        for relation in relations {
                            let (low, high) = relation.bounds();
                            let mut state = state.clone();
                            state.rows.push((combined(&a, -1, &b)?, low, high));
                            states.push(state);
                        }
                    }
                }
                few(states)
            }
            _ => Ok(vec![]),
        }
    }
}

fn scaled(mut ways: Ways, by: i128) -> Result<Ways, Error> {
    for (form, _) in &mut ways {
        *form = combined(&Affine::always(0), by, form)?;
    }
    Ok(ways)
}
