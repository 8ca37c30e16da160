//! What the process says of itself: log lines, metrics, trace ids.

use std::io::IsTerminal;

use metrics_exporter_prometheus::PrometheusBuilder;
pub use metrics_exporter_prometheus::PrometheusHandle;
use tracing_subscriber::EnvFilter;

use crate::Ids;

/// Log lines: readable on a terminal, JSON otherwise. `filter` is like `info,platform=debug`.
pub fn start_logging(filter: &str) {
    let filter = EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let terminal = std::io::stderr().is_terminal();
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(terminal);
    // A second start in one process (a test) keeps the first.
    let _ = if terminal { builder.compact().try_init() } else { builder.json().flatten_event(true).try_init() };
}

/// Installs the recorder of metrics; the handle renders them for `/metrics`.
pub fn start_metrics() -> PrometheusHandle {
    let recorder = PrometheusBuilder::new()
        .set_buckets(&[0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0])
        .unwrap_or_else(|_| PrometheusBuilder::new())
        .build_recorder();
    let handle = recorder.handle();
    let _ = metrics::set_global_recorder(recorder);
    handle
}

/// A new trace, where the caller brought none.
pub fn new_traceparent(ids: &Ids) -> String {
    format!("00-{}-{}-01", ids.hex::<16>(), ids.hex::<8>())
}

/// The caller's `traceparent` if it is one.
pub fn valid_traceparent(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let hex = |part: &str, length: usize| part.len() == length && part.bytes().all(|b| b.is_ascii_hexdigit());
    matches!(parts.as_slice(), [version, trace, span, flags]
        if hex(version, 2) && *version != "ff" && hex(trace, 32) && hex(span, 16) && hex(flags, 2) && trace.bytes().any(|b| b != b'0'))
}
