//! The definitions, by walking every index.

use serde_json::{Value, json};

pub type Interval = (i128, i128);

/// A view; `bounds` is `None` if nothing is valid.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    pub shape: Vec<i128>,
    pub strides: Vec<i128>,
    pub offset: i128,
    pub mask: Mask,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Mask {
    All,
    Box(Vec<Interval>),
    Nothing,
}

/// The most indices to walk.
const MOST: i128 = 100_000;

/// A number of a small certificate, as it is written.
pub fn small(number: i128) -> i64 {
    i64::try_from(number).expect("small")
}

impl View {
    pub fn json(&self) -> Value {
        let list = |numbers: &[i128]| numbers.iter().map(|&n| small(n)).collect::<Vec<_>>();
        let mask = match &self.mask {
            Mask::All => Value::Null,
            Mask::Nothing => json!("nothing"),
            Mask::Box(bounds) => bounds.iter().map(|&(lo, hi)| list(&[lo, hi])).collect(),
        };
        json!({"shape": list(&self.shape), "strides": list(&self.strides),
            "offset": small(self.offset), "mask": mask})
    }

    pub fn is_valid(&self, index: &[i128]) -> bool {
        match &self.mask {
            Mask::All => true,
            Mask::Nothing => false,
            Mask::Box(bounds) => index.iter().zip(bounds).all(|(i, (lo, hi))| lo <= i && i < hi),
        }
    }

    pub fn elements(&self) -> i128 {
        self.shape.iter().fold(1, |product, &size| product.saturating_mul(size))
    }

    /// The valid interval of an axis; something must be valid.
    pub fn interval(&self, axis: usize) -> Interval {
        match &self.mask {
            Mask::Box(bounds) => bounds[axis],
            Mask::All | Mask::Nothing => (0, self.shape[axis]),
        }
    }

    pub fn indices(&self) -> Vec<Vec<i128>> {
        assert!(self.elements() <= MOST, "too many to walk: {:?}", self.shape);
        (0..self.elements()).map(|position| digits(&self.shape, position)).collect()
    }

    fn position(&self, index: &[i128]) -> i128 {
        self.offset + self.strides.iter().zip(index).map(|(s, i)| s * i).sum::<i128>()
    }
}

fn digits(shape: &[i128], mut position: i128) -> Vec<i128> {
    let mut digits = vec![0; shape.len()];
    for (digit, size) in digits.iter_mut().zip(shape).rev() {
        (*digit, position) = (position % size, position / size);
    }
    digits
}

/// Whether every valid position is an element of the view below.
pub fn composes(chain: &[View]) -> bool {
    chain.windows(2).all(|pair| {
        let valid = pair[1].indices().into_iter().filter(|index| pair[1].is_valid(index));
        valid.map(|index| pair[1].position(&index)).all(|at| 0 <= at && at < pair[0].elements())
    })
}

/// The value at an index of a chain that composes; `None` for padding.
pub fn value(chain: &[View], index: &[i128]) -> Option<i128> {
    let mut index = index.to_vec();
    for (number, view) in chain.iter().enumerate().rev() {
        if !view.is_valid(&index) {
            return None;
        }
        let position = view.position(&index);
        match number {
            0 => return Some(position),
            _ => index = digits(&chain[number - 1].shape, position),
        }
    }
    None
}

pub fn table(chain: &[View]) -> Vec<Option<i128>> {
    let top = &chain[chain.len() - 1];
    top.indices().iter().map(|index| value(chain, index)).collect()
}

pub fn same(one: &[View], other: &[View]) -> bool {
    one[one.len() - 1].shape == other[other.len() - 1].shape && table(one) == table(other)
}

/// The single view that a chain is, or a witness as JSON that it is not one view.
pub fn single(chain: &[View]) -> Result<View, Value> {
    let list = |index: &[i128]| index.iter().map(|&i| small(i)).collect::<Vec<_>>();
    let top = &chain[chain.len() - 1];
    let (shape, rank) = (top.shape.clone(), top.shape.len());
    let all = top.indices();
    let valid: Vec<_> = all.iter().filter(|index| value(chain, index).is_some()).collect();
    let Some(first) = valid.first() else {
        return Ok(View { shape, strides: vec![0; rank], offset: 0, mask: Mask::Nothing });
    };
    let ends = |axis: usize| {
        let along = || valid.iter().map(|index| index[axis]);
        (along().min().unwrap_or(0), along().max().unwrap_or(0) + 1)
    };
    let bounds: Vec<Interval> = (0..rank).map(ends).collect();
    for a in &valid {
        for b in &valid {
            let between = |index: &&Vec<i128>| {
                (0..rank).all(|axis| {
                    let (a, b) = (a[axis], b[axis]);
                    a.min(b) <= index[axis] && index[axis] <= a.max(b)
                })
            };
            let mut inside = all.iter().filter(between);
            if let Some(hole) = inside.find(|index| value(chain, index).is_none()) {
                return Err(json!({"kind": "hole", "valid": [list(a), list(b)],
                    "invalid": list(hole)}));
            }
        }
    }
    let mut strides = Vec::new();
    for axis in 0..rank {
        let steps = valid.iter().filter_map(|index| {
            let mut next = (*index).clone();
            next[axis] += 1;
            let there = (next[axis] < shape[axis]).then(|| value(chain, &next))??;
            Some((*index, there - value(chain, index)?))
        });
        let steps: Vec<_> = steps.collect();
        let stride = steps.first().map_or(0, |(_, step)| *step);
        if let Some((other, step)) = steps.iter().find(|(_, step)| *step != stride) {
            return Err(json!({"kind": "step", "axis": axis, "at": list(steps[0].0),
                "step": small(stride), "other": list(other), "other_step": small(*step)}));
        }
        strides.push(stride);
    }
    let corner = value(chain, first).unwrap_or(0);
    let offset = corner - strides.iter().zip(*first).map(|(s, i)| s * i).sum::<i128>();
    let whole = bounds.iter().zip(&shape).all(|((lo, hi), size)| *lo == 0 && hi == size);
    let mask = if whole { Mask::All } else { Mask::Box(bounds) };
    Ok(View { shape, strides, offset, mask })
}
