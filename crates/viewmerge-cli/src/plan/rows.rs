//! The planned graph as rows in the order they run, and the lanes in which tensors run down beside them.
//!
//! A tensor occupies its lane from the row that makes it to the last row that reads it; then the lane is free.
//! The result of a row takes the lane of an operand that ends there, so that a chain of ops is one straight line.

use std::collections::{BTreeMap, BTreeSet};

use viewmerge_plan::plan::{Place, PlannedOp, Source};
use viewmerge_plan::{Graph, Plan};

/// What a row stands for.
pub(super) enum What<'a> {
    /// An input.
    Given,
    /// An op.
    Op(&'a PlannedOp),
    /// A copy, by its number among those drawn.
    Copy(usize),
    /// An output.
    Wanted(String),
}

/// A row of the picture.
pub(super) struct Row<'a> {
    pub(super) what: What<'a>,
    /// The stored layouts it reads.
    pub(super) reads: Vec<Place>,
    /// The stored layouts it makes.
    pub(super) makes: Vec<Place>,
}

/// All rows, in the order they run.
pub(super) fn rows<'a>(graph: &Graph, plan: &'a Plan) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    let mut made = BTreeSet::new();
    for (class, one) in plan.classes.iter().enumerate() {
        if graph.inputs().contains(&one.root) {
            let place = Place { class, layout: 0 };
            made.insert(place);
            rows.push(Row { what: What::Given, reads: Vec::new(), makes: vec![place] });
        }
    }
    let mut copies = 0;
    let mut copy = |place: Place, made: &mut BTreeSet<Place>, rows: &mut Vec<Row<'a>>| {
        if place.layout > 0 && made.insert(place) {
            copies += 1;
            let first = Place { class: place.class, layout: 0 };
            rows.push(Row { what: What::Copy(copies), reads: vec![first], makes: vec![place] });
        }
    };
    for op in &plan.ops {
        let mut reads: Vec<Place> = Vec::new();
        for operand in op.inputs.iter().flatten() {
            if let Source::Stored(place) = operand.source
                && !reads.contains(&place)
            {
                reads.push(place);
            }
        }
        reads.iter().for_each(|&place| copy(place, &mut made, &mut rows));
        let makes: Vec<Place> = op.outputs.iter().flatten().map(|output| output.place).collect();
        made.extend(&makes);
        rows.push(Row { what: What::Op(op), reads, makes });
    }
    for (tensor, &place) in graph.outputs().iter().zip(&plan.outputs) {
        copy(place, &mut made, &mut rows);
        let name = graph.tensors()[tensor.0].name.clone();
        rows.push(Row { what: What::Wanted(name), reads: vec![place], makes: Vec::new() });
    }
    rows
}

/// The lanes of the tensors of some rows.
pub(super) struct Lanes {
    /// The lane of every stored layout, the row that makes it, and the last one that reads it.
    pub(super) of: BTreeMap<Place, (usize, usize, usize)>,
    /// The most lanes in use at once.
    pub(super) most: usize,
}

/// Gives every tensor a lane.
pub(super) fn lanes(rows: &[Row<'_>]) -> Lanes {
    let mut last: BTreeMap<Place, usize> = BTreeMap::new();
    for (number, row) in rows.iter().enumerate() {
        last.extend(row.reads.iter().chain(&row.makes).map(|&place| (place, number)));
    }
    let mut lanes = Lanes { of: BTreeMap::new(), most: 0 };
    // For every lane, the row from which it is free.
    let mut free: Vec<usize> = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        for place in &row.makes {
            let ends = row.reads.iter().filter(|read| last[read] == number);
            let ending = ends
                .filter_map(|read| lanes.of.get(read))
                .map(|&(lane, _, _)| lane)
                .find(|&lane| free[lane] <= number);
            let lane = ending
                .or_else(|| free.iter().position(|&until| until < number))
                .unwrap_or(free.len());
            if lane == free.len() {
                free.push(0);
            }
            // A tensor that nobody reads keeps its lane for its own row.
            free[lane] = last[place].max(number + usize::from(last[place] == number));
            lanes.of.insert(*place, (lane, number, last[place]));
        }
    }
    lanes.most = free.len().max(1);
    lanes
}
