//! Operations on layouts of coordinates, each reduced to its parts.
//!
//! A ∘ B exists exactly if it exists in every coordinate and the coordinates cut each mode of B into digits
//! that are compatible. Each coordinate has a coarsest cut, which every other cut refines. So if two
//! coordinates cut at places that do not divide one another, no cut serves both, and those two places are
//! the witness. Example: `(4,6):(1@0,1@1) ∘ 12:2` needs a digit for every second position in both
//! coordinates, and is `(2,6):(2@0,1@1)`.

use std::sync::atomic::AtomicU64;

use viewmerge::Limit;

use super::{CoordinateLayout, name};
use crate::answer::{Answer, NoLayout};
use crate::compose::compose;
use crate::error::Error;
use crate::layout::{Layout, Mode};
use crate::notation::{Reader, Tuple};
use crate::tiler::Tiler;

/// The same mode in every part; the parts have one shape.
type Modes<'a> = Vec<&'a Mode>;

impl CoordinateLayout {
    /// The same coordinates and origin with other parts.
    fn with(&self, parts: Vec<Mode>) -> Result<CoordinateLayout, Error> {
        let parts = parts.into_iter().map(Layout::new).collect::<Result<_, _>>()?;
        CoordinateLayout::new(self.paths.clone(), parts, self.origin.clone())
    }

    /// The composition with an ordinary layout on the right, or why none exists.
    ///
    /// # Errors
    ///
    /// If B leaves the domain, or the limit is reached first. With `extend`, the last mode of the coalesced
    /// layout is extended as far as needed.
    ///
    /// ```
    /// use viewmerge_cute::{CoordinateLayout, Limit};
    ///
    /// let identity: CoordinateLayout = "(4,8):(1@0,1@1)".parse()?;
    /// let every_third = identity.compose(&"(4,2):(1,12)".parse()?, false, &Limit::none())?;
    /// assert_eq!(every_third.unwrap().to_string(), "(4,2):(1@0,3@1)");
    /// let diagonal = identity.compose(&"4:5".parse()?, false, &Limit::none())?;
    /// assert_eq!(diagonal.unwrap().to_string(), "4:1@0+1@1");
    /// let none = identity.compose(&"6:3".parse()?, false, &Limit::none())?.unwrap_err();
    /// assert_eq!(none.to_string(), "in coordinate @0, mode 0 must be cut at every 4 elements, which does not divide its size 6");
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn compose(
        &self,
        b: &Layout,
        extend: bool,
        limit: &Limit<'_>,
    ) -> Result<Result<CoordinateLayout, NoLayout>, Error> {
        let (first, last) = b.view()?.position_range().unwrap_or((0, 0));
        let parts = if extend && first >= 0 && last >= self.size() {
            self.extended(last)?
        } else {
            self.parts.clone()
        };
        let mut found = Vec::with_capacity(parts.len());
        let spent = AtomicU64::new(0);
        let limit = &limit.sharing(&spent);
        for (part, path) in parts.iter().zip(&self.paths) {
            match compose(part, b, false, limit)? {
                Answer::Layout(layout) => found.push(layout),
                Answer::None(none) => {
                    let (coordinate, why) = (name(path), Box::new(none));
                    return Ok(Err(NoLayout::Coordinate { coordinate, why }));
                }
            }
        }
        let modes = found.iter().map(Layout::mode).collect();
        Ok(match with_common_digits(b.mode(), modes, &mut 0) {
            Ok(parts) => Ok(self.with(parts)?),
            Err(none) => Err(none),
        })
    }

    /// The same, or mode by mode with a tiler.
    pub(crate) fn compose_tiler(
        &self,
        tiler: &Tiler,
        extend: bool,
        limit: &Limit<'_>,
    ) -> Result<Result<CoordinateLayout, NoLayout>, Error> {
        let tiler = match tiler {
            Tiler::Layout(b) => return self.compose(b, extend, limit),
            Tiler::ByMode(tiler) => tiler,
        };
        let rank = self.modes().len();
        if tiler.len() > rank {
            return Err(Error::TilerRank { op: "compose", rank, found: tiler.len() });
        }
        let mut parts = vec![Vec::new(); self.parts.len()];
        let spent = AtomicU64::new(0);
        let limit = &limit.sharing(&spent);
        for number in 0..rank {
            let own: Vec<Mode> =
                self.parts.iter().map(|part| part.modes()[number].clone()).collect();
            let composed = match tiler.get(number) {
                None => own,
                Some(b) => match self.with(own)?.compose(b, extend, limit)? {
                    Ok(composed) => composed.parts.iter().map(|p| p.mode().clone()).collect(),
                    Err(none) => return Ok(Err(none)),
                },
            };
            parts.iter_mut().zip(composed).for_each(|(part, mode)| part.push(mode));
        }
        Ok(Ok(self.with(parts.into_iter().map(Mode::Node).collect())?))
    }

    /// The flattened modes, fused as far as all coordinates allow: (size, strides).
    fn coalesced(modes: &Modes<'_>) -> Vec<(i64, Vec<i64>)> {
        let leaves: Vec<Vec<(i64, i64)>> = modes.iter().map(|mode| mode.leaves()).collect();
        let mut fused: Vec<(i64, Vec<i64>)> = Vec::new();
        for number in 0..leaves.first().map_or(0, Vec::len) {
            let size = leaves[0][number].0;
            let strides: Vec<i64> = leaves.iter().map(|part| part[number].1).collect();
            let goes_on = |last: &(i64, Vec<i64>)| {
                let pairs = last.1.iter().zip(&strides);
                pairs.fold(true, |all, (&d, &e)| {
                    all && i128::from(last.0) * i128::from(d) == i128::from(e)
                })
            };
            match fused.last_mut() {
                _ if size == 1 => {}
                Some(last) if goes_on(last) => last.0 *= size,
                _ => fused.push((size, strides)),
            }
        }
        fused
    }

    /// Fused modes as one mode for every part.
    fn of_leaves(&self, leaves: &[(i64, Vec<i64>)]) -> Vec<Mode> {
        let part = |part: usize| Mode::of_leaves(leaves.iter().map(|(size, d)| (*size, d[part])));
        (0..self.parts.len()).map(part).collect()
    }

    /// The parts, fused, the last mode extended to reach a position.
    fn extended(&self, last: i64) -> Result<Vec<Layout>, Error> {
        let modes = self.parts.iter().map(Layout::mode).collect();
        let mut leaves = CoordinateLayout::coalesced(&modes);
        if leaves.is_empty() {
            leaves.push((1, vec![0; self.parts.len()]));
        }
        let before: i64 = leaves[..leaves.len() - 1].iter().map(|leaf| leaf.0).product();
        if let Some(leaf) = leaves.last_mut() {
            leaf.0 = leaf.0.max(last / before + 1);
        }
        self.of_leaves(&leaves).into_iter().map(Layout::new).collect()
    }

    /// The same function with the fewest modes; with a profile, mode by mode.
    ///
    /// # Errors
    ///
    /// If the profile cannot be parsed or does not fit.
    ///
    /// ```
    /// use viewmerge_cute::CoordinateLayout;
    ///
    /// let layout: CoordinateLayout = "((2,2),(3,4)):((1@0,2@0),(1@1,3@1))".parse()?;
    /// assert_eq!(layout.coalesce(None)?.to_string(), "(4,12):(1@0,1@1)");
    /// assert_eq!(layout.coalesce(Some("(1,(1,1))"))?.to_string(), "(4,(3,4)):(1@0,(1@1,3@1))");
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn coalesce(&self, profile: Option<&str>) -> Result<CoordinateLayout, Error> {
        let profile = match profile {
            None => Tuple::Number(1),
            Some(text) => {
                let mut reader = Reader::new(text);
                let profile = reader.tuple(0)?;
                reader.end()?;
                profile
            }
        };
        let modes = self.parts.iter().map(Layout::mode).collect();
        self.with(self.by_profile(&modes, &profile)?)
    }

    fn by_profile(&self, modes: &Modes<'_>, profile: &Tuple) -> Result<Vec<Mode>, Error> {
        let entries = match profile {
            Tuple::Number(_) => return Ok(self.of_leaves(&CoordinateLayout::coalesced(modes))),
            Tuple::Tuple(entries) => entries,
        };
        let inside = children(modes);
        let rank = inside.first().map_or(1, |modes| modes.len());
        if inside.is_empty() || rank != entries.len() {
            return Err(Error::Profile { rank, found: entries.len() });
        }
        let mut parts = vec![Vec::new(); modes.len()];
        for (number, entry) in entries.iter().enumerate() {
            let own: Modes<'_> = inside.iter().map(|modes| &modes[number]).collect();
            let found = self.by_profile(&own, entry)?;
            parts.iter_mut().zip(found).for_each(|(part, mode)| part.push(mode));
        }
        Ok(parts.into_iter().map(Mode::Node).collect())
    }
}

/// The modes inside, leaving out leaves.
fn children<'a>(modes: &Modes<'a>) -> Vec<&'a [Mode]> {
    let inside = modes.iter().filter_map(|mode| match mode {
        Mode::Leaf { .. } => None,
        Mode::Node(modes) => Some(modes.as_slice()),
    });
    inside.collect()
}

/// B's tree, each leaf cut into digits that serve all coordinates; `modes` has each coordinate's own cuts.
fn with_common_digits(
    b: &Mode,
    modes: Modes<'_>,
    number: &mut usize,
) -> Result<Vec<Mode>, NoLayout> {
    let Mode::Leaf { size, .. } = b else {
        let Mode::Node(below) = b else { return Ok(Vec::new()) };
        let inside = children(&modes);
        let mut parts = vec![Vec::new(); modes.len()];
        for (place, b) in below.iter().enumerate() {
            let own = inside.iter().map(|modes| &modes[place]).collect();
            let found = with_common_digits(b, own, number)?;
            parts.iter_mut().zip(found).for_each(|(part, mode)| part.push(mode));
        }
        return Ok(parts.into_iter().map(Mode::Node).collect());
    };
    // (place, size, stride) of every digit.
    let digits: Vec<Vec<(i64, i64, i64)>> = modes
        .iter()
        .map(|mode| {
            let place = |place: &mut i64, (size, stride)| {
                let here = *place;
                *place *= size;
                Some((here, size, stride))
            };
            mode.leaves().into_iter().scan(1, place).collect()
        })
        .collect();
    let mut places: Vec<i64> = digits.iter().flatten().map(|digit| digit.0).collect();
    places.sort_unstable();
    places.dedup();
    if let Some(pair) = places.windows(2).find(|pair| pair[1] % pair[0] != 0) {
        let (mode, size) = (*number, *size);
        return Err(NoLayout::OffGrid { mode, size, place: pair[0], next: pair[1] });
    }
    *number += 1;
    let ends = places.iter().skip(1).copied().chain([*size]);
    let cuts: Vec<(i64, i64)> = places.iter().copied().zip(ends).collect();
    let stride = |digits: &[(i64, i64, i64)], place: i64| {
        let digit = digits.iter().rev().find(|digit| digit.0 <= place);
        digit.map_or(0, |(start, _, stride)| stride * (place / start))
    };
    let part = |digits: &Vec<(i64, i64, i64)>| {
        Mode::of_leaves(cuts.iter().map(|&(at, end)| (end / at, stride(digits, at))))
    };
    Ok(digits.iter().map(part).collect())
}
