//! Where the files lie: a folder of this machine or a bucket.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::local::LocalFileSystem;
use object_store::path::Path as Name;
use object_store::{ObjectStore, ObjectStoreExt as _, WriteMultipart};
use ring::digest::{Context, SHA256};

use crate::error::{ArchiveError, file};
use crate::parquet_file::hex;

/// So much of a file is in memory while it is put away.
const PIECE: usize = 8 * 1024 * 1024;

/// See the module.
#[derive(Clone, Debug)]
pub struct Store {
    objects: Arc<dyn ObjectStore>,
    below: Name,
}

fn whole_folder(url: &str) -> ArchiveError {
    ArchiveError::Address {
        url: url.to_owned(),
        reason: "a folder is named whole, like file:///srv/archive".to_owned(),
    }
}

impl Store {
    /// Whether the address is one, and this binary can go there. Nothing is made or asked.
    pub fn check(url: &str) -> Result<(), ArchiveError> {
        match url.strip_prefix("file://") {
            Some(folder) if folder.starts_with('/') => Ok(()),
            Some(_) => Err(whole_folder(url)),
            None => Self::bucket(url).map(drop),
        }
    }

    /// Puts a file there and takes it away again.
    pub async fn try_out(&self) -> Result<(), ArchiveError> {
        let name = self.name("melmastoon-doctor");
        self.objects.put(&name, Bytes::from_static(b"ok").into()).await?;
        self.objects.delete(&name).await?;
        Ok(())
    }

    /// `file:///folder`, `s3://bucket/below`, `gs://bucket/below`. A folder is made if it is not there.
    pub fn open(url: &str) -> Result<Self, ArchiveError> {
        if let Some(folder) = url.strip_prefix("file://") {
            if !folder.starts_with('/') {
                return Err(whole_folder(url));
            }
            let folder = PathBuf::from(folder);
            crate::own_folder::make(&folder).map_err(file(folder.display().to_string()))?;
            // On the disk before it is called put away: the rows are gone soon after.
            let objects = LocalFileSystem::new_with_prefix(&folder)?.with_fsync(true);
            return Ok(Self { objects: Arc::new(objects), below: Name::default() });
        }
        Self::bucket(url)
    }

    #[cfg(feature = "cloud")]
    fn bucket(url: &str) -> Result<Self, ArchiveError> {
        use object_store::aws::AmazonS3Builder;
        use object_store::gcp::GoogleCloudStorageBuilder;

        let below = |rest: &str| Name::from(rest.split_once('/').map_or("", |(_, below)| below));
        // Keys and regions come from the environment, as each cloud has it.
        if let Some(rest) = url.strip_prefix("s3://") {
            let objects = AmazonS3Builder::from_env().with_url(url).build()?;
            return Ok(Self { objects: Arc::new(objects), below: below(rest) });
        }
        if let Some(rest) = url.strip_prefix("gs://") {
            let objects = GoogleCloudStorageBuilder::from_env().with_url(url).build()?;
            return Ok(Self { objects: Arc::new(objects), below: below(rest) });
        }
        let reason = "file:///folder, s3://bucket/folder or gs://bucket/folder is needed".to_owned();
        Err(ArchiveError::Address { url: url.to_owned(), reason })
    }

    #[cfg(not(feature = "cloud"))]
    fn bucket(url: &str) -> Result<Self, ArchiveError> {
        let reason = if url.starts_with("s3://") || url.starts_with("gs://") {
            "this binary was built without buckets: build it with `--features archive-cloud`"
        } else {
            "file:///folder, s3://bucket/folder or gs://bucket/folder is needed"
        };
        Err(ArchiveError::Address { url: url.to_owned(), reason: reason.to_owned() })
    }

    fn name(&self, path: &str) -> Name {
        path.split('/').filter(|part| !part.is_empty()).fold(self.below.clone(), Name::join)
    }

    /// Puts a local file away, whole or not at all. Returns its size and checksum.
    pub(crate) async fn put_file(&self, local: &Path, path: &str) -> Result<(u64, String), ArchiveError> {
        let what = local.display().to_string();
        let mut source = std::fs::File::open(local).map_err(file(&what))?;
        let mut upload =
            WriteMultipart::new_with_chunk_size(self.objects.put_multipart(&self.name(path)).await?, PIECE);
        let (mut sum, mut bytes, mut piece) = (Context::new(&SHA256), 0_u64, vec![0; 256 * 1024]);
        loop {
            let read = match source.read(&mut piece) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) => {
                    let _ = upload.abort().await;
                    return Err(file(what)(error));
                }
            };
            sum.update(&piece[..read]);
            bytes += read as u64;
            upload.wait_for_capacity(2).await?;
            upload.write(&piece[..read]);
        }
        upload.finish().await?;
        Ok((bytes, hex(sum)))
    }

    pub(crate) async fn put(&self, content: Vec<u8>, path: &str) -> Result<(), ArchiveError> {
        self.objects.put(&self.name(path), content.into()).await?;
        Ok(())
    }

    /// A small file, whole.
    pub(crate) async fn read(&self, path: &str) -> Result<Vec<u8>, ArchiveError> {
        Ok(self.objects.get(&self.name(path)).await?.bytes().await?.to_vec())
    }

    /// Fetches a file into a local one. Returns its checksum.
    pub(crate) async fn fetch(&self, path: &str, local: &Path) -> Result<String, ArchiveError> {
        use std::io::Write as _;

        let what = local.display().to_string();
        let mut target = std::fs::File::create(local).map_err(file(&what))?;
        let mut pieces = self.objects.get(&self.name(path)).await?.into_stream();
        let mut sum = Context::new(&SHA256);
        while let Some(piece) = pieces.next().await {
            let piece: Bytes = piece?;
            sum.update(&piece);
            target.write_all(&piece).map_err(file(&what))?;
        }
        Ok(hex(sum))
    }

    /// Whether there is something under this name.
    pub(crate) async fn has(&self, path: &str) -> Result<bool, ArchiveError> {
        match self.objects.head(&self.name(path)).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Every name in the archive, for tests and for those who look for strays.
    pub async fn names(&self) -> Result<Vec<String>, ArchiveError> {
        let found: Vec<_> = self.objects.list(Some(&self.below)).try_collect().await?;
        let mut names: Vec<String> = found.into_iter().map(|object| object.location.to_string()).collect();
        names.sort();
        Ok(names)
    }
}

/// Against a server that speaks S3: `make s3` starts one and names it. Without one nothing is checked, and that is said.
#[cfg(all(test, feature = "cloud"))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_bucket_keeps_files_whole_and_gives_them_back() {
        #[expect(clippy::disallowed_methods, reason = "where the bucket is comes from whoever runs this test")]
        let Ok(url) = std::env::var("MELMASTOON_TEST_BUCKET") else {
            eprintln!("NOT CHECKED: a bucket, since MELMASTOON_TEST_BUCKET is not set: make s3");
            return;
        };
        let store = Store::open(&format!("{url}/below")).expect("a store");
        let folder = std::env::temp_dir().join(format!("melmastoon-bucket-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let (sent, back) = (folder.join("sent"), folder.join("back"));
        // Larger than two pieces: it goes in several parts.
        let content: Vec<u8> = (0..20_000_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        std::fs::write(&sent, &content).expect("a file");
        let path = "tenant=tnt_A/month=2025-03/housekeeping.housekeeping_tasks.1.parquet";
        let (bytes, sha256) = store.put_file(&sent, path).await.expect("put away");
        assert_eq!(bytes, content.len() as u64);
        store.put(b"{}".to_vec(), &format!("{path}.json")).await.expect("its manifest");
        assert!(store.has(path).await.expect("a look") && !store.has("tenant=tnt_B").await.expect("a look"));
        assert_eq!(store.fetch(path, &back).await.expect("fetched"), sha256);
        assert!(std::fs::read(&back).expect("a file") == content, "every byte");
        let names = store.names().await.expect("names");
        assert_eq!(names, [format!("below/{path}"), format!("below/{path}.json")]);
        let missing = store.fetch("tenant=tnt_B", &back).await;
        assert!(matches!(missing, Err(ArchiveError::Store(object_store::Error::NotFound { .. }))), "{missing:?}");
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
