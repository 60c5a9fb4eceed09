//! Random index expressions against enumeration.
//!
//! A fixed share runs here; `VIEWMERGE_CASES=25` runs half a million expressions.

use viewmerge_testkit::{expressions, run};

#[test]
fn expressions_at_every_point() {
    run(20_000, |choices| {
        let asked = expressions::generate(choices);
        expressions::check(&asked, &expressions::generate(choices))
    });
}

#[test]
fn conditions_at_every_point() {
    run(10_000, |choices| {
        let asked = expressions::generate(choices);
        expressions::check_condition(&asked, &expressions::generate(choices))
    });
}

/// Floors of the condition do not come into a value that has fewer of its own.
#[test]
fn a_value_takes_no_floors_from_its_condition() {
    use viewmerge::Limit;
    use viewmerge_index::Domain;
    let domain = Domain::new(&[("i", 0, 24)]).expect("a range");
    let domain = domain.valid(&"i % 5 >= i % 16".parse().expect("is read")).expect("is known");
    let simple = domain.simplify(&"i // 7".parse().expect("is read"), &Limit::none());
    // It holds at 0 … 4 and 16 … 19 only: one comparison, and neither of the condition's divisions.
    assert_eq!(simple.expect("is linear").to_string(), "2*int(i >= 16)");
}

/// Products of variables and divisors that vary, by cases of what takes few values.
#[test]
fn products_and_divisors_by_cases() {
    use viewmerge::Limit;
    use viewmerge_index::{Domain, Expression, Same};
    let domain = Domain::new(&[("i", -5, 20), ("j", 0, 3), ("k", 1, 4)]).expect("ranges");
    let read = |text: &str| text.parse::<Expression>().expect("is read");
    for text in
        ["i*j", "j*i + k*j", "i // k", "i % (k + 1) * j", "(i*j) // (2*k)", "j*k*j", "i // -k"]
    {
        let expression = read(text);
        let simple = domain.simplify(&expression, &Limit::none()).expect(text);
        for i in -5..=20i64 {
            for (j, k) in (0..=3i64).flat_map(|j| (1..=4i64).map(move |k| (j, k))) {
                let value = |of: &Expression| {
                    let at = |name: &String| match name.as_str() {
                        "i" => i,
                        "j" => j,
                        _ => k,
                    };
                    of.value(&of.names().iter().map(at).collect::<Vec<_>>())
                };
                assert_eq!(value(simple.expression()), value(&expression), "{text}: {simple}");
            }
        }
    }
    let same = domain.equal(&read("i*(j + 1)"), &read("j*i + i"), &Limit::none());
    assert_eq!(same.expect("few cases"), Same::Yes);
    for text in ["i*i", "i // j", "j // i"] {
        let refused = domain.simplify(&read(text), &Limit::none()).expect_err(text);
        assert_eq!(refused.at(), Some(text.find(['*', '/']).expect("is there")), "{refused}");
    }
    // Chains of products do not grow without end.
    let long = vec!["j"; 60].join("*");
    let _ = domain.simplify(&read(&long), &Limit::steps(1_000));
}

/// What holds may say that a part of a choice is the choice itself.
#[test]
fn choices_that_are_their_own_parts_end() {
    use viewmerge::Limit;
    use viewmerge_index::{Dialect, Domain, Expression};
    let read = |text: &str| Expression::read(text, Dialect::C).expect("is read");
    let domain = Domain::new(&[("i", 0, 43)]).expect("a range");
    let domain = domain.valid(&read("Mod(i % 3, 5) == (i <= 9 ? i : i)")).expect("is known");
    let simple = domain.simplify(&read("(8 - 11 + FloorDiv(i, 4))*-5"), &Limit::none());
    let simple = simple.expect("is linear");
    for i in 0..=43 {
        let counts = simple.condition().is_none_or(|valid| valid.value(&[i]) == Some(1));
        assert_eq!(
            (counts, simple.expression().value(&[i]) == Some(15)),
            (i < 3, i < 4),
            "{simple}"
        );
    }
}
