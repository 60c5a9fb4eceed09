//! Names of axes and functions: a word is refused, or the code compiles with it.

#![allow(clippy::panic, reason = "a failed check ends the test")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use viewmerge::{Error, ViewChain};
use viewmerge_index::{IndexChain, IndexForm, Language, Render};

/// Words that some language reserves, defines or is likely to; WGSL's and
/// Python's own lists come on top of them.
const WORDS: &str = "
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t
    char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr
    constinit continue decltype default delete do double dynamic_cast else enum explicit export
    extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq
    nullptr operator or or_eq private protected public register reinterpret_cast requires restrict
    return short signed sizeof static static_assert static_cast struct switch template this
    thread_local throw true try typedef typeid typename typeof typeof_unqual union unsigned using
    virtual void volatile wchar_t while xor xor_eq
    _Alignas _Alignof _Atomic _BitInt _Bool _Complex _Decimal32 _Generic _Imaginary _Noreturn
    _Static_assert _Thread_local __attribute__ __asm__ __device__ __func__ __forceinline__ __global__
    __int128 __restrict __typeof__ __private NULL linux unix i386 final override import module
    int8_t int16_t int32_t int64_t uint8_t uint32_t size_t ptrdiff_t int2 int4 float4 float4x4 half
    blockIdx threadIdx global local constant kernel device thread threadgroup vertex
    abstract as async await become box crate dyn fn gen impl in let loop macro macro_rules match mod
    move mut priv pub raw ref safe self Self super trait type unsafe unsized use where yield
    Some None Ok Err Option Result Vec String Box bool str i8 i16 i32 i64 u8 u32 usize f32 f64
    lambda nonlocal None True False print range len int sum tl triton tensor
    position i0 i1 f0 f1 f_0 at main index offset stride _ __ _a __a _A a1 A x y";

/// A floor that is a comparison, one that is a division, and a guard; the same
/// without a guard; and nothing.
const CHAINS: [&str; 3] = [
    "(2,3,4):(1,2,6) [0:2,0:3,1:3] | (10,5):(2,1)",
    "(2,3,4):(1,2,6) | (10,5):(2,1)",
    "(10,5) nothing",
];

fn form(chain: &str) -> IndexForm {
    chain.parse::<ViewChain>().expect("composes").form(&viewmerge::Limit::none()).expect("small")
}

#[test]
fn the_forms_hold_what_code_is_made_of() {
    let [guarded, plain, nothing] = CHAINS.map(form);
    for form in [&guarded, &plain] {
        let compared = form.floors().iter().filter(|floor| floor.range == (0, 1)).count();
        assert!(0 < compared && compared < form.floors().len(), "{form}");
    }
    assert!(!guarded.guards().is_empty() && plain.guards().is_empty());
    assert_eq!(nothing.to_string(), "nothing");
}

fn words() -> BTreeSet<String> {
    let wgsl = naga::keywords::wgsl::RESERVED.iter();
    let wgsl = wgsl.chain(naga::keywords::wgsl::BUILTIN_IDENTIFIERS).map(|word| word.to_string());
    let python = ["-c", "import keyword; print(*keyword.kwlist, *keyword.softkwlist)"];
    let python = Command::new("python3").args(python).output().expect("runs").stdout;
    let python = String::from_utf8(python).expect("text");
    assert!(python.contains("lambda"));
    let all = WORDS.split_whitespace().chain(python.split_whitespace()).map(str::to_string);
    all.chain(wgsl).collect()
}

/// The code with each word as the name of an axis, and with each as the name of
/// the function, where it is not refused. One chain at a time, since functions of
/// the same name do not go into one file.
fn accepted(language: Language, chain: &str) -> Vec<String> {
    let form = form(chain);
    let (mut texts, mut refused) = (Vec::new(), 0);
    for (number, word) in words().iter().enumerate() {
        let function = format!("numbered{number}");
        let ways = [
            Render::new(language).names(&[word.as_str(), "second"]).function(&function),
            Render::new(language).names(&["first", "second"]).function(word),
        ];
        for how in ways {
            match form.render(&how) {
                Ok(text) => texts.push(text),
                Err(Error::ExpressionName { name, .. } | Error::FunctionName { name, .. }) => {
                    assert_eq!(&name, word);
                    refused += 1;
                }
                Err(other) => panic!("{word}: {other}"),
            }
        }
    }
    assert!(texts.len() > 400 && refused > 60, "{language}: {} and {refused}", texts.len());
    texts
}

fn file(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("names");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(name);
    std::fs::write(&file, text).expect("is written");
    file
}

#[track_caller]
fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let told = String::from_utf8_lossy(&output.stderr);
    let told: Vec<&str> = told.lines().take(20).collect();
    assert!(output.status.success(), "{command:?}: {}", told.join("\n"));
}

const C_HEAD: &str = "#include <stdbool.h>\n#include <stdint.h>\n#include <stddef.h>\n";

#[test]
fn c() {
    for chain in CHAINS {
        let file = file("at.c", &(C_HEAD.to_string() + &accepted(Language::C, chain).concat()));
        for standard in ["-std=gnu11", "-std=gnu2x"] {
            run(Command::new("cc").args(["-fsyntax-only", "-w", standard]).arg(&file));
        }
    }
}

#[test]
fn cuda_and_metal_as_cpp() {
    for (language, name, shims) in [
        (Language::Cuda, "at.cu.cpp", "-D__device__= -D__forceinline__=inline"),
        (Language::Metal, "at.metal.cpp", "-Dthread="),
    ] {
        for chain in CHAINS {
            let file = file(name, &(C_HEAD.to_string() + &accepted(language, chain).concat()));
            let mut compiler = Command::new("c++");
            compiler.args(["-fsyntax-only", "-w", "-std=gnu++20"]).args(shims.split(' '));
            run(compiler.arg(&file));
        }
    }
}

#[test]
fn rust() {
    for chain in CHAINS {
        let head = String::from("#![allow(warnings)]\n");
        let file = file("at.rs", &(head + &accepted(Language::Rust, chain).concat()));
        let mut rustc = Command::new("rustc");
        rustc.args(["--edition", "2024", "--crate-type", "lib", "--emit", "metadata", "-o"]);
        run(rustc.arg(file.with_extension("rmeta")).arg(&file));
    }
}

#[test]
fn wgsl() {
    for text in CHAINS.iter().flat_map(|chain| accepted(Language::Wgsl, chain)) {
        let module = naga::front::wgsl::parse_str(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let mut validator = naga::valid::Validator::new(Default::default(), Default::default());
        validator.validate(&module).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    }
}

/// Python compiles what it cannot run, so it is run: each function alone, since
/// one may have the name of what another uses.
#[test]
fn python_and_triton() {
    let head = "class triton:\n    def jit(function): return function\n\
                class tl:\n    def where(test, yes, no): return yes if test else no\n";
    for (language, name, head) in
        [(Language::Python, "at.py", ""), (Language::Triton, "at.triton.py", head)]
    {
        let mut source = String::from("texts = []\n");
        for chain in CHAINS {
            let position = form(chain).index(&[9, 4]).expect("an index");
            let expected = match (language, position) {
                (Language::Triton, Some(position)) => format!("({position}, True)"),
                (Language::Triton, None) => "(0, False)".to_string(),
                (_, position) => position.map_or("None".to_string(), |p| p.to_string()),
            };
            for text in accepted(language, chain) {
                source += &format!("texts.append(({expected}, '''{head}{text}'''))\n");
            }
        }
        source += "for expected, text in texts:\n    names = {}\n    exec(text, names)\n    \
                   result = names[list(names)[-1]](9, 4)\n    assert result == expected, text\n";
        run(Command::new("python3").arg(file(name, &source)));
    }
}

/// What languages reserve that cannot be tried here, and what is said.
#[test]
fn refusals() {
    let rows: [(Language, &str, &str); 18] = [
        (Language::C, "int", "c reserves this word, take another name"),
        (Language::C, "__a", "c reserves this word, take another name"),
        (Language::C, "_Bool", "c reserves this word, take another name"),
        (Language::C, "int64_t", "c reserves this word, take another name"),
        (Language::Rust, "Some", "the code itself uses this word in rust, take another name"),
        (Language::Cuda, "threadIdx", "cuda reserves this word, take another name"),
        (Language::OpenCl, "kernel", "opencl reserves this word, take another name"),
        (Language::OpenCl, "int16", "opencl reserves this word, take another name"),
        (Language::Metal, "packed_float3", "metal reserves this word, take another name"),
        (Language::Metal, "half4x4", "metal reserves this word, take another name"),
        (Language::Hlsl, "out", "hlsl reserves this word, take another name"),
        (Language::Hlsl, "min16float1x4", "hlsl reserves this word, take another name"),
        (Language::Mlir, "symbol", "mlir reserves this word, take another name"),
        (Language::Isl, "Mod", "isl reserves this word, take another name"),
        (Language::Tinygrad, "lambda", "tinygrad reserves this word, take another name"),
        (Language::C, "position", "the code calls its result so"),
        (Language::C, "at", "the function has this name"),
        (
            Language::Isl,
            "é",
            "a name is a letter from a to z or A to Z, or _, then more of them or digits",
        ),
    ];
    let form = ViewChain::contiguous(&[2])
        .and_then(|chain| chain.form(&viewmerge::Limit::none()))
        .expect("small");
    for (language, word, why) in rows {
        let refused = form.render(&Render::new(language).names(&[word])).expect_err(word);
        let expected = format!("axis 0 is called {word:?}: {why}");
        assert_eq!((refused.kind(), refused.to_string()), ("expression_name", expected));
        let bare = form.snippet(&Render::new(language).names(&[word]));
        assert_eq!(bare, Err(refused));
    }
    let functions = [
        (Language::C, "lambda", None),
        (Language::C, "int", Some("c reserves this word, take another name")),
        (Language::C, "main", Some("c has a function of this name, take another name")),
        (Language::OpenCl, "as_int4", Some("opencl reserves this word, take another name")),
        (Language::Wgsl, "position", Some("the code calls its result so")),
        (Language::Rust, "position", None),
        (Language::Mlir, "no name", None),
    ];
    for (language, word, why) in functions {
        let refused = form.render(&Render::new(language).function(word)).err();
        let expected = why.map(|why| format!("the function is called {word:?}: {why}"));
        assert_eq!(refused.map(|error| error.to_string()), expected);
    }
}

#[test]
fn in_latex_a_name_is_a_piece_of_a_formula() {
    let form = ViewChain::contiguous(&[2])
        .and_then(|chain| chain.form(&viewmerge::Limit::none()))
        .expect("small");
    let latex = |name: &str| form.render(&Render::new(Language::Latex).names(&[name]));
    for name in ["x", "i_{0}", "\\alpha", "\\mathit{row}", "x'", "é"] {
        assert_eq!(latex(name), Ok(format!("{name}\n")));
    }
    for name in ["", " ", "i_{0", "}{", "a%", "$x$", "a\nb", "x\\"] {
        let refused = latex(name).expect_err(name).to_string();
        assert!(refused.contains("its braces match"), "{refused}");
    }
}

/// Floors make way: with axes called f0 and f_1 they are f__0 and f__1.
#[test]
fn floors_make_way_for_names() {
    let form = form(CHAINS[0]);
    let text = form.render(&Render::new(Language::Rust).names(&["f0", "f_1"])).expect("is written");
    assert!(text.contains("let f__0 =") && text.contains("let f__1 ="), "{text}");
    let text = form.render(&Render::new(Language::Rust).function("f1")).expect("is written");
    assert!(text.contains("let f_0 ="), "{text}");
}
