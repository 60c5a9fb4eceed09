//! The subject of a certificate, listed independently: costs, candidates, and every configuration.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::Graph;
use super::json::Value;
use super::layout::{Layout, is_layout, row_major};
use super::ops::Site;
use super::{Refused, Spot, fails};

/// The costs of a target.
pub(super) struct Table(BTreeMap<(String, String), i64>);

impl Table {
    pub fn read(value: &Value) -> Result<Table, Refused> {
        let mut table = BTreeMap::new();
        let Value::Object(families) = value else {
            return Err(Refused::Member { name: "families".into(), accepted: "an object" });
        };
        for (family, configurations) in families {
            let Value::Object(configurations) = configurations else {
                return Err(Refused::Member { name: family.clone(), accepted: "an object" });
            };
            for (name, percent) in configurations {
                let percent = percent.integer("percent")?;
                if !(0..=100_000).contains(&percent) {
                    return Err(Refused::Member { name: name.clone(), accepted: "0 to 100000" });
                }
                table.insert((family.clone(), name.clone()), percent);
            }
        }
        Ok(Table(table))
    }

    pub fn percent(&self, family: &str, name: &str) -> Option<i64> {
        self.0.get(&(family.into(), name.into())).copied()
    }

    pub fn cost(&self, family: &str, name: &str, bytes: i64) -> Option<i64> {
        let percent = self.percent(family, name)?;
        i64::try_from(i128::from(bytes) * i128::from(percent) / 100).ok()
    }
}

/// A configuration: which layouts it uses, each once, and its cost.
pub(super) struct Configuration {
    pub uses: Vec<Spot>,
    pub choice: Vec<usize>,
    pub cost: i64,
}

/// The most configurations of a certificate to look at.
pub(super) const MOST_CONFIGURATIONS: u64 = 4_000_000;

/// The layouts of every class, and the classes in the order of the certificate.
pub(super) fn candidates(
    graph: &Graph,
    value: &Value,
) -> Result<(Vec<usize>, Vec<Vec<Layout>>), Refused> {
    let mut layouts = vec![Vec::new(); graph.classes.len()];
    let mut numbers = Vec::new();
    for entry in value.list("classes")? {
        let root = entry.member("root")?.text("root")?;
        let class = graph.classes.iter().position(|class| graph.tensors[class.root].name == root);
        let class =
            class.filter(|&class| !graph.classes[class].constant && layouts[class].is_empty());
        let class = class.ok_or_else(|| {
            fails(format!("{root:?} is not the root of a class, or is given twice"))
        })?;
        let elements = graph.tensors[graph.classes[class].root].elements();
        let mut seen = BTreeSet::new();
        for layout in entry.member("layouts")?.list("layouts")? {
            let mut digits: Layout = Vec::new();
            for digit in layout.list("layouts")? {
                let digit = digit.integers("layouts")?;
                let &[place, size] = digit.as_slice() else {
                    return Err(fails("a digit is a place and a size"));
                };
                digits.push((place, size));
            }
            if !is_layout(&digits, elements) || !seen.insert(digits.clone()) {
                return Err(fails(format!("a layout of {root:?} is invalid, or is given twice")));
            }
            layouts[class].push(digits);
        }
        numbers.push(class);
    }
    Ok((numbers, layouts))
}

/// All configurations of the operations, the inputs and the outputs. Views have none.
pub(super) fn choosers(
    graph: &Graph,
    table: &Table,
    layouts: &[Vec<Layout>],
) -> Result<Vec<Vec<Configuration>>, Refused> {
    let mut count = 0u64;
    let mut all = Vec::new();
    for op in &graph.ops {
        let mut found: Vec<Configuration> = Vec::new();
        if !op.view {
            let site = Site::new(graph, table, op, layouts);
            let slots = site.slots.clone();
            site.visit(&mut |choice, cost| {
                count += 1;
                if count > MOST_CONFIGURATIONS {
                    return Err(Refused::TooMany { most: MOST_CONFIGURATIONS });
                }
                let mut uses: Vec<Spot> = slots
                    .iter()
                    .zip(choice)
                    .map(|(&id, &number)| (graph.tensors[id].class, number))
                    .collect();
                uses.sort_unstable();
                uses.dedup();
                found.push(Configuration { uses, choice: choice.to_vec(), cost });
                Ok(())
            })?;
            if found.is_empty() {
                return Err(fails(format!("{:?} has no configuration", op.name)));
            }
        }
        all.push(found);
    }
    for &id in graph.inputs.iter().chain(&graph.outputs) {
        let tensor = &graph.tensors[id];
        if graph.classes[tensor.class].constant {
            all.push(Vec::new());
            continue;
        }
        let row = row_major(tensor);
        let number = layouts[tensor.class].iter().position(|layout| *layout == row);
        let number =
            number.ok_or_else(|| fails(format!("{:?} has no row-major layout", tensor.name)))?;
        all.push(vec![Configuration {
            uses: vec![(tensor.class, number)],
            choice: vec![number],
            cost: 0,
        }]);
    }
    Ok(all)
}

/// The bytes of all classes that are used; the first layout of each is free.
pub(super) fn used_bytes(graph: &Graph, choosers: &[Vec<Configuration>]) -> i128 {
    let used = choosers.iter().flatten().flat_map(|configuration| &configuration.uses);
    let classes: BTreeSet<usize> = used.map(|spot| spot.0).collect();
    classes.iter().map(|&class| i128::from(graph.tensors[graph.classes[class].root].bytes)).sum()
}
