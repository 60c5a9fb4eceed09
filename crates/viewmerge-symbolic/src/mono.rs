//! Products of variables, the monomials of polynomials.

use std::cmp::Ordering;

use smallvec::{SmallVec, smallvec};

/// A variable: a parameter, or a quotient, remainder or difference that got a name.
pub(crate) type Var = u16;

/// A product of variables, sorted, with repetition.
#[derive(Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Mono(pub SmallVec<[Var; 6]>);

impl Clone for Mono {
    fn clone(&self) -> Mono {
        // A copy of bytes; the derived one goes variable by variable.
        Mono(SmallVec::from_slice(&self.0))
    }
}

impl Mono {
    pub(crate) fn var(v: Var) -> Mono {
        Mono(smallvec![v])
    }

    pub(crate) fn degree(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn count(&self, v: Var) -> usize {
        self.0.iter().filter(|&&w| w == v).count()
    }

    pub(crate) fn times(&self, other: &Mono) -> Mono {
        let mut all = self.0.clone();
        all.extend_from_slice(&other.0);
        all.sort_unstable();
        Mono(all)
    }

    /// `self / other`, if that is a monomial.
    pub(crate) fn over(&self, other: &Mono) -> Option<Mono> {
        if other.0.len() > self.0.len() {
            return None;
        }
        let mut rest = SmallVec::new();
        let mut wanted = other.0.iter().peekable();
        for v in &self.0 {
            match wanted.peek() {
                Some(w) if *w == v => {
                    wanted.next();
                }
                Some(w) if *w < v => return None,
                _ => rest.push(*v),
            }
        }
        wanted.peek().is_none().then_some(Mono(rest))
    }

    /// The largest monomial that divides both.
    pub(crate) fn common(&self, other: &Mono) -> Mono {
        let mut shared = SmallVec::new();
        let mut rest = other.0.iter().peekable();
        for v in &self.0 {
            while rest.peek().is_some_and(|w| *w < v) {
                rest.next();
            }
            if rest.peek() == Some(&v) {
                shared.push(*v);
                rest.next();
            }
        }
        Mono(shared)
    }
}

impl Ord for Mono {
    fn cmp(&self, other: &Mono) -> Ordering {
        // Of the same degree, the one with the earlier variable is the larger.
        self.0.len().cmp(&other.0.len()).then_with(|| other.0.cmp(&self.0))
    }
}

impl PartialOrd for Mono {
    fn partial_cmp(&self, other: &Mono) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn monomials() {
        let m = |vars: &[Var]| Mono(vars.iter().copied().collect());
        assert_eq!(m(&[0, 1, 1]).over(&m(&[1])), Some(m(&[0, 1])));
        assert_eq!(m(&[0, 1]).over(&m(&[1, 1])), None);
        assert_eq!(m(&[0, 0, 1]).common(&m(&[0, 1, 2])), m(&[0, 1]));
        assert_eq!(m(&[0, 2]).times(&m(&[1])), m(&[0, 1, 2]));
    }
}
