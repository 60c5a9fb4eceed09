//! The search for the longest right inverse of a layout that is not injective, or has negative strides.
//!
//! R is built mode by mode. If the modes so far give 0, 1, …, N − 1, the next stride is a position with the
//! value N, and the mode lasts as long as the next N values follow. Every position with that value is
//! tried, and every length, except that a stride which continues the previous mode only makes that mode
//! longer.
//!
//! Example: (4,3):(2,1) has the value 1 at position 4 only. With that stride a mode can be at most 3:4, and
//! nothing continues it. 2:4 leaves the value 2, which is at 8, where it continues the same mode, and at 1:
//! (2,4):(4,1), of size 8.
//!
//! An inverse longer than size N takes the value N, so the search ends if N is not a value. Otherwise it
//! ends when everything was tried, or undecided: there may be many positions with one value, and many
//! lengths. Usually this is due to a long mode of stride 0. As the slowest mode it is harmless, because R
//! need not move along it. As the fastest it is not: carries pass through it, and (1100,2,2):(0,1,1) has
//! the inverse 3:1650.
//!
//! Cost: small parts are walked; beyond that, merges decide exactly how long a mode may be. Every position
//! and every length that is tried is one step of the limit; a merge costs 200 plus its own steps.

use viewmerge::{Equivalence, Limit, View, ViewChain};

use crate::error::Error;
use crate::layout::{Layout, value_at, view_of};
use crate::values::has_value;

/// The most positions to walk for one mode.
const MOST_WALKED: usize = 4096;
/// The most lengths to try for one mode.
const MOST_LENGTHS: i64 = 1 << 16;
/// The most steps if the caller sets no limit.
const MOST_STEPS: u64 = 1_000_000;
/// The steps charged for an exact question, in addition to its own.
const QUESTION: u64 = 200;

/// The modes of the longest right inverse; `known` is a right inverse to start from.
pub(crate) fn longest_right_inverse(
    layout: &Layout,
    known: &Layout,
    limit: &Limit<'_>,
) -> Result<Vec<(i64, i64)>, Error> {
    let leaves = layout.leaves();
    let mut search = Longest {
        layout,
        view: layout.view()?,
        size: layout.size(),
        most: layout.size().min(layout.cosize()),
        moving: leaves
            .iter()
            .rposition(|leaf| leaf.0 > 1 && leaf.1 != 0)
            .map_or(0, |last| last + 1),
        ranges: ranges(&leaves),
        leaves: &leaves,
        limit: &limit.capped(MOST_STEPS),
        best: (known.size(), known.leaves()),
        ended: false,
        open: None,
    };
    let tried = search.extend(&mut Vec::new(), 1, &[0]);
    let ended = matches!(&tried, Err(Error::View(viewmerge::Error::Undecided { .. })));
    if ended && limit.spend(QUESTION).is_ok() {
        // The limit that was reached is our own, not the caller's.
        return Err(Error::Undecided { op: "right_inverse", why: TOO_MANY });
    }
    tried?;
    match search.open {
        Some(why) if !search.ended => Err(Error::Undecided { op: "right_inverse", why }),
        _ => Ok(search.best.1),
    }
}

const TOO_MANY: &str = "there are too many ways to write an inverse to try them all";

struct Longest<'a> {
    layout: &'a Layout,
    leaves: &'a [(i64, i64)],
    /// The modes from this one on have stride 0. R need not move along them: without them the positions are
    /// smaller and have the same values.
    moving: usize,
    /// For every mode, the least and the largest value of the modes up to it.
    ranges: Vec<(i64, i64)>,
    view: View,
    size: i64,
    /// No inverse is longer than this.
    most: i64,
    limit: &'a Limit<'a>,
    best: (i64, Vec<(i64, i64)>),
    /// Whether the best is known to be the longest.
    ended: bool,
    /// Why the best may not be the longest.
    open: Option<&'static str>,
}

impl Longest<'_> {
    /// Tries every next mode; `starts` has the positions of the first values, all of them if there are few.
    fn extend(
        &mut self,
        modes: &mut Vec<(i64, i64)>,
        reach: i64,
        starts: &[i64],
    ) -> Result<(), Error> {
        let mut strides = Vec::new();
        self.positions_of(reach, self.leaves.len(), self.size, 0, &mut strides)?;
        strides.sort_unstable();
        let idle = modes.last().map(|(size, stride)| size * stride);
        for stride in strides {
            if idle == Some(stride) {
                continue;
            }
            let mut walked = starts.to_vec();
            let longest = self.longest(modes, reach, stride, &mut walked)?;
            if longest > MOST_LENGTHS {
                self.open = Some(TOO_MANY);
            }
            for length in (2..=longest).rev().take(MOST_LENGTHS as usize) {
                if self.ended {
                    return Ok(());
                }
                self.limit.spend(1)?;
                modes.push((length, stride));
                let end = reach * length;
                if end > self.best.0 {
                    self.best = (end, modes.clone());
                    self.limit.spend(QUESTION)?;
                    self.ended = end >= self.most || !has_value(self.layout, end, self.limit)?;
                }
                if !self.ended {
                    let count = usize::try_from(end).unwrap_or(usize::MAX).min(walked.len());
                    self.extend(modes, end, &walked[..count])?;
                }
                modes.pop();
            }
        }
        Ok(())
    }

    /// How long the next mode can be with this stride; `walked` receives the positions of the first values.
    fn longest(
        &mut self,
        modes: &[(i64, i64)],
        reach: i64,
        stride: i64,
        walked: &mut Vec<i64>,
    ) -> Result<i64, Error> {
        let last: i64 = modes.iter().map(|(size, stride)| (size - 1) * stride).sum();
        // The positions must lie in the layout, and the values must not exceed the largest one.
        let room = ((self.size - 1 - last) / stride + 1).min(self.most / reach);
        let (first, whole) = (walked.len(), usize::try_from(reach).unwrap_or(usize::MAX));
        let mut length = 1;
        while length < room {
            for start in 0..first {
                self.limit.spend(1)?;
                let position = walked[start] + stride * length;
                if value_at(self.leaves, position) != reach * length + start as i64 {
                    return Ok(length);
                }
                if first == whole && walked.len() < MOST_WALKED {
                    walked.push(position);
                }
            }
            length += 1;
            if first < whole || walked.len() >= MOST_WALKED {
                break;
            }
        }
        // If every length walked was right, continue from there, by bisection.
        let (mut good, mut bad) = (if first == whole { length } else { 1 }, room + 1);
        let mut next = room;
        while good + 1 < bad {
            match self.fails(modes, (next, stride))? {
                None => good = next,
                Some(failing) => bad = failing.max(good + 1),
            }
            next = good + (bad - good) / 2;
        }
        Ok(good)
    }

    /// A coordinate of the last mode at which the modes are not a right inverse.
    fn fails(&mut self, modes: &[(i64, i64)], last: (i64, i64)) -> Result<Option<i64>, Error> {
        self.limit.spend(QUESTION)?;
        let above = view_of(&[modes, &[last]].concat())?;
        let values = View::contiguous(above.shape())?;
        match ViewChain::from_views(&[self.view.clone(), above])?
            .equivalent(&values.into(), self.limit)?
        {
            Equivalence::Differ(index) => Ok(index.first().copied()),
            _ => Ok(None),
        }
    }

    /// All positions with a value, from the coordinates of the modes before `mode`, which end at `place`.
    fn positions_of(
        &self,
        value: i64,
        mode: usize,
        place: i64,
        position: i64,
        found: &mut Vec<i64>,
    ) -> Result<(), Error> {
        self.limit.spend(1)?;
        let Some(last) = mode.checked_sub(1) else {
            if value == 0 {
                found.push(position);
            }
            return Ok(());
        };
        let (size, stride) = self.leaves[last];
        let place = place / size;
        // What the modes before can still contribute.
        let (least, most) = self.ranges[last];
        let coordinates = match stride {
            _ if size == 1 => 0..=0,
            0 if last >= self.moving => 0..=0,
            0 if (least..=most).contains(&value) => 0..=size - 1,
            0 => return Ok(()),
            _ => {
                let (low, high) = (value - most, value - least);
                let (from, to) = if stride > 0 {
                    (
                        low.div_euclid(stride) + i64::from(low.rem_euclid(stride) > 0),
                        high.div_euclid(stride),
                    )
                } else {
                    (
                        -high.div_euclid(-stride),
                        -low.div_euclid(-stride) - i64::from(low.rem_euclid(-stride) > 0),
                    )
                };
                from.max(0)..=to.min(size - 1)
            }
        };
        for i in coordinates {
            let step = if size == 1 { 0 } else { i * stride };
            self.positions_of(value - step, last, place, position + i * place, found)?;
        }
        Ok(())
    }
}

/// For every mode, the least and the largest value of the modes before it.
fn ranges(leaves: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut range = (0, 0);
    let before = |&(size, stride): &(i64, i64)| {
        let now = range;
        if size > 1 {
            let end = (size - 1) * stride;
            range = (range.0 + end.min(0), range.1 + end.max(0));
        }
        now
    };
    leaves.iter().map(before).collect()
}
