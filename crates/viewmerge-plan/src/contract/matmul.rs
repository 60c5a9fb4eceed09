//! MatMul of two activations: A[P, M, K] · B[P, K, N] → [P, M, N].
//!
//! The digits of each of the four blocks may be in any order, but the same wherever the block
//! occurs. Plain MatMul wants the blocks as written, or all three ends transposed with the
//! operands exchanged. A target may accept transposed operands, or operands with the batch
//! inside: [M, P, K].

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Configuration, Contract, Hold, Rewritten, RewrittenInput, Slot, count, in_blocks, whole,
};
use crate::graph::Attribute;
use crate::layout::{AxisDigit, Layout};
use crate::target::Target;

const P: usize = 0;
const M: usize = 1;
const K: usize = 2;
const N: usize = 3;

/// An operand as the kernel sees it: the rows and columns of its matrix, and how they are
/// arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    trans: bool,
    batch: bool,
}

const WAYS: [Way; 4] = [
    Way { trans: false, batch: false },
    Way { trans: true, batch: false },
    Way { trans: false, batch: true },
    Way { trans: true, batch: true },
];

impl Way {
    /// The blocks in memory of a matrix with these rows and columns.
    fn pattern(self, rows: usize, columns: usize) -> [usize; 3] {
        match (self.trans, self.batch) {
            (false, false) => [P, rows, columns],
            (true, false) => [P, columns, rows],
            (false, true) => [rows, P, columns],
            (true, true) => [columns, P, rows],
        }
    }
}

pub(crate) struct MatMul {
    pub target: Target,
    /// The shapes of A, B and the result, with the block of every axis and its number in the block.
    pub ends: [MatrixEnd; 3],
    pub slots: Vec<Slot>,
    pub bytes: [i64; 3],
    pub kind: String,
    pub attributes: BTreeMap<String, Attribute>,
}

#[derive(Clone, Debug)]
pub(crate) struct MatrixEnd {
    pub shape: Vec<i64>,
    /// For every axis of the shape, the axis of the product that it is.
    pub labels: Vec<usize>,
    /// For every axis of the product its block.
    pub block_of: Vec<usize>,
}

type Blocks = [Vec<AxisDigit>; 4];

impl MatMul {
    fn labelled(&self, end: usize, layout: &Layout) -> Option<Vec<AxisDigit>> {
        let digits = layout.on_axes(&self.ends[end].shape)?;
        let label =
            |digit: &AxisDigit| AxisDigit { axis: self.ends[end].labels[digit.axis], ..*digit };
        Some(digits.iter().map(label).collect())
    }

    fn layout(&self, end: usize, pattern: [usize; 3], blocks: &Blocks) -> Layout {
        let this = &self.ends[end];
        let own = |digit: &AxisDigit| {
            let axis = this.labels.iter().position(|&label| label == digit.axis)?;
            Some(AxisDigit { axis, ..*digit })
        };
        let digits: Vec<AxisDigit> =
            pattern.iter().flat_map(|&block| &blocks[block]).filter_map(own).collect();
        Layout::from_axes(&this.shape, &digits)
    }

    /// The cost of passing the physical operand `side` (0 or 1) of `bytes` this way.
    fn way_cost(&self, way: Way, side: usize, bytes: i64) -> Option<i64> {
        let names = [["trans_a", "batch_a"], ["trans_b", "batch_b"]][side];
        let cost =
            |used: bool, name| if used { self.target.cost("matmul", name, bytes) } else { Some(0) };
        Some(cost(way.trans, names[0])? + cost(way.batch, names[1])?)
    }

    /// All ways that this target has, for blocks in some order.
    fn forms(&self) -> Vec<Ways> {
        let mut forms = Vec::new();
        for swapped in [false, true] {
            let name = if swapped { "swapped" } else { "plain" };
            let Some(base) = self.target.cost("matmul", name, self.bytes[2]) else { continue };
            for first in WAYS {
                for second in WAYS {
                    // When exchanged, the kernel's first operand is B, with N as its rows.
                    let (a, b) = if swapped { (second, first) } else { (first, second) };
                    let sides = if swapped { [1, 0] } else { [0, 1] };
                    let costs = (
                        self.way_cost(first, 0, self.bytes[sides[0]]),
                        self.way_cost(second, 1, self.bytes[sides[1]]),
                    );
                    let (Some(one), Some(two)) = costs else { continue };
                    let patterns = if swapped {
                        [a.pattern(K, M), b.pattern(N, K), [P, N, M]]
                    } else {
                        [a.pattern(M, K), b.pattern(K, N), [P, M, N]]
                    };
                    forms.push(Ways {
                        swapped,
                        first,
                        second,
                        patterns,
                        cost: base + one + two,
                        name,
                    });
                }
            }
        }
        forms
    }

    /// The ways and the blocks of a configuration.
    fn ways_of(&self, configuration: &Configuration) -> Option<(Ways, Blocks)> {
        let digits: Vec<Vec<AxisDigit>> = (0..3)
            .map(|end| self.labelled(end, &configuration.layouts[end]))
            .collect::<Option<_>>()?;
        self.forms().into_iter().find_map(|ways| {
            if ways.cost != configuration.cost || ways.name != configuration.name {
                return None;
            }
            let mut blocks: [Option<Vec<AxisDigit>>; 4] = [const { None }; 4];
            for ((digits, end), pattern) in digits.iter().zip(&self.ends).zip(ways.patterns) {
                let sorted = in_blocks(digits, &end.block_of, &pattern)?;
                for block in pattern {
                    let found = sorted.get(block).cloned().unwrap_or_default();
                    match &blocks[block] {
                        Some(known) if *known != found => return None,
                        _ => blocks[block] = Some(found),
                    }
                }
            }
            Some((ways, blocks.map(Option::unwrap_or_default)))
        })
    }

    fn natural(&self, block: usize) -> Vec<AxisDigit> {
        let mut sizes = vec![1; self.ends[0].block_of.len()];
        for end in &self.ends {
            for (axis, &label) in end.labels.iter().enumerate() {
                sizes[label] = end.shape[axis];
            }
        }
        let inside = (0..sizes.len()).filter(|&label| self.ends[0].block_of[label] == block);
        whole(&sizes, inside)
    }
}

struct Ways {
    swapped: bool,
    first: Way,
    second: Way,
    patterns: [[usize; 3]; 3],
    cost: i64,
    name: &'static str,
}

impl Contract for MatMul {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn configurations(&self, known: &[Vec<Layout>]) -> Vec<Configuration> {
        let forms = self.forms();
        // The orders of three blocks that the layouts of each end show.
        let mut seen: [BTreeSet<[Vec<AxisDigit>; 4]>; 3] = [const { BTreeSet::new() }; 3];
        for end in 0..3 {
            let patterns: BTreeSet<[usize; 3]> =
                forms.iter().map(|ways| ways.patterns[end]).collect();
            for digits in known[end].iter().filter_map(|layout| self.labelled(end, layout)) {
                for pattern in &patterns {
                    if let Some(mut sorted) = in_blocks(&digits, &self.ends[end].block_of, pattern)
                    {
                        sorted.resize(4, Vec::new());
                        if let Ok(blocks) = sorted.try_into() {
                            seen[end].insert(blocks);
                        }
                    }
                }
            }
        }
        // Each end leaves one block open: that block is as at another end, or in its natural
        // order.
        let open = [N, M, K];
        let mut quads: BTreeSet<Blocks> = BTreeSet::new();
        for end in 0..3 {
            let block = open[end];
            for blocks in &seen[end] {
                let others = (0..3).filter(|&other| other != end).flat_map(|other| &seen[other]);
                let orders = others.map(|other| other[block].clone());
                let orders: BTreeSet<_> = orders.chain([self.natural(block)]).collect();
                for order in orders {
                    let mut quad = blocks.clone();
                    quad[block] = order;
                    if count(&quad[block]) == count(&self.natural(block)) {
                        quads.insert(quad);
                    }
                }
            }
        }
        let mut found: BTreeMap<Vec<Layout>, (i64, &'static str)> = BTreeMap::new();
        for quad in &quads {
            for ways in &forms {
                let layouts =
                    (0..3).map(|end| self.layout(end, ways.patterns[end], quad)).collect();
                let cost = (ways.cost, ways.name);
                found.entry(layouts).and_modify(|least| *least = cost.min(*least)).or_insert(cost);
            }
        }
        let made = |(layouts, (cost, name))| Configuration { layouts, name, cost };
        found.into_iter().map(made).collect()
    }

    fn rewritten(&self, configuration: &Configuration) -> Option<Rewritten> {
        let (ways, blocks) = self.ways_of(configuration)?;
        let batched = !blocks[P].is_empty();
        let shape = |pattern: [usize; 3]| -> Vec<i64> {
            let sizes = pattern.iter().filter(|&&block| batched || block != P);
            sizes.map(|&block| count(&blocks[block])).collect()
        };
        let stored = |end: usize| Some(RewrittenInput::Stored(end, shape(ways.patterns[end])));
        let inputs =
            if ways.swapped { vec![stored(1), stored(0)] } else { vec![stored(0), stored(1)] };
        let outputs = vec![Some(shape(ways.patterns[2]))];
        let plain = WAYS[0];
        let mut attributes = self.attributes.clone();
        let mut kind = self.kind.clone();
        for name in ["transA", "transB", "transBatchA", "transBatchB"] {
            attributes.remove(name);
        }
        if ways.first != plain || ways.second != plain {
            kind = "com.microsoft.FusedMatMul".into();
            let flags = [
                ("transA", ways.first.trans),
                ("transB", ways.second.trans),
                ("transBatchA", ways.first.batch && batched),
                ("transBatchB", ways.second.batch && batched),
            ];
            for (name, _) in flags.iter().filter(|(_, used)| *used) {
                attributes.insert((*name).into(), Attribute::Int(1));
            }
        }
        Some(Rewritten { kind, attributes, inputs, outputs })
    }

    fn hold(&self, slot: usize) -> Option<Hold> {
        let end = &self.ends[slot];
        let axes = |block: usize| -> Vec<usize> {
            (0..end.shape.len()).filter(|&axis| end.block_of[end.labels[axis]] == block).collect()
        };
        let (mut forms, mut escape) = (Vec::new(), None::<i64>);
        for ways in self.forms() {
            let form = ways.patterns[slot].map(axes).to_vec();
            if ways.cost == 0 && !forms.contains(&form) {
                forms.push(form);
            } else if ways.cost > 0 {
                escape = Some(escape.map_or(ways.cost, |least| least.min(ways.cost)));
            }
        }
        super::held(&end.shape, forms, escape)
    }

    /// Every block keeps its own order; the order of the blocks may change.
    fn carries(&self, from: usize, to: usize) -> Vec<Vec<(i64, i64, i64)>> {
        let (one, other) = (&self.ends[from], &self.ends[to]);
        let block = |block: usize| {
            let inside =
                (0..one.shape.len()).filter(move |&axis| one.block_of[one.labels[axis]] == block);
            let both = inside.filter_map(|axis| {
                let there = other.labels.iter().position(|&label| label == one.labels[axis])?;
                Some((axis, there))
            });
            super::common([&one.shape, &other.shape], both)
        };
        [P, M, K, N].map(block).to_vec()
    }

    fn wants(&self, slot: usize) -> String {
        let words = [
            "[batch, rows, columns] of its first operand",
            "[batch, rows, columns] of its second operand",
            "[batch, rows, columns] of its result",
        ];
        words[slot.min(2)].into()
    }
}
