//! Small models, built in place.

use viewmerge_onnx::Model;
use viewmerge_onnx::proto::{
    self, Attribute, Dimension, Graph, Node, OperatorSetId, Tensor, TensorShape, TensorType,
};

/// A tensor of floats of the graph.
pub fn info(name: &str, sizes: &[i64]) -> proto::ValueInfo {
    let dim = |&size: &i64| Dimension { dim_value: Some(size), ..Dimension::default() };
    let shape = TensorShape { dim: sizes.iter().map(dim).collect() };
    let tensor_type = Some(TensorType { elem_type: Some(1), shape: Some(shape) });
    let kind = proto::Type { tensor_type, ..proto::Type::default() };
    proto::ValueInfo { name: Some(name.into()), r#type: Some(kind), ..proto::ValueInfo::default() }
}

/// A node.
pub fn node(op: &str, input: &[&str], output: &[&str]) -> Node {
    Node {
        op_type: Some(op.into()),
        input: input.iter().map(ToString::to_string).collect(),
        output: output.iter().map(ToString::to_string).collect(),
        ..Node::default()
    }
}

/// A node with an attribute of integers.
pub fn node_with(op: &str, input: &[&str], output: &[&str], name: &str, ints: &[i64]) -> Node {
    let attribute = Attribute {
        name: Some(name.into()),
        ints: ints.to_vec(),
        r#type: Some(7),
        ..Attribute::default()
    };
    Node { attribute: vec![attribute], ..node(op, input, output) }
}

/// A constant of integers.
pub fn integers(name: &str, values: &[i64]) -> Tensor {
    Tensor {
        name: Some(name.into()),
        dims: vec![values.len() as i64],
        data_type: Some(7),
        int64_data: values.to_vec(),
        ..Tensor::default()
    }
}

/// A model of a graph.
pub fn model(graph: Graph) -> Model {
    Model::from(proto::Model {
        ir_version: Some(10),
        opset_import: vec![OperatorSetId { domain: None, version: Some(18) }],
        graph: Some(graph),
        ..proto::Model::default()
    })
}

/// x -> Relu -> y -> Transpose -> z, of shapes (2,3) and (3,2).
pub fn small() -> Graph {
    Graph {
        name: Some("small".into()),
        node: vec![
            node("Relu", &["x"], &["y"]),
            node_with("Transpose", &["y"], &["z"], "perm", &[1, 0]),
        ],
        input: vec![info("x", &[2, 3])],
        value_info: vec![info("y", &[2, 3])],
        output: vec![info("z", &[3, 2])],
        ..Graph::default()
    }
}
