//! Programs: columns with ranges, floors in their order, guards, and a value.
//!
//! A program is what the builder makes of a chain or of an expression, what the search rewrites with
//! fewer floors, and what a form is. Its columns are axes and then floors.
//!
//! - **P1** A floor uses earlier columns only, and divides by 2 or more.
//! - **P2** A guard has constant 0. It is right where the guards before it hold, and the value where
//!   all hold.
//!
//! Running example: `i - 3*(i // 3) < 2` for i from 0 to 11 has the floor F = ⌊i/3⌋ and the guard
//! i − 3·F < 2. The system it stands for has the rows 0 ≤ i ≤ 11, 0 ≤ i − 3·F ≤ 2 and i − 3·F ≤ 1.

use alloc::vec::Vec;

use lattice_point::{Row, System};
use smallvec::SmallVec;

use super::linear::{Linear, narrow};
use viewmerge::internal::INLINE_AXES;
use viewmerge::{Error, View};

/// First and last values of axes.
pub(crate) type Axes = SmallVec<[(i64, i64); INLINE_AXES]>;

/// A number for every column.
pub(crate) type Point = SmallVec<[i64; INLINE_AXES + 4]>;

/// A floor of a form: `⌊operand / divisor⌋`, the operand not negative where it matters.
///
/// ```
/// use viewmerge_index::IndexChain;
/// use viewmerge::Limit;
///
/// let form = "(3,2):(1,3) | (6)".parse::<viewmerge::ViewChain>()?.form(&Limit::none())?;
/// let floor = &form.floors()[0];
/// assert_eq!((floor.operand.axes(), floor.divisor), (&[1][..], 2));
/// assert_eq!(floor.range, (0, 2));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct FloorTerm {
    /// What is divided; it uses earlier floors only.
    pub operand: Linear,
    /// What it is divided by, 2 or more.
    pub divisor: i64,
    /// The smallest and largest value where it is looked at (bounds, both included).
    pub range: (i64, i64),
}

/// A condition on an index: `lower ≤ function < upper`, where given.
///
/// ```
/// use viewmerge_index::IndexChain;
/// use viewmerge::Limit;
///
/// let chain: viewmerge::ViewChain = "(18):(1) [2:17] | (16,3):(1,1)".parse()?;
/// let form = chain.form(&Limit::none())?;
/// let guard = &form.guards()[0];
/// assert_eq!(guard.function.axes(), [1, 1]);
/// assert_eq!((guard.lower, guard.upper), (Some(2), Some(17)));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Guard {
    /// The function; its constant is 0.
    pub function: Linear,
    /// Its smallest valid value, if that needs to be checked.
    pub lower: Option<i64>,
    /// One more than its largest valid value, if that needs to be checked.
    pub upper: Option<i64>,
}

impl FloorTerm {
    /// Its value at a point that has a number for every earlier column; `None` if it does not fit.
    pub(crate) fn at(&self, point: &[i64]) -> Option<i64> {
        match self.operand.small_at(point) {
            Some(operand) => Some(operand.div_euclid(self.divisor)),
            None => i64::try_from(self.operand.at(point).div_euclid(self.divisor.into())).ok(),
        }
    }

    /// What makes it a floor, F being its column: `0 ≤ operand − divisor·F < divisor`.
    pub(crate) fn residue(&self, column: usize) -> Guard {
        let mut function = self.operand.clone();
        function.add_column(column, -self.divisor);
        Guard::known(function, 0, self.divisor - 1)
    }
}

impl Guard {
    /// That the axes keep to ranges, where these are narrower than their own.
    pub(crate) fn of_ranges(own: &[(i64, i64)], kept: &[(i64, i64)]) -> Vec<Guard> {
        let both = own.iter().zip(kept).enumerate();
        let guards = both.map(|(axis, (&own, &now))| Guard::on_axis(axis, kept.len(), own, now));
        guards.filter(|guard| !guard.is_empty()).collect()
    }

    /// That one axis keeps to a range within its own.
    pub(crate) fn on_axis(axis: usize, rank: usize, own: (i64, i64), kept: (i64, i64)) -> Guard {
        let (lower, upper) = (kept.0 > own.0, kept.1 < own.1);
        Guard {
            function: Linear::column(axis, rank),
            lower: lower.then_some(kept.0),
            upper: upper.then(|| kept.1.saturating_add(1)),
        }
    }

    /// `low ≤ function ≤ high`, the constant of the function taken over to the ends.
    pub(crate) fn within(
        mut function: Linear,
        (low, high): (Option<i128>, Option<i128>),
    ) -> Result<Guard, Error> {
        let constant = i128::from(core::mem::take(&mut function.constant));
        let lower = low.map(|low| narrow(low - constant)).transpose()?;
        let upper = high.map(|high| narrow(high + 1 - constant)).transpose()?;
        Ok(Guard { function, lower, upper })
    }

    /// The guard of an index that counts from another point.
    pub(crate) fn moved(self, from: &[i64]) -> Result<Guard, Error> {
        let high = self.upper.map(|upper| i128::from(upper) - 1);
        Guard::within(self.function.moved(from)?, (self.lower.map(i128::from), high))
    }

    /// The same over some columns.
    pub(crate) fn over(&self, columns: &[usize], rank: usize) -> Guard {
        let function = self.function.over(columns, rank);
        Guard { function, lower: self.lower, upper: self.upper }
    }

    /// `low ≤ function ≤ high`, for what is known to hold.
    pub(crate) fn known(function: Linear, low: i64, high: i64) -> Guard {
        Guard { function, lower: Some(low), upper: high.checked_add(1) }
    }

    /// The first and last value that it allows.
    pub(crate) fn range(&self) -> (i64, i64) {
        (self.lower.unwrap_or(i64::MIN), self.upper.map_or(i64::MAX, |upper| upper - 1))
    }

    /// The only value that it allows, if it is an equation.
    pub(crate) fn only_value(&self) -> Option<i64> {
        self.lower.filter(|lower| lower.checked_add(1) == self.upper)
    }

    /// Whether it says nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.lower.is_none() && self.upper.is_none()
    }

    /// Whether it holds where the function has a value.
    pub(crate) fn allows(&self, value: i128) -> bool {
        self.lower.is_none_or(|lower| i128::from(lower) <= value)
            && self.upper.is_none_or(|upper| value < i128::from(upper))
    }

    /// Whether it holds at a point.
    pub(crate) fn holds(&self, point: &[i64]) -> bool {
        self.allows(self.function.at(point))
    }

    /// Adds it to others: to the one of the same function, if there is one.
    pub(crate) fn join(self, others: &mut Vec<Guard>) {
        match others.iter_mut().find(|known| known.function == self.function) {
            None => others.push(self),
            Some(known) => {
                known.lower = known.lower.max(self.lower);
                known.upper = match (known.upper, self.upper) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                };
            }
        }
    }

    /// As a row over so many columns.
    pub(crate) fn row(&self, columns: usize) -> Row<i128> {
        let mut form: Vec<i128> = self.function.terms().iter().map(|&c| c.into()).collect();
        form.resize(columns, 0);
        let end = |end: i64| i128::from(end) - i128::from(self.function.constant);
        Row { form, low: self.lower.map(end), high: self.upper.map(|upper| end(upper) - 1) }
    }
}

/// Floors, guards and a value over axes with ranges.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Program {
    /// The first and last value of each axis.
    pub axes: Axes,
    /// How many axes are inputs; the others are functions of these.
    pub inputs: usize,
    pub floors: Vec<FloorTerm>,
    pub guards: Vec<Guard>,
    pub value: Linear,
}

impl Program {
    /// Without floors or guards, and the value 0.
    pub(crate) fn over(axes: Axes, inputs: usize) -> Program {
        let value = Linear::always(0, axes.len());
        Program { axes, inputs, floors: vec![], guards: vec![], value }
    }

    /// The positions of a view, over the ranges in which it is valid.
    pub(crate) fn of_view(view: &View) -> Program {
        let (rank, strides) = (view.rank(), view.strides().iter().copied());
        let axes = (0..rank).map(|axis| view.interval(axis)).map(|(lo, hi)| (lo, hi - 1));
        let value = Linear::new(view.offset(), rank, strides);
        Program { value, ..Program::over(axes.collect(), rank) }
    }

    pub(crate) fn rank(&self) -> usize {
        self.axes.len()
    }

    /// How many axes and floors there are.
    pub(crate) fn columns(&self) -> usize {
        self.axes.len() + self.floors.len()
    }

    /// The range of a column.
    pub(crate) fn range(&self, column: usize) -> (i64, i64) {
        match column.checked_sub(self.axes.len()) {
            None => self.axes[column],
            Some(number) => self.floors[number].range,
        }
    }

    /// The ranges of all columns.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = (i64, i64)> + Clone {
        self.axes.iter().copied().chain(self.floors.iter().map(|floor| floor.range))
    }

    /// The rows of ranges and floors.
    pub(crate) fn system(&self) -> System<i128> {
        let columns = self.columns();
        let mut system = System::new(columns);
        for (axis, &(first, last)) in self.axes.iter().enumerate() {
            system.bound(axis, Some(first.into()), Some(last.into()));
        }
        let floors = self.floors.iter().zip(self.rank()..);
        system.rows.extend(floors.map(|(floor, column)| floor.residue(column).row(columns)));
        system
    }

    /// The rows of ranges, floors and guards.
    pub(crate) fn rows(&self) -> System<i128> {
        let mut system = self.system();
        system.rows.extend(self.guards.iter().map(|guard| guard.row(self.columns())));
        system
    }

    /// How many of some functions have each column, and how many of the floors that are used for them.
    pub(crate) fn uses<'f>(&self, functions: impl Iterator<Item = &'f Linear>) -> Vec<usize> {
        let mut uses = vec![0; self.columns()];
        functions.for_each(|function| function.columns().for_each(|column| uses[column] += 1));
        for (number, floor) in self.floors.iter().enumerate().rev() {
            if uses[self.rank() + number] > 0 {
                floor.operand.columns().for_each(|column| uses[column] += 1);
            }
        }
        uses
    }

    /// The columns of the floors that some functions need.
    pub(crate) fn needed<'f>(&self, functions: impl Iterator<Item = &'f Linear>) -> Vec<usize> {
        let uses = self.uses(functions);
        (self.rank()..self.columns()).filter(|&column| uses[column] > 0).collect()
    }

    /// The functions of the guards, and the value.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &Linear> {
        self.guards.iter().map(|guard| &guard.function).chain([&self.value])
    }

    /// Adds the values of the floors to those of the axes; `None` if one does not fit.
    pub(crate) fn complete(&self, point: &mut Point) -> Option<()> {
        self.floors.iter().try_for_each(|floor| {
            point.push(floor.at(point)?);
            Some(())
        })
    }

    /// The value at an index within the ranges, or that a guard fails; `None` if a number does not fit.
    pub(crate) fn at(&self, index: &[i64]) -> Option<Option<i64>> {
        let mut point: Point = index.into();
        self.complete(&mut point)?;
        if !self.guards.iter().all(|guard| guard.holds(&point)) {
            return Some(None);
        }
        i64::try_from(self.value.at(&point)).ok().map(Some)
    }

    /// Without the floors that are not used.
    pub(crate) fn trimmed(self) -> Program {
        let needed = self.needed(self.functions());
        if needed.len() == self.floors.len() {
            return self;
        }
        let columns: Vec<usize> = (0..self.rank()).chain(needed).collect();
        self.part(&columns, self.guards.iter())
    }

    /// Its value and some guards over some columns.
    pub(crate) fn part<'g>(
        &self,
        columns: &[usize],
        guards: impl Iterator<Item = &'g Guard>,
    ) -> Program {
        let rank = columns.partition_point(|&column| column < self.rank());
        let (axes, floors) = columns.split_at(rank);
        let floors = floors.iter().map(|&column| &self.floors[column - self.rank()]);
        let floor = |floor: &FloorTerm| FloorTerm {
            operand: floor.operand.over(columns, rank),
            divisor: floor.divisor,
            range: floor.range,
        };
        Program {
            axes: axes.iter().map(|&axis| self.axes[axis]).collect(),
            inputs: axes.partition_point(|&axis| axis < self.inputs),
            floors: floors.map(floor).collect(),
            guards: guards.map(|guard| guard.over(columns, rank)).collect(),
            value: self.value.over(columns, rank),
        }
    }
}
