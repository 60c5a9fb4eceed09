//! Index expressions with parameters: right at all indices of concrete chains, and what compilers
//! and interpreters make of them is right, too.

#![allow(clippy::panic, reason = "a failed check ends the test")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Draw, chain_of_ops, declared, pair, rows};
use viewmerge_index::{Language, Render};
use viewmerge_symbolic::{Limit, Params, SymbolicChain, SymbolicForm};
use viewmerge_testkit::programs::{answers, compile};

/// Some points of a chain that its ops allow.
fn points(params: &Params, draw: &mut Draw, count: usize) -> Vec<Vec<(String, i64)>> {
    let value = |draw: &mut Draw, param: &viewmerge_symbolic::Param| {
        let m = param.multiple;
        let least = param.min.map_or(-2, |min| (min + m - 1).div_euclid(m));
        let value = (least + draw.below(5) as i64) * m;
        param.max.map_or(value, |max| value.min(max))
    };
    (0..count)
        .map(|_| params.list().iter().map(|p| (p.name.clone(), value(draw, p))).collect())
        .collect()
}

fn borrowed(point: &[(String, i64)]) -> Vec<(&str, i64)> {
    point.iter().map(|(name, value)| (name.as_str(), *value)).collect()
}

/// The chains of the real cases, then random ones.
fn chains(random: usize) -> Vec<SymbolicChain> {
    let real = rows().into_iter().map(|row| {
        let text = row["chain"].as_str().expect("text");
        SymbolicChain::parse(&declared(&row), text).expect("a chain")
    });
    let mut draw = Draw(99);
    let made = (0..random).filter_map(|number| {
        let question = match number % 4 {
            0 => pair(&mut draw),
            1 => chain_of_ops(&mut draw, 0),
            _ => chain_of_ops(&mut draw, 1),
        };
        SymbolicChain::parse(&question.declared(), &question.written()).ok()
    });
    real.chain(made).collect()
}

#[test]
fn forms_agree_with_concrete_chains() {
    let mut draw = Draw(3);
    let (mut compared, mut divisions) = (0, 0);
    for chain in chains(600) {
        let form = chain.form(&Limit::none()).expect("small");
        divisions += form.divisions();
        for point in points(chain.params(), &mut draw, 12) {
            let point = borrowed(&point);
            let Ok(concrete) = chain.at(&point) else { continue };
            let indices: Vec<_> = concrete.indices().take(200).collect();
            for index in indices {
                match form.index(&point, &index) {
                    Ok(found) => assert_eq!(
                        Ok(found),
                        concrete.index(&index),
                        "{chain} at {point:?} {index:?}: {form}"
                    ),
                    Err(error) => {
                        // Nothing is divided by 0.
                        assert!(!form.requires.is_always(), "{chain} at {point:?}: {error}");
                    }
                }
                compared += 1;
            }
        }
    }
    println!("{compared} indices, {divisions} divisions");
    assert!(compared > 50_000, "{compared}");
}

/// A form, its number, and what it is to be evaluated at: parameters then index, and the result.
struct Case {
    number: usize,
    params: usize,
    rank: usize,
    form: SymbolicForm,
    runs: Vec<(Vec<i64>, Option<i64>)>,
}

fn cases() -> Vec<Case> {
    let mut draw = Draw(17);
    let mut cases = Vec::new();
    for chain in chains(120) {
        let form = chain.form(&Limit::none()).expect("small");
        let mut runs = Vec::new();
        for point in points(chain.params(), &mut draw, 6) {
            let point = borrowed(&point);
            let Ok(concrete) = chain.at(&point) else { continue };
            let indices: Vec<_> = concrete.indices().collect();
            if indices.is_empty() {
                continue;
            }
            for _ in 0..8 {
                let index = draw.pick(&indices);
                if let Ok(found) = form.index(&point, &index) {
                    let values = point.iter().map(|(_, value)| *value).chain(index.iter().copied());
                    runs.push((values.collect(), found));
                }
            }
        }
        let (params, rank) = (chain.params().list().len(), chain.shape().len());
        cases.push(Case { number: cases.len(), params, rank, form, runs });
    }
    cases
}

fn rendered(case: &Case, language: Language) -> String {
    let how = Render::new(language).function(&format!("at{}", case.number));
    let how = if language.has_functions() { how } else { Render::new(language) };
    case.form.render(&how).unwrap_or_else(|error| panic!("{}: {error}", case.form))
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Runs a program on all cases and compares what it prints, a line for each.
fn compare(cases: &[Case], program: &mut Command) {
    let (mut input, mut expected) = (String::new(), Vec::new());
    for case in cases {
        for (values, found) in &case.runs {
            write!(input, "{}", case.number).expect("text");
            values.iter().for_each(|value| write!(input, " {value}").expect("text"));
            input.push('\n');
            expected.push((case, values, found.map_or("-".to_owned(), |p| p.to_string())));
        }
    }
    let output = answers(program, input);
    assert_eq!(output.len(), expected.len());
    assert!(!expected.is_empty());
    for (found, (case, values, expected)) in output.iter().zip(&expected) {
        assert_eq!(found, expected, "{} at {values:?}", case.form);
    }
}

/// C and its relatives, with their extra words defined away.
#[test]
fn relatives_of_c_agree() {
    let cases = cases();
    let dialects: [(Language, &str, &str, &[&str]); 5] = [
        (Language::C, "cc", "int64_t", &[]),
        (Language::Cuda, "cc", "long long", &["-D__device__=", "-D__forceinline__=inline"]),
        (Language::OpenCl, "cc", "long", &["-D__private="]),
        (Language::Metal, "c++", "long", &["-Dthread="]),
        (Language::Hlsl, "c++", "int64_t", &[]),
    ];
    for (language, compiler, integer, definitions) in dialects {
        let mut source =
            String::from("#include <stdbool.h>\n#include <stdint.h>\n#include <stdio.h>\n");
        source += "static long long i[64];\n";
        let (mut calls, mut sizes) = (Vec::new(), Vec::new());
        for case in &cases {
            let mut text = rendered(case, language);
            if language == Language::Hlsl {
                // It has no pointers: what it calls `out` is made one.
                text = text.replace("out int64_t position", "int64_t *position");
                text = format!("static {}", text.replace("    position = ", "    *position = "));
            }
            let (number, count) = (case.number, case.params + case.rank);
            let arguments: String = (0..count).map(|k| format!("({integer})i[{k}], ")).collect();
            writeln!(
                source,
                "{text}static bool call{number}(long long *p) {{ {integer} q = 0; \
                 bool valid = at{number}({arguments}&q); *p = q; return valid; }}"
            )
            .expect("text");
            calls.push(format!("call{number}"));
            sizes.push(count.to_string());
        }
        write!(
            source,
            "static bool (*call[])(long long *) = {{ {} }};\nstatic int size[] = {{ {} }};\n",
            calls.join(", "),
            sizes.join(", ")
        )
        .expect("text");
        source += "int main(void) { int k; while (scanf(\"%d\", &k) == 1) { long long p;\n\
                   for (int l = 0; l < size[k]; l++) if (scanf(\"%lld\", &i[l]) != 1) return 1;\n\
                   if (call[k](&p)) printf(\"%lld\\n\", p); else puts(\"-\"); } return 0; }\n";
        let folder = folder(&format!("symbolic-{language}"));
        let (file, program) = (folder.join("at.c"), folder.join("at"));
        std::fs::write(&file, source).expect("is written");
        let kind = if compiler == "cc" { "c" } else { "c++" };
        let mut cc = Command::new(compiler);
        cc.args(["-O0", "-Wall", "-Werror", "-Wno-unused-variable", "-Wno-unused-parameter"]);
        cc.args(["-fsanitize=undefined", "-fno-sanitize-recover=all"]);
        cc.args(definitions).args(["-x", kind]).arg(&file).arg("-o").arg(&program);
        compile(&mut cc);
        compare(&cases, &mut Command::new(program));
    }
}

/// Rust, and WGSL with its few words that are not Rust replaced.
#[test]
fn rust_and_wgsl_agree() {
    let cases = cases();
    for language in [Language::Rust, Language::Wgsl] {
        let mut source =
            String::from("#![allow(unused_variables, unused_parens, non_snake_case)]\n");
        let mut arms = String::new();
        for case in &cases {
            let text = rendered(case, language);
            let text = text.replace("ptr<function, i32>", "&mut i32");
            let text = text.replace("i32(", "i32::from(");
            source += &text;
            let number = case.number;
            let integer = if language == Language::Rust { "i64" } else { "i32" };
            let arguments: String =
                (1..=case.params + case.rank).map(|k| format!("n[{k}] as {integer}, ")).collect();
            let call = match language {
                Language::Rust => format!("at{number}({arguments})"),
                _ => format!(
                    "{{ let mut p = 0; at{number}({arguments}&mut p).then_some(i64::from(p)) }}"
                ),
            };
            writeln!(arms, "{number} => {call},").expect("text");
        }
        write!(
            source,
            "fn main() {{ for line in std::io::stdin().lines() {{ let line = line.unwrap();\n\
             let n: Vec<i64> = line.split(' ').map(|n| n.parse().unwrap()).collect();\n\
             let p: Option<i64> = match n[0] {{\n{arms}_ => unreachable!() }};\n\
             match p {{ Some(p) => println!(\"{{p}}\"), None => println!(\"-\") }} }} }}\n"
        )
        .expect("text");
        let folder = folder(&format!("symbolic-{language}"));
        let (file, program) = (folder.join("at.rs"), folder.join("at"));
        std::fs::write(&file, source).expect("is written");
        let mut rustc = Command::new("rustc");
        rustc.args(["--edition", "2024", "-Coverflow-checks=on", "-o"]);
        compile(rustc.arg(&program).arg(&file));
        compare(&cases, &mut Command::new(program));
    }
}

/// Python, Triton on blocks of one index with both ways of rounding, and what can be read as Python:
/// MLIR, isl and tinygrad.
#[test]
fn python_and_notations_agree() {
    const HEAD: &str = "\
import sys
rounded = None
class triton:
    def jit(function): return function
class tl:
    int64 = 'int64'
    def cast(value, to): return value
    def where(condition, yes, no): return tensor(yes if condition else no)
def truncated(a, b): return abs(a) // b * (1 if a >= 0 else -1)
def floored(a, b): return a // b
def floor(value): return value
class tensor:
    def __init__(self, value): self.value = int(value)
    def __index__(self): return self.value
    def __add__(self, other): return tensor(self.value + int(other))
    def __radd__(self, other): return self + other
    def __sub__(self, other): return tensor(self.value - int(other))
    def __rsub__(self, other): return tensor(int(other) - self.value)
    def __mul__(self, other): return tensor(int(other) * self.value)
    def __rmul__(self, other): return self * other
    def __neg__(self): return tensor(-self.value)
    def __floordiv__(self, other): return tensor(rounded(self.value, int(other)))
    def __mod__(self, other): return tensor(self.value - rounded(self.value, int(other))*int(other))
    def __lt__(self, other): return self.value < int(other)
    def __le__(self, other): return self.value <= int(other)
    def __ge__(self, other): return self.value >= int(other)
    def __eq__(self, other): return self.value == int(other)
";
    const TAIL: &str = "
rounded = globals()[sys.argv[1]] if len(sys.argv) > 1 else None
for line in sys.stdin:
    k, *i = map(int, line.split())
    p = globals()[f'at{k}'](*(map(tensor, i) if rounded else i))
    if rounded: p = int(p[0]) if p[1] else None
    print('-' if p is None else p)
";
    let all = cases();
    let run = |name: &str, cases: &[Case], texts: Vec<String>, rounding: &[&str]| {
        let file = folder(&format!("symbolic-{name}")).join("at.py");
        std::fs::write(&file, format!("{HEAD}{}{TAIL}", texts.concat())).expect("is written");
        match rounding {
            [] => compare(cases, Command::new("python3").arg(&file)),
            ways => ways
                .iter()
                .for_each(|way| compare(cases, Command::new("python3").arg(&file).arg(way))),
        }
    };
    let texts = |language| all.iter().map(|case| rendered(case, language)).collect::<Vec<_>>();
    run("python", &all, texts(Language::Python), &[]);
    run("triton", &all, texts(Language::Triton), &["floored", "truncated"]);
    let params = |case: &Case| {
        let text = rendered(case, Language::Python);
        let inner = text.split(['(', ')']).nth(1).expect("arguments");
        inner.to_owned()
    };
    let (clamped, plain): (Vec<Case>, Vec<Case>) = all.into_iter().partition(|case| {
        let text = case.form.to_string();
        ["min(", "max(", " >= 0)"].iter().any(|sign| text.contains(sign))
    });
    let mlir = plain.iter().map(|case| {
        let text = rendered(case, Language::Mlir).replace("floordiv", "//").replace(" mod ", " % ");
        let mut lines = text.lines().filter_map(|line| line.strip_suffix(")>"));
        let (map, set) = (lines.next().expect("a map"), lines.next().expect("a set"));
        let (_, position) = map.split_once(" -> (").expect("an arrow");
        let (_, guard) = set.split_once(" : (").expect("a colon");
        let (number, arguments) = (case.number, params(case));
        format!("def at{number}({arguments}): return ({position}) if all([{guard}]) else None\n")
    });
    run("mlir", &plain, mlir.collect(), &[]);
    for language in [Language::Mlir, Language::Isl] {
        assert!(clamped.iter().all(|case| case.form.render(&Render::new(language)).is_err()));
    }
    let (mut isl, mut linear) = (Vec::new(), Vec::new());
    let (mut tinygrad, mut single) = (Vec::new(), Vec::new());
    for case in plain.into_iter().chain(clamped) {
        let (number, arguments) = (case.number, params(&case));
        if let Ok(text) = case.form.render(&Render::new(Language::Tinygrad)) {
            let text = text.trim().replace("idx", "i");
            tinygrad.push(format!("def at{number}({arguments}): return {text}\n"));
            let form = case.form.clone();
            single.push(Case { form, runs: case.runs.clone(), ..case });
        }
        if let Ok(text) = case.form.render(&Render::new(Language::Isl)) {
            let (_, rest) = text.split_once("] -> [").expect("an arrow");
            let (position, guard) = rest.rsplit_once("] : ").unwrap_or((rest, "True"));
            let guard = guard.trim().trim_end_matches('}').replace("true", "True");
            let guard = guard.replace(" mod ", " % ").replace('/', "//");
            let position = position.trim().trim_end_matches("] }");
            let position = position.replace(" mod ", " % ").replace('/', "//");
            isl.push(format!(
                "def at{number}({arguments}): return ({position}) if {guard} else None\n"
            ));
            linear.push(case);
        }
    }
    assert!(linear.len() > 5 && single.len() > 20, "{} {}", linear.len(), single.len());
    run("isl", &linear, isl, &[]);
    run("tinygrad", &single, tinygrad, &[]);
}

#[test]
fn names_are_checked() {
    let params = Params::new().size("short").and_then(|p| p.size("f0")).expect("declares");
    let chain = SymbolicChain::parse(&params, "(short,f0) | permute(1,0) | flatten()");
    let form = chain.expect("a chain").form(&Limit::none()).expect("small");
    let refused = form.render(&Render::new(Language::C)).unwrap_err().to_string();
    assert!(refused.starts_with("c: the parameter \"short\" is no name there: "), "{refused}");
    let text = form.render(&Render::new(Language::Python)).expect("is written");
    assert!(text.contains("f_0 = i0 // short"), "{text}");
}
