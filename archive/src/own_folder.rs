//! A folder with rows of all tenants is for nobody else on the machine.

use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;

/// Makes it where it is not there. One that is there stays as somebody made it.
pub(crate) fn make(folder: &Path) -> std::io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}
