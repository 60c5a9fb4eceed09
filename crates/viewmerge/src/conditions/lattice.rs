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

use super::linear::Overflow;
use crate::arith::divide_wide;

/// The solutions found so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lattice {
    particular: Vec<i128>,
    basis: Vec<Vec<i128>>,
}

/// Why there are no integer solutions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unsolvable {
    /// There is no rational solution either.
    Contradiction,
    /// There are rational solutions.
    NoIntegers,
}

impl Lattice {
    /// All integer vectors with these entries where they are known.
    pub(crate) fn new(known: &[Option<i64>]) -> Lattice {
        let unit = |column: usize| (0..known.len()).map(|c| i128::from(c == column)).collect();
        let open = (0..known.len()).filter(|&column| known[column].is_none());
        Lattice {
            particular: known.iter().map(|entry| entry.unwrap_or(0).into()).collect(),
            basis: open.map(unit).collect(),
        }
    }

    /// Keeps the solutions of Σ coefficient·x = 0.
    pub(crate) fn meet(&mut self, equation: &[i64]) -> Result<Result<(), Unsolvable>, Overflow> {
        let product = |vector: &[i128]| -> Result<i128, Overflow> {
            let mut sum = 0i128;
            for (&c, &x) in equation.iter().zip(vector) {
                let term = i128::from(c).checked_mul(x).ok_or(Overflow)?;
                sum = sum.checked_add(term).ok_or(Overflow)?;
            }
            negatable(sum)
        };
        let excess = product(&self.particular)?;
        // Euclid's algorithm: the vector of smallest product is taken off the others.
        let lead = loop {
            let products: Vec<i128> =
                self.basis.iter().map(|vector| product(vector)).collect::<Result<_, _>>()?;
            let uneven = (0..products.len()).filter(|&place| products[place] != 0);
            let Some(least) = uneven.min_by_key(|&place| products[place].unsigned_abs()) else {
                break None;
            };
            let mut alone = true;
            for place in (0..products.len()).filter(|&place| place != least) {
                let (vector, lead) = pick_two(&mut self.basis, place, least);
                subtract(vector, products[place] / products[least], lead)?;
                alone &= products[place] % products[least] == 0;
            }
            if alone {
                break Some((least, products[least]));
            }
        };
        let Some((place, step)) = lead else {
            return Ok(if excess == 0 { Ok(()) } else { Err(Unsolvable::Contradiction) });
        };
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
            while let Some(least) = (0..self.basis.len())
                .filter(|&place| self.basis[place][column] != 0)
                .min_by_key(|&place| self.basis[place][column].unsigned_abs())
            {
                let mut pivot = self.basis.swap_remove(least);
                let mut alone = true;
                for vector in &mut self.basis {
                    let times = vector[column] / pivot[column];
                    subtract(vector, times, &pivot)?;
                    alone &= vector[column] == 0;
                }
                if !alone {
                    self.basis.push(pivot);
                    continue;
                }
                if pivot[column] < 0 {
                    pivot.iter_mut().for_each(|entry| *entry = -*entry);
                }
                for vector in done.iter_mut().chain([&mut self.particular]) {
                    let times = divide_wide(vector[column], pivot[column]);
                    subtract(vector, times, &pivot)?;
                }
                done.push(pivot);
                break;
            }
        }
        done.reverse();
        self.basis = done;
        Ok(())
    }

    /// One solution and the basis, in 64 bits.
    pub(crate) fn into_parts(self) -> Result<(Vec<i64>, Vec<Vec<i64>>), Overflow> {
        let narrow = |vector: Vec<i128>| -> Result<Vec<i64>, Overflow> {
            vector.into_iter().map(|x| i64::try_from(x).map_err(|_| Overflow)).collect()
        };
        let basis = self.basis.into_iter().map(narrow).collect::<Result<_, _>>()?;
        Ok((narrow(self.particular)?, basis))
    }
}

/// vector − times·other
fn subtract(vector: &mut [i128], times: i128, other: &[i128]) -> Result<(), Overflow> {
    if times == 0 {
        return Ok(());
    }
    for (x, &y) in vector.iter_mut().zip(other) {
        let term = y.checked_mul(times).ok_or(Overflow)?;
        *x = negatable(x.checked_sub(term).ok_or(Overflow)?)?;
    }
    Ok(())
}

/// A number that can be negated, and so divided by −1.
fn negatable(number: i128) -> Result<i128, Overflow> {
    if number == i128::MIN { Err(Overflow) } else { Ok(number) }
}

/// One vector to change, another to read.
fn pick_two(basis: &mut [Vec<i128>], one: usize, other: usize) -> (&mut [i128], &[i128]) {
    if one < other {
        let (front, back) = basis.split_at_mut(other);
        (&mut front[one], &back[0])
    } else {
        let (front, back) = basis.split_at_mut(one);
        (&mut back[0], &front[other])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(known: &[Option<i64>], equations: &[&[i64]]) -> Result<Lattice, Unsolvable> {
        let mut lattice = Lattice::new(known);
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
        let both: [&[i64]; 2] = [&[2, 0, -1, 0], &[0, 2, -1, -1]];
        assert_eq!(solve(&last, &both), Err(Unsolvable::NoIntegers));
        let all = [Some(9), Some(4), Some(1)];
        assert_eq!(solve(&all, &[&[1, -3, 0]]), Err(Unsolvable::Contradiction));
    }

    /// Against all small vectors: in the lattice exactly if they solve the equations.
    #[test]
    fn agrees_with_the_definition() {
        let mut kinds = [0; 3];
        for seed in 0..3000i64 {
            let number = |k: i64, most: i64| {
                let mixed = (seed * 7919 + k * 104_729 + 31).wrapping_mul(2_654_435_761) >> 7;
                mixed.rem_euclid(2 * most + 1) - most
            };
            let known: Vec<Option<i64>> =
                (0..3).map(|k| (number(40 + k, 3) > 1).then(|| number(50 + k, 3))).collect();
            let equations: Vec<Vec<i64>> = (0..1 + seed.rem_euclid(3))
                .map(|row| (0..3).map(|k| number(3 * row + k, 3)).collect())
                .collect();
            let rows: Vec<&[i64]> = equations.iter().map(Vec::as_slice).collect();
            let found = solve(&known, &rows);
            let range = || -4..=4i64;
            let mut some = false;
            for (a, b, c) in
                range().flat_map(|a| range().flat_map(move |b| range().map(move |c| (a, b, c))))
            {
                let x = [a, b, c];
                let solves = known.iter().zip(x).all(|(k, x)| k.is_none_or(|k| k == x))
                    && rows
                        .iter()
                        .all(|row| row.iter().zip(x).map(|(c, x)| c * x).sum::<i64>() == 0);
                some |= solves;
                let within = found.as_ref().is_ok_and(|lattice| {
                    // Back substitution along the pivots.
                    let mut rest: Vec<i128> =
                        lattice.particular.iter().zip(x).map(|(p, x)| i128::from(x) - p).collect();
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
