//! `melmastoon config`: what is in force, secrets masked.

use crate::Failure;
use crate::config::Config;
use crate::saying::say;

pub fn show(config: &Config, json: bool) -> Result<(), Failure> {
    let failed = |error: String| Failure::Failed(error);
    if json {
        say!("{}", serde_json::to_string_pretty(config).map_err(|error| failed(error.to_string()))?);
    } else {
        say!("{}", toml::to_string(config).map_err(|error| failed(error.to_string()))?.trim_end());
    }
    Ok(())
}
