//! Good and bad lines of a batch, and the errors about the bad ones.

use serde_json::{Value, json};
use viewmerge::{Limit, Movement, ViewChain};
use viewmerge_json::answer_line;

fn told(line: &[u8]) -> Value {
    serde_json::from_str(&answer_line(line, &Limit::none())).expect("JSON")
}

#[test]
fn only_the_members_that_count_must_be_good() {
    let rows: [(&[u8], &str); 14] = [
        (br#"{"views":[{"shape":[2]}],"expect":1,"name":[],"id":null}"#, r#"{"mergeable":true"#),
        (br#"{"views":null,"shape":[2],"ops":[],"new_shape":null}"#, r#""mergeable":true"#),
        (br#"{"views":null,"shape":null,"chain":"(2)"}"#, r#""mergeable":true"#),
        (br#"{"view":{"shape":[2]},"new_shape":[1,-1],"shape":null}"#, r#""shape":[1,2]"#),
        (br#"{"view":{"shape":[2]},"new_shape":[3]}"#, r#""kind":"reshape"#),
        (br#"{"view":{"shape":[3,2],"strides":[1,3]},"new_shape":[-1]}"#, r#""shape":[6]"#),
        (br#"{"views":[],"views":[]}"#, r#"line: it has "views" twice"#),
        (br#"{"views":[{"shape":[2]}],"ops":[],"ops":[]}"#, r#"line: it has "ops" twice"#),
        (br#"{"views":[{"shape":[2]}],"x":[],"x":[]}"#, r#"line: it has "x" twice"#),
        (
            br#"{"views":[{"shape":[2]},{"shape":[x]}]}"#,
            "line: no JSON, expected value at column 35",
        ),
        (br#"{"shape":[-1],"ops":[["roll",[1]]]}"#, r#""kind":"negative"#),
        (br#"{"view":{"shape":[2]},"shape":[2]}"#, r#""kind":"question"#),
        (br#" [null,null,null,[2],[],null]"#, "line: expected an object"),
        (b"{\"views\":[{\"shape\":[2],\"x\":\"\xff\"}]}", "line: no text, byte 28 is not UTF-8"),
    ];
    for (line, part) in rows {
        let written = told(line).to_string();
        assert!(written.replace("\\\"", "\"").contains(part), "{written} has no {part}");
    }
}

#[test]
fn members_that_a_question_does_not_take_are_refused() {
    // (line, the error)
    let rows = [
        (
            r#"{"views":[{"shape":[2]}],"certfy":true}"#,
            r#"line: unknown member "certfy" of a question with "views", did you mean "certify"? It takes "views", "certify", "split", "steps", "id", "name", "expect"."#,
        ),
        (
            r#"{"chain":"(2,3)","source":"mine"}"#,
            r#"line: unknown member "source" of a question with "chain". It takes "chain", "certify", "split", "steps", "id", "name", "expect"."#,
        ),
        (
            r#"{"chain":"(2,3)","vars":{}}"#,
            r#"line: unknown member "vars" of a question with "chain"."#,
        ),
        (r#"{"chain":"(2,3)","x":null}"#, r#"line: unknown member "x" of"#),
        (
            r#"{"ask":"explain","chain":"(2,3)","tabel":true}"#,
            r#"line: unknown member "tabel" of the question "explain", did you mean "table"? It takes "ask", "chain", "table", "params","#,
        ),
        (r#"{"ask":"explain","table":true}"#, r#"explain needs "chain""#),
        (
            r#"{"veiws":[{"shape":[2]}]}"#,
            r#"line: unknown member "veiws", did you mean "views"? A question has "views", or "view" and "new_shape", or"#,
        ),
        (r#"{"view":{"shape":[2]}}"#, r#"; it has "view" without "new_shape""#),
        (
            r#"{"views":[{"shape":[2],"stride":[3]}]}"#,
            r#"views[0]: unknown member "stride" of a view, did you mean "strides"? It takes "shape", "strides", "offset", "mask"."#,
        ),
        (
            r#"{"params":{"N":{"mn":2}},"chain":"(N)"}"#,
            r#"params.N: unknown member "mn" of a parameter, did you mean "min"? It takes "min", "max", "multiple"."#,
        ),
        (r#"{"params":{"N":{}},"chain":"(N)","lang":"c"}"#, r#"unknown member "lang""#),
    ];
    for (line, part) in rows {
        let answer = told(line.as_bytes());
        assert_eq!(answer["error"]["kind"], "question", "{line}: {answer}");
        let message = answer["error"]["message"].as_str().expect("text");
        assert!(message.contains(part), "{line}: {message}");
    }
}

#[test]
fn every_answer_repeats_its_id() {
    let lines = [
        r#""chain":"(2,3)""#,
        r#""views":[{"shape":[2]}]"#,
        r#""chain":"(2,3) | permute(1,0) | flatten()","split":true"#,
        r#""expr":"i // 2","vars":{"i":[0,7]}"#,
        r#""cute":"compose","a":"(4,2):(2,1)","b":"4:2""#,
        r#""params":{"N":{}},"chain":"(N,3) | flatten()""#,
        r#""ask":"explain","chain":"(2,3)""#,
        r#""ask":"dims","chain":"(2,3)""#,
        r#""ask":"guarded","chain":"(2,3)""#,
        r#""ask":"languages""#,
        r#""chain":"(2,""#,
        r#""chain":"(2)","steps":0"#,
        r#""chain":"(2)","x":1"#,
        r#""chain":7"#,
        r#""ask":"conjure""#,
        r#""ask":"dims""#,
    ];
    for line in lines {
        let plain = answer_line(format!("{{{line}}}").as_bytes(), &Limit::none());
        for id in ["7", "-1.50", r#""é\"x""#, "123456789012345678901234567890"] {
            let answer = answer_line(format!("{{\"id\":{id},{line}}}").as_bytes(), &Limit::none());
            let rest = answer.strip_prefix(&format!("{{\"id\":{id},")).expect(&answer);
            match plain.strip_prefix('{') {
                Some(members) => assert_eq!(rest, members, "{line}"),
                None => assert_eq!(rest, format!("\"answer\":{plain}}}"), "{line}"),
            }
        }
        // At any place in the line; null means no id.
        let last = answer_line(format!("{{{line},\"id\":7}}").as_bytes(), &Limit::none());
        assert!(last.starts_with(r#"{"id":7,"#), "{last}");
        let none = answer_line(format!("{{{line},\"id\":null}}").as_bytes(), &Limit::none());
        assert_eq!(none, plain);
    }
    let bad = told(br#"{"chain":"(2)","id":[1]}"#);
    assert_eq!(bad["error"]["message"], "id: expected text or a number, found [1]");
}

#[test]
fn a_line_may_bring_its_own_limit() {
    let rows: [(&[u8], &str); 10] = [
        (br#"{"views":[{"shape":[2]}],"steps":0}"#, r#""kind":"undecided"#),
        (br#"{"views":[{"shape":[2]}],"steps":1}"#, r#""mergeable":true"#),
        (br#"{"views":[{"shape":[2]}],"steps":null}"#, r#""mergeable":true"#),
        (br#"{"view":{"shape":[2]},"new_shape":[2],"steps":0}"#, r#""kind":"undecided"#),
        (br#"{"chain":"(2)","steps":0}"#, r#""kind":"undecided"#),
        (
            br#"{"shape":[2],"ops":[],"steps":-1}"#,
            "steps: expected a whole number, 0 or more, found -1",
        ),
        (br#"{"views":[{"shape":[2]}],"steps":"no"}"#, "steps: expected a whole number"),
        (
            br#"{"views":[{"shape":[3,2],"strides":[1,3]},{"shape":[6]}],"steps":100}"#,
            r#""mergeable":false"#,
        ),
        (br#"{"chain":"(2)","certify":true}"#, r#""mask":null},"certificate":{"views":["#),
        (br#"{"views":[{"shape":[2]}],"certify":1}"#, "certify: expected true or false, found 1"),
    ];
    for (line, part) in rows {
        let written = answer_line(line, &Limit::none());
        assert!(written.contains(part), "{written} has no {part}");
    }
    let written = answer_line(br#"{"views":[{"shape":[2]}]}"#, &Limit::steps(0));
    assert!(written.contains("undecided"), "{written}");
}

/// Good questions of every kind.
fn questions() -> Vec<Value> {
    let view = json!({"shape":[2,3],"strides":[1,2],"offset":1,"mask":[[0,2],[1,3]]});
    let ops = json!([
        ["reshape", [3, 2]],
        ["permute", [1, 0]],
        ["expand", [2, 3]],
        ["pad", [[0, 1], [0, 0]]],
        ["shrink", [[0, 2], [0, 3]]],
        ["flip", [0]],
        ["step", [1, 1]],
        ["slice", [":", "::-1"]],
        ["transpose", [0, 1]],
        ["unsqueeze", [0]],
        ["squeeze", [0]],
        ["flatten", [0, 1]],
        ["unflatten", [0, [2, 3]]],
        ["as_strided", [[3, 2], [1, 1], 1]],
        ["flatten", []],
    ]);
    vec![
        json!({"views":[view, {"shape":[3],"mask":"nothing"}, {"shape":[3],"mask":null}]}),
        json!({"view":view,"new_shape":[3,-1]}),
        json!({"shape":[2,3],"ops":ops}),
        json!({"chain":"(2,3) | permute(1,0) | reshape(6)"}),
    ]
}

/// The answer is the same whether a line is read at once or member by member.
#[test]
fn a_member_that_is_null_changes_nothing() {
    for question in questions() {
        let good = told(question.to_string().as_bytes());
        assert!(good.get("error").is_none(), "{question}: {good}");
        let mut slow = question.clone();
        slow["vars"] = json!(null);
        assert_eq!(told(slow.to_string().as_bytes()), good, "{slow}");
    }
}

/// Calls `with` for the value with each part in turn replaced or left out, and each name
/// of a member changed.
fn spoil(value: &Value, with: &mut dyn FnMut(Value)) {
    let others = [
        json!(null),
        json!(true),
        json!(7),
        json!(2.5),
        json!(u64::MAX),
        json!("text"),
        json!([]),
        json!([1]),
        json!([[1]]),
        json!({}),
        json!({"shape":[2]}),
    ];
    others.into_iter().for_each(&mut *with);
    match value {
        Value::Array(items) => {
            for place in 0..items.len() {
                let mut fewer = items.clone();
                fewer.remove(place);
                with(Value::Array(fewer));
                spoil(&items[place], &mut |item| {
                    let mut items = items.clone();
                    items[place] = item;
                    with(Value::Array(items));
                });
            }
            with(Value::Array([&items[..], &[json!(1)]].concat()));
        }
        Value::Object(members) => {
            for (name, value) in members {
                let mut fewer = members.clone();
                fewer.remove(name);
                with(Value::Object(fewer.clone()));
                fewer.insert(format!("{name}s"), value.clone());
                with(Value::Object(fewer));
                spoil(value, &mut |value| {
                    let mut members = members.clone();
                    members.insert(name.clone(), value);
                    with(Value::Object(members));
                });
            }
        }
        _ => {}
    }
}

/// Words known only to readers of the code.
const INNER_WORDS: [&str; 12] = [
    "struct",
    "variant",
    "sequence",
    "tuple",
    "enum",
    "invalid type",
    "invalid value",
    "invalid length",
    "missing field",
    "duplicate field",
    "array of length",
    "Movement",
];

#[test]
fn messages_name_the_member_and_what_is_accepted() {
    let (mut good, mut bad) = (0, 0);
    for question in questions() {
        spoil(&question, &mut |line| {
            let answer = told(line.to_string().as_bytes());
            let Some(error) = answer.get("error") else {
                good += 1;
                return;
            };
            bad += 1;
            let message = error["message"].as_str().expect("text");
            let inner = INNER_WORDS.iter().find(|word| message.contains(*word));
            assert_eq!(inner, None, "{line}: {message}");
            let (part, rest) = message.split_once(": ").expect("names a part");
            let member = part.split(['[', '.']).next().expect("a name");
            assert!(member == "line" || line.get(member).is_some(), "{line}: {message}");
            let kind = error["kind"].as_str().expect("text");
            if kind == "json" {
                assert!(rest.contains("expected "), "{line}: {message}");
            }
            // The message names the part at fault, unless the whole line is.
            if kind == "json" && member != "line" && !rest.starts_with("it has no") {
                let pointer = format!("/{}", part.replace(['[', '.'], "/").replace(']', ""));
                let at_fault = line.pointer(&pointer).expect("is there").to_string();
                let at_fault: String = at_fault.chars().take(60).collect();
                let shown = rest.rsplit("found ").next().expect("is shown");
                let shown = shown.trim_end_matches("...");
                assert!(at_fault.starts_with(shown), "{line}: {message}");
            }
        });
    }
    assert!(bad > 1_500 && good > 50, "{bad} bad, {good} good");
}

/// Every op is the same as JSON, as text and as a method.
#[test]
fn ops_mean_the_same_as_json_and_as_text() {
    let rows = [
        ("(6,4)", r#"["reshape",[2,-1]]"#, "reshape(2,-1)"),
        ("(6,4)", r#"["permute",[1,0]]"#, "permute(1,0)"),
        ("(6,1)", r#"["expand",[2,6,-1]]"#, "expand(2,6,-1)"),
        ("(6,4)", r#"["pad",[[1,0],[0,2]]]"#, "pad((1,0),(0,2))"),
        ("(6,4)", r#"["shrink",[[1,3],[0,2]]]"#, "shrink((1,3),(0,2))"),
        ("(6,4)", r#"["flip",[-1]]"#, "flip(-1)"),
        ("(6,4)", r#"["step",[-2,1]]"#, "step(-2,1)"),
        ("(6,4)", r#"["slice",["1:-1","::-2"]]"#, "slice(1:-1,::-2)"),
        ("(6,4)", r#"["transpose",[0,-1]]"#, "transpose(0,-1)"),
        ("(6,1)", r#"["squeeze",[1]]"#, "squeeze(1)"),
        ("(6,4)", r#"["unsqueeze",[-1]]"#, "unsqueeze(-1)"),
        ("(6,4)", r#"["flatten",[]]"#, "flatten()"),
        ("(6,4,2)", r#"["flatten",[1,2]]"#, "flatten(1,2)"),
        ("(6,4)", r#"["unflatten",[0,[3,-1]]]"#, "unflatten(0,(3,-1))"),
        ("(6,4)", r#"["as_strided",[[4,3],[1,2]]]"#, "as_strided((4,3),(1,2))"),
        ("(6,4)", r#"["as_strided",[[4,3],[1,2],5]]"#, "as_strided((4,3),(1,2),5)"),
    ];
    let mut names: Vec<&str> = Vec::new();
    for (view, op, text) in rows {
        let chain: ViewChain = view.parse().expect(view);
        let op: Movement = serde_json::from_str(op).expect(op);
        names.push(op.name());
        let whole = format!("{view} | {text}");
        assert_eq!(chain.apply(&op).expect(text), whole.parse().expect(&whole));
        let shape = json!(chain.shape());
        let as_json = json!({"shape":shape,"ops":[op]}).to_string();
        let as_text = json!({"chain":whole}).to_string();
        assert_eq!(told(as_json.as_bytes()), told(as_text.as_bytes()));
    }
    names.sort_unstable();
    names.dedup();
    let mut all = Movement::names().to_vec();
    all.sort_unstable();
    assert_eq!(names, all);
}
