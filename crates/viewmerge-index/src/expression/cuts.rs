//! An expression as one view, a view with guards, a view over cut axes, or none.
//!
//! An expression without floors is one view with affine guards. One with floors may be one over
//! cut axes: with 12·a + b for i, `i // 12` is a. The cuts that are tried are those of its divisors,
//! as long a divisor chain as they have, and then as few of them as suffice.
//!
//! Running example: `i // 3 + 4*(i % 3)` for i from 0 to 11 is a + 4·b for i = 3·a + b: `((4,3))`,
//! `(4,3):(1,4)`.
//!
//! Cost: that of simplifying, once for every set of cuts that is tried.

use alloc::vec::Vec;

use super::answer::Partial;
use super::decide::{Task, sorted};
use super::lower::Lowering;
use super::tree::{Expr, Part, Place};
use super::view::NO_SIZES;
use super::{Domain, Simplified};
use crate::form::GuardedView;
use crate::form::program::Program;
use lattice_point::{Limit, Meter, Number};
use viewmerge::{Error, Split, Validity, View, Witness};

/// What [`Domain::views`] found.
///
/// ```
/// use viewmerge::Limit;
/// use viewmerge_index::{Domain, Viewed};
///
/// let domain = Domain::new(&[("i", 0, 11)])?;
/// let simple = domain.simplify(&"i // 3 + 4*(i % 3)".parse()?, &Limit::none())?;
/// let found = domain.views(&simple, &Limit::none())?;
/// let Viewed::Split { split, view, .. } = found else { panic!("it is one over cut axes") };
/// assert_eq!((split.to_string(), view.to_string()), ("((4,3))".into(), "(4,3):(1,4)".into()));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Viewed {
    /// One view.
    One(View),
    /// One view with affine guards, and not one without.
    Guarded {
        /// The view.
        view: GuardedView,
        /// Why it is not one view.
        witness: Witness,
    },
    /// One view over cut axes, which may have guards, and not one without cuts.
    Split {
        /// How the axes are cut.
        split: Split,
        /// The view over the axes after that.
        view: GuardedView,
        /// Why it is not one view.
        witness: Witness,
    },
    /// Not one view; no cuts were found either.
    None(Witness),
}

impl Domain {
    /// What a simplified expression is: one view, one with guards, one over cut axes, or none. Axis l
    /// is the domain's variable l, from its first value on.
    ///
    /// # Errors
    ///
    /// As [`Domain::as_view`].
    ///
    /// ```
    /// use viewmerge::Limit;
    /// use viewmerge_index::{Domain, Viewed};
    ///
    /// let views = |domain: &Domain, text: &str| {
    ///     domain.views(&domain.simplify(&text.parse()?, &Limit::none())?, &Limit::none())
    /// };
    /// let domain = Domain::new(&[("i", 0, 15), ("k", 0, 2)])?.valid(&"2 <= i + k < 17".parse()?)?;
    /// let Viewed::Guarded { view, .. } = views(&domain, "i + k - 2")? else { panic!("it has a guard") };
    /// assert_eq!(view.to_string(), "(16,3):(1,1)-2 if 2 <= i0 + i1 < 17");
    /// let domain = Domain::new(&[("i", 0, 6)])?;
    /// let Viewed::None(witness) = views(&domain, "i * 2 // 3")? else { panic!("7 is prime") };
    /// assert_eq!(witness.to_string(), "the step along axis 0 is +0 at (0), but +1 at (1)");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn views(&self, simple: &Simplified, limit: &Limit<'_>) -> Result<Viewed, Error> {
        self.closed(NO_SIZES)?;
        let mut meter = Meter::new(limit);
        let mut task = Task::new(self, &mut meter);
        let witness = match task.one_view(simple)? {
            Ok(view) => return Ok(Viewed::One(view)),
            Err(witness) => witness,
        };
        if let Some(view) = self.guarded(simple)? {
            return Ok(Viewed::Guarded { view, witness });
        }
        Ok(match task.cut(simple)? {
            Some((split, view)) => Viewed::Split { split, view, witness },
            None => Viewed::None(witness),
        })
    }

    /// The view with guards that an expression without floors is.
    fn guarded(&self, simple: &Simplified) -> Result<Option<GuardedView>, Error> {
        let value = simple.value()?;
        let guard = simple.guard().map(|guard| self.normal(guard)).transpose()?;
        let (comparisons, others) = sorted(guard.as_slice());
        let sides = comparisons.iter().flat_map(|one| one.children());
        if !others.is_empty() || !sides.chain([value]).all(Expr::is_linear) {
            return Ok(None);
        }
        let mut lowering = Lowering::new(&self.ranges, 0);
        lowering.require(&comparisons)?;
        let (corner, _) = self.corners();
        let value = lowering.linear(value)?.moved(&corner)?;
        let Program { axes, guards, .. } = lowering.builder.program;
        let guards = guards.into_iter().map(|guard| guard.moved(&corner));
        let guards = guards.collect::<Result<_, _>>()?;
        let bounds = axes.iter().zip(&corner).map(|((lo, hi), from)| (lo - from, hi - from + 1));
        let validity = Validity::Box(bounds.collect());
        let view = View::new(&self.shape(), value.axes(), value.constant, validity)?;
        GuardedView::with(view, guards).map(Some)
    }

    /// Where the divisor of a node, or a number it is compared with, would cut the axes.
    fn places(&self, node: &Expr, found: &mut [Vec<i64>]) {
        match node {
            Expr::Divide(ab, _, part, _) => {
                let [a, Expr::Number(m)] = &**ab else { return };
                let m = i128::from(*m);
                for (axis, places) in found.iter_mut().enumerate() {
                    let slope = slope(a, axis);
                    // A remainder is cut at its multiples as well. A slope that does not fit cuts nowhere.
                    if (*part == Part::Remainder || slope != 0)
                        && let Ok(common) = m.gcd(&slope)
                    {
                        let cuts = [m / common, m / slope.abs().max(1)];
                        places.extend(cuts.into_iter().flat_map(i64::try_from));
                    }
                }
            }
            Expr::Compare(ab, _) => {
                if let [Expr::Variable(axis), Expr::Number(end)] = &**ab {
                    found[*axis].push(end.saturating_sub(self.ranges[*axis].0));
                }
            }
            _ => {}
        }
    }
}

impl Task<'_, '_, '_> {
    /// The fewest cuts among those of the divisors over which it is one view with guards.
    fn cut(&mut self, simple: &Simplified) -> Result<Option<(Split, GuardedView)>, Error> {
        let domain = self.domain;
        let mut found: Vec<Vec<i64>> = vec![vec![]; domain.ranges.len()];
        for expr in core::iter::once(simple.value()?).chain(simple.guard()) {
            expr.fold((), &mut |(), node| domain.places(node, &mut found));
        }
        let mut cuts: Vec<Vec<i64>> = Vec::with_capacity(found.len());
        for (mut places, size) in found.into_iter().zip(domain.shape()) {
            places.sort_unstable();
            let mut kept: Vec<i64> = Vec::new();
            for place in places {
                let behind = kept.last().copied().unwrap_or(1);
                if place > behind && place < size && size % place == 0 && place % behind == 0 {
                    kept.push(place);
                }
            }
            cuts.push(kept);
        }
        let Some(mut view) = self.over(simple, &cuts)? else { return Ok(None) };
        for axis in 0..cuts.len() {
            for k in (0..cuts[axis].len()).rev() {
                let mut fewer = cuts.clone();
                fewer[axis].remove(k);
                if let Some(coarser) = self.over(simple, &fewer)? {
                    (cuts, view) = (fewer, coarser);
                }
            }
        }
        let axes = domain.shape().into_iter().zip(cuts.iter().map(|places| places.iter().copied()));
        Ok(Some((Split::from_places(axes), view)))
    }

    /// The view with guards over axes that are cut at these places, finest first.
    fn over(
        &mut self,
        simple: &Simplified,
        cuts: &[Vec<i64>],
    ) -> Result<Option<GuardedView>, Error> {
        let mut domain = Domain { names: vec![], ranges: vec![], holds: vec![] };
        let mut variables = Vec::with_capacity(cuts.len());
        for (places, &(first, last)) in cuts.iter().zip(&self.ranges) {
            let mut terms = vec![Expr::Number(first)];
            let mut size = last - first + 1;
            for &place in places.iter().rev().chain(&[1]) {
                let digit = Expr::Variable(domain.ranges.len());
                terms.push(match place {
                    1 => digit,
                    _ => Expr::multiply(digit, Expr::Number(place), Place::default()),
                });
                domain.ranges.push((0, size / place - 1));
                size = place;
            }
            variables.push(Expr::Sum(terms));
        }
        let valid = simple.guard().map(|valid| valid.of(&variables));
        let cut = Partial { value: simple.value()?.of(&variables), valid };
        let mut task = Task::new(&domain, self.meter);
        let simple = match task.simplify(&cut) {
            Err(Error::TooManyCases { .. } | Error::ExpressionRange { .. }) => return Ok(None),
            found => found?,
        };
        match task.view(&simple)? {
            Some(view) => GuardedView::with(view, vec![]).map(Some),
            None => domain.guarded(&simple),
        }
    }
}

/// The coefficient of a variable in a sum.
fn slope(value: &Expr, axis: usize) -> i128 {
    let terms = value.terms().unwrap_or_default().into_iter();
    let of_axis = terms.filter(|(_, one)| **one == Expr::Variable(axis));
    of_axis.fold(0i128, |sum, (times, _)| sum.saturating_add(times))
}
