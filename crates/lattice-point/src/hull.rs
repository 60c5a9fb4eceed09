//! The affine hull of a system's integer points: every linear relation that holds wherever the
//! rows do.
//!
//! The relations that hold on the points found so far are kept as a basis of *all* integer
//! vectors that vanish there, so none is lost by a factor. A new point off the hull costs one of
//! them. A relation is proved by two systems without points: the rows with form ≥ value + 1, and
//! with form ≤ value − 1; a point of either is a new point for the hull. So D + 1 points and 2·D
//! questions settle it.
//!
//! Running example: 0 ≤ x ≤ 5 and q = ⌊x/2⌋, where 2 ≤ x ≤ 3. The points (2,1) and (3,1) leave
//! −1 + q = 0, and it holds: the floor is 1 there.
//!
//! Cost: adding a point takes D² products and a few divisions; a proof takes two searches.
//! Overflow policy: checked `i128`.

use alloc::vec::Vec;

use crate::limit::{Exhausted, Halt, Meter};
use crate::number::Overflow;
use crate::question::Encode;
use crate::row::System;
use crate::vector::{euclid, product, subtract, unit};

/// The relations c + Σ a·z = 0 that hold on the points added so far, as (c, a …).
///
/// ```
/// use lattice_point::Hull;
///
/// let mut hull = Hull::empty(2);
/// for point in [[1, 0, 0], [1, 2, 1]] {
///     hull.add(&point)?;
/// }
/// // One relation is left: z₀ = 2·z₁.
/// assert_eq!(hull.equations().len(), 1);
/// # Ok::<(), lattice_point::Overflow>(())
/// ```
#[derive(Debug, Clone)]
pub struct Hull {
    /// A basis of the integer vectors that are 0 on every point.
    equations: Vec<Vec<i128>>,
}

impl Hull {
    /// No point yet: every relation among this many variables still holds.
    ///
    /// ```
    /// assert_eq!(lattice_point::Hull::empty(2).equations().len(), 3);
    /// ```
    #[must_use]
    pub fn empty(variables: usize) -> Hull {
        Hull { equations: (0..=variables).map(|k| unit(variables + 1, k)).collect() }
    }

    /// The relations that are left.
    ///
    /// ```
    /// assert_eq!(lattice_point::Hull::empty(1).equations(), [[1, 0], [0, 1]]);
    /// ```
    #[must_use]
    pub fn equations(&self) -> &[Vec<i128>] {
        &self.equations
    }

    /// Adds a point (1, z …); returns whether a relation fell.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number does not fit.
    ///
    /// ```
    /// let mut hull = lattice_point::Hull::empty(1);
    /// assert!(hull.add(&[1, 5])? && !hull.add(&[1, 5])?);
    /// # Ok::<(), lattice_point::Overflow>(())
    /// ```
    pub fn add(&mut self, point: &[i128]) -> Result<bool, Overflow> {
        let lead = euclid(&mut self.equations, |equation| product(equation, point))?;
        Ok(lead.map(|lead| self.equations.swap_remove(lead)).is_some())
    }

    /// The basis with these columns cleared one after the other, as far as possible: each is
    /// cleared with one equation, which no later column uses.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number does not fit.
    ///
    /// ```
    /// assert_eq!(lattice_point::Hull::empty(2).clearing(&[1])?.rank(), 1);
    /// # Ok::<(), lattice_point::Overflow>(())
    /// ```
    pub fn clearing(&self, columns: &[usize]) -> Result<Clearing, Overflow> {
        let mut rows = self.equations.clone();
        let mut steps = Vec::new();
        for &column in columns {
            if let Some(lead) = euclid(&mut rows, |row| Ok(row[column]))? {
                steps.push((column, rows.swap_remove(lead)));
            }
        }
        Ok(Clearing { steps, rest: Hull { equations: rows } })
    }

    /// The relations without these columns.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number does not fit.
    ///
    /// ```
    /// assert_eq!(lattice_point::Hull::empty(2).without(&[0, 1])?.equations(), [[0, 0, 1]]);
    /// # Ok::<(), lattice_point::Overflow>(())
    /// ```
    pub fn without(&self, columns: &[usize]) -> Result<Hull, Overflow> {
        Ok(self.clearing(columns)?.rest)
    }
}

/// Equations that clear columns, in their order.
///
/// ```
/// use lattice_point::Hull;
///
/// let mut hull = Hull::empty(2);
/// hull.add(&[1, 0, 0])?;
/// hull.add(&[1, 2, 1])?;
/// // z₀ is 2·z₁ there.
/// let mut form = [0, 1, 0];
/// hull.clearing(&[1])?.reduce(&mut form)?;
/// assert_eq!(form, [0, 0, 2]);
/// # Ok::<(), lattice_point::Overflow>(())
/// ```
#[derive(Debug, Clone)]
pub struct Clearing {
    steps: Vec<(usize, Vec<i128>)>,
    /// What is left: relations without any of the columns.
    rest: Hull,
}

impl Clearing {
    /// How many columns have an equation.
    ///
    /// ```
    /// assert_eq!(lattice_point::Hull::empty(1).clearing(&[0, 1])?.rank(), 2);
    /// # Ok::<(), lattice_point::Overflow>(())
    /// ```
    #[must_use]
    pub fn rank(&self) -> usize {
        self.steps.len()
    }

    /// The columns that are cleared, in order.
    ///
    /// ```
    /// # use lattice_point::Hull;
    /// assert_eq!(Hull::empty(2).clearing(&[2, 1])?.columns().collect::<Vec<_>>(), [2, 1]);
    /// # Ok::<(), lattice_point::Overflow>(())
    /// ```
    pub fn columns(&self) -> impl Iterator<Item = usize> {
        self.steps.iter().map(|(column, _)| *column)
    }

    /// Rewrites a form, keeping its values wherever the relations hold, with every column
    /// cleared that can be.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number does not fit.
    ///
    /// ```
    /// let mut form = [5, 7];
    /// lattice_point::Hull::empty(1).clearing(&[1])?.reduce(&mut form)?;
    /// assert_eq!(form, [5, 0]);
    /// # Ok::<(), lattice_point::Overflow>(())
    /// ```
    pub fn reduce(&self, form: &mut [i128]) -> Result<(), Overflow> {
        for (column, equation) in &self.steps {
            let entry = form[*column];
            if entry != 0 && entry % equation[*column] == 0 {
                subtract(form, entry / equation[*column], equation)?;
            }
        }
        Ok(())
    }
}

/// A point of the system at which c + Σ a·z is not 0; `None` if it is 0 wherever the rows hold.
///
/// # Errors
///
/// [`Exhausted`] if the limit is reached first.
///
/// ```
/// use lattice_point::{Limit, System, vanishes};
///
/// let mut system = System::new(1);
/// system.bound(0, Some(3), Some(3));
/// assert_eq!(vanishes(&system, &[-3, 1], &mut Limit::none().meter())?, None);
/// # Ok::<(), lattice_point::Exhausted>(())
/// ```
pub fn vanishes(
    system: &System<i128>,
    form: &[i128],
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<i128>>, Exhausted> {
    let Some((constant, terms)) = form.split_first() else { return Ok(None) };
    // terms ≥ 1 − c, or terms ≤ −1 − c.
    let (above, below) = (1i128.checked_sub(*constant), (-1i128).checked_sub(*constant));
    for (low, high) in [(above, None), (None, below)] {
        let mut more = system.clone();
        more.push(terms.to_vec(), low, high);
        if let Some(point) = more.point(meter)? {
            return Ok(Some(point));
        }
    }
    Ok(None)
}

/// All relations that hold on the integer points of a system; `None` if it has no points.
///
/// # Errors
///
/// [`Halt`] if the limit is reached first or a number does not fit.
///
/// ```
/// use lattice_point::{Limit, System, affine_hull};
///
/// // q = ⌊x/2⌋ for 2 ≤ x ≤ 3.
/// let mut system = System::new(2);
/// system.bound(0, Some(2), Some(3));
/// system.push(vec![1, -2], Some(0), Some(1));
/// let hull = affine_hull(&system, &mut Limit::none().meter())?.unwrap();
/// assert_eq!(hull.equations(), [[-1, 0, 1]]);
/// # Ok::<(), lattice_point::Halt>(())
/// ```
pub fn affine_hull(system: &System<i128>, meter: &mut Meter<'_>) -> Result<Option<Hull>, Halt> {
    let with_one = |point: Vec<i128>| core::iter::once(1).chain(point).collect::<Vec<i128>>();
    let Some(first) = system.point(meter)? else { return Ok(None) };
    let mut hull = Hull::empty(system.variables);
    hull.add(&with_one(first))?;
    let mut proved = 0;
    while proved < hull.equations.len() {
        match vanishes(system, &hull.equations[proved], meter)? {
            None => proved += 1,
            Some(point) => {
                hull.add(&with_one(point))?;
                proved = 0;
            }
        }
    }
    Ok(Some(hull))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Number;
    use crate::tests::{Stream, holds, points, random};

    /// The rank of lists of numbers, by fractions.
    fn rank(mut rows: Vec<Vec<i128>>) -> usize {
        let mut rank = 0;
        let width = rows.first().map_or(0, Vec::len);
        for column in 0..width {
            let Some(pivot) = (rank..rows.len()).find(|&k| rows[k][column] != 0) else { continue };
            rows.swap(rank, pivot);
            for k in rank + 1..rows.len() {
                let (a, b) = (rows[rank][column], rows[k][column]);
                let above = rows[rank].clone();
                for (entry, above) in rows[k].iter_mut().zip(&above) {
                    *entry = *entry * a - above * b;
                }
                let common = rows[k].iter().fold(0i128, |g, c| g.gcd(c).expect("small"));
                if common > 1 {
                    rows[k].iter_mut().for_each(|c| *c /= common);
                }
            }
            rank += 1;
        }
        rank
    }

    #[test]
    fn agrees_with_walking() {
        let mut stream = Stream(11);
        let mut seen = [0; 5];
        for round in 0..3000 {
            let variables = 1 + round % 3;
            let reach = [30, 9, 4][variables - 1];
            let system = random(&mut stream, variables, reach);
            let all: Vec<Vec<i128>> = points(variables, reach)
                .into_iter()
                .filter(|point| system.rows.iter().all(|row| holds(row, point)))
                .map(|point| core::iter::once(1).chain(point).collect())
                .collect();
            let Ok(hull) = affine_hull(&system, &mut Meter::unlimited()) else {
                panic!("no limit, small numbers")
            };
            let Some(hull) = hull else {
                assert!(all.is_empty(), "{system:?}");
                continue;
            };
            for equation in hull.equations() {
                assert!(all.iter().all(|point| product(equation, point) == Ok(0)), "{system:?}");
            }
            assert_eq!(hull.equations().len(), variables + 1 - rank(all), "{system:?}");
            seen[hull.equations().len()] += 1;
        }
        assert!(seen[0] > 100 && seen[1] > 100 && seen[2] > 50, "{seen:?}");
    }

    #[test]
    fn nothing_is_lost_by_a_factor() {
        // z0 = 2·z2 and z1 = 3·z2 hold as z0 + z1 = 5·z2 and the like: whole numbers suffice.
        let mut hull = Hull::empty(3);
        for point in [[1, 0, 0, 0], [1, 2, 3, 1]] {
            hull.add(&point).expect("small");
        }
        let clearing = hull.clearing(&[1, 2]).expect("small");
        assert_eq!(clearing.rank(), 2);
        let mut form = vec![7, 1, 0, 0];
        clearing.reduce(&mut form).expect("small");
        assert_eq!(form, [7, 0, 0, 2]);
    }
}
