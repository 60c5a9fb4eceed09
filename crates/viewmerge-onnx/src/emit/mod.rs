//! From a plan back to a model.
//!
//! View ops vanish. Every class of the plan becomes one tensor for each layout it is stored in: its
//! producer makes the first, and a Transpose of the first makes each further one. A node reads a stored
//! layout in the shape that its configuration needs, through a Reshape if the shapes differ. Inputs,
//! outputs and the tensors that bodies use keep their names and shapes.
//!
//! Cost: linear in the model; constants whose elements move are copied.

mod constants;
mod copies;
mod copy;
mod finish;
mod shape;
mod views;

use std::collections::{BTreeMap, HashMap, HashSet};

use viewmerge_plan::Plan;
use viewmerge_plan::graph::TensorId;
use viewmerge_plan::plan::{Cost, Operand, Place, PlannedOp, Source};

use self::copies::Due;
use crate::attribute;
use crate::convert::Converted;
use crate::error::Error;
use crate::model::Model;
use crate::names::Names;
use crate::proto::{self, Node, Tensor};
use crate::tensors::Known;

/// A planned model.
pub struct Emitted {
    /// The model.
    pub model: Model,
    /// The nodes that move elements, and the bytes they write: more than the plan's copies where two nodes
    /// are faster than one.
    pub copies: Cost,
}

/// Writes a planned model.
///
/// # Errors
///
/// If a constant cannot be read, or the plan does not belong to this model.
pub fn emit(model: &Model, converted: &Converted, plan: &Plan) -> Result<Emitted, Error> {
    let graph = model.proto.graph.as_ref().ok_or(Error::NoGraph)?;
    let known = Known::new(model, graph)?;
    let mut emitter = Emitter::new(model, graph, &known, converted, plan);
    for planned in &plan.ops {
        emitter.op(planned)?;
    }
    for (tensor, &place) in converted.graph.outputs().iter().zip(&plan.outputs) {
        let tensor = &converted.graph.tensors()[tensor.0];
        emitter.named(place, &tensor.name, &tensor.shape)?;
    }
    for refused in &plan.refused {
        emitter.copies.copies += 1;
        emitter.copies.bytes += refused.bytes;
    }
    let (mut model, copies) = (model.clone(), emitter.copies);
    emitter.finish(&mut model.proto);
    Ok(Emitted { model, copies })
}

/// A tensor that was written: its name and its shape.
type Written = (String, Vec<i64>);

struct Emitter<'a> {
    model: &'a Model,
    graph: &'a proto::Graph,
    known: &'a Known<'a>,
    converted: &'a Converted,
    plan: &'a Plan,
    names: Names,
    /// Names that must keep their meaning, by place.
    wanted: BTreeMap<Place, Vec<Written>>,
    done: HashSet<String>,
    /// How often every stored layout is read.
    readers: BTreeMap<Place, usize>,
    /// The shape in which a product of two tensors, as the only reader, reads a stored layout.
    products: BTreeMap<Place, Vec<i64>>,
    /// Results that a copy still has to reorder.
    due: BTreeMap<Place, Due>,
    places: BTreeMap<Place, Written>,
    views: BTreeMap<(Place, Vec<i64>), String>,
    constants: HashMap<String, String>,
    nodes: Vec<Node>,
    initializers: Vec<Tensor>,
    infos: BTreeMap<String, (i32, Vec<i64>)>,
    domains: HashSet<String>,
    copies: Cost,
}

impl<'a> Emitter<'a> {
    fn new(
        model: &'a Model,
        graph: &'a proto::Graph,
        known: &'a Known<'a>,
        converted: &'a Converted,
        plan: &'a Plan,
    ) -> Emitter<'a> {
        let mut emitter = Emitter {
            names: Names::new(graph, converted),
            wanted: BTreeMap::new(),
            done: HashSet::new(),
            readers: readers(plan),
            products: BTreeMap::new(),
            due: BTreeMap::new(),
            places: BTreeMap::new(),
            views: BTreeMap::new(),
            constants: HashMap::new(),
            nodes: Vec::new(),
            initializers: Vec::new(),
            infos: BTreeMap::new(),
            domains: HashSet::new(),
            copies: Cost::default(),
            model,
            graph,
            known,
            converted,
            plan,
        };
        let tensors = converted.graph.tensors();
        for (tensor, &place) in converted.graph.outputs().iter().zip(&plan.outputs) {
            let tensor = &tensors[tensor.0];
            emitter
                .wanted
                .entry(place)
                .or_default()
                .push((tensor.name.clone(), tensor.shape.clone()));
        }
        for planned in &plan.ops {
            for (name, operand) in emitter.captured(planned) {
                if let (Source::Stored(place), Some(tensor)) =
                    (&operand.source, converted.graph.find(&name))
                {
                    let shape = tensors[tensor.0].shape.clone();
                    emitter.wanted.entry(*place).or_default().push((name, shape));
                }
            }
        }
        // A scaling of a product's operand is fused with the product, if no Reshape comes between.
        for planned in plan.ops.iter().filter(|planned| planned.kind.ends_with("MatMul")) {
            for operand in planned.inputs.iter().flatten().filter(|operand| operand.shape.len() > 2)
            {
                if let Source::Stored(place) = operand.source
                    && emitter.readers.get(&place) == Some(&1)
                {
                    emitter.products.insert(place, operand.shape.clone());
                }
            }
        }
        for (number, class) in plan.classes.iter().enumerate() {
            if converted.graph.inputs().contains(&class.root) {
                let root = &tensors[class.root.0];
                emitter.done.insert(root.name.clone());
                emitter.places.insert(
                    Place { class: number, layout: 0 },
                    (root.name.clone(), root.shape.clone()),
                );
            }
        }
        emitter
    }

    /// The names that the bodies of a node use from outside, with the operands that stand for them.
    fn captured(&self, planned: &PlannedOp) -> Vec<(String, Operand)> {
        let node = self.converted.nodes[planned.op.0];
        let names = self.converted.captured.get(&node).cloned().unwrap_or_default();
        let operands = planned.inputs.iter().skip(self.graph.node[node].input.len());
        names
            .into_iter()
            .zip(operands.cloned())
            .filter_map(|(name, operand)| Some((name, operand?)))
            .collect()
    }

    fn op(&mut self, planned: &PlannedOp) -> Result<(), Error> {
        let index = self.converted.nodes[planned.op.0];
        let original = &self.graph.node[index];
        for (name, operand) in self.captured(planned) {
            match &operand.source {
                Source::Stored(place) => self.named(*place, &name, &operand.shape)?,
                _ => self.keep_constant(&name)?,
            }
        }
        if self.written_before_copy(planned)? {
            return Ok(());
        }
        let reshaped = match shape::as_rows(planned) {
            Some(rows) => Some(rows),
            None => self.with_fewest_reshapes(planned)?,
        };
        let planned = reshaped.as_ref().unwrap_or(planned);
        let same = planned.kind == self.converted.graph.ops()[planned.op.0].kind;
        let own = if self.converted.captured.contains_key(&index) {
            original.input.len()
        } else {
            usize::MAX
        };
        let mut input = Vec::new();
        for (place, operand) in planned.inputs.iter().take(own).enumerate() {
            input.push(match (operand, original.input.get(place)) {
                (Some(operand), _) => self.operand(operand)?,
                // A constant without elements, which the planner does not see.
                (None, Some(name)) if same && self.known.constants.contains_key(name.as_str()) => {
                    self.keep_constant(name)?;
                    name.clone()
                }
                _ => String::new(),
            });
        }
        while input.last().is_some_and(String::is_empty) {
            input.pop();
        }
        let mut output = Vec::new();
        for (place, made) in planned.outputs.iter().enumerate() {
            output.push(match made {
                Some(made) => self.result(made.place, &made.shape),
                None if same => original.output.get(place).cloned().unwrap_or_default(),
                None => String::new(),
            });
        }
        while output.last().is_some_and(String::is_empty) {
            output.pop();
        }
        let (domain, op_type) = planned.kind.rsplit_once('.').unwrap_or(("", &planned.kind));
        let domain = if domain.is_empty() {
            original.domain.clone().filter(|_| same)
        } else {
            Some(domain.into())
        };
        if let Some(domain) = &domain {
            self.domains.insert(domain.clone());
        }
        self.nodes.push(Node {
            input,
            output,
            op_type: Some(op_type.into()),
            domain,
            attribute: attribute::written(&original.attribute, &planned.attributes),
            ..original.clone()
        });
        Ok(())
    }

    /// The op in shapes that save Reshapes, if it allows them.
    ///
    /// Prefers the shape that needs the fewest Reshapes, and the shape of the file on a tie, if the result
    /// is in the same order.
    fn with_fewest_reshapes(&mut self, planned: &PlannedOp) -> Result<Option<PlannedOp>, Error> {
        let Some(Some(made)) = planned.outputs.first() else { return Ok(None) };
        let mut wanted: Vec<Vec<i64>> = Vec::new();
        let class = &self.plan.classes[made.place.class];
        if class.stored[made.place.layout].layout.is_row_major() {
            wanted.push(self.converted.graph.tensors()[class.root.0].shape.clone());
        }
        let elements: i64 = made.shape.iter().product();
        let next = self.products.get(&made.place).cloned();
        wanted.extend(next.clone());
        for operand in planned.inputs.iter().flatten() {
            if let Source::Stored(place) = operand.source {
                let (_, shape) = self.stored(place)?;
                let last = |shape: &[i64]| shape.last().copied().unwrap_or(1);
                if shape.iter().product::<i64>() == elements {
                    wanted.push(shape);
                } else if !shape.is_empty() && last(&shape) == last(&operand.shape) {
                    // Rows of another length: use the result's.
                    wanted.push([&shape[..shape.len() - 1], &[last(&made.shape)]].concat());
                }
            }
        }
        // Rows of one element cost a loop for each element.
        wanted.extend(wanted.clone().into_iter().filter(|shape| shape.last() == Some(&1)).map(
            |mut shape| {
                shape.retain(|size| *size != 1);
                shape
            },
        ));
        let opset = self.converted.graph.opset();
        let forms = wanted.iter().filter_map(|wanted| shape::in_shape(planned, wanted, opset));
        Ok(forms.min_by_key(|form| {
            let shape = form.outputs[0].as_ref().map(|output| &output.shape);
            let later = usize::from(next.is_some() && next.as_ref() != shape);
            let thin =
                usize::from(elements > 1 && shape.and_then(|shape| shape.last()) == Some(&1));
            self.reshapes(form) + later + 3 * thin
        }))
    }

    /// How many Reshapes the operands of an op need.
    fn reshapes(&self, planned: &PlannedOp) -> usize {
        let needed = |operand: &&Operand| match operand.source {
            Source::Stored(place) => {
                let there =
                    self.places.get(&place).is_some_and(|(_, shape)| *shape == operand.shape);
                !there && !self.views.contains_key(&(place, operand.shape.clone()))
            }
            _ => false,
        };
        planned.inputs.iter().flatten().filter(needed).count()
    }

    /// The name of a result: the required name at its place if the shape is the same.
    fn result(&mut self, place: Place, shape: &[i64]) -> String {
        let wanted = self.wanted.get(&place).into_iter().flatten();
        let fitting =
            wanted.filter(|(_, sizes)| sizes == shape).map(|(name, _)| name.clone()).next();
        let name = match fitting {
            Some(name) => {
                self.done.insert(name.clone());
                name
            }
            None => self.names.tensor(&self.root(place), ""),
        };
        self.place(place, &name, shape);
        name
    }

    fn place(&mut self, place: Place, name: &str, shape: &[i64]) {
        self.info(place, name, shape);
        self.places.insert(place, (name.into(), shape.into()));
    }

    fn info(&mut self, place: Place, name: &str, shape: &[i64]) {
        let element = self.known.element(&self.root(place));
        self.infos.insert(name.into(), (element, shape.into()));
    }

    /// The name of the tensor at the root of a class.
    fn root(&self, place: Place) -> String {
        self.tensor_name(self.plan.classes[place.class].root)
    }

    fn tensor_name(&self, tensor: TensorId) -> String {
        self.converted.graph.tensors()[tensor.0].name.clone()
    }

    fn operand(&mut self, operand: &Operand) -> Result<String, Error> {
        match &operand.source {
            Source::Stored(place) => self.view(*place, &operand.shape),
            Source::Values(values) => Ok(self.values(values, &operand.shape)),
            Source::Constant { tensor, permutation } => {
                self.constant(*tensor, permutation.as_ref(), &operand.shape)
            }
            _ => Err(Error::Plan { what: "an operand comes from nowhere".into() }),
        }
    }
}

/// How often every stored layout is read: by ops, outputs, and copies.
fn readers(plan: &Plan) -> BTreeMap<Place, usize> {
    let mut readers = BTreeMap::new();
    let operands = plan.ops.iter().flat_map(|op| op.inputs.iter().flatten());
    let stored = operands.filter_map(|operand| match operand.source {
        Source::Stored(place) => Some(place),
        _ => None,
    });
    let copied = plan.classes.iter().enumerate().flat_map(|(class, one)| {
        one.stored.iter().skip(1).map(move |_| Place { class, layout: 0 })
    });
    for place in stored.chain(plan.outputs.iter().copied()).chain(copied) {
        *readers.entry(place).or_default() += 1;
    }
    readers
}
