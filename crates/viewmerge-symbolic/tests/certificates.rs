//! Certificates for all sizes: how many answers have one, that the checker accepts them, and that it
//! accepts nothing false.

use crate::support::programs::{attention, convolution, mutated, strides, windows};
use crate::support::{Draw, Question, ask, chain_of_ops, pair};
use viewmerge::{Validity, View, ViewChain};
use viewmerge_symbolic::{Kind, Limit, SymbolicChain};
use viewmerge_verify::{Always, Polynomial, PolynomialView, Refusal, Shown, verify};

/// The certificate of a question, if it is always one view: `None` if it is not, an error if it has none.
fn certified(question: &Question) -> Option<Option<String>> {
    let (_, answer) = ask(question)?;
    if answer.kind != Kind::Always {
        return None;
    }
    let chain =
        SymbolicChain::op_by_op(&question.declared(), &question.written()).expect("a chain");
    Some(chain.certify(&Limit::none()).map(|certificate| certificate.to_string()))
}

/// Asks questions: how many are always one view, and how many of these have a certificate.
fn shares(count: usize, seed: u64, make: impl Fn(&mut Draw) -> Question) -> [usize; 2] {
    let mut draw = Draw(seed);
    let mut found = [0, 0];
    for _ in 0..count {
        let question = make(&mut draw);
        let Some(certificate) = certified(&question) else { continue };
        found[0] += 1;
        let Some(certificate) = certificate else {
            if std::env::var_os("SHOW").is_some() {
                println!("{:?} {}", question.params, question.written());
            }
            continue;
        };
        found[1] += 1;
        match verify(&certificate) {
            Ok(Shown::AlwaysIsView(always)) => holds(&always, 5, &certificate),
            other => unreachable!("{}: {other:?}\n{certificate}", question.written()),
        }
    }
    println!("{} of {} have a certificate", found[1], found[0]);
    found
}

fn value(p: &Polynomial, point: &[i64]) -> i64 {
    let term = |(c, vars): (&viewmerge_verify::Integer, &[usize])| {
        i64::try_from(c).expect("small") * vars.iter().map(|&v| point[v]).product::<i64>()
    };
    p.terms().map(term).sum()
}

fn view_at(view: &PolynomialView, point: &[i64]) -> Option<View> {
    let all = |list: &[Polynomial]| list.iter().map(|p| value(p, point)).collect::<Vec<_>>();
    let (shape, strides) = (all(&view.shape), all(&view.strides));
    if shape.contains(&0) {
        return View::contiguous(&shape).ok();
    }
    let bounds = view.mask.as_ref().map(|mask| {
        let ends = mask.iter().zip(&shape);
        ends.map(|((lo, hi), size)| (value(lo, point).max(0), value(hi, point).min(*size)))
            .collect::<Vec<_>>()
    });
    if bounds.iter().flatten().any(|(lo, hi)| lo >= hi) {
        return View::nothing(&shape).ok();
    }
    let validity = bounds.map_or(Validity::All, |bounds| Validity::boxed(&bounds));
    View::new(&shape, &strides, value(&view.offset, point), validity).ok()
}

/// What is shown, at all points in reach.
fn holds(always: &Always, most: i64, certificate: &str) {
    assert!(is_true(always, most).unwrap_or(true), "{always}\n{certificate}");
}

/// Whether what is shown is true at all points in reach; `None` if it says nothing there.
fn is_true(always: &Always, most: i64) -> Option<bool> {
    let mut points: Vec<Vec<i64>> = vec![Vec::new()];
    for variable in &always.variables {
        let end = |end: &Option<viewmerge_verify::Integer>| {
            end.as_ref().map(|end| i64::try_from(end).expect("small"))
        };
        let first = end(&variable.first).unwrap_or(-2);
        let last = end(&variable.last).unwrap_or(i64::MAX).min(first + most);
        let with = |point: &Vec<i64>| {
            (first..=last)
                .map(|value| point.iter().copied().chain([value]).collect())
                .collect::<Vec<_>>()
        };
        points = points.iter().flat_map(with).collect();
        points.truncate(4_000);
    }
    let mut told = None;
    for point in points {
        if always.given.iter().any(|p| value(p, &point) < 0) {
            continue;
        }
        let views =
            always.views.iter().map(|view| view_at(view, &point)).collect::<Option<Vec<_>>>();
        let chain = views.and_then(|views| ViewChain::from_views(&views).ok());
        let merged = chain.and_then(|chain| {
            chain.merge_within(&Limit::steps(100_000)).expect("decided").into_view()
        });
        told = Some(true);
        if merged.is_none() || merged != view_at(&always.merged, &point) {
            return Some(false);
        }
    }
    told
}

#[test]
fn most_answers_have_one() {
    let known = |[all, have]: [usize; 2], per_cent: usize| {
        assert!(have * 100 >= all * per_cent, "{have} of {all}");
    };
    known(shares(300, 31, |draw| chain_of_ops(draw, 1)), 95);
    known(shares(100, 32, |draw| chain_of_ops(draw, 0)), 94);
    known(shares(100, 33, pair), 98);
    known(shares(60, 34, attention), 98);
    known(shares(60, 35, convolution), 70);
    known(shares(60, 36, windows), 98);
    known(shares(60, 37, strides), 98);
    known(shares(60, 38, mutated), 68);
}

/// A number of the text changed by a little, put for another one, or left out.
fn tampered(text: &str, draw: &mut Draw) -> String {
    let is_number = |c: char| c.is_ascii_digit() || c == '-';
    let mut places: Vec<(usize, usize)> = Vec::new();
    let mut start = None;
    let mut named = false;
    for (at, c) in text.char_indices() {
        named ^= c == '"';
        match (start, is_number(c) && !named) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                places.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    let (from, to) = draw.pick(&places);
    let value: i64 = text[from..to].parse().expect("a number");
    let (a, b) = draw.pick(&places);
    let new = match draw.below(6) {
        0 => value + 1,
        1 => value - 1,
        2 => 0,
        3 => -value,
        4 => 2 * value,
        _ => text[a..b].parse().expect("a number"),
    };
    format!("{}{new}{}", &text[..from], &text[to..])
}

/// Tampered certificates: none that is accepted says something false.
fn tampering(count: usize, seed: u64) {
    let mut draw = Draw(seed);
    let (mut tried, mut accepted, mut elsewhere) = (0, 0, 0);
    while tried < count {
        let question = match draw.below(5) {
            0 | 1 => chain_of_ops(&mut draw, 1),
            2 => chain_of_ops(&mut draw, 0),
            3 => pair(&mut draw),
            _ => windows(&mut draw),
        };
        let Some(Some(certificate)) = certified(&question) else { continue };
        for _ in 0..10 {
            let mut text = tampered(&certificate, &mut draw);
            if draw.one_in(3) {
                text = tampered(&text, &mut draw);
            }
            tried += 1;
            match verify(&text) {
                Err(Refusal::TooLarge(_)) => unreachable!("too large: {text}"),
                Err(_) => {}
                Ok(Shown::AlwaysIsView(always)) => {
                    accepted += 1;
                    elsewhere += usize::from(is_true(&always, 4).is_none());
                    holds(&always, 4, &text);
                }
                Ok(other) => unreachable!("{other}"),
            }
        }
    }
    println!("{tried} tampered, {accepted} accepted and true, {elsewhere} of them about no point");
}

#[test]
fn nothing_false_is_accepted() {
    tampering(2_000, 5);
}

#[test]
#[ignore = "takes minutes; 100,000 were run"]
fn nothing_false_of_many_is_accepted() {
    tampering(100_000, 6);
}
