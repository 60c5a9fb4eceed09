//! Plans graphs given as JSON and prints their figures.

use std::time::Instant;

use viewmerge_plan::{GraphBuilder, Target, plan};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let target = Target::named(&words.next().unwrap_or_else(|| "onnx".into()))?;
    for path in words {
        let builder: GraphBuilder = serde_json::from_str(&std::fs::read_to_string(&path)?)?;
        let graph = builder.build()?;
        let start = Instant::now();
        let plan = plan(&graph, &target)?;
        let most = plan.classes.iter().map(|class| class.considered).max().unwrap_or(0);
        println!(
            "{path}: {} ops, now {}/{}, least {}/{}, cost {}, bound {} and {}, {most} layouts a class, {:?}",
            graph.ops().len(), plan.now.copies, plan.now.bytes, plan.least.copies, plan.least.bytes,
            plan.cost, plan.bound.considered, plan.bound.all_layouts, start.elapsed(),
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
