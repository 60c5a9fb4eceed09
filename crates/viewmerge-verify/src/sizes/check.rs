//! Whether a certificate for all sizes holds.
//!
//! Everything to be shown is made here from the views; the certificate chooses the quotients, the axes
//! along which forms fall, and the sums.

use super::polynomial::{Made, Polynomial};
use super::{Floor, PolynomialView, Proof, Range, Sum};
use crate::budget::Budget;
use crate::expression::Variable;
use crate::number::Integer;
use crate::refusal::{Failure, Refusal};

type Checked<T = ()> = Result<T, Refusal>;

/// A form in an index that starts at 0 on every axis: its value there, and its steps.
struct Form {
    base: Polynomial,
    steps: Vec<Polynomial>,
}

/// What is known not to be negative, and where the proof at hand is, for messages.
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
    /// Whether everything is shown.
    pub(crate) fn check(&self, budget: &Budget) -> Checked {
        let (always, views) = (&self.always, &self.always.views);
        let mut known = Known::new(&always.variables, &always.given, budget)?;
        let top = &views[views.len() - 1];
        if top.shape != always.merged.shape || top.mask != always.merged.mask {
            return Err(known.fails("the merged view has another shape or mask than the last view"));
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
            let (form, last) = view.start(budget)?;
            known.more(&last)?;
            let count = product(&below.shape, budget)?;
            known.in_range(&form, &last, &count, range, &[])?;
            known.atoms.truncate(kept);
        }
        known.length("floors", self.floors.len(), views.len() - 1)?;
        let (mut form, last) = top.start(budget)?;
        known.more(&last)?;
        for (floors, number) in self.floors.iter().zip((0..views.len() - 1).rev()) {
            for size in &views[number].shape {
                known.positive(size)?;
            }
            form = known.pushed(number, &views[number], &form, &last, floors)?;
        }
        known.place = "merged".to_owned();
        let (merged, _) = always.merged.start(budget)?;
        if form.base != merged.base {
            return Err(known.fails("the first valid index has another position"));
        }
        for (axis, (found, claimed)) in form.steps.iter().zip(&merged.steps).enumerate() {
            // Along one index no step is taken.
            if !found.plus(-1, claimed, budget)?.times(&last[axis], budget)?.is_zero() {
                return Err(known.fails(&format!("axis {axis} has another step")));
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
    /// The position over the valid box, counted from its first index, and the greatest index of every axis.
    fn start(&self, budget: &Budget) -> Result<(Form, Vec<Polynomial>), Refusal> {
        let (mut base, mut last) = (self.offset.clone(), Vec::new());
        for (axis, size) in self.shape.iter().enumerate() {
            let zero = Polynomial::default();
            let (lo, hi) = match &self.mask {
                None => (&zero, size),
                Some(mask) => (&mask[axis].0, &mask[axis].1),
            };
            base.add(&Integer::ONE, &self.strides[axis], lo, budget)?;
            last.push(hi.plus(-1, lo, budget)?.plus(-1, &one(), budget)?);
        }
        Ok((Form { base, steps: self.strides.clone() }, last))
    }

    /// The ends of an axis' valid interval that bound it.
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
        Err(self.fails(&format!("{found} entries, {expected} are called for")))
    }

    /// A box that has an index: no last index is negative.
    fn more(&mut self, last: &[Polynomial]) -> Checked {
        for last in last {
            let size = last.plus(1, &one(), self.budget)?;
            self.positive(&size)?;
        }
        Ok(())
    }

    /// A size of 1 or more. If it is one product of variables that are not negative, none of them is 0.
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
            return fails(format!("it is taken {} times, that must be 1 or more", sum.times));
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
                    return fails(format!("there is no factor {factor}, there are {count}"));
                };
                product = product.times(atom, budget)?;
            }
            total.add(coefficient, &one(), &product, budget)?;
        }
        total.add(&(&Integer::ZERO - &sum.times), &one(), claim, budget)?;
        budget.release(held);
        match total.as_number() {
            Some(over) if !over.is_negative() && over < sum.times => Ok(()),
            _ => fails(format!(
                "the sum is not {} times {}",
                sum.times,
                claim.named(self.variables)
            )),
        }
    }

    fn each(&self, sums: &[Sum], claims: &[&Polynomial]) -> Checked {
        if sums.len() != claims.len() {
            let (found, expected) = (sums.len(), claims.len());
            return Err(self.fails(&format!("{found} inequalities, {expected} are called for")));
        }
        let mut pairs = sums.iter().zip(claims).enumerate();
        pairs.try_for_each(|(number, (sum, claim))| self.shown(number, sum, claim))
    }

    /// Whether a form is shown to be from 0 to below a modulus on a box, and from some to below other bounds.
    fn in_range(
        &self,
        form: &Form,
        last: &[Polynomial],
        modulus: &Polynomial,
        range: &Range,
        bounds: &[(Polynomial, bool)],
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
        let below = |end: &Polynomial| end.plus(-1, &one(), budget)?.plus(-1, &high, budget);
        claims.push(low.clone());
        claims.push(below(modulus)?);
        for (bound, above) in bounds {
            claims.push(if *above { below(bound)? } else { low.plus(-1, bound, budget)? });
        }
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
    ) -> Checked<Form> {
        let (rank, budget) = (view.shape.len(), self.budget);
        let mut below = Form {
            base: view.offset.clone(),
            steps: vec![Polynomial::default(); form.steps.len()],
        };
        if let Some(stride) = view.strides.last() {
            below.add(stride, form, budget)?;
        }
        let mut given = floors.iter();
        // The elements behind the axis at hand, itself included.
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
            let [lo, hi] = view.bounds(axis);
            if jump.is_zero() && lo.is_none() && hi.is_none() {
                continue;
            }
            self.place = format!("floors, view {number}, axis {axis}");
            let floor = given.next().filter(|floor| floor.axis == axis.into());
            let Some(Floor { quotient, steps, range, .. }) = floor else {
                return Err(self.fails("a floor of this axis is called for here"));
            };
            if steps.len() != form.steps.len() {
                let (found, expected) = (steps.len(), form.steps.len());
                return Err(self.fails(&format!("{found} steps for {expected} axes")));
            }
            let floor = Form::copied(quotient, steps, budget)?;
            let mut rest = Form::copied(&form.base, &form.steps, budget)?;
            rest.add(&Polynomial::default().plus(-1, &count, budget)?, &floor, budget)?;
            let mut bounds = Vec::new();
            for (bound, above) in [(lo, false), (hi, true)] {
                if let Some(bound) = bound {
                    bounds.push((bound.times(&behind, budget)?, above));
                }
            }
            self.in_range(&rest, last, &count, range, &bounds)?;
            below.add(&jump, &floor, budget)?;
        }
        if given.next().is_some() {
            self.place = format!("floors, view {number}");
            return Err(self.fails("there is a floor that is not called for"));
        }
        Ok(below)
    }
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
