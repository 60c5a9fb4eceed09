//! From a graph to its plan: the choice that was found, in full.

use crate::certificate::certificate;
use crate::classes::{Classes, view_step};
use crate::closure::Who;
use crate::contract::RewrittenInput;
use crate::cores;
use crate::error::PlanError;
use crate::explain;
use crate::fast_plan::fastest;
use crate::graph::Graph;
use crate::layout::Layout;
use crate::plan::{
    Bound, Class, Copy, Cost, Operand, Output, Permutation, Place, Plan, PlannedOp, Refused,
    Source, Stored,
};
use crate::program::Spot;
use crate::storage::stored;
use crate::target::Target;
use crate::work::{Work, work};

/// The cheapest plan of a graph for a target.
///
/// # Errors
///
/// [`PlanError`] for operations whose attributes do not fit their operands, and for graphs that
/// are too large.
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
    Ok(Planning::new(graph, target)?.plan())
}

/// The cheapest plan of a graph, and a certificate that it is the cheapest.
///
/// # Errors
///
/// As [`plan`].
pub fn certified(graph: &Graph, target: &Target) -> Result<(Plan, String), PlanError> {
    let planning = Planning::new(graph, target)?;
    Ok((planning.plan(), planning.certificate()))
}

/// A planned graph: the cheapest plan, its certificate, and the plan to write.
///
/// ```
/// use viewmerge_plan::{GraphBuilder, Planning, Target, graph::OpSpec};
///
/// let mut builder = GraphBuilder::new(17);
/// builder.tensor("x", &[4, 6], 4).tensor("y", &[4, 6], 4).input("x").output("y");
/// let (inputs, outputs) = (vec!["x".into()], vec!["y".into()]);
/// let (name, kind) = ("r".into(), "Relu".into());
/// builder.op(OpSpec { name, kind, inputs, outputs, ..OpSpec::default() });
/// let (graph, target) = (builder.build()?, Target::named("ort-cpu")?);
/// let planning = Planning::new(&graph, &target)?;
/// assert_eq!(planning.plan().least.bytes, planning.to_emit().least.bytes);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Planning<'a> {
    graph: &'a Graph,
    target: &'a Target,
    work: Work,
}

impl<'a> Planning<'a> {
    /// Plans a graph for a target.
    ///
    /// # Errors
    ///
    /// As [`plan`].
    pub fn new(graph: &'a Graph, target: &'a Target) -> Result<Planning<'a>, PlanError> {
        Ok(Planning { graph, target, work: work(graph, target)? })
    }

    /// The plan whose copies and configurations cost the fewest bytes.
    #[must_use]
    pub fn plan(&self) -> Plan {
        written(self.graph, self.target, &self.work, &self.work.solved.chosen)
    }

    /// The certificate that no plan is cheaper; see `viewmerge_verify::plan::verify_plan`.
    #[must_use]
    pub fn certificate(&self) -> String {
        certificate(self.graph, self.target, &self.work).to_string()
    }

    /// The plan to write: the cheapest one, unless the target says how long copies take and
    /// another plan is faster by that measure. Then parts that are faster as given stay as they
    /// are, and operations move to the side of a copy where the copies are of a faster kind.
    ///
    /// The proof is about [`plan`](Self::plan).
    #[must_use]
    pub fn to_emit(&self) -> Plan {
        match fastest(self.graph, self.target, &self.work) {
            Some(chosen) => written(self.graph, self.target, &self.work, &chosen),
            None => self.plan(),
        }
    }
}

/// The copies of the graph as given.
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

fn written(graph: &Graph, target: &Target, work: &Work, choice: &[usize]) -> Plan {
    let Work { classes, closure, solved, .. } = work;
    let now = copies_now(graph, classes).unwrap_or_default();
    let used = stored(work, choice);
    let chosen = || {
        closure
            .choices
            .iter()
            .zip(choice)
            .map(|(choice, &option)| (choice, &choice.options[option]))
    };
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
        let kept = layouts.iter().enumerate().map(|(at, &layout)| {
            let copy = (at > 0).then(|| permutation(layouts[0], layout));
            Stored { layout: layout.clone(), copy }
        });
        for at in 1..layouts.len() {
            least.copies += 1;
            least.bytes += bytes;
            let spots = [(number, used[number][0]), (number, used[number][at])];
            let reason = explain::conflict(graph, work, choice, spots, bytes);
            copies.push(Copy { place: Place { class: number, layout: at }, bytes, reason });
        }
        planned.push(Class {
            root: class.root,
            members: class.members.clone(),
            bytes,
            constant: class.constant,
            considered: closure.layouts[number].len(),
            stored: kept.collect(),
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
        cost: work.cost(choice),
        bound: Bound { considered: solved.bound, all_layouts: cores::bound(graph, work) },
        classes: planned,
        ops,
        outputs: graph.outputs().iter().map(output).collect(),
        copies,
        unknown: closure.unknown.clone(),
        refused,
        copy_times: target.copy_times(),
    }
}

/// The copy from one layout to another. Layouts whose digits have no common refinement would be
/// copied element by element, in a shape of ones; this does not occur for candidates of a class,
/// which are all orders of one index.
fn permutation(from: &Layout, to: &Layout) -> Permutation {
    let (shape, perm) = from.permutation_to(to).unwrap_or_default();
    Permutation { shape, perm }
}
