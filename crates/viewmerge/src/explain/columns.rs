//! The overflow table in columns: text, Markdown, LaTeX.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use core::fmt::Write;

use super::table::{OverflowRow, OverflowTable};
use crate::conditions::formula::Style;
use crate::text::tuple;

impl OverflowTable {
    /// The columns: one more where some stride is given.
    fn head(&self) -> Vec<&'static str> {
        let mut head = vec!["index", "digits", "overflow", "equation", "solved"];
        if self.has_given() {
            head.insert(4, "given");
        }
        head
    }

    fn has_given(&self) -> bool {
        self.given.iter().any(Option::is_some)
    }

    /// The cells of a row.
    fn cells(&self, row: &OverflowRow, solved: &[String], style: Style) -> Vec<String> {
        let arrow = if style == Style::Latex { "$\\to$" } else { "→" };
        let overflow = |&digit: &usize| format!("{digit} {arrow} {}", digit.saturating_sub(1));
        let math = |text: String| match style {
            Style::Latex if !text.is_empty() => format!("${text}$"),
            _ => text,
        };
        let written = |given: &[Option<i64>]| {
            let equation = row.equation.as_ref();
            math(equation.map_or(String::new(), |c| style.equation(c, given)))
        };
        let mut cells = vec![
            tuple(&row.index),
            row.digits.as_ref().map_or("padding".to_string(), |digits| tuple(digits)),
            row.overflows.iter().map(overflow).collect::<Vec<_>>().join(", "),
            written(&[]),
        ];
        if self.has_given() {
            cells.push(
                written(&self.given)
                    + match (row.holds, style) {
                        (None, _) => "",
                        (Some(true), Style::Text) => " ✓",
                        (Some(false), Style::Text) => " ✗",
                        (Some(true), Style::Latex) => " holds",
                        (Some(false), Style::Latex) => " fails",
                    },
            );
        }
        cells.push(math(solved.join(if style == Style::Latex { ",\\ " } else { ", " })));
        cells
    }

    /// Aligned columns. Digits are numbered from 1, as the strides are.
    ///
    /// ```
    /// use viewmerge::{Limit, OpenChain};
    ///
    /// let table = "(4,3) | (3):(2)".parse::<OpenChain>()?.overflow_table(10, &Limit::none())?;
    /// assert!(table.to_text().ends_with("(2)    (1,1)   1 → 0     σ₁ = 3σ₂  σ₁ = 3σ₂\n"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn to_text(&self) -> String {
        let mut lines = vec![self.head().into_iter().map(str::to_string).collect()];
        lines.extend(self.rows.iter().map(|row| self.cells(row, &row.solved, Style::Text)));
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
        let widths: Vec<usize> =
            (0..lines[0].len()).map(|column| width(column).unwrap_or(0)).collect();
        let mut text = String::new();
        for line in &lines {
            let padded = line.iter().zip(&widths);
            let padded: Vec<String> =
                padded.map(|(cell, width)| format!("{cell:<width$}", width = *width)).collect();
            let _ = writeln!(text, "{}", padded.join("  ").trim_end());
        }
        if self.elided {
            text += "(only rows that add an equation or show a hole)\n";
        }
        text
    }

    /// A Markdown table.
    ///
    /// ```
    /// use viewmerge::{Limit, OpenChain};
    ///
    /// let table = "(4,3) | (3):(2)".parse::<OpenChain>()?.overflow_table(10, &Limit::none())?;
    /// assert!(table.to_markdown().contains("| (1) | (0,2) |"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let head = self.head();
        let mut text = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
        for row in &self.rows {
            let _ = writeln!(text, "| {} |", self.cells(row, &row.solved, Style::Text).join(" | "));
        }
        if self.elided {
            text += "\nOnly rows that add an equation or show a hole.\n";
        }
        text
    }

    /// A LaTeX `tabular`.
    ///
    /// ```
    /// use viewmerge::{Limit, OpenChain};
    ///
    /// let table = "(4,3) | (3):(2)".parse::<OpenChain>()?.overflow_table(10, &Limit::none())?;
    /// assert!(table.to_latex().starts_with("\\begin{tabular}"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn to_latex(&self) -> String {
        let head = self.head();
        let columns = "l".repeat(head.len());
        let mut text =
            format!("\\begin{{tabular}}{{{columns}}}\n{} \\\\ \\hline\n", head.join(" & "));
        // Numbers that do not fit were refused when the table was made.
        let nothing = |_| vec![Vec::new(); self.rows.len()];
        let solved = self.solved(Style::Latex).unwrap_or_else(nothing);
        for (row, solved) in self.rows.iter().zip(solved) {
            let _ = writeln!(text, "{} \\\\", self.cells(row, &solved, Style::Latex).join(" & "));
        }
        text + "\\end{tabular}\n"
    }
}
