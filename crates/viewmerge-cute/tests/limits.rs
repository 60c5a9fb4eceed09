//! Limits hold: with few steps, or a raised flag, every question ends soon, with the same answer as
//! without a limit or *undecided*.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use viewmerge_cute::{Limit, Operand, Operation};

/// Pairs of layouts: small, long, with many ways to cut them, of coordinates, swizzled.
const LAYOUTS: [(&str, &str); 14] = [
    ("(4,3):(2,1)", "2:1"),
    ("(2,4,6):(4,1,8)", "(2,3):(1,8)"),
    ("(8,12):(16,80)", "2:9"),
    ("(1000000,7,3,100,101,30):(1,100,3,5,100003,1001)", "5:7"),
    ("(1100,2,2):(0,1,1)", "2:1"),
    ("(100000,2,2):(0,1,1)", "4:100000"),
    ("(1000,999,998,997):(7,11,13,17)", "10:31"),
    ("(9,10,11,12,13):(1,-2,3,-4,5)", "6:6"),
    ("(2,2,1000):(2,3,1000000)", "(2,2):(1,2)"),
    ("(30,30,30,30):(1009,10007,100003,1000003)", "900:1"),
    ("(12,(4,8)):(59,(13,1))", "<3:4,8:2>"),
    ("(4,8):(1@0,1@1)", "4:5"),
    ("Sw<3,3,3> o 0 o (64,64):(1,64)", "8:8"),
    ("Sw<2,0,3> o 5 o (128,512):(3,5)", "8:8"),
];

/// The most time for a step, with some margin for a busy machine.
const STEP: Duration = Duration::from_micros(20);
/// The most time before the first step: parsing texts, choosing values.
const START: Duration = Duration::from_millis(60);

fn ask(operation: Operation, (a, b): (&str, &str), limit: &Limit<'_>) -> Result<String, String> {
    let b = match operation.operand() {
        Operand::None => None,
        _ if operation == Operation::Complement || operation == Operation::Coalesce => None,
        _ => Some(b),
    };
    let found = operation.ask(a, b, false, limit);
    found.map(|outcome| outcome.to_string()).map_err(|error| error.kind().to_string())
}

/// The shortest of several runs, because others use the machine too.
fn timed<T>(mut run: impl FnMut() -> T) -> (T, Duration) {
    let mut best: Option<(T, Duration)> = None;
    for _ in 0..3 {
        let start = Instant::now();
        let found = run();
        let taken = start.elapsed();
        if best.as_ref().is_none_or(|(_, least)| taken < *least) {
            best = Some((found, taken));
        }
    }
    best.expect("three tries")
}

#[test]
fn few_steps_take_little_time() {
    for operation in Operation::ALL {
        for pair in LAYOUTS {
            let mut answers = Vec::new();
            for steps in [0, 1, 10, 1_000] {
                let (found, taken) = timed(|| ask(operation, pair, &Limit::steps(steps)));
                let most = START + STEP * u32::try_from(steps).expect("few");
                assert!(taken < most, "{operation} of {pair:?}, {steps} steps: {taken:?}");
                if found != Err("undecided".into()) {
                    answers.push(found);
                }
            }
            // Whatever is decided is decided the same way.
            answers.dedup();
            assert!(answers.len() <= 1, "{operation} of {pair:?}: {answers:?}");
        }
    }
}

#[test]
fn a_raised_flag_ends_every_question() {
    let flag = AtomicBool::new(true);
    let raised = Limit::none().stopped_by(&flag);
    for operation in Operation::ALL {
        for pair in LAYOUTS {
            let (_, taken) = timed(|| ask(operation, pair, &raised));
            assert!(taken < START, "{operation} of {pair:?}: {taken:?}");
        }
    }
}

/// The time from raising the flag to the end of a long search.
#[test]
fn a_flag_raised_later_ends_a_search_soon() {
    for (operation, pair) in [
        (Operation::RightInverse, LAYOUTS[3]),
        (Operation::RightInverse, LAYOUTS[5]),
        (Operation::LeftInverse, LAYOUTS[9]),
    ] {
        let flag = AtomicBool::new(false);
        let least = (0..20).map(|_| {
            flag.store(false, Ordering::Relaxed);
            std::thread::scope(|scope| {
                let search = scope.spawn(|| {
                    let found = ask(operation, pair, &Limit::none().stopped_by(&flag));
                    (found, Instant::now())
                });
                std::thread::sleep(Duration::from_millis(3));
                let raised = Instant::now();
                flag.store(true, Ordering::Relaxed);
                let (_, ended) = search.join().expect("no panic");
                ended.saturating_duration_since(raised)
            })
        });
        let least = least.min().expect("twenty tries");
        println!("{operation} of {}: {least:?} after the flag", pair.0);
        assert!(least < Duration::from_millis(1), "{operation} of {pair:?}: {least:?}");
    }
}

/// The steps of a question are those of all its parts together.
#[test]
fn a_limit_is_for_the_whole_question() {
    let long = LAYOUTS[3];
    let (found, taken) = timed(|| ask(Operation::RightInverse, long, &Limit::steps(1_000)));
    assert_eq!(found, Err("undecided".into()));
    println!("1000 steps: {taken:?}");
    assert!(taken < Duration::from_millis(20), "{taken:?}");
}
