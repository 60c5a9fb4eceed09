//! Constants of a planned model: unchanged, permuted, or made of integers.

use viewmerge_plan::graph::TensorId;
use viewmerge_plan::plan::Permutation;

use super::Emitter;
use crate::constant;
use crate::error::Error;
use crate::proto::Tensor;

impl Emitter<'_> {
    /// Integers as a constant.
    pub(super) fn values(&mut self, values: &[i64], shape: &[i64]) -> String {
        let key = format!("{values:?} {shape:?}");
        if let Some(name) = self.constants.get(&key) {
            return name.clone();
        }
        let name = self.names.tensor("sizes", "");
        self.initializers.push(constant::of_integers(&name, values, shape));
        self.constants.insert(key, name.clone());
        name
    }

    /// A constant with its elements permuted, in a given shape.
    pub(super) fn constant(
        &mut self,
        tensor: TensorId,
        permutation: Option<&Permutation>,
        shape: &[i64],
    ) -> Result<String, Error> {
        let name = self.tensor_name(tensor);
        if permutation.is_none() && self.converted.graph.tensors()[tensor.0].shape == shape {
            self.keep_constant(&name)?;
            return Ok(name);
        }
        let key = format!("{name:?} {permutation:?} {shape:?}");
        if let Some(known) = self.constants.get(&key) {
            return Ok(known.clone());
        }
        let original = self.original_constant(&name)?;
        let moved = match permutation {
            Some(Permutation { shape, perm }) => {
                constant::permuted(&original, self.model.folder.as_deref(), shape, perm)?
            }
            None => original,
        };
        let fresh = self.names.tensor(&name, "_moved");
        self.initializers.push(Tensor { dims: shape.to_vec(), name: Some(fresh.clone()), ..moved });
        self.constants.insert(key, fresh.clone());
        Ok(fresh)
    }

    fn original_constant(&self, name: &str) -> Result<Tensor, Error> {
        if let Some(tensor) = self.known.constants.get(name) {
            return Ok(Tensor { name: Some(name.into()), ..tensor.as_ref().clone() });
        }
        let tensor =
            self.converted.graph.find(name).map(|tensor| &self.converted.graph.tensors()[tensor.0]);
        match tensor.and_then(|tensor| Some((tensor, tensor.values.as_ref()?))) {
            Some((tensor, values)) => Ok(constant::of_integers(name, values, &tensor.shape)),
            None => Err(Error::Plan { what: format!("{name:?} is not a constant") }),
        }
    }

    /// Writes a constant under its own name.
    pub(super) fn keep_constant(&mut self, name: &str) -> Result<(), Error> {
        if self.done.insert(name.into()) {
            let tensor = self.original_constant(name)?;
            self.initializers.push(tensor);
        }
        Ok(())
    }
}
