//! The strides that satisfy all equations, as data and in formulas.

use alloc::string::String;
use alloc::vec::Vec;

use super::formula::{Style, Sum, Symbol};
use super::{narrowed, product};
use lattice_point::{Hermite, Number, Overflow, Unsolvable};

/// All integer strides that merge: one list of them, and the steps to all others.
///
/// The strides are `particular` plus every integer combination of the vectors of
/// `basis`. Known strides are as given in `particular`, and 0 in the basis.
///
/// ```
/// use viewmerge::{Limit, OpenChain};
///
/// let found = "(10,3,3):(?,?,1) | (4):(4)".parse::<OpenChain>()?.conditions(&Limit::none())?;
/// let solutions = found.solutions().unwrap();
/// assert_eq!(solutions.particular, [3, 0, 1]);
/// assert_eq!(solutions.basis, [[2, 1, 0]]);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Solutions {
    /// One list of strides that merges.
    pub particular: Vec<i64>,
    /// What can be added to it, any integer number of times; the last entry of
    /// each that is not 0 is positive, and in another axis for each of them.
    pub basis: Vec<Vec<i64>>,
}

/// Why no strides merge.
///
/// ```
/// use viewmerge::{Limit, Obstacle, OpenChain};
///
/// // σ₁ = 3 and 3σ₃ = 1 follow from σ₂ = 1.
/// let found = "(10,3,3):(?,1,?) | (6):(4)".parse::<OpenChain>()?.conditions(&Limit::none())?;
/// assert_eq!(found.obstacle(), Some(Obstacle::NoIntegers));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Obstacle {
    /// The valid indices do not form a box, whatever the strides.
    Hole,
    /// The known strides contradict the equations.
    Contradiction,
    /// With the known strides, only fractions satisfy the equations.
    NoIntegers,
}

impl Obstacle {
    /// What the equations have.
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Obstacle::NoIntegers => "no integer solution",
            Obstacle::Hole | Obstacle::Contradiction => "no solution",
        }
    }
}

/// A name for the multiple of a basis vector: sign·(symbol − origin).
struct Name {
    symbol: Symbol,
    sign: i128,
    origin: i128,
}

impl Solutions {
    /// The solutions of some equations, with some strides known.
    pub(crate) fn of<'a>(
        equations: impl IntoIterator<Item = &'a [i64]>,
        known: &[Option<i64>],
    ) -> Result<Result<Solutions, Obstacle>, Overflow> {
        let known: Vec<Option<i128>> = known.iter().map(|known| known.map(i128::from)).collect();
        let mut lattice = Hermite::new(&known);
        for equation in equations {
            let equation: Vec<i128> = equation.iter().map(|&c| c.into()).collect();
            match lattice.meet(&equation)? {
                Ok(()) => {}
                Err(Unsolvable::Contradiction) => return Ok(Err(Obstacle::Contradiction)),
                Err(Unsolvable::NoIntegers) => return Ok(Err(Obstacle::NoIntegers)),
            }
        }
        let (particular, basis) = lattice.parts();
        let basis = basis.into_iter().map(narrowed).collect::<Result<_, _>>()?;
        Ok(Ok(Solutions { particular: narrowed(particular)?, basis }))
    }

    /// A name for the multiple of each basis vector: a stride that moves by ±1 with it and with no
    /// other vector, or else an integer that may be chosen.
    fn names(&self) -> Vec<Name> {
        let mut chosen = 0;
        let mut names = Vec::new();
        for (place, vector) in self.basis.iter().enumerate() {
            let alone = |&axis: &usize| {
                let others = self.basis.iter().enumerate().filter(|(other, _)| *other != place);
                vector[axis].abs() == 1 && others.into_iter().all(|(_, v)| v[axis] == 0)
            };
            // The pivot, the last axis, if possible.
            let pivot = vector.iter().rposition(|&entry| entry != 0);
            let axis = pivot.filter(alone).or_else(|| (0..vector.len()).find(alone));
            names.push(match axis {
                Some(axis) => Name {
                    symbol: Symbol::Stride(axis),
                    sign: vector[axis].into(),
                    origin: self.particular[axis].into(),
                },
                None => {
                    chosen += 1;
                    Name { symbol: Symbol::Parameter(chosen - 1), sign: 1, origin: 0 }
                }
            });
        }
        names
    }

    /// The integers t₁, t₂ … that formulas of these solutions mention.
    pub(crate) fn parameters(&self) -> usize {
        let chosen = |name: &Name| matches!(name.symbol, Symbol::Parameter(_));
        self.names().iter().filter(|name| chosen(name)).count()
    }

    /// Σ coefficient·stride in terms of what may be chosen.
    pub(crate) fn express(&self, coefficients: &[i64]) -> Result<Sum, Overflow> {
        let product = |vector: &[i64]| product(coefficients, vector.iter().copied());
        let mut terms = Sum::new();
        let mut constant = product(&self.particular)?;
        for (vector, name) in self.basis.iter().zip(self.names()) {
            let times = product(vector)?.times(&name.sign)?;
            terms.push((times, name.symbol));
            constant = constant.minus(&times.times(&name.origin)?)?;
        }
        // Strides first, in order, then what is chosen, then the number.
        terms.push((constant, Symbol::One));
        terms.sort_by_key(|(_, symbol)| *symbol);
        Ok(terms)
    }

    /// A line for each stride that is neither known nor free.
    pub(crate) fn lines(&self, known: &[Option<i64>], style: Style) -> Vec<String> {
        let names = self.names();
        let free = |axis: usize| names.iter().any(|name| name.symbol == Symbol::Stride(axis));
        let bound = (0..known.len()).filter(|&axis| known[axis].is_none() && !free(axis));
        let line = |axis: usize| {
            let unit: Vec<i64> = (0..known.len()).map(|other| i64::from(other == axis)).collect();
            let sum = self.express(&unit).unwrap_or_default();
            format!("{} = {}", style.stride(axis), style.sum(&sum))
        };
        bound.map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_are_parameters_where_they_can_be() {
        let lines = |known: &[Option<i64>], equations: &[&[i64]]| {
            let found = Solutions::of(equations.iter().copied(), known);
            let found = found.expect("small").expect("solvable");
            (found.lines(known, Style::Text), found.parameters())
        };
        let open = [None; 3];
        assert_eq!(lines(&open, &[&[1, -2, -3]]), (vec!["σ₁ = 2σ₂ + 3σ₃".into()], 0));
        assert_eq!(lines(&open, &[&[2, -3, 0]]), (vec!["σ₁ = 3t₁".into(), "σ₂ = 2t₁".into()], 1));
        assert_eq!(
            lines(&[None, None, Some(1)], &[&[2, -3, 1]]),
            (vec!["σ₁ = 3t₁ + 1".into(), "σ₂ = 2t₁ + 1".into()], 1)
        );
        assert_eq!(lines(&open, &[&[0, 0, 7]]), (vec!["σ₃ = 0".into()], 0));
        // A stride before the others will do as well, upside down and shifted.
        assert_eq!(lines(&open, &[&[2, -1, 0]]), (vec!["σ₂ = 2σ₁".into()], 0));
        assert_eq!(lines(&open, &[&[2, 1, 0]]), (vec!["σ₂ = -2σ₁".into()], 0));
        assert_eq!(lines(&[None, None, Some(5)], &[&[2, -1, 1]]), (vec!["σ₂ = 2σ₁ + 5".into()], 0));
    }
}
