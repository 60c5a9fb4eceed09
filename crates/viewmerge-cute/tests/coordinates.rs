//! Layouts of coordinates against enumeration: every operation on random layouts, coordinate by coordinate.
//!
//! Nothing here uses the library's algorithms: a layout of coordinates is a list of sizes and, for
//! every coordinate, a list of strides; functions are tables.

use std::cell::Cell;
use std::collections::BTreeSet;

use viewmerge_cute::{CoordinateLayout, Layout, Limit, NoLayout, Operation, Outcome};
use viewmerge_testkit::choices::Choices;
use viewmerge_testkit::run;

/// Sizes, and strides for every coordinate.
struct Drawn {
    sizes: Vec<i64>,
    strides: Vec<Vec<i64>>,
    origin: Vec<i64>,
}

impl Drawn {
    fn new(choices: &mut Choices<'_>) -> Drawn {
        let rank = choices.pick(&[2, 1, 3, 2]);
        let mut left = 64;
        let sizes: Vec<i64> = (0..rank)
            .map(|_| {
                let size = choices.pick(&[4, 2, 3, 6, 8, 5, 1]).min(left);
                left /= size;
                size
            })
            .collect();
        let coordinates = choices.pick(&[2, 2, 3, 1]);
        let identity = choices.one_in(3);
        let stride = |coordinate: usize, mode: usize, choices: &mut Choices<'_>| match identity {
            true => i64::from(coordinate == mode % coordinates),
            false => choices.pick(&[0, 1, 0, 2, 4, 3, -1, 8, 0, 6]),
        };
        let strides = (0..coordinates)
            .map(|coordinate| (0..rank).map(|mode| stride(coordinate, mode, choices)).collect())
            .collect();
        let origin = (0..coordinates)
            .map(|_| if choices.one_in(4) { choices.between(-5, 5) } else { 0 })
            .collect();
        Drawn { sizes, strides, origin }
    }

    /// As text, with the strides of modes of size 1.
    fn text(&self) -> String {
        let join = |items: Vec<String>| format!("({})", items.join(","));
        let sizes = join(self.sizes.iter().map(i64::to_string).collect());
        let stride = |mode: usize| {
            let terms =
                self.strides.iter().enumerate().map(|(at, own)| format!("{}@{at}", own[mode]));
            terms.collect::<Vec<_>>().join("+")
        };
        let strides = join((0..self.sizes.len()).map(stride).collect());
        let origin = join(self.origin.iter().map(i64::to_string).collect());
        format!("{origin} o {sizes}:{strides}")
    }

    /// The coordinates at every position, without the origin.
    fn table(&self) -> Vec<Vec<i64>> {
        let of_one = |strides: &Vec<i64>| table(&self.sizes, strides);
        let columns: Vec<Vec<i64>> = self.strides.iter().map(of_one).collect();
        (0..columns[0].len()).map(|at| columns.iter().map(|column| column[at]).collect()).collect()
    }

    fn with_origin(&self, coordinates: &[i64]) -> Vec<i64> {
        coordinates.iter().zip(&self.origin).map(|(one, start)| one + start).collect()
    }
}

/// The values of modes, the first one fastest.
fn table(sizes: &[i64], strides: &[i64]) -> Vec<i64> {
    let mut values = vec![0];
    for (&size, &stride) in sizes.iter().zip(strides) {
        values = (0..size).flat_map(|i| values.iter().map(move |v| v + i * stride)).collect();
    }
    values
}

/// The values of a layout at every position, according to the library.
fn values(layout: &CoordinateLayout) -> Vec<Vec<i64>> {
    (0..layout.size()).map(|at| layout.at(at).expect("inside")).collect()
}

/// A layout all of whose values lie below a size, as its sizes and strides.
fn within(choices: &mut Choices<'_>, size: i64) -> (Vec<i64>, Vec<i64>) {
    let mut left = size - 1;
    let (mut sizes, mut strides) = (Vec::new(), Vec::new());
    for _ in 0..choices.pick(&[1, 2, 2, 3]) {
        let size = choices.pick(&[2, 3, 4, 6, 2, 8, 5, 1, 12]).min(left + 1);
        let most = if size > 1 { left / (size - 1) } else { 5 };
        let stride = choices.pick(&[1, 2, 3, 4, 6, 8, 12, 5, 0]).min(most);
        left -= stride * (size - 1);
        sizes.push(size);
        strides.push(stride);
    }
    (sizes, strides)
}

/// Every way to write a size as a product of factors of 2 or more, fastest first.
fn factorizations(size: i64) -> Vec<Vec<i64>> {
    let mut all = vec![vec![size]];
    for first in (2..size).filter(|d| size % d == 0) {
        for mut rest in factorizations(size / first) {
            rest.insert(0, first);
            all.push(rest);
        }
    }
    all
}

/// The fewest digits into which modes can be cut so that every coordinate is linear in them.
fn fewest_digits(sizes: &[i64], function: &[Vec<i64>]) -> Option<usize> {
    let mut all: Vec<Vec<i64>> = vec![vec![]];
    for &size in sizes {
        let axis = factorizations(size);
        all = all
            .iter()
            .flat_map(|cut| axis.iter().map(move |factors| [cut.clone(), factors.clone()].concat()))
            .collect();
    }
    let fits = |cut: &Vec<i64>| {
        (0..function[0].len()).all(|coordinate| {
            let value = |at: usize| function[at][coordinate];
            let mut place = 1usize;
            let stride = |&size: &i64| {
                let stride = if size > 1 { value(place) - value(0) } else { 0 };
                place *= size as usize;
                stride
            };
            let strides: Vec<i64> = cut.iter().map(stride).collect();
            let found = table(cut, &strides);
            found.iter().enumerate().all(|(at, one)| one + value(0) == value(at))
        })
    };
    all.into_iter().filter(fits).map(|cut| cut.iter().filter(|&&size| size > 1).count()).min()
}

fn text_of((sizes, strides): &(Vec<i64>, Vec<i64>)) -> String {
    let join = |items: &Vec<i64>| items.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    format!("({}):({})", join(sizes), join(strides))
}

fn digits(layout: &CoordinateLayout) -> usize {
    let leaves = layout.part(0).expect("a coordinate").leaves();
    leaves.iter().filter(|leaf| leaf.0 > 1).count()
}

#[test]
fn compositions() {
    let (exist, none) = (Cell::new(0), Cell::new(0));
    run(4_000, |choices| {
        let drawn = Drawn::new(choices);
        let a: CoordinateLayout = drawn.text().parse().expect("small");
        let all = drawn.table();
        let expected: Vec<Vec<i64>> = all.iter().map(|one| drawn.with_origin(one)).collect();
        assert_eq!(values(&a), expected, "{a}");
        assert_eq!(a.to_string().parse(), Ok(a.clone()), "{a}");

        let right = within(choices, a.size());
        let b: Layout = text_of(&right).parse().expect("small");
        let function: Vec<Vec<i64>> =
            table(&right.0, &right.1).into_iter().map(|at| all[at as usize].clone()).collect();
        let fewest = fewest_digits(&right.0, &function);
        match a.compose(&b, false, &Limit::none()).expect("in the domain") {
            Ok(found) => {
                exist.set(exist.get() + 1);
                let expected: Vec<Vec<i64>> =
                    function.iter().map(|one| drawn.with_origin(one)).collect();
                assert_eq!(values(&found), expected, "{a} ∘ {b} = {found}");
                assert_eq!(Some(digits(&found)), fewest, "{a} ∘ {b} = {found}");
            }
            Err(why) => {
                none.set(none.get() + 1);
                assert_eq!(fewest, None, "{a} ∘ {b}: {why}");
                if let NoLayout::OffGrid { place, next, .. } = why {
                    assert_ne!(next % place, 0);
                }
            }
        }
        Ok(())
    });
    assert!(exist.get() > 300 && none.get() > 300, "{} {}", exist.get(), none.get());
}

#[test]
fn fewer_modes_equality_and_injectivity() {
    let (same, injective) = (Cell::new(0), Cell::new(0));
    run(4_000, |choices| {
        let (one, other) = (Drawn::new(choices), Drawn::new(choices));
        let (a, b): (CoordinateLayout, CoordinateLayout) =
            (one.text().parse().expect("small"), other.text().parse().expect("small"));

        let fused = a.coalesce(None).expect("no profile");
        assert_eq!(values(&fused), values(&a), "{a}");
        let everything = vec![a.size()];
        let fewest = fewest_digits(&everything, &values(&a));
        if let Some(fewest) = fewest {
            assert_eq!(digits(&fused), fewest, "{a}");
        }

        let ask = |operation: Operation, b: Option<&str>| {
            operation.ask(&a.to_string(), b, false, &Limit::none()).expect("small")
        };
        let (x, y) = (values(&a), values(&b));
        let wide = x[0].len().max(y[0].len());
        let padded = |rows: &[Vec<i64>]| -> Vec<Vec<i64>> {
            rows.iter().map(|row| row.iter().copied().chain([0; 3]).take(wide).collect()).collect()
        };
        let equal = ask(Operation::Equal, Some(&b.to_string()));
        assert_eq!(equal.holds(), padded(&x) == padded(&y), "{a} {b}");
        same.set(same.get() + i32::from(equal.holds()));
        let first = padded(&x).iter().zip(&padded(&y)).position(|(one, other)| one != other);
        let found = a.difference(&b).expect("flat coordinates").map(|found| found.0 as usize);
        assert_eq!(found, first.filter(|_| x.len() == y.len()), "{a} {b}");

        let once = x.iter().collect::<BTreeSet<_>>().len() == x.len();
        let found = ask(Operation::IsInjective, None);
        assert_eq!(found.holds(), once, "{a}");
        injective.set(injective.get() + i32::from(once));
        assert_eq!(ask(Operation::Size, None), Outcome::Number(x.len() as i64));
        Ok(())
    });
    assert!(injective.get() > 300, "{}", injective.get());
    assert!(same.get() > 0);
}

#[test]
fn divisions_are_those_of_the_positions() {
    let exist = Cell::new(0);
    run(2_000, |choices| {
        let drawn = Drawn::new(choices);
        let text = drawn.text();
        let all = drawn.table();
        let names = ["logical_divide", "zipped_divide", "tiled_divide"];
        let operation: Operation = choices.pick(&names).parse().expect("known");
        let tiler = match choices.one_in(2) {
            true => format!("{}:1", choices.pick(&[2, 4, 3, 6])),
            false => {
                let tiles =
                    drawn.sizes.iter().map(|_| format!("{}:1", choices.pick(&[1, 2, 4, 3])));
                format!("<{}>", tiles.collect::<Vec<_>>().join(","))
            }
        };
        let sizes: Vec<String> = drawn.sizes.iter().map(i64::to_string).collect();
        let compact = format!("({})", sizes.join(","));
        let ask = |a: &str| operation.ask(a, Some(&tiler), false, &Limit::none());
        let (positions, found) = (ask(&compact), ask(&text));
        match (positions, found) {
            (Ok(Outcome::Layout(positions)), Ok(Outcome::Layout(found))) => {
                exist.set(exist.get() + 1);
                let positions: Layout = positions.parse().expect("a layout");
                let found: CoordinateLayout = found.parse().expect("a layout");
                let expected: Vec<Vec<i64>> = (0..positions.size())
                    .map(|at| drawn.with_origin(&all[positions.at(at).expect("inside") as usize]))
                    .collect();
                assert_eq!(values(&found), expected, "{text} {operation} {tiler}");
                assert_eq!(
                    positions.modes().len(),
                    found.modes().len(),
                    "{text} {operation} {tiler}"
                );
            }
            // No such tiles exist; or they exist but are not a layout of coordinates.
            (Ok(Outcome::None(_)) | Err(_), found) => {
                assert!(!found.is_ok_and(|found| found.holds()), "{text} {operation} {tiler}");
            }
            (Ok(_), found) => assert!(matches!(found, Ok(Outcome::None(_))), "{text} {tiler}"),
        }
        Ok(())
    });
    assert!(exist.get() > 200, "{}", exist.get());
}

#[test]
fn coordinates_on_the_right_are_positions() {
    let ask = |a: &str, b: &str| {
        let outcome = Operation::Compose.ask(a, Some(b), false, &Limit::none());
        outcome.map_or_else(|error| error.to_string(), |outcome| outcome.to_string())
    };
    // (A, B, A ∘ B)
    let rows = [
        ("(4,8):(8,1)", "(8,4):(1@1,1@0)", "(8,4):(1,8)"),
        ("(4,8):(8,1)", "4:1@0+1@1", "4:9"),
        ("((2,2),8):((8,32),1)", "(2,8):(1@1@0,1@1)", "(2,8):(32,1)"),
        ("((2,2),8):((8,32),1)", "(4,8):(1@0,1@1)", "((2,2),8):((8,32),1)"),
        ("(4,8):(1@1,1@0)", "(8,4):(1@1,1@0)", "(8,4):(1@0,1@1)"),
        ("Sw<1,0,2> o 0 o (4,2):(2,1)", "(2,4):(1@1,1@0)", "Sw<1,0,2> o 0 o (2,4):(1,2)"),
        (
            "(4,8):(8,1)",
            "5:1@0",
            "coordinate @0 of B runs from 0 to 4, outside 0..4, the mode of A that it indexes",
        ),
        (
            "(4,8):(8,1)",
            "2:1@2",
            "coordinate @2 of B runs from 0 to 1, outside 0..0, the mode of A that it indexes",
        ),
        (
            "(4,8):(8,1)",
            "(1,0) o 2:1@0",
            "compose takes a B of coordinates only if its origin is 0",
        ),
    ];
    for (a, b, expected) in rows {
        assert_eq!(ask(a, b), expected, "{a} ∘ {b}");
    }
}

#[test]
fn what_means_nothing_is_said() {
    for name in
        ["complement", "left_inverse", "right_inverse", "logical_product", "cosize", "plain"]
    {
        let operation: Operation = name.parse().expect("known");
        let b = (name == "logical_product").then_some("2:1");
        let refused = operation.ask("(4,8):(1@0,1@1)", b, false, &Limit::none());
        let message = refused.expect_err(name).to_string();
        assert!(
            message.starts_with(&format!("{name} takes layouts whose values are numbers")),
            "{message}"
        );
    }
    let refused = Operation::Equal.ask("4:1", Some("4:1@0"), false, &Limit::none());
    assert!(refused.is_err());
    let far = "(4294967296,4294967296,4294967296):(1@0,1@1,1@2)";
    assert!(far.parse::<CoordinateLayout>().is_err(), "more positions than a view has");
    let wide = "(2,2,2):(4611686018427387900@0,4611686018427387900@1,1@2)";
    let undecided = Operation::IsInjective.ask(wide, None, false, &Limit::none());
    assert_eq!(undecided.expect_err("wide").kind(), "undecided");
}

#[test]
fn tilers_and_longer_modes() {
    let ask = |a: &str, b: &str, extend: bool| {
        let outcome = Operation::Compose.ask(a, Some(b), extend, &Limit::none());
        outcome.map_or_else(|error| error.to_string(), |outcome| outcome.to_string())
    };
    assert_eq!(ask("(12,32):(1@0,1@1)", "<4:1,8:4>", false), "(4,8):(1@0,4@1)");
    assert_eq!(ask("(12,32):(1@0,1@1)", "<4:1>", false), "(4,32):(1@0,1@1)");
    assert_eq!(ask("(4,8):(1@0,1@1)", "2:40", true), "2:10@1");
    assert_eq!(ask("(4,1):(1@0,1@1)", "2:40", true), "(0,0) o 2:40@0");
    assert!(ask("(4,8):(1@0,1@1)", "2:40", false).contains("the domain of A"));
    assert!(ask("(4,8):(1@0,1@1)", "<4,8,2>", false).contains("at most one for every mode"));
}
