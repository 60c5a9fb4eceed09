//! Tilers: one layout for the whole, or one for each mode.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicU64;

use viewmerge::Limit;

use crate::answer::Answer;
use crate::compose::compose;
use crate::error::Error;
use crate::layout::Layout;
use crate::notation::Reader;

/// What a layout is divided by or composed with: one layout, or, written `<…>`, one layout for each of the
/// first modes.
///
/// ```
/// use viewmerge_cute::Tiler;
///
/// let tiler: Tiler = "<3:3,(2,4):(1,8)>".parse()?;
/// assert_eq!(tiler.to_string(), "<3:3,(2,4):(1,8)>");
/// assert!(matches!("4:2".parse()?, Tiler::Layout(_)));
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tiler {
    /// One layout for the whole.
    Layout(Layout),
    /// One for each of the first modes.
    ByMode(Vec<Layout>),
}

impl Tiler {
    /// A ∘ B, or mode by mode.
    ///
    /// # Errors
    ///
    /// As [`compose`], and for more layouts than modes.
    ///
    /// ```
    /// use viewmerge_cute::{Limit, Tiler};
    ///
    /// let tiler: Tiler = "<3:4,8:2>".parse()?;
    /// let rows = tiler.compose("(12,(4,8)):(59,(13,1))".parse()?, false, &Limit::none())?;
    /// assert_eq!(rows.to_string(), "(3,(2,4)):(236,(26,1))");
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn compose(&self, a: Layout, extend: bool, limit: &Limit<'_>) -> Result<Answer, Error> {
        let tiler = match self {
            Tiler::Layout(b) => return compose(&a, b, extend, limit),
            Tiler::ByMode(tiler) => tiler,
        };
        let modes = a.modes();
        let spent = AtomicU64::new(0);
        let limit = &limit.sharing(&spent);
        if tiler.len() > modes.len() {
            let (rank, found) = (modes.len(), tiler.len());
            return Err(Error::TilerRank { op: "compose", rank, found });
        }
        let mut composed = Vec::new();
        for (mode, b) in modes.iter().zip(tiler) {
            match compose(&Layout::new(mode.clone())?, b, extend, limit)? {
                Answer::Layout(layout) => composed.push(layout.mode().clone()),
                none => return Ok(none),
            }
        }
        composed.extend(modes[tiler.len()..].iter().cloned());
        Ok(Answer::Layout(Layout::beside(composed)?))
    }
}

impl From<Layout> for Tiler {
    fn from(layout: Layout) -> Tiler {
        Tiler::Layout(layout)
    }
}

impl FromStr for Tiler {
    type Err = Error;

    fn from_str(text: &str) -> Result<Tiler, Error> {
        let mut reader = Reader::new(text);
        let tiler = if reader.take("<") {
            let mut layouts = vec![reader.layout()?];
            while reader.take(",") {
                layouts.push(reader.layout()?);
            }
            reader.expect(">", "',' or '>'")?;
            Tiler::ByMode(layouts)
        } else {
            Tiler::Layout(reader.layout()?)
        };
        reader.end()?;
        Ok(tiler)
    }
}

impl fmt::Display for Tiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tiler::Layout(layout) => write!(f, "{layout}"),
            Tiler::ByMode(layouts) => {
                let all: Vec<String> = layouts.iter().map(Layout::to_string).collect();
                write!(f, "<{}>", all.join(","))
            }
        }
    }
}
