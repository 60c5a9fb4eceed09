//! Asks an array crate, by its own functions, whether a reshape is a view.
//!
//! Each program in `src/bin/` is called with the folder of a run. It reads the questions there
//! (`crates/questions/*.jsonl`: a shape, strides and a new shape), and writes one answer per line,
//! `{"answer": …, "ns": …}`, into `crates/answers/NAME/`. An answer is the new strides, null for a copy,
//! `"skipped"` where the question cannot be expressed, or `{"panic": …}`.

use std::any::Any;
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};

/// Can an array with this shape and these strides, those of a view without padding, be viewed in
/// the new shape?
#[derive(Debug, Deserialize)]
pub struct Question {
    pub shape: Vec<usize>,
    pub strides: Vec<isize>,
    pub new_shape: Vec<usize>,
}

impl Question {
    /// The strides, if none is negative.
    pub fn unsigned_strides(&self) -> Option<Vec<usize>> {
        self.strides.iter().map(|&stride| usize::try_from(stride).ok()).collect()
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Strides(Vec<isize>),
    Copy(()),
    Word(&'static str),
    Panic { panic: String },
}

#[derive(Serialize)]
struct Line {
    answer: Answer,
    ns: f64,
}

/// Unsigned strides as signed numbers.
pub fn signed(strides: &[usize]) -> Vec<isize> {
    strides.iter().map(|&stride| stride as isize).collect()
}

/// Answers all questions in the folder that the program was given.
///
/// `prepare` turns a question into the crate's own type (`None` if it cannot), and is not timed; `ask` is
/// timed; `read` turns the answer into strides, `None` for a copy.
pub fn answer<P, R>(
    name: &str,
    prepare: impl Fn(&Question) -> Option<P>,
    ask: impl Fn(&P) -> R,
    read: impl Fn(R) -> Option<Vec<isize>>,
) -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("give the folder of the run")?;
    let folder = Path::new(&folder).join("crates");
    let answers = folder.join("answers").join(name);
    fs::create_dir_all(&answers)?;
    // A panic is an answer, and is recorded.
    std::panic::set_hook(Box::new(|_| {}));
    for file in fs::read_dir(folder.join("questions"))? {
        let path = file?.path();
        let file_name = path.file_name().ok_or("a file has a name")?;
        let mut lines = String::new();
        for line in fs::read_to_string(&path)?.lines() {
            let question: Question = serde_json::from_str(line)?;
            lines += &serde_json::to_string(&put(&question, &prepare, &ask, &read))?;
            lines.push('\n');
        }
        fs::write(answers.join(file_name), lines)?;
    }
    Ok(())
}

fn put<P, R>(
    question: &Question,
    prepare: &impl Fn(&Question) -> Option<P>,
    ask: &impl Fn(&P) -> R,
    read: &impl Fn(R) -> Option<Vec<isize>>,
) -> Line {
    let done = catch_unwind(AssertUnwindSafe(|| {
        let prepared = prepare(question)?;
        let answer = match read(ask(&prepared)) {
            Some(strides) => Answer::Strides(strides),
            None => Answer::Copy(()),
        };
        Some(Line { answer, ns: time(|| black_box(ask(black_box(&prepared)))) })
    }));
    match done {
        Ok(Some(line)) => line,
        Ok(None) => Line { answer: Answer::Word("skipped"), ns: 0.0 },
        Err(panic) => Line { answer: Answer::Panic { panic: message(&*panic) }, ns: 0.0 },
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without a message").to_string()
}

/// Nanoseconds of a call: the best of several rounds of many calls, or of one call if it is slow.
fn time<R>(call: impl Fn() -> R) -> f64 {
    let start = Instant::now();
    call();
    let once = start.elapsed().as_nanos();
    let (rounds, calls) = if once > 100_000 { (1, 1) } else { (9, 200) };
    let round = |_| {
        let start = Instant::now();
        for _ in 0..calls {
            call();
        }
        start.elapsed().as_nanos() as f64 / f64::from(calls)
    };
    (0..rounds).map(round).fold(f64::INFINITY, f64::min)
}
