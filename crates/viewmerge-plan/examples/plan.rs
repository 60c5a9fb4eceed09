//! Plans graphs given as JSON and prints their figures.

use std::time::Instant;

use viewmerge_plan::{GraphBuilder, Target, certified};
use viewmerge_verify::plan::verify_plan;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_else(|| "onnx".into());
    let target = match name.strip_suffix(".toml") {
        Some(_) => Target::from_toml(&std::fs::read_to_string(&name)?)?,
        None => Target::named(&name)?,
    };
    for path in words {
        let builder: GraphBuilder = serde_json::from_str(&std::fs::read_to_string(&path)?)?;
        let graph = builder.build()?;
        let start = Instant::now();
        let (plan, certificate) = certified(&graph, &target)?;
        let taken = start.elapsed();
        let start = Instant::now();
        let shown = verify_plan(&certificate)
            .map_or_else(|refused| refused.to_string(), |shown| format!("shown {}", shown.bound));
        let most = plan.classes.iter().map(|class| class.considered).max().unwrap_or(0);
        println!(
            "{path}: {} ops, now {}/{}, least {}/{}, cost {}, bound {} and {}, {most} layouts a class, {taken:?}; certificate {} bytes, {shown}, {:?}",
            graph.ops().len(),
            plan.now.copies,
            plan.now.bytes,
            plan.least.copies,
            plan.least.bytes,
            plan.cost,
            plan.bound.considered,
            plan.bound.all_layouts,
            certificate.len(),
            start.elapsed(),
        );
        for copy in &plan.copies {
            println!("  {}", copy.reason);
        }
        for op in plan.unknown.iter().chain(plan.refused.iter().map(|refused| &refused.op)) {
            println!("  unknown or copying: {}", graph.op(*op).name);
        }
    }
    Ok(())
}
