//! Texts that are as expensive as possible, by kind, and what checking one takes.
//!
//! Every kind has three numbers; `examples/worst.rs` searches for those that take most, and
//! `tests/worst.rs` keeps what it found. Each text is checked in a process of its own, so that its memory
//! can be measured.

use std::process::Command;

use viewmerge_verify::{Refusal, verify};

/// A kind of text, made of three numbers.
pub type Kind = (&'static str, fn([usize; 3]) -> String);

pub const KINDS: [Kind; 16] = [
    ("a long number", |[digits, ..]| itself(&"7".repeat(digits), 1)),
    ("many long numbers", |[digits, count, _]| itself(&"7".repeat(digits), count)),
    ("sizes", sizes),
    ("masked axes", axes),
    ("a chain of views", chain),
    ("two chains", two_chains),
    ("a witness", witness),
    ("a deep proof", deep_proof),
    ("a long leaf", long_leaf),
    ("many claims", many_claims),
    ("a minimum", minimum),
    ("ways", ways),
    ("ways to nothing", ways_to_nothing),
    ("divisions", divisions),
    ("a point", point),
    ("names", names),
];

fn list(entry: &str, count: usize) -> String {
    vec![entry; count].join(",")
}

fn view(shape: &str, strides: &str, offset: &str, mask: &str) -> String {
    format!(r#"{{"shape":[{shape}],"strides":[{strides}],"offset":{offset},"mask":{mask}}}"#)
}

const PROOFS: &str = r#""proofs":[{"claim":"above","proof":{"absurd":[[1,"low",1]]}},
    {"claim":"below","proof":{"absurd":[[1,"high",1]]}}]"#;

/// Views with long offsets, claiming that the first is itself.
fn itself(digits: &str, count: usize) -> String {
    let one = view("4", "1", digits, "null");
    let more = list(&view("0", "1", digits, "null"), count);
    format!(r#"{{"views":[{more},{one}],"merged":{one},{PROOFS}}}"#)
}

/// A view with many axes below one with a distant position.
fn sizes([axes, size, digits]: [usize; 3]) -> String {
    let size = "9".repeat(size % 40 + 1);
    let below = view(&list(&size, axes), &list("0", axes), "0", "null");
    let far = view("1", "0", &"7".repeat(digits), "null");
    format!(r#"{{"views":[{below},{far}],"merged":{far},{PROOFS}}}"#)
}

/// Holes on both sides of every axis, with this many of the claims proved.
fn axes([axes, proved, multiples]: [usize; 3]) -> String {
    let masked =
        view(&list("3", axes), &list("1", axes), "0", &format!("[{}]", list("[1,2]", axes)));
    let plain = view(&list("3", axes), &list("1", axes), "0", "null");
    let leaf = format!(r#"{{"absurd":[{},[{axes},"low",0]]}}"#, list(r#"[0,"low",1]"#, multiples));
    let claims: Vec<String> = (0..proved.min(2 * axes))
        .map(|k| {
            let (axis, side) = (k / 2, if k % 2 == 0 { "low" } else { "high" });
            format!(r#"{{"claim":"hole","chain":0,"view":0,"axis":{axis},"side":"{side}","proof":{leaf}}}"#)
        })
        .chain(["above", "below"].map(|name| format!(r#"{{"claim":"{name}","proof":{leaf}}}"#)))
        .collect();
    format!(r#"{{"views":[{masked}],"other":[{plain}],"proofs":[{}]}}"#, claims.join(","))
}

fn tower(views: usize, rank: usize, digits: usize) -> String {
    let far = "9".repeat(digits.max(1));
    let one = |_| list(&far, rank);
    let level = view(&one(0), &one(1), "0", &format!("[{}]", list("[0,1]", rank)));
    format!("{},{}", list(&level, views), view("1", "0", "0", "null"))
}

fn chain([views, rank, digits]: [usize; 3]) -> String {
    let top = view("1", "0", "0", "null");
    format!(r#"{{"views":[{}],"merged":{top},{PROOFS}}}"#, tower(views, rank, digits))
}

fn two_chains([views, rank, digits]: [usize; 3]) -> String {
    let chain = tower(views, rank, digits);
    format!(r#"{{"views":[{chain}],"other":[{chain}],{PROOFS}}}"#)
}

/// Steps of a chain at a distant position.
fn witness([views, rank, digits]: [usize; 3]) -> String {
    let far = "8".repeat(digits.max(1));
    let below = view(&list(&format!("1{far}"), rank), &list(&far, rank), "0", "null");
    let level = view(&format!("1{far}"), "1", "0", "null");
    format!(
        r#"{{"views":[{below},{}],"witness":{{"kind":"step","axis":0,"at":[{far}],"step":1,"other":[0],"other_step":2}}}}"#,
        list(&level, views.max(1))
    )
}

/// Nested splits, with this many coefficients each and this many multiples at the end.
fn deep_proof([splits, axes, multiples]: [usize; 3]) -> String {
    let one = view(&list("4", axes), &list("1", axes), "0", "null");
    let open = format!(r#"{{"split":[{}],"at":0,"high":{{"absurd":[]}},"low":"#, list("7", axes));
    let leaf = format!(r#"{{"absurd":[{},[{axes},"low",1]]}}"#, list(r#"[0,"low",0]"#, multiples));
    let proof = open.repeat(splits) + &leaf + &"}".repeat(splits);
    format!(
        r#"{{"views":[{one}],"merged":{one},"proofs":[{{"claim":"above","proof":{proof}}},{{"claim":"below","proof":{leaf}}}]}}"#
    )
}

/// Rows with many terms, each named often and with long multipliers.
fn long_leaf([axes, multiples, digits]: [usize; 3]) -> String {
    let below = view("1000000", "1", "0", "null");
    let top = view(&list("1", axes), &list("1", axes), "0", "null");
    let (last, far) = (axes, "9".repeat(digits.max(1)));
    let leaf = list(&format!(r#"[{last},"low",{far}],[{last},"high",{far}]"#), multiples);
    format!(
        r#"{{"views":[{below},{top}],"merged":{top},"proofs":[{{"claim":"above","proof":{{"absurd":[{leaf}]}}}},{{"claim":"below","proof":{{"absurd":[{leaf}]}}}}]}}"#
    )
}

/// Claims that do not belong there.
fn many_claims([claims, digits, _]: [usize; 3]) -> String {
    let claim = |k: usize| {
        let far = "7".repeat(digits.max(1));
        format!(r#"{{"claim":"outside","axis":1{k}{far},"side":"low","proof":{{"absurd":[]}}}}"#)
    };
    let all: Vec<String> = (0..claims).map(claim).collect();
    let one = view("4", "1", "0", "null");
    format!(r#"{{"views":[{one}],"merged":{one},"proofs":[{}]}}"#, all.join(","))
}

/// This many proofs that are correct for the first row of a way, in a certificate about expressions.
fn cases(count: usize) -> String {
    let case = |k: usize| {
        format!(r#"{{"claim":"above","case":{k},"proof":{{"absurd":[[0,"low",1],[0,"high",1]]}}}}"#)
    };
    (0..count).map(case).collect::<Vec<_>>().join(",")
}

/// Two expressions of a variable that has no values.
fn expressions(value: &str, valid: &str, proofs: &str) -> String {
    format!(
        r#"{{"variables":[["i",1,0]],"one":{{"value":{value},"valid":{valid}}},"two":{{"value":0,"valid":null}},"proofs":[{proofs}]}}"#
    )
}

fn minimum([parts, proofs, terms]: [usize; 3]) -> String {
    let divisions: Vec<String> = (0..terms).map(|k| format!(r#"["//","i",{}]"#, k + 2)).collect();
    let long = format!(r#"["+","i",{}]"#, [divisions, vec!["1".into()]].concat().join(","));
    let value = format!(r#"["min",{long},{}]"#, list("\"i\"", parts));
    expressions(&value, "null", &cases(proofs))
}

fn ways([ors, proofs, divisions]: [usize; 3]) -> String {
    let value: Vec<String> = (0..divisions).map(|k| format!(r#"["%","i",{}]"#, k + 2)).collect();
    let value = format!(r#"["+",{}]"#, [value, vec!["1".into()]].concat().join(","));
    let valid = format!(r#"["and",{}]"#, list(r#"["or",["and"],["<","i",5]]"#, ors.max(1)));
    expressions(&value, &valid, &cases(proofs))
}

fn ways_to_nothing([ors, width, divisions]: [usize; 3]) -> String {
    let or = format!(r#"["or",{}]"#, list(r#"["<",["//","i",3],5]"#, width.max(1)));
    let inner: Vec<String> =
        (0..divisions).map(|k| format!(r#"["<",["%","i",{}],9]"#, k + 2)).collect();
    let all = [inner, vec![list(&or, ors.max(1)), r#"["or"]"#.into()]].concat().join(",");
    expressions("0", &format!(r#"["and",{all}]"#), "")
}

/// Nested divisions, and divisions of sums of all of them.
fn divisions([count, depth, terms]: [usize; 3]) -> String {
    let sum: Vec<String> = (0..terms).map(|k| format!(r#"["//","i",{}]"#, k + 2)).collect();
    let sum = format!(r#"["+","i",{}]"#, [sum, vec!["1".into()]].concat().join(","));
    let depth = depth.min(390);
    let one = |k: usize| {
        format!(
            r#"{}{sum}{}"#,
            r#"["%","#.repeat(depth + 1),
            format!(",{}]", k + 3).repeat(depth + 1)
        )
    };
    let all: Vec<String> = (0..count.max(1)).map(one).collect();
    expressions(&format!(r#"["+",{}]"#, all.join(",")), "null", "")
}

/// A distant point, used often.
fn point([terms, digits, factor]: [usize; 3]) -> String {
    let by = "9".repeat(factor.max(1));
    let term = format!(r#"["//",["*",{by},"i"],{by}]"#);
    let value = format!(r#"["+",{}]"#, list(&term, terms.max(1)));
    let at = "7".repeat(digits.max(1));
    format!(
        r#"{{"variables":[["i",null,null]],"one":{{"value":{value},"valid":null}},"two":{{"value":0,"valid":null}},"differ":[{at}]}}"#
    )
}

/// Many variables with long names, all of them used.
fn names([count, length, uses]: [usize; 3]) -> String {
    let name = |k: usize| format!("{}{k}", "n".repeat(length.max(1)));
    let variables: Vec<String> =
        (0..count.max(1)).map(|k| format!(r#"["{}",0,9]"#, name(k))).collect();
    let used: Vec<String> =
        (0..uses.max(1)).map(|k| format!("\"{}\"", name(k * 7919 % count.max(1)))).collect();
    format!(
        r#"{{"one":{{"value":["+",{}],"valid":null}},"two":{{"value":0,"valid":null}},"variables":[{}],"proofs":[]}}"#,
        used.join(","),
        variables.join(",")
    )
}

/// The cost of checking one text.
#[derive(Debug, Clone)]
pub struct Taken {
    pub seconds: f64,
    /// The peak memory of the process, including the text.
    pub megabytes: f64,
    pub verdict: String,
}

/// The environment variable with the text for a process to check.
const TEXT: &str = "VIEWMERGE_TEXT";

/// In a process that [`measure`] started: checks its text, discards the printed result, and reports the
/// cost.
pub fn check_requested() -> bool {
    let Ok(text) = std::env::var(TEXT) else { return false };
    let mut words = text.split('/');
    let kind = words.next().expect("a kind");
    let numbers: Vec<usize> = words.map(|word| word.parse().expect("a number")).collect();
    let (_, make) = KINDS.iter().find(|(name, _)| *name == kind).expect("is known");
    let text = make([numbers[0], numbers[1], numbers[2]]);
    let before = processor_seconds();
    let result = verify(&text);
    let verdict = match &result {
        Ok(shown) => (shown.to_string().len(), "holds").1,
        Err(refusal) => {
            let _ = refusal.to_string().len();
            match refusal {
                Refusal::Malformed(_) => "none",
                Refusal::Fails(_) => "fails",
                _ => "too large",
            }
        }
    };
    drop(result);
    let taken = processor_seconds() - before;
    println!("taken {taken} {} {verdict}", most_megabytes());
    true
}

/// Checks a text in a separate process, which is this program with these arguments.
pub fn measure(kind: &str, [a, b, c]: [usize; 3], arguments: &[&str]) -> Taken {
    let program = std::env::current_exe().expect("is known");
    let output = Command::new(program)
        .args(arguments)
        .env(TEXT, format!("{kind}/{a}/{b}/{c}"))
        .output()
        .expect("starts");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = told.lines().find_map(|line| line.split_once("taken ")).map(|(_, rest)| rest);
    let line = line.unwrap_or_else(|| panic!("{kind} {a} {b} {c}: {output:?}"));
    let words: Vec<&str> = line.splitn(3, ' ').collect();
    let number = |k: usize| words[k].parse().expect("a number");
    Taken { seconds: number(0), megabytes: number(1), verdict: words[2].into() }
}

/// The processor time of this process, to a hundredth of a second; wall time if that is not available.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    match (fields.get(11), fields.get(12)) {
        (Some(user), Some(system)) => {
            let ticks = |field: &str| field.parse::<f64>().unwrap_or(0.0);
            (ticks(user) + ticks(system)) / 100.0
        }
        _ => std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0.0, |since| since.as_secs_f64()),
    }
}

/// The peak memory of this process; 0 if that is not available.
fn most_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}
