//! The signs that expressions and conditions are written with, as one table.
//!
//! Programs that compute an expression divide in definitions of their own, so that all programming languages
//! share the signs of C.

use viewmerge_index::Language;

/// How an expression is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Style {
    /// `(N + 3)//4`, `and`, `or`, `==`.
    Python,
    /// `(N + 3)/4`, `&&`, `||`, `==`; right for numerators that are not negative.
    C,
    /// `⌊(N + 3)/4⌋`, `∧`, `∨`, `=`, `≥`.
    Math,
}

/// How two expressions compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Relation {
    /// `==`.
    Equal,
    /// `!=`.
    Different,
    /// `>=`.
    AtLeast,
    /// `<=`.
    AtMost,
    /// `<`.
    Less,
}

/// The signs of a notation.
#[derive(Clone, Copy)]
pub(crate) struct Signs {
    pub(crate) times: &'static str,
    pub(crate) floor: Operation,
    pub(crate) exact: Operation,
    pub(crate) modulo: Operation,
    /// Around a comparison that is 1 or 0.
    pub(crate) brackets: [&'static str; 2],
    /// In front of the lesser and of the greater of two numbers.
    pub(crate) extremes: [&'static str; 2],
    /// A product is negated as `-a*b`, and a negated one gets brackets in a product; otherwise `-(a*b)`.
    pub(crate) loose_minus: bool,
    /// Of every [`Relation`].
    pub(crate) relations: [&'static str; 5],
    pub(crate) and: &'static str,
    pub(crate) or: &'static str,
    /// What always holds, and what never does.
    pub(crate) words: [&'static str; 2],
}

/// How an operation on two numbers is written.
#[derive(Clone, Copy)]
pub(crate) enum Operation {
    /// With a sign between; how tightly it binds, and how tightly its right side must.
    Infix(&'static str, [u8; 2]),
    /// With signs in front, between and behind; how tightly the two sides must bind.
    Closed([&'static str; 3], [u8; 2]),
}

use Operation::{Closed, Infix};

/// As tightly as a product.
const fn factor(sign: &'static str) -> Operation {
    Infix(sign, [2, 3])
}

const PYTHON: Signs = Signs {
    times: "*",
    floor: factor("//"),
    exact: factor("/"),
    modulo: factor("%"),
    brackets: ["(", ")"],
    extremes: ["min(", "max("],
    loose_minus: false,
    relations: [" == ", " != ", " >= ", " <= ", " < "],
    and: " and ",
    or: " or ",
    words: ["True", "False"],
};

const C: Signs =
    Signs { floor: factor("/"), and: " && ", or: " || ", words: ["true", "false"], ..PYTHON };

const MATH: Signs = Signs {
    times: "·",
    floor: Closed(["⌊", "/", "⌋"], [2, 3]),
    modulo: factor(" mod "),
    brackets: ["[", "]"],
    relations: [" = ", " ≠ ", " ≥ ", " ≤ ", " < "],
    and: " ∧ ",
    or: " ∨ ",
    ..C
};

/// Formulas with these two for quotient and remainder.
const fn formula(floor: Operation, modulo: Operation) -> Signs {
    Signs { floor, exact: floor, modulo, loose_minus: true, ..PYTHON }
}

const MLIR: Signs = Signs {
    times: " * ",
    ..formula(Closed(["(", " floordiv ", ")"], [3, 3]), Closed(["(", " mod ", ")"], [3, 3]))
};

const ISL: Signs = formula(Closed(["floor(", "/", ")"], [3, 3]), MLIR.modulo);

const TINYGRAD: Signs = formula(Closed(["(", "//", ")"], [3, 3]), Closed(["(", "%", ")"], [3, 3]));

const LATEX: Signs = Signs {
    times: " ",
    brackets: MATH.brackets,
    extremes: ["\\min(", "\\max("],
    relations: [" = ", " \\ne ", " \\ge ", " \\le ", " < "],
    ..formula(
        // A fraction has room of its own.
        Closed(["\\left\\lfloor \\frac{", "}{", "} \\right\\rfloor"], [0, 0]),
        Closed(["(", " \\bmod ", ")"], [3, 3]),
    )
};

impl Style {
    pub(crate) fn signs(self) -> &'static Signs {
        match self {
            Style::Python => &PYTHON,
            Style::C => &C,
            Style::Math => &MATH,
        }
    }
}

/// The signs of a language.
pub(crate) fn of(language: Language) -> &'static Signs {
    match language {
        Language::Mlir => &MLIR,
        Language::Isl => &ISL,
        Language::Latex => &LATEX,
        Language::Tinygrad => &TINYGRAD,
        _ => &C,
    }
}
