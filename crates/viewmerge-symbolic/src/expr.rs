//! Expressions in parameters, as they are written: `(N + 3)//4*M - 1`.
//!
//! They are what ops take and what answers hold. They print in Python, in C and as mathematics.

use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

use crate::signs::{Operation, Relation, Signs, Style};

/// An integer expression in parameters.
///
/// ```
/// use viewmerge_symbolic::Expr;
///
/// let n = Expr::name("N");
/// let expr = (n.clone() + 3.into()).floor_div(4.into()) * n;
/// assert_eq!(expr.to_string(), "(N + 3)//4*N");
/// assert_eq!("(N+3) // 4 * N".parse::<Expr>()?, expr);
/// let clamped = "2*min(N, 3) - (N >= 2)";
/// assert_eq!(clamped.parse::<Expr>()?.to_string(), clamped);
/// # Ok::<(), viewmerge_symbolic::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Expr {
    /// A number.
    Number(i128),
    /// A parameter.
    Name(String),
    /// A sum.
    Sum(Box<Expr>, Box<Expr>),
    /// A difference.
    Difference(Box<Expr>, Box<Expr>),
    /// A product.
    Product(Box<Expr>, Box<Expr>),
    /// A quotient rounded down, `//` in Python.
    FloorDiv(Box<Expr>, Box<Expr>),
    /// A remainder, `%` in Python.
    Mod(Box<Expr>, Box<Expr>),
    /// A quotient without remainder, `/`: that there is none is a requirement.
    Exact(Box<Expr>, Box<Expr>),
    /// 1 where the two are equal, 0 where not; `(a == b)` in Python and C.
    Same(Box<Expr>, Box<Expr>),
    /// 1 where the first is the second or more, 0 where not; `(a >= b)` in Python and C.
    AtLeast(Box<Expr>, Box<Expr>),
    /// The smaller of two, `min(a, b)`.
    Min(Box<Expr>, Box<Expr>),
    /// The larger of two, `max(a, b)`.
    Max(Box<Expr>, Box<Expr>),
}

impl Expr {
    /// A parameter.
    ///
    /// ```
    /// assert_eq!(viewmerge_symbolic::Expr::name("N").to_string(), "N");
    /// ```
    pub fn name(name: &str) -> Expr {
        Expr::Name(name.to_owned())
    }

    /// The quotient rounded down.
    ///
    /// ```
    /// let half = viewmerge_symbolic::Expr::name("N").floor_div(2.into());
    /// assert_eq!(half.to_string(), "N//2");
    /// ```
    #[must_use]
    pub fn floor_div(self, by: Expr) -> Expr {
        Expr::pair(Expr::FloorDiv, self, by)
    }

    /// The remainder of the quotient rounded down.
    ///
    /// ```
    /// let odd = viewmerge_symbolic::Expr::name("N").modulo(2.into());
    /// assert_eq!(odd.to_string(), "N%2");
    /// ```
    #[must_use]
    pub fn modulo(self, by: Expr) -> Expr {
        Expr::pair(Expr::Mod, self, by)
    }

    /// An expression of two.
    pub(crate) fn pair(make: fn(Box<Expr>, Box<Expr>) -> Expr, a: Expr, b: Expr) -> Expr {
        make(Box::new(a), Box::new(b))
    }

    /// The number, if it is one.
    ///
    /// ```
    /// assert_eq!(viewmerge_symbolic::Expr::from(3).as_number(), Some(3));
    /// ```
    pub fn as_number(&self) -> Option<i128> {
        match self {
            Expr::Number(value) => Some(*value),
            _ => None,
        }
    }

    /// The text in a style.
    ///
    /// ```
    /// use viewmerge_symbolic::{Expr, Style};
    ///
    /// let expr: Expr = "(N+3)//4".parse()?;
    /// assert_eq!(expr.written(Style::C), "(N + 3)/4");
    /// assert_eq!(expr.written(Style::Math), "⌊(N + 3)/4⌋");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn written(&self, style: Style) -> String {
        self.written_with(style.signs())
    }

    pub(crate) fn written_with(&self, signs: &Signs) -> String {
        self.written_inside(signs, 0)
    }

    /// The text beside what binds as tightly as `above`: sums 1, products 2.
    pub(crate) fn written_inside(&self, signs: &Signs, above: u8) -> String {
        let [open, close] = signs.brackets;
        let compared = |relation: Relation| {
            Operation::Closed([open, signs.relations[relation as usize], close], [0, 0])
        };
        let extreme = |most: usize| Operation::Closed([signs.extremes[most], ", ", ")"], [0, 0]);
        let within = |text: String, least: u8| match above > least {
            true => format!("({text})"),
            false => text,
        };
        let (operation, left, right) = match self {
            Expr::Number(value) if *value < 0 => return within(value.to_string(), 1),
            Expr::Number(value) => return value.to_string(),
            Expr::Name(name) => return name.clone(),
            Expr::Product(minus, right) if **minus == Expr::Number(-1) => {
                let (binds, least) = if signs.loose_minus { (2, 1) } else { (3, 3) };
                return within(format!("-{}", right.written_inside(signs, binds)), least);
            }
            Expr::Sum(left, right) => (Operation::Infix(" + ", [1, 1]), left, right),
            Expr::Difference(left, right) => (Operation::Infix(" - ", [1, 2]), left, right),
            Expr::Product(left, right) => (Operation::Infix(signs.times, [2, 3]), left, right),
            Expr::FloorDiv(left, right) => (signs.floor, left, right),
            Expr::Mod(left, right) => (signs.modulo, left, right),
            Expr::Exact(left, right) => (signs.exact, left, right),
            Expr::Same(left, right) => (compared(Relation::Equal), left, right),
            Expr::AtLeast(left, right) => (compared(Relation::AtLeast), left, right),
            Expr::Min(left, right) => (extreme(0), left, right),
            Expr::Max(left, right) => (extreme(1), left, right),
        };
        let (Operation::Infix(_, binds) | Operation::Closed(_, binds)) = operation;
        let sides = [(left, binds[0]), (right, binds[1])];
        let [left, right] = sides.map(|(side, binds)| side.written_inside(signs, binds));
        match operation {
            Operation::Infix(sign, _) => within(format!("{left}{sign}{right}"), binds[0]),
            Operation::Closed([open, sign, close], _) => {
                format!("{open}{left}{sign}{right}{close}")
            }
        }
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written(Style::Python))
    }
}

impl From<i64> for Expr {
    fn from(value: i64) -> Expr {
        Expr::Number(value.into())
    }
}

impl Add for Expr {
    type Output = Expr;
    fn add(self, other: Expr) -> Expr {
        Expr::pair(Expr::Sum, self, other)
    }
}

impl Sub for Expr {
    type Output = Expr;
    fn sub(self, other: Expr) -> Expr {
        Expr::pair(Expr::Difference, self, other)
    }
}

impl Mul for Expr {
    type Output = Expr;
    fn mul(self, other: Expr) -> Expr {
        Expr::pair(Expr::Product, self, other)
    }
}

impl Neg for Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        Expr::Number(-1) * self
    }
}
