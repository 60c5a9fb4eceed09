//! The pages of the manual, in roff, and completion scripts.
//!
//! A page has the text of `--help`. The end of a command's help becomes sections:
//! examples, exit status and notes.

use clap::builder::{PossibleValuesParser, Resettable};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use viewmerge_index::Language;

use crate::args::Cli;
use crate::cute;
use crate::show::{Answer, Refusal};

/// `viewmerge man`
///
/// # Errors
///
/// If the page does not exist.
pub fn man(page: Option<&str>) -> Result<Answer, Refusal> {
    let mut cli = Cli::command().disable_help_subcommand(true);
    cli.build();
    let command = match page {
        None => cli,
        Some(name) => find(&cli, name)?,
    };
    let written = write(&command).map_err(|error| error.to_string())?;
    Ok(Answer::new(true, String::from_utf8_lossy(&written)))
}

fn find(cli: &Command, name: &str) -> Result<Command, String> {
    cli.find_subcommand(name).cloned().ok_or_else(|| {
        let names: Vec<&str> = cli.get_subcommands().map(Command::get_name).collect();
        format!("there is no page for {name:?}, there are pages for {}", names.join(", "))
    })
}

fn write(command: &Command) -> std::io::Result<Vec<u8>> {
    let end = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let command = command.clone().after_help(Resettable::Reset);
    let source = concat!("viewmerge ", env!("CARGO_PKG_VERSION"));
    let mut page = Vec::new();
    Man::new(command).source(source).manual("viewmerge").render(&mut page)?;
    let mut more = Roff::new();
    for (heading, lines) in sections(&end) {
        more.control("SH", [heading]).control("nf", []);
        for line in lines {
            more.text([roman(line)]);
        }
        more.control("fi", []);
    }
    more.to_writer(&mut page)?;
    Ok(page)
}

/// The paragraphs at the end of a help text, by the heading they go under.
fn sections(text: &str) -> Vec<(&'static str, Vec<&str>)> {
    let mut sections: Vec<(&'static str, Vec<&str>)> = Vec::new();
    for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.is_empty()) {
        let (heading, body) = if let Some(status) = paragraph.strip_prefix("Exit status: ") {
            ("EXIT STATUS", status)
        } else if let Some((_, examples)) =
            paragraph.split_once('\n').filter(|(first, _)| first.starts_with("Example"))
        {
            ("EXAMPLES", examples)
        } else {
            ("NOTES", paragraph)
        };
        sections.push((heading, body.lines().collect()));
    }
    sections
}

/// `viewmerge completions`
pub fn completions(shell: clap_complete::Shell) -> Answer {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_known_words(Cli::command()), "viewmerge", &mut script);
    Answer::new(true, String::from_utf8_lossy(&script))
}

/// Adds the possible words of arguments that the command reads itself, to explain words that it
/// does not know.
fn with_known_words(cli: Command) -> Command {
    let languages: Vec<&str> = Language::all().iter().map(|language| language.name()).collect();
    let of_lang = |command: Command| {
        command.mut_arg("lang", |lang| {
            lang.value_parser(PossibleValuesParser::new(languages.iter().copied()))
        })
    };
    cli.mut_subcommand("expr", of_lang).mut_subcommand("simplify", of_lang).mut_subcommand(
        "cute",
        |command| {
            command.mut_arg("operation", |operation| {
                operation.value_parser(PossibleValuesParser::new(cute::operations()))
            })
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_and_operations_are_completed() {
        let script = completions(clap_complete::Shell::Bash).text().to_owned();
        for word in ["opencl", "tinygrad", "right_inverse", "banks"] {
            assert!(script.contains(word), "{word}");
        }
        let mut cli = with_known_words(Cli::command());
        cli.build();
        let cute = cli.find_subcommand("cute").expect("is one");
        let first = cute.get_positionals().find(|one| one.get_index() == Some(1));
        assert_eq!(first.expect("the operation").get_id(), "operation");
    }

    #[test]
    fn every_command_has_a_page_with_its_examples() {
        let cli = Cli::command();
        let names = cli.get_subcommands().map(|command| Some(command.get_name()));
        for name in names.chain([None]) {
            let command = name.map_or(cli.clone(), |name| find(&cli, name).expect("is one"));
            let page = String::from_utf8(write(&command).expect("is written")).expect("text");
            assert!(page.contains(".SH NAME") && page.contains(".SH SYNOPSIS"), "{page}");
            assert_eq!(page.contains(".SH EXAMPLES"), name.is_some(), "{page}");
            assert!(man(name).is_ok());
        }
        assert!(man(Some("no-such-command")).is_err());
    }
}
