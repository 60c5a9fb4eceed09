//! Bank conflicts against the definition, word by word, on random layouts, patterns and memories.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use viewmerge_cute::{
    Access, Banks, Conflicts, Error, Layout, Limit, Memory, Mode, Swizzle, Swizzled,
};
use viewmerge_testkit::choices::Choices;
use viewmerge_testkit::run;

/// How many transactions have each degree, by the definition.
fn enumerated(access: &Access, banks: &Banks) -> BTreeMap<usize, i64> {
    let tv = access.pattern.as_ref().unwrap_or(access.memory.layout());
    let of_first = match &tv.modes()[0] {
        Mode::Leaf { size, .. } => *size,
        node => Layout::new(node.clone()).expect("a part").size(),
    };
    let values = tv.size() / of_first;
    let served = (banks.banks * banks.width / (access.vector * access.bytes)).max(1);
    let lanes = banks.lanes.unwrap_or(served).min(of_first);
    let mut degrees = BTreeMap::new();
    for read in 0..values / access.vector {
        for first in (0..of_first).step_by(lanes as usize) {
            let mut in_bank: BTreeMap<i64, BTreeSet<i64>> = BTreeMap::new();
            for thread in first..(first + lanes).min(of_first) {
                for value in read * access.vector..(read + 1) * access.vector {
                    let at = thread + of_first * value;
                    let at = access.pattern.as_ref().map_or(at, |tv| tv.at(at).expect("within"));
                    let from = access.memory.at(at).expect("within") * access.bytes;
                    for byte in from..from + access.bytes {
                        let word = byte.div_euclid(banks.width);
                        in_bank.entry(word.rem_euclid(banks.banks)).or_default().insert(word);
                    }
                }
            }
            let degree = in_bank.values().map(BTreeSet::len).max().unwrap_or(0);
            *degrees.entry(degree).or_insert(0) += 1;
        }
    }
    degrees
}

/// Whether the worst transaction is correct: its words are distinct, in its bank, read by these threads.
fn witnessed(access: &Access, banks: &Banks, answer: &Conflicts) -> bool {
    let Some(worst) = &answer.worst else { return false };
    let words: BTreeSet<i64> = worst.reads.iter().map(|read| read.1).collect();
    let tv = access.pattern.as_ref().unwrap_or(access.memory.layout());
    let threads = Layout::new(tv.modes()[0].clone()).expect("a part").size();
    let reads = |&(thread, word): &(i64, i64)| {
        (worst.access * access.vector..(worst.access + 1) * access.vector).any(|value| {
            let at = thread + threads * value;
            let at = access.pattern.as_ref().map_or(at, |tv| tv.at(at).expect("within"));
            let from = access.memory.at(at).expect("within") * access.bytes;
            (from..from + access.bytes).any(|byte| byte.div_euclid(banks.width) == word)
        })
    };
    words.len() as i64 == answer.degree
        && words.iter().all(|word| word.rem_euclid(banks.banks) == worst.bank)
        && worst
            .reads
            .iter()
            .all(|read| (worst.thread..worst.thread + answer.lanes).contains(&read.0))
        && worst.reads.iter().all(reads)
}

fn mode(
    choices: &mut Choices<'_>,
    sizes: &[i64],
    stride: &dyn Fn(&mut Choices<'_>) -> i64,
) -> Mode {
    let leaf = |choices: &mut Choices<'_>| Mode::Leaf {
        size: choices.pick(sizes),
        stride: stride(choices),
    };
    match choices.below(3) {
        0 => Mode::Node(vec![leaf(choices), leaf(choices)]),
        _ => leaf(choices),
    }
}

/// A question: a memory, sometimes swizzled, sometimes read through a pattern.
fn question(choices: &mut Choices<'_>) -> (Access, Banks) {
    let powers = choices.one_in(2);
    let stride = |choices: &mut Choices<'_>| match (powers, choices.below(4)) {
        (true, 0) => 0,
        (true, _) => choices.pick(&[1, 2, 4, 8, 16, 32, 64, 128]),
        (false, 0) => choices.between(-8, 8),
        (false, _) => choices.between(0, 70),
    };
    let sizes: &[i64] = if powers { &[2, 4, 8, 16] } else { &[2, 3, 4, 5, 8, 12] };
    let modes = [mode(choices, sizes, &stride), mode(choices, sizes, &stride)];
    let layout = Layout::new(Mode::Node(modes.to_vec())).expect("small");
    let least = layout.view().expect("a view").position_range().expect("elements").0;
    let memory = if choices.one_in(2) {
        let bits = choices.between(0, 3);
        let shift = choices.between(bits, 4) * choices.pick(&[1, 1, 1, -1]);
        let swizzle = Swizzle::new(bits, choices.between(0, 4), shift).expect("a swizzle");
        let offset = (-least).max(0) + choices.pick(&[0, 0, 8, 3]);
        Memory::Swizzled(Swizzled::new(swizzle, offset, layout).expect("small"))
    } else {
        Memory::Plain(layout)
    };
    let size = memory.layout().size();
    let pattern = choices.one_in(2).then(|| {
        // Threads and values that stay within the memory.
        let mut left = size - 1;
        let mut leaf = |choices: &mut Choices<'_>, most: i64| {
            let size = choices.pick(&[2, 4, 8, 3, 1, 16]).min(most);
            let room = if size > 1 { left / (size - 1) } else { 0 };
            let stride = choices.pick(&[1, 2, 4, 8, 3, 0, 16]).min(room);
            left -= stride * (size - 1);
            Mode::Leaf { size, stride }
        };
        let threads = Mode::Node(vec![leaf(choices, 16), leaf(choices, 16)]);
        let values = leaf(choices, 4);
        Layout::new(Mode::Node(vec![threads, values])).expect("small")
    });
    let tv = pattern.as_ref().unwrap_or(memory.layout());
    let threads = Layout::new(tv.modes()[0].clone()).expect("a part").size();
    let values = tv.size() / threads;
    let vector = choices.pick(&[1, 1, 2, 4, 8]);
    let vector = if values % vector == 0 { vector } else { 1 };
    let bytes = choices.pick(&[4, 4, 2, 1, 8, 16, 3]);
    let lanes = if choices.one_in(4) { Some(choices.between(1, 40)) } else { None };
    let banks = Banks {
        banks: choices.pick(&[32, 32, 16, 8, 1, 24, 5]),
        width: choices.pick(&[4, 4, 8, 2, 32, 3]),
        lanes,
    };
    (Access { memory, pattern, bytes, vector }, banks)
}

#[test]
fn as_the_definition_counts() {
    let (asked, conflicts, swizzled) = (Cell::new(0), Cell::new(0), Cell::new(0));
    run(20_000, |choices| {
        let (access, banks) = question(choices);
        let answer = match access.conflicts(&banks, &Limit::none()) {
            Ok(answer) => answer,
            Err(error) => return Err(format!("{access:?} {banks:?}: {error}")),
        };
        let expected = enumerated(&access, &banks);
        let found: BTreeMap<usize, i64> =
            answer.degrees.iter().map(|&(degree, count)| (degree as usize, count)).collect();
        if found != expected || !witnessed(&access, &banks, &answer) {
            return Err(format!("{access:?} {banks:?}: {answer:?}, but {expected:?}"));
        }
        asked.set(asked.get() + 1);
        conflicts.set(conflicts.get() + i32::from(answer.degree > 1));
        swizzled.set(swizzled.get() + i32::from(matches!(access.memory, Memory::Swizzled(_))));
        Ok(())
    });
    println!(
        "{} asked, {} with conflicts, {} swizzled",
        asked.get(),
        conflicts.get(),
        swizzled.get()
    );
    assert!(conflicts.get() > asked.get() / 5 && swizzled.get() > asked.get() / 5);
}

type Known = (&'static str, Option<&'static str>, i64, i64, i64, i64);

/// Known patterns: `(memory, pattern, bytes, values at once, degree, transactions)`.
const KNOWN: [Known; 10] = [
    ("32:1", None, 4, 1, 1, 1),
    ("32:2", None, 4, 1, 2, 1),
    ("32:0", None, 4, 1, 1, 1),
    ("32:32", None, 4, 1, 32, 1),
    // Halves: two lanes share a word.
    ("32:1", None, 2, 1, 1, 1),
    // 16 bytes a lane: four transactions of 8 lanes.
    ("(32,4):(4,1)", None, 4, 4, 1, 4),
    // Rows of 64 halves; each of 8 lanes reads 16 bytes of one column of blocks: all in the same banks.
    ("(8,64):(64,1)", Some("(8,8):(1,8)"), 2, 8, 8, 1),
    // The 128-byte swizzle: each lane has banks of its own.
    ("Sw<3,3,3> o 0 o (8,64):(64,1)", Some("(8,8):(1,8)"), 2, 8, 1, 1),
    ("Sw<2,3,3> o 0 o (8,64):(64,1)", Some("(8,8):(1,8)"), 2, 8, 2, 1),
    ("(32,33):(33,1)", Some("(32,32):(1,32)"), 4, 1, 1, 32),
];

#[test]
fn known_patterns() {
    for (memory, pattern, bytes, vector, degree, transactions) in KNOWN {
        let access = Access {
            memory: memory.parse().expect(memory),
            pattern: pattern.map(|text| text.parse().expect(text)),
            bytes,
            vector,
        };
        let answer = access.conflicts(&Banks::default(), &Limit::none()).expect(memory);
        assert_eq!((answer.degree, answer.transactions), (degree, transactions), "{memory}");
    }
}

/// Nothing is listed: a huge number of threads and values takes no longer.
#[test]
fn sizes_do_not_matter() {
    let none = Limit::steps(200_000);
    for (memory, vector, degrees) in [
        ("(1000000000000,4):(4,1)", 4, vec![(1, 125_000_000_000)]),
        ("(1000000000000,4):(1,1000000000000)", 1, vec![(1, 125_000_000_000)]),
        ("((32,1000000000),4):((33,1),64)", 1, vec![(1, 4_000_000_000)]),
        ("Sw<3,2,3> o 0 o ((8,1000000000),4):((32,256),1)", 4, vec![(1, 1_000_000_000)]),
        ("Sw<2,2,3> o 0 o ((8,1000000000),4):((32,256),1)", 4, vec![(2, 1_000_000_000)]),
    ] {
        let access =
            Access { memory: memory.parse().expect(memory), pattern: None, bytes: 4, vector };
        let answer = access.conflicts(&Banks::default(), &none).expect(memory);
        assert_eq!(answer.degrees, degrees, "{memory}");
    }
    // One transaction of a million lanes.
    let banks = Banks { lanes: Some(1 << 20), ..Banks::default() };
    let access = Access {
        memory: "1048576:3".parse().expect("a layout"),
        pattern: None,
        bytes: 4,
        vector: 1,
    };
    assert_eq!(access.conflicts(&banks, &none).expect("counted").degree, 1 << 15);
}

#[test]
fn refusals() {
    let ask = |memory: &str, pattern: Option<&str>, bytes, vector, banks| {
        let pattern = pattern.map(|text| text.parse().expect(text));
        let access = Access { memory: memory.parse().expect(memory), pattern, bytes, vector };
        access.conflicts(&banks, &Limit::none())
    };
    let usual = Banks::default();
    assert!(matches!(
        ask("4:1", Some("8:1"), 4, 1, usual),
        Err(Error::Domain { position: 7, size: 4, .. })
    ));
    for (bytes, vector, banks) in [
        (0, 1, usual),
        (4, 0, usual),
        (4, 3, usual),
        (4, 1, Banks { banks: 0, ..usual }),
        (4, 1, Banks { width: 1 << 40, ..usual }),
        (4, 1, Banks { lanes: Some(-1), ..usual }),
    ] {
        assert!(matches!(ask("(32,4)", None, bytes, vector, banks), Err(Error::Operand { .. })));
    }
    // Three-byte elements far apart: not sums of digits, and too many to walk.
    let far = ask("(1000000,1000):(7,7000001)", None, 3, 1, usual);
    assert!(matches!(far, Err(Error::Undecided { .. })), "{far:?}");
    // Beyond what a view can hold.
    assert!(ask("(1000000000,1000000000):(4,4000000000)", None, 1024, 1, usual).is_err());
}
