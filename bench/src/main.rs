//! Measures viewmerge and its peers. `bench/run` calls it:
//!
//! - `questions FOLDER` writes the questions for all programs;
//! - the peers (`bench/peers/`) write their answers into the same folder;
//! - `report FOLDER` measures viewmerge, judges all answers, and writes
//!   `docs/performance.md` and its charts.
//!
//! `bench/crates/run` calls `crates-questions FOLDER` and `crates FOLDER`, which prints the table
//! of the array crates. `layouts FOLDER` and `layouts-report FOLDER` do the same for splits and CuTe
//! layouts alone. `low-rank COUNT` prints how long random questions about long axes take.
//! `kernels FOLDER` prints the sections about the kernels that `bench/peers/tinygrad_kernels.py` and
//! `bench/peers/inductor_kernels.py` recorded.
//! `equal FOLDER` prints the one about pairs of expressions.
//! `simplify FILE` simplifies a file of expressions and counts the divisions that remain.
//! `bench/instructions` calls `workload NAME PASSES`, which does a fixed amount
//! of work, so that its instructions can be counted.

mod chart;
mod clock;
mod completeness;
mod corpus;
mod crates;
mod equal;
mod expressions;
mod families;
mod growth;
mod layouts;
mod low_rank;
mod peers;
mod question;
mod random;
mod report;
mod sets;
mod speed;
mod splits;
mod walk;
mod workload;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["questions", folder] => {
            sets::write(Path::new(folder)).and_then(|()| layouts::write(Path::new(folder)))
        }
        ["report", folder] => report::write(Path::new(folder)),
        ["crates-questions", folder] => crates::write(Path::new(folder)),
        ["crates", folder] => print_crates(Path::new(folder)),
        ["layouts", folder] => layouts::write(Path::new(folder)),
        ["layouts-report", folder] => print_layouts(Path::new(folder)),
        ["low-rank", count] => print_low_rank(count),
        ["equal", folder] => equal::section(Path::new(folder)).map(|text| print!("{text}")),
        ["kernels", folder] => print_kernels(Path::new(folder)),
        ["simplify", path] => corpus::run(path, false),
        ["simplify", path, "--list"] => corpus::run(path, true),
        ["workload", name, passes] => workload::run(name, passes),
        _ => Err("usage: viewmerge-bench questions|report|crates-questions|crates|layouts|layouts-report|kernels|equal FOLDER | low-rank COUNT | simplify FILE [--list] | workload NAME PASSES".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("viewmerge-bench: {error}");
            ExitCode::from(2)
        }
    }
}

fn print_layouts(folder: &Path) -> Result<()> {
    let (sets, trackers) = (sets::known()?, sets::trackers()?);
    println!("{}\n{}", splits::section(&sets[0], &trackers)?, layouts::section(folder)?);
    Ok(())
}

fn print_kernels(folder: &Path) -> Result<()> {
    print!("{}\n{}", corpus::section(folder)?, corpus::inductor(folder)?);
    Ok(())
}

fn print_crates(folder: &Path) -> Result<()> {
    print!("{}", crates::section(folder)?);
    Ok(())
}

fn print_low_rank(count: &str) -> Result<()> {
    print!("{}", low_rank::section(count.parse()?)?);
    Ok(())
}

/// Any error ends the run with a message.
type Result<T, E = Box<dyn std::error::Error>> = std::result::Result<T, E>;
