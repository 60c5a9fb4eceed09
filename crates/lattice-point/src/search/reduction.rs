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

use alloc::vec::Vec;

use super::node::Node;
use crate::limit::{Halt, Meter};
use crate::number::Number;

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

/// Reduces the coordinates of a node for rows with these weights.
pub(super) fn reduce<N: Number>(
    node: &mut Node<N>,
    weights: &[f64],
    meter: &Meter<'_>,
) -> Result<(), Halt> {
    const SHORTER: f64 = 0.75;
    let width = node.width();
    let scaled = |node: &Node<N>, k: usize| {
        let rows = node.rows.iter().zip(weights);
        rows.map(|(row, weight)| row.row.form[k].approximate() * weight).collect()
    };
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
        basis.update(k, scaled(node, k));
        // Large multiples are inexact, so the column is checked again.
        for _ in 0..8 {
            let mut again = false;
            for j in (0..k).rev() {
                let part = basis.part[k][j];
                if part.abs() <= 0.5001 || !part.is_finite() {
                    continue;
                }
                // Saturates; a poor choice of direction is all that can come of it.
                let r = N::from((part + if part < 0.0 { -0.5 } else { 0.5 }) as i128);
                node.subtract(k, j, &r)?;
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
            basis.update(k, scaled(node, k));
        }
        if k > 0 {
            let part = basis.part[k][k - 1];
            if basis.length[k] < (SHORTER - part * part) * basis.length[k - 1] {
                node.swap(k, k - 1);
                k -= 1;
                continue;
            }
        }
        k += 1;
    }
    Ok(())
}
