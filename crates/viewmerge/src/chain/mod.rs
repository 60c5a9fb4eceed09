//! A chain of views: the last one is what the user indexes, the first one is
//! next to memory.
//!
//! Running example: transposing (2,3) and flattening it is
//! `(3,2):(1,3)` below `(6):(1)`; the second view counts the elements of the
//! first in row-major order. No single view is the same function.

// In the order of the type's page: how a chain is made, ops, questions.
mod build;

pub(crate) mod notation;
mod ops;

mod extent;
mod inverse;
mod simplify;
mod trail;

use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};

use smallvec::SmallVec;

use crate::error::Error;
use crate::text::joined;
use crate::view::View;

pub(crate) use trail::Applied;
use trail::Trail;

/// One or more views that compose, memory side first.
///
/// Every question about a chain is a method of it, and a free function of the same name for any
/// list of views, which checks first that they compose.
///
/// As text it is its views, separated by `|`; in serde formats a list of them.
///
/// ```
/// use viewmerge::ViewChain;
///
/// let chain = ViewChain::contiguous(&[2, 3])?.permute(&[1, 0])?.reshape(&[6])?;
/// assert_eq!(chain.to_string(), "(3,2):(1,3) | (6):(1)");
/// assert_eq!(chain.index(&[1])?, Some(3));
/// assert!(!chain.merge()?.is_merged());
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Clone)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<View>"))]
pub struct ViewChain {
    /// Invariant: at least one, and each composes with the one before it.
    views: SmallVec<[View; 1]>,
    /// Which op made which view, if recorded; ignored when chains are compared.
    pub(crate) trail: Trail,
}

impl ViewChain {
    /// A chain of views that compose.
    fn of(views: SmallVec<[View; 1]>) -> ViewChain {
        ViewChain { views, trail: Trail::default() }
    }
}

impl PartialEq for ViewChain {
    fn eq(&self, other: &ViewChain) -> bool {
        self.views == other.views
    }
}

impl Eq for ViewChain {}

impl Hash for ViewChain {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.views.hash(state);
    }
}

impl AsRef<[View]> for ViewChain {
    fn as_ref(&self) -> &[View] {
        &self.views
    }
}

impl TryFrom<Vec<View>> for ViewChain {
    type Error = Error;

    /// A chain from its views, memory side first, if they compose.
    fn try_from(views: Vec<View>) -> Result<ViewChain, Error> {
        ViewChain::from_views(&views)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for ViewChain {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.views().serialize(serializer)
    }
}

impl From<View> for ViewChain {
    fn from(view: View) -> ViewChain {
        ViewChain::of(smallvec::smallvec![view])
    }
}

impl fmt::Display for ViewChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&joined(&self.views, " | "))
    }
}

impl fmt::Debug for ViewChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ViewChain({self})")
    }
}

/// For tests: the chain of views in their notation.
#[cfg(test)]
fn chain_of(views: &[&str]) -> ViewChain {
    let views: Vec<View> = views.iter().map(|text| text.parse().expect(text)).collect();
    ViewChain::from_views(&views).expect("composes")
}
