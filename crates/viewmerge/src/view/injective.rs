//! Whether two valid indices of a view share a memory position.
//!
//! They do exactly when Σ stride·x = 0 for some x ≠ 0 with |x| < extent on
//! every axis: a bounded linear Diophantine equation. Deciding it is NP-hard
//! when the number of axes is unbounded; the views programs make are settled
//! by the first two tests, in O(axes · log axes):
//!
//! - sorted by size, every stride exceeds the reach of all smaller ones: injective;
//! - more valid indices than positions in their range: not injective.
//!
//! Otherwise a search over the axes, largest stride first, in which the reach
//! and the greatest common divisor of the smaller strides cut the choices and
//! the last two axes are a closed form. Example: `(3,2):(2,3)` is injective,
//! `(4,3):(2,3)` is not, since 2·3 = 3·2.
//!
//! Overflow policy: `i128`; by V7 every sum here is below 2^65 and every
//! residue below 2^63, so a product of two residues fits.

use smallvec::SmallVec;

use crate::arith::{divide_up_wide, gcd_wide as gcd};
use crate::dims::INLINE_AXES;
use crate::error::Error;
use crate::limit::{Exhausted, Limit, Meter};
use crate::view::View;

impl View {
    /// Whether no memory position is touched by two valid indices.
    ///
    /// # Errors
    ///
    /// [`Error::Undecided`] if the limit is reached first.
    ///
    /// ```
    /// use viewmerge::{Limit, View};
    ///
    /// assert!("(3,2):(2,3)".parse::<View>()?.is_injective(&Limit::none())?);
    /// assert!(!"(4,3):(2,3)".parse::<View>()?.is_injective(&Limit::none())?);
    /// assert!(!"(2,3):(0,1)".parse::<View>()?.is_injective(&Limit::none())?);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn is_injective(&self, limit: &Limit<'_>) -> Result<bool, Error> {
        let mut meter = Meter::new(limit);
        meter.spend(1).map_err(Exhausted::undecided)?;
        if !self.has_valid_index() {
            return Ok(true);
        }
        let mut axes: SmallVec<[Axis; INLINE_AXES]> = (0..self.rank())
            .map(|axis| {
                let (lo, hi) = self.interval(axis);
                let stride = i128::from(self.strides()[axis]).abs();
                Axis { stride, last: i128::from(hi - lo - 1), reach: 0, divisor: 0 }
            })
            .filter(|axis| axis.last > 0)
            .collect();
        axes.sort_unstable_by_key(|axis| axis.stride);
        let (mut reach, mut divisor, mut indices) = (0, 0, 1);
        let mut clear = true;
        for axis in &mut axes {
            clear &= axis.stride > reach;
            (axis.reach, axis.divisor) = (reach, divisor);
            reach += axis.stride * axis.last;
            divisor = gcd(axis.stride, divisor);
            indices *= axis.last + 1;
        }
        if clear {
            return Ok(true);
        }
        // Not clear, so there is an axis; a zero stride alone decides.
        if axes[0].stride == 0 || indices > reach / divisor + 1 {
            return Ok(false);
        }
        collides(&axes, 0, false, &mut meter).map(|found| !found).map_err(Exhausted::undecided)
    }
}

struct Axis {
    /// |stride|.
    stride: i128,
    /// Largest difference of two indices on this axis.
    last: i128,
    /// Σ stride·last over the axes with smaller strides.
    reach: i128,
    /// Greatest common divisor of the smaller strides; 0 if there are none.
    divisor: i128,
}

/// Whether target + Σ stride·x = 0 for some x within the axes, not all zero unless `moved`.
///
/// Before the first non-zero x the target is 0, and x ≥ 0 loses nothing by symmetry.
fn collides(
    axes: &[Axis],
    target: i128,
    moved: bool,
    meter: &mut Meter,
) -> Result<bool, Exhausted> {
    meter.spend(1)?;
    let Some((axis, smaller)) = axes.split_last() else {
        return Ok(moved && target == 0);
    };
    let last_two = smaller.len() == 1;
    let floor = if moved { -axis.last } else { i128::from(last_two) };
    let lo = divide_up_wide(-axis.reach - target, axis.stride).max(floor);
    let hi = (axis.reach - target).div_euclid(axis.stride).min(axis.last);
    if smaller.is_empty() {
        // Here reach = 0: at most the one x with stride·x = −target is left.
        return Ok(lo <= hi && axis.stride * lo == -target && (moved || lo != 0));
    }
    // divisor | target + stride·x  ⇔  x ≡ start (mod period)
    let common = gcd(axis.stride, axis.divisor);
    if target % common != 0 {
        return Ok(false);
    }
    let period = axis.divisor / common;
    let wanted = (-target / common).rem_euclid(period);
    let start = (wanted * inverse(axis.stride / common, period)).rem_euclid(period);
    let mut x = lo + (start - lo).rem_euclid(period);
    if last_two {
        // The one smaller stride divides what is left and reaches it.
        return Ok(x <= hi);
    }
    while x <= hi {
        if collides(smaller, target + axis.stride * x, moved || x != 0, meter)? {
            return Ok(true);
        }
        x += period;
    }
    Ok(false)
}

/// The inverse of `a` modulo `m`, where the two are coprime; 0 for m = 1.
fn inverse(a: i128, m: i128) -> i128 {
    let (mut r, mut next_r) = (m, a.rem_euclid(m));
    let (mut t, mut next_t) = (0, 1);
    while next_r != 0 {
        let quotient = r / next_r;
        (r, next_r) = (next_r, r - quotient * next_r);
        (t, next_t) = (next_t, t - quotient * next_t);
    }
    t.rem_euclid(m)
}

#[cfg(test)]
mod tests {
    use crate::limit::Limit;
    use crate::view::View;

    #[test]
    fn agrees_with_listing_all_positions() {
        let mut seen = [0u32; 2];
        for a in 1..6i64 {
            for (b, c) in (-4..7i64).flat_map(|b| (-3..9i64).map(move |c| (b, c))) {
                for shape in [[2i64, 3, 4], [4, 2, 2], [3, 3, 1], [2, 2, 5]] {
                    let view = View::strided(&shape, &[a, b, c], 0).expect("small");
                    let mut all: Vec<_> = view.positions().collect();
                    all.sort_unstable();
                    let distinct = all.windows(2).all(|pair| pair[0] != pair[1]);
                    assert_eq!(view.is_injective(&Limit::none()), Ok(distinct), "{view}");
                    seen[usize::from(distinct)] += 1;
                }
            }
        }
        assert!(seen[0] > 500 && seen[1] > 500, "{seen:?}");
    }

    #[test]
    fn large_extents_are_not_walked() {
        let rows = [
            ("(1000000000000,1000):(1000,1)", true),
            ("(1000000000000,1001):(1000,1)", false),
            ("(1000000007,1000000009):(1000000009,1000000007)", true),
            ("(1000000007,1000000008):(1000000009,1000000007)", true),
            ("(1000000008,1000000010):(1000000009,1000000007)", false),
        ];
        for (text, injective) in rows {
            let view: View = text.parse().expect(text);
            assert_eq!(view.is_injective(&Limit::none()), Ok(injective), "{text}");
        }
    }
}
