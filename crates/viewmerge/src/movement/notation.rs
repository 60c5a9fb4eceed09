//! Ops as text: `permute(2,0,1)`, `pad((0,0),(1,1))`.
//!
//! | op | arguments |
//! |---|---|
//! | `reshape`, `expand` | sizes, one of them −1 |
//! | `permute`, `flip` | axes |
//! | `transpose` | two axes |
//! | `pad`, `shrink` | a pair for every axis |
//! | `step` | a number for every axis |
//! | `slice` | Python slices of the leading axes |
//! | `squeeze`, `unsqueeze` | an axis |
//! | `flatten` | first and last axis; all axes if left out |
//! | `unflatten` | an axis and a tuple of sizes |
//! | `as_strided` | tuples of sizes and strides, and an offset |
//!
//! What is printed parses back to the same op.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::error::Error;
use crate::movement::table::for_each_op;
use crate::movement::{Movement, Slice};
use crate::view::notation::{Argument, Scanner};
use crate::view::spans::Kind;

impl<N: Number> FromStr for Movement<N> {
    type Err = Error;

    /// Reads an op.
    ///
    /// ```
    /// use viewmerge::Movement;
    ///
    /// assert_eq!("flatten()".parse::<Movement>()?, Movement::Flatten(0, -1));
    /// let mistyped = "flaten()".parse::<Movement>().unwrap_err();
    /// assert_eq!(mistyped.to_string(), r#"unknown op flaten; did you mean flatten?"#);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    fn from_str(text: &str) -> Result<Movement<N>, Error> {
        let mut scan = Scanner::new(text);
        let op = scan.movement()?;
        scan.end()?;
        Ok(op)
    }
}

impl Scanner {
    /// An op with its arguments.
    ///
    /// # Errors
    ///
    /// If there is no such op, or it takes something else.
    pub fn movement<N: Number>(&mut self) -> Result<Movement<N>, Error> {
        let name = self.word();
        macro_rules! read {
            ($($name:literal $variant:ident $fields:tt = $arguments:tt $(or $default:tt)?
                => $method:ident($($passed:expr),*);)*) => {
                match name.as_str() {
                    $($name => {
                        let $arguments = self.arguments([$($default)?])?;
                        Ok(Movement::$variant $fields)
                    })*
                    name if name.starts_with(|letter: char| letter.is_alphabetic()) => {
                        Err(Movement::unknown(name))
                    }
                    name => {
                        let expected = "a view or an op such as reshape, permute or slice";
                        Err(self.unexpected_at_word(name, expected))
                    }
                }
            };
        }
        for_each_op!(read)
    }

    /// The arguments of an op; if there are none, `()`, those that may be left out.
    fn arguments<A: Argument, const N: usize>(&mut self, left_out: [A; N]) -> Result<A, Error> {
        match left_out.into_iter().next() {
            Some(arguments) if self.take_both('(', ')') => Ok(arguments),
            _ => A::read(self),
        }
    }
}

/// A number of an op: an integer, or an expression.
pub trait Number: Argument + From<i64> + PartialEq + fmt::Display {}

impl<N: Argument + From<i64> + PartialEq + fmt::Display> Number for N {}

/// `start:stop:step`, any of them left out.
impl<N: Number> Argument for Slice<N> {
    fn read(scan: &mut Scanner) -> Result<Slice<N>, Error> {
        let bound = |scan: &mut Scanner| match scan.peek() {
            None | Some(':' | ',' | ')') => Ok(None),
            _ => N::read(scan).map(Some),
        };
        scan.nested(Kind::Part, |scan| {
            let start = bound(scan)?;
            scan.expect(':', "`:`")?;
            let stop = bound(scan)?;
            let step = if scan.take(':') { bound(scan)? } else { None };
            Ok(Slice { start, stop, step: step.unwrap_or_else(|| 1.into()) })
        })
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

impl<A: Argument> Argument for Vec<A> {
    fn read(scan: &mut Scanner) -> Result<Vec<A>, Error> {
        scan.list(Kind::List, A::read)
    }

    fn text(&self) -> String {
        format!("({})", self.iter().map(A::text).collect::<Vec<_>>().join(","))
    }
}

/// `(a)` and `(a,b)`.
macro_rules! tuple {
    ($($name:ident $place:tt),+) => {
        impl<$($name: Argument),+> Argument for ($($name,)+) {
            fn read(scan: &mut Scanner) -> Result<Self, Error> {
                scan.nested(Kind::List, |scan| {
                    scan.expect('(', "`(`")?;
                    let read = ($({
                        if $place > 0 {
                            scan.expect(',', "`,`")?;
                        }
                        $name::read(scan)?
                    },)+);
                    scan.expect(')', "`)`")?;
                    Ok(read)
                })
            }

            fn text(&self) -> String {
                format!("({})", [$(self.$place.text()),+].join(","))
            }
        }
    };
}
tuple!(A 0);
tuple!(A 0, B 1);

/// The arguments of `as_strided`; without an offset it is 0.
impl<N: Number> Argument for (Vec<N>, Vec<N>, N) {
    fn read(scan: &mut Scanner) -> Result<Self, Error> {
        scan.nested(Kind::List, |scan| {
            scan.expect('(', "`(`")?;
            let shape = Vec::read(scan)?;
            scan.expect(',', "`,`")?;
            let strides = Vec::read(scan)?;
            let offset = if scan.take(',') { N::read(scan)? } else { 0.into() };
            scan.expect(')', "`)`")?;
            Ok((shape, strides, offset))
        })
    }

    fn text(&self) -> String {
        format!("({},{},{})", self.0.text(), self.1.text(), self.2)
    }
}

impl fmt::Display for Movement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        macro_rules! arguments {
            ($($name:literal $variant:ident $fields:tt = $arguments:tt $(or $default:tt)?
                => $method:ident($($passed:expr),*);)*) => {
                match self.clone() { $(Movement::$variant $fields => $arguments.text(),)* }
            };
        }
        write!(f, "{}{}", self.name(), for_each_op!(arguments))
    }
}

impl<N: fmt::Display + From<i64> + PartialEq> fmt::Display for Slice<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(start) = &self.start {
            write!(f, "{start}")?;
        }
        f.write_str(":")?;
        if let Some(stop) = &self.stop {
            write!(f, "{stop}")?;
        }
        if self.step == 1.into() { Ok(()) } else { write!(f, ":{}", self.step) }
    }
}

impl FromStr for Slice {
    type Err = Error;

    fn from_str(text: &str) -> Result<Slice, Error> {
        let mut scan = Scanner::new(text);
        let slice = Slice::read(&mut scan)?;
        scan.end()?;
        Ok(slice)
    }
}
