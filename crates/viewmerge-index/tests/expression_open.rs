//! Index expressions over variables whose ranges lack an end.
//!
//! A fixed share of random ones runs here; `VIEWMERGE_CASES=25` runs 25 times as many.

use viewmerge::{Error, Limit};
use viewmerge_index::{Domain, Expression, Same};
use viewmerge_testkit::{expressions, run};

fn read(text: &str) -> Expression {
    text.parse().expect(text)
}

fn domain(variables: &[(&str, Option<i64>, Option<i64>)], valid: &str) -> Domain {
    let domain = Domain::with_ranges(variables).expect("ranges");
    if valid.is_empty() { domain } else { domain.valid(&read(valid)).expect(valid) }
}

const FROM_0: &[(&str, Option<i64>, Option<i64>)] = &[("i", Some(0), None)];
const ALL: &[(&str, Option<i64>, Option<i64>)] = &[("i", None, None)];
const TWO: &[(&str, Option<i64>, Option<i64>)] = &[("i", None, None), ("j", Some(0), Some(3))];
const BOTH: &[(&str, Option<i64>, Option<i64>)] = &[("i", Some(0), None), ("j", Some(0), None)];

#[test]
fn random_ones_on_a_long_stretch() {
    run(300, |choices| {
        let asked = expressions::generate(choices);
        let open = expressions::open::Open::of(asked, choices);
        expressions::open::check(&open, &expressions::generate(choices))
    });
}

#[test]
fn simpler() {
    // (ranges, condition, expression, simpler, when)
    let rows = [
        (FROM_0, "", "i // 4 * 4 + i % 4", "i", None),
        (ALL, "", "i // 2 // 5", "i // 10", None),
        (ALL, "", "(i - 3) // 7", "(i + 4) // 7 - 1", None),
        (TWO, "", "(4*i + j) // 8", "i // 2", None),
        (TWO, "", "(4*i + j) // 4 + (4*i + j) % 4", "i + j", None),
        (ALL, "", "i // 3 - (i + 3) // 3", "-1", None),
        (FROM_0, "", "max(i, -1)", "i", None),
        (ALL, "", "max(i, -1)", "max(i, -1)", None),
        (ALL, "", "min(i // 2, i // 3) if i >= 6 else 7", "i // 3 if i >= 6 else 7", None),
        (FROM_0, "3 <= i < 10", "(i - 3) // 7 + i", "i", Some("3 <= i < 10")),
        (ALL, "i // 5 == 3", "i % 5", "i - 15", Some("15 <= i < 20")),
        (ALL, "i % 2 == 0 and i % 3 == 0", "i % 6", "0", Some("i % 6 == 0")),
        (BOTH, "i < j", "min(i, j) + max(i, j)", "i + j", Some("i - j < 0")),
        (BOTH, "i + j < 0", "i", "0", Some("False")),
    ];
    for (ranges, valid, text, simpler, when) in rows {
        let found = domain(ranges, valid).simplify(&read(text), &Limit::none()).expect(text);
        assert!(found.is_decided(), "{text}");
        let said = found.condition().map(ToString::to_string);
        assert_eq!((found.to_string().as_str(), said.as_deref()), (simpler, when), "{text}");
    }
}

#[test]
fn conditions() {
    // (ranges, condition, simpler)
    let rows = [
        (FROM_0, "i >= 0", "True"),
        (ALL, "i >= 0", "i >= 0"),
        (ALL, "i // 2 > i", "i < -1"),
        (ALL, "i % 4 < 4 or i > 1000", "True"),
        (FROM_0, "3*i < 2*i", "False"),
        (BOTH, "i + j >= 0 and 2*i < 7", "i < 4"),
        (ALL, "i < 5 or i > 3", "True"),
    ];
    for (ranges, text, simpler) in rows {
        let found = domain(ranges, "").simplify(&read(text), &Limit::none()).expect(text);
        assert_eq!((found.to_string().as_str(), found.is_decided()), (simpler, true), "{text}");
    }
}

#[test]
fn the_same_or_not() {
    let equal = |ranges, a, b| domain(ranges, "").equal(&read(a), &read(b), &Limit::none());
    assert_eq!(equal(ALL, "i // 2 % 120 // 6", "i // 12 % 20"), Ok(Same::Yes));
    assert_eq!(equal(ALL, "i // 6 * 6 + i % 6", "i"), Ok(Same::Yes));
    // They differ far out only.
    let far = equal(FROM_0, "min(i, 1000000007)", "i").expect("is decided");
    let Same::No { point, values } = far else { panic!("they differ") };
    assert!(point[0] > 1_000_000_007, "{point:?}");
    assert_eq!(values, (Some(1_000_000_007), Some(point[0].into())));
    let far = equal(ALL, "i % 1000003 // 1000002", "0").expect("is decided");
    assert!(matches!(far, Same::No { .. }), "{far:?}");
}

#[test]
fn least_and_greatest() {
    // (ranges, condition, expression, least, greatest)
    let rows = [
        (FROM_0, "", "i", Some(0), None),
        (ALL, "", "i", None, None),
        (ALL, "", "i % 7", Some(0), Some(6)),
        (FROM_0, "", "5 - i // 3", None, Some(5)),
        (ALL, "i % 4 == 1", "min(i, 10)", None, Some(10)),
        (ALL, "", "max(i, 3 - i)", Some(2), None),
        (BOTH, "i + 2*j <= 9", "i - j", Some(-4), Some(9)),
        (BOTH, "", "i - j", None, None),
        (BOTH, "i <= j", "i - j", None, Some(0)),
        (ALL, "", "i // 2 - i // 3 + i % 2", None, None),
        (ALL, "", "i // 2 - (i + 1) // 2", Some(-1), Some(0)),
    ];
    for (ranges, valid, text, least, greatest) in rows {
        let found = domain(ranges, valid).range(&read(text), &Limit::none()).expect(text);
        let found = found.expect("counts somewhere");
        assert_eq!((found.least, found.greatest), (least, greatest), "{text}");
        assert_eq!(
            (found.least_at.is_some(), found.greatest_at.is_some()),
            (least.is_some(), greatest.is_some()),
            "{text}"
        );
    }
    let nowhere = domain(BOTH, "i + j < 0").range(&read("i"), &Limit::none());
    assert_eq!(nowhere, Ok(None));
}

#[test]
fn what_needs_ends_is_refused() {
    let open = domain(FROM_0, "");
    let (i, limit) = (read("i"), Limit::none());
    let simple = open.simplify(&i, &limit).expect("is linear");
    let refused = [
        open.as_view(&simple, &limit).map(drop),
        open.views(&simple, &limit).map(drop),
        open.certify_equal(&i, &i, &limit).map(drop),
        open.certify_simplified(&i, &simple, &limit).map(drop),
        open.render(&simple, &viewmerge_index::Render::new(viewmerge_index::Language::C)).map(drop),
    ];
    for refused in refused {
        assert!(
            matches!(&refused, Err(Error::OpenRange { name, .. }) if name == "i"),
            "{refused:?}"
        );
    }
    let written = |language| {
        let simple = open.simplify(&read("i // 3"), &limit).expect("is linear");
        open.render(&simple, &viewmerge_index::Render::new(language)).expect("has no width")
    };
    assert_eq!(written(viewmerge_index::Language::Isl), "{ [i] -> [floor((i)/3)] : 0 <= i }\n");
    assert_eq!(
        written(viewmerge_index::Language::Mlir).lines().next(),
        Some("affine_map<(i) -> (i floordiv 3)>")
    );
    // A product is not told apart by values that go on for ever.
    let product = domain(BOTH, "").simplify(&read("i * j"), &limit).expect_err("not linear");
    assert_eq!(product.kind(), "not_linear");
    let divisor = domain(TWO, "").simplify(&read("j // (i // 4611686018427387904 + 1)"), &limit);
    assert_eq!(divisor.expect_err("not linear").kind(), "not_linear");
}

#[test]
fn too_far_is_said() {
    let open = domain(ALL, "");
    let (a, b) = (read("i // 1000000007 // 1000000009"), read("i // 1000000009 // 1000000007"));
    let refused = open.equal(&a, &b, &Limit::none()).expect_err("beyond 2^60");
    assert_eq!(refused.kind(), "open_range");
    let simple = open.simplify(&a, &Limit::none()).expect("is linear");
    assert!(!simple.is_decided());
    assert_eq!(simple.to_string(), a.to_string());
    // A limit is kept.
    let few = open.simplify(&read("i % 3 + (i + 1) % 3 > 0"), &Limit::steps(0)).expect("is linear");
    assert!(!few.is_decided());
}
