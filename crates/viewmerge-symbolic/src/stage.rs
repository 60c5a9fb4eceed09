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
    /// Whether some may be less than 0 or more than the size.
    pub(crate) beyond: bool,
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

    fn map(&self, lo: impl Fn(&Poly) -> Poly, hi: impl Fn(&Poly) -> Poly) -> Bounds {
        let (lo, hi) = (self.lo.iter().map(lo).collect(), self.hi.iter().map(hi).collect());
        Bounds { lo, hi, beyond: self.beyond }
    }

    /// All bounds moved.
    pub(crate) fn shifted(&self, by: &Poly) -> Bounds {
        self.map(|lo| lo + by, |hi| hi + by)
    }

    /// Seen from the other end of an axis of this size.
    pub(crate) fn flipped(&self, size: &Poly) -> Bounds {
        let turned = |p: &Poly| size - p;
        Bounds {
            lo: self.hi.iter().map(turned).collect(),
            hi: self.lo.iter().map(turned).collect(),
            beyond: self.beyond,
        }
    }
}

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

    pub(crate) fn rank(&self) -> usize {
        self.shape.len()
    }

    pub(crate) fn count(&self) -> Poly {
        self.shape.iter().product::<Poly>()
    }

    /// The view at index 0 of an axis.
    pub(crate) fn without(&self, axis: usize) -> Stage {
        let mut stage = self.clone();
        stage.shape.remove(axis);
        stage.strides.remove(axis);
        stage.bounds.remove(axis);
        stage
    }

    /// Turns an axis round.
    pub(crate) fn flip(&mut self, axis: usize) {
        let size = self.shape[axis].clone();
        let last = &size - 1;
        self.offset += &self.strides[axis] * &last;
        self.strides[axis] = -&self.strides[axis];
        self.bounds[axis] = self.bounds[axis].flipped(&size);
    }

    pub(crate) fn is_masked(&self) -> bool {
        !self.alive.is_empty() || self.bounds.iter().any(|bounds| !bounds.is_free())
    }

    /// The view with every number changed.
    pub(crate) fn map(&self, mut f: impl FnMut(&Poly) -> Poly) -> Stage {
        let mut all = |list: &[Poly]| -> Vec<Poly> { list.iter().map(&mut f).collect() };
        Stage {
            shape: all(&self.shape),
            strides: all(&self.strides),
            bounds: self
                .bounds
                .iter()
                .map(|b| Bounds { lo: all(&b.lo), hi: all(&b.hi), beyond: b.beyond })
                .collect(),
            alive: all(&self.alive),
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
