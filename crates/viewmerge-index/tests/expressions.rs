//! Index expressions of real chains: how many divisions are left, and whether
//! what compilers and interpreters make of them is right.
//!
//! Every expression is compiled and run (C, CUDA and OpenCL by `cc`, Metal and HLSL
//! by `c++`, Rust and WGSL by `rustc`, Python, Triton and MLIR by `python3`) at all
//! indices of small chains and 1,000 random ones of large chains. Bare expressions
//! are put into a function first.

#![allow(clippy::panic, reason = "a failed check ends the test")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use viewmerge::{Limit, View, ViewChain};
use viewmerge_index::{IndexChain, IndexForm, Language, Render, Snippet};
use viewmerge_testkit::cases::{read, text};
use viewmerge_testkit::programs::{answers, compile};

/// The chains recorded from programs that kept more than one view.
fn trackers() -> Vec<ViewChain> {
    let chain = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let views: Vec<View> = serde_json::from_value(line["views"].clone()).expect("views");
        ViewChain::from_views(&views).expect("composes")
    };
    text("trackers.jsonl").lines().map(chain).collect()
}

/// The chains of all cases that are accepted.
fn worked() -> Vec<ViewChain> {
    let views = read("cases.jsonl").into_iter().filter_map(|case| case.question.views().ok());
    views.filter_map(|views| ViewChain::from_views(&views).ok()).collect()
}

/// All indices of a small chain, 1,000 others of a large one; the corners among them.
fn points(chain: &ViewChain, seed: &mut u64) -> Vec<Vec<i64>> {
    if chain.count() <= 1_000 {
        return chain.indices().map(|index| index.to_vec()).collect();
    }
    let mut random = |size: i64| {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 11) as i64 % size
    };
    let corner =
        |high: bool| chain.shape().iter().map(|&size| if high { size - 1 } else { 0 }).collect();
    let mut all = vec![corner(false), corner(true)];
    all.extend((0..998).map(|_| chain.shape().iter().map(|&size| random(size)).collect()));
    all
}

#[test]
fn divisions_left_in_real_chains() {
    let (mut divisions, mut without, mut guarded) = (0, 0, 0);
    for chain in trackers() {
        let form = chain.form(&Limit::none()).expect("small");
        let text = form.render(&Render::new(Language::C)).expect("C");
        let left = text.matches(['/', '%']).count();
        divisions += left;
        without += usize::from(left == 0);
        guarded += usize::from(chain.guarded(&Limit::none()).expect("small").is_some());
    }
    println!("{divisions} divisions, none in {without} chains, {guarded} guarded views");
    assert!(divisions <= 540, "{divisions}");
    assert!(without >= 490, "{without}");
    assert!(guarded >= 400, "{guarded}");
}

#[test]
fn forms_of_recorded_pairs_and_reshapes() {
    let mut seed = 1;
    for file in ["pairs.jsonl", "reshapes.jsonl"] {
        for case in read(file) {
            let views = case.question.views().expect("composes");
            let chain = ViewChain::from_views(&views).expect("composes");
            let form = chain.form(&Limit::none()).expect("small");
            let quick = IndexForm::of_views(&chain).expect("small");
            for index in points(&chain, &mut seed) {
                let expected = chain.index(&index);
                assert_eq!(form.index(&index), expected, "{chain}: {form} at {index:?}");
                assert_eq!(quick.index(&index), expected, "{chain}: {quick} at {index:?}");
            }
        }
    }
}

/// A place for the files of one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Runs a program on the points of every chain and compares what it prints, a
/// line for each point: the memory position, or `-` for padding.
fn compare(chains: &[(usize, ViewChain)], program: &mut Command) {
    let mut seed = 7;
    let (mut input, mut expected) = (String::new(), Vec::new());
    for (number, chain) in chains {
        for index in points(chain, &mut seed) {
            write!(input, "{number}").expect("text");
            index.iter().for_each(|i| write!(input, " {i}").expect("text"));
            input.push('\n');
            let position = chain.index(&index).expect("an index");
            expected.push((number, index, position.map_or("-".to_string(), |p| p.to_string())));
        }
    }
    let output = answers(program, input);
    assert_eq!(output.len(), expected.len());
    assert!(expected.len() > 100_000, "{}", expected.len());
    for (found, (number, index, expected)) in output.iter().zip(&expected) {
        assert_eq!(found, expected, "chain {number} at {index:?}");
    }
}

/// The chains with their expressions in a language, numbered.
fn rendered(language: Language, shifts: bool) -> (Vec<(usize, ViewChain)>, Vec<String>) {
    rendered_if(language, shifts, |_| true)
}

/// The same with the functions written by `function`, which is given the bare
/// expressions, the number of the chain and the names of its axes.
fn rendered_bare(
    language: Language,
    function: impl Fn(&Snippet, usize, &[String]) -> String,
) -> (Vec<(usize, ViewChain)>, Vec<String>) {
    let (chains, _) = rendered(language, false);
    let text = |(number, chain): &(usize, ViewChain)| {
        let bare = chain.form(&Limit::none()).expect("small").snippet(&Render::new(language));
        let axes: Vec<String> = (0..chain.shape().len()).map(|axis| format!("i{axis}")).collect();
        function(&bare.expect("is written"), *number, &axes)
    };
    let texts = chains.iter().map(text).collect();
    (chains, texts)
}

/// The definitions of bare expressions, a line each.
fn statements(bare: &Snippet) -> String {
    bare.definitions.iter().map(|one| format!("    {}\n", one.statement)).collect()
}

/// [`rendered`], of some chains only.
fn rendered_if(
    language: Language,
    shifts: bool,
    wanted: impl Fn(&ViewChain) -> bool,
) -> (Vec<(usize, ViewChain)>, Vec<String>) {
    let chains = trackers().into_iter().chain(worked()).filter(wanted);
    let chains: Vec<_> = chains.enumerate().collect();
    let text = |(number, chain): &(usize, ViewChain)| {
        let how = Render::new(language).function(&format!("at{number}")).shifts(shifts);
        chain.form(&Limit::none()).expect("small").render(&how).expect("is written")
    };
    let texts = chains.iter().map(text).collect();
    (chains, texts)
}

/// C, and its relatives with their extra words defined away.
fn compile_c(name: &str, language: Language, shifts: bool, definitions: &[&str]) {
    let (chains, texts) = rendered(language, shifts);
    compile_with("cc", name, definitions, &chains, &texts);
}

/// Compiles functions `at0`, `at1` … with a compiler for C or C++ and runs them.
fn compile_with(
    compiler: &str,
    name: &str,
    definitions: &[&str],
    chains: &[(usize, ViewChain)],
    texts: &[String],
) {
    let mut source =
        String::from("#include <stdbool.h>\n#include <stdint.h>\n#include <stdio.h>\n");
    source += "static long long i[64];\n";
    for (text, (number, chain)) in texts.iter().zip(chains) {
        let integer = if text.contains("long long *") {
            "long long"
        } else if text.contains("int64_t *") || text.contains("long *") {
            "int64_t"
        } else {
            "int32_t"
        };
        let axes = 0..chain.shape().len();
        let arguments: Vec<String> = axes.map(|l| format!("({integer})i[{l}], ")).collect();
        writeln!(
            source,
            "{text}static bool call{number}(long long *p) {{ {integer} q = 0; \
             bool valid = at{number}({}&q); *p = q; return valid; }}",
            arguments.concat()
        )
        .expect("text");
    }
    let calls: Vec<String> = chains.iter().map(|(number, _)| format!("call{number}")).collect();
    let ranks: Vec<String> = chains.iter().map(|(_, c)| c.shape().len().to_string()).collect();
    write!(
        source,
        "static bool (*call[])(long long *) = {{ {} }};\nstatic int rank[] = {{ {} }};\n",
        calls.join(", "),
        ranks.join(", ")
    )
    .expect("text");
    source += "int main(void) { int k; while (scanf(\"%d\", &k) == 1) { long long p;\n\
               for (int l = 0; l < rank[k]; l++) if (scanf(\"%lld\", &i[l]) != 1) return 1;\n\
               if (call[k](&p)) printf(\"%lld\\n\", p); else puts(\"-\"); } return 0; }\n";
    let folder = folder(name);
    let (file, program) = (folder.join("at.c"), folder.join("at"));
    std::fs::write(&file, source).expect("is written");
    let language = if compiler == "cc" { "c" } else { "c++" };
    let checks = ["-O1", "-Wall", "-Werror", "-fsanitize=undefined", "-fno-sanitize-recover=all"];
    let mut cc = Command::new(compiler);
    cc.args(checks).args(["-Wno-unused-variable", "-Wno-unused-parameter"]);
    cc.args(definitions).args(["-x", language]).arg(&file).arg("-o").arg(&program);
    compile(&mut cc);
    compare(chains, &mut Command::new(program));
}

#[test]
fn c_compiles_and_agrees() {
    compile_c("c", Language::C, false, &[]);
}

#[test]
fn c_with_shifts_compiles_and_agrees() {
    compile_c("c-shifts", Language::C, true, &[]);
}

#[test]
fn cuda_agrees() {
    compile_c("cuda", Language::Cuda, false, &["-D__device__=", "-D__forceinline__=inline"]);
}

#[test]
fn opencl_agrees() {
    compile_c("opencl", Language::OpenCl, false, &["-D__private="]);
}

#[test]
fn metal_agrees() {
    let (chains, texts) = rendered(Language::Metal, true);
    compile_with("c++", "metal", &["-Dthread="], &chains, &texts);
}

/// HLSL has no pointers: what it calls `out` is made one.
#[test]
fn hlsl_agrees() {
    let (chains, texts) = rendered(Language::Hlsl, true);
    let as_cpp = |text: &String| {
        let text = text.replace("out int position", "int *position");
        let text = text.replace("out int64_t position", "int64_t *position");
        assert!(!text.contains("out "), "{text}");
        format!("static {}", text.replace("    position = ", "    *position = "))
    };
    let texts: Vec<String> = texts.iter().map(as_cpp).collect();
    compile_with("c++", "hlsl", &[], &chains, &texts);
}

#[test]
fn bare_c_agrees() {
    let (chains, texts) = rendered_bare(Language::C, |bare, number, axes| {
        let integer = format!("int{}_t", bare.bits);
        let arguments: String = axes.iter().map(|axis| format!("{integer} {axis}, ")).collect();
        let (statements, guard, position) = (statements(bare), &bare.guard, &bare.position);
        format!(
            "static bool at{number}({arguments}{integer} *position) {{\n{statements}\
             return ({guard}) && ((*position = ({position})), true); }}\n"
        )
    });
    compile_with("cc", "bare-c", &[], &chains, &texts);
}

/// Compiles functions `at0`, `at1` … with `rustc` and runs them; `call` makes
/// an `Option<i64>` of a function's name, its integer type and its arguments.
fn compile_rust(
    name: &str,
    chains: &[(usize, ViewChain)],
    texts: &[String],
    call: impl Fn(&str, &str, &str) -> String,
) {
    let mut source = String::from("#![allow(unused_variables, unused_parens)]\n");
    source += &texts.concat();
    source += "fn main() { for line in std::io::stdin().lines() { let line = line.unwrap();\n\
               let n: Vec<i64> = line.split(' ').map(|n| n.parse().unwrap()).collect();\n\
               let p: Option<i64> = match n[0] {\n";
    for (text, (number, chain)) in texts.iter().zip(chains) {
        let integer = if text.contains("i64") { "i64" } else { "i32" };
        let arguments: Vec<String> =
            (0..chain.shape().len()).map(|l| format!("n[{}] as {integer}, ", l + 1)).collect();
        let call = call(&format!("at{number}"), integer, &arguments.concat());
        writeln!(source, "{number} => {call},").expect("text");
    }
    source += "_ => unreachable!() };\n\
               match p { Some(p) => println!(\"{p}\"), None => println!(\"-\") } } }\n";
    let folder = folder(name);
    let (file, program) = (folder.join("at.rs"), folder.join("at"));
    std::fs::write(&file, source).expect("is written");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2024", "-Coverflow-checks=on", "-Copt-level=1", "-o"]);
    compile(rustc.arg(&program).arg(&file));
    compare(chains, &mut Command::new(program));
}

#[test]
fn rust_compiles_and_agrees() {
    let (chains, texts) = rendered(Language::Rust, true);
    compile_rust("rust", &chains, &texts, |function, _, arguments| {
        format!("{function}({arguments}).map(i64::from)")
    });
}

/// Accepted by a WGSL compiler, and right when its few words that are not Rust are replaced.
#[test]
fn wgsl_is_valid_and_agrees() {
    let small = |chain: &ViewChain| chain.form(&Limit::none()).expect("small").fits_32_bits();
    let (chains, texts) = rendered_if(Language::Wgsl, true, small);
    let validate = |text: &String| {
        let module = naga::front::wgsl::parse_str(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let (flags, abilities) = (Default::default(), Default::default());
        let checked = naga::valid::Validator::new(flags, abilities).validate(&module);
        checked.unwrap_or_else(|e| panic!("{text}: {e:?}"));
    };
    texts.iter().for_each(validate);
    let as_rust = |text: &String| {
        let text = text.replace("ptr<function, i32>", "&mut i32");
        // A shift by 3u is a shift by 3.
        text.replace("i32(", "i32::from(").replace("u;\n", ";\n")
    };
    let texts: Vec<String> = texts.iter().map(as_rust).collect();
    compile_rust("wgsl", &chains, &texts, |function, _, arguments| {
        format!("{{ let mut p = 0; {function}({arguments}&mut p).then_some(i64::from(p)) }}")
    });
}

#[test]
fn python_agrees() {
    let (chains, texts) = rendered(Language::Python, false);
    run_python("python", &chains, texts.concat());
}

/// Runs Python functions `at0`, `at1` …
fn run_python(name: &str, chains: &[(usize, ViewChain)], mut source: String) {
    source += "import sys\nfor line in sys.stdin:\n    k, *i = map(int, line.split())\n    \
               p = globals()[f'at{k}'](*i)\n    print('-' if p is None else p)\n";
    let file = folder(name).join("at.py");
    std::fs::write(&file, source).expect("is written");
    compare(chains, Command::new("python3").arg(file));
}

/// Triton's functions of blocks, on blocks of one index: with quotients rounded
/// down, as where all is known when compiling, and towards 0, as for tensors.
#[test]
fn triton_agrees() {
    let (chains, texts) = rendered(Language::Triton, true);
    let head = "\
class triton:
    def jit(function): return function
class tl:
    int64 = 'int64'
    def cast(value, to): return value
    def where(condition, yes, no): return tensor(yes if condition else no)
class tensor:
    def __init__(self, value): self.value = int(value)
    def __index__(self): return self.value
    def __add__(self, other): return tensor(self.value + int(other))
    def __sub__(self, other): return tensor(self.value - int(other))
    def __rmul__(self, other): return tensor(int(other) * self.value)
    def __neg__(self): return tensor(-self.value)
    def __rshift__(self, other): return tensor(self.value >> other)
    def __floordiv__(self, other): return tensor(rounded(self.value, other))
    def __lt__(self, other): return self.value < other
    def __ge__(self, other): return self.value >= other
    def __eq__(self, other): return self.value == other
def truncated(a, b): return abs(a) // b * (1 if a >= 0 else -1)
def floored(a, b): return a // b
";
    let tail = "\
import sys
rounded = globals()[sys.argv[1]]
for line in sys.stdin:
    k, *i = map(int, line.split())
    position, valid = globals()[f'at{k}'](*map(tensor, i))
    print(int(position) if valid else '-')
";
    let file = folder("triton").join("at.py");
    std::fs::write(&file, format!("{head}{}{tail}", texts.concat())).expect("is written");
    for rounding in ["floored", "truncated"] {
        compare(&chains, Command::new("python3").arg(&file).arg(rounding));
    }
}

#[test]
fn bare_python_agrees() {
    let (chains, texts) = rendered_bare(Language::Python, |bare, number, axes| {
        let (arguments, statements) = (axes.join(", "), statements(bare));
        let (guard, position) = (&bare.guard, &bare.position);
        format!("def at{number}({arguments}):\n{statements}    if ({guard}): return ({position})\n")
    });
    run_python("bare-python", &chains, texts.concat());
}

/// The map and the set of MLIR, read as Python: `floordiv` is `//`.
#[test]
fn mlir_agrees() {
    let (chains, texts) = rendered(Language::Mlir, false);
    let mut source = String::from("import sys\nmaps, sets = [], []\n");
    for text in texts {
        let mut lines = text.lines().map(|line| line.replace("floordiv", "//"));
        let (map, set) = (lines.next().expect("a map"), lines.next().expect("a set"));
        let inner = |line: &str, word: &str| {
            let inner = line.strip_prefix(word).and_then(|line| line.strip_suffix('>'));
            inner.unwrap_or_else(|| panic!("{line}")).to_string()
        };
        let (map, set) = (inner(&map, "affine_map<"), inner(&set, "affine_set<"));
        let (axes, value) = map.split_once(" -> ").expect("an arrow");
        let axes = axes.trim_matches(['(', ')']);
        let (_, constraints) = set.split_once(" : ").expect("a colon");
        let all = constraints.trim_start_matches('(').strip_suffix(')').expect("a list");
        let open = constraints.len() - constraints.trim_start_matches('(').len() - 1;
        let all = format!("{}{all}", "(".repeat(open));
        writeln!(source, "maps.append(lambda {axes}: {value})").expect("text");
        writeln!(source, "sets.append(lambda {axes}: all([{all}]))").expect("text");
    }
    source += "for line in sys.stdin:\n    k, *i = map(int, line.split())\n    \
               print(maps[k](*i) if sets[k](*i) else '-')\n";
    let file = folder("mlir").join("at.py");
    std::fs::write(&file, source).expect("is written");
    compare(&chains, Command::new("python3").arg(file));
}
