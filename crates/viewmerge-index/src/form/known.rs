//! What is known where the guards so far hold: ranges of axes and floors, and
//! of linear functions of them.
//!
//! The range of a function over the ranges of its variables is often too wide:
//! i − 4·⌊i/4⌋ is in 0..4, but as the sum of i and −4·F it looks like anything.
//! So functions whose range is known (residues of floors, guards) serve as
//! variables as well: a function is written as a multiple of one or two of
//! them and a rest, wherever that cancels a variable, and the best bound found
//! is kept. A bound is always true; it is not always the best one.

use smallvec::SmallVec;

use super::build::Builder;
use super::linear::{Linear, interval};
use viewmerge::internal::{divide_down, divide_up_wide, divide_wide, position};

/// A part of a division.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    Quotient,
    Remainder,
}

/// How many relations are combined.
const DEEPEST: usize = 2;

/// How many variables it is tried to cancel with the last relation, those that
/// move the function most; with a first of two relations it is one.
const MOST_VARIABLES: usize = 2;

/// A function as `rest + Σ times·relation`.
#[derive(Clone, Copy)]
struct Written<'a> {
    rest: &'a Linear,
    parts: &'a [(usize, i64)],
}

/// A coefficient, and the range that it goes with.
type Term = (i64, (i64, i64));

/// How coefficients are divided by a modulus: c becomes ⌊(c + slack) / m⌋, and what is left.
#[derive(Clone, Copy)]
struct Cells {
    modulus: i64,
    slack: i64,
}

/// Which way coefficients are rounded.
#[derive(Clone, Copy)]
enum Rounding {
    /// Such that one step from the low corner stays in the cell of the corner
    /// if it can: right whenever the floor is affine on the whole box.
    FromCorner,
    /// To the smallest residues.
    Nearest,
    /// To residues that are not negative.
    Down,
}

impl Cells {
    /// For a function with this constant and these terms.
    fn new(
        modulus: i64,
        rounding: Rounding,
        constant: i64,
        terms: impl Iterator<Item = Term>,
    ) -> Cells {
        let slack = match rounding {
            Rounding::Nearest => (modulus - 1) / 2,
            Rounding::Down => 0,
            Rounding::FromCorner => {
                let at_corner = terms.fold(i128::from(constant), |sum, (c, (first, _))| {
                    sum.saturating_add(i128::from(first) * i128::from(c))
                });
                let wide = i128::from(modulus);
                // Below the modulus.
                position(at_corner - wide * divide_wide(at_corner, wide))
            }
        };
        Cells { modulus, slack }
    }

    /// The quotient of a coefficient.
    fn quotient(self, c: i64) -> i64 {
        match c.checked_add(self.slack) {
            Some(next) if 0 <= next && next < self.modulus => 0,
            Some(next) => divide_down(next, self.modulus),
            None => divide_down(c, self.modulus),
        }
    }

    /// What is left of a coefficient.
    fn residue(self, c: i64) -> i64 {
        // At most the modulus in magnitude: what wraps on the way wraps back.
        c.wrapping_sub(self.modulus.wrapping_mul(self.quotient(c)))
    }

    /// The range of the residue of a function, the constant included.
    fn range(self, constant: i64, terms: impl Iterator<Item = Term>) -> (i128, i128) {
        range_of(constant, terms.map(|(c, range)| (self.residue(c), range)))
    }
}

/// What a function may be moved by, all in all, where its coefficients count as what is left of them;
/// without it they count as they are, and nothing is too far.
type Most = Option<(Cells, i128)>;

impl Builder {
    /// The terms of a function that move it.
    fn terms<'w>(&'w self, written: Written<'w>) -> impl Iterator<Item = Term> + Clone + 'w {
        let rest = written.rest.terms().iter().zip(self.program.ranges());
        let rest = rest.filter(|(c, _)| **c != 0).map(|(&c, range)| (c, range));
        let part = |&(number, times): &(usize, i64)| (times, self.relations[number].range());
        rest.chain(written.parts.iter().map(part))
    }

    /// Calls `found` with ways to write a function by relations, those by one
    /// first, until it returns something. Ways that move it further than it may
    /// need not be tried.
    fn find_combined<T>(
        &self,
        p: &Linear,
        most: Most,
        found: &mut impl FnMut(Written<'_>) -> Option<T>,
    ) -> Option<T> {
        let plain = Written { rest: p, parts: &[] };
        let deepest = DEEPEST.min(self.relations.len());
        (1..=deepest).find_map(|depth| self.find_with(plain, depth, most, found))
    }

    /// [`Builder::find_combined`] with exactly `depth` more parts than `written` has. The
    /// variable that moves the function most is cancelled.
    fn find_with<T>(
        &self,
        written: Written<'_>,
        depth: usize,
        most: Most,
        found: &mut impl FnMut(Written<'_>) -> Option<T>,
    ) -> Option<T> {
        if depth == 0 {
            return found(written);
        }
        if !written.parts.is_empty() && self.travels_further(written, most) {
            return None;
        }
        let mut moving: SmallVec<[(i128, usize); 12]> = SmallVec::new();
        for column in written.rest.columns() {
            let ((first, last), c) = (self.program.range(column), written.rest.term(column));
            let weight = most.map_or(c, |(cells, _)| cells.residue(c));
            let travel = i128::from(weight).abs() * (i128::from(last) - i128::from(first));
            if travel != 0 {
                moving.push((travel, column));
            }
        }
        moving.sort_unstable_by(|a, b| b.cmp(a));
        // Only the first variables that some relation can cancel.
        let mut left = if depth == 1 { MOST_VARIABLES } else { 1 };
        for (_, column) in moving {
            let a = written.rest.term(column);
            let mut tried = false;
            for (number, relation) in self.relations.iter().enumerate() {
                let b = relation.function.term(column);
                let used = written.parts.iter().any(|part| part.0 == number);
                if used || a.checked_rem(b) != Some(0) {
                    continue;
                }
                let times = a / b;
                let opposite = times.checked_neg();
                let rest = opposite.and_then(|t| written.rest.plus(&relation.function, t));
                let Some(rest) = rest else { continue };
                tried = true;
                let mut parts: SmallVec<[(usize, i64); DEEPEST]> = written.parts.into();
                parts.push((number, times));
                let next = Written { rest: &rest, parts: &parts };
                if let Some(result) = self.find_with(next, depth - 1, most, found) {
                    return Some(result);
                }
            }
            left -= usize::from(tried);
            if left == 0 {
                return None;
            }
        }
        None
    }

    /// The best range known for a function.
    pub(crate) fn range(&self, function: &Linear) -> (i128, i128) {
        let range_of = |written: Written<'_>| range_of(written.rest.constant, self.terms(written));
        let (mut low, mut high) = range_of(Written { rest: function, parts: &[] });
        self.find_combined(function, None, &mut |written| {
            let range = range_of(written);
            (low, high) = (low.max(range.0), high.min(range.1));
            None::<()>
        });
        (low, high)
    }

    /// Splits `p` such that the residue stays within `window` (both ends
    /// included, at least `modulus` values), if a way is found; the part of the split that is asked for.
    pub(super) fn fit(
        &self,
        p: &Linear,
        modulus: i64,
        window: (i128, i128),
        part: Part,
    ) -> Option<Linear> {
        let nearest = Cells { modulus, slack: (modulus - 1) / 2 };
        let (plain, most) = (Written { rest: p, parts: &[] }, Some((nearest, window.1 - window.0)));
        if self.travels_further(plain, most) {
            return None;
        }
        let wide = i128::from(modulus);
        let try_one = |written: Written<'_>, rounding: Rounding| {
            let (constant, terms) = (written.rest.constant, self.terms(written));
            let cells = Cells::new(modulus, rounding, constant, terms.clone());
            let range = cells.range(constant, terms);
            let up = divide_up_wide(window.0 - range.0, wide);
            let fits = range.1 + up * wide <= window.1;
            if fits { self.split(written, cells, up, part) } else { None }
        };
        let roundings = [Rounding::FromCorner, Rounding::Nearest, Rounding::Down];
        // Where a floor is affine over the ranges, the first way finds it.
        let ways = if part == Part::Quotient { 1 } else { roundings.len() };
        let mut tried = roundings.into_iter().take(ways).map(|way| try_one(plain, way));
        tried.find_map(|split| split).or_else(|| {
            self.find_combined(p, most, &mut |written| try_one(written, Rounding::FromCorner))
        })
    }

    /// Whether the parts, and the variables that no other relation has, move a function further than it
    /// may, whatever it is combined with.
    fn travels_further(&self, written: Written<'_>, most: Most) -> bool {
        let Some((cells, mut left)) = most else { return false };
        let mut moves = |times: i64, (first, last): (i64, i64)| {
            left -= i128::from(cells.residue(times)).abs() * (i128::from(last) - i128::from(first));
            left < 0
        };
        let is_open = |number: usize| written.parts.iter().all(|part| part.0 != number);
        let mut parts = written.parts.iter();
        parts.any(|&(number, times)| moves(times, self.relations[number].range()))
            || written.rest.columns().any(|column| {
                let (first, last) = self.program.range(column);
                let relations = self.relations.iter().enumerate();
                let mut others = relations.filter(|(_, known)| known.function.term(column) != 0);
                first < last
                    && !others.any(|(number, _)| is_open(number))
                    && moves(written.rest.term(column), (first, last))
            })
    }

    /// ⌊p/m⌋, if it is found to be affine.
    pub(super) fn affine_floor(&self, p: &Linear, modulus: i64) -> Option<Linear> {
        self.fit(p, modulus, (0, i128::from(modulus) - 1), Part::Quotient)
    }

    /// Splits `p` such that the residue is never negative and moves little: quotient, residue, and the
    /// range of the residue.
    pub(super) fn reduce(
        &self,
        p: &Linear,
        modulus: i64,
    ) -> Option<(Linear, Linear, (i128, i128))> {
        let wide = i128::from(modulus);
        let written = Written { rest: p, parts: &[] };
        let terms = self.terms(written);
        let roundings = [Rounding::Nearest, Rounding::Down, Rounding::FromCorner];
        let all = roundings.map(|way| Cells::new(modulus, way, p.constant, terms.clone()));
        let travel = |cells: &Cells| {
            let (low, high) = cells.range(p.constant, terms.clone());
            high - low
        };
        let cells = all.into_iter().min_by_key(travel)?;
        let part = |part, up| self.split(written, cells, up, part);
        let (low, high) = self.range(&part(Part::Remainder, 0)?);
        let up = divide_up_wide(-low, wide);
        let range = (low + up * wide, high + up * wide);
        Some((part(Part::Quotient, up)?, part(Part::Remainder, up)?, range))
    }

    /// Divides the coefficients and moves moduli `up` into the residue; one part of the result.
    fn split(&self, written: Written<'_>, cells: Cells, up: i128, part: Part) -> Option<Linear> {
        let divide = |c: i64| match part {
            Part::Quotient => cells.quotient(c),
            Part::Remainder => cells.residue(c),
        };
        let up = i64::try_from(up).ok()?;
        let more = up.checked_mul(cells.modulus)?;
        let constants = (up.checked_neg()?, written.rest.constant.checked_add(more)?);
        let constant = if part == Part::Quotient { constants.0 } else { constants.1 };
        let mut divided = written.rest.map(constant, divide);
        for &(number, times) in written.parts {
            divided = divided.plus(&self.relations[number].function, divide(times))?;
        }
        Some(divided)
    }
}

/// The range of a sum of terms over their ranges.
///
/// A bound beyond ±2^120 is as good as none: no window is that wide. Clamped,
/// ranges can be added and shifted without overflow.
fn range_of(constant: i64, terms: impl Iterator<Item = Term>) -> (i128, i128) {
    const FAR: i128 = 1 << 120;
    let (low, high) = interval(constant, terms);
    (low.clamp(-FAR, FAR), high.clamp(-FAR, FAR))
}
