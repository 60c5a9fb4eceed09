//! The layouts considered: the row-major layout of every member of a class, closed under the
//! contracts.
//!
//! A layout at one end of an operation determines which layouts the other ends need. These become
//! candidates of their classes, and so on, forwards and backwards, until nothing is new or a
//! class has [`MOST_LAYOUTS`].

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::classes::Classes;
use crate::contract::{Configuration, Contract, Site, contract, copy};
use crate::graph::{Graph, OpId, TensorId};
use crate::layout::Layout;
use crate::target::Target;

/// The most layouts of a class that are considered.
pub(crate) const MOST_LAYOUTS: usize = 64;

/// The most passes over the graph.
const MOST_SWEEPS: usize = 14;

/// Who chooses a configuration: an operation, or an end of the graph, which has only one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Op(OpId),
    Input(TensorId),
    Output(TensorId),
}

/// An operation with the configurations it can take.
pub(crate) struct Choice {
    pub who: Who,
    pub contract: Option<Box<dyn Contract>>,
    pub options: Vec<Placed>,
}

impl Choice {
    /// Whether the tensor at a slot is produced here rather than read.
    pub fn makes(&self, slot: usize) -> bool {
        match (&self.contract, self.who) {
            (Some(contract), _) => !contract.slots()[slot].input,
            (None, who) => matches!(who, Who::Input(_)),
        }
    }
}

/// A configuration and, for every slot, its class and the number of the layout there.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub configuration: Configuration,
    pub uses: Vec<(usize, usize)>,
}

/// Every class's candidates and every operation's configurations over them.
pub(crate) struct Closure {
    pub layouts: Vec<Vec<Layout>>,
    pub choices: Vec<Choice>,
    pub unknown: Vec<OpId>,
}

/// The candidates of a graph while they grow.
struct Growing<'a> {
    classes: &'a Classes,
    layouts: Vec<Vec<Layout>>,
    numbers: Vec<HashMap<Layout, usize>>,
    /// The candidates of a tensor's class as layouts of the tensor, as far as they are known.
    seen: BTreeMap<TensorId, Vec<Option<Layout>>>,
    back: HashMap<(TensorId, Layout), Option<Layout>>,
}

impl Growing<'_> {
    fn add(&mut self, class: usize, layout: Layout) -> Option<usize> {
        if let Some(&number) = self.numbers[class].get(&layout) {
            return Some(number);
        }
        let number = self.layouts[class].len();
        if number >= MOST_LAYOUTS {
            return None;
        }
        self.layouts[class].push(layout.clone());
        self.numbers[class].insert(layout, number);
        Some(number)
    }

    /// The candidates of a tensor's class, as layouts of the tensor.
    fn at(&mut self, tensor: TensorId) -> Vec<Layout> {
        let class = self.classes.class(tensor);
        let seen = self.seen.entry(tensor).or_default();
        for layout in &self.layouts[class][seen.len()..] {
            seen.push(self.classes.at(tensor, layout));
        }
        seen.iter().flatten().cloned().collect()
    }

    fn back(&mut self, tensor: TensorId, layout: &Layout) -> Option<Layout> {
        let key = (tensor, layout.clone());
        if let Some(known) = self.back.get(&key) {
            return known.clone();
        }
        let found = self.classes.back(tensor, layout);
        self.back.insert(key, found.clone());
        found
    }

    /// The class and number of every slot's layout, if all of them are candidates.
    fn known(
        &mut self,
        contract: &dyn Contract,
        configuration: &Configuration,
    ) -> Option<Vec<(usize, usize)>> {
        let slots = contract.slots().iter().zip(&configuration.layouts);
        slots
            .map(|(slot, layout)| {
                let class = self.classes.class(slot.tensor);
                let root = self.back(slot.tensor, layout)?;
                Some((class, self.numbers[class].get(&root).copied()?))
            })
            .collect()
    }

    /// The class and number of every slot's layout, new ones added.
    fn place(
        &mut self,
        contract: &dyn Contract,
        configuration: &Configuration,
    ) -> Option<Vec<(usize, usize)>> {
        let slots = contract.slots().iter().zip(&configuration.layouts);
        let roots: Vec<(usize, Layout)> = slots
            .map(|(slot, layout)| {
                Some((self.classes.class(slot.tensor), self.back(slot.tensor, layout)?))
            })
            .collect::<Option<_>>()?;
        roots.into_iter().map(|(class, layout)| Some((class, self.add(class, layout)?))).collect()
    }
}

/// All candidates of a graph and the configurations over them.
pub(crate) fn closure(graph: &Graph, classes: &Classes, target: &Target) -> Closure {
    let count = classes.classes.len();
    let mut growing = Growing {
        classes,
        layouts: vec![Vec::new(); count],
        numbers: vec![HashMap::new(); count],
        seen: BTreeMap::new(),
        back: HashMap::new(),
    };
    for (number, class) in classes.classes.iter().enumerate() {
        for &member in &class.members {
            growing.add(number, classes.row_major(member).clone());
        }
    }
    let mut unknown = Vec::new();
    let contracts: Vec<(OpId, Box<dyn Contract>)> = classes
        .ops
        .iter()
        .map(|&id| {
            let op = graph.op(id);
            if classes.refused.iter().any(|(refused, _)| *refused == id) {
                return (id, copy(graph, op, classes));
            }
            let (contract, known) = contract(Site { graph, classes, target, op });
            if !known {
                unknown.push(id);
            }
            (id, contract)
        })
        .collect();
    let mut stamps: Vec<Vec<usize>> = vec![Vec::new(); contracts.len()];
    let order: Vec<usize> = (0..contracts.len()).chain((0..contracts.len()).rev()).collect();
    for _ in 0..MOST_SWEEPS {
        let before: usize = growing.layouts.iter().map(Vec::len).sum();
        for &number in &order {
            let contract = contracts[number].1.as_ref();
            let stamp = |growing: &Growing<'_>| -> Vec<usize> {
                let class = |slot: &crate::contract::Slot| classes.class(slot.tensor);
                contract.slots().iter().map(|slot| growing.layouts[class(slot)].len()).collect()
            };
            if stamps[number] == stamp(&growing) {
                continue;
            }
            let known =
                contract.slots().iter().map(|slot| growing.at(slot.tensor)).collect::<Vec<_>>();
            stamps[number] = stamp(&growing);
            for configuration in contract.configurations(&known) {
                growing.place(contract, &configuration);
            }
        }
        if before == growing.layouts.iter().map(Vec::len).sum::<usize>() {
            break;
        }
    }
    let mut choices = Vec::new();
    for (id, contract) in contracts {
        let known: Vec<Vec<Layout>> =
            contract.slots().iter().map(|slot| growing.at(slot.tensor)).collect();
        let options = contract
            .configurations(&known)
            .into_iter()
            .filter_map(|configuration| {
                let uses = growing.known(contract.as_ref(), &configuration)?;
                Some(Placed { configuration, uses })
            })
            .collect();
        choices.push(Choice { who: Who::Op(id), contract: Some(contract), options });
    }
    let end = |growing: &mut Growing<'_>, tensor: TensorId, who: Who| {
        let class = classes.class(tensor);
        let number = growing.add(class, classes.row_major(tensor).clone())?;
        let layouts = vec![Layout::row_major(graph.tensor(tensor).elements())];
        let configuration = Configuration { layouts, name: "as given", cost: 0 };
        let options = vec![Placed { configuration, uses: vec![(class, number)] }];
        (!classes.classes[class].constant).then_some(Choice { who, contract: None, options })
    };
    let unique = |tensors: &[TensorId]| -> BTreeSet<TensorId> { tensors.iter().copied().collect() };
    for tensor in unique(graph.inputs()) {
        choices.extend(end(&mut growing, tensor, Who::Input(tensor)));
    }
    for tensor in unique(graph.outputs()) {
        choices.extend(end(&mut growing, tensor, Who::Output(tensor)));
    }
    Closure { layouts: growing.layouts, choices, unknown }
}
