//! A private PostgreSQL after a crash: ours, its own, or both.

#[expect(dead_code, reason = "each test program uses a part of it")]
mod support;

use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use embedded::Cluster;
use support::{Other, Scratch, ask, connect, kill_dead, options, runs, tell, told, until};

/// Ready again within 15 seconds, whatever happened.
async fn start_again(scratch: &Scratch) -> Cluster {
    let began = Instant::now();
    let cluster = Cluster::start(scratch.options()).await.expect("a start after the crash");
    assert!(began.elapsed() < Duration::from_secs(15), "ready after {:?}", began.elapsed());
    println!("ready again after {:?}", began.elapsed());
    cluster
}

#[tokio::test]
#[ignore = "runs in another process, which is killed"]
async fn other_process_with_a_cluster() {
    let Some(data_dir) = told() else { return };
    let cluster = Cluster::start(options(&PathBuf::from(data_dir))).await.expect("a start");
    tell(cluster.login(), "CREATE TABLE rooms (number text); INSERT INTO rooms VALUES ('101')").await;
    println!("says {}", cluster.postmaster_pid());
    std::future::pending::<()>().await;
}

fn killed_with_a_cluster(scratch: &Scratch) -> i32 {
    let mut other = Other::start("other_process_with_a_cluster", &scratch.0.to_string_lossy());
    let postmaster = other.says().parse().expect("a pid");
    other.kill();
    postmaster
}

#[tokio::test]
async fn an_orphaned_server_is_replaced_and_nothing_committed_is_lost() {
    let scratch = Scratch::new();
    let orphan = killed_with_a_cluster(&scratch);
    assert!(runs(orphan), "the server outlives our process");

    let cluster = start_again(&scratch).await;
    assert!(!runs(orphan));
    assert_eq!(ask(cluster.login(), "SELECT number FROM rooms").await, "101");
    cluster.stop().await.expect("a stop");
}

#[tokio::test]
async fn a_server_that_died_with_us_is_started_again_and_nothing_committed_is_lost() {
    let scratch = Scratch::new();
    let postmaster = killed_with_a_cluster(&scratch);
    kill_dead(postmaster);

    let cluster = start_again(&scratch).await;
    assert_eq!(ask(cluster.login(), "SELECT number FROM rooms").await, "101");
    cluster.stop().await.expect("a stop");
}

#[tokio::test]
async fn a_server_that_dies_is_started_again_at_the_same_address() {
    let scratch = Scratch::new();
    let cluster = Cluster::start(scratch.options()).await.expect("a start");
    tell(cluster.login(), "CREATE TABLE rooms (number text); INSERT INTO rooms VALUES ('101')").await;
    let killed = cluster.postmaster_pid();
    kill_dead(killed);
    until("another postmaster", async || cluster.postmaster_pid() != killed).await;
    until("it answers", async || connect(cluster.login()).await.is_ok()).await;
    assert_eq!(ask(cluster.login(), "SELECT number FROM rooms").await, "101");
    cluster.stop().await.expect("a stop");
}

#[tokio::test]
async fn a_pid_that_is_another_process_by_now_is_no_obstacle() {
    let scratch = Scratch::new();
    let cluster = Cluster::start(scratch.options()).await.expect("a start");
    cluster.stop().await.expect("a stop");

    // PostgreSQL gives way to a live process of its own user.
    let owner = std::fs::metadata(scratch.postgres()).expect("the folder");
    let mut bystander = tokio::process::Command::new("sleep");
    bystander.arg("600").stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    if nix::unistd::geteuid().is_root() {
        bystander.uid(owner.uid()).gid(owner.gid());
    }
    let mut bystander = bystander.spawn().expect("a bystander");
    let data = scratch.postgres().join("data");
    let stale = format!(
        "{}\n{}\n1700000000\n5432\n\n\n  1234567         0\nready\n",
        bystander.id().expect("its pid"),
        data.display()
    );
    std::fs::write(data.join("postmaster.pid"), &stale).expect("a stale pid file");
    std::fs::write(scratch.postgres().join("run/.s.PGSQL.5432.lock"), &stale).expect("a stale socket lock");

    let cluster = start_again(&scratch).await;
    cluster.stop().await.expect("a stop");
    assert!(bystander.try_wait().expect("its state").is_none(), "the bystander is left alone");
}

#[tokio::test]
async fn a_pid_file_of_a_dead_process_is_no_obstacle() {
    let scratch = Scratch::new();
    let cluster = Cluster::start(scratch.options()).await.expect("a start");
    cluster.stop().await.expect("a stop");
    let mut dead = Command::new("true").spawn().expect("a process");
    dead.wait().expect("a dead process");
    let data = scratch.postgres().join("data");
    let stale = format!("{}\n{}\n1700000000\n5432\n\n\n  1234567         0\nready\n", dead.id(), data.display());
    std::fs::write(data.join("postmaster.pid"), stale).expect("a stale pid file");
    start_again(&scratch).await.stop().await.expect("a stop");
}

#[tokio::test]
async fn a_cluster_half_made_is_made_again() {
    let scratch = Scratch::new();
    let other = Other::start("other_process_with_a_cluster", &scratch.0.to_string_lossy());
    let parts = || {
        let entries = std::fs::read_dir(scratch.postgres()).into_iter().flatten().flatten().map(|entry| entry.path());
        entries.filter(|path| path.join("base").exists() && !path.ends_with("data")).count()
    };
    until("initdb is at work", async || parts() == 1).await;
    other.kill();
    assert!(!scratch.postgres().join("data").exists(), "a half-made cluster is not taken for a whole one");

    let cluster = start_again(&scratch).await;
    assert_eq!(parts(), 0);
    assert_eq!(ask(cluster.login(), "SELECT 'fine'").await, "fine");
    cluster.stop().await.expect("a stop");
}
