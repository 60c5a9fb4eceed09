//! A node of the search: rows over its free coordinates, and what these are in terms of the variables.

use alloc::vec::Vec;

use super::Found;
use crate::limit::{Halt, Meter};
use crate::lp::{Multiples, Tableau};
use crate::number::{Big, Number, Overflow};
use crate::proof::{Origin, RowRef, Trail, big_list};
use crate::row::{Row, Side, System};
use crate::vector::{add_multiple, unit};

/// A row over the free coordinates of a node.
#[derive(Debug, Clone)]
pub(super) struct Working<N> {
    pub row: Row<N>,
    /// Where the low and the high end come from; empty if no proof is written.
    pub from: Vec<Origin>,
}

impl<N: Number> Working<N> {
    /// The same row with the last coordinate set to a value.
    fn fix_last(&mut self, value: &N) -> Result<(), Overflow> {
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
}

/// A coordinate that has no value yet.
#[derive(Debug, Clone)]
pub(super) struct Coordinate<N> {
    /// How the point moves with it.
    pub column: Vec<N>,
    /// The coordinate as a form of the variables; empty if no proof is written.
    pub dual: Vec<N>,
}

/// How well the coordinates of a node suit its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Raw,
    /// Reduced with the widths the rows are given.
    Reduced,
    /// Reduced with the widths the rows really have.
    Fitted,
}

/// Rows, and the coordinates that they are about.
#[derive(Debug, Clone)]
pub(super) struct Node<N> {
    pub rows: Vec<Working<N>>,
    pub free: Vec<Coordinate<N>>,
    /// The point all of whose free coordinates are 0.
    pub origin: Vec<N>,
    pub shape: Shape,
    /// If a proof is written.
    pub trail: Option<Trail>,
}

impl<N: Number> Node<N> {
    /// The coordinates are the variables; `prove` if a proof is written.
    pub(super) fn new(system: System<N>, prove: bool) -> Node<N> {
        let variables = system.variables;
        let given = |(number, row): (usize, Row<N>)| {
            let ends = || Origin::both(RowRef::Given(number), &big_list(&row.form));
            Working { from: if prove { ends() } else { Vec::new() }, row }
        };
        let coordinate = |k: usize| {
            let column = unit(variables, k);
            Coordinate { dual: if prove { column.clone() } else { Vec::new() }, column }
        };
        Node {
            rows: system.rows.into_iter().enumerate().map(given).collect(),
            free: (0..variables).map(coordinate).collect(),
            origin: vec![N::ZERO; variables],
            shape: Shape::Raw,
            trail: prove.then(Trail::default),
        }
    }

    pub(super) fn width(&self) -> usize {
        self.free.len()
    }

    /// Column k takes up −r times column j.
    pub(super) fn subtract(&mut self, k: usize, j: usize, r: &N) -> Result<(), Overflow> {
        let minus_r = r.negated()?;
        if let Ok([changed, other]) = self.free.get_disjoint_mut([k, j]) {
            add_multiple(&mut changed.column, &minus_r, &other.column)?;
            add_multiple(&mut other.dual, r, &changed.dual)?;
        }
        for Working { row: Row { form, .. }, .. } in &mut self.rows {
            if !form[j].is_zero() {
                form[k] = form[k].plus(&minus_r.times(&form[j])?)?;
            }
        }
        Ok(())
    }

    /// Exchanges two coordinates.
    pub(super) fn swap(&mut self, k: usize, j: usize) {
        self.free.swap(k, j);
        self.rows.iter_mut().for_each(|row| row.row.form.swap(k, j));
    }

    /// Sets the last coordinate to a value: one coordinate less.
    pub(super) fn fix_last(&mut self, value: &N) -> Result<(), Overflow> {
        if let Some(last) = self.free.pop() {
            add_multiple(&mut self.origin, value, &last.column)?;
        }
        self.rows.iter_mut().try_for_each(|row| row.fix_last(value))
    }

    /// The point at these values of the free coordinates.
    pub(super) fn point(&self, values: &[N]) -> Result<Vec<N>, Overflow> {
        let mut point = self.origin.clone();
        for (value, coordinate) in values.iter().zip(&self.free) {
            add_multiple(&mut point, value, &coordinate.column)?;
        }
        Ok(point)
    }

    /// Where the ends of rows that are added up come from, each with its multiple.
    pub(super) fn origins(&self, multiples: &[(usize, Side, N)]) -> Vec<(Origin, Big)> {
        let origin = |(row, side, times): &(usize, Side, N)| {
            (self.rows[*row].from[*side as usize].clone(), times.clone().into())
        };
        multiples.iter().map(origin).collect()
    }

    /// No point, with a leaf of the proof if one is written.
    pub(super) fn nothing(&self, because: &[(usize, Side, N)]) -> Found<N> {
        Err(self.trail.as_ref().map(|trail| trail.absurd(&self.origins(because))))
    }

    /// The coordinates in groups that have no row in common.
    pub(super) fn groups(&self) -> Vec<Vec<usize>> {
        let width = self.width();
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

    /// A group of coordinates and their rows, the other coordinates at 0.
    pub(super) fn restricted(&self, group: &[usize]) -> Node<N> {
        let about = |row: &&Working<N>| group.iter().any(|&k| !row.row.form[k].is_zero());
        let narrowed = |row: &Working<N>| {
            let form = group.iter().map(|&k| row.row.form[k].clone()).collect();
            let (low, high) = (row.row.low.clone(), row.row.high.clone());
            Working { row: Row { form, low, high }, from: row.from.clone() }
        };
        Node {
            rows: self.rows.iter().filter(about).map(narrowed).collect(),
            free: group.iter().map(|&k| self.free[k].clone()).collect(),
            origin: self.origin.clone(),
            trail: self.trail.clone(),
            shape: self.shape,
        }
    }

    /// A vertex of the linear program of the rows, with others to follow, or why there is none.
    pub(super) fn vertex<'a>(
        &'a self,
        followed: &'a [Row<N>],
        meter: &Meter<'_>,
    ) -> Result<Result<Tableau<'a, N>, Multiples<N>>, Halt> {
        let rows = self.rows.iter().map(|row| &row.row);
        Tableau::vertex(self.width(), rows.chain(followed), meter)
    }
}
