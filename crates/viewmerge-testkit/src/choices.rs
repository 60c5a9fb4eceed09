//! Decisions drawn from a list of bytes.

/// A cursor over bytes; when they run out, every choice is the first one.
pub struct Choices<'a> {
    bytes: &'a [u8],
}

impl<'a> Choices<'a> {
    /// Starts at the first byte.
    pub fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices { bytes }
    }

    fn byte(&mut self) -> u8 {
        match self.bytes.split_first() {
            Some((&first, rest)) => {
                self.bytes = rest;
                first
            }
            None => 0,
        }
    }

    /// A number in `0..n`; 0 for n ≤ 1.
    pub fn below(&mut self, n: i64) -> i64 {
        if n <= 1 {
            return 0;
        }
        let mut value = u64::from(self.byte());
        let mut room = 256u64;
        while room < n.unsigned_abs() {
            value = value.wrapping_mul(256) | u64::from(self.byte());
            room = room.saturating_mul(256);
        }
        (value % n.unsigned_abs()) as i64
    }

    /// A number in `lo..=hi`; the one nearest to 0 comes first.
    pub fn between(&mut self, lo: i64, hi: i64) -> i64 {
        let nearest = 0i64.clamp(lo, hi.max(lo));
        let shifted = nearest - lo + self.below(hi - lo + 1);
        lo + shifted.rem_euclid((hi - lo + 1).max(1))
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: i64) -> bool {
        self.below(n) == n - 1
    }

    /// One of some items.
    pub fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as i64) as usize].clone()
    }
}
