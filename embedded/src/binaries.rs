//! Finding the PostgreSQL server binaries of the machine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::EmbeddedError;

/// The oldest major version our SQL works with.
pub const OLDEST_MAJOR: u32 = 15;

/// Where distributions put the server when it is not on the PATH; `*` stands for a version.
const USUAL_FOLDERS: [&str; 7] = [
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/usr/local/pgsql/bin",
    "/usr/lib/postgresql*/bin",
    "/usr/local/opt/postgresql@*/bin",
    "/opt/homebrew/opt/postgresql@*/bin",
    "/Applications/Postgres.app/Contents/Versions/*/bin",
];

/// Where to look, told by whoever reads the environment.
#[derive(Debug, Clone, Default)]
pub struct BinarySearch {
    /// The folder an operator named (`MELMASTOON_PG_BIN`): this one or none.
    pub named: Option<PathBuf>,
    /// The value of `PATH`.
    pub path: Option<OsString>,
}

/// A folder with `postgres` and `initdb` of one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerBinaries {
    folder: PathBuf,
    major: u32,
    version: String,
}

impl ServerBinaries {
    /// The named folder; else the first on the PATH; else the newest in the usual folders. An existing cluster needs its
    /// own `major`: a server of that version is then taken before any other.
    pub fn find(search: &BinarySearch, major: Option<u32>) -> Result<Self, EmbeddedError> {
        Self::find_among(search, &USUAL_FOLDERS, major)
    }

    fn find_among(search: &BinarySearch, usual_folders: &[&str], major: Option<u32>) -> Result<Self, EmbeddedError> {
        if let Some(folder) = &search.named {
            return Self::in_folder(folder).map_err(|reason| EmbeddedError::NamedBinariesUnusable {
                folder: folder.clone(),
                reason,
                oldest: OLDEST_MAJOR,
            });
        }
        let on_path: Vec<PathBuf> =
            search.path.iter().flat_map(std::env::split_paths).filter(|folder| folder.is_absolute()).collect();
        let mut looked_at = Vec::new();
        let mut usable = Vec::new();
        for folder in on_path.iter().filter(|folder| folder.join("postgres").is_file()) {
            collect(folder, &mut usable, &mut looked_at);
        }
        if on_path.is_empty() {
            looked_at.push("PATH (empty)".to_owned());
        } else if usable.is_empty() && looked_at.is_empty() {
            looked_at.push(format!("PATH ({} folders, none with `postgres`)", on_path.len()));
        }
        let first_choice = |found: &[Self]| match major {
            Some(major) => found.iter().find(|binaries| binaries.major == major).cloned(),
            None => found.first().cloned(),
        };
        if let Some(binaries) = first_choice(&usable) {
            return Ok(binaries);
        }
        let mut in_usual_folders = Vec::new();
        for pattern in usual_folders {
            let folders = matching(pattern);
            if folders.is_empty() {
                looked_at.push((*pattern).to_owned());
            }
            for folder in folders {
                collect(&folder, &mut in_usual_folders, &mut looked_at);
            }
        }
        in_usual_folders.sort_by_key(|binaries| std::cmp::Reverse(binaries.major));
        usable.extend(in_usual_folders);
        first_choice(&usable)
            .or_else(|| usable.first().cloned())
            .ok_or_else(|| EmbeddedError::BinariesMissing { oldest: OLDEST_MAJOR, looked_at: looked_at.join(", ") })
    }

    /// The server in this folder, or what is wrong with it.
    fn in_folder(folder: &Path) -> Result<Self, String> {
        // A link on the PATH leads to the folder where `initdb` and the rest of the server are.
        let postgres = folder.join("postgres").canonicalize().map_err(|_| "there is no `postgres` in it".to_owned())?;
        let folder = postgres.parent().unwrap_or(folder).to_path_buf();
        if !folder.join("initdb").is_file() {
            return Err("there is no `initdb` beside `postgres`".to_owned());
        }
        let output = Command::new(&postgres)
            .arg("--version")
            .env_clear()
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("`postgres --version` cannot be run: {error}"))?;
        let said = String::from_utf8_lossy(&output.stdout);
        let (major, version) =
            version_in(&said).ok_or_else(|| format!("`postgres --version` says `{}`", said.trim()))?;
        if major < OLDEST_MAJOR {
            return Err(format!("it is version {version}"));
        }
        Ok(Self { folder, major, version })
    }

    /// The folder they are in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Major version, such as 15.
    pub fn major(&self) -> u32 {
        self.major
    }

    /// The version as the server tells it, such as `15.18`.
    pub fn version(&self) -> &str {
        &self.version
    }

    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

fn collect(folder: &Path, usable: &mut Vec<ServerBinaries>, looked_at: &mut Vec<String>) {
    match ServerBinaries::in_folder(folder) {
        Ok(binaries) => usable.push(binaries),
        Err(reason) => looked_at.push(format!("{} ({reason})", folder.display())),
    }
}

/// The version in words like `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)` or `postgres (PostgreSQL) 18beta1`.
fn version_in(said: &str) -> Option<(u32, String)> {
    let version = said.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit()))?;
    let digits = version.split(|character: char| !character.is_ascii_digit()).next()?;
    Some((digits.parse().ok()?, version.to_owned()))
}

/// The folders that fit a pattern with one `*` in one of its parts.
fn matching(pattern: &str) -> Vec<PathBuf> {
    let Some((before, after)) = pattern.split_once('*') else {
        return Path::new(pattern).is_dir().then(|| PathBuf::from(pattern)).into_iter().collect();
    };
    let (parent, prefix) = before.rsplit_once('/').unwrap_or(("", before));
    let Ok(entries) = std::fs::read_dir(parent) else { return Vec::new() };
    entries
        .flatten()
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            // `postgresql*` must not take in the folder `postgresql`, which has versions below it.
            name.starts_with(prefix) && name.len() > prefix.len()
        })
        .map(|entry| PathBuf::from(format!("{}{after}", entry.path().display())))
        .filter(|folder| folder.is_dir())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Servers that know no more than their version.
    struct Machine(PathBuf);

    impl Machine {
        fn with(test: &str, servers: &[(&str, &str)]) -> Self {
            let root = std::env::temp_dir().join(format!("melmastoon-binaries-{}-{test}", std::process::id()));
            for (folder, version) in servers {
                let folder = root.join(folder);
                std::fs::create_dir_all(&folder).expect("a folder");
                // Written by another process: a program this one holds open for writing could not be run.
                let script = "cd \"$1\" && printf '#!/bin/sh\\necho \"postgres (PostgreSQL) %s\"\\n' \"$2\" | tee initdb >postgres &&
                              chmod +x postgres initdb";
                let mut sh = Command::new("/bin/sh");
                assert!(sh.args(["-c", script, "sh"]).arg(&folder).arg(version).status().expect("a shell").success());
            }
            Self(root.canonicalize().expect("the folder just made"))
        }

        fn find(&self, on_path: &str, major: Option<u32>) -> Result<ServerBinaries, EmbeddedError> {
            let search = BinarySearch { named: None, path: Some(self.0.join(on_path).into()) };
            ServerBinaries::find_among(&search, &[&format!("{}/lib/*/bin", self.0.display())], major)
        }
    }

    impl Drop for Machine {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_path_comes_first_then_the_newest_of_the_usual_folders() {
        let machine = Machine::with("order", &[("bin", "16.3"), ("lib/15/bin", "15.1"), ("lib/17/bin", "17.2")]);
        assert_eq!(machine.find("bin", None).expect("a server").major(), 16);
        assert_eq!(machine.find("nowhere", None).expect("a server").version(), "17.2");
    }

    #[test]
    fn an_existing_cluster_gets_a_server_of_its_own_version_if_there_is_one() {
        let machine = Machine::with("major", &[("bin", "16.3"), ("lib/15/bin", "15.1"), ("lib/17/bin", "17.2")]);
        assert_eq!(machine.find("bin", Some(15)).expect("a server").major(), 15);
        assert_eq!(machine.find("bin", Some(18)).expect("a server").major(), 16);
    }

    #[test]
    fn a_server_that_is_too_old_is_passed_over_and_named_when_there_is_no_other() {
        let machine = Machine::with("old", &[("bin", "14.9"), ("lib/15/bin", "15.1")]);
        assert_eq!(machine.find("bin", None).expect("a server").major(), 15);

        let machine = Machine::with("too-old", &[("bin", "14.9"), ("lib/9.6/bin", "9.6.24")]);
        let refusal = machine.find("bin", None).expect_err("no server").to_string();
        for part in ["it is version 14.9", "it is version 9.6.24", "apt-get install postgresql", "MELMASTOON_PG_BIN"] {
            assert!(refusal.contains(part), "{part}: {refusal}");
        }
    }

    #[test]
    fn a_machine_without_a_server_is_told_where_was_looked() {
        let machine = Machine::with("none", &[("elsewhere", "15.1")]);
        let refusal = machine.find("nowhere", None).expect_err("no server").to_string();
        assert!(
            refusal.contains("PATH (1 folders, none with `postgres`)") && refusal.contains("/lib/*/bin"),
            "{refusal}"
        );
    }

    #[test]
    fn the_major_version_is_read_from_what_distributions_print() {
        for (said, major) in [
            ("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n", 15),
            ("postgres (PostgreSQL) 17.2\n", 17),
            ("postgres (PostgreSQL) 18beta1\n", 18),
            ("postgres (PostgreSQL) 9.6.24\n", 9),
        ] {
            assert_eq!(version_in(said).expect(said).0, major, "{said}");
        }
    }

    #[test]
    fn words_without_a_version_are_no_version() {
        assert_eq!(version_in("command not found"), None);
        assert_eq!(version_in(""), None);
    }
}
