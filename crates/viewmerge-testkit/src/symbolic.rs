//! Chains with unknown sizes from a fuzzer's choices, and what must hold of their answers.

use viewmerge::Limit;
use viewmerge_symbolic::{At, Params, SymbolicChain};

use crate::choices::Choices;

const PARAMS: [&str; 5] = ["N", "M>=0", "K%3==0", "P<=2,P>=0", "s:int"];

const SIZES: [&str; 12] =
    ["N", "M", "K", "1", "2", "3", "N*M", "N+1", "N-1", "(K+1)//2", "M%2+1", "2*N"];

const NUMBERS: [&str; 9] = ["0", "1", "2", "-1", "s", "N", "P", "N*s", "M-1"];

fn list(choices: &mut Choices<'_>, items: &[&'static str], count: usize) -> String {
    let parts: Vec<&str> = (0..count).map(|_| choices.pick(items)).collect();
    parts.join(",")
}

/// A chain as text; it need not be legal.
fn text(choices: &mut Choices<'_>) -> String {
    let mut rank = choices.pick(&[1usize, 2, 3]);
    let mut text = format!("({})", list(choices, &SIZES, rank));
    if choices.one_in(2) {
        text += &format!(":({})", list(choices, &NUMBERS, rank));
    }
    for _ in 0..choices.below(5) {
        let pairs = |choices: &mut Choices<'_>, rank: usize| {
            let pair = |choices: &mut Choices<'_>| format!("({})", list(choices, &NUMBERS, 2));
            (0..rank).map(|_| pair(choices)).collect::<Vec<_>>().join(",")
        };
        let axis = choices.below(3) % i64::try_from(rank).unwrap_or(1);
        text += " | ";
        match choices.below(11) {
            0 => text += "flatten()",
            1 => {
                rank = choices.pick(&[1, 2, 3]);
                text += &format!("reshape({})", list(choices, &SIZES, rank));
            }
            2 => {
                text += &format!("reshape(-1,{})", choices.pick(&SIZES));
                rank = 2;
            }
            3 if rank > 1 => text += "transpose(0,-1)",
            4 => text += &format!("flip({axis})"),
            5 => text += &format!("step({})", list(choices, &["1", "2", "-1", "3", "P"], rank)),
            6 => text += &format!("pad({})", pairs(choices, rank)),
            7 => text += &format!("shrink({})", pairs(choices, rank)),
            8 => text += &format!("expand({})", list(choices, &SIZES, rank)),
            9 => {
                text += &format!("slice({}:)", choices.pick(&NUMBERS));
            }
            _ => {
                text += &format!("unsqueeze({axis})");
                rank += 1;
            }
        }
        if text.ends_with("flatten()") {
            rank = 1;
        }
    }
    text
}

/// Asks everything about one chain and compares with the concrete library at a few points.
///
/// # Errors
///
/// What disagrees.
pub fn check(choices: &mut Choices<'_>) -> Result<(), String> {
    let mut params = Params::new();
    for declaration in PARAMS {
        params = params.read(declaration).map_err(|error| error.to_string())?;
    }
    let text = text(choices);
    let Ok(chain) = SymbolicChain::parse(&params, &text) else { return Ok(()) };
    let limits = Limit::steps(500);
    let answer = chain.merge(&limits);
    let form = chain.form(&limits);
    // Only this question may show that the chain's requirements hold for no parameters.
    let Ok(same) = chain.equivalent(&chain, &limits) else { return Ok(()) };
    for _ in 0..4 {
        let values = [
            1 + choices.below(3),
            choices.below(4),
            3 * (1 + choices.below(2)),
            choices.below(3),
            choices.below(5) - 2,
        ];
        let point: Vec<(&str, i64)> = params.names().zip(values).collect();
        let wrong = |what: &str| Err(format!("{text} at {point:?}: {what}; {answer}"));
        let said = answer.at(&point).map_err(|error| error.to_string())?;
        if same.at(&point) == Ok(At::No) {
            return wrong("not the same as itself");
        }
        let agree = match (&said, answer.choose(&values)) {
            (_, At::Open) => said == At::Open,
            (At::Open, chosen) | (At::Yes(_), chosen) => matches!(chosen, At::Yes(_)),
            (At::No, chosen) => chosen == At::No,
            (_, chosen) => chosen == At::Refused,
        };
        if !agree {
            return wrong("the case chosen is another");
        }
        let Ok(concrete) = chain.at(&point) else { continue };
        let Ok(verdict) = concrete.merge_within(&Limit::steps(5_000)) else { continue };
        let merged = verdict.into_view();
        match (&said, &merged) {
            (At::Open | At::Refused, _) | (At::No, None) => {}
            (At::Yes(view), Some(merged)) if view == merged => {}
            _ => return wrong(&format!("said {said:?}, is {merged:?}")),
        }
        if let Ok(form) = &form {
            for index in concrete.indices().take(40) {
                if let Ok(found) = form.index(&point, &index)
                    && Ok(found) != concrete.index(&index)
                {
                    return wrong(&format!("{form} is {found:?} at {index:?}"));
                }
            }
        }
    }
    Ok(())
}
