//! Secrets in files of their own: made on the first start, kept where only their owner can read them.

use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// What is in this file, made if there is none yet.
pub(super) fn load_or_make(file: &Path, fresh: impl Fn() -> Result<Vec<u8>, String>) -> Result<Vec<u8>, String> {
    match std::fs::read(file) {
        Ok(bytes) => {
            let mode = std::fs::metadata(file).map_or(0, |meta| meta.permissions().mode() & 0o077);
            if mode != 0 {
                return Err(format!("{} can be read by others; run: chmod 600 {0}", file.display()));
            }
            Ok(bytes)
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            make(file, &fresh()?).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
            load_or_make(file, fresh)
        }
        Err(error) => Err(format!("cannot read {}: {error}", file.display())),
    }
}

/// Written beside and linked, so that a crash leaves no half secret; of several processes that start together one wins.
fn make(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let beside = file.with_extension(format!("new-{}", std::process::id()));
    let mut out = std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    out.write_all(bytes).and_then(|()| out.sync_all())?;
    let linked = std::fs::hard_link(&beside, file);
    std::fs::remove_file(&beside)?;
    match linked {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}
