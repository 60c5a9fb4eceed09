//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

use crate::draw::Draw;

/// The command line.
#[derive(Parser)]
#[command(name = "viewmerge", version, about = ABOUT, long_about = LONG_ABOUT, after_help = EXIT_STATUS)]
pub struct Cli {
    /// How results are written.
    #[arg(long, value_enum, default_value_t = Format::Text, global = true)]
    pub format: Format,
    /// Whether results are coloured; NO_COLOR is respected.
    #[arg(long, value_enum, default_value_t = Colour::Auto, global = true, value_name = "WHEN")]
    pub color: Colour,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// How results are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For documents.
    Markdown,
    /// For programs: one JSON object on one line.
    Json,
    /// For papers; tables and equations only.
    Latex,
}

/// When to use colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Colour {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

const ABOUT: &str = "Is this stack of tensor views one view, and if not, why?";

const LONG_ABOUT: &str = "\
Is this stack of tensor views one view, and if not, why?

A view is written (shape):(strides)+offset [mask], for example
\"(10,3,3):(8,1,2)+5 [0:10,1:3,0:3]\". Strides left out are contiguous, the
word \"nothing\" stands for a view that is padding everywhere.

A chain is views and ops, memory side first, separated by | or given as
several arguments: \"(2,3,4) | permute(2,0,1) | reshape(8,3)\". Ops: reshape,
permute, transpose, expand, pad, shrink, slice, flip, step, squeeze, unsqueeze,
flatten, unflatten, as_strided.";

const EXIT_STATUS: &str = "Exit status: 0 yes, 1 no, 2 bad input.";

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Decide whether views merge into one: print it, or why there is none.
    #[command(after_help = "\
Examples:
  viewmerge merge \"(10,3,3):(8,1,2)\" \"(4):(4)\"
  viewmerge merge \"(3,2):(1,3) | (6)\"

Exit status: 0 one view, 1 not one view, 2 bad input.")]
    Merge {
        /// The views, memory side first.
        #[arg(required = true, value_name = "CHAIN")]
        chain: Vec<String>,
    },
    /// Decide whether a view, reshaped, is one view.
    #[command(after_help = "\
Examples:
  viewmerge reshape \"(4,3):(3,1)-3 [1:3,0:3]\" 12
  viewmerge reshape \"(6,4):(1,6)\" 2,3,-1

Exit status: 0 one view, 1 not one view, 2 bad input.")]
    Reshape {
        /// The view.
        view: String,
        /// The new sizes, one of them may be -1.
        #[arg(value_delimiter = ',', allow_hyphen_values = true, value_name = "SIZES")]
        shape: Vec<i64>,
    },
    /// Apply ops, and print the fewest views that are the same function.
    #[command(after_help = "\
Examples:
  viewmerge chain \"(2,3,4) | permute(2,0,1) | reshape(8,3) | pad((0,0),(1,1))\"
  viewmerge chain \"(6) | reshape(2,3) | permute(1,0) | slice(:,0:1)\"

Exit status: 0 one view, 1 more than one, 2 bad input.")]
    Chain {
        /// The first view and the ops.
        #[arg(required = true, value_name = "CHAIN")]
        chain: Vec<String>,
    },
    /// Say in words why a chain is not one view, what is to blame, and what would help.
    #[command(after_help = "\
Examples:
  viewmerge explain \"(10,3,3):(8,1,2)\" \"(6):(4)\"
  viewmerge explain --table \"(10,3,3):(8,1,2)\" \"(6):(4)\"
  viewmerge explain \"(2,3) | permute(1,0) | reshape(6)\"

Exit status: 0 one view, 1 not one view, 2 bad input.")]
    Explain {
        /// The views and ops, memory side first.
        #[arg(required = true, value_name = "CHAIN")]
        chain: Vec<String>,
        /// Add the overflow table (for two views).
        #[arg(long)]
        table: bool,
    },
    /// Find the strides for which a view of this shape merges with another.
    #[command(after_help = "\
Examples:
  viewmerge conditions \"(10,3,3)\" \"(6):(4)\"
  viewmerge conditions \"(10,3,3):(?,?,1)\" \"(6):(4)\"
  viewmerge conditions --table --format latex \"(10,3,3)\" \"(4):(4)\"

Exit status: 0 some strides merge, 1 none do, 2 bad input.")]
    Conditions {
        /// The view next to memory, with ? for a stride that is open.
        below: String,
        /// The view above it.
        above: String,
        /// Show the overflow table instead.
        #[arg(long)]
        table: bool,
    },
    /// Join the axes that run through memory as one: (size, stride, real size).
    #[command(after_help = "\
Examples:
  viewmerge dims \"(2,2,2):(0,0,1)\"
  viewmerge dims --format json \"(2,3,4)\"")]
    Dims {
        /// The view.
        view: String,
    },
    /// Decide whether two chains are the same function.
    #[command(after_help = "\
Examples:
  viewmerge equal \"(4,6) | reshape(24)\" \"(24)\"
  viewmerge equal \"(2,3) | reshape(6)\" \"(2,3) | permute(1,0) | reshape(6)\"

Exit status: 0 the same, 1 not the same, 2 bad input.")]
    Equal {
        /// The one chain.
        one: String,
        /// The other chain.
        other: String,
    },
    /// Print the index expression of a chain, with few divisions, in a language.
    #[command(after_help = "\
Examples:
  viewmerge expr \"(4,3):(1,4) | (12)\"
  viewmerge expr --lang python --names n \"(4,3):(1,4) | (12)\"
  viewmerge expr --lang mlir \"(18):(1)-2 [2:17] | (16,3):(1,1)\"
  viewmerge expr --lang tinygrad \"(2,2,2)\"

Without --lang it is one readable line; floors are called f0, f1 ...")]
    Expr {
        /// The views and ops, memory side first.
        #[arg(required = true, value_name = "CHAIN")]
        chain: Vec<String>,
        /// The language: c, cuda, opencl, wgsl, rust, python, mlir, isl, latex or tinygrad.
        #[arg(long)]
        lang: Option<String>,
        /// The names of the axes, separated by commas.
        #[arg(long, value_delimiter = ',')]
        names: Option<Vec<String>>,
        /// The name of the function, in languages that have functions.
        #[arg(long, default_value = "at", value_name = "NAME")]
        function: String,
        /// Write divisions by powers of two as shifts.
        #[arg(long)]
        shifts: bool,
    },
    /// Draw a view or a chain as SVG, PNG, PDF or TikZ.
    #[command(after_help = "\
Examples:
  viewmerge draw \"(2,3):(1,2)\" -o view.svg
  viewmerge draw --arrows \"(10,3,3):(8,1,2)\" \"(6):(4)\" -o merge.svg
  viewmerge draw --arrows \"(3,2) | permute(1,0) | reshape(6)\" --scale 2 -o merge.png
  viewmerge draw --guarded \"(18):(1)-2 [2:17] | (16,3):(1,1)\" -o window.pdf
  viewmerge draw \"(2,3) | permute(1,0)\" --as tikz > view.tex

A picture is at most about 1200 pixels wide: blocks of cells go on in another line. An arrow
between two blocks stands for all cells with its step.")]
    Draw(Draw),
    /// Answer one JSON question a line, in order.
    #[command(after_help = BATCH_HELP)]
    Batch {
        /// The file to read; standard input if left out or "-".
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Print a completion script for a shell.
    #[command(after_help = "Example:\n  viewmerge completions bash > viewmerge.bash")]
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

const BATCH_HELP: &str = r#"A line is one of
  {"views":[VIEW, ...]}
  {"view":VIEW,"new_shape":[...]}
  {"shape":[...],"ops":[["reshape",[...]],["permute",[...]],["expand",[...]],
    ["pad",[[before,after],...]],["shrink",[[lo,hi],...]],["flip",[axis,...]],["step",[k,...]]]}
where VIEW is {"shape":[...],"strides":[...],"offset":0,"mask":null | [[lo,hi],...] | "nothing"};
other fields are ignored. Every line gives one line:
  {"mergeable":true,"view":VIEW}
  {"mergeable":false,"witness":{...},"views":[the fewest views known]}
  {"error":{"kind":"...","message":"..."}}

Example:
  echo '{"shape":[2,3],"ops":[["permute",[1,0]],["reshape",[6]]]}' | viewmerge batch

Exit status: 0 when all lines were answered, also if some had errors; 2 if the file cannot be read."#;
