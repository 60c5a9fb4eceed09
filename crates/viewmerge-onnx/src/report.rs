//! A plan as text, and as JSON.

use serde_json::{Value, json};
use viewmerge_plan::Plan;
use viewmerge_plan::plan::{Class, Cost, Stored};

use crate::convert::Converted;

/// `{"now":…,"least":…,"bound":…,"copies":[…]}`, and `"emitted":…` if a model was written.
pub fn json(converted: &Converted, plan: &Plan, emitted: Option<&Cost>) -> Value {
    let tensors = converted.graph.tensors();
    let copies = plan.copies.iter().map(|copy| {
        let class = &plan.classes[copy.place.class];
        json!({
            "tensor": tensors[class.root.0].name,
            "bytes": copy.bytes,
            "from": class.stored[0].layout.to_string(),
            "to": class.stored[copy.place.layout].layout.to_string(),
            "why": copy.reason,
        })
    });
    let refused = plan.refused.iter().map(|refused| {
        let op = &converted.graph.ops()[refused.op.0];
        json!({ "op": op.name, "bytes": refused.bytes, "why": refused.witness })
    });
    let cost = |cost: &Cost| json!({ "copies": cost.copies, "bytes": cost.bytes });
    let mut report = json!({
        "now": cost(&plan.now),
        "least": cost(&plan.least),
        "bound": { "considered": plan.bound.considered, "all_layouts": plan.bound.all_layouts },
        "copies": copies.chain(refused).collect::<Vec<_>>(),
    });
    if let Some(emitted) = emitted {
        report["emitted"] = cost(emitted);
    }
    report
}

/// The plan as text.
pub fn text(converted: &Converted, plan: &Plan, emitted: Option<&Cost>, markdown: bool) -> String {
    let mut lines = Vec::new();
    let mark = if markdown { "- " } else { "" };
    let inner = if markdown { "  - " } else { "  " };
    let fewer = match plan.now.bytes {
        0 => String::new(),
        now => format!(", {} % fewer bytes", (now - plan.least.bytes) * 100 / now),
    };
    lines.push(format!("{mark}now: {}", counted(&plan.now)));
    lines.push(format!("{mark}least for {}: {}{fewer}", plan.target, counted(&plan.least)));
    if plan.cost > plan.least.bytes {
        let more = size(plan.cost - plan.least.bytes);
        lines.push(format!("{mark}configurations cost as much as copying another {more}"));
    }
    lines.push(format!("{mark}{}", proved(plan)));
    if let Some(emitted) = emitted.filter(|emitted| **emitted != plan.least) {
        lines.push(format!(
            "{mark}written: {}, which are faster by the copy times of {}; the proof is about bytes",
            counted(emitted),
            plan.target
        ));
    }
    if !plan.copies.is_empty() || !plan.refused.is_empty() {
        lines.push(format!("{mark}copies that remain:"));
    }
    for copy in &plan.copies {
        let root = plan.classes[copy.place.class].root;
        let name = &converted.graph.tensors()[root.0].name;
        lines.push(format!("{inner}{name}: {}", copy.reason));
    }
    for refused in &plan.refused {
        let name = &converted.graph.ops()[refused.op.0].name;
        lines.push(format!(
            "{inner}{name}, {}: itself a copy: {}",
            size(refused.bytes),
            refused.witness
        ));
    }
    let moved: Vec<String> =
        plan.classes.iter().filter_map(|class| layouts(converted, class)).collect();
    if !moved.is_empty() {
        lines.push(format!(
            "{mark}tensors that are not row-major, slowest digit first, SIZE:PLACE:"
        ));
        lines.extend(moved.iter().map(|line| format!("{inner}{line}")));
    }
    let unknown: Vec<&str> =
        plan.unknown.iter().map(|op| converted.graph.ops()[op.0].name.as_str()).collect();
    if !unknown.is_empty() {
        lines.push(format!(
            "{mark}no contract is known for these ops, they stay row-major: {}",
            unknown.join(", ")
        ));
    }
    if !converted.bodies.is_empty() {
        lines.push(format!("{mark}bodies are left unchanged: {}", converted.bodies.join(", ")));
    }
    lines.join("\n")
}

/// The sentence on what is proved about the plan.
fn proved(plan: &Plan) -> String {
    let most = plan
        .classes
        .iter()
        .filter(|class| !class.constant)
        .map(|class| class.considered)
        .max()
        .unwrap_or(1);
    if plan.bound.all_layouts >= plan.cost {
        return "proved: no layouts at all cost less".into();
    }
    let considered = match plan.bound.considered >= plan.cost {
        true => format!("proved: least among the layouts considered (up to {most} a class)"),
        false => format!(
            "proved: at least {} among the layouts considered (up to {most} a class)",
            size(plan.bound.considered)
        ),
    };
    format!("{considered}; over all layouts at least {}", size(plan.bound.all_layouts))
}

/// The layouts of a class, unless it is stored in row-major order only.
fn layouts(converted: &Converted, class: &Class) -> Option<String> {
    if class.constant || class.stored.iter().all(|stored| stored.layout.is_row_major()) {
        return None;
    }
    let root = &converted.graph.tensors()[class.root.0];
    let sizes: Vec<String> = root.shape.iter().map(i64::to_string).collect();
    let name = |stored: &Stored| match stored.layout.is_row_major() {
        true => "row-major".to_string(),
        false => stored.layout.to_string(),
    };
    let stored: Vec<String> = class.stored.iter().map(name).collect();
    Some(format!("{} ({}): {}", root.name, sizes.join(","), stored.join(" and ")))
}

fn counted(cost: &Cost) -> String {
    let copies = if cost.copies == 1 { "copy" } else { "copies" };
    format!("{} {copies}, {}", cost.copies, size(cost.bytes))
}

/// Bytes in a readable unit.
///
/// ```
/// use viewmerge_onnx::report::size;
///
/// assert_eq!([size(700), size(49_152), size(1_300_000)], ["700 bytes", "48 KiB", "1.2 MiB"]);
/// ```
pub fn size(bytes: i64) -> String {
    const UNITS: [(&str, i64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    let unit = UNITS.iter().find(|(_, unit)| bytes >= *unit);
    match unit {
        None => format!("{bytes} bytes"),
        Some((name, unit)) if bytes % unit == 0 => format!("{} {name}", bytes / unit),
        Some((name, unit)) => {
            let tenths = (i128::from(bytes) * 10 + i128::from(unit / 2)) / i128::from(*unit);
            format!("{}.{} {name}", tenths / 10, tenths % 10)
        }
    }
}
