//! Exact linear programming: rows with bounds, free variables.
//!
//! The rows are low ≤ a·y ≤ high with integer a and y free rationals. A vertex
//! is kept as a choice of rows that sit at one of their ends (*tight* rows);
//! every other row, and every variable, is a combination of the tight ones:
//!
//! ```text
//! row_i = (Σ_j t_ij · tight_j) / den_i
//! ```
//!
//! with integers t_ij and den_i > 0 that have no common factor, so numbers stay
//! as small as they can. There are as many tight rows as variables, few; a
//! pivot changes one of them. [`Tableau::make_feasible`] repairs one violated
//! row after the other; [`Tableau::maximize`] climbs. Both come with the
//! multipliers that prove what they say: which ends of which rows, how often.
//!
//! Example: for 0 ≤ y₀ ≤ 3 and 0 ≤ y₀ − 2y₁ ≤ 1 the largest y₁ is 3/2, because
//! 2·y₁ = y₀ − (y₀ − 2y₁) ≤ 3 − 0.
//!
//! Cost: a pivot takes rows × variables products. Ties are broken by number, so
//! it ends. Overflow policy: as in [`super::number`].

use alloc::vec;
use alloc::vec::Vec;

use crate::limit::{Halt, Meter};
use crate::number::{Number, Overflow};
use crate::row::{Row, Side};

/// Ends of rows with multipliers above 0.
pub(super) type Multiples<N> = Vec<(usize, Side, N)>;

/// A largest value, as a fraction with a denominator above 0, and why it is not exceeded:
/// the multiples of the rows' ends add up to `den`·(the form) ≤ `num`.
pub(super) struct Largest<N> {
    pub num: N,
    pub den: N,
    pub because: Multiples<N>,
}

/// A vertex of the rows.
pub(super) struct Tableau<N> {
    /// How many rows have bounds; names from there on are variables, then forms.
    rows: usize,
    low: Vec<Option<N>>,
    high: Vec<Option<N>>,
    /// The names of the tight rows, and the values they sit at.
    tight: Vec<usize>,
    at: Vec<N>,
    /// The names of the others, their combinations, denominators and numerators.
    slack: Vec<usize>,
    combination: Vec<N>,
    den: Vec<N>,
    num: Vec<N>,
}

impl<N: Number> Tableau<N> {
    /// The rows over `width` variables, and forms to be followed.
    pub(super) fn new<'a>(
        width: usize,
        rows: impl ExactSizeIterator<Item = &'a Row<N>>,
        forms: &[&[N]],
    ) -> Result<Tableau<N>, Overflow>
    where
        N: 'a,
    {
        let count = rows.len();
        let size = (count + forms.len()) * width;
        let mut tableau = Tableau {
            rows: count,
            low: Vec::with_capacity(count),
            high: Vec::with_capacity(count),
            tight: (count..count + width).collect(),
            at: vec![N::ZERO; width],
            slack: (0..count).chain((0..forms.len()).map(|f| count + width + f)).collect(),
            combination: Vec::with_capacity(size),
            den: vec![N::ONE; count + forms.len()],
            num: vec![N::ZERO; count + forms.len()],
        };
        for row in rows {
            tableau.combination.extend_from_slice(&row.form);
            tableau.low.push(row.low.clone());
            tableau.high.push(row.high.clone());
        }
        for form in forms {
            tableau.combination.extend_from_slice(form);
        }
        for column in 0..width {
            tableau.tighten_some(column)?;
        }
        tableau.evaluate()?;
        Ok(tableau)
    }

    fn width(&self) -> usize {
        self.tight.len()
    }

    fn row(&self, slack: usize) -> &[N] {
        &self.combination[slack * self.width()..(slack + 1) * self.width()]
    }

    /// Makes some row tight in place of a variable; a variable in no row stays at 0.
    fn tighten_some(&mut self, column: usize) -> Result<(), Overflow> {
        let mut best: Option<(usize, N)> = None;
        for slack in 0..self.slack.len() {
            if self.slack[slack] >= self.rows {
                continue;
            }
            let entry = self.row(slack)[column].absolute()?;
            if !entry.is_zero() && best.as_ref().is_none_or(|(_, least)| entry < *least) {
                best = Some((slack, entry));
            }
        }
        let Some((slack, _)) = best else { return Ok(()) };
        let name = self.slack[slack];
        let value = self.low[name].clone().or_else(|| self.high[name].clone());
        self.pivot(slack, column, value.unwrap_or(N::ZERO))
    }

    /// The slack row becomes tight at `value`, the tight one of that column becomes slack.
    fn pivot(&mut self, slack: usize, column: usize, value: N) -> Result<(), Overflow> {
        let width = self.width();
        // tight_c = (den·row − Σ_{j≠c} t_j·tight_j) / t_c, with t_c made positive.
        let mut expressed: Vec<N> = self.row(slack).to_vec();
        let mut den = core::mem::replace(&mut expressed[column], self.den[slack].clone());
        if den.is_negative() {
            den = den.negated()?;
            expressed[column] = expressed[column].negated()?;
        } else {
            for (j, entry) in expressed.iter_mut().enumerate() {
                if j != column && !entry.is_zero() {
                    *entry = entry.negated()?;
                }
            }
        }
        reduce(&mut expressed, &mut den)?;
        for other in 0..self.slack.len() {
            let range = other * width..(other + 1) * width;
            let factor = self.combination[other * width + column].clone();
            if other == slack || factor.is_zero() {
                continue;
            }
            // The slack row's own combination is 0 there and needs no change.
            let row = &mut self.combination[range];
            for (j, (entry, new)) in row.iter_mut().zip(&expressed).enumerate() {
                let product = factor.times(new)?;
                *entry = if j == column || entry.is_zero() {
                    product
                } else {
                    entry.times(&den)?.plus(&product)?
                };
            }
            let mut whole = self.den[other].times(&den)?;
            reduce(row, &mut whole)?;
            self.den[other] = whole;
        }
        self.combination[slack * width..(slack + 1) * width].clone_from_slice(&expressed);
        self.den[slack] = den;
        core::mem::swap(&mut self.slack[slack], &mut self.tight[column]);
        self.at[column] = value;
        Ok(())
    }

    /// Computes the values of all that is not tight.
    fn evaluate(&mut self) -> Result<(), Overflow> {
        for slack in 0..self.slack.len() {
            let mut sum = N::ZERO;
            for (entry, at) in self.row(slack).iter().zip(&self.at) {
                if !entry.is_zero() && !at.is_zero() {
                    sum = sum.plus(&entry.times(at)?)?;
                }
            }
            self.num[slack] = sum;
        }
        Ok(())
    }

    /// Whether a slack row is outside its bounds, and on which side.
    fn violated(&self, slack: usize) -> Result<Option<Side>, Overflow> {
        let name = self.slack[slack];
        if name >= self.rows {
            return Ok(None);
        }
        let (num, den) = (&self.num[slack], &self.den[slack]);
        if let Some(low) = &self.low[name]
            && *num < low.times(den)?
        {
            return Ok(Some(Side::Low));
        }
        if let Some(high) = &self.high[name]
            && *num > high.times(den)?
        {
            return Ok(Some(Side::High));
        }
        Ok(None)
    }

    /// Whether the tight row of a column may move up, or down.
    fn may_move(&self, column: usize, up: bool) -> bool {
        let name = self.tight[column];
        if name >= self.rows {
            return true;
        }
        let end = if up { &self.high[name] } else { &self.low[name] };
        end.as_ref().is_none_or(|end| self.at[column] != *end)
    }

    /// Moves to a vertex within all bounds; the multiples add up to 0 ≥ 1 if there is none.
    pub(super) fn make_feasible(
        &mut self,
        meter: &Meter<'_>,
    ) -> Result<Result<(), Multiples<N>>, Halt> {
        loop {
            meter.look()?;
            let mut worst: Option<(usize, Side)> = None;
            for slack in 0..self.slack.len() {
                if let Some(side) = self.violated(slack)?
                    && worst.is_none_or(|(known, _)| self.slack[slack] < self.slack[known])
                {
                    worst = Some((slack, side));
                }
            }
            let Some((slack, side)) = worst else { return Ok(Ok(())) };
            let upwards = side == Side::Low;
            let helps = |column: &usize| {
                let entry = &self.row(slack)[*column];
                !entry.is_zero() && self.may_move(*column, entry.is_positive() == upwards)
            };
            let column = (0..self.width()).filter(helps).min_by_key(|&c| self.tight[c]);
            let name = self.slack[slack];
            let Some(column) = column else {
                let mut because = self.multiples(slack, !upwards)?;
                because.push((name, side, self.den[slack].clone()));
                return Ok(Err(because));
            };
            let end = if upwards { &self.low[name] } else { &self.high[name] };
            let value = end.clone().unwrap_or(N::ZERO);
            self.pivot(slack, column, value)?;
            self.evaluate()?;
        }
    }

    /// The ends that bound a combination of tight rows from above (or below).
    fn multiples(&self, slack: usize, below: bool) -> Result<Multiples<N>, Overflow> {
        let mut because = Multiples::with_capacity(self.width());
        for (entry, &name) in self.row(slack).iter().zip(&self.tight) {
            if !entry.is_zero() {
                let side = if entry.is_positive() == below { Side::Low } else { Side::High };
                because.push((name, side, entry.absolute()?));
            }
        }
        Ok(because)
    }

    /// Climbs, from a vertex within all bounds, to the largest (or smallest)
    /// value of a followed form or a variable; `None` if it is unbounded.
    ///
    /// Of a smallest value the negative is returned, as the largest of −form.
    pub(super) fn maximize(
        &mut self,
        name: usize,
        smallest: bool,
        meter: &Meter<'_>,
    ) -> Result<Option<Largest<N>>, Halt> {
        /// Steps after which ties are broken by number, which always ends.
        const PATIENCE: usize = 40;
        let Some(target) = self.slack.iter().position(|&slack| slack == name) else {
            return Ok(None);
        };
        for step in 0.. {
            meter.look()?;
            // Upwards for the form is downwards for a falling row.
            let rises = |entry: &N| entry.is_positive() != smallest;
            let mut column: Option<usize> = None;
            for (c, entry) in self.row(target).iter().enumerate() {
                if entry.is_zero() || !self.may_move(c, rises(entry)) {
                    continue;
                }
                let better = match column {
                    None => true,
                    Some(known) if step < PATIENCE => {
                        entry.absolute()? > self.row(target)[known].absolute()?
                    }
                    Some(known) => self.tight[c] < self.tight[known],
                };
                if better {
                    column = Some(c);
                }
            }
            let Some(column) = column else {
                let because = self.multiples(target, smallest)?;
                let num = &self.num[target];
                let num = if smallest { num.negated()? } else { num.clone() };
                return Ok(Some(Largest { num, den: self.den[target].clone(), because }));
            };
            let up = rises(&self.row(target)[column]);
            if !self.advance(column, up)? {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Moves a tight row away from its end until something stops it; returns whether anything does.
    fn advance(&mut self, column: usize, up: bool) -> Result<bool, Overflow> {
        // The shortest way, as a fraction, and which slack row ends it there.
        let mut shortest: Option<(N, N, usize, Side)> = None;
        for slack in 0..self.slack.len() {
            let name = self.slack[slack];
            let entry = &self.row(slack)[column];
            if name >= self.rows || entry.is_zero() {
                continue;
            }
            let side = if entry.is_positive() == up { Side::High } else { Side::Low };
            let end = if side == Side::High { &self.high[name] } else { &self.low[name] };
            let Some(end) = end else { continue };
            let distance = end.times(&self.den[slack])?.minus(&self.num[slack])?.absolute()?;
            let speed = entry.absolute()?;
            let nearer = match &shortest {
                None => true,
                Some((best, best_speed, known, _)) => {
                    let (this, other) = (distance.times(best_speed)?, best.times(&speed)?);
                    this < other || this == other && name < self.slack[*known]
                }
            };
            if nearer {
                shortest = Some((distance, speed, slack, side));
            }
        }
        let tight = self.tight[column];
        let own = (tight < self.rows).then(|| (&self.low[tight], &self.high[tight]));
        if let Some((Some(low), Some(high))) = own {
            // The row may reach its own other end first.
            let room = high.minus(low)?;
            let first = match &shortest {
                None => true,
                Some((distance, speed, ..)) => room.times(speed)? <= *distance,
            };
            if first {
                self.at[column] = if up { high.clone() } else { low.clone() };
                self.evaluate()?;
                return Ok(true);
            }
        }
        let Some((_, _, slack, side)) = shortest else { return Ok(false) };
        let name = self.slack[slack];
        let end = if side == Side::High { &self.high[name] } else { &self.low[name] };
        let value = end.clone().unwrap_or(N::ZERO);
        self.pivot(slack, column, value)?;
        self.evaluate()?;
        Ok(true)
    }

    /// The value of a variable at the vertex, as a fraction.
    pub(super) fn variable(&self, number: usize) -> (N, N) {
        let name = self.rows + number;
        match self.slack.iter().position(|&slack| slack == name) {
            Some(slack) => (self.num[slack].clone(), self.den[slack].clone()),
            // A variable in no row.
            None => (N::ZERO, N::ONE),
        }
    }

    /// The name under which a variable is maximized.
    pub(super) fn variable_name(&self, number: usize) -> usize {
        self.rows + number
    }

    /// The name under which a followed form is maximized.
    pub(super) fn form_name(&self, number: usize) -> usize {
        self.rows + self.width() + number
    }
}

/// Divides a combination and its denominator by what they have in common.
fn reduce<N: Number>(row: &mut [N], den: &mut N) -> Result<(), Overflow> {
    let mut common = den.clone();
    for entry in row.iter() {
        if common == N::ONE {
            return Ok(());
        }
        if !entry.is_zero() {
            common = common.gcd(entry)?;
        }
    }
    if common == N::ONE {
        return Ok(());
    }
    for entry in row.iter_mut() {
        *entry = entry.divided_down(&common);
    }
    *den = den.divided_down(&common);
    Ok(())
}
