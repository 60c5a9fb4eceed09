//! How much memory and time checking one certificate may take.
//!
//! Everything that grows with a text is charged before it is made, at its cost: numbers by their length,
//! lists by their entries (three times, because a growing list exists twice while it moves), forms by their
//! terms, and every arithmetic operation by the words it touches. A step is about a nanosecond. So one
//! bound holds for every text, however it is built. A text that would exceed it is refused as too large,
//! which says nothing about whether it holds.

use std::cell::Cell;

use crate::number::{Divisor, Integer};
use crate::refusal::{Resource, TooLarge};

/// The most bytes a certificate may use at any one time.
const MOST_BYTES: u64 = 1 << 28;

/// The most steps.
const MOST_STEPS: u64 = 1 << 32;

/// The resources that one certificate has used so far.
#[derive(Default)]
pub(crate) struct Budget {
    bytes: Cell<u64>,
    steps: Cell<u64>,
}

impl Budget {
    /// Charges memory.
    pub(crate) fn hold(&self, bytes: u64) -> Result<(), TooLarge> {
        self.bytes.set(self.bytes.get().saturating_add(bytes));
        if self.bytes.get() > MOST_BYTES {
            return Err(TooLarge { resource: Resource::Bytes, limit: MOST_BYTES });
        }
        Ok(())
    }

    /// Charges another entry of a list.
    pub(crate) fn entry<T>(&self) -> Result<(), TooLarge> {
        self.hold(3 * size_of::<T>() as u64)
    }

    /// The bytes in use now, to be passed to [`Budget::release`].
    pub(crate) fn held(&self) -> u64 {
        self.bytes.get()
    }

    /// Releases what was charged since.
    pub(crate) fn release(&self, held: u64) {
        self.bytes.set(held);
    }

    /// Charges time.
    pub(crate) fn spend(&self, steps: u64) -> Result<(), TooLarge> {
        self.steps.set(self.steps.get().saturating_add(steps));
        if self.steps.get() > MOST_STEPS {
            return Err(TooLarge { resource: Resource::Steps, limit: MOST_STEPS });
        }
        Ok(())
    }

    /// Charges an operation whose cost in words is the product of two lengths.
    fn spend_on(&self, a: u64, b: u64) -> Result<(), TooLarge> {
        // Long numbers are on the heap, which is slow to begin with.
        let start = if a.max(b) == 1 { 16 } else { 256 };
        self.spend(a.saturating_mul(b).saturating_mul(2).saturating_add(start))
    }

    pub(crate) fn product(&self, a: &Integer, b: &Integer) -> Result<Integer, TooLarge> {
        self.spend_on(a.words(), b.words())?;
        Ok(a * b)
    }

    pub(crate) fn sum(&self, a: &Integer, b: &Integer) -> Result<Integer, TooLarge> {
        self.spend_on(a.words().max(b.words()), 1)?;
        Ok(a + b)
    }

    /// Quotient and remainder.
    pub(crate) fn divided(
        &self,
        a: &Integer,
        by: &Divisor,
    ) -> Result<(Integer, Integer), TooLarge> {
        // Both are computed, one after the other.
        let (long, short) = (a.words(), by.get().words());
        self.spend_on(2 * short, (long + 1).saturating_sub(short))?;
        self.spend_on(long, 4)?;
        Ok(a.divided(by))
    }

    /// Reads a number like [`Integer::read`]; the time is quadratic in its length.
    pub(crate) fn read(&self, text: &str) -> Result<Option<Integer>, TooLarge> {
        let words = text.len() as u64 / 19 + 1;
        self.spend_on(words, words)?;
        let number = Integer::read(text);
        self.hold(number.as_ref().map_or(0, Integer::heap))?;
        Ok(number)
    }
}
