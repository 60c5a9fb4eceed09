//! Operations with one order: an order of the digits of all axes that the operation runs over.
//!
//! An end has some of the axes, and its layout is the order without the other axes. So
//! `x[n,c,h,w] + b[c,1,1]` runs over four axes; with the order n h w c the operand b has the
//! layout c. An axis may be *cut*: Slice, Concat, Split and Pad change its size, and each end has
//! its own size there. Its digits are then an outer one, the only one that changes, and inner
//! ones below a place that divides every bound.

use std::collections::BTreeSet;

use super::{Configuration, Contract, Hold, Rewritten, Slot, whole};
use crate::layout::{AxisDigit, Layout, row_major_strides};
use crate::target::Target;

/// The axes of one end.
#[derive(Clone, Debug)]
pub(crate) struct End {
    /// The end's shape, grouped so that every axis of the operation is an axis of it.
    pub shape: Vec<i64>,
    /// For every axis of the operation, the axis of the shape, if the end has it.
    pub axes: Vec<Option<usize>>,
}

impl End {
    /// The size of an axis at this end; 1 if the end lacks it.
    pub fn size(&self, axis: usize) -> i64 {
        self.axes[axis].map_or(1, |own| self.shape[own])
    }

    pub fn has(&self, axis: usize) -> bool {
        self.axes[axis].is_some()
    }
}

/// An axis whose size differs between the ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub axis: usize,
    /// Inner digits stay below a place that divides this number.
    pub modulus: i64,
}

/// With more orders than this, an axis that may be anywhere is put where row-major order has it.
const MOST_ORDERS: usize = 4;

/// Which orders are allowed.
#[derive(Clone, Debug)]
pub(crate) enum Rule {
    /// All orders.
    Any,
    /// The digits of these axes are adjacent; with `last`, only at the end.
    Together { axes: Vec<usize>, last: bool },
    /// First the lead axes in any order, then the spatial ones, each whole, in any order.
    Image { spatial: Vec<usize>, channel: usize },
    /// The axes before the channel, then the channel, then the others, each group in any order.
    Channel { channel: usize },
    /// The cut axes as the module describes.
    Cut,
}

pub(crate) struct Driven {
    pub family: &'static str,
    pub target: Target,
    /// The sizes of the axes that the operation runs over; for a cut axis, the size at its
    /// longest end.
    pub sizes: Vec<i64>,
    /// All operands, then all results; `None` for an end without such axes.
    pub ends: Vec<Option<End>>,
    pub slots: Vec<Slot>,
    /// For every slot, its number in `ends`.
    pub slot_ends: Vec<usize>,
    pub rule: Rule,
    pub cuts: Vec<Cut>,
    /// The bytes of which a configuration's cost is a percentage.
    pub bytes: i64,
    /// How to write it.
    pub writer: super::emit::Writer,
    pub words: String,
}

impl Driven {
    fn cut(&self, axis: usize) -> Option<&Cut> {
        self.cuts.iter().find(|cut| cut.axis == axis)
    }

    /// The layout of an end under an order.
    pub fn project(&self, end: &End, order: &[AxisDigit]) -> Layout {
        Layout::from_axes(&end.shape, &self.own_digits(end, order))
    }

    /// The digits of an end's own axes under an order.
    pub fn own_digits(&self, end: &End, order: &[AxisDigit]) -> Vec<AxisDigit> {
        let own = |digit: &AxisDigit| {
            let axis = end.axes[digit.axis]?;
            let size = self.own_size(end, digit);
            (size > 1).then_some(AxisDigit { axis, place: digit.place, size })
        };
        order.iter().filter_map(own).collect()
    }

    /// The size of a digit at an end; the outer digit of a cut axis has a size of its own there.
    pub fn own_size(&self, end: &End, digit: &AxisDigit) -> i64 {
        if !end.has(digit.axis) {
            return 1;
        }
        let outer =
            self.cut(digit.axis).is_some() && digit.place * digit.size == self.sizes[digit.axis];
        if outer { end.size(digit.axis) / digit.place } else { digit.size }
    }

    /// The orders from which a layout of an end can come. An axis that the end lacks is put where
    /// row-major order has it; a cut axis with one element there may be anywhere.
    pub fn lift(&self, end: &End, layout: &Layout) -> Vec<Vec<AxisDigit>> {
        let Some(digits) = layout.on_axes(&end.shape) else { return Vec::new() };
        let mut order = Vec::new();
        for digit in digits {
            let Some(axis) = end.axes.iter().position(|own| *own == Some(digit.axis)) else {
                return Vec::new();
            };
            let mut digit = AxisDigit { axis, ..digit };
            if let Some(cut) = self.cut(axis)
                && digit.place * digit.size == end.size(axis)
            {
                if cut.modulus % digit.place != 0 {
                    return Vec::new();
                }
                digit.size = self.sizes[axis] / digit.place;
            }
            order.push(digit);
        }
        let mut orders = vec![order];
        for axis in 0..self.sizes.len() {
            if self.sizes[axis] == 1 || orders[0].iter().any(|digit| digit.axis == axis) {
                continue;
            }
            let digit = AxisDigit { axis, place: 1, size: self.sizes[axis] };
            let inserted = |order: &Vec<AxisDigit>, at: usize| {
                let mut order = order.clone();
                order.insert(at, digit);
                order
            };
            let anywhere = self.cut(axis).is_some() && orders.len() < MOST_ORDERS;
            orders = orders
                .iter()
                .flat_map(|order| {
                    let next = order.iter().position(|digit| digit.axis > axis);
                    let natural = match order.iter().rposition(|digit| digit.axis < axis) {
                        Some(before) => before + 1,
                        None => next.unwrap_or(order.len()),
                    };
                    let places = if anywhere { 0..=order.len() } else { natural..=natural };
                    places.map(|at| inserted(order, at)).collect::<Vec<_>>()
                })
                .collect();
        }
        orders
    }

    /// The name and cost of the configuration with this order, if the rule and the target
    /// allow it.
    fn allowed(&self, order: &[AxisDigit]) -> Option<(&'static str, i64)> {
        for cut in &self.cuts {
            let top = order.iter().filter(|digit| digit.axis == cut.axis).max_by_key(|d| d.place);
            if let Some(top) = top
                && cut.modulus % top.place != 0
            {
                return None;
            }
        }
        let name = match &self.rule {
            Rule::Any => "any",
            Rule::Together { axes, last } => {
                let inside = |digit: &AxisDigit| axes.contains(&digit.axis);
                let first = order.iter().position(inside).unwrap_or(order.len());
                let length = order[first..].iter().take_while(|digit| inside(digit)).count();
                let rest = &order[first + length..];
                if rest.iter().any(inside) || (*last && !rest.is_empty()) {
                    return None;
                }
                if rest.is_empty() { "last" } else { "inner" }
            }
            Rule::Image { spatial, channel } => self.image(order, spatial, *channel)?,
            Rule::Channel { channel } => {
                let part = |digit: &AxisDigit| digit.axis.cmp(channel);
                order.is_sorted_by_key(part).then_some("image")?
            }
            Rule::Cut => {
                let first = order.first().is_none_or(|digit| self.cut(digit.axis).is_some());
                if first { "outer" } else { "inner" }
            }
        };
        let cost = self.target.cost(self.family, name, self.bytes)?;
        Some((name, cost))
    }

    /// Pools: the lead axes, then the spatial ones; or the channels last.
    fn image(
        &self,
        order: &[AxisDigit],
        spatial: &[usize],
        channel: usize,
    ) -> Option<&'static str> {
        let inside = |digit: &AxisDigit| spatial.contains(&digit.axis);
        let whole = |digit: &AxisDigit| !inside(digit) || digit.size == self.sizes[digit.axis];
        if !order.iter().all(whole) {
            return None;
        }
        if order.is_sorted_by_key(inside) && self.target.percent(self.family, "image").is_some() {
            return Some("image");
        }
        let part = |digit: &AxisDigit| match () {
            () if digit.axis == channel => 2,
            () if inside(digit) => 1,
            () => 0,
        };
        order.is_sorted_by_key(part).then_some("nhwc")
    }

    /// An order near this one that the rule allows.
    fn repaired(&self, mut order: Vec<AxisDigit>) -> Vec<AxisDigit> {
        match &self.rule {
            Rule::Any | Rule::Cut => {}
            Rule::Together { axes, .. } => order.sort_by_key(|digit| axes.contains(&digit.axis)),
            Rule::Image { spatial, .. } => {
                order.sort_by_key(|digit| spatial.contains(&digit.axis));
            }
            Rule::Channel { channel } => order.sort_by_key(|digit| digit.axis.cmp(channel)),
        }
        order
    }

    fn configuration(&self, order: &[AxisDigit]) -> Option<Configuration> {
        let (name, cost) = self.allowed(order)?;
        let project = |&end: &usize| Some(self.project(self.ends[end].as_ref()?, order));
        let layouts = self.slot_ends.iter().map(project).collect::<Option<_>>()?;
        Some(Configuration { layouts, name, cost })
    }

    /// An order that yields this configuration.
    pub fn order_of(&self, configuration: &Configuration) -> Option<Vec<AxisDigit>> {
        let lifts = self.slot_ends.iter().zip(&configuration.layouts).flat_map(|(&end, layout)| {
            self.ends[end].as_ref().map_or(Vec::new(), |end| self.lift(end, layout))
        });
        let natural = whole(&self.sizes, 0..self.sizes.len());
        lifts
            .flat_map(|order| [order.clone(), self.repaired(order)])
            .chain([natural])
            .find(|order| self.configuration(order).as_ref() == Some(configuration))
    }
}

impl Contract for Driven {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn configurations(&self, known: &[Vec<Layout>]) -> Vec<Configuration> {
        let mut orders: BTreeSet<Vec<AxisDigit>> = BTreeSet::new();
        orders.insert(whole(&self.sizes, 0..self.sizes.len()));
        for (&end, layouts) in self.slot_ends.iter().zip(known) {
            let Some(end) = &self.ends[end] else { continue };
            for order in layouts.iter().flat_map(|layout| self.lift(end, layout)) {
                orders.insert(self.repaired(order.clone()));
                orders.insert(order);
            }
        }
        let found: BTreeSet<Configuration> =
            orders.iter().filter_map(|order| self.configuration(order)).collect();
        found.into_iter().collect()
    }

    fn rewritten(&self, configuration: &Configuration) -> Option<Rewritten> {
        let order = self.order_of(configuration)?;
        self.writer.write(self, &order, configuration)
    }

    fn hold(&self, slot: usize) -> Option<Hold> {
        let end = self.ends[self.slot_ends[slot]].as_ref()?;
        let own = |axes: &mut dyn Iterator<Item = usize>| -> Vec<usize> {
            axes.filter_map(|axis| end.axes[axis]).collect()
        };
        let all = 0..self.sizes.len();
        let (forms, escape) = match &self.rule {
            Rule::Any | Rule::Cut => return None,
            Rule::Together { axes, last } => {
                let others = own(&mut all.filter(|axis| !axes.contains(axis)));
                let escape = self.target.cost(self.family, "inner", self.bytes).filter(|_| !*last);
                (vec![vec![others, own(&mut axes.iter().copied())]], escape)
            }
            Rule::Image { spatial, channel } => {
                let lead = own(&mut all.clone().filter(|axis| !spatial.contains(axis)));
                let space = own(&mut spatial.iter().copied());
                let others =
                    own(&mut all.filter(|axis| !spatial.contains(axis) && axis != channel));
                let mut forms = vec![vec![lead, space.clone()]];
                if self.target.percent(self.family, "nhwc").is_some() {
                    forms.push(vec![others, space, own(&mut [*channel].into_iter())]);
                }
                (forms, None)
            }
            Rule::Channel { channel } => {
                let blocks = [0..*channel, *channel..channel + 1, channel + 1..self.sizes.len()];
                (vec![blocks.map(|mut block| own(&mut block)).to_vec()], None)
            }
        };
        super::held(&end.shape, forms, escape)
    }

    fn carries(&self, from: usize, to: usize) -> Vec<Vec<(i64, i64, i64)>> {
        let end = |slot: usize| self.ends[self.slot_ends[slot]].as_ref();
        let (Some(one), Some(other)) = (end(from), end(to)) else { return Vec::new() };
        let axes = (0..self.sizes.len()).filter(|&axis| self.cut(axis).is_none());
        let both = axes.filter_map(|axis| Some((one.axes[axis]?, other.axes[axis]?)));
        let mut kept = super::common([&one.shape, &other.shape], both);
        // Of a cut axis, use the inner part: whether it is a digit of its own or part of the
        // outer one, it is at the same place at both ends.
        let strides = [one, other].map(|end| row_major_strides(&end.shape));
        for cut in self.cuts.iter().filter(|cut| cut.modulus > 1) {
            if let (Some(here), Some(there)) = (one.axes[cut.axis], other.axes[cut.axis])
                && one.shape[here] % cut.modulus == 0
                && other.shape[there] % cut.modulus == 0
            {
                kept.push((strides[0][here], strides[1][there], cut.modulus));
            }
        }
        vec![kept]
    }

    fn wants(&self, _slot: usize) -> String {
        self.words.clone()
    }
}
