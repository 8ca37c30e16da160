//! The shape of the house: dependencies point one way, and the domain knows no machinery.

use std::path::{Path, PathBuf};

fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn manifest(folder: &Path) -> toml::Table {
    std::fs::read_to_string(folder.join("Cargo.toml")).unwrap().parse().unwrap()
}

fn members() -> Vec<String> {
    let root = manifest(&workspace());
    let members = root["workspace"]["members"].as_array().unwrap();
    members.iter().map(|member| member.as_str().unwrap().to_owned()).collect()
}

/// Which of our own crates each one may know. `server` knows them all; contexts never know each other.
fn may_know(member: &str) -> Option<&'static [&'static str]> {
    match member {
        "contracts" | "embedded" | "planner" => Some(&[]),
        "platform" => Some(&["contracts"]),
        // Housekeeping's planner is built in: one of the forms of its routing port.
        "housekeeping" => Some(&["contracts", "platform", "planner"]),
        // The archive takes whatever tables it is told of, and knows none of them.
        "archive" | "reservation" | "staff" => Some(&["contracts", "platform"]),
        "server" => {
            Some(&["archive", "contracts", "platform", "embedded", "planner", "housekeeping", "reservation", "staff"])
        }
        // The hotel of the tests is built of the whole product, and measured as a whole; no product depends on either.
        "test-hotel" => {
            Some(&["contracts", "platform", "embedded", "planner", "housekeeping", "reservation", "staff", "server"])
        }
        "bench" => Some(&["contracts", "platform", "embedded", "housekeeping", "server", "test-hotel"]),
        _ => None,
    }
}

#[test]
fn crates_depend_one_way() {
    let ours = members();
    for member in &ours {
        let allowed = may_know(member).unwrap_or_else(|| panic!("{member} is new: say in `may_know` whom it may know"));
        let manifest = manifest(&workspace().join(member));
        let Some(dependencies) = manifest.get("dependencies").and_then(toml::Value::as_table) else { continue };
        for (name, value) in dependencies {
            let package = value.get("package").and_then(toml::Value::as_str).unwrap_or(name);
            let name = package.trim_start_matches("melmastoon-");
            let name = if package == "melmastoon" { "server" } else { name };
            assert!(!ours.iter().any(|one| one == name) || allowed.contains(&name), "{member} must not know {name}");
        }
    }
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn the_domain_knows_no_machinery() {
    let mut files = Vec::new();
    for member in members() {
        sources(&workspace().join(member).join("src"), &mut files);
    }
    let domain: Vec<_> =
        files.iter().filter(|path| path.components().any(|part| part.as_os_str() == "domain")).collect();
    assert!(domain.len() >= 5, "the domain was not found");
    for path in domain {
        let text = std::fs::read_to_string(path).unwrap();
        for word in ["tokio", "axum", "postgres", "async fn", "infrastructure", "presentation"] {
            assert!(!text.contains(word), "{} speaks of {word}", path.display());
        }
        // The clock port; `ClockEntryId` is somebody's punch.
        let mut words = text.split(|letter: char| !letter.is_alphanumeric());
        assert!(!words.any(|word| word == "Clock"), "{} asks for the time", path.display());
    }
}

/// The files of one layer in all contexts.
fn layer(name: &str) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for context in server::contexts::NAMES {
        sources(&workspace().join(context).join("src").join(name), &mut files);
    }
    assert!(files.len() >= 5, "{name} was not found");
    files.retain(|path| path.extension().is_some_and(|kind| kind == "rs"));
    files.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn only_infrastructure_knows_rows_and_sql() {
    for (path, text) in layer("application").into_iter().chain(layer("presentation")) {
        for word in ["row.get", "Row", "params!", "statements!", ".project(", "SELECT ", "tokio_postgres"] {
            let found = text
                .lines()
                .find(|line| line.contains(word) && !line.contains("RowOutcome") && !is_word_part(line, word));
            assert!(found.is_none(), "{} speaks of {word}: {found:?}", path.display());
        }
    }
}

/// `Rows`, `SuggestedRow` and the like are hotel words; a row of the database is a `Row` by itself.
fn is_word_part(line: &str, word: &str) -> bool {
    word == "Row" && !line.split(|letter: char| !letter.is_alphanumeric()).any(|one| one == "Row")
}

#[test]
fn handlers_translate_and_tell_no_story() {
    for (path, text) in layer("presentation") {
        for word in ["uow.save", ".next_id()", "Decided::", "::lock(", "uow.touch"] {
            assert!(!text.contains(word), "{} does {word}: that is a story's business", path.display());
        }
    }
}
