//! View classes: a tensor together with all views of it.
//!
//! Reshape, Squeeze, Unsqueeze, Flatten and Identity keep the row-major index; Transpose,
//! DepthToSpace and SpaceToDepth reorder its digits. So the row-major index of a view is a
//! [`Layout`] of the tensor at the root, and storing the root in that layout *is* the view. Where
//! the digits do not split, the step remains an operation that copies, and its result is the root
//! of another class.

use crate::error::PlanError;
use crate::graph::{Graph, Op, OpId, TensorId};
use crate::layout::{AxisDigit, Digit, Layout, NoDigits, row_major_strides};

/// A class of a graph.
#[derive(Clone, Debug)]
pub(crate) struct ViewClass {
    pub root: TensorId,
    pub members: Vec<TensorId>,
    /// Its values are known, so it may be stored in any order at no cost.
    pub constant: bool,
}

/// All classes of a graph.
#[derive(Clone, Debug)]
pub(crate) struct Classes {
    pub classes: Vec<ViewClass>,
    /// The class of every tensor.
    of: Vec<usize>,
    /// For every tensor, the layout of its root that is row-major for it.
    places: Vec<Layout>,
    /// The operations that are not views.
    pub ops: Vec<OpId>,
    /// View operations whose digits do not split, with the witness.
    pub refused: Vec<(OpId, NoDigits)>,
}

impl Classes {
    /// Sorts the tensors of a graph into classes.
    pub fn of(graph: &Graph) -> Result<Classes, PlanError> {
        let mut classes = Classes {
            classes: Vec::new(),
            of: vec![usize::MAX; graph.tensors().len()],
            places: vec![Layout::row_major(1); graph.tensors().len()],
            ops: Vec::new(),
            refused: Vec::new(),
        };
        for number in 0..graph.tensors().len() {
            if graph.producer(TensorId(number)).is_none() {
                classes.root(graph, TensorId(number));
            }
        }
        for (number, op) in graph.ops().iter().enumerate() {
            if let Some((from, to, step)) = view_step(graph, op)? {
                match step.after(&classes.places[from.0]) {
                    Ok(place) => {
                        let class = classes.of[from.0];
                        classes.of[to.0] = class;
                        classes.places[to.0] = place;
                        classes.classes[class].members.push(to);
                        continue;
                    }
                    Err(none) => classes.refused.push((OpId(number), none)),
                }
            }
            classes.ops.push(OpId(number));
            for output in op.outputs.iter().flatten() {
                classes.root(graph, *output);
            }
        }
        Ok(classes)
    }

    fn root(&mut self, graph: &Graph, tensor: TensorId) {
        self.of[tensor.0] = self.classes.len();
        self.places[tensor.0] = Layout::row_major(graph.tensor(tensor).elements());
        let constant = graph.tensor(tensor).constant;
        self.classes.push(ViewClass { root: tensor, members: vec![tensor], constant });
    }

    /// The class of a tensor.
    pub fn class(&self, tensor: TensorId) -> usize {
        self.of[tensor.0]
    }

    /// Whether a tensor is a constant or a view of one.
    pub fn is_constant(&self, tensor: TensorId) -> bool {
        self.classes[self.of[tensor.0]].constant
    }

    /// The layout of the root that is row-major for this tensor.
    pub fn row_major(&self, tensor: TensorId) -> &Layout {
        &self.places[tensor.0]
    }

    /// A layout of the class's root as a layout of this member.
    pub fn at(&self, tensor: TensorId, of_root: &Layout) -> Option<Layout> {
        let place = &self.places[tensor.0];
        if of_root == place {
            return Some(Layout::row_major(of_root.elements()));
        }
        of_root.after(&place.inverse()).ok()
    }

    /// A layout of this member as a layout of the class's root.
    pub fn back(&self, tensor: TensorId, of_member: &Layout) -> Option<Layout> {
        of_member.after(&self.places[tensor.0]).ok()
    }
}

/// If an operation only reorders digits: its operand, its result, and the layout of the operand
/// that is row-major for the result.
pub(crate) fn view_step(
    graph: &Graph,
    op: &Op,
) -> Result<Option<(TensorId, TensorId, Layout)>, PlanError> {
    let (Some(from), Some(to)) = (op.input(0), op.output(0)) else { return Ok(None) };
    let shape = &graph.tensor(from).shape;
    let elements = graph.tensor(from).elements();
    if op.outputs.iter().skip(1).any(Option::is_some) {
        return Ok(None);
    }
    let layout = match op.kind.as_str() {
        "Reshape" | "Squeeze" | "Unsqueeze" | "Flatten" | "Identity" => Layout::row_major(elements),
        "Transpose" => {
            let perm: Vec<usize> = match op.ints("perm") {
                Some(perm) => {
                    perm.iter().map(|&axis| usize::try_from(axis).unwrap_or(usize::MAX)).collect()
                }
                None => (0..shape.len()).rev().collect(),
            };
            let wrong = || PlanError::Attribute {
                op: op.name.clone(),
                what: format!("perm {perm:?} does not permute {} axes", shape.len()),
            };
            Layout::permuted(shape, &perm).ok_or_else(wrong)?
        }
        "DepthToSpace" | "SpaceToDepth" => blocks(op, shape)?,
        _ => return Ok(None),
    };
    if elements != graph.tensor(to).elements() {
        return Err(PlanError::Elements {
            op: op.name.clone(),
            from: shape.clone(),
            to: graph.tensor(to).shape.clone(),
        });
    }
    Ok(Some((from, to, layout)))
}

/// The order in which DepthToSpace and SpaceToDepth read their operand [N, C, H, W].
fn blocks(op: &Op, shape: &[i64]) -> Result<Layout, PlanError> {
    let wrong = |what: String| PlanError::Attribute { op: op.name.clone(), what };
    let &[_, depth, height, width] = shape else {
        return Err(wrong(format!("{} needs 4 axes, not {shape:?}", op.kind)));
    };
    let size = op.int("blocksize").unwrap_or(0);
    let to_space = op.kind == "DepthToSpace";
    let fits = size >= 1
        && if to_space {
            size.checked_mul(size).is_some_and(|area| depth % area == 0)
        } else {
            height % size == 0 && width % size == 0
        };
    if !fits {
        return Err(wrong(format!("blocksize {size} does not divide {shape:?}")));
    }
    let digit = |axis, place, size| AxisDigit { axis, place, size };
    let order = if to_space {
        let rest = depth / (size * size);
        let (rest, down, right) = if op.text("mode") == Some("CRD") {
            (digit(1, size * size, rest), digit(1, size, size), digit(1, 1, size))
        } else {
            (digit(1, 1, rest), digit(1, size * rest, size), digit(1, rest, size))
        };
        vec![digit(0, 1, shape[0]), rest, digit(2, 1, height), down, digit(3, 1, width), right]
    } else {
        let (down, right) = (digit(2, 1, size), digit(3, 1, size));
        let (tall, wide) = (digit(2, size, height / size), digit(3, size, width / size));
        vec![digit(0, 1, shape[0]), down, right, digit(1, 1, depth), tall, wide]
    };
    let strides = row_major_strides(shape);
    Ok(Layout::canonical(
        order
            .iter()
            .map(|digit| Digit { place: strides[digit.axis] * digit.place, size: digit.size }),
    ))
}
