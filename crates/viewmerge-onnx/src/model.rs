//! A model, read from a file or from bytes, and written back without loss.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use prost::Message;

use crate::error::{Error, Unknown};
use crate::proto;
use crate::wire::{LARGEST, look_over};

/// An ONNX model.
///
/// ```
/// use viewmerge_onnx::{Model, proto};
///
/// let graph = proto::Graph { name: Some("empty".into()), ..Default::default() };
/// let model = Model::from(proto::Model { ir_version: Some(10), graph: Some(graph), ..Default::default() });
/// let bytes = model.to_bytes()?;
/// assert_eq!(Model::from_bytes(bytes.clone())?.to_bytes()?, bytes);
/// # Ok::<(), viewmerge_onnx::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    /// Everything in the file.
    pub proto: proto::Model,
    /// The folder of external weights; `None` for a model that was not read from a file.
    pub folder: Option<PathBuf>,
    unknown: Option<Unknown>,
}

impl From<proto::Model> for Model {
    fn from(proto: proto::Model) -> Model {
        Model { proto, folder: None, unknown: None }
    }
}

impl Model {
    /// Reads a model from a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not a model.
    pub fn open(path: impl AsRef<Path>) -> Result<Model, Error> {
        let path = path.as_ref();
        let failed = |error| Error::File { path: path.into(), error };
        let file = File::open(path).map_err(failed)?;
        // Read one byte more than accepted, because the length of a pipe is unknown.
        let mut bytes = Vec::new();
        let size = file.metadata().map_err(failed)?.len();
        if size > LARGEST {
            return Err(Error::FileSize { bytes: size, accepted: LARGEST });
        }
        file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
        let mut model = Model::from_bytes(bytes)?;
        model.folder = Some(path.parent().unwrap_or(Path::new("")).into());
        Ok(model)
    }

    /// Reads a model from bytes. Weights remain slices of these.
    ///
    /// # Errors
    ///
    /// If they are not a model.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<Model, Error> {
        let bytes = bytes.into();
        let unknown = look_over(&bytes)?;
        let proto = proto::Model::decode(bytes)
            .map_err(|error| Error::Field { what: error.to_string() })?;
        Ok(Model { proto, folder: None, unknown })
    }

    /// A field that this version does not know, if there is one.
    pub fn unknown(&self) -> Option<Unknown> {
        self.unknown
    }

    /// The bytes of the model.
    ///
    /// # Errors
    ///
    /// If something would be lost, or the model has become too large.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        if let Some(unknown) = self.unknown {
            return Err(Error::Unknown(unknown));
        }
        let size = self.proto.encoded_len() as u64;
        if size > LARGEST {
            return Err(Error::FileSize { bytes: size, accepted: LARGEST });
        }
        Ok(self.proto.encode_to_vec())
    }
}
