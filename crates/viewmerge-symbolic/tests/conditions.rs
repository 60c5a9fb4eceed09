//! Unknown strides through either door: `conditions` of the concrete library, and a chain with
//! parameters for strides, say the same at all strides in reach.

use crate::support::Draw;
use viewmerge::{Limit, OpenChain};
use viewmerge_symbolic::{At, Params, SymbolicChain};

const NAMES: [&str; 3] = ["a", "b", "c"];

/// Views with numbers over a shape whose strides are open: a strided view, or ops.
fn question(draw: &mut Draw) -> (Vec<i64>, String) {
    let rank = 2 + draw.below(2);
    let shape: Vec<i64> = (0..rank).map(|_| draw.pick(&[1, 2, 3, 4])).collect();
    let count: i64 = shape.iter().product();
    let list = |sizes: &[i64]| sizes.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    let above = match draw.below(4) {
        0 => format!("reshape({count})"),
        1 => {
            let mut axes: Vec<i64> = (0..rank as i64).collect();
            axes.rotate_left(1);
            format!("permute({}) | reshape({count})", list(&axes))
        }
        2 => {
            let step = 1 + draw.below(4) as i64;
            let size = 1 + (count - 1) / step;
            format!("({size}):({step})")
        }
        _ => {
            let inner = draw.pick(&[1, 2, 3]);
            let (long, short) = ((count - 1) / inner, count.min(2));
            let size = 1 + (long - (short - 1)).max(0);
            format!("({size},{short}):({inner},{inner})")
        }
    };
    (shape, above)
}

#[test]
fn either_door() {
    let mut draw = Draw(41);
    let (mut points, mut open, mut merging) = (0, 0, 0);
    for _ in 0..250 {
        let (shape, above) = question(&mut draw);
        let sizes: Vec<String> = shape.iter().map(i64::to_string).collect();
        let sizes = sizes.join(",");
        let Ok(concrete) = format!("({sizes}) | {above}").parse::<OpenChain>() else { continue };
        let found = concrete.conditions(&Limit::none()).expect("decided");
        let names = &NAMES[..shape.len()];
        let mut params = Params::new();
        for name in names {
            params = params.integer(name).expect("declares");
        }
        let text = format!("({sizes}):({}) | {above}", names.join(","));
        let chain = SymbolicChain::parse(&params, &text).expect("a chain");
        let answer = chain.merge(&Limit::none());
        let values = [-2i64, -1, 0, 1, 2, 3, 4, 6, 9, 12];
        let all = values.len().pow(u32::try_from(shape.len()).expect("few"));
        for number in 0..all {
            let strides: Vec<i64> = (0..shape.len())
                .map(|axis| {
                    let place = number / values.len().pow(u32::try_from(axis).expect("few"));
                    values[place % values.len()]
                })
                .collect();
            let merges = found.allow(&strides);
            let point: Vec<(&str, i64)> = names.iter().copied().zip(strides.clone()).collect();
            points += 1;
            match answer.at(&point).expect("a point") {
                At::Open => open += 1,
                said => assert_eq!(
                    matches!(said, At::Yes(_)),
                    merges,
                    "{text} at {strides:?}: {answer}, but {found:?}"
                ),
            }
            merging += usize::from(merges);
        }
    }
    println!("{points} strides, {merging} merge, {open} open");
    assert!(points > 50_000 && merging > 1_000 && open * 500 < points, "{points} {merging} {open}");
}

/// The time of a question is bounded by its limit, and a raised flag ends it.
#[test]
fn a_limit_is_a_limit() {
    let sizes = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let params = sizes.iter().try_fold(Params::new(), |params, name| params.size(name));
    let text = format!("({}) | permute(8,7,6,5,4,3,2,1,0) | flatten()", sizes.join(","));
    let chain = SymbolicChain::parse(&params.expect("declares"), &text).expect("a chain");
    let timed = |limit: &Limit<'_>| {
        let start = std::time::Instant::now();
        let answer = chain.merge(limit);
        (start.elapsed(), answer)
    };
    let (whole, _) = timed(&Limit::none());
    assert!(whole.as_millis() < 4_000, "{whole:?}");
    let raised = std::sync::atomic::AtomicBool::new(true);
    let (stopped, answer) = timed(&Limit::none().stopped_by(&raised));
    assert!(answer.open.is_always() && stopped < whole, "{stopped:?} of {whole:?}");
}

/// A mask that ends at a size, and a step that is a parameter: conditions that are true by themselves.
#[test]
fn conditions_do_not_count_on_their_order() {
    let params = Params::new().integer("s").and_then(|params| params.size("N")).expect("declares");
    let text = "(4,3,2,N):(2*s,s,s,1) [0:4,0:2,0:2,0:N-1] | as_strided((3),(1),0)";
    let why = SymbolicChain::parse(&params, text).expect("a chain").explain(&Limit::none());
    let assumed: Vec<String> =
        why.assumptions.iter().map(|case| format!("{}: {}", case.guard, case.view)).collect();
    assert!(assumed.contains(&"N == 3: (3):(1) [0:2]".to_owned()), "{assumed:?}");
    assert!(!why.to_string().contains("N >= 3;"), "{why}");
}

/// Where only a length is unknown, the chain is one view up to a length that the concrete library finds.
#[test]
fn a_length_has_one_bound() {
    let params = Params::new().size("L").expect("declares");
    for (text, guard) in [
        ("(1000,5,3):(27,6,1) | (L):(11)", "L <= 7"),
        ("(1000,7,3):(27,6,1) | (L):(11)", "L <= 2"),
        ("(1000,5,3):(27,6,1) | (2*L):(11)", "L <= 3"),
        ("(10,3,3):(8,1,2) | (L+1):(4)", "L <= 4"),
    ] {
        let answer = SymbolicChain::parse(&params, text).expect("a chain").merge(&Limit::none());
        let guards: Vec<String> = answer.cases.iter().map(|case| case.guard.to_string()).collect();
        assert_eq!(guards, [guard], "{text}");
        assert!(answer.open.is_never(), "{text}");
    }
}
