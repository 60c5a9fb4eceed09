//! One chain through every question: a tutorial. This module holds no code.
//!
//! # A stack of views
//!
//! A matrix of 2 by 3, transposed and flattened. Each op acts on the last view; flattening a
//! transpose cannot be done in one view, so a second one goes on top.
//!
//! ```
//! use viewmerge::ViewChain;
//!
//! let chain = ViewChain::contiguous(&[2, 3])?.permute(&[1, 0])?.reshape(&[6])?;
//! assert_eq!(chain.to_string(), "(3,2):(1,3) | (6):(1)");
//! // The same from its text.
//! assert_eq!("(2,3) | permute(1,0) | reshape(6)".parse::<ViewChain>()?, chain);
//! // Index 1 reads memory position 3.
//! assert_eq!(chain.index(&[1])?, Some(3));
//! # Ok::<(), viewmerge::Error>(())
//! ```
//!
//! # Is it one view?
//!
//! [`ViewChain::merge`] decides. If not, the witness shows why with two steps or three indices,
//! which can be checked by hand:
//!
//! ```
//! use viewmerge::ViewChain;
//!
//! let chain: ViewChain = "(3,2):(1,3) | (6)".parse()?;
//! let verdict = chain.merge()?;
//! assert_eq!(
//!     verdict.to_string(),
//!     "not one view: the step along axis 0 is +3 at (0), but −2 at (1)",
//! );
//! // The first two elements alone are one view.
//! let short = chain.shrink(&[(0, 2)])?;
//! assert_eq!(short.merge()?.into_view(), Some("(2):(3)".parse()?));
//! # Ok::<(), viewmerge::Error>(())
//! ```
//!
//! # Within a limit
//!
//! Deciding is coNP-complete, so every question takes a [`Limit`]: a number of steps, a flag that
//! another thread may raise, or [`Limit::none`].
//!
//! ```
//! use viewmerge::{Error, Limit, ViewChain};
//!
//! let chain: ViewChain = "(3,2):(1,3) | (6)".parse()?;
//! assert!(chain.merge_within(&Limit::steps(1_000)).is_ok());
//! assert!(matches!(chain.merge_within(&Limit::steps(0)), Err(Error::Undecided { .. })));
//! # Ok::<(), viewmerge::Error>(())
//! ```
//!
//! # Why not, and what would help?
//!
//! [`ViewChain::explain`] names the axes to blame and remedies, each of which was tried:
//!
//! ```
//! use viewmerge::{Limit, ViewChain};
//!
//! let chain: ViewChain = "(3,2):(1,3) | (6)".parse()?;
//! let why = chain.explain(&Limit::none())?;
//! assert_eq!(
//!     why.blame[0].to_string(),
//!     "axis 1 of view 0 carries into axis 0, which has stride 1 and would need 6",
//! );
//! assert_eq!(why.remedies.stride.unwrap().to_string(), "give axis 0 of view 0 the stride 6");
//! // Where to copy, if a copy is unavoidable.
//! assert_eq!(why.remedies.copy.unwrap().to_string(), "the 6 elements of view 1");
//! # Ok::<(), viewmerge::Error>(())
//! ```
//!
//! # One view after cutting an axis?
//!
//! A loop over 6 as two loops over 3 and 2 needs no division ([`ViewChain::split`]):
//!
//! ```
//! use viewmerge::{Limit, ViewChain};
//!
//! let chain: ViewChain = "(3,2):(1,3) | (6)".parse()?;
//! assert_eq!(chain.split(&Limit::none())?.unwrap().to_string(), "one view over ((3,2)): (3,2):(1,3)");
//! # Ok::<(), viewmerge::Error>(())
//! ```
//!
//! # For which strides would it be one view?
//!
//! [`OpenChain`] leaves strides of the view next to memory open:
//!
//! ```
//! use viewmerge::{Limit, OpenChain};
//!
//! let chain: OpenChain = "(3,2):(?,?) | (6)".parse()?;
//! assert_eq!(chain.conditions(&Limit::none())?.solved(), ["σ₁ = 2σ₂"]);
//! # Ok::<(), viewmerge::Error>(())
//! ```
//!
//! # Are two chains the same function?
//!
//! ```
//! use viewmerge::{Equivalence, Limit, ViewChain};
//!
//! let chain: ViewChain = "(3,2):(1,3) | (6)".parse()?;
//! let there_and_back = chain.reshape(&[2, 3])?.reshape(&[6])?;
//! assert_eq!(chain.equivalent(&there_and_back, &Limit::none())?, Equivalence::Same);
//! # Ok::<(), viewmerge::Error>(())
//! ```
//!
//! # With a proof
//!
//! [`ViewChain::certify`] writes the answer down so that a checker of a few hundred lines, which
//! shares nothing with the solver, can confirm it:
//!
//! ```
//! use viewmerge::{Limit, ViewChain};
//!
//! let chain: ViewChain = "(3,2):(1,3) | (2)".parse()?;
//! let certificate = chain.certify(&Limit::none())?;
//! assert!(certificate.is_yes());
//! assert!(certificate.to_string().starts_with(r#"{"views":["#));
//! # Ok::<(), viewmerge::Error>(())
//! ```
//!
//! # On the lists of an array library
//!
//! [`strides`](crate::strides) answers the same questions on slices, without a [`View`]:
//!
//! ```
//! use viewmerge::strides::{Reshape, reshape_strides, why_copy};
//!
//! let answer = reshape_strides(&[3usize, 2], &[1usize, 3], &[6], &mut [0])?;
//! assert_eq!(answer, Reshape::Copy);
//! assert!(why_copy(&[3usize, 2], &[1usize, 3], &[6])?.is_some());
//! # Ok::<(), viewmerge::Error>(())
//! ```

#[allow(unused_imports)]
use crate::{Limit, OpenChain, View, ViewChain};
