//! Writes a model to a file, with its weights.
//!
//! A model whose weights are in an external file gets its own external file next to it: `OUT.onnx` and
//! `OUT.onnx.data`. Both are first written under other names and then renamed, so that a model may replace
//! the one it was read from.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::constant::{contents, is_external};
use crate::error::Error;
use crate::model::Model;
use crate::proto::{Graph, StringStringEntry, Tensor};

/// The alignment of constants in an external file, so that they can be mapped into memory.
const ALIGNED: u64 = 4096;
/// Constants with fewer bytes stay in the model.
const SMALLEST: usize = 1024;

impl Model {
    /// Writes the model to a file; if it has weights in an external file, also writes a second file next to
    /// it.
    ///
    /// # Errors
    ///
    /// If something would be lost, weights cannot be read, or a file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let mut external = false;
        let mut model = self.clone();
        if let Some(graph) = &mut model.proto.graph {
            visit(graph, &mut |tensor| {
                external |= is_external(tensor);
                Ok(())
            })?;
        }
        let beside = with_ending(path, ".data");
        let unfinished = with_ending(&beside, ".part");
        if external {
            model.move_weights(&unfinished, &beside)?;
        }
        let part = with_ending(path, ".part");
        let failed = |path: &Path| {
            let path = path.to_path_buf();
            move |error: io::Error| Error::File { path, error }
        };
        fs::write(&part, model.to_bytes()?).map_err(failed(&part))?;
        if external {
            fs::rename(&unfinished, &beside).map_err(failed(&beside))?;
        }
        fs::rename(&part, path).map_err(failed(path))
    }

    /// Writes the weights to a file, and records in the model where they will be.
    fn move_weights(&mut self, unfinished: &Path, beside: &Path) -> Result<(), Error> {
        let folder = self.folder.clone();
        let failed = |error| Error::File { path: unfinished.into(), error };
        let location = beside.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut file = BufWriter::new(File::create(unfinished).map_err(failed)?);
        let mut at = 0_u64;
        let Some(graph) = &mut self.proto.graph else { return Ok(()) };
        visit(graph, &mut |tensor| {
            let large = tensor.raw_data.as_ref().is_some_and(|raw| raw.len() >= SMALLEST);
            if !is_external(tensor) && !large {
                return Ok(());
            }
            let bytes = contents(tensor, folder.as_deref())?;
            let offset = at.next_multiple_of(ALIGNED);
            io::copy(&mut io::Read::take(io::repeat(0), offset - at), &mut file).map_err(failed)?;
            file.write_all(&bytes).map_err(failed)?;
            at = offset + bytes.len() as u64;
            tensor.raw_data = None;
            tensor.data_location = Some(1);
            tensor.external_data = vec![
                entry("location", location.clone()),
                entry("offset", offset.to_string()),
                entry("length", bytes.len().to_string()),
            ];
            Ok(())
        })?;
        file.flush().map_err(failed)
    }
}

fn entry(key: &str, value: String) -> StringStringEntry {
    StringStringEntry { key: Some(key.into()), value: Some(value) }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// Visits every constant of a graph, including those of its bodies.
fn visit(
    graph: &mut Graph,
    each: &mut dyn FnMut(&mut Tensor) -> Result<(), Error>,
) -> Result<(), Error> {
    graph.initializer.iter_mut().try_for_each(&mut *each)?;
    for attribute in graph.node.iter_mut().flat_map(|node| &mut node.attribute) {
        attribute.t.iter_mut().try_for_each(|tensor| each(tensor))?;
        attribute.tensors.iter_mut().try_for_each(&mut *each)?;
        for body in attribute.g.iter_mut().map(AsMut::as_mut).chain(&mut attribute.graphs) {
            visit(body, each)?;
        }
    }
    Ok(())
}
