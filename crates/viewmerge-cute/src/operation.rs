//! Every operation by its name, on layouts as text: the interface of the command, of batch lines and of
//! other languages.

mod coordinates;

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicU64;

use viewmerge::Limit;

use crate::answer::Answer;
use crate::coalesce::{coalesce, coalesce_by, difference, equal};
use crate::collision::collision;
use crate::complement::complement;
use crate::divide::{flat_divide, logical_divide, tiled_divide, zipped_divide};
use crate::error::Error;
use crate::inverse::{left_inverse, right_inverse};
use crate::layout::Layout;
use crate::notation::Reader;
use crate::outcome::{Outcome, Refutation};
use crate::plain::Plain;
use crate::product::{
    blocked_product, flat_product, logical_product, raked_product, tiled_product,
};
use crate::swizzled::Swizzled;
use crate::tiler::Tiler;

/// An operation on layouts.
///
/// ```
/// use viewmerge_cute::{Limit, Operation};
///
/// let operation: Operation = "complement".parse()?;
/// let outcome = operation.ask("4:2", Some("24"), false, &Limit::none())?;
/// assert_eq!(outcome.to_string(), "(2,3):(1,8)");
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operation {
    /// A ∘ B; B may be a tiler, and A may be swizzled.
    Compose,
    /// The fewest modes; B may be a profile.
    Coalesce,
    /// The complement up to the number B; up to the cosize if B is missing.
    Complement,
    /// R with R(A(i)) = i.
    LeftInverse,
    /// The longest R with A(R(i)) = i.
    RightInverse,
    /// A cut into tiles B.
    LogicalDivide,
    /// The same, with the modes of the tiles together.
    ZippedDivide,
    /// The same, with each rest as a mode of its own.
    TiledDivide,
    /// The same, with all modes side by side.
    FlatDivide,
    /// A repeated at the places of B.
    LogicalProduct,
    /// The same, mode by mode, in blocks.
    BlockedProduct,
    /// The same, mode by mode, interleaved.
    RakedProduct,
    /// A and its copies as two modes.
    ZippedProduct,
    /// The same, with each mode of the copies as a mode of its own.
    TiledProduct,
    /// The same, with all modes side by side.
    FlatProduct,
    /// Whether A and B are the same function.
    Equal,
    /// Whether no value of A occurs twice.
    IsInjective,
    /// One more than the largest value.
    Cosize,
    /// The number of positions.
    Size,
    /// The plain layout that a swizzled layout equals.
    Plain,
}

/// The second operand of an operation.
///
/// ```
/// use viewmerge_cute::{Operand, Operation};
///
/// assert_eq!(Operation::Compose.operand(), Operand::Required("a layout, or a tiler <…>"));
/// assert_eq!(Operation::Cosize.operand(), Operand::None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// Nothing.
    None,
    /// Optionally this.
    Optional(&'static str),
    /// This.
    Required(&'static str),
}

impl Operation {
    /// All of them.
    pub const ALL: [Operation; 20] = [
        Operation::Compose,
        Operation::Coalesce,
        Operation::Complement,
        Operation::LeftInverse,
        Operation::RightInverse,
        Operation::LogicalDivide,
        Operation::ZippedDivide,
        Operation::TiledDivide,
        Operation::FlatDivide,
        Operation::LogicalProduct,
        Operation::BlockedProduct,
        Operation::RakedProduct,
        Operation::ZippedProduct,
        Operation::TiledProduct,
        Operation::FlatProduct,
        Operation::Equal,
        Operation::IsInjective,
        Operation::Cosize,
        Operation::Size,
        Operation::Plain,
    ];

    /// Its name; CuTe's name where CuTe has the operation.
    ///
    /// ```
    /// assert_eq!(viewmerge_cute::Operation::LogicalDivide.name(), "logical_divide");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Operation::Compose => "compose",
            Operation::Coalesce => "coalesce",
            Operation::Complement => "complement",
            Operation::LeftInverse => "left_inverse",
            Operation::RightInverse => "right_inverse",
            Operation::LogicalDivide => "logical_divide",
            Operation::ZippedDivide => "zipped_divide",
            Operation::TiledDivide => "tiled_divide",
            Operation::FlatDivide => "flat_divide",
            Operation::LogicalProduct => "logical_product",
            Operation::BlockedProduct => "blocked_product",
            Operation::RakedProduct => "raked_product",
            Operation::ZippedProduct => "zipped_product",
            Operation::TiledProduct => "tiled_product",
            Operation::FlatProduct => "flat_product",
            Operation::Equal => "equal",
            Operation::IsInjective => "is_injective",
            Operation::Cosize => "cosize",
            Operation::Size => "size",
            Operation::Plain => "plain",
        }
    }

    /// Its second operand.
    ///
    /// ```
    /// use viewmerge_cute::{Operand, Operation};
    ///
    /// assert!(matches!(Operation::Coalesce.operand(), Operand::Optional(_)));
    /// ```
    pub fn operand(self) -> Operand {
        match self {
            Operation::Compose
            | Operation::LogicalDivide
            | Operation::ZippedDivide
            | Operation::TiledDivide
            | Operation::FlatDivide => Operand::Required("a layout, or a tiler <…>"),
            Operation::LogicalProduct
            | Operation::BlockedProduct
            | Operation::RakedProduct
            | Operation::ZippedProduct
            | Operation::TiledProduct
            | Operation::FlatProduct
            | Operation::Equal => Operand::Required("a layout"),
            Operation::Coalesce => Operand::Optional("a profile, such as (1,1)"),
            Operation::Complement => Operand::Optional("a number: how far to fill"),
            Operation::LeftInverse
            | Operation::RightInverse
            | Operation::IsInjective
            | Operation::Cosize
            | Operation::Size
            | Operation::Plain => Operand::None,
        }
    }

    /// Applies it to a layout A and a second operand; `extend` is for compositions.
    ///
    /// # Errors
    ///
    /// If a text cannot be parsed, and as the operation itself.
    ///
    /// ```
    /// use viewmerge_cute::{Limit, Operation};
    ///
    /// let ask = |a, b| Operation::Compose.ask(a, Some(b), false, &Limit::none());
    /// assert_eq!(ask("(8,12):(16,80)", "2:9")?.to_string(), "2:96");
    /// assert_eq!(ask("Sw<1,0,1> o 0 o 8:1", "4:2")?.to_string(), "Sw<1,0,1> o 0 o 4:2");
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn ask(
        self,
        a: &str,
        b: Option<&str>,
        extend: bool,
        limit: &Limit<'_>,
    ) -> Result<Outcome, Error> {
        let op = self.name();
        let spent = AtomicU64::new(0);
        let limit = &limit.sharing(&spent);
        match (self.operand(), b) {
            (Operand::None, Some(_)) => {
                return Err(Error::Operand { op, why: "takes one layout and nothing else" });
            }
            (Operand::Required(_), None) => {
                return Err(Error::Operand { op, why: "takes a second layout" });
            }
            _ => {}
        }
        if let Some(outcome) = coordinates::ask(self, a, b, extend, limit) {
            return outcome;
        }
        if a.trim_start().starts_with("Sw") {
            return self.ask_swizzled(&a.parse()?, b, extend, limit);
        }
        let a: Layout = a.parse()?;
        let layout = || -> Result<Layout, Error> { b.unwrap_or_default().parse() };
        let tiler = || -> Result<Tiler, Error> { b.unwrap_or_default().parse() };
        Ok(match self {
            Operation::Compose => tiler()?.compose(a, extend, limit)?.into(),
            Operation::Coalesce => match b {
                None => Answer::Layout(coalesce(&a)?).into(),
                Some(profile) => Answer::Layout(coalesce_by(&a, profile)?).into(),
            },
            Operation::Complement => {
                let size = match b {
                    None => a.cosize(),
                    Some(text) => number(text)?,
                };
                complement(&a, size)?.into()
            }
            Operation::LeftInverse => left_inverse(&a, limit)?.into(),
            Operation::RightInverse => Answer::Layout(right_inverse(&a, limit)?).into(),
            Operation::LogicalDivide => logical_divide(&a, &tiler()?, limit)?.into(),
            Operation::ZippedDivide => zipped_divide(&a, &tiler()?, limit)?.into(),
            Operation::TiledDivide => tiled_divide(&a, &tiler()?, limit)?.into(),
            Operation::FlatDivide => flat_divide(&a, &tiler()?, limit)?.into(),
            // A single layout B has no modes to gather.
            Operation::LogicalProduct | Operation::ZippedProduct => {
                logical_product(&a, &layout()?, limit)?.into()
            }
            Operation::BlockedProduct => blocked_product(&a, &layout()?, limit)?.into(),
            Operation::RakedProduct => raked_product(&a, &layout()?, limit)?.into(),
            Operation::TiledProduct => tiled_product(&a, &layout()?, limit)?.into(),
            Operation::FlatProduct => flat_product(&a, &layout()?, limit)?.into(),
            Operation::Equal => equality(&a, &layout()?),
            Operation::IsInjective => injectivity(&a, limit)?,
            Operation::Cosize => Outcome::Number(a.cosize()),
            Operation::Size => Outcome::Number(a.size()),
            Operation::Plain => Outcome::Layout(a.to_string()),
        })
    }

    fn ask_swizzled(
        self,
        a: &Swizzled,
        b: Option<&str>,
        extend: bool,
        limit: &Limit<'_>,
    ) -> Result<Outcome, Error> {
        Ok(match self {
            Operation::Compose => {
                let b: Layout = b.unwrap_or_default().parse()?;
                match a.compose(&b, extend, limit)? {
                    Ok(composed) => Outcome::Layout(composed.to_string()),
                    Err(none) => Outcome::None(none),
                }
            }
            Operation::Plain => match a.plain(limit)? {
                Plain::None(none) => Outcome::None(none),
                plain => Outcome::Layout(plain.to_string()),
            },
            // A swizzle never takes two values to one.
            Operation::IsInjective => injectivity(a.layout(), limit)?,
            Operation::Size => Outcome::Number(a.layout().size()),
            _ => {
                let why = "takes a plain layout, not a swizzled one (see plain)";
                return Err(Error::Operand { op: self.name(), why });
            }
        })
    }
}

fn number(text: &str) -> Result<i64, Error> {
    let mut reader = Reader::new(text);
    let number = reader.number()?;
    reader.end()?;
    Ok(number)
}

fn equality(a: &Layout, b: &Layout) -> Outcome {
    let sizes = [a.size(), b.size()];
    let witness = match difference(a, b) {
        Some((position, one, other)) => Refutation::Differ { position, values: [one, other] },
        None => Refutation::Sizes { sizes },
    };
    let value = equal(a, b);
    Outcome::Truth { value, witness: (!value).then_some(witness) }
}

fn injectivity(a: &Layout, limit: &Limit<'_>) -> Result<Outcome, Error> {
    let found = collision(a, limit)?;
    let witness = found.map(|coordinates| Refutation::Collision { coordinates });
    Ok(Outcome::Truth { value: witness.is_none(), witness })
}

impl FromStr for Operation {
    type Err = Error;

    fn from_str(name: &str) -> Result<Operation, Error> {
        let found = Operation::ALL.into_iter().find(|operation| operation.name() == name);
        found.ok_or_else(|| Error::UnknownOperation {
            name: name.to_string(),
            known: Operation::ALL.map(Operation::name).join(", "),
        })
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
