//! Lattice reduction: coordinates in which the solutions of rows are round.
//!
//! The integer points y are counted in another basis, so that the rows, each
//! divided by its width, change little along every new coordinate and along the
//! last one most: then few values of the last coordinate are possible. This is
//! the algorithm of Lenstra, Lenstra and Lovász on the vectors
//! (row_i(b_k) / width_i)_i.
//!
//! The basis and the rows change by adding integer multiples of one column to
//! another and by exchanging two, in exact arithmetic, so whatever is done the
//! new coordinates count the same points. Floating point only says *which*
//! multiple and when to exchange: a bad choice costs time, never an answer.
//!
//! Cost: a few dozen column operations for the systems of chains.

use alloc::vec;
use alloc::vec::Vec;

use crate::limit::{Halt, Meter};
use crate::number::{Number, Overflow};

/// What the coordinates of a search are in terms of the variables of the system.
#[derive(Debug, Clone)]
pub(super) struct Coordinates<N> {
    /// The point all of whose free coordinates are 0.
    pub origin: Vec<N>,
    /// How the point moves with each free coordinate.
    pub columns: Vec<Vec<N>>,
    /// Each free coordinate as a form of the variables.
    pub duals: Vec<Vec<N>>,
}

impl<N: Number> Coordinates<N> {
    pub(super) fn identity(width: usize) -> Coordinates<N> {
        let unit = |k: usize| {
            let mut unit = vec![N::ZERO; width];
            unit[k] = N::ONE;
            unit
        };
        let units: Vec<Vec<N>> = (0..width).map(unit).collect();
        Coordinates { origin: vec![N::ZERO; width], columns: units.clone(), duals: units }
    }

    /// Some of the free coordinates, the others at 0.
    pub(super) fn restricted(&self, group: &[usize]) -> Coordinates<N> {
        Coordinates {
            origin: self.origin.clone(),
            columns: group.iter().map(|&k| self.columns[k].clone()).collect(),
            duals: group.iter().map(|&k| self.duals[k].clone()).collect(),
        }
    }

    pub(super) fn width(&self) -> usize {
        self.columns.len()
    }

    /// Column k takes up −r times column j.
    fn subtract(&mut self, k: usize, j: usize, r: &N) -> Result<(), Overflow> {
        for i in 0..self.origin.len() {
            let change = r.times(&self.columns[j][i])?;
            self.columns[k][i] = self.columns[k][i].minus(&change)?;
            let change = r.times(&self.duals[k][i])?;
            self.duals[j][i] = self.duals[j][i].plus(&change)?;
        }
        Ok(())
    }

    fn swap(&mut self, k: usize, j: usize) {
        self.columns.swap(k, j);
        self.duals.swap(k, j);
    }

    /// Sets the last coordinate to a value: one coordinate less.
    pub(super) fn fix_last(&mut self, value: &N) -> Result<Vec<N>, Overflow> {
        let column = self.columns.pop().unwrap_or_default();
        self.duals.pop();
        for (to, by) in self.origin.iter_mut().zip(&column) {
            *to = to.plus(&value.times(by)?)?;
        }
        Ok(column)
    }

    /// The point at these values of the free coordinates.
    pub(super) fn point(&self, values: &[N]) -> Result<Vec<N>, Overflow> {
        let mut point = self.origin.clone();
        for (value, column) in values.iter().zip(&self.columns) {
            for (to, by) in point.iter_mut().zip(column) {
                *to = to.plus(&value.times(by)?)?;
            }
        }
        Ok(point)
    }
}

/// Forms over the free coordinates, which change along with them.
pub(super) trait Forms<N> {
    fn each(
        &mut self,
        change: &mut dyn FnMut(&mut Vec<N>) -> Result<(), Overflow>,
    ) -> Result<(), Overflow>;
}

/// Column k −= r·column j, in the coordinates and in all forms.
pub(super) fn subtract<N: Number>(
    forms: &mut impl Forms<N>,
    coordinates: &mut Coordinates<N>,
    k: usize,
    j: usize,
    r: &N,
) -> Result<(), Overflow> {
    coordinates.subtract(k, j, r)?;
    forms.each(&mut |form| {
        if !form[j].is_zero() {
            form[k] = form[k].minus(&r.times(&form[j])?)?;
        }
        Ok(())
    })
}

/// Exchanges two coordinates.
pub(super) fn swap<N: Number>(
    forms: &mut impl Forms<N>,
    coordinates: &mut Coordinates<N>,
    k: usize,
    j: usize,
) -> Result<(), Overflow> {
    coordinates.swap(k, j);
    forms.each(&mut |form| {
        form.swap(k, j);
        Ok(())
    })
}

/// The Gram–Schmidt vectors of columns, approximately.
struct Orthogonal {
    vectors: Vec<Vec<f64>>,
    length: Vec<f64>,
    /// How much of vector j is in column k, j < k.
    part: Vec<Vec<f64>>,
}

impl Orthogonal {
    /// Computes the vector of column k from those before it.
    fn update(&mut self, k: usize, column: Vec<f64>) {
        let mut vector = column;
        for j in 0..k {
            let dot: f64 = vector.iter().zip(&self.vectors[j]).map(|(a, b)| a * b).sum();
            let part = if self.length[j] > 0.0 { dot / self.length[j] } else { 0.0 };
            self.part[k][j] = part;
            for (to, by) in vector.iter_mut().zip(&self.vectors[j]) {
                *to -= part * by;
            }
        }
        self.length[k] = vector.iter().map(|a| a * a).sum();
        self.vectors[k] = vector;
    }
}

/// Reduces the coordinates for forms weighed by 1/width, as `scaled` gives them for a column.
pub(super) fn reduce<N: Number, F: Forms<N>>(
    forms: &mut F,
    coordinates: &mut Coordinates<N>,
    scaled: impl Fn(&F, usize) -> Vec<f64>,
    meter: &Meter<'_>,
) -> Result<(), Halt> {
    const SHORTER: f64 = 0.75;
    let width = coordinates.width();
    let mut basis = Orthogonal {
        vectors: vec![Vec::new(); width],
        length: vec![0.0; width],
        part: vec![vec![0.0; width]; width],
    };
    // Rounding errors could keep it from ending.
    let mut patience = 50 * width * width + 200;
    let mut k = 0;
    while k < width && patience > 0 {
        patience -= 1;
        meter.look()?;
        basis.update(k, scaled(forms, k));
        // Large multiples are inexact, so the column is checked again.
        for _ in 0..8 {
            let mut again = false;
            for j in (0..k).rev() {
                let part = basis.part[k][j];
                if part.abs() <= 0.5001 || !part.is_finite() {
                    continue;
                }
                let r = N::nearest(part);
                subtract(forms, coordinates, k, j, &r)?;
                let r = r.approximate();
                again |= r.abs() > 1e6;
                for l in 0..j {
                    basis.part[k][l] -= r * basis.part[j][l];
                }
                basis.part[k][j] -= r;
            }
            if !again {
                break;
            }
            basis.update(k, scaled(forms, k));
        }
        if k > 0 {
            let part = basis.part[k][k - 1];
            if basis.length[k] < (SHORTER - part * part) * basis.length[k - 1] {
                swap(forms, coordinates, k, k - 1)?;
                k -= 1;
                continue;
            }
        }
        k += 1;
    }
    Ok(())
}
