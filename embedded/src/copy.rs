//! A copy of the running cluster, and a cluster from such a copy.
//!
//! The copy is PostgreSQL's own base backup: taken while the hotel works, whole as of the moment at which it ended, with the
//! checksum of every file in `backup_manifest`. Beside it lie the two passwords, since the roles in the copy have them.

use std::fs::{DirBuilder, File, OpenOptions};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::process::Stdio;

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Command;

use crate::account::Account;
use crate::address::Address;
use crate::binaries::{BinarySearch, ServerBinaries};
use crate::cluster::{Options, PRODUCT, logins, running};
use crate::error::{Doing as _, EmbeddedError};
use crate::folder::{Folder, write_private};
use crate::postmaster::{SUPERUSER, one_line};

/// Where in a copy the files of the cluster are.
pub const CLUSTER: &str = "cluster";
/// Where in a copy the passwords are.
const PASSWORDS: &str = "passwords";

/// Copies the cluster that runs on a data folder into `into`, a folder that is there and closed to others. `come_to` hears how many KiB were
/// copied, of how many.
pub async fn copy_running(
    data_dir: &Path,
    search: &BinarySearch,
    into: &Path,
    come_to: &mut dyn FnMut(u64, u64),
) -> Result<(), EmbeddedError> {
    running(data_dir).await?;
    let folder = Folder::existing(data_dir)?;
    let (superuser, _) = logins(&folder).ok_or_else(|| EmbeddedError::NotRunning(data_dir.to_path_buf()))?;
    let binaries = ServerBinaries::find(search, folder.made_by()?)?;
    let program = binaries.program("pg_basebackup");
    if !program.is_file() {
        return Err(EmbeddedError::ToolMissing { tool: "pg_basebackup", folder: binaries.folder().to_path_buf() });
    }
    let (host, port) = match superuser.address() {
        Address::Socket(folder) => (folder.clone().into_os_string(), superuser.address().port()),
        Address::Loopback(port) => ("127.0.0.1".into(), *port),
    };
    let mut command = Command::new(&program);
    command
        .arg("-D")
        .arg(into.join(CLUSTER))
        .args(["-X", "stream", "--checkpoint=fast", "--manifest-checksums=SHA256", "--no-password", "--progress"])
        .env_clear()
        .env("LC_ALL", "C")
        .env("PGHOST", host)
        .env("PGPORT", port.to_string())
        .env("PGUSER", SUPERUSER)
        .env("PGPASSWORD", folder.known_password(SUPERUSER).unwrap_or_default())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    let mut copying = command.spawn().doing("run", &program)?;
    let mut said = String::new();
    if let Some(stderr) = copying.stderr.take() {
        let mut lines = BufReader::new(stderr).split(b'\n');
        while let Some(line) = lines.next_segment().await.doing("hear", &program)? {
            let line = String::from_utf8_lossy(&line);
            if let Some((done, of)) = line.split('\r').rev().find_map(how_far) {
                come_to(done, of);
            } else {
                said.push_str(&line);
                said.push('\n');
            }
        }
    }
    if !copying.wait().await.doing("run", &program)?.success() {
        return Err(EmbeddedError::NotCopied(one_line(&said)));
    }
    let passwords = into.join(PASSWORDS);
    DirBuilder::new().mode(0o700).create(&passwords).doing("create", &passwords)?;
    for user in [SUPERUSER, PRODUCT] {
        copy_private(&folder.password_of(user), &passwords.join(user), None)?;
    }
    Ok(())
}

/// `  4711/23456 kB (20%), 0/1 tablespace`: what the copying program says of its progress.
fn how_far(said: &str) -> Option<(u64, u64)> {
    let (done, of) = said.split_once(" kB (")?.0.trim().split_once('/')?;
    Some((done.parse().ok()?, of.parse().ok()?))
}

/// Makes the cluster of a data folder from a copy. `come_to` hears how many bytes have been copied. The folder must not have one. What was begun and not completed is wiped by
/// the next attempt; the cluster is there whole or not at all.
pub fn settle_copy(from: &Path, options: &Options, come_to: &mut dyn FnMut(u64)) -> Result<(), EmbeddedError> {
    let folder = Folder::open(&options.data_dir)?;
    let _lock = folder.lock()?;
    if folder.made_by()?.is_some() {
        return Err(EmbeddedError::AlreadyACluster(folder.data()));
    }
    let account = Account::for_cluster(folder.root(), options.run_as.as_deref())?;
    folder.furnish(&account)?;
    folder.wipe_parts()?;
    let part = folder.new_part()?;
    copy_folder(&from.join(CLUSTER), &part, &account, &mut 0, come_to)?;
    for user in [SUPERUSER, PRODUCT] {
        let kept = from.join(PASSWORDS).join(user);
        let password = std::fs::read_to_string(&kept).doing("read", &kept)?;
        write_private(&folder.password_of(user), &password, &account)?;
    }
    std::fs::rename(&part, folder.data()).doing("complete", folder.data())?;
    let root = File::open(folder.root()).doing("open", folder.root())?;
    root.sync_all().doing("write", folder.root())
}

fn copy_folder(
    from: &Path,
    to: &Path,
    account: &Account,
    copied: &mut u64,
    come_to: &mut dyn FnMut(u64),
) -> Result<(), EmbeddedError> {
    DirBuilder::new().mode(0o700).create(to).doing("create", to)?;
    for entry in std::fs::read_dir(from).doing("read", from)? {
        let entry = entry.doing("read", from)?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().doing("read", &source)?;
        if kind.is_dir() {
            copy_folder(&source, &target, account, copied, come_to)?;
        } else if kind.is_file() {
            *copied += copy_private(&source, &target, Some(account))?;
            come_to(*copied);
        } else {
            // Our clusters have no tablespaces, so there is nothing here that a link could lead to.
            return Err(EmbeddedError::NotCopied(format!("{} is neither a file nor a folder", source.display())));
        }
    }
    let opened = File::open(to).doing("open", to)?;
    account.owns(&opened, to)?;
    opened.sync_all().doing("write", to)
}

/// Copies a file so that nobody but its owner reads the copy, and it is on the disk before we go on.
pub fn copy_private_file(from: &Path, to: &Path) -> Result<(), EmbeddedError> {
    copy_private(from, to, None).map(drop)
}

fn copy_private(from: &Path, to: &Path, account: Option<&Account>) -> Result<u64, EmbeddedError> {
    let mut source = File::open(from).doing("open", from)?;
    let mut target = OpenOptions::new().write(true).create_new(true).mode(0o600).open(to).doing("create", to)?;
    let bytes = std::io::copy(&mut source, &mut target).doing("write", to)?;
    if let Some(account) = account {
        account.owns(&target, to)?;
    }
    target.sync_all().doing("write", to)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::how_far;

    #[test]
    fn the_copying_programs_words_are_read() {
        assert_eq!(how_far("  4711/23456 kB (20%), 0/1 tablespace"), Some((4711, 23_456)));
        assert_eq!(how_far("pg_basebackup: error: could not connect"), None);
    }
}
