//! Has a list of rows an integer point? Which has the largest value of a form?
//!
//! A tree search that is short because it looks in the right directions
//! (Lenstra 1983). At a node:
//!
//! 1. every row is divided by the greatest common divisor of its coefficients
//!    and its ends are rounded inwards; an empty row ends it. A row whose ends
//!    are equal fixes a coordinate.
//! 2. The coordinates are reduced ([`super::reduction`]) so that the last one can
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
mod part;
mod round;

use alloc::vec;
use alloc::vec::Vec;

use self::maximum::largest;
use self::part::{Part, Working};
use crate::limit::{Halt, Meter};
use crate::lp::{Multiples, Tableau};
use crate::number::{Number, Overflow};
use crate::proof::{Proof, Recorder, Rounding};
use crate::reduction::{self, Coordinates};
use crate::row::{Side, System};

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

/// What a search found.
pub(super) enum Found<N> {
    Point(Vec<N>),
    /// No point; with a proof if one was asked for.
    Nothing(Option<Proof>),
}

/// Searches with numbers of one type.
pub(super) fn run<N: Number>(
    system: System<N>,
    goal: Goal,
    meter: &mut Meter<'_>,
) -> Result<Found<i128>, Halt> {
    let found = match goal {
        Goal::Largest { above } => largest(system, above.map(N::from_wide), meter)?,
        Goal::Point | Goal::Proof => find(system, goal == Goal::Proof, meter)?,
    };
    match found {
        Found::Nothing(proof) => Ok(Found::Nothing(proof)),
        // The coordinates of a point of a chain are small, whatever the numbers on the way.
        Found::Point(point) => {
            let point: Option<Vec<i128>> = point.iter().map(Number::wide).collect();
            point.map(Found::Point).ok_or(Halt::Overflow)
        }
    }
}

/// Looks for a point of the system; proves that there is none, if asked to.
fn find<N: Number>(
    system: System<N>,
    prove: bool,
    meter: &mut Meter<'_>,
) -> Result<Found<N>, Halt> {
    let mut recorder = prove.then(Recorder::new);
    let rows = system.rows.into_iter().enumerate();
    let rows = rows.map(|(number, row)| Working::given(number, row, recorder.as_mut())).collect();
    let coordinates = Coordinates::identity(system.variables);
    Search { meter, recorder }.explore(Part { rows }, coordinates, Shape::Raw)
}

/// How well the coordinates of a node suit its rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Raw,
    /// Reduced with the widths the rows are given.
    Reduced,
    /// Reduced with the widths the rows really have.
    Fitted,
}

/// The values a coordinate may have, and why no others.
struct Values<N> {
    first: N,
    last: N,
    /// The rational ends: smallest and largest value.
    because: [(Multiples<N>, N); 2],
}

struct Search<'m, 'l> {
    meter: &'m mut Meter<'l>,
    recorder: Option<Recorder>,
}

impl Search<'_, '_> {
    fn explore<N: Number>(
        &mut self,
        mut part: Part<N>,
        mut coordinates: Coordinates<N>,
        shape: Shape,
    ) -> Result<Found<N>, Halt> {
        self.meter.spend(1)?;
        let mut roundings = Vec::new();
        let fixed_before = self.recorder.as_ref().map_or(0, Recorder::fixed_count);
        let explored = self.explore_rounded(&mut part, &mut coordinates, shape, &mut roundings);
        if let Some(recorder) = &mut self.recorder {
            recorder.unfix_to(fixed_before);
        }
        Ok(match explored? {
            Found::Nothing(Some(mut proof)) => {
                for rounding in roundings.into_iter().rev() {
                    proof = rounding.around(proof);
                }
                Found::Nothing(Some(proof))
            }
            other => other,
        })
    }

    fn explore_rounded<N: Number>(
        &mut self,
        part: &mut Part<N>,
        coordinates: &mut Coordinates<N>,
        mut shape: Shape,
        roundings: &mut Vec<Rounding>,
    ) -> Result<Found<N>, Halt> {
        loop {
            if let Some(contradiction) = self.round(part, coordinates, roundings)? {
                return Ok(contradiction);
            }
            let Some(fixing) = part
                .rows
                .iter()
                .position(|Working { row, .. }| row.low.is_some() && row.low == row.high)
            else {
                break;
            };
            self.fix_by_row(part, coordinates, fixing)?;
        }
        let width = coordinates.width();
        if width == 0 {
            return Ok(Found::Point(coordinates.point(&[])?));
        }
        if width > 1 && shape == Shape::Raw {
            // Split into groups before reducing, which costs more the more coordinates there are.
            let groups = part.groups(width);
            if groups.len() > 1 {
                return self.one_by_one(part, coordinates, &groups, shape);
            }
            let weights: Result<Vec<f64>, Overflow> =
                part.rows.iter().map(Working::weight).collect();
            fit(part, coordinates, &weights?, self.meter)?;
            shape = Shape::Reduced;
        }
        let groups = part.groups(width);
        if groups.len() > 1 {
            return self.one_by_one(part, coordinates, &groups, shape);
        }
        let mut tableau = part.tableau(width, &[])?;
        if let Err(because) = tableau.make_feasible(self.meter)? {
            return Ok(Found::Nothing(self.absurd(part, &because)));
        }
        if let Some(explored) = Self::vertex(coordinates, &tableau)? {
            return Ok(explored);
        }
        let mut values = values(&mut tableau, width - 1, self.meter)?;
        if width > 1 && shape == Shape::Reduced && too_many(&values)? {
            self.fit_exactly(part, coordinates)?;
            tableau = part.tableau(width, &[])?;
            if let Err(because) = tableau.make_feasible(self.meter)? {
                return Ok(Found::Nothing(self.absurd(part, &because)));
            }
            values = self.fewest(part, coordinates, &mut tableau)?;
            shape = Shape::Fitted;
        }
        self.branch(part, coordinates, shape, &values)
    }

    /// Searches groups of coordinates that have no row in common, each by itself.
    fn one_by_one<N: Number>(
        &mut self,
        part: &Part<N>,
        coordinates: &Coordinates<N>,
        groups: &[Vec<usize>],
        shape: Shape,
    ) -> Result<Found<N>, Halt> {
        let mut together = coordinates.origin.clone();
        for group in groups {
            match self.explore(part.restricted(group), coordinates.restricted(group), shape)? {
                Found::Nothing(proof) => return Ok(Found::Nothing(proof)),
                Found::Point(found) => {
                    for ((to, at), from) in together.iter_mut().zip(&found).zip(&coordinates.origin)
                    {
                        *to = to.plus(&at.minus(from)?)?;
                    }
                }
            }
        }
        Ok(Found::Point(together))
    }

    /// A leaf of the proof, if one is written.
    fn absurd<N: Number>(&self, part: &Part<N>, because: &[(usize, Side, N)]) -> Option<Proof> {
        Some(self.recorder.as_ref()?.absurd(&part.origins(because)))
    }

    /// A vertex that is integral ends the node.
    fn vertex<N: Number>(
        coordinates: &Coordinates<N>,
        tableau: &Tableau<N>,
    ) -> Result<Option<Found<N>>, Halt> {
        let mut values = Vec::with_capacity(coordinates.width());
        for k in 0..coordinates.width() {
            let (num, den) = tableau.variable(k);
            let value = num.divided_down(&den);
            if value.times(&den)? != num {
                return Ok(None);
            }
            values.push(value);
        }
        Ok(Some(Found::Point(coordinates.point(&values)?)))
    }

    /// Reduces the coordinates with the widths that the rows have on the rational solutions.
    fn fit_exactly<N: Number>(
        &mut self,
        part: &mut Part<N>,
        coordinates: &mut Coordinates<N>,
    ) -> Result<(), Halt> {
        let forms: Vec<&[N]> = part.rows.iter().map(|row| row.row.form.as_slice()).collect();
        let mut tableau = part.tableau(coordinates.width(), &forms)?;
        let mut weights = vec![0.0; forms.len()];
        if tableau.make_feasible(self.meter)?.is_ok() {
            for (number, weight) in weights.iter_mut().enumerate() {
                let name = tableau.form_name(number);
                let high = tableau.maximize(name, false, self.meter)?;
                let low = tableau.maximize(name, true, self.meter)?;
                if let (Some(high), Some(low)) = (high, low) {
                    // The largest of the form and of its negative, exactly: both may be huge.
                    let width = high.num.times(&low.den)?.plus(&low.num.times(&high.den)?)?;
                    let den = high.den.times(&low.den)?;
                    *weight = 1.0 / (width.approximate() / den.approximate()).max(1e-3);
                }
            }
        }
        fit(part, coordinates, &weights, self.meter)
    }

    /// Puts the coordinate with the fewest values last.
    fn fewest<N: Number>(
        &mut self,
        part: &mut Part<N>,
        coordinates: &mut Coordinates<N>,
        tableau: &mut Tableau<N>,
    ) -> Result<Values<N>, Halt> {
        let last = coordinates.width() - 1;
        let mut best: Option<(N, usize, Values<N>)> = None;
        for k in (0..=last).rev() {
            let values = values(tableau, k, self.meter)?;
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
        if k != last {
            reduction::swap(part, coordinates, k, last)?;
        }
        Ok(values)
    }
}

impl Shape {
    /// The shape after one coordinate has been fixed.
    fn below(self) -> Shape {
        match self {
            Shape::Raw => Shape::Raw,
            Shape::Reduced | Shape::Fitted => Shape::Reduced,
        }
    }
}

/// Reduces the coordinates for rows with these weights.
fn fit<N: Number>(
    part: &mut Part<N>,
    coordinates: &mut Coordinates<N>,
    weights: &[f64],
    meter: &Meter<'_>,
) -> Result<(), Halt> {
    let scaled = |part: &Part<N>, k: usize| {
        let rows = part.rows.iter().zip(weights);
        rows.map(|(row, weight)| row.row.form[k].approximate() * weight).collect()
    };
    reduction::reduce(part, coordinates, scaled, meter)
}

/// The integers a coordinate may be, by linear programming from a feasible vertex.
fn values<N: Number>(
    tableau: &mut Tableau<N>,
    k: usize,
    meter: &Meter<'_>,
) -> Result<Values<N>, Halt> {
    let name = tableau.variable_name(k);
    let largest = tableau.maximize(name, false, meter)?.ok_or(Halt::Overflow)?;
    let smallest = tableau.maximize(name, true, meter)?.ok_or(Halt::Overflow)?;
    Ok(Values {
        // −⌊−smallest⌋; the negative was computed.
        first: smallest.num.divided_down(&smallest.den).negated()?,
        last: largest.num.divided_down(&largest.den),
        because: [(smallest.because, smallest.den), (largest.because, largest.den)],
    })
}

/// Whether a coordinate has enough values to make looking for a better one worthwhile.
fn too_many<N: Number>(values: &Values<N>) -> Result<bool, Overflow> {
    const FEW: i128 = 3;
    Ok(values.last.minus(&values.first)? >= N::from_wide(FEW))
}
