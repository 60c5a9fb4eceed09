//! Everything in the model around its nodes: constants, types, operator sets.

use std::collections::{HashMap, HashSet};

use super::Emitter;
use crate::proto::{self, Tensor};

impl Emitter<'_> {
    /// Puts everything that was written into the model.
    pub(super) fn finish(self, model: &mut proto::Model) {
        let Some(graph) = &mut model.graph else { return };
        let captured = self.names.outside_constants();
        let outputs: HashSet<&str> = self.graph.output.iter().map(|output| output.name()).collect();
        let listed: HashSet<&str> = self.graph.input.iter().map(|input| input.name()).collect();
        // In the order of the file, followed by new ones.
        let mut kept: Vec<Tensor> = Vec::new();
        let mut new: HashMap<&str, &Tensor> =
            self.initializers.iter().map(|tensor| (tensor.name(), tensor)).collect();
        for tensor in &self.graph.initializer {
            let overridden =
                listed.contains(tensor.name()) && !self.known.constants.contains_key(tensor.name());
            if new.remove(tensor.name()).is_some() || overridden || captured.contains(tensor.name())
            {
                kept.push(tensor.clone());
            }
        }
        kept.extend(
            self.initializers.iter().filter(|tensor| new.contains_key(tensor.name())).cloned(),
        );
        graph.initializer = kept;
        graph.node = self.nodes;
        // Before version 4 of the format constants had to be inputs; now they need not be, and new ones are
        // not.
        if model.ir_version.is_some_and(|version| version < 4) {
            model.ir_version = Some(4);
            graph.input.retain(|input| !self.known.constants.contains_key(input.name()));
        }
        let old: HashMap<&str, &proto::ValueInfo> =
            self.graph.value_info.iter().map(|info| (info.name(), info)).collect();
        let between = self.infos.iter().filter(|(name, _)| {
            !outputs.contains(name.as_str()) && !listed.contains(name.as_str())
        });
        graph.value_info =
            between.map(|(name, (element, shape))| info(name, *element, shape, &old)).collect();
        for domain in self.domains.iter().filter(|domain| !domain.is_empty()) {
            if !model.opset_import.iter().any(|set| set.domain() == domain) {
                let set = proto::OperatorSetId { domain: Some(domain.clone()), version: Some(1) };
                model.opset_import.push(set);
            }
        }
    }
}

/// The type of a tensor, unchanged from the file if it is the same.
fn info(
    name: &str,
    element: i32,
    shape: &[i64],
    old: &HashMap<&str, &proto::ValueInfo>,
) -> proto::ValueInfo {
    let dim =
        |&size: &i64| proto::Dimension { dim_value: Some(size), ..proto::Dimension::default() };
    let shape = proto::TensorShape { dim: shape.iter().map(dim).collect() };
    let tensor = proto::TensorType { elem_type: Some(element), shape: Some(shape) };
    if let Some(info) = old.get(name)
        && info.r#type.as_ref().and_then(|kind| kind.tensor_type.as_ref()) == Some(&tensor)
    {
        return (*info).clone();
    }
    let kind = proto::Type { tensor_type: Some(tensor), ..proto::Type::default() };
    proto::ValueInfo { name: Some(name.into()), r#type: Some(kind), ..proto::ValueInfo::default() }
}
