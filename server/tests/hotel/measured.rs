//! What is measured stands in the guide, and what the guide, the alarms and the dashboard speak of is measured.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::test_hotel::TestHotel;

const PREFIX: &str = "melmastoon_";

fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &str) -> String {
    std::fs::read_to_string(workspace().join(file)).unwrap()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            found.push(path);
        }
    }
}

/// Every crate of the product; what only tests and measures us counts nothing.
fn product() -> Vec<PathBuf> {
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    let members = manifest["workspace"]["members"].as_array().unwrap().iter().map(|one| one.as_str().unwrap());
    let mut files = Vec::new();
    for member in members.filter(|one| !["bench", "test-hotel"].contains(one)) {
        sources(&workspace().join(member).join("src"), &mut files);
    }
    assert!(files.len() > 100, "the sources were not found");
    files
}

/// The first argument of each `counter!`, `gauge!` and `histogram!`, with whether it is a histogram. One that is not a text in its place
/// could be anything, and is refused.
fn registered_in(text: &str, place: &Path) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    for kind in ["counter!(", "gauge!(", "histogram!("] {
        for (at, _) in text.match_indices(kind) {
            let argument = text[at + kind.len()..].trim_start();
            let name = argument.strip_prefix('"').and_then(|rest| rest.split_once('"'));
            let Some((name, _)) = name else { panic!("{}: {kind} is given no name", place.display()) };
            assert!(name.starts_with(PREFIX), "{}: {name} does not begin with {PREFIX}", place.display());
            found.push((name.to_owned(), kind == "histogram!("));
        }
    }
    found
}

fn registered() -> BTreeSet<(String, bool)> {
    let files = product().into_iter().map(|path| (std::fs::read_to_string(&path).unwrap(), path));
    files.flat_map(|(text, path)| registered_in(&text, &path)).collect()
}

fn names() -> BTreeSet<String> {
    registered().into_iter().map(|(name, _)| name).collect()
}

fn is_of_a_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// All words of a text that are names of ours.
fn spoken_of(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter| !is_of_a_name(letter));
    words.filter(|word| word.starts_with(PREFIX) && word.len() > PREFIX.len()).map(str::to_owned).collect()
}

/// The names in the first column of the guide's table. A short one, `_lost_total`, continues the first of its row: it
/// has the beginning of that, up to a word of it, and one of the registered names must come of it.
fn in_the_guide(known: &BTreeSet<String>) -> BTreeSet<String> {
    let guide = read("docs/operations.md");
    let (_, measured) = guide.split_once("## What is measured").expect("a chapter");
    let rows = measured.lines().filter_map(|line| line.strip_prefix("| `melmastoon_"));
    let mut found = BTreeSet::new();
    for row in rows {
        let row = format!("`{PREFIX}{row}");
        let column = row.split(" | ").next().unwrap();
        let told: Vec<&str> =
            column.split('`').filter(|text| text.chars().all(is_of_a_name) && !text.is_empty()).collect();
        let first = told[0];
        found.insert(first.to_owned());
        for short in &told[1..] {
            let beginnings = first.match_indices('_').map(|(at, _)| &first[..at]);
            let meant = beginnings.map(|begins| format!("{begins}{short}")).rfind(|name| known.contains(name));
            found.insert(meant.unwrap_or_else(|| panic!("the guide has {short} beside {first}: it is not measured")));
        }
    }
    assert!(found.len() > 20, "the table was not found");
    found
}

#[test]
fn every_metric_stands_in_the_guide_and_the_guide_has_no_other() {
    let names = names();
    let guide = in_the_guide(&names);
    let missing: Vec<_> = names.difference(&guide).collect();
    assert!(missing.is_empty(), "docs/operations.md does not say what these mean: {missing:?}");
    let invented: Vec<_> = guide.difference(&names).collect();
    assert!(invented.is_empty(), "docs/operations.md has what is not measured: {invented:?}");
    // Elsewhere in the text too.
    let roles = ["melmastoon_app", "melmastoon_relay", "melmastoon_owner", "melmastoon_operator", "melmastoon_login"];
    let elsewhere: Vec<_> =
        spoken_of(&read("docs/operations.md")).into_iter().filter(|word| !names.contains(word)).collect();
    let elsewhere: Vec<_> = elsewhere.iter().filter(|word| !roles.contains(&word.as_str())).collect();
    assert!(elsewhere.is_empty(), "docs/operations.md speaks of what is not measured: {elsewhere:?}");
}

#[test]
fn alarms_and_dashboard_go_by_what_is_measured() {
    // A histogram is given out as three series.
    let series: BTreeSet<String> = registered()
        .into_iter()
        .flat_map(|(name, is_histogram)| {
            if is_histogram {
                ["_bucket", "_count", "_sum"].map(|end| format!("{name}{end}")).to_vec()
            } else {
                vec![name]
            }
        })
        .collect();
    for file in ["deploy/prometheus/alerts.yml", "deploy/grafana/melmastoon.json"] {
        let told = spoken_of(&read(file));
        assert!(told.len() > 5, "{file} was not read");
        let unknown: Vec<_> = told.difference(&series).collect();
        assert!(unknown.is_empty(), "{file} goes by what is not measured: {unknown:?}");
    }
}

#[test]
fn the_dashboard_shows_everything_that_is_measured() {
    let shown = spoken_of(&read("deploy/grafana/melmastoon.json"));
    let is_shown =
        |name: &str| ["", "_bucket", "_count", "_sum"].iter().any(|end| shown.contains(&format!("{name}{end}")));
    let missing: Vec<_> = names().into_iter().filter(|name| !is_shown(name)).collect();
    assert!(missing.is_empty(), "deploy/grafana/melmastoon.json shows nothing of {missing:?}");
}

#[tokio::test]
async fn what_is_wrong_now_is_told_until_it_is_mended() {
    let hotel = TestHotel::open().await;
    let admin = hotel.token(platform::auth::Role::Admin, None);
    let made =
        hotel.post(&admin, "/events/v1/webhooks", serde_json::json!({ "url": "https://example.com/hook" })).await;
    let id = crate::test_hotel::text(&made.done()["id"]);
    let pause = "UPDATE bus.webhook_endpoints SET state = 'paused', paused_because = 'it failed' WHERE id = $1";
    hotel.behind.execute(pause, &[&id]).await.unwrap();
    let room = hotel.ready_room("101").await;
    hotel.deliver(&hotel.checked_out(&room).without("", "payload")).await;
    hotel.app.relay.show_what_stands().await.unwrap();
    let shown = hotel.app.metrics.render();
    for line in [
        "melmastoon_webhook_endpoints{state=\"given_up\"} 1",
        "melmastoon_dead_letters_open{context=\"housekeeping\"} 1",
        "melmastoon_subscription_waiting{subscription=\"housekeeping\"} 0",
        "melmastoon_set_aside 0",
    ] {
        assert!(shown.contains(line), "{line} is not in {shown}");
    }
    let db = &hotel.app.db;
    let lags = platform::bus::embedded_lag(db).await.unwrap();
    assert_eq!(lags.len(), hotel.app.subscriptions.len(), "also those that are not behind: {lags:?}");
}

/// Names that `counter!` is given anywhere in the product.
fn counters() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for path in product() {
        let text = std::fs::read_to_string(&path).unwrap();
        for (at, kind) in text.match_indices("counter!(") {
            let argument = text[at + kind.len()..].trim_start().trim_start_matches('"');
            found.extend(argument.split_once('"').map(|(name, _)| name.to_owned()));
        }
    }
    found
}

/// What an alarm hears for the first time it has missed: `increase()` of a series that has just begun is nothing.
#[tokio::test]
async fn every_counter_that_an_alarm_goes_by_is_there_before_anything_has_happened() {
    let hotel = TestHotel::open().await;
    let shown = hotel.app.metrics.render();
    let alarms: BTreeSet<String> =
        spoken_of(&read("deploy/prometheus/alerts.yml")).intersection(&counters()).cloned().collect();
    assert!(alarms.len() >= 8, "the alarms were not read: {alarms:?}");
    // Each part begins its own when it is started, which the tests of processes look at.
    for name in alarms.iter().filter(|name| *name != "melmastoon_part_restarts_total") {
        assert!(shown.lines().any(|line| line.starts_with(name)), "{name} appears with its first event alone");
    }
    for context in server::contexts::NAMES {
        for series in [
            format!("melmastoon_dead_letters_total{{context=\"{context}\"}} 0"),
            format!("melmastoon_dead_letters_lost_total{{context=\"{context}\"}} 0"),
            format!("melmastoon_relay_set_aside_total{{outbox=\"{context}\"}} 0"),
        ] {
            assert!(shown.lines().any(|line| line == series), "{series} is not in\n{shown}");
        }
    }
    for tick in server::contexts::ticks() {
        let series = format!("tick=\"{tick}\",outcome=\"failed\"");
        assert!(shown.contains(&series), "{series} is not in\n{shown}");
    }
}

#[test]
fn a_metric_is_found_however_it_is_written() {
    let text = "metrics::counter!(\n    \"melmastoon_a_total\",\n \"x\" => 1); metrics::histogram!(\"melmastoon_b\", &l); gauge!( \"melmastoon_c\")";
    let found: Vec<_> = registered_in(text, Path::new("here")).into_iter().map(|(name, _)| name).collect();
    assert_eq!(found, ["melmastoon_a_total", "melmastoon_c", "melmastoon_b"]);
}

#[test]
#[should_panic(expected = "is given no name")]
fn a_metric_whose_name_is_made_up_while_running_is_refused() {
    registered_in("metrics::counter!(name, \"x\" => 1)", Path::new("here"));
}
