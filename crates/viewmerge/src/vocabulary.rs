//! The few shapes of data that everything here is made of.
//!
//! | type | what it is |
//! |---|---|
//! | [`Span`] | the integers lo ≤ i < hi, never none; a box is a list of them |
//! | [`Within`] | the numbers low ≤ n ≤ high, either end possibly absent |
//! | [`Affine`] | constant + Σ terms·column; columns are the axes, then the floors |
//! | [`Floor`] | ⌊operand / divisor⌋, a new column |
//! | [`Guard`] | a condition: an affine function lies within an interval |
//!
//! Invariants, established at construction and cited by number:
//!
//! - **S1** A span has lo < hi.
//! - **W1** An interval has low ≤ high where both ends are there; an absent end is `None`, never a
//!   large number.
//! - **A1** An affine function has no trailing zero among its terms, so equal functions are equal.
//! - **F1** A floor's divisor is 2 or more.
//! - **F2** A floor's operand uses earlier columns only.
//! - **G1** A guard's function has constant 0, no common divisor among its terms, and a positive
//!   first one; so two guards on the same function have the same function.
//!
//! Running example: a window of 3 over a row of 15 padded by 2 is valid where 2 ≤ i + k < 17: the
//! guard {i + k, 2 ..= 16} over the columns i and k.
//!
//! Overflow policy: checked; [`Overflow`] if a number does not fit.

pub use lattice_point::{Affine, Within};
use lattice_point::{Number, Overflow, Row};

/// The integers lo ≤ i < hi (S1: lo < hi).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    lo: i64,
    hi: i64,
}

impl Span {
    /// The integers from `lo` up to, but not including, `hi`; `None` if there are none (S1).
    #[must_use]
    pub fn new(lo: i64, hi: i64) -> Option<Span> {
        (lo < hi).then_some(Span { lo, hi })
    }

    /// The first integer.
    #[must_use]
    pub const fn lo(self) -> i64 {
        self.lo
    }

    /// One past the last integer.
    #[must_use]
    pub const fn hi(self) -> i64 {
        self.hi
    }

    /// The last integer.
    #[must_use]
    pub const fn last(self) -> i64 {
        self.hi - 1
    }

    /// How many integers there are; `None` if that does not fit.
    #[must_use]
    pub const fn count(self) -> Option<i64> {
        self.hi.checked_sub(self.lo)
    }

    /// Whether an integer is among them.
    #[must_use]
    pub const fn contains(self, i: i64) -> bool {
        self.lo <= i && i < self.hi
    }

    /// The integers in both, if there are any.
    #[must_use]
    pub fn meet(self, other: Span) -> Option<Span> {
        Span::new(self.lo.max(other.lo), self.hi.min(other.hi))
    }

    /// The smallest span around both.
    #[must_use]
    pub fn hull(self, other: Span) -> Span {
        Span { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// The same numbers as a closed interval.
    #[must_use]
    pub fn within(self) -> Within<i128> {
        match Within::new(Some(self.lo.into()), Some(i128::from(self.hi) - 1)) {
            Some(within) => within,
            None => unreachable!("S1"),
        }
    }
}

/// ⌊operand / divisor⌋ (F1: divisor ≥ 2).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Floor {
    operand: Affine<i128>,
    divisor: i128,
}

impl Floor {
    /// The floor that becomes a given column; `None` unless its divisor is 2 or more (F1) and its
    /// operand uses earlier columns only (F2).
    #[must_use]
    pub fn new(operand: Affine<i128>, divisor: i128, column: usize) -> Option<Floor> {
        (divisor >= 2 && operand.terms().len() <= column).then_some(Floor { operand, divisor })
    }

    /// What is divided.
    #[must_use]
    pub fn operand(&self) -> &Affine<i128> {
        &self.operand
    }

    /// What it is divided by.
    #[must_use]
    pub fn divisor(&self) -> i128 {
        self.divisor
    }

    /// The value where the earlier columns have these values.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number does not fit.
    pub fn at(&self, columns: &[i128]) -> Result<i128, Overflow> {
        Ok(self.operand.at(columns)?.divided_down(&self.divisor))
    }

    /// The row 0 ≤ operand − divisor·column ≤ divisor − 1, which says that `column` is this floor.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number does not fit.
    pub fn row(&self, column: usize, columns: usize) -> Result<Row<i128>, Overflow> {
        let residue = self.operand.clone().plus(&-self.divisor, &Affine::column(column))?;
        residue.between(Some(0), Some(self.divisor - 1), columns)
    }
}

/// The condition that a function lies within an interval (G1).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Guard {
    function: Affine<i128>,
    within: Within<i128>,
}

/// What a condition comes down to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// It always holds.
    Always,
    /// It never holds.
    Never,
    /// It depends on the columns.
    Guard(Guard),
}

impl Guard {
    /// The condition low ≤ function ≤ high in the form of G1: the constant and the common divisor
    /// of the terms are taken over to the ends, which are rounded inwards.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number does not fit.
    pub fn between(
        function: &Affine<i128>,
        low: Option<i128>,
        high: Option<i128>,
    ) -> Result<Condition, Overflow> {
        let shifted = |end: Option<i128>| end.map(|end| end.minus(function.constant())).transpose();
        let (mut low, mut high) = (shifted(low)?, shifted(high)?);
        let mut divisor = 0i128;
        for term in function.terms() {
            divisor = divisor.gcd(term)?;
        }
        let lead = function.terms().iter().find(|term| **term != 0);
        let Some(lead) = lead else {
            let holds = Within::new(low, high).is_some_and(|within| within.contains(&0));
            return Ok(if holds { Condition::Always } else { Condition::Never });
        };
        if *lead < 0 {
            divisor = -divisor;
            let negated = |end: Option<i128>| end.map(|end| end.negated()).transpose();
            (low, high) = (negated(high)?, negated(low)?);
        }
        let terms = function.terms().iter().map(|term| term / divisor).collect();
        let size = divisor.abs();
        let low = low.map(|low| low.divided_up(&size)).transpose()?;
        let high = high.map(|high| high.divided_down(&size));
        Ok(match Within::new(low, high) {
            None => Condition::Never,
            Some(within) if within == Within::all() => Condition::Always,
            Some(within) => Condition::Guard(Guard { function: Affine::new(0, terms), within }),
        })
    }

    /// The function.
    #[must_use]
    pub fn function(&self) -> &Affine<i128> {
        &self.function
    }

    /// The interval it lies within.
    #[must_use]
    pub fn within(&self) -> Within<i128> {
        self.within
    }

    /// Whether the condition holds where the columns have these values.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number does not fit.
    pub fn holds(&self, columns: &[i128]) -> Result<bool, Overflow> {
        Ok(self.within.contains(&self.function.at(columns)?))
    }

    /// The condition as a row.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number does not fit.
    pub fn row(&self, columns: usize) -> Result<Row<i128>, Overflow> {
        let (low, high) = (self.within.low().copied(), self.within.high().copied());
        self.function.clone().between(low, high, columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans() {
        let span = |lo, hi| Span::new(lo, hi).expect("not empty");
        assert_eq!(Span::new(3, 3), None);
        assert_eq!((span(2, 5).count(), span(2, 5).last()), (Some(3), 4));
        assert!(span(2, 5).contains(2) && !span(2, 5).contains(5));
        assert_eq!(span(2, 5).meet(span(4, 9)), Span::new(4, 5));
        assert_eq!(span(2, 5).meet(span(5, 9)), None);
        assert_eq!(span(2, 5).hull(span(8, 9)), span(2, 9));
        assert_eq!(span(2, 5).within().high(), Some(&4));
        assert_eq!(Span::new(i64::MIN, i64::MAX).and_then(Span::count), None);
    }

    #[test]
    fn floors_agree_with_their_rows() {
        let operand = Affine::new(1, vec![2, -3]);
        assert_eq!(Floor::new(operand.clone(), 1, 2), None);
        assert_eq!(Floor::new(operand.clone(), 5, 1), None);
        let floor = Floor::new(operand, 5, 2).expect("F1 and F2");
        let row = floor.row(2, 3).expect("small");
        for (x, y) in (-6..6i128).flat_map(|x| (-6..6).map(move |y| (x, y))) {
            let value = floor.at(&[x, y]).expect("small");
            assert_eq!(value, (1 + 2 * x - 3 * y).div_euclid(5));
            for q in value - 1..=value + 1 {
                let sum: i128 = row.form.iter().zip([x, y, q]).map(|(a, z)| a * z).sum();
                let holds =
                    row.low.is_none_or(|low| low <= sum) && row.high.is_none_or(|high| sum <= high);
                assert_eq!(holds, q == value);
            }
        }
    }

    #[test]
    fn guards_have_one_form() {
        // 3 ≤ 5 − 4x + 6y ≤ 17 is −6 ≤ 2x − 3y ≤ 1.
        let function = Affine::new(5, vec![-4, 6]);
        let Ok(Condition::Guard(guard)) = Guard::between(&function, Some(3), Some(17)) else {
            panic!("depends on the columns")
        };
        assert_eq!(guard.function(), &Affine::new(0, vec![2, -3]));
        assert_eq!(Some(guard.within()), Within::new(Some(-6), Some(1)));
        for (x, y) in (-6..6i128).flat_map(|x| (-6..6).map(move |y| (x, y))) {
            let value = 5 - 4 * x + 6 * y;
            assert_eq!(guard.holds(&[x, y]), Ok((3..=17).contains(&value)));
        }
        let always = Affine::always(4);
        assert_eq!(Guard::between(&always, Some(3), None), Ok(Condition::Always));
        assert_eq!(Guard::between(&always, Some(5), None), Ok(Condition::Never));
        // 1 ≤ 2x ≤ 1 holds for no integer.
        assert_eq!(
            Guard::between(&Affine::new(0, vec![2]), Some(1), Some(1)),
            Ok(Condition::Never)
        );
    }
}
