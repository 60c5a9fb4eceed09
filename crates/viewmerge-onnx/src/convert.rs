//! From the graph of a model to the graph that is planned.
//!
//! Names become tensors of known size. The planner does not see bodies of If, Loop and Scan (the tensors
//! they use from outside are operands of the node, so that these stay as they are), constants without
//! elements (such an operand is left out), and unused results whose shape the file does not give. Integers
//! computed from shapes are constants, because shapes are known: see [`crate::fold`].
//!
//! Cost: linear in the model, apart from the weights.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::RangeInclusive;

use viewmerge_plan::graph::{Graph, GraphBuilder, OpSpec};

use crate::attribute;
use crate::bodies::{bodies, captured, used_names};
use crate::constant;
use crate::error::Error;
use crate::fold;
use crate::model::Model;
use crate::node::{node_names, own_domain};
use crate::order::check_order;
use crate::proto;
use crate::tensors::{Known, Shape, bytes_of, constant_sizes};

/// The supported operator sets.
pub(crate) const OPSETS: RangeInclusive<i64> = 11..=28;

/// The most elements of a constant whose values are passed to the planner.
const VALUES: usize = 4096;

/// The planner's graph of a model, and how its parts are found in the model.
#[derive(Clone, Debug)]
pub struct Converted {
    /// The graph to plan.
    pub graph: Graph,
    /// For every op of the graph, the node of the model.
    pub nodes: Vec<usize>,
    /// Nodes with bodies, which are left unchanged.
    pub bodies: Vec<String>,
    /// Tensors that bodies use from outside, listed after a node's own operands.
    pub(crate) captured: HashMap<usize, Vec<String>>,
}

impl Converted {
    /// Converts the graph of a model.
    ///
    /// # Errors
    ///
    /// If something is wrong with the graph; the error names the node or tensor.
    pub fn new(model: &Model) -> Result<Converted, Error> {
        let graph = model.proto.graph.as_ref().ok_or(Error::NoGraph)?;
        let opset = opset(&model.proto)?;
        let names = node_names(&graph.node);
        let known = Known::new(model, graph)?;
        check_order(graph, &names, &known)?;
        let folded = fold::integers(graph, &known, model.folder.as_deref())?;
        let used = used_names(graph);

        let mut builder = GraphBuilder::new(opset);
        let mut declared = HashSet::new();
        for input in graph.input.iter().filter(|input| !known.constants.contains_key(input.name()))
        {
            let shape = known.shape(input.name(), "the graph's input")?;
            builder
                .tensor(input.name(), &shape.sizes, bytes_of(input.name(), &shape)?)
                .input(input.name());
            declared.insert(input.name().to_string());
        }
        for &name in &known.in_order {
            let tensor = known.constants[name].as_ref();
            let sizes = constant_sizes(tensor)?;
            if sizes.contains(&0) {
                continue;
            }
            let shape = Shape { element: tensor.data_type.unwrap_or(0), sizes };
            let small = constant::elements(tensor)? <= VALUES;
            let values =
                if small { constant::integers(tensor, model.folder.as_deref())? } else { None };
            builder.constant(name, &shape.sizes, bytes_of(name, &shape)?, values);
            declared.insert(name.to_string());
        }
        let mut converted = Converted {
            // Replaced below.
            graph: GraphBuilder::new(opset).build()?,
            nodes: Vec::new(),
            bodies: Vec::new(),
            captured: HashMap::new(),
        };
        let mut places = HashMap::new();
        for (index, node) in graph.node.iter().enumerate() {
            let mut attributes = BTreeMap::new();
            for one in &node.attribute {
                attributes.insert(one.name().to_string(), attribute::read(one));
            }
            let bodies = bodies(node);
            if !bodies.is_empty() {
                converted.bodies.push(names[index].clone());
            }
            let mut outputs = Vec::new();
            for output in &node.output {
                let shape = known.shapes.get(output.as_str());
                let unused = !used.contains(output.as_str());
                if output.is_empty() || declared.contains(output) || shape.is_none() && unused {
                    // The last but one is a constant, which has been declared already.
                    outputs.push(String::new());
                    continue;
                }
                if let Some(values) = folded.values.get(output) {
                    let shape = known.shape(output, &names[index])?;
                    let bytes = bytes_of(output, &shape)?;
                    if !shape.sizes.contains(&0) {
                        builder.constant(output, &shape.sizes, bytes, Some(values.clone()));
                        declared.insert(output.clone());
                    }
                    continue;
                }
                let shape = known.shape(output, &names[index])?;
                if let Some(axis) = shape.sizes.iter().position(|size| *size == 0) {
                    return Err(Error::NoElements {
                        node: names[index].clone(),
                        tensor: output.clone(),
                        axis,
                    });
                }
                builder.tensor(output, &shape.sizes, bytes_of(output, &shape)?);
                outputs.push(output.clone());
                declared.insert(output.clone());
            }
            if folded.nodes.contains(&index) || node.op_type() == "Constant" && own_domain(node) {
                continue;
            }
            let captured = captured(&bodies);
            let inputs = node.input.iter().chain(&captured);
            let inputs = inputs
                .map(|name| if declared.contains(name) { name.clone() } else { String::new() })
                .collect();
            places.insert(names[index].clone(), index);
            let kind = match own_domain(node) {
                true => node.op_type().to_string(),
                false => format!("{}.{}", node.domain(), node.op_type()),
            };
            builder.op(OpSpec { name: names[index].clone(), kind, attributes, inputs, outputs });
            if !captured.is_empty() {
                converted.captured.insert(index, captured);
            }
        }
        for output in &graph.output {
            if !declared.contains(output.name()) {
                return Err(Error::Dangling {
                    node: "the graph's output".into(),
                    tensor: output.name().into(),
                });
            }
            builder.output(output.name());
        }
        converted.graph = builder.build()?;
        converted.nodes = converted.graph.ops().iter().map(|op| places[&op.name]).collect();
        Ok(converted)
    }
}

/// The version of ONNX's own operator set.
fn opset(model: &proto::Model) -> Result<i64, Error> {
    let own = |set: &&proto::OperatorSetId| matches!(set.domain(), "" | "ai.onnx");
    let found = model.opset_import.iter().find(own).map(|set| set.version());
    match found {
        Some(version) if OPSETS.contains(&version) => Ok(version),
        _ => Err(Error::Opset { found, accepted: OPSETS }),
    }
}
