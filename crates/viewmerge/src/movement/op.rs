//! Movement ops as data, so that a file or a request can hold a list of them.
//!
//! As text an op is its name and its arguments, `pad((1,0),(0,0))`
//! ([`super::notation`]); as JSON both in a list, `["pad",[[1,0],[0,0]]]`
//! ([`super::json`]).

use alloc::vec::Vec;

use crate::error::Error;
use crate::merge::Verdict;
use crate::movement::Slice;
use crate::movement::spelling::nearest;
use crate::movement::table::for_each_op;
use crate::view::View;

/// One movement op with its arguments; with unknown sizes, numbers other than axes are expressions.
///
/// ```
/// use viewmerge::{Movement, ViewChain};
///
/// let ops: Vec<Movement> = serde_json::from_str(r#"[["permute",[1,0]],["reshape",[6]]]"#)?;
/// let mut chain = ViewChain::contiguous(&[2, 3])?;
/// for op in &ops {
///     chain = chain.apply(op)?;
/// }
/// assert_eq!(chain.views().len(), 2);
/// assert_eq!(ops[0].to_string(), "permute(1,0)");
/// assert_eq!("reshape(6)".parse::<Movement>()?, ops[1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Movement<N = i64> {
    /// [`View::reshape`] to this shape.
    Reshape(Vec<N>),
    /// [`View::flatten`] of the axes from the first to the last.
    Flatten(i64, i64),
    /// [`View::unflatten`] of an axis into these sizes.
    Unflatten(i64, Vec<N>),
    /// [`View::permute`] into this order of axes.
    Permute(Vec<i64>),
    /// [`View::transpose`] of two axes.
    Transpose(i64, i64),
    /// [`View::expand`] to this shape.
    Expand(Vec<N>),
    /// [`View::pad`] by (before, after) on every axis.
    Pad(Vec<(N, N)>),
    /// [`View::shrink`] to `lo..hi` on every axis.
    Shrink(Vec<(N, N)>),
    /// [`View::slice`] of the leading axes.
    Slice(Vec<Slice<N>>),
    /// [`View::flip`] of these axes.
    Flip(Vec<i64>),
    /// [`View::step`] by these steps.
    Step(Vec<N>),
    /// [`View::squeeze`] of an axis.
    Squeeze(i64),
    /// [`View::unsqueeze`] before an axis.
    Unsqueeze(i64),
    /// [`View::as_strided`].
    AsStrided {
        /// The sizes.
        shape: Vec<N>,
        /// The strides, in elements of the view.
        strides: Vec<N>,
        /// The element at the index (0, …, 0).
        offset: N,
    },
}

impl Movement {
    /// The names of all ops.
    ///
    /// ```
    /// assert!(viewmerge::Movement::names().contains(&"permute"));
    /// ```
    #[must_use]
    pub fn names() -> &'static [&'static str] {
        macro_rules! names {
            ($($name:literal $variant:ident $fields:tt = $arguments:tt $(or $default:tt)?
                => $method:ident($($passed:expr),*);)*) => { &[$($name),*] };
        }
        for_each_op!(names)
    }

    /// The error for an unknown op, with the name that was probably meant.
    ///
    /// ```
    /// let refusal = viewmerge::Movement::unknown("reshpae");
    /// assert_eq!(refusal.to_string(), r#"unknown op reshpae; did you mean reshape?"#);
    /// ```
    #[must_use]
    pub fn unknown(name: &str) -> Error {
        let nearest = nearest(name, Movement::names());
        Error::UnknownOp { name: name.into(), nearest, known: Movement::names() }
    }
}

impl<N> Movement<N> {
    /// The name of the op, as text and JSON have it.
    ///
    /// ```
    /// let op: viewmerge::Movement = "squeeze(0)".parse()?;
    /// assert_eq!(op.name(), "squeeze");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        macro_rules! name {
            ($($name:literal $variant:ident $fields:tt = $arguments:tt $(or $default:tt)?
                => $method:ident($($passed:expr),*);)*) => {
                match self { $(Movement::$variant { .. } => $name,)* }
            };
        }
        for_each_op!(name)
    }
}

/// # Ops as data
impl View {
    /// Applies an op; only one that regroups the elements (a reshape, flatten, unflatten or
    /// `as_strided`) can fail to give one view.
    ///
    /// # Errors
    ///
    /// Those of the op.
    ///
    /// ```
    /// use viewmerge::{Movement, View};
    ///
    /// let flipped = View::contiguous(&[3])?.apply(&Movement::Flip(vec![0]))?;
    /// assert_eq!(flipped.view().unwrap().to_string(), "(3):(-1)+2");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn apply(&self, op: &Movement) -> Result<Verdict, Error> {
        macro_rules! apply {
            ($($name:literal $variant:ident $fields:tt = $arguments:tt $(or $default:tt)?
                => $method:ident($($passed:expr),*);)*) => {
                match op { $(Movement::$variant $fields => self.$method($($passed),*).map(Verdict::from),)* }
            };
        }
        for_each_op!(apply)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;
    use crate::chain::ViewChain;

    #[test]
    fn a_view_and_a_chain_of_it_do_the_same() {
        let rows = [
            ("(2,3,4)", "reshape(6,-1)", "(6,4):(4,1)"),
            ("(2,3,4)", "flatten(0,1)", "(6,4):(4,1)"),
            ("(2,12)", "unflatten(1,(3,-1))", "(2,3,4):(12,4,1)"),
            ("(2,3)", "permute(1,0)", "(3,2):(1,3)"),
            ("(2,3,4)", "transpose(0,-1)", "(4,3,2):(1,4,12)"),
            ("(2,1)", "expand(2,3)", "(2,3):(1,0)"),
            ("(2)", "pad((1,0))", "(3):(1)-1 [1:3]"),
            ("(5)", "shrink((1,3))", "(2):(1)+1"),
            ("(5,4)", "slice(1:,::-2)", "(4,2):(4,-2)+7"),
            ("(5)", "flip(0)", "(5):(-1)+4"),
            ("(5)", "step(2)", "(3):(2)"),
            ("(1,5)", "squeeze(0)", "(5):(1)"),
            ("(5)", "unsqueeze(-1)", "(5,1):(1,0)"),
            ("(6)", "as_strided((4,3),(1,1),0)", "(4,3):(1,1)"),
        ];
        for (view, op, expected) in rows {
            let (view, movement): (View, Movement) =
                (view.parse().expect(view), op.parse().expect(op));
            assert_eq!(movement.to_string(), op);
            assert_eq!(op.strip_prefix(movement.name()).and_then(|s| s.chars().next()), Some('('));
            let one = view.apply(&movement).expect(op).into_view().expect(op);
            assert_eq!(one.to_string(), expected, "{op}");
            let chain = ViewChain::from(view).apply(&movement).expect(op);
            assert_eq!(chain.views(), [one], "{op}");
        }
    }

    #[test]
    fn typos_are_guessed() {
        let rows = [
            ("premute", Some("permute")),
            ("Reshape", Some("reshape")),
            ("reshpae", Some("reshape")),
            ("flatten_", Some("flatten")),
            ("unsqueze", Some("unsqueeze")),
            ("asstrided", Some("as_strided")),
            ("traspse", Some("transpose")),
            ("pd", Some("pad")),
            ("flp", Some("flip")),
            ("roll", None),
            ("view", None),
            ("add", None),
            ("", None),
        ];
        for (name, guess) in rows {
            let known = Movement::names();
            let expected = Error::UnknownOp { name: name.into(), nearest: guess, known };
            assert_eq!(Movement::unknown(name), expected);
        }
    }
}
