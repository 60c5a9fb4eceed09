//! What is written in a serde format reads back as it was, and nothing else is accepted.

use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use viewmerge::{
    Blame, Conditions, Equivalence, Limit, Movement, OpenChain, OverflowTable, Slice,
    StridePattern, Validity, Verdict, View, ViewChain, ViewParts, merge_dims,
};
use viewmerge_index::{GuardedView, IndexChain, IndexForm, Language, Render};
use viewmerge_testkit::choices::Choices;
use viewmerge_testkit::{accidental, generate, run};

const NONE: &Limit<'static> = &Limit::none();

/// Written, read and written again; and equal values have equal hashes.
fn round_trip<T>(value: &T) -> Result<(), String>
where
    T: Serialize + DeserializeOwned + PartialEq + Eq + Hash + Clone + Debug,
{
    let text = serde_json::to_string(value).map_err(|e| format!("{value:?}: {e}"))?;
    let read: T = serde_json::from_str(&text).map_err(|e| format!("{text}: {e}"))?;
    if read != *value {
        return Err(format!("{text} reads as {read:?}, not {value:?}"));
    }
    // Through a tree of values as well: numbers come in another order of types.
    let tree: serde_json::Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let from_tree: T = serde_json::from_value(tree).map_err(|e| format!("{text}: {e}"))?;
    if HashSet::from([value.clone(), read, from_tree]).len() != 1 {
        return Err(format!("{text}: equal values with unequal hashes"));
    }
    Ok(())
}

#[test]
fn all_answers() {
    run(2_000, |choices| {
        let views = match choices.one_in(2) {
            true => accidental::chain(choices),
            false => generate::chain(choices),
        };
        let told = |e: viewmerge::Error| e.to_string();
        let chain = ViewChain::from_views(&views).map_err(told)?;
        round_trip(&chain)?;
        for view in chain.views() {
            round_trip(view)?;
            round_trip(view.validity())?;
        }
        round_trip(&chain.merge().map_err(told)?)?;
        round_trip(&chain.decide(NONE).map_err(told)?)?;
        round_trip(&chain.explain(NONE).map_err(told)?)?;
        let form = chain.form(NONE).map_err(told)?;
        round_trip(&form)?;
        let plain = IndexForm::of_views(&chain).map_err(told)?;
        round_trip(&plain)?;
        for function in form.floors().iter().map(|floor| &floor.operand).chain([form.position()]) {
            round_trip(function)?;
        }
        let how = Render::new(choices.pick(Language::all()));
        if let Ok(bare) = form.snippet(&how) {
            serde_json::to_string(&bare).map_err(|error| error.to_string())?;
        }
        if let Some(guarded) = form.guarded().map_err(told)? {
            round_trip(&guarded)?;
        }
        round_trip(&merge_dims(chain.last()))?;
        let op = generate::movement(choices, chain.shape());
        round_trip(&op)?;
        if op.to_string().parse::<Movement>().as_ref() != Ok(&op) {
            return Err(format!("{op} does not parse back"));
        }
        if let Ok(other) = chain.apply(&op) {
            round_trip(&chain.equivalent(&other, NONE).map_err(told)?)?;
        }
        if let [below, _] = chain.views() {
            let mut strides: Vec<Option<i64>> = below.strides().iter().copied().map(Some).collect();
            if let Some(open) = strides.first_mut() {
                *open = None;
            }
            let pattern = StridePattern::masked(below.shape(), &strides, below.validity().clone());
            let pattern =
                pattern.and_then(|p| p.at_offset(choices.between(-3, 3))).map_err(told)?;
            round_trip(&pattern)?;
            let open = OpenChain::new(pattern.clone(), &chain.views()[1..]).map_err(told)?;
            round_trip(&open)?;
            round_trip(&open.conditions(NONE).map_err(told)?)?;
            let table = open.overflow_table(30, NONE).map_err(told)?;
            round_trip(&table)?;
            let read: OverflowTable =
                serde_json::from_str(&serde_json::to_string(&table).map_err(|e| e.to_string())?)
                    .map_err(|e| e.to_string())?;
            if read.to_latex() != table.to_latex() {
                return Err(format!("{} is another table", read.to_latex()));
            }
        }
        Ok(())
    });
}

/// Changes numbers of a text, and drops or repeats parts of lists.
fn tampered(choices: &mut Choices<'_>, value: &mut Value) {
    match value {
        Value::Number(_) if choices.one_in(4) => {
            let extremes = [0, 1, -1, 2, i64::MAX, i64::MIN, 1 << 62, -(1 << 62), 1 << 32];
            *value = choices.pick(&extremes).into();
        }
        Value::Array(items) => {
            if choices.one_in(12) {
                items.pop();
            } else if choices.one_in(12)
                && let Some(first) = items.first().cloned()
            {
                items.push(first);
            }
            items.iter_mut().for_each(|item| tampered(choices, item));
        }
        Value::Object(fields) => fields.values_mut().for_each(|item| tampered(choices, item)),
        Value::Null if choices.one_in(20) => *value = choices.between(-2, 2).into(),
        _ => {}
    }
}

/// What a tampered value is read as, if it is not refused.
fn read_tampered<T: Serialize + DeserializeOwned>(
    choices: &mut Choices<'_>,
    value: &T,
) -> Result<Option<T>, String> {
    let mut tree = serde_json::to_value(value).map_err(|e| e.to_string())?;
    tampered(choices, &mut tree);
    Ok(serde_json::from_value(tree).ok())
}

/// Nothing that is read makes a method panic.
#[test]
fn tampered_answers_do_no_harm() {
    let accepted = std::cell::Cell::new(0);
    run(3_000, |choices| {
        let views = accidental::chain(choices);
        let told = |e: viewmerge::Error| e.to_string();
        let chain = ViewChain::from_views(&views).map_err(told)?;
        let form = IndexForm::of_views(&chain).map_err(told)?;
        if let Some(form) = read_tampered(choices, &form)? {
            accepted.set(accepted.get() + 1);
            let _ = (form.to_string(), form.guarded(), form.single_view());
            for language in Language::all() {
                let _ = form.render(&Render::new(*language));
            }
            let corner: Vec<i64> = form.shape().iter().map(|size| size - 1).collect();
            let _ = (form.index(&corner), form.index(&vec![0; corner.len()]));
        }
        let why = chain.explain(NONE).map_err(told)?;
        if let Some(why) = read_tampered(choices, &why)? {
            accepted.set(accepted.get() + 1);
            let _ = why.to_string();
        }
        let pattern = StridePattern::of(&views[0]).map_err(told)?;
        let open = StridePattern::new(pattern.shape(), &vec![None; pattern.shape().len()]);
        let open = OpenChain::new(open.map_err(told)?, &views[1..]).map_err(told)?;
        let found = open.conditions(NONE).map_err(told)?;
        if let Some(found) = read_tampered(choices, &found)? {
            accepted.set(accepted.get() + 1);
            let strides = vec![i64::MIN; found.solutions().map_or(0, |s| s.particular.len())];
            let _ = (found.to_string(), found.to_latex(), found.basis(), found.allow(&strides));
            let _ = (found.solved(), found.merged_strides(), found.is_impossible());
        }
        let table = open.overflow_table(20, NONE).map_err(told)?;
        if let Some(table) = read_tampered(choices, &table)? {
            accepted.set(accepted.get() + 1);
            let _ = (table.to_text(), table.to_markdown(), table.to_latex());
        }
        Ok(())
    });
    assert!(accepted.get() > 1_000, "{}", accepted.get());
}

#[test]
fn slices_and_languages() {
    for text in [":", "1:", ":-1", "::-2", "3:1:5", "-4:-1:-1"] {
        let slice: Slice = text.parse().expect(text);
        assert_eq!(slice.to_string(), text);
        round_trip(&slice).expect("as it was");
    }
    for language in Language::all() {
        round_trip(language).expect("as it was");
    }
    assert_eq!(serde_json::to_string(&Language::OpenCl).expect("writes"), "\"opencl\"");
}

#[test]
fn what_it_looks_like() {
    let chain: ViewChain = "(3,2):(1,3) | (6)".parse().expect("reads");
    let json = |value: serde_json::Result<String>| value.expect("writes");
    assert_eq!(
        json(serde_json::to_string(&chain)),
        r#"[{"shape":[3,2],"strides":[1,3],"offset":0,"mask":null},{"shape":[6],"strides":[1],"offset":0,"mask":null}]"#,
    );
    assert_eq!(
        json(serde_json::to_string(&chain.merge().expect("decides"))),
        r#"{"mergeable":false,"witness":{"kind":"step","axis":0,"at":[0],"step":3,"other":[1],"other_step":-2}}"#,
    );
    let open: OpenChain = format!("(4,6) | {}", chain.last()).parse().expect("reads");
    let found = open.conditions(NONE).expect("small");
    assert_eq!(
        json(serde_json::to_string(&found)),
        r#"{"known":[null,null],"equations":[],"steps":[[0,1]],"lengths":[[]],"first":[0],"hole":null}"#,
    );
    assert_eq!(
        json(serde_json::to_string(&Equivalence::Shapes)),
        r#"{"equal":false,"index":null}"#
    );
    assert_eq!(json(serde_json::to_string(&Validity::Nothing)), r#""nothing""#);
}

#[track_caller]
fn refused<T: DeserializeOwned + Debug>(text: &str, part: &str) {
    let error = serde_json::from_str::<T>(text).expect_err(text).to_string();
    assert!(error.contains(part), "{text}: {error}");
}

#[test]
fn mistakes_are_refused() {
    refused::<ViewChain>("[]", "a chain needs at least one view");
    refused::<ViewChain>(r#"[{"shape":[2]},{"shape":[3]}]"#, "view 1 does not compose");
    refused::<Verdict>(r#"{"mergeable":true}"#, "a verdict has a view if it is mergeable");
    refused::<Equivalence>(r#"{"equal":true,"index":[0]}"#, "no index differs");
    refused::<StridePattern>(r#"{"shape":[2],"strides":[]}"#, "give one entry for every axis");
    refused::<View>(r#"{"shape":[-2]}"#, "a size must be 0 or more");
    refused::<Language>("\"cobol\"", "unknown variant `cobol`");
    let form = |floors: &str, guards: &str, position: &str| {
        format!(r#"{{"shape":[4],"floors":[{floors}],"guards":[{guards}],"position":{position}}}"#)
    };
    let plain = r#"{"constant":0,"axes":[1]}"#;
    assert!(serde_json::from_str::<IndexForm>(&form("", "", plain)).is_ok());
    let rows = [
        (form("", "", r#"{"constant":0,"axes":[1,1]}"#), "coefficients for 2 axes"),
        (form("", "", r#"{"constant":0,"axes":[1],"floors":[1]}"#), "uses floor 0, it can use 0"),
        (
            form(&format!(r#"{{"operand":{plain},"divisor":1,"range":[0,1]}}"#), "", plain),
            "it must be 2 or more",
        ),
        (
            form(&format!(r#"{{"operand":{plain},"divisor":2,"range":[1,0]}}"#), "", plain),
            "the wrong way round",
        ),
        (
            form("", r#"{"function":{"constant":1,"axes":[1]},"lower":0,"upper":null}"#, plain),
            "it must be 0",
        ),
        (form("", "", r#"{"constant":9223372036854775807,"axes":[1]}"#), "must fit 64 bits"),
    ];
    for (text, part) in rows {
        refused::<IndexForm>(&text, part);
    }
    let equation = |c: &str| {
        format!(
            r#"{{"known":[null,null],"equations":[{{"coefficients":{c},"axis":0,"at":[0],"other":[1],"grown":0,"length":2}}],"steps":[[0,1]],"lengths":[[2]],"first":[0],"hole":null}}"#
        )
    };
    assert!(serde_json::from_str::<Conditions>(&equation("[1,-2]")).is_ok());
    refused::<Conditions>(&equation("[1]"), "give one entry for every axis");
    let largest = format!("[{},{}]", i64::MAX, i64::MIN);
    refused::<Conditions>(&equation(&largest), "do not fit 64 bits");
    refused::<Blame>(r#"{"kind":"axes","view":0}"#, "missing field `outer`");
    refused::<Blame>(r#"{"kind":"mask","view":0,"axis":1}"#, "missing field `across`");
    refused::<GuardedView>(
        r#"{"view":{"shape":[2]},"guards":[{"coefficients":[],"lower":0,"upper":1}]}"#,
        "give one entry for every axis",
    );
}

#[test]
fn numbers_beyond_64_bits_are_read_back() {
    let text = r#"{"kind":"axes","view":0,"outer":0,"inner":1,"stride":1,"contiguous":"-36893488147419103232"}"#;
    let blame: Blame = serde_json::from_str(text).expect(text);
    assert_eq!(serde_json::to_string(&blame).expect(text), text);
}

#[test]
fn views_are_written_with_all_members() {
    let rows = [
        r#"{"shape":[10,3,3],"strides":[8,1,2],"offset":5,"mask":[[0,10],[1,3],[0,3]]}"#,
        r#"{"shape":[2],"strides":[-1],"offset":1,"mask":null}"#,
        r#"{"shape":[],"strides":[],"offset":0,"mask":"nothing"}"#,
        r#"{"shape":[0],"strides":[0],"offset":0,"mask":null}"#,
    ];
    for text in rows {
        let view: View = serde_json::from_str(text).expect(text);
        assert_eq!(serde_json::to_string(&view).expect(text), text);
        assert_eq!(serde_json::to_string(&ViewParts::from(view)).expect(text), text);
    }
}

#[test]
fn refused_views_say_what_is_accepted() {
    let rows = [
        (r#"{"shape":[2],"mask":"never"}"#, "or the word \"nothing\""),
        (r#"{"shape":[2],"mask":3}"#, "a list of [lo, hi]"),
        (r#"{"strides":[2]}"#, "missing field `shape`"),
        (r#"{"shape":[2],"strides":[1,1]}"#, "give one entry for every axis"),
    ];
    for (text, part) in rows {
        let error = serde_json::from_str::<View>(text).expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}
