//! Random expressions, and certificates about pairs of them. The ways are lists, as docs/certificates.md
//! defines them.

use num_bigint::BigInt;
use serde_json::{Value, json};

use super::random::{Random, large};
use super::refuter::{DEEPEST, Form, Row, prove};
use super::truth::{number, partial, points_of, written};

/// A number that may be large and may be negative.
fn constant(random: &mut Random) -> Value {
    let size = if random.one_in(4) { large(random) } else { random.between(0, 7).into() };
    written(&if random.one_in(2) { -size } else { size })
}

fn divisor(random: &mut Random) -> Value {
    written(&if random.one_in(3) { large(random) } else { random.between(1, 6).into() })
}

fn value(names: &[&str], depth: usize, random: &mut Random) -> Value {
    let part = |random: &mut Random| value(names, depth.saturating_sub(1), random);
    match if depth == 0 { random.below(2) } else { random.below(9) } {
        0 => json!(names[random.below(names.len())]),
        1 => constant(random),
        2 => json!(["+", part(random), part(random)]),
        3 => json!(["*", constant(random), part(random)]),
        4 | 5 => json!(["//", part(random), divisor(random)]),
        6 => json!(["%", part(random), divisor(random)]),
        7 => json!([if random.one_in(2) { "min" } else { "max" }, part(random), part(random)]),
        _ => {
            let when = condition(names, depth - 1, random);
            json!(["where", when, part(random), part(random)])
        }
    }
}

fn condition(names: &[&str], depth: usize, random: &mut Random) -> Value {
    let sign = ["<", "<=", ">", ">=", "==", "!="][random.below(6)];
    let part = |random: &mut Random| condition(names, depth - 1, random);
    match if depth == 0 { 0 } else { random.below(6) } {
        0..3 => {
            json!([sign, value(names, depth.min(1), random), value(names, 0, random)])
        }
        3 => json!(["and", part(random), part(random)]),
        4 => json!(["or", part(random), part(random)]),
        _ => json!(["not", part(random)]),
    }
}

/// The same value, written differently.
fn rewritten(value: &Value, names: &[&str], random: &mut Random) -> Value {
    let by = divisor(random);
    match (random.below(9), value.as_array().map(Vec::as_slice)) {
        (0, _) => json!(["+", ["*", by, ["//", value, by]], ["%", value, by]]),
        (1, _) => json!(["*", -1, ["*", -1, value]]),
        (2, _) => json!(["min", value, ["+", value, 1]]),
        (3, _) => json!(["max", value, ["+", value, constant_below(random)]]),
        (4, _) => json!(["where", condition(names, 0, random), value, ["+", 0, value]]),
        (5, _) => json!(["//", ["*", by, value], by]),
        (6, Some([sign, a, by])) if sign == "//" => {
            // ⌊(a + by)/by⌋ − 1.
            json!(["+", ["//", ["+", a, by], by], -1])
        }
        (6 | 7, Some([sign, a, by])) if sign == "%" => json!(["%", ["+", a, by], by]),
        (_, Some([sign, a, b])) if sign == "+" => json!(["+", rewritten(b, names, random), a]),
        _ => json!(["+", value, 0]),
    }
}

fn constant_below(random: &mut Random) -> Value {
    written(&-large(random))
}

/// A certificate that holds, about two random expressions.
pub fn certificate(random: &mut Random) -> Value {
    loop {
        let names = &["i", "j"][..1 + random.below(2)];
        let mut variables = Vec::new();
        for name in names {
            let (first, last) = match random.below(6) {
                0 => (Some(-large(random)), Some(large(random))),
                1 => (None, Some(constant(random)).and_then(|n| number(&n))),
                2 => (Some(BigInt::ZERO), None),
                _ => {
                    let first = random.between(-9, 3);
                    (Some(first.into()), Some((first + random.between(0, 12)).into()))
                }
            };
            variables.push(json!([name, first.as_ref().map(written), last.as_ref().map(written)]));
        }
        let one = value(names, 1 + random.below(2), random);
        let valid = if random.one_in(4) { condition(names, 1, random) } else { Value::Null };
        let is_other = random.one_in(3);
        let two = match is_other {
            true => json!(["+", rewritten(&one, names, random), random.below(2)]),
            false => rewritten(&one, names, random),
        };
        let other = match (&valid, random.below(3)) {
            (Value::Null, _) | (_, 0) => valid.clone(),
            (_, 1) => json!(["not", ["not", valid]]),
            _ if is_other => Value::Null,
            _ => json!(["and", valid]),
        };
        let mut made = json!({"variables": variables, "one": {"value": one, "valid": valid},
            "two": {"value": two, "valid": other}});
        let differ = points_of(&made, random).0.into_iter().find(|point| {
            partial(&made["one"], names, point) != partial(&made["two"], names, point)
        });
        if let Some(point) = differ {
            made["differ"] = point.iter().map(written).collect();
            return made;
        }
        if let Some(proofs) = proofs(&made, names, random) {
            made["proofs"] = proofs;
            return made;
        }
    }
}

/// A way: its quotients and its rows.
#[derive(Clone, Default)]
struct Way {
    quotients: Vec<(Form, BigInt)>,
    rows: Vec<Row>,
}

fn row(way: &Way, form: &Form, low: Option<i128>, high: Option<i128>) -> Way {
    let mut way = way.clone();
    way.rows.push(Row::new(form.clone(), low, high));
    way
}

fn ways_of(tree: &Value, names: &[&str], way: Way) -> Vec<(Form, Way)> {
    let width = names.len();
    let Value::Array(parts) = tree else {
        let name = names.iter().position(|name| tree.as_str() == Some(name));
        let form = match name {
            Some(place) => Form::variable(width, place),
            None => Form::constant(width, number(tree).expect("a number")),
        };
        return vec![(form, way)];
    };
    // All lists of forms of the parts from `from` on.
    let all = |from: usize, way: Way| {
        let mut ways = vec![(Vec::new(), way)];
        for part in &parts[from..] {
            let longer = |(forms, way): (Vec<Form>, Way)| {
                let next = ways_of(part, names, way).into_iter();
                next.map(move |(form, way)| ([forms.clone(), vec![form]].concat(), way))
            };
            ways = ways.into_iter().flat_map(longer).collect();
        }
        ways
    };
    match parts[0].as_str().expect("a sign") {
        "+" => all(1, way)
            .into_iter()
            .map(|(forms, way)| (forms.iter().fold(Form::zero(width), |s, f| s.plus(1, f)), way))
            .collect(),
        "*" => {
            let by = number(&parts[1]).expect("a number");
            let times = |(f, way): (Form, Way)| (Form::zero(width).plus(by.clone(), &f), way);
            ways_of(&parts[2], names, way).into_iter().map(times).collect()
        }
        sign @ ("//" | "%") => {
            let by = number(&parts[2]).expect("a number");
            let divided = |(f, mut way): (Form, Way)| {
                let same =
                    |g: &Form| g.plus(-1, &f).0.iter().all(|c| *c == BigInt::ZERO) && g.1 == f.1;
                let known = way.quotients.iter().position(|(g, m)| *m == by && same(g));
                let place = known.unwrap_or(way.quotients.len());
                let quotient = Form::variable(width + place + 1, width + place);
                let rest = f.plus(-&by, &quotient);
                if known.is_none() {
                    way.quotients.push((f, by.clone()));
                    let ends = [Some(BigInt::ZERO), Some(&by - 1)];
                    way.rows.push(Row { form: rest.clone(), ends });
                }
                (if sign == "//" { quotient } else { rest }, way)
            };
            ways_of(&parts[1], names, way).into_iter().map(divided).collect()
        }
        sign @ ("min" | "max") => {
            let mut found = Vec::new();
            for (forms, way) in all(1, way) {
                for (k, chosen) in forms.iter().enumerate() {
                    let others = forms.iter().enumerate().filter(|(j, _)| *j != k);
                    let way = others.fold(way.clone(), |way, (_, other)| match sign {
                        "min" => row(&way, &chosen.plus(-1, other), None, Some(0)),
                        _ => row(&way, &other.plus(-1, chosen), None, Some(0)),
                    });
                    found.push((chosen.clone(), way));
                }
            }
            found
        }
        _ => {
            let side = |holds: bool, chosen: &Value| {
                let ways = conditions(&parts[1], names, holds, way.clone());
                ways.into_iter().flat_map(|way| ways_of(chosen, names, way)).collect::<Vec<_>>()
            };
            [side(true, &parts[2]), side(false, &parts[3])].concat()
        }
    }
}

fn conditions(tree: &Value, names: &[&str], holds: bool, way: Way) -> Vec<Way> {
    let parts = tree.as_array().expect("a condition");
    let sign = parts[0].as_str().expect("a sign");
    match sign {
        "not" => conditions(&parts[1], names, !holds, way),
        "and" | "or" if (sign == "and") == holds => {
            parts[1..].iter().fold(vec![way], |ways, part| {
                ways.into_iter().flat_map(|way| conditions(part, names, holds, way)).collect()
            })
        }
        "and" | "or" => {
            let from = |part| conditions(part, names, holds, way.clone());
            parts[1..].iter().flat_map(from).collect()
        }
        _ => {
            let ends: &[(Option<i128>, Option<i128>)] = match (sign, holds) {
                ("<", true) | (">=", false) => &[(None, Some(-1))],
                ("<=", true) | (">", false) => &[(None, Some(0))],
                (">", true) | ("<=", false) => &[(Some(1), None)],
                (">=", true) | ("<", false) => &[(Some(0), None)],
                ("==", true) | ("!=", false) => &[(Some(0), Some(0))],
                _ => &[(None, Some(-1)), (Some(1), None)],
            };
            let mut found = Vec::new();
            for (a, way) in ways_of(&parts[1], names, way) {
                for (b, way) in ways_of(&parts[2], names, way) {
                    found.extend(ends.iter().map(|(l, h)| row(&way, &a.plus(-1, &b), *l, *h)));
                }
            }
            found
        }
    }
}

fn valid(of: &Value, names: &[&str], holds: bool, way: Way) -> Vec<Way> {
    match (&of["valid"], holds) {
        (Value::Null, true) => vec![way],
        (Value::Null, false) => vec![],
        (condition, holds) => conditions(condition, names, holds, way),
    }
}

/// Proofs that the expressions of a certificate are the same, if they can be found.
fn proofs(made: &Value, names: &[&str], random: &mut Random) -> Option<Value> {
    let (one, two) = (&made["one"], &made["two"]);
    let variables = made["variables"].as_array()?;
    let mut proofs = Vec::new();
    for (claim, low, high) in [("above", Some(1), None), ("below", None, Some(-1))] {
        let mut ways = Vec::new();
        for way in valid(one, names, true, Way::default()) {
            for (f, way) in ways_of(&one["value"], names, way) {
                for (g, way) in ways_of(&two["value"], names, way) {
                    ways.push(row(&way, &f.plus(-1, &g), low, high));
                }
            }
        }
        proofs.push((claim, ways));
    }
    for (claim, a, b) in [("lost", one, two), ("gained", two, one)] {
        let ways = valid(a, names, true, Way::default());
        let ways = ways.into_iter().flat_map(|way| valid(b, names, false, way)).collect();
        proofs.push((claim, ways));
    }
    if proofs.iter().map(|(_, ways)| ways.len()).sum::<usize>() > 40 {
        return None;
    }
    let mut list = Vec::new();
    for (claim, ways) in proofs {
        for (case, way) in ways.into_iter().enumerate() {
            let width = names.len() + way.quotients.len();
            let range = |(place, variable): (usize, &Value)| Row {
                form: Form::variable(width, place),
                ends: [number(&variable[1]), number(&variable[2])],
            };
            let mut rows: Vec<Row> = variables.iter().enumerate().map(range).collect();
            let wide = |row: Row| Row { form: row.form.wide(width), ends: row.ends };
            rows.extend(way.rows.into_iter().map(wide));
            // Bounds that improve too slowly are given up soon.
            let proof = prove(&rows, width, random, DEEPEST - 30)?;
            list.push(json!({"claim": claim, "case": case, "proof": proof}));
        }
    }
    Some(list.into())
}
