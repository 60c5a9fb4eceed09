//! The integer systems of two expressions, one for each way: each combination of their choices.
//!
//! The variables are those of the certificate, then a quotient for every division met. A division of the
//! same form by the same number as an earlier one has the same quotient. Rows are numbered as they are met,
//! after those of the ranges.
//!
//! A way is a list of choices: which part of a minimum is the least, which side of a condition holds. The
//! first way takes the first alternative of each choice; to find the next way, the last choice that has
//! another alternative moves to it. Every way is walked from the start, so only one exists at a time, and
//! nothing is copied.
//!
//! Example: `min(i, 5)` has two ways: i, with the row i − 5 ≤ 0, and 5, with 5 − i ≤ 0.
//!
//! Cost: one walk for each combination of choices, through the chosen parts only; checking stops at the
//! first way without a proof.

use std::collections::BTreeMap;

use super::tree::{Expression, Relation, Term};
use super::{Pair, Partial};
use crate::budget::Budget;
use crate::claim::Question;
use crate::number::{Divisor, Integer};
use crate::refusal::TooLarge;
use crate::system::{Form, Row};

/// The cost of a task, and of a row.
const STEPS_A_TASK: u64 = 128;

/// A form and its ends.
pub(super) struct Bounded {
    form: Form,
    low: Option<Integer>,
    high: Option<Integer>,
}

impl Bounded {
    fn row(&self) -> Row<'_> {
        Row { form: &self.form, low: self.low.clone(), high: self.high.clone() }
    }
}

/// The choices of a way: which alternative, of how many.
#[derive(Default)]
pub(super) struct Choices {
    made: Vec<(usize, usize)>,
    /// How many of them this walk has passed.
    passed: usize,
}

impl Choices {
    /// The alternative chosen next: the first, unless this choice has been made already. With a single
    /// alternative there is no choice.
    fn next(&mut self, of: usize, budget: &Budget) -> Result<usize, TooLarge> {
        if of == 1 {
            return Ok(0);
        }
        self.passed += 1;
        if let Some((chosen, _)) = self.made.get(self.passed - 1) {
            return Ok(*chosen);
        }
        budget.entry::<(usize, usize)>()?;
        self.made.push((0, of));
        Ok(0)
    }

    /// Moves to the next way; returns whether there is one.
    pub(super) fn advance(&mut self) -> bool {
        self.passed = 0;
        while let Some((chosen, of)) = self.made.pop() {
            if chosen + 1 < of {
                self.made.push((chosen + 1, of));
                return true;
            }
        }
        false
    }
}

/// The rows of one way.
pub(super) struct Way {
    /// The number of all variables, quotients included.
    pub(super) variables: usize,
    rows: Vec<Bounded>,
}

impl Way {
    /// The rows of the ranges, then the way's own.
    pub(super) fn rows<'r>(&'r self, ranges: &'r [Bounded]) -> Vec<Row<'r>> {
        ranges.iter().chain(&self.rows).map(Bounded::row).collect()
    }
}

impl Pair {
    /// The rows of the ranges.
    pub(super) fn ranges(&self, budget: &Budget) -> Result<Vec<Bounded>, TooLarge> {
        let mut ranges = Vec::with_capacity(self.variables.len());
        for (number, variable) in self.variables.iter().enumerate() {
            budget.entry::<Bounded>()?;
            let (low, high) = (variable.first.clone(), variable.last.clone());
            ranges.push(Bounded { form: Form::variable(number, budget)?, low, high });
        }
        Ok(ranges)
    }

    /// The way with these choices; `None` if it is impossible.
    pub(super) fn way(
        &self,
        question: Question,
        choices: &mut Choices,
        budget: &Budget,
    ) -> Result<Option<Way>, TooLarge> {
        let (one, two) = (&self.one, &self.two);
        let tasks = match question {
            Question::Above | Question::Below => [
                Task::Valid(one, true),
                Task::Value(&one.value, one.value.place()),
                Task::Value(&two.value, two.value.place()),
                Task::Compare(match question {
                    Question::Above => Relation::Greater,
                    _ => Relation::Less,
                }),
            ]
            .to_vec(),
            Question::Lost => vec![Task::Valid(one, true), Task::Valid(two, false)],
            Question::Gained => vec![Task::Valid(two, true), Task::Valid(one, false)],
        };
        let first = self.variables.len();
        let tasks = tasks.into_iter().rev().collect();
        let (forms, rows, quotients) = (Vec::new(), Vec::new(), BTreeMap::new());
        let walk = Walk { tasks, forms, rows, quotients, first, choices, budget };
        walk.finished()
    }
}

/// A task that remains on a walk.
#[derive(Clone, Copy)]
enum Task<'a> {
    /// An expression is defined, or is not.
    Valid(&'a Partial, bool),
    /// Makes the form of a value.
    Value(&'a Expression, usize),
    /// A condition holds, or does not.
    Holds(&'a Expression, usize, bool),
    /// Continues with this part of a list of values, or of conditions.
    Values(&'a Expression, usize, usize),
    Conditions(&'a Expression, usize, bool, usize),
    /// Adds the last form to the one before.
    Add,
    /// Multiplies the last form.
    Times(&'a Integer),
    /// Divides the last form, for the quotient or for the remainder.
    Divide(&'a Divisor, bool),
    /// Puts the last form but one into this relation to the last.
    Compare(Relation),
}

/// A walk along one way.
struct Walk<'a, 'c> {
    /// The next task is the last.
    tasks: Vec<Task<'a>>,
    /// The forms that were made and are not used yet.
    forms: Vec<Form>,
    rows: Vec<Bounded>,
    /// The quotients so far, by form and divisor.
    quotients: BTreeMap<(Form, &'a Divisor), usize>,
    /// The number of the first quotient.
    first: usize,
    choices: &'c mut Choices,
    budget: &'c Budget,
}

impl<'a> Walk<'a, '_> {
    fn finished(mut self) -> Result<Option<Way>, TooLarge> {
        while let Some(task) = self.tasks.pop() {
            self.budget.spend(STEPS_A_TASK)?;
            let goes_on = match task {
                Task::Valid(of, holds) => match &of.valid {
                    Some(valid) => {
                        self.tasks.push(Task::Holds(valid, valid.place(), holds));
                        true
                    }
                    None => holds,
                },
                Task::Holds(of, place, holds) => self.condition(of, place, holds)?,
                Task::Conditions(of, place, holds, next) => {
                    let (Term::All(parts) | Term::Any(parts)) = &of.terms()[place] else {
                        continue;
                    };
                    if let Some(part) = parts.get(next) {
                        self.tasks.push(Task::Conditions(of, place, holds, next + 1));
                        self.tasks.push(Task::Holds(of, *part, holds));
                    }
                    true
                }
                task => {
                    self.work(task)?;
                    true
                }
            };
            if !goes_on {
                return Ok(None);
            }
        }
        Ok(Some(Way { variables: self.first + self.quotients.len(), rows: self.rows }))
    }

    /// Starts on a condition; returns whether it can be as required.
    fn condition(
        &mut self,
        of: &'a Expression,
        place: usize,
        holds: bool,
    ) -> Result<bool, TooLarge> {
        match &of.terms()[place] {
            Term::Not(a) => self.tasks.push(Task::Holds(of, *a, !holds)),
            term @ (Term::All(parts) | Term::Any(parts)) => {
                if matches!(term, Term::All(_)) == holds {
                    self.tasks.push(Task::Conditions(of, place, holds, 0));
                } else if parts.is_empty() {
                    return Ok(false);
                } else {
                    let chosen = self.choices.next(parts.len(), self.budget)?;
                    self.tasks.push(Task::Holds(of, parts[chosen], holds));
                }
            }
            Term::Compare(a, relation, b) => {
                let relation = if holds { *relation } else { relation.opposite() };
                self.tasks.extend([
                    Task::Compare(relation),
                    Task::Value(of, *b),
                    Task::Value(of, *a),
                ]);
            }
            // The reader never puts a value where a condition belongs.
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Carries out a task that makes or uses forms.
    fn work(&mut self, task: Task<'a>) -> Result<(), TooLarge> {
        match task {
            Task::Value(of, place) => self.value(of, place),
            Task::Values(of, place, next) => self.values(of, place, next),
            Task::Add => {
                let form = self.last();
                match self.forms.last_mut() {
                    Some(sum) => sum.add(&Integer::ONE, &form, self.budget),
                    None => Ok(()),
                }
            }
            Task::Times(by) => {
                let mut product = Form::default();
                product.add(by, &self.last(), self.budget)?;
                self.push(product)
            }
            Task::Divide(by, for_quotient) => self.divide(by, for_quotient),
            Task::Compare(relation) => {
                let b = self.last();
                let mut form = self.last();
                form.subtract(&b, self.budget)?;
                let (one, minus_one) = (Some(Integer::ONE), Some(Integer::from(-1)));
                let zero = Some(Integer::ZERO);
                let (low, high) = match relation {
                    Relation::Less => (None, minus_one),
                    Relation::AtMost => (None, zero),
                    Relation::Greater => (one, None),
                    Relation::AtLeast => (zero, None),
                    Relation::Equal => (zero.clone(), zero),
                    Relation::Unequal => match self.choices.next(2, self.budget)? {
                        0 => (None, minus_one),
                        _ => (one, None),
                    },
                };
                self.row(form, low, high)
            }
            Task::Valid(..) | Task::Holds(..) | Task::Conditions(..) => Ok(()),
        }
    }

    fn value(&mut self, of: &'a Expression, place: usize) -> Result<(), TooLarge> {
        match &of.terms()[place] {
            Term::Number(number) => self.push(Form::constant(number, self.budget)?)?,
            Term::Variable(variable) => self.push(Form::variable(*variable, self.budget)?)?,
            Term::Sum(_) => {
                self.push(Form::default())?;
                self.tasks.push(Task::Values(of, place, 0));
            }
            Term::Least(_) | Term::Greatest(_) => self.tasks.push(Task::Values(of, place, 0)),
            Term::Times(by, a) => self.tasks.extend([Task::Times(by), Task::Value(of, *a)]),
            Term::Quotient(a, by) => {
                self.tasks.extend([Task::Divide(by, true), Task::Value(of, *a)]);
            }
            Term::Rest(a, by) => self.tasks.extend([Task::Divide(by, false), Task::Value(of, *a)]),
            Term::Where(when, a, b) => {
                let holds = self.choices.next(2, self.budget)? == 0;
                self.tasks.push(Task::Value(of, if holds { *a } else { *b }));
                self.tasks.push(Task::Holds(of, *when, holds));
            }
            // The reader never puts a condition where a value belongs.
            Term::Compare(..) | Term::All(_) | Term::Any(_) | Term::Not(_) => {}
        }
        Ok(())
    }

    /// The parts of a sum are added one by one; those of a minimum or maximum are kept until the last.
    fn values(&mut self, of: &'a Expression, place: usize, next: usize) -> Result<(), TooLarge> {
        let (parts, sign) = match &of.terms()[place] {
            Term::Sum(parts) => (parts, None),
            Term::Least(parts) => (parts, Some(1)),
            Term::Greatest(parts) => (parts, Some(-1)),
            _ => return Ok(()),
        };
        let Some(part) = parts.get(next) else {
            return match sign {
                None => Ok(()),
                Some(sign) => self.extreme(parts.len(), &Integer::from(sign)),
            };
        };
        self.tasks.push(Task::Values(of, place, next + 1));
        if sign.is_none() {
            self.tasks.push(Task::Add);
        }
        self.tasks.push(Task::Value(of, *part));
        Ok(())
    }

    /// Chooses one of the last `count` forms, with sign·(it − another) ≤ 0 for all others.
    fn extreme(&mut self, count: usize, sign: &Integer) -> Result<(), TooLarge> {
        let chosen = self.choices.next(count, self.budget)?;
        let mut forms = self.forms.split_off(self.forms.len().saturating_sub(count));
        for (number, other) in forms.iter().enumerate() {
            if number != chosen {
                let mut ahead = Form::default();
                ahead.add(sign, &forms[chosen], self.budget)?;
                ahead.add(&(&Integer::ZERO - sign), other, self.budget)?;
                self.row(ahead, None, Some(Integer::ZERO))?;
            }
        }
        let form = forms.swap_remove(chosen);
        self.push(form)
    }

    fn divide(&mut self, by: &'a Divisor, for_quotient: bool) -> Result<(), TooLarge> {
        let form = self.last();
        // The lookup compares this many forms, each at most as long as this one.
        let looks = u64::from(self.quotients.len().checked_ilog2().unwrap_or(0)) + 1;
        self.budget.spend((form.length() + by.get().words()).saturating_mul(8 * looks))?;
        let key = (form, by);
        let known = self.quotients.get(&key).copied();
        let number = known.unwrap_or(self.quotients.len());
        let quotient = Form::variable(self.first + number, self.budget)?;
        let mut rest = key.0.copied(self.budget)?;
        rest.add(&(&Integer::ZERO - by.get()), &quotient, self.budget)?;
        if known.is_none() {
            let last = by.get() - &Integer::ONE;
            let form = rest.copied(self.budget)?;
            self.row(form, Some(Integer::ZERO), Some(last))?;
            self.budget.entry::<((Form, &Divisor), usize)>()?;
            self.quotients.insert(key, number);
        }
        self.push(if for_quotient { quotient } else { rest })
    }

    /// Keeps a form for later use.
    fn push(&mut self, form: Form) -> Result<(), TooLarge> {
        self.budget.entry::<Form>()?;
        self.forms.push(form);
        Ok(())
    }

    /// The last unused form, which exists wherever this is called.
    fn last(&mut self) -> Form {
        self.forms.pop().unwrap_or_default()
    }

    fn row(
        &mut self,
        form: Form,
        low: Option<Integer>,
        high: Option<Integer>,
    ) -> Result<(), TooLarge> {
        self.budget.entry::<Bounded>()?;
        self.budget.spend(STEPS_A_TASK)?;
        self.rows.push(Bounded { form, low, high });
        Ok(())
    }
}
