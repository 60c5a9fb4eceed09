//! The `viewmerge` command: is this stack of tensor views one view?
//!
//! Results go to standard output, messages to standard error. Exit status 0
//! means yes, 1 no, 2 bad input or a result that cannot be written, 3 undecided.

use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use viewmerge::Limit;
use viewmerge_cli::args::{Cli, Command};
use viewmerge_cli::{batch, certify, commands, show, verify};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(told) => return show::finish_early(&told),
    };
    show::set_colour(cli.color);
    let limit = cli.steps.map_or(Limit::none(), Limit::steps);
    let answer = match cli.command {
        Command::Merge { chain } => commands::merge(&chain, &limit, cli.format),
        Command::Reshape { view, shape } => commands::reshape(&view, &shape, &limit, cli.format),
        Command::Chain { chain } => commands::chain(&chain, &limit, cli.format),
        Command::Explain { chain, table } => commands::explain(&chain, table, &limit, cli.format),
        Command::Conditions { chain, table } => {
            commands::conditions(&chain, table, &limit, cli.format)
        }
        Command::Dims { chain } => commands::dims(&chain, &limit, cli.format),
        Command::Equal { one, other } => commands::equal(&one, &other, &limit, cli.format),
        Command::Expr { chain, lang, names, function, shifts, bare } => {
            let (lang, names, function) = (lang.as_deref(), names.as_deref(), function.as_deref());
            let wanted = commands::Wanted { lang, names, function, shifts, bare };
            commands::expr(&chain, &wanted, &limit, cli.format)
        }
        Command::Draw { chain, output, arrows, guarded } => {
            commands::draw(&chain, &output, arrows, guarded, &limit)
        }
        Command::Batch { file } => {
            let done = batch::run(file.as_deref(), limit);
            done.map(|()| show::Answer::silent()).map_err(show::Refusal::from)
        }
        Command::Certify { chain, equal } => certify::run(&chain, equal.as_deref(), &limit),
        Command::Verify { file } => verify::run(file.as_deref(), cli.format),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "viewmerge", &mut script);
            Ok(show::Answer::new(true, String::from_utf8_lossy(&script)))
        }
    };
    show::finish(answer)
}
