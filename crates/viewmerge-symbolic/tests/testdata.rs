//! testdata/symbolic.jsonl: real cases, each with its answer, and the answers against concrete merges.

use crate::support::{Question, Tally, declared, rows};
use viewmerge_symbolic::{Limit, SymbolicChain};

#[test]
fn answers() {
    let (mut closed, mut all) = (0, 0);
    for row in rows() {
        let chain = SymbolicChain::parse(&declared(&row), row["chain"].as_str().expect("text"));
        let answer = chain.expect("a chain").merge(&Limit::none());
        let said = serde_json::to_value(&answer).expect("serializes");
        for key in ["verdict", "requires", "cases", "open"] {
            assert_eq!(said[key], row[key], "{}: {key}", row["name"]);
        }
        all += 1;
        closed += usize::from(row["open"].is_null());
    }
    assert!(all >= 90 && closed * 100 >= all * 95, "{closed} of {all} are closed");
}

/// At up to a few thousand points each, with the numbers put in for the names.
#[test]
fn answers_at_points() {
    let mut tally = Tally::default();
    for row in rows() {
        let params = declared(&row);
        let chain = row["chain"].as_str().expect("text");
        let answered = SymbolicChain::parse(&params, chain).expect("a chain");
        let answer = answered.merge(&Limit::none());
        // Brackets of expressions are written as braces; `/` divides without rest here.
        let text = braced(&chain.replace('/', "//").replace("////", "//"));
        let params: Vec<(String, i64, i64)> = params
            .list()
            .iter()
            .map(|p| (p.name.clone(), p.min.unwrap_or(-3), p.multiple))
            .collect();
        let most = if params.len() > 4 {
            3
        } else if params.len() > 3 {
            4
        } else {
            6
        };
        let least = params.iter().map(|(_, min, multiple)| min / multiple + 1).max().unwrap_or(1);
        let question = Question { params, text };
        tally.compare(&question, &answered, &answer, most.max(least));
    }
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
}

/// Brackets inside an argument become braces.
fn braced(text: &str) -> String {
    let mut out = String::new();
    let mut kinds: Vec<bool> = Vec::new();
    let mut before = ' ';
    for (place, c) in text.char_indices() {
        match c {
            '(' => {
                // A bracket of a list: after a name, or after a bracket, comma or colon when a
                // comma of its own follows before it closes.
                let rest = &text[place + 1..];
                let mut depth = 0;
                let own_comma = rest.chars().take_while(|&c| {
                    depth += i32::from(c == '(') - i32::from(c == ')');
                    depth >= 0
                });
                let mut level = 0;
                let mut comma = false;
                for c in own_comma {
                    level += i32::from(c == '(') - i32::from(c == ')');
                    comma |= c == ',' && level == 0;
                }
                let start = kinds.is_empty();
                let list = start || (comma && matches!(before, '(' | ',' | ':'));
                kinds.push(list);
                out.push(if list { '(' } else { '{' });
            }
            ')' => out.push(if kinds.pop().unwrap_or(true) { ')' } else { '}' }),
            c => out.push(c),
        }
        if !c.is_whitespace() {
            before = c;
        }
    }
    out
}
