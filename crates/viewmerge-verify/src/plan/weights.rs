//! An operand and a result around constant weights: Gemm, Conv, embeddings, and MatMul with a constant.
//!
//! The two share the axes that are neither summed over nor created. Their digits must be arranged alike,
//! before and after the own axis.

use super::Refused;
use super::layout::Digit;
use super::ops::{Site, Visit};

/// A result or operand: its shape, the shared name of every axis, and which axis is its own.
pub(super) struct Side {
    pub shape: Vec<i64>,
    pub names: Vec<usize>,
}

/// How shared and own digits may follow each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Rows,
    Around,
    Image,
    Nhwc,
}

pub(super) struct Weighted {
    pub family: &'static str,
    pub forms: Vec<(Form, &'static str)>,
    pub sides: [Side; 2],
    pub own: usize,
    /// For convolutions: axis 1 is the groups, and axes from 3 on are spatial.
    pub image: bool,
}

pub(super) fn visit(site: &Site<'_>, visit: &mut Visit<'_>) -> Result<(), Refused> {
    match site.weighted() {
        Some(weighted) => weighted.visit(site, visit),
        None => Ok(()),
    }
}

impl Weighted {
    pub fn visit(&self, site: &Site<'_>, visit: &mut Visit<'_>) -> Result<(), Refused> {
        let elements = |slot: usize| site.graph.tensors[site.slots[slot]].elements();
        let fits = |slot: usize| self.sides[slot].shape.iter().product::<i64>() == elements(slot);
        if site.slots.len() != 2 || site.operands != 1 || !fits(0) || !fits(1) {
            return Ok(());
        }
        let parsed = [0, 1].map(|slot| -> Vec<Vec<(Vec<Digit>, Vec<Digit>)>> {
            let digits = site.digits(slot, &self.sides[slot].shape).into_iter();
            digits
                .map(|digits| digits.map_or(Vec::new(), |digits| self.cuts(slot, &digits)))
                .collect()
        });
        let bytes = site.graph.tensors[site.slots[1]].bytes;
        for &(form, name) in &self.forms {
            let Some(cost) = site.table.cost(self.family, name, bytes) else { continue };
            let shaped = [0, 1].map(|slot| -> Vec<Vec<(Vec<Digit>, Vec<Digit>)>> {
                let shape = |cut: &(Vec<Digit>, Vec<Digit>)| self.shaped(slot, form, cut);
                parsed[slot].iter().map(|cuts| cuts.iter().filter_map(shape).collect()).collect()
            });
            for (from, operand) in shaped[0].iter().enumerate() {
                for (to, result) in shaped[1].iter().enumerate() {
                    if operand.iter().any(|shared| result.contains(shared)) {
                        visit(&[from, to], cost)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The digits before and after the own axis, by shared names; every split, if the own axis has one
    /// element.
    fn cuts(&self, slot: usize, digits: &[Digit]) -> Vec<(Vec<Digit>, Vec<Digit>)> {
        let named: Vec<Digit> = digits
            .iter()
            .map(|&(axis, place, size)| (self.sides[slot].names[axis], place, size))
            .collect();
        let mine: Vec<usize> = (0..named.len()).filter(|&at| named[at].0 == self.own).collect();
        match (mine.first(), mine.last()) {
            (Some(&first), Some(&last)) if last - first + 1 == mine.len() => {
                vec![(named[..first].to_vec(), named[last + 1..].to_vec())]
            }
            (Some(_), _) => Vec::new(),
            _ => (0..=named.len()).map(|at| (named[..at].to_vec(), named[at..].to_vec())).collect(),
        }
    }

    /// The shared digits in a form, spatial axes without their size.
    fn shaped(
        &self,
        slot: usize,
        form: Form,
        (before, after): &(Vec<Digit>, Vec<Digit>),
    ) -> Option<(Vec<Digit>, Vec<Digit>)> {
        let side = &self.sides[slot];
        let spatial = |digit: &Digit| self.image && digit.0 >= 3;
        let space = |digits: &[Digit]| -> Option<Vec<Digit>> {
            let mut order = Vec::new();
            for name in side.names.iter().copied().filter(|&name| name >= 3) {
                if digits.iter().all(|digit| digit.0 != name) {
                    order.push((name, 1, 0));
                }
            }
            for digit in digits {
                let axis = side.names.iter().position(|&name| name == digit.0)?;
                if digit.2 != side.shape[axis] {
                    return None;
                }
                order.push((digit.0, 1, 0));
            }
            Some(order)
        };
        match form {
            Form::Rows if after.is_empty() => Some((before.clone(), Vec::new())),
            Form::Around => Some((before.clone(), after.clone())),
            Form::Image => {
                // The batch, then the groups.
                let groups = before.iter().position(|digit| digit.0 == 1).unwrap_or(before.len());
                let sorted = before[..groups].iter().all(|digit| digit.0 == 0)
                    && before[groups..].iter().all(|digit| digit.0 == 1)
                    && after.iter().all(spatial);
                if sorted { Some((before.clone(), space(after)?)) } else { None }
            }
            Form::Nhwc if after.is_empty() => {
                let batch = before.iter().take_while(|digit| digit.0 == 0).count();
                let spaces = before[batch..].iter().take_while(|digit| spatial(digit)).count();
                let groups = &before[batch + spaces..];
                if groups.iter().any(|digit| digit.0 != 1) {
                    return None;
                }
                let space = space(&before[batch..batch + spaces])?;
                Some(([&before[..batch], &space, groups].concat(), Vec::new()))
            }
            _ => None,
        }
    }
}

impl Site<'_> {
    fn weighted(&self) -> Option<Weighted> {
        match self.op.kind.as_str() {
            "Gemm" => {
                let (x, y) = self.pair()?;
                let (from, to) = (self.shape(x).to_vec(), self.shape(y).to_vec());
                if from.len() != 2 || to.len() != 2 {
                    return None;
                }
                if let Some(bias) = self.input(2) {
                    let shape = self.shape(bias);
                    if shape.last() != Some(&to[1]) || shape.iter().product::<i64>() != to[1] {
                        return None;
                    }
                }
                let turned = self.op.int("transA").unwrap_or(0) != 0;
                let names = if turned { vec![1, 0] } else { vec![0, 1] };
                let sides = [Side { shape: from, names }, Side { shape: to, names: vec![0, 1] }];
                Some(Weighted {
                    family: "linear",
                    forms: vec![(Form::Rows, "rows")],
                    sides,
                    own: 1,
                    image: false,
                })
            }
            "Conv" => self.convolution(),
            _ => {
                let table = self.shape(self.input(0)?);
                let indices = self.shape(self.input(1)?).to_vec();
                let axis = self.axis(self.op.int("axis").unwrap_or(0), table.len())?;
                let (&[_, columns], 0) = (table, axis) else { return None };
                let own = indices.len();
                let made = [indices.as_slice(), &[columns]].concat();
                let sides = [
                    Side { shape: indices, names: (0..own).collect() },
                    Side { shape: made, names: (0..=own).collect() },
                ];
                Some(Weighted {
                    family: "embedding",
                    forms: vec![(Form::Rows, "rows")],
                    sides,
                    own,
                    image: false,
                })
            }
        }
    }

    fn convolution(&self) -> Option<Weighted> {
        let (x, y) = self.pair()?;
        let kernel = self.shape(self.input(1)?);
        let (from, to) = (self.shape(x), self.shape(y));
        let rank = from.len();
        if rank < 3 || to.len() != rank || kernel.len() != rank {
            return None;
        }
        let groups = self.op.int("group").unwrap_or(1);
        if groups < 1 || from[1] % groups != 0 || to[1] % groups != 0 {
            return None;
        }
        let none = |name: &str, usual: i64| {
            self.op.ints(name).unwrap_or(&[]).iter().any(|&number| number != usual)
        };
        let point = groups == 1
            && kernel[2..].iter().all(|&size| size == 1)
            && !none("strides", 1)
            && !none("pads", 0)
            && from[2..] == to[2..];
        if point {
            let side = |shape: &[i64]| Side { shape: shape.to_vec(), names: (0..rank).collect() };
            let forms = vec![(Form::Around, "image"), (Form::Rows, "rows")];
            return Some(Weighted {
                family: "pointwise",
                forms,
                sides: [side(from), side(to)],
                own: 1,
                image: false,
            });
        }
        let side = |shape: &[i64]| {
            let mut cut = vec![shape[0], groups, shape[1] / groups];
            cut.extend(&shape[2..]);
            Side { shape: cut, names: (0..=rank).collect() }
        };
        let forms = vec![(Form::Image, "image"), (Form::Nhwc, "nhwc")];
        Some(Weighted { family: "conv", forms, sides: [side(from), side(to)], own: 2, image: true })
    }
}
