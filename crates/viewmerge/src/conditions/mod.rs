//! For which strides does a view merge with a given one? (theory, "conditions on strides")
//!
//! With the shape of v₁ and all views above it known, every two steps along an
//! axis of the last view give a linear equation in the strides of v₁: the digits
//! of the position move by one amount at one index and by another at the other,
//! and both must lead equally far in memory. The span of all these equations has
//! at most as many dimensions as v₁ has axes, and is found without walking the
//! last view: take strides that satisfy the equations found so far, decide whether
//! they merge; a witness is a new equation, and if a basis of all such strides
//! merges, there are no more. Known strides are substituted, and the
//! equations are solved over the integers.
//!
//! Running example: (10,3,3):(σ₁,σ₂,σ₃) through (s):(4). Nothing overflows up to
//! length 3; at 4 the step from index 2 gives σ₁ = 2σ₂ + 3σ₃, at 6 the step from
//! index 4 gives σ₁ = 3σ₂, and no longer axis adds anything. In formulas σ₁ is the
//! stride of the first axis. If σ₂ = 1 is known, then σ₁ = 3 and 3σ₃ = 1: no
//! integer strides merge.
//!
//! Cost: for k axes of v₁ some k² decisions; to find the lengths at which
//! equations appear, that many for each digit of the length.
//!
//! Proved: `worked_example_any_length` (proofs/theories/Examples.v), the running
//! example.

mod cases;
pub(crate) mod formula;
mod longest_axis;
mod open_chain;
mod parts;
mod pattern;
mod search;
mod solutions;
mod text;

pub use cases::{Case, conditions_by_case};
pub(crate) use longest_axis::longest_part;
pub use open_chain::OpenChain;
pub use pattern::StridePattern;
pub use solutions::{Obstacle, Solutions};

use alloc::vec::Vec;

use crate::dims::Index;
use crate::error::Error;
use crate::limit::Meter;
use crate::merge::{Verdict, Witness, verdict};
use formula::Sum;
use lattice_point::{Echelon, Number, Overflow, make_primitive};
use parts::Parts;
use search::Problem;

/// Σ coefficient·stride = 0, and the two steps it comes from.
///
/// ```
/// use viewmerge::{Limit, OpenChain};
///
/// let found = "(10,3,3) | (6):(4)".parse::<OpenChain>()?.conditions(&Limit::none())?;
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
    /// The axis of the last view along which the steps are taken.
    pub axis: usize,
    /// The index of the first step.
    pub at: Index,
    /// The index of the step at which other digits overflow.
    pub other: Index,
    /// The axis of the last view that has to be long enough for it, with all axes
    /// behind that one at their full length and those before it at one valid index.
    pub grown: usize,
    /// The length of the grown axis from which on the equation is needed; padding at its start is
    /// included.
    pub length: i64,
}

/// The strides of v₁ for which it merges with the views above it.
///
/// ```
/// use viewmerge::{Limit, OpenChain, StridePattern};
///
/// let found = "(10,3,3) | (6):(4)".parse::<OpenChain>()?.conditions(&Limit::none())?;
/// let equations: Vec<String> = found.equations().iter().map(|e| e.to_string()).collect();
/// assert_eq!(equations, ["σ₁ = 2σ₂ + 3σ₃", "σ₁ = 3σ₂"]);
/// assert_eq!(found.solved(), ["σ₁ = 9σ₃", "σ₂ = 3σ₃"]);
/// assert_eq!(found.merged_strides(), ["4σ₃"]);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Parts", into = "Parts"))]
pub struct Conditions {
    /// What was found out; the rest follows from it.
    pub(crate) parts: Parts,
    /// The reduced equations; the last column is the constant from known strides.
    reduced: Echelon,
    solutions: Result<Solutions, Obstacle>,
    /// The merged stride of every axis of the last view; empty if no strides merge.
    merged: Vec<Sum>,
}

impl Conditions {
    /// The equations, in the order in which longer axes of the last view need
    /// them, its last axis first.
    ///
    /// ```
    /// use viewmerge::{Limit, OpenChain};
    ///
    /// let found = "(10,3,3) | (6):(4)".parse::<OpenChain>()?.conditions(&Limit::none())?;
    /// assert_eq!(found.equations().len(), 2);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn equations(&self) -> &[Equation] {
        &self.parts.equations
    }

    /// Whether no integer strides merge: see [`Conditions::obstacle`].
    ///
    /// ```
    /// use viewmerge::{Limit, OpenChain};
    ///
    /// let found = "(10,3,3):(1,1,1) | (4):(4)".parse::<OpenChain>()?.conditions(&Limit::none())?;
    /// assert!(found.is_impossible());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn is_impossible(&self) -> bool {
        self.solutions.is_err()
    }

    /// Why no integer strides merge, if none do.
    ///
    /// ```
    /// use viewmerge::{Limit, Obstacle, OpenChain};
    ///
    /// let found = "(10,3,3):(1,1,1) | (4):(4)".parse::<OpenChain>()?.conditions(&Limit::none())?;
    /// assert_eq!(found.obstacle(), Some(Obstacle::Contradiction));
    /// assert_eq!(
    ///     found.to_string(),
    ///     "no strides merge: the known strides contradict the equations",
    /// );
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn obstacle(&self) -> Option<Obstacle> {
        self.solutions.as_ref().err().copied()
    }

    /// All strides that merge, known ones included; `None` if none do.
    ///
    /// ```
    /// use viewmerge::{Limit, OpenChain};
    ///
    /// // 2σ₂ + 3σ₃ = 8
    /// let found = "(10,3,3):(8,?,?) | (4):(4)".parse::<OpenChain>()?.conditions(&Limit::none())?;
    /// let solutions = found.solutions().unwrap();
    /// assert_eq!(solutions.particular, [8, 4, 0]);
    /// assert_eq!(solutions.basis, [[0, -3, 2]]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn solutions(&self) -> Option<&Solutions> {
        self.solutions.as_ref().ok()
    }

    /// For every axis of the last view the lengths at which a new equation
    /// appears, all other axes at their full length. A length is that of the axis
    /// itself, cut off at its end; padding at its start is included.
    ///
    /// ```
    /// use viewmerge::{Limit, OpenChain};
    ///
    /// let found = "(10,3,3) | (20):(4)".parse::<OpenChain>()?.conditions(&Limit::none())?;
    /// assert_eq!(found.lengths(), [[4, 6]]);
    /// // The first four indices are padding.
    /// let found = "(3,4) [1:3,0:4] | (12)".parse::<OpenChain>()?.conditions(&Limit::none())?;
    /// assert_eq!(found.lengths(), [[9]]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn lengths(&self) -> &[Vec<i64>] {
        &self.parts.lengths
    }

    /// A basis of all strides that satisfy the equations, ignoring which strides are known; `None`
    /// if it does not fit 64 bits.
    ///
    /// ```
    /// use viewmerge::{Limit, OpenChain};
    ///
    /// let found = "(10,3,3) | (4):(4)".parse::<OpenChain>()?.conditions(&Limit::none())?;
    /// assert_eq!(found.basis().unwrap(), [[2, 1, 0], [3, 0, 1]]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn basis(&self) -> Option<Vec<Vec<i64>>> {
        let open = vec![None; self.parts.known.len()];
        Solutions::of(self.parts.coefficients(), &open).ok()?.ok().map(|solutions| solutions.basis)
    }

    /// Why the valid indices do not form a box, if they do not; then no strides merge.
    ///
    /// ```
    /// use viewmerge::{Limit, OpenChain};
    ///
    /// let found = "(3,4) [0:3,1:3] | (12)".parse::<OpenChain>()?.conditions(&Limit::none())?;
    /// assert!(found.hole().is_some() && found.is_impossible());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn hole(&self) -> Option<&Witness> {
        self.parts.hole.as_ref()
    }

    /// Whether these strides satisfy all equations and agree with the known ones.
    ///
    /// ```
    /// use viewmerge::{Limit, OpenChain};
    ///
    /// let found = "(10,3,3):(?,?,1) | (6):(4)".parse::<OpenChain>()?.conditions(&Limit::none())?;
    /// assert!(found.allow(&[9, 3, 1]));
    /// assert!(!found.allow(&[18, 6, 2]));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn allow(&self, strides: &[i64]) -> bool {
        let Parts { known, equations, hole, .. } = &self.parts;
        let agrees =
            |(known, stride): (&Option<i64>, &i64)| known.is_none_or(|known| known == *stride);
        let holds =
            |equation: &Equation| product(&equation.coefficients, strides.iter().copied()) == Ok(0);
        hole.is_none()
            && strides.len() == known.len()
            && known.iter().zip(strides).all(agrees)
            && equations.iter().all(holds)
    }

    pub(crate) fn of(chain: &OpenChain, meter: &mut Meter<'_>) -> Result<Conditions, Error> {
        let (below, top) = (chain.below(), chain.last());
        let (known, axes) = (below.strides().to_vec(), 0..top.rank());
        let mut parts = Parts {
            equations: Vec::new(),
            steps: vec![vec![0; known.len()]; top.rank()],
            lengths: vec![Vec::new(); top.rank()],
            first: None,
            hole: None,
            known,
        };
        match verdict(&chain.below_last(below.frame()), top, meter)? {
            Verdict::NotMergeable(witness) => parts.hole = Some(witness),
            Verdict::Merged(view) => {
                if let Some(bounds) = view.valid_box() {
                    let problem = Problem::new(chain, &bounds)?;
                    parts.first = Some(bounds.low());
                    parts.steps = axes.clone().map(|axis| problem.first_step(axis)).collect();
                    parts.equations = problem.equations(meter)?;
                    let lengths = axes.map(|axis| problem.lengths(axis, meter));
                    parts.lengths = lengths.collect::<Result<_, _>>()?;
                }
            }
        }
        parts.solve().map_err(too_large)
    }
}

/// Σ coefficient·number.
fn product(coefficients: &[i64], numbers: impl Iterator<Item = i64>) -> Result<i128, Overflow> {
    // All are 64 bits wide, so one product fits.
    let mut terms = coefficients.iter().zip(numbers).map(|(&c, x)| i128::from(c) * i128::from(x));
    terms.try_fold(0, |sum, term| term.plus(&sum))
}

/// The coefficients of the open strides, and the constant from the known ones.
pub(crate) fn with_known(
    coefficients: &[i64],
    known: &[Option<i64>],
) -> Result<Vec<i128>, Overflow> {
    let constant = product(coefficients, known.iter().map(|known| known.unwrap_or(0)))?;
    let both = coefficients.iter().zip(known);
    let open = both.map(|(&c, known)| if known.is_some() { 0 } else { c.into() });
    Ok(open.chain([constant]).collect())
}

/// The equation that two steps give if both must lead equally far in memory, from how the digits
/// move at each; `None` if they move alike.
pub(crate) fn equate(one: &[i64], other: &[i64]) -> Result<Option<Vec<i64>>, Overflow> {
    let both = one.iter().zip(other);
    let mut difference: Vec<i128> =
        both.map(|(&one, &other)| i128::from(one) - i128::from(other)).collect();
    let Some(lead) = difference.iter().position(|c| *c != 0) else { return Ok(None) };
    make_primitive(&mut difference, lead)?;
    narrowed(difference).map(Some)
}

/// Adds an equation to a space; returns whether it is new.
pub(crate) fn insert(space: &mut Echelon, coefficients: &[i64]) -> Result<bool, Overflow> {
    let row: Vec<i128> = coefficients.iter().map(|&c| c.into()).collect();
    space.insert(&row)
}

/// The numbers, if each fits 64 bits.
fn narrowed(numbers: Vec<i128>) -> Result<Vec<i64>, Overflow> {
    numbers.into_iter().map(|number| i64::try_from(number).map_err(|_| Overflow)).collect()
}

fn too_large(_: Overflow) -> Error {
    Error::ConditionsTooLarge
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limit::Limit;
    use crate::view::View;

    fn found(below: &str, above: &str) -> Conditions {
        let chain: OpenChain = format!("{below} | {above}").parse().expect(above);
        chain.conditions(&Limit::none()).expect("small")
    }

    #[test]
    fn the_worked_example() {
        for length in 1..40 {
            let found = found("(10,3,3)", &format!("({}):(4)", length.min(22)));
            let equations: Vec<String> = found.equations().iter().map(|e| e.to_string()).collect();
            let expected: &[&str] = match length {
                ..=3 => &[],
                4 | 5 => &["σ₁ = 2σ₂ + 3σ₃"],
                _ => &["σ₁ = 2σ₂ + 3σ₃", "σ₁ = 3σ₂"],
            };
            assert_eq!(equations, expected, "{length}");
            let lengths: Vec<i64> = found.equations().iter().map(|e| e.length).collect();
            assert_eq!(lengths, [4, 6][..expected.len()]);
        }
    }

    #[test]
    fn known_strides_are_put_in() {
        let rows: [(&str, &str, &[&str]); 7] = [
            ("(10,3,3):(8,?,?)", "(4):(4)", &["σ₂ = -3t₁ + 4", "σ₃ = 2t₁"]),
            ("(10,3,3):(?,1,?)", "(6):(4)", &["σ₁ = 3", "3σ₃ = 1"]),
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
        let none = found("(10,3,3):(?,1,?)", "(6):(4)");
        assert_eq!(none.obstacle(), Some(Obstacle::NoIntegers));
        assert_eq!(none.merged_strides(), [""; 0]);
        let merged = |below: &str| found(below, "(6):(4)").merged_strides();
        assert_eq!(merged("(10,3,3):(9,3,1)"), ["4"]);
        assert_eq!(merged("(10,3,3):(?,?,1)"), ["4"]);
        assert_eq!(merged("(10,3,3)"), ["4σ₃"]);
    }

    #[test]
    fn lengths_are_those_of_the_axis() {
        let rows: [(&str, &str, &[&[i64]]); 4] = [
            ("(3,4) [1:3,0:4]", "(12)", &[&[9]]),
            ("(3,4)", "(12)", &[&[5]]),
            ("(3,4)", "(14):(1)-2 [2:14]", &[&[7]]),
            ("(3,4) [1:3,0:4]", "(2,12):(0,1)", &[&[], &[9]]),
        ];
        for (below, above, lengths) in rows {
            let found = found(below, above);
            assert_eq!(found.lengths(), lengths, "{below} {above}");
            // That long, and no shorter, the axis adds the equation.
            let axis = lengths.len() - 1;
            assert_eq!(
                (found.equations()[0].grown, found.equations()[0].length),
                (axis, lengths[axis][0])
            );
            for (length, count) in [(lengths[axis][0] - 1, 0), (lengths[axis][0], 1)] {
                let above: View = above.parse().expect(above);
                let mut bounds: Vec<(i64, i64)> = above.shape().iter().map(|&s| (0, s)).collect();
                bounds[axis].1 = length;
                let shorter = above.shrink(&bounds).expect("within");
                let equations = self::found(below, &shorter.to_string()).equations().len();
                assert_eq!(equations, count, "{below} {shorter}");
            }
        }
    }

    #[test]
    fn masks() {
        // Only one row is valid, so no equation is left.
        assert!(found("(3,4) [1:2,0:4]", "(12)").equations().is_empty());
        assert_eq!(found("(3,4) [1:3,0:4]", "(12)").solved(), ["σ₁ = 4σ₂"]);
        let torn = found("(3,4) [0:3,1:3]", "(12)");
        assert!(torn.is_impossible() && matches!(torn.hole(), Some(Witness::Hole { .. })));
        assert!(found("(3,4) nothing", "(12)").equations().is_empty());
    }

    #[test]
    fn large_boxes_are_not_walked() {
        let found = found("(1048576,1024,1024)", "(1000000000):(1023)+17");
        assert_eq!(found.solved(), ["σ₁ = 1048576σ₃", "σ₂ = 1024σ₃"]);
        let found = self::found("(1048576,1024,1024)", "(1000000,1000):(1048576,1024)");
        assert_eq!(found.equations(), []);
    }

    #[test]
    fn longest() {
        let rows = [
            ("(10,3,3):(8,1,2) | (20):(4)", 0, 5),
            ("(50,3,4):(14,5,1) | (100):(6)", 0, 100),
            ("(3,2):(1,3) | (3,2)", 1, 2),
            ("(6):(1)-1 [1:5] | (4,3):(1,1)", 0, 1),
        ];
        for (text, axis, length) in rows {
            let chain: crate::ViewChain = text.parse().expect(text);
            assert_eq!(chain.longest_mergeable(axis, &Limit::none()), Ok(length), "{text}");
        }
    }
}
