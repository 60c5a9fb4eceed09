//! The overflow table in columns: text, Markdown, LaTeX.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use core::fmt::Write;

use super::table::{OverflowRow, OverflowTable};
use crate::conditions::formula::Style;
use crate::text::{joined, tuple};

impl OverflowTable {
    /// The head and the rows, cell by cell; one column more where some stride is given.
    fn lines(&self, style: Style) -> Vec<Vec<String>> {
        let (arrow, between, [holds, fails]) = match style {
            Style::Text => ("→", ", ", [" ✓", " ✗"]),
            Style::Latex => ("$\\to$", ",\\ ", [" holds", " fails"]),
        };
        let math = |text: String| match style {
            Style::Latex if !text.is_empty() => format!("${text}$"),
            _ => text,
        };
        let cells = |(row, solved): (&OverflowRow, Vec<String>)| {
            let overflow = |digit: &usize| format!("{digit} {arrow} {}", digit.saturating_sub(1));
            let equation = |given: &[Option<i64>]| {
                let equation = row.equation.as_ref();
                math(equation.map_or(String::new(), |c| style.equation(c, given)))
            };
            let mark = row.holds.map_or("", |known| if known { holds } else { fails });
            vec![
                tuple(&row.index),
                row.digits.as_ref().map_or("padding".to_string(), |digits| tuple(digits)),
                joined(row.overflows.iter().map(overflow), ", "),
                equation(&[]),
                equation(&self.given) + mark,
                math(solved.join(between)),
            ]
        };
        // Numbers that do not fit were refused when the table was made.
        let nothing = |_| vec![Vec::new(); self.rows.len()];
        let solved = self.solved(style).unwrap_or_else(nothing);
        let head = ["index", "digits", "overflow", "equation", "given", "solved"];
        let mut lines = vec![head.map(str::to_string).to_vec()];
        lines.extend(self.rows.iter().zip(solved).map(cells));
        if self.given.iter().all(Option::is_none) {
            lines.iter_mut().for_each(|line| drop(line.remove(4)));
        }
        lines
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
    #[must_use]
    pub fn to_text(&self) -> String {
        let lines = self.lines(Style::Text);
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
        let lines = self.lines(Style::Text);
        let rule = format!("|{}\n", "---|".repeat(lines[0].len()));
        let mut rows = lines.iter().map(|line| format!("| {} |\n", line.join(" | ")));
        let mut text = rows.next().unwrap_or_default() + &rule + &rows.collect::<String>();
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
        let lines = self.lines(Style::Latex);
        let columns = "l".repeat(lines[0].len());
        let mut rows = lines.iter().map(|line| format!("{} \\\\", line.join(" & ")));
        let (head, rows) =
            (rows.next().unwrap_or_default(), joined(rows.map(|row| row + "\n"), ""));
        format!("\\begin{{tabular}}{{{columns}}}\n{head} \\hline\n{rows}\\end{{tabular}}\n")
    }
}
