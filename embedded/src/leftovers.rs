//! What an earlier process left running or lying about in the cluster's folder.
//!
//! A process belongs to the cluster when it works inside the cluster's folder: that stays true when the postmaster is dead,
//! when its pid file is gone, and when its pid was given to some other process since.

use std::path::Path;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::time::{Instant, sleep};

use crate::error::{Doing as _, EmbeddedError};
use crate::folder::Folder;

/// How long a server may take to stop when asked, and when told; a new one must be ready within 15 s all the same.
const ASKED: Duration = Duration::from_secs(5);
const TOLD: Duration = Duration::from_secs(3);
const KILLED: Duration = Duration::from_secs(2);

/// Ends every process of the cluster: politely, then at once, then by force.
pub(crate) async fn end(folder: &Folder) -> Result<(), EmbeddedError> {
    let found = processes_in(folder.root());
    if found.is_empty() {
        return forget_reused_pids(folder);
    }
    tracing::warn!(processes = ?found, folder = %folder.root().display(), "stopping the PostgreSQL an earlier run left behind");
    let postmaster = pid_in(&folder.data().join("postmaster.pid")).filter(|pid| found.contains(pid));
    if let Some(postmaster) = postmaster {
        signal(postmaster, Signal::SIGINT);
        if all_gone(folder, ASKED).await {
            return forget_reused_pids(folder);
        }
    }
    // Without a postmaster nothing they do can be committed any more; what was committed is in the write-ahead log.
    for (how, limit) in [(Signal::SIGQUIT, TOLD), (Signal::SIGKILL, KILLED)] {
        for pid in processes_in(folder.root()) {
            signal(pid, how);
        }
        if all_gone(folder, limit).await {
            return forget_reused_pids(folder);
        }
    }
    match processes_in(folder.root()).first() {
        Some(pid) => Err(EmbeddedError::WillNotEnd(*pid)),
        None => forget_reused_pids(folder),
    }
}

/// Waits until no process of the cluster is left.
pub(crate) async fn all_gone(folder: &Folder, limit: Duration) -> bool {
    let deadline = Instant::now() + limit;
    while !processes_in(folder.root()).is_empty() {
        if Instant::now() >= deadline {
            return false;
        }
        sleep(Duration::from_millis(20)).await;
    }
    true
}

/// PostgreSQL sees for itself that the process in a pid file is dead, but not that it is another one by now.
fn forget_reused_pids(folder: &Folder) -> Result<(), EmbeddedError> {
    let mut pid_files = vec![folder.data().join("postmaster.pid")];
    if let Ok(entries) = std::fs::read_dir(folder.run()) {
        pid_files.extend(
            entries.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|is| is == "lock")),
        );
    }
    for path in pid_files {
        if pid_in(&path).is_some_and(exists) {
            std::fs::remove_file(&path).doing("remove the stale", &path)?;
        }
    }
    Ok(())
}

/// The pid in the first line of a pid file.
pub(crate) fn pid_in(path: &Path) -> Option<i32> {
    std::fs::read_to_string(path).ok()?.lines().next()?.trim().parse().ok().filter(|pid| *pid > 0)
}

/// Whether there is a process with this pid, whoever it belongs to.
pub(crate) fn exists(pid: i32) -> bool {
    !matches!(kill(Pid::from_raw(pid), None), Err(Errno::ESRCH))
}

pub(crate) fn signal(pid: i32, signal: Signal) {
    // A process that ended in the meantime is what we want.
    let _ = kill(Pid::from_raw(pid), signal);
}

/// The processes of PostgreSQL that work inside this folder.
#[cfg(target_os = "linux")]
pub(crate) fn processes_in(root: &Path) -> Vec<i32> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let works_in = std::fs::read_link(entry.path().join("cwd")).ok()?;
            let program = std::fs::read_to_string(entry.path().join("comm")).ok()?;
            (works_in.starts_with(root) && ["postgres", "initdb"].contains(&program.trim())).then_some(pid)
        })
        .collect()
}

/// The postmaster of this folder, as told by its command line; its children go with it.
#[cfg(not(target_os = "linux"))]
pub(crate) fn processes_in(root: &Path) -> Vec<i32> {
    let Some(pid) = pid_in(&root.join("data/postmaster.pid")).filter(|pid| exists(*pid)) else { return Vec::new() };
    let Ok(output) = std::process::Command::new("ps").args(["-o", "args=", "-p", &pid.to_string()]).output() else {
        return Vec::new();
    };
    let runs = String::from_utf8_lossy(&output.stdout);
    if runs.contains(&*root.join("data").to_string_lossy()) { vec![pid] } else { Vec::new() }
}
