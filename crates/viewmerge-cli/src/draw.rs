//! `viewmerge draw`: a picture of a view or a chain, in one of four formats.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use viewmerge::Limit;
use viewmerge_draw::{Drawing, Theme};
use viewmerge_index::{IndexChain, Tiling};

use crate::commands::read_chain;
use crate::show::{Answer, Refusal, written};

/// What to draw, and where to.
#[derive(Args)]
pub struct Draw {
    /// The views and ops, memory side first.
    #[arg(required = true, value_name = "CHAIN")]
    chain: Vec<String>,
    #[command(flatten)]
    picture: Picture,
    /// Draw the merge itself: the steps, and where they differ.
    #[arg(long)]
    arrows: bool,
    /// Draw the chain as one view with guards, if it is one.
    #[arg(long, conflicts_with = "arrows")]
    guarded: bool,
    /// Draw the chain with its axes cut so that it is one view, if there is such a split.
    #[arg(long, conflicts_with_all = ["arrows", "guarded"])]
    split: bool,
}

/// How a picture is written.
#[derive(Args)]
pub struct Picture {
    /// The file to write, .svg, .png, .pdf or .tex; standard output for "-".
    #[arg(short, long, default_value = "-", value_name = "FILE")]
    output: PathBuf,
    /// The format, whatever the file is called; SVG for standard output.
    #[arg(long = "as", value_enum, value_name = "FORMAT")]
    file_format: Option<PictureFormat>,
    /// The page that the picture is for.
    #[arg(long, value_enum, default_value_t = Page::Auto)]
    theme: Page,
    /// The pixels of a PNG for each of the picture, from 0.1 to 16.
    #[arg(long, default_value_t = 1.0, value_name = "FACTOR")]
    scale: f64,
}

/// The format of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum PictureFormat {
    /// For browsers and documents.
    Svg,
    /// For everything else.
    Png,
    /// For print, with text that can be copied.
    Pdf,
    /// For papers: a TeX document with one tikzpicture.
    Tikz,
}

/// The page that a picture is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Page {
    /// SVG follows the reader's preference, other formats are for light pages.
    Auto,
    /// A white background.
    Light,
    /// A dark background.
    Dark,
}

/// `viewmerge draw`
///
/// # Errors
///
/// If the input is bad, the limit was reached, or the file cannot be written.
pub fn run(asked: &Draw, limit: &Limit<'_>) -> Result<Answer, Refusal> {
    let chain = read_chain(&asked.chain)?;
    let format = asked.picture.format()?;
    let drawing = match chain.views() {
        _ if asked.guarded => match chain.guarded(limit)? {
            Some(view) => Drawing::of_guarded(&view),
            None => return Err("this chain needs divisions, it is no view with guards".into()),
        },
        _ if asked.split => match chain.tiling(limit)? {
            none @ Tiling::NotFound { .. } => return Err(none.to_string().into()),
            tiling => Drawing::of_tiling(&chain, &tiling),
        },
        _ if asked.arrows => Drawing::of_merge(&chain),
        [view] => Drawing::of_view(view),
        _ => Drawing::of_chain(&chain),
    };
    asked.picture.write(drawing, format)
}

impl Picture {
    /// The format asked for, or the one that the file's name implies.
    ///
    /// # Errors
    ///
    /// If the name implies none.
    pub fn format(&self) -> Result<PictureFormat, Refusal> {
        match self.file_format {
            Some(format) => Ok(format),
            None if self.output == Path::new("-") => Ok(PictureFormat::Svg),
            None => Ok(format_of(&self.output)?),
        }
    }

    /// Whether any option of the picture was given.
    pub fn is_asked_for(&self) -> bool {
        let plain = self.output == Path::new("-") && self.theme == Page::Auto && self.scale == 1.0;
        !plain || self.file_format.is_some()
    }

    /// Writes a drawing.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or the picture does not fit this format.
    pub fn write(&self, drawing: Drawing, format: PictureFormat) -> Result<Answer, Refusal> {
        write(self, drawing, format)
    }
}

fn write(asked: &Picture, drawing: Drawing, format: PictureFormat) -> Result<Answer, Refusal> {
    let to_stdout = asked.output == Path::new("-");
    let drawing = drawing.theme(match asked.theme {
        Page::Auto => Theme::Auto,
        Page::Light => Theme::Light,
        Page::Dark => Theme::Dark,
    });
    let mut file = match format {
        PictureFormat::Svg => drawing.to_svg().into_bytes(),
        PictureFormat::Tikz => drawing.to_tikz().into_bytes(),
        PictureFormat::Png => drawing.to_png(asked.scale).map_err(|e| e.to_string())?,
        PictureFormat::Pdf => drawing.to_pdf().map_err(|e| e.to_string())?,
    };
    if !to_stdout {
        let written = std::fs::write(&asked.output, file);
        written.map_err(|e| format!("{}: {e}", asked.output.display()))?;
        return Ok(Answer::silent());
    }
    let mut out = std::io::stdout().lock();
    let ending = match format {
        PictureFormat::Svg | PictureFormat::Tikz => None,
        PictureFormat::Png => Some("png"),
        PictureFormat::Pdf => Some("pdf"),
    };
    if let (Some(ending), true) = (ending, out.is_terminal()) {
        return Err(
            format!("this is no text for a terminal, give a file: -o picture.{ending}").into()
        );
    }
    if ending.is_none() && !file.ends_with(b"\n") {
        file.push(b'\n');
    }
    written(out.write_all(&file).and_then(|()| out.flush()))?;
    Ok(Answer::silent())
}

/// The format that the name of a file implies.
fn format_of(file: &Path) -> Result<PictureFormat, String> {
    let ending = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match ending.as_str() {
        // Devices and pipes have no extension.
        "" | "svg" => Ok(PictureFormat::Svg),
        "png" => Ok(PictureFormat::Png),
        "pdf" => Ok(PictureFormat::Pdf),
        "tex" | "tikz" => Ok(PictureFormat::Tikz),
        _ => Err(format!(
            "{}: pictures are .svg, .png, .pdf or .tex; for another name give the format with --as",
            file.display()
        )),
    }
}
