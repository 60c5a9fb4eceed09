//! The fewest floors, against enumeration: every set of the floors at hand is tried at every point.
//!
//! A value is a sum of multiples of 1, of the variables and of some floors exactly if a linear system with one
//! equation for every point has an integer solution. The equations are reduced to a few, and solved here.

use std::cell::Cell;

use viewmerge::{Limit, View, ViewChain};
use viewmerge_index::{IndexChain, IndexForm, Linear};
use viewmerge_testkit::{cases, expressions, run};

/// Rows of integers that span, over the rationals, all that were added.
#[derive(Default)]
struct Basis(Vec<Vec<i128>>);

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

impl Basis {
    fn add(&mut self, mut row: Vec<i128>) {
        for known in &self.0 {
            let lead = known.iter().position(|&c| c != 0).expect("not 0");
            if row[lead] != 0 {
                let common = gcd(row[lead], known[lead]);
                let (p, q) = (known[lead] / common, row[lead] / common);
                row = row.iter().zip(known).map(|(a, b)| p * a - q * b).collect();
                let common = row.iter().fold(0, |common, &c| gcd(common, c)).max(1);
                row.iter_mut().for_each(|c| *c /= common);
            }
        }
        if row.iter().any(|&c| c != 0) {
            self.0.push(row);
        }
    }

    /// Whether the last column is a whole combination of some others.
    fn has_solution(&self, columns: &[usize]) -> bool {
        let mut rows: Vec<Vec<i128>> = self
            .0
            .iter()
            .map(|row| columns.iter().map(|&c| row[c]).chain(row.last().copied()).collect())
            .collect();
        // Euclid's algorithm on the columns makes one equation after the other triangular.
        let width = columns.len();
        let mut first = 0;
        let mut values: Vec<i128> = Vec::new();
        for k in 0..rows.len() {
            let known: i128 = (0..first).map(|c| rows[k][c] * values[c]).sum();
            loop {
                let moving: Vec<usize> = (first..width).filter(|&c| rows[k][c] != 0).collect();
                let Some(&least) = moving.iter().min_by_key(|&&c| rows[k][c].abs()) else { break };
                if moving.len() == 1 {
                    rows.iter_mut().for_each(|row| row.swap(first, least));
                    break;
                }
                for c in moving.into_iter().filter(|&c| c != least) {
                    let times = rows[k][c] / rows[k][least];
                    rows.iter_mut().for_each(|row| row[c] -= times * row[least]);
                }
            }
            let wanted = rows[k][width] - known;
            match rows[k].get(first).filter(|_| first < width) {
                Some(&pivot) if pivot != 0 => {
                    if wanted % pivot != 0 {
                        return false;
                    }
                    values.push(wanted / pivot);
                    first += 1;
                }
                _ if wanted != 0 => return false,
                _ => {}
            }
        }
        true
    }
}

/// The least cost of a set of floors that suffices; `used` gives every floor what it stands for.
fn fewest(basis: &Basis, plain: usize, inside: &[u64]) -> usize {
    let floors = inside.len();
    let cost = |set: u64| {
        let all = (0..floors).filter(|f| set >> f & 1 == 1).fold(0, |all, f| all | inside[f]);
        all.count_ones() as usize
    };
    let mut best = floors;
    for set in 0..1u64 << floors {
        if cost(set) < best {
            let chosen = (0..floors).filter(|f| set >> f & 1 == 1).map(|f| plain + f);
            let columns: Vec<usize> = (0..plain).chain(chosen).collect();
            if basis.has_solution(&columns) {
                best = cost(set);
            }
        }
    }
    best
}

/// How many comparisons a text takes as numbers, one that comes again counted once.
fn comparisons(text: &str) -> usize {
    let whole = |start: usize| {
        let mut open = 0;
        let end = text[start..].char_indices().find_map(|(k, letter)| {
            open += i32::from(letter == '(') - i32::from(letter == ')');
            (open == 0).then_some(k)
        });
        &text[start..start + end.expect("closed")]
    };
    let all = text.match_indices("int(").map(|(at, _)| whole(at + 3));
    all.collect::<std::collections::BTreeSet<_>>().len()
}

#[test]
fn simplified_expressions_have_no_more_floors_than_any_sum_of_those_at_hand() {
    let (asked_all, gone) = (Cell::new(0), Cell::new(0));
    run(6_000, |choices| {
        let asked = expressions::generate(choices);
        let sizes = asked.floor_sizes();
        if !asked.is_plain() || sizes.is_empty() || sizes.len() > 8 {
            return Ok(());
        }
        let (domain, expression) = asked.question()?;
        let mut basis = Basis::default();
        let mut plain = 0;
        for index in asked.indices() {
            let point = asked.point(&index);
            let mut row: Vec<i128> = vec![1];
            row.extend(point.iter().map(|&x| i128::from(x)));
            plain = row.len();
            row.extend(asked.floors_at(&point));
            row.extend(asked.counted(&point));
            basis.add(row);
        }
        // Those inside of a floor come right before it.
        let inside: Vec<u64> = sizes
            .iter()
            .enumerate()
            .map(|(f, size)| (0..*size).fold(0, |all, k| all | 1 << (f - k)))
            .collect();
        let least = fewest(&basis, plain, &inside);
        let simple = domain.simplify(&expression, &Limit::none()).map_err(|e| e.to_string())?;
        // A floor of two values is written as a comparison.
        let ours = simple.expression().divisions() + comparisons(&simple.to_string());
        asked_all.set(asked_all.get() + 1);
        gone.set(gone.get() + usize::from(least < sizes.len()));
        if ours > least {
            return Err(format!("{expression}: {simple} has {ours} floors, {least} are enough"));
        }
        Ok(())
    });
    println!("{} expressions, {} of which lose a floor", asked_all.get(), gone.get());
    assert!(asked_all.get() > 1_000 && gone.get() > 500);
}

/// The floors that a function needs, those inside of others included, as a set.
fn needed(function: &Linear, form: &IndexForm) -> u64 {
    let mut set = 0;
    for (f, &c) in function.floors().iter().enumerate() {
        if c != 0 {
            set |= 1 << f | needed(&form.floors()[f].operand, form);
        }
    }
    set
}

#[test]
fn recorded_chains_have_the_fewest_floors() {
    let (mut asked, mut least_of_all, mut ours_of_all) = (0, 0, 0);
    for line in cases::text("trackers.jsonl").lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let views: Vec<View> = serde_json::from_value(line["views"].clone()).expect("views");
        let chain = ViewChain::from_views(&views).expect("it composes");
        let given = IndexForm::of_views(&chain).expect("it fits");
        let form = chain.form(&Limit::none()).expect("it fits");
        let floors = given.floors().len();
        if chain.count() > 30_000 || floors == 0 || floors > 10 {
            continue;
        }
        let mut basis = Basis::default();
        let plain = 1 + chain.shape().len();
        for index in chain.indices() {
            let Some(position) = chain.index(&index).expect("in the shape") else { continue };
            let mut row: Vec<i128> = vec![1];
            row.extend(index.iter().map(|&x| i128::from(x)));
            for floor in given.floors() {
                let operand = &floor.operand;
                let axes = operand.axes().iter().zip(&row[1..plain]);
                let inner = operand.floors().iter().zip(&row[plain..]);
                let sum = axes.chain(inner).map(|(&c, &x)| i128::from(c) * x).sum::<i128>();
                let sum = sum + i128::from(operand.constant());
                row.push(sum.div_euclid(floor.divisor.into()));
            }
            row.push(position.into());
            basis.add(row);
        }
        let inside: Vec<u64> =
            (0..floors).map(|f| 1 << f | needed(&given.floors()[f].operand, &given)).collect();
        let least = fewest(&basis, plain, &inside);
        let ours = needed(form.position(), &form).count_ones() as usize;
        if ours > least {
            println!("{chain}: {form} has {ours} floors, {least} are enough");
        }
        (asked, least_of_all, ours_of_all) = (asked + 1, least_of_all + least, ours_of_all + ours);
    }
    println!("{asked} chains, {ours_of_all} floors, {least_of_all} by enumeration");
    assert!(asked > 100, "{asked}");
    // Position and condition are rewritten together first: one chain's position keeps two floors
    // more than it would need alone.
    assert!(ours_of_all <= least_of_all + 2, "{ours_of_all}, but {least_of_all} are enough");
}
