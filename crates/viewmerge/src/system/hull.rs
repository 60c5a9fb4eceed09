//! The affine hull of a system's integer points: every linear relation that holds wherever
//! the rows do (theory, "the fewest floors").
//!
//! The relations that hold on the points found so far are kept as integer vectors, a basis of
//! *all* integer vectors that do (nothing is left out by a factor). A new point on which some
//! are not constant costs one of them. A relation is proved by two systems without points:
//! the rows with form ≥ value + 1, and with form ≤ value − 1; a point of one of them is a
//! point for the hull. So D + 1 points and 2·D questions settle it.
//!
//! Running example: 0 ≤ x ≤ 5 and q = ⌊x/2⌋, where 2 ≤ x ≤ 3: the points (2,1) and (3,1) leave
//! −1 + q = 0, and it holds: wherever that is valid the floor is 1.
//!
//! Cost: an added point takes D² products and a few divisions; a proof two searches.
//! Overflow policy: `i128`; what does not fit is said.

use alloc::vec;
use alloc::vec::Vec;

use super::number::{Number, Overflow};
use super::{Encode, Row, System};
use crate::limit::{Exhausted, Meter};

/// The relations c + Σ a·z = 0 that hold on the points added so far, as (c, a …).
#[derive(Debug, Clone)]
pub(crate) struct Hull {
    /// A basis of the integer vectors that are 0 on every point.
    equations: Vec<Vec<i128>>,
}

/// The sum of products of two lists.
fn product(a: &[i128], b: &[i128]) -> Result<i128, Overflow> {
    let mut sum = 0i128;
    for (a, b) in a.iter().zip(b) {
        if *a != 0 && *b != 0 {
            sum = sum.plus(&a.times(b)?)?;
        }
    }
    Ok(sum)
}

/// a −= r·b.
fn subtract(a: &mut [i128], b: &[i128], r: i128) -> Result<(), Overflow> {
    for (to, by) in a.iter_mut().zip(b) {
        if *by != 0 {
            *to = to.minus(&r.times(by)?)?;
        }
    }
    Ok(())
}

/// The quotient that leaves the smallest rest.
fn nearest(a: i128, b: i128) -> i128 {
    let down = a.div_euclid(b);
    // The rest is from 0 to |b| − 1.
    let rest = a.rem_euclid(b);
    if rest > b.abs() - rest { if b > 0 { down + 1 } else { down - 1 } } else { down }
}

impl Hull {
    /// No point yet: every relation among so many variables still holds.
    pub(crate) fn empty(variables: usize) -> Hull {
        let unit = |k: usize| {
            let mut unit = vec![0; variables + 1];
            unit[k] = 1;
            unit
        };
        Hull { equations: (0..=variables).map(unit).collect() }
    }

    /// The relations that are left.
    pub(crate) fn equations(&self) -> &[Vec<i128>] {
        &self.equations
    }

    /// Adds a point (1, z …), and says whether a relation fell.
    pub(crate) fn add(&mut self, point: &[i128]) -> Result<bool, Overflow> {
        let mut values = Vec::with_capacity(self.equations.len());
        for equation in &self.equations {
            values.push(product(equation, point)?);
        }
        if values.iter().all(|value| *value == 0) {
            return Ok(false);
        }
        // Euclid's algorithm on the values: all but one become 0.
        loop {
            let least = (0..values.len()).filter(|&k| values[k] != 0);
            let Some(least) = least.min_by_key(|&k| values[k].unsigned_abs()) else { break };
            let mut others = false;
            for k in 0..values.len() {
                if k == least || values[k] == 0 {
                    continue;
                }
                let r = nearest(values[k], values[least]);
                let by = self.equations[least].clone();
                subtract(&mut self.equations[k], &by, r)?;
                values[k] = values[k].minus(&r.times(&values[least])?)?;
                others |= values[k] != 0;
            }
            if !others {
                self.equations.swap_remove(least);
                break;
            }
        }
        Ok(true)
    }

    /// The basis with these columns cleared one after the other, as far as it goes: each
    /// clears with one equation, which no later one uses.
    pub(crate) fn clearing(&self, columns: &[usize]) -> Result<Clearing, Overflow> {
        let mut rows = self.equations.clone();
        let mut steps = Vec::new();
        for &column in columns {
            // Euclid down the column.
            loop {
                let moving = (0..rows.len()).filter(|&k| rows[k][column] != 0);
                let Some(least) = moving.min_by_key(|&k| rows[k][column].unsigned_abs()) else {
                    break;
                };
                let mut others = false;
                for k in 0..rows.len() {
                    if k == least || rows[k][column] == 0 {
                        continue;
                    }
                    let r = nearest(rows[k][column], rows[least][column]);
                    let by = rows[least].clone();
                    subtract(&mut rows[k], &by, r)?;
                    others |= rows[k][column] != 0;
                }
                if !others {
                    steps.push((column, rows.swap_remove(least)));
                    break;
                }
            }
        }
        Ok(Clearing { steps, rest: Hull { equations: rows } })
    }

    /// The relations that have none of these columns.
    pub(crate) fn without(&self, columns: &[usize]) -> Result<Hull, Overflow> {
        Ok(self.clearing(columns)?.rest)
    }
}

/// Equations by which columns can be cleared, in their order.
pub(crate) struct Clearing {
    steps: Vec<(usize, Vec<i128>)>,
    /// What is left: relations without any of the columns.
    rest: Hull,
}

impl Clearing {
    /// How many columns have an equation.
    pub(crate) fn rank(&self) -> usize {
        self.steps.len()
    }

    /// The same form, wherever the relations hold, with the columns cleared that can be.
    pub(crate) fn reduce(&self, form: &mut [i128]) -> Result<(), Overflow> {
        for (column, equation) in &self.steps {
            let entry = form[*column];
            if entry != 0 && entry % equation[*column] == 0 {
                subtract(form, equation, entry / equation[*column])?;
            }
        }
        Ok(())
    }
}

/// Whether a form c + Σ a·z is 0 wherever the rows hold; otherwise a point where it is not.
pub(crate) fn vanishes(
    system: &System<i128>,
    form: &[i128],
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<i128>>, Exhausted> {
    let Some((constant, terms)) = form.split_first() else { return Ok(None) };
    for above in [true, false] {
        let mut more = system.clone();
        // terms ≥ 1 − c, or terms ≤ −1 − c.
        let end =
            if above { 1i128.checked_sub(*constant) } else { (-1i128).checked_sub(*constant) };
        let (low, high) = if above { (end, None) } else { (None, end) };
        more.rows.push(Row { form: terms.to_vec(), low, high });
        if let Some(point) = more.point(meter)? {
            return Ok(Some(point));
        }
    }
    Ok(None)
}

/// All relations that hold on the integer points of a system; none if it has no points.
#[cfg(test)]
pub(crate) fn affine_hull(
    system: &System<i128>,
    meter: &mut Meter<'_>,
) -> Result<Option<Hull>, Overflow> {
    let with_one = |point: Vec<i128>| core::iter::once(1).chain(point).collect::<Vec<i128>>();
    let no_limit = "no limit is given";
    let Some(first) = system.point(meter).expect(no_limit) else { return Ok(None) };
    let mut hull = Hull::empty(system.variables);
    hull.add(&with_one(first))?;
    let mut proved = 0;
    while proved < hull.equations.len() {
        match vanishes(system, &hull.equations[proved], meter).expect(no_limit) {
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
    use crate::system::tests::{Stream, holds, points, random};

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
