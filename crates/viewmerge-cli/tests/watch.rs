//! `viewmerge watch` with interpreters that only print how they were called.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A temporary folder for one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder =
            std::env::temp_dir().join(format!("viewmerge-watch-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("is made");
        Folder(folder)
    }

    /// Writes an interpreter: what it does when probed for the package, and when run.
    fn interpreter(&self, path: &str, probe: &str, run: &str) -> PathBuf {
        let file = self.0.join(path);
        fs::create_dir_all(file.parent().expect("it is in a folder")).expect("is made");
        let text = format!("#!/bin/sh\nif [ \"$1\" = -c ]; then {probe}; exit; fi\n{run}\n");
        fs::write(&file, text).expect("is written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("is allowed");
        file
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs the command with programs of one folder only.
fn watch(path: &Path, environment: Option<&Path>, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_viewmerge"));
    command.arg("watch").args(arguments).env("PATH", path).env_remove("VIRTUAL_ENV");
    if let Some(environment) = environment {
        command.env("VIRTUAL_ENV", environment);
    }
    command.output().expect("runs")
}

fn told(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_script_gets_its_arguments_and_its_status_is_passed_on() {
    let folder = Folder::new("run");
    folder.interpreter("python3", "exit 0", "echo python3 \"$@\"; exit 7");
    folder.interpreter("env/bin/python", "exit 0", "echo env \"$@\"");
    let other = folder.interpreter("other", "exit 0", "echo other \"$@\"; kill -9 $$");
    let other = other.to_str().expect("it is UTF-8");
    let environment = folder.0.join("env");
    let rows: [(Option<&Path>, &[&str], i32, &str); 6] = [
        (
            None,
            &["s.py", "-x", "--steps", "3"],
            7,
            "python3 -m viewmerge watch s.py -x --steps 3\n",
        ),
        (
            None,
            &["--html", "-o", "r.html", "s.py", "--html"],
            7,
            "python3 -m viewmerge watch --html --output r.html s.py --html\n",
        ),
        (
            None,
            &["--top", "3", "--min-bytes", "2K", "--why", "s.py::step"],
            7,
            "python3 -m viewmerge watch --top 3 --min-bytes 2K --why s.py::step\n",
        ),
        (None, &["-m", "a.b", "x", "--top"], 7, "python3 -m viewmerge watch -m a.b x --top\n"),
        (
            Some(&environment),
            &["--format", "json", "-o", "fd:3", "s.py"],
            0,
            "env -m viewmerge watch --json --output fd:3 s.py\n",
        ),
        (
            Some(&environment),
            &["--python", other, "s.py"],
            128 + 9,
            "other -m viewmerge watch s.py\n",
        ),
    ];
    for (environment, arguments, status, output) in rows {
        let found = told(&watch(&folder.0, environment, arguments));
        assert_eq!(found, (Some(status), output.into(), String::new()), "{arguments:?}");
    }
}

#[test]
fn what_is_missing_is_told() {
    let folder = Folder::new("missing");
    let empty = Folder::new("empty");
    folder.interpreter("python3", "exit 3", "echo never");
    folder.interpreter("broken", "echo 'no such flag' >&2; exit 1", "echo never");
    let broken = folder.0.join("broken");
    let broken = broken.to_str().expect("it is UTF-8");
    let rows: [(&Folder, &[&str], &str); 8] = [
        (&folder, &["s.py"], "python3 has no package viewmerge: install it with"),
        (&empty, &["s.py"], "there is no python3 nor python: give a Python interpreter"),
        (&empty, &["--python", "/no/such", "s.py"], "there is no /no/such: give a Python"),
        (&empty, &["--python", broken, "s.py"], "no Python interpreter that runs: no such flag"),
        (&folder, &["--format", "latex", "s.py"], "a report is written as text, as JSON"),
        (&folder, &["--html", "--format", "json", "s.py"], "--html does not go with"),
        (&folder, &["--html", "s.py"], "take --output: on the standard output they would mix"),
        (&folder, &["--format", "json", "s.py"], "take --output"),
    ];
    for (folder, arguments, message) in rows {
        let (status, output, found) = told(&watch(&folder.0, None, arguments));
        assert_eq!((status, output.as_str()), (Some(2), ""), "{arguments:?}");
        let start = match arguments.contains(&"json") {
            true => r#"{"error":{"kind":"bad_input","message":""#,
            false => "viewmerge: ",
        };
        assert!(found.starts_with(start) && found.contains(message), "{found}");
    }
}
