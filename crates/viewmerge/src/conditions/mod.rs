//! For which strides does a view merge with a given one? (theory, "conditions on strides")
//!
//! With the shape of v₁ and all of v₂ known, every two steps along an axis of v₂
//! give a linear equation in the strides of v₁: the digits of the position move
//! by one amount at one index and by another at the other, and both must lead
//! equally far in memory. The span of all these equations has at most as many
//! dimensions as v₁ has axes, and is found without walking v₂: take strides
//! that satisfy the equations found so far, decide whether they merge; a witness
//! is a new equation, and if a basis of all such strides merges, there are no more.
//!
//! Running example: (10,3,3):(σ₁,σ₂,σ₃) through (s):(4). Nothing overflows up to
//! length 3; at 4 the step from index 2 gives σ₁ = 2σ₂ + 3σ₃, at 6 the step from
//! index 4 gives σ₁ = 3σ₂, and no longer axis adds anything. In formulas σ₁ is the
//! stride of the first axis.
//!
//! Cost: for k axes of v₁ some k² decisions; to find the lengths at which
//! equations appear, that many for each digit of the length.
//!
//! Proved: `worked_example_any_length` (proofs/theories/Examples.v), the running
//! example.

pub(crate) mod formula;
#[cfg(feature = "serde")]
mod json;
pub(crate) mod linear;
mod longest;
mod pattern;
mod search;

pub(crate) use longest::longest;
pub use longest::longest_mergeable;
pub use pattern::StridePattern;

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::error::Error;
use crate::index::Index;
use crate::limit::{Limit, Meter};
use crate::merge::{Verdict, Witness, check_composes, climb};
use crate::view::View;
use formula::Style;
use linear::{Overflow, Space};
use search::Problem;

/// Σ coefficient·stride = 0, and the two steps it comes from.
///
/// ```
/// use viewmerge::{Limit, conditions};
///
/// let found = conditions(&"(10,3,3)".parse()?, &"(6):(4)".parse()?, &Limit::none())?;
/// assert_eq!(found.equations()[1].coefficients, [1, -3, 0]);
/// assert_eq!(found.equations()[1].length, 6);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Equation {
    /// One for each axis of v₁, without a common divisor, the first that is not 0 positive.
    pub coefficients: Vec<i64>,
    /// The axis of v₂ along which the steps are taken.
    pub axis: usize,
    /// The index of the first step.
    pub at: Index,
    /// The index of the step at which other digits overflow.
    pub other: Index,
    /// The length of the axis from which on the equation is needed.
    pub length: i64,
}

/// The strides of v₁ for which it merges with v₂.
///
/// ```
/// use viewmerge::{Limit, StridePattern, conditions};
///
/// let found = conditions(&"(10,3,3)".parse()?, &"(6):(4)".parse()?, &Limit::none())?;
/// let equations: Vec<String> = found.equations().iter().map(|e| e.to_string()).collect();
/// assert_eq!(equations, ["σ₁ = 2σ₂ + 3σ₃", "σ₁ = 3σ₂"]);
/// assert_eq!(found.solved(), ["σ₁ = 9σ₃", "σ₂ = 3σ₃"]);
/// assert_eq!(found.merged_strides(), ["σ₂ + σ₃"]);
/// assert_eq!(found.to_string(), "σ₁ = 9σ₃, σ₂ = 3σ₃; merged strides (σ₂ + σ₃)");
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "json::Parts", into = "json::Parts"))]
pub struct Conditions {
    known: Vec<Option<i64>>,
    equations: Vec<Equation>,
    /// The equations reduced, the last column the constant from known strides.
    reduced: Space,
    /// The merged stride of every axis of v₂, as coefficients.
    merged: Vec<Vec<i64>>,
    lengths: Vec<Vec<i64>>,
    hole: Option<Witness>,
}

impl Conditions {
    /// The equations, in the order in which longer axes of v₂ need them, the last axis first.
    ///
    /// ```
    /// use viewmerge::{Limit, conditions};
    ///
    /// let found = conditions(&"(10,3,3)".parse()?, &"(6):(4)".parse()?, &Limit::none())?;
    /// assert_eq!(found.equations().len(), 2);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn equations(&self) -> &[Equation] {
        &self.equations
    }

    /// Whether no strides at all merge: because the valid indices are no box,
    /// or because the known strides contradict the equations.
    ///
    /// ```
    /// use viewmerge::{Limit, conditions};
    ///
    /// let found = conditions(&"(10,3,3):(1,1,1)".parse()?, &"(4):(4)".parse()?, &Limit::none())?;
    /// assert!(found.is_impossible());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn is_impossible(&self) -> bool {
        let constant = self.known.len();
        self.hole.is_some() || self.reduced.rows().any(|(lead, _)| lead == constant)
    }

    /// For every axis of v₂ the lengths at which a new equation appears, all
    /// other axes at their full length. Lengths count valid indices.
    ///
    /// ```
    /// use viewmerge::{Limit, conditions};
    ///
    /// let found = conditions(&"(10,3,3)".parse()?, &"(20):(4)".parse()?, &Limit::none())?;
    /// assert_eq!(found.lengths(), [[4, 6]]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn lengths(&self) -> &[Vec<i64>] {
        &self.lengths
    }

    /// Strides that span all those that satisfy the equations, the known strides
    /// left aside; `None` if they do not fit 64 bits.
    ///
    /// ```
    /// use viewmerge::{Limit, conditions};
    ///
    /// let found = conditions(&"(10,3,3)".parse()?, &"(4):(4)".parse()?, &Limit::none())?;
    /// assert_eq!(found.basis().unwrap(), [[2, 1, 0], [3, 0, 1]]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn basis(&self) -> Option<Vec<Vec<i64>>> {
        let mut space = Space::new(self.known.len());
        for equation in &self.equations {
            equation.add_to(&mut space).ok()?;
        }
        let narrow =
            |vector: Vec<i128>| vector.into_iter().map(|x| i64::try_from(x).ok()).collect();
        space.complement().ok()?.into_iter().map(narrow).collect()
    }

    /// Why the valid indices are no box, if that is so; then strides do not matter.
    ///
    /// ```
    /// use viewmerge::{Limit, conditions};
    ///
    /// let found = conditions(&"(3,4) [0:3,1:3]".parse()?, &"(12)".parse()?, &Limit::none())?;
    /// assert!(found.hole().is_some() && found.is_impossible());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn hole(&self) -> Option<&Witness> {
        self.hole.as_ref()
    }

    /// Whether these strides satisfy all equations and agree with the known ones.
    ///
    /// ```
    /// use viewmerge::{Limit, conditions};
    ///
    /// let found = conditions(&"(10,3,3):(?,?,1)".parse()?, &"(6):(4)".parse()?, &Limit::none())?;
    /// assert!(found.allow(&[9, 3, 1]));
    /// assert!(!found.allow(&[18, 6, 2]));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn allow(&self, strides: &[i64]) -> bool {
        let agrees =
            |(known, stride): (&Option<i64>, &i64)| known.is_none_or(|known| known == *stride);
        let holds = |equation: &Equation| {
            let terms = equation.coefficients.iter().zip(strides);
            terms.map(|(&c, &s)| i128::from(c) * i128::from(s)).sum::<i128>() == 0
        };
        self.hole.is_none()
            && strides.len() == self.known.len()
            && self.known.iter().zip(strides).all(agrees)
            && self.equations.iter().all(holds)
    }

    /// The equations solved: each line gives one stride by those that stay free.
    ///
    /// ```
    /// use viewmerge::{Limit, conditions};
    ///
    /// let found = conditions(&"(10,3,3)".parse()?, &"(6):(4)".parse()?, &Limit::none())?;
    /// assert_eq!(found.solved(), ["σ₁ = 9σ₃", "σ₂ = 3σ₃"]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn solved(&self) -> Vec<String> {
        self.solved_in(Style::Text)
    }

    /// [`Conditions::solved`] in some style.
    pub(crate) fn solved_in(&self, style: Style) -> Vec<String> {
        self.reduced.solved(style)
    }

    /// The solved equations and the merged strides as a LaTeX `aligned` block.
    ///
    /// ```
    /// use viewmerge::{Limit, conditions};
    ///
    /// let found = conditions(&"(4,6)".parse()?, &"(24)".parse()?, &Limit::none())?;
    /// assert!(found.to_latex().contains(r"\sigma_{1} &= 6\sigma_{2}"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn to_latex(&self) -> String {
        let mut lines = self.solved_in(Style::Latex);
        let merged = self.merged_strides_in(Style::Latex);
        let merged = merged.iter().enumerate();
        lines.extend(merged.map(|(axis, formula)| format!("\\tau_{{{}}} = {formula}", axis + 1)));
        let lines: Vec<String> = lines.iter().map(|line| line.replacen(" = ", " &= ", 1)).collect();
        format!("\\begin{{aligned}}\n{}\n\\end{{aligned}}\n", lines.join(" \\\\\n"))
    }

    /// The strides of the merged view, one formula for each axis of v₂.
    ///
    /// ```
    /// use viewmerge::{Limit, conditions};
    ///
    /// let found = conditions(&"(10,3,3)".parse()?, &"(6):(4)".parse()?, &Limit::none())?;
    /// assert_eq!(found.merged_strides(), ["σ₂ + σ₃"]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn merged_strides(&self) -> Vec<String> {
        self.merged_strides_in(Style::Text)
    }

    /// [`Conditions::merged_strides`] in some style.
    pub(crate) fn merged_strides_in(&self, style: Style) -> Vec<String> {
        let formula = |coefficients: &Vec<i64>| {
            let terms = coefficients.iter().enumerate().map(|(axis, &c)| (c.into(), axis));
            style.sum(&terms.collect::<Vec<_>>(), self.known.len())
        };
        self.merged.iter().map(formula).collect()
    }
}

/// One line: the equations, solved, and the merged strides; or why no strides merge.
impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(hole) = &self.hole {
            return write!(f, "no strides merge: {hole}");
        }
        if self.is_impossible() {
            return f.write_str("no strides merge: the known strides contradict the equations");
        }
        match self.solved().as_slice() {
            _ if self.equations.is_empty() => f.write_str("all strides merge")?,
            [] => f.write_str("the known strides satisfy all equations")?,
            solved => f.write_str(&solved.join(", "))?,
        }
        write!(f, "; merged strides ({})", self.merged_strides().join(", "))
    }
}

impl fmt::Display for Equation {
    /// The first stride that appears on the left, the others on the right.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Style::Text.equation(&self.coefficients))
    }
}

/// The strides of `below`, a view whose shape is known, for which it merges with `above`.
///
/// # Errors
///
/// [`Error::NotComposable`] if the views do not compose, [`Error::Undecided`] if
/// the limit is reached first, [`Error::ConditionsTooLarge`], [`Error::OffsetRange`]
/// and [`Error::IndexRange`] if strides that would have to be tried leave the bounds
/// of a [`View`].
///
/// ```
/// use viewmerge::{Limit, conditions};
///
/// let found = conditions(&"(4,6)".parse()?, &"(24)".parse()?, &Limit::none())?;
/// assert_eq!(found.solved(), ["σ₁ = 6σ₂"]);
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn conditions(
    below: &StridePattern,
    above: &View,
    limit: &Limit<'_>,
) -> Result<Conditions, Error> {
    let mut meter = Meter::new(limit);
    let rank = below.shape().len();
    check_composes(below.frame(), above, 1)?;
    let mut found = Conditions {
        known: below.strides().to_vec(),
        equations: Vec::new(),
        reduced: Space::new(rank + 1),
        merged: vec![vec![0; rank]; above.rank()],
        lengths: vec![Vec::new(); above.rank()],
        hole: None,
    };
    // With all strides 0 only what is valid matters.
    let valid = match climb(core::slice::from_ref(below.frame()), above, &mut meter)? {
        Verdict::Merged(view) => view.valid_box(),
        Verdict::NotMergeable(witness) => {
            found.hole = Some(witness);
            return Ok(found);
        }
    };
    let Some(bounds) = valid else { return Ok(found) };
    let problem = Problem {
        shape: below.shape(),
        above: above.shrink(&bounds)?,
        low: bounds.iter().map(|(lo, _)| *lo).collect(),
    };
    found.merged = (0..above.rank()).map(|axis| problem.first_step(axis)).collect();
    for equation in problem.equations(&mut meter)? {
        found.add(equation)?;
    }
    let lengths = (0..above.rank()).map(|axis| problem.lengths(axis, &mut meter));
    found.lengths = lengths.collect::<Result<_, _>>()?;
    Ok(found)
}

impl Conditions {
    /// Adds an equation, and adds it to the reduced ones with the known strides put in.
    fn add(&mut self, equation: Equation) -> Result<(), Error> {
        let mut row: Vec<i128> = equation.coefficients.iter().map(|&c| c.into()).collect();
        let mut constant = 0i128;
        for (entry, known) in row.iter_mut().zip(&self.known) {
            if let Some(stride) = known {
                let product = entry.checked_mul(i128::from(*stride));
                let sum = product.and_then(|product| constant.checked_add(product));
                constant = sum.ok_or(Error::ConditionsTooLarge)?;
                *entry = 0;
            }
        }
        row.push(constant);
        self.reduced.insert(&row).map_err(too_large)?;
        self.equations.push(equation);
        Ok(())
    }
}

impl Equation {
    fn add_to(&self, space: &mut Space) -> Result<(), Error> {
        let row: Vec<i128> = self.coefficients.iter().map(|&c| c.into()).collect();
        space.insert(&row).map(|_| ()).map_err(too_large)
    }
}

fn too_large(_: Overflow) -> Error {
    Error::ConditionsTooLarge
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(below: &str, above: &str) -> Conditions {
        let (below, above) = (below.parse().expect(below), above.parse().expect(above));
        conditions(&below, &above, &Limit::none()).expect("small")
    }

    #[test]
    fn the_worked_example() {
        for length in 1..40 {
            let found = found("(10,3,3)", &format!("({}):(4)", length.min(22)));
            let equations: Vec<String> = found.equations.iter().map(|e| e.to_string()).collect();
            let expected: &[&str] = match length {
                ..=3 => &[],
                4 | 5 => &["σ₁ = 2σ₂ + 3σ₃"],
                _ => &["σ₁ = 2σ₂ + 3σ₃", "σ₁ = 3σ₂"],
            };
            assert_eq!(equations, expected, "{length}");
            let lengths: Vec<i64> = found.equations.iter().map(|e| e.length).collect();
            assert_eq!(lengths, [4, 6][..expected.len()]);
        }
    }

    #[test]
    fn known_strides_are_put_in() {
        let rows: [(&str, &str, &[&str]); 5] = [
            ("(10,3,3):(?,?,1)", "(6):(4)", &["σ₁ = 9", "σ₂ = 3"]),
            ("(10,3,3):(?,?,1)", "(4):(4)", &["σ₁ = 2σ₂ + 3"]),
            ("(10,3,3):(9,3,1)", "(6):(4)", &[]),
            ("(10,3,3):(9,4,1)", "(6):(4)", &["0 = 1"]),
            ("(4,6)", "(24)", &["σ₁ = 6σ₂"]),
        ];
        for (below, above, solved) in rows {
            assert_eq!(found(below, above).solved(), solved, "{below} {above}");
        }
        assert!(found("(10,3,3):(9,4,1)", "(6):(4)").is_impossible());
    }

    #[test]
    fn masks() {
        // Only one row is valid, so no equation is left.
        assert!(found("(3,4) [1:2,0:4]", "(12)").equations.is_empty());
        assert_eq!(found("(3,4) [1:3,0:4]", "(12)").solved(), ["σ₁ = 4σ₂"]);
        let torn = found("(3,4) [0:3,1:3]", "(12)");
        assert!(torn.is_impossible() && matches!(torn.hole(), Some(Witness::Hole { .. })));
        assert!(found("(3,4) nothing", "(12)").equations.is_empty());
    }

    #[test]
    fn large_boxes_are_not_walked() {
        let found = found("(1048576,1024,1024)", "(1000000000):(1023)+17");
        assert_eq!(found.solved(), ["σ₁ = 1048576σ₃", "σ₂ = 1024σ₃"]);
        let found = conditions(
            &"(1048576,1024,1024)".parse().expect("reads"),
            &"(1000000,1000):(1048576,1024)".parse().expect("reads"),
            &Limit::none(),
        );
        assert_eq!(found.expect("fits").equations, []);
    }

    #[test]
    fn longest() {
        let rows: [(&[&str], usize, i64); 4] = [
            (&["(10,3,3):(8,1,2)", "(20):(4)"], 0, 5),
            (&["(50,3,4):(14,5,1)", "(100):(6)"], 0, 100),
            (&["(3,2):(1,3)", "(3,2)"], 1, 2),
            (&["(6):(1)-1 [1:5]", "(4,3):(1,1)"], 0, 1),
        ];
        for (views, axis, length) in rows {
            let views: Vec<View> = views.iter().map(|v| v.parse().expect(v)).collect();
            assert_eq!(longest_mergeable(&views, axis, &Limit::none()), Ok(length), "{views:?}");
        }
    }
}
