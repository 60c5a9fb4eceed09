//! The library in a browser or in Node: JSON text in, JSON text out.
//!
//! It exports three functions and the memory. The caller writes the question where
//! [`question`] says, calls [`answer`] and reads the answer where [`answered`] says;
//! `npm/index.js` does that. The questions and answers are those of
//! [`viewmerge_json::ask()`].
//!
//! ```
//! use viewmerge_wasm::{answer_text, answer, question};
//!
//! // As a page does it: room for ten bytes, which stay zero here, so that is no JSON.
//! assert_ne!(question(10), 0);
//! assert!(answer() > 10);
//! assert!(answer_text().contains(r#""kind":"json""#));
//! ```
//!
//! Policy: a question is written to memory that this module owns and has filled with
//! zeros, and both sides know its length, so nothing uninitialised is ever read.

use std::cell::RefCell;

use viewmerge::Limit;

thread_local! {
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Makes room for a question of this many bytes, and returns where to write it.
#[expect(
    unsafe_code,
    reason = "a function has its name outside the module by an attribute that is unsafe, because two of one name would clash; there is one of this name"
)]
#[unsafe(no_mangle)]
pub extern "C" fn question(length: usize) -> usize {
    QUESTION.with_borrow_mut(|question| {
        question.clear();
        question.resize(length, 0);
        question.as_mut_ptr().expose_provenance()
    })
}

/// Answers the question, and returns the length of the answer in bytes.
#[expect(unsafe_code, reason = "as for `question`")]
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let answer = QUESTION.with_borrow(|question| {
        // Bytes that are not UTF-8 become U+FFFD; `ask` checks the rest.
        viewmerge_json::ask(&String::from_utf8_lossy(question), &Limit::none())
    });
    let length = answer.len();
    ANSWER.set(answer);
    length
}

/// Where the answer is.
#[expect(unsafe_code, reason = "as for `question`")]
#[unsafe(no_mangle)]
pub extern "C" fn answered() -> usize {
    ANSWER.with_borrow(|answer| answer.as_ptr().expose_provenance())
}

/// The answer, for callers in Rust.
pub fn answer_text() -> String {
    ANSWER.with_borrow(String::clone)
}
