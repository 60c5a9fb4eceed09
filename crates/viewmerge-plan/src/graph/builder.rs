//! Builds a graph from names, and checks what the planner relies on.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use super::{Attribute, Graph, Op, OpId, Tensor, TensorId};
use crate::error::GraphError;

/// An operation as a reader of files knows it: everything by name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OpSpec {
    /// The name of the operation; must be unique.
    pub name: String,
    /// See [`Op::kind`].
    pub kind: String,
    /// The attributes by name.
    #[serde(default)]
    pub attributes: BTreeMap<String, Attribute>,
    /// The names of the operands; an empty name for a missing one.
    pub inputs: Vec<String>,
    /// The names of the results; an empty name for a missing one.
    pub outputs: Vec<String>,
}

/// Collects a graph by names and checks it. Also the JSON form of a graph.
///
/// ```
/// use viewmerge_plan::graph::{GraphBuilder, OpSpec};
///
/// let mut builder = GraphBuilder::new(17);
/// builder.tensor("x", &[2, 3], 4);
/// builder.tensor("y", &[2, 3], 4);
/// builder.input("x").output("y");
/// builder.op(OpSpec {
///     name: "relu".into(),
///     kind: "Relu".into(),
///     inputs: vec!["x".into()],
///     outputs: vec!["y".into()],
///     ..OpSpec::default()
/// });
/// let graph = builder.build()?;
/// assert_eq!(graph.ops().len(), 1);
/// # Ok::<(), viewmerge_plan::GraphError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GraphBuilder {
    /// See [`Graph::opset`].
    pub opset: i64,
    /// The tensors, including results of operations.
    pub tensors: Vec<Tensor>,
    /// The operations in any order.
    pub ops: Vec<OpSpec>,
    /// The names of the graph's inputs.
    pub inputs: Vec<String>,
    /// The names of the graph's outputs.
    pub outputs: Vec<String>,
}

/// The most bytes of a tensor, so that sums of a graph's bytes fit into 128 bits and views of its
/// tensors can be built.
const MOST_BYTES: i64 = 1 << 60;

impl GraphBuilder {
    /// An empty graph for this version of the operator set.
    #[must_use]
    pub fn new(opset: i64) -> Self {
        Self { opset, ..Self::default() }
    }

    /// Adds a tensor that is computed or given.
    pub fn tensor(&mut self, name: &str, shape: &[i64], element_bytes: i64) -> &mut Self {
        self.tensors.push(Tensor {
            name: name.into(),
            shape: shape.to_vec(),
            element_bytes,
            constant: false,
            values: None,
        });
        self
    }

    /// Adds a constant; `values` for integers that operations may read.
    pub fn constant(
        &mut self,
        name: &str,
        shape: &[i64],
        element_bytes: i64,
        values: Option<Vec<i64>>,
    ) -> &mut Self {
        self.tensors.push(Tensor {
            name: name.into(),
            shape: shape.to_vec(),
            element_bytes,
            constant: true,
            values,
        });
        self
    }

    /// Declares a tensor as an input of the graph.
    pub fn input(&mut self, name: &str) -> &mut Self {
        self.inputs.push(name.into());
        self
    }

    /// Declares a tensor as an output of the graph.
    pub fn output(&mut self, name: &str) -> &mut Self {
        self.outputs.push(name.into());
        self
    }

    /// Adds an operation.
    pub fn op(&mut self, op: OpSpec) -> &mut Self {
        self.ops.push(op);
        self
    }

    /// Checks the graph and orders its operations.
    ///
    /// # Errors
    ///
    /// For an undeclared or duplicate name, an empty or too large tensor, a tensor made twice or
    /// never, or a cycle; the error names the operation or tensor.
    pub fn build(self) -> Result<Graph, GraphError> {
        let numbers = number_tensors(&self.tensors)?;
        let mut ops = Vec::with_capacity(self.ops.len());
        let mut names = BTreeSet::new();
        for spec in self.ops {
            if !names.insert(spec.name.clone()) {
                return Err(GraphError::DuplicateOp { op: spec.name });
            }
            let find = |name: &String| match (name.is_empty(), numbers.get(name)) {
                (true, _) => Ok(None),
                (false, Some(id)) => Ok(Some(*id)),
                (false, None) => {
                    Err(GraphError::UnknownTensor { op: spec.name.clone(), tensor: name.clone() })
                }
            };
            let inputs = spec.inputs.iter().map(find).collect::<Result<_, _>>()?;
            let outputs = spec.outputs.iter().map(find).collect::<Result<_, _>>()?;
            let (name, kind, attributes) = (spec.name, spec.kind, spec.attributes);
            ops.push(Op { name, kind, attributes, inputs, outputs });
        }
        let declared = |names: &[String], what| {
            let find = |name: &String| {
                let unknown = || GraphError::UnknownEnd { end: what, tensor: name.clone() };
                numbers.get(name).copied().ok_or_else(unknown)
            };
            names.iter().map(find).collect::<Result<Vec<_>, _>>()
        };
        let inputs = declared(&self.inputs, "input")?;
        let outputs = declared(&self.outputs, "output")?;
        let ops = ordered(ops, &self.tensors, &inputs)?;
        let mut producers = vec![None; self.tensors.len()];
        for (number, op) in ops.iter().enumerate() {
            for output in op.outputs.iter().flatten() {
                producers[output.0] = Some(OpId(number));
            }
        }
        for id in &outputs {
            let tensor = &self.tensors[id.0];
            if producers[id.0].is_none() && !tensor.constant && !inputs.contains(id) {
                return Err(GraphError::NeverMade {
                    user: "the graph".into(),
                    tensor: tensor.name.clone(),
                });
            }
        }
        let (opset, tensors) = (self.opset, self.tensors);
        Ok(Graph { opset, tensors, ops, inputs, outputs, producers })
    }
}

/// The number of every name; checks G1 and G3 for tensors.
fn number_tensors(tensors: &[Tensor]) -> Result<HashMap<String, TensorId>, GraphError> {
    let mut numbers = HashMap::new();
    for (number, tensor) in tensors.iter().enumerate() {
        let name = tensor.name.clone();
        if let Some(axis) = tensor.shape.iter().position(|&size| size < 1) {
            return Err(GraphError::Empty { tensor: name, axis, size: tensor.shape[axis] });
        }
        let bytes = tensor
            .shape
            .iter()
            .try_fold(tensor.element_bytes.max(1), |product, &size| product.checked_mul(size));
        if bytes.is_none_or(|bytes| bytes > MOST_BYTES) {
            return Err(GraphError::TooLarge { tensor: name, shape: tensor.shape.clone() });
        }
        if tensor.element_bytes < 1 {
            return Err(GraphError::NoElementSize { tensor: name, bytes: tensor.element_bytes });
        }
        if let Some(values) = &tensor.values
            && i64::try_from(values.len()) != Ok(tensor.elements())
        {
            let (values, elements) = (values.len(), tensor.elements());
            return Err(GraphError::ValueCount { tensor: name, values, elements });
        }
        if name.is_empty() || numbers.insert(name.clone(), TensorId(number)).is_some() {
            return Err(GraphError::DuplicateTensor { tensor: name });
        }
    }
    Ok(numbers)
}

/// The operations in running order, keeping the given order where possible; checks G1 and G2.
fn ordered(ops: Vec<Op>, tensors: &[Tensor], inputs: &[TensorId]) -> Result<Vec<Op>, GraphError> {
    let mut maker: Vec<Option<usize>> = vec![None; tensors.len()];
    let given: BTreeSet<TensorId> = inputs.iter().copied().collect();
    for (number, op) in ops.iter().enumerate() {
        for output in op.outputs.iter().flatten() {
            let tensor = &tensors[output.0];
            let twice = maker[output.0].replace(number).is_some();
            if twice || tensor.constant || given.contains(output) {
                let (op, tensor) = (op.name.clone(), tensor.name.clone());
                return Err(GraphError::MadeTwice { op, tensor });
            }
        }
    }
    let mut waiting = vec![0usize; ops.len()];
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); ops.len()];
    for (number, op) in ops.iter().enumerate() {
        for input in op.inputs.iter().flatten() {
            let tensor = &tensors[input.0];
            match maker[input.0] {
                Some(before) => {
                    waiting[number] += 1;
                    users[before].push(number);
                }
                None if tensor.constant || given.contains(input) => {}
                None => {
                    let (user, tensor) = (op.name.clone(), tensor.name.clone());
                    return Err(GraphError::NeverMade { user, tensor });
                }
            }
        }
    }
    let mut ready: BTreeSet<usize> =
        (0..ops.len()).filter(|&number| waiting[number] == 0).collect();
    let mut order = Vec::with_capacity(ops.len());
    while let Some(number) = ready.pop_first() {
        order.push(number);
        for &user in &users[number] {
            waiting[user] -= 1;
            if waiting[user] == 0 {
                ready.insert(user);
            }
        }
    }
    if let Some(stuck) = (0..ops.len()).find(|&number| waiting[number] > 0) {
        return Err(GraphError::Cycle { op: ops[stuck].name.clone() });
    }
    let mut slots: Vec<Option<Op>> = ops.into_iter().map(Some).collect();
    Ok(order.into_iter().filter_map(|number| slots[number].take()).collect())
}
