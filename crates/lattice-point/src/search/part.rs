//! The rows of a node, over its free coordinates.

use alloc::vec::Vec;

use crate::lp::Tableau;
use crate::number::{Big, Number, Overflow};
use crate::proof::{Origin, Recorder, RowRef};
use crate::reduction::Forms;
use crate::row::{Row, Side};

/// A row over the free coordinates of a node.
#[derive(Debug, Clone)]
pub(super) struct Working<N> {
    pub row: Row<N>,
    /// Where the low and the high end come from; used only if a proof is written.
    pub from: [Origin<N>; 2],
}

impl<N: Number> Working<N> {
    pub(super) fn given(number: usize, row: Row<N>, recorder: Option<&mut Recorder>) -> Working<N> {
        let from = match recorder {
            None => [(); 2].map(|()| Origin { source: 0, scale: N::ONE }),
            Some(recorder) => {
                let form: Vec<Big> = row.form.iter().map(Number::big).collect();
                let given = RowRef::Given(number);
                [Side::Low, Side::High].map(|side| recorder.source(given, side, form.clone()))
            }
        };
        Working { row, from }
    }

    /// The same row with the last coordinate set to a value.
    pub(super) fn fix_last(&mut self, value: &N) -> Result<(), Overflow> {
        let Some(coefficient) = self.row.form.pop() else { return Ok(()) };
        if coefficient.is_zero() || value.is_zero() {
            return Ok(());
        }
        let shift = coefficient.times(value)?;
        for end in [&mut self.row.low, &mut self.row.high].into_iter().flatten() {
            *end = end.minus(&shift)?;
        }
        Ok(())
    }

    /// 1/width, or 0 for a row without one.
    pub(super) fn weight(&self) -> Result<f64, Overflow> {
        Ok(match (&self.row.low, &self.row.high) {
            (Some(low), Some(high)) => 1.0 / high.minus(low)?.approximate().max(1.0),
            _ => 0.0,
        })
    }

    /// The greatest common divisor of the coefficients.
    pub(super) fn divisor(&self) -> Result<N, Overflow> {
        let mut divisor = N::ZERO;
        for entry in &self.row.form {
            divisor = divisor.gcd(entry)?;
            if divisor == N::ONE {
                break;
            }
        }
        Ok(divisor)
    }
}

/// The rows of a node.
#[derive(Debug, Clone)]
pub(super) struct Part<N> {
    pub rows: Vec<Working<N>>,
}

impl<N> Forms<N> for Part<N> {
    fn each(
        &mut self,
        change: &mut dyn FnMut(&mut Vec<N>) -> Result<(), Overflow>,
    ) -> Result<(), Overflow> {
        self.rows.iter_mut().map(|row| &mut row.row.form).try_for_each(change)
    }
}

impl<N: Number> Part<N> {
    /// Where the ends of rows that are added up come from, each with its multiple.
    pub(super) fn origins(&self, multiples: &[(usize, Side, N)]) -> Vec<(Origin<N>, N)> {
        let origin = |(row, side, times): &(usize, Side, N)| {
            (self.rows[*row].from[*side as usize].clone(), times.clone())
        };
        multiples.iter().map(origin).collect()
    }

    pub(super) fn fix_last(&mut self, value: &N) -> Result<(), Overflow> {
        self.rows.iter_mut().try_for_each(|row| row.fix_last(value))
    }

    /// The coordinates in groups that have no row in common.
    pub(super) fn groups(&self, width: usize) -> Vec<Vec<usize>> {
        let mut group: Vec<usize> = (0..width).collect();
        for row in &self.rows {
            let mut moving = (0..width).filter(|&k| !row.row.form[k].is_zero());
            let Some(first) = moving.next() else { continue };
            for other in moving {
                let (to, from) = (group[first], group[other]);
                group.iter_mut().filter(|known| **known == from).for_each(|known| *known = to);
            }
        }
        let members = |name| (0..width).filter(|&k| group[k] == name).collect::<Vec<usize>>();
        // The row that makes the question is the last one, and the most likely to be impossible.
        let asked = self.rows.last().and_then(|row| row.row.form.iter().position(|c| !c.is_zero()));
        let first = asked.map(|k| group[k]);
        let others = (0..width).filter(|&name| Some(name) != first);
        let groups = first.into_iter().chain(others).map(members);
        groups.filter(|members| !members.is_empty()).collect()
    }

    /// The rows of a group of coordinates, over these alone.
    pub(super) fn restricted(&self, group: &[usize]) -> Part<N> {
        let about = |row: &&Working<N>| group.iter().any(|&k| !row.row.form[k].is_zero());
        let narrowed = |row: &Working<N>| {
            let form = group.iter().map(|&k| row.row.form[k].clone()).collect();
            let (low, high) = (row.row.low.clone(), row.row.high.clone());
            Working { row: Row { form, low, high }, from: row.from.clone() }
        };
        let rows = self.rows.iter().filter(about).map(narrowed);
        Part { rows: rows.collect() }
    }

    /// The linear program: the rows of the node, and forms to follow.
    pub(super) fn tableau(&self, width: usize, forms: &[&[N]]) -> Result<Tableau<N>, Overflow> {
        Tableau::new(width, self.rows.iter().map(|row| &row.row), forms)
    }
}
