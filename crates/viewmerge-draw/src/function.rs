//! The function that a grid shows: a shape, and a memory position or padding at every index.

use viewmerge::{Index, ViewChain};
use viewmerge_index::GuardedView;

use crate::cell::Cell;
use crate::modes::Modes;

/// A chain, a guarded view or a CuTe layout, read index by index.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Function<'a> {
    Chain(&'a ViewChain),
    /// A chain, and the multiples at which each axis is cut.
    Cut(&'a ViewChain, &'a [Vec<i64>]),
    Guarded(&'a GuardedView),
    Modes(&'a Modes),
}

impl Function<'_> {
    pub(crate) fn shape(&self) -> &[i64] {
        match self {
            Function::Chain(chain) | Function::Cut(chain, _) => chain.shape(),
            Function::Guarded(guarded) => guarded.view().shape(),
            Function::Modes(modes) => &modes.shape,
        }
    }

    /// The cell at an index.
    pub(crate) fn cell(&self, index: &Index) -> Cell {
        let position = match self {
            Function::Chain(chain) | Function::Cut(chain, _) => chain.index(index),
            Function::Guarded(guarded) => guarded.index(index),
            Function::Modes(modes) => return modes.cell(index),
        };
        position.ok().flatten().map_or(Cell::Padding, Cell::At)
    }

    /// The name of an axis.
    pub(crate) fn axis_name(&self, axis: usize) -> String {
        match self {
            Function::Modes(modes) => modes.names[axis].clone(),
            _ => format!("axis {axis}"),
        }
    }

    /// The multiples at which an axis is cut.
    pub(crate) fn cuts(&self, axis: usize) -> &[i64] {
        match self {
            Function::Cut(_, cuts) => &cuts[axis],
            Function::Modes(modes) => &modes.cuts[axis],
            Function::Chain(_) | Function::Guarded(_) => &[],
        }
    }

    /// What to call the cells without a position.
    pub(crate) fn padding(&self) -> &'static str {
        match self {
            Function::Modes(_) => "hatched: held by no thread",
            _ => "hatched: padding",
        }
    }
}
