//! Invalid graphs: each error names what is wrong.

use viewmerge_plan::graph::{Attribute, OpSpec};
use viewmerge_plan::{GraphBuilder, GraphError, Planning, Target, TargetError};

fn op(name: &str, inputs: &[&str], outputs: &[&str]) -> OpSpec {
    let names = |list: &[&str]| list.iter().map(ToString::to_string).collect();
    OpSpec {
        name: name.into(),
        kind: "Relu".into(),
        inputs: names(inputs),
        outputs: names(outputs),
        ..OpSpec::default()
    }
}

fn builder() -> GraphBuilder {
    let mut builder = GraphBuilder::new(17);
    builder
        .tensor("x", &[2, 3], 4)
        .tensor("y", &[2, 3], 4)
        .tensor("z", &[2, 3], 4)
        .input("x")
        .output("y");
    builder
}

fn error(change: impl Fn(&mut GraphBuilder)) -> String {
    let mut builder = builder();
    change(&mut builder);
    builder.build().expect_err("it is wrong").to_string()
}

#[test]
fn wrong_graphs_are_named() {
    let table: [(&str, String); 9] = [
        (
            "operation \"r\" names tensor \"q\"",
            error(|b| {
                b.op(op("r", &["q"], &["y"]));
            }),
        ),
        (
            "the graph's output \"q\"",
            error(|b| {
                b.output("q");
            }),
        ),
        (
            "tensor name \"x\" is empty or given twice",
            error(|b| {
                b.tensor("x", &[1], 4);
            }),
        ),
        (
            "operation name \"r\" is given twice",
            error(|b| {
                b.op(op("r", &["x"], &["y"])).op(op("r", &["x"], &["z"]));
            }),
        ),
        (
            "tensor \"e\" has size 0 along axis 1",
            error(|b| {
                b.tensor("e", &[2, 0], 4);
            }),
        ),
        (
            "tensor \"e\" of shape",
            error(|b| {
                b.tensor("e", &[1 << 40, 1 << 40], 4);
            }),
        ),
        (
            "operation \"s\" makes tensor \"y\"",
            error(|b| {
                b.op(op("r", &["x"], &["y"])).op(op("s", &["x"], &["y"]));
            }),
        ),
        (
            "uses tensor \"z\"",
            error(|b| {
                b.op(op("r", &["z"], &["y"]));
            }),
        ),
        (
            "waits for its own result",
            error(|b| {
                b.op(op("r", &["z"], &["y"])).op(op("s", &["y"], &["z"]));
            }),
        ),
    ];
    for (want, found) in table {
        assert!(found.contains(want), "{found:?} does not say {want:?}");
    }
    assert!(matches!(builder().build(), Err(GraphError::NeverMade { .. })));
}

#[test]
fn wrong_targets_are_named() {
    for (text, want) in [
        ("name = 3", "not a table"),
        ("name = \"t\"\n[soft]\nlast = 0", "\"soft\""),
        ("name = \"t\"\n[softmax]\nfirst = 0", "\"first\""),
        ("name = \"t\"\n[softmax]\nlast = -1", "-1 percent"),
    ] {
        let found = Target::from_toml(text).expect_err("it is wrong").to_string();
        assert!(found.contains(want), "{found:?} does not say {want:?}");
    }
    assert!(matches!(Target::named("cpu"), Err(TargetError::Unknown { .. })));
    for name in ["onnx", "ort-cpu", "nhwc"] {
        assert_eq!(Target::named(name).expect("it is built in").name(), name);
    }
}

/// A declared result whose rank does not match the operation: the operation stays row-major, and
/// nothing panics.
#[test]
fn ranks_that_do_not_fit_are_kept_as_they_are() {
    type Row<'a> = (&'a str, &'a [(&'a str, i64)], &'a [&'a str]);
    let kinds: [Row<'_>; 6] = [
        ("Split", &[("axis", 1)], &["x"]),
        ("Pad", &[], &["x", "pads"]),
        ("Slice", &[], &["x", "one", "one", "one"]),
        ("Concat", &[("axis", 1)], &["x", "x"]),
        ("Softmax", &[("axis", 1)], &["x"]),
        ("LayerNormalization", &[("axis", 1)], &["x"]),
    ];
    for shape in [&[1, 6, 6][..], &[36], &[2, 2, 3, 3, 1], &[]] {
        for (kind, attributes, inputs) in kinds {
            let mut builder = GraphBuilder::new(17);
            builder.tensor("x", &[1, 6, 3, 2], 4).tensor("y", shape, 4);
            builder.constant("pads", &[8], 8, Some(vec![0; 8]));
            builder.constant("one", &[1], 8, Some(vec![1]));
            let mut op = op("o", inputs, &["y"]);
            op.kind = kind.into();
            for (name, value) in attributes {
                op.attributes.insert((*name).into(), Attribute::Int(*value));
            }
            builder.op(op).input("x").output("y");
            let graph = builder.build().expect("names and sizes fit");
            for target in ["onnx", "ort-cpu"] {
                let target = Target::named(target).expect("it is built in");
                let _ = Planning::new(&graph, &target).map(|planning| planning.to_emit());
            }
        }
    }
}
