//! Which layouts an operation may have at its ends, determined from the table and the graph.
//!
//! There are three kinds of contract: one order of axes for all ends; an operand and a result around
//! constant weights; the product of two matrices. Every other operation is row-major.

use std::collections::HashMap;

use super::Refused;
use super::choosers::Table;
use super::graph::{Graph, Op};
use super::layout::{Digit, Layout, fused, on_axes, row_major};
use super::product;
use super::weights;

/// A configuration: the number of the layout at each slot, and the cost.
pub(super) type Visit<'a> = dyn FnMut(&[usize], i64) -> Result<(), Refused> + 'a;

/// An operation with everything that its contract depends on.
pub(super) struct Site<'a> {
    pub graph: &'a Graph,
    pub table: &'a Table,
    pub op: &'a Op,
    /// The layouts of every class.
    pub layouts: &'a [Vec<Layout>],
    /// The tensors that have layouts: operands, then results.
    pub slots: Vec<usize>,
    pub operands: usize,
}

/// One end of an operation that one order drives.
pub(super) struct End {
    pub slot: usize,
    /// The shape of the tensor, grouped.
    pub shape: Vec<i64>,
    /// For every axis of the operation, the axis of the shape.
    pub axes: Vec<Option<usize>>,
}

/// A requirement on an order.
pub(super) enum Rule {
    Any,
    Together(Vec<usize>, bool),
    Image(Vec<usize>),
    Channel,
    Cut,
}

impl<'a> Site<'a> {
    pub fn new(
        graph: &'a Graph,
        table: &'a Table,
        op: &'a Op,
        layouts: &'a [Vec<Layout>],
    ) -> Site<'a> {
        let open = |ids: &[Option<usize>]| -> Vec<usize> {
            let class = |id: usize| &graph.classes[graph.tensors[id].class];
            ids.iter().flatten().copied().filter(|&id| !class(id).constant).collect()
        };
        let mut slots = open(&op.inputs);
        let operands = slots.len();
        slots.extend(open(&op.outputs));
        Site { graph, table, op, layouts, slots, operands }
    }

    /// Visits every configuration over the candidates.
    pub fn visit(&self, visit: &mut Visit<'_>) -> Result<(), Refused> {
        let given: Option<Vec<usize>> = self
            .slots
            .iter()
            .map(|&id| {
                let tensor = &self.graph.tensors[id];
                let row = row_major(tensor);
                self.layouts[tensor.class].iter().position(|layout| *layout == row)
            })
            .collect();
        let mut seen = false;
        if !self.op.copies && self.operands > 0 {
            let mut look = |choice: &[usize], cost: i64| {
                seen |= given.as_deref() == Some(choice);
                visit(choice, cost)
            };
            self.family(&mut look)?;
        }
        match given {
            Some(given) if !seen => {
                let copied = self.op.outputs.first().copied().flatten();
                let own =
                    copied.filter(|_| self.op.copies).map_or(0, |id| self.graph.tensors[id].bytes);
                visit(&given, own)
            }
            _ => Ok(()),
        }
    }

    pub fn shape(&self, id: usize) -> &[i64] {
        &self.graph.tensors[id].shape
    }

    pub fn input(&self, number: usize) -> Option<usize> {
        self.op.inputs.get(number).copied().flatten()
    }

    pub fn constant(&self, id: usize) -> bool {
        self.graph.classes[self.graph.tensors[id].class].constant
    }

    pub fn values(&self, number: usize) -> Option<&[i64]> {
        self.graph.tensors[self.input(number)?].values.as_deref()
    }

    pub fn axis(&self, axis: i64, rank: usize) -> Option<usize> {
        let rank = i64::try_from(rank).ok()?;
        let axis = axis.checked_add(if axis < 0 { rank } else { 0 })?;
        if axis < rank { usize::try_from(axis).ok() } else { None }
    }

    /// The first operand and the first result, if the operation has no others.
    pub fn pair(&self) -> Option<(usize, usize)> {
        let first = (self.input(0)?, self.op.outputs.first().copied().flatten()?);
        (self.operands == 1 && self.slots == [first.0, first.1]).then_some(first)
    }

    /// The candidates of a slot, as digits of a shape.
    pub fn digits(&self, slot: usize, shape: &[i64]) -> Vec<Option<Vec<Digit>>> {
        let tensor = &self.graph.tensors[self.slots[slot]];
        self.layouts[tensor.class].iter().map(|layout| on_axes(layout, tensor, shape)).collect()
    }

    fn family(&self, visit: &mut Visit<'_>) -> Result<(), Refused> {
        let kind = self.op.kind.as_str();
        let found = match kind {
            "MatMul" => return product::visit(self, visit),
            "Gemm" | "Conv" => return weights::visit(self, visit),
            "Gather" if self.input(0).is_some_and(|id| self.constant(id)) => {
                return weights::visit(self, visit);
            }
            _ => self.driven(),
        };
        let Some(driven) = found else { return Ok(()) };
        self.orders(&driven, visit)
    }

    /// Visits the configurations of an operation that one order drives.
    fn orders(&self, driven: &super::order::Driven, visit: &mut Visit<'_>) -> Result<(), Refused> {
        let full = |end: &&End| {
            (0..driven.sizes.len())
                .all(|axis| end.axes[axis].map_or(1, |own| end.shape[own]) == driven.sizes[axis])
        };
        let Some(lead) = driven.ends.iter().find(full) else { return Ok(()) };
        let mut numbers: Vec<HashMap<Vec<Digit>, usize>> = Vec::new();
        for end in &driven.ends {
            let digits = self.digits(end.slot, &end.shape).into_iter().enumerate();
            numbers.push(digits.filter_map(|(number, digits)| Some((digits?, number))).collect());
        }
        let bytes = self.slots.iter().map(|&id| self.graph.tensors[id].bytes).max().unwrap_or(0);
        for digits in self.digits(lead.slot, &lead.shape).into_iter().flatten() {
            let label =
                |own: usize| lead.axes.iter().position(|axis| *axis == Some(own)).unwrap_or(0);
            let order: Vec<Digit> =
                digits.iter().map(|&(own, place, size)| (label(own), place, size)).collect();
            let Some(name) = driven.name(&order, self.table) else { continue };
            let Some(cost) = self.table.cost(driven.family, name, bytes) else { continue };
            let mut choice = vec![usize::MAX; self.slots.len()];
            for (end, numbers) in driven.ends.iter().zip(&numbers) {
                let own = order.iter().filter_map(|&(axis, place, size)| {
                    let own = end.axes[axis]?;
                    let outer = driven.cuts.iter().any(|cut| cut.0 == axis)
                        && place * size == driven.sizes[axis];
                    Some((own, place, if outer { end.shape[own] / place } else { size }))
                });
                match numbers.get(&fused(own.collect())) {
                    Some(&number) => choice[end.slot] = number,
                    None => break,
                }
            }
            if choice.iter().all(|&number| number != usize::MAX) {
                visit(&choice, cost)?;
            }
        }
        Ok(())
    }
}
