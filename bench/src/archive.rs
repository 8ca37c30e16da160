//! A month of tasks into the archive: against `COPY … TO` CSV through gzip on one core, how much memory it takes, and what people
//! who work notice of it when it goes slowly.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;
use tokio_postgres::Client;

use crate::Outcome;
use crate::hotel::RESULTS;
use crate::report::{Comparison, Figure};
use crate::stage::Stage;

const DATABASE: &str = "archive_month";
/// Old enough to go.
const MONTHS_AGO: i32 = 20;

/// A folder that PostgreSQL, which is another user where we are root, can write to as well.
struct Folder(PathBuf);

impl Folder {
    fn make() -> Outcome<Self> {
        let path = std::env::temp_dir().join(format!("melmastoon-bench-archive-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o777))?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What one run of the archive took.
struct Archived {
    time: Duration,
    /// The most memory that its process had, in bytes.
    memory: u64,
    bytes: u64,
}

/// Ours against the pipe, in rows a second, month by month; memory with a small month and with a large one; and how large all of it is.
#[expect(clippy::cast_precision_loss, reason = "rows and bytes are far below 2^52")]
pub(crate) async fn measure(stage: &Stage, rows: i64, rounds: usize) -> Outcome<(Comparison, Vec<Figure>)> {
    let folder = Folder::make()?;
    stage.make_database(DATABASE).await?;
    stage.start_product_on(DATABASE, "up").await?.stop().await?;
    let superuser = stage.superuser_on(DATABASE).await?;
    superuser.batch_execute(include_str!("../sql/archive.sql")).await?;
    let small = (rows / 10).max(1);
    eprintln!("… a month of {small} tasks first, to see what memory it takes");
    fill(&superuser, MONTHS_AGO, small).await?;
    let little = ours(stage, &folder.0).await?;
    let (mut all, mut memory, mut bare) = (Vec::new(), 0, Vec::new());
    for round in 1..=rounds {
        // Another month each time: the last one is gone.
        let months_ago = MONTHS_AGO + i32::try_from(round)?;
        let month = fill(&superuser, months_ago, rows).await?;
        let (table, csv) = (size_of(&superuser, &month).await?, pipe(&superuser, &month, &folder.0).await?);
        bare.push(rows as f64 / nowhere(&superuser, &month).await?.as_secs_f64());
        let archived = ours(stage, &folder.0).await?;
        memory = memory.max(archived.memory);
        let left: i64 = superuser.query_one("SELECT count(*) FROM housekeeping.housekeeping_tasks", &[]).await?.get(0);
        if left > 0 {
            return Err(format!("{left} tasks of {month} were not archived").into());
        }
        let (ours, other) = (rows as f64 / archived.time.as_secs_f64(), rows as f64 / csv.0.as_secs_f64());
        crate::rounds::progress("archive a month of tasks, rows", round, ours, other);
        eprintln!("  {:<28} {:>10} {:>10} {:>10}", "sizes in MiB", "table", "Parquet", "CSV.gz");
        eprintln!("  {month:<28} {:>10.1} {:>10.1} {:>10.1}", mebi(table), mebi(archived.bytes), mebi(csv.1));
        all.push([ours, other]);
    }
    let figures = vec![
        Figure {
            name: "the same month by COPY to nowhere, rows a second",
            value: crate::report::median(bare),
            unit: "a second",
            wanted_below: None,
        },
        Figure {
            name: "archive, most memory, a large month",
            value: mebi(memory),
            unit: "MiB",
            wanted_below: Some(200.0),
        },
        Figure {
            name: "archive, most memory, a tenth of it",
            value: mebi(little.memory),
            unit: "MiB",
            wanted_below: None,
        },
    ];
    let name = "archive a month of tasks, rows (limit: CSV | gzip)";
    Ok((Comparison::new(name, "COPY … TO CSV through gzip, both on one core", 5.0, all), figures))
}

#[expect(clippy::cast_precision_loss, reason = "bytes are far below 2^52")]
fn mebi(bytes: u64) -> f64 {
    bytes as f64 / 1_048_576.0
}

/// Makes a month; returns its name, as in `2025_03`.
async fn fill(superuser: &Client, months_ago: i32, rows: i64) -> Outcome<String> {
    let results: serde_json::Value = serde_json::from_str(RESULTS)?;
    let sql = "SELECT to_char(bench.make_old_month($1, $2, $3), 'YYYY_MM')";
    let month: String = superuser.query_one(sql, &[&months_ago, &rows, &results]).await?.get(0);
    superuser.batch_execute("VACUUM (ANALYZE) housekeeping.housekeeping_tasks").await?;
    superuser.batch_execute("CHECKPOINT").await?;
    Ok(month)
}

async fn size_of(superuser: &Client, month: &str) -> Outcome<u64> {
    let sql = format!("SELECT pg_total_relation_size('housekeeping.housekeeping_tasks_{month}')");
    Ok(u64::try_from(superuser.query_one(&sql, &[]).await?.get::<_, i64>(0))?)
}

/// The backend and the gzip that it starts, on one core. Returns the time and the bytes.
async fn pipe(superuser: &Client, month: &str, folder: &Path) -> Outcome<(Duration, u64)> {
    let pid: i32 = superuser.query_one("SELECT pg_backend_pid()", &[]).await?.get(0);
    let mut one = CpuSet::new();
    one.set(0)?;
    sched_setaffinity(Pid::from_raw(pid), &one)?;
    let file = folder.join(format!("{month}.csv.gz"));
    let copy = format!(
        "COPY (SELECT * FROM housekeeping.housekeeping_tasks_{month}) TO PROGRAM 'gzip > {}' (FORMAT csv, HEADER)",
        file.display()
    );
    let begun = Instant::now();
    superuser.batch_execute(&copy).await?;
    let time = begun.elapsed();
    let mut all = CpuSet::new();
    for processor in 0..std::thread::available_parallelism()?.get() {
        all.set(processor)?;
    }
    sched_setaffinity(Pid::from_raw(pid), &all)?;
    Ok((time, std::fs::metadata(&file)?.len()))
}

/// What no archive can be faster than: PostgreSQL reads the month, and nothing is made of it.
async fn nowhere(superuser: &Client, month: &str) -> Outcome<Duration> {
    let copy = format!(
        "COPY (SELECT * FROM housekeeping.housekeeping_tasks_{month}) TO PROGRAM 'cat > /dev/null' (FORMAT binary)"
    );
    let begun = Instant::now();
    superuser.batch_execute(&copy).await?;
    Ok(begun.elapsed())
}

/// `melmastoon archive run --rate 0`, as a process of its own: copied, put away, read back, compared, and gone from the database.
async fn ours(stage: &Stage, folder: &Path) -> Outcome<Archived> {
    let begun = Instant::now();
    let mut child = stage.archive(Some(DATABASE), folder, 0)?;
    let pid = child.id().ok_or("the archive has ended")?;
    let mut memory = 0;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        memory = most_memory(pid).unwrap_or(memory);
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    let time = begun.elapsed();
    let output = child.wait_with_output().await?;
    if !status.success() {
        return Err(format!("melmastoon archive run ended with {status}").into());
    }
    let said: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    Ok(Archived { time, memory, bytes: said["bytes"].as_u64().unwrap_or(0) })
}

fn most_memory(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<u64>().ok()? * 1_024)
}

/// Old tasks in the hotel that people work in, for an archive that takes them at its usual pace until it is killed.
pub(crate) struct Beside {
    folder: Folder,
}

impl Beside {
    pub(crate) async fn prepare(superuser: &Client, rows: i64) -> Outcome<Self> {
        superuser.batch_execute(include_str!("../sql/archive.sql")).await?;
        fill(superuser, MONTHS_AGO, rows).await?;
        Ok(Self { folder: Folder::make()? })
    }

    pub(crate) fn begin(&self, stage: &Stage, rows_a_second: u32) -> Outcome<tokio::process::Child> {
        stage.archive(None, &self.folder.0, rows_a_second)
    }
}
