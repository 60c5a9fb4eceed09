//! The overflow table of v₁ and v₂.
//!
//! A row for every index of v₂, in order: the digits of its position in v₁'s
//! shape, which digits overflowed on the way from the index before it, the
//! equation in the strides of v₁ that this step gives, and all equations so far,
//! solved. A long table keeps only the rows at which an equation is added.
//!
//! Running example, (10,3,3) through (6):(4):
//!
//! ```text
//! index  digits   overflow       equation         solved
//! (0)    (0,0,0)
//! (1)    (0,1,1)
//! (2)    (0,2,2)
//! (3)    (1,1,0)  3 → 2, 2 → 1   σ₁ = 2σ₂ + 3σ₃   σ₁ = 2σ₂ + 3σ₃
//! (4)    (1,2,1)                                  σ₁ = 2σ₂ + 3σ₃
//! (5)    (2,0,2)  2 → 1          σ₁ = 3σ₂         σ₁ = 9σ₃, σ₂ = 3σ₃
//! ```

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Write;

use crate::conditions::formula::Style;
use crate::conditions::linear::{Overflow, Space, make_primitive};
use crate::conditions::{StridePattern, conditions};
use crate::dims::{row_major, unravel_within};
use crate::error::Error;
use crate::index::Index;
use crate::limit::Limit;
use crate::view::View;
use crate::view::notation::write_tuple;

/// One index of v₂, and the step that leads to it.
///
/// ```
/// use viewmerge::{Limit, overflow_table};
///
/// let table = overflow_table(&"(4,3)".parse()?, &"(3):(2)".parse()?, 10, &Limit::none())?;
/// assert_eq!(table.rows[2].digits.as_ref().unwrap().as_slice(), [1, 1]);
/// assert_eq!(table.rows[2].equation, Some(vec![1, -3]));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct OverflowRow {
    /// The index.
    pub index: Index,
    /// Its linear position in v₁.
    pub position: i64,
    /// The digits of the position; `None` where v₂ is padding.
    pub digits: Option<Index>,
    /// The axis of the step that leads here; `None` at the first index.
    pub axis: Option<usize>,
    /// The axes of v₁ whose digit overflowed into the one before it.
    pub overflows: Vec<usize>,
    /// The coefficients of the equation the step gives, if it is not 0 = 0.
    pub equation: Option<Vec<i64>>,
    /// Whether the equation does not follow from those above it.
    pub new: bool,
    /// All equations so far, solved.
    pub solved: Vec<String>,
}

/// The rows, and whether some were left out.
///
/// ```
/// use viewmerge::{Limit, overflow_table};
///
/// let table = overflow_table(&"(10,3,3)".parse()?, &"(6):(4)".parse()?, 100, &Limit::none())?;
/// assert_eq!(table.rows.len(), 6);
/// assert_eq!(table.rows[3].overflows, [2, 1]);
/// assert_eq!(table.rows[5].solved, ["σ₁ = 9σ₃", "σ₂ = 3σ₃"]);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct OverflowTable {
    /// The rows, in the order of the indices.
    pub rows: Vec<OverflowRow>,
    /// Whether only the rows with a new equation, and those they start from, are listed.
    pub elided: bool,
}

/// The overflow table of a view whose strides are open and a view above it,
/// with all rows if there are at most `most_rows`.
///
/// Strides that are known are not put in: the equations are those of the shape.
///
/// # Errors
///
/// As [`conditions()`].
///
/// ```
/// use viewmerge::{Limit, overflow_table};
///
/// let table = overflow_table(&"(4,3)".parse()?, &"(3):(2)".parse()?, 10, &Limit::none())?;
/// assert_eq!(table.rows.len(), 3);
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn overflow_table(
    below: &StridePattern,
    above: &View,
    most_rows: i64,
    limit: &Limit<'_>,
) -> Result<OverflowTable, Error> {
    let found = conditions(below, above, limit)?;
    let elided = above.count() > most_rows.max(0);
    let mut indices: Vec<Index> = Vec::new();
    if !elided {
        indices.extend(above.indices());
    } else if let Some(bounds) = above.valid_box() {
        indices.push(bounds.iter().map(|(lo, _)| *lo).collect());
        for equation in found.equations() {
            for from in [&equation.at, &equation.other] {
                let mut next = from.clone();
                next[equation.axis] += 1;
                indices.extend([from.clone(), next]);
            }
        }
        indices.sort();
        indices.dedup();
    }
    let mut builder =
        Builder { shape: below.shape(), above, space: Space::new(below.shape().len() + 1) };
    let rows = indices.into_iter().map(|index| builder.row(index)).collect::<Result<_, _>>();
    rows.map(|rows| OverflowTable { rows, elided }).map_err(|Overflow| Error::ConditionsTooLarge)
}

struct Builder<'a> {
    shape: &'a [i64],
    above: &'a View,
    /// The equations so far; the last column, for constants, stays 0.
    space: Space,
}

impl Builder<'_> {
    fn row(&mut self, index: Index) -> Result<OverflowRow, Overflow> {
        let position = self.above.affine(&index);
        let valid = self.above.index_within(&index).is_some();
        let mut row = OverflowRow {
            position,
            digits: valid.then(|| Index::new(unravel_within(self.shape, position))),
            axis: None,
            overflows: Vec::new(),
            equation: None,
            new: false,
            solved: Vec::new(),
            index,
        };
        if valid {
            self.add_step(&mut row)?;
        }
        row.solved = self.space.solved(Style::Text);
        Ok(row)
    }

    /// The step to an index along its last axis that has moved, against the first step along it.
    fn add_step(&mut self, row: &mut OverflowRow) -> Result<(), Overflow> {
        let low = |axis: usize| self.above.interval(axis).0;
        let Some(axis) = (0..row.index.len()).rev().find(|&axis| row.index[axis] > low(axis))
        else {
            return Ok(());
        };
        row.axis = Some(axis);
        let mut from = row.index.clone();
        from[axis] -= 1;
        let step = self.above.strides()[axis];
        let before = self.above.affine(&from);
        let sizes = row_major(self.shape);
        // A digit overflows where the floor above it moves by another amount than the step alone.
        for digit in (1..self.shape.len()).rev() {
            let modulus = sizes[digit] * self.shape[digit];
            let moved = row.position / modulus - before / modulus;
            if moved != step.div_euclid(modulus) {
                row.overflows.push(digit);
            }
        }
        let corner: Index = (0..row.index.len()).map(low).collect();
        let mut second = corner.clone();
        second[axis] += 1;
        let digits = |position: i64| unravel_within(self.shape, position);
        let moves = [
            digits(row.position),
            digits(before),
            digits(self.above.affine(&second)),
            digits(self.above.affine(&corner)),
        ];
        let mut difference: Vec<i128> = (0..self.shape.len())
            .map(|j| i128::from(moves[0][j] - moves[1][j]) - i128::from(moves[2][j] - moves[3][j]))
            .collect();
        let Some(lead) = difference.iter().position(|c| *c != 0) else { return Ok(()) };
        make_primitive(&mut difference, lead);
        // Primitive coefficients are no larger than twice a digit.
        row.equation = Some(difference.iter().map(|&c| c as i64).collect());
        difference.push(0);
        row.new = self.space.insert(&difference)?;
        Ok(())
    }
}

const HEAD: [&str; 5] = ["index", "digits", "overflow", "equation", "solved"];

impl OverflowTable {
    /// The equations up to every row, solved, in LaTeX.
    fn solved_in_latex(&self) -> Vec<Vec<String>> {
        let width = self.rows.iter().find_map(|row| row.equation.as_ref()).map_or(0, Vec::len);
        let mut space = Space::new(width + 1);
        let rows = self.rows.iter().map(|row| {
            if let Some(equation) = row.equation.as_ref().filter(|known| known.len() == width) {
                let entries = equation.iter().map(|&c| i128::from(c)).chain([0]);
                // What does not fit was refused when the table was made.
                let _ = space.insert(&entries.collect::<Vec<_>>());
            }
            space.solved(Style::Latex)
        });
        rows.collect()
    }

    /// The cells of a row.
    fn cells(row: &OverflowRow, solved: &[String], style: Style) -> [String; 5] {
        let tuple = |numbers: &[i64]| {
            let mut text = String::new();
            let _ = write_tuple(&mut text, numbers);
            text
        };
        let arrow = if style == Style::Latex { "$\\to$" } else { "→" };
        let overflow = |&digit: &usize| format!("{} {arrow} {digit}", digit + 1);
        let math = |text: String| match style {
            Style::Latex if !text.is_empty() => format!("${text}$"),
            _ => text,
        };
        [
            tuple(&row.index),
            row.digits.as_ref().map_or("padding".to_string(), |digits| tuple(digits)),
            row.overflows.iter().map(overflow).collect::<Vec<_>>().join(", "),
            math(row.equation.as_ref().map_or(String::new(), |c| style.equation(c))),
            math(solved.join(if style == Style::Latex { ",\\ " } else { ", " })),
        ]
    }

    /// Aligned columns. Digits are numbered from 1, as the strides are.
    ///
    /// ```
    /// use viewmerge::{Limit, overflow_table};
    ///
    /// let table = overflow_table(&"(4,3)".parse()?, &"(3):(2)".parse()?, 10, &Limit::none())?;
    /// assert!(table.to_text().ends_with("(2)    (1,1)   2 → 1     σ₁ = 3σ₂  σ₁ = 3σ₂\n"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn to_text(&self) -> String {
        let mut lines = vec![HEAD.map(str::to_string)];
        lines.extend(self.rows.iter().map(|row| Self::cells(row, &row.solved, Style::Text)));
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
        let widths: Vec<usize> = (0..HEAD.len()).map(|column| width(column).unwrap_or(0)).collect();
        let mut text = String::new();
        for line in &lines {
            let padded = line.iter().zip(&widths);
            let padded: Vec<String> =
                padded.map(|(cell, width)| format!("{cell:<width$}", width = *width)).collect();
            let _ = writeln!(text, "{}", padded.join("  ").trim_end());
        }
        if self.elided {
            text += "(only rows at which an equation is added)\n";
        }
        text
    }

    /// A Markdown table.
    ///
    /// ```
    /// use viewmerge::{Limit, overflow_table};
    ///
    /// let table = overflow_table(&"(4,3)".parse()?, &"(3):(2)".parse()?, 10, &Limit::none())?;
    /// assert!(table.to_markdown().contains("| (1) | (0,2) |"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text = format!("| {} |\n|{}\n", HEAD.join(" | "), "---|".repeat(HEAD.len()));
        for row in &self.rows {
            let _ =
                writeln!(text, "| {} |", Self::cells(row, &row.solved, Style::Text).join(" | "));
        }
        if self.elided {
            text += "\nOnly rows at which an equation is added.\n";
        }
        text
    }

    /// A LaTeX `tabular`.
    ///
    /// ```
    /// use viewmerge::{Limit, overflow_table};
    ///
    /// let table = overflow_table(&"(4,3)".parse()?, &"(3):(2)".parse()?, 10, &Limit::none())?;
    /// assert!(table.to_latex().starts_with("\\begin{tabular}"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn to_latex(&self) -> String {
        let mut text = format!("\\begin{{tabular}}{{lllll}}\n{} \\\\ \\hline\n", HEAD.join(" & "));
        for (row, solved) in self.rows.iter().zip(self.solved_in_latex()) {
            let cells = Self::cells(row, &solved, Style::Latex);
            let _ = writeln!(text, "{} \\\\", cells.join(" & "));
        }
        text + "\\end{tabular}\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(below: &str, above: &str, most: i64) -> OverflowTable {
        let (below, above) = (below.parse().expect(below), above.parse().expect(above));
        overflow_table(&below, &above, most, &Limit::none()).expect("small")
    }

    #[test]
    fn the_worked_example() {
        let expected = "\
index  digits   overflow      equation        solved
(0)    (0,0,0)
(1)    (0,1,1)
(2)    (0,2,2)
(3)    (1,1,0)  3 → 2, 2 → 1  σ₁ = 2σ₂ + 3σ₃  σ₁ = 2σ₂ + 3σ₃
(4)    (1,2,1)                                σ₁ = 2σ₂ + 3σ₃
(5)    (2,0,2)  2 → 1         σ₁ = 3σ₂        σ₁ = 9σ₃, σ₂ = 3σ₃
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
