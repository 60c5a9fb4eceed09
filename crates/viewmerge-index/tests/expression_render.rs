//! Simplified expressions in every language, evaluated at all points by compilers and interpreters.
//!
//! C and Rust are compiled, Python, Triton (with a stub) and tinygrad's notation are interpreted, WGSL is
//! validated by naga, MLIR and isl are read again. The other languages write what C does.

#![allow(clippy::panic, reason = "a failed check ends the test")]

use std::cell::RefCell;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use viewmerge::Limit;
use viewmerge_index::{Domain, Expression, Language, Render, Same, Simplified};
use viewmerge_testkit::expressions::{self, Asked};
use viewmerge_testkit::run;

struct Case {
    asked: Asked,
    domain: Domain,
    simple: Simplified,
}

/// Random expressions that were simplified.
fn cases() -> Vec<Case> {
    let found = RefCell::new(Vec::new());
    run(500, |choices| {
        let asked = expressions::generate(choices);
        let (domain, expression) = asked.question()?;
        let simple = domain.simplify(&expression, &Limit::steps(20_000));
        let simple = simple.map_err(|error| error.to_string())?;
        found.borrow_mut().push(Case { asked, domain, simple });
        Ok(())
    });
    found.into_inner()
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("viewmerge-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Runs a program, which prints what is wrong.
fn runs(command: &mut Command) {
    let output = command.output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.is_empty(), "{command:?}: {text}{errors}");
}

/// All points of a case, and the value there.
fn points(case: &Case) -> impl Iterator<Item = (Vec<i64>, Option<i128>)> {
    case.asked.indices().into_iter().map(|index| {
        let point = case.asked.point(&index);
        let value = case.asked.counted(&point);
        (point, value)
    })
}

fn listed(point: &[i64]) -> String {
    point.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

#[test]
fn c() {
    for shifts in [false, true] {
        let mut text =
            String::from("#include <stdbool.h>\n#include <stdint.h>\n#include <stdio.h>\n");
        let mut main = String::from("int main(void) { int64_t p; int32_t q; (void)p; (void)q;\n");
        for (number, case) in cases().iter().enumerate() {
            let how = Render::new(Language::C).function(&format!("at{number}")).shifts(shifts);
            let function = case.domain.render(&case.simple, &how).expect("C");
            let to = if function.contains("int64_t *") { "p" } else { "q" };
            text += &function;
            for (point, value) in points(case) {
                let call = format!("at{number}({}, &{to})", listed(&point));
                let wrong = match value {
                    None => call,
                    Some(value) => format!("!{call} || {to} != {value}"),
                };
                writeln!(main, "if ({wrong}) printf(\"at{number} {}\\n\");", listed(&point))
                    .expect("a text");
            }
        }
        let folder = folder(&format!("c-{shifts}"));
        let (source, program) = (folder.join("it.c"), folder.join("it"));
        std::fs::write(&source, text + &main + "return 0; }\n").expect("is written");
        let sanitize = ["-fsanitize=undefined", "-fno-sanitize-recover=all"];
        let mut cc = Command::new("cc");
        runs(cc.args(["-O0", "-w"]).args(sanitize).arg(&source).arg("-o").arg(&program));
        runs(&mut Command::new(program));
        std::fs::remove_dir_all(folder).expect("is removed");
    }
}

#[test]
fn rust() {
    let mut text = String::from("#![allow(warnings)]\n");
    let mut main = String::from("fn main() {\n");
    for (number, case) in cases().iter().take(200).enumerate() {
        let how = Render::new(Language::Rust).function(&format!("at{number}"));
        text += &case.domain.render(&case.simple, &how).expect("Rust");
        for (point, value) in points(case) {
            let wanted = value.map_or("None".into(), |value| format!("Some({value})"));
            let call = format!("at{number}({})", listed(&point));
            writeln!(main, "if {call} != {wanted} {{ println!(\"{call}\"); }}").expect("a text");
        }
    }
    let folder = folder("rust");
    let (source, program) = (folder.join("it.rs"), folder.join("it"));
    std::fs::write(&source, text + &main + "}\n").expect("is written");
    let mut rustc = Command::new("rustc");
    let options = ["--edition", "2024", "-C", "debug-assertions=on", "-o"];
    let output = rustc.args(options).arg(&program).arg(&source).output().expect("rustc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    runs(&mut Command::new(program));
    std::fs::remove_dir_all(folder).expect("is removed");
}

#[test]
fn python_triton_and_tinygrad() {
    let mut text = String::from(
        "class tl:\n    where = staticmethod(lambda c, a, b: a if c else b)\n    \
         minimum, maximum = staticmethod(min), staticmethod(max)\n",
    );
    for (number, case) in cases().iter().enumerate() {
        let names = case.domain.names().join(", ");
        for language in [Language::Python, Language::Triton, Language::Tinygrad] {
            let written = case.domain.snippet(&case.simple, &Render::new(language));
            let written = written.expect("is written");
            let (guard, position) = (written.guard, written.position);
            let comma = if names.is_empty() { "" } else { "," };
            writeln!(text, "at{number} = lambda {names}: ({position}) if ({guard}) else None")
                .expect("a text");
            for (point, value) in points(case) {
                let wanted = value.map_or("None".into(), |value| value.to_string());
                let point = format!("({}{comma})", listed(&point));
                writeln!(text, "if at{number}(*{point}) != {wanted}: print({number}, {point})")
                    .expect("a text");
            }
        }
    }
    let folder = folder("python");
    let source = folder.join("it.py");
    std::fs::write(&source, text).expect("is written");
    runs(Command::new("python3").arg(&source));
    std::fs::remove_dir_all(folder).expect("is removed");
}

#[test]
fn others_write_what_c_does() {
    let others = [Language::Cuda, Language::OpenCl, Language::Metal, Language::Hlsl];
    for case in cases() {
        let write = |language| {
            case.domain.snippet(&case.simple, &Render::new(language)).expect("is written")
        };
        let c = write(Language::C);
        assert_eq!(c.bits, 32);
        for language in others {
            assert_eq!(write(language), c);
        }
        // The function around it.
        for language in others {
            let text = case.domain.render(&case.simple, &Render::new(language)).expect("written");
            assert!(text.contains(&c.position) && text.contains(&c.guard), "{text}");
        }
    }
}

#[test]
fn wgsl_is_valid() {
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    for case in cases() {
        let text = case.domain.render(&case.simple, &Render::new(Language::Wgsl)).expect("WGSL");
        let module = naga::front::wgsl::parse_str(&text)
            .unwrap_or_else(|error| panic!("{text}\n{}", error.emit_to_string(&text)));
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
        if let Err(error) = validator.validate(&module) {
            panic!("{text}\n{error:?}");
        }
    }
}

#[test]
fn mlir_and_isl_are_read_again() {
    let (mut same, mut refused) = (0, 0);
    for case in cases() {
        for language in [Language::Mlir, Language::Isl] {
            let Ok(text) = case.domain.render(&case.simple, &Render::new(language)) else {
                refused += 1;
                continue;
            };
            let map = text.lines().next().expect("a line");
            let read: Expression = map.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            let simple = case.simple.expression();
            let found = match case.simple.condition() {
                Some(valid) => {
                    let domain = case.domain.clone().valid(valid).expect("known");
                    domain.equal(&read, simple, &Limit::none())
                }
                None => case.domain.equal(&read, simple, &Limit::none()),
            };
            match found {
                Ok(found) => assert_eq!(found, Same::Yes, "{text}: {simple}"),
                Err(error) => assert_eq!(error.kind(), "too_many_cases", "{text}"),
            }
            same += 1;
        }
    }
    assert!(same > 700 && refused < 300, "{same} {refused}");
}

#[test]
fn wide_numbers_and_formulas() {
    let domain = Domain::new(&[("i", -8, 1 << 40), ("j", 0, 7)]).expect("ranges");
    let write = |text: &str, language| {
        let simple = domain.simplify(&text.parse().expect("is read"), &Limit::none());
        let simple = simple.expect("is linear");
        domain.snippet(&simple, &Render::new(language)).map(|found| (found.position, found.bits))
    };
    let wide = |text: &str| (text.to_string(), 64);
    let choice = "(3 if i < j else 5)*1000000000";
    assert_eq!(
        write(choice, Language::C).unwrap(),
        wide("1000000000*(i - j < 0 ? (int64_t)3 : (int64_t)5)")
    );
    assert_eq!(write("i // 3", Language::Cuda).unwrap(), wide("(i + 9) / 3 - 3"));
    assert_eq!(write("i // 3", Language::Mlir).unwrap(), wide("i floordiv 3"));
    assert_eq!(write("j % 4", Language::Mlir).unwrap().0, "j - 4 * ((j - 4) floordiv 4 + 1)");
    let latex = write("i // 3 - j % 4", Language::Latex).unwrap().0;
    assert_eq!(latex, r"\left\lfloor \frac{i}{3} \right\rfloor - j + 4 [j \ge 4]");
    let refused = write("i // 3", Language::Wgsl).unwrap_err().to_string();
    assert!(refused.contains("32-bit integers only"), "{refused}");
    let refused = write("max(i, j)", Language::Mlir).unwrap_err().to_string();
    assert!(refused.contains("no min, max or choices"), "{refused}");
}

#[test]
fn a_comparison_over_endless_ranges_is_refused_where_it_needs_a_divisor() {
    let domain = Domain::with_ranges(&[("i", None, None)]).expect("open");
    let asked = "1 if i >= 3 else 0".parse().expect("is read");
    let simple = domain.simplify(&asked, &Limit::none()).expect("small");
    let refused = domain.render(&simple, &Render::new(Language::Mlir));
    assert_eq!(refused.map_err(|error| error.kind()), Err("no_rendering"));
}
