//! Whether two positions have the same coordinates, and whether two layouts are equal.
//!
//! Write the coordinates as one number, in a mixed radix in which no difference carries: `(4,8):(1@0,1@1)`
//! becomes `(4,8):(1,7)`. Two positions collide exactly if their numbers do, so it is enough to ask one
//! ordinary layout.

use viewmerge::Limit;

use super::notation::all_paths;
use super::{CoordinateLayout, Path};
use crate::coalesce::difference;
use crate::collision::collision;
use crate::error::Error;
use crate::layout::{Layout, Mode};

/// A position, and the coordinates that two layouts have there.
type Difference = (i64, [Vec<i64>; 2]);

impl CoordinateLayout {
    /// Two positions with the same value, as coordinates of the shape; `None` for an injective layout.
    ///
    /// # Errors
    ///
    /// [`Error::Undecided`] if the coordinates do not fit into one number or the limit is reached first.
    ///
    /// ```
    /// use viewmerge_cute::{CoordinateLayout, Limit};
    ///
    /// let identity: CoordinateLayout = "(4,8):(1@0,1@1)".parse()?;
    /// assert_eq!(identity.collision(&Limit::none())?, None);
    /// let sums: CoordinateLayout = "(4,8):(1@0,1@0)".parse()?;
    /// assert!(sums.collision(&Limit::none())?.is_some());
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn collision(&self, limit: &Limit<'_>) -> Result<Option<[Vec<i64>; 2]>, Error> {
        let long = || Error::Undecided {
            op: "is_injective",
            why: "the coordinates together do not fit into one number",
        };
        let mut all: Vec<(i64, i128)> = self.leaf_sizes().map(|size| (size, 0)).collect();
        let mut radix = 1i128;
        for part in &self.parts {
            let leaves = part.leaves();
            for (sum, (_, stride)) in all.iter_mut().zip(&leaves) {
                sum.1 += radix * i128::from(*stride);
            }
            let wide =
                |&(size, stride): &(i64, i64)| i128::from(size - 1) * i128::from(stride).abs();
            let width: i128 = leaves.iter().map(wide).sum();
            radix = radix.checked_mul(2 * width + 1).filter(|&r| r < 1 << 62).ok_or_else(long)?;
        }
        let leaf = |(size, stride)| Ok((size, i64::try_from(stride).map_err(|_| long())?));
        let leaves: Vec<(i64, i64)> = all.into_iter().map(leaf).collect::<Result<_, Error>>()?;
        collision(&Layout::flat(&leaves).map_err(|_| long())?, limit)
    }

    /// The first position at which two layouts have different coordinates, with both; `None` for equal
    /// layouts, and for layouts of different sizes. Missing entries are 0.
    ///
    /// # Errors
    ///
    /// If an entry is a number in one layout and a tuple in the other.
    ///
    /// ```
    /// use viewmerge_cute::CoordinateLayout;
    ///
    /// let (one, other): (CoordinateLayout, CoordinateLayout) =
    ///     ("(4,8):(1@0,1@1)".parse()?, "(4,8):(1@1,1@0)".parse()?);
    /// assert_eq!(one.difference(&other)?, Some((1, [vec![1, 0], vec![0, 1]])));
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn difference(&self, other: &CoordinateLayout) -> Result<Option<Difference>, Error> {
        if self.size() != other.size() {
            return Ok(None);
        }
        let named: Vec<&[usize]> =
            self.paths.iter().chain(&other.paths).map(Vec::as_slice).collect();
        let paths = all_paths(&named)?;
        let [one, two] = [self.widened(&paths)?, other.widened(&paths)?];
        let parts = one.parts.iter().zip(&two.parts).zip(one.origin.iter().zip(&two.origin));
        let places = parts.filter_map(|((a, b), (x, y))| match x == y {
            false => Some(0),
            true => difference(a, b).map(|found| found.0),
        });
        match places.min() {
            None => Ok(None),
            Some(position) => Ok(Some((position, [one.at(position)?, two.at(position)?]))),
        }
    }

    /// The same layout with further coordinates, all 0.
    fn widened(&self, paths: &[Path]) -> Result<CoordinateLayout, Error> {
        let zero = self.parts.first().map_or(Mode::UNIT, |part| {
            part.mode().map(&mut |size, _| Mode::Leaf { size, stride: 0 })
        });
        let zero = Layout::new(zero)?;
        let (mut parts, mut origin) = (Vec::new(), Vec::new());
        for path in paths {
            let number = self.paths.iter().position(|own| own == path);
            parts.push(number.map_or_else(|| zero.clone(), |number| self.parts[number].clone()));
            origin.push(number.map_or(0, |number| self.origin[number]));
        }
        CoordinateLayout::new(paths.to_vec(), parts, origin)
    }
}
