//! All integer solutions of linear equations: one of them, and a basis of the
//! steps that lead to all others.
//!
//! Running example: 2x = 3y has the solutions t·(3, 2) for every integer t, and
//! 3x = 1 has none, although 1/3 is a rational one.
//!
//! The solutions so far are x = particular + Σ t_r·basis_r. An equation in x is
//! an equation Σ g_r·t_r = e in the t. Euclid's algorithm on the g changes the
//! basis until one g, their greatest common divisor, is left; it must divide e,
//! and then that t is fixed and its vector leaves the basis.
//!
//! At the end the basis is in Hermite form, read from the last column: each
//! vector has a *pivot*, the last column in which it is not 0, no two vectors the
//! same; the entry there is positive, and the particular solution and the other
//! vectors have an entry from 0 up to it in that column. So the form is unique,
//! and where the pivot entry is 1 the unknown of that column is itself the
//! parameter.
//!
//! Cost: for k unknowns and r equations O(r·k²) operations and as many for each
//! digit of the numbers. Overflow policy: checked `i128`.

use alloc::vec::Vec;

use crate::number::{Number, Overflow};
use crate::vector::{euclid, product, subtract, unit};

/// The integer solutions of the equations met so far.
///
/// ```
/// use lattice_point::Hermite;
///
/// let mut solutions = Hermite::new(&[None, None, Some(4)]);
/// solutions.meet(&[2, -3, -1])?.unwrap();
/// let (particular, basis) = solutions.parts();
/// assert_eq!(particular, [2, 0, 4]);
/// assert_eq!(basis, [[3, 2, 0]]);
/// # Ok::<(), lattice_point::Overflow>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hermite {
    particular: Vec<i128>,
    basis: Vec<Vec<i128>>,
}

/// Why equations have no integer solution.
///
/// ```
/// use lattice_point::{Hermite, Unsolvable};
///
/// let mut solutions = Hermite::new(&[None, Some(1)]);
/// assert_eq!(solutions.meet(&[3, -1])?, Err(Unsolvable::NoIntegers));
/// # Ok::<(), lattice_point::Overflow>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unsolvable {
    /// There is no rational solution either.
    Contradiction,
    /// There are rational solutions.
    NoIntegers,
}

impl Hermite {
    /// All integer vectors with these entries where they are known.
    ///
    /// ```
    /// let all = lattice_point::Hermite::new(&[Some(7), None]);
    /// assert_eq!(all.parts().1, [[0, 1]]);
    /// ```
    #[must_use]
    pub fn new(known: &[Option<i128>]) -> Hermite {
        let open = (0..known.len()).filter(|&column| known[column].is_none());
        Hermite {
            particular: known.iter().map(|entry| entry.unwrap_or(0)).collect(),
            basis: open.map(|column| unit(known.len(), column)).collect(),
        }
    }

    /// Keeps the solutions of Σ coefficient·x = 0.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number does not fit; the inner error if no solution is left.
    ///
    /// ```
    /// let mut solutions = lattice_point::Hermite::new(&[None, None]);
    /// solutions.meet(&[2, -3])?.unwrap();
    /// assert_eq!(solutions.parts().1, [[3, 2]]);
    /// # Ok::<(), lattice_point::Overflow>(())
    /// ```
    pub fn meet(&mut self, equation: &[i128]) -> Result<Result<(), Unsolvable>, Overflow> {
        let excess = product(equation, &self.particular)?;
        let lead = euclid(&mut self.basis, |vector| product(equation, vector))?;
        let Some(place) = lead else {
            return Ok(if excess == 0 { Ok(()) } else { Err(Unsolvable::Contradiction) });
        };
        let step = product(equation, &self.basis[place])?;
        if excess % step != 0 {
            return Ok(Err(Unsolvable::NoIntegers));
        }
        let vector = self.basis.remove(place);
        subtract(&mut self.particular, excess / step, &vector)?;
        self.reduce()?;
        Ok(Ok(()))
    }

    /// Brings the basis into Hermite form.
    fn reduce(&mut self) -> Result<(), Overflow> {
        let mut done: Vec<Vec<i128>> = Vec::new();
        for column in (0..self.particular.len()).rev() {
            let Some(place) = euclid(&mut self.basis, |vector| Ok(vector[column]))? else {
                continue;
            };
            let mut pivot = self.basis.swap_remove(place);
            if pivot[column] < 0 {
                pivot.iter_mut().for_each(|entry| *entry = -*entry);
            }
            for vector in done.iter_mut().chain([&mut self.particular]) {
                let times = vector[column].divided_down(&pivot[column]);
                subtract(vector, times, &pivot)?;
            }
            done.push(pivot);
        }
        done.reverse();
        self.basis = done;
        Ok(())
    }

    /// One solution, and the basis of the steps to all others.
    ///
    /// ```
    /// let (particular, basis) = lattice_point::Hermite::new(&[None]).parts();
    /// assert_eq!((particular, basis), (vec![0], vec![vec![1]]));
    /// ```
    #[must_use]
    pub fn parts(&self) -> (Vec<i128>, Vec<Vec<i128>>) {
        (self.particular.clone(), self.basis.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(known: &[Option<i128>], equations: &[&[i128]]) -> Result<Hermite, Unsolvable> {
        let mut lattice = Hermite::new(known);
        for equation in equations {
            lattice.meet(equation).expect("small")?;
        }
        Ok(lattice)
    }

    #[test]
    fn solutions() {
        let open = [None; 3];
        let found = solve(&open, &[&[1, -2, -3]]).expect("solvable");
        assert_eq!(found.basis, [[2, 1, 0], [3, 0, 1]]);
        let found = solve(&open, &[&[2, -3, 0]]).expect("solvable");
        assert_eq!(
            (found.particular, found.basis),
            (vec![0; 3], vec![vec![3, 2, 0], vec![0, 0, 1]])
        );
        // σ₁ = 2σ₂ + 3σ₃ and σ₁ = 3σ₂ with σ₂ = 1: rational, but not integral.
        let one = [None, Some(1), None];
        assert_eq!(solve(&one, &[&[1, -2, -3], &[1, -3, 0]]), Err(Unsolvable::NoIntegers));
        // Every equation alone is solvable, both together need an even and an odd third entry.
        let last = [None, None, None, Some(1)];
        let both: [&[i128]; 2] = [&[2, 0, -1, 0], &[0, 2, -1, -1]];
        assert_eq!(solve(&last, &both), Err(Unsolvable::NoIntegers));
        let all = [Some(9), Some(4), Some(1)];
        assert_eq!(solve(&all, &[&[1, -3, 0]]), Err(Unsolvable::Contradiction));
    }

    /// Against all small vectors: in the lattice exactly if they solve the equations.
    #[test]
    fn agrees_with_the_definition() {
        let mut kinds = [0; 3];
        for seed in 0..3000i128 {
            let number = |k: i128, most: i128| {
                let mixed = (seed * 7919 + k * 104_729 + 31).wrapping_mul(2_654_435_761) >> 7;
                mixed.rem_euclid(2 * most + 1) - most
            };
            let known: Vec<Option<i128>> =
                (0..3).map(|k| (number(40 + k, 3) > 1).then(|| number(50 + k, 3))).collect();
            let equations: Vec<Vec<i128>> = (0..1 + seed.rem_euclid(3))
                .map(|row| (0..3).map(|k| number(3 * row + k, 3)).collect())
                .collect();
            let rows: Vec<&[i128]> = equations.iter().map(Vec::as_slice).collect();
            let found = solve(&known, &rows);
            let range = || -4..=4i128;
            let mut some = false;
            for (a, b, c) in
                range().flat_map(|a| range().flat_map(move |b| range().map(move |c| (a, b, c))))
            {
                let x = [a, b, c];
                let solves = known.iter().zip(x).all(|(k, x)| k.is_none_or(|k| k == x))
                    && rows
                        .iter()
                        .all(|row| row.iter().zip(x).map(|(c, x)| c * x).sum::<i128>() == 0);
                some |= solves;
                let within = found.as_ref().is_ok_and(|lattice| {
                    // Back substitution along the pivots.
                    let mut rest: Vec<i128> =
                        lattice.particular.iter().zip(x).map(|(p, x)| x - p).collect();
                    for vector in lattice.basis.iter().rev() {
                        let pivot = vector.iter().rposition(|e| *e != 0).expect("not zero");
                        let times = rest[pivot].div_euclid(vector[pivot]);
                        subtract(&mut rest, times, vector).expect("small");
                    }
                    rest.iter().all(|e| *e == 0)
                });
                assert_eq!(solves, within, "{known:?} {rows:?} {x:?}: {found:?}");
            }
            kinds[match found {
                Ok(_) => 0,
                Err(Unsolvable::NoIntegers) => 1,
                Err(Unsolvable::Contradiction) => 2,
            }] += 1;
            assert!(!some || found.is_ok());
        }
        assert!(kinds.iter().all(|&count| count > 50), "{kinds:?}");
    }
}
