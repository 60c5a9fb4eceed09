//! Checks certificates of plans: that no plan of a graph over the layouts listed costs less
//! than the bound, and that the plan given costs what it says.
//!
//! A graph's tensors fall into classes, each a tensor with all views of it. A class is stored
//! in one layout or several; the second and every further one costs the class's bytes. Every
//! operation takes one configuration, which uses one layout of the class at each of its ends
//! and may have a cost; inputs and outputs of the graph are row-major. Which configurations
//! there are follows from the graph and the target's table, and is listed anew here.
//!
//! The proof are prices v(operation, layout) ≥ 0, for every layout at most the class's bytes
//! in sum. Then a plan costs at least Σ over operations of the least (cost + prices) of a
//! configuration, minus the bytes of all classes: in any plan each operation's part is at most
//! what its own configuration says, and the prices of a layout that is stored are together at
//! most what storing it costs. Proved in proofs/theories/Plan.v. Where that is not enough, a tree
//! fixes layouts: not stored, so that configurations with it are gone; or stored, so that its
//! bytes are paid and its prices drop out.
//!
//! Example: one tensor of 96 bytes, an input and wanted transposed as output. The two layouts
//! have one user each, so each may be priced at 96; 96 + 96 − 96 = 96 bytes must be copied.

mod driven;
mod graph;
mod json;
mod layout;
mod ops;
mod product;
mod weights;

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use graph::Graph;
use json::Value;
use layout::Layout;
use ops::Site;

/// What a certificate of a plan shows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlanShown {
    /// The name of the target's table.
    pub target: String,
    /// How many operations the graph has.
    pub ops: usize,
    /// The most layouts listed for a class.
    pub considered: usize,
    /// No plan over the layouts listed costs less, in bytes.
    pub bound: i64,
    /// What the plan given costs.
    pub cost: i64,
}

/// Why a certificate of a plan is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refused {
    /// Not a text of the right form.
    #[error("not a certificate: at byte {at}, accepted: {accepted}")]
    Text {
        /// Where.
        at: usize,
        /// What would do.
        accepted: String,
    },
    /// A member that is not as it must be.
    #[error("not a certificate: `{name}` must be {accepted}")]
    Member {
        /// The member.
        name: String,
        /// What would do.
        accepted: &'static str,
    },
    /// A graph that is none.
    #[error("not a graph: {what}")]
    Graph {
        /// What is wrong.
        what: String,
    },
    /// A proof or plan that does not hold.
    #[error("does not hold: {what}")]
    Proof {
        /// What is wrong.
        what: String,
    },
    /// More configurations than are looked at.
    #[error("more than {most} configurations: too many to check")]
    TooMany {
        /// How many are looked at.
        most: u64,
    },
}

fn fails(what: impl Into<String>) -> Refused {
    Refused::Proof { what: what.into() }
}

/// The costs of a target.
pub(crate) struct Table(BTreeMap<(String, String), i64>);

impl Table {
    fn read(value: &Value) -> Result<Table, Refused> {
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

    fn percent(&self, family: &str, name: &str) -> Option<i64> {
        self.0.get(&(family.into(), name.into())).copied()
    }

    fn cost(&self, family: &str, name: &str, bytes: i64) -> Option<i64> {
        let percent = self.percent(family, name)?;
        i64::try_from(i128::from(bytes) * i128::from(percent) / 100).ok()
    }
}

/// A layout of a class, by numbers.
type Spot = (usize, usize);

/// A configuration: what it uses, each layout once, and its cost.
struct Configuration {
    uses: Vec<Spot>,
    choice: Vec<usize>,
    cost: i64,
}

/// The most configurations of a certificate that are looked at.
const MOST_CONFIGURATIONS: u64 = 4_000_000;

/// The most bytes of a certificate that are read.
const MOST_TEXT: usize = 256 << 20;

/// Checks a certificate of a plan.
///
/// # Errors
///
/// Why the text is not a certificate, or why it does not hold.
///
/// ```
/// use viewmerge_verify::plan::verify_plan;
///
/// let text = r#"{"certificate":"plan","graph":{"opset":17,"tensors":[
///     {"name":"x","shape":[4,6],"element_bytes":4},{"name":"y","shape":[6,4],"element_bytes":4}],
///     "ops":[{"name":"t","kind":"Transpose","attributes":{},"inputs":["x"],"outputs":["y"]}],
///     "inputs":["x"],"outputs":["y"]},"target":{"name":"onnx","families":{}},
///     "classes":[{"root":"x","layouts":[[[1,24]],[[1,6],[6,4]]]}],"cost":96,"bound":96,
///     "plan":[[1,[0]],[2,[1]]],
///     "proof":{"denominator":1,"prices":[[1,0,0,96],[2,0,1,96]]}}"#;
/// assert_eq!(verify_plan(text)?.bound, 96);
/// assert!(verify_plan(&text.replace("\"bound\":96", "\"bound\":97")).is_err());
/// # Ok::<(), viewmerge_verify::plan::Refused>(())
/// ```
pub fn verify_plan(text: &str) -> Result<PlanShown, Refused> {
    if text.len() > MOST_TEXT {
        return Err(Refused::Text { at: MOST_TEXT, accepted: "a shorter text".into() });
    }
    let value = json::read(text)?;
    if value.member("certificate")?.text("certificate")? != "plan" {
        return Err(Refused::Member { name: "certificate".into(), accepted: "\"plan\"" });
    }
    let graph = Graph::read(value.member("graph")?)?;
    let target = value.member("target")?;
    let table = Table::read(target.member("families")?)?;
    let (numbers, layouts) = candidates(&graph, value.member("classes")?)?;
    let choosers = choosers(&graph, &table, &layouts)?;
    let free: i128 = used_bytes(&graph, &choosers);
    let checker =
        Checker { graph: &graph, layouts: &layouts, numbers: &numbers, choosers: &choosers, free };
    let bound = value.member("bound")?.integer("bound")?;
    let cost = value.member("cost")?.integer("cost")?;
    checker.plan(value.member("plan")?, cost)?;
    checker.proof(value.member("proof")?, bound, &mut BTreeMap::new())?;
    if bound > cost {
        return Err(fails("the bound is above the plan's cost"));
    }
    Ok(PlanShown {
        target: target.member("name")?.text("name")?.into(),
        ops: graph.ops.len(),
        considered: layouts.iter().map(Vec::len).max().unwrap_or(0),
        bound,
        cost,
    })
}

/// The layouts of every class, and the classes in the order of the certificate.
fn candidates(graph: &Graph, value: &Value) -> Result<(Vec<usize>, Vec<Vec<Layout>>), Refused> {
    let mut layouts = vec![Vec::new(); graph.classes.len()];
    let mut numbers = Vec::new();
    for entry in value.list("classes")? {
        let root = entry.member("root")?.text("root")?;
        let class = graph.classes.iter().position(|class| graph.tensors[class.root].name == root);
        let class =
            class.filter(|&class| !graph.classes[class].constant && layouts[class].is_empty());
        let class = class
            .ok_or_else(|| fails(format!("{root:?} is no root of a class, or given twice")))?;
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
            if !layout::is_layout(&digits, elements) || !seen.insert(digits.clone()) {
                return Err(fails(format!("a layout of {root:?} is none, or given twice")));
            }
            layouts[class].push(digits);
        }
        numbers.push(class);
    }
    Ok((numbers, layouts))
}

/// All configurations: of the operations, the inputs, the outputs. Empty for views.
fn choosers(
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
        let row = layout::row_major(tensor);
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

/// The bytes of all classes that somebody uses: the first layout of each is free.
fn used_bytes(graph: &Graph, choosers: &[Vec<Configuration>]) -> i128 {
    let used = choosers.iter().flatten().flat_map(|configuration| &configuration.uses);
    let classes: BTreeSet<usize> = used.map(|spot| spot.0).collect();
    classes.iter().map(|&class| i128::from(graph.tensors[graph.classes[class].root].bytes)).sum()
}

struct Checker<'a> {
    graph: &'a Graph,
    layouts: &'a [Vec<Layout>],
    numbers: &'a [usize],
    choosers: &'a [Vec<Configuration>],
    free: i128,
}

impl Checker<'_> {
    fn bytes(&self, class: usize) -> i64 {
        self.graph.tensors[self.graph.classes[class].root].bytes
    }

    /// A layout named by the certificate.
    fn spot(&self, class: &Value, layout: &Value) -> Result<Spot, Refused> {
        let class = self.numbers.get(class.index("class")?).copied();
        let class = class.ok_or_else(|| fails("a class that is not listed"))?;
        let layout = layout.index("layout")?;
        if layout >= self.layouts[class].len() {
            return Err(fails("a layout that is not listed"));
        }
        Ok((class, layout))
    }

    /// That the plan given is one, and costs what it says.
    fn plan(&self, value: &Value, cost: i64) -> Result<(), Refused> {
        let mut seen = BTreeSet::new();
        let mut stored: BTreeSet<Spot> = BTreeSet::new();
        let mut total = -self.free;
        for entry in value.list("plan")? {
            let [chooser, choice] = entry.list("plan")? else {
                return Err(fails("the plan lists operations with their layouts"));
            };
            let chooser = chooser.index("plan")?;
            let choice: Vec<usize> = choice
                .list("plan")?
                .iter()
                .map(|number| number.index("plan"))
                .collect::<Result<_, _>>()?;
            let options = self.choosers.get(chooser).map_or(&[][..], Vec::as_slice);
            let fitting = options.iter().filter(|option| option.choice == choice);
            let least = fitting.min_by_key(|option| option.cost);
            let least = least
                .ok_or_else(|| fails(format!("operation {chooser} has no such configuration")))?;
            if !seen.insert(chooser) {
                return Err(fails(format!("operation {chooser} is planned twice")));
            }
            total += i128::from(least.cost);
            stored.extend(&least.uses);
        }
        let needed = (0..self.choosers.len()).filter(|&chooser| !self.choosers[chooser].is_empty());
        if let Some(missing) = needed.into_iter().find(|chooser| !seen.contains(chooser)) {
            return Err(fails(format!("operation {missing} is not planned")));
        }
        total += stored.iter().map(|spot| i128::from(self.bytes(spot.0))).sum::<i128>();
        if total == i128::from(cost) {
            Ok(())
        } else {
            Err(fails(format!("the plan costs {total}, not {cost}")))
        }
    }

    /// That a proof shows the bound for all plans under what is fixed.
    fn proof(
        &self,
        value: &Value,
        bound: i64,
        fixed: &mut BTreeMap<Spot, bool>,
    ) -> Result<(), Refused> {
        if let (Ok(without), Ok(with)) = (value.member("without"), value.member("with")) {
            let spot = self.spot(value.member("class")?, value.member("layout")?)?;
            if fixed.contains_key(&spot) {
                return Err(fails("a layout is fixed twice"));
            }
            fixed.insert(spot, false);
            self.proof(without, bound, fixed)?;
            fixed.insert(spot, true);
            self.proof(with, bound, fixed)?;
            fixed.remove(&spot);
            return Ok(());
        }
        let denominator = value.member("denominator")?.integer("denominator")?;
        if !(1..=1_000_000).contains(&denominator) {
            return Err(fails("the denominator must be from 1 to 1000000"));
        }
        let scale = i128::from(denominator);
        let mut prices: BTreeMap<(usize, Spot), i128> = BTreeMap::new();
        let mut sums: BTreeMap<Spot, i128> = BTreeMap::new();
        for row in value.member("prices")?.list("prices")? {
            let [chooser, class, layout, price] = row.list("prices")? else {
                return Err(fails("a price is an operation, a class, a layout and a number"));
            };
            let spot = self.spot(class, layout)?;
            let price = i128::from(price.integer("prices")?);
            let sum = sums.entry(spot).or_insert(0);
            *sum += price;
            if price < 0 || *sum > scale * i128::from(self.bytes(spot.0)) {
                return Err(fails("prices of a layout are below 0 or above its bytes"));
            }
            if prices.insert((chooser.index("prices")?, spot), price).is_some() {
                return Err(fails("a price is given twice"));
            }
        }
        let paid = fixed
            .iter()
            .filter(|(_, stored)| **stored)
            .map(|(spot, _)| i128::from(self.bytes(spot.0)));
        let mut total = scale * (paid.sum::<i128>() - self.free);
        for (chooser, configurations) in self.choosers.iter().enumerate() {
            if configurations.is_empty() {
                continue;
            }
            let price = |configuration: &Configuration| {
                let gone = |spot: &Spot| fixed.get(spot) == Some(&false);
                if configuration.uses.iter().any(gone) {
                    return None;
                }
                let open = configuration.uses.iter().filter(|spot| !fixed.contains_key(spot));
                let sum: i128 =
                    open.map(|&spot| prices.get(&(chooser, spot)).copied().unwrap_or(0)).sum();
                Some(scale * i128::from(configuration.cost) + sum)
            };
            match configurations.iter().filter_map(price).min() {
                Some(least) => total += least,
                // No configuration is left: there is no such plan.
                None => return Ok(()),
            }
        }
        // The cost of a plan is an integer, so what is shown may be rounded up.
        if total > scale * (i128::from(bound) - 1) {
            return Ok(());
        }
        Err(fails(format!("the prices show less than the bound {bound}")))
    }
}
