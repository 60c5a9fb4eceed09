//! Weights in external files.

use std::fs;

use viewmerge_onnx::proto::{StringStringEntry, Tensor};
use viewmerge_onnx::{Converted, Model};

use crate::small_models::{info, model, node, small};

fn entry(key: &str, value: &str) -> StringStringEntry {
    StringStringEntry { key: Some(key.into()), value: Some(value.into()) }
}

/// A model whose 16 bytes of integers are at byte 8 of `weights.bin`.
fn with_weights(facts: &[(&str, &str)]) -> Model {
    let mut graph = small();
    graph.initializer.push(Tensor {
        name: Some("c".into()),
        dims: vec![2],
        data_type: Some(7),
        data_location: Some(1),
        external_data: facts.iter().map(|(key, value)| entry(key, value)).collect(),
        ..Tensor::default()
    });
    graph.node.push(node("Tile", &["x", "c"], &["w"]));
    graph.output.push(info("w", &[2, 6]));
    model(graph)
}

#[test]
fn weights_are_found_beside_the_model_and_move_along() {
    let folder = std::env::temp_dir().join(format!("viewmerge-external-{}", std::process::id()));
    fs::create_dir_all(folder.join("other")).expect("a folder");
    let mut bytes = vec![0xff; 8];
    bytes.extend([1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    fs::write(folder.join("weights.bin"), bytes).expect("a file");

    let model = with_weights(&[("location", "weights.bin"), ("offset", "8"), ("length", "16")]);
    fs::write(folder.join("model.onnx"), model.to_bytes().expect("bytes")).expect("a file");
    let read = Model::open(folder.join("model.onnx")).expect("a model");
    let values = |model: &Model| {
        let graph = Converted::new(model).expect("a graph").graph;
        graph.tensors()[graph.find("c").expect("a tensor").0].values.clone()
    };
    assert_eq!(values(&read), Some(vec![1, 2]));

    read.save(folder.join("other/again.onnx")).expect("a file");
    assert!(folder.join("other/again.onnx.data").exists());
    let again = Model::open(folder.join("other/again.onnx")).expect("a model");
    assert_eq!(values(&again), Some(vec![1, 2]));
    // Overwriting itself.
    again.save(folder.join("other/again.onnx")).expect("a file");
    assert_eq!(
        values(&Model::open(folder.join("other/again.onnx")).expect("a model")),
        Some(vec![1, 2])
    );

    let refused = [
        (&[("location", "../weights.bin")][..], "below the model's folder"),
        (&[("location", "/etc/passwd")], "below the model's folder"),
        (&[("location", "")], "below the model's folder"),
        (&[], "no name"),
        (&[("location", "weights.bin"), ("offset", "x")], "\"x\" is not a number"),
        (&[("location", "weights.bin"), ("offset", "16"), ("length", "16")], "24"),
        (&[("location", "weights.bin"), ("offset", "18446744073709551615")], "24"),
        (&[("location", "nowhere.bin")], "nowhere.bin"),
    ];
    for (facts, expected) in refused {
        let mut model = with_weights(facts);
        assert!(Converted::new(&model).is_err());
        model.folder = Some(folder.clone());
        let refusal = Converted::new(&model).expect_err("a refusal").to_string();
        assert!(refusal.contains(expected), "{refusal:?} does not say {expected:?}");
    }
    fs::remove_dir_all(folder).expect("a folder");
}
