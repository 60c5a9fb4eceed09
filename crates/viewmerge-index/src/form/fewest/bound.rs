//! Linear forms over the columns of an engine, and bounds on them.

use alloc::vec::Vec;

use lattice_point::{Number, Overflow, Row};

/// (c, a …): c + Σ a·z over the columns of an engine.
pub(super) type Form = Vec<i128>;

/// low ≤ form ≤ high, the constant of the form being 0.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bound {
    pub form: Form,
    pub low: Option<i128>,
    pub high: Option<i128>,
}

impl Bound {
    pub(super) fn admits(&self, point: &[i128]) -> bool {
        let value = value(&self.form, point);
        self.low.is_none_or(|low| low <= value) && self.high.is_none_or(|high| value <= high)
    }

    /// Whether it implies another bound on the same form.
    pub(super) fn is_within(&self, other: &Bound) -> bool {
        self.form == other.form
            && other.low.is_none_or(|low| self.low.is_some_and(|own| own >= low))
            && other.high.is_none_or(|high| self.high.is_some_and(|own| own <= high))
    }

    /// The ends, missed: on the low side and on the high one.
    pub(super) fn violations(&self) -> impl Iterator<Item = Bound> {
        let below = self.low.map(|low| (None, Some(low.saturating_sub(1))));
        let above = self.high.map(|high| (Some(high.saturating_add(1)), None));
        let missed = below.into_iter().chain(above);
        missed.map(|(low, high)| Bound { form: self.form.clone(), low, high })
    }

    pub(super) fn row(&self) -> Row<i128> {
        Row { form: self.form[1..].to_vec(), low: self.low, high: self.high }
    }
}

/// The value of a form at a point; it saturates.
pub(super) fn value(form: &[i128], point: &[i128]) -> i128 {
    let mut sum = 0i128;
    for (&a, &b) in form.iter().zip(point) {
        if a != 0 {
            // Almost all numbers fit 64 bits, where a product takes one instruction.
            let product = match (i64::try_from(a), i64::try_from(b)) {
                (Ok(a), Ok(b)) => i128::from(a) * i128::from(b),
                _ => a.saturating_mul(b),
            };
            sum = sum.saturating_add(product);
        }
    }
    sum
}

/// ⌊a / divisor⌋ for a divisor above 0.
pub(super) fn quotient(a: i128, divisor: i128) -> i128 {
    match (i64::try_from(a), i64::try_from(divisor)) {
        (Ok(a), Ok(divisor)) => a.div_euclid(divisor).into(),
        _ => a.div_euclid(divisor),
    }
}

/// Adds a bound in its simplest form, to the one with the same form if there is one.
pub(super) fn push(bounds: &mut Vec<Bound>, mut bound: Bound) -> Result<(), Overflow> {
    let mut common = 0i128;
    for entry in &bound.form[1..] {
        common = common.gcd(entry)?;
    }
    if common == 0 {
        // Always or never; never is left to the search.
        if bound.low.is_some_and(|low| low > 0) || bound.high.is_some_and(|high| high < 0) {
            bounds.push(bound);
        }
        return Ok(());
    }
    let leading = bound.form[1..].iter().find(|c| **c != 0).copied().unwrap_or(1);
    let unit = if leading < 0 { -common } else { common };
    bound.form.iter_mut().for_each(|c| *c /= unit);
    if unit < 0 {
        let opposite = |end: Option<i128>| end.map(|end| end.negated()).transpose();
        (bound.low, bound.high) = (opposite(bound.high)?, opposite(bound.low)?);
    }
    bound.low = bound.low.map(|low| low.divided_up(&common)).transpose()?;
    bound.high = bound.high.map(|high| high.divided_down(&common));
    match bounds.iter_mut().find(|known| known.form == bound.form) {
        None => bounds.push(bound),
        Some(known) => {
            known.low = known.low.max(bound.low);
            known.high = match (known.high, bound.high) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
    }
    Ok(())
}
