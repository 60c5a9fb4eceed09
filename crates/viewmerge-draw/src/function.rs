//! What a grid shows: a shape, and a memory position or padding at every index.

use viewmerge::{GuardedView, Index, ViewChain};

/// A chain or a guarded view, read index by index.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Function<'a> {
    Chain(&'a ViewChain),
    Guarded(&'a GuardedView),
}

impl Function<'_> {
    pub(crate) fn shape(&self) -> &[i64] {
        match self {
            Function::Chain(chain) => chain.shape(),
            Function::Guarded(guarded) => guarded.view().shape(),
        }
    }

    /// The memory position; `None` for padding.
    pub(crate) fn index(&self, index: &Index) -> Option<i64> {
        let position = match self {
            Function::Chain(chain) => chain.index(index),
            Function::Guarded(guarded) => guarded.index(index),
        };
        position.ok().flatten()
    }
}
