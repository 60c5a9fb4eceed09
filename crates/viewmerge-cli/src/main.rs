//! The `viewmerge` command: is this stack of tensor views one view?
//!
//! Results go to standard output, messages to standard error. Exit status 0
//! means yes, 1 no, 2 bad input or a result that cannot be written, 3 undecided.

use std::process::ExitCode;

use clap::FromArgMatches;
use viewmerge::Limit;
use viewmerge_cli::args::{Cli, Command};
use viewmerge_cli::options::Format;
use viewmerge_cli::show::{Answer, Refusal};
use viewmerge_cli::{
    batch, certify, commands, cute, draw, explore, help, manual, plan, show, split, symbolic,
    verify, watch,
};

fn main() -> ExitCode {
    let read = help::command().try_get_matches();
    let cli = match read.and_then(|mut found| Cli::from_arg_matches_mut(&mut found)) {
        Ok(cli) => cli,
        Err(told) => return show::finish_early(&told),
    };
    show::set_colour(cli.color);
    let limit = cli.steps.map_or(Limit::none(), Limit::steps);
    show::finish(answer(cli.command, cli.format, cli.steps, limit), cli.format)
}

fn answer(
    command: Command,
    format: Option<Format>,
    steps: Option<u64>,
    limit: Limit<'static>,
) -> Result<Answer, Refusal> {
    if let (Some(format), Some(what)) = (format, command.writes_only())
        && (format, what) != (Format::Json, "JSON")
    {
        return Err(format!("--format does not go with a command that writes {what} only").into());
    }
    let format = format.unwrap_or(Format::Text);
    match command {
        Command::Merge { chain, declared } if declared.any() => {
            symbolic::merge(&chain, &declared, steps, format)
        }
        Command::Merge { chain, .. } => commands::merge(&chain, &limit, format),
        Command::Reshape { view, shape } => commands::reshape(&view, &shape, &limit, format),
        Command::Chain { chain } => commands::chain(&chain, &limit, format),
        Command::Explain { chain, declared, .. } if declared.any() => {
            symbolic::explain(&chain, &declared, steps, format)
        }
        Command::Explain { chain, table, .. } => commands::explain(&chain, table, &limit, format),
        Command::Conditions { chain, table } => commands::conditions(&chain, table, &limit, format),
        Command::Dims { chain } => commands::dims(&chain, &limit, format),
        Command::Equal { one, other, declared } if declared.any() => {
            symbolic::equal([&one, &other], &declared, steps, format)
        }
        Command::Equal { one, other, .. } => commands::equal(&one, &other, &limit, format),
        Command::Split { chain, declared } if declared.any() => {
            symbolic::split(&chain, &declared, steps, format)
        }
        Command::Split { chain, .. } => split::run(&chain, &limit, format),
        Command::Cute(asked) => cute::run(&asked, &limit, format),
        Command::Expr { chain, lang, names, function, shifts, bare, split, declared } => {
            let (lang, names, function) = (lang.as_deref(), names.as_deref(), function.as_deref());
            let wanted = commands::Wanted { lang, names, function, shifts, bare, split };
            match declared.any() {
                true => symbolic::expr(&chain, &declared, &wanted, steps, format),
                false => commands::expr(&chain, &wanted, &limit, format),
            }
        }
        Command::Simplify { expression, ranges, view, lang, bare } => {
            let wanted = commands::Simpler { view, lang: lang.as_deref(), bare };
            commands::simplify(&expression, &ranges, &wanted, &limit, format)
        }
        Command::Same { one, other, ranges } => {
            commands::same(&one, &other, &ranges, &limit, format)
        }
        Command::Draw(asked) => draw::run(&asked, &limit),
        Command::Batch { file } => {
            batch::run(file.as_deref(), limit)?;
            Ok(Answer::silent())
        }
        Command::Certify { chain, refute: Some(what), .. } => certify::refute(&chain, what, &limit),
        Command::Certify { chain, equal, declared, at, .. } if declared.any() => {
            symbolic::certify(&chain, equal.as_deref(), &declared, &at, &limit)
        }
        Command::Certify { chain, equal, .. } => certify::run(&chain, equal.as_deref(), &limit),
        Command::Verify { file } => verify::run(file.as_deref(), format),
        Command::Explore { chain, port, no_open } => explore::run(&chain, port, !no_open),
        Command::Plan(asked) => plan::run(&asked, format),
        Command::Watch(asked) => watch::run(&asked, format),
        Command::Completions { shell } => Ok(manual::completions(shell)),
        Command::Man { page } => manual::man(page.as_deref()),
    }
}
