//! The search for a left inverse R: which digits to cut the values into, and what each digit is worth.
//!
//! Digits are given by their *places* 1 | c₁ | c₂ | …: R's modes have the sizes c₁, c₂/c₁, …, and the last
//! one is unbounded. For given places, R's strides solve a linear system with one equation for every
//! position. The equations need not all be listed: solve some of them, ask exactly whether the resulting
//! layout is an inverse, and add the equation of a position where it is not. Each added equation leaves
//! fewer solutions.
//!
//! The places are searched from the lowest up. Three facts hold for the places up to c, whatever places
//! follow:
//!
//! - **next** If the equations of the values up to b have no solution with these places, the next place is
//!   at most b: with a larger one the values up to b would have the same digits. A superfluous place does
//!   no harm, so only prime multiples of c need to be tried.
//! - **block** Two values n and n' with ⌊n/c⌋ = ⌊n'/c⌋ have the same digits from c on. So R(n') − R(n) is
//!   an equation in the strides below c alone; likewise, for n < 2c, R(n) is an equation in these strides
//!   and the next one. If these equations have no solution, no further places can help.
//! - **idle** If these equations imply that the stride at c is the stride of the digit below times the size
//!   of that digit, then c is not a place of its own: R is the same function without it. So it is dropped,
//!   and a list that was reached in another order is not tried again.
//!
//! Example: (2,2048):(2,3) takes the positions 1, 2, 3, 4 to 2, 3, 5, 6. Without places, R(2) = 1 has no
//! solution, so the first place is 2. Then R(2) = 1 and R(3) = 2 make both strides 1, and R(6) = 4 does not
//! hold. So the next place is 4 or 6. It is not 4: there 5 and 6 lie in one block and have the digits (1,0)
//! and (0,1), so R(6) − R(5) would be 0. With 6 all values fit, and R is (2,3,1024):(1,1,4).
//!
//! The search is complete, so *none* is an answer, unless it takes too long: where values are far apart,
//! nothing is known about the places between them.
//!
//! Cost: for every list of places one pass over a fixed selection of values, and exact merges only for the
//! lists that fit all of them. For random layouts of one long mode and up to three short ones the median is
//! 0.3 ms; a search that ends undecided takes some tenths of a second. Overflow: a number that does not fit
//! makes the answer undecided, never *none*.

use std::collections::HashSet;

use viewmerge::{Equivalence, Limit, View, ViewChain};

use crate::answer::{Answer, NoLayout};
use crate::coalesce::coalesced;
use crate::equations::{Solutions, TooLarge};
use crate::error::Error;
use crate::layout::{Layout, Mode, value_at};
use crate::places::suggested;
use crate::values::chosen_values;

/// The most steps if the caller sets no limit. Solving an equation costs as many steps as it has unknowns.
const MOST_STEPS: u64 = 4_000_000;
/// The steps charged for an exact question, in addition to its own.
const QUESTION: u64 = 200;
/// The next place is tried up to this multiple of the last one.
const MOST_TIMES: i64 = 1 << 20;

/// A left inverse of an injective layout with strides of 0 or more.
pub(crate) fn searched_left_inverse(layout: &Layout, limit: &Limit<'_>) -> Result<Answer, Error> {
    let below = layout.view()?;
    let own = &limit.capped(MOST_STEPS);
    let mut search = Search {
        leaves: layout.leaves(),
        positions: View::contiguous(below.shape())?,
        below,
        reach: layout.cosize(),
        values: chosen_values(&layout.leaves()),
        suggested: suggested(layout),
        limit: own,
        ways: 0,
        seen: HashSet::new(),
        largest: 0,
        open: None,
    };
    let found = match search.suggestions() {
        Ok(None) => search.extend(&[]),
        other => other,
    };
    let ended = matches!(&found, Err(Error::View(viewmerge::Error::Undecided { .. })));
    if ended && limit.spend(QUESTION).is_ok() {
        // The limit that was reached is our own, not the caller's.
        return Err(Error::Undecided { op: "left_inverse", why: TOO_MANY });
    }
    match (found?, search.open) {
        (Some(inverse), _) => Ok(Answer::Layout(inverse)),
        (None, Some(why)) => Err(Error::Undecided { op: "left_inverse", why }),
        (None, None) => {
            let below = search.largest + 1;
            Ok(Answer::None(NoLayout::NoDigits { ways: search.ways, below }))
        }
    }
}

/// What is known about a list of places.
enum Fit {
    /// It gives this inverse.
    Inverse(Layout),
    /// The values up to this one do not fit.
    Upto(i64),
    /// Undecided, for this reason.
    Open(&'static str),
}

const TOO_LARGE: &str = "the strides that some digits need do not fit into 64 bits";
const TOO_MANY: &str = "there are too many ways to cut the values into digits";
const TOO_FAR: &str = "between two values there is too much room for trying all ways to cut it into digits, and \
                       none that the strides suggest gives an inverse";

struct Search<'a> {
    leaves: Vec<(i64, i64)>,
    below: View,
    positions: View,
    reach: i64,
    /// Values with their positions, sorted: every value up to some bound, and a selection of larger ones.
    values: Vec<(i64, i64)>,
    /// Lists of places to try first.
    suggested: Vec<Vec<i64>>,
    limit: &'a Limit<'a>,
    ways: usize,
    /// The lists of places that were tried.
    seen: HashSet<Vec<i64>>,
    /// The largest value that the answer *none* relies on.
    largest: i64,
    /// Why *none* cannot be concluded.
    open: Option<&'static str>,
}

impl Search<'_> {
    fn suggestions(&mut self) -> Result<Option<Layout>, Error> {
        for places in self.suggested.clone() {
            if let Fit::Inverse(inverse) = self.fit(&places)? {
                return Ok(Some(inverse));
            }
        }
        Ok(None)
    }

    /// Tries these places and everything that may follow them.
    fn extend(&mut self, places: &[i64]) -> Result<Option<Layout>, Error> {
        self.ways += 1;
        let idle = match self.blocks(places)? {
            Ok(Some(idle)) => idle,
            Ok(None) => return Ok(None),
            Err(TooLarge) => {
                self.open = Some(TOO_LARGE);
                return Ok(None);
            }
        };
        let upto = match self.fit(places)? {
            Fit::Inverse(inverse) => return Ok(Some(inverse)),
            Fit::Open(why) => {
                self.open = Some(why);
                return Ok(None);
            }
            Fit::Upto(upto) => upto,
        };
        self.largest = self.largest.max(upto);
        let last = places.last().copied().unwrap_or(1);
        let times = upto / last;
        if times > MOST_TIMES {
            self.open = Some(TOO_FAR);
            return Ok(None);
        }
        let mut next = places.to_vec();
        if idle {
            next.pop();
        }
        for times in 2..=times {
            self.limit.spend(1)?;
            if !is_prime(times) {
                continue;
            }
            next.push(last * times);
            if self.seen.insert(next.clone()) {
                let found = self.extend(&next)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
            next.pop();
        }
        Ok(None)
    }

    /// What is known about every continuation of these places: `None` if there is none, otherwise whether
    /// the last place is idle.
    fn blocks(&mut self, places: &[i64]) -> Result<Result<Option<bool>, TooLarge>, Error> {
        let Some(&last) = places.last() else { return Ok(Ok(Some(false))) };
        let count = places.len();
        let mut solutions = Solutions::new(count + 1);
        let mut first = (0, 0);
        let mut start = vec![0; count + 1];
        let mut row = vec![0; count + 1];
        for &(value, at) in &self.values {
            self.limit.spend(row.len() as u64)?;
            let met;
            if value < last.saturating_mul(2) {
                digits(places, value, &mut row);
                met = solutions.meet(&row, at);
            } else if value / last != first.0 / last {
                first = (value, at);
                digits(places, value % last, &mut start);
                continue;
            } else {
                digits(places, value % last, &mut row);
                row.iter_mut().zip(&start).for_each(|(digit, before)| *digit -= before);
                met = solutions.meet(&row, at - first.1);
            }
            match met {
                Ok(true) => {}
                Ok(false) => {
                    self.largest = self.largest.max(value);
                    return Ok(Ok(None));
                }
                Err(TooLarge) => return Ok(Err(TooLarge)),
            }
        }
        row.fill(0);
        row[count] = 1;
        row[count - 1] = -(last / count.checked_sub(2).map_or(1, |before| places[before]));
        Ok(solutions.imply(&row, 0).map(Some))
    }

    /// The inverse with these places, or the values that do not fit.
    fn fit(&mut self, places: &[i64]) -> Result<Fit, Error> {
        let mut solutions = Solutions::new(places.len() + 1);
        let mut row = vec![0; places.len() + 1];
        for &(value, at) in &self.values {
            self.limit.spend(row.len() as u64)?;
            digits(places, value, &mut row);
            match solutions.meet(&row, at) {
                Ok(true) => {}
                Ok(false) => return Ok(Fit::Upto(value)),
                Err(TooLarge) => return Ok(Fit::Open(TOO_LARGE)),
            }
        }
        let mut largest = self.values.last().map_or(0, |last| last.0);
        // Every position where a solution fails removes one unknown.
        loop {
            let Some(inverse) = self.written(places, &solutions)? else {
                return Ok(Fit::Open(TOO_LARGE));
            };
            self.limit.spend(QUESTION)?;
            let both = ViewChain::from_views(&[inverse.view()?, self.below.clone()])?;
            let Equivalence::Differ(index) =
                both.equivalent(&self.positions.clone().into(), self.limit)?
            else {
                return Ok(Fit::Inverse(inverse));
            };
            let sizes = self.below.shape();
            let at = index.iter().zip(sizes).fold(0, |at, (i, size)| at * size + i);
            let value = value_at(&self.leaves, at);
            largest = largest.max(value);
            digits(places, value, &mut row);
            if let Err(place) = self.values.binary_search(&(value, at)) {
                self.values.insert(place, (value, at));
            }
            match solutions.meet(&row, at) {
                Ok(true) => {}
                Ok(false) => return Ok(Fit::Upto(largest)),
                Err(TooLarge) => return Ok(Fit::Open(TOO_LARGE)),
            }
        }
    }

    /// The layout with these places and one of the solutions as its strides.
    fn written(&self, places: &[i64], solutions: &Solutions) -> Result<Option<Layout>, Error> {
        let Ok(strides) = solutions.point() else { return Ok(None) };
        let mut modes = Vec::with_capacity(strides.len());
        let mut start = 1;
        for (number, stride) in strides.into_iter().enumerate() {
            let size = match places.get(number) {
                Some(end) => end / start,
                None => (self.reach - 1) / start + 1,
            };
            modes.push((size, stride));
            start *= size;
        }
        Ok(Layout::new(Mode::of_leaves(coalesced(&modes))).ok())
    }
}

/// The digits of a value at these places, as many as the row has room for.
fn digits(places: &[i64], value: i64, row: &mut [i64]) {
    let mut start = 1;
    for (number, digit) in row.iter_mut().enumerate() {
        *digit = match places.get(number) {
            Some(end) => value % end / start,
            None => value / start,
        };
        start = places.get(number).copied().unwrap_or(start);
    }
}

fn is_prime(n: i64) -> bool {
    (2..n).take_while(|d| d * d <= n).all(|d| n % d != 0)
}
