//! Polynomials with integer coefficients: the numbers of views with unknown sizes.
//!
//! Normal form: terms sorted by degree, then by variables, no zero coefficient; so
//! equality of numbers is equality of normal forms.
//!
//! Overflow policy: coefficients are 128 bits wide, products have at most 15 variables. A polynomial that leaves
//! these is *spoilt*: it equals nothing, nothing is proved of it, and an answer
//! that depends on it is open.

use std::cmp::Ordering;
use std::iter::Product;
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use smallvec::{SmallVec, smallvec};

pub(crate) use crate::mono::{Mono, Var};

/// A polynomial.
#[derive(Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Poly {
    /// Ascending monomials, no zero coefficient; but a spoilt polynomial is one term that has it.
    terms: Terms,
}

type Terms = SmallVec<[(Mono, i128); 2]>;

impl Clone for Poly {
    fn clone(&self) -> Poly {
        // A copy of bytes; the derived one goes term by term.
        Poly { terms: SmallVec::from_slice(&self.terms) }
    }
}

impl Poly {
    pub(crate) fn zero() -> Poly {
        Poly::default()
    }

    pub(crate) fn number(value: i128) -> Poly {
        Poly::term(Mono::default(), value)
    }

    pub(crate) fn one() -> Poly {
        Poly::number(1)
    }

    pub(crate) fn var(v: Var) -> Poly {
        Poly::term(Mono::var(v), 1)
    }

    pub(crate) fn term(mono: Mono, coefficient: i128) -> Poly {
        let terms = if coefficient == 0 { smallvec![] } else { smallvec![(mono, coefficient)] };
        Poly { terms }
    }

    fn spoilt() -> Poly {
        Poly { terms: smallvec![(Mono::default(), 0)] }
    }

    pub(crate) fn is_spoilt(&self) -> bool {
        matches!(self.terms[..], [(_, 0)])
    }

    pub(crate) fn terms(&self) -> &[(Mono, i128)] {
        &self.terms
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The value, if it has no variables.
    pub(crate) fn as_number(&self) -> Option<i128> {
        match &self.terms[..] {
            [] => Some(0),
            [(mono, value)] if mono.degree() == 0 && *value != 0 => Some(*value),
            _ => None,
        }
    }

    pub(crate) fn constant(&self) -> i128 {
        match self.terms.first() {
            Some((mono, value)) if mono.degree() == 0 => *value,
            _ => 0,
        }
    }

    pub(crate) fn degree(&self) -> usize {
        self.terms.last().map_or(0, |(mono, _)| mono.degree())
    }

    pub(crate) fn degree_in(&self, v: Var) -> usize {
        self.terms.iter().map(|(mono, _)| mono.count(v)).max().unwrap_or(0)
    }

    /// The variables, each once, ascending.
    pub(crate) fn vars(&self) -> SmallVec<[Var; 8]> {
        let mut vars = SmallVec::new();
        for v in self.terms.iter().flat_map(|(mono, _)| mono.vars()) {
            if let Err(place) = vars.binary_search(&v) {
                vars.insert(place, v);
            }
        }
        vars
    }

    pub(crate) fn mentions(&self, v: Var) -> bool {
        self.terms.iter().any(|(mono, _)| mono.count(v) > 0)
    }

    /// The greatest common divisor of the coefficients of the terms with variables; 0 for none.
    pub(crate) fn content(&self) -> i128 {
        let with_variables = self.terms.iter().filter(|(mono, _)| mono.degree() > 0);
        with_variables.fold(0, |g, (_, c)| gcd(g, *c))
    }

    /// Every coefficient divided, rounding down.
    pub(crate) fn divided_down(&self, by: i128) -> Poly {
        let mut divided = self.clone();
        for (_, c) in &mut divided.terms {
            *c = c.div_euclid(by);
        }
        if !self.is_spoilt() {
            divided.terms.retain(|(_, c)| *c != 0);
        }
        divided
    }

    /// The sum of about so many terms, `None` for one that does not fit.
    fn sum(count: usize, each: impl Iterator<Item = Option<(Mono, i128)>>) -> Poly {
        let mut terms = Terms::with_capacity(count);
        for term in each {
            let Some(term) = term else { return Poly::spoilt() };
            terms.push(term);
        }
        terms.sort_unstable_by_key(|(mono, _)| *mono);
        let mut fits = true;
        terms.dedup_by(|(mono, c), (known, sum)| {
            let same = mono == known;
            if same {
                let both = sum.checked_add(*c);
                fits &= both.is_some();
                *sum = both.unwrap_or_default();
            }
            same
        });
        terms.retain(|(_, c)| *c != 0);
        if fits { Poly { terms } } else { Poly::spoilt() }
    }

    pub(crate) fn scaled(&self, by: i128) -> Poly {
        self.times_term(Mono::default(), by)
    }

    /// Times one term.
    pub(crate) fn times_term(&self, mono: Mono, by: i128) -> Poly {
        multiplied(self, &Poly::term(mono, by))
    }

    /// With a variable replaced by a polynomial.
    pub(crate) fn replaced(&self, v: Var, by: &Poly) -> Poly {
        let most = self.degree_in(v);
        if most == 0 {
            return self.clone();
        }
        let mut powers: SmallVec<[Poly; 2]> = smallvec![Poly::one(), by.clone()];
        for power in 1..most {
            powers.push(&powers[power] * by);
        }
        if self.is_spoilt() || powers[most].is_spoilt() {
            return Poly::spoilt();
        }
        Poly::sum(
            2 * self.terms.len(),
            self.terms.iter().flat_map(|(mono, c)| {
                let rest = mono.without(v);
                let power = powers[mono.count(v)].terms.iter();
                power.map(move |(own, d)| Some((rest.times(*own)?, multiply(*c, *d)?)))
            }),
        )
    }

    /// With other variables for its own; the definitions of a chain name earlier variables only.
    pub(crate) fn renamed(&self, places: &[Var]) -> Poly {
        if self.is_spoilt() {
            return Poly::spoilt();
        }
        Poly::sum(
            self.terms.len(),
            self.terms.iter().map(|(mono, c)| {
                let place = |v| places.get(usize::from(v)).copied();
                let mut vars =
                    mono.vars().map(place).collect::<Option<SmallVec<[Var; Mono::MOST]>>>()?;
                vars.sort_unstable();
                Some((Mono::product(vars)?, *c))
            }),
        )
    }

    /// `(q, r)` with self = v·q + r, r without v.
    pub(crate) fn split_at(&self, v: Var) -> (Poly, Poly) {
        let single = Mono::var(v);
        let (mut q, mut r) = (Poly::zero(), Poly::zero());
        for (mono, c) in &self.terms {
            match mono.over(single) {
                Some(rest) => q += Poly::term(rest, *c),
                None => r += Poly::term(*mono, *c),
            }
        }
        (q, r)
    }

    /// The coefficient of the bare variable, if the variable occurs nowhere else.
    pub(crate) fn lone(&self, v: Var) -> Option<i128> {
        let mut found = None;
        for (mono, c) in &self.terms {
            match mono.count(v) {
                0 => {}
                1 if mono.degree() == 1 => found = Some(*c),
                _ => return None,
            }
        }
        found
    }

    /// The value where every variable has one.
    pub(crate) fn value(&self, of: &impl Fn(Var) -> Option<i128>) -> Option<i128> {
        if self.is_spoilt() {
            return None;
        }
        let mut sum = 0i128;
        for (mono, c) in &self.terms {
            let mut product = *c;
            for v in mono.vars() {
                product = multiply(product, of(v)?)?;
            }
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    }
}

pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    if let (Ok(mut a), Ok(mut b)) =
        (u64::try_from(a.unsigned_abs()), u64::try_from(b.unsigned_abs()))
    {
        // Nearly all coefficients are small, and division of wide numbers is slow.
        while b != 0 {
            (a, b) = (b, a % b);
        }
        return a.into();
    }
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a.checked_rem(b).unwrap_or(0));
    }
    a.checked_abs().unwrap_or(i128::MAX)
}

/// The product of two numbers, nearly always small ones: the check of wide products is slow.
fn multiply(a: i128, b: i128) -> Option<i128> {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => Some(i128::from(a) * i128::from(b)),
        _ => a.checked_mul(b),
    }
}

fn combine(a: &Poly, b: &Poly, sign: i128) -> Poly {
    if a.is_spoilt() || b.is_spoilt() {
        return Poly::spoilt();
    }
    let mut terms = SmallVec::with_capacity(a.terms.len() + b.terms.len());
    let (mut left, mut right) = (&a.terms[..], &b.terms[..]);
    loop {
        let order = match (left, right) {
            ([], []) => return Poly { terms },
            ([(x, _), ..], [(y, _), ..]) => x.cmp(y),
            (_, []) => Ordering::Less,
            ([], _) => Ordering::Greater,
        };
        let first = if order.is_le() { left.split_off_first() } else { None };
        let second = if order.is_ge() { right.split_off_first() } else { None };
        let Some((mono, _)) = first.or(second) else { continue };
        let added = second.map_or(Some(0), |(_, c)| multiply(*c, sign));
        match added.and_then(|c| c.checked_add(first.map_or(0, |(_, c)| *c))) {
            None => return Poly::spoilt(),
            Some(0) => {}
            Some(c) => terms.push((*mono, c)),
        }
    }
}

fn multiplied(a: &Poly, b: &Poly) -> Poly {
    if a.is_spoilt() || b.is_spoilt() {
        return Poly::spoilt();
    }
    let pairs = a.terms.iter().flat_map(|x| b.terms.iter().map(move |y| (x, y)));
    Poly::sum(
        a.terms.len() * b.terms.len(),
        pairs.map(|((x, c), (y, d))| Some((x.times(*y)?, multiply(*c, *d)?))),
    )
}

impl<'a> Product<&'a Poly> for Poly {
    fn product<I: Iterator<Item = &'a Poly>>(factors: I) -> Poly {
        factors.fold(Poly::one(), |product, factor| product * factor)
    }
}

/// What may stand on the right of an operator: a polynomial, by value or by reference, or a number.
pub(crate) trait Operand {
    fn apply<T>(self, function: impl FnOnce(&Poly) -> T) -> T;
}

impl Operand for &Poly {
    fn apply<T>(self, function: impl FnOnce(&Poly) -> T) -> T {
        function(self)
    }
}

impl Operand for Poly {
    fn apply<T>(self, function: impl FnOnce(&Poly) -> T) -> T {
        function(&self)
    }
}

impl Operand for i128 {
    fn apply<T>(self, function: impl FnOnce(&Poly) -> T) -> T {
        function(&Poly::number(self))
    }
}

macro_rules! operators {
    ($($op:ident $method:ident $assign:ident $assigning:ident $function:expr;)*) => {$(
        impl<N: Operand> $op<N> for &Poly {
            type Output = Poly;
            fn $method(self, other: N) -> Poly {
                other.apply(|other| $function(self, other))
            }
        }

        impl<N: Operand> $op<N> for Poly {
            type Output = Poly;
            fn $method(self, other: N) -> Poly {
                (&self).$method(other)
            }
        }

        impl<N: Operand> $assign<N> for Poly {
            fn $assigning(&mut self, other: N) {
                *self = (&*self).$method(other);
            }
        }
    )*};
}

operators! {
    Add add AddAssign add_assign |a, b| combine(a, b, 1);
    Sub sub SubAssign sub_assign |a, b| combine(a, b, -1);
    Mul mul MulAssign mul_assign multiplied;
}

impl Neg for &Poly {
    type Output = Poly;
    fn neg(self) -> Poly {
        self.scaled(-1)
    }
}

impl Neg for Poly {
    type Output = Poly;
    fn neg(self) -> Poly {
        -&self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_forms() {
        let (x, y) = (Poly::var(0), Poly::var(1));
        let square = (&x + &y) * (&x - &y);
        assert_eq!(square, &(&x * &x) - &(&y * &y));
        assert_eq!(square.replaced(0, &y), Poly::zero());
        assert_eq!(square.value(&|v| Some(i128::from(v) + 2)), Some(4 - 9));
        assert_eq!(Poly::number(i128::MAX).scaled(2).as_number(), None);
        let (q, r) = (&x * &y + 3).split_at(1);
        assert_eq!((q, r), (x, Poly::number(3)));
    }
}
