//! How the help is laid out: commands in groups, and examples before the options.

use clap::{Command, CommandFactory};

use crate::args::Cli;

/// The commands by purpose, as `--help` lists them.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Decide", &["merge", "reshape", "chain", "equal", "conditions", "plan"]),
    ("Explain", &["explain", "watch", "draw", "explore"]),
    ("Code", &["expr", "simplify", "same"]),
    ("Layouts", &["split", "dims", "cute"]),
    ("Certificates", &["certify", "verify"]),
    ("Tools", &["batch", "completions", "man"]),
];

const OF_A_COMMAND: &str =
    "{about-with-newline}\n{usage-heading} {usage}{after-help}\n\n{all-args}";

/// The command line with its help.
pub fn command() -> Command {
    let command = Cli::command();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}Options:\n{{options}}{{after-help}}",
        grouped(&command)
    );
    command.help_template(template).mut_subcommands(|command| command.help_template(OF_A_COMMAND))
}

/// A paragraph for each group, a line for each command.
fn grouped(cli: &Command) -> String {
    let line = |name: &&str| {
        let about = cli.find_subcommand(name).and_then(Command::get_about);
        format!("  {name:<13}{}\n", about.map(ToString::to_string).unwrap_or_default())
    };
    let group = |(heading, names): &(&str, &[&str])| {
        format!("{heading}:\n{}\n", names.iter().map(line).collect::<String>())
    };
    GROUPS.iter().map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let cli = Cli::command();
        let mut known: Vec<&str> = cli.get_subcommands().map(Command::get_name).collect();
        listed.sort_unstable();
        known.sort_unstable();
        assert_eq!(listed, known);
    }
}
