//! One view of a chain, with polynomials for numbers.
//!
//! The mask of an axis is a list of lower and a list of upper bounds, all of which count: which
//! of two is the stronger need not be known until the question is decided.

use crate::names::Names;
use crate::poly::Poly;

/// The bounds lo ≤ i < hi of one axis beside 0 ≤ i < size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) lo: Vec<Poly>,
    pub(crate) hi: Vec<Poly>,
}

impl Bounds {
    pub(crate) fn is_free(&self) -> bool {
        self.lo.is_empty() && self.hi.is_empty()
    }

    /// The interval of an axis of this size, if there is one lower and one upper bound at most.
    pub(crate) fn single(&self, size: &Poly) -> Option<(Poly, Poly)> {
        match (&self.lo[..], &self.hi[..]) {
            (lo @ ([] | [_]), hi @ ([] | [_])) => {
                let (lo, hi) = (lo.first().cloned(), hi.first().unwrap_or(size));
                Some((lo.unwrap_or_default(), hi.clone()))
            }
            _ => None,
        }
    }

    /// One interval of an axis of this size, without the ends that are those of the axis.
    pub(crate) fn within(lo: &Poly, hi: &Poly, size: &Poly) -> Bounds {
        let unless = |idle: bool, p: &Poly| if idle { Vec::new() } else { vec![p.clone()] };
        Bounds { lo: unless(lo.is_zero(), lo), hi: unless(hi == size, hi) }
    }

    /// The bounds with every number changed.
    fn map(&self, mut f: impl FnMut(&Poly) -> Poly) -> Bounds {
        let mut all = |list: &[Poly]| list.iter().map(&mut f).collect();
        Bounds { lo: all(&self.lo), hi: all(&self.hi) }
    }

    /// What is at least 0 where an index is valid.
    pub(crate) fn room(&self, index: &Poly) -> Vec<Poly> {
        let lower = self.lo.iter().map(|lo| index - lo);
        lower.chain(self.hi.iter().map(|hi| hi - index - 1)).collect()
    }

    /// All bounds moved.
    pub(crate) fn shifted(&self, by: &Poly) -> Bounds {
        self.map(|p| p + by)
    }

    /// Seen from the other end of an axis of this size.
    fn flipped(&self, size: &Poly) -> Bounds {
        let Bounds { lo, hi } = self.map(|p| size - p);
        Bounds { lo: hi, hi: lo }
    }
}

/// The interval of every axis.
pub(crate) type Intervals = Vec<(Poly, Poly)>;

/// A view with polynomials for numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stage {
    pub(crate) shape: Vec<Poly>,
    pub(crate) strides: Vec<Poly>,
    pub(crate) offset: Poly,
    pub(crate) bounds: Vec<Bounds>,
    /// Valid nowhere unless all of these are at least 0.
    pub(crate) alive: Vec<Poly>,
}

impl Stage {
    pub(crate) fn contiguous(shape: Vec<Poly>) -> Stage {
        let mut strides = vec![Poly::one(); shape.len()];
        for axis in (1..shape.len()).rev() {
            strides[axis - 1] = &strides[axis] * &shape[axis];
        }
        Stage::strided(shape, strides, Poly::zero())
    }

    pub(crate) fn strided(shape: Vec<Poly>, strides: Vec<Poly>, offset: Poly) -> Stage {
        let bounds = vec![Bounds::default(); shape.len()];
        Stage { shape, strides, offset, bounds, alive: Vec::new() }
    }

    /// The view that is valid in a box and reads `base` at its low corner.
    pub(crate) fn from_corner(
        shape: &[Poly],
        strides: Vec<Poly>,
        base: Poly,
        valid: &[(Poly, Poly)],
    ) -> Stage {
        let mut stage = Stage::strided(shape.to_vec(), strides, base);
        for (axis, (lo, hi)) in valid.iter().enumerate() {
            stage.offset -= &stage.strides[axis] * lo;
            stage.bounds[axis] = Bounds::within(lo, hi, &shape[axis]);
        }
        stage
    }

    /// Makes it valid nowhere.
    pub(crate) fn close(&mut self) {
        self.alive.push(Poly::number(-1));
    }

    /// The valid interval of every axis, if there is one lower and one upper bound at most.
    pub(crate) fn intervals(&self) -> Option<Intervals> {
        let sides = self.bounds.iter().zip(&self.shape);
        sides.map(|(bounds, size)| bounds.single(size)).collect()
    }

    pub(crate) fn rank(&self) -> usize {
        self.shape.len()
    }

    pub(crate) fn count(&self) -> Poly {
        self.shape.iter().product::<Poly>()
    }

    /// The view at index 0 of an axis.
    pub(crate) fn without(&self, axis: usize) -> Stage {
        let rest = (0..self.rank()).filter(|&other| other != axis);
        self.rearranged(&rest.collect::<Vec<_>>())
    }

    /// Some of the axes, in this order.
    pub(crate) fn rearranged(&self, axes: &[usize]) -> Stage {
        Stage {
            shape: axes.iter().map(|&axis| self.shape[axis].clone()).collect(),
            strides: axes.iter().map(|&axis| self.strides[axis].clone()).collect(),
            bounds: axes.iter().map(|&axis| self.bounds[axis].clone()).collect(),
            offset: self.offset.clone(),
            alive: self.alive.clone(),
        }
    }

    /// Adds an axis along which every index reads the same.
    pub(crate) fn insert(&mut self, axis: usize, size: Poly) {
        self.shape.insert(axis, size);
        self.strides.insert(axis, Poly::zero());
        self.bounds.insert(axis, Bounds::default());
    }

    /// Removes the bounds of an axis of size 1: what they say is said of the whole view.
    pub(crate) fn retire_bounds(&mut self, axis: usize) {
        let bounds = std::mem::take(&mut self.bounds[axis]);
        self.alive.extend(bounds.room(&Poly::zero()));
    }

    /// Keeps so many indices of an axis, from `lo` on.
    pub(crate) fn narrow(&mut self, axis: usize, lo: &Poly, size: Poly) {
        self.offset += &self.strides[axis] * lo;
        self.bounds[axis] = self.bounds[axis].shifted(&-lo);
        self.shape[axis] = size;
    }

    /// Adds so many invalid indices before and after those of an axis.
    pub(crate) fn pad(&mut self, axis: usize, before: Poly, after: Poly) {
        let mut bounds = self.bounds[axis].shifted(&before);
        let end = &self.shape[axis] + &before;
        self.offset -= &self.strides[axis] * &before;
        self.shape[axis] = &end + &after;
        bounds.lo.extend((!before.is_zero()).then_some(before));
        bounds.hi.extend((!after.is_zero()).then_some(end));
        self.bounds[axis] = bounds;
    }

    /// Turns an axis round.
    pub(crate) fn flip(&mut self, axis: usize) {
        self.offset += &self.strides[axis] * (&self.shape[axis] - 1);
        self.strides[axis] = -&self.strides[axis];
        self.bounds[axis] = self.bounds[axis].flipped(&self.shape[axis]);
    }

    pub(crate) fn is_masked(&self) -> bool {
        !self.alive.is_empty() || self.bounds.iter().any(|bounds| !bounds.is_free())
    }

    /// The view with every number changed.
    pub(crate) fn map(&self, mut f: impl FnMut(&Poly) -> Poly) -> Stage {
        Stage {
            shape: self.shape.iter().map(&mut f).collect(),
            strides: self.strides.iter().map(&mut f).collect(),
            bounds: self.bounds.iter().map(|bounds| bounds.map(&mut f)).collect(),
            alive: self.alive.iter().map(&mut f).collect(),
            offset: f(&self.offset),
        }
    }

    pub(crate) fn expanded(&self, names: &Names) -> Stage {
        self.map(|p| names.expand(p))
    }

    pub(crate) fn is_spoilt(&self) -> bool {
        let bounds = self.bounds.iter().flat_map(|b| b.lo.iter().chain(&b.hi));
        let mut all = self.shape.iter().chain(&self.strides).chain(bounds).chain(&self.alive);
        self.offset.is_spoilt() || all.any(Poly::is_spoilt)
    }
}
