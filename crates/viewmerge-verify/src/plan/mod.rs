//! Checks certificates of plans: that no plan of a graph over the listed layouts costs less than the bound,
//! and that the given plan's stated cost is right.
//!
//! A graph's tensors fall into classes, each a tensor with all views of it. A class is stored in one or
//! more layouts; the second and each further one costs the class's bytes. Every operation takes one
//! configuration, which uses one layout of the class at each of its ends and may have a cost; inputs and
//! outputs of the graph are row-major. Which configurations exist follows from the graph and the target's
//! table, and is determined independently here.
//!
//! The proof consists of prices v(operation, layout) ≥ 0, which for every layout sum to at most the class's
//! bytes. Then a plan costs at least the sum, over all operations, of the least (cost + prices) of a
//! configuration, minus the bytes of all classes: in any plan each operation's term is at most that of its
//! own configuration, and the prices of a stored layout together are at most what storing it costs. Proved
//! in proofs/theories/Plan.v. Where prices alone are not enough, a tree fixes layouts: *not stored*, which
//! removes the configurations that use it; or *stored*, so that its bytes are paid and its prices drop out.
//!
//! Example: one tensor of 96 bytes, an input that is also wanted, transposed, as an output. Each of the two
//! layouts has one user, so each may be priced at 96; 96 + 96 − 96 = 96 bytes must be copied.

mod choosers;
mod graph;
mod json;
mod layout;
mod ops;
mod order;
mod product;
mod weights;

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use choosers::{Configuration, Table, candidates, choosers, used_bytes};
use graph::Graph;
use json::Value;
use layout::Layout;

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
    /// No plan over the listed layouts costs less, in bytes.
    pub bound: i64,
    /// The cost of the given plan.
    pub cost: i64,
}

/// Why a certificate of a plan is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refused {
    /// The text does not have the right form.
    #[error("not a certificate: at byte {at}, accepted: {accepted}")]
    Text {
        /// Where.
        at: usize,
        /// What is accepted.
        accepted: String,
    },
    /// A member has the wrong form.
    #[error("not a certificate: `{name}` must be {accepted}")]
    Member {
        /// The member.
        name: String,
        /// What is accepted.
        accepted: &'static str,
    },
    /// The graph is invalid.
    #[error("not a graph: {what}")]
    Graph {
        /// What is wrong.
        what: String,
    },
    /// A proof or plan does not hold.
    #[error("does not hold: {what}")]
    Proof {
        /// What is wrong.
        what: String,
    },
    /// Too many configurations to look at.
    #[error("more than {most} configurations: too many to check")]
    TooMany {
        /// The most that are looked at.
        most: u64,
    },
}

fn fails(what: impl Into<String>) -> Refused {
    Refused::Proof { what: what.into() }
}

/// A layout of a class, by their numbers.
type Spot = (usize, usize);

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

    /// A layout that the certificate names.
    fn spot(&self, class: &Value, layout: &Value) -> Result<Spot, Refused> {
        let class = self.numbers.get(class.index("class")?).copied();
        let class = class.ok_or_else(|| fails("a class that is not listed"))?;
        let layout = layout.index("layout")?;
        if layout >= self.layouts[class].len() {
            return Err(fails("a layout that is not listed"));
        }
        Ok((class, layout))
    }

    /// Checks that the given plan is a plan, and that its stated cost is right.
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

    /// Checks that a proof shows the bound for all plans that agree with the fixed layouts.
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
                // No configuration is left: no such plan exists.
                None => return Ok(()),
            }
        }
        // The cost of a plan is an integer, so the bound that is shown may be rounded up.
        if total > scale * (i128::from(bound) - 1) {
            return Ok(());
        }
        Err(fails(format!("the prices show less than the bound {bound}")))
    }
}
