//! One activation and constant weights: MatMul, Gemm, Conv, embeddings.
//!
//! Operand and result share some axes, and each has one of its own: the axis summed over and the
//! axis created. The shared digits must be arranged alike in both, before and after the own axis.
//! Inside the own axes any order works, since the weights can be permuted. Spatial axes of a
//! convolution change their size, so they stay whole, but may change places.

use std::collections::{BTreeMap, BTreeSet};

use super::{Configuration, Contract, Form, Hold, Rewritten, Slot, whole};
use crate::layout::{AxisDigit, Layout, row_major_strides};
use crate::target::Target;

/// How shared and own axes follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Shape {
    /// `[shared][own]`.
    Rows,
    /// `[shared][own][shared]`, divided anywhere.
    Around,
    /// `[batch][group][own][spatial]`.
    Image,
    /// `[batch][spatial][group][own]`.
    Nhwc,
}

/// One end: its shape, and for each of its axes the number of the axis that both ends share.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub shape: Vec<i64>,
    pub labels: Vec<usize>,
}

impl Side {
    pub fn size(&self, label: usize) -> i64 {
        self.labels.iter().position(|&own| own == label).map_or(1, |axis| self.shape[axis])
    }
}

/// What both ends have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Shared {
    pub shape: Shape,
    pub before: Vec<AxisDigit>,
    pub after: Vec<AxisDigit>,
}

pub(crate) struct Linear {
    pub target: Target,
    pub family: &'static str,
    /// The shapes that exist, with their names in the table.
    pub shapes: Vec<(Shape, &'static str)>,
    /// Operand and result; their digits have labels for axes.
    pub sides: [Side; 2],
    /// The label of the own axis of both ends.
    pub own: usize,
    pub group: Option<usize>,
    pub spatial: Vec<usize>,
    pub slots: Vec<Slot>,
    pub bytes: i64,
    pub writer: super::weights::Writer,
    pub words: [String; 2],
}

impl Linear {
    /// What a layout of a side means, for every shape that it fits.
    pub fn parsed(&self, side: usize, layout: &Layout) -> Vec<(Shared, Vec<AxisDigit>)> {
        let Some(digits) = layout.on_axes(&self.sides[side].shape) else { return Vec::new() };
        let labelled: Vec<AxisDigit> = digits
            .iter()
            .map(|digit| AxisDigit { axis: self.sides[side].labels[digit.axis], ..*digit })
            .collect();
        let first = labelled.iter().position(|digit| digit.axis == self.own);
        // Without a digit of its own, the axis can be anywhere.
        let starts = match first {
            Some(first) => first..=first,
            None => 0..=labelled.len(),
        };
        let mut found = Vec::new();
        for start in starts {
            let length =
                labelled[start..].iter().take_while(|digit| digit.axis == self.own).count();
            let (before, rest) = labelled.split_at(start);
            let (own, after) = rest.split_at(length);
            if after.iter().any(|digit| digit.axis == self.own) {
                continue;
            }
            for &(shape, _) in &self.shapes {
                if let Some((before, after)) = self.fits(side, shape, before, after) {
                    found.push((Shared { shape, before, after }, own.to_vec()));
                }
            }
        }
        found
    }

    /// The shared digits, spatial ones without their size, if they fit this shape.
    fn fits(
        &self,
        side: usize,
        shape: Shape,
        before: &[AxisDigit],
        after: &[AxisDigit],
    ) -> Option<(Vec<AxisDigit>, Vec<AxisDigit>)> {
        let part = |digit: &AxisDigit| match () {
            () if self.spatial.contains(&digit.axis) => 1,
            () if Some(digit.axis) == self.group => 2,
            () => 0,
        };
        let spatial = |digits: &[AxisDigit]| -> Option<Vec<AxisDigit>> {
            let whole = |digit: &AxisDigit| digit.size == self.sides[side].size(digit.axis);
            let inside: Vec<&AxisDigit> = digits.iter().filter(|digit| part(digit) == 1).collect();
            inside.iter().all(|digit| whole(digit)).then_some(())?;
            let absent =
                self.spatial.iter().filter(|&&axis| inside.iter().all(|digit| digit.axis != axis));
            let order = absent.copied().chain(inside.iter().map(|digit| digit.axis));
            Some(order.map(|axis| AxisDigit { axis, place: 1, size: 0 }).collect())
        };
        match shape {
            Shape::Rows => after.is_empty().then(|| (before.to_vec(), Vec::new())),
            Shape::Around => Some((before.to_vec(), after.to_vec())),
            Shape::Image => {
                let sorted = before.is_sorted_by_key(part)
                    && before.iter().all(|digit| part(digit) != 1)
                    && after.iter().all(|digit| part(digit) == 1);
                sorted.then(|| Some((before.to_vec(), spatial(after)?)))?
            }
            Shape::Nhwc => {
                (after.is_empty() && before.is_sorted_by_key(part)).then_some(())?;
                let with =
                    |number| before.iter().filter(move |digit| part(digit) == number).copied();
                Some((with(0).chain(spatial(before)?).chain(with(2)).collect(), Vec::new()))
            }
        }
    }

    /// The layout of a side.
    pub fn layout(&self, side: usize, shared: &Shared, own: &[AxisDigit]) -> Layout {
        let this = &self.sides[side];
        let digits = shared.before.iter().chain(own).chain(&shared.after).filter_map(|digit| {
            let axis = this.labels.iter().position(|&label| label == digit.axis)?;
            let size = if digit.size == 0 { this.shape[axis] } else { digit.size };
            (size > 1).then_some(AxisDigit { axis, place: digit.place, size })
        });
        Layout::from_axes(&this.shape, &digits.collect::<Vec<_>>())
    }

    /// The own axis of a side, undivided.
    fn natural(&self, side: usize) -> Vec<AxisDigit> {
        let size = self.sides[side].size(self.own);
        whole(&[size], [0]).into_iter().map(|digit| AxisDigit { axis: self.own, ..digit }).collect()
    }

    /// The parts of a configuration.
    pub fn parts(
        &self,
        configuration: &Configuration,
    ) -> Option<(Shared, Vec<AxisDigit>, Vec<AxisDigit>)> {
        let results = self.parsed(1, &configuration.layouts[1]);
        let name = |shape| self.shapes.iter().find(|(own, _)| *own == shape).map(|(_, name)| *name);
        self.parsed(0, &configuration.layouts[0]).into_iter().find_map(|(shared, summed)| {
            if name(shared.shape) != Some(configuration.name) {
                return None;
            }
            let made = results.iter().find(|(other, _)| *other == shared)?.1.clone();
            Some((shared, summed, made))
        })
    }
}

impl Contract for Linear {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn configurations(&self, known: &[Vec<Layout>]) -> Vec<Configuration> {
        let mut seen: BTreeMap<Shared, [BTreeSet<Vec<AxisDigit>>; 2]> = BTreeMap::new();
        for (side, layouts) in known.iter().enumerate() {
            for (shared, own) in layouts.iter().flat_map(|layout| self.parsed(side, layout)) {
                seen.entry(shared).or_default()[side].insert(own);
            }
        }
        let mut found = BTreeSet::new();
        for (shared, mut own) in seen {
            let name = self.shapes.iter().find(|(shape, _)| *shape == shared.shape);
            let Some(&(_, name)) = name else { continue };
            let Some(cost) = self.target.cost(self.family, name, self.bytes) else { continue };
            for (side, orders) in own.iter_mut().enumerate() {
                orders.insert(self.natural(side));
            }
            for summed in &own[0] {
                for made in &own[1] {
                    let layouts =
                        vec![self.layout(0, &shared, summed), self.layout(1, &shared, made)];
                    found.insert(Configuration { layouts, name, cost });
                }
            }
        }
        found.into_iter().collect()
    }

    fn rewritten(&self, configuration: &Configuration) -> Option<Rewritten> {
        self.writer.write(self, configuration)
    }

    fn hold(&self, slot: usize) -> Option<Hold> {
        let side = &self.sides[slot];
        let (mut forms, mut escape) = (Vec::new(), None::<i64>);
        for &(shape, name) in &self.shapes {
            let Some(cost) = self.target.cost(self.family, name, self.bytes) else { continue };
            match self.form(slot, shape).filter(|_| cost == 0) {
                Some(form) => forms.push(form),
                None => escape = Some(escape.map_or(cost, |least| least.min(cost))),
            }
        }
        if escape == Some(0) || (slot == 0 && !side.labels.contains(&self.own)) {
            return None;
        }
        super::held(&side.shape, forms, escape)
    }

    fn carries(&self, from: usize, to: usize) -> Vec<Vec<(i64, i64, i64)>> {
        let (one, other) = (&self.sides[from], &self.sides[to]);
        let there = |label: usize| other.labels.iter().position(|&own| own == label);
        let shared = one.labels.iter().enumerate().filter(|(_, label)| **label != self.own);
        let both = shared.filter_map(|(axis, &label)| Some((axis, there(label)?)));
        let mut kept = super::common([&one.shape, &other.shape], both);
        // The own axis has different digits at the two ends, but all of them are at one place
        // among the shared digits. A single digit, too small to be cut, marks that place.
        let own = [one, other].map(|side| {
            let axis = side.labels.iter().position(|&label| label == self.own)?;
            Some((row_major_strides(&side.shape)[axis], side.shape[axis]))
        });
        if let [Some((here, one)), Some((there, other))] = own
            && let Some(prime) = [2, 3, 5, 7].into_iter().find(|p| one % p == 0 && other % p == 0)
        {
            kept.push((here, there, prime));
        }
        vec![kept]
    }

    fn wants(&self, slot: usize) -> String {
        self.words[slot.min(1)].clone()
    }
}

impl Linear {
    /// The blocks of a side in a shape; `Around` does not fix their order.
    fn form(&self, slot: usize, shape: Shape) -> Option<Form> {
        let side = &self.sides[slot];
        let axes = |of: &dyn Fn(usize) -> bool| -> Vec<usize> {
            (0..side.shape.len()).filter(|&axis| of(side.labels[axis])).collect()
        };
        let own = || axes(&|label| label == self.own);
        let spatial = || axes(&|label| self.spatial.contains(&label));
        let group = || axes(&|label| Some(label) == self.group);
        let batch = || {
            axes(&|label| {
                label != self.own && Some(label) != self.group && !self.spatial.contains(&label)
            })
        };
        Some(match shape {
            Shape::Rows => vec![axes(&|label| label != self.own), own()],
            Shape::Image => vec![batch(), group(), own(), spatial()],
            Shape::Nhwc => vec![batch(), spatial(), group(), own()],
            _ => return None,
        })
    }
}
