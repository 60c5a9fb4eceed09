//! A view some of whose strides are not known: `(10,3,3):(?,?,1)`.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::dims::check_rank;
use crate::error::Error;
use crate::text::{joined, tuple};
use crate::view::notation::{Scanner, write_offset_and_mask};
use crate::view::spans::{Item, Kind};
use crate::view::{Validity, View, ViewParts};

/// A view with some strides open.
///
/// In serde formats it is written as a view is, with `null` for an open stride.
///
/// ```
/// use viewmerge::StridePattern;
///
/// let pattern: StridePattern = "(10,3,3):(?,?,1)".parse()?;
/// assert_eq!(pattern.strides(), [None, None, Some(1)]);
/// let all_open: StridePattern = "(10,3,3)".parse()?;
/// assert_eq!(all_open.strides(), [None, None, None]);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Parts", into = "Parts"))]
pub struct StridePattern {
    /// The view with all strides and the offset 0: its shape and what is valid.
    frame: View,
    strides: Vec<Option<i64>>,
    offset: i64,
}

impl StridePattern {
    /// A pattern without padding.
    ///
    /// # Errors
    ///
    /// [`RankMismatch`](crate::strides::Error::RankMismatch) unless there is a stride, known or open, for each axis;
    /// [`NegativeSize`](crate::strides::Error::NegativeSize) and [`TooManyElements`](crate::strides::Error::TooManyElements) for a bad shape.
    ///
    /// ```
    /// let pattern = viewmerge::StridePattern::new(&[10, 3], &[None, Some(1)])?;
    /// assert_eq!(pattern.to_string(), "(10,3):(?,1)");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn new(shape: &[i64], strides: &[Option<i64>]) -> Result<StridePattern, Error> {
        StridePattern::masked(shape, strides, Validity::All)
    }

    /// A pattern in which only some indices are valid.
    ///
    /// # Errors
    ///
    /// As [`StridePattern::new`], and [`Error::MaskOutside`] and [`Error::MaskReversed`] for a
    /// bad mask.
    ///
    /// ```
    /// use viewmerge::{StridePattern, Validity};
    ///
    /// let pattern = StridePattern::masked(&[4], &[None], Validity::boxed(&[(1, 3)]))?;
    /// assert_eq!(pattern.shape(), [4]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn masked(
        shape: &[i64],
        strides: &[Option<i64>],
        validity: Validity,
    ) -> Result<StridePattern, Error> {
        check_rank("strides", shape.len(), strides.len())?;
        let frame = View::new(shape, &vec![0; shape.len()], 0, validity)?;
        Ok(StridePattern { frame, strides: strides.to_vec(), offset: 0 })
    }

    /// The same pattern at another offset. It matters for a view above another, not for the one
    /// next to memory.
    ///
    /// # Errors
    ///
    /// [`Error::OffsetRange`] for one beyond ±2^62.
    ///
    /// ```
    /// let pattern = viewmerge::StridePattern::new(&[3], &[None])?.at_offset(2)?;
    /// assert_eq!((pattern.to_string().as_str(), pattern.offset()), ("(3):(?)+2", 2));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn at_offset(self, offset: i64) -> Result<StridePattern, Error> {
        View::strided(&[], &[], offset)?;
        Ok(StridePattern { offset, ..self })
    }

    /// The pattern of a view, whose strides are all known.
    ///
    /// # Errors
    ///
    /// None in practice: every view is a pattern.
    ///
    /// ```
    /// use viewmerge::{StridePattern, View};
    ///
    /// let view: View = "(4,3):(3,1)+2 [1:4,0:3]".parse()?;
    /// assert_eq!(StridePattern::of(&view)?.to_string(), view.to_string());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn of(view: &View) -> Result<StridePattern, Error> {
        let strides: Vec<Option<i64>> = view.strides().iter().copied().map(Some).collect();
        let pattern = StridePattern::masked(view.shape(), &strides, view.validity().clone())?;
        pattern.at_offset(view.offset())
    }

    /// The view with these strides in place of the open ones, in order.
    ///
    /// # Errors
    ///
    /// [`RankMismatch`](crate::strides::Error::RankMismatch) unless there are as many as are open, [`Error::OffsetRange`] and
    /// [`Error::IndexRange`] if the view leaves its bounds.
    ///
    /// ```
    /// use viewmerge::StridePattern;
    ///
    /// let pattern: StridePattern = "(10,3,3):(?,?,1)+2".parse()?;
    /// assert_eq!(pattern.filled(&[9, 3])?.to_string(), "(10,3,3):(9,3,1)+2");
    /// assert!(pattern.filled(&[9]).is_err());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn filled(&self, strides: &[i64]) -> Result<View, Error> {
        let open = self.strides.iter().filter(|stride| stride.is_none()).count();
        check_rank("open strides", open, strides.len())?;
        let mut given = strides.iter();
        let all = self.strides.iter().map(|known| known.or_else(|| given.next().copied()));
        let all: Vec<i64> = all.map(Option::unwrap_or_default).collect();
        View::new(self.shape(), &all, self.offset, self.frame.validity().clone())
    }

    /// The sizes of the axes.
    ///
    /// ```
    /// let pattern: viewmerge::StridePattern = "(10,3):(?,1)".parse()?;
    /// assert_eq!(pattern.shape(), [10, 3]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn shape(&self) -> &[i64] {
        self.frame.shape()
    }

    /// The strides, `None` where open.
    ///
    /// ```
    /// let pattern: viewmerge::StridePattern = "(10,3):(?,1)".parse()?;
    /// assert_eq!(pattern.strides(), [None, Some(1)]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn strides(&self) -> &[Option<i64>] {
        &self.strides
    }

    /// Where the index (0, …, 0) is.
    ///
    /// ```
    /// let pattern: viewmerge::StridePattern = "(10,3):(?,1)+5".parse()?;
    /// assert_eq!(pattern.offset(), 5);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn offset(&self) -> i64 {
        self.offset
    }

    /// The view with all strides and the offset 0.
    pub(super) fn frame(&self) -> &View {
        &self.frame
    }
}

impl fmt::Display for StridePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stride = |stride: &Option<i64>| stride.map_or("?".to_string(), |s| s.to_string());
        let strides = joined(self.strides.iter().map(stride), ",");
        write!(f, "{}:({strides})", tuple(self.shape()))?;
        write_offset_and_mask(f, self.offset, self.frame.validity())
    }
}

impl FromStr for StridePattern {
    type Err = Error;

    /// Reads the notation of a view with `?` for an open stride; strides left out are all open.
    fn from_str(text: &str) -> Result<StridePattern, Error> {
        let mut scan = Scanner::new(text);
        let parts = scan.view(|scan| {
            scan.nested(Kind::Part, |scan| match scan.take('?') {
                true => Ok(None),
                false => scan.number().map(Some),
            })
        })?;
        StridePattern::try_from(parts).map_err(|error| scan.located(error, Item::View))
    }
}

/// What a pattern is made of; without strides, all are open.
type Parts = ViewParts<Option<i64>>;

impl TryFrom<Parts> for StridePattern {
    type Error = Error;

    fn try_from(parts: Parts) -> Result<StridePattern, Error> {
        let strides = parts.strides.unwrap_or_else(|| vec![None; parts.shape.len()]);
        StridePattern::masked(&parts.shape, &strides, parts.validity)?.at_offset(parts.offset)
    }
}

impl From<StridePattern> for Parts {
    fn from(pattern: StridePattern) -> Parts {
        let (shape, validity) = (pattern.shape().to_vec(), pattern.frame.validity().clone());
        ViewParts { shape, strides: Some(pattern.strides), offset: pattern.offset, validity }
    }
}
