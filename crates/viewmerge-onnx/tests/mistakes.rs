//! Invalid graphs: each error names the node or the tensor.

use viewmerge_onnx::proto::{Attribute, Graph, Node};
use viewmerge_onnx::{Converted, Model};

use crate::small_models::{info, integers, model, node, node_with, small};

fn refusal(model: &Model) -> String {
    Converted::new(model).err().map(|error| error.to_string()).unwrap_or_default()
}

/// A change to the small graph, and what the error must say.
type Row = (&'static str, fn(&mut Graph), &'static [&'static str]);

#[test]
fn mistakes_name_the_node() {
    assert!(Converted::new(&model(small())).is_ok());
    let rows: &[Row] = &[
        (
            "a dangling name",
            |graph| graph.node[1].input[0] = "w".into(),
            &["Transpose_1", "\"w\"", "no input, constant or result"],
        ),
        (
            "a cycle",
            |graph| {
                graph.node[0] = node("Add", &["x", "z"], &["y"]);
            },
            &["Add_0", "\"z\"", "Transpose_1", "cycle"],
        ),
        (
            "an op of its own result",
            |graph| graph.node[0].input[0] = "y".into(),
            &["Relu_0", "\"y\"", "cycle"],
        ),
        (
            "nodes out of order",
            |graph| graph.node.reverse(),
            &["Transpose_0", "\"y\"", "Relu_1", "comes later"],
        ),
        (
            "a result given twice",
            |graph| graph.node[1].output[0] = "y".into(),
            &["Transpose_1", "\"y\"", "taken"],
        ),
        (
            "an input given again",
            |graph| graph.node[0].output[0] = "x".into(),
            &["Relu_0", "\"x\"", "taken"],
        ),
        (
            "an input twice",
            |graph| graph.input.push(info("x", &[2, 3])),
            &["input", "\"x\"", "taken"],
        ),
        (
            "a constant twice",
            |graph| graph.initializer = vec![integers("c", &[1]), integers("c", &[1])],
            &["initializer", "\"c\"", "taken"],
        ),
        ("no shape", |graph| graph.value_info.clear(), &["Relu_0", "\"y\"", "infer_shapes"]),
        (
            "a size with a name",
            |graph| {
                let dims =
                    graph.input[0].r#type.as_mut().and_then(|kind| kind.tensor_type.as_mut());
                let dim = &mut dims.expect("a tensor").shape.as_mut().expect("a shape").dim[1];
                (dim.dim_value, dim.dim_param) = (None, Some("length".into()));
            },
            &["\"x\"", "axis 1", "\"length\"", "make_dynamic_shape_fixed", "--dim_param length"],
        ),
        (
            "no elements",
            |graph| graph.value_info[0] = info("y", &[2, 0]),
            &["Relu_0", "\"y\"", "axis 1", "size 0"],
        ),
        (
            "too many elements",
            |graph| graph.value_info[0] = info("y", &[i64::MAX, i64::MAX]),
            &["\"y\"", "2^60"],
        ),
        (
            "a type that is not known",
            |graph| {
                let kind =
                    graph.value_info[0].r#type.as_mut().and_then(|kind| kind.tensor_type.as_mut());
                kind.expect("a tensor").elem_type = Some(99);
            },
            &["\"y\"", "99"],
        ),
        (
            "an output that nothing gives",
            |graph| graph.output[0].name = Some("w".into()),
            &["output", "\"w\""],
        ),
        (
            "a constant with too few bytes",
            |graph| {
                let mut tensor = integers("c", &[1, 2]);
                tensor.dims = vec![3];
                graph.initializer.push(tensor);
            },
            &["\"c\"", "16 bytes", "24"],
        ),
        (
            "a constant of negative size",
            |graph| {
                let mut tensor = integers("c", &[]);
                tensor.dims = vec![-3];
                graph.initializer.push(tensor);
            },
            &["\"c\"", "negative"],
        ),
    ];
    for (what, change, expected) in rows {
        let mut graph = small();
        change(&mut graph);
        let refusal = refusal(&model(graph));
        for words in *expected {
            assert!(refusal.contains(words), "{what}: {refusal:?} does not say {words:?}");
        }
    }
}

#[test]
fn operator_sets_from_11_on_are_accepted() {
    let mut model = model(small());
    for (version, accepted) in [(10, false), (11, true), (18, true), (28, true), (29, false)] {
        model.proto.opset_import[0].version = Some(version);
        assert_eq!(Converted::new(&model).is_ok(), accepted, "{version}");
    }
    model.proto.opset_import.clear();
    assert!(refusal(&model).contains("operator set none, accepted: 11 to 28"));
    model.proto.graph = None;
    assert!(refusal(&model).contains("no graph"));
}

#[test]
fn shared_names_of_nodes_are_made_different() {
    let mut graph = small();
    graph.node.iter_mut().for_each(|node| node.name = Some("n".into()));
    let converted = Converted::new(&model(graph)).expect("a graph");
    let names: Vec<&str> = converted.graph.ops().iter().map(|op| op.name.as_str()).collect();
    assert_eq!(names, ["Relu_0", "Transpose_1"]);
}

#[test]
fn bodies_are_left_alone_and_what_they_take_is_an_operand() {
    let body = Graph {
        node: vec![node("Identity", &["y"], &["inner"])],
        output: vec![info("inner", &[2, 3])],
        ..Graph::default()
    };
    let attribute = |name: &str| Attribute {
        name: Some(name.into()),
        g: Some(Box::new(body.clone())),
        ..Attribute::default()
    };
    let choice = Node {
        attribute: vec![attribute("then_branch"), attribute("else_branch")],
        ..node("If", &["c"], &["w"])
    };
    let mut graph = small();
    graph.input.push(info("c", &[1]));
    graph.node.push(choice);
    graph.output.push(info("w", &[2, 3]));
    let converted = Converted::new(&model(graph)).expect("a graph");
    assert_eq!(converted.bodies, ["If_2"]);
    let op = converted.graph.ops().iter().find(|op| op.kind == "If").expect("the op");
    let inputs: Vec<&str> = op
        .inputs
        .iter()
        .flatten()
        .map(|id| converted.graph.tensors()[id.0].name.as_str())
        .collect();
    assert_eq!(inputs, ["c", "y"]);
}

#[test]
fn integers_computed_from_shapes_are_constants() {
    let mut graph = small();
    let list = |name: &str, length: i64| {
        let mut info = info(name, &[length]);
        let kind = info.r#type.as_mut().and_then(|kind| kind.tensor_type.as_mut());
        kind.expect("a tensor").elem_type = Some(7);
        info
    };
    graph.initializer = vec![integers("one", &[1]), integers("four", &[4]), integers("two", &[2])];
    graph.node = vec![
        node("Shape", &["x"], &["shape"]),
        node("Gather", &["shape", "one"], &["three"]),
        node_with("Concat", &["three", "two"], &["sizes"], "axis", &[]),
        node("Reshape", &["x", "sizes"], &["z"]),
    ];
    graph.value_info = vec![list("shape", 2), list("three", 1), list("sizes", 2)];
    let converted = Converted::new(&model(graph)).expect("a graph");
    let kinds: Vec<&str> = converted.graph.ops().iter().map(|op| op.kind.as_str()).collect();
    assert_eq!(kinds, ["Reshape"]);
    let sizes = converted.graph.find("sizes").expect("a tensor");
    assert_eq!(converted.graph.tensors()[sizes.0].values.as_deref(), Some(&[3, 2][..]));
}
