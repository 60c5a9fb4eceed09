//! Small exact linear algebra: a space of integer vectors, kept in reduced form.
//!
//! Rows are primitive (no common divisor), with a positive leading entry in a
//! column where every other row has 0. So the rows are the reduced equations,
//! a vector is in the space exactly when elimination leaves nothing of it, and
//! the orthogonal complement can be read off column by column.
//!
//! Overflow policy: checked `i128`; [`Overflow`] if a number does not fit.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::formula::{Style, Sum, Symbol};
use crate::arith::gcd_wide as gcd;

/// A number did not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Overflow;

/// The span of some integer vectors.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Space {
    width: usize,
    rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Row {
    lead: usize,
    entries: Vec<i128>,
}

impl Space {
    /// The space of the zero vector alone.
    pub(crate) fn new(width: usize) -> Space {
        Space { width, rows: Vec::new() }
    }

    /// The rows as sums of strides, the last column a plain number.
    pub(crate) fn sums(&self) -> impl Iterator<Item = Sum> + '_ {
        let symbol = |column| match column {
            _ if column + 1 == self.width => Symbol::One,
            _ => Symbol::Stride(column),
        };
        self.rows.iter().map(move |row| {
            let terms = row.entries.iter().enumerate().filter(|(_, entry)| **entry != 0);
            terms.map(|(column, &entry)| (entry, symbol(column))).collect()
        })
    }

    /// The rows as equations, the last column a constant.
    pub(crate) fn solved(&self, style: Style) -> Vec<String> {
        self.sums().map(|sum| style.solved(&sum)).collect()
    }

    /// Adds a vector; says whether it was not in the space already.
    pub(crate) fn insert(&mut self, vector: &[i128]) -> Result<bool, Overflow> {
        let mut new = vector.to_vec();
        for row in &self.rows {
            eliminate(&mut new, row)?;
        }
        let Some(lead) = new.iter().position(|entry| *entry != 0) else { return Ok(false) };
        make_primitive(&mut new, lead);
        let row = Row { lead, entries: new };
        for old in &mut self.rows {
            eliminate(&mut old.entries, &row)?;
            make_primitive(&mut old.entries, old.lead);
        }
        self.rows.push(row);
        self.rows.sort_by_key(|row| row.lead);
        Ok(true)
    }

    /// Integer vectors that span everything orthogonal to the space, one for
    /// each column without a leading entry.
    pub(crate) fn complement(&self) -> Result<Vec<Vec<i128>>, Overflow> {
        let is_lead = |column: &usize| self.rows.iter().any(|row| row.lead == *column);
        let free = (0..self.width).filter(|column| !is_lead(column));
        free.map(|column| {
            let mut scale = 1i128;
            for row in &self.rows {
                let lead = row.entries[row.lead];
                let step = lead / gcd(lead, row.entries[column].abs());
                scale = (scale / gcd(scale, step)).checked_mul(step).ok_or(Overflow)?;
            }
            let mut vector = vec![0; self.width];
            vector[column] = scale;
            for row in &self.rows {
                let term = row.entries[column].checked_mul(scale).ok_or(Overflow)?;
                vector[row.lead] = -term / row.entries[row.lead];
            }
            make_primitive(&mut vector, column);
            Ok(vector)
        })
        .collect()
    }
}

/// Makes the entry at the row's leading column 0.
fn eliminate(vector: &mut [i128], row: &Row) -> Result<(), Overflow> {
    let (entry, lead) = (vector[row.lead], row.entries[row.lead]);
    if entry == 0 {
        return Ok(());
    }
    let common = gcd(entry.abs(), lead);
    let (times, minus) = (lead / common, entry / common);
    for (x, &r) in vector.iter_mut().zip(&row.entries) {
        let scaled = x.checked_mul(times).ok_or(Overflow)?;
        let removed = r.checked_mul(minus).ok_or(Overflow)?;
        *x = scaled.checked_sub(removed).ok_or(Overflow)?;
    }
    Ok(())
}

/// Divides by the common divisor, and makes the entry at `lead` positive.
pub(crate) fn make_primitive(vector: &mut [i128], lead: usize) {
    let common = vector.iter().fold(0, |common, entry| gcd(common, entry.abs()));
    let divisor = if vector[lead] < 0 { -common } else { common };
    if divisor != 0 {
        vector.iter_mut().for_each(|entry| *entry /= divisor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces() {
        let mut space = Space::new(3);
        assert_eq!(space.complement(), Ok(vec![vec![1, 0, 0], vec![0, 1, 0], vec![0, 0, 1]]));
        assert_eq!(space.insert(&[2, -4, -6]), Ok(true));
        assert_eq!(space.insert(&[-1, 2, 3]), Ok(false));
        assert_eq!(space.complement(), Ok(vec![vec![2, 1, 0], vec![3, 0, 1]]));
        assert_eq!(space.insert(&[1, -3, 0]), Ok(true));
        let rows: Vec<_> = space.rows.iter().map(|row| row.entries.clone()).collect();
        assert_eq!(rows, [[1, 0, -9], [0, 1, -3]]);
        assert_eq!(space.complement(), Ok(vec![vec![9, 3, 1]]));
        assert_eq!((space.insert(&[5, 5, 5]), space.rows.len()), (Ok(true), 3));
        assert_eq!(space.complement(), Ok(vec![]));
        assert_eq!(Space::new(2).insert(&[0, 0]), Ok(false));
    }

    #[test]
    fn complements_are_orthogonal() {
        for seed in 0..200i128 {
            let vector = |k: i128| -> Vec<i128> {
                (0..4).map(|j| (seed * 7919 + k * 104_729 + j * 1_299_709) % 13 - 6).collect()
            };
            let mut space = Space::new(4);
            for k in 0..2 {
                space.insert(&vector(k)).expect("small");
            }
            let complement = space.complement().expect("small");
            assert_eq!(complement.len(), 4 - space.rows.len());
            for other in &complement {
                for k in 0..2 {
                    let product: i128 = vector(k).iter().zip(other).map(|(a, b)| a * b).sum();
                    assert_eq!(product, 0);
                }
            }
        }
    }
}
