//! From a graph to its plan: the choice that was found, written down.

use crate::classes::{Classes, view_step};
use crate::closure::{Choice, Who};
use crate::contract::RewrittenInput;
use crate::cores;
use crate::error::PlanError;
use crate::explain;
use crate::graph::Graph;
use crate::layout::Layout;
use crate::plan::{
    Bound, Class, Copy, Cost, Operand, Output, Permutation, Place, Plan, PlannedOp, Refused,
    Source, Stored,
};
use crate::program::Spot;
use crate::target::Target;
use crate::work::{Work, work};

/// The least plan of a graph for a target.
///
/// # Errors
///
/// [`PlanError`] for operations whose attributes do not fit their operands, and graphs too
/// large to count.
///
/// ```
/// use viewmerge_plan::{GraphBuilder, Target, graph::OpSpec, plan};
///
/// let mut builder = GraphBuilder::new(17);
/// builder.tensor("x", &[4, 6], 4).tensor("t", &[6, 4], 4).tensor("y", &[6, 4], 4);
/// builder.input("x").output("y");
/// for (name, kind, from, to) in [("t0", "Transpose", "x", "t"), ("r0", "Relu", "t", "y")] {
///     let (inputs, outputs) = (vec![from.into()], vec![to.into()]);
///     let (name, kind) = (name.into(), kind.into());
///     builder.op(OpSpec { name, kind, inputs, outputs, ..OpSpec::default() });
/// }
/// let plan = plan(&builder.build()?, &Target::named("onnx")?)?;
/// assert_eq!((plan.now.copies, plan.least.copies), (1, 1));
/// assert_eq!((plan.least.bytes, plan.bound.considered), (96, 96));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plan(graph: &Graph, target: &Target) -> Result<Plan, PlanError> {
    let work = work(graph, target)?;
    Ok(written(graph, target, &work))
}

/// Copies of the graph as given.
fn copies_now(graph: &Graph, classes: &Classes) -> Result<Cost, PlanError> {
    let mut now = Cost::default();
    for op in graph.ops() {
        if let Some((from, to, layout)) = view_step(graph, op)?
            && !layout.is_row_major()
            && !classes.is_constant(from)
        {
            now.copies += 1;
            now.bytes += graph.tensor(to).bytes();
        }
    }
    Ok(now)
}

pub(crate) fn written(graph: &Graph, target: &Target, work: &Work) -> Plan {
    let Work { classes, closure, solved, .. } = work;
    let now = copies_now(graph, classes).unwrap_or_default();
    // The layouts used of every class; the producer's first.
    let mut used: Vec<Vec<usize>> = vec![Vec::new(); classes.classes.len()];
    let chosen = || {
        closure
            .choices
            .iter()
            .zip(&solved.chosen)
            .map(|(choice, &option)| (choice, &choice.options[option]))
    };
    let producers_first = |choice: &Choice| match choice.who {
        Who::Input(_) => 0,
        Who::Op(_) => 1,
        Who::Output(_) => 2,
    };
    for rank in 0..3 {
        for (choice, placed) in chosen().filter(|(choice, _)| producers_first(choice) == rank) {
            let made = |slot: usize| {
                choice.contract.as_ref().is_some_and(|contract| !contract.slots()[slot].input)
            };
            for (slot, &(class, layout)) in placed.uses.iter().enumerate() {
                if used[class].contains(&layout) {
                    continue;
                }
                // Operations stand in running order, so what makes a class comes before its users.
                if made(slot) { used[class].insert(0, layout) } else { used[class].push(layout) }
            }
        }
    }
    let place = |(class, layout): Spot| Place {
        class,
        layout: used[class].iter().position(|&own| own == layout).unwrap_or(0),
    };
    let mut least = Cost::default();
    let mut copies = Vec::new();
    let mut planned = Vec::new();
    for (number, class) in classes.classes.iter().enumerate() {
        let bytes = graph.tensor(class.root).bytes();
        let layouts: Vec<&Layout> =
            used[number].iter().map(|&layout| &closure.layouts[number][layout]).collect();
        let stored = layouts.iter().enumerate().map(|(at, &layout)| {
            let copy = (at > 0).then(|| permutation(layouts[0], layout));
            Stored { layout: layout.clone(), copy }
        });
        for at in 1..layouts.len() {
            least.copies += 1;
            least.bytes += bytes;
            let spots = [(number, used[number][0]), (number, used[number][at])];
            let reason = explain::conflict(graph, work, spots, bytes);
            copies.push(Copy { place: Place { class: number, layout: at }, bytes, reason });
        }
        planned.push(Class {
            root: class.root,
            members: class.members.clone(),
            bytes,
            constant: class.constant,
            considered: closure.layouts[number].len(),
            stored: stored.collect(),
        });
    }
    let refused: Vec<Refused> = classes
        .refused
        .iter()
        .map(|(op, none)| {
            let bytes = graph.op(*op).output(0).map_or(0, |id| graph.tensor(id).bytes());
            Refused { op: *op, bytes, witness: none.to_string() }
        })
        .collect();
    for view in &refused {
        least.copies += 1;
        least.bytes += view.bytes;
    }
    let ops = chosen()
        .filter_map(|(choice, placed)| {
            let Who::Op(op) = choice.who else { return None };
            let contract = choice.contract.as_ref()?;
            let rewritten = contract.rewritten(&placed.configuration)?;
            let input = |input: RewrittenInput| match input {
                RewrittenInput::Stored(slot, shape) => {
                    Operand { source: Source::Stored(place(placed.uses[slot])), shape }
                }
                RewrittenInput::Constant(tensor, layout, shape) => {
                    let root = classes.classes[classes.class(tensor)].root;
                    let whole = classes.back(tensor, &layout).unwrap_or_else(|| layout.clone());
                    let row = Layout::row_major(whole.elements());
                    let permutation = (!whole.is_row_major()).then(|| permutation(&row, &whole));
                    Operand { source: Source::Constant { tensor: root, permutation }, shape }
                }
                RewrittenInput::Values(values, shape) => {
                    Operand { source: Source::Values(values), shape }
                }
            };
            let mut outputs: Vec<Option<Output>> = Vec::new();
            for (number, shape) in rewritten.outputs.into_iter().enumerate() {
                let slot =
                    contract.slots().iter().position(|slot| !slot.input && slot.number == number);
                outputs.push(
                    slot.zip(shape)
                        .map(|(slot, shape)| Output { place: place(placed.uses[slot]), shape }),
                );
            }
            Some(PlannedOp {
                op,
                kind: rewritten.kind,
                attributes: rewritten.attributes,
                inputs: rewritten.inputs.into_iter().map(|operand| operand.map(input)).collect(),
                outputs,
                configuration: placed.configuration.name.into(),
                cost: placed.configuration.cost,
            })
        })
        .collect();
    let output = |&tensor: &crate::graph::TensorId| {
        let class = classes.class(tensor);
        let row = classes.row_major(tensor);
        let number = closure.layouts[class].iter().position(|layout| layout == row);
        place((class, number.unwrap_or(0)))
    };
    Plan {
        target: target.name().into(),
        now,
        least,
        cost: solved.cost,
        bound: Bound { considered: solved.bound, all_layouts: cores::bound(graph, work) },
        classes: planned,
        ops,
        outputs: graph.outputs().iter().map(output).collect(),
        copies,
        unknown: closure.unknown.clone(),
        refused,
    }
}

/// The copy from one layout to another. Layouts whose digits have no common refinement are
/// copied element by element in a shape of ones: that does not occur for candidates of a class,
/// which are all orders of one index.
fn permutation(from: &Layout, to: &Layout) -> Permutation {
    let (shape, perm) = from.permutation_to(to).unwrap_or_default();
    Permutation { shape, perm }
}
