//! Axes that are repeated or have their new size already, against concrete merges at all points.

use crate::support::{Draw, Question, Tally, ask, same_choice};

/// Axes of unknown size expanded to others, then regrouped.
fn expanded(draw: &mut Draw) -> Question {
    let names = ["N", "M", "K"];
    let params = names.map(|name| (name.to_owned(), 1, 1)).to_vec();
    let sizes = ["N", "M", "K", "1", "3"];
    let rank = 1 + draw.below(3);
    let mut shape: Vec<String> = (0..rank).map(|_| draw.pick(&sizes).to_owned()).collect();
    let mut text = format!("({})", shape.join(","));
    for _ in 0..1 + draw.below(2) {
        if draw.one_in(3) {
            let amounts: Vec<&str> =
                shape.iter().map(|_| draw.pick(&["(0,0)", "(1,0)", "(0,0)", "(0,M)"])).collect();
            for (size, amount) in shape.iter_mut().zip(&amounts) {
                match *amount {
                    "(1,0)" => *size = format!("{{{size}+1}}"),
                    "(0,M)" => *size = format!("{{{size}+M}}"),
                    _ => {}
                }
            }
            text += &format!(" | pad({})", amounts.join(","));
        }
        if draw.one_in(3) {
            text += " | flip(0)";
        }
        for size in &mut shape {
            if draw.one_in(2) {
                *size = draw.pick(&["N", "M", "K", "4"]).to_owned();
            }
        }
        text += &format!(" | expand({})", shape.join(","));
    }
    if rank > 1 && draw.one_in(2) {
        text += " | transpose(0,-1)";
        shape.swap(0, rank - 1);
    }
    if draw.one_in(2) {
        text += &format!(" | reshape({})", shape.join("*"));
    }
    Question { params, text }
}

#[test]
fn every_size_that_may_be_one() {
    let mut draw = Draw(77);
    let mut tally = Tally::default();
    for _ in 0..500 {
        let question = expanded(&mut draw);
        if let Some((chain, answer)) = ask(&question) {
            tally.compare(&question, &chain, &answer, 4);
            question.points(4).iter().for_each(|point| same_choice(&answer, point));
        }
    }
    println!("{}", tally.report("expanded"));
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert!(tally.chains > 300 && tally.some_open * 50 < tally.chains, "{}", tally.report(""));
}
