//! Calls to other services over HTTP: short, bounded, and off the threads that serve.

use std::time::Duration;

/// The most that is believed to be an answer, and how long it may take in all.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub within: Duration,
    pub bytes: u64,
}

/// The text at an address.
pub async fn get(url: &str, bounds: Bounds) -> Result<String, String> {
    let url = url.to_owned();
    in_time(bounds, move || {
        let answer = client(bounds, 3).get(&url).call();
        answer.and_then(|mut answer| answer.body_mut().with_config().limit(bounds.bytes).read_to_string())
    })
    .await
}

/// The answer to a JSON document. Nobody is followed elsewhere with it.
pub async fn post_json(url: &str, body: Vec<u8>, bounds: Bounds) -> Result<String, String> {
    let url = url.to_owned();
    in_time(bounds, move || {
        let answer = client(bounds, 0).post(&url).content_type("application/json").send(&body[..]);
        answer.and_then(|mut answer| answer.body_mut().with_config().limit(bounds.bytes).read_to_string())
    })
    .await
}

fn client(bounds: Bounds, redirects: u32) -> ureq::Agent {
    ureq::Agent::config_builder().timeout_global(Some(bounds.within)).max_redirects(redirects).build().into()
}

/// The client keeps to its time; should it hang where it cannot look at the clock, we do not hang with it.
async fn in_time(
    bounds: Bounds,
    call: impl FnOnce() -> Result<String, ureq::Error> + Send + 'static,
) -> Result<String, String> {
    match tokio::time::timeout(bounds.within, tokio::task::spawn_blocking(call)).await {
        Ok(Ok(answer)) => answer.map_err(|error| error.to_string()),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("no answer in time".to_owned()),
    }
}
