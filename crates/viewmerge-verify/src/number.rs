//! Integers of any size.
//!
//! Nearly all numbers in a certificate fit into 128 bits and are kept off the heap; the others are a
//! `BigInt`. Every operation on small numbers is checked and falls back to big ones, so nothing is ever
//! rounded or truncated.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Sub};

use num_bigint::{BigInt, Sign};

/// An integer of any size.
///
/// ```
/// use viewmerge_verify::Integer;
///
/// let size = Integer::from(12_i64);
/// assert_eq!(size.to_string(), "12");
/// assert!(size < Integer::from(1_i128 << 100));
/// assert_eq!(i64::try_from(&size), Ok(12));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Integer(Kind);

/// `Big` holds only numbers that do not fit into `Small`, so equal numbers are equal data.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Kind {
    Small(i128),
    Big(BigInt),
}

use Kind::{Big, Small};

impl Integer {
    pub(crate) const ZERO: Integer = Integer(Small(0));
    pub(crate) const ONE: Integer = Integer(Small(1));

    /// Reads decimal digits, at least one, after an optional minus; `None` for anything else.
    pub(crate) fn read(text: &str) -> Option<Integer> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        match text.parse() {
            Ok(small) => Some(Integer(Small(small))),
            Err(_) => text.parse::<BigInt>().ok().map(Integer::from_big),
        }
    }

    fn from_big(big: BigInt) -> Integer {
        Integer(match i128::try_from(&big) {
            Ok(small) => Small(small),
            Err(_) => Big(big),
        })
    }

    fn big(&self) -> Cow<'_, BigInt> {
        match &self.0 {
            Small(small) => Cow::Owned(BigInt::from(*small)),
            Big(big) => Cow::Borrowed(big),
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0 == Small(0)
    }

    pub(crate) fn is_negative(&self) -> bool {
        *self < Integer::ZERO
    }

    /// Quotient and remainder: self = quotient·by + remainder, and 0 ≤ remainder < by.
    ///
    /// The only division in the checker. It rounds down whatever the sign and the size of the number; the
    /// type of the divisor ensures that it is above 0.
    pub(crate) fn divided(&self, by: &Divisor) -> (Integer, Integer) {
        if let (Small(a), Small(b)) = (&self.0, &by.0.0) {
            return (a.div_euclid(*b).into(), a.rem_euclid(*b).into());
        }
        // `/` and `%` of big integers round towards 0.
        let (a, b) = (self.big(), by.0.big());
        let (mut quotient, mut rest) = (&*a / &*b, &*a % &*b);
        if rest.sign() == Sign::Minus {
            quotient -= 1;
            rest += &*b;
        }
        (Integer::from_big(quotient), Integer::from_big(rest))
    }

    /// Its length in words of 64 bits; 1 for a number that needs no heap.
    pub(crate) fn words(&self) -> u64 {
        match &self.0 {
            Small(_) => 1,
            Big(big) => big.bits() / 64 + 1,
        }
    }

    /// The bytes it uses on the heap.
    pub(crate) fn heap(&self) -> u64 {
        match &self.0 {
            Small(_) => 0,
            Big(big) => big.bits() / 8 + 32,
        }
    }
}

impl Default for Integer {
    /// 0.
    fn default() -> Integer {
        Integer::ZERO
    }
}

/// An integer above 0, the only kind of divisor.
///
/// ```
/// use viewmerge_verify::{Divisor, Integer};
///
/// let two = Divisor::new(2.into()).unwrap();
/// assert_eq!(two.get(), &Integer::from(2));
/// assert_eq!((Divisor::new(0.into()), Divisor::new((-2).into())), (None, None));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Divisor(Integer);

impl Divisor {
    /// The number as a divisor; `None` if it is 0 or less.
    ///
    /// ```
    /// assert!(viewmerge_verify::Divisor::new((1_i128 << 100).into()).is_some());
    /// ```
    pub fn new(number: Integer) -> Option<Divisor> {
        (number > Integer::ZERO).then_some(Divisor(number))
    }

    /// The number itself.
    ///
    /// ```
    /// let seven = viewmerge_verify::Divisor::new(7.into()).unwrap();
    /// assert_eq!(seven.get().to_string(), "7");
    /// ```
    pub fn get(&self) -> &Integer {
        &self.0
    }
}

impl fmt::Display for Divisor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Divisor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

macro_rules! operation {
    ($Trait:ident, $method:ident, $checked:ident) => {
        impl $Trait for &Integer {
            type Output = Integer;

            fn $method(self, other: &Integer) -> Integer {
                if let (Small(a), Small(b)) = (&self.0, &other.0)
                    && let Some(small) = a.$checked(*b)
                {
                    return Integer(Small(small));
                }
                Integer::from_big((&*self.big()).$method(&*other.big()))
            }
        }
    };
}

operation!(Add, add, checked_add);
operation!(Sub, sub, checked_sub);
operation!(Mul, mul, checked_mul);

impl Ord for Integer {
    fn cmp(&self, other: &Integer) -> Ordering {
        // A big number lies outside the range of small ones, on the side of its sign.
        let beyond = |big: &BigInt| match big.sign() {
            Sign::Minus => Ordering::Less,
            Sign::NoSign | Sign::Plus => Ordering::Greater,
        };
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
            (Big(a), Big(b)) => a.cmp(b),
            (Big(a), Small(_)) => beyond(a),
            (Small(_), Big(b)) => beyond(b).reverse(),
        }
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Integer) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(small) => small.fmt(f),
            Big(big) => big.fmt(f),
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

macro_rules! from {
    ($($Type:ty),*) => {$(
        impl From<$Type> for Integer {
            fn from(number: $Type) -> Integer {
                Integer(Small(number.into()))
            }
        }

        impl TryFrom<&Integer> for $Type {
            type Error = TooWide;

            fn try_from(number: &Integer) -> Result<$Type, TooWide> {
                match number.0 {
                    Small(small) => <$Type>::try_from(small).map_err(|_| TooWide),
                    Big(_) => Err(TooWide),
                }
            }
        }
    )*};
}

from!(i32, i64, u64, i128);

impl From<usize> for Integer {
    fn from(number: usize) -> Integer {
        // No machine counts beyond 64 bits; if one did, a big integer would hold the number.
        i128::try_from(number).map_or_else(|_| Integer::from_big(number.into()), Integer::from)
    }
}

impl TryFrom<&Integer> for usize {
    type Error = TooWide;

    fn try_from(number: &Integer) -> Result<usize, TooWide> {
        match number.0 {
            Small(small) => usize::try_from(small).map_err(|_| TooWide),
            Big(_) => Err(TooWide),
        }
    }
}

/// Prints `(1,2,3)`.
pub(crate) struct Tuple<'a>(pub(crate) &'a [Integer]);

impl fmt::Display for Tuple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (place, number) in self.0.iter().enumerate() {
            write!(f, "{}{number}", if place == 0 { "" } else { "," })?;
        }
        f.write_str(")")
    }
}

/// An [`Integer`] does not fit into the requested type.
///
/// ```
/// use viewmerge_verify::Integer;
///
/// let far = Integer::from(1_i128 << 100);
/// assert_eq!(i64::try_from(&far).unwrap_err().to_string(), "the integer does not fit the type");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the integer does not fit the type")]
pub struct TooWide;

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Integer {
        Integer::read(text).unwrap()
    }

    #[test]
    fn numbers_at_the_edge_of_128_bits() {
        let (most, least) = (Integer::from(i128::MAX), Integer::from(i128::MIN));
        let above = &most + &Integer::ONE;
        let below = &least - &Integer::ONE;
        assert_eq!(above.to_string(), "170141183460469231731687303715884105728");
        assert_eq!(below.to_string(), "-170141183460469231731687303715884105729");
        assert_eq!(&above - &Integer::ONE, most);
        assert_eq!(&below + &Integer::ONE, least);
        assert!(below < least && least < Integer::ZERO && most < above && below < above);
        assert_eq!(&(&above * &above) - &(&above * &above), Integer::ZERO);
        assert_eq!(read(&above.to_string()), above);
    }

    /// Division rounds down on both sides of 0 and of 128 bits, for dividend and divisor.
    #[test]
    fn division_rounds_down() {
        let edges = ["0", "1", "2", "3", "2147483648", "9223372036854775808"]
            .into_iter()
            .chain(["18446744073709551616", "170141183460469231731687303715884105728"])
            .chain(["340282366920938463463374607431768211456"]);
        let near = edges.flat_map(|edge| [-1, 0, 1].map(|by| &read(edge) + &Integer::from(by)));
        let numbers: Vec<Integer> = near.flat_map(|n| [&Integer::ZERO - &n, n]).collect();
        for a in &numbers {
            for by in numbers.iter().filter_map(|number| Divisor::new(number.clone())) {
                let (quotient, rest) = a.divided(&by);
                assert_eq!(&(&quotient * by.get()) + &rest, *a, "{a} by {by}");
                assert!(!rest.is_negative() && rest < *by.get(), "{a} by {by} leaves {rest}");
            }
        }
    }

    #[test]
    fn what_is_a_number() {
        for (text, number) in [("0", 0), ("-0", 0), ("007", 7), ("-12", -12)] {
            assert_eq!(read(text), Integer::from(number));
        }
        for text in ["", "-", "+1", "--1", "1.0", "1e3", " 1", "1_0", "٣", "0x1"] {
            assert_eq!(Integer::read(text), None, "{text}");
        }
    }
}
