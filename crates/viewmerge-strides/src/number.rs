//! The types in which libraries keep sizes and strides.

mod sealed {
    pub trait Sealed {}
}

/// A type of sizes and strides: [`usize`], [`isize`], [`i64`], [`u64`], [`i32`] or [`u32`].
///
/// ```
/// use viewmerge_strides::{Reshape, reshape_strides};
///
/// // Sizes and strides may have different types.
/// let mut strides = [0isize; 2];
/// assert_eq!(reshape_strides(&[6usize], &[-2], &[2, 3], &mut strides)?, Reshape::View);
/// assert_eq!(strides, [-6, -2]);
/// # Ok::<(), viewmerge_strides::Error>(())
/// ```
pub trait AxisNumber: Copy + sealed::Sealed {
    #[doc(hidden)]
    const ZERO: Self;
    #[doc(hidden)]
    fn to_i64(self) -> Option<i64>;
    #[doc(hidden)]
    fn from_i64(number: i64) -> Option<Self>;
    #[doc(hidden)]
    fn wide(self) -> i128;
}

macro_rules! axis_numbers {
    ($($number:ty),*) => {$(
        impl sealed::Sealed for $number {}

        impl AxisNumber for $number {
            const ZERO: $number = 0;

            #[inline]
            fn to_i64(self) -> Option<i64> {
                i64::try_from(self).ok()
            }

            #[inline]
            fn from_i64(number: i64) -> Option<$number> {
                <$number>::try_from(number).ok()
            }

            #[inline]
            fn wide(self) -> i128 {
                self as i128
            }
        }
    )*};
}

axis_numbers!(usize, isize, i64, u64, i32, u32);
