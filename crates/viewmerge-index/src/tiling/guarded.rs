//! Splits with guards: `chain | pad(..) | reshape(split)` is one *guarded* view.
//!
//! Ragged tiles without masks, and windows that run across axes, are no view over
//! any split, but often a view with conditions and no division.
//!
//! Not exact: such a split is not unique, and nothing forces one. The candidates
//! are the floors of the chain's index form: ⌊(t·x + a)/m⌋ with t dividing m
//! changes at every m/t elements of x, so cutting there, aligned by padding, makes
//! it a coordinate. Where that leaves floors, the forced places are tried. A *no*
//! says that none was found, not that there is none.
//!
//! Example: `(3,4):(7,1) | (10)` is `(3,4):(7,1)` with 4·i + j < 10.

use alloc::vec::Vec;
use core::fmt;

use crate::form::{FloorTerm, GuardedView, IndexForm};
use lattice_point::Meter;
use viewmerge::internal::{Reading, Start, divide_down, fitting};
use viewmerge::{Error, Movement, Split, View, ViewChain};

/// A split, after padding, under which a chain is one guarded view.
///
/// In serde formats it is `{"pads":[[0,2]],"split":[[3,4]],"guarded":..}`.
///
/// ```
/// use viewmerge_index::IndexChain;
/// use viewmerge::{Limit, ViewChain};
///
/// let ragged: ViewChain = "(3,4):(7,1) | (10)".parse()?;
/// let found = ragged.guarded_split(&Limit::none())?.unwrap();
/// assert_eq!(
///     found.to_string(),
///     "one guarded view after pad((0,2)) over ((3,4)): (3,4):(7,1) if 4*i0 + i1 < 10",
/// );
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct GuardedSplit {
    /// How much every axis is padded, at the front and behind.
    pub pads: Vec<(i64, i64)>,
    /// The split of the padded shape.
    pub split: Split,
    /// The guarded view over the split shape.
    pub guarded: GuardedView,
}

impl fmt::Display for GuardedSplit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one guarded view")?;
        if self.pads.iter().any(|&pads| pads != (0, 0)) {
            write!(f, " after {}", Movement::Pad(self.pads.clone()))?;
        }
        if !self.split.is_trivial() {
            write!(f, " over {}", self.split)?;
        }
        write!(f, ": {}", self.guarded)
    }
}

/// A split, after padding, under which a chain is one guarded view, if one is found.
pub(crate) fn guarded_split(
    chain: &ViewChain,
    meter: &mut Meter<'_>,
) -> Result<Option<GuardedSplit>, Error> {
    meter.spend(1)?;
    let (top, below) = chain.views().split_last().ok_or(Error::EmptyChain)?;
    find(chain.views(), || Reading::of(below, top, None, meter))
}

/// A guarded split that cuts where floors change, or else where every split without guards must.
pub(super) fn find(
    chain: &[View],
    start: impl FnOnce() -> Result<Start, Error>,
) -> Result<Option<GuardedSplit>, Error> {
    let mut grid = Grid::new(chain)?;
    // Cutting may bring out floors of single digits, which are cut again.
    const MOST_ROUNDS: usize = 4;
    for _ in 0..MOST_ROUNDS {
        match grid.form()? {
            Ok(found) => return Ok(Some(found)),
            Err((form, split)) if !grid.cut_at_floors(form.floors(), &split) => break,
            Err(_) => {}
        }
    }
    let Ok(reading) = start()? else { return Ok(None) };
    let mut grid = Grid::new(chain)?;
    for (axis, forced) in reading.axes.iter().enumerate() {
        grid.places[axis] = forced.places().collect();
        grid.front[axis] = fitting(forced, grid.top.shape()[axis]).0;
    }
    Ok(grid.form()?.ok())
}

/// Where the axes are cut, and how they are aligned.
struct Grid<'c> {
    top: &'c View,
    below: &'c [View],
    /// Finest first, each dividing the next.
    places: Vec<Vec<i64>>,
    /// The padding at the front.
    front: Vec<i64>,
}

impl<'c> Grid<'c> {
    fn new(chain: &'c [View]) -> Result<Grid<'c>, Error> {
        let (top, below) = chain.split_last().ok_or(Error::EmptyChain)?;
        Ok(Grid { top, below, places: vec![vec![]; top.rank()], front: vec![0; top.rank()] })
    }

    /// The chain over this grid, if it needs no floors; else its form and the split.
    fn form(&self) -> Result<Result<GuardedSplit, (IndexForm, Split)>, Error> {
        let axes = self.places.iter().zip(&self.front).zip(self.top.shape());
        let pads: Vec<(i64, i64)> = axes
            .map(|((places, &front), &size)| {
                let place = places.last().copied().unwrap_or(1);
                (front, (place - size.saturating_add(front) % place) % place)
            })
            .collect();
        let mut views: Vec<View> = self.below.to_vec();
        let padded = self.top.pad(&pads)?;
        let sizes = padded.shape().iter().copied();
        let split = Split::from_places(sizes.zip(self.places.iter().map(|p| p.iter().copied())));
        views.push(padded);
        if !split.is_trivial() {
            views.push(View::contiguous(&split.shape())?);
        }
        let form = IndexForm::of_views(&views)?;
        Ok(match form.guarded()? {
            Some(guarded) => Ok(GuardedSplit { pads, split, guarded }),
            None => Err((form, split)),
        })
    }

    /// Cuts where floors of single axes of the split shape change; whether anything was cut.
    fn cut_at_floors(&mut self, floors: &[FloorTerm], split: &Split) -> bool {
        let found: Vec<(usize, Cut)> =
            floors.iter().filter_map(|floor| single_axis(floor, split)).collect();
        let mut any = false;
        for axis in 0..self.top.rank() {
            let old = self.places[axis].iter().map(|&place| Cut { place, front: 0 });
            let new = found.iter().filter(|(on, _)| *on == axis).map(|(_, cut)| *cut);
            let fits = |cut: &Cut| cut.place > 1 && cut.place < self.top.shape()[axis];
            let mut cuts: Vec<Cut> = old.chain(new.filter(fits)).collect();
            cuts.sort_unstable_by_key(|cut| core::cmp::Reverse(cut.place));
            let Some(&coarsest) = cuts.first() else { continue };
            // Finer cuts are kept where they are aligned with the coarser ones.
            let mut kept: Vec<i64> = Vec::new();
            for cut in cuts {
                let above = kept.last().copied().unwrap_or(cut.place);
                if above % cut.place == 0 && (coarsest.front - cut.front) % cut.place == 0 {
                    kept.push(cut.place);
                }
            }
            kept.reverse();
            kept.dedup();
            let keeps_old = self.places[axis].iter().all(|place| kept.contains(place));
            let Some(front) = self.front[axis].checked_add(coarsest.front) else { continue };
            if keeps_old && kept != self.places[axis] {
                self.places[axis] = kept;
                self.front[axis] = front;
                any = true;
            }
        }
        any
    }
}

/// A place at which an axis may be cut, and the padding at the front that aligns it.
#[derive(Clone, Copy)]
struct Cut {
    place: i64,
    front: i64,
}

/// Where a floor of a single axis of the split shape changes, on which axis before the split.
fn single_axis(floor: &FloorTerm, split: &Split) -> Option<(usize, Cut)> {
    let function = &floor.operand;
    let digit = function.only_axis()?;
    let t = function.term(digit);
    let width = t.checked_abs()?;
    if floor.divisor % width != 0 {
        return None;
    }
    let every = floor.divisor / width;
    // ⌊(t·x + a)/m⌋ changes at x = −⌊a/t⌋ modulo m/t; running down, one behind ⌊a/|t|⌋.
    let whole = divide_down(function.constant, width);
    let front = if t > 0 { whole } else { !whole }.rem_euclid(every);
    let (axis, below) = split.axis_of(digit);
    Some((axis, Cut { place: below.checked_mul(every)?, front: below.checked_mul(front)? }))
}
