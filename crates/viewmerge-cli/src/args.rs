//! The command line.

use std::path::PathBuf;

use clap::{Arg, Parser, Subcommand, value_parser};

use crate::cute::Cute;
use crate::draw::Draw;
use crate::options::{Colour, Declared, Format, Ranges, Refuted};
use crate::plan::Plan;
use crate::watch::Watch;

/// The command line.
#[derive(Parser)]
#[command(name = "viewmerge", version, about = ABOUT, long_about = LONG_ABOUT, after_help = EXIT_STATUS)]
pub struct Cli {
    /// How results are written; as text, if left out.
    #[arg(long, value_enum, global = true)]
    pub format: Option<Format>,
    /// Whether results are coloured; NO_COLOR is respected.
    #[arg(long, value_enum, default_value_t = Colour::Auto, global = true, value_name = "WHEN")]
    pub color: Colour,
    /// The most steps of search a question may take; without it every question is decided.
    #[arg(long, global = true, value_name = "N")]
    pub steps: Option<u64>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// `--format` for a command with a single format: hidden from its help, but read, so that
/// the refusal can say why.
fn no_format() -> Arg {
    Arg::new("format").long("format").value_parser(value_parser!(Format)).hide(true)
}

impl Command {
    /// What the command writes, if it has a single format.
    pub fn writes_only(&self) -> Option<&'static str> {
        match self {
            Command::Draw(_) => Some("pictures"),
            Command::Batch { .. } | Command::Certify { .. } => Some("JSON"),
            Command::Explore { .. } => Some("a link"),
            Command::Completions { .. } => Some("scripts"),
            Command::Man { .. } => Some("roff"),
            _ => None,
        }
    }
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

const EXIT_STATUS: &str = "\
Exit status: 0 yes, 1 no, 2 bad input or output that cannot be written, 3 undecided (with --steps).";

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Decide whether views merge into one: print it, or why there is none.
    #[command(after_help = "\
Examples:
  viewmerge merge \"(10,3,3):(8,1,2)\" \"(4):(4)\"
  viewmerge merge \"(3,2):(1,3) | (6)\"
  viewmerge merge --param N --param \"M%4==0\" \"(N,3,M) | permute(2,0,1) | reshape(M*N,3)\"
  viewmerge merge --param A --param B --param s:int \"(A,B):(s,1) | reshape(A*B)\"

With --param the views and ops may name parameters wherever they have numbers, in expressions with
+ - * // % and / for an exact division; the answer says for which parameters it is one view.

Exit status: 0 one view (with --param, for some parameters), 1 not one view, 2 bad input,
3 undecided.")]
    Merge {
        /// The views, memory side first.
        #[arg(required = true, value_name = "CHAIN")]
        chain: Vec<String>,
        /// The parameters.
        #[command(flatten)]
        declared: Declared,
    },
    /// Decide whether a view, reshaped, is one view.
    #[command(after_help = "\
Examples:
  viewmerge reshape \"(4,3):(3,1)-3 [1:3,0:3]\" 12
  viewmerge reshape \"(6,4):(1,6)\" 2,3,-1
  viewmerge reshape \"(6,4)\" \"(4,6)\"

Exit status: 0 one view, 1 not one view, 2 bad input, 3 undecided.")]
    Reshape {
        /// The view.
        view: String,
        /// The new sizes, such as 2,3 or (2,3); one of them may be -1.
        #[arg(allow_hyphen_values = true, value_name = "SIZES")]
        shape: Vec<String>,
    },
    /// Apply ops, and print the fewest views that are the same function.
    #[command(after_help = "\
Examples:
  viewmerge chain \"(2,3,4) | permute(2,0,1) | reshape(8,3) | pad((0,0),(1,1))\"
  viewmerge chain \"(6) | reshape(2,3) | permute(1,0) | slice(:,0:1)\"

Exit status: 0 one view, 1 more than one, 2 bad input, 3 undecided.")]
    Chain {
        /// The first view and the ops.
        #[arg(required = true, value_name = "CHAIN")]
        chain: Vec<String>,
    },
    /// Say in words why a chain is one view, or why not, what is to blame, and what would help.
    #[command(after_help = "\
Examples:
  viewmerge explain \"(10,3,3):(8,1,2)\" \"(4):(4)\"
  viewmerge explain \"(10,3,3):(8,1,2)\" \"(6):(4)\"
  viewmerge explain --table \"(10,3,3):(8,1,2)\" \"(6):(4)\"
  viewmerge explain \"(2,3) | permute(1,0) | reshape(6)\"
  viewmerge explain --param H --param T \"(H,T,64) | permute(1,0,2) | reshape(T,H*64)\"

With --param (see `viewmerge merge`) it says for which parameters it is one view, why not for others,
and what to assume or to copy.

Exit status: 0 one view, 1 not one view, 2 bad input, 3 undecided.")]
    Explain {
        /// The views and ops, memory side first.
        #[arg(required = true, value_name = "CHAIN")]
        chain: Vec<String>,
        /// Add the overflow table of every view below the last.
        #[arg(long, conflicts_with = "param")]
        table: bool,
        /// The parameters.
        #[command(flatten)]
        declared: Declared,
    },
    /// Find the strides for which a view of this shape merges with those above it.
    #[command(after_help = "\
Examples:
  viewmerge conditions \"(10,3,3)\" \"(6):(4)\"
  viewmerge conditions \"(10,3,3):(?,?,1)\" \"(6):(4)\"
  viewmerge conditions \"(2,3) | permute(1,0) | reshape(6)\"
  viewmerge conditions \"(4,3)\" \"(3):(?)\"
  viewmerge conditions --table --format latex \"(10,3,3)\" \"(4):(4)\"

Strides left out of the first view are open. Of two views the second may have ?
for strides, too: then the conditions are listed for all its strides that stay
within the first, 1000 at most.

Exit status: 0 some strides merge, 1 none do, 2 bad input, 3 undecided.")]
    Conditions {
        /// The view next to memory, with ? for a stride that is open, then views and ops.
        #[arg(required = true, value_name = "CHAIN")]
        chain: Vec<String>,
        /// Show the overflow table instead.
        #[arg(long)]
        table: bool,
    },
    /// Fuse the axes that can be fused: (size, stride, real size).
    #[command(after_help = "\
Examples:
  viewmerge dims \"(2,2,2):(0,0,1)\"
  viewmerge dims \"(2,3,4) | permute(1,2,0)\"
  viewmerge dims --format json \"(2,3,4)\"

Exit status: 0 one view, 1 not one view, 2 bad input.")]
    Dims {
        /// The view, or views and ops that are one view.
        #[arg(required = true, value_name = "CHAIN")]
        chain: Vec<String>,
    },
    /// Decide whether a chain is one view after cutting axes: print the coarsest split and the view
    /// over it, or why there is none.
    #[command(after_help = "\
Examples:
  viewmerge split \"(4,3):(1,4) | (12)\"
  viewmerge split \"(2,3,4) | permute(2,0,1) | reshape(8,3)\"
  viewmerge split \"(3,6):(10,1) | (18) | pad((0,2))\"
  viewmerge split --param N --param M \"(N,M) | permute(1,0) | flatten()\"

A split is written as the shape, an axis that is cut as the tuple of its factors. If no split
works, the command looks for one with padding, then for one with guards; only a guarded one may be
missed. With --param the answer says for which parameters which split is the coarsest one;
padding and guards are not looked for.

Exit status: 0 a split was found (with --param, for some parameters), 1 none, 2 bad input,
3 undecided.")]
    Split {
        /// The views and ops, memory side first.
        #[arg(required = true, value_name = "CHAIN")]
        chain: Vec<String>,
        /// The parameters.
        #[command(flatten)]
        declared: Declared,
    },
    /// Ask about CuTe layouts: compose, divide, invert and so on, each decided exactly.
    #[command(after_help = "\
Examples:
  viewmerge cute compose \"(10,2):(16,4)\" \"(3,4):(1,5)\"
  viewmerge cute compose \"(6,2):(1,7)\" \"(3,2):(2,3)\"
  viewmerge cute complement 4:2 24
  viewmerge cute logical_divide \"(9,(4,8)):(59,(13,1))\" \"<3:3,(2,4):(1,8)>\"
  viewmerge cute is_injective \"(1000000,1001):(1000,1)\"
  viewmerge cute plain \"Sw<1,0,1> o 0 o 2:2\"
  viewmerge cute draw \"((2,2),(4,2)):((1,16),(2,8))\" -o layout.svg
  viewmerge cute draw \"((4,8),(2,2)):((32,1),(16,8))\" --thread-value --tile 16,8 -o threads.svg
  viewmerge cute compose \"(4,8):(1@0,1@1)\" \"(4,2):(1,12)\"
  viewmerge cute atoms SM80
  viewmerge cute draw SM80_16x8x16_F32F16F16F32_TN.A -o a.svg
  viewmerge cute banks \"Sw<3,3,3> o 0 o (8,64):(64,1)\" \"(8,8):(1,8)\" --bytes 2 --vector 8
  viewmerge cute sectors 32:2
  viewmerge cute tiled_mma SM80_16x8x16_F32F16F16F32_TN \"(2,2,1)\"
  viewmerge cute local_tile \"(16,32):(32,1)\" \"<8,8>\" --at 1,2

Operations: compose, coalesce, complement, left_inverse, right_inverse, logical_divide,
zipped_divide, tiled_divide, flat_divide, logical_product, blocked_product, raked_product,
zipped_product, tiled_product, flat_product, equal, is_injective, cosize, size, plain; draw makes a
picture, atoms lists matrix instructions, whose operands can be drawn; banks counts the conflicts of
threads that read a memory (A its layout, B which thread reads what), sectors what they fetch; tiled_mma,
tiled_copy and local_tile put threads and tiles as CuTe does. A layout is written shape:strides, nested, the first mode fastest; without
strides it is compact. <A,B> is a tiler, a layout for each mode. A stride k@i belongs to coordinate i; an
origin may come first, (2,0) o (4,8):(1@0,1@1).

Exit status: 0 a layout, a number or yes, 1 no layout exists, no, or conflicts, 2 bad input, 3 undecided.")]
    Cute(Cute),
    /// Decide whether two chains are the same function.
    #[command(after_help = "\
Examples:
  viewmerge equal \"(4,6) | reshape(24)\" \"(24)\"
  viewmerge equal \"(2,3) | reshape(6)\" \"(2,3) | permute(1,0) | reshape(6)\"
  viewmerge equal --param N --param M \"(N,M) | flatten()\" \"(N,M) | permute(1,0) | flatten()\"

With --param (see `viewmerge merge`) the answer says for which parameters they are the same, and shows
values and an index where they differ.

Exit status: 0 the same (with --param, for some parameters), 1 a different function, 2 bad input,
3 undecided.")]
    Equal {
        /// The first chain.
        one: String,
        /// The second chain.
        other: String,
        /// The parameters.
        #[command(flatten)]
        declared: Declared,
    },
    /// Write down an answer with a proof that anybody can check, as one line of JSON.
    #[command(after_help = "\
Examples:
  viewmerge certify \"(10,3,3):(8,1,2)\" \"(4):(4)\"
  viewmerge certify \"(2,3) | permute(1,0) | reshape(6)\"
  viewmerge certify \"(4,6) | reshape(24)\" --equal \"(24)\"
  viewmerge certify \"(3):(2)\" \"(4)\" --refute composes
  viewmerge certify \"(4,3):(1,1)\" --refute injective
  viewmerge certify --param N --param M --at N=3,M=1 \"(N,M) | permute(1,0) | flatten()\"
  viewmerge certify --param N --param M \"(N,M) | flatten()\"

With --param (see `viewmerge merge`) --at gives the values; without --at, the certificate shows that the chain is one
view for all values.

Exit status: 0 one view or the same, 1 not, 2 bad input, 3 undecided.")]
    Certify {
        /// The views and ops, memory side first.
        #[arg(required = true, value_name = "CHAIN")]
        chain: Vec<String>,
        /// Another chain: is it the same function?
        #[arg(long, value_name = "CHAIN")]
        equal: Option<String>,
        /// Show instead that views do not compose, or that a view is not injective.
        #[arg(long, value_name = "WHAT", conflicts_with = "equal")]
        refute: Option<Refuted>,
        /// The parameters.
        #[command(flatten)]
        declared: Declared,
        /// The values of the parameters: N=3,M=5.
        #[arg(long, value_name = "NAME=VALUE,...", requires = "param", value_delimiter = ',')]
        at: Vec<String>,
    },
    /// Print the index expression of a chain, with few divisions, in a language.
    #[command(after_help = "\
Examples:
  viewmerge expr \"(4,3):(1,4) | (12)\"
  viewmerge expr --lang python --names n \"(4,3):(1,4) | (12)\"
  viewmerge expr --lang mlir \"(18):(1)-2 [2:17] | (16,3):(1,1)\"
  viewmerge expr --lang triton --bare \"(18):(1)-2 [2:17] | (16,3):(1,1)\"
  viewmerge expr --split \"(4,3):(1,4) | (12)\"
  viewmerge expr --lang tinygrad \"(2,2,2)\"
  viewmerge expr --lang c --param N --param M \"(N,M) | permute(1,0) | flatten()\"

With --param (see `viewmerge merge`) the parameters are arguments before the indices.

Without --lang it is one readable line; floors are called f0, f1 ...

Exit status: 0 written, 2 bad input.")]
    Expr {
        /// The views and ops, memory side first.
        #[arg(required = true, value_name = "CHAIN")]
        chain: Vec<String>,
        /// The language: c, cuda, opencl, metal, hlsl, wgsl, rust, python, triton, mlir, isl, latex
        /// or tinygrad.
        #[arg(long)]
        lang: Option<String>,
        /// The names of the axes, separated by commas.
        #[arg(long, value_delimiter = ',')]
        names: Option<Vec<String>>,
        /// The name of the function, in languages that have functions; "at" if left out.
        #[arg(long, value_name = "NAME", conflicts_with = "bare")]
        function: Option<String>,
        /// Write divisions by powers of two as shifts.
        #[arg(long)]
        shifts: bool,
        /// Write guard and position alone, to be put into other code, after the
        /// definitions of the floors they use.
        #[arg(long)]
        bare: bool,
        /// Write the expression over split loops, which need no division, if there is a split
        /// (see `viewmerge split`).
        #[arg(long)]
        split: bool,
        /// The parameters.
        #[command(flatten)]
        declared: Declared,
    },
    /// Simplify an index expression: the fewest divisions, where it is valid.
    #[command(after_help = "\
Examples:
  viewmerge simplify \"(4*i + j) // 8 * 16 + (4*i + j) % 8 * 2\" --range i=0:16 --range j=0:4
  viewmerge simplify \"(i - 3) // 7 + i\" --range i=0:32 --valid \"3 <= i < 10\"
  viewmerge simplify \"FloorDiv(i, 3) + ModularIndexing(i, 3, 5)\" --range i=0:15
  viewmerge simplify \"i // 4 * 4 + i % 4\" --range i=0:
  viewmerge simplify \"affine_map<(d0) -> (d0 mod 8 floordiv 2)>\" --range d0=0:8

An expression has integers, names, + - *, // and % by numbers, min, max, where(c, a, b),
comparisons with and, or, not; tinygrad's, sympy's, MLIR's and isl's spelling is read as well.

Exit status: 0 simplified, 1 not one view (with --view), 2 bad input, 3 undecided.")]
    Simplify {
        /// The expression, or a condition.
        #[arg(value_name = "EXPR", allow_hyphen_values = true)]
        expression: String,
        /// The variables.
        #[command(flatten)]
        ranges: Ranges,
        /// Print it as a view: plain, with guards or over cut axes; or why it is none of these.
        #[arg(long, conflicts_with = "certify")]
        view: bool,
        /// Write it as a function in a language: c, cuda, opencl, metal, hlsl, wgsl, rust, python,
        /// triton; or in mlir, isl, latex or tinygrad.
        #[arg(long, conflicts_with_all = ["certify", "view"])]
        lang: Option<String>,
        /// With --lang: value and condition alone.
        #[arg(long, requires = "lang")]
        bare: bool,
    },
    /// Decide whether two index expressions are the same.
    #[command(after_help = "\
Examples:
  viewmerge same \"i // 2 % 120 // 6\" \"i // 12 % 20\" --range i=0:999
  viewmerge same \"i % 5\" \"i\" --range i=0:9 --valid \"i < 5\"

Exit status: 0 the same, 1 a different function, 2 bad input, 3 undecided.")]
    Same {
        /// The first expression.
        #[arg(allow_hyphen_values = true)]
        one: String,
        /// The second expression.
        #[arg(allow_hyphen_values = true)]
        other: String,
        /// The variables.
        #[command(flatten)]
        ranges: Ranges,
    },
    /// Draw a view or a chain as SVG, PNG, PDF or TikZ.
    #[command(arg = no_format(), after_help = "\
Examples:
  viewmerge draw \"(2,3):(1,2)\" -o view.svg
  viewmerge draw --arrows \"(10,3,3):(8,1,2)\" \"(6):(4)\" -o merge.svg
  viewmerge draw --arrows \"(3,2) | permute(1,0) | reshape(6)\" --scale 2 -o merge.png
  viewmerge draw --split \"(4,3):(1,4) | (12)\" -o tiles.svg
  viewmerge draw --guarded \"(18):(1)-2 [2:17] | (16,3):(1,1)\" -o window.pdf
  viewmerge draw \"(2,3) | permute(1,0)\" --as tikz > view.tex

A picture is at most about 1200 pixels wide: blocks of cells go on in another line. An arrow
between two blocks stands for all cells with its step.")]
    Draw(Draw),
    /// Answer one JSON question a line, in order.
    #[command(arg = no_format(), after_help = BATCH_HELP)]
    Batch {
        /// The file to read; standard input if left out or "-".
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Check certificates: print what each one shows, or why it is refused.
    #[command(after_help = VERIFY_HELP)]
    Verify {
        /// The file to read; standard input if left out or "-".
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Plan a model: how few bytes its copies must write, why, and the model that writes no more.
    #[command(after_help = "\
Examples:
  viewmerge plan model.onnx
  viewmerge plan model.onnx --target ort-cpu --emit planned.onnx
  viewmerge plan model.onnx --certificate plan.json --draw plan.svg
  viewmerge plan model.onnx --max-bytes 65536 --format json

A layout is an order of digits; reshapes and transposes only rename them. A copy is needed where what two
ops accept differs, and the answer says which two. Bytes are those that copies write. docs/plan.md
explains targets and what is proved.

Exit status: 0 planned, 1 more bytes than --max-bytes (with --emit: in the model that is written),
2 bad input or a file that cannot be written.")]
    Plan(Plan),
    /// Explore a chain in the browser: serve one page to this machine, until it is stopped.
    #[command(arg = no_format(), after_help = "\
Examples:
  viewmerge explore
  viewmerge explore \"(10,3,3):(8,1,2)\" \"(6):(4)\"
  viewmerge explore --no-open --port 8000

The page holds the whole library: no question leaves this machine.")]
    Explore {
        /// The views and ops to begin with, memory side first.
        #[arg(value_name = "CHAIN")]
        chain: Vec<String>,
        /// The port to listen on; a free one for 0.
        #[arg(long, default_value_t = 0)]
        port: u16,
        /// Print the link, but open no browser.
        #[arg(long)]
        no_open: bool,
    },
    /// Run a Python script and report where it copies tensors for the sake of a layout, why, and what
    /// would avoid it.
    #[command(after_help = "\
Examples:
  viewmerge watch train.py --epochs 1
  viewmerge watch train.py::step
  viewmerge watch --html -o copies.html train.py
  viewmerge watch --python ~/torch/bin/python --format json -o copies.json -m my.training

Needs the Python package viewmerge. Tensors of PyTorch are watched, and arrays of NumPy that the script
passes through viewmerge.mark. What follows the script is the script's.

Exit status: that of the script; 2 if there is no interpreter with the package.")]
    Watch(Watch),
    /// Print a completion script for a shell.
    #[command(
        arg = no_format(),
        after_help = "Example:\n  viewmerge completions bash > viewmerge.bash"
    )]
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print a page of the manual, in roff.
    #[command(arg = no_format(), after_help = "\
Examples:
  viewmerge man > viewmerge.1
  viewmerge man merge > viewmerge-merge.1")]
    Man {
        /// The command that the page is about; the page of viewmerge itself if left out.
        #[arg(value_name = "COMMAND")]
        page: Option<String>,
    },
}

const BATCH_HELP: &str = r#"A line is one of
  {"views":[VIEW, ...]}
  {"view":VIEW,"new_shape":[size, ...]}
  {"shape":[size, ...],"ops":[OP, ...]}
  {"chain":"views and ops, as text"}
where VIEW is {"shape":[...],"strides":[...],"offset":0,"mask":null | [[lo,hi],...] | "nothing"},
with optional strides, offset and mask, and OP is the name of an op with its arguments, one of
  ["reshape",[size, ...]]            ["slice",["start:stop:step", ...]]
  ["permute",[axis, ...]]            ["transpose",[axis,axis]]
  ["expand",[size, ...]]             ["squeeze",[axis]]
  ["pad",[[before,after], ...]]      ["unsqueeze",[axis]]
  ["shrink",[[lo,hi], ...]]          ["flatten",[first axis,last axis]] or ["flatten",[]]
  ["flip",[axis, ...]]               ["unflatten",[axis,[size, ...]]]
  ["step",[number, ...]]             ["as_strided",[[size, ...],[stride, ...],offset]]
"steps":N beside them is the line's own --steps, "certify":true adds a member "certificate" to the
answer, "split":true asks for the coarsest split instead; a member that looks mistyped is refused, others
are ignored. Every line gives one line:
  {"mergeable":true,"view":VIEW}
  {"mergeable":false,"witness":{...},"views":[the fewest views known]}
  {"error":{"kind":"...","message":"..."}}    kind "undecided": the steps did not suffice
and with "split":true
  {"split":[[factor, ...], ...],"view":VIEW}
  {"split":null,"witness":{...}}    and "padded" or "guarded", if there is such a split

A line with parameters is {"params":{"N":{"min":1,"max":null,"multiple":1}},"chain":"..."}. Members of
a parameter are optional, and a null min means none; the chain may name the parameters. It gives
  {"verdict":"always" | "never" | "when","requires":null | "...","cases":[{"when":null | "...","view":
   {"shape":["3*N"],"strides":["1"],"offset":"0","mask":null}}, ...],"open":null | "..."}
with expressions in Python syntax; the first case whose condition holds applies. With "split":true a case
has a member "split", [["M","N"]], the coarsest split, and its view is over the factors. With "other":"..."
beside the chain, another chain, it says whether they are the same function:
  {"equal":true | false | null,"point":null | {"N":2},"index":null | [1],"same":null | "...",
   "requires":null | "...","open":null | "..."}

A line about CuTe layouts (see viewmerge cute) is {"cute":"compose","a":"4:1","b":"2:2","extend":false},
with optional b and extend. It gives {"layout":"..."}, {"layout":null,"witness":{...}} or {"value":...}.

Examples:
  echo '{"shape":[2,3],"ops":[["permute",[1,0]],["reshape",[6]]]}' | viewmerge batch
  echo '{"chain":"(2,3) | permute(1,0) | reshape(6)"}' | viewmerge batch

Exit status: 0 when all lines were answered, also if some had errors; 2 if the file cannot be
read or the answers cannot be written."#;

const VERIFY_HELP: &str = r#"A file holds one certificate, or one per line; docs/certificates.md defines the format. The checker
shares nothing with what makes certificates.

Example:
  echo '{"views":[{"shape":[3],"strides":[1],"offset":0,"mask":null}],"other":[{"shape":[3],"strides":[2],"offset":0,"mask":null}],"differ":[1]}' | viewmerge verify

Exit status: 0 all hold, 1 one does not, 2 one is not a certificate or the file cannot be read, 3 one is too large."#;
