//! The rows of a certificate, exactly as docs/certificates.md numbers them.
//!
//! The solver's rows are sums of multiples of these ([`Tag`]), and [`Rows::translate`] rewrites a
//! proof accordingly. The solver has one quotient where several axes can be fused, and none for unit
//! axes. So one of its rows stands for the digits of a range of axes, and whatever is left in the
//! quotients behind unit axes is cancelled with the rows of those axes, whose digit is 0.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::encoding::{Claim, Question, Route, Tag};
use crate::path::Path;
use crate::view::View;
use lattice_point::{Affine, Big, Overflow, Proof, RowRef, Side, Sum};

/// The axis that a slab of a stage is the mask of.
pub(super) fn masked_axis(path: &Path<'_>, stage: usize, slab: usize) -> usize {
    path.view(stage).masked_axes().rev().nth(slab).unwrap_or(0)
}

/// An affine function of the variables of the format; numbers of any size do not overflow.
type Form = Affine<Big>;

/// a + factor·b.
fn plus(a: Form, factor: i64, b: &Form) -> Form {
    match a.plus(&Big::from(factor), b) {
        Ok(sum) => sum,
        Err(Overflow) => unreachable!("big numbers do not overflow"),
    }
}

/// Where the rows and the quotients of a view are.
struct Digits<'a> {
    view: &'a View,
    /// The number of the row of the last axis; the others follow.
    row: usize,
    /// The number of the quotient of the last axis; the others follow.
    quotient: usize,
}

/// The rows of one claim.
pub(super) struct Rows<'a> {
    /// The claim's own row is the last one, if it has one.
    forms: Vec<Form>,
    variables: usize,
    /// The views of each chain that the question follows, from the top down.
    stages: Vec<Vec<Digits<'a>>>,
    /// The chain and the stage whose mask the claim is about, if it is about one, and how many axes are
    /// behind the masked one.
    missed: Option<(usize, usize, usize)>,
    /// What each row of the solver is, and what each of its variables is here.
    tags: Vec<Tag>,
    variable: Vec<usize>,
}

impl<'a> Rows<'a> {
    /// The rows of a claim, which the solver was asked as a question.
    ///
    /// A chain that does not appear in the question has variables, but no rows.
    pub(super) fn new(chains: &[&Path<'a>], question: &Question<'_>) -> Rows<'a> {
        let rank = chains[0].top.rank();
        let mut rows = Rows {
            forms: (0..rank).map(Form::column).collect(),
            variables: rank,
            stages: Vec::new(),
            missed: question.missed().map(|(chain, stage, slab)| {
                let axis = masked_axis(chains[chain], stage, slab);
                (chain, stage, chains[chain].view(stage).rank() - 1 - axis)
            }),
            tags: question.tags(),
            variable: chains[0].axes.to_vec(),
        };
        let mut positions: Vec<Form> = Vec::new();
        for (number, chain) in chains.iter().enumerate() {
            rows.stages.push(Vec::new());
            let route = question.paths.iter().find(|route| route.chain == number);
            positions.extend(route.map(|route| rows.follow(chain, route)));
            let quotients = |stage| chain.view(stage).rank().saturating_sub(1);
            rows.variables += (0..chain.stages.len()).map(quotients).sum::<usize>();
        }
        // Only the form of the claim's own row matters here, to see what is left to cancel.
        let own = match (&question.claim, rows.missed) {
            (Claim::Index { axis, .. }, _) => Some(Form::column(rows.variable[*axis])),
            (Claim::Differ { .. }, _) => Some(plus(positions[0].clone(), -1, &positions[1])),
            (Claim::None, Some((chain, stage, behind))) => {
                Some(rows.forms[rows.stages[chain][stage].row + behind].clone())
            }
            (Claim::None, None) => None,
        };
        rows.forms.extend(own);
        rows
    }

    /// Adds the rows of a chain, whose quotients come next, as far as the route goes; the position it
    /// ends at.
    fn follow(&mut self, chain: &Path<'a>, route: &Route<'_>) -> Form {
        let strides = chain.top.strides().iter().map(|&stride| stride.into()).collect();
        let mut position = Form::new(chain.top.offset().into(), strides);
        let mut quotient = self.variables;
        for stage in 0..route.passed().len() {
            let view = chain.view(stage);
            self.stages[route.chain].push(Digits { view, row: self.forms.len(), quotient });
            let mut next = Form::always(view.offset().into());
            let mut rest = position;
            for axis in (0..view.rank()).rev() {
                let mut digit = rest.clone();
                if axis > 0 {
                    rest = Form::column(quotient + view.rank() - 1 - axis);
                    digit = plus(digit, -view.shape()[axis], &rest);
                }
                next = plus(next, view.strides()[axis], &digit);
                self.forms.push(digit);
            }
            // The solver's quotients are among these.
            for modulus in route.moduli(stage) {
                self.variable.push(quotient + consumed(view, modulus).saturating_sub(1));
            }
            quotient += view.rank().saturating_sub(1);
            position = next;
        }
        position
    }

    /// How many rows there are.
    pub(super) fn count(&self) -> usize {
        self.forms.len()
    }

    /// The proof with the rows and variables of the certificate, below the splits `above`.
    pub(super) fn translate(&self, proof: &Proof, above: &mut Vec<Split>) -> Proof {
        match proof {
            Proof::Absurd(multiples) => {
                let mut leaf = Leaf { rows: self, above, sum: Sum::new(self.variables) };
                for (row, side, times) in multiples {
                    match *row {
                        RowRef::Split(_) => leaf.add(*row, *side, times.clone()),
                        RowRef::Given(number) => leaf.add_tag(self.tags[number], *side, times),
                    }
                }
                leaf.cancel_unit_axes();
                Proof::Absurd(leaf.sum.multiples)
            }
            &Proof::Split { number, ref form, ref at, ref low, ref high } => {
                let mut terms = vec![Big::ZERO; self.variables];
                for (&to, by) in self.variable.iter().zip(form) {
                    terms[to] = by.clone();
                }
                above.push((number, terms.clone()));
                let [low, high] = [low, high].map(|side| Box::new(self.translate(side, above)));
                above.pop();
                Proof::Split { number, form: terms, at: at.clone(), low, high }
            }
        }
    }
}

/// How many axes, from the last one on, have sizes that multiply to a modulus.
fn consumed(view: &View, modulus: i64) -> usize {
    let mut product = 1;
    let sizes = view.shape().iter().rev();
    sizes
        .take_while(|&&size| {
            let more = product < modulus;
            product *= size;
            more
        })
        .count()
}

/// The number of a split, and its form in the variables of the format.
pub(super) type Split = (usize, Vec<Big>);

/// A leaf on the way.
struct Leaf<'r> {
    rows: &'r Rows<'r>,
    above: &'r [Split],
    sum: Sum,
}

impl Leaf<'_> {
    fn add(&mut self, row: RowRef, side: Side, times: Big) {
        let form = match row {
            RowRef::Given(row) => self.rows.forms[row].terms(),
            RowRef::Split(number) => {
                let split = self.above.iter().find(|(known, _)| *known == number);
                split.map_or(&[][..], |(_, terms)| terms)
            }
        };
        self.sum.add((row, side), times, form);
    }

    /// Adds a row of the solver.
    fn add_tag(&mut self, tag: Tag, side: Side, times: &Big) {
        let rows = self.rows;
        match tag {
            Tag::Index(axis) => {
                self.add(RowRef::Given(rows.variable[axis]), side, times.clone());
            }
            Tag::Digits { chain, stage, from, to } => {
                let digits = &rows.stages[chain][stage];
                let view = digits.view;
                let end = if to == view.count() { view.rank() } else { consumed(view, to) };
                self.add_digits(digits, consumed(view, from)..end, side, times);
            }
            Tag::Claim => {
                let own = RowRef::Given(rows.forms.len() - 1);
                let Some((chain, stage, behind)) = rows.missed else {
                    return self.add(own, side, times.clone());
                };
                // The residue is the digit of the axis, times what is behind it, and that.
                let digits = &rows.stages[chain][stage];
                let unit: i64 = digits.view.shape().iter().rev().take(behind).product();
                self.add(own, side, times * Big::from(unit));
                self.add_digits(digits, 0..behind, side, times);
            }
        }
    }

    /// Adds the rows of a range of axes, counted from the last one, in units of the first of them.
    fn add_digits(
        &mut self,
        digits: &Digits<'_>,
        range: core::ops::Range<usize>,
        side: Side,
        times: &Big,
    ) {
        let mut weight = times.clone();
        for place in range {
            self.add(RowRef::Given(digits.row + place), side, weight.clone());
            weight *= Big::from(digits.view.shape()[digits.view.rank() - 1 - place]);
        }
    }

    /// Cancels the quotients behind unit axes, from the memory side up, outermost axis first.
    fn cancel_unit_axes(&mut self) {
        for Digits { view, row, quotient } in self.rows.stages.iter().flatten().rev() {
            let place = |axis: usize| view.rank() - 1 - axis;
            for axis in (1..view.rank()).filter(|&axis| view.shape()[axis] == 1) {
                // The digit is u − q.
                let left = self.sum.total[quotient + place(axis)].clone();
                self.add_signed(row + place(axis), left);
            }
            // The digits of leading unit axes add up to the quotient behind the next axis.
            let leading = view.shape().iter().take_while(|size| **size == 1).count();
            if leading > 0 && leading < view.rank() {
                let left = -&self.sum.total[quotient + place(leading)];
                for axis in 0..leading {
                    self.add_signed(row + place(axis), left.clone());
                }
            }
        }
    }

    /// Adds a multiple of a form whose ends are both 0.
    fn add_signed(&mut self, row: usize, times: Big) {
        let high = times > Big::ZERO;
        let (side, times) = if high { (Side::High, times) } else { (Side::Low, -times) };
        self.add(RowRef::Given(row), side, times);
    }
}
