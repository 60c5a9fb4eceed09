//! Swizzles: some bits of a value mixed into others.
//!
//! `Sw<B,M,S>` takes B bits of a value, S places above bit M, and adds them without
//! carry to the B bits from M on: z becomes z xor y. Composed with a layout it is a
//! function, `Sw<B,M,S> o offset o L`, which is seldom a layout itself.
//!
//! Whether it is one can be decided. For bits, z xor y = z + y − 2·z·y. If among the
//! four pairs (y, z) at most three occur in the values of L, the product is affine in
//! y and z, so the swizzle is a view over the bits, and the split of that view over
//! L's decides. Which pairs occur is asked of the views too. If all four occur for
//! some bit, the layout is walked, up to 65,536 positions.
//!
//! Example: `Sw<1,0,1> o 0 o 4:1` reads 0, 1, 3, 2 and is none; `Sw<1,0,1> o 0 o 2:2`
//! reads 0, 3 and is 2:3.

use std::fmt;
use std::str::FromStr;

use viewmerge::{Limit, Splitting, Validity, Verdict, View};

use crate::answer::{Answer, NoLayout};
use crate::compose::{compose, in_modes, rebuilt};
use crate::error::Error;
use crate::layout::{Layout, Mode, coordinates, value_at};
use crate::notation::Reader;

/// The most positions that are walked.
const MOST_WALKED: i64 = 1 << 16;

/// `Sw<bits,base,shift>`: mixes `bits` bits into those from bit `base` on, from `shift` places
/// above; from below for a negative shift.
///
/// ```
/// use viewmerge_cute::Swizzle;
///
/// let swizzle = Swizzle::new(2, 0, 3)?;
/// assert_eq!(swizzle.apply(0b01_010), Some(0b01_011));
/// assert_eq!(swizzle.apply(-1), None);
/// assert!(Swizzle::new(3, 0, 2).is_err());
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Swizzle {
    bits: u32,
    base: u32,
    shift: i32,
}

impl Swizzle {
    /// A swizzle of these numbers.
    ///
    /// # Errors
    ///
    /// If the bits that are mixed and those that change overlap, or lie beyond bit 61.
    ///
    /// ```
    /// use viewmerge_cute::Swizzle;
    ///
    /// assert_eq!(Swizzle::new(3, 4, 3)?.to_string(), "Sw<3,4,3>");
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn new(bits: i64, base: i64, shift: i64) -> Result<Swizzle, Error> {
        let refuse = |why| Err(Error::Swizzle { bits, base, shift, why });
        match (u32::try_from(bits), u32::try_from(base), i32::try_from(shift)) {
            (Ok(small), Ok(low), Ok(apart)) if small <= 62 && low <= 62 => {
                if apart.unsigned_abs() < small {
                    return refuse("the shift must be at least the number of bits, either way");
                }
                if apart.unsigned_abs() > 62 || small + low + apart.unsigned_abs() > 62 {
                    return refuse("all its bits must lie below bit 62");
                }
                Ok(Swizzle { bits: small, base: low, shift: apart })
            }
            _ => refuse("bits and base must be 0 or more, and all bits below bit 62"),
        }
    }

    /// Where the bits that are mixed in start, and those that change.
    fn lowest(self) -> (u32, u32) {
        let apart = self.shift.unsigned_abs();
        if self.shift >= 0 {
            (self.base + apart, self.base)
        } else {
            (self.base, self.base + apart)
        }
    }

    /// The value that a value becomes; `None` for a negative one.
    ///
    /// ```
    /// use viewmerge_cute::Swizzle;
    ///
    /// assert_eq!(Swizzle::new(1, 0, 1)?.apply(2), Some(3));
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn apply(self, value: i64) -> Option<i64> {
        if value < 0 {
            return None;
        }
        let (from, to) = self.lowest();
        let mixed = (value >> from) & ((1 << self.bits) - 1);
        Some(value ^ (mixed << to))
    }
}

impl fmt::Display for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sw<{},{},{}>", self.bits, self.base, self.shift)
    }
}

/// A swizzled layout: the function `swizzle(offset + layout(i))`.
///
/// ```
/// use viewmerge_cute::Swizzled;
///
/// let swizzled: Swizzled = "Sw<1,0,1> o 0 o 4:1".parse()?;
/// let values: Vec<i64> = (0..4).map(|i| swizzled.at(i)).collect::<Result<_, _>>()?;
/// assert_eq!(values, [0, 1, 3, 2]);
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Swizzled {
    swizzle: Swizzle,
    offset: i64,
    layout: Layout,
}

/// Whether a swizzled layout is a plain one.
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
    /// It is this layout, plus an offset.
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
    /// A swizzled layout.
    ///
    /// # Errors
    ///
    /// If some value before the swizzle is negative, or out of bounds.
    ///
    /// ```
    /// use viewmerge_cute::{Swizzle, Swizzled};
    ///
    /// let swizzle = Swizzle::new(1, 0, 1)?;
    /// assert_eq!(Swizzled::new(swizzle, 4, "4:1".parse()?)?.to_string(), "Sw<1,0,1> o 4 o 4:1");
    /// assert!(Swizzled::new(swizzle, 0, "4:-1".parse()?).is_err());
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn new(swizzle: Swizzle, offset: i64, layout: Layout) -> Result<Swizzled, Error> {
        let swizzled = Swizzled { swizzle, offset, layout };
        match swizzled.before()?.position_range() {
            Some((least, _)) if least < 0 => Err(Error::Operand {
                op: "a swizzle",
                why: "takes values of 0 or more, but the layout with the offset has smaller ones",
            }),
            _ => Ok(swizzled),
        }
    }

    /// The layout with the offset, as a view.
    fn before(&self) -> Result<View, Error> {
        let (shape, strides): (Vec<i64>, Vec<i64>) = self.layout.leaves().into_iter().rev().unzip();
        Ok(View::strided(&shape, &strides, self.offset)?)
    }

    /// The swizzle.
    ///
    /// ```
    /// use viewmerge_cute::{Swizzle, Swizzled};
    ///
    /// let swizzled: Swizzled = "Sw<1,0,1> o 0 o 4:1".parse()?;
    /// assert_eq!(swizzled.swizzle(), Swizzle::new(1, 0, 1)?);
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn swizzle(&self) -> Swizzle {
        self.swizzle
    }

    /// The layout before the swizzle.
    ///
    /// ```
    /// let swizzled: viewmerge_cute::Swizzled = "Sw<1,0,1> o 0 o 4:1".parse()?;
    /// assert_eq!(swizzled.layout().to_string(), "4:1");
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The value at a position.
    ///
    /// # Errors
    ///
    /// For a position outside the layout.
    ///
    /// ```
    /// let swizzled: viewmerge_cute::Swizzled = "Sw<1,0,1> o 4 o 4:1".parse()?;
    /// assert_eq!(swizzled.at(2)?, 7);
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn at(&self, position: i64) -> Result<i64, Error> {
        let value = self.layout.at(position)?;
        Ok(self.swizzle.apply(self.offset + value).unwrap_or(0))
    }

    /// The swizzled layout ∘ B, which swizzles the layout ∘ B.
    ///
    /// # Errors
    ///
    /// As [`compose`].
    ///
    /// ```
    /// use viewmerge_cute::{Limit, Swizzled};
    ///
    /// let swizzled: Swizzled = "Sw<1,0,1> o 0 o (4,2):(2,1)".parse()?;
    /// let rows = swizzled.compose(&"(2,4):(4,1)".parse()?, false, &Limit::none())?;
    /// assert_eq!(rows.map(|rows| rows.to_string()).unwrap(), "Sw<1,0,1> o 0 o (2,4):(1,2)");
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn compose(
        &self,
        b: &Layout,
        extend: bool,
        limit: &Limit<'_>,
    ) -> Result<Result<Swizzled, NoLayout>, Error> {
        Ok(match compose(&self.layout, b, extend, limit)? {
            Answer::Layout(layout) => Ok(Swizzled::new(self.swizzle, self.offset, layout)?),
            Answer::None(none) => Err(none),
        })
    }

    /// Whether this is a plain layout, up to an offset.
    ///
    /// # Errors
    ///
    /// [`Error::Undecided`] if all pairs of bits occur and the layout is too large to be walked; if the limit is
    /// reached first.
    ///
    /// ```
    /// use viewmerge_cute::{Limit, Swizzled};
    ///
    /// // Every row is long enough to leave the bits that are mixed in alone.
    /// let rows: Swizzled = "Sw<3,3,3> o 0 o (8,1000000000):(1,512)".parse()?;
    /// assert_eq!(rows.plain(&Limit::none())?.to_string(), "(8,1000000000):(1,512)");
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn plain(&self, limit: &Limit<'_>) -> Result<Plain, Error> {
        let above = self.before()?;
        let Some(bits) = self.bits_view(&above, limit)? else {
            return self.walked();
        };
        Ok(match viewmerge::split(&[bits, above], limit)? {
            Splitting::Split { split, view } => {
                let digits = split.shape().into_iter().zip(view.strides().iter().copied()).rev();
                let layout = rebuilt(&self.layout, &split, digits)?;
                Plain::Layout { offset: view.offset(), layout }
            }
            Splitting::None(none) => Plain::None(in_modes(none, &self.layout.leaves())),
        })
    }

    /// The swizzle as a view over the bits of the values that occur; `None` if it is none.
    fn bits_view(&self, above: &View, limit: &Limit<'_>) -> Result<Option<View>, Error> {
        let (from, to) = self.swizzle.lowest();
        let largest = above.position_range().map_or(0, |(_, last)| last);
        let mut weights = [0i64; 62];
        for (bit, weight) in weights.iter_mut().enumerate() {
            *weight = 1 << bit;
        }
        let mut offset = 0;
        let mut single = 0u64;
        for bit in 0..self.swizzle.bits {
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

    /// The same, by walking all values.
    fn walked(&self) -> Result<Plain, Error> {
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
        let offset = value(0);
        let mut factors: Vec<Vec<(i64, i64)>> = Vec::new();
        let mut place = 1;
        for (mode, &(size, _)) in leaves.iter().enumerate() {
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
        if let Some(position) = (0..size).find(|&i| value(i) != offset + value_at(&all, i)) {
            return Ok(Plain::None(self.uneven(&factors, position, value)));
        }
        let mut modes = factors.into_iter();
        let mode =
            self.layout.mode().map(&mut |_, _| Mode::of_leaves(modes.next().unwrap_or_default()));
        Ok(Plain::Layout { offset, layout: Layout::new(mode)? })
    }

    /// Two moves by one digit that differ: the value at a position is not the sum of its digits.
    fn uneven(
        &self,
        factors: &[Vec<(i64, i64)>],
        position: i64,
        value: impl Fn(i64) -> i64,
    ) -> NoLayout {
        // Take the digits away one after the other: some step is not that from 0.
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

/// The digits (size, stride) that a function on `0..size`, 0 at 0, must have.
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

/// Which pairs of two bits occur among the values of a view: y·2 + z is the place in the list.
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

/// y·z as a·y + b·z + c on the pairs that occur, if it is that.
fn product(occurs: &[bool; 4]) -> Option<(i64, i64, i64)> {
    let pairs = || (0..4i64).filter(|&k| occurs[k as usize]).map(|k| (k / 2, k % 2));
    let candidates = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, -1)];
    candidates.into_iter().find(|&(a, b, c)| pairs().all(|(y, z)| y * z == a * y + b * z + c))
}

impl FromStr for Swizzled {
    type Err = Error;

    /// `Sw<B,M,S> o offset o layout`, the offset perhaps left out.
    fn from_str(text: &str) -> Result<Swizzled, Error> {
        let mut reader = Reader::new(text);
        if !reader.take("Swizzle") {
            reader.expect("Sw", "'Sw<' or 'Swizzle<'")?;
        }
        reader.expect("<", "'<'")?;
        let bits = reader.number()?;
        reader.expect(",", "','")?;
        let base = reader.number()?;
        reader.expect(",", "','")?;
        let shift = reader.number()?;
        reader.expect(">", "'>'")?;
        reader.expect("o", "'o'")?;
        let swizzle = Swizzle::new(bits, base, shift)?;
        let first = reader.tuple(0)?;
        let (offset, layout) = match first {
            crate::notation::Tuple::Number(offset) if reader.take("o") => {
                (offset, reader.layout()?)
            }
            shape => (0, reader.layout_of(&shape)?),
        };
        reader.end()?;
        Swizzled::new(swizzle, offset, layout)
    }
}

impl fmt::Display for Swizzled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} o {} o {}", self.swizzle, self.offset, self.layout)
    }
}
