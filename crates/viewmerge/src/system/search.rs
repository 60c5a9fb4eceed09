//! Has a list of rows an integer point? Which has the largest value of a form?
//!
//! A tree search that is short because it looks in the right directions
//! (theory, "deciding a system"; Lenstra). At a node:
//!
//! 1. every row is divided by the greatest common divisor of its coefficients
//!    and its ends are rounded inwards; an empty row ends it. A row whose ends
//!    are equal fixes a coordinate.
//! 2. The coordinates are reduced ([`super::lattice`]) so that the last one can
//!    have few values; linear programming ([`super::lp`]) says which. No
//!    rational solution ends it; a vertex that is integral is a point.
//! 3. Coordinates that have no row in common with others are searched by
//!    themselves, so that numbers of values add up instead of multiplying.
//! 4. For each value it is set and the search goes on with one coordinate less.
//!
//! Example: 0 ≤ x ≤ 3, 0 ≤ x − 2q ≤ 1, 1 ≤ 2q − 2x + 2 (so q ≥ x): (0,0) is a point;
//! with 3 instead of 1 there is none, since q ≤ x/2.
//!
//! Cost: polynomial for a fixed number of variables; a handful of nodes of some
//! microseconds for chains. Overflow policy: `i128`, and once more from the
//! start with big numbers if that overflows.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::lattice::{self, Coordinates, Forms};
use super::lp::{Bounded, Multiples, Side, Tableau};
use super::number::{Big, Number, Overflow};
use super::proof::{Origin, Proof, Recorder, Rounding, RowRef};
use super::{Row, System};
use crate::limit::{Exhausted, Meter};

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
pub(super) enum Found {
    Point(Vec<i128>),
    /// No point; with a proof if one was asked for.
    Nothing(Option<Proof>),
}

/// Why a search did not end.
pub(super) enum Halt {
    Overflow,
    Exhausted(Exhausted),
}

impl From<Overflow> for Halt {
    fn from(_: Overflow) -> Halt {
        Halt::Overflow
    }
}

impl From<Exhausted> for Halt {
    fn from(exhausted: Exhausted) -> Halt {
        Halt::Exhausted(exhausted)
    }
}

/// Searches with numbers of one type.
pub(super) fn run<N: Number>(
    system: System<N>,
    goal: Goal,
    meter: &mut Meter<'_>,
) -> Result<Found, Halt> {
    if let Goal::Largest { above } = goal {
        return largest(system, above.map(N::from_wide), meter);
    }
    let (point, proof) = find(system, goal == Goal::Proof, meter)?;
    match point {
        Some(point) => in_bounds(&point).map(Found::Point),
        None => Ok(Found::Nothing(proof)),
    }
}

/// A point of the system, or that there is none, with a proof if one is wanted.
fn find<N: Number>(
    system: System<N>,
    prove: bool,
    meter: &mut Meter<'_>,
) -> Result<(Option<Vec<N>>, Option<Proof>), Halt> {
    let mut recorder = prove.then(Recorder::new);
    let rows = system.rows.into_iter().enumerate();
    let rows = rows.map(|(number, row)| Working::given(number, row, recorder.as_mut())).collect();
    let mut search = Search { meter, recorder, point: None };
    let coordinates = Coordinates::identity(system.variables);
    match search.explore(Part { rows }, coordinates, Shape::Raw)? {
        Explored::Point => Ok((search.point, None)),
        Explored::Nothing(proof) => Ok((None, proof)),
    }
}

/// The coordinates of a point of a chain are small, whatever the numbers on the way.
fn in_bounds<N: Number>(point: &[N]) -> Result<Vec<i128>, Halt> {
    let point: Option<Vec<i128>> = point.iter().map(Number::wide).collect();
    point.ok_or(Halt::Overflow)
}

/// A point with the largest value of the objective.
///
/// Linear programming bounds it from above; from there down ever larger windows
/// are searched for a point, and then what is above that point is halved. So
/// each search is for some point in a set that is as flat as it can be.
fn largest<N: Number>(
    system: System<N>,
    above: Option<N>,
    meter: &mut Meter<'_>,
) -> Result<Found, Halt> {
    const WIDER: i128 = 64;
    let objective = &system.objective;
    let rows = system.rows.iter().map(|row| Bounded {
        form: &row.form,
        low: row.low.as_ref(),
        high: row.high.as_ref(),
    });
    let mut tableau = Tableau::new(system.variables, rows, &[objective.as_slice()])?;
    if tableau.make_feasible(meter)?.is_err() {
        return Ok(Found::Nothing(None));
    }
    let name = tableau.form_name(0);
    let top = tableau.maximize(name, false, meter)?.ok_or(Halt::Overflow)?;
    let mut high = top.num.divided_down(&top.den);
    let low = match above {
        Some(above) => above.plus(&N::ONE)?,
        None => {
            let bottom = tableau.maximize(name, true, meter)?.ok_or(Halt::Overflow)?;
            bottom.num.divided_down(&bottom.den).negated()?
        }
    };
    let two = N::ONE.plus(&N::ONE)?;
    let mut window = N::ZERO;
    let mut best: Option<(N, Vec<N>)> = None;
    loop {
        let floor = match &best {
            Some((value, _)) => value.plus(&N::ONE)?,
            None => low.clone(),
        };
        if floor > high {
            break;
        }
        let from = match &best {
            None => high.minus(&window)?,
            // The upper half of what is left.
            Some(_) => floor.plus(&high.minus(&floor)?.divided_down(&two))?,
        };
        let from = from.max(floor);
        let mut narrowed = system.clone();
        narrowed.rows.push(Row {
            form: objective.clone(),
            low: Some(from.clone()),
            high: Some(high.clone()),
        });
        match find(narrowed, false, meter)?.0 {
            Some(point) => {
                let mut value = N::ZERO;
                for (coefficient, at) in objective.iter().zip(&point) {
                    value = value.plus(&coefficient.times(at)?)?;
                }
                best = Some((value, point));
            }
            None => {
                high = from.minus(&N::ONE)?;
                window = window.times(&N::from_wide(WIDER))?.plus(&N::ONE)?;
            }
        }
    }
    match best {
        Some((_, point)) => in_bounds(&point).map(Found::Point),
        None => Ok(Found::Nothing(None)),
    }
}

/// A row over the free coordinates of a node.
#[derive(Debug, Clone)]
struct Working<N> {
    form: Vec<N>,
    low: Option<N>,
    high: Option<N>,
    /// Where the ends come from; used only if a proof is written.
    low_from: Origin<N>,
    high_from: Origin<N>,
}

impl<N: Number> Working<N> {
    fn given(number: usize, row: Row<N>, recorder: Option<&mut Recorder>) -> Working<N> {
        let none = Origin { source: 0, scale: N::ONE };
        let (low_from, high_from) = match recorder {
            None => (none.clone(), none),
            Some(recorder) => {
                let form: Vec<Big> = row.form.iter().map(Number::big).collect();
                let row = RowRef::Given(number);
                (
                    recorder.source(row, Side::Low, form.clone()),
                    recorder.source(row, Side::High, form),
                )
            }
        };
        Working { form: row.form, low: row.low, high: row.high, low_from, high_from }
    }

    fn origin(&self, side: Side) -> &Origin<N> {
        match side {
            Side::Low => &self.low_from,
            Side::High => &self.high_from,
        }
    }

    /// The same row with the last coordinate set to a value.
    fn fix_last(&mut self, value: &N) -> Result<(), Overflow> {
        let Some(coefficient) = self.form.pop() else { return Ok(()) };
        if coefficient.is_zero() || value.is_zero() {
            return Ok(());
        }
        let shift = coefficient.times(value)?;
        for end in [&mut self.low, &mut self.high].into_iter().flatten() {
            *end = end.minus(&shift)?;
        }
        Ok(())
    }

    /// 1/width, or 0 for a row without one.
    fn weight(&self) -> Result<f64, Overflow> {
        Ok(match (&self.low, &self.high) {
            (Some(low), Some(high)) => 1.0 / high.minus(low)?.approximate().max(1.0),
            _ => 0.0,
        })
    }

    /// The greatest common divisor of the coefficients.
    fn divisor(&self) -> Result<N, Overflow> {
        let mut divisor = N::ZERO;
        for entry in &self.form {
            divisor = divisor.gcd(entry)?;
            if divisor == N::ONE {
                break;
            }
        }
        Ok(divisor)
    }
}

/// The rows of a node.
#[derive(Debug, Clone)]
struct Part<N> {
    rows: Vec<Working<N>>,
}

impl<N> Forms<N> for Part<N> {
    fn each(
        &mut self,
        change: &mut dyn FnMut(&mut Vec<N>) -> Result<(), Overflow>,
    ) -> Result<(), Overflow> {
        self.rows.iter_mut().map(|row| &mut row.form).try_for_each(change)
    }
}

impl<N: Number> Part<N> {
    fn fix_last(&mut self, value: &N) -> Result<(), Overflow> {
        self.rows.iter_mut().try_for_each(|row| row.fix_last(value))
    }

    /// The coordinates in groups that have no row in common.
    fn groups(&self, width: usize) -> Vec<Vec<usize>> {
        let mut group: Vec<usize> = (0..width).collect();
        for row in &self.rows {
            let mut moving = (0..width).filter(|&k| !row.form[k].is_zero());
            let Some(first) = moving.next() else { continue };
            for other in moving {
                let (to, from) = (group[first], group[other]);
                group.iter_mut().filter(|known| **known == from).for_each(|known| *known = to);
            }
        }
        let members = |name| (0..width).filter(|&k| group[k] == name).collect::<Vec<usize>>();
        (0..width).map(members).filter(|members| !members.is_empty()).collect()
    }

    /// The rows of a group of coordinates, over these alone.
    fn restricted(&self, group: &[usize]) -> Part<N> {
        let about = |row: &&Working<N>| group.iter().any(|&k| !row.form[k].is_zero());
        let rows = self.rows.iter().filter(about).map(|row| Working {
            form: group.iter().map(|&k| row.form[k].clone()).collect(),
            ..row.clone()
        });
        Part { rows: rows.collect() }
    }

    /// The linear program: the rows of the node, and forms to follow.
    fn tableau(&self, width: usize, forms: &[&[N]]) -> Result<Tableau<N>, Overflow> {
        let rows = self.rows.iter().map(|row| Bounded {
            form: &row.form,
            low: row.low.as_ref(),
            high: row.high.as_ref(),
        });
        Tableau::new(width, rows, forms)
    }
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

/// The end of a node.
enum Explored {
    /// A point was found.
    Point,
    /// There is none.
    Nothing(Option<Proof>),
}

/// The values a coordinate may have, and why no others.
struct Values<N> {
    first: N,
    last: N,
    /// The rational ends: smallest and largest value.
    because: [(Multiples<N>, N); 2],
}

struct Search<'m, 'l, N> {
    meter: &'m mut Meter<'l>,
    recorder: Option<Recorder>,
    point: Option<Vec<N>>,
}

impl<N: Number> Search<'_, '_, N> {
    fn explore(
        &mut self,
        mut part: Part<N>,
        mut coordinates: Coordinates<N>,
        shape: Shape,
    ) -> Result<Explored, Halt> {
        self.meter.spend(1)?;
        let mut roundings = Vec::new();
        let fixed_before = self.recorder.as_ref().map_or(0, Recorder::fixed_count);
        let explored = self.explore_rounded(&mut part, &mut coordinates, shape, &mut roundings);
        if let Some(recorder) = &mut self.recorder {
            recorder.unfix_to(fixed_before);
        }
        Ok(match explored? {
            Explored::Nothing(Some(mut proof)) => {
                for rounding in roundings.into_iter().rev() {
                    proof = rounding.around(proof);
                }
                Explored::Nothing(Some(proof))
            }
            other => other,
        })
    }

    fn explore_rounded(
        &mut self,
        part: &mut Part<N>,
        coordinates: &mut Coordinates<N>,
        mut shape: Shape,
        roundings: &mut Vec<Rounding>,
    ) -> Result<Explored, Halt> {
        loop {
            if let Some(contradiction) = self.round(part, coordinates, roundings)? {
                return Ok(contradiction);
            }
            let Some(fixing) =
                part.rows.iter().position(|row| row.low.is_some() && row.low == row.high)
            else {
                break;
            };
            self.fix_by_row(part, coordinates, fixing)?;
        }
        let width = coordinates.width();
        if width == 0 {
            return self.arrive(coordinates, &[]);
        }
        if width > 1 && shape == Shape::Raw {
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
            return Ok(Explored::Nothing(self.absurd(part, &because)));
        }
        if let Some(explored) = self.vertex(coordinates, &tableau)? {
            return Ok(explored);
        }
        let mut values = values(&mut tableau, width - 1, self.meter)?;
        if width > 1 && shape == Shape::Reduced && too_many(&values)? {
            self.fit_exactly(part, coordinates)?;
            tableau = part.tableau(width, &[])?;
            if let Err(because) = tableau.make_feasible(self.meter)? {
                return Ok(Explored::Nothing(self.absurd(part, &because)));
            }
            values = self.fewest(part, coordinates, &mut tableau)?;
            shape = Shape::Fitted;
            return self.branch(part, coordinates, shape, values);
        }
        self.branch(part, coordinates, shape, values)
    }

    /// Searches groups of coordinates that have no row in common, each by itself.
    fn one_by_one(
        &mut self,
        part: &Part<N>,
        coordinates: &Coordinates<N>,
        groups: &[Vec<usize>],
        shape: Shape,
    ) -> Result<Explored, Halt> {
        let mut together = coordinates.origin.clone();
        for group in groups {
            match self.explore(part.restricted(group), coordinates.restricted(group), shape)? {
                Explored::Nothing(proof) => return Ok(Explored::Nothing(proof)),
                Explored::Point => {
                    let found = self.point.take().unwrap_or_default();
                    for ((to, at), from) in together.iter_mut().zip(&found).zip(&coordinates.origin)
                    {
                        *to = to.plus(&at.minus(from)?)?;
                    }
                }
            }
        }
        self.point = Some(together);
        Ok(Explored::Point)
    }

    /// Divides every row by its divisor and rounds its ends inwards.
    fn round(
        &mut self,
        part: &mut Part<N>,
        coordinates: &Coordinates<N>,
        roundings: &mut Vec<Rounding>,
    ) -> Result<Option<Explored>, Halt> {
        let mut kept = 0;
        for number in 0..part.rows.len() {
            let divisor = part.rows[number].divisor()?;
            let row = &mut part.rows[number];
            if divisor.is_zero() {
                let (low, high) = (&row.low, &row.high);
                if low.as_ref().is_some_and(Number::is_positive) {
                    let because = [(number, Side::Low, N::ONE)];
                    return Ok(Some(Explored::Nothing(self.absurd(part, &because))));
                }
                if high.as_ref().is_some_and(Number::is_negative) {
                    let because = [(number, Side::High, N::ONE)];
                    return Ok(Some(Explored::Nothing(self.absurd(part, &because))));
                }
                continue;
            }
            if divisor != N::ONE {
                for entry in &mut row.form {
                    *entry = entry.divided_down(&divisor);
                }
                let rounded = |end: &N, up: bool| -> Result<(N, bool), Overflow> {
                    let rounded =
                        if up { end.divided_up(&divisor)? } else { end.divided_down(&divisor) };
                    let exact = rounded.times(&divisor)? == *end;
                    Ok((rounded, exact))
                };
                let ends = [
                    (Side::Low, row.low.as_ref().map(|end| rounded(end, true)).transpose()?),
                    (Side::High, row.high.as_ref().map(|end| rounded(end, false)).transpose()?),
                ];
                for (side, end) in ends {
                    let Some((value, exact)) = end else { continue };
                    let origin = match side {
                        Side::Low => {
                            row.low = Some(value.clone());
                            &mut row.low_from
                        }
                        Side::High => {
                            row.high = Some(value.clone());
                            &mut row.high_from
                        }
                    };
                    if let Some(recorder) = &mut self.recorder {
                        origin.scale = origin.scale.times(&divisor)?;
                        if !exact {
                            let form = form_of_variables(&row.form, coordinates)?;
                            roundings.push(recorder.round(form, &value.big(), side, origin));
                        }
                    }
                }
            }
            if let (Some(low), Some(high)) = (&row.low, &row.high)
                && low > high
            {
                let because = [(number, Side::Low, N::ONE), (number, Side::High, N::ONE)];
                return Ok(Some(Explored::Nothing(self.absurd(part, &because))));
            }
            part.rows.swap(kept, number);
            kept += 1;
        }
        part.rows.truncate(kept);
        Ok(None)
    }

    /// Makes the form of a row, whose ends are equal, the last coordinate, and sets it.
    fn fix_by_row(
        &mut self,
        part: &mut Part<N>,
        coordinates: &mut Coordinates<N>,
        fixing: usize,
    ) -> Result<(), Halt> {
        let last = coordinates.width() - 1;
        // Euclid's algorithm on the coefficients, which have no common divisor.
        loop {
            let form = &part.rows[fixing].form;
            let mut least: Option<usize> = None;
            let mut moving = 0;
            for (k, entry) in form.iter().enumerate() {
                if entry.is_zero() {
                    continue;
                }
                moving += 1;
                let smaller = match least {
                    None => true,
                    Some(known) => entry.absolute()? < form[known].absolute()?,
                };
                if smaller {
                    least = Some(k);
                }
            }
            let Some(least) = least else { return Ok(()) };
            if moving == 1 {
                if least != last {
                    lattice::swap(part, coordinates, least, last)?;
                }
                break;
            }
            for k in 0..=last {
                let form = &part.rows[fixing].form;
                if k == least || form[k].is_zero() {
                    continue;
                }
                let pivot = form[least].absolute()?;
                let mut r = form[k].divided_down(&pivot);
                if form[least].is_negative() {
                    r = r.negated()?;
                }
                lattice::subtract(part, coordinates, k, least, &r)?;
            }
        }
        let row = &part.rows[fixing];
        let up = row.form[last].is_positive();
        let value = row.low.clone().unwrap_or(N::ZERO);
        let value = if up { value } else { value.negated()? };
        let (low, high) = (row.low_from.clone(), row.high_from.clone());
        let (low, high) = if up { (low, high) } else { (high, low) };
        let column = coordinates.fix_last(&value)?;
        if let Some(recorder) = &mut self.recorder {
            recorder.fix(&column, &low, &high);
        }
        part.rows.remove(fixing);
        part.fix_last(&value)?;
        Ok(())
    }

    /// A leaf of the proof, if one is written.
    fn absurd(&self, part: &Part<N>, because: &[(usize, Side, N)]) -> Option<Proof> {
        let recorder = self.recorder.as_ref()?;
        let parts: Vec<(Origin<N>, N)> = because
            .iter()
            .map(|(row, side, times)| (part.rows[*row].origin(*side).clone(), times.clone()))
            .collect();
        Some(recorder.absurd(&parts))
    }

    /// Takes the point at these values of the free coordinates.
    fn arrive(&mut self, coordinates: &Coordinates<N>, values: &[N]) -> Result<Explored, Halt> {
        self.point = Some(coordinates.point(values)?);
        Ok(Explored::Point)
    }

    /// A vertex that is integral ends the node.
    fn vertex(
        &mut self,
        coordinates: &Coordinates<N>,
        tableau: &Tableau<N>,
    ) -> Result<Option<Explored>, Halt> {
        let mut values = Vec::with_capacity(coordinates.width());
        for k in 0..coordinates.width() {
            let (num, den) = tableau.variable(k);
            let value = num.divided_down(&den);
            if value.times(&den)? != num {
                return Ok(None);
            }
            values.push(value);
        }
        self.arrive(coordinates, &values).map(Some)
    }

    /// Reduces the coordinates with the widths that the rows have on the rational solutions.
    fn fit_exactly(
        &mut self,
        part: &mut Part<N>,
        coordinates: &mut Coordinates<N>,
    ) -> Result<(), Halt> {
        let forms: Vec<&[N]> = part.rows.iter().map(|row| row.form.as_slice()).collect();
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
    fn fewest(
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
            lattice::swap(part, coordinates, k, last)?;
        }
        Ok(values)
    }

    /// Goes on with every value of the last coordinate, those in the middle first.
    fn branch(
        &mut self,
        part: &Part<N>,
        coordinates: &Coordinates<N>,
        shape: Shape,
        values: Values<N>,
    ) -> Result<Explored, Halt> {
        if self.recorder.is_some() {
            return self.branch_with_proof(part, coordinates, shape, values);
        }
        let Values { first, last, .. } = values;
        let two = N::ONE.plus(&N::ONE)?;
        let middle = first.plus(&last.minus(&first)?.divided_down(&two))?;
        // Two fronts that go outwards.
        let (mut down, mut up) = (middle.clone(), middle.plus(&N::ONE)?);
        while down >= first || up <= last {
            for upwards in [false, true] {
                let front = if upwards { &mut up } else { &mut down };
                if *front < first || *front > last {
                    continue;
                }
                let value = front.clone();
                *front = if upwards { value.plus(&N::ONE)? } else { value.minus(&N::ONE)? };
                let mut child = part.clone();
                child.fix_last(&value)?;
                let mut narrower = coordinates.clone();
                narrower.fix_last(&value)?;
                if let Explored::Point = self.explore(child, narrower, shape.below())? {
                    return Ok(Explored::Point);
                }
            }
        }
        Ok(Explored::Nothing(None))
    }

    fn branch_with_proof(
        &mut self,
        part: &Part<N>,
        coordinates: &Coordinates<N>,
        shape: Shape,
        Values { first, last, because }: Values<N>,
    ) -> Result<Explored, Halt> {
        let dual = &coordinates.duals[coordinates.width() - 1];
        let dual: Vec<Big> = dual.iter().map(Number::big).collect();
        // Ends of the coordinate, one pair of splits for every value.
        let mut values = vec![first.clone()];
        while values[values.len() - 1] < last {
            let next = values[values.len() - 1].plus(&N::ONE)?;
            values.push(next);
        }
        if last < first {
            values.clear();
        }
        let middle = values.len() / 2;
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by_key(|&k| k.abs_diff(middle));
        let Some(recorder) = &mut self.recorder else { return Ok(Explored::Nothing(None)) };
        // Split i has at = first − 1 + i.
        let splits: Vec<usize> = (0..=values.len()).map(|_| recorder.split()).collect();
        let mut ends = Vec::with_capacity(splits.len());
        for &split in &splits {
            let row = RowRef::Split(split);
            let low: Origin<N> = recorder.source(row, Side::Low, dual.clone());
            let high: Origin<N> = recorder.source(row, Side::High, dual.clone());
            ends.push((low, high));
        }
        let fixed = recorder.fixed_count();
        let mut proofs: Vec<Option<Proof>> = values.iter().map(|_| None).collect();
        for k in order {
            let mut child = part.clone();
            child.fix_last(&values[k])?;
            let mut narrower = coordinates.clone();
            let column = narrower.fix_last(&values[k])?;
            if let Some(recorder) = &mut self.recorder {
                recorder.fix(&column, &ends[k].0, &ends[k + 1].1);
            }
            let explored = self.explore(child, narrower, shape.below());
            if let Some(recorder) = &mut self.recorder {
                recorder.unfix_to(fixed);
            }
            match explored? {
                Explored::Point => return Ok(Explored::Point),
                Explored::Nothing(proof) => proofs[k] = proof,
            }
        }
        let Some(recorder) = &self.recorder else { return Ok(Explored::Nothing(None)) };
        let outside = |(multiples, den): &(Multiples<N>, N), end: &Origin<N>| {
            let mut parts: Vec<(Origin<N>, N)> = multiples
                .iter()
                .map(|(row, side, times)| (part.rows[*row].origin(*side).clone(), times.clone()))
                .collect();
            parts.push((end.clone(), den.clone()));
            Some(recorder.absurd(&parts))
        };
        let [smallest, largest] = &because;
        // From the last split up to the first.
        let mut proof = outside(largest, &ends[values.len()].0);
        for k in (0..=values.len()).rev() {
            let low = if k == 0 { outside(smallest, &ends[0].1) } else { proofs[k - 1].take() };
            let at = first.big() - Big::ONE + Big::from(k);
            proof = match (low, proof) {
                (Some(low), Some(high)) => Some(Proof::Split {
                    number: splits[k],
                    form: dual.clone(),
                    at,
                    low: Box::new(low),
                    high: Box::new(high),
                }),
                _ => None,
            };
        }
        Ok(Explored::Nothing(proof))
    }
}

impl Shape {
    /// What is left of it with one coordinate less.
    fn below(self) -> Shape {
        match self {
            Shape::Raw => Shape::Raw,
            Shape::Reduced | Shape::Fitted => Shape::Reduced,
        }
    }
}

/// A form of the free coordinates as one of the variables.
fn form_of_variables<N: Number>(
    form: &[N],
    coordinates: &Coordinates<N>,
) -> Result<Vec<Big>, Overflow> {
    let mut sum = vec![Big::ZERO; coordinates.origin.len()];
    for (coefficient, dual) in form.iter().zip(&coordinates.duals) {
        let coefficient = coefficient.big();
        for (to, by) in sum.iter_mut().zip(dual) {
            *to += &coefficient * by.big();
        }
    }
    Ok(sum)
}

/// Reduces the coordinates for rows that weigh so much.
fn fit<N: Number>(
    part: &mut Part<N>,
    coordinates: &mut Coordinates<N>,
    weights: &[f64],
    meter: &Meter<'_>,
) -> Result<(), Halt> {
    let scaled = |part: &Part<N>, k: usize| {
        let rows = part.rows.iter().zip(weights);
        rows.map(|(row, weight)| row.form[k].approximate() * weight).collect()
    };
    lattice::reduce(part, coordinates, scaled, meter)
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
        // −⌊−smallest⌋, of which the negative is at hand.
        first: smallest.num.divided_down(&smallest.den).negated()?,
        last: largest.num.divided_down(&largest.den),
        because: [(smallest.because, smallest.den), (largest.because, largest.den)],
    })
}

/// Whether a coordinate has so many values that a better one should be looked for.
fn too_many<N: Number>(values: &Values<N>) -> Result<bool, Overflow> {
    const FEW: i128 = 3;
    Ok(values.last.minus(&values.first)? >= N::from_wide(FEW))
}
