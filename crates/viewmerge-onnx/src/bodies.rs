//! Bodies of If, Loop and Scan: what they use from outside.

use std::collections::HashSet;

use crate::proto;

/// All names that nodes, bodies and the graph's outputs use.
pub(crate) fn used_names(graph: &proto::Graph) -> HashSet<&str> {
    let mut names: HashSet<&str> = graph.output.iter().map(|output| output.name()).collect();
    for node in &graph.node {
        names.extend(node.input.iter().map(String::as_str));
        bodies(node).into_iter().for_each(|body| add_names(body, &mut names));
    }
    names
}

/// The bodies of a node.
pub(crate) fn bodies(node: &proto::Node) -> Vec<&proto::Graph> {
    let one = node.attribute.iter().filter_map(|attribute| attribute.g.as_deref());
    one.chain(node.attribute.iter().flat_map(|attribute| &attribute.graphs)).collect()
}

/// All names that a body uses, and those of its outputs.
fn add_names<'a>(body: &'a proto::Graph, names: &mut HashSet<&'a str>) {
    names.extend(body.output.iter().map(|output| output.name()));
    for node in &body.node {
        names.extend(node.input.iter().map(String::as_str));
        bodies(node).into_iter().for_each(|inner| add_names(inner, names));
    }
}

/// The names that bodies use from outside, each once.
pub(crate) fn captured(bodies: &[&proto::Graph]) -> Vec<String> {
    let mut outside = Vec::new();
    for body in bodies {
        let mut own: HashSet<&str> = body.input.iter().map(|input| input.name()).collect();
        own.extend(body.initializer.iter().map(|tensor| tensor.name()));
        own.extend(body.node.iter().flat_map(|node| &node.output).map(String::as_str));
        let mut wanted: Vec<String> =
            body.output.iter().map(|output| output.name().to_string()).collect();
        for node in &body.node {
            wanted.extend(node.input.iter().cloned());
            wanted.extend(captured(&self::bodies(node)));
        }
        for name in wanted {
            if !name.is_empty() && !own.contains(name.as_str()) && !outside.contains(&name) {
                outside.push(name);
            }
        }
    }
    outside
}
