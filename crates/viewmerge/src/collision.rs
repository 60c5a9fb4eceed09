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
//! Otherwise the system is asked, once for every axis that may be the first on
//! which the two indices differ. Example: `(3,2):(2,3)` is injective,
//! `(4,3):(2,3)` is not, since 2·3 = 3·2.
//!
//! Overflow policy: `i128`; by V7 every sum here is below 2^65.

use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::arith::gcd_wide as gcd;
use crate::dims::{Dims, INLINE_AXES, Index};
use crate::error::Error;
use crate::limit::{Limit, Meter};
use crate::view::View;
use lattice_point::{Encode, System};

/// # Questions
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
        let mut meter = limit.meter();
        let (axes, crowded) = self.sort_axes(&mut meter)?;
        Ok(!crowded && find_collision(&axes, &mut meter)?.is_none())
    }

    /// Two valid indices at one memory position, if there are any.
    ///
    /// # Errors
    ///
    /// [`Error::Undecided`] if the limit is reached first.
    ///
    /// ```
    /// use viewmerge::{Limit, View};
    ///
    /// let view: View = "(3,4):(3,2)".parse()?;
    /// let [one, other] = view.collision(&Limit::none())?.unwrap();
    /// assert_eq!((one.as_slice(), other.as_slice()), (&[0, 3][..], &[2, 0][..]));
    /// assert_eq!("(3,2):(2,3)".parse::<View>()?.collision(&Limit::none())?, None);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn collision(&self, limit: &Limit<'_>) -> Result<Option<[Index; 2]>, Error> {
        let mut meter = limit.meter();
        let (axes, _) = self.sort_axes(&mut meter)?;
        let Some((first, point)) = find_collision(&axes, &mut meter)? else { return Ok(None) };
        let low: Dims = (0..self.rank()).map(|axis| self.interval(axis).0).collect();
        let mut pair = [low.clone(), low];
        for (axis, &moved) in axes[first..].iter().zip(&point) {
            // |stride|·moved is stride·moved, or stride·(−moved).
            let forward = (moved > 0) == (self.strides()[axis.number] >= 0);
            let by = i64::try_from(moved.abs()).unwrap_or(0);
            pair[usize::from(!forward)][axis.number] += by;
        }
        Ok(Some(pair.map(Index::new)))
    }

    /// The axes with two or more valid indices, sorted by stride, and whether there are too many
    /// indices for all to be apart; no axes if the strides show that all are.
    fn sort_axes(
        &self,
        meter: &mut Meter<'_>,
    ) -> Result<(SmallVec<[Axis; INLINE_AXES]>, bool), Error> {
        meter.spend(1)?;
        if !self.has_valid_index() {
            return Ok((SmallVec::new(), false));
        }
        let mut axes: SmallVec<[Axis; INLINE_AXES]> = (0..self.rank())
            .map(|number| {
                let (lo, hi) = self.interval(number);
                let stride = i128::from(self.strides()[number]).abs();
                Axis { number, stride, last: i128::from(hi - lo - 1) }
            })
            .filter(|axis| axis.last > 0)
            .collect();
        axes.sort_unstable_by_key(|axis| axis.stride);
        let (mut reach, mut divisor, mut indices) = (0, 0, 1);
        let mut clear = true;
        for axis in &axes {
            clear &= axis.stride > reach;
            reach += axis.stride * axis.last;
            divisor = gcd(axis.stride, divisor);
            indices *= axis.last + 1;
        }
        if clear {
            return Ok((SmallVec::new(), false));
        }
        // Not clear, so there is an axis; a zero stride alone decides.
        let crowded = axes[0].stride == 0 || indices > reach / divisor + 1;
        Ok((axes, crowded))
    }
}

/// The first axis on which two colliding indices differ, and by how much they differ on it and on
/// the axes behind it.
fn find_collision(
    axes: &[Axis],
    meter: &mut Meter<'_>,
) -> Result<Option<(usize, Vec<i128>)>, Error> {
    if let Some(axis) = axes.iter().position(|axis| axis.stride == 0) {
        return Ok(Some((axis, vec![1])));
    }
    for first in 0..axes.len() {
        // Σ stride·x = 0, where x is above 0 on the first axis and 0 on those before it.
        let moving = &axes[first..];
        let mut system = System::new(moving.len());
        system.push(moving.iter().map(|axis| axis.stride).collect(), Some(0), Some(0));
        for (k, axis) in moving.iter().enumerate() {
            system.bound(k, Some(if k == 0 { 1 } else { -axis.last }), Some(axis.last));
        }
        if let Some(point) = system.point(meter)? {
            return Ok(Some((first, point)));
        }
    }
    Ok(None)
}

struct Axis {
    /// Which axis of the view it is.
    number: usize,
    /// |stride|.
    stride: i128,
    /// Largest difference of two indices on this axis.
    last: i128,
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
                    let found = view.collision(&Limit::none()).expect("small");
                    assert_eq!(found.is_none(), distinct, "{view}");
                    if let Some([one, other]) = found {
                        assert_ne!(one, other, "{view}");
                        assert_eq!(view.index(&one), view.index(&other), "{view}");
                        assert!(view.index(&one).is_ok_and(|p| p.is_some()), "{view}");
                    }
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
