//! Small random graphs: the plan costs what the independent checker proves to be the least, and
//! running it gives the same values as the graph.

use viewmerge_plan::graph::{Attribute, OpSpec};
use viewmerge_plan::{GraphBuilder, Target, certified};
use viewmerge_verify::plan::verify_plan;

/// Pseudo-random numbers, the same in every run.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u32::try_from((mixed ^ (mixed >> 31)) % u64::from(bound)).unwrap_or(0)
    }

    pub fn index(&mut self, length: usize) -> usize {
        self.below(u32::try_from(length).unwrap_or(u32::MAX)) as usize
    }
}

/// A graph under construction: its tensors by name and shape.
struct Making {
    builder: GraphBuilder,
    tensors: Vec<(String, Vec<i64>)>,
}

impl Making {
    fn add(
        &mut self,
        kind: &str,
        inputs: Vec<String>,
        shape: Vec<i64>,
        attributes: Vec<(&str, Attribute)>,
    ) {
        let name = format!("t{}", self.tensors.len());
        self.builder.tensor(&name, &shape, 4);
        let attributes =
            attributes.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
        let (op, kind) = (format!("op{}", self.tensors.len()), kind.into());
        self.builder.op(OpSpec { name: op, kind, attributes, inputs, outputs: vec![name.clone()] });
        self.tensors.push((name, shape));
    }

    fn constant(&mut self, shape: &[i64], values: Option<Vec<i64>>) -> String {
        let name = format!("c{}", self.builder.tensors.len());
        self.builder.constant(&name, shape, if values.is_some() { 8 } else { 4 }, values);
        name
    }
}

/// A random graph of some operations over small tensors.
pub fn graph(numbers: &mut Numbers, ops: usize) -> GraphBuilder {
    let mut making = Making { builder: GraphBuilder::new(18), tensors: Vec::new() };
    let shapes: [&[i64]; 4] = [&[2, 4, 3], &[1, 4, 6], &[2, 2, 2, 3], &[4, 6]];
    let first = shapes[numbers.index(4)].to_vec();
    making.builder.tensor("t0", &first, 4).input("t0");
    making.tensors.push(("t0".into(), first));
    for _ in 0..ops {
        let (name, shape) = making.tensors[numbers.index(making.tensors.len())].clone();
        let rank = shape.len();
        let elements: i64 = shape.iter().product();
        let axis = numbers.index(rank);
        let at = i64::try_from(axis).unwrap_or(0);
        match numbers.below(10) {
            0 | 1 => {
                let mut perm: Vec<usize> = (0..rank).collect();
                for last in (1..rank).rev() {
                    perm.swap(last, numbers.index(last + 1));
                }
                let to = perm.iter().map(|&axis| shape[axis]).collect();
                let perm = perm.iter().map(|&axis| i64::try_from(axis).unwrap_or(0)).collect();
                making.add("Transpose", vec![name], to, vec![("perm", Attribute::Ints(perm))]);
            }
            2 => {
                let fits = |other: &&&[i64]| other.iter().product::<i64>() == elements;
                let others: Vec<_> = shapes.iter().filter(fits).collect();
                if others.is_empty() {
                    continue;
                }
                let to = others[numbers.index(others.len())].to_vec();
                making.add("Reshape", vec![name], to, vec![]);
            }
            3 => making.add("Relu", vec![name], shape, vec![]),
            4 => {
                let same = |other: &&(String, Vec<i64>)| other.1 == shape;
                let others: Vec<_> =
                    making.tensors.iter().filter(same).map(|(name, _)| name.clone()).collect();
                let other = others[numbers.index(others.len())].clone();
                making.add("Add", vec![name, other], shape, vec![]);
            }
            5 => making.add("Softmax", vec![name], shape, vec![("axis", Attribute::Int(at))]),
            6 => {
                let scale = making.constant(&shape[axis..], None);
                making.add(
                    "LayerNormalization",
                    vec![name, scale],
                    shape,
                    vec![("axis", Attribute::Int(at))],
                );
            }
            7 => {
                let columns = 2 + i64::from(numbers.below(2));
                let weights = making.constant(&[shape[rank - 1], columns], None);
                let mut to = shape.clone();
                to[rank - 1] = columns;
                making.add("MatMul", vec![name, weights], to, vec![]);
            }
            8 if shape[axis] % 2 == 0 => {
                let mut to = shape.clone();
                to[axis] = shape[axis] / 2;
                let [starts, ends, axes] =
                    [0, shape[axis] / 2, at].map(|value| making.constant(&[1], Some(vec![value])));
                making.add("Slice", vec![name, starts, ends, axes], to, vec![]);
            }
            _ => {
                let mut to = shape.clone();
                to[axis] = 2 * shape[axis];
                making.add(
                    "Concat",
                    vec![name.clone(), name],
                    to,
                    vec![("axis", Attribute::Int(at))],
                );
            }
        }
    }
    let last = making.tensors.len() - 1;
    if last > 0 {
        making.builder.output(&format!("t{last}"));
    }
    making.builder.output(&making.tensors[last / 2].0.clone());
    making.builder
}

#[test]
fn plans_are_proved_least() {
    let count =
        std::env::var("VIEWMERGE_PLANS").ok().and_then(|text| text.parse().ok()).unwrap_or(300);
    let mut numbers = Numbers(3);
    let targets =
        ["onnx", "ort-cpu", "nhwc"].map(|name| Target::named(name).expect("it is built in"));
    let (mut copying, mut proved) = (0, 0);
    for number in 0..count {
        let ops = 2 + numbers.index(9);
        let builder = graph(&mut numbers, ops);
        let text = serde_json::to_string(&builder).expect("it can be written");
        let graph = builder.build().unwrap_or_else(|error| panic!("{error}: {text}"));
        let (plan, certificate) = certified(&graph, &targets[number % 3])
            .unwrap_or_else(|error| panic!("{error}: {text}"));
        let shown = verify_plan(&certificate).unwrap_or_else(|refused| panic!("{refused}: {text}"));
        assert_eq!((shown.cost, shown.bound), (plan.cost, plan.bound.considered), "{text}");
        assert_eq!(plan.cost, plan.bound.considered, "not closed: {text}");
        assert!(plan.bound.all_layouts <= plan.cost, "{text}");
        assert_eq!(
            plan.ops.len(),
            plan.ops.iter().filter(|op| op.outputs.iter().any(Option::is_some)).count()
        );
        copying += usize::from(plan.least.copies > 0);
        proved += usize::from(plan.bound.all_layouts == plan.cost);
    }
    assert!(copying * 5 > count, "{copying} of {count} copy");
    assert!(proved * 3 > count, "{proved} of {count} are proved for all layouts");
}
