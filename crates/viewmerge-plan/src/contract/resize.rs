//! Operations that change the size of an axis: Concat, Slice, Split, Pad, Gather.

use super::build::{Found, Site};
use super::cuts::{Change, Interval, common_divisor, run_length};
use super::emit::Form;
use super::order::{Cut, End, Rule};

impl Site<'_> {
    pub(super) fn concat(&self) -> Found {
        let out = self.op.output(0)?;
        let sizes = self.shape(out).to_vec();
        let axis = self.axis(self.op.int("axis")?, sizes.len())?;
        let mut ends = self.no_ends();
        let mut modulus = 0;
        for (number, id) in self.op.inputs.iter().enumerate() {
            let end = self.alike((*id)?);
            if end.shape.len() != sizes.len() {
                return None;
            }
            modulus = common_divisor([modulus, end.shape[axis]]);
            ends[number] = Some(end);
        }
        ends[self.op.inputs.len()] = Some(self.alike(out));
        let cuts = vec![Cut { axis, modulus }];
        let form = Form::Cut(Change::Concat { axis });
        let words = format!("axis {axis} in pieces that divide {modulus}");
        self.driven("concat", (sizes, ends), Rule::Cut, cuts, form, words)
    }

    pub(super) fn slice(&self) -> Found {
        let (x, y) = self.only()?;
        let sizes = self.shape(x).to_vec();
        let (starts, stops) = (self.values(1)?, self.values(2)?);
        let all: Vec<i64> = (0..i64::try_from(starts.len()).ok()?).collect();
        let axes = if self.op.input(3).is_some() { self.values(3)? } else { &all };
        let ones = vec![1; starts.len()];
        let steps = if self.op.input(4).is_some() { self.values(4)? } else { &ones };
        if [stops.len(), axes.len(), steps.len()] != [starts.len(); 3] {
            return None;
        }
        let (mut intervals, mut cuts) = (Vec::new(), Vec::new());
        for number in 0..starts.len() {
            let axis = self.axis(axes[number], sizes.len())?;
            let (size, step) = (sizes[axis], steps[number]);
            let from_front = |at: i64| if at < 0 { at.saturating_add(size) } else { at };
            let (least, most) = match step.signum() {
                1 => (0, size),
                -1 => (-1, size - 1),
                _ => return None,
            };
            let start = from_front(starts[number]).clamp(least.max(0), most);
            let end = from_front(stops[number]).clamp(least, most);
            let length = (i128::from(end) - i128::from(start) + i128::from(step - step.signum()))
                / i128::from(step);
            if length != i128::from(*self.shape(y).get(axis)?)
                || cuts.iter().any(|cut: &Cut| cut.axis == axis)
            {
                return None;
            }
            if (start, end, step) == (0, size, 1) {
                continue;
            }
            let modulus = if step == 1 { common_divisor([size, start, end]) } else { 1 };
            intervals.push(Interval { axis, start, end, step });
            cuts.push(Cut { axis, modulus });
        }
        let mut ends = self.no_ends();
        ends[0] = Some(self.alike(x));
        ends[self.op.inputs.len()] = Some(self.alike(y));
        let words = format!(
            "axes {:?} in pieces that divide its bounds",
            cuts.iter().map(|cut| cut.axis).collect::<Vec<_>>()
        );
        self.driven(
            "slice",
            (sizes, ends),
            Rule::Cut,
            cuts,
            Form::Cut(Change::Slice { intervals }),
            words,
        )
    }

    pub(super) fn split(&self) -> Found {
        let x = self.op.input(0)?;
        if self.op.input(1).is_some() && !self.is_constant(1) {
            return None;
        }
        let sizes = self.shape(x).to_vec();
        let axis = self.axis(self.op.int("axis").unwrap_or(0), sizes.len())?;
        let mut ends = self.no_ends();
        ends[0] = Some(self.alike(x));
        let (mut modulus, mut parts) = (0, Vec::new());
        for (number, id) in self.op.outputs.iter().enumerate() {
            let end = self.alike((*id)?);
            let part = *end.shape.get(axis)?;
            modulus = common_divisor([modulus, part]);
            parts.push(part);
            ends[self.op.inputs.len() + number] = Some(end);
        }
        let form = Change::Split { axis, sizes: parts, operand: self.graph.opset() >= 13 };
        let words = format!("axis {axis} in pieces that divide {modulus}");
        self.driven(
            "split",
            (sizes, ends),
            Rule::Cut,
            vec![Cut { axis, modulus }],
            Form::Cut(form),
            words,
        )
    }

    pub(super) fn pad(&self) -> Found {
        let (x, y) = self.only()?;
        let (from, sizes) = (self.shape(x), self.shape(y).to_vec());
        let rank = from.len();
        let amounts = self.values(1)?;
        let axes: Vec<usize> = match self.op.input(3) {
            Some(_) => {
                self.values(3)?.iter().map(|&axis| self.axis(axis, rank)).collect::<Option<_>>()?
            }
            None => (0..rank).collect(),
        };
        if amounts.len() != 2 * axes.len() || sizes.len() != rank {
            return None;
        }
        let constant = self.op.text("mode").is_none_or(|mode| mode == "constant");
        let (mut pads, mut cuts) = (Vec::new(), Vec::new());
        for (number, &axis) in axes.iter().enumerate() {
            let (before, after) = (amounts[number], amounts[axes.len() + number]);
            if before < 0
                || after < 0
                || before.checked_add(from[axis])?.checked_add(after)? != sizes[axis]
            {
                return None;
            }
            if (before, after) == (0, 0) {
                continue;
            }
            let modulus = if constant { common_divisor([from[axis], before, after]) } else { 1 };
            pads.push((axis, before, after));
            cuts.push(Cut { axis, modulus });
        }
        let mut ends = self.no_ends();
        ends[0] = Some(self.alike(x));
        ends[self.op.inputs.len()] = Some(self.alike(y));
        let words = "its padded axes in pieces that divide the pads".into();
        let mut op = self.op.clone();
        if let Some(axes) = op.inputs.get_mut(3) {
            *axes = None;
        }
        let site = Site { op: &op, ..*self };
        site.driven("pad", (sizes, ends), Rule::Cut, cuts, Form::Cut(Change::Pad { pads }), words)
    }

    pub(super) fn gather(&self) -> Found {
        let (table, indices) = (self.op.input(0)?, self.op.input(1)?);
        let data = self.shape(table).to_vec();
        let axis = self.axis(self.op.int("axis").unwrap_or(0), data.len())?;
        if self.is_constant(0) {
            return self.embedding(&data, axis, indices);
        }
        let (x, y) = self.only()?;
        let size = data[axis];
        let indices: Vec<i64> = self
            .values(1)?
            .iter()
            .map(|&index| if index < 0 { index + size } else { index })
            .collect();
        if indices.iter().any(|index| !(0..size).contains(index)) {
            return None;
        }
        let count = i64::try_from(indices.len()).ok()?;
        let mut sizes = data.clone();
        sizes[axis] = size.max(count);
        let mut result = data.clone();
        result[axis] = count;
        let modulus = run_length(&indices, size);
        let result = End { axes: (0..result.len()).map(Some).collect(), shape: result };
        if result.shape.iter().product::<i64>() != self.graph.tensor(y).elements() {
            return None;
        }
        let mut ends = self.no_ends();
        ends[0] = Some(self.alike(x));
        ends[self.op.inputs.len()] = Some(result);
        let words = format!("axis {axis} in pieces that divide {modulus}");
        let form = Form::Cut(Change::Gather { axis, indices });
        let cuts = vec![Cut { axis, modulus }];
        self.driven("gather", (sizes, ends), Rule::Cut, cuts, form, words)
    }
}
