//! The cluster's folder: what is where, who holds it, and files that nobody else may read.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::account::Account;
use crate::error::{Doing as _, EmbeddedError};

/// How the name of an unfinished cluster begins.
const PART: &str = "part-";
/// So long a straggler may write into one.
const STRAGGLING: Duration = Duration::from_secs(10);
const MOMENT: Duration = Duration::from_millis(20);

/// Paths below one data folder.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    data_dir: PathBuf,
    root: PathBuf,
}

impl Folder {
    /// Makes the data folder if it is not there.
    pub(crate) fn open(data_dir: &Path) -> Result<Self, EmbeddedError> {
        std::fs::create_dir_all(data_dir).doing("create", data_dir)?;
        Self::existing(data_dir)
    }

    pub(crate) fn existing(data_dir: &Path) -> Result<Self, EmbeddedError> {
        let data_dir = data_dir.canonicalize().doing("find", data_dir)?;
        Ok(Self { root: data_dir.join("postgres"), data_dir })
    }

    pub(crate) fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The cluster itself, whole.
    pub(crate) fn data(&self) -> PathBuf {
        self.root.join("data")
    }

    /// A name for the cluster while `initdb` makes it: a new one each time, so that no straggler of an earlier attempt
    /// gets in the way.
    pub(crate) fn new_part(&self) -> Result<PathBuf, EmbeddedError> {
        let (mark, _) = self.mark().unwrap_or_default();
        let random = random_hex::<4>().doing("name a folder in", &self.root)?;
        Ok(self.root.join(format!("{PART}{mark}-{random}")))
    }

    /// Wipes what attempts to make the cluster left behind: folders of this name are ours alone. A straggler of one that was killed may
    /// still write into its folder for a moment, and ends when that is gone.
    pub(crate) fn wipe_parts(&self) -> Result<(), EmbeddedError> {
        let entries = std::fs::read_dir(&self.root).doing("read", &self.root)?;
        for entry in entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(PART)) {
            let mut left = STRAGGLING;
            loop {
                match std::fs::remove_dir_all(entry.path()) {
                    Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty && !left.is_zero() => {
                        std::thread::sleep(MOMENT);
                        left = left.saturating_sub(MOMENT);
                    }
                    Err(error) if error.kind() == ErrorKind::NotFound => break,
                    wiped => break wiped.doing("wipe the unfinished", entry.path())?,
                }
            }
        }
        Ok(())
    }

    /// What the titles of this cluster's processes carry, and whose they are: from the folder itself, so that a copy of
    /// the folder elsewhere is another cluster. None if there is no folder yet.
    pub(crate) fn mark(&self) -> Option<(String, u32)> {
        let root = std::fs::symlink_metadata(&self.root).ok()?;
        Some((format!("melmastoon-{:x}-{:x}", root.dev(), root.ino()), root.uid()))
    }

    pub(crate) fn run(&self) -> PathBuf {
        self.root.join("run")
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.root.join("log")
    }

    pub(crate) fn first_words(&self) -> PathBuf {
        self.log().join("start.log")
    }

    pub(crate) fn address(&self) -> PathBuf {
        self.root.join("address")
    }

    pub(crate) fn password_of(&self, user: &str) -> PathBuf {
        self.root.join(format!("{user}.password"))
    }

    /// The major version that made the cluster; none if there is no cluster yet.
    pub(crate) fn made_by(&self) -> Result<Option<u32>, EmbeddedError> {
        let data = self.data();
        if std::fs::symlink_metadata(&data).is_err() {
            return Ok(None);
        }
        std::fs::read_to_string(data.join("PG_VERSION"))
            .ok()
            .and_then(|version| version.trim().parse().ok())
            .map(Some)
            .ok_or(EmbeddedError::NotACluster(data))
    }

    /// One process at a time runs a cluster: the lock goes with the process, however it ends.
    pub(crate) fn lock(&self) -> Result<File, EmbeddedError> {
        let path = self.data_dir.join("postgres.lock");
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .mode(0o600)
            .open(&path)
            .doing("open", &path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let _ = file.read_to_string(&mut holder);
                let holder = holder.trim();
                let holder = if holder.is_empty() { "(unknown)" } else { holder }.to_owned();
                return Err(EmbeddedError::InUse { data_dir: self.data_dir.clone(), holder });
            }
            Err(TryLockError::Error(source)) => return Err(source).doing("lock", &path),
        }
        file.set_len(0).doing("write", &path)?;
        writeln!(file, "{}", std::process::id()).doing("write", &path)?;
        Ok(file)
    }

    /// The folders that are not made by `initdb`, for the server's user alone.
    pub(crate) fn furnish(&self, account: &Account) -> Result<(), EmbeddedError> {
        for folder in [self.root.clone(), self.run(), self.log()] {
            match DirBuilder::new().mode(0o700).create(&folder) {
                Ok(()) => {
                    let opened = File::open(&folder).doing("open", &folder)?;
                    account.owns(&opened, &folder)?;
                }
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(source) => return Err(source).doing("create", &folder),
            }
        }
        Ok(())
    }

    /// The password of this user, if there is one.
    pub(crate) fn known_password(&self, user: &str) -> Option<String> {
        let password = std::fs::read_to_string(self.password_of(user)).ok()?;
        let password = password.trim();
        (!password.is_empty()).then(|| password.to_owned())
    }

    /// The password of this user, made at random when there is no cluster yet.
    pub(crate) fn password(&self, user: &str, account: &Account) -> Result<String, EmbeddedError> {
        let path = self.password_of(user);
        if let Some(password) = self.known_password(user) {
            return Ok(password);
        }
        if self.made_by()?.is_some() {
            return Err(EmbeddedError::PasswordLost(path));
        }
        let password = random_hex::<24>().doing("make a random password for", &path)?;
        write_private(&path, &format!("{password}\n"), account)?;
        Ok(password)
    }
}

/// Random bytes of the operating system, as hex digits.
pub(crate) fn random_hex<const BYTES: usize>() -> std::io::Result<String> {
    use std::fmt::Write as _;

    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    let mut hex = String::with_capacity(2 * BYTES);
    for byte in bytes {
        let _ = write!(hex, "{byte:02x}");
    }
    Ok(hex)
}

/// Puts a file in place whole or not at all, readable by the server's user (and root) alone. The folder may belong to
/// another user, so nothing that lies there is ever followed or written through.
pub(crate) fn write_private(path: &Path, content: &str, account: &Account) -> Result<(), EmbeddedError> {
    let part = path.with_added_extension("part");
    match std::fs::remove_file(&part) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(source) => return Err(source).doing("remove", &part),
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part).doing("create", &part)?;
    file.write_all(content.as_bytes()).doing("write", &part)?;
    account.owns(&file, &part)?;
    file.sync_all().doing("write", &part)?;
    std::fs::rename(&part, path).doing("write", path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straggler_that_still_writes_does_not_keep_an_unfinished_cluster_from_being_wiped() {
        let data_dir = std::env::temp_dir().join(format!("melmastoon-straggler-{}", std::process::id()));
        let part = data_dir.join("postgres").join(format!("{PART}one"));
        std::fs::create_dir_all(part.join("base")).unwrap();
        let own = part.clone();
        // Ends after a while, or when its folder is gone.
        let straggler = std::thread::spawn(move || {
            (0..3_000).take_while(|number| File::create(own.join(format!("{number}"))).is_ok()).count()
        });
        let wiped = Folder::open(&data_dir).unwrap().wipe_parts();
        let written = straggler.join().unwrap();
        std::fs::remove_dir_all(&data_dir).unwrap();
        wiped.unwrap();
        assert!(!part.exists(), "{written} files were written meanwhile");
    }
}
