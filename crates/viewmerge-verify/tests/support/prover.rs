//! Makes certificates for small chains.

use serde_json::{Value, json};

use super::naive::{Interval, Mask, View, single, small};
use super::random::Random;
use super::refuter::{Form, Row, SIDES, prove};

/// A chain with its forms.
struct Chain<'a> {
    views: &'a [View],
    digits: Vec<Vec<Form>>,
    value: Form,
}

fn quotients(views: &[View]) -> usize {
    views[..views.len() - 1].iter().map(|view| view.shape.len().saturating_sub(1)).sum()
}

impl<'a> Chain<'a> {
    fn new(views: &'a [View], first: usize, variables: usize) -> Chain<'a> {
        let top = views.len() - 1;
        let mut digits = vec![Vec::new(); views.len()];
        digits[top] = (0..views[top].shape.len()).map(|l| Form::variable(variables, l)).collect();
        let position = |view: &View, digits: &[Form]| {
            let start = Form::constant(variables, view.offset);
            view.strides.iter().zip(digits).fold(start, |sum, (s, digit)| sum.plus(*s, digit))
        };
        let mut value = position(&views[top], &digits[top]);
        let mut next = first;
        for m in (0..top).rev() {
            let rank = views[m].shape.len();
            let mut u = value;
            let mut list = vec![Form::zero(variables); rank];
            for j in (1..rank).rev() {
                let q = Form::variable(variables, next);
                next += 1;
                list[j] = u.plus(-views[m].shape[j], &q);
                u = q;
            }
            if rank > 0 {
                list[0] = u;
            }
            value = position(&views[m], &list);
            digits[m] = list;
        }
        Chain { views, digits, value }
    }

    fn top(&self) -> &View {
        &self.views[self.views.len() - 1]
    }

    fn valid_box(&self) -> Vec<Interval> {
        (0..self.top().shape.len()).map(|axis| self.top().interval(axis)).collect()
    }

    fn box_rows(&self, intervals: &[Interval]) -> Vec<Row> {
        let index = &self.digits[self.views.len() - 1];
        index.iter().zip(intervals).map(|(x, i)| Row::within(x.clone(), *i)).collect()
    }

    fn all_rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for m in (0..self.views.len() - 1).rev() {
            for j in (0..self.digits[m].len()).rev() {
                rows.push(Row::within(self.digits[m][j].clone(), self.views[m].interval(j)));
            }
        }
        rows
    }

    fn hole_rows(&self, hole: usize) -> Vec<Row> {
        let mut rows = Vec::new();
        for m in (hole..self.views.len() - 1).rev() {
            for j in (0..self.digits[m].len()).rev() {
                let whole = (0, self.views[m].shape[j]);
                let interval = if m == hole { whole } else { self.views[m].interval(j) };
                rows.push(Row::within(self.digits[m][j].clone(), interval));
            }
        }
        rows
    }

    /// The view, axis, side and own row of every hole of some views.
    fn holes(&self, views: std::ops::Range<usize>) -> Vec<(usize, usize, usize, Row)> {
        let mut holes = Vec::new();
        for m in views {
            let Mask::Box(bounds) = &self.views[m].mask else { continue };
            for (j, &(lo, hi)) in bounds.iter().enumerate() {
                for side in 0..2 {
                    if [lo > 0, hi < self.views[m].shape[j]][side] {
                        let row = Row::beyond(self.digits[m][j].clone(), (lo, hi), side);
                        holes.push((m, j, side, row));
                    }
                }
            }
        }
        holes
    }
}

fn json_of(views: &[View]) -> Value {
    views.iter().map(View::json).collect()
}

fn nothing(views: &[View]) -> bool {
    views.iter().any(|view| view.mask == Mask::Nothing)
}

/// The claims above and below, for a difference and the other rows.
fn differences(
    rows: &[Row],
    difference: &Form,
    variables: usize,
    random: &mut Random,
) -> Option<Vec<Value>> {
    let mut claims = Vec::new();
    for (claim, low, high) in [("above", Some(1), None), ("below", None, Some(-1))] {
        let rows = [rows, &[Row::new(difference.clone(), low, high)]].concat();
        let proof = prove(&rows, variables, random, 0)?;
        claims.push(json!({"claim": claim, "proof": proof}));
    }
    Some(claims)
}

fn empty(views: &[View], random: &mut Random) -> Option<Value> {
    let variables = views[views.len() - 1].shape.len() + quotients(views);
    let chain = Chain::new(views, variables - quotients(views), variables);
    let rows = [chain.box_rows(&chain.valid_box()), chain.all_rows()].concat();
    prove(&rows, variables, random, 0)
}

/// A certificate of whether a chain is one view.
pub fn certificate(views: &[View], random: &mut Random) -> Value {
    match single(views) {
        Err(witness) => json!({"views": json_of(views), "witness": witness}),
        Ok(merged) => {
            let proofs = merged_proofs(views, &merged, random);
            let proofs = proofs.expect("small chains are proved");
            json!({"views": json_of(views), "merged": merged.json(), "proofs": proofs})
        }
    }
}

fn merged_proofs(views: &[View], merged: &View, random: &mut Random) -> Option<Vec<Value>> {
    let top = &views[views.len() - 1];
    if top.elements() == 0 || (merged.mask == Mask::Nothing && nothing(views)) {
        return Some(Vec::new());
    }
    if merged.mask == Mask::Nothing {
        return Some(vec![json!({"claim": "empty", "proof": empty(views, random)?})]);
    }
    let rank = top.shape.len();
    let variables = rank + quotients(views);
    let chain = Chain::new(views, rank, variables);
    let inner: Vec<Interval> = (0..rank).map(|axis| merged.interval(axis)).collect();
    let outer = chain.valid_box();
    let index = &chain.digits[views.len() - 1];

    let mut difference = chain.value.plus(0, &chain.value);
    difference = difference.plus(-merged.offset, &Form::constant(variables, 1));
    for (x, stride) in index.iter().zip(&merged.strides) {
        difference = difference.plus(-stride, x);
    }
    let inside = [chain.box_rows(&inner), chain.all_rows()].concat();
    let mut claims = differences(&inside, &difference, variables, random)?;
    for axis in 0..rank {
        for (side, name) in SIDES.iter().enumerate() {
            if [outer[axis].0 < inner[axis].0, outer[axis].1 > inner[axis].1][side] {
                let mut rows = [chain.box_rows(&outer), chain.all_rows()].concat();
                rows.push(Row::beyond(index[axis].clone(), inner[axis], side));
                let proof = prove(&rows, variables, random, 0)?;
                claims.push(json!({"claim": "outside", "axis": axis, "side": name,
                    "proof": proof}));
            }
        }
    }
    for (m, j, side, row) in chain.holes(0..views.len() - 1) {
        let rows = [chain.box_rows(&inner), chain.hole_rows(m), vec![row]].concat();
        let proof = prove(&rows, variables, random, 0)?;
        claims.push(json!({"claim": "hole", "view": m, "axis": j, "side": SIDES[side],
            "proof": proof}));
    }
    Some(claims)
}

/// A certificate that two chains are the same function, which they must be.
pub fn equal(views: &[View], other: &[View], random: &mut Random) -> Value {
    let proofs = equal_proofs(views, other, random);
    let proofs = proofs.expect("small chains are proved");
    json!({"views": json_of(views), "other": json_of(other), "proofs": proofs})
}

fn equal_proofs(views: &[View], other: &[View], random: &mut Random) -> Option<Vec<Value>> {
    let top = &views[views.len() - 1];
    if top.elements() == 0 {
        return Some(Vec::new());
    }
    match (nothing(views), nothing(other)) {
        (true, true) => return Some(Vec::new()),
        (false, true) => {
            let proof = empty(views, random)?;
            return Some(vec![json!({"claim": "empty", "chain": 0, "proof": proof})]);
        }
        (true, false) => {
            let proof = empty(other, random)?;
            return Some(vec![json!({"claim": "empty", "chain": 1, "proof": proof})]);
        }
        (false, false) => {}
    }
    let rank = top.shape.len();
    let variables = rank + quotients(views) + quotients(other);
    let chains =
        [Chain::new(views, rank, variables), Chain::new(other, rank + quotients(views), variables)];
    let boxes = [chains[0].valid_box(), chains[1].valid_box()];
    let both: Vec<Interval> =
        boxes[0].iter().zip(&boxes[1]).map(|(a, b)| (a.0.max(b.0), a.1.min(b.1))).collect();
    let difference = chains[0].value.plus(-1, &chains[1].value);
    let rows = [chains[0].box_rows(&both), chains[0].all_rows(), chains[1].all_rows()].concat();
    let mut claims = differences(&rows, &difference, variables, random)?;
    for c in 0..2 {
        let chain = &chains[c];
        for (m, j, side, row) in chain.holes(0..chain.views.len()) {
            let at_top = m == chain.views.len() - 1;
            let mut rows = chain.box_rows(if at_top { &boxes[1 - c] } else { &both });
            let own = if at_top { Vec::new() } else { chain.hole_rows(m) };
            let others = chains[1 - c].all_rows();
            rows.extend(if c == 0 { [own, others] } else { [others, own] }.concat());
            rows.push(row);
            let proof = prove(&rows, variables, random, 0)?;
            claims.push(json!({"claim": "hole", "chain": c, "view": m, "axis": j,
                "side": SIDES[side], "proof": proof}));
        }
    }
    Some(claims)
}

/// A certificate that two chains differ at an index, or in shape.
pub fn differ(views: &[View], other: &[View], at: Option<&[i128]>) -> Value {
    let at = at.map(|index| index.iter().map(|&i| small(i)).collect::<Vec<_>>());
    json!({"views": json_of(views), "other": json_of(other), "differ": at})
}
