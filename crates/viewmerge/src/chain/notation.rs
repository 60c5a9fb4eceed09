//! A chain as text: views and ops, memory side first, separated by `|`.
//!
//! ```text
//! (2,3,4) | permute(2,0,1) | reshape(8,3) | pad((0,0),(1,1)) | (4):(2)+1
//! ```
//!
//! The first item is a view. A further view goes on top as it is; an op acts on
//! the last view, and adds one where one view cannot hold its result.
//!
//! The ops and their arguments are those of [`crate::movement`].

use alloc::boxed::Box;
use core::str::FromStr;

use crate::chain::ViewChain;
use crate::error::Error;
use crate::movement::Movement;
use crate::view::View;
use crate::view::notation::Scanner;
use crate::view::spans::Item;

impl FromStr for ViewChain {
    type Err = Error;

    /// Reads a chain.
    ///
    /// ```
    /// use viewmerge::ViewChain;
    ///
    /// let chain: ViewChain = "(2,3,4) | permute(2,0,1) | reshape(8,3)".parse()?;
    /// assert_eq!(chain.to_string(), "(4,2,3):(1,12,4) | (8,3):(3,1)");
    /// assert_eq!(chain.to_string().parse::<ViewChain>()?, chain);
    /// let mistyped = "(2,3) | premute(1,0)".parse::<ViewChain>().unwrap_err();
    /// assert_eq!(
    ///     mistyped.to_string(),
    ///     r#"at column 9: unknown op premute; did you mean permute?"#,
    /// );
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    fn from_str(text: &str) -> Result<ViewChain, Error> {
        read(text, ViewChain::apply)
    }
}

/// # One view for each op
impl ViewChain {
    /// Reads a chain with one view for every item: each op becomes a view of the elements below
    /// it, even where one view could hold both.
    ///
    /// It is the same function as what `parse` reads. A certificate is about views, so this is
    /// what to certify where ops were asked about: each view can be compared with its op alone.
    ///
    /// # Errors
    ///
    /// Those of reading a chain.
    ///
    /// ```
    /// use viewmerge::ViewChain;
    ///
    /// let chain = ViewChain::op_by_op("(2,3):(4,1) | permute(1,0) | slice(1:)")?;
    /// assert_eq!(chain.to_string(), "(2,3):(4,1) | (3,2):(1,3) | (2,2):(2,1)+2");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn op_by_op(text: &str) -> Result<ViewChain, Error> {
        read(text, ViewChain::append_op)
    }

    /// The chain with an op as one more view on top.
    ///
    /// # Errors
    ///
    /// Those of the op.
    ///
    /// ```
    /// use viewmerge::{Movement, ViewChain};
    ///
    /// let flipped = ViewChain::contiguous(&[3])?.append_op(&Movement::Flip(vec![0]))?;
    /// assert_eq!(flipped.to_string(), "(3):(1) | (3):(-1)+2");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn append_op(&self, op: &Movement) -> Result<ViewChain, Error> {
        match op {
            Movement::AsStrided { shape, strides, offset } => {
                self.append(View::strided(shape, strides, *offset)?)
            }
            op => self.compose(&ViewChain::contiguous(self.shape())?.apply(op)?),
        }
    }
}

/// What an op does to the chain before it.
type Apply = fn(&ViewChain, &Movement) -> Result<ViewChain, Error>;

/// Reads a view, and then views and ops on it.
fn read(text: &str, apply: Apply) -> Result<ViewChain, Error> {
    let mut items = text.split('|');
    let first = items.next().unwrap_or_default();
    let view: View = first.parse().map_err(|error| place(error, 0))?;
    read_on(view.into(), first.chars().count() + 1, items, apply)
}

/// Reads views and ops on a chain; `start` is where they start in the whole text.
pub(crate) fn read_on<'t>(
    mut chain: ViewChain,
    mut start: usize,
    items: impl Iterator<Item = &'t str>,
    apply: Apply,
) -> Result<ViewChain, Error> {
    for item in items {
        chain = read_item(chain, item, apply).map_err(|error| place(error, start))?;
        start += item.chars().count() + 1;
    }
    Ok(chain)
}

/// Locates the error of an item that starts here in the whole text.
#[must_use]
pub fn place(error: Error, start: usize) -> Error {
    match error {
        Error::Syntax { at, expected, found } => Error::Syntax { at: start + at, expected, found },
        Error::InText { at, error } => Error::InText { at: start + at, error },
        error => Error::InText { at: start, error: Box::new(error) },
    }
}

/// A view, or an op with its arguments, which is remembered.
fn read_item(chain: ViewChain, item: &str, apply: Apply) -> Result<ViewChain, Error> {
    let mut scan = Scanner::new(item);
    if scan.peek() == Some('(') {
        let appended = chain.append(item.parse()?);
        return appended.map_err(|error| scan.located(error, Item::View));
    }
    let op = scan.movement().map_err(|error| scan.located(error, Item::Op("", 0)))?;
    scan.end()?;
    let chain = chain.recording();
    let located = |error| scan.located(error, Item::Op(op.name(), chain.shape().len()));
    apply(&chain, &op).map_err(located)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items() {
        let rows = [
            ("(2,3,4)|permute(2,0,1)|reshape(8,3)", "(4,2,3):(1,12,4) | (8,3):(3,1)"),
            ("(2,3) | pad((0,0),(1,1))", "(2,5):(3,1)-1 [0:2,1:4]"),
            ("(5,4) | slice(1:,::-2)", "(4,2):(4,-2)+7"),
            ("(6) | step(2) | flip(0)", "(3):(-2)+4"),
            ("(2,1) | squeeze(-1) | unsqueeze(0) | expand(3,-1)", "(3,2):(0,1)"),
            ("(2,3,4) | flatten() | unflatten(0,(2,-1)) | transpose(0,1)", "(12,2):(1,12)"),
            ("(2,3,4) | flatten(0,1) | shrink((1,6),(0,4))", "(5,4):(4,1)+4"),
            ("(6) | as_strided((4,3),(1,1))", "(4,3):(1,1)"),
            ("(6) | (2):(3)+1", "(6):(1) | (2):(3)+1"),
        ];
        for (text, printed) in rows {
            let chain: ViewChain = text.parse().expect(text);
            assert_eq!(chain.to_string(), printed, "{text}");
        }
    }

    #[test]
    fn one_view_an_op() {
        let text = "(4,6) | permute(1,0) | reshape(24) | pad((1,2)) | slice(1:25) | reshape(6,4) \
            | permute(1,0)";
        let chain = ViewChain::op_by_op(text).expect("reads");
        assert_eq!(
            chain.to_string(),
            "(4,6):(6,1) | (6,4):(1,6) | (24):(1) | (27):(1)-1 [1:25] | (24):(1)+1 | (6,4):(4,1) \
             | (4,6):(1,4)"
        );
        let error = ViewChain::op_by_op("(2,3) | flip(0) | as_strided((4),(2))").expect_err("6");
        assert_eq!((error.at(), error.kind()), (Some(18), "not_composable"), "{error}");
    }

    #[test]
    fn mistakes_are_located() {
        let rows = [
            ("(2,3) | roll(1)", 8, "unknown_op"),
            ("(2,3) | reshape 6", 16, "syntax"),
            ("(2,3) | reshape(6", 17, "syntax"),
            ("(2,3) | reshape(7)", 15, "reshape_count"),
            ("(2,3)|pad(1,2)", 10, "syntax"),
            ("(2,3) |  permute(0,2)", 19, "axis_out_of_range"),
            ("(2,3) | (4):(2)", 8, "not_composable"),
            // What an error is about, in views.
            (" (10,3,3):(8,1)", 10, "rank_mismatch"),
            ("(-2,3)", 1, "negative_size"),
            ("(2, −3):(1,1)", 4, "negative_size"),
            ("(2,3) [0:2,0:9] | flip(0)", 13, "mask_outside"),
            ("(2,3) [0:2,-1:3]", 11, "mask_outside"),
            ("(2,3) [0:2,2:1]", 11, "mask_reversed"),
            ("(2,3) [0:2]", 6, "rank_mismatch"),
            ("(2,4611686018427387905):(1,1)", 3, "too_many_elements"),
            ("(2,3):(1,4611686018427387904)", 9, "index_range"),
            ("(2) + 4611686018427387905", 6, "offset_range"),
            ("(2,3) | (3):(1,2)", 12, "rank_mismatch"),
            // And in every op.
            ("(2,3) | permute(0,0)", 18, "repeated_axis"),
            ("(2,3) | permute(-1,1)", 19, "repeated_axis"),
            ("(2,3) | permute(0)", 15, "rank_mismatch"),
            ("(2,3) | flip(1,-1)", 15, "repeated_axis"),
            ("(2,3) | transpose(0,-3)", 20, "axis_out_of_range"),
            ("(2,3) | reshape(-1,-1)", 19, "two_inferred"),
            ("(2,3) | reshape(4,-1)", 18, "cannot_infer"),
            ("(2,3) | reshape(-2,3)", 16, "negative_size"),
            ("(2,3) | expand(2,4)", 17, "cannot_expand"),
            ("(2,3) | expand(3)", 14, "expand_rank"),
            ("(2,3) | pad((0,0),(1,-1))", 21, "negative_pad"),
            ("(2,3) | pad((0,0))", 11, "rank_mismatch"),
            ("(2,3) | shrink((0,2),(1,4))", 24, "shrink_outside"),
            ("(2,3) | shrink((-1,2),(1,2))", 16, "shrink_outside"),
            ("(2,3) | step(1,0)", 15, "zero_step"),
            ("(2,3) | slice(:,1:2:0)", 20, "zero_step"),
            ("(2,3) | slice(:,:,:)", 18, "too_many_slices"),
            ("(2,3) | squeeze(1)", 16, "not_unit"),
            ("(2,3) | squeeze(5)", 16, "axis_out_of_range"),
            ("(2,3) | unsqueeze(5)", 18, "axis_out_of_range"),
            ("(2,3) | flatten(1,0)", 16, "flatten_order"),
            ("(2,3) | unflatten(1,(2,2))", 20, "unflatten_count"),
            ("(2,3) | unflatten(2,(2,2))", 18, "axis_out_of_range"),
            ("(2,3) | unflatten(1,(-1,2))", 21, "cannot_infer"),
            ("(2,3) | as_strided((2,-1),(1,1))", 22, "negative_size"),
            ("(2,3) | as_strided((2,1),(1))", 25, "rank_mismatch"),
            ("(2,3) | as_strided((2,4),(3,1))", 8, "not_composable"),
            ("", 0, "syntax"),
            ("(2) |", 5, "syntax"),
        ];
        for (text, at, kind) in rows {
            let error = text.parse::<ViewChain>().expect_err(text);
            assert_eq!((error.at(), error.kind()), (Some(at), kind), "{text}: {error}");
        }
    }
}
