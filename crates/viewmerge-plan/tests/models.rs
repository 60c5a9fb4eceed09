//! Plans of ten exported models.

use viewmerge_plan::{Graph, GraphBuilder, Target, certified};
use viewmerge_verify::plan::verify_plan;

pub fn graph(name: &str) -> Graph {
    let path = format!("{}/../../testdata/plan/graphs/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("the graph is there");
    let builder: GraphBuilder = serde_json::from_str(&text).expect("it is a graph");
    builder.build().expect("it is sound")
}

/// Copies and bytes as exported and in the plan, for `ort-cpu` without the costs of
/// configurations.
#[test]
fn plans_of_models() {
    let table = include_str!("../targets/onnx.toml")
        .replace("name = \"onnx\"", "name = \"fused\"")
        .replace("last = 0\ninner = 0", "last = 0\ninner = 200")
        .replace("swapped = 0", "swapped = 0\ntrans_a = 0\ntrans_b = 0\nbatch_a = 0\nbatch_b = 0");
    let target = Target::from_toml(&table).expect("the table is sound");
    for (name, now, least) in [
        ("tfstyle", (10, 531_840), (1, 24_576)),
        ("axial", (20, 458_752), (7, 114_688)),
        ("shufflenetv2", (4, 393_216), (0, 0)),
        ("bert", (15, 122_880), (5, 33_024)),
        ("swin", (18, 790_272), (8, 263_424)),
        ("maxvit", (20, 1_048_576), (7, 327_680)),
        ("convnext", (18, 303_104), (14, 215_040)),
        ("mixer", (7, 229_376), (7, 229_376)),
        ("lstm", (5, 53_760), (4, 33_120)),
        ("pixelshuffle", (2, 49_152), (2, 49_152)),
    ] {
        let (plan, certificate) = certified(&graph(name), &target).expect("there is a plan");
        assert_eq!((plan.now.copies, plan.now.bytes), now, "{name} as exported");
        assert_eq!((plan.least.copies, plan.least.bytes), least, "{name} planned");
        assert_eq!((plan.cost, plan.bound.considered), (least.1, least.1), "{name}: bound");
        assert!(plan.bound.all_layouts <= plan.bound.considered, "{name}");
        let shown = verify_plan(&certificate).expect("the certificate holds");
        assert_eq!((shown.bound, shown.cost), (least.1, least.1), "{name}: shown");
        assert_eq!(plan.copies.len(), usize::try_from(least.0).expect("few"), "{name}");
    }
}

/// Channels last for convolutions: one copy remains in ConvNeXt.
#[test]
fn channels_last() {
    let target = Target::named("nhwc").expect("it is built in");
    let (plan, certificate) = certified(&graph("convnext"), &target).expect("there is a plan");
    assert_eq!((plan.least.copies, plan.least.bytes), (1, 32_768));
    assert_eq!(verify_plan(&certificate).expect("the certificate holds").bound, 32_768);
}
