//! Who runs the server processes: ourselves, or an unprivileged user when we are root.

use std::fs::{File, Metadata};
use std::os::unix::fs::{MetadataExt, fchown};
use std::path::{Path, PathBuf};

use nix::unistd::{User, geteuid};
use tokio::process::Command;

use crate::error::{Doing, EmbeddedError};

/// Who may run PostgreSQL for root, in this order.
const UNPRIVILEGED: [&str; 2] = ["postgres", "nobody"];

/// The user the server processes run as.
#[derive(Debug, Clone)]
pub(crate) struct Account {
    name: String,
    uid: u32,
    gid: u32,
    /// We are root and become this user; otherwise it is ourselves.
    becomes: bool,
}

impl Account {
    /// An existing cluster is run by its owner; a new one by the named user, or by the usual unprivileged ones.
    pub(crate) fn for_cluster(root: &Path, named: Option<&str>) -> Result<Self, EmbeddedError> {
        let us = geteuid();
        let owner = std::fs::symlink_metadata(root).ok();
        if !us.is_root() {
            if let Some(owner) = owner.filter(|owner| owner.uid() != us.as_raw()) {
                return Err(EmbeddedError::SomebodyElses { path: root.into(), owner: owner.uid(), us: us.as_raw() });
            }
            let gid = nix::unistd::getegid().as_raw();
            return Ok(Self { name: us.to_string(), uid: us.as_raw(), gid, becomes: false });
        }
        if let Some(owner) = owner.filter(|owner| owner.uid() != 0) {
            return Ok(Self { name: owner.uid().to_string(), uid: owner.uid(), gid: owner.gid(), becomes: true });
        }
        if let Some(name) = named {
            return Self::named(name)
                .filter(|account| account.uid != 0)
                .ok_or_else(|| EmbeddedError::UnknownAccount(name.into()));
        }
        UNPRIVILEGED.iter().find_map(|name| Self::named(name)).ok_or(EmbeddedError::NoAccount)
    }

    fn named(name: &str) -> Option<Self> {
        let user = User::from_name(name).ok().flatten()?;
        Some(Self { name: user.name, uid: user.uid.as_raw(), gid: user.gid.as_raw(), becomes: true })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Makes the command run as this user. The standard library drops root's supplementary groups with it.
    pub(crate) fn runs(&self, command: &mut Command) {
        if self.becomes {
            command.uid(self.uid).gid(self.gid);
        }
    }

    /// Gives an open file or folder to this user.
    pub(crate) fn owns(&self, file: &File, path: &Path) -> Result<(), EmbeddedError> {
        if self.becomes {
            fchown(file, Some(self.uid), Some(self.gid)).doing("change the owner of", path)
        } else {
            Ok(())
        }
    }

    /// The first folder on the way to `path`, itself included, that this user may not enter.
    pub(crate) fn closed_folder_on_the_way_to(&self, path: &Path) -> Option<PathBuf> {
        if !self.becomes {
            return None;
        }
        let mut way: Vec<&Path> = path.ancestors().collect();
        way.reverse();
        way.into_iter()
            .find(|folder| std::fs::metadata(folder).is_ok_and(|metadata| !self.may_enter(&metadata)))
            .map(Path::to_path_buf)
    }

    fn may_enter(&self, folder: &Metadata) -> bool {
        let needed = if folder.uid() == self.uid {
            0o100
        } else if folder.gid() == self.gid {
            0o010
        } else {
            0o001
        };
        folder.mode() & needed != 0
    }
}
