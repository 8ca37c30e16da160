//! The ordinary life of a private PostgreSQL.

#[expect(dead_code, reason = "each test program uses a part of it")]
mod support;

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use embedded::{Address, Cluster, EmbeddedError, ServerBinaries, running};
use nix::unistd::geteuid;
use support::{Scratch, ask, connect, options, runs, tell, until};

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).expect("a file").mode() & 0o7777
}

#[tokio::test]
async fn a_new_cluster_is_ready_within_15_seconds_and_a_later_start_within_3() {
    let scratch = Scratch::new();
    let began = Instant::now();
    let cluster = Cluster::start(scratch.options()).await.expect("a first start");
    let first = began.elapsed();
    tell(cluster.login(), "CREATE TABLE rooms (number text); INSERT INTO rooms VALUES ('101')").await;
    cluster.stop().await.expect("a stop");

    let began = Instant::now();
    let cluster = Cluster::start(scratch.options()).await.expect("a later start");
    let later = began.elapsed();
    assert_eq!(ask(cluster.login(), "SELECT number FROM rooms").await, "101");
    cluster.stop().await.expect("a stop");

    println!("first start {first:?}, later start {later:?}");
    assert!(first < Duration::from_secs(15), "the first start took {first:?}");
    assert!(later < Duration::from_secs(3), "the later start took {later:?}");
}

#[tokio::test]
async fn nobody_else_may_read_the_folder_or_the_passwords() {
    let scratch = Scratch::new();
    let cluster = Cluster::start(scratch.options()).await.expect("a start");
    for file in ["postgres.password", "melmastoon.password", "address", "data/postgresql.conf", "data/pg_hba.conf"] {
        assert_eq!(mode(&scratch.postgres().join(file)), 0o600, "{file}");
    }
    for folder in ["", "data", "run", "log"] {
        assert_eq!(mode(&scratch.postgres().join(folder)), 0o700, "{folder}");
    }
    let wrong = cluster.login().as_user("melmastoon", "guessed");
    let refusal = connect(&wrong).await.expect_err("a wrong password");
    assert_eq!(refusal.code(), Some(&tokio_postgres::error::SqlState::INVALID_PASSWORD));
    let nobody = cluster.superuser().as_user("postgres", "");
    connect(&nobody).await.expect_err("the superuser without a password");
    cluster.stop().await.expect("a stop");
}

#[tokio::test]
async fn the_products_login_owns_its_database_and_is_no_superuser() {
    let scratch = Scratch::new();
    let cluster = Cluster::start(scratch.options()).await.expect("a start");
    let login = cluster.login();
    let powers = "SELECT concat_ws(' ', rolsuper, rolbypassrls, rolcreatedb, rolreplication, rolcreaterole)
                  FROM pg_roles WHERE rolname = current_user";
    assert_eq!(ask(login, powers).await, "f f f f t");
    tell(
        login,
        "CREATE ROLE application; GRANT application TO melmastoon; CREATE SCHEMA housekeeping; SET ROLE application",
    )
    .await;
    assert_eq!(ask(login, "SHOW timezone").await, "UTC");
    assert_eq!(ask(login, "SHOW fsync").await, "on");
    assert_eq!(ask(login, "SHOW server_encoding").await, "UTF8");
    cluster.stop().await.expect("a stop");
}

#[tokio::test]
async fn a_running_cluster_is_found_by_its_folder_and_a_second_start_is_refused() {
    let scratch = Scratch::new();
    let cluster = Cluster::start(scratch.options()).await.expect("a start");
    let login = running(&scratch.0).await.expect("the running cluster");
    assert_eq!(login.url(), cluster.login().url());

    let refusal = Cluster::start(scratch.options()).await.expect_err("a second start");
    let said = refusal.to_string();
    assert!(matches!(refusal, EmbeddedError::InUse { .. }), "{said}");
    assert!(said.contains(&format!("process {}", std::process::id())), "{said}");

    let postmaster = cluster.postmaster_pid();
    let began = Instant::now();
    cluster.stop().await.expect("a stop");
    assert!(began.elapsed() < Duration::from_secs(10), "stopping took {:?}", began.elapsed());
    assert!(!runs(postmaster), "the postmaster is gone when the stop is over");
    assert!(matches!(running(&scratch.0).await, Err(EmbeddedError::NotRunning(_))));
}

#[tokio::test]
async fn a_cluster_that_is_dropped_stops() {
    let scratch = Scratch::new();
    let cluster = Cluster::start(scratch.options()).await.expect("a start");
    let postmaster = cluster.postmaster_pid();
    drop(cluster);
    until("the postmaster ends", async || !runs(postmaster)).await;
    // The lock goes with the server, not before it.
    until("the folder is free again", async || Cluster::start(scratch.options()).await.is_ok()).await;
}

#[tokio::test]
async fn a_long_path_is_served_over_the_loopback_address() {
    let scratch = Scratch::new();
    let data_dir = scratch.0.join("a-rather-long-name-for-a-folder/".repeat(4));
    let cluster = Cluster::start(options(&data_dir)).await.expect("a start");
    assert!(matches!(cluster.login().address(), Address::Loopback(_)), "{:?}", cluster.login());
    assert_eq!(ask(cluster.login(), "SELECT host(inet_server_addr())").await, "127.0.0.1");
    cluster.stop().await.expect("a stop");
}

#[tokio::test]
async fn as_root_the_server_is_an_unprivileged_user_who_need_not_reach_the_folder_by_its_path() {
    if !geteuid().is_root() {
        eprintln!("SKIPPED: only root gives its server processes to somebody else");
        return;
    }
    let scratch = Scratch::new();
    let closed = scratch.0.join("closed");
    std::fs::create_dir(&closed).expect("a folder");
    std::fs::set_permissions(&closed, std::os::unix::fs::PermissionsExt::from_mode(0o700)).expect("closed to others");
    for data_dir in [scratch.0.join("open"), closed.join("data")] {
        std::fs::create_dir(&data_dir).expect("an empty folder of root");
        let cluster = Cluster::start(options(&data_dir)).await.expect("a start as root");
        assert_eq!(ask(cluster.login(), "SELECT 'fine'").await, "fine");
        let owner = std::fs::metadata(data_dir.join("postgres/data")).expect("the cluster").uid();
        assert_ne!(owner, 0);
        let status = std::fs::read_to_string(format!("/proc/{}/status", cluster.postmaster_pid())).expect("its status");
        let line = |name: &str| {
            status.lines().find_map(|line| line.strip_prefix(name)).expect(name).split_whitespace().collect::<Vec<_>>()
        };
        assert_eq!(line("Uid:"), [owner.to_string().as_str(); 4]);
        assert_eq!(line("Groups:"), [""; 0], "root's groups are dropped");
        tell(cluster.superuser(), "CREATE TABLE environment (line text); COPY environment FROM PROGRAM 'env'").await;
        let question =
            "SELECT count(*) || ' of ' || count(*) FILTER (WHERE line ~ '^(CARGO|RUST|HOME)') FROM environment";
        let told = ask(cluster.superuser(), question).await;
        assert!(told.ends_with(" of 0") && told != "0 of 0", "our environment is not the server's: {told}");
        cluster.stop().await.expect("a stop");
    }
}

#[tokio::test]
async fn what_is_no_cluster_is_left_alone() {
    let scratch = Scratch::new();
    let precious = scratch.postgres().join("data/precious.txt");
    std::fs::create_dir_all(precious.parent().expect("a folder")).expect("a folder");
    std::fs::write(&precious, "not ours").expect("a file");
    let refusal = Cluster::start(scratch.options()).await.expect_err("a foreign folder");
    assert!(matches!(refusal, EmbeddedError::NotACluster(_)), "{refusal}");
    assert_eq!(std::fs::read_to_string(precious).expect("still there"), "not ours");
}

#[tokio::test]
async fn a_cluster_of_another_version_and_a_lost_password_are_named() {
    let scratch = Scratch::new();
    let cluster = Cluster::start(scratch.options()).await.expect("a start");
    let found = cluster.binaries().major();
    cluster.stop().await.expect("a stop");

    std::fs::write(scratch.postgres().join("data/PG_VERSION"), "14\n").expect("another version");
    let refusal = Cluster::start(scratch.options()).await.expect_err("another version").to_string();
    assert!(refusal.contains("PostgreSQL 14") && refusal.contains(&format!("found is {found}")), "{refusal}");
    std::fs::write(scratch.postgres().join("data/PG_VERSION"), format!("{found}\n")).expect("our version");

    std::fs::remove_file(scratch.postgres().join("postgres.password")).expect("a lost file");
    let refusal = Cluster::start(scratch.options()).await.expect_err("a lost password");
    assert!(matches!(refusal, EmbeddedError::PasswordLost(_)), "{refusal}");
}

#[tokio::test]
async fn a_server_that_cannot_start_tells_why() {
    let scratch = Scratch::new();
    let cluster = Cluster::start(scratch.options()).await.expect("a start");
    cluster.stop().await.expect("a stop");
    std::fs::write(scratch.postgres().join("data/local.conf"), "shared_buffers = 'a lot'\n").expect("a bad setting");
    let refusal = Cluster::start(scratch.options()).await.expect_err("a bad setting");
    assert!(matches!(refusal, EmbeddedError::StoppedEarly { .. }), "{refusal}");
    assert!(refusal.to_string().contains("shared_buffers"), "{refusal}");
}

#[test]
fn a_named_folder_without_a_server_is_refused_by_name() {
    let scratch = Scratch::new();
    let mut search = scratch.options().search;
    search.named = Some(scratch.0.clone());
    let refusal = ServerBinaries::find(&search, None).expect_err("an empty folder").to_string();
    assert!(refusal.contains("MELMASTOON_PG_BIN") && refusal.contains(&*scratch.0.to_string_lossy()), "{refusal}");
}
