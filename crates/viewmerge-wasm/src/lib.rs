//! The library in a browser or in Node: a text of JSON in, a text of JSON out.
//!
//! Three functions and the memory are all that is exported. Who asks writes the
//! question where [`question`] says, calls [`answer`] and reads the answer where
//! [`answered`] says; `npm/index.js` does that. The questions and answers are those of
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
//! Policy: a question is kept in memory that this module owns and that holds zeros
//! before it is written to, and both sides know its length, so nothing unset is ever read.

use std::cell::RefCell;

use viewmerge::Limit;

thread_local! {
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Makes room for a question of so many bytes, and says where it is to be written.
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

/// Answers the question, and says how many bytes the answer has.
#[expect(unsafe_code, reason = "as for `question`")]
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let answer = QUESTION.with_borrow(|question| {
        // The rules of JSON about characters are checked with the rest.
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

/// The answer, for who is not outside.
pub fn answer_text() -> String {
    ANSWER.with_borrow(String::clone)
}
