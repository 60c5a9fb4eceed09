//! Which op made which view of a chain, so that explanations can name the ops.
//!
//! Running example: `(2,3) | permute(1,0) | reshape(6)` is the views `(3,2):(1,3) | (6):(1)`.
//! The trail says that `permute(1,0)` acted on view 0 and that `reshape(6)` added view 1.
//!
//! A chain that is read from text records its ops. A chain that is built by methods records them only
//! after [`ViewChain::recording`], so that methods do not allocate by default. The ops form a linked
//! list that chains share, last op first, so adding one takes constant time.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::chain::ViewChain;
use crate::error::Error;
use crate::movement::Movement;
use crate::view::View;

/// The recorded ops of a chain, if they are recorded.
#[derive(Clone, Default)]
pub(crate) struct Trail {
    recording: bool,
    last: Option<Arc<Link>>,
}

struct Link {
    applied: Applied,
    before: Option<Arc<Link>>,
}

/// An op that was applied to a chain.
#[derive(Clone)]
pub(crate) struct Applied {
    pub op: Movement,
    /// The view it acted on.
    pub before: View,
    /// The view, counted from the memory side, that has its result.
    pub view: usize,
    /// Whether this op added that view.
    pub added: bool,
}

impl Trail {
    /// The trail with one more op, if ops are recorded.
    fn with(&self, applied: impl FnOnce() -> Applied) -> Trail {
        let link = || Arc::new(Link { applied: applied(), before: self.last.clone() });
        Trail { recording: self.recording, last: self.recording.then(link) }
    }

    /// The trail followed by that of a chain placed on top of `below` views.
    pub(super) fn followed_by(&self, other: &Trail, below: usize) -> Trail {
        let recording = self.recording || other.recording;
        let start = Trail { recording, last: self.last.clone() };
        other.ops().into_iter().fold(start, |trail, applied| {
            trail.with(|| Applied { view: below + applied.view, ..applied })
        })
    }

    /// The ops, the first one first.
    pub(crate) fn ops(&self) -> Vec<Applied> {
        let mut ops = Vec::new();
        let mut next = self.last.as_ref();
        while let Some(link) = next {
            ops.push(link.applied.clone());
            next = link.before.as_ref();
        }
        ops.reverse();
        ops
    }
}

impl Drop for Trail {
    /// Iterative, so that dropping a long list does not overflow the stack.
    fn drop(&mut self) {
        let mut next = self.last.take();
        while let Some(link) = next.and_then(Arc::into_inner) {
            next = link.before;
        }
    }
}

impl ViewChain {
    /// The same chain, which records the ops applied from here on, so that [`ViewChain::explain`]
    /// can name them. A chain that was read from text with ops already does. Recorded ops are
    /// ignored when chains are compared.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain = ViewChain::contiguous(&[2, 3])?.recording().permute(&[1, 0])?.reshape(&[6])?;
    /// let why = chain.explain(&Limit::none())?;
    /// assert_eq!(why.stages[1].ops[0].to_string(), "reshape(6)");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn recording(mut self) -> ViewChain {
        self.trail.recording = true;
        self
    }

    /// The chain of these views, recorded as the result of an op on this one, for callers that apply
    /// an op in their own way.
    ///
    /// # Errors
    ///
    /// As [`ViewChain::from_views`].
    #[doc(hidden)]
    pub fn become_by(
        &self,
        op: impl FnOnce() -> Movement,
        views: &[View],
    ) -> Result<ViewChain, Error> {
        let mut chain = ViewChain::from_views(views)?;
        chain.trail = self.trail_with(op, views.len());
        Ok(chain)
    }

    /// The trail with an op on the last view that left the chain with `views` views.
    pub(super) fn trail_with(&self, op: impl FnOnce() -> Movement, views: usize) -> Trail {
        self.trail.with(|| Applied {
            op: op(),
            before: self.last().clone(),
            view: views - 1,
            added: views > self.views.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};
    use core::fmt::Write;

    use super::*;

    fn told(chain: &ViewChain) -> String {
        let mut text = String::new();
        for Applied { op, before, view, added } in chain.trail.ops() {
            let _ = write!(text, "{before} {}{op} {view}; ", if added { "+" } else { "" });
        }
        text
    }

    #[test]
    fn which_op_made_which_view() {
        let rows = [
            (
                "(2,3) | permute(1,0) | reshape(6) | flip(0)",
                "(2,3):(3,1) permute(1,0) 0; (3,2):(1,3) +reshape(6) 1; (6):(1) flip(0) 1; ",
            ),
            // A view that was given, and an op on it.
            ("(6) | (2):(3)+1 | flip(0)", "(2):(3)+1 flip(0) 1; "),
            ("(6) | flip(0) | (2):(3)+1 | flip(0)", "(6):(1) flip(0) 0; (2):(3)+1 flip(0) 1; "),
            ("(3,2):(1,3) | (6)", ""),
        ];
        for (text, expected) in rows {
            assert_eq!(told(&text.parse().expect(text)), expected, "{text}");
        }
    }

    #[test]
    fn only_what_is_asked_for_is_kept() -> Result<(), crate::Error> {
        let plain = ViewChain::contiguous(&[2, 3])?.permute(&[1, 0])?;
        assert_eq!(told(&plain), "");
        let kept = ViewChain::contiguous(&[2, 3])?.recording().permute(&[1, 0])?;
        assert_eq!(kept, plain);
        assert_eq!(told(&kept), "(2,3):(3,1) permute(1,0) 0; ");
        let outer: ViewChain = "(6) | flip(0)".parse()?;
        let expected = "(2,3):(3,1) permute(1,0) 0; (6):(1) flip(0) 1; ";
        assert_eq!(told(&kept.compose(&outer)?), expected);
        assert_eq!(told(&plain.compose(&outer)?), "(6):(1) flip(0) 1; ");
        Ok(())
    }

    #[test]
    fn a_long_list_is_dropped() {
        let mut chain = ViewChain::contiguous(&[3]).expect("small").recording();
        for _ in 0..200_000 {
            chain = chain.flip(&[0]).expect("flips");
        }
        assert_eq!(format!("{chain}"), ViewChain::contiguous(&[3]).expect("small").to_string());
    }
}
