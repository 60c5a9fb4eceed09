//! Operations with constant weights, and products of two activations.

use super::Slot;
use super::build::{Found, Site};
use super::linear::{Linear, Shape, Side};
use super::matmul::{MatMul, MatrixEnd};
use super::weights::{self, Kind};
use crate::graph::TensorId;

impl Site<'_> {
    pub(super) fn embedding(&self, table: &[i64], axis: usize, indices: TensorId) -> Found {
        let slots = self.slots();
        let (&[_, columns], 0, 2) = (table, axis, slots.len()) else { return None };
        let shape = self.shape(indices).to_vec();
        let own = shape.len();
        let made = [shape.clone(), vec![columns]].concat();
        let sides = [
            Side { labels: (0..own).collect(), shape },
            Side { labels: (0..=own).collect(), shape: made },
        ];
        let writer = self.weights(Kind::Embedding, 0, None)?;
        self.linear(
            "embedding",
            vec![(Shape::Rows, "rows")],
            sides,
            (own, None, vec![]),
            writer,
            ["any layout", "the columns of its table last"],
        )
    }

    pub(super) fn weights(
        &self,
        kind: Kind,
        input: usize,
        bias: Option<TensorId>,
    ) -> Option<weights::Writer> {
        let weights = self.op.input(input)?;
        let attributes = self.op.attributes.clone();
        let weights_shape = self.shape(weights).to_vec();
        Some(weights::Writer { kind, attributes, weights, weights_shape, bias })
    }

    pub(super) fn linear(
        &self,
        family: &'static str,
        shapes: Vec<(Shape, &'static str)>,
        sides: [Side; 2],
        (own, group, spatial): (usize, Option<usize>, Vec<usize>),
        writer: weights::Writer,
        words: [&str; 2],
    ) -> Found {
        let slots = self.slots();
        let [x, y] = slots.as_slice() else { return None };
        let same = |slot: &Slot, side: &Side| {
            side.shape.iter().product::<i64>() == self.graph.tensor(slot.tensor).elements()
        };
        if !x.input || y.input || !same(x, &sides[0]) || !same(y, &sides[1]) {
            return None;
        }
        let bytes = self.graph.tensor(y.tensor).bytes();
        let (target, words) = (self.target.clone(), words.map(String::from));
        Some(Box::new(Linear {
            target,
            family,
            shapes,
            sides,
            own,
            group,
            spatial,
            slots,
            bytes,
            writer,
            words,
        }))
    }

    pub(super) fn matmul(&self) -> Found {
        let (a, b) = (self.op.input(0)?, self.op.input(1)?);
        let (left, right) = (self.shape(a), self.shape(b));
        let result = self.shape(self.op.output(0)?);
        if left.len() < 2 || right.len() < 2 {
            return None;
        }
        let matrix = |shape: &[i64]| shape[..shape.len() - 2].iter().all(|&size| size == 1);
        let shapes = vec![(Shape::Rows, "rows"), (Shape::Around, "left")];
        match (self.is_constant(0), self.is_constant(1)) {
            (false, true) if matrix(right) && left.len() == result.len() => {
                let own = left.len() - 1;
                let side =
                    |shape: &[i64]| Side { shape: shape.to_vec(), labels: (0..=own).collect() };
                let mut writer = self.weights(Kind::MatMul, 1, None)?;
                writer.weights_shape = right[right.len() - 2..].to_vec();
                let words = ["its summed axis last", "its made axis last"];
                self.linear(
                    "linear",
                    shapes,
                    [side(left), side(result)],
                    (own, None, vec![]),
                    writer,
                    words,
                )
            }
            (true, false) if matrix(left) && right.len() == result.len() => {
                let own = right.len() - 2;
                let side =
                    |shape: &[i64]| Side { shape: shape.to_vec(), labels: (0..=own + 1).collect() };
                let mut writer = self.weights(Kind::LeftMatMul, 0, None)?;
                writer.weights_shape = left[left.len() - 2..].to_vec();
                let words = ["its summed axis last", "its made axis last"];
                self.linear(
                    "linear",
                    shapes,
                    [side(right), side(result)],
                    (own, None, vec![]),
                    writer,
                    words,
                )
            }
            (false, false) => self.product(left, right, result),
            _ => None,
        }
    }

    /// MatMul of two activations.
    pub(super) fn product(&self, left: &[i64], right: &[i64], result: &[i64]) -> Found {
        let batches = result.len() - 2;
        let size = |shape: &[i64], axis: usize| {
            let missing = result.len() - shape.len();
            axis.checked_sub(missing).map_or(1, |own| shape[own])
        };
        if left.len() > result.len() || right.len() > result.len() {
            return None;
        }
        // Axes of the product: the batch, then rows, summed, columns.
        let mut block_of: Vec<usize> = (0..batches)
            .map(|axis| match (size(left, axis) > 1, size(right, axis) > 1) {
                (true, false) => 1,
                (false, true) => 3,
                _ => 0,
            })
            .collect();
        block_of.extend([1, 2, 3]);
        let end = |shape: &[i64], last: [usize; 2]| {
            let batch = shape.len() - 2;
            let labels =
                (batches - batch..batches).chain(last.map(|label| batches + label)).collect();
            MatrixEnd { shape: shape.to_vec(), labels, block_of: block_of.clone() }
        };
        let ends = [end(left, [0, 1]), end(right, [1, 2]), end(result, [0, 2])];
        let slots = self.slots();
        let bytes = |slot: &Slot| self.graph.tensor(slot.tensor).bytes();
        let bytes = slots.iter().map(bytes).collect::<Vec<_>>().try_into().ok()?;
        let (kind, attributes) = (self.op.kind.clone(), self.op.attributes.clone());
        Some(Box::new(MatMul { target: self.target.clone(), ends, slots, bytes, kind, attributes }))
    }

    pub(super) fn gemm(&self) -> Found {
        let (x, y) = self.only()?;
        let (&[first, second], &[rows, columns]) = (self.shape(x), self.shape(y)) else {
            return None;
        };
        let turned = self.op.int("transA").unwrap_or(0) != 0;
        let across = self.op.int("transB").unwrap_or(0) != 0;
        let bias = match self.op.input(2) {
            Some(id)
                if self.shape(id).iter().product::<i64>() == columns
                    && self.shape(id).last() == Some(&columns) =>
            {
                Some(id)
            }
            Some(_) => return None,
            None => None,
        };
        let sides = [
            Side {
                shape: vec![first, second],
                labels: if turned { vec![1, 0] } else { vec![0, 1] },
            },
            Side { shape: vec![rows, columns], labels: vec![0, 1] },
        ];
        let writer = self.weights(Kind::Gemm { across }, 1, bias)?;
        let words = ["its summed axis last", "its made axis last"];
        self.linear("linear", vec![(Shape::Rows, "rows")], sides, (1, None, vec![]), writer, words)
    }

    pub(super) fn conv(&self) -> Found {
        let (x, y) = self.only()?;
        let (from, to) = (self.shape(x).to_vec(), self.shape(y).to_vec());
        let weights = self.shape(self.op.input(1)?).to_vec();
        let rank = from.len();
        if rank < 3 || to.len() != rank || weights.len() != rank {
            return None;
        }
        let groups = self.op.int("group").unwrap_or(1);
        if groups < 1 || from[1] % groups != 0 || to[1] % groups != 0 {
            return None;
        }
        let all = |name: &str, value: i64| {
            self.op.ints(name).is_none_or(|values| values.iter().all(|&own| own == value))
        };
        let point = weights[2..].iter().all(|&size| size == 1)
            && all("strides", 1)
            && all("pads", 0)
            && groups == 1
            && from[2..] == to[2..];
        let words = ["batch, channels, then space", "batch, channels, then space"];
        let writer = self.weights(Kind::Conv { groups }, 1, self.op.input(2))?;
        if point {
            let side = |shape: Vec<i64>| Side { shape, labels: (0..rank).collect() };
            let shapes = vec![(Shape::Around, "image"), (Shape::Rows, "rows")];
            return self.linear(
                "pointwise",
                shapes,
                [side(from), side(to)],
                (1, None, vec![]),
                writer,
                words,
            );
        }
        let side = |shape: Vec<i64>| {
            let cut = [vec![shape[0], groups, shape[1] / groups], shape[2..].to_vec()].concat();
            Side { shape: cut, labels: (0..=rank).collect() }
        };
        let shapes = vec![(Shape::Image, "image"), (Shape::Nhwc, "nhwc")];
        let spatial = (3..=rank).collect();
        self.linear("conv", shapes, [side(from), side(to)], (2, Some(1), spatial), writer, words)
    }
}
