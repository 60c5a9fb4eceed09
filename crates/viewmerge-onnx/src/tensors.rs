//! The tensors of a graph according to the file: shapes, constants, and which node makes them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::constant;
use crate::error::Error;
use crate::model::Model;
use crate::node::{node_names, own_domain};
use crate::proto;

/// The element type and the shape of a tensor.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) element: i32,
    pub(crate) sizes: Vec<i64>,
}

/// The element type of a tensor, and its sizes as far as the file gives them.
type Declared = (i32, Option<Vec<Option<i64>>>);

/// What is known about the tensors of a graph.
pub(crate) struct Known<'a> {
    /// Shapes by name; an unknown size is `None`.
    pub(crate) shapes: HashMap<&'a str, Declared>,
    /// Names of sizes, for messages.
    dynamic: HashMap<&'a str, (usize, String)>,
    /// Constants by name.
    pub(crate) constants: HashMap<&'a str, Cow<'a, proto::Tensor>>,
    /// Names of constants in the order of the file.
    pub(crate) in_order: Vec<&'a str>,
    /// Which node makes each tensor.
    pub(crate) makers: HashMap<&'a str, usize>,
}

impl<'a> Known<'a> {
    pub(crate) fn new(model: &Model, graph: &'a proto::Graph) -> Result<Known<'a>, Error> {
        let mut known = Known {
            shapes: HashMap::new(),
            dynamic: HashMap::new(),
            constants: HashMap::new(),
            in_order: Vec::new(),
            makers: HashMap::new(),
        };
        let inputs: HashSet<&str> = graph.input.iter().map(|input| input.name()).collect();
        // From version 4 of the format on, a constant that is also an input can be overridden in every run.
        let overridden = model.proto.ir_version() >= 4;
        let names = node_names(&graph.node);
        if let Some(twice) = first_twice(graph.input.iter().map(|input| input.name())) {
            return Err(Error::Twice { tensor: twice.into(), node: "the graph's input".into() });
        }
        for tensor in &graph.initializer {
            if known.constants.contains_key(tensor.name()) {
                return Err(Error::Twice {
                    tensor: tensor.name().into(),
                    node: "an initializer".into(),
                });
            }
            if !(overridden && inputs.contains(tensor.name())) {
                known.add_constant(tensor.name(), Cow::Borrowed(tensor));
            }
        }
        for (index, node) in graph.node.iter().enumerate() {
            for output in node.output.iter().filter(|output| !output.is_empty()) {
                let taken = known.constants.contains_key(output.as_str())
                    || inputs.contains(output.as_str());
                if known.makers.insert(output, index).is_some() || taken {
                    return Err(Error::Twice {
                        tensor: output.clone(),
                        node: names[index].clone(),
                    });
                }
            }
        }
        for (index, node) in graph.node.iter().enumerate() {
            if node.op_type() != "Constant" || !own_domain(node) {
                continue;
            }
            if let (Some(tensor), [output]) = (constant_node(node), node.output.as_slice()) {
                known.add_constant(output, tensor);
            } else {
                return Err(Error::Node {
                    node: names[index].clone(),
                    what: "a Constant without a value".into(),
                });
            }
        }
        for info in graph.input.iter().chain(&graph.output).chain(&graph.value_info) {
            known.add_shape(info);
        }
        Ok(known)
    }

    fn add_constant(&mut self, name: &'a str, tensor: Cow<'a, proto::Tensor>) {
        self.in_order.push(name);
        self.constants.insert(name, tensor);
    }

    fn add_shape(&mut self, info: &'a proto::ValueInfo) {
        let Some(tensor) = info.r#type.as_ref().and_then(|kind| kind.tensor_type.as_ref()) else {
            return;
        };
        let mut sizes = None;
        if let Some(shape) = &tensor.shape {
            for (axis, dim) in shape.dim.iter().enumerate() {
                if dim.dim_value.is_none_or(|size| size < 0) {
                    let text = dim.dim_param.clone().or(dim.dim_value.map(|size| size.to_string()));
                    self.dynamic.entry(info.name()).or_insert((axis, text.unwrap_or_default()));
                }
            }
            let size = |dim: &proto::Dimension| dim.dim_value.filter(|size| *size >= 0);
            sizes = Some(shape.dim.iter().map(size).collect());
        }
        self.shapes.entry(info.name()).or_insert((tensor.elem_type(), sizes));
    }

    /// The number of a tensor's element type; 0 if the file does not give it.
    pub(crate) fn element(&self, name: &str) -> i32 {
        let constant = self.constants.get(name).and_then(|tensor| tensor.data_type);
        constant.or(self.shapes.get(name).map(|(element, _)| *element)).unwrap_or(0)
    }

    /// The shape of a tensor.
    ///
    /// # Errors
    ///
    /// If the file does not give it, or a size is not a number.
    pub(crate) fn shape(&self, name: &str, node: &str) -> Result<Shape, Error> {
        if let Some(tensor) = self.constants.get(name) {
            return Ok(Shape {
                element: tensor.data_type.unwrap_or(0),
                sizes: constant_sizes(tensor)?,
            });
        }
        let missing = || Error::NoShape { node: node.into(), tensor: name.into() };
        let (element, sizes) = self.shapes.get(name).ok_or_else(missing)?;
        let sizes = sizes.as_ref().ok_or_else(missing)?;
        let sizes: Option<Vec<i64>> = sizes.iter().copied().collect();
        match sizes {
            Some(sizes) => Ok(Shape { element: *element, sizes }),
            None => {
                let (axis, size) = self.dynamic.get(name).cloned().unwrap_or_default();
                Err(Error::Dynamic { node: node.into(), tensor: name.into(), axis, size })
            }
        }
    }
}

fn first_twice<'a>(names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut seen = HashSet::new();
    names.into_iter().find(|name| !seen.insert(*name))
}

/// The tensor that a Constant node makes.
fn constant_node(node: &proto::Node) -> Option<Cow<'_, proto::Tensor>> {
    let attribute = node.attribute.first()?;
    let list = |element, count: usize| proto::Tensor {
        dims: vec![i64::try_from(count).unwrap_or(i64::MAX)],
        data_type: Some(element),
        ..proto::Tensor::default()
    };
    let scalar = |element| proto::Tensor { data_type: Some(element), ..proto::Tensor::default() };
    Some(Cow::Owned(match attribute.name() {
        "value" => return attribute.t.as_deref().map(Cow::Borrowed),
        "value_int" => proto::Tensor { int64_data: vec![attribute.i()], ..scalar(constant::INT64) },
        "value_ints" => proto::Tensor {
            int64_data: attribute.ints.clone(),
            ..list(constant::INT64, attribute.ints.len())
        },
        "value_float" => proto::Tensor { float_data: vec![attribute.f()], ..scalar(1) },
        "value_floats" => proto::Tensor {
            float_data: attribute.floats.clone(),
            ..list(1, attribute.floats.len())
        },
        "value_string" => {
            proto::Tensor { string_data: vec![attribute.s.clone()?], ..scalar(constant::STRING) }
        }
        "value_strings" => proto::Tensor {
            string_data: attribute.strings.clone(),
            ..list(constant::STRING, attribute.strings.len())
        },
        _ => return None,
    }))
}

/// The sizes of a constant.
pub(crate) fn constant_sizes(tensor: &proto::Tensor) -> Result<Vec<i64>, Error> {
    constant::elements(tensor)?;
    Ok(tensor.dims.clone())
}

/// How many bytes an element counts as.
pub(crate) fn bytes_of(name: &str, shape: &Shape) -> Result<i64, Error> {
    let unknown = || Error::Element { tensor: name.into(), element: shape.element };
    constant::element_bytes(shape.element).ok_or_else(unknown)
}
