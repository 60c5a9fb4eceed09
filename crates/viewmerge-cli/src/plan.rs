//! `viewmerge plan`: the fewest bytes that the copies of a model must write, and why.
//!
//! `viewmerge-onnx` reads the model and `viewmerge-plan` plans it; this module reads and writes the files
//! and puts the answer into words.

mod picture;
mod rows;

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use viewmerge_onnx::{Converted, Model, emit, report};
use viewmerge_plan::{Planning, Target};

use crate::commands::no_latex;
use crate::options::Format;
use crate::show::{Answer, Refusal};

/// The arguments of `viewmerge plan`.
#[derive(Debug, Args)]
pub struct Plan {
    /// The model: an ONNX file whose shapes are numbers.
    #[arg(value_name = "MODEL.onnx")]
    pub model: PathBuf,
    /// What the ops can do, and at which cost: onnx, ort-cpu, nhwc, or a table of your own.
    #[arg(long, default_value = "onnx", value_name = "NAME|FILE.toml")]
    pub target: String,
    /// Write the planned model.
    #[arg(long, value_name = "FILE.onnx")]
    pub emit: Option<PathBuf>,
    /// Write a certificate for `viewmerge verify`: the plan, and the proof that none costs less.
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// The most bytes that copies of the model may write now: above, the exit status is 1.
    #[arg(long, value_name = "N")]
    pub max_bytes: Option<i64>,
    /// Draw the planned graph, with its layouts and copies.
    #[arg(long, value_name = "FILE.svg")]
    pub draw: Option<PathBuf>,
}

/// Plans a model.
///
/// The answer is *no* if copies write more bytes than allowed.
///
/// # Errors
///
/// If the model or the target is bad, or a file cannot be written.
pub fn run(asked: &Plan, format: Format) -> Result<Answer, Refusal> {
    no_latex(format)?;
    let said =
        |error: viewmerge_onnx::Error| Refusal::Bad(format!("{}: {error}", asked.model.display()));
    let model = Model::open(&asked.model).map_err(|error| match error {
        // The message names the file.
        viewmerge_onnx::Error::File { .. } => Refusal::Bad(error.to_string()),
        error => said(error),
    })?;
    let converted = Converted::new(&model).map_err(said)?;
    let target = target(&asked.target)?;
    let bad =
        |error: &dyn std::fmt::Display| Refusal::Bad(format!("{}: {error}", asked.model.display()));
    let planning = Planning::new(&converted.graph, &target).map_err(|error| bad(&error))?;
    let plan = planning.plan();
    if let Some(path) = &asked.certificate {
        write(path, &format!("{}\n", planning.certificate()))?;
    }
    let mut emitted = None;
    if let Some(path) = &asked.emit {
        let written = emit(&model, &converted, &planning.to_emit()).map_err(said)?;
        written.model.save(path).map_err(said)?;
        emitted = Some(written.copies);
    }
    if let Some(path) = &asked.draw {
        write(path, &picture::svg(&converted.graph, &plan))?;
    }
    // If a planned model is written, the bound is about that one.
    let bytes = emitted.as_ref().unwrap_or(&plan.now).bytes;
    let allowed = asked.max_bytes.is_none_or(|most| bytes <= most);
    match format {
        Format::Json => Answer::json(allowed, &report::json(&converted, &plan, emitted.as_ref())),
        _ => {
            let markdown = format == Format::Markdown;
            let text = report::text(&converted, &plan, emitted.as_ref(), markdown);
            Ok(Answer::new(allowed, text))
        }
    }
}

/// A target by its name, or from a file.
fn target(name: &str) -> Result<Target, Refusal> {
    if Path::new(name).extension().is_none_or(|ending| ending != "toml") {
        return Target::named(name).map_err(|error| error.to_string().into());
    }
    let text = fs::read_to_string(name).map_err(|error| format!("{name}: {error}"))?;
    Target::from_toml(&text).map_err(|error| format!("{name}: {error}").into())
}

fn write(path: &Path, text: &str) -> Result<(), Refusal> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()).into())
}
