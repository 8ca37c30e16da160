//! Stops the PostgreSQL that the tests of this checkout share; `--remove` also removes its folder.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    if !embedded::testing::stop().await? {
        eprintln!("The test cluster stays: another test run uses it.");
        return Ok(());
    }
    if std::env::args().nth(1).as_deref() == Some("--remove") {
        let folder = embedded::testing::folder();
        if folder.is_dir() {
            std::fs::remove_dir_all(folder)?;
        }
    }
    Ok(())
}
