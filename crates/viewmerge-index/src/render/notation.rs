//! The signs of every language, as one table.
//!
//! A field with `$` is a template: `$t` is the type of integers, the other letters are explained where
//! they are used. What no template can express (LaTeX's cases, MLIR's constraints) is in `write.rs`.

use alloc::string::String;

use super::Language;

/// The signs of a language.
pub(super) struct Notation {
    pub name: &'static str,
    /// The types of integers of 32 and 64 bits.
    pub integers: [&'static str; 2],
    /// The definition of name `$n` as `$v`.
    pub define: &'static str,
    /// A comparison `$v` as the number 1 or 0.
    pub number: &'static str,
    /// A number `$v` of 64 bits that stands by itself.
    pub wide: &'static str,
    pub times: &'static str,
    /// `$a` divided by `$b`. One that does not start with `$a` sets it apart: no brackets are needed inside
    /// or around it.
    pub quotient: &'static str,
    pub remainder: &'static str,
    /// After the number of bits in a shift.
    pub shift: &'static str,
    /// Quotients round down, so that the dividend may be negative.
    pub rounds_down: bool,
    /// `<`, `<=`, `>`, `>=`, `==`, `!=`.
    pub relations: [&'static str; 6],
    pub and: &'static str,
    pub or: &'static str,
    pub not: &'static str,
    /// `and` and `or` bind more tightly than comparisons.
    pub tight: bool,
    /// Between the guards of a program.
    pub guards: &'static str,
    /// What always holds, and what never does.
    pub words: [&'static str; 2],
    /// `$w` (min or max) of `$a` and `$b`, compared by `$s`, or of the list `$a`; empty if the language has
    /// none.
    pub extreme: &'static str,
    /// `$y` where `$c` holds, else `$n`; empty if the language has none.
    pub choice: &'static str,
    /// An argument `$n`, and what follows the arguments.
    pub argument: &'static str,
    pub result: &'static str,
    /// The whole: name `$f`, arguments `$a`, definitions `$d`, position `$p`, guard `$g`, result `$r`.
    pub whole: &'static str,
    /// `$r` where an index is always valid, never, and where `$g` holds.
    pub returned: [&'static str; 3],
}

const C: Notation = Notation {
    name: "c",
    integers: ["int32_t", "int64_t"],
    define: "const $t $n = $v;",
    number: "$v",
    wide: "($t)$v",
    times: "*",
    quotient: "$a / $b",
    remainder: "$a % $b",
    shift: "",
    rounds_down: false,
    relations: ["<", "<=", ">", ">=", "==", "!="],
    and: " && ",
    or: " || ",
    not: "!",
    tight: false,
    guards: " && ",
    words: ["true", "false"],
    extreme: "($a $s $b ? $a : $b)",
    choice: "($c ? $y : $n)",
    argument: "$t $n",
    result: "$t *position",
    whole: "static inline bool $f($a) {\n$d    *position = $p;\n    return $g;\n}\n",
    returned: ["", "", ""],
};

const CUDA: Notation = Notation {
    name: "cuda",
    integers: ["int", "long long"],
    whole: "static __device__ __forceinline__ bool $f($a) {\n$d    *position = $p;\n    return $g;\n}\n",
    ..C
};

const OPENCL: Notation =
    Notation { name: "opencl", integers: ["int", "long"], result: "__private $t *position", ..C };

const METAL: Notation = Notation { name: "metal", result: "thread $t *position", ..OPENCL };

const HLSL: Notation = Notation {
    name: "hlsl",
    integers: ["int", "int64_t"],
    number: "$t($v)",
    wide: "$t($v)",
    result: "out $t position",
    whole: "bool $f($a) {\n$d    position = $p;\n    return $g;\n}\n",
    ..C
};

const RUST: Notation = Notation {
    name: "rust",
    integers: ["i32", "i64"],
    define: "let $n = $v;",
    number: "$t::from($v)",
    wide: "",
    extreme: "$t::$w($a, $b)",
    choice: "(if $c { $y } else { $n })",
    argument: "$n: $t",
    result: "",
    whole: "fn $f($a) -> Option<$t> {\n$d    $r\n}\n",
    returned: ["Some($p)", "None", "($g).then_some($p)"],
    ..C
};

const WGSL: Notation = Notation {
    name: "wgsl",
    number: "i32($v)",
    // The right side of a shift is unsigned.
    shift: "u",
    extreme: "$w($a, $b)",
    choice: "select($n, $y, $c)",
    argument: "$n: i32",
    result: "position: ptr<function, i32>",
    whole: "fn $f($a) -> bool {\n$d    *position = $p;\n    return $g;\n}\n",
    ..RUST
};

const PYTHON: Notation = Notation {
    name: "python",
    integers: ["", ""],
    define: "$n = $v",
    number: "int($v)",
    wide: "",
    quotient: "$a // $b",
    rounds_down: true,
    and: " and ",
    or: " or ",
    not: "not ",
    guards: " and ",
    words: ["True", "False"],
    extreme: "$w($a)",
    choice: "($y if $c else $n)",
    argument: "$n",
    result: "",
    whole: "def $f($a):\n$d    return $r\n",
    returned: ["$p", "None", "$p if $g else None"],
    ..C
};

const TRITON: Notation = Notation {
    name: "triton",
    // A comparison of tensors has a type of its own, and so has a product with it.
    number: "tl.where($v, 1, 0)",
    // Triton divides tensors towards 0.
    rounds_down: false,
    and: " & ",
    or: " | ",
    not: "~",
    tight: true,
    guards: " & ",
    extreme: "tl.$wimum($a, $b)",
    choice: "tl.where($c, $y, $n)",
    whole: "@triton.jit\ndef $f($a):\n$d    return $p, $g\n",
    ..PYTHON
};

const MLIR: Notation = Notation {
    name: "mlir",
    times: " * ",
    quotient: "$a floordiv $b",
    remainder: "$a mod $b",
    and: ", ",
    guards: ", ",
    words: ["0 == 0", "1 == 0"],
    extreme: "",
    choice: "",
    whole: "affine_map<($a)$m -> ($p)>\naffine_set<($a)$m : ($g)>\n",
    ..PYTHON
};

const ISL: Notation = Notation {
    name: "isl",
    quotient: "floor(($a)/$b)",
    remainder: "(($a) mod $b)",
    words: ["true", "false"],
    choice: "",
    whole: "$m{ [$a] -> [$p]$c }\n",
    ..PYTHON
};

const LATEX: Notation = Notation {
    name: "latex",
    times: " ",
    quotient: "\\left\\lfloor \\frac{$a}{$b} \\right\\rfloor",
    remainder: "$a \\bmod $b",
    relations: ["<", "\\le", ">", "\\ge", "=", "\\ne"],
    and: " \\land ",
    or: " \\lor ",
    not: "\\lnot ",
    guards: ",\\ ",
    words: ["\\text{true}", "\\text{false}"],
    extreme: "\\$w($a)",
    choice: "\\begin{cases} $y & \\text{if } $c \\\\ $n & \\text{otherwise} \\end{cases}",
    whole: "$r\n",
    returned: ["$p", "\\text{nothing}", "$p \\quad \\text{if } $g"],
    ..PYTHON
};

const TINYGRAD: Notation = Notation {
    name: "tinygrad",
    and: " & ",
    or: " | ",
    not: "~",
    tight: true,
    extreme: "$w($a, $b)",
    whole: "$r\n",
    returned: ["$p", "$p", "($g).where($p, Invalid)"],
    ..PYTHON
};

/// The notations, in the order of the languages.
const NOTATIONS: [&Notation; 13] = [
    &C, &CUDA, &OPENCL, &METAL, &HLSL, &WGSL, &RUST, &PYTHON, &TRITON, &MLIR, &ISL, &LATEX,
    &TINYGRAD,
];

impl Language {
    /// The signs of the language.
    pub(super) fn notation(self) -> &'static Notation {
        NOTATIONS[self as usize]
    }
}

/// A template with the letters after `$` replaced, all at once.
pub(super) fn fill(template: &str, values: &[(char, &str)]) -> String {
    let mut pieces = template.split('$');
    let mut text = String::from(pieces.next().unwrap_or_default());
    for piece in pieces {
        let mut letters = piece.chars();
        let letter = letters.next();
        let value = values.iter().find(|(name, _)| Some(*name) == letter);
        text.push_str(value.map_or("", |(_, value)| value));
        text.push_str(letters.as_str());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates() {
        let values = [('a', "x + $b"), ('b', "3")];
        assert_eq!(fill("floor(($a)/$b)", &values), "floor((x + $b)/3)");
        assert_eq!(fill("no letters", &values), "no letters");
        assert_eq!(fill("$c gone", &values), " gone");
    }

    #[test]
    fn whatever_a_template_names_is_replaced() {
        for language in Language::all() {
            let notation = language.notation();
            for (template, letters) in [
                (notation.define, "tnv"),
                (notation.number, "tv"),
                (notation.wide, "tv"),
                (notation.quotient, "ab"),
                (notation.remainder, "ab"),
                (notation.extreme, "twabs"),
                (notation.choice, "cyn"),
                (notation.argument, "tn"),
                (notation.result, "t"),
                (notation.whole, "tfadpgrmc"),
            ] {
                let mut named = template.split('$').skip(1).filter_map(|rest| rest.chars().next());
                assert!(named.all(|letter| letters.contains(letter)), "{language}: {template}");
            }
        }
    }
}
