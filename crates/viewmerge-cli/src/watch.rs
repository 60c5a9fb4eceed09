//! `viewmerge watch`: where a Python program copies.
//!
//! The Python package does the watching; this module finds an interpreter that has it,
//! runs `python -m viewmerge watch`, and returns its exit status.
//!
//! The interpreter is that of `--python`, else of the virtual environment in use, else
//! `python3`, else `python`.

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use clap::Args;

use crate::options::Format;
use crate::show::{Answer, Refusal};

/// The arguments of `viewmerge watch`.
#[derive(Debug, Args)]
pub struct Watch {
    /// The Python interpreter; that of the virtual environment in use, or python3, if left out.
    #[arg(long, value_name = "PROGRAM")]
    pub python: Option<PathBuf>,
    /// Write the report as HTML; takes --output.
    #[arg(long)]
    pub html: bool,
    /// Where to write the report: a file, or fd:3 for a descriptor that is open.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<OsString>,
    /// Show only the N rows with most bytes.
    #[arg(long, value_name = "N")]
    pub top: Option<u64>,
    /// Show only rows of at least so many bytes; K, M or G may follow the number.
    #[arg(long, value_name = "N")]
    pub min_bytes: Option<String>,
    /// Add the two places that prove that a reshape must copy.
    #[arg(long)]
    pub why: bool,
    /// Run a module, as `python -m` does.
    #[arg(short, value_name = "MODULE")]
    pub module: Option<OsString>,
    /// The script, or script.py::function, and what it is given.
    #[arg(
        required_unless_present = "module",
        value_name = "SCRIPT",
        num_args = 1..,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub script: Vec<OsString>,
}

/// Exits with 0 if the package can be imported, with 3 if it is not installed.
const PROBE: &str =
    "import importlib.util,sys;sys.exit(0 if importlib.util.find_spec('viewmerge') else 3)";

/// Runs the script under watch, and returns its exit status.
///
/// # Errors
///
/// If there is no interpreter, or it lacks the package viewmerge.
pub fn run(asked: &Watch, format: Format) -> Result<Answer, Refusal> {
    let style = match (format, asked.html) {
        (Format::Text, false) => None,
        (Format::Text, true) => Some("--html"),
        (Format::Json, false) => Some("--json"),
        (Format::Json, true) => return Err("--html does not go with --format json".into()),
        (Format::Markdown | Format::Latex, _) => {
            return Err("a report is written as text, as JSON, or with --html as HTML".into());
        }
    };
    if style.is_some() && asked.output.is_none() {
        return Err(
            "--html and --format json take --output: on the standard output they would mix with \
                    what the script prints"
                .into(),
        );
    }
    let python = interpreter(asked.python.as_deref(), std::env::var_os("VIRTUAL_ENV").as_deref())?;
    let mut command = Command::new(&python);
    command.args(["-m", "viewmerge", "watch"]).args(style).args(options(asked)).args(&asked.script);
    let ended = command.status().map_err(|error| format!("{}: {error}", python.display()))?;
    Ok(Answer::status(status(ended)))
}

/// The options passed to the package unchanged.
fn options(asked: &Watch) -> Vec<OsString> {
    let mut found: Vec<OsString> = Vec::new();
    if let Some(file) = &asked.output {
        found.extend(["--output".into(), file.clone()]);
    }
    if let Some(rows) = asked.top {
        found.extend(["--top".into(), rows.to_string().into()]);
    }
    if let Some(bytes) = &asked.min_bytes {
        found.extend(["--min-bytes".into(), bytes.into()]);
    }
    if asked.why {
        found.push("--why".into());
    }
    if let Some(module) = &asked.module {
        found.extend(["-m".into(), module.clone()]);
    }
    found
}

/// An interpreter that has the package.
fn interpreter(given: Option<&Path>, environment: Option<&OsStr>) -> Result<PathBuf, Refusal> {
    let within = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    let places: Vec<PathBuf> = match (given, environment.filter(|folder| !folder.is_empty())) {
        (Some(given), _) => vec![given.into()],
        (None, Some(folder)) => vec![Path::new(folder).join(within)],
        (None, None) => vec!["python3".into(), "python".into()],
    };
    for place in &places {
        let mut probe = Command::new(place);
        let probe = probe.args(["-c", PROBE]).stdin(Stdio::null()).output();
        let name = place.display();
        match probe {
            Ok(probe) if probe.status.success() => return Ok(place.clone()),
            Ok(probe) if probe.status.code() == Some(3) => {
                return Err(format!(
                    "{name} has no package viewmerge: install it with `{name} -m pip install WHEEL`, where \
                     WHEEL is what scripts/wheel builds, or choose another interpreter with --python"
                )
                .into());
            }
            Ok(probe) => {
                let told = String::from_utf8_lossy(&probe.stderr);
                let told = told.trim().lines().last().unwrap_or("no reason given");
                return Err(format!("{name} is no Python interpreter that runs: {told}").into());
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(format!("{name}: {error}").into()),
        }
    }
    let places: Vec<String> = places.iter().map(|place| place.display().to_string()).collect();
    let places = places.join(" nor ");
    Err(format!("there is no {places}: give a Python interpreter with --python").into())
}

/// The exit status of a process, as a shell reports it.
fn status(ended: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&ended) {
        return u8::try_from(signal).map_or(u8::MAX, |signal| signal.saturating_add(128));
    }
    ended.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}
