//! The examples in `--help` are run as they stand.

use std::path::Path;
use std::process::Command;

use clap::CommandFactory;
use viewmerge_cli::args::Cli;

/// All commands.
fn commands() -> Vec<String> {
    let names = Cli::command();
    names.get_subcommands().map(|command| command.get_name().to_string()).collect()
}

/// The lines of a command's help that follow `Example:` or `Examples:`.
fn examples(command: &str) -> Vec<String> {
    let help = Command::new(env!("CARGO_BIN_EXE_viewmerge"))
        .args([command, "--help"])
        .output()
        .expect("runs");
    let help = String::from_utf8(help.stdout).expect("UTF-8");
    let after = help.lines().skip_while(|line| !line.starts_with("Example"));
    let block = after.skip(1).take_while(|line| line.starts_with("  "));
    block.map(|line| line.trim().to_string()).collect()
}

#[test]
fn examples_run() {
    let folder = std::env::temp_dir().join(format!("viewmerge-help-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("is made");
    let program = Path::new(env!("CARGO_BIN_EXE_viewmerge"));
    let program_folder = program.parent().expect("a file is in a folder");
    let path = format!("{}:/usr/bin:/bin", program_folder.display());
    let commands = commands();
    assert!(commands.iter().any(|command| command == "expr"), "{commands:?}");
    for command in &commands {
        let examples = examples(command);
        assert!(!examples.is_empty(), "{command} shows no example");
        // `explore` serves until it is stopped, and web/test runs it; the others need a model, or a
        // script and the Python package.
        if command == "explore" || command == "plan" || command == "watch" {
            continue;
        }
        for example in examples {
            let mut shell = Command::new("/bin/sh");
            let output =
                shell.args(["-c", &example]).env("PATH", &path).current_dir(&folder).output();
            let output = output.expect("runs");
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(told.is_empty(), "{example}: {told}");
            assert!(matches!(output.status.code(), Some(0 | 1)), "{example}: {:?}", output.status);
        }
    }
    for (file, part) in [
        ("view.svg", "<svg"),
        ("merge.svg", "<svg"),
        ("merge.png", "PNG"),
        ("window.pdf", "%PDF"),
        ("view.tex", "tikzpicture"),
        ("viewmerge.bash", "complete -F"),
        ("viewmerge.1", ".SH SYNOPSIS"),
        ("viewmerge-merge.1", ".SH EXAMPLES"),
    ] {
        let written = std::fs::read(folder.join(file)).expect("was written");
        assert!(String::from_utf8_lossy(&written).contains(part), "{file}");
    }
    std::fs::remove_dir_all(&folder).expect("is removed");
}
