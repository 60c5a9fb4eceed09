//! Has a list of rows an integer point? Which has the largest value of a form?
//!
//! A tree search that is short because it looks in the right directions
//! (Lenstra 1983). At a node:
//!
//! 1. every row is divided by the greatest common divisor of its coefficients
//!    and its ends are rounded inwards; an empty row ends it. A row whose ends
//!    are equal fixes a coordinate.
//! 2. The coordinates are reduced ([`reduction`]) so that the last one can
//!    have few values; linear programming ([`super::lp`]) says which. No
//!    rational solution ends it; a vertex that is integral is a point.
//! 3. Coordinates that have no row in common with others are searched by
//!    themselves, so that numbers of values add up instead of multiplying.
//! 4. The coordinate takes each of its values in turn, and the search continues with one
//!    coordinate less.
//!
//! Example: 0 ≤ x ≤ 3, 0 ≤ x − 2q ≤ 1, 1 ≤ 2q − 2x + 2 (so q ≥ x): (0,0) is a point;
//! with 3 instead of 1 there is none, since q ≤ x/2.
//!
//! Cost: polynomial for a fixed number of variables; a handful of nodes of some
//! microseconds for chains. Overflow policy: `i128`, and once more from the
//! start with big numbers if that overflows.

mod branch;
mod maximum;
mod node;
mod reduction;
mod round;

use alloc::vec::Vec;

use self::maximum::largest;
use self::node::{Node, Shape, Working};
use self::reduction::reduce;
use crate::limit::{Halt, Meter};
use crate::lp::{Multiples, Tableau};
use crate::number::{Number, Overflow};
use crate::proof::{Proof, Rounding};
use crate::row::{Row, Side, System};

/// What a search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// Any point.
    Point,
    /// A proof that there is none, or a point.
    Proof,
    /// A point with the largest value of the system's objective, if it is above this value.
    Largest { above: Option<i128> },
}

/// What a search found: a point, or that there is none, with a proof if one was asked for.
pub(super) type Found<N> = Result<Vec<N>, Option<Proof>>;

/// Searches with numbers of one type.
pub(super) fn run<N: Number>(
    system: System<N>,
    goal: Goal,
    meter: &mut Meter<'_>,
) -> Result<Found<i128>, Halt> {
    let found = match goal {
        Goal::Largest { above } => largest(system, above.map(N::from), meter)?,
        Goal::Point | Goal::Proof => Node::new(system, goal == Goal::Proof).explore(meter)?,
    };
    // The coordinates of a point of a chain are small, whatever the numbers on the way.
    match found {
        Ok(point) => {
            let wide: Result<_, _> = point.into_iter().map(TryInto::try_into).collect();
            wide.map(Ok).map_err(|_| Halt::Overflow)
        }
        Err(proof) => Ok(Err(proof)),
    }
}

/// A coordinate whose values spread over this much is worth looking for a better one.
const MANY: i128 = 3;

/// The values a coordinate may have, and why no others.
struct Values<N> {
    first: N,
    last: N,
    /// The rational ends: smallest and largest value.
    because: [(Multiples<N>, N); 2],
}

impl<N: Number> Node<N> {
    /// Looks for a point; proves that there is none, if a proof is written.
    fn explore(mut self, meter: &mut Meter<'_>) -> Result<Found<N>, Halt> {
        meter.spend(1)?;
        let mut roundings = Vec::new();
        let found = self.explore_rounded(&mut roundings, meter)?;
        let around = |proof, rounding: Rounding| rounding.around(proof);
        let rounded = |proof| roundings.into_iter().rev().fold(proof, around);
        Ok(found.map_err(|proof| proof.map(rounded)))
    }

    fn explore_rounded(
        &mut self,
        roundings: &mut Vec<Rounding>,
        meter: &mut Meter<'_>,
    ) -> Result<Found<N>, Halt> {
        loop {
            if let Some(contradiction) = self.round(roundings)? {
                return Ok(self.nothing(&contradiction));
            }
            let is_fixing =
                |Working { row, .. }: &Working<N>| row.low.is_some() && row.low == row.high;
            let Some(fixing) = self.rows.iter().position(is_fixing) else { break };
            self.fix_by_row(fixing)?;
        }
        let width = self.width();
        if width == 0 {
            return Ok(Ok(self.origin.clone()));
        }
        let mut groups = self.groups();
        // Groups are split before reducing, which costs more the more coordinates there are.
        if groups.len() == 1 && width > 1 && self.shape == Shape::Raw {
            let weights: Result<Vec<f64>, Overflow> =
                self.rows.iter().map(Working::weight).collect();
            reduce(self, &weights?, meter)?;
            self.shape = Shape::Reduced;
            groups = self.groups();
        }
        if groups.len() > 1 {
            return self.one_by_one(&groups, meter);
        }
        let mut tableau = match self.vertex(&[], meter)? {
            Ok(tableau) => tableau,
            Err(because) => return Ok(self.nothing(&because)),
        };
        if let Some(point) = integral(self, &tableau)? {
            return Ok(Ok(point));
        }
        let mut values = values(&mut tableau, width - 1, meter)?;
        let spread = values.last.minus(&values.first)?;
        if width > 1 && self.shape == Shape::Reduced && spread >= N::from(MANY) {
            self.fit_exactly(meter)?;
            values = self.fewest(meter)?;
            self.shape = Shape::Fitted;
        }
        self.branch(&values, meter)
    }

    /// Searches groups of coordinates that have no row in common, each by itself.
    fn one_by_one(&self, groups: &[Vec<usize>], meter: &mut Meter<'_>) -> Result<Found<N>, Halt> {
        let mut together = self.origin.clone();
        for group in groups {
            let found = self.restricted(group).explore(meter)?;
            let Ok(point) = &found else { return Ok(found) };
            for ((to, at), from) in together.iter_mut().zip(point).zip(&self.origin) {
                *to = to.plus(&at.minus(from)?)?;
            }
        }
        Ok(Ok(together))
    }

    /// Reduces the coordinates with the widths that the rows have on the rational solutions.
    fn fit_exactly(&mut self, meter: &Meter<'_>) -> Result<(), Halt> {
        let forms = self.rows.iter().map(|row| Row::free(row.row.form.clone()));
        let forms: Vec<Row<N>> = forms.collect();
        let mut weights = vec![0.0; forms.len()];
        if let Ok(mut tableau) = self.vertex(&forms, meter)? {
            for (name, weight) in (forms.len()..).zip(&mut weights) {
                let high = tableau.maximize(name, Side::High, meter)?;
                let low = tableau.maximize(name, Side::Low, meter)?;
                if let (Some(high), Some(low)) = (high, low) {
                    // The largest of the form and of its negative, exactly: both may be huge.
                    let width = high.num.times(&low.den)?.plus(&low.num.times(&high.den)?)?;
                    let den = high.den.times(&low.den)?;
                    *weight = 1.0 / (width.approximate() / den.approximate()).max(1e-3);
                }
            }
        }
        reduce(self, &weights, meter)
    }

    /// Puts the coordinate with the fewest values last; the rows have a rational solution.
    fn fewest(&mut self, meter: &Meter<'_>) -> Result<Values<N>, Halt> {
        let Ok(mut tableau) = self.vertex(&[], meter)? else { return Err(Halt::Overflow) };
        let last = self.width() - 1;
        let mut best: Option<(N, usize, Values<N>)> = None;
        for k in (0..=last).rev() {
            let values = values(&mut tableau, k, meter)?;
            let count = values.last.minus(&values.first)?;
            let few = count <= N::ONE;
            if best.as_ref().is_none_or(|(known, ..)| count < *known) {
                best = Some((count, k, values));
            }
            if few {
                break;
            }
        }
        let Some((_, k, values)) = best else { return Err(Halt::Overflow) };
        self.swap(k, last);
        Ok(values)
    }
}

/// The vertex, if it is integral: a point.
fn integral<N: Number>(
    node: &Node<N>,
    tableau: &Tableau<'_, N>,
) -> Result<Option<Vec<N>>, Overflow> {
    let mut values = Vec::with_capacity(node.width());
    for k in 0..node.width() {
        let (num, den) = tableau.variable(k);
        let value = num.divided_down(&den);
        if value.times(&den)? != num {
            return Ok(None);
        }
        values.push(value);
    }
    node.point(&values).map(Some)
}

/// The integers a coordinate may be, by linear programming from a feasible vertex.
fn values<N: Number>(
    tableau: &mut Tableau<'_, N>,
    k: usize,
    meter: &Meter<'_>,
) -> Result<Values<N>, Halt> {
    let name = tableau.variable_name(k);
    let largest = tableau.maximize(name, Side::High, meter)?.ok_or(Halt::Overflow)?;
    let smallest = tableau.maximize(name, Side::Low, meter)?.ok_or(Halt::Overflow)?;
    Ok(Values {
        // −⌊−smallest⌋; the negative was computed.
        first: smallest.num.divided_down(&smallest.den).negated()?,
        last: largest.num.divided_down(&largest.den),
        because: [(smallest.because, smallest.den), (largest.because, largest.den)],
    })
}
