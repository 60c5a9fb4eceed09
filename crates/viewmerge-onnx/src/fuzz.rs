//! The entry point for a fuzzer, and for the tests on broken models.

use crate::{Converted, Model, emit};
use viewmerge_plan::{Planning, Target};

/// Reads bytes as a model; if they are one, writes it back, plans it and emits the plan.
///
/// ```
/// viewmerge_onnx::fuzz::model(b"no model");
/// ```
///
/// # Panics
///
/// If a model differs after being written and read again.
pub fn model(bytes: &[u8]) {
    let Ok(model) = Model::from_bytes(bytes.to_vec()) else { return };
    if let Ok(written) = model.to_bytes() {
        let again = Model::from_bytes(written.clone()).and_then(|again| again.to_bytes());
        assert!(again.is_ok_and(|again| again == written), "not the same when read again");
    }
    let Ok(converted) = Converted::new(&model) else { return };
    // Only graphs small enough to plan quickly.
    if converted.graph.ops().len() > 200 {
        return;
    }
    let Ok(target) = Target::named("ort-cpu") else { return };
    if let Ok(planning) = Planning::new(&converted.graph, &target) {
        for plan in [planning.plan(), planning.to_emit()] {
            let _ = emit(&model, &converted, &plan).map(|emitted| emitted.model.to_bytes());
        }
    }
}
