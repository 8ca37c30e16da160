//! `melmastoon config`: what is in force, secrets masked.

use crate::Failure;
use crate::config::Config;

pub fn show(config: &Config, json: bool) -> Result<(), Failure> {
    let failed = |error: String| Failure::Failed(error);
    if json {
        println!("{}", serde_json::to_string_pretty(config).map_err(|error| failed(error.to_string()))?);
    } else {
        print!("{}", toml::to_string(config).map_err(|error| failed(error.to_string()))?);
    }
    Ok(())
}
