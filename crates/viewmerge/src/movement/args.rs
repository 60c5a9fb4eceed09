//! Arguments of movement ops in one normal form: axes counted from the
//! front, sizes without a −1, slices as (first index, count, step).

use smallvec::SmallVec;

use crate::dims::{Dims, INLINE_AXES, MAX_ELEMENTS, element_count, signed};
use crate::error::{Error, ListError};

/// An axis counted from the front; a negative one counts from the end.
///
/// # Errors
///
/// [`AxisOutOfRange`](crate::strides::Error::AxisOutOfRange).
pub fn axis(op: &'static str, axis: i64, rank: usize) -> Result<usize, Error> {
    let from_front = if axis < 0 { axis.checked_add(signed(rank)) } else { Some(axis) };
    let known = from_front.and_then(|axis| usize::try_from(axis).ok()).filter(|axis| *axis < rank);
    Ok(known.ok_or(ListError::AxisOutOfRange { op, axis, rank })?)
}

/// Axes, each named once.
///
/// # Errors
///
/// [`AxisOutOfRange`](crate::strides::Error::AxisOutOfRange) and [`RepeatedAxis`](crate::strides::Error::RepeatedAxis).
pub fn distinct_axes(
    op: &'static str,
    axes: &[i64],
    rank: usize,
) -> Result<SmallVec<[usize; INLINE_AXES]>, Error> {
    let mut seen: SmallVec<[bool; 32]> = SmallVec::from_elem(false, rank);
    axes.iter()
        .map(|&given| {
            let axis = axis(op, given, rank)?;
            if core::mem::replace(&mut seen[axis], true) {
                return Err(ListError::RepeatedAxis { op, axis }.into());
            }
            Ok(axis)
        })
        .collect()
}

/// `sizes` with its one −1, if any, replaced so that the sizes multiply to `count`.
///
/// Sizes without a −1 come back as they are: whether they fit is the caller's question.
pub(crate) fn infer(op: &'static str, sizes: &[i64], count: i64) -> Result<Dims, Error> {
    let mut open = (0..sizes.len()).filter(|&axis| sizes[axis] == -1);
    let (first, second) = (open.next(), open.next());
    if let (Some(first), Some(second)) = (first, second) {
        return Err(Error::TwoInferred { op, first, second });
    }
    let mut filled: Dims = sizes.into();
    if let Some(axis) = first {
        filled[axis] = 1;
        let cannot = || Error::CannotInfer { op, axis, count, to: sizes.to_vec() };
        filled[axis] = match element_count(&filled) {
            Ok(0) => return Err(cannot()),
            Ok(known) if count % known == 0 => count / known,
            Err(error @ Error::Lists(ListError::NegativeSize { .. })) => return Err(error),
            // More than 2^62 known elements divide no count but 0.
            Err(_) if count == 0 => 0,
            _ => return Err(cannot()),
        };
    }
    Ok(filled)
}

/// A Python slice `start:stop:step` of one axis; negative bounds count from the end. With unknown sizes its numbers are
/// expressions.
///
/// As text and as JSON it is written as in Python, `"8:2:-3"`.
///
/// ```
/// use viewmerge::{Slice, View};
///
/// let view = View::contiguous(&[10])?;
/// assert_eq!(view.slice(&["8:2:-3".parse()?])?.to_string(), "(2):(-3)+8");
/// assert_eq!(view.slice(&[Slice::from(2..5)])?.to_string(), "(3):(1)+2");
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slice<N = i64> {
    /// First index, or the first one in the direction of the step.
    pub start: Option<N>,
    /// Where to stop, this index not included.
    pub stop: Option<N>,
    /// The distance between two kept indices; negative walks backwards.
    pub step: N,
}

impl Slice {
    /// The whole axis, `:`.
    ///
    /// ```
    /// assert_eq!(viewmerge::Slice::ALL, ":".parse()?);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub const ALL: Slice = Slice { start: None, stop: None, step: 1 };

    /// The same slice with another step.
    ///
    /// ```
    /// use viewmerge::Slice;
    ///
    /// assert_eq!(Slice::ALL.by(-1), "::-1".parse()?);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn by(self, step: i64) -> Slice {
        Slice { step, ..self }
    }

    /// First index, number of indices and step on an axis of this size.
    ///
    /// Bounds outside the axis are clamped to it, as in Python. The step comes
    /// back no longer than the axis: a longer one keeps the same index.
    pub(crate) fn resolve(
        &self,
        op: &'static str,
        axis: usize,
        size: i64,
    ) -> Result<(i64, i64, i64), Error> {
        if self.step == 0 {
            return Err(Error::ZeroStep { op, axis });
        }
        let step = self.step.clamp(-MAX_ELEMENTS, MAX_ELEMENTS);
        let (low, high) = if step > 0 { (0, size) } else { (-1, size - 1) };
        let clamp = |bound: i64| {
            let from_front = if bound < 0 { bound.saturating_add(size) } else { bound };
            from_front.clamp(low, high)
        };
        let start = self.start.map_or(if step > 0 { low } else { high }, clamp);
        let stop = self.stop.map_or(if step > 0 { high } else { low }, clamp);
        let distance = if step > 0 { stop - start } else { start - stop };
        let count = if distance <= 0 { 0 } else { (distance - 1) / step.abs() + 1 };
        Ok((start, count, step))
    }
}

impl From<core::ops::Range<i64>> for Slice {
    fn from(range: core::ops::Range<i64>) -> Slice {
        Slice { start: Some(range.start), stop: Some(range.end), step: 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_resolve_as_in_python() {
        // (slice, size, range(*slice.indices(size)) in Python: first, length)
        let rows = [
            (":", 5, (0, 5)),
            ("1:", 5, (1, 4)),
            (":-1", 5, (0, 4)),
            ("-3:-1", 5, (2, 2)),
            ("3:1", 5, (3, 0)),
            ("9:", 5, (5, 0)),
            ("-9:9", 5, (0, 5)),
            ("::2", 5, (0, 3)),
            ("1::2", 5, (1, 2)),
            ("::-1", 5, (4, 5)),
            ("::-2", 5, (4, 3)),
            ("9:0:-2", 5, (4, 2)),
            ("3::-9", 5, (3, 1)),
            ("::-1", 0, (-1, 0)),
            (":", 0, (0, 0)),
        ];
        for (text, size, (first, length)) in rows {
            let slice: Slice = text.parse().expect(text);
            let (start, count, _) = slice.resolve("slice", 0, size).expect(text);
            assert_eq!((start, count), (first, length), "{text} of {size}");
        }
        let extreme = Slice { start: Some(i64::MIN), stop: Some(i64::MAX), step: i64::MAX };
        assert_eq!(extreme.resolve("slice", 0, 5), Ok((0, 1, MAX_ELEMENTS)));
        assert!("1".parse::<Slice>().is_err());
        assert!("::0".parse::<Slice>().expect("reads").resolve("slice", 0, 3).is_err());
    }

    #[test]
    fn sizes_are_inferred() {
        type Row = (&'static [i64], i64, Option<&'static [i64]>);
        let rows: [Row; 9] = [
            (&[2, -1], 6, Some(&[2, 3])),
            (&[-1], 0, Some(&[0])),
            (&[-1, 3], 0, Some(&[0, 3])),
            (&[-1, 0], 0, None),
            (&[-1, 4], 6, None),
            (&[-1, -1], 6, None),
            (&[-1, -2], 6, None),
            (&[-1, 1 << 62, 4], 0, Some(&[0, 1 << 62, 4])),
            (&[5, 7], 6, Some(&[5, 7])),
        ];
        for (sizes, count, filled) in rows {
            assert_eq!(infer("reshape", sizes, count).ok().as_deref(), filled, "{sizes:?}");
        }
    }
}
