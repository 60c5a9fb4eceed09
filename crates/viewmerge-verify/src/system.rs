//! The integer system of a chain: its digits and its value as linear forms.
//!
//! The variables are the index x of the last view, then a quotient for every
//! axis but the first of every view below, from the last view down and in each
//! view from its last axis. The position handed down is taken apart digit by
//! digit: what is left of it is a quotient, and the digit is the rest.
//!
//! Example: `(2,2)` seen through `(4)` has the variables x and q, the digits
//! x − 2q (axis 1) and q (axis 0), and the value 2q + (x − 2q) = x.
//!
//! Cost: a form per axis, with at most as many terms as there are axes above it.
//! Coefficients are products of strides and grow with every view, so what the
//! forms take is counted, and a chain that would take too much is refused.

use std::collections::BTreeMap;

use crate::number::Integer;
use crate::refusal::Refusal;
use crate::view::View;

/// The most bytes that the forms of a certificate may take.
const MOST_BYTES: u64 = 1 << 28;

/// A linear form with a constant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Form {
    /// The coefficients that are not 0, by variable.
    pub(crate) terms: BTreeMap<usize, Integer>,
    pub(crate) constant: Integer,
}

impl Form {
    pub(crate) fn constant(constant: &Integer) -> Form {
        Form { terms: BTreeMap::new(), constant: constant.clone() }
    }

    pub(crate) fn variable(variable: usize) -> Form {
        Form { terms: BTreeMap::from([(variable, Integer::ONE)]), constant: Integer::ZERO }
    }

    /// The form with these coefficients, one for each variable, and no constant.
    pub(crate) fn of(coefficients: Vec<Integer>) -> Form {
        let terms = coefficients.into_iter().enumerate().filter(|(_, c)| !c.is_zero());
        Form { terms: terms.collect(), constant: Integer::ZERO }
    }

    /// Adds so many times another form.
    pub(crate) fn add(&mut self, times: &Integer, other: &Form) {
        self.constant = &self.constant + &(times * &other.constant);
        for (variable, coefficient) in &other.terms {
            let sum = self.terms.entry(*variable).or_default();
            *sum = &*sum + &(times * coefficient);
            if sum.is_zero() {
                self.terms.remove(variable);
            }
        }
    }

    fn bytes(&self) -> u64 {
        let key = size_of::<usize>() as u64;
        let terms = self.terms.values().map(|coefficient| key + coefficient.bytes());
        size_of::<Form>() as u64 + self.constant.bytes() + terms.sum::<u64>()
    }
}

/// What the forms have taken so far.
#[derive(Default)]
pub(crate) struct Memory(u64);

impl Memory {
    pub(crate) fn hold(&mut self, form: Form) -> Result<Form, Refusal> {
        self.count(&form)?;
        Ok(form)
    }

    /// Counts what a form takes.
    pub(crate) fn count(&mut self, form: &Form) -> Result<(), Refusal> {
        self.0 += form.bytes();
        if self.0 > MOST_BYTES {
            return Err(Refusal::TooLarge { limit: MOST_BYTES });
        }
        Ok(())
    }
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

    /// The form is in [lo, hi).
    fn within(form: &'a Form, (lo, hi): (Integer, Integer)) -> Row<'a> {
        Row { form, low: Some(lo), high: Some(&hi - &Integer::ONE) }
    }
}

/// A chain of views and its forms.
pub(crate) struct Chain<'a> {
    pub(crate) views: &'a [View],
    /// The digits of every view, by axis; those of the last view are the index.
    pub(crate) digits: Vec<Vec<Form>>,
    /// The position of the view next to memory.
    pub(crate) value: Form,
    /// The number after that of its last variable.
    pub(crate) variables: usize,
}

impl<'a> Chain<'a> {
    /// The forms of a chain whose first quotient has this number, or that of its rank if that is more.
    pub(crate) fn new(
        views: &'a [View],
        first_quotient: usize,
        memory: &mut Memory,
    ) -> Result<Chain<'a>, Refusal> {
        let mut digits: Vec<Vec<Form>> = vec![Vec::new(); views.len()];
        let (mut position, mut next) = (Form::default(), first_quotient);
        for (number, view) in views.iter().enumerate().rev() {
            let rank = view.shape.len();
            if number + 1 == views.len() {
                digits[number] = (0..rank).map(Form::variable).collect();
                next = next.max(rank);
            } else {
                let mut rest = position;
                for axis in (1..rank).rev() {
                    let quotient = Form::variable(next);
                    next += 1;
                    rest.add(&(&Integer::ZERO - &view.shape[axis]), &quotient);
                    digits[number].push(memory.hold(rest)?);
                    rest = quotient;
                }
                if rank > 0 {
                    digits[number].push(memory.hold(rest)?);
                }
                digits[number].reverse();
            }
            position = Form::constant(&view.offset);
            for (stride, digit) in view.strides.iter().zip(&digits[number]) {
                position.add(stride, digit);
            }
        }
        let value = memory.hold(position)?;
        Ok(Chain { views, digits, value, variables: next })
    }

    /// The number of the last view.
    pub(crate) fn top(&self) -> usize {
        self.views.len() - 1
    }

    /// Adds a row for every axis of the index, in [lo, hi) each.
    pub(crate) fn box_rows<'b>(
        &'b self,
        intervals: &[(Integer, Integer)],
        rows: &mut Vec<Row<'b>>,
    ) {
        let axes = self.digits[self.top()].iter().zip(intervals);
        rows.extend(axes.map(|(form, interval)| Row::within(form, interval.clone())));
    }

    /// Adds the rows of the digits below the last view, all in their masks; with
    /// a hole, those of the views above it, and that view's own without its mask.
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
