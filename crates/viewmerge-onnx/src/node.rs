//! Names and domains of nodes.

use std::collections::{HashMap, HashSet};

use crate::proto;

/// A name for every node: its own, unless it is missing or shared.
pub(crate) fn node_names(nodes: &[proto::Node]) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for node in nodes {
        *counts.entry(node.name()).or_default() += 1;
    }
    let mut names = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        let mut name = node.name().to_string();
        if name.is_empty() || counts[node.name()] > 1 {
            name = format!("{}_{index}", node.op_type());
        }
        while counts.contains_key(name.as_str()) && name != node.name()
            || !taken.insert(name.clone())
        {
            name.push('_');
        }
        names.push(name);
    }
    names
}

/// Whether the op belongs to ONNX's own operator set.
pub(crate) fn own_domain(node: &proto::Node) -> bool {
    matches!(node.domain(), "" | "ai.onnx")
}
