//! Where in a text the number or the list is that an error is about.
//!
//! The reader of the notation keeps the place of every number and list it reads (`Span`). When what was
//! read is refused, the error names a list and an axis, and these lead to the place.
//!
//! Running example: `(10,3,3):(8,1)` has the spans (10,3,3) at 0 and (8,1) at 9. The error says that
//! there are two strides for three axes, so the place is 9.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::dims::signed;
use crate::error::{Error, ListError};

/// A number or a list that was read, and what the list holds.
pub struct Span {
    /// Its first character.
    pub at: usize,
    /// Behind its last character.
    pub end: usize,
    /// What it is.
    pub kind: Kind,
    /// What was read inside it.
    pub items: Vec<Span>,
}

/// What a span is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number, with its value.
    Number(i64),
    /// In round brackets.
    List,
    /// In square brackets.
    Mask,
    /// A part of a list: a pair, a slice, or an expression.
    Part,
}

/// What an item of a chain is.
#[derive(Clone, Copy)]
pub enum Item<'a> {
    /// A view.
    View,
    /// An op of this name, on a shape of so many axes.
    Op(&'a str, usize),
}

/// The place that an error is about; none if it is about the whole item.
fn culprit<'a>(error: &Error, spans: &'a [Span], item: Item<'_>) -> Option<&'a Span> {
    let mut lists = spans.iter().filter(|span| span.kind == Kind::List);
    let arguments = lists.next();
    let argument = |place: usize| arguments?.items.get(place);
    let number = spans.iter().find(|span| matches!(span.kind, Kind::Number(_)));
    let mask = spans.iter().find(|span| span.kind == Kind::Mask);
    let (shape, strides, offset) = match item {
        Item::Op("as_strided", _) => (argument(0), argument(1), argument(2)),
        Item::Op("unflatten", _) => (argument(1), None, None),
        Item::View | Item::Op(..) => (arguments, lists.next(), number),
    };
    // Of a pair the end at fault.
    let end = |pair: Option<&'a Span>, lower: bool| {
        let items = &pair?.items;
        if lower { items.first() } else { items.last() }
    };
    match error {
        Error::Lists(ListError::RankMismatch { what: "strides", .. }) => strides,
        Error::Lists(ListError::RankMismatch { what: "mask", .. }) => mask,
        Error::Lists(ListError::RankMismatch { .. }) => arguments,
        Error::Lists(ListError::NegativeSize { axis, .. })
        | Error::Lists(ListError::TooManyElements { axis, .. })
        | Error::TwoInferred { second: axis, .. }
        | Error::CannotInfer { axis, .. }
        | Error::Lists(ListError::CannotExpand { axis, .. }) => shape?.items.get(*axis),
        Error::Lists(ListError::ReshapeCount { .. })
        | Error::Lists(ListError::ExpandRank { .. })
        | Error::UnflattenCount { .. } => shape,
        Error::MaskOutside { axis, lo, size, .. } => {
            end(mask?.items.get(*axis), *lo < 0 || lo > size)
        }
        Error::MaskReversed { axis, .. } => mask?.items.get(*axis),
        Error::OffsetRange { .. } => offset,
        Error::IndexRange { axis, .. } => strides.or(shape)?.items.get(*axis),
        Error::Lists(ListError::AxisOutOfRange { axis, .. }) => {
            arguments?.items.iter().find(|span| span.kind == Kind::Number(*axis))
        }
        Error::Lists(ListError::RepeatedAxis { axis, .. }) => {
            let Item::Op(_, rank) = item else { return None };
            let names = [signed(*axis), signed(*axis) - signed(rank)].map(Kind::Number);
            arguments?.items.iter().filter(|span| names.contains(&span.kind)).nth(1)
        }
        Error::NegativePad { axis, before, .. } => end(argument(*axis), *before < 0),
        Error::ShrinkOutside { axis, lo, size, .. } => end(argument(*axis), *lo < 0 || lo > size),
        // A step that is 0 is written, and the last number of its slice.
        Error::ZeroStep { axis, .. } => end(argument(*axis), false).or(argument(*axis)),
        Error::NotUnit { .. } | Error::FlattenOrder { .. } => argument(0),
        Error::TooManySlices { rank, .. } => argument(*rank),
        _ => None,
    }
}

/// The error with its place in the text of an item, in characters from its start; `start` is where the
/// item itself begins.
pub(crate) fn located(error: Error, spans: &[Span], item: Item<'_>, start: usize) -> Error {
    match error {
        Error::Syntax { .. } | Error::InText { .. } => error,
        error => {
            let at = culprit(&error, spans, item).map_or(start, |span| span.at);
            Error::InText { at, error: Box::new(error) }
        }
    }
}
