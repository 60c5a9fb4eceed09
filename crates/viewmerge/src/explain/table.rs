//! The overflow table of v₁ and the views above it.
//!
//! A row for every index of the last view, in order: the digits of its position in
//! v₁'s shape, which digits overflowed on the way from the index before it, the
//! equation in the strides of v₁ that this step gives, and all equations so far,
//! solved. Padding takes part in no equation. Given strides are substituted row by row, and a row
//! that fails is marked. A long table keeps only the rows that add an equation or show a hole.
//!
//! Running example, (10,3,3):(8,1,2) through (6):(4):
//!
//! ```text
//! index  digits   overflow       equation         given             solved
//! (0)    (0,0,0)
//! (1)    (0,1,1)
//! (2)    (0,2,2)
//! (3)    (1,1,0)  2 → 1, 1 → 0   σ₁ = 2σ₂ + 3σ₃   8 = 2·1 + 3·2 ✓   σ₁ = 2σ₂ + 3σ₃
//! (4)    (1,2,1)                                                    σ₁ = 2σ₂ + 3σ₃
//! (5)    (2,0,2)  1 → 0          σ₁ = 3σ₂         8 = 3·1 ✗         σ₁ = 9σ₃, σ₂ = 3σ₃
//! ```

use alloc::string::String;
use alloc::vec::Vec;

use crate::conditions::formula::Style;
use crate::conditions::{Conditions, OpenChain, Solutions, equate, insert, with_known};
use crate::dims::{Index, row_major, unravel_within};
use crate::error::Error;
use crate::limit::{Limit, Meter};
use crate::merge::Witness;
use lattice_point::{Echelon, Overflow};

/// One index of the last view, and the step that leads to it.
///
/// ```
/// use viewmerge::{Limit, OpenChain};
///
/// let table = "(4,3) | (3):(2)".parse::<OpenChain>()?.overflow_table(10, &Limit::none())?;
/// assert_eq!(table.rows[2].digits.as_ref().unwrap().as_slice(), [1, 1]);
/// assert_eq!(table.rows[2].equation, Some(vec![1, -3]));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct OverflowRow {
    /// The index.
    pub index: Index,
    /// Its linear position in v₁; `None` for padding.
    pub position: Option<i64>,
    /// The digits of the position; `None` for padding, of v₁ or of a view above it.
    pub digits: Option<Index>,
    /// The axis of the step that leads here; `None` if no step from a valid index does.
    pub axis: Option<usize>,
    /// The axes of v₁ whose digit overflowed into the one before it.
    pub overflows: Vec<usize>,
    /// The coefficients of the equation the step gives, if it is not 0 = 0.
    pub equation: Option<Vec<i64>>,
    /// Whether the equation is independent of those above it.
    pub new: bool,
    /// Whether the given strides satisfy the equation, if all strides in it are given.
    pub holds: Option<bool>,
    /// All equations so far, solved over the integers, with the given strides substituted unless
    /// all are given.
    pub solved: Vec<String>,
}

/// The rows, and whether some were left out.
///
/// ```
/// use viewmerge::{Limit, OpenChain};
///
/// let table = "(10,3,3) | (6):(4)".parse::<OpenChain>()?.overflow_table(100, &Limit::none())?;
/// assert_eq!(table.rows.len(), 6);
/// assert_eq!(table.rows[3].overflows, [2, 1]);
/// assert_eq!(table.rows[5].solved, ["σ₁ = 9σ₃", "σ₂ = 3σ₃"]);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct OverflowTable {
    /// The strides of v₁ that are given, `None` where open.
    pub given: Vec<Option<i64>>,
    /// The rows, in the order of the indices.
    pub rows: Vec<OverflowRow>,
    /// Whether the table lists only the rows that give a new equation and those they start from, or,
    /// if the valid indices do not form a box, three rows that show it.
    pub elided: bool,
}

impl OpenChain {
    /// How the digits of the view next to memory move, index by index, with all
    /// rows if there are at most `most_rows`.
    ///
    /// Given strides are substituted into the equation of each row.
    ///
    /// # Errors
    ///
    /// As [`OpenChain::conditions`].
    ///
    /// ```
    /// use viewmerge::{Limit, OpenChain};
    ///
    /// let chain: OpenChain = "(4,3) | (3):(2)".parse()?;
    /// assert_eq!(chain.overflow_table(10, &Limit::none())?.rows.len(), 3);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn overflow_table(
        &self,
        most_rows: i64,
        limit: &Limit<'_>,
    ) -> Result<OverflowTable, Error> {
        let mut meter = limit.meter();
        meter.spend(1)?;
        let elided = self.last().count() > most_rows.max(0);
        let steps = match elided {
            true => steps_that_matter(self, &mut meter)?,
            false => all_steps(self, &mut meter)?,
        };
        let mut builder = Builder {
            chain: self,
            first: vec![None; self.last().rank()],
            space: Echelon::new(self.below().shape().len()),
        };
        let rows = steps.into_iter().map(|(index, step)| builder.row(index, step));
        let rows = rows.collect::<Result<_, _>>().map_err(|Overflow| Error::ConditionsTooLarge)?;
        let mut table = OverflowTable { given: self.below().strides().to_vec(), rows, elided };
        let solved = table.solved(Style::Text).map_err(|Overflow| Error::ConditionsTooLarge)?;
        for (row, solved) in table.rows.iter_mut().zip(solved) {
            row.solved = solved;
        }
        Ok(table)
    }
}

/// The index of a row, and the step that leads to it.
type Stepped = (Index, Option<Step>);

/// A step along an axis, and the step it is compared with.
struct Step {
    axis: usize,
    /// Where the other step starts; the first step along the axis if left out.
    against: Option<Index>,
}

impl OverflowTable {
    /// The equations up to every row, solved.
    pub(super) fn solved(&self, style: Style) -> Result<Vec<Vec<String>>, Overflow> {
        let mut equations: Vec<&[i64]> = Vec::new();
        let mut solved = Vec::new();
        let rows = self.rows.iter().map(|row| {
            let equation = row.equation.as_deref().filter(|_| row.new);
            if let Some(equation) = equation.filter(|c| c.len() == self.given.len()) {
                equations.push(equation);
                solved = solve(&equations, &self.given, style)?;
            }
            Ok(solved.clone())
        });
        rows.collect()
    }
}

/// Every index, with the step along the last axis that has one.
fn all_steps(chain: &OpenChain, meter: &mut Meter<'_>) -> Result<Vec<Stepped>, Error> {
    let steps = chain.last().indices().map(|index| {
        meter.spend(1)?;
        let mut axes = (0..index.len()).rev().filter(|&axis| index[axis] > 0);
        let axis = axes.find(|&axis| chain.digit_step(axis, &index.moved(axis, -1)).is_some());
        Ok((index, axis.map(|axis| Step { axis, against: None })))
    });
    steps.collect()
}

/// The indices between which an equation arises; if there is a hole, those that show it.
fn steps_that_matter(chain: &OpenChain, meter: &mut Meter<'_>) -> Result<Vec<Stepped>, Error> {
    let found = Conditions::of(chain, meter)?;
    let mut rows: Vec<Stepped> = Vec::new();
    rows.extend(found.parts.first.iter().map(|index| (index.clone(), None)));
    if let Some(Witness::Hole { valid, invalid }) = found.hole() {
        rows.extend(valid.iter().chain([invalid]).map(|index| (index.clone(), None)));
    }
    for equation in found.equations() {
        let axis = equation.axis;
        let (at, other) = (&equation.at, &equation.other);
        let step = |against| Some(Step { axis, against });
        rows.extend([(at.clone(), None), (at.moved(axis, 1), step(None))]);
        rows.extend([(other.clone(), None), (other.moved(axis, 1), step(Some(at.clone())))]);
    }
    // Of several rows for one index, keep the one that says most; keep every equation.
    let says = |step: &Option<Step>| step.as_ref().map(|step| step.against.is_some());
    rows.sort_by(|(a, one), (b, other)| a.cmp(b).then(says(other).cmp(&says(one))));
    rows.dedup_by(|(later, step), (earlier, _)| later == earlier && says(step) != Some(true));
    Ok(rows)
}

struct Builder<'a> {
    chain: &'a OpenChain,
    /// How the digits move at the first step along each axis.
    first: Vec<Option<Vec<i64>>>,
    /// The equations so far, without the given strides substituted.
    space: Echelon,
}

impl Builder<'_> {
    fn row(&mut self, index: Index, step: Option<Step>) -> Result<OverflowRow, Overflow> {
        let (shape, position) = (self.chain.below().shape(), self.chain.position(&index));
        let digits = position.map(|position| Index::new(unravel_within(shape, position)));
        let mut row = OverflowRow { index, position, digits, ..OverflowRow::default() };
        if let Some(step) = step {
            self.add_step(&mut row, &step)?;
        }
        Ok(row)
    }

    fn add_step(&mut self, row: &mut OverflowRow, step: &Step) -> Result<(), Overflow> {
        let axis = step.axis;
        let from = row.index.moved(axis, -1);
        let positions = self.chain.position(&from).zip(row.position);
        let Some((before, position)) = positions else { return Ok(()) };
        let moved = self.chain.digit_step(axis, &from).unwrap_or_default();
        row.axis = Some(axis);
        let shape = self.chain.below().shape();
        let sizes = row_major(shape);
        // A digit overflows where the floor above it changes more than the step alone explains.
        for digit in (1..shape.len()).rev() {
            let modulus = sizes[digit] * shape[digit];
            let carried = position / modulus - before / modulus;
            if carried != (position - before).div_euclid(modulus) {
                row.overflows.push(digit);
            }
        }
        let against = step.against.as_ref().and_then(|at| self.chain.digit_step(axis, at));
        let against = against
            .unwrap_or_else(|| self.first[axis].get_or_insert_with(|| moved.clone()).clone());
        let Some(equation) = equate(&moved, &against)? else { return Ok(()) };
        row.holds = self.holds(&equation);
        row.new = insert(&mut self.space, &equation)?;
        row.equation = Some(equation);
        Ok(())
    }

    /// Whether the given strides satisfy an equation, if all in it are given.
    fn holds(&self, equation: &[i64]) -> Option<bool> {
        let row = with_known(equation, self.chain.below().strides()).ok()?;
        let (constant, open) = row.split_last()?;
        open.iter().all(|c| *c == 0).then_some(*constant == 0)
    }
}

/// The equations, solved over the integers with the given strides substituted.
fn solve(
    equations: &[&[i64]],
    given: &[Option<i64>],
    style: Style,
) -> Result<Vec<String>, Overflow> {
    // If all strides are given there is nothing to solve; show what the shape requires instead.
    let nothing_open = given.iter().all(Option::is_some);
    let known = if nothing_open { &vec![None; given.len()] } else { given };
    Ok(match Solutions::of(equations.iter().copied(), known)? {
        Ok(found) => found.lines(known, style),
        Err(obstacle) => vec![style.words(obstacle.in_words())],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(below: &str, above: &str, most: i64) -> OverflowTable {
        let chain: OpenChain = format!("{below} | {above}").parse().expect(above);
        chain.overflow_table(most, &Limit::none()).expect("small")
    }

    #[test]
    fn the_worked_example() {
        let expected = "\
index  digits   overflow      equation        solved
(0)    (0,0,0)
(1)    (0,1,1)
(2)    (0,2,2)
(3)    (1,1,0)  2 → 1, 1 → 0  σ₁ = 2σ₂ + 3σ₃  σ₁ = 2σ₂ + 3σ₃
(4)    (1,2,1)                                σ₁ = 2σ₂ + 3σ₃
(5)    (2,0,2)  1 → 0         σ₁ = 3σ₂        σ₁ = 9σ₃, σ₂ = 3σ₃
";
        assert_eq!(table("(10,3,3)", "(6):(4)", 10).to_text(), expected);
        let shorter = table("(10,3,3)", "(4):(4)", 10);
        assert_eq!(shorter.rows, table("(10,3,3)", "(6):(4)", 10).rows[..4]);
    }

    #[test]
    fn long_tables_keep_the_rows_that_matter() {
        let long = table("(1000000,3,3)", "(1000000):(4)", 20);
        assert!(long.elided);
        let indices: Vec<i64> = long.rows.iter().map(|row| row.index[0]).collect();
        assert_eq!(indices, [0, 1, 2, 3, 4, 5]);
        assert_eq!(long.rows[5].solved, ["σ₁ = 9σ₃", "σ₂ = 3σ₃"]);
    }

    #[test]
    fn padding_and_borrows() {
        let padded = table("(4,3)", "(5):(2)-2 [1:5]", 20);
        assert_eq!(padded.rows[0].digits, None);
        let falling = table("(4,3)", "(6):(-2)+10", 20);
        assert!(falling.rows.iter().any(|row| !row.overflows.is_empty()));
        assert_eq!(falling.rows[5].solved, ["σ₁ = 3σ₂"]);
    }
}
