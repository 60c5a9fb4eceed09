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
use lattice_point::{Affine, Big, Overflow, Proof, RowRef, Side};

/// The axis that a slab of a stage is the mask of.
pub(super) fn masked_axis(path: &Path<'_>, stage: usize, slab: usize) -> usize {
    let view = path.view(stage);
    let masked = |axis: &usize| view.interval(*axis) != (0, view.shape()[*axis]);
    (0..view.rank()).rev().filter(masked).nth(slab).unwrap_or(0)
}

/// How many quotients the format has for a chain.
fn quotients(path: &Path<'_>) -> usize {
    (0..path.stages.len()).map(|stage| path.view(stage).rank().saturating_sub(1)).sum()
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

/// Where the rows of a stage of a chain are.
struct StageRows<'a> {
    chain: usize,
    stage: usize,
    view: &'a View,
    /// The number of the row of the last axis; the others follow.
    first_row: usize,
    /// The number of the quotient of the last axis; the others follow.
    first_quotient: usize,
}

/// The rows of one claim.
pub(super) struct Rows<'a> {
    chains: &'a [&'a Path<'a>],
    stages: Vec<StageRows<'a>>,
    forms: Vec<Form>,
    variables: usize,
    /// The number of the claim's own row, if it has one.
    own: usize,
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
    pub(super) fn new(chains: &'a [&'a Path<'a>], question: &Question<'_>) -> Rows<'a> {
        let rank = chains[0].top.rank();
        let variables = rank + chains.iter().map(|chain| quotients(chain)).sum::<usize>();
        let mut rows = Rows {
            chains,
            stages: Vec::new(),
            forms: (0..rank).map(Form::column).collect(),
            variables,
            own: 0,
            missed: question.missed().map(|(chain, stage, slab)| {
                let axis = masked_axis(chains[chain], stage, slab);
                (chain, stage, chains[chain].view(stage).rank() - 1 - axis)
            }),
            tags: question.tags(),
            variable: chains[0].axes.to_vec(),
        };
        let mut free = rank;
        let mut positions: Vec<Form> = Vec::new();
        for (number, chain) in chains.iter().enumerate() {
            let route = question.paths.iter().find(|route| route.chain == number);
            positions.extend(route.map(|route| rows.chain(chain, route, free)));
            free += quotients(chain);
        }
        rows.own = rows.forms.len();
        rows.own_form(question, positions);
        rows
    }

    /// The rows of a chain as far as the route goes; the position it ends at.
    fn chain(&mut self, chain: &Path<'a>, route: &Route<'_>, first: usize) -> Form {
        let top = chain.top;
        let strides = top.strides().iter().map(|&stride| stride.into()).collect();
        let mut position = Form::new(top.offset().into(), strides);
        let mut free = first;
        for stage in 0..route.passed().len() {
            let view = chain.view(stage);
            let (chain, first_row) = (route.chain, self.forms.len());
            self.stages.push(StageRows { chain, stage, view, first_row, first_quotient: free });
            let mut next = Form::always(view.offset().into());
            let mut rest = position;
            for axis in (0..view.rank()).rev() {
                let mut digit = rest.clone();
                if axis > 0 {
                    rest = Form::column(free + view.rank() - 1 - axis);
                    digit = plus(digit, -view.shape()[axis], &rest);
                }
                next = plus(next, view.strides()[axis], &digit);
                self.forms.push(digit);
            }
            // The solver's quotients are among these.
            for modulus in route.moduli(stage) {
                self.variable.push(free + consumed(view, modulus).saturating_sub(1));
            }
            free += view.rank().saturating_sub(1);
            position = next;
        }
        position
    }

    /// Adds the claim's own row; only its form matters here, to see what is left to cancel.
    fn own_form(&mut self, question: &Question<'_>, positions: Vec<Form>) {
        let mut positions = positions.into_iter();
        let form = match (&question.claim, self.missed) {
            (Claim::None, None) => None,
            (Claim::None, Some((chain, stage, behind))) => {
                self.stage(chain, stage).map(|rows| self.forms[rows.first_row + behind].clone())
            }
            (Claim::Index { axis, .. }, _) => Some(Form::column(self.chains[0].axes[*axis])),
            (Claim::Differ { .. }, _) => match (positions.next(), positions.next()) {
                (Some(form), Some(other)) => Some(plus(form, -1, &other)),
                _ => None,
            },
        };
        self.forms.extend(form);
    }

    /// Where the rows of a stage of a chain are.
    fn stage(&self, chain: usize, stage: usize) -> Option<&StageRows<'a>> {
        self.stages.iter().find(|rows| rows.chain == chain && rows.stage == stage)
    }

    /// How many rows there are.
    pub(super) fn count(&self) -> usize {
        self.forms.len()
    }

    /// The proof with the rows and variables of the certificate, below the splits `above`.
    pub(super) fn translate(&self, proof: &Proof, above: &mut Vec<Split>) -> Proof {
        match proof {
            Proof::Absurd(multiples) => {
                let total = vec![Big::ZERO; self.variables];
                let mut sum = Sum { rows: self, above, multiples: Vec::new(), total };
                for (row, side, times) in multiples {
                    match *row {
                        RowRef::Split(_) => sum.add(*row, *side, times.clone()),
                        RowRef::Given(number) => sum.add_tag(self.tags[number], *side, times),
                    }
                }
                sum.cancel_unit_axes();
                Proof::Absurd(sum.multiples)
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
struct Sum<'r, 's> {
    rows: &'r Rows<'r>,
    above: &'s [Split],
    multiples: Vec<(RowRef, Side, Big)>,
    /// What they add up to, written as a sum ≤ 0.
    total: Vec<Big>,
}

impl Sum<'_, '_> {
    fn add(&mut self, row: RowRef, side: Side, times: Big) {
        if times == Big::ZERO {
            return;
        }
        let form = match row {
            RowRef::Given(row) => self.rows.forms[row].terms(),
            RowRef::Split(number) => {
                let split = self.above.iter().find(|(known, _)| *known == number);
                split.map_or(&[][..], |(_, terms)| terms)
            }
        };
        for (to, by) in self.total.iter_mut().zip(form) {
            match side {
                Side::Low => *to -= &times * by,
                Side::High => *to += &times * by,
            }
        }
        match self.multiples.iter_mut().find(|known| (known.0, known.1) == (row, side)) {
            Some(known) => known.2 += times,
            None => self.multiples.push((row, side, times)),
        }
    }

    /// Adds a row of the format.
    fn add_row(&mut self, row: usize, side: Side, times: Big) {
        self.add(RowRef::Given(row), side, times);
    }

    fn add_tag(&mut self, tag: Tag, side: Side, times: &Big) {
        let rows = self.rows;
        match tag {
            Tag::Index(axis) => self.add_row(rows.chains[0].axes[axis], side, times.clone()),
            Tag::Digits { chain, stage, from, to } => {
                let Some(known) = rows.stage(chain, stage) else { return };
                let view = known.view;
                let end = if to == view.count() { view.rank() } else { consumed(view, to) };
                self.add_digits(known, consumed(view, from)..end, side, times);
            }
            Tag::Claim => {
                let Some((chain, stage, behind)) = rows.missed else {
                    return self.add_row(rows.own, side, times.clone());
                };
                // The residue is the digit of the axis, times what is behind it, and that.
                let Some(known) = rows.stage(chain, stage) else { return };
                let unit: i64 = known.view.shape().iter().rev().take(behind).product();
                self.add_row(rows.own, side, times * Big::from(unit));
                self.add_digits(known, 0..behind, side, times);
            }
        }
    }

    /// Adds the rows of a range of axes, counted from the last one, in units of the first of them.
    fn add_digits(
        &mut self,
        stage: &StageRows<'_>,
        range: core::ops::Range<usize>,
        side: Side,
        times: &Big,
    ) {
        let mut weight = times.clone();
        for place in range {
            self.add_row(stage.first_row + place, side, weight.clone());
            weight *= Big::from(stage.view.shape()[stage.view.rank() - 1 - place]);
        }
    }

    /// Cancels the quotients behind unit axes, from the memory side up, outermost axis first.
    fn cancel_unit_axes(&mut self) {
        for stage in self.rows.stages.iter().rev() {
            let view = stage.view;
            let place = |axis: usize| view.rank() - 1 - axis;
            for axis in (1..view.rank()).filter(|&axis| view.shape()[axis] == 1) {
                // The digit is u − q.
                let left = self.total[stage.first_quotient + place(axis)].clone();
                self.add_signed(stage.first_row + place(axis), left);
            }
            // The digits of leading unit axes add up to the quotient behind the next axis.
            let leading = view.shape().iter().take_while(|size| **size == 1).count();
            if leading > 0 && leading < view.rank() {
                let left = -&self.total[stage.first_quotient + place(leading)];
                for axis in 0..leading {
                    self.add_signed(stage.first_row + place(axis), left.clone());
                }
            }
        }
    }

    /// Adds a multiple of a form whose ends are both 0.
    fn add_signed(&mut self, row: usize, times: Big) {
        if times > Big::ZERO {
            self.add_row(row, Side::High, times);
        } else {
            self.add_row(row, Side::Low, -times);
        }
    }
}
