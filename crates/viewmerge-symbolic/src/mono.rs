//! Products of variables, the monomials of polynomials.

/// A variable: a parameter, or a quotient, remainder or difference that got a name.
pub(crate) type Var = u8;

/// A product of at most [`Mono::MOST`] variables, in one number: how many they are in its first byte, then the
/// variables, ascending and with repetition, each counted down from 255.
///
/// So a product of more variables is the larger number, and of two with as many the one with the earlier variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub(crate) struct Mono(u128);

impl Mono {
    /// The most variables of a product.
    pub(crate) const MOST: usize = 15;

    pub(crate) fn var(v: Var) -> Mono {
        Mono::default().with(v)
    }

    /// The product of some variables, ascending; `None` for too many.
    pub(crate) fn product(vars: impl IntoIterator<Item = Var>) -> Option<Mono> {
        let mut product = Mono::default();
        for v in vars {
            if product.degree() == Mono::MOST {
                return None;
            }
            product = product.with(v);
        }
        Some(product)
    }

    /// Times a variable that is not before its own.
    fn with(self, v: Var) -> Mono {
        let place = Mono::MOST - 1 - self.degree();
        Mono(self.0 + (1 << 120) + (u128::from(Var::MAX - v) << (8 * place)))
    }

    pub(crate) fn degree(self) -> usize {
        (self.0 >> 120) as usize
    }

    /// The variables, ascending, with repetition.
    pub(crate) fn vars(self) -> impl DoubleEndedIterator<Item = Var> + ExactSizeIterator + Clone {
        let bytes = self.0.to_be_bytes();
        (1..1 + self.degree()).map(move |place| Var::MAX - bytes[place])
    }

    pub(crate) fn count(self, v: Var) -> usize {
        self.vars().filter(|&w| w == v).count()
    }

    /// The product with another one; `None` if that has too many variables.
    pub(crate) fn times(self, other: Mono) -> Option<Mono> {
        if self.degree() == 0 || other.degree() == 0 {
            return Some(Mono(self.0 | other.0));
        }
        if self.degree() + other.degree() > Mono::MOST {
            return None;
        }
        let (mut left, mut right) = (self.vars().peekable(), other.vars().peekable());
        let mut product = Mono::default();
        loop {
            let next = match (left.peek(), right.peek()) {
                (Some(v), Some(w)) if v > w => right.next(),
                (None, _) => right.next(),
                _ => left.next(),
            };
            match next {
                Some(v) => product = product.with(v),
                None => return Some(product),
            }
        }
    }

    /// `self / other`, if that is a monomial.
    pub(crate) fn over(self, other: Mono) -> Option<Mono> {
        let mut its = other.vars().peekable();
        let rest =
            self.vars().filter(|v| its.next_if_eq(v).is_none()).fold(Mono::default(), Mono::with);
        its.next().is_none().then_some(rest)
    }

    /// Without a variable.
    pub(crate) fn without(self, v: Var) -> Mono {
        self.vars().filter(|&w| w != v).fold(Mono::default(), Mono::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn m(vars: &[Var]) -> Mono {
        Mono::product(vars.iter().copied()).unwrap()
    }

    #[test]
    fn monomials() {
        assert_eq!(m(&[0, 1, 1]).over(m(&[1])), Some(m(&[0, 1])));
        assert_eq!(m(&[0, 1]).over(m(&[1, 1])), None);
        assert_eq!(m(&[0, 0, 1, 2]).over(m(&[0, 2])), Some(m(&[0, 1])));
        assert_eq!(m(&[0, 1]).over(m(&[0, 1, 1])), None);
        assert_eq!(m(&[0, 2]).times(m(&[1])), Some(m(&[0, 1, 2])));
        assert_eq!(m(&[0, 255, 255]).without(255), m(&[0]));
        assert_eq!(m(&[7; 8]).times(m(&[3; 8])), None);
        assert_eq!(m(&[7; 15]).vars().rev().collect::<Vec<_>>(), [7; 15]);
    }

    #[test]
    fn the_order_is_by_degree_then_earlier_variables() {
        let ascending = [m(&[]), m(&[1]), m(&[0]), m(&[1, 255]), m(&[0, 1]), m(&[0, 0])];
        assert!(ascending.is_sorted());
    }
}
