//! Swizzled layouts: a layout, an offset, and a swizzle of the values.
//!
//! Example: `Sw<1,0,1> o 4 o 4:1` takes 0, 1, 2, 3 to 4, 5, 6, 7, and these to 4, 5, 7, 6.

use std::fmt;
use std::str::FromStr;

use viewmerge::{Limit, View};

use crate::answer::{Answer, NoLayout};
use crate::compose::compose;
use crate::error::Error;
use crate::layout::Layout;
use crate::notation::{Reader, Tuple};
use crate::swizzle::Swizzle;

/// A swizzled layout: the function `swizzle(offset + layout(i))`.
///
/// ```
/// use viewmerge_cute::Swizzled;
///
/// let swizzled: Swizzled = "Sw<1,0,1> o 0 o 4:1".parse()?;
/// let values: Vec<i64> = (0..4).map(|i| swizzled.at(i)).collect::<Result<_, _>>()?;
/// assert_eq!(values, [0, 1, 3, 2]);
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Swizzled {
    pub(crate) swizzle: Swizzle,
    pub(crate) offset: i64,
    pub(crate) layout: Layout,
}

impl Swizzled {
    /// A swizzled layout.
    ///
    /// # Errors
    ///
    /// If some value before the swizzle is negative or out of bounds.
    ///
    /// ```
    /// use viewmerge_cute::{Swizzle, Swizzled};
    ///
    /// let swizzle = Swizzle::new(1, 0, 1)?;
    /// assert_eq!(Swizzled::new(swizzle, 4, "4:1".parse()?)?.to_string(), "Sw<1,0,1> o 4 o 4:1");
    /// assert!(Swizzled::new(swizzle, 0, "4:-1".parse()?).is_err());
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn new(swizzle: Swizzle, offset: i64, layout: Layout) -> Result<Swizzled, Error> {
        let swizzled = Swizzled { swizzle, offset, layout };
        match swizzled.before()?.position_range() {
            Some((least, _)) if least < 0 => Err(Error::Operand {
                op: "a swizzle",
                why: "takes values of 0 or more, but the layout with the offset has smaller ones",
            }),
            _ => Ok(swizzled),
        }
    }

    /// The layout with the offset, as a view.
    pub(crate) fn before(&self) -> Result<View, Error> {
        let (shape, strides): (Vec<i64>, Vec<i64>) = self.layout.leaves().into_iter().rev().unzip();
        Ok(View::strided(&shape, &strides, self.offset)?)
    }

    /// The swizzle.
    ///
    /// ```
    /// use viewmerge_cute::{Swizzle, Swizzled};
    ///
    /// let swizzled: Swizzled = "Sw<1,0,1> o 0 o 4:1".parse()?;
    /// assert_eq!(swizzled.swizzle(), Swizzle::new(1, 0, 1)?);
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn swizzle(&self) -> Swizzle {
        self.swizzle
    }

    /// The layout before the swizzle.
    ///
    /// ```
    /// let swizzled: viewmerge_cute::Swizzled = "Sw<1,0,1> o 0 o 4:1".parse()?;
    /// assert_eq!(swizzled.layout().to_string(), "4:1");
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The value at a position.
    ///
    /// # Errors
    ///
    /// For a position outside the layout.
    ///
    /// ```
    /// let swizzled: viewmerge_cute::Swizzled = "Sw<1,0,1> o 4 o 4:1".parse()?;
    /// assert_eq!(swizzled.at(2)?, 7);
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn at(&self, position: i64) -> Result<i64, Error> {
        let value = self.layout.at(position)?;
        Ok(self.swizzle.apply(self.offset + value).unwrap_or(0))
    }

    /// The swizzled layout ∘ B: the swizzle of layout ∘ B.
    ///
    /// # Errors
    ///
    /// As [`compose`].
    ///
    /// ```
    /// use viewmerge_cute::{Limit, Swizzled};
    ///
    /// let swizzled: Swizzled = "Sw<1,0,1> o 0 o (4,2):(2,1)".parse()?;
    /// let rows = swizzled.compose(&"(2,4):(4,1)".parse()?, false, &Limit::none())?;
    /// assert_eq!(rows.map(|rows| rows.to_string()).unwrap(), "Sw<1,0,1> o 0 o (2,4):(1,2)");
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn compose(
        &self,
        b: &Layout,
        extend: bool,
        limit: &Limit<'_>,
    ) -> Result<Result<Swizzled, NoLayout>, Error> {
        Ok(match compose(&self.layout, b, extend, limit)? {
            Answer::Layout(layout) => Ok(Swizzled::new(self.swizzle, self.offset, layout)?),
            Answer::None(none) => Err(none),
        })
    }
}

impl FromStr for Swizzled {
    type Err = Error;

    /// Parses `Sw<B,M,S> o offset o layout`; the offset may be left out.
    fn from_str(text: &str) -> Result<Swizzled, Error> {
        let mut reader = Reader::new(text);
        if !reader.take("Swizzle") {
            reader.expect("Sw", "'Sw<' or 'Swizzle<'")?;
        }
        reader.expect("<", "'<'")?;
        let bits = reader.number()?;
        reader.expect(",", "','")?;
        let base = reader.number()?;
        reader.expect(",", "','")?;
        let shift = reader.number()?;
        reader.expect(">", "'>'")?;
        reader.expect("o", "'o'")?;
        let swizzle = Swizzle::new(bits, base, shift)?;
        let first = reader.tuple(0)?;
        let (offset, layout) = match first {
            Tuple::Number(offset) if reader.take("o") => (offset, reader.layout()?),
            shape => (0, reader.layout_of(&shape)?),
        };
        reader.end()?;
        Swizzled::new(swizzle, offset, layout)
    }
}

impl fmt::Display for Swizzled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} o {} o {}", self.swizzle, self.offset, self.layout)
    }
}
