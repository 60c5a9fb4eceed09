//! Operations whose operands and results follow one order of axes: which axes each end has, and which
//! orders are allowed.

use super::choosers::Table;
use super::layout::Digit;
use super::ops::{End, Rule, Site};

/// An operation with its axes.
pub(super) struct Driven {
    pub family: &'static str,
    pub sizes: Vec<i64>,
    pub ends: Vec<End>,
    pub rule: Rule,
    /// Axes whose size changes, with the number that inner places must divide.
    pub cuts: Vec<(usize, i64)>,
}

impl Driven {
    /// The name of the configuration with this order, if the order is allowed.
    pub fn name(&self, order: &[Digit], table: &Table) -> Option<&'static str> {
        for &(axis, modulus) in &self.cuts {
            let top = order.iter().filter(|digit| digit.0 == axis).map(|digit| digit.1).max();
            if top.is_some_and(|place| modulus % place != 0) {
                return None;
            }
        }
        let rising = |part: &dyn Fn(usize) -> usize| {
            order.windows(2).all(|pair| part(pair[0].0) <= part(pair[1].0))
        };
        match &self.rule {
            Rule::Any => Some("any"),
            Rule::Together(axes, last) => {
                // Outside, inside, outside: at most two changes, the first of them into the block.
                let inside: Vec<bool> = order.iter().map(|digit| axes.contains(&digit.0)).collect();
                let begins = (0..inside.len())
                    .filter(|&at| inside[at] && (at == 0 || !inside[at - 1]))
                    .count();
                let at_end = inside.last().copied().unwrap_or(true) || begins == 0;
                match (begins <= 1, at_end, last) {
                    (false, _, _) | (true, false, true) => None,
                    (true, true, _) => Some("last"),
                    (true, false, false) => Some("inner"),
                }
            }
            Rule::Image(spatial) => {
                let whole =
                    |digit: &Digit| !spatial.contains(&digit.0) || digit.2 == self.sizes[digit.0];
                if !order.iter().all(whole) {
                    return None;
                }
                let first = rising(&|axis| usize::from(spatial.contains(&axis)));
                if first && table.percent(self.family, "image").is_some() {
                    return Some("image");
                }
                let last = |axis: usize| match axis {
                    1 => 2,
                    _ if spatial.contains(&axis) => 1,
                    _ => 0,
                };
                rising(&last).then_some("nhwc")
            }
            Rule::Channel => rising(&|axis| axis.min(2)).then_some("image"),
            Rule::Cut => {
                let first =
                    order.first().is_none_or(|digit| self.cuts.iter().any(|cut| cut.0 == digit.0));
                Some(if first { "outer" } else { "inner" })
            }
        }
    }
}

fn divisor(numbers: &[i64]) -> i64 {
    let mut found = 0i64;
    for &number in numbers {
        let mut other = number;
        while other != 0 {
            (found, other) = (other, found % other);
        }
    }
    found.abs()
}

const UNARY_OR_BROADCAST: &str = " Abs Acos Acosh Add And Asin Asinh Atan Atanh BitShift BitwiseAnd BitwiseNot \
    BitwiseOr BitwiseXor Cast Ceil Celu Clip Cos Cosh Div Dropout Elu Equal Erf Exp Expand Floor Gelu Greater \
    GreaterOrEqual HardSigmoid HardSwish IsInf IsNaN LeakyRelu Less LessOrEqual Log Max Mean Min Mish Mod Mul \
    Neg Not Or PRelu Pow Reciprocal Relu Round Selu Sigmoid Sign Sin Sinh Softplus Softsign Sqrt Sub Sum Swish \
    Tan Tanh ThresholdedRelu Where Xor com.microsoft.Gelu com.microsoft.QuickGelu com.microsoft.FastGelu ";

const REDUCTIONS: &str = " ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin \
    ReduceProd ReduceSum ReduceSumSquare ";

impl Site<'_> {
    /// The axes of the operation, if one order drives it.
    pub fn driven(&self) -> Option<Driven> {
        let kind = self.op.kind.as_str();
        let named = |list: &str| list.contains(&format!(" {kind} "));
        let mut driven = match kind {
            _ if named(UNARY_OR_BROADCAST) => self.broadcast()?,
            _ if named(REDUCTIONS) => self.reduction()?,
            "GlobalAveragePool" | "GlobalMaxPool" => {
                let rank = self.shape(self.input(0)?).len();
                self.dropping(&(2..rank).collect::<Vec<_>>())?
            }
            "Softmax" | "LogSoftmax" => {
                let (x, y) = self.pair()?;
                let rank = self.shape(x).len();
                let old = self.graph.opset < 13;
                let axis =
                    self.axis(self.op.int("axis").unwrap_or(if old { 1 } else { -1 }), rank)?;
                let axes = if old { (axis..rank).collect() } else { vec![axis] };
                self.same("softmax", x, y, Rule::Together(axes, old))
            }
            "LayerNormalization" | "RMSNormalization" => self.norm()?,
            "BatchNormalization" => {
                let (x, y) = self.pair()?;
                let channels = [*self.shape(x).get(1)?];
                let fits = |number| self.input(number).is_some_and(|id| self.shape(id) == channels);
                if !(1..self.op.inputs.len()).all(fits) {
                    return None;
                }
                self.same("batchnorm", x, y, Rule::Channel)
            }
            "MaxPool" | "AveragePool" | "LpPool" => {
                let (x, y) = self.pair()?;
                let (from, to) = (self.shape(x), self.shape(y));
                if from.len() < 3 || from.len() != to.len() || from[..2] != to[..2] {
                    return None;
                }
                let spatial: Vec<usize> = (2..from.len()).collect();
                let mut driven = self.same("pool", x, y, Rule::Image(spatial.clone()));
                driven.sizes = from.iter().zip(to).map(|(&one, &other)| one.max(other)).collect();
                driven.cuts = spatial.into_iter().map(|axis| (axis, 1)).collect();
                driven
            }
            "Concat" | "Split" => self.joined()?,
            "Slice" => self.slice()?,
            "Pad" => self.pad()?,
            "Gather" => self.gather()?,
            _ => return None,
        };
        driven.cuts.retain(|cut| driven.sizes[cut.0] > 1);
        let fits = driven.ends.iter().all(|end| {
            (0..driven.sizes.len()).all(|axis| {
                let cut = driven.cuts.iter().any(|cut| cut.0 == axis);
                cut || end.axes[axis].is_none_or(|own| end.shape[own] == driven.sizes[axis])
            })
        });
        (fits && driven.ends.len() == self.slots.len()).then_some(driven)
    }

    fn end(&self, slot: usize) -> End {
        let shape = self.shape(self.slots[slot]).to_vec();
        End { slot, axes: (0..shape.len()).map(Some).collect(), shape }
    }

    fn same(&self, family: &'static str, x: usize, _y: usize, rule: Rule) -> Driven {
        let ends = (0..self.slots.len()).map(|slot| self.end(slot)).collect();
        Driven { family, sizes: self.shape(x).to_vec(), ends, rule, cuts: Vec::new() }
    }

    fn broadcast(&self) -> Option<Driven> {
        let out = self.op.outputs.first().copied().flatten()?;
        if self.slots.len() != self.operands + 1 {
            return None;
        }
        let sizes = self.shape(out).to_vec();
        // The bias of this operation belongs to the last axis, whatever the layout.
        if self.op.kind == "com.microsoft.FastGelu" && self.op.inputs.len() > 1 {
            return None;
        }
        if matches!(self.op.kind.as_str(), "Clip" | "Dropout" | "Expand")
            && self.op.inputs.iter().skip(1).flatten().any(|&id| !self.constant(id))
        {
            return None;
        }
        let mut ends = Vec::new();
        for slot in 0..self.slots.len() {
            let shape = self.shape(self.slots[slot]).to_vec();
            let missing = sizes.len().checked_sub(shape.len())?;
            let own =
                |axis: usize| axis.checked_sub(missing).filter(|&own| shape[own] == sizes[axis]);
            ends.push(End { slot, axes: (0..sizes.len()).map(own).collect(), shape });
        }
        let scalars_stay = matches!(self.op.kind.as_str(), "Clip" | "Dropout" | "Expand");
        let operands = if scalars_stay { 1 } else { self.op.inputs.len() };
        let longer = |id: &usize| self.shape(*id).len() > sizes.len();
        if self.op.inputs.iter().take(operands).flatten().any(longer) {
            return None;
        }
        Some(Driven { family: "elementwise", sizes, ends, rule: Rule::Any, cuts: Vec::new() })
    }

    fn reduction(&self) -> Option<Driven> {
        let rank = self.shape(self.input(0)?).len();
        let axes = match (self.op.ints("axes"), self.input(1)) {
            (Some(axes), _) => axes.to_vec(),
            (None, Some(_)) => self.values(1)?.to_vec(),
            (None, None) => Vec::new(),
        };
        if axes.is_empty() && self.op.int("noop_with_empty_axes") == Some(1) {
            return None;
        }
        let dropped: Vec<usize> = if axes.is_empty() {
            (0..rank).collect()
        } else {
            axes.iter().map(|&axis| self.axis(axis, rank)).collect::<Option<_>>()?
        };
        self.dropping(&dropped)
    }

    fn dropping(&self, dropped: &[usize]) -> Option<Driven> {
        let (x, y) = self.pair()?;
        let sizes = self.shape(x).to_vec();
        let shape = self.shape(y).to_vec();
        let left: Vec<usize> = (0..sizes.len()).filter(|axis| !dropped.contains(axis)).collect();
        let own = |axis: usize| {
            let at = left.iter().position(|&own| own == axis)?;
            Some(if shape.len() == sizes.len() { axis } else { at })
        };
        if shape.len() != sizes.len() && shape.len() != left.len() {
            return None;
        }
        let axes = (0..sizes.len()).map(own).collect();
        let ends = vec![self.end(0), End { slot: 1, shape, axes }];
        Some(Driven { family: "reduce", sizes, ends, rule: Rule::Any, cuts: Vec::new() })
    }

    fn norm(&self) -> Option<Driven> {
        let x = self.input(0)?;
        if self.op.outputs.iter().skip(1).any(Option::is_some) {
            return None;
        }
        let sizes = self.shape(x).to_vec();
        let first = self.axis(self.op.int("axis").unwrap_or(-1), sizes.len())?;
        let other = |id: &usize| self.shape(*id) != &sizes[first..];
        if self.op.inputs.iter().skip(1).flatten().any(other) {
            return None;
        }
        let mut ends = Vec::new();
        for slot in 0..self.slots.len() {
            let mut end = self.end(slot);
            if slot > 0 && slot < self.operands || slot == 0 && self.slots[0] != x {
                end.axes = (0..sizes.len()).map(|axis| axis.checked_sub(first)).collect();
            }
            ends.push(end);
        }
        let rule = Rule::Together((first..sizes.len()).collect(), true);
        Some(Driven { family: "layernorm", sizes, ends, rule, cuts: Vec::new() })
    }

    /// Concat, and Split, which is Concat backwards.
    fn joined(&self) -> Option<Driven> {
        let concat = self.op.kind == "Concat";
        let (whole, parts) = if concat {
            (self.op.outputs.first().copied().flatten()?, &self.op.inputs)
        } else {
            if self.input(1).is_some_and(|id| !self.constant(id)) {
                return None;
            }
            (self.input(0)?, &self.op.outputs)
        };
        let sizes = self.shape(whole).to_vec();
        let given = self.op.int("axis");
        let axis = self.axis(if concat { given? } else { given.unwrap_or(0) }, sizes.len())?;
        let mut bounds = Vec::new();
        for part in parts {
            let shape = self.shape((*part)?);
            if shape.len() != sizes.len() {
                return None;
            }
            bounds.push(shape[axis]);
        }
        let ends = (0..self.slots.len()).map(|slot| self.end(slot)).collect();
        let family = if concat { "concat" } else { "split" };
        Some(Driven { family, sizes, ends, rule: Rule::Cut, cuts: vec![(axis, divisor(&bounds))] })
    }

    fn slice(&self) -> Option<Driven> {
        let (x, y) = self.pair()?;
        let (starts, stops) = (self.values(1)?, self.values(2)?);
        let count = starts.len();
        let axes: Vec<i64> = match self.input(3) {
            Some(_) => self.values(3)?.to_vec(),
            None => (0..i64::try_from(count).ok()?).collect(),
        };
        let steps: Vec<i64> =
            if self.input(4).is_some() { self.values(4)?.to_vec() } else { vec![1; count] };
        if stops.len() != count || axes.len() != count || steps.len() != count {
            return None;
        }
        let mut driven = self.same("slice", x, y, Rule::Cut);
        for number in 0..count {
            let axis = self.axis(axes[number], driven.sizes.len())?;
            let (size, step) = (i128::from(driven.sizes[axis]), i128::from(steps[number]));
            let wrap = |at: i64| i128::from(at) + if at < 0 { size } else { 0 };
            let (start, stop) = if step > 0 {
                (wrap(starts[number]).clamp(0, size), wrap(stops[number]).clamp(0, size))
            } else {
                (wrap(starts[number]).clamp(0, size - 1), wrap(stops[number]).clamp(-1, size - 1))
            };
            if step == 0 || driven.cuts.iter().any(|cut| cut.0 == axis) {
                return None;
            }
            // The number of indices from `start` that come before `stop`.
            let length = (stop - start + step - step.signum()) / step;
            if length != i128::from(*self.shape(y).get(axis)?) {
                return None;
            }
            if (start, stop, step) != (0, size, 1) {
                let whole = |number: i128| i64::try_from(number).unwrap_or(1);
                let modulus =
                    if step == 1 { divisor(&[whole(size), whole(start), whole(stop)]) } else { 1 };
                driven.cuts.push((axis, modulus));
            }
        }
        Some(driven)
    }

    fn pad(&self) -> Option<Driven> {
        let (x, y) = self.pair()?;
        let rank = self.shape(x).len();
        let amounts = self.values(1)?;
        let axes: Vec<usize> = match self.input(3) {
            Some(_) => {
                self.values(3)?.iter().map(|&axis| self.axis(axis, rank)).collect::<Option<_>>()?
            }
            None => (0..rank).collect(),
        };
        if amounts.len() != 2 * axes.len() {
            return None;
        }
        let plain = self.op.text("mode").unwrap_or("constant") == "constant";
        let mut driven = self.same("pad", y, y, Rule::Cut);
        for (number, &axis) in axes.iter().enumerate() {
            let (before, after) = (amounts[number], amounts[axes.len() + number]);
            let grown = self.shape(x)[axis].checked_add(before)?.checked_add(after)?;
            if before < 0 || after < 0 || Some(&grown) != driven.sizes.get(axis) {
                return None;
            }
            if before > 0 || after > 0 {
                let modulus =
                    if plain { divisor(&[self.shape(x)[axis], before, after]) } else { 1 };
                driven.cuts.push((axis, modulus));
            }
        }
        Some(driven)
    }

    fn gather(&self) -> Option<Driven> {
        let (x, y) = self.pair()?;
        let mut driven = self.same("gather", x, y, Rule::Cut);
        let axis = self.axis(self.op.int("axis").unwrap_or(0), driven.sizes.len())?;
        let size = driven.sizes[axis];
        let indices: Vec<i64> = self
            .values(1)?
            .iter()
            .map(|&index| if index < 0 { index + size } else { index })
            .collect();
        if indices.iter().any(|&index| index < 0 || index >= size) {
            return None;
        }
        let count = i64::try_from(indices.len()).ok()?;
        let most = divisor(&[count, size]);
        let runs = |length: i64| {
            (0..indices.len()).zip(0i64..).all(|(at, position)| {
                let inside = position % length;
                let first = indices[at] - inside;
                first % length == 0 && (inside == 0 || indices[at - 1] + 1 == indices[at])
            })
        };
        let modulus =
            (1..=most).rev().find(|&length| most % length == 0 && runs(length)).unwrap_or(1);
        let mut shape = self.shape(x).to_vec();
        shape[axis] = count;
        if shape.iter().product::<i64>() != self.graph.tensors[y].elements() {
            return None;
        }
        driven.sizes[axis] = size.max(count);
        driven.ends[1] = End { slot: 1, axes: (0..shape.len()).map(Some).collect(), shape };
        driven.cuts.push((axis, modulus));
        Some(driven)
    }
}
