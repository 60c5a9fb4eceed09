//! The systems of a certificate about expressions, exactly as docs/certificates.md numbers them.
//!
//! A walk through a tree has a list of states: what is known so far on each of the ways that
//! choices can go. A state has a variable for every quotient met, and a row for every
//! quotient and every comparison, in the order in which they are met.
//!
//! Running example: `min(i // 2, 3)` has two ways. Both have q with the row 0 ≤ i − 2q ≤ 1; the one is q where
//! q − 3 ≤ 0, the other 3 where 3 − q ≤ 0.

use alloc::vec::Vec;

use crate::expression::answer::Partial;
use crate::expression::tree::{Ends, Expr, Part, Relation};
use lattice_point::{Affine, Row, System};
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

/// What is known on one way.
#[derive(Debug, Clone, Default)]
struct State {
    /// Dividends and divisors of the quotients.
    quotients: Vec<(Affine<i128>, i64)>,
    /// Coefficients of later quotients are left out.
    rows: Vec<Row<i128>>,
}

impl State {
    /// Adds the row low ≤ function ≤ high.
    fn bound(&mut self, function: Affine<i128>, (low, high): Ends) -> Result<(), Error> {
        let (number, columns) = (*function.constant(), function.terms().len());
        let row = function.between(low, high, columns);
        self.rows.push(row.map_err(|_| Error::ExpressionRange { number })?);
        Ok(())
    }
}

/// What is found on each of some ways: functions, lists of them, or nothing beside the state.
type Ways<T> = Result<Vec<(T, State)>, Error>;

/// a + times·b.
fn combined(a: &Affine<i128>, times: i128, b: &Affine<i128>) -> Result<Affine<i128>, Error> {
    // The number that does not fit is a sum of products with this one.
    a.clone().plus(&times, b).map_err(|_| Error::ExpressionRange { number: times })
}

/// Goes on from each of some ways.
fn each<T, U>(ways: Vec<(T, State)>, mut next: impl FnMut(T, State) -> Ways<U>) -> Ways<U> {
    let mut all = Vec::with_capacity(ways.len());
    for (found, state) in ways {
        all.extend(next(found, state)?);
    }
    few(all)
}

fn few<T>(ways: Vec<T>) -> Result<Vec<T>, Error> {
    if ways.len() <= MOST {
        return Ok(ways);
    }
    let (cases, most) = (ways.len() as u128, MOST as u64);
    Err(Error::TooManyCases { what: "alternatives", cases, most })
}

impl Question<'_> {
    /// The systems of a claim, one for every way.
    pub(super) fn systems(&self, claim: Claim) -> Result<Vec<System<i128>>, Error> {
        let (one, two) = (self.one, self.two);
        let valid = |of: &Partial, holds: bool, ways| match &of.valid {
            Some(condition) => each(ways, |(), state| self.condition(condition, holds, state)),
            None if holds => Ok(ways),
            None => Ok(vec![]),
        };
        let start = vec![((), State::default())];
        let ends = match claim {
            Claim::Above => (Some(1), None),
            _ => (None, Some(-1)),
        };
        let ways = match claim {
            Claim::Lost => valid(two, false, valid(one, true, start)?)?,
            Claim::Gained => valid(one, false, valid(two, true, start)?)?,
            Claim::Above | Claim::Below => each(valid(one, true, start)?, |(), state| {
                self.differences(&one.value, &two.value, &[ends], state)
            })?,
        };
        Ok(ways.into_iter().map(|((), state)| self.system(state)).collect())
    }

    fn system(&self, state: State) -> System<i128> {
        let mut system = System::new(self.ranges.len() + state.quotients.len());
        for (number, &(first, last)) in self.ranges.iter().enumerate() {
            system.bound(number, Some(first.into()), Some(last.into()));
        }
        for mut row in state.rows {
            row.form.resize(system.variables, 0);
            system.rows.push(row);
        }
        system
    }

    /// The ways in which a − b is between some ends.
    fn differences(&self, a: &Expr, b: &Expr, ends: &[Ends], state: State) -> Ways<()> {
        each(self.value(a, state)?, |a, state| {
            each(self.value(b, state)?, |b, state| {
                let difference = combined(&a, -1, &b)?;
                let way = |ends: &Ends| {
                    let mut state = state.clone();
                    state.bound(difference.clone(), *ends)?;
                    Ok(((), state))
                };
                ends.iter().map(way).collect()
            })
        })
    }

    /// The ways of a value from a state.
    fn value(&self, value: &Expr, state: State) -> Ways<Affine<i128>> {
        let linear_only = || Error::NotLinear { what: "a product or a divisor that varies" };
        let scaled = |inner: &Expr, by: i128, state| {
            each(self.value(inner, state)?, |form, state| {
                Ok(vec![(combined(&Affine::always(0), by, &form)?, state)])
            })
        };
        match value {
            Expr::Number(number) => Ok(vec![(Affine::always((*number).into()), state)]),
            Expr::Variable(variable) => Ok(vec![(Affine::column(*variable), state)]),
            Expr::Sum(all) => all.iter().try_fold(vec![(Affine::always(0), state)], |ways, one| {
                each(ways, |sum, state| {
                    each(self.value(one, state)?, |form, state| {
                        Ok(vec![(combined(&sum, 1, &form)?, state)])
                    })
                })
            }),
            Expr::Negate(a) => scaled(a, -1, state),
            Expr::Multiply(..) => {
                let (inner, by) = value.scaled().ok_or_else(linear_only)?;
                scaled(inner, by.into(), state)
            }
            Expr::Divide(ab, _, part, _) => {
                let [a, Expr::Number(by)] = &**ab else { return Err(linear_only()) };
                each(self.value(a, state)?, |form, mut state| {
                    let quotient = self.quotient(&form, *by, &mut state)?;
                    let part = match part {
                        Part::Quotient => quotient,
                        Part::Remainder => combined(&form, -i128::from(*by), &quotient)?,
                    };
                    Ok(vec![(part, state)])
                })
            }
            Expr::Extreme(all, least) => self.extreme(all, if *least { 1 } else { -1 }, state),
            Expr::Where(parts) => {
                let [when, yes, no] = &**parts;
                let way = |holds, value| {
                    let ways = self.condition(when, holds, state.clone())?;
                    each(ways, |(), state| self.value(value, state))
                };
                few([way(true, yes)?, way(false, no)?].concat())
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
        let number = known.unwrap_or(state.quotients.len());
        let quotient = Affine::column(self.ranges.len() + number);
        if known.is_none() {
            state.quotients.push((form.clone(), by));
            let rest = combined(form, -i128::from(by), &quotient)?;
            state.bound(rest, (Some(0), Some(i128::from(by) - 1)))?;
        }
        Ok(quotient)
    }

    /// The least (sign 1) or greatest (−1) of some values: each in turn, where no other is ahead.
    fn extreme(&self, all: &[Expr], sign: i128, state: State) -> Ways<Affine<i128>> {
        let lists = all.iter().try_fold(vec![(Vec::new(), state)], |ways, one| {
            each(ways, |forms: Vec<Affine<i128>>, state| {
                each(self.value(one, state)?, |form, state| {
                    Ok(vec![([&forms[..], &[form]].concat(), state)])
                })
            })
        })?;
        each(lists, |forms, state| {
            let way = |(k, form): (usize, &Affine<i128>)| {
                let mut state = state.clone();
                for (_, other) in forms.iter().enumerate().filter(|(j, _)| *j != k) {
                    let ahead = combined(form, -1, other)?;
                    state.bound(combined(&Affine::always(0), sign, &ahead)?, (None, Some(0)))?;
                }
                Ok((form.clone(), state))
            };
            forms.iter().enumerate().map(way).collect()
        })
    }

    /// The ways in which a condition holds, or does not.
    fn condition(&self, condition: &Expr, holds: bool, state: State) -> Ways<()> {
        match condition {
            Expr::Always(always) => Ok(if *always == holds { vec![((), state)] } else { vec![] }),
            Expr::Not(inner) => self.condition(inner, !holds, state),
            Expr::Join(list, all) => {
                if *all == holds {
                    return list.iter().try_fold(vec![((), state)], |ways, one| {
                        each(ways, |(), state| self.condition(one, holds, state))
                    });
                }
                each(list.iter().map(|one| (one, state.clone())).collect(), |one, state| {
                    self.condition(one, holds, state)
                })
            }
            Expr::Compare(ab, relation) => {
                let ends = match if holds { *relation } else { relation.opposite() } {
                    Relation::Unequal => &[Relation::Less.bounds(), Relation::Greater.bounds()][..],
                    other => &[other.bounds()],
                };
                self.differences(&ab[0], &ab[1], ends, state)
            }
            _ => Ok(vec![]),
        }
    }
}
