//! What an earlier process left running or lying about in the cluster's folder.
//!
//! Every process of a cluster carries the cluster's mark in its title, which everybody may read: that stays true when the
//! postmaster is dead, when its pid file is gone, and when its pid was given to some other process since.

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
    let Some(found) = processes_of(folder) else {
        // Processes cannot be seen here, so none of them may be ruled out: PostgreSQL itself refuses to start twice.
        return Ok(());
    };
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
    let at_once = [(Signal::SIGQUIT, TOLD), (Signal::SIGKILL, KILLED)];
    // An `initdb` has nothing to keep.
    let steps = if folder.data().exists() { &at_once[..] } else { &at_once[1..] };
    for &(how, limit) in steps {
        for pid in processes_of(folder).unwrap_or_default() {
            signal(pid, how);
        }
        if all_gone(folder, limit).await {
            return forget_reused_pids(folder);
        }
    }
    match processes_of(folder).unwrap_or_default().first() {
        Some(pid) => Err(EmbeddedError::WillNotEnd(*pid)),
        None => forget_reused_pids(folder),
    }
}

/// Waits until no process of the cluster is left.
pub(crate) async fn all_gone(folder: &Folder, limit: Duration) -> bool {
    let deadline = Instant::now() + limit;
    while processes_of(folder).is_some_and(|found| !found.is_empty()) {
        if Instant::now() >= deadline {
            return false;
        }
        sleep(Duration::from_millis(20)).await;
    }
    true
}

/// PostgreSQL sees for itself that the process in a pid file is dead, but not that it is another one by now. Only to be
/// called when no process of the cluster is left: the pid file also keeps two servers off one cluster.
fn forget_reused_pids(folder: &Folder) -> Result<(), EmbeddedError> {
    let mut pid_files = vec![folder.data().join("postmaster.pid")];
    if let Ok(entries) = std::fs::read_dir(folder.run()) {
        let paths = entries.flatten().map(|entry| entry.path());
        pid_files.extend(paths.filter(|path| path.extension().is_some_and(|is| is == "lock")));
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

/// The processes of this cluster; none if the machine does not show its processes.
pub(crate) fn processes_of(folder: &Folder) -> Option<Vec<i32>> {
    let Some((mark, owner)) = folder.mark() else { return Some(Vec::new()) };
    let ours = titles()?.filter(|process| {
        // Anybody may give a process such a title, but not such an owner.
        process.owner == owner && process.title.contains(&mark) && IS_SERVER.iter().any(|name| process.program == *name)
    });
    Some(ours.map(|process| process.pid).collect())
}

const IS_SERVER: [&str; 2] = ["postgres", "initdb"];

struct Process {
    pid: i32,
    owner: u32,
    program: String,
    title: String,
}

#[cfg(target_os = "linux")]
fn titles() -> Option<impl Iterator<Item = Process>> {
    use std::os::unix::fs::MetadataExt as _;

    std::fs::metadata("/proc/self/cmdline").ok()?;
    let processes = std::fs::read_dir("/proc").ok()?.flatten().filter_map(|entry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let read = |name: &str| std::fs::read(entry.path().join(name)).ok();
        Some(Process {
            pid,
            owner: entry.metadata().ok()?.uid(),
            program: String::from_utf8_lossy(&read("comm")?).trim().to_owned(),
            // Empty for a process that is dead and waits to be noticed.
            title: String::from_utf8_lossy(&read("cmdline")?).into_owned(),
        })
    });
    Some(processes)
}

#[cfg(not(target_os = "linux"))]
fn titles() -> Option<impl Iterator<Item = Process>> {
    let output = std::process::Command::new("ps").args(["-A", "-o", "pid=,uid=,ucomm=,args="]).output().ok()?;
    let lines: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    let processes = lines.into_iter().filter_map(|line| {
        let mut words = line.split_whitespace();
        let (pid, owner) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        Some(Process { pid, owner, program: words.next()?.to_owned(), title: words.collect::<Vec<_>>().join(" ") })
    });
    Some(processes)
}
