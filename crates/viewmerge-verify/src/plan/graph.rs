//! The graph of a certificate: tensors, operations, and which tensors are views of which.
//!
//! A view is described by triples (root, own, size): the digit of the root's row-major index at place
//! `root` is the digit of the view's own index at place `own`.

use std::collections::{BTreeMap, HashMap};

use super::Refused;
use super::json::Value;

#[derive(Debug)]
pub(super) struct Tensor {
    pub name: String,
    pub shape: Vec<i64>,
    pub bytes: i64,
    pub constant: bool,
    pub values: Option<Vec<i64>>,
    pub class: usize,
    pub digits: Vec<Triple>,
}

impl Tensor {
    pub fn elements(&self) -> i64 {
        self.shape.iter().product()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Triple {
    pub root: i64,
    pub own: i64,
    pub size: i64,
}

#[derive(Debug)]
pub(super) enum Attribute {
    Int(i64),
    Ints(Vec<i64>),
    Text(String),
}

#[derive(Debug)]
pub(super) struct Op {
    pub name: String,
    pub kind: String,
    pub attributes: BTreeMap<String, Attribute>,
    pub inputs: Vec<Option<usize>>,
    pub outputs: Vec<Option<usize>>,
    /// A view: it has no configurations.
    pub view: bool,
    /// A view whose digits do not split, so it copies.
    pub copies: bool,
}

impl Op {
    pub fn int(&self, name: &str) -> Option<i64> {
        match self.attributes.get(name) {
            Some(Attribute::Int(number)) => Some(*number),
            _ => None,
        }
    }

    pub fn ints(&self, name: &str) -> Option<&[i64]> {
        match self.attributes.get(name) {
            Some(Attribute::Ints(numbers)) => Some(numbers),
            _ => None,
        }
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        match self.attributes.get(name) {
            Some(Attribute::Text(text)) => Some(text),
            _ => None,
        }
    }
}

/// A class, represented by the tensor at its root.
#[derive(Debug)]
pub(super) struct Class {
    pub root: usize,
    pub constant: bool,
}

#[derive(Debug)]
pub(super) struct Graph {
    pub opset: i64,
    pub tensors: Vec<Tensor>,
    pub ops: Vec<Op>,
    pub inputs: Vec<usize>,
    pub outputs: Vec<usize>,
    pub classes: Vec<Class>,
}

fn wrong(what: impl Into<String>) -> Refused {
    Refused::Graph { what: what.into() }
}

/// The largest tensor, in bytes, so that sums of prices fit.
const MOST_BYTES: i64 = 1 << 50;

impl Graph {
    pub fn read(value: &Value) -> Result<Graph, Refused> {
        let mut tensors = Vec::new();
        let mut numbers: HashMap<String, usize> = HashMap::new();
        for entry in value.member("tensors")?.list("tensors")? {
            let name = entry.member("name")?.text("name")?.to_string();
            let shape = entry.member("shape")?.integers("shape")?;
            let each = entry.member("element_bytes")?.integer("element_bytes")?;
            let bytes = shape.iter().try_fold(each, |product: i64, &size| {
                if size < 1 { None } else { product.checked_mul(size) }
            });
            let bytes = bytes.filter(|bytes| each > 0 && *bytes <= MOST_BYTES);
            let bytes =
                bytes.ok_or_else(|| wrong(format!("tensor {name:?} is empty or too large")))?;
            let constant = matches!(entry.member("constant"), Ok(Value::Truth(true)));
            let values = match entry.member("values") {
                Ok(values) => Some(values.integers("values")?),
                Err(_) => None,
            };
            if numbers.insert(name.clone(), tensors.len()).is_some() {
                return Err(wrong(format!("tensor {name:?} is given twice")));
            }
            tensors.push(Tensor {
                name,
                shape,
                bytes,
                constant,
                values,
                class: usize::MAX,
                digits: Vec::new(),
            });
        }
        let find = |value: &Value| -> Result<Option<usize>, Refused> {
            let name = value.text("inputs and outputs")?;
            if name.is_empty() {
                return Ok(None);
            }
            numbers
                .get(name)
                .copied()
                .map(Some)
                .ok_or_else(|| wrong(format!("there is no tensor {name:?}")))
        };
        let all = |value: &Value, name: &'static str| -> Result<Vec<Option<usize>>, Refused> {
            value.member(name)?.list(name)?.iter().map(find).collect()
        };
        let ends = |name: &'static str| -> Result<Vec<usize>, Refused> {
            Ok(all(value, name)?.into_iter().flatten().collect())
        };
        let (inputs, outputs) = (ends("inputs")?, ends("outputs")?);
        let mut ops = Vec::new();
        for entry in value.member("ops")?.list("ops")? {
            let Value::Object(given) = entry.member("attributes")? else {
                return Err(wrong("attributes are an object"));
            };
            let mut attributes = BTreeMap::new();
            for (name, value) in given {
                let attribute = if let Ok(number) = value.member("int") {
                    Attribute::Int(number.integer("int")?)
                } else if let Ok(numbers) = value.member("ints") {
                    Attribute::Ints(numbers.integers("ints")?)
                } else {
                    Attribute::Text(value.member("text")?.text("text")?.into())
                };
                attributes.insert(name.clone(), attribute);
            }
            ops.push(Op {
                name: entry.member("name")?.text("name")?.into(),
                kind: entry.member("kind")?.text("kind")?.into(),
                attributes,
                inputs: all(entry, "inputs")?,
                outputs: all(entry, "outputs")?,
                view: false,
                copies: false,
            });
        }
        let opset = value.member("opset")?.integer("opset")?;
        let mut graph = Graph { opset, tensors, ops, inputs, outputs, classes: Vec::new() };
        graph.classify()?;
        Ok(graph)
    }

    fn root(&mut self, tensor: usize) {
        let (constant, elements) = (self.tensors[tensor].constant, self.tensors[tensor].elements());
        self.tensors[tensor].class = self.classes.len();
        self.tensors[tensor].digits = if elements > 1 {
            vec![Triple { root: 1, own: 1, size: elements }]
        } else {
            Vec::new()
        };
        self.classes.push(Class { root: tensor, constant });
    }

    /// Sorts the tensors into classes; every tensor must have exactly one source.
    fn classify(&mut self) -> Result<(), Refused> {
        let mut made = vec![false; self.tensors.len()];
        for op in &self.ops {
            for &output in op.outputs.iter().flatten() {
                if std::mem::replace(&mut made[output], true) {
                    return Err(wrong(format!(
                        "tensor {:?} is made twice",
                        self.tensors[output].name
                    )));
                }
            }
        }
        for (tensor, made) in made.into_iter().enumerate() {
            let given = self.tensors[tensor].constant || self.inputs.contains(&tensor);
            if made == given {
                // An unused initializer is harmless, but a tensor must not be both produced and given.
                if given {
                    return Err(wrong(format!(
                        "tensor {:?} is made and given",
                        self.tensors[tensor].name
                    )));
                }
                continue;
            }
            if given {
                self.root(tensor);
            }
        }
        for number in 0..self.ops.len() {
            let late = |&id: &usize| self.tensors[id].class == usize::MAX;
            if self.ops[number].inputs.iter().flatten().any(late) {
                return Err(wrong(format!(
                    "operation {:?} runs before its operands",
                    self.ops[number].name
                )));
            }
            if let Some((from, to, boundaries)) = self.view(number)? {
                if let Some(digits) = boundaries.carried(&self.tensors[from]) {
                    self.tensors[to].class = self.tensors[from].class;
                    self.tensors[to].digits = digits;
                    self.ops[number].view = true;
                    continue;
                }
                self.ops[number].copies = true;
            }
            for output in self.ops[number].outputs.clone().into_iter().flatten() {
                self.root(output);
            }
        }
        Ok(())
    }

    /// Whether an operation is a view: its operand, its result, and where the digits go.
    fn view(&self, number: usize) -> Result<Option<(usize, usize, Moves)>, Refused> {
        let op = &self.ops[number];
        let ends = (op.inputs.first().copied().flatten(), op.outputs.first().copied().flatten());
        let (Some(from), Some(to)) = ends else { return Ok(None) };
        if op.outputs.iter().skip(1).any(Option::is_some) {
            return Ok(None);
        }
        let shape = &self.tensors[from].shape;
        let moves = match op.kind.as_str() {
            "Reshape" | "Squeeze" | "Unsqueeze" | "Flatten" | "Identity" => {
                Moves::from_order(&[shape.iter().product()], &[0])
            }
            "Transpose" => {
                let perm: Vec<i64> = match op.ints("perm") {
                    Some(perm) => perm.to_vec(),
                    None => (0..i64::try_from(shape.len()).unwrap_or(0)).rev().collect(),
                };
                let order: Vec<usize> =
                    perm.iter().filter_map(|&axis| usize::try_from(axis).ok()).collect();
                let mut sorted = order.clone();
                sorted.sort_unstable();
                if sorted != (0..shape.len()).collect::<Vec<_>>() {
                    return Err(wrong(format!("{:?} does not permute its axes", op.name)));
                }
                Moves::from_order(shape, &order)
            }
            "DepthToSpace" | "SpaceToDepth" => {
                let block = op.int("blocksize").unwrap_or(0);
                let &[batch, depth, height, width] = shape.as_slice() else {
                    return Err(wrong(format!("{:?} needs four axes", op.name)));
                };
                let area = block.checked_mul(block).filter(|area| *area > 0);
                let area = area.ok_or_else(|| wrong(format!("{:?} has no block size", op.name)))?;
                if op.kind == "SpaceToDepth" {
                    if height % block != 0 || width % block != 0 {
                        return Err(wrong(format!("{:?} has blocks that do not fit", op.name)));
                    }
                    Moves::from_order(
                        &[batch, depth, height / block, block, width / block, block],
                        &[0, 3, 5, 1, 2, 4],
                    )
                } else {
                    if depth % area != 0 {
                        return Err(wrong(format!("{:?} has blocks that do not fit", op.name)));
                    }
                    let rest = depth / area;
                    if op.text("mode") == Some("CRD") {
                        Moves::from_order(
                            &[batch, rest, block, block, height, width],
                            &[0, 1, 4, 2, 5, 3],
                        )
                    } else {
                        Moves::from_order(
                            &[batch, block, block, rest, height, width],
                            &[0, 3, 4, 1, 5, 2],
                        )
                    }
                }
            }
            _ => return Ok(None),
        };
        if self.tensors[from].elements() != self.tensors[to].elements() {
            return Err(wrong(format!("{:?} changes the number of elements", op.name)));
        }
        Ok(Some((from, to, moves)))
    }
}

/// Where the digits of an index go: (old place, new place, size).
struct Moves(Vec<(i64, i64, i64)>);

impl Moves {
    /// The axes of `sizes`, in another order.
    fn from_order(sizes: &[i64], order: &[usize]) -> Moves {
        let place = |axis: usize| sizes[axis + 1..].iter().product::<i64>();
        let mut moves: Vec<(i64, i64, i64)> = Vec::new();
        let mut new = 1;
        for &axis in order.iter().rev().filter(|&&axis| sizes[axis] > 1) {
            match moves.last_mut() {
                // Adjacent axes that stay adjacent move as one.
                Some(last) if last.0 * last.2 == place(axis) => last.2 *= sizes[axis],
                _ => moves.push((place(axis), new, sizes[axis])),
            }
            new *= sizes[axis];
        }
        Moves(moves)
    }

    /// The digits of a tensor after the move; `None` if they do not split.
    fn carried(&self, tensor: &Tensor) -> Option<Vec<Triple>> {
        let bounds: Vec<i64> = self.0.iter().map(|(old, _, _)| *old).collect();
        let mut carried = Vec::new();
        for triple in &tensor.digits {
            for piece in pieces(triple.own, triple.size, &bounds)? {
                let (old, new, _) =
                    self.0.iter().find(|(old, _, size)| *old <= piece.0 && piece.0 < old * size)?;
                if piece.0 % old != 0
                    || piece.0 * piece.1 > old * self.0.iter().find(|(own, _, _)| own == old)?.2
                {
                    return None;
                }
                carried.push(Triple {
                    root: triple.root * (piece.0 / triple.own),
                    own: new * (piece.0 / old),
                    size: piece.1,
                });
            }
        }
        // Neighbours that continue each other in both indices form one digit.
        carried.sort_by_key(|triple: &Triple| triple.own);
        let mut fused: Vec<Triple> = Vec::new();
        for triple in carried {
            match fused.last_mut() {
                Some(last)
                    if last.own * last.size == triple.own
                        && last.root * last.size == triple.root =>
                {
                    last.size *= triple.size;
                }
                _ => fused.push(triple),
            }
        }
        Some(fused)
    }
}

/// A digit (place, size) cut at the bounds inside it; `None` if one does not divide.
pub(super) fn pieces(place: i64, size: i64, bounds: &[i64]) -> Option<Vec<(i64, i64)>> {
    let end = place.checked_mul(size)?;
    let mut inside: Vec<i64> =
        bounds.iter().copied().filter(|&bound| place < bound && bound < end).collect();
    inside.sort_unstable();
    inside.dedup();
    inside.push(end);
    let mut at = place;
    let mut found = Vec::with_capacity(inside.len());
    for bound in inside {
        if bound % at != 0 {
            return None;
        }
        found.push((at, bound / at));
        at = bound;
    }
    Some(found)
}
