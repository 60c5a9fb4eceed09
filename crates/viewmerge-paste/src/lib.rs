//! Reads what people have at hand as a chain of views, in the notation of [`viewmerge::ViewChain`].
//!
//! | text | read as |
//! |---|---|
//! | `torch.randn(2,3,4).transpose(1,2).reshape(2,12)` | `(2,3,4) \| transpose(1,2) \| reshape(2,12)` |
//! | `x = np.zeros((4,6)); x.T[1:].ravel()` | `(4,6) \| permute(1,0) \| slice(1:) \| flatten(0,-1)` |
//! | `torch.Size([2, 3]), (3, 1)` | `(2,3):(3,1)` |
//! | `Cannot view a tensor with shape … and strides … as a tensor with shape …` | that view, reshaped |
//! | `{'shape': (3, 4), 'strides': (32, 8), 'typestr': '<f8'}` | `(3,4):(4,1)` |
//! | `((2,2),4):((1,4),2)` | its digits, leftmost fastest, regrouped into its modes |
//!
//! [`read`] gives a chain, or what is missing in a text that is recognised. Text in our own notation
//! and text of any other kind gives `None`: it is left to the notation's own reader.
//!
//! Cost: linear in the text, and one application of each op that is read. Policy: nothing panics, and numbers
//! that do not fit are left as they are for the notation to refuse.

mod calls;
mod layouts;
mod lists;
mod messages;
mod tokens;

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pasted {
    /// A chain.
    Chain {
        /// In the notation of [`viewmerge::ViewChain`].
        chain: String,
        /// What it was read as: one sentence.
        note: String,
    },
    /// The kind of text is known, but it does not hold enough: what is missing, as a sentence.
    Needs(String),
}

impl Pasted {
    fn chain(chain: String, note: &str) -> Pasted {
        Pasted::Chain { chain, note: note.into() }
    }
}

/// Reads a text, or gives `None` for our own notation and for what is not recognised.
///
/// ```
/// use viewmerge_paste::{Pasted, read};
///
/// let Some(Pasted::Chain { chain, note }) = read("torch.Size([2, 3]), (3, 1)") else { panic!() };
/// assert_eq!(chain, "(2,3):(3,1)");
/// assert_eq!(note, "Read as a shape and strides in elements.");
///
/// assert!(matches!(read("x.permute(1,0).view(-1)"), Some(Pasted::Needs(why)) if why.contains("x = (2,3,4)")));
/// assert_eq!(read("(2,3) | reshape(6)"), None);
/// ```
#[must_use]
pub fn read(text: &str) -> Option<Pasted> {
    let text = text.trim();
    messages::array_interface(text)
        .or_else(|| layouts::swizzle(text))
        .or_else(|| messages::refused_view(text))
        .or_else(|| messages::invalid_shape(text))
        .or_else(|| messages::incompatible_view(text))
        .or_else(|| layouts::layout(text))
        .or_else(|| match calls::program(text) {
            Some(Pasted::Needs(what)) => {
                messages::shape_and_strides(text).or(Some(Pasted::Needs(what)))
            }
            read => read.or_else(|| messages::shape_and_strides(text)),
        })
}

/// The text in our notation: as it was read, or as it is.
///
/// # Errors
///
/// What is missing, if the text is recognised but does not hold enough.
///
/// ```
/// assert_eq!(viewmerge_paste::chain("np.zeros((2,3)).T")?, "(2,3) | permute(1,0)");
/// assert_eq!(viewmerge_paste::chain("(2,3) | flip(0)")?, "(2,3) | flip(0)");
/// # Ok::<(), String>(())
/// ```
pub fn chain(text: &str) -> Result<std::borrow::Cow<'_, str>, String> {
    match read(text) {
        None => Ok(text.into()),
        Some(Pasted::Chain { chain, .. }) => Ok(chain.into()),
        Some(Pasted::Needs(what)) => Err(what),
    }
}

/// The example in README is run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
