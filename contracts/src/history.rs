//! The schemas as they were: at the last release, or where this line of work left the main one.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::breaking::{self, Break};
use crate::catalogue;

/// What came of comparing with the past.
#[derive(Debug)]
pub enum Outcome {
    /// There is nothing to compare with, and why.
    Skipped(String),
    /// It was compared.
    Compared {
        /// With what: a tag or a commit.
        with: String,
        /// How many schemas were there.
        schemas: usize,
        /// What breaks.
        breaks: Vec<Break>,
    },
}

/// Compares the types of this build with the schemas of the last release tag, or of the merge base with the main branch.
pub fn check(repository: &Path) -> Outcome {
    let Some(with) = base(repository) else {
        return Outcome::Skipped(format!(
            "{} has no git history with a release tag (v*) or a main branch: nothing to compare with",
            repository.display()
        ));
    };
    let old = match schemas_at(repository, &with) {
        Ok(old) if old.is_empty() => return Outcome::Skipped(format!("{with} has no schemas below contracts/events")),
        Ok(old) => old,
        Err(reason) => return Outcome::Skipped(reason),
    };
    let new = catalogue::all().map(|entry| (entry.subject.to_owned(), entry.schema())).collect();
    Outcome::Compared { schemas: old.len(), breaks: breaking::between(&old, &new), with }
}

/// The last release tag that leads here, or else the commit where this branch left the main one.
pub fn base(repository: &Path) -> Option<String> {
    let tag = git(repository, &["describe", "--tags", "--abbrev=0", "--match", "v[0-9]*"]);
    tag.or_else(|| {
        let mains = ["origin/main", "main", "origin/master", "master"];
        mains.into_iter().find_map(|main| git(repository, &["merge-base", "HEAD", main]))
    })
}

/// Every committed schema of a subject at a revision.
pub fn schemas_at(repository: &Path, revision: &str) -> Result<BTreeMap<String, Value>, String> {
    let listing = git(repository, &["ls-tree", "--name-only", revision, "contracts/events/"])
        .ok_or_else(|| format!("git cannot list contracts/events at {revision}"))?;
    let mut schemas = BTreeMap::new();
    for path in listing.lines() {
        let subject = path.strip_prefix("contracts/events/").and_then(|name| name.strip_suffix(".schema.json"));
        let Some(subject) = subject.filter(|name| name.starts_with("melmastoon.")) else { continue };
        let text =
            file_at(repository, revision, path).ok_or_else(|| format!("git cannot show {path} at {revision}"))?;
        let schema =
            serde_json::from_str(&text).map_err(|fault| format!("{path} at {revision} is no JSON: {fault}"))?;
        schemas.insert(subject.to_owned(), schema);
    }
    Ok(schemas)
}

/// A file as it stood at a revision; `None` where it was not there.
pub fn file_at(repository: &Path, revision: &str, path: &str) -> Option<String> {
    git(repository, &["show", &format!("{revision}:{path}")])
}

fn git(repository: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(repository).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim_end().to_owned())
}
