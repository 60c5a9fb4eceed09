//! Exact integers: `i128` while it lasts, big integers after that.
//!
//! Every operation that could leave the type reports [`Overflow`]; the search then starts again
//! with [`Big`], where none does. So every number is exact. Most numbers are small,
//! so products and divisors try 64 bits first.

use core::fmt::Debug;

use dashu_int::IBig;
use dashu_int::ops::{DivRem, Gcd};

/// A result does not fit the type of number in use.
///
/// ```
/// use lattice_point::{Number, Overflow};
///
/// assert_eq!(i128::MAX.plus(&1), Err(Overflow));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Overflow;

/// The integers of a search: [`i128`] and [`Big`].
///
/// ```
/// use lattice_point::{Big, Number};
///
/// assert_eq!((-7i128).divided_down(&2), -4);
/// assert_eq!(Number::gcd(&Big::from(12), &Big::from(-18)), Ok(Big::from(6)));
/// ```
pub trait Number: Clone + Debug + Ord + From<i128> + TryInto<i128> + Into<Big> {
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;

    /// Close enough to choose a direction by; no answer depends on it.
    fn approximate(&self) -> f64;

    /// self + other.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if the result does not fit; so for every operation below.
    fn plus(&self, other: &Self) -> Result<Self, Overflow>;
    /// self − other.
    ///
    /// # Errors
    ///
    /// [`Overflow`].
    fn minus(&self, other: &Self) -> Result<Self, Overflow>;
    /// self · other.
    ///
    /// # Errors
    ///
    /// [`Overflow`].
    fn times(&self, other: &Self) -> Result<Self, Overflow>;
    /// ⌊self / divisor⌋ for a divisor above 0.
    #[must_use]
    fn divided_down(&self, divisor: &Self) -> Self;
    /// The greatest common divisor, not negative.
    ///
    /// # Errors
    ///
    /// [`Overflow`].
    fn gcd(&self, other: &Self) -> Result<Self, Overflow>;

    /// Whether it is 0.
    fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// Whether it is below 0.
    fn is_negative(&self) -> bool {
        *self < Self::ZERO
    }

    /// Whether it is above 0.
    fn is_positive(&self) -> bool {
        *self > Self::ZERO
    }

    /// −self.
    ///
    /// # Errors
    ///
    /// [`Overflow`].
    fn negated(&self) -> Result<Self, Overflow> {
        Self::ZERO.minus(self)
    }

    /// Its magnitude.
    ///
    /// # Errors
    ///
    /// [`Overflow`].
    fn absolute(&self) -> Result<Self, Overflow> {
        if self.is_negative() { self.negated() } else { Ok(self.clone()) }
    }

    /// ⌈self / divisor⌉ for a divisor above 0.
    ///
    /// # Errors
    ///
    /// [`Overflow`].
    fn divided_up(&self, divisor: &Self) -> Result<Self, Overflow> {
        self.negated()?.divided_down(divisor).negated()
    }
}

/// Both as 64-bit numbers, if they are.
fn narrow(a: i128, b: i128) -> Option<(i64, i64)> {
    Some((i64::try_from(a).ok()?, i64::try_from(b).ok()?))
}

impl Number for i128 {
    const ZERO: i128 = 0;
    const ONE: i128 = 1;

    fn approximate(&self) -> f64 {
        *self as f64
    }

    fn plus(&self, other: &i128) -> Result<i128, Overflow> {
        self.checked_add(*other).ok_or(Overflow)
    }

    fn minus(&self, other: &i128) -> Result<i128, Overflow> {
        self.checked_sub(*other).ok_or(Overflow)
    }

    fn times(&self, other: &i128) -> Result<i128, Overflow> {
        match narrow(*self, *other) {
            Some((a, b)) => Ok(i128::from(a) * i128::from(b)),
            None => self.checked_mul(*other).ok_or(Overflow),
        }
    }

    fn divided_down(&self, divisor: &i128) -> i128 {
        match narrow(*self, *divisor) {
            Some((a, b)) => a.div_euclid(b).into(),
            None => self.div_euclid(*divisor),
        }
    }

    fn gcd(&self, other: &i128) -> Result<i128, Overflow> {
        let (mut a, mut b) = (self.unsigned_abs(), other.unsigned_abs());
        while b != 0 {
            if let (Ok(mut c), Ok(mut d)) = (u64::try_from(a), u64::try_from(b)) {
                while d != 0 {
                    (c, d) = (d, c % d);
                }
                return Ok(c.into());
            }
            (a, b) = (b, a % b);
        }
        i128::try_from(a).map_err(|_| Overflow)
    }
}

/// An integer of any size.
///
/// ```
/// let big = lattice_point::Big::from(1) << 200;
/// assert!(big > lattice_point::Big::from(i128::MAX));
/// ```
pub type Big = IBig;

impl Number for Big {
    const ZERO: Big = IBig::ZERO;
    const ONE: Big = IBig::ONE;

    fn approximate(&self) -> f64 {
        self.to_f64().value()
    }

    fn plus(&self, other: &Big) -> Result<Big, Overflow> {
        Ok(self + other)
    }

    fn minus(&self, other: &Big) -> Result<Big, Overflow> {
        Ok(self - other)
    }

    fn times(&self, other: &Big) -> Result<Big, Overflow> {
        Ok(self * other)
    }

    fn divided_down(&self, divisor: &Big) -> Big {
        let (quotient, rest) = self.div_rem(divisor);
        if rest < IBig::ZERO { quotient - IBig::ONE } else { quotient }
    }

    fn gcd(&self, other: &Big) -> Result<Big, Overflow> {
        Ok(divisor(self, other))
    }
}

/// The greatest common divisor of numbers of any size; that of 0 and 0 is 0.
pub(super) fn divisor(a: &Big, b: &Big) -> Big {
    let both_zero = IBig::is_zero(a) && IBig::is_zero(b);
    if both_zero { IBig::ZERO } else { Gcd::gcd(a, b).into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn narrow(big: Big) -> Option<i128> {
        big.try_into().ok()
    }

    #[test]
    fn both_types_agree() {
        let numbers = [0, 1, -1, 7, -12, 1 << 40, -(1 << 62), (1 << 63) + 5, 1 << 90, -(1 << 100)];
        for a in numbers {
            for b in numbers {
                let (big_a, big_b) = (Big::from(a), Big::from(b));
                if let Ok(sum) = a.plus(&b) {
                    assert_eq!(big_a.plus(&big_b), Ok(sum.into()));
                }
                match a.times(&b) {
                    Ok(product) => assert_eq!(big_a.times(&big_b), Ok(product.into())),
                    Err(Overflow) => assert_eq!(big_a.times(&big_b).map(narrow), Ok(None)),
                }
                assert_eq!(a.gcd(&b).map(Big::from), Number::gcd(&big_a, &big_b));
                if b > 0 {
                    assert_eq!(a.divided_down(&b), a.div_euclid(b));
                    assert_eq!(narrow(big_a.divided_down(&big_b)), Some(a.div_euclid(b)));
                    assert_eq!(big_a.divided_up(&big_b).map(narrow), Ok(a.divided_up(&b).ok()));
                }
            }
        }
    }
}
