//! Swizzles: some bits of a value mixed into others.
//!
//! `Sw<B,M,S>` takes B bits of a value, S places above bit M, and adds them without carry to the B bits
//! from M up: z becomes z xor y. Composed with a layout it is a function, `Sw<B,M,S> o offset o L`
//! (`swizzled.rs`), which is seldom a plain layout (`plain.rs`).

use std::fmt;

use crate::error::Error;

/// `Sw<bits,base,shift>`: mixes `bits` bits into the bits from `base` up, from `shift` places above; from
/// below if the shift is negative.
///
/// ```
/// use viewmerge_cute::Swizzle;
///
/// let swizzle = Swizzle::new(2, 0, 3)?;
/// assert_eq!(swizzle.apply(0b01_010), Some(0b01_011));
/// assert_eq!(swizzle.apply(-1), None);
/// assert!(Swizzle::new(3, 0, 2).is_err());
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Swizzle {
    bits: u32,
    base: u32,
    shift: i32,
}

impl Swizzle {
    /// A swizzle with these numbers.
    ///
    /// # Errors
    ///
    /// If the source bits and the target bits overlap, or lie beyond bit 61.
    ///
    /// ```
    /// use viewmerge_cute::Swizzle;
    ///
    /// assert_eq!(Swizzle::new(3, 4, 3)?.to_string(), "Sw<3,4,3>");
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn new(bits: i64, base: i64, shift: i64) -> Result<Swizzle, Error> {
        let refuse = |why| Err(Error::Swizzle { bits, base, shift, why });
        match (u32::try_from(bits), u32::try_from(base), i32::try_from(shift)) {
            (Ok(small), Ok(low), Ok(apart)) if small <= 62 && low <= 62 => {
                if apart.unsigned_abs() < small {
                    return refuse("the shift must be at least the number of bits, either way");
                }
                if apart.unsigned_abs() > 62 || small + low + apart.unsigned_abs() > 62 {
                    return refuse("all its bits must lie below bit 62");
                }
                Ok(Swizzle { bits: small, base: low, shift: apart })
            }
            _ => refuse("bits and base must be 0 or more, and all bits below bit 62"),
        }
    }

    /// How many bits are mixed in.
    pub(crate) fn bits(self) -> u32 {
        self.bits
    }

    /// The lowest source bit and the lowest target bit.
    pub(crate) fn lowest(self) -> (u32, u32) {
        let apart = self.shift.unsigned_abs();
        if self.shift >= 0 {
            (self.base + apart, self.base)
        } else {
            (self.base, self.base + apart)
        }
    }

    /// The swizzled value; `None` if the value is negative.
    ///
    /// ```
    /// use viewmerge_cute::Swizzle;
    ///
    /// assert_eq!(Swizzle::new(1, 0, 1)?.apply(2), Some(3));
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn apply(self, value: i64) -> Option<i64> {
        if value < 0 {
            return None;
        }
        let (from, to) = self.lowest();
        let mixed = (value >> from) & ((1 << self.bits) - 1);
        Some(value ^ (mixed << to))
    }
}

impl fmt::Display for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sw<{},{},{}>", self.bits, self.base, self.shift)
    }
}
