//! The `viewmerge` command: is this stack of tensor views one view?
//!
//! Results go to standard output, messages to standard error. Exit status 0
//! means yes, 1 no, 2 bad input.

use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use viewmerge_cli::args::{Cli, Command};
use viewmerge_cli::{batch, commands, draw, show};

fn main() -> ExitCode {
    let cli = Cli::parse();
    show::set_colour(cli.color);
    let answer = match cli.command {
        Command::Merge { chain } => commands::merge(&chain, cli.format),
        Command::Reshape { view, shape } => commands::reshape(&view, &shape, cli.format),
        Command::Chain { chain } => commands::chain(&chain, cli.format),
        Command::Explain { chain, table } => commands::explain(&chain, table, cli.format),
        Command::Conditions { below, above, table } => {
            commands::conditions(&below, &above, table, cli.format)
        }
        Command::Dims { view } => commands::dims(&view, cli.format),
        Command::Equal { one, other } => commands::equal(&one, &other, cli.format),
        Command::Expr { chain, lang, names, function, shifts } => {
            let (lang, names) = (lang.as_deref(), names.as_deref());
            let wanted = commands::Wanted { lang, names, function: &function, shifts };
            commands::expr(&chain, &wanted, cli.format)
        }
        Command::Draw(asked) => draw::run(&asked),
        Command::Batch { file } => batch::run(file.as_deref()).map(|()| show::Answer::silent()),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "viewmerge", &mut script);
            Ok(show::Answer::new(true, String::from_utf8_lossy(&script)))
        }
    };
    show::finish(answer)
}
