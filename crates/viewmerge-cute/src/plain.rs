//! Whether a swizzled layout is a plain one.
//!
//! For bits, z xor y = z + y − 2·z·y. If at most three of the four pairs (y, z) occur in the values of L,
//! the product is affine in y and z. The swizzle is then a view over the bits, and the split of that view
//! over L's view decides. Which pairs occur is also decided on the views. If all four occur for some bit,
//! the layout is walked, up to 65,536 positions.
//!
//! Example: `Sw<1,0,1> o 0 o 4:1` reads 0, 1, 3, 2 and is not a plain layout; `Sw<1,0,1> o 0 o 2:2` reads
//! 0, 3 and is 2:3.

use std::fmt;
use std::sync::atomic::AtomicU64;

use viewmerge::{Limit, SplitView, Validity, Verdict, View, ViewChain};

use crate::answer::NoLayout;
use crate::compose::{in_modes, rebuilt};
use crate::error::Error;
use crate::layout::{Layout, Mode, coordinates, value_at};
use crate::swizzled::Swizzled;

/// The most positions to walk.
const MOST_WALKED: i64 = 1 << 16;

/// Whether a swizzled layout is a plain one, and which.
///
/// ```
/// use viewmerge_cute::{Limit, Plain, Swizzled};
///
/// let swizzled: Swizzled = "Sw<1,0,1> o 0 o 2:2".parse()?;
/// let plain = swizzled.plain(&Limit::none())?;
/// assert_eq!(plain, Plain::Layout { offset: 0, layout: "2:3".parse()? });
/// let swizzled: Swizzled = "Sw<1,0,1> o 0 o 4:1".parse()?;
/// assert_eq!(
///     swizzled.plain(&Limit::none())?.to_string(),
///     "no layout: along mode 0 the move by 2, which must be a digit, is 3 from (0), but from (1) it is 1",
/// );
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Plain {
    /// It is this layout plus an offset.
    Layout {
        /// The offset.
        offset: i64,
        /// The layout.
        layout: Layout,
    },
    /// No layout, with or without an offset, is this function.
    None(NoLayout),
}

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Plain::Layout { offset: 0, layout } => write!(f, "{layout}"),
            Plain::Layout { offset, layout } => write!(f, "{offset} + {layout}"),
            Plain::None(none) => write!(f, "no layout: {none}"),
        }
    }
}

impl Swizzled {
    /// Whether this is a plain layout, up to an offset.
    ///
    /// # Errors
    ///
    /// [`Error::Undecided`] if all pairs of bits occur and the layout is too large to walk, or if the limit
    /// is reached first.
    ///
    /// ```
    /// use viewmerge_cute::{Limit, Swizzled};
    ///
    /// // Every row is long enough not to touch the bits that are mixed in.
    /// let rows: Swizzled = "Sw<3,3,3> o 0 o (8,1000000000):(1,512)".parse()?;
    /// assert_eq!(rows.plain(&Limit::none())?.to_string(), "(8,1000000000):(1,512)");
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn plain(&self, limit: &Limit<'_>) -> Result<Plain, Error> {
        let spent = AtomicU64::new(0);
        let limit = &limit.sharing(&spent);
        let above = self.before()?;
        let Some(bits) = self.bits_view(&above, limit)? else {
            return self.walked(limit);
        };
        Ok(match ViewChain::from_views(&[bits, above])?.split(limit)? {
            Ok(SplitView { split, view, .. }) => {
                let digits = split.shape().into_iter().zip(view.strides().iter().copied()).rev();
                let layout = rebuilt(&self.layout, &split, digits)?;
                Plain::Layout { offset: view.offset(), layout }
            }
            Err(none) => Plain::None(in_modes(none, &self.layout.leaves())),
        })
    }

    /// The swizzle as a view over the bits of the values that occur; `None` if it is not a view.
    fn bits_view(&self, above: &View, limit: &Limit<'_>) -> Result<Option<View>, Error> {
        let (from, to) = self.swizzle.lowest();
        let largest = above.position_range().map_or(0, |(_, last)| last);
        let mut weights = [0i64; 62];
        for (bit, weight) in weights.iter_mut().enumerate() {
            *weight = 1 << bit;
        }
        let mut offset = 0;
        let mut single = 0u64;
        for bit in 0..self.swizzle.bits() {
            let (y, z) = (from + bit, to + bit);
            if largest >> y == 0 {
                // The bit that would be mixed in is always 0.
                continue;
            }
            single |= 1 << y | 1 << z;
            let occurs = pairs_that_occur(above, y, z, limit)?;
            let Some((by_y, by_z, always)) = product(&occurs) else { return Ok(None) };
            weights[y as usize] += (1 << z) * (1 - 2 * by_y);
            weights[z as usize] -= (1 << z) * 2 * by_z;
            offset -= (1 << z) * 2 * always;
        }
        let top = 64 - largest.leading_zeros();
        let (mut shape, mut strides) = (Vec::new(), Vec::new());
        let mut bit = 0;
        while bit < top {
            let alone = |bit: u32| single >> bit & 1 == 1;
            let mut end = bit + 1;
            while !alone(bit) && end < top && !alone(end) {
                end += 1;
            }
            shape.insert(0, 1 << (end - bit));
            strides.insert(0, weights[bit as usize]);
            bit = end;
        }
        Ok(Some(View::strided(&shape, &strides, offset)?))
    }

    /// The same question, answered by walking all values.
    fn walked(&self, limit: &Limit<'_>) -> Result<Plain, Error> {
        let size = self.layout.size();
        if size > MOST_WALKED {
            let why = "the bits that are mixed take all four values, and more than 65536 positions \
                       are not walked";
            return Err(Error::Undecided { op: "plain", why });
        }
        let leaves = self.layout.leaves();
        let value = |position: i64| {
            self.swizzle.apply(self.offset + value_at(&leaves, position)).unwrap_or(0)
        };
        // A few steps for every value.
        let steps = u64::try_from(size).unwrap_or(u64::MAX);
        limit.spend(steps)?;
        let offset = value(0);
        let mut factors: Vec<Vec<(i64, i64)>> = Vec::new();
        let mut place = 1;
        for (mode, &(size, _)) in leaves.iter().enumerate() {
            limit.spend(1)?;
            match digits_along(size, |x| value(place * x) - offset) {
                Ok(digits) => factors.push(digits),
                Err((finer, next)) => {
                    let none = NoLayout::OffGrid { mode, size, place: finer, next };
                    return Ok(Plain::None(none));
                }
            }
            place *= size;
        }
        let all: Vec<(i64, i64)> = factors.iter().flatten().copied().collect();
        for position in 0..size {
            if position % 1024 == 0 {
                limit.spend(1)?;
            }
            if value(position) != offset + value_at(&all, position) {
                return Ok(Plain::None(self.uneven(&factors, position, value)));
            }
        }
        let mut modes = factors.into_iter();
        let mode =
            self.layout.mode().map(&mut |_, _| Mode::of_leaves(modes.next().unwrap_or_default()));
        Ok(Plain::Layout { offset, layout: Layout::new(mode)? })
    }

    /// Two moves by one digit that differ: the value at a position is not the sum of its digits' values.
    fn uneven(
        &self,
        factors: &[Vec<(i64, i64)>],
        position: i64,
        value: impl Fn(i64) -> i64,
    ) -> NoLayout {
        // Remove one digit after another: some step differs from the same step at 0.
        let (mut at, mut whole) = (position, 1);
        let mut steps = Vec::new();
        for (mode, digits) in factors.iter().enumerate() {
            let mut place = 1;
            for &(size, stride) in digits {
                steps.push((mode, place, whole, size, stride));
                place *= size;
                whole *= size;
            }
        }
        let leaves = self.layout.leaves();
        for &(mode, by, whole, size, stride) in steps.iter().rev() {
            while at / whole % size > 0 {
                let step = value(at) - value(at - whole);
                if step != stride {
                    return NoLayout::Uneven {
                        mode,
                        by,
                        at: coordinates(&leaves, 0),
                        step: stride,
                        other: coordinates(&leaves, at - whole),
                        other_step: step,
                    };
                }
                at -= whole;
            }
        }
        NoLayout::NoDigits { ways: 0, below: 0 }
    }
}

/// The digits (size, stride) that a function on `0..size`, with value 0 at 0, must have.
fn digits_along(size: i64, value: impl Fn(i64) -> i64) -> Result<Vec<(i64, i64)>, (i64, i64)> {
    let mut digits = Vec::new();
    let mut place = 1;
    while place < size {
        let stride = value(place);
        let most = (size - 1) / place + 1;
        let length = (2..most).find(|&k| value(place * k) != stride * k).unwrap_or(most);
        let next = if length == most { size } else { place * length };
        if next % place != 0 || size % next != 0 {
            return Err((if size % place == 0 { next } else { place }, size));
        }
        digits.push((next / place, stride));
        place = next;
    }
    if digits.is_empty() {
        digits.push((1, 0));
    }
    Ok(digits)
}

/// Which pairs of two bits occur among the values of a view, indexed by y·2 + z.
fn pairs_that_occur(above: &View, y: u32, z: u32, limit: &Limit<'_>) -> Result<[bool; 4], Error> {
    let largest = above.position_range().map_or(0, |(_, last)| last);
    let (high, low) = (y.max(z), y.min(z));
    let shape = [(largest >> (high + 1)) + 1, 2, 1 << (high - low - 1), 2, 1 << low];
    let contiguous = View::contiguous(&shape)?;
    let mut occurs = [false; 4];
    for (number, occurs) in occurs.iter_mut().enumerate() {
        let (y_bit, z_bit) = ((number / 2) as i64, (number % 2) as i64);
        let (upper, lower) = if y > z { (y_bit, z_bit) } else { (z_bit, y_bit) };
        let bounds =
            [(0, shape[0]), (upper, upper + 1), (0, shape[2]), (lower, lower + 1), (0, shape[4])];
        let masked = contiguous.masked(&bounds)?;
        *occurs = match viewmerge::merge(&[masked, above.clone()], limit)? {
            Verdict::Merged(view) => view.validity() != &Validity::Nothing,
            Verdict::NotMergeable(_) => true,
        };
    }
    Ok(occurs)
}

/// Writes y·z as a·y + b·z + c on the pairs that occur, if possible.
fn product(occurs: &[bool; 4]) -> Option<(i64, i64, i64)> {
    let pairs = || (0..4i64).filter(|&k| occurs[k as usize]).map(|k| (k / 2, k % 2));
    let candidates = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, -1)];
    candidates.into_iter().find(|&(a, b, c)| pairs().all(|(y, z)| y * z == a * y + b * z + c))
}
