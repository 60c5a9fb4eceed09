//! A space of integer vectors, kept in reduced echelon form.
//!
//! Rows are primitive (no common divisor), with a positive leading entry in a column where every
//! other row has 0. So the rows are the reduced equations, a vector is in the space exactly when
//! elimination leaves nothing of it, and the orthogonal complement can be read off column by
//! column.
//!
//! Example: (1, −2, −3) and (1, −3, 0) span the same space as (1, 0, −9) and (0, 1, −3).
//!
//! Overflow policy: checked `i128`; [`Overflow`] if a number does not fit.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::number::{Number, Overflow};
use crate::vector::make_primitive;

/// The span of some integer vectors, over the rationals.
///
/// ```
/// use lattice_point::Echelon;
///
/// let mut space = Echelon::new(3);
/// assert!(space.insert(&[2, -4, -6])?);
/// assert!(!space.insert(&[-1, 2, 3])?);
/// assert_eq!(space.complement()?, [[2, 1, 0], [3, 0, 1]]);
/// # Ok::<(), lattice_point::Overflow>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Echelon {
    width: usize,
    /// The rows by the column of their leading entry.
    rows: BTreeMap<usize, Vec<i128>>,
}

impl Echelon {
    /// The space of the zero vector alone.
    ///
    /// ```
    /// assert_eq!(lattice_point::Echelon::new(2).rows().count(), 0);
    /// ```
    #[must_use]
    pub fn new(width: usize) -> Echelon {
        Echelon { width, rows: BTreeMap::new() }
    }

    /// The rows, leading column first.
    ///
    /// ```
    /// let mut space = lattice_point::Echelon::new(2);
    /// space.insert(&[4, 6])?;
    /// assert_eq!(space.rows().next(), Some(&[2, 3][..]));
    /// # Ok::<(), lattice_point::Overflow>(())
    /// ```
    pub fn rows(&self) -> impl Iterator<Item = &[i128]> {
        self.rows.values().map(Vec::as_slice)
    }

    /// What elimination leaves of a vector: nothing but zeros if it is in the space.
    fn rest(&self, vector: &[i128]) -> Result<Vec<i128>, Overflow> {
        let mut rest = vector.to_vec();
        self.rows.iter().try_for_each(|(&lead, row)| eliminate(&mut rest, lead, row))?;
        Ok(rest)
    }

    /// Whether a vector is in the space.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number does not fit.
    ///
    /// ```
    /// # use lattice_point::Echelon;
    /// let mut space = Echelon::new(2);
    /// space.insert(&[1, -2])?;
    /// assert!(space.contains(&[-3, 6])? && !space.contains(&[1, 1])?);
    /// # Ok::<(), lattice_point::Overflow>(())
    /// ```
    pub fn contains(&self, vector: &[i128]) -> Result<bool, Overflow> {
        Ok(self.rest(vector)?.iter().all(|entry| *entry == 0))
    }

    /// Adds a vector; returns whether it was not in the space already.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number does not fit.
    ///
    /// ```
    /// let mut space = lattice_point::Echelon::new(2);
    /// assert!(space.insert(&[1, 2])? && !space.insert(&[3, 6])?);
    /// # Ok::<(), lattice_point::Overflow>(())
    /// ```
    pub fn insert(&mut self, vector: &[i128]) -> Result<bool, Overflow> {
        let mut new = self.rest(vector)?;
        let Some(lead) = new.iter().position(|entry| *entry != 0) else { return Ok(false) };
        make_primitive(&mut new, lead)?;
        for (&column, row) in &mut self.rows {
            eliminate(row, lead, &new)?;
            make_primitive(row, column)?;
        }
        self.rows.insert(lead, new);
        Ok(true)
    }

    /// Integer vectors that span everything orthogonal to the space, one for each column without
    /// a leading entry.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number does not fit.
    ///
    /// ```
    /// let mut space = lattice_point::Echelon::new(3);
    /// space.insert(&[1, -3, 0])?;
    /// assert_eq!(space.complement()?, [[3, 1, 0], [0, 0, 1]]);
    /// # Ok::<(), lattice_point::Overflow>(())
    /// ```
    pub fn complement(&self) -> Result<Vec<Vec<i128>>, Overflow> {
        let free = (0..self.width).filter(|column| !self.rows.contains_key(column));
        free.map(|column| {
            let mut scale = 1i128;
            for (&lead, row) in &self.rows {
                let step = row[lead] / row[lead].gcd(&row[column])?;
                scale = (scale / scale.gcd(&step)?).times(&step)?;
            }
            let mut vector = vec![0; self.width];
            vector[column] = scale;
            for (&lead, row) in &self.rows {
                vector[lead] = row[column].times(&scale)?.negated()? / row[lead];
            }
            make_primitive(&mut vector, column)?;
            Ok(vector)
        })
        .collect()
    }
}

/// Makes the entry in the leading column of a row 0.
fn eliminate(vector: &mut [i128], column: usize, row: &[i128]) -> Result<(), Overflow> {
    let (entry, lead) = (vector[column], row[column]);
    if entry == 0 {
        return Ok(());
    }
    let common = entry.gcd(&lead)?;
    let (times, minus) = (lead / common, entry / common);
    for (x, r) in vector.iter_mut().zip(row) {
        *x = x.times(&times)?.minus(&r.times(&minus)?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces() {
        let mut space = Echelon::new(3);
        assert_eq!(space.complement(), Ok(vec![vec![1, 0, 0], vec![0, 1, 0], vec![0, 0, 1]]));
        assert_eq!(space.insert(&[2, -4, -6]), Ok(true));
        assert_eq!(space.insert(&[-1, 2, 3]), Ok(false));
        assert_eq!(space.complement(), Ok(vec![vec![2, 1, 0], vec![3, 0, 1]]));
        assert_eq!(space.insert(&[1, -3, 0]), Ok(true));
        assert!(space.rows().eq([&[1, 0, -9], &[0, 1, -3]]));
        assert_eq!(space.complement(), Ok(vec![vec![9, 3, 1]]));
        assert_eq!((space.insert(&[5, 5, 5]), space.rows.len()), (Ok(true), 3));
        assert_eq!(space.complement(), Ok(vec![]));
        assert_eq!(Echelon::new(2).insert(&[0, 0]), Ok(false));
    }

    #[test]
    fn complements_are_orthogonal() {
        for seed in 0..200i128 {
            let vector = |k: i128| -> Vec<i128> {
                (0..4).map(|j| (seed * 7919 + k * 104_729 + j * 1_299_709) % 13 - 6).collect()
            };
            let mut space = Echelon::new(4);
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
