//! The signs of programming languages.

use viewmerge::Language;

/// The signs of a programming language.
pub(crate) struct Dialect {
    pub(crate) integer: &'static str,
    pub(crate) define: (String, &'static str),
    pub(crate) divide: &'static str,
    /// Around a comparison, to make it a number.
    pub(crate) number: (&'static str, &'static str),
    pub(crate) and: &'static str,
    pub(crate) brackets: bool,
    pub(crate) words: [&'static str; 2],
}

impl Dialect {
    pub(crate) fn of(language: Language) -> Dialect {
        let integer = match language {
            Language::C | Language::Hlsl => "int64_t",
            Language::Cuda => "long long",
            Language::OpenCl | Language::Metal => "long",
            Language::Wgsl => "i32",
            Language::Rust => "i64",
            _ => "",
        };
        let c = Dialect {
            integer,
            define: (format!("const {integer} "), ";"),
            divide: "/",
            number: ("(", ")"),
            and: " && ",
            brackets: false,
            words: ["true", "false"],
        };
        let python = |number, and, brackets| Dialect {
            integer: "",
            define: (String::new(), ""),
            divide: "//",
            number,
            and,
            brackets,
            words: ["True", "False"],
        };
        match language {
            Language::Hlsl => Dialect { number: ("int64_t(", ")"), ..c },
            Language::Wgsl => Dialect { define: ("let ".into(), ";"), number: ("i32(", ")"), ..c },
            Language::Rust => {
                Dialect { define: ("let ".into(), ";"), number: ("i64::from(", ")"), ..c }
            }
            Language::Python => python(("int(", ")"), " and ", false),
            Language::Triton => python(("tl.where(", ", 1, 0)"), " & ", true),
            _ => c,
        }
    }
}
