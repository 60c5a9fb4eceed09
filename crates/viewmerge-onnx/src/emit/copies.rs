//! When copies are written.
//!
//! A copy is written when its result is first read. If only one op reads it, and works in any order, the
//! copy comes after that op: Conv, copy, Relu is written as Conv, Relu, copy, which writes as many bytes
//! and lets a runtime fuse Conv and Relu.

use viewmerge_plan::graph::Attribute;
use viewmerge_plan::is_elementwise;
use viewmerge_plan::plan::{Operand, Permutation, Place, PlannedOp, Source};

use super::copy::{Blocks, blocks, refined};
use super::shape::broadcast;
use super::{Emitter, Written};
use crate::attribute;
use crate::error::Error;
use crate::proto::{self, Node};

/// A copy that is yet to be written.
pub(super) struct Due {
    source: String,
    permutation: Permutation,
    blocks: Option<Blocks>,
}

impl Due {
    /// The shape that the copy makes.
    fn made(&self) -> Vec<i64> {
        match &self.blocks {
            Some(blocks) => blocks.to.clone(),
            None => self.permutation.made(),
        }
    }
}

impl Emitter<'_> {
    /// The name and the shape of a stored layout; its copy is written when it is first needed.
    pub(super) fn stored(&mut self, place: Place) -> Result<Written, Error> {
        if let Some(written) = self.places.get(&place) {
            return Ok(written.clone());
        }
        if let Some(due) = self.due(place)? {
            return Ok(self.copied(place, &due));
        }
        // Only a constant's place has not been made by an op.
        let (name, tensor) = (self.root(place), self.plan.classes[place.class].root);
        self.keep_constant(&name)?;
        let shape = self.converted.graph.tensors()[tensor.0].shape.clone();
        self.places.insert(place, (name.clone(), shape.clone()));
        Ok((name, shape))
    }

    /// The copy that makes a stored layout, if one is to be written.
    fn due(&mut self, place: Place) -> Result<Option<Due>, Error> {
        if let Some(due) = self.due.remove(&place) {
            return Ok(Some(due));
        }
        let Some(copy) = &self.plan.classes[place.class].stored[place.layout].copy else {
            return Ok(None);
        };
        let first = Place { class: place.class, layout: 0 };
        let (source, shape) = self.stored(first)?;
        if let Some(blocks) = blocks(copy) {
            let source = self.view(first, &blocks.from)?;
            return Ok(Some(Due { source, permutation: copy.clone(), blocks: Some(blocks) }));
        }
        // More than four axes cost more than a Reshape.
        let finer =
            refined(&shape, copy).filter(|finer| finer.perm.len() <= copy.perm.len().max(4));
        let (source, permutation) = match finer {
            Some(finer) => (source, finer),
            None => (self.view(first, &copy.shape)?, copy.clone()),
        };
        Ok(Some(Due { source, permutation, blocks: None }))
    }

    /// Writes a copy.
    fn copied(&mut self, place: Place, due: &Due) -> Written {
        let root = self.plan.classes[place.class].root;
        let bytes = self.converted.graph.tensors()[root.0].element_bytes;
        let times = self.plan.copy_times;
        let steps = times.map_or(vec![], |times| times.steps(&due.permutation, bytes));
        // Two Transposes are faster than DepthToSpace, and SpaceToDepth is faster than two Transposes.
        let blocks = due.blocks.as_ref().filter(|blocks| steps.len() < 2 || blocks.apart);
        let (attribute, op, made) = match (blocks, steps.as_slice()) {
            (Some(blocks), _) => {
                let size = attribute::new("blocksize", &Attribute::Int(blocks.size));
                (size, (blocks.op, due.source.clone()), blocks.to.clone())
            }
            (None, [first, second]) => {
                let read =
                    due.blocks.as_ref().map_or(&due.permutation.shape, |blocks| &blocks.from);
                let source = self.reshaped(place, due.source.clone(), read, first);
                let name = self.names.tensor(&self.root(place), "_step");
                let perm = permuted(&source.1.perm);
                self.moving(place, ("Transpose", source.0), perm, &name, &source.1.made());
                // Always add a Reshape: a runtime would combine two consecutive Transposes.
                let view = self.names.tensor(&self.root(place), "_view");
                self.reshape(&name, &view, &second.shape);
                self.info(place, &view, &second.shape);
                (permuted(&second.perm), ("Transpose", view), second.made())
            }
            _ => {
                let perm = permuted(&due.permutation.perm);
                (perm, ("Transpose", due.source.clone()), due.permutation.made())
            }
        };
        let wanted = self.wanted.get(&place).into_iter().flatten();
        let name = wanted.filter(|(_, sizes)| *sizes == made).map(|(name, _)| name.clone()).next();
        let name = name.unwrap_or_else(|| self.names.tensor(&self.root(place), "_copy"));
        self.done.insert(name.clone());
        self.moving(place, op, attribute, &name, &made);
        self.place(place, &name, &made);
        (name, made)
    }

    /// A tensor in the shape that a copy needs, or the copy on the tensor's own axes, if these refine its
    /// own.
    fn reshaped(
        &mut self,
        place: Place,
        source: String,
        shape: &[i64],
        copy: &Permutation,
    ) -> (String, Permutation) {
        if let Some(finer) = refined(shape, copy) {
            return (source, finer);
        }
        let view = self.names.tensor(&self.root(place), "_view");
        self.reshape(&source, &view, &copy.shape);
        self.info(place, &view, &copy.shape);
        (view, copy.clone())
    }

    /// Writes a node that moves elements.
    fn moving(
        &mut self,
        place: Place,
        (op, source): (&str, String),
        attribute: proto::Attribute,
        name: &str,
        made: &[i64],
    ) {
        let node_name = self.names.node("copy");
        self.info(place, name, made);
        self.copies.copies += 1;
        self.copies.bytes += self.plan.classes[place.class].bytes;
        self.nodes.push(Node {
            input: vec![source],
            output: vec![name.into()],
            name: Some(node_name),
            op_type: Some(op.into()),
            attribute: vec![attribute],
            ..Node::default()
        });
    }

    /// Writes an op before the copy that makes its operand, if that is equivalent; returns whether it did.
    pub(super) fn written_before_copy(&mut self, planned: &PlannedOp) -> Result<bool, Error> {
        let [Some(made)] = planned.outputs.as_slice() else { return Ok(false) };
        let mut stored =
            planned.inputs.iter().flatten().filter_map(|operand| match operand.source {
                Source::Stored(place) => Some((place, operand)),
                _ => None,
            });
        let (Some((place, operand)), None) = (stored.next(), stored.next()) else {
            return Ok(false);
        };
        let bytes = |place: Place| self.plan.classes[place.class].bytes;
        let alone = self.readers.get(&place) == Some(&1) && !self.places.contains_key(&place);
        let simple = is_elementwise(&planned.kind) && operand.shape == made.shape;
        let is_copy = self.due.contains_key(&place) || place.layout > 0;
        if !alone || !simple || !is_copy || bytes(place) != bytes(made.place) {
            return Ok(false);
        }
        let Some(due) = self.due(place)? else { return Ok(false) };
        let constants = if due.blocks.is_none() {
            constants_before_copy(planned, &made.shape, &due)
        } else {
            None
        };
        let Some(shapes) = constants else {
            self.due.insert(place, due);
            return Ok(false);
        };
        let mut input = Vec::new();
        for (operand, shape) in planned.inputs.iter().zip(shapes) {
            input.push(match operand {
                None => String::new(),
                Some(operand) if matches!(operand.source, Source::Stored(_)) => due.source.clone(),
                Some(operand) => self.operand(&Operand { shape, ..operand.clone() })?,
            });
        }
        let original = &self.graph.node[self.converted.nodes[planned.op.0]];
        let name = self.names.tensor(&self.root(made.place), "_early");
        self.info(made.place, &name, &due.permutation.shape);
        self.nodes.push(Node {
            input,
            output: vec![name.clone()],
            attribute: attribute::written(&original.attribute, &planned.attributes),
            ..original.clone()
        });
        self.due.insert(made.place, Due { source: name, ..due });
        Ok(true)
    }
}

/// The `perm` attribute of a Transpose.
fn permuted(perm: &[usize]) -> proto::Attribute {
    let axis = |&axis: &usize| i64::try_from(axis).unwrap_or_default();
    attribute::new("perm", &Attribute::Ints(perm.iter().map(axis).collect()))
}

/// The shapes of an op's constants before its operand is copied; `None` if their elements would have to
/// move.
fn constants_before_copy(planned: &PlannedOp, made: &[i64], due: &Due) -> Option<Vec<Vec<i64>>> {
    let copied = due.made();
    let shape = |operand: &Option<Operand>| {
        let Some(Operand { source: Source::Constant { .. }, shape }) = operand else {
            return Some(Vec::new());
        };
        if shape.iter().product::<i64>() == 1 {
            return Some(Vec::new());
        }
        let broadcast_shape = broadcast(shape, made, &copied)?;
        if broadcast_shape.iter().filter(|size| **size != 1).count() > 1 {
            return None;
        }
        let mut early = vec![1; broadcast_shape.len()];
        for (to, &from) in due.permutation.perm.iter().enumerate() {
            early[from] = broadcast_shape[to];
        }
        let first = early.iter().position(|size| *size != 1).unwrap_or(0);
        Some(early.split_off(first))
    };
    planned.inputs.iter().map(shape).collect()
}
