//! Random chains with unknown numbers, and the comparison of an answer with concrete merges.

// Every test uses a part of it.
#![allow(dead_code)]

pub mod programs;
pub mod questions;
pub mod splits;

use serde_json::Value;
use viewmerge::{Validity, View, ViewChain};
use viewmerge_symbolic::{
    Answer, At, Atom, Expr, Guard, Kind, Limit, Params, Relation, SymbolicChain, SymbolicView,
};

/// The real cases.
pub fn rows() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/symbolic.jsonl");
    let text = std::fs::read_to_string(path).expect("testdata");
    text.lines().map(|line| serde_json::from_str(line).expect("a row")).collect()
}

/// The parameters of a real case.
pub fn declared(row: &Value) -> Params {
    let params = row["params"].as_array().expect("params");
    params.iter().fold(Params::new(), |known, text| {
        known.read(text.as_str().expect("text")).expect("declares")
    })
}

/// A small generator of numbers.
pub struct Draw(pub u64);

impl Draw {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    pub fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// A question: its parameters with least value and multiple, and its text.
#[derive(Debug, Clone)]
pub struct Question {
    pub params: Vec<(String, i64, i64)>,
    pub text: String,
}

impl Question {
    pub fn declared(&self) -> Params {
        let mut params = Params::new();
        for (name, min, multiple) in &self.params {
            let read = format!("{name}>={min},{name}%{multiple}==0");
            params = params.read(&read).expect("declares");
        }
        params
    }

    /// All points with values up to `most`.
    pub fn points(&self, most: i64) -> Vec<Vec<(&str, i64)>> {
        let mut points: Vec<Vec<(&str, i64)>> = vec![Vec::new()];
        for (name, min, multiple) in &self.params {
            let values: Vec<i64> = (*min..=most * multiple).filter(|v| v % multiple == 0).collect();
            points = points
                .iter()
                .flat_map(|point| {
                    values.iter().map(|&value| {
                        let mut next = point.clone();
                        next.push((name.as_str(), value));
                        next
                    })
                })
                .collect();
        }
        points
    }

    /// The text in the notation.
    pub fn written(&self) -> String {
        self.text.replace('{', "(").replace('}', ")")
    }

    /// The text with numbers for names.
    pub fn text_at(&self, point: &[(&str, i64)]) -> String {
        substituted(&self.text, point)
    }
}

/// A chain's text with braces for the brackets of expressions.
pub fn braced(text: &str) -> String {
    let item = |item: &str| {
        // Arguments of these are lists, two brackets deep.
        let name: String =
            item.trim().chars().take_while(|c| *c == '_' || c.is_alphabetic()).collect();
        let lists = match name.as_str() {
            "pad" | "shrink" => usize::MAX,
            "as_strided" | "unflatten" => 2,
            _ => 0,
        };
        let (mut out, mut open, mut argument) = (String::new(), Vec::new(), 0);
        let mut begins = true;
        for c in item.chars() {
            match c {
                '(' => {
                    let list = match open.len() {
                        0 => begins || !name.is_empty(),
                        1 => begins && argument < lists,
                        _ => false,
                    };
                    open.push(list);
                    out.push(if list { '(' } else { '{' });
                }
                ')' => out.push(if open.pop() == Some(true) { ')' } else { '}' }),
                ',' => {
                    argument += usize::from(open.len() == 1);
                    out.push(c);
                }
                _ => out.push(c),
            }
            // A bracket after a comma, a colon or another bracket begins something.
            if !c.is_whitespace() {
                begins = matches!(c, '(' | ',' | ':' | ')');
            }
        }
        out
    };
    text.split('|').map(item).collect::<Vec<_>>().join("|")
}

/// Every expression of a text evaluated; braces stand for the brackets of expressions.
pub fn substituted(text: &str, point: &[(&str, i64)]) -> String {
    let mut out = String::new();
    let mut item = String::new();
    let flush = |item: &mut String, out: &mut String, last: char| {
        let trimmed = item.trim();
        let plain = trimmed.replace('{', "(").replace('}', ")");
        match plain.strip_prefix('+').unwrap_or(&plain).parse::<Expr>() {
            Ok(_) if last == '(' => out.push_str(trimmed),
            Ok(expr) if trimmed.starts_with('+') => {
                out.push_str(&format!("{:+}", evaluate(&expr, point)));
            }
            Ok(expr) => out.push_str(&evaluate(&expr, point).to_string()),
            Err(_) => out.push_str(trimmed),
        }
        item.clear();
    };
    let mut depth = 0;
    for c in text.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if depth == 0 && matches!(c, '(' | ')' | ',' | '|' | ':' | '[' | ']') {
            flush(&mut item, &mut out, c);
            out.push(c);
        } else {
            item.push(c);
        }
    }
    flush(&mut item, &mut out, '|');
    out
}

/// An expression at a point.
pub fn evaluate(expr: &Expr, point: &[(&str, i64)]) -> i128 {
    evaluated(expr, point).expect("no division by 0")
}

/// An expression at a point; `None` if it divides by 0 or less.
fn evaluated(expr: &Expr, point: &[(&str, i64)]) -> Option<i128> {
    let both = |a: &Expr, b: &Expr| Some((evaluated(a, point)?, evaluated(b, point)?));
    let divided = |a: &Expr, b: &Expr| both(a, b).filter(|(_, b)| *b > 0);
    Some(match expr {
        Expr::Number(value) => *value,
        Expr::Name(name) => {
            point.iter().find(|(known, _)| known == name).expect("a value").1.into()
        }
        Expr::Sum(a, b) => both(a, b).map(|(a, b)| a + b)?,
        Expr::Difference(a, b) => both(a, b).map(|(a, b)| a - b)?,
        Expr::Product(a, b) => both(a, b).map(|(a, b)| a * b)?,
        Expr::FloorDiv(a, b) => divided(a, b).map(|(a, b)| a.div_euclid(b))?,
        Expr::Mod(a, b) => divided(a, b).map(|(a, b)| a.rem_euclid(b))?,
        Expr::Same(a, b) => both(a, b).map(|(a, b)| (a == b).into())?,
        Expr::AtLeast(a, b) => both(a, b).map(|(a, b)| (a >= b).into())?,
        Expr::Min(a, b) => both(a, b).map(|(a, b)| a.min(b))?,
        Expr::Max(a, b) => both(a, b).map(|(a, b)| a.max(b))?,
        other => unreachable!("{other}"),
    })
}

/// What a comparison found.
#[derive(Debug, Default, Clone)]
pub struct Tally {
    pub chains: usize,
    pub always: usize,
    pub when: usize,
    pub never: usize,
    pub some_open: usize,
    pub points: usize,
    pub open_points: usize,
    pub open_views: usize,
    pub wrong: Vec<String>,
    pub atoms: Vec<usize>,
}

impl Tally {
    /// Compares an answer with concrete merges at all points.
    pub fn compare(
        &mut self,
        question: &Question,
        chain: &SymbolicChain,
        answer: &Answer,
        most: i64,
    ) {
        self.chains += 1;
        match answer.kind {
            _ if !answer.open.is_never() => self.some_open += 1,
            Kind::Always => self.always += 1,
            Kind::Never => self.never += 1,
            _ => {
                self.when += 1;
                self.atoms.push(answer.cases.iter().map(|case| case.guard.atoms()).sum());
            }
        }
        for point in question.points(most) {
            // Not all values are as declared.
            let Ok(said) = answer.at(&point) else { continue };
            self.points += 1;
            let text = question.text_at(&point);
            let concrete: Result<ViewChain, _> = text.parse();
            let merged = concrete.as_ref().map(|concrete| {
                concrete.merge_within(&Limit::steps(100_000)).expect("decided").into_view()
            });
            let fits = match (&said, &merged) {
                (At::Refused, Err(_)) => true,
                (At::Yes(view), Ok(Some(merged))) => view == merged,
                (At::No, Ok(None)) => true,
                (At::Open, _) => {
                    self.open_points += 1;
                    self.open_views += usize::from(matches!(merged, Ok(Some(_))));
                    true
                }
                _ => false,
            };
            if !fits {
                let merged = merged.map(|view| view.map(|view| view.to_string()));
                self.wrong.push(format!(
                    "{:?} {} at {point:?} = {text}: said {said:?}, is {merged:?}\n  {answer}",
                    question.params,
                    question.written()
                ));
                return;
            }
            // What is printed as open is open, and is all that is; the rest is there only if there is some.
            let open = said != At::Refused && holds(&answer.open, &point);
            let cased =
                said != At::Refused && answer.cases.iter().any(|case| holds(&case.guard, &point));
            // A program may test the conditions one after the other.
            let mut guards = answer.cases.iter().map(|case| &case.guard).chain([&answer.open]);
            if said != At::Refused && !guards.all(|guard| is_defined(guard, &point)) {
                self.wrong.push(format!("{} at {point:?} divides by 0: {answer}", question.text));
                return;
            }
            let told = match said {
                At::Refused => true,
                At::Yes(_) => cased,
                At::Open => open && !cased,
                _ => !open && !cased && answer.rest,
            };
            let allowed =
                said == At::Open || holds(&answer.requires, &point) == (said != At::Refused);
            let whole = answer.open.is_always();
            if !told || !allowed || whole && (answer.rest || !answer.cases.is_empty()) {
                self.wrong.push(format!("{} at {point:?}: told {answer}", question.text));
                return;
            }
            // Each condition is true by itself, whatever came before it.
            for case in answer.cases.iter().filter(|_| said != At::Refused) {
                let wanted = merged.as_ref().ok().and_then(Option::as_ref);
                if holds(&case.guard, &point) && wanted != Some(&view_at(&case.view, &point)) {
                    self.wrong.push(format!("{} at {point:?}: {answer}", question.text));
                    return;
                }
            }
            if let (Ok(concrete), Ok(at)) = (&concrete, chain.at(&point))
                && at.shape() != concrete.shape()
            {
                self.wrong.push(format!("{} at {point:?}: shape {:?}", question.text, at.shape()));
                return;
            }
        }
    }

    pub fn report(&mut self, title: &str) -> String {
        self.atoms.sort_unstable();
        let at = |share: usize| {
            let place = (self.atoms.len() * share / 100).min(self.atoms.len().saturating_sub(1));
            self.atoms.get(place).copied().unwrap_or(0)
        };
        format!(
            "{title}: {} chains: {} always, {} when, {} never, {} open in part; {} points, {} open, \
             {} of them views; atoms of a guard: median {}, 90 % {}, 99 % {}; {} wrong",
            self.chains,
            self.always,
            self.when,
            self.never,
            self.some_open,
            self.points,
            self.open_points,
            self.open_views,
            at(50),
            at(90),
            at(99),
            self.wrong.len()
        )
    }
}

/// The case that holds is the one whose guard does, evaluated from its text.
pub fn same_choice(answer: &Answer, point: &[(&str, i64)]) {
    let values: Vec<i64> = point.iter().map(|(_, value)| *value).collect();
    let (told, chosen) = (answer.at(point).expect("a point"), answer.choose(&values));
    let fits = match (&told, chosen) {
        (At::Yes(view), At::Yes(number)) => {
            let case = &answer.cases[number];
            holds(&case.guard, point) && view_at(&case.view, point) == *view
        }
        (At::No, At::No) | (At::Open, At::Open) | (At::Refused, At::Refused) => true,
        _ => false,
    };
    assert!(fits, "{answer} at {point:?}: {told:?} and {chosen:?}");
}

/// A guard at a point.
pub fn holds(guard: &Guard, point: &[(&str, i64)]) -> bool {
    // What cannot be evaluated does not hold.
    guard.choices.iter().any(|list| list.iter().all(|atom| compared(atom, point) == Some(true)))
}

/// Whether every list can be evaluated up to the first comparison in it that does not hold.
pub fn is_defined(guard: &Guard, point: &[(&str, i64)]) -> bool {
    guard.choices.iter().all(|list| {
        let first =
            list.iter().map(|atom| compared(atom, point)).find(|truth| *truth != Some(true));
        first != Some(None)
    })
}

/// Whether a comparison holds; `None` if it divides by 0.
fn compared(atom: &Atom, point: &[(&str, i64)]) -> Option<bool> {
    let (left, right) = (evaluated(&atom.left, point)?, evaluated(&atom.right, point)?);
    Some(match atom.relation {
        Relation::Equal => left == right,
        Relation::Different => left != right,
        Relation::AtLeast => left >= right,
        Relation::AtMost => left <= right,
        other => unreachable!("{other:?}"),
    })
}

/// A view with expressions at a point.
pub fn view_at(view: &SymbolicView, point: &[(&str, i64)]) -> View {
    let number = |expr: &Expr| i64::try_from(evaluate(expr, point)).expect("small");
    let all = |list: &[Expr]| list.iter().map(number).collect::<Vec<i64>>();
    let shape = all(&view.shape);
    if shape.contains(&0) {
        return View::contiguous(&shape).expect("a view");
    }
    let bounds: Option<Vec<(i64, i64)>> =
        view.mask.as_ref().map(|mask| mask.iter().map(|(a, b)| (number(a), number(b))).collect());
    let empty = bounds.iter().flatten().any(|(lo, hi)| lo >= hi);
    if view.nothing || empty {
        return View::nothing(&shape).expect("a view");
    }
    let validity = bounds.map_or(Validity::All, |bounds| Validity::boxed(&bounds));
    View::new(&shape, &all(&view.strides), number(&view.offset), validity).expect("a view")
}

/// A random chain of ops on a contiguous view of two to four axes.
pub fn chain_of_ops(draw: &mut Draw, least: i64) -> Question {
    let names = ["N", "M", "K"];
    let count = 1 + draw.below(3);
    let params: Vec<(String, i64, i64)> = names[..count]
        .iter()
        .map(|name| ((*name).to_owned(), least, draw.pick(&[1, 1, 1, 1, 2, 3])))
        .collect();
    // A list of factors for each axis keeps reshapes legal.
    let mut shape: Vec<Vec<String>> = Vec::new();
    let mut unused: Vec<&str> = names[..count].to_vec();
    for _ in 0..2 + draw.below(3) {
        let factor = match unused.pop() {
            Some(name) => name.to_owned(),
            None => draw.pick(&["1", "2", "3", "4", "N"]).to_owned(),
        };
        let place = draw.below(shape.len() + 1);
        shape.insert(place, vec![factor]);
    }
    let written = |axis: &Vec<String>| match axis.len() {
        0 => "1".to_owned(),
        _ => axis.join("*"),
    };
    let tuple = |shape: &[Vec<String>]| shape.iter().map(written).collect::<Vec<_>>().join(",");
    let mut text = format!("({})", tuple(&shape));
    for _ in 0..2 + draw.below(4) {
        let op = draw.pick(&[0, 0, 0, 1, 2, 3, 4, 4, 5, 6, 7, 8, 9]);
        match op {
            0 | 1 => {
                let mut order: Vec<usize> = (0..shape.len()).collect();
                for place in (1..order.len()).rev() {
                    order.swap(place, draw.below(place + 1));
                }
                let axes: Vec<String> = order.iter().map(usize::to_string).collect();
                text += &format!(" | permute({})", axes.join(","));
                shape = order.iter().map(|&a| shape[a].clone()).collect();
            }
            2..=4 => {
                // Factors regrouped, in their order.
                let factors: Vec<String> = shape.iter().flatten().cloned().collect();
                let mut groups: Vec<Vec<String>> = vec![Vec::new()];
                for factor in factors {
                    if draw.one_in(2) && groups.len() < 4 {
                        groups.push(Vec::new());
                    }
                    let last = groups.len() - 1;
                    groups[last].push(factor);
                }
                groups.retain(|group| !group.is_empty());
                shape = groups;
                text += &format!(" | reshape({})", tuple(&shape));
            }
            5 => {
                let axis = draw.below(shape.len().max(1));
                if !shape.is_empty() {
                    text += &format!(" | flip({axis})");
                }
            }
            6 => {
                let steps: Vec<i64> =
                    shape.iter().map(|_| draw.pick(&[1, 1, 2, -1, 3, 1])).collect();
                let list: Vec<String> = steps.iter().map(i64::to_string).collect();
                text += &format!(" | step({})", list.join(","));
                for (axis, step) in shape.iter_mut().zip(steps) {
                    if step > 1 {
                        *axis = vec![format!("{{{{{} + {}}}//{step}}}", written(axis), step - 1)];
                    }
                }
            }
            7 => {
                let mut list = Vec::new();
                for axis in &mut shape {
                    let size = written(axis);
                    let lo = draw.pick(&["0", "0", "0", "1"]);
                    let cut = draw.pick(&["0", "0", "1"]);
                    let one = size == "1";
                    let (lo, cut) = if one { ("0", "0") } else { (lo, cut) };
                    list.push(format!("({lo},{size}-{cut})"));
                    if lo != "0" || cut != "0" {
                        *axis = vec![format!("{{{size}-{cut}-{lo}}}")];
                    }
                }
                text += &format!(" | shrink({})", list.join(","));
            }
            8 => {
                let mut list = Vec::new();
                for axis in &mut shape {
                    let size = written(axis);
                    let before = draw.pick(&["0", "0", "0", "1", "2", "N"]);
                    let after = draw.pick(&["0", "0", "1", "M"]);
                    let after = if after == "M" && count < 2 { "1" } else { after };
                    list.push(format!("({before},{after})"));
                    if before != "0" || after != "0" {
                        *axis = vec![format!("{{{size}+{before}+{after}}}")];
                    }
                }
                text += &format!(" | pad({})", list.join(","));
            }
            _ => {
                let new = draw.pick(&["N", "2", "3"]).to_owned();
                let mut sizes = vec![new.clone()];
                sizes.extend(shape.iter().map(written));
                text += &format!(" | expand({})", sizes.join(","));
                shape.insert(0, vec![new]);
                if draw.one_in(2) {
                    let mut order: Vec<usize> = (1..shape.len()).collect();
                    let place = draw.below(order.len() + 1);
                    order.insert(place, 0);
                    let axes: Vec<String> = order.iter().map(usize::to_string).collect();
                    text += &format!(" | permute({})", axes.join(","));
                    shape = order.iter().map(|&a| shape[a].clone()).collect();
                }
            }
        }
    }
    Question { params, text }
}

/// The limit that STEPS in the environment sets.
pub fn limit() -> Limit<'static> {
    let steps = std::env::var("STEPS").ok().and_then(|text| text.parse().ok());
    steps.map_or(Limit::none(), Limit::steps)
}

/// Asks a question; `None` if the chain is never legal.
pub fn ask(question: &Question) -> Option<(SymbolicChain, Answer)> {
    let chain = SymbolicChain::parse(&question.declared(), &question.written()).ok()?;
    let answer = chain.merge(&limit());
    Some((chain, answer))
}

/// Two views: a lower one with unknown sizes and strides, and a reshape or a window on top.
pub fn pair(draw: &mut Draw) -> Question {
    let rank = 2 + draw.below(2);
    let mut params: Vec<(String, i64, i64)> = Vec::new();
    let mut declare = |name: &str, min: i64| {
        if !params.iter().any(|(known, ..)| known == name) {
            params.push((name.to_owned(), min, 1));
        }
        name.to_owned()
    };
    let mut shape = Vec::new();
    let mut strides = Vec::new();
    for axis in 0..rank {
        let size = if axis < 2 && draw.one_in(2) {
            declare(["A", "B"][axis], 1)
        } else {
            draw.pick(&["2", "3", "4", "1"]).to_owned()
        };
        shape.push(size);
        let stride = match draw.below(6) {
            0 | 1 => declare("s", -2),
            2 => format!("{{{}*{}}}", declare("s", -2), shape[axis]),
            3 => declare("t", -2),
            _ => draw.pick(&["1", "2", "3", "6", "0", "-1"]).to_owned(),
        };
        strides.push(stride);
    }
    let all = shape.join("*");
    let top = match draw.below(4) {
        0 | 1 => format!("reshape({all})"),
        2 => format!("reshape({},{})", shape[..rank - 1].join("*"), shape[rank - 1]),
        _ => format!("reshape({},{})", shape[0], shape[1..].join("*")),
    };
    let text = format!("({}):({}) | {top}", shape.join(","), strides.join(","));
    Question { params, text }
}
