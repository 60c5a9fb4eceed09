//! The integer system of a chain: its digits and its value as linear forms.
//!
//! The variables are the index x of the last view, then a quotient for every axis but the first of every
//! view below, from the last view down and in each view from its last axis. The position passed to a view
//! is split digit by digit: each division leaves a quotient, and the digit is the remainder.
//!
//! Example: `(2,2)` seen through `(4)` has the variables x and q, the digits
//! x − 2q (axis 1) and q (axis 0), and the value 2q + (x − 2q) = x.
//!
//! Cost: one form per axis, with at most as many terms as there are axes above it. Coefficients are
//! products of strides and grow with every view, so forms are charged as they grow, and a chain that would
//! exceed the budget is refused.

use crate::budget::Budget;
use crate::number::Integer;
use crate::refusal::TooLarge;
use crate::view::View;

/// What a term costs in a growing list; the first one makes room for four.
const TERM: u64 = 3 * size_of::<(usize, Integer)>() as u64;
const FIRST_TERM: u64 = 4 * size_of::<(usize, Integer)>() as u64;

/// The steps for adding a term, in addition to its arithmetic.
const STEPS_A_TERM: u64 = 64;

/// The steps for moving a term.
const STEPS_A_MOVE: u64 = 8;

/// A linear form with a constant.
///
/// It is charged as it grows. Code that drops forms releases their charge.
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Form {
    /// The variables with coefficients that are not 0, in order.
    pub(crate) terms: Vec<(usize, Integer)>,
    pub(crate) constant: Integer,
}

impl Form {
    pub(crate) fn constant(constant: &Integer, budget: &Budget) -> Result<Form, TooLarge> {
        budget.hold(constant.heap())?;
        Ok(Form { terms: Vec::new(), constant: constant.clone() })
    }

    pub(crate) fn variable(variable: usize, budget: &Budget) -> Result<Form, TooLarge> {
        budget.hold(FIRST_TERM)?;
        budget.spend(STEPS_A_TERM)?;
        Ok(Form { terms: vec![(variable, Integer::ONE)], constant: Integer::ZERO })
    }

    /// The form with these coefficients, one for each variable, and no constant. The numbers have been
    /// charged already.
    pub(crate) fn of(coefficients: Vec<Integer>, budget: &Budget) -> Result<Form, TooLarge> {
        let terms = coefficients.into_iter().enumerate().filter(|(_, c)| !c.is_zero());
        let form = Form { terms: terms.collect(), constant: Integer::ZERO };
        budget.hold(form.bytes())?;
        budget.spend(form.terms.len() as u64 * STEPS_A_TERM)?;
        Ok(form)
    }

    /// A copy.
    pub(crate) fn copied(&self, budget: &Budget) -> Result<Form, TooLarge> {
        let numbers = self.terms.iter().map(|(_, c)| c.heap()).sum::<u64>();
        budget.hold(self.bytes() + numbers + self.constant.heap())?;
        budget.spend(self.length() * STEPS_A_TERM)?;
        Ok(Form { terms: self.terms.clone(), constant: self.constant.clone() })
    }

    /// The bytes of its terms, without what these hold on the heap.
    fn bytes(&self) -> u64 {
        match self.terms.len() as u64 {
            0 => 0,
            more => FIRST_TERM + (more - 1) * TERM,
        }
    }

    /// The length of all its numbers, which is the cost of scanning it.
    pub(crate) fn length(&self) -> u64 {
        self.terms.iter().map(|(_, c)| c.words()).sum::<u64>() + self.constant.words()
    }

    /// Adds a multiple of another form.
    pub(crate) fn add(
        &mut self,
        times: &Integer,
        other: &Form,
        budget: &Budget,
    ) -> Result<(), TooLarge> {
        grow(&mut self.constant, times, &other.constant, budget)?;
        for (variable, coefficient) in &other.terms {
            let found = self.terms.binary_search_by_key(variable, |(known, _)| *known);
            let (Ok(place) | Err(place)) = found;
            // Inserting or removing a term moves those after it.
            let after = (self.terms.len() - place) as u64;
            budget.spend(STEPS_A_TERM + STEPS_A_MOVE * after)?;
            if found.is_err() {
                budget.hold(if self.terms.is_empty() { FIRST_TERM } else { TERM })?;
                self.terms.insert(place, (*variable, Integer::ZERO));
            }
            let sum = &mut self.terms[place].1;
            grow(sum, times, coefficient, budget)?;
            if sum.is_zero() {
                self.terms.remove(place);
            }
        }
        Ok(())
    }

    /// Subtracts another form, once.
    pub(crate) fn subtract(&mut self, other: &Form, budget: &Budget) -> Result<(), TooLarge> {
        self.add(&Integer::from(-1), other, budget)
    }
}

/// Adds a multiple of a number to a sum.
fn grow(sum: &mut Integer, times: &Integer, by: &Integer, budget: &Budget) -> Result<(), TooLarge> {
    let before = sum.heap();
    *sum = budget.sum(sum, &budget.product(times, by)?)?;
    budget.hold(sum.heap().saturating_sub(before))
}

/// A row of the system: low ≤ form ≤ high, where an end may be missing.
pub(crate) struct Row<'a> {
    pub(crate) form: &'a Form,
    pub(crate) low: Option<Integer>,
    pub(crate) high: Option<Integer>,
}

impl<'a> Row<'a> {
    pub(crate) fn at_least(form: &'a Form, low: Integer) -> Row<'a> {
        Row { form, low: Some(low), high: None }
    }

    pub(crate) fn at_most(form: &'a Form, high: Integer) -> Row<'a> {
        Row { form, low: None, high: Some(high) }
    }

    /// The bytes that its ends hold on the heap.
    pub(crate) fn heap(&self) -> u64 {
        self.low.iter().chain(&self.high).map(Integer::heap).sum()
    }

    /// The form is in [lo, hi).
    fn within(form: &'a Form, (lo, hi): (Integer, Integer)) -> Row<'a> {
        Row { form, low: Some(lo), high: Some(&hi - &Integer::ONE) }
    }
}

/// A chain of views with its forms.
pub(crate) struct Chain<'a> {
    pub(crate) views: &'a [View],
    /// The digits of every view, by axis; those of the last view are the index.
    pub(crate) digits: Vec<Vec<Form>>,
    /// The position of the view next to memory.
    pub(crate) value: Form,
    /// One more than the number of its last variable.
    pub(crate) variables: usize,
}

impl<'a> Chain<'a> {
    /// The forms of a chain whose first quotient has this number, or that of its rank if it is larger.
    pub(crate) fn new(
        views: &'a [View],
        first_quotient: usize,
        budget: &Budget,
    ) -> Result<Chain<'a>, TooLarge> {
        let mut digits: Vec<Vec<Form>> = Vec::new();
        let (mut position, mut next) = (Form::default(), first_quotient);
        for view in views.iter().rev() {
            let rank = view.shape.len();
            budget.hold(((rank + 1) * size_of::<Form>()) as u64)?;
            let mut own = Vec::with_capacity(rank);
            if digits.is_empty() {
                for axis in 0..rank {
                    own.push(Form::variable(axis, budget)?);
                }
                next = next.max(rank);
            } else {
                let mut rest = position;
                for axis in (1..rank).rev() {
                    let quotient = Form::variable(next, budget)?;
                    next += 1;
                    rest.add(&(&Integer::ZERO - &view.shape[axis]), &quotient, budget)?;
                    own.push(rest);
                    rest = quotient;
                }
                if rank > 0 {
                    own.push(rest);
                }
                own.reverse();
            }
            position = Form::constant(&view.offset, budget)?;
            for (stride, digit) in view.strides.iter().zip(&own) {
                position.add(stride, digit, budget)?;
            }
            budget.entry::<Vec<Form>>()?;
            digits.push(own);
        }
        digits.reverse();
        Ok(Chain { views, digits, value: position, variables: next })
    }

    /// The number of the last view.
    pub(crate) fn top(&self) -> usize {
        self.views.len() - 1
    }

    /// Adds a row for every axis of the index, each in [lo, hi).
    pub(crate) fn box_rows<'b>(
        &'b self,
        intervals: &[(Integer, Integer)],
        rows: &mut Vec<Row<'b>>,
    ) {
        let axes = self.digits[self.top()].iter().zip(intervals);
        rows.extend(axes.map(|(form, interval)| Row::within(form, interval.clone())));
    }

    /// Adds the rows of the digits below the last view, all in their masks; with a hole, those of the views
    /// above it, and the rows of that view itself without its mask.
    pub(crate) fn digit_rows<'b>(&'b self, hole: Option<usize>, rows: &mut Vec<Row<'b>>) {
        let lowest = hole.unwrap_or(0);
        for number in (lowest..self.top()).rev() {
            let view = &self.views[number];
            for axis in (0..view.shape.len()).rev() {
                let interval = if hole == Some(number) {
                    (Integer::ZERO, view.shape[axis].clone())
                } else {
                    view.interval(axis)
                };
                rows.push(Row::within(&self.digits[number][axis], interval));
            }
        }
    }
}
