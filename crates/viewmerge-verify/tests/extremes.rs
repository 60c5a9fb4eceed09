//! Long, deep and large certificates, and the finer points of JSON.

use viewmerge_verify::{Failure, Flaw, Refusal, Shown, verify, verify_each};

const VIEW: &str = r#"{"shape":[4],"strides":[1],"offset":0,"mask":null}"#;

/// A certificate that `(4)` is `(4)`, with these proofs of above and below; row 1 is absurd.
fn itself(above: &str, below: &str) -> String {
    format!(
        r#"{{"views":[{VIEW}],"merged":{VIEW},"proofs":[
            {{"claim":"above","proof":{above}}},{{"claim":"below","proof":{below}}}]}}"#
    )
}

const ABOVE: &str = r#"{"absurd":[[1,"low",1]]}"#;
const BELOW: &str = r#"{"absurd":[[1,"high",1]]}"#;

/// A proof of above with this many nested splits, on one side or alternately on both.
fn deep(depth: usize, sides: &[&str], innermost: &str) -> String {
    let mut text = String::new();
    let mut ends = Vec::new();
    for level in 0..depth {
        match sides[level % sides.len()] {
            "low" => {
                text += r#"{"split":[1],"at":2,"low":"#;
                ends.push(format!(r#","high":{ABOVE}}}"#));
            }
            _ => {
                text += &format!(r#"{{"split":[1],"at":2,"low":{ABOVE},"high":"#);
                ends.push("}".into());
            }
        }
    }
    text += innermost;
    text.extend(ends.into_iter().rev());
    text
}

#[test]
fn proofs_may_be_deep() {
    for sides in [&["low"][..], &["high"], &["low", "high"]] {
        let text = itself(&deep(100_000, sides, ABOVE), BELOW);
        assert!(matches!(verify(&text), Ok(Shown::IsView { .. })));
        // The row of the last split is the last row.
        let last = r#"{"absurd":[[100001,"low",0],[1,"low",1]]}"#;
        let high = verify(&itself(&deep(100_000, sides, last), BELOW));
        assert_eq!(high.is_ok(), sides.ends_with(&["high"]));
        let beyond = r#"{"absurd":[[100002,"low",0],[1,"low",1]]}"#;
        match verify(&itself(&deep(100_000, sides, beyond), BELOW)) {
            Err(Refusal::Fails(Failure::Unproved { node, flaw, .. })) => {
                assert_eq!(node.path.len(), 100_000);
                assert!(node.to_string().starts_with("a node 100000 splits down (line 2, "));
                assert!(matches!(flaw, Flaw::NoRow { rows: 100_002, .. }));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn brackets_without_end_are_refused() {
    for piece in ["[", "{", "{\"proofs\":[", "\"", "{\"views\":[[", "-", "["] {
        assert!(matches!(verify(&piece.repeat(200_000)), Err(Refusal::Malformed(_))));
    }
    let open = r#"{"proofs":[{"proof":"#.to_string() + &r#"{"split":[1],"low":"#.repeat(100_000);
    assert!(matches!(verify(&open), Err(Refusal::Malformed(_))));
}

#[test]
fn numbers_may_be_long() {
    let digits = "7".repeat(20_000);
    let above = format!(r#"{{"absurd":[[1,"low",{digits}]]}}"#);
    let below = format!(r#"{{"absurd":[[1,"high","{digits}"],[0,"low",0]]}}"#);
    assert!(verify(&itself(&above, &below)).is_ok());
    let negative = format!(r#"{{"absurd":[[1,"low",-{digits}]]}}"#);
    assert!(matches!(verify(&itself(&negative, BELOW)), Err(Refusal::Fails(_))));
}

/// The coefficients of a long chain with large strides would fill any memory.
#[test]
fn forms_that_take_too_much_memory_are_refused() {
    let digits = "9".repeat(300);
    let view = format!(
        r#"{{"shape":[2,{digits}],"strides":[{digits},{digits}],"offset":0,"mask":[[0,1],[0,1]]}}"#
    );
    let merged = r#"{"shape":[1],"strides":[0],"offset":0,"mask":null}"#;
    let chain = [view.as_str()].repeat(2_000).join(",");
    let text = format!(r#"{{"views":[{chain},{merged}],"merged":{merged},"proofs":[]}}"#);
    assert!(matches!(verify(&text), Err(Refusal::TooLarge(_))));
}

#[test]
fn many_axes_do_not_matter() {
    let list = |entry: &str| vec![entry; 2_000].join(",");
    let view = format!(
        r#"{{"shape":[{}],"strides":[{}],"offset":5,"mask":[{}]}}"#,
        list("3"),
        list("0"),
        list("[0,2]")
    );
    let above = r#"{"absurd":[[2000,"low",1]]}"#;
    let below = r#"{"absurd":[[2000,"high",1]]}"#;
    let text = format!(
        r#"{{"views":[{view}],"merged":{view},"proofs":[{{"claim":"above","proof":{above}}},{{"claim":"below","proof":{below}}}]}}"#
    );
    assert!(verify(&text).is_ok());
}

#[test]
fn json_is_read_strictly() {
    let good = itself(ABOVE, BELOW);
    assert!(verify(&good).is_ok());
    assert!(verify(&format!(" \t\r\n{} \n", good.replace(':', " : "))).is_ok());
    // Escapes are part of JSON: these are the same names and words.
    for (plain, escaped) in [
        ("\"views\"", "\"\\u0076iew\\u0073\""),
        ("\"low\"", "\"\\u006cow\""),
        ("\"offset\":0", "\"offset\":\"\\u0030\""),
    ] {
        assert!(good.contains(plain) && verify(&good.replacen(plain, escaped, 1)).is_ok());
    }
    let repeated = good.replacen("\"offset\":0", "\"offset\":0,\"\\u006fffset\":0", 1);
    assert!(matches!(verify(&repeated), Err(Refusal::Malformed(_))));
    for offset in ["0.0", "0e0", "00", "-00", "+0", "0x0", ".0", "0.", "- 0", "NaN", "'0'", ""] {
        let text = good.replacen("\"offset\":0", &format!("\"offset\":{offset}"), 1);
        assert!(matches!(verify(&text), Err(Refusal::Malformed(_))), "{offset}");
    }
    assert!(verify(&good.replacen("\"offset\":0", "\"offset\":-0", 1)).is_ok());
    for (found, wrong) in [
        ("[4]", "[4,]"),
        ("[4]", "[,4]"),
        ("[4]", "[4 4]"),
        ("\"mask\":null}", "\"mask\":null,}"),
        ("\"mask\":null}", "\"mask\":nul}"),
        ("\"mask\":null}", "\"mask\":nullnull}"),
        ("\"mask\":null}", "\"mask\":NULL}"),
        ("\"mask\":", "\"mask\""),
        ("\"mask\"", "mask"),
        ("\"mask\"", "\"mask\t\""),
        ("\"mask\"", "\"ma\nsk\""),
        ("\"mask\"", "\"mas\\k\""),
        ("\"mask\"", "\"mask\\u00\""),
        ("\"mask\"", "\"mask\\ud800\""),
    ] {
        assert!(good.contains(found));
        let text = good.replacen(found, wrong, 1);
        assert!(matches!(verify(&text), Err(Refusal::Malformed(_))), "{text}");
    }
    for after in ["x", "{}", ",", "]", "\u{feff}", "\u{a0}", "\u{0}"] {
        assert!(matches!(verify(&format!("{good}{after}")), Err(Refusal::Malformed(_))));
        assert!(matches!(verify(&format!("{after}{good}")), Err(Refusal::Malformed(_))));
    }
    assert!(matches!(verify(""), Err(Refusal::Malformed(_))));
}

#[test]
fn a_text_holds_one_or_one_a_line() {
    let spread = itself(ABOVE, BELOW);
    let line = spread.replace('\n', " ");
    assert_eq!(verify_each(&spread).count(), 1);
    assert_eq!(verify_each(&line).count(), 1);
    let results: Vec<_> = verify_each(&format!("\n{line}\r\n\n{line}\n")).collect();
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 2);
    // A truncated line is refused where it ends; the others are not.
    let text = format!("{line}\n{line}\n{}\n{line}", &line[..line.len() - 1]);
    let results: Vec<_> = verify_each(&text).collect();
    assert_eq!(results.len(), 4);
    match &results[2] {
        Err(Refusal::Malformed(malformed)) => {
            assert_eq!((malformed.line, malformed.column), (3, line.len()));
            assert_eq!(malformed.found, "the end");
        }
        other => panic!("{other:?}"),
    }
    assert!(results[3].is_ok());
    assert_eq!(verify_each("").count(), 1);
}

fn expressions(one: &str, valid: &str) -> String {
    format!(
        r#"{{"variables":[["i",0,9]],"one":{{"value":{one},"valid":{valid}}},
            "two":{{"value":0,"valid":null}},"proofs":[]}}"#
    )
}

/// If choices go many ways, the first way without a proof is reported; impossible ways are counted too.
#[test]
fn expressions_with_many_ways_are_refused() {
    let many = vec![r#"["min","i",["//","i",2]]"#; 60].join(",");
    let refused = verify(&expressions(&format!(r#"["+",{many}]"#), "null"));
    assert!(matches!(refused, Err(Refusal::Fails(Failure::Missing { .. }))), "{refused:?}");
    let many = vec![r#"["or",["and"],["and"]]"#; 60].join(",");
    let refused = verify(&expressions("0", &format!(r#"["and",{many},["or"]]"#)));
    assert!(matches!(refused, Err(Refusal::TooLarge(_))), "{refused:?}");
}

#[test]
fn trees_have_400_levels_at_most() {
    for depth in [400, 401, 100_000] {
        let deep = r#"["+","#.repeat(depth) + "1" + &"]".repeat(depth);
        let refused = verify(&expressions(&deep, "null"));
        let missing = matches!(refused, Err(Refusal::Fails(Failure::Missing { .. })));
        assert_eq!(missing, depth == 400, "{refused:?}");
    }
}

/// Reading, checking, printing and dropping use no more stack for deep texts.
#[test]
fn a_small_stack_is_enough() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/expression_certificates.jsonl");
    let rows = std::fs::read_to_string(file).expect("is there");
    let deep_sums = rows.lines().find(|row| row.contains("400 sums")).expect("is there");
    let (_, deep_sums) = deep_sums.split_once(r#""certificate":"#).expect("a row");
    let mut texts = vec![deep_sums.strip_suffix('}').expect("an object").to_string()];
    for (open, inside, close) in [
        (r#"["+",1,"#, "\"i\"", "]"),
        (r#"["*",2,"#, "\"i\"", "]"),
        (r#"["//","#, "\"i\"", ",2]"),
        (r#"["%","#, "\"i\"", ",2]"),
        (r#"["min","i","#, "\"i\"", "]"),
        (r#"["where",["<","i",3],"i","#, "\"i\"", "]"),
        (r#"["where",["not",["<","i",3]],"#, "\"i\"", ",1]"),
    ] {
        let deep = |levels: usize| open.repeat(levels) + inside + &close.repeat(levels);
        texts.push(expressions(&deep(398), "null"));
        texts.push(expressions(&deep(398), "null").replace("proofs\":[]", "differ\":[3]"));
        texts.push(expressions(&deep(100_000), "null"));
    }
    for (open, inside) in [(r#"["not","#, r#"["<","i",1]"#), (r#"["and","#, r#"["or"]"#)] {
        let deep = |levels: usize| open.repeat(levels) + inside + &"]".repeat(levels);
        texts.push(expressions("\"i\"", &deep(399)));
        texts.push(expressions("\"i\"", &deep(399)).replace("proofs\":[]", "differ\":[3]"));
        texts.push(expressions("\"i\"", &deep(100_000)));
    }
    for sides in [&["low"][..], &["high"]] {
        texts.push(itself(&deep(50_000, sides, ABOVE), BELOW));
        texts.push(itself(&deep(50_000, sides, "{}"), BELOW));
    }
    let small = std::thread::Builder::new().stack_size(512 * 1024);
    let checked = small.spawn(move || {
        let checked = |text: &String| {
            let result = verify(text);
            (
                format!("{result:?}"),
                result.clone() == result,
                result.is_ok(),
                match result {
                    Ok(shown) => shown.to_string(),
                    Err(refusal) => refusal.to_string(),
                },
            )
        };
        texts.iter().map(checked).filter(|(_, same, is_ok, _)| *same && *is_ok).count()
    });
    // The sums of testdata, six values and two conditions that differ at 3, and two deep proofs.
    assert_eq!(checked.expect("starts").join().expect("no overflow"), 11);
}
