//! `melmastoon backup` and `restore`: a copy of a whole hotel on one machine, and a hotel from such a copy.
//!
//! A backup is a folder: `cluster` is PostgreSQL's own base backup, `passwords` and `files` are what lies beside the cluster (the
//! signing key among them), and `backup.json` names them with their checksums. It gets its name when it is whole. Nothing is
//! restored before every checksum was compared, and nothing over a hotel that is there.

use std::collections::BTreeMap;
use std::fs::{DirBuilder, File};
use std::io::Read as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use clap::Args;
use contracts::time::Timestamp;
use embedded::{BinarySearch, CLUSTER, Cluster, Options, ServerBinaries};
use serde::{Deserialize, Serialize};

use super::restored_copy::{NotRestored, archived_files, look_over, move_the_log_ahead, pause_webhooks};
use crate::config::Config;
use crate::progress::Bar;
use crate::saying::say;
use crate::{Failure, instance};

const FORMAT: u32 = 1;
const DESCRIPTION: &str = "backup.json";
const POSTGRES_MANIFEST: &str = "backup_manifest";
const FILES: &str = "files";
/// Says which process runs the cluster: of no use elsewhere.
const LOCK: &str = "postgres.lock";

#[derive(Args, Debug)]
pub struct BackupArgs {
    /// The folder to make; it must not be there yet
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// For scripts
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct RestoreArgs {
    /// A folder that `melmastoon backup` made
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Compare every checksum, and restore nothing
    #[arg(long)]
    pub check: bool,
    /// The copy takes the hotel's place: integrators are called as before, and are not paused
    #[arg(long)]
    pub call_webhooks: bool,
    /// For scripts
    #[arg(long)]
    pub json: bool,
}

/// What a backup says of itself.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct Description {
    format: u32,
    made_at: Timestamp,
    melmastoon: String,
    postgresql: String,
    bytes: u64,
    /// Where old months were: they are not in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    archive: Option<String>,
    /// Everything that PostgreSQL's own manifest does not name, and that manifest.
    sha256: BTreeMap<String, String>,
}

/// What we read of PostgreSQL's manifest.
#[derive(Debug, Deserialize)]
struct PostgresManifest {
    #[serde(rename = "Files")]
    files: Vec<CopiedFile>,
}

#[derive(Debug, Deserialize)]
struct CopiedFile {
    #[serde(rename = "Path")]
    path: String,
    #[serde(rename = "Size")]
    size: u64,
    #[serde(rename = "Checksum")]
    checksum: String,
}

pub async fn backup(config: &Config, args: &BackupArgs) -> Result<(), Failure> {
    only_embedded(config, "backup")?;
    let folder = std::path::absolute(&args.folder)?;
    if folder.exists() {
        return Err(Failure::Usage(format!("{} is there already: name a folder to be made", folder.display())));
    }
    let part = folder.with_added_extension("part");
    let _ = std::fs::remove_dir_all(&part);
    let bar = Bar::new(args.json);
    let made = copy(config, &part, &bar).await;
    bar.end();
    let made = match made {
        Ok(made) => made,
        Err(failure) => {
            let _ = std::fs::remove_dir_all(&part);
            return Err(failure);
        }
    };
    std::fs::rename(&part, &folder).map_err(|error| at(&folder, &error))?;
    if let Some(above) = folder.parent() {
        File::open(above).and_then(|opened| opened.sync_all()).map_err(|error| at(above, &error))?;
    }
    if args.json {
        say!(
            "{}",
            serde_json::json!({
                "folder": folder, "madeAt": made.made_at, "bytes": made.bytes,
                "archiveNotCopied": config.archive.as_ref().map(|place| &place.url),
            })
        );
    } else {
        say!("{}: {} MiB, whole as of {}", folder.display(), made.bytes >> 20, made.made_at);
        say!("It holds every secret of the hotel, its signing key too: keep it as you keep those.");
        if let Some(place) = &config.archive {
            say!(
                "The archive at {} is NOT in it, and is the only copy of the months that left: copy it too; its files never change.",
                place.url
            );
        }
    }
    Ok(())
}

async fn copy(config: &Config, part: &Path, bar: &Bar) -> Result<Description, Failure> {
    DirBuilder::new().mode(0o700).create(part).map_err(|error| at(part, &error))?;
    let search = instance::search(config);
    let mut come_to = |done, of| bar.show("the database", done, of, "KiB copied");
    embedded::copy_running(&config.data_dir, &search, part, &mut come_to).await?;
    let files = part.join(FILES);
    DirBuilder::new().mode(0o700).create(&files).map_err(|error| at(&files, &error))?;
    for (name, path) in files_beside_the_cluster(&config.data_dir)? {
        embedded::copy_private_file(&path, &files.join(name))?;
    }
    let mut sha256 = BTreeMap::new();
    for inside in ["passwords", FILES] {
        for (name, path) in plain_files(&part.join(inside))? {
            sha256.insert(format!("{inside}/{name}"), checksum(&path)?);
        }
    }
    let manifest = format!("{CLUSTER}/{POSTGRES_MANIFEST}");
    sha256.insert(manifest.clone(), checksum(&part.join(&manifest))?);
    let description = Description {
        format: FORMAT,
        made_at: platform::Clock::system().now(),
        melmastoon: env!("CARGO_PKG_VERSION").to_owned(),
        postgresql: version_of(&search, &part.join(CLUSTER))?,
        bytes: read_manifest(part)?.files.iter().map(|file| file.size).sum(),
        archive: config.archive.as_ref().map(|place| place.url.clone()),
        sha256,
    };
    let file = part.join(DESCRIPTION);
    let text = serde_json::to_vec_pretty(&description).map_err(|error| Failure::Failed(error.to_string()))?;
    std::fs::write(&file, text).and_then(|()| File::open(&file)?.sync_all()).map_err(|error| at(&file, &error))?;
    Ok(description)
}

pub async fn restore(config: &Config, args: &RestoreArgs) -> Result<(), Failure> {
    only_embedded(config, "restore")?;
    let bar = Bar::new(args.json);
    let description = compared(&args.folder, &bar);
    bar.end();
    let description = description?;
    if args.check {
        told(args, &format!("{}: every checksum fits", args.folder.display()), &description, None);
        return Ok(());
    }
    let mut options = Options::new(&config.data_dir);
    options.search = instance::search(config);
    for (name, path) in plain_files(&args.folder.join(FILES))? {
        let target = config.data_dir.join(&name);
        if target.exists() && checksum(&target)? != checksum(&path)? {
            return Err(Failure::Failed(format!(
                "{} is there and is another one than the backup's: restore into an empty data folder (`--data-dir`)",
                target.display()
            )));
        }
    }
    let mut come_to = |done: u64| bar.show("the database", done >> 10, description.bytes >> 10, "KiB restored");
    let settled = embedded::settle_copy(&args.folder, &options, &mut come_to);
    bar.end();
    settled?;
    for (name, path) in plain_files(&args.folder.join(FILES))? {
        let target = config.data_dir.join(name);
        if !target.exists() {
            embedded::copy_private_file(&path, &target)?;
        }
    }
    // Started once, so that whoever restored knows now, and not in the morning, that it works.
    let cluster = Cluster::start(options).await?;
    let looked = look_over(&cluster).await;
    let moved = move_the_log_ahead(&cluster).await;
    let paused = if args.call_webhooks { Ok(0) } else { pause_webhooks(&cluster, &description.made_at).await };
    let in_archive = archived_files(&cluster).await;
    cluster.stop().await?;
    let pending = looked?;
    moved?;
    let silent = match paused? {
        0 => String::new(),
        count => format!(
            "; {count} webhook endpoints are paused: `melmastoon webhooks list`, and `webhooks resume` where this copy takes the hotel's place"
        ),
    };
    let folder = config.data_dir.display();
    let more = match pending {
        0 => String::new(),
        pending => format!(" and applies {pending} migrations of this release"),
    };
    let made_at = &description.made_at;
    let said =
        format!("{folder}: the hotel as of {made_at}; `melmastoon up --data-dir {folder}` opens it{more}{silent}");
    let missing = match in_archive? {
        0 => None,
        files => Some(NotRestored { files, was_at: description.archive.clone() }),
    };
    told(args, &said, &description, missing.as_ref());
    if let (false, Some(missing)) = (args.json, &missing) {
        say!("{}", missing.said(config.archive.as_ref().map(|place| place.url.as_str())));
    }
    Ok(())
}

fn told(args: &RestoreArgs, said: &str, description: &Description, elsewhere: Option<&NotRestored>) {
    if args.json {
        let restored = !args.check;
        let mut answer =
            serde_json::json!({ "restored": restored, "madeAt": description.made_at, "bytes": description.bytes });
        if let Some(elsewhere) = elsewhere {
            answer["archiveNotRestored"] = serde_json::json!(elsewhere);
        }
        say!("{answer}");
    } else {
        say!("{said}");
    }
}

/// What the backup says of itself, once every file has been found to be the one it speaks of.
fn compared(folder: &Path, bar: &Bar) -> Result<Description, Failure> {
    let file = folder.join(DESCRIPTION);
    let text = std::fs::read(&file).map_err(|error| {
        Failure::Failed(format!("{}: {error}; is this a folder that `melmastoon backup` made?", file.display()))
    })?;
    let description: Description =
        serde_json::from_slice(&text).map_err(|error| Failure::Failed(format!("{}: {error}", file.display())))?;
    if description.format != FORMAT {
        let format = description.format;
        return Err(Failure::Failed(format!("{}: format {format}, and this release reads {FORMAT}", file.display())));
    }
    let mut wrong = Vec::new();
    for (name, expected) in &description.sha256 {
        let path = inside(folder, name)?;
        if checksum(&path).ok().as_ref() != Some(expected) {
            wrong.push(name.clone());
        }
    }
    if wrong.is_empty() {
        let cluster = folder.join(CLUSTER);
        let mut read = 0;
        for copied in read_manifest(folder)?.files {
            read += copied.size;
            bar.show("the backup", read >> 10, description.bytes >> 10, "KiB compared");
            let path = inside(&cluster, &copied.path)?;
            let fits = std::fs::metadata(&path).is_ok_and(|found| found.len() == copied.size)
                && checksum(&path).is_ok_and(|found| found == copied.checksum);
            if !fits {
                wrong.push(format!("{CLUSTER}/{}", copied.path));
            }
        }
    }
    match wrong.len() {
        0 => Ok(description),
        count => Err(Failure::Failed(format!(
            "{}: {count} files are not those that were backed up: {}{}; nothing was restored",
            folder.display(),
            wrong[..count.min(5)].join(", "),
            if count > 5 { ", …" } else { "" },
        ))),
    }
}

/// A name from a manifest leads nowhere but into its folder.
fn inside(folder: &Path, name: &str) -> Result<PathBuf, Failure> {
    let path = Path::new(name);
    if path.components().all(|part| matches!(part, std::path::Component::Normal(_))) {
        return Ok(folder.join(path));
    }
    Err(Failure::Failed(format!("{}: the manifest names `{name}`, which leads out of it", folder.display())))
}

fn read_manifest(folder: &Path) -> Result<PostgresManifest, Failure> {
    let file = folder.join(CLUSTER).join(POSTGRES_MANIFEST);
    let text = std::fs::read(&file).map_err(|error| at(&file, &error))?;
    serde_json::from_slice(&text).map_err(|error| Failure::Failed(format!("{}: {error}", file.display())))
}

fn version_of(search: &BinarySearch, cluster: &Path) -> Result<String, Failure> {
    let major = std::fs::read_to_string(cluster.join("PG_VERSION")).map_err(|error| at(cluster, &error))?;
    Ok(ServerBinaries::find(search, major.trim().parse().ok())?.version().to_owned())
}

/// The signing key and its like: whatever file lies in the data folder itself.
fn files_beside_the_cluster(data_dir: &Path) -> Result<Vec<(String, PathBuf)>, Failure> {
    Ok(plain_files(data_dir)?.into_iter().filter(|(name, _)| name != LOCK).collect())
}

fn plain_files(folder: &Path) -> Result<Vec<(String, PathBuf)>, Failure> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| at(folder, &error))? {
        let entry = entry.map_err(|error| at(folder, &error))?;
        if entry.file_type().is_ok_and(|kind| kind.is_file()) {
            found.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
        }
    }
    found.sort();
    Ok(found)
}

/// Read piece by piece, however large it is.
fn checksum(path: &Path) -> Result<String, Failure> {
    use std::fmt::Write as _;

    let mut file = File::open(path).map_err(|error| at(path, &error))?;
    let mut digest = ring::digest::Context::new(&ring::digest::SHA256);
    let mut piece = vec![0; 64 * 1024];
    loop {
        match file.read(&mut piece).map_err(|error| at(path, &error))? {
            0 => break,
            read => digest.update(&piece[..read]),
        }
    }
    Ok(digest.finish().as_ref().iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

fn only_embedded(config: &Config, command: &str) -> Result<(), Failure> {
    match config.database_url {
        None => Ok(()),
        Some(_) => Err(Failure::Usage(format!(
            "DATABASE_URL is set, and `{command}` is for the embedded PostgreSQL: your own server is backed up with its own \
             means (docs/operations.md says how)"
        ))),
    }
}

fn at(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Failed(format!("{}: {error}", path.display()))
}
