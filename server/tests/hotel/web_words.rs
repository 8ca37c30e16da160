//! Every word that the server may say and a page must have a message for, in one file that the pages' own tests read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use housekeeping::application::routing_answers::NOT_SUGGESTED;
use housekeeping::domain::suggestion::{RowOutcome, Stale};
use housekeeping::infrastructure::planning::ROOM_OUT_OF_ORDER;
use housekeeping::infrastructure::tasks::UNTOLD;
use serde_json::{Value, json};

use crate::golden::compare_at;
use crate::test_hotel::TestHotel;

/// The words of a schema: an enumeration of texts.
fn words_of(schema: &Value) -> Option<BTreeSet<String>> {
    let listed = schema["enum"].as_array().cloned().or_else(|| {
        let choices = schema["oneOf"].as_array()?;
        choices.iter().map(|choice| choice.get("const").or(choice["enum"].get(0)).cloned()).collect()
    })?;
    listed.iter().filter(|word| !word.is_null()).map(|word| word.as_str().map(str::to_owned)).collect()
}

fn gather(value: &Value, codes: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (name, inner) in members {
                if name == "x-melmastoon-codes" {
                    codes.extend(inner.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned));
                } else {
                    gather(inner, codes);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, codes)),
        _ => {}
    }
}

/// What a task's history may say last: the end of a subject, without its version.
fn task_events() -> BTreeSet<String> {
    let told = contracts::catalogue::all().map(|entry| entry.subject);
    let told = told.filter_map(|subject| subject.strip_prefix("melmastoon.housekeeping.task."));
    let untold = UNTOLD.iter().filter_map(|subject| subject.strip_prefix("housekeeping.task."));
    told.chain(untold).filter_map(|end| end.split('.').next()).map(str::to_owned).collect()
}

/// Every word of an enumeration, as it names them itself when it is given none of them.
fn variants_of<T: serde::de::DeserializeOwned>(none_of_them: Value) -> BTreeSet<String> {
    let said = serde_json::from_value::<T>(none_of_them).err().expect("a refusal").to_string();
    let (_, expected) = said.split_once("expected one of").expect("a list of words");
    expected.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[tokio::test]
async fn every_word_that_a_page_may_meet_stands_in_the_golden_file() {
    let hotel = TestHotel::open().await;
    let document = &hotel.app.openapi;
    let mut codes = BTreeSet::from([
        "MELMASTOON.PLATFORM.INSECURE_ORIGIN".to_owned(),
        "MELMASTOON.PLATFORM.NO_SUCH_ROUTE".to_owned(),
        "MELMASTOON.PLATFORM.TOO_MANY_STREAMS".to_owned(),
    ]);
    gather(&document["paths"], &mut codes);
    let mut words: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        if let Some(found) = words_of(schema) {
            words.insert(name.clone(), found);
        }
        for (field, inner) in schema["properties"].as_object().into_iter().flatten() {
            if let Some(found) = words_of(inner) {
                words.insert(format!("{name}.{field}"), found);
            }
        }
    }
    words.insert(
        "alert".to_owned(),
        housekeeping::application::board_alerts::ALERTS.iter().map(|&code| code.to_owned()).collect(),
    );
    words.insert(
        "alertReason".to_owned(),
        housekeeping::application::board_alerts::ALERT_REASONS.iter().map(|&code| code.to_owned()).collect(),
    );
    words.insert("taskEvent".to_owned(), task_events());
    let mut reasons = variants_of::<planner::Code>(json!(""));
    reasons.extend([NOT_SUGGESTED.to_owned(), ROOM_OUT_OF_ORDER.to_owned()]);
    words.insert("planReason".to_owned(), reasons);
    words.insert("rowOutcome".to_owned(), variants_of::<RowOutcome>(json!({ "outcome": "" })));
    words.insert("rowBecause".to_owned(), Stale::ALL.iter().map(|why| why.as_str().to_owned()).collect());
    let found = json!({ "madeBy": "UPDATE_GOLDEN=1 cargo test -p melmastoon --test hotel web_words", "problems": codes, "words": words });
    let found = format!("{}\n", serde_json::to_string_pretty(&found).unwrap());
    compare_at(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/web-words.json"), &found);
}
