//! How many divisions the forms of recorded chains have.

use viewmerge::{Limit, View, ViewChain};
use viewmerge_index::IndexChain;
use viewmerge_testkit::cases;

#[test]
fn recorded_chains_have_few_divisions() {
    let (mut divisions, mut quick) = (0, 0);
    for line in cases::text("trackers.jsonl").lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let views: Vec<View> = serde_json::from_value(line["views"].clone()).expect("views");
        let chain = ViewChain::from_views(&views).expect("it composes");
        let form = chain.form(&Limit::none()).expect("it fits");
        let ranges = viewmerge_index::IndexForm::of_views(&chain).expect("it fits");
        let count = |form: &viewmerge_index::IndexForm| {
            form.floors().iter().filter(|floor| floor.range != (0, 1)).count()
        };
        divisions += count(&form);
        quick += count(&ranges);
        // At some indices; the random tests look at all of them.
        for part in [0, 1, 2, 3, 5, 7] {
            let at = |size: &i64| (size * part / 7).min(size - 1);
            let index: Vec<i64> = chain.shape().iter().map(at).collect();
            assert_eq!(form.index(&index), chain.index(&index), "{chain} at {index:?}");
        }
    }
    println!("{divisions} divisions, {quick} by ranges alone");
    assert!(divisions <= 509, "{divisions} divisions");
}
