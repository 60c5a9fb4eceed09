//! The content of a cell of a grid: a memory position, coordinates, or a holder.

use crate::colour::Colour;

/// The content of a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cell {
    /// A memory position.
    At(i64),
    /// A memory position outside the question.
    Faded(i64),
    /// Coordinates as text, and the kind of its colour.
    Coordinates(Box<str>, i64),
    /// An element of a memory and its bank.
    Banked(Banked),
    /// A position of a tile, and its holder.
    Held(Holder),
    /// No memory.
    Padding,
    /// An ellipsis.
    Gap,
}

/// What the cells of a thread-value layout are coloured by.
///
/// ```
/// use viewmerge_draw::{ColourBy, Drawing};
///
/// let layout = "(4,2):(2,1)".parse()?;
/// let by_value = Drawing::of_thread_values(&layout, Some([2, 4]), ColourBy::Value)?;
/// assert!(by_value.to_svg().contains("coloured by value"));
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColourBy {
    /// The thread, modulo 16.
    #[default]
    Thread,
    /// The value, modulo 16.
    Value,
}

/// An element of a memory of banks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Banked {
    pub element: i64,
    pub bank: i64,
    pub banks: i64,
    /// The thread that reads it in the transaction shown; `None` if none does, or no transaction is
    /// shown.
    pub thread: Option<i64>,
    /// A transaction is shown that does not read this element.
    pub faded: bool,
}

impl Banked {
    /// The lines in the cell.
    pub(crate) fn lines(&self) -> [String; 2] {
        let bank = format!("b{}", self.bank);
        match self.thread {
            Some(thread) => [format!("T{thread}"), bank],
            None => [self.element.to_string(), bank],
        }
    }

    pub(crate) fn colour(&self) -> Colour {
        if self.faded { Colour::FADED } else { Colour::of_bank(self.bank, self.banks) }
    }
}

/// The holder of a cell of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Holder {
    pub thread: i64,
    pub value: i64,
    /// How many others hold it.
    pub others: i64,
    pub by: ColourBy,
    /// The question is about another thread.
    pub faded: bool,
}

impl Holder {
    /// The lines in the cell.
    pub(crate) fn lines(&self) -> [String; 2] {
        let more = if self.others > 0 { format!("+{}", self.others) } else { String::new() };
        [format!("T{}", self.thread), format!("V{}{more}", self.value)]
    }

    pub(crate) fn colour(&self) -> Colour {
        if self.faded {
            return Colour::FADED;
        }
        Colour::of_kind(match self.by {
            ColourBy::Thread => self.thread,
            ColourBy::Value => self.value,
        })
    }
}
