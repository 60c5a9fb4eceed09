//! Models are written back exactly as they were read.

use std::fs;
use std::path::PathBuf;

use prost::Message;
use viewmerge_onnx::{Model, fuzz, proto};

/// The models of testdata.
pub fn models() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/plan");
    let files =
        fs::read_dir(folder).expect("testdata/plan").map(|entry| entry.expect("an entry").path());
    let mut models: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|end| end == "onnx")).collect();
    models.sort();
    assert!(models.len() >= 3);
    models
}

#[test]
fn models_are_written_back_byte_for_byte() {
    for path in models() {
        let bytes = fs::read(&path).expect("a file");
        let model = Model::open(&path).expect("a model");
        assert_eq!(model.to_bytes().expect("bytes"), bytes, "{}", path.display());
    }
}

/// A message of every kind in one model, with every field set.
#[test]
fn every_kind_of_type_keeps_its_place() {
    let element = Box::new(proto::Type { denotation: Some("d".into()), ..Default::default() });
    let kinds = proto::Type {
        tensor_type: Some(proto::TensorType { elem_type: Some(1), shape: None }),
        sequence_type: Some(Box::new(proto::SequenceType { elem_type: Some(element.clone()) })),
        map_type: Some(Box::new(proto::MapType {
            key_type: Some(7),
            value_type: Some(element.clone()),
        })),
        denotation: Some("all".into()),
        opaque_type: Some(proto::OpaqueType { domain: Some("a".into()), name: Some("b".into()) }),
        sparse_tensor_type: Some(proto::SparseTensorType { elem_type: Some(1), shape: None }),
        optional_type: Some(Box::new(proto::OptionalType { elem_type: Some(element) })),
    };
    let bytes = kinds.encode_to_vec();
    let mut fields = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        fields.push(bytes[at] >> 3);
        at += 2 + usize::from(bytes[at + 1]);
    }
    assert_eq!(fields, [1, 4, 5, 6, 7, 8, 9]);
}

/// Every prefix of a model, and the model with one byte changed at many places: an answer or an error.
#[test]
fn broken_bytes_are_refused_without_a_panic() {
    let path = models()
        .into_iter()
        .find(|path| path.ends_with("pixelshuffle.onnx"))
        .expect("a small model");
    let bytes = fs::read(path).expect("a file");
    let mut refused = 0;
    for end in (0..bytes.len()).step_by(7) {
        refused += usize::from(Model::from_bytes(bytes[..end].to_vec()).is_err());
    }
    // Cutting between two fields of the model leaves a model.
    assert!(refused > bytes.len() / 7 * 9 / 10);
    for at in (0..bytes.len()).step_by(31) {
        for change in [0x01, 0x80, 0xff] {
            let mut broken = bytes.clone();
            broken[at] ^= change;
            fuzz::model(&broken);
        }
    }
}
