//! Unused names for tensors and nodes.

use std::collections::HashSet;

use crate::bodies::{bodies, captured};
use crate::convert::Converted;
use crate::proto;

/// Generates names of tensors and nodes.
pub(crate) struct Names {
    tensors: HashSet<String>,
    nodes: HashSet<String>,
    outside: HashSet<String>,
}

impl Names {
    /// Reserves all names that must keep their meaning: those of inputs, outputs and constants, and all
    /// names in bodies.
    pub(crate) fn new(graph: &proto::Graph, converted: &Converted) -> Names {
        let mut tensors: HashSet<String> = HashSet::from([String::new()]);
        tensors.extend(graph.input.iter().chain(&graph.output).map(|info| info.name().to_string()));
        tensors.extend(graph.initializer.iter().map(|tensor| tensor.name().to_string()));
        let constants = converted.graph.tensors().iter().filter(|tensor| tensor.constant);
        tensors.extend(constants.map(|tensor| tensor.name.clone()));
        // Results that the planner does not see.
        let seen: HashSet<&str> =
            converted.graph.tensors().iter().map(|tensor| tensor.name.as_str()).collect();
        let results = graph.node.iter().flat_map(|node| &node.output);
        tensors.extend(results.filter(|name| !seen.contains(name.as_str())).cloned());
        let mut outside = HashSet::new();
        for node in &graph.node {
            let inner = bodies(node);
            outside.extend(captured(&inner));
            inner.into_iter().for_each(|body| add_all(body, &mut tensors));
        }
        let nodes = graph.node.iter().map(|node| node.name().to_string()).collect();
        Names { tensors, nodes, outside }
    }

    /// The names that bodies use from outside.
    pub(crate) fn outside_constants(&self) -> &HashSet<String> {
        &self.outside
    }

    /// A name for a tensor: this name with the suffix, and a number if that is taken.
    pub(crate) fn tensor(&mut self, name: &str, ending: &str) -> String {
        free(&mut self.tensors, format!("{name}{ending}"))
    }

    /// A name for a node.
    pub(crate) fn node(&mut self, name: &str) -> String {
        free(&mut self.nodes, name.into())
    }
}

fn free(taken: &mut HashSet<String>, name: String) -> String {
    let mut free = name.clone();
    let mut number = 1;
    while !taken.insert(free.clone()) {
        number += 1;
        free = format!("{name}_{number}");
    }
    free
}

/// All names in a body.
fn add_all(body: &proto::Graph, names: &mut HashSet<String>) {
    names.extend(body.input.iter().chain(&body.output).map(|info| info.name().to_string()));
    names.extend(body.initializer.iter().map(|tensor| tensor.name().to_string()));
    for node in &body.node {
        names.extend(node.input.iter().chain(&node.output).cloned());
        bodies(node).into_iter().for_each(|inner| add_all(inner, names));
    }
}
