//! The result of a checker, as JSON.

use serde_json::{Value, json};
use viewmerge_verify::{Refusal, Shown};

/// What a certificate shows, or why it is refused; `holds` is null if it cannot be checked.
///
/// ```
/// let told = viewmerge_json::verified(&viewmerge_verify::verify("{}"));
/// assert!(told["holds"].is_null());
/// ```
pub fn verified(result: &Result<Shown, Refusal>) -> Value {
    match result {
        Ok(shown) => json!({ "holds": true, "shown": shown.kind(), "text": shown.to_string() }),
        Err(refusal) => {
            let holds =
                if matches!(refusal, Refusal::Fails(_)) { json!(false) } else { Value::Null };
            json!({ "holds": holds, "reason": refusal.to_string() })
        }
    }
}
