//! Conditions as people write them: equations, what follows from them, LaTeX.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use core::fmt;

use super::formula::{Style, Sum, Symbol};
use super::{Conditions, Equation, Obstacle, Solutions};
use crate::arith::gcd_wide;
use crate::text::joined;

impl Conditions {
    /// The equations solved over the integers: each line gives one stride by those
    /// that stay free, and by integers t₁, t₂ … that may be chosen where a free
    /// stride must be a multiple of something. If no strides merge, the reduced
    /// equations, with the known strides substituted.
    ///
    /// ```
    /// use viewmerge::{Limit, OpenChain};
    ///
    /// let found = "(10,3,3) | (6):(4)".parse::<OpenChain>()?.conditions(&Limit::none())?;
    /// assert_eq!(found.solved(), ["σ₁ = 9σ₃", "σ₂ = 3σ₃"]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn solved(&self) -> Vec<String> {
        self.solved_in(Style::Text)
    }

    /// [`Conditions::solved`] in some style.
    fn solved_in(&self, style: Style) -> Vec<String> {
        match &self.solutions {
            Ok(solutions) => solutions.lines(&self.parts.known, style),
            Err(_) => self.reduced_sums().map(|sum| style.solved(&sum)).collect(),
        }
    }

    /// The solved equations and the merged strides as a LaTeX `aligned` block.
    ///
    /// ```
    /// use viewmerge::{Limit, OpenChain};
    ///
    /// let found = "(4,6) | (24)".parse::<OpenChain>()?.conditions(&Limit::none())?;
    /// assert!(found.to_latex().contains(r"\sigma_{1} &= 6\sigma_{2}"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn to_latex(&self) -> String {
        let mut lines = self.solved_in(Style::Latex);
        for (axis, sum) in self.merged_strides_in(Style::Latex).iter().enumerate() {
            lines.push(format!("\\tau_{{{}}} = {sum}", axis + 1));
        }
        let mut lines: Vec<String> =
            lines.iter().map(|line| line.replacen(" = ", " &= ", 1)).collect();
        let chosen = (0..self.parameters()).map(|number| Style::Latex.parameter(number));
        lines.extend(chosen.map(|name| format!("{name} &\\in \\mathbb{{Z}}")));
        let none = self.obstacle().map(|obstacle| Style::Latex.words(obstacle.in_words()));
        lines.extend(none.map(|words| format!("&{words}")));
        format!("\\begin{{aligned}}\n{}\n\\end{{aligned}}\n", lines.join(" \\\\\n"))
    }

    /// How many integers t₁, t₂ … may be chosen in [`Conditions::solved`] and
    /// [`Conditions::merged_strides`], in addition to the free strides.
    ///
    /// ```
    /// use viewmerge::{Limit, OpenChain};
    ///
    /// let found = "(10,3,3):(8,?,?) | (4):(4)".parse::<OpenChain>()?.conditions(&Limit::none())?;
    /// assert_eq!(found.solved(), ["σ₂ = -3t₁ + 4", "σ₃ = 2t₁"]);
    /// assert_eq!(found.merged_strides(), ["-t₁ + 4"]);
    /// assert_eq!(found.parameters(), 1);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn parameters(&self) -> usize {
        self.solutions().map_or(0, Solutions::parameters)
    }

    /// The strides of the merged view, one formula for each axis of the last
    /// view, by the same free strides and integers as [`Conditions::solved`]; none
    /// if there is no merged view.
    ///
    /// ```
    /// use viewmerge::{Limit, OpenChain};
    ///
    /// let found = "(10,3,3) | (6):(4)".parse::<OpenChain>()?.conditions(&Limit::none())?;
    /// assert_eq!(found.merged_strides(), ["4σ₃"]);
    /// let found = "(10,3,3):(9,3,1) | (6):(4)".parse::<OpenChain>()?.conditions(&Limit::none())?;
    /// assert_eq!(found.merged_strides(), ["4"]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn merged_strides(&self) -> Vec<String> {
        self.merged_strides_in(Style::Text)
    }

    /// [`Conditions::merged_strides`] in some style.
    fn merged_strides_in(&self, style: Style) -> Vec<String> {
        self.merged.iter().map(|sum| style.sum(sum)).collect()
    }

    /// What the equations imply: how the strides depend on each other, or why none merge.
    ///
    /// ```
    /// use viewmerge::{Limit, OpenChain};
    ///
    /// let found = "(10,3,3):(?,1,?) | (6):(4)".parse::<OpenChain>()?.conditions(&Limit::none())?;
    /// assert_eq!(found.outcome(), "no integer strides merge: 3σ₃ = 1 has no integer solution");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn outcome(&self) -> String {
        match (&self.solutions, &self.parts.hole) {
            (Err(_), Some(hole)) => format!("no strides merge: {hole}"),
            (Err(Obstacle::NoIntegers), _) => {
                let rows = self.fractional_rows();
                let have = if rows.len() == 1 { "has" } else { "have" };
                let rows = rows.join(", ");
                format!("no integer strides merge: {rows} {have} no integer solution")
            }
            (Err(_), None) => {
                "no strides merge: the known strides contradict the equations".to_string()
            }
            (Ok(_), _) if self.parts.equations.is_empty() => "all strides merge".to_string(),
            (Ok(_), _) => match (self.solved().join(", "), self.parameters()) {
                (none, _) if none.is_empty() => {
                    "the known strides satisfy all equations".to_string()
                }
                (solved, 0) => solved,
                (solved, parameters) => {
                    let names = (0..parameters).map(|number| Style::Text.parameter(number));
                    let plural = if parameters == 1 { "" } else { "s" };
                    format!("{solved} for any integer{plural} {}", joined(names, ", "))
                }
            },
        }
    }

    /// The reduced equations as sums of strides and a number that are 0.
    fn reduced_sums(&self) -> impl Iterator<Item = Sum> + '_ {
        let symbol = |column: usize| match column {
            _ if column == self.parts.known.len() => Symbol::One,
            _ => Symbol::Stride(column),
        };
        self.reduced.rows().map(move |row| {
            let terms = row.iter().enumerate().filter(|(_, entry)| **entry != 0);
            terms.map(|(column, &entry)| (entry, symbol(column))).collect()
        })
    }

    /// Reduced equations without an integer solution: a single one if one alone has none.
    fn fractional_rows(&self) -> Vec<String> {
        let alone = self.reduced_sums().find(|sum| {
            let (constants, terms): (Sum, Sum) =
                sum.iter().partition(|(_, symbol)| *symbol == Symbol::One);
            let divisor = terms.iter().fold(0, |divisor, (c, _)| gcd_wide(divisor, c.abs()));
            divisor != 0 && constants.iter().any(|(constant, _)| constant % divisor != 0)
        });
        alone.map_or_else(|| self.solved(), |sum| vec![Style::Text.solved(&sum)])
    }
}

impl fmt::Display for Conditions {
    /// The outcome, and the merged strides if there is a merged view.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.outcome())?;
        if self.is_impossible() {
            return Ok(());
        }
        write!(f, "; merged strides ({})", self.merged_strides().join(", "))
    }
}

impl fmt::Display for Equation {
    /// The first stride that appears on the left, the others on the right.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Style::Text.equation(&self.coefficients, &[]))
    }
}
