//! Programming languages: one function that tells validity and position.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::Language;
use super::body::{Body, Dialect, Valid};
use super::names::{Names, POSITION};
use crate::form::IndexForm;

/// The function, in a language that has functions and integers that are wide enough.
pub(super) fn function(
    form: &IndexForm,
    language: Language,
    names: &Names,
    shifts: bool,
) -> String {
    let small = form.fits_32_bits();
    let dialect = Dialect::of(language, small);
    let body = Body::new(form, names, shifts, &dialect);
    around(body, language, names, small)
}

/// The function around guard and position.
pub(super) fn around(body: Body, language: Language, names: &Names, small: bool) -> String {
    let dialect = Dialect::of(language, small);
    let parts = Parts { language, names, dialect, body };
    match language {
        Language::Wgsl => parts.wgsl(),
        Language::Rust => parts.rust(),
        Language::Python => parts.python(),
        Language::Triton => parts.triton(small),
        _ => parts.c_like(),
    }
}

/// What a function is made of.
struct Parts<'a> {
    language: Language,
    names: &'a Names,
    dialect: Dialect,
    body: Body,
}

impl Parts<'_> {
    /// The definitions, a line each.
    fn definitions(&self) -> String {
        self.body.definitions.iter().map(|one| format!("    {}\n", one.statement)).collect()
    }

    /// The arguments, and one more, as a list.
    fn arguments(&self, argument: impl Fn(&String) -> String, more: &str) -> String {
        let mut all: Vec<String> = self.names.axes.iter().map(argument).collect();
        if !more.is_empty() {
            all.push(more.into());
        }
        all.join(", ")
    }

    /// Definitions, the position stored in `target`, and whether it is valid.
    fn store(&self, target: &str) -> String {
        let (definitions, position) = (self.definitions(), &self.body.position);
        let guard = &self.body.guard;
        format!("{definitions}    {target} = {position};\n    return {guard};\n}}\n")
    }

    /// C, CUDA, OpenCL, Metal and HLSL.
    fn c_like(&self) -> String {
        let integer = self.dialect.integer;
        let pointer = format!("{integer} *{POSITION}");
        let (head, result, target) = match self.language {
            Language::Cuda => ("static __device__ __forceinline__ bool", pointer, "*"),
            Language::OpenCl => ("static inline bool", format!("__private {pointer}"), "*"),
            Language::Metal => ("static inline bool", format!("thread {pointer}"), "*"),
            Language::Hlsl => ("bool", format!("out {integer} {POSITION}"), ""),
            _ => ("static inline bool", pointer, "*"),
        };
        let arguments = self.arguments(|name| format!("{integer} {name}"), &result);
        let store = self.store(&format!("{target}{POSITION}"));
        format!("{head} {}({arguments}) {{\n{store}", self.names.function)
    }

    fn wgsl(&self) -> String {
        let result = format!("{POSITION}: ptr<function, i32>");
        let arguments = self.arguments(|name| format!("{name}: i32"), &result);
        let store = self.store(&format!("*{POSITION}"));
        format!("fn {}({arguments}) -> bool {{\n{store}", self.names.function)
    }

    fn rust(&self) -> String {
        let integer = self.dialect.integer;
        let arguments = self.arguments(|name| format!("{name}: {integer}"), "");
        let (definitions, position) = (self.definitions(), &self.body.position);
        let result = match &self.body.valid {
            Valid::Always => format!("Some({position})"),
            Valid::Never => "None".into(),
            Valid::If(_) => format!("({}).then_some({position})", self.body.guard),
        };
        let function = &self.names.function;
        format!(
            "fn {function}({arguments}) -> Option<{integer}> {{\n{definitions}    {result}\n}}\n"
        )
    }

    fn python(&self) -> String {
        let (definitions, position) = (self.definitions(), &self.body.position);
        let result = match &self.body.valid {
            Valid::Always => position.clone(),
            Valid::Never => "None".into(),
            Valid::If(_) => format!("{position} if {} else None", self.body.guard),
        };
        let arguments = self.arguments(String::clone, "");
        format!("def {}({arguments}):\n{definitions}    return {result}\n", self.names.function)
    }

    /// Position and validity as a pair, for blocks of indices at once.
    fn triton(&self, small: bool) -> String {
        let widen = |name: &String| format!("    {name} = tl.cast({name}, tl.int64)\n");
        let widened = if small { vec![] } else { self.names.axes.iter().map(widen).collect() };
        let (definitions, position) = (self.definitions(), &self.body.position);
        let guard = &self.body.guard;
        let (function, arguments) = (&self.names.function, self.arguments(String::clone, ""));
        format!(
            "@triton.jit\ndef {function}({arguments}):\n{}{definitions}    return {position}, {guard}\n",
            widened.concat()
        )
    }
}
