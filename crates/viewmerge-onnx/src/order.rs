//! Checks that nodes use only tensors that exist and were made before.

use std::collections::HashSet;

use crate::bodies::{bodies, captured};
use crate::error::Error;
use crate::proto;
use crate::tensors::Known;

/// Nodes must come after those whose results they use, and use only tensors that exist.
pub(crate) fn check_order(
    graph: &proto::Graph,
    names: &[String],
    known: &Known,
) -> Result<(), Error> {
    let inputs: HashSet<&str> = graph.input.iter().map(|input| input.name()).collect();
    let sparse = graph.sparse_initializer.iter().filter_map(|tensor| tensor.values.as_ref());
    let sparse: HashSet<&str> = sparse.map(|values| values.name()).collect();
    for (index, node) in graph.node.iter().enumerate() {
        let captured = captured(&bodies(node));
        for input in node.input.iter().chain(&captured).filter(|input| !input.is_empty()) {
            if known.constants.contains_key(input.as_str()) || inputs.contains(input.as_str()) {
                continue;
            }
            if sparse.contains(input.as_str()) {
                let what =
                    format!("it uses the sparse constant {input:?}; only dense ones are accepted");
                return Err(Error::Node { node: names[index].clone(), what });
            }
            let (node, tensor) = (names[index].clone(), input.clone());
            match known.makers.get(input.as_str()) {
                None => return Err(Error::Dangling { node, tensor }),
                Some(&maker) if maker < index => {}
                Some(&maker) => {
                    let maker_name = names[maker].clone();
                    return Err(match leads(graph, known, index, maker) {
                        true => Error::Cycle { node, tensor, maker: maker_name },
                        false => Error::Order { node, tensor, maker: maker_name },
                    });
                }
            }
        }
    }
    Ok(())
}

/// Whether one node depends on another, directly or not.
fn leads(graph: &proto::Graph, known: &Known, from: usize, to: usize) -> bool {
    let (mut seen, mut open) = (HashSet::from([to]), vec![to]);
    while let Some(index) = open.pop() {
        if index == from {
            return true;
        }
        let makers =
            graph.node[index].input.iter().filter_map(|input| known.makers.get(input.as_str()));
        open.extend(makers.copied().filter(|maker| seen.insert(*maker)));
    }
    false
}
