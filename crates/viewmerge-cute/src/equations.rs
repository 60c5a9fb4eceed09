//! Linear equations in integers, added one at a time.
//!
//! The solutions so far are a point and a basis of the lattice in which it may move. An equation that holds
//! at the point and along every basis vector adds nothing new, which is the usual case; any other removes
//! one basis vector.
//!
//! Example: 2x + 3y = 7 leaves (−7,7) and the moves (3,−2); adding x + y = 3 then leaves (2,1).
//!
//! Overflow: numbers are `i128`; a number that does not fit is an error, never *no solution*.

/// A number does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// The integer solutions of linear equations.
#[derive(Debug, Clone)]
pub(crate) struct Solutions {
    point: Vec<i128>,
    basis: Vec<Vec<i128>>,
}

impl Solutions {
    /// All points.
    pub(crate) fn new(unknowns: usize) -> Solutions {
        let unit = |k: usize| (0..unknowns).map(|l| i128::from(k == l)).collect();
        Solutions { point: vec![0; unknowns], basis: (0..unknowns).map(unit).collect() }
    }

    /// One of the solutions.
    pub(crate) fn point(&self) -> Result<Vec<i64>, TooLarge> {
        self.point.iter().map(|&x| i64::try_from(x).map_err(|_| TooLarge)).collect()
    }

    /// Whether row·x = value holds for all solutions.
    pub(crate) fn imply(&self, row: &[i64], value: i64) -> Result<bool, TooLarge> {
        for vector in &self.basis {
            if dot(row, vector)? != 0 {
                return Ok(false);
            }
        }
        Ok(dot(row, &self.point)? == i128::from(value))
    }

    /// Adds the equation row·x = value; returns whether solutions remain.
    pub(crate) fn meet(&mut self, row: &[i64], value: i64) -> Result<bool, TooLarge> {
        let missing = i128::from(value).checked_sub(dot(row, &self.point)?).ok_or(TooLarge)?;
        // Combine the basis so that only one vector changes row·x.
        let mut mover: Option<(i128, usize)> = None;
        for number in 0..self.basis.len() {
            let mut moves = dot(row, &self.basis[number])?;
            if moves == 0 {
                continue;
            }
            let Some((mut other, before)) = mover else {
                mover = Some((moves, number));
                continue;
            };
            let (low, high) = self.basis.split_at_mut(number);
            let (one, two) = (&mut low[before], &mut high[0]);
            while moves != 0 {
                let times = other / moves;
                other -= times * moves;
                add(one, -times, two)?;
                std::mem::swap(&mut moves, &mut other);
                std::mem::swap(one, two);
            }
            mover = Some((other, before));
        }
        let Some((amount, number)) = mover else { return Ok(missing == 0) };
        let vector = self.basis.swap_remove(number);
        if missing % amount != 0 {
            return Ok(false);
        }
        add(&mut self.point, missing / amount, &vector)?;
        Ok(true)
    }
}

fn dot(row: &[i64], x: &[i128]) -> Result<i128, TooLarge> {
    let mut sum = 0i128;
    for (a, b) in row.iter().zip(x) {
        let term = i128::from(*a).checked_mul(*b).ok_or(TooLarge)?;
        sum = sum.checked_add(term).ok_or(TooLarge)?;
    }
    Ok(sum)
}

/// Replaces x by x + times·y.
fn add(x: &mut [i128], times: i128, y: &[i128]) -> Result<(), TooLarge> {
    for (a, b) in x.iter_mut().zip(y) {
        let term = times.checked_mul(*b).ok_or(TooLarge)?;
        *a = a.checked_add(term).ok_or(TooLarge)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_one_after_the_other() {
        let mut all = Solutions::new(2);
        assert_eq!(all.meet(&[2, 3], 7), Ok(true));
        assert_eq!(all.meet(&[4, 6], 14), Ok(true));
        let mut odd = all.clone();
        assert_eq!(odd.meet(&[1, 1], 3), Ok(true));
        assert_eq!(odd.point(), Ok(vec![2, 1]));
        assert_eq!(odd.meet(&[1, 0], 3), Ok(false));
        assert_eq!(all.meet(&[4, 6], 15), Ok(false));
        let mut even = Solutions::new(2);
        assert_eq!(even.meet(&[2, 4], 3), Ok(false));
    }

    #[test]
    fn what_does_not_fit_is_not_refuted() {
        let mut wide = Solutions::new(3);
        let mut row = [i64::MAX, i64::MAX - 1, i64::MAX - 2];
        let mut met = Ok(true);
        for _ in 0..8 {
            row.rotate_left(1);
            met = met.and_then(|_| wide.meet(&row, i64::MAX));
        }
        assert_ne!(met, Ok(false));
        assert!(wide.point().is_err() || met.is_err());
    }
}
