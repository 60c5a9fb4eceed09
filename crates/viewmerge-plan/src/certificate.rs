//! The certificate of a plan: everything needed to check that no plan over the layouts considered
//! costs less, and that this plan's stated cost is right.
//!
//! It contains the graph, the target's table, the layouts considered and the prices; see
//! [`mod@crate::program`] for what they prove. Choosers are numbered: the operations, then the
//! graph's inputs, then its outputs.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Value, json};

use crate::closure::Who;
use crate::graph::{Attribute, Graph, GraphBuilder, OpSpec, TensorId};
use crate::program::Tree;
use crate::target::Target;
use crate::work::Work;

/// A graph in the form its builder takes, with the operations in running order. Of constants,
/// only the integers that operations read are kept.
fn builder(graph: &Graph) -> GraphBuilder {
    let name = |id: &Option<TensorId>| id.map_or(String::new(), |id| graph.tensor(id).name.clone());
    let names = |ids: &[TensorId]| ids.iter().map(|id| name(&Some(*id))).collect();
    GraphBuilder {
        opset: graph.opset(),
        tensors: graph.tensors().to_vec(),
        ops: graph
            .ops()
            .iter()
            .map(|op| OpSpec {
                name: op.name.clone(),
                kind: op.kind.clone(),
                // Fractional numbers say nothing about layouts.
                attributes: op
                    .attributes
                    .iter()
                    .filter(|(_, value)| {
                        matches!(value, Attribute::Int(_) | Attribute::Ints(_) | Attribute::Text(_))
                    })
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect(),
                inputs: op.inputs.iter().map(name).collect(),
                outputs: op.outputs.iter().map(name).collect(),
            })
            .collect(),
        inputs: names(graph.inputs()),
        outputs: names(graph.outputs()),
    }
}

pub(crate) fn certificate(graph: &Graph, target: &Target, work: &Work) -> Value {
    let ops = graph.ops().len();
    let number = |chooser: usize| match work.closure.choices[chooser].who {
        Who::Op(id) => id.0,
        Who::Input(id) => ops + graph.inputs().iter().position(|own| *own == id).unwrap_or(0),
        Who::Output(id) => {
            let at = graph.outputs().iter().position(|own| *own == id).unwrap_or(0);
            ops + graph.inputs().len() + at
        }
    };
    // Constants and unused classes have no candidates; the others keep their order.
    let options = work.closure.choices.iter().flat_map(|choice| &choice.options);
    let used: BTreeSet<usize> =
        options.flat_map(|placed| &placed.uses).map(|spot| spot.0).collect();
    let kept: Vec<usize> = used.into_iter().collect();
    let class_number = |class: usize| kept.iter().position(|&own| own == class).unwrap_or(0);
    let classes: Vec<Value> = kept
        .iter()
        .map(|&class| {
            let root = &graph.tensor(work.classes.classes[class].root).name;
            let digits = |layout: &crate::layout::Layout| -> Vec<[i64; 2]> {
                layout.digits().iter().map(|digit| [digit.place, digit.size]).collect()
            };
            let layouts: Vec<_> = work.closure.layouts[class].iter().map(digits).collect();
            json!({ "root": root, "layouts": layouts })
        })
        .collect();
    let plan: Vec<Value> = work
        .closure
        .choices
        .iter()
        .zip(&work.solved.chosen)
        .enumerate()
        .map(|(chooser, (choice, &option))| {
            let uses = &choice.options[option].uses;
            let layouts: Vec<usize> = uses.iter().map(|spot| spot.1).collect();
            json!([number(chooser), layouts])
        })
        .collect();
    json!({
        "certificate": "plan",
        "graph": without_defaults(&builder(graph)),
        "target": { "name": target.name(), "families": target.families() },
        "classes": classes,
        "cost": work.solved.cost,
        "bound": work.solved.bound,
        "plan": plan,
        "proof": proof(&work.solved.tree, &number, &class_number),
    })
}

fn without_defaults(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

fn proof(tree: &Tree, number: &dyn Fn(usize) -> usize, class: &dyn Fn(usize) -> usize) -> Value {
    match tree {
        Tree::Prices { denominator, prices } => {
            let rows: Vec<[i64; 4]> = prices
                .iter()
                .map(|(&(chooser, spot), &price)| {
                    let index = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
                    [index(number(chooser)), index(class(spot.0)), index(spot.1), price]
                })
                .collect();
            json!({ "denominator": denominator, "prices": rows })
        }
        Tree::Branch { spot, without, with } => json!({
            "class": class(spot.0),
            "layout": spot.1,
            "without": proof(without, number, class),
            "with": proof(with, number, class),
        }),
    }
}
