//! Whether a certificate for all sizes holds.
//!
//! Everything to be shown is derived here from the views; the certificate chooses the quotients, the axes
//! along which forms fall, and the sums.

use super::polynomial::{Made, Polynomial};
use super::{Clip, Floor, PolynomialView, Proof, Range, Sum};
use crate::budget::Budget;
use crate::claim::Side;
use crate::expression::Variable;
use crate::json::short;
use crate::number::Integer;
use crate::refusal::{Failure, Refusal, TooLarge};

type Checked<T = ()> = Result<T, Refusal>;

/// A form in an index that starts at 0 on every axis: its value there, and its steps.
struct Form {
    base: Polynomial,
    steps: Vec<Polynomial>,
}

/// The polynomials known not to be negative, and the current place in the proof, for messages.
struct Known<'a> {
    variables: &'a [Variable],
    budget: &'a Budget,
    atoms: Vec<Polynomial>,
    place: String,
}

fn one() -> Polynomial {
    Polynomial::number(Integer::ONE)
}

impl Proof {
    /// Checks everything that must be shown.
    pub(crate) fn check(&self, budget: &Budget) -> Checked {
        let (always, views) = (&self.always, &self.always.views);
        let mut known = Known::new(&always.variables, &always.given, budget)?;
        let top = &views[views.len() - 1];
        if top.shape != always.merged.shape {
            return Err(known.fails("the merged view and the last view have different shapes"));
        }
        let sizes = views.iter().flat_map(|view| &view.shape);
        let open: Vec<&Polynomial> =
            sizes.filter(|size| size.as_number().is_none_or(|n| n.is_negative())).collect();
        known.place = "sizes".to_owned();
        known.each(&self.sizes, &open)?;
        known.length("composes", self.composes.len(), views.len() - 1)?;
        for (number, range) in self.composes.iter().enumerate() {
            let (view, below) = (&views[number + 1], &views[number]);
            known.place = format!("composes, view {}", number + 1);
            let kept = known.atoms.len();
            let (form, last) = view.position(&view.interval(budget)?, budget)?;
            known.more(&last)?;
            let count = product(&below.shape, budget)?;
            known.in_range(&form, &last, &count, range, |_, _| Ok(Vec::new()))?;
            known.atoms.truncate(kept);
        }
        let mut valid = top.interval(budget)?;
        for (number, clip) in self.clips.iter().enumerate() {
            known.place = format!("clips, {number}");
            known.clipped(views, &mut valid, clip)?;
        }
        known.length("floors", self.floors.len(), views.len() - 1)?;
        let (mut form, last) = top.position(&valid, budget)?;
        known.more(&last)?;
        for (floors, number) in self.floors.iter().zip((0..views.len() - 1).rev()) {
            form = known.pushed(number, &views[number], &form, &last, floors, true)?;
        }
        known.place = "merged".to_owned();
        let claimed = always.merged.interval(budget)?;
        if let Some(axis) = (0..valid.len()).find(|axis| valid[*axis] != claimed[*axis]) {
            return Err(known.fails(&format!("axis {axis} has a different valid interval")));
        }
        let (merged, _) = always.merged.position(&valid, budget)?;
        if form.base != merged.base {
            return Err(known.fails("the first valid index has a different position"));
        }
        for (axis, (found, claimed)) in form.steps.iter().zip(&merged.steps).enumerate() {
            // An axis with a single index takes no step.
            if !found.plus(-1, claimed, budget)?.times(&last[axis], budget)?.is_zero() {
                return Err(known.fails(&format!("axis {axis} has a different step")));
            }
        }
        Ok(())
    }
}

/// The product of some sizes.
fn product(sizes: &[Polynomial], budget: &Budget) -> Made {
    sizes.iter().try_fold(one(), |count, size| count.times(size, budget))
}

impl PolynomialView {
    /// The valid interval of every axis.
    fn interval(&self, budget: &Budget) -> Checked<Vec<(Polynomial, Polynomial)>> {
        let mut found = Vec::new();
        for (axis, size) in self.shape.iter().enumerate() {
            found.push(match &self.mask {
                None => (Polynomial::default(), size.copied(budget)?),
                Some(mask) => (mask[axis].0.copied(budget)?, mask[axis].1.copied(budget)?),
            });
        }
        Ok(found)
    }

    /// The position over a box, relative to its first index, and the greatest index of every axis.
    fn position(
        &self,
        intervals: &[(Polynomial, Polynomial)],
        budget: &Budget,
    ) -> Checked<(Form, Vec<Polynomial>)> {
        let mut form = Form::copied(&self.offset, &self.strides, budget)?;
        let mut last = Vec::new();
        for (stride, (lo, hi)) in self.strides.iter().zip(intervals) {
            form.base.add(&Integer::ONE, stride, lo, budget)?;
            last.push(hi.plus(-1, lo, budget)?.plus(-1, &one(), budget)?);
        }
        Ok((form, last))
    }

    /// The ends of an axis's valid interval that actually bound it.
    fn bounds(&self, axis: usize) -> [Option<&Polynomial>; 2] {
        let Some(mask) = &self.mask else { return [None, None] };
        let (lo, hi) = &mask[axis];
        [Some(lo).filter(|lo| !lo.is_zero()), Some(hi).filter(|hi| **hi != self.shape[axis])]
    }
}

impl<'a> Known<'a> {
    fn new(
        variables: &'a [Variable],
        given: &[Polynomial],
        budget: &'a Budget,
    ) -> Checked<Known<'a>> {
        let mut atoms = Vec::new();
        for (place, variable) in variables.iter().enumerate() {
            let v = Polynomial::term(Integer::ONE, vec![place]);
            if let Some(first) = &variable.first {
                atoms.push(v.plus(-1, &Polynomial::number(first.clone()), budget)?);
            }
            if let Some(last) = &variable.last {
                atoms.push(Polynomial::number(last.clone()).plus(-1, &v, budget)?);
            }
        }
        atoms.extend_from_slice(given);
        Ok(Known { variables, budget, atoms, place: "merged".to_owned() })
    }

    fn fails(&self, what: &str) -> Refusal {
        Failure::NotForAll { place: self.place.clone(), what: what.to_owned() }.into()
    }

    fn length(&mut self, list: &str, found: usize, expected: usize) -> Checked {
        self.place = list.to_owned();
        if found == expected {
            return Ok(());
        }
        Err(self.fails(&format!("{found} entries, expected {expected}")))
    }

    /// Records that a box has an index: no last index is negative.
    fn more(&mut self, last: &[Polynomial]) -> Checked {
        for last in last {
            let size = last.plus(1, &one(), self.budget)?;
            self.positive(&size)?;
        }
        Ok(())
    }

    /// Records a size of 1 or more. If it is a product of variables that are not negative, none of them is
    /// 0.
    fn positive(&mut self, size: &Polynomial) -> Checked {
        if size.as_number().is_some() {
            return Ok(());
        }
        let natural = |v: &usize| {
            let first = self.variables.get(*v).and_then(|v| v.first.as_ref());
            first.is_some_and(|first| !first.is_negative())
        };
        let mut terms = size.terms();
        if let (Some((coefficient, variables)), None) = (terms.next(), terms.next())
            && !coefficient.is_negative()
            && variables.iter().all(natural)
        {
            let mut variables = variables.to_vec();
            variables.dedup();
            for v in variables {
                let v = Polynomial::term(Integer::ONE, vec![v]);
                self.atoms.push(v.plus(-1, &one(), self.budget)?);
            }
            return Ok(());
        }
        self.atoms.push(size.plus(-1, &one(), self.budget)?);
        Ok(())
    }

    /// Whether a polynomial is shown not to be negative.
    fn shown(&self, number: usize, sum: &Sum, claim: &Polynomial) -> Checked {
        let fails = |what: String| Err(self.fails(&format!("inequality {number}: {what}")));
        if sum.times < Integer::ONE {
            return fails(format!("it is taken {} times, must be 1 or more", sum.times));
        }
        let (held, budget) = (self.budget.held(), self.budget);
        let mut total = Polynomial::default();
        for (coefficient, factors) in &sum.terms {
            if coefficient.is_negative() {
                return fails(format!("the multiplier {coefficient} is below 0"));
            }
            let mut product = one();
            for factor in factors {
                let atom = usize::try_from(factor).ok().and_then(|place| self.atoms.get(place));
                let Some(atom) = atom else {
                    let count = self.atoms.len();
                    return fails(format!(
                        "there is no factor {factor}, there are {count} factors"
                    ));
                };
                product = product.times(atom, budget)?;
            }
            total.add(coefficient, &one(), &product, budget)?;
        }
        total.add(&(&Integer::ZERO - &sum.times), &one(), claim, budget)?;
        budget.release(held);
        match total.as_number() {
            Some(over) if !over.is_negative() && over < sum.times => Ok(()),
            _ => {
                let claim = claim.named(self.variables).to_string();
                fails(format!("the sum is not {} times {}", sum.times, short(&claim)))
            }
        }
    }

    fn each(&self, sums: &[Sum], claims: &[&Polynomial]) -> Checked {
        if sums.len() != claims.len() {
            let (found, expected) = (sums.len(), claims.len());
            return Err(self.fails(&format!("{found} inequalities, expected {expected}")));
        }
        let mut pairs = sums.iter().zip(claims).enumerate();
        pairs.try_for_each(|(number, (sum, claim))| self.shown(number, sum, claim))
    }

    /// Whether a form is shown to lie between 0 and a modulus on a box, and whether further claims about
    /// its least and greatest value there are shown.
    fn in_range(
        &self,
        form: &Form,
        last: &[Polynomial],
        modulus: &Polynomial,
        range: &Range,
        more: impl Fn(&Polynomial, &Polynomial) -> Result<Vec<Polynomial>, TooLarge>,
    ) -> Checked {
        let budget = self.budget;
        let mut down = vec![false; last.len()];
        for axis in &range.down {
            let place = usize::try_from(axis).ok().filter(|axis| *axis < down.len());
            let Some(place) = place else {
                return Err(self.fails(&format!("there is no axis {axis}")));
            };
            down[place] = true;
        }
        let (mut low, mut high) = (form.base.copied(budget)?, form.base.copied(budget)?);
        let mut claims = Vec::new();
        for ((step, last), down) in form.steps.iter().zip(last).zip(down) {
            let travel = step.times(last, budget)?;
            if travel.is_zero() {
                continue;
            }
            if down {
                low = low.plus(1, &travel, budget)?;
                claims.push(Polynomial::default().plus(-1, &travel, budget)?);
            } else {
                high = high.plus(1, &travel, budget)?;
                claims.push(travel);
            }
        }
        let further = more(&low, &high)?;
        claims.push(low);
        claims.push(below(&high, modulus, budget)?);
        claims.extend(further);
        self.each(&range.proofs, &claims.iter().collect::<Vec<_>>())
    }

    /// The position below a view.
    fn pushed(
        &mut self,
        number: usize,
        view: &PolynomialView,
        form: &Form,
        last: &[Polynomial],
        floors: &[Floor],
        masked: bool,
    ) -> Checked<Form> {
        for size in &view.shape {
            self.positive(size)?;
        }
        let (rank, budget) = (view.shape.len(), self.budget);
        let mut next = Form {
            base: view.offset.clone(),
            steps: vec![Polynomial::default(); form.steps.len()],
        };
        if let Some(stride) = view.strides.last() {
            next.add(stride, form, budget)?;
        }
        let mut given = floors.iter();
        // The number of elements behind the current axis, itself included.
        let mut count = one();
        for axis in (0..rank).rev() {
            let behind = count;
            count = behind.times(&view.shape[axis], budget)?;
            let jump = match axis.checked_sub(1) {
                None => Polynomial::default(),
                Some(outer) => {
                    let whole = view.shape[axis].times(&view.strides[axis], budget)?;
                    view.strides[outer].plus(-1, &whole, budget)?
                }
            };
            let [lo, hi] = if masked { view.bounds(axis) } else { [None, None] };
            if jump.is_zero() && lo.is_none() && hi.is_none() {
                continue;
            }
            self.place = format!("floors, view {number}, axis {axis}");
            let floor = given.next().filter(|floor| floor.axis == axis.into());
            let Some(Floor { quotient, steps, range, .. }) = floor else {
                return Err(self.fails("expected a floor of this axis here"));
            };
            let floor = self.floor(form, &count, quotient, steps)?;
            self.in_range(&floor.rest, last, &count, range, |low, high| {
                let mut claims = Vec::new();
                if let Some(lo) = lo {
                    claims.push(low.plus(-1, &lo.times(&behind, budget)?, budget)?);
                }
                if let Some(hi) = hi {
                    claims.push(below(high, &hi.times(&behind, budget)?, budget)?);
                }
                Ok(claims)
            })?;
            next.add(&jump, &floor.quotient, budget)?;
        }
        if given.next().is_some() {
            self.place = format!("floors, view {number}");
            return Err(self.fails("there is a floor that is not needed"));
        }
        Ok(next)
    }
}

/// A floor, and its remainder.
struct Divided {
    quotient: Form,
    rest: Form,
}

impl Known<'_> {
    fn floor(
        &self,
        form: &Form,
        count: &Polynomial,
        quotient: &Polynomial,
        steps: &[Polynomial],
    ) -> Checked<Divided> {
        let budget = self.budget;
        if steps.len() != form.steps.len() {
            let (found, expected) = (steps.len(), form.steps.len());
            return Err(self.fails(&format!("{found} steps for {expected} axes")));
        }
        let quotient = Form::copied(quotient, steps, budget)?;
        let mut rest = Form::copied(&form.base, &form.steps, budget)?;
        rest.add(&Polynomial::default().plus(-1, count, budget)?, &quotient, budget)?;
        Ok(Divided { quotient, rest })
    }

    /// Whether the first or last indices of an axis are shown not to be valid; they are then removed.
    fn clipped(
        &mut self,
        views: &[PolynomialView],
        valid: &mut [(Polynomial, Polynomial)],
        clip: &Clip,
    ) -> Checked {
        let budget = self.budget;
        let place = |number: &Integer, count: usize, what: &str| {
            let found = usize::try_from(number).ok().filter(|place| *place < count);
            found.ok_or_else(|| self.fails(&format!("there is no {what} {number} here")))
        };
        let number = place(&clip.view, views.len() - 1, "view below the last")?;
        let view = &views[number];
        let axis = place(&clip.axis, view.shape.len(), "axis")?;
        let along = place(&clip.along, valid.len(), "axis of the last view")?;
        self.shown(0, &clip.proof, &clip.cut)?;
        let Some(mask) = &view.mask else { return Err(self.fails("the view has no mask")) };
        let (lo, hi) = &mask[axis];
        let kept = self.atoms.len();
        // The indices that are removed, and those that stay.
        let mut gone = Vec::new();
        for (lo, hi) in valid.iter() {
            gone.push((lo.copied(budget)?, hi.copied(budget)?));
        }
        match clip.from {
            Side::Low => {
                valid[along].0 = valid[along].0.plus(1, &clip.cut, budget)?;
                gone[along].1 = valid[along].0.copied(budget)?;
            }
            Side::High => {
                valid[along].1 = valid[along].1.plus(-1, &clip.cut, budget)?;
                gone[along].0 = valid[along].1.copied(budget)?;
            }
        }
        let (mut form, last) = views[views.len() - 1].position(&gone, budget)?;
        self.more(&last)?;
        let above = views.len() - 2 - number;
        if clip.floors.len() != above + 1 {
            let (found, expected) = (clip.floors.len(), above + 1);
            return Err(self.fails(&format!("floors of {found} views, expected {expected}")));
        }
        for (floors, number) in clip.floors.iter().take(above).zip((0..views.len() - 1).rev()) {
            form = self.pushed(number, &views[number], &form, &last, floors, false)?;
        }
        for size in &view.shape {
            self.positive(size)?;
        }
        let [Floor { quotient, steps, range, .. }] = &clip.floors[above][..] else {
            return Err(self.fails("expected one floor of the view with the mask"));
        };
        let behind = product(&view.shape[axis + 1..], budget)?;
        let count = behind.times(&view.shape[axis], budget)?;
        let floor = self.floor(&form, &count, quotient, steps)?;
        self.in_range(&floor.rest, &last, &count, range, |low, high| {
            Ok(vec![match clip.side {
                Side::Low => below(high, &lo.times(&behind, budget)?, budget)?,
                Side::High => low.plus(-1, &hi.times(&behind, budget)?, budget)?,
            }])
        })?;
        self.atoms.truncate(kept);
        Ok(())
    }
}

/// end − 1 − high, which is not negative exactly if the greatest value lies below the end.
fn below(high: &Polynomial, end: &Polynomial, budget: &Budget) -> Made {
    end.plus(-1, &one(), budget)?.plus(-1, high, budget)
}

impl Form {
    fn copied(base: &Polynomial, steps: &[Polynomial], budget: &Budget) -> Checked<Form> {
        let mut copies = Vec::new();
        for step in steps {
            copies.push(step.copied(budget)?);
        }
        Ok(Form { base: base.copied(budget)?, steps: copies })
    }

    /// Adds a multiple of a form.
    fn add(&mut self, by: &Polynomial, other: &Form, budget: &Budget) -> Checked {
        self.base.add(&Integer::ONE, by, &other.base, budget)?;
        for (sum, step) in self.steps.iter_mut().zip(&other.steps) {
            sum.add(&Integer::ONE, by, step, budget)?;
        }
        Ok(())
    }
}
