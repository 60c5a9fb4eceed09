//! The extremes of p·i + q·⌊(u·i + w)/m⌋ over a long interval, without walking
//! it: by exchanging numbers as in Euclid's algorithm, O(log) rounds.
//!
//! Where p and q pull the same way the extreme is at an end. Where they pull
//! against each other, the best index for a given value y of the floor is the
//! first or the last one with that value, itself a floor in y: the same
//! problem with u and m exchanged.
//!
//! Running example: i − 2·⌊(3i + 1)/7⌋ for 0 ≤ i < 10 is at most 2, at i = 2 first.
//!
//! Overflow policy: checked `i128`; `None` if a number does not fit, in which
//! case the caller asks the system.

/// p·i + q·⌊(u·i + w)/m⌋ for 0 ≤ i < len, with m ≥ 1 and len ≥ 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sawtooth {
    pub p: i128,
    pub q: i128,
    pub u: i128,
    pub w: i128,
    pub m: i128,
    pub len: i128,
}

/// A value, and an index at which it is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extreme {
    pub value: i128,
    pub index: i128,
}

impl Sawtooth {
    /// The smallest value.
    pub(super) fn minimum(self) -> Option<Extreme> {
        let turned = Sawtooth { p: self.p.checked_neg()?, q: self.q.checked_neg()?, ..self };
        turned.maximum().map(|found| Extreme { value: -found.value, ..found })
    }

    /// The largest value.
    pub(super) fn maximum(self) -> Option<Extreme> {
        let Sawtooth { p, q, u, w, m, len } = self;
        // Take whole multiples of m out of the floor.
        let p = p.checked_add(q.checked_mul(u.div_euclid(m))?)?;
        let lifted = q.checked_mul(w.div_euclid(m))?;
        let (u, w) = (u.rem_euclid(m), w.rem_euclid(m));
        let last = len - 1;
        let top = u.checked_mul(last)?.checked_add(w)? / m;
        let at = |index: i128| {
            let floor = (u * index + w) / m;
            let value = p.checked_mul(index)?.checked_add(q.checked_mul(floor)?)?;
            Some(Extreme { value: value.checked_add(lifted)?, index })
        };
        if top == 0 || (p >= 0) == (q >= 0) || p == 0 || q == 0 {
            // One direction only: with top = 0 the floor is constant.
            let upwards = if top == 0 || q == 0 { p > 0 } else { q > 0 };
            return at(if upwards { last } else { 0 });
        }
        // (end to try, first and following indices as a floor of y)
        let (end, w_turned) = if p < 0 {
            // The first index with floor y = 1, 2, …, top.
            (0, m - w + u - 1)
        } else {
            // The last index with floor y = 0, 1, …, top − 1.
            (last, m - w - 1)
        };
        let turned = Sawtooth { p: q, q: p, u: m, w: w_turned, m: u, len: top };
        let inner = at((m.checked_mul(turned.maximum()?.index)? + w_turned) / u)?;
        let outer = at(end)?;
        Some(if inner.value > outer.value { inner } else { outer })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(s: &Sawtooth, i: i128) -> i128 {
        s.p * i + s.q * (s.u * i + s.w).div_euclid(s.m)
    }

    #[test]
    fn agrees_with_walking() {
        // A fixed stream of small parameters.
        let mut state = 1u64;
        let mut draw = |lo: i128, hi: i128| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            lo + i128::from(state >> 33) % (hi - lo + 1)
        };
        for _ in 0..100_000 {
            let s = Sawtooth {
                p: draw(-9, 9),
                q: draw(-12, 12),
                u: draw(-30, 30),
                w: draw(-30, 30),
                m: draw(1, 20),
                len: draw(1, 30),
            };
            let all = (0..s.len).map(|i| value(&s, i));
            let (largest, smallest) = (s.maximum().expect("fits"), s.minimum().expect("fits"));
            assert_eq!(Some(largest.value), all.clone().max(), "{s:?}");
            assert_eq!(Some(smallest.value), all.min(), "{s:?}");
            for found in [largest, smallest] {
                assert!((0..s.len).contains(&found.index), "{s:?}");
                assert_eq!(value(&s, found.index), found.value, "{s:?}");
            }
        }
    }

    #[test]
    fn long_intervals() {
        let s = Sawtooth { p: 1, q: -2, u: 3, w: 1, m: 7, len: 10 };
        assert_eq!(s.maximum().map(|found| found.value), Some(2));
        // Fibonacci numbers are the slowest for Euclid's algorithm.
        let (mut a, mut b) = (1i128, 1i128);
        while b < 1 << 60 {
            (a, b) = (b, a + b);
        }
        let s = Sawtooth { p: a, q: -b, u: a, w: 0, m: b, len: 1 << 60 };
        let largest = s.maximum().expect("fits");
        assert_eq!(value(&s, largest.index), largest.value);
        assert!(largest.value >= b - a);
        assert_eq!(Sawtooth { p: i128::MAX, len: 3, ..s }.maximum(), None);
    }
}
