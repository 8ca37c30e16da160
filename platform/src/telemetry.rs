//! What the process says of itself: log lines, metrics, traces.

use std::io::IsTerminal;

use metrics_exporter_prometheus::PrometheusBuilder;
pub use metrics_exporter_prometheus::PrometheusHandle;
use tracing::Span;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

use crate::Ids;

#[cfg(feature = "otlp")]
mod otlp;

/// Keeps spans going out. Dropped at the end of the process, it sends what is left.
#[derive(Debug, Default)]
#[must_use = "what was traced last is sent when this is dropped"]
pub struct Telemetry {
    #[cfg(feature = "otlp")]
    #[expect(dead_code, reason = "held for its end")]
    traces: Option<otlp::Traces>,
}

/// Log lines: readable on a terminal, JSON otherwise; and traces, where a collector is named. `filter` is like
/// `info,platform=debug`.
pub fn start(filter: &str, collector: Option<&str>) -> Telemetry {
    let filter = EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let terminal = std::io::stderr().is_terminal();
    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(terminal);
    let lines =
        if terminal { lines.compact().boxed() } else { lines.json().flatten_event(true).with_span_list(false).boxed() };
    let subscriber = tracing_subscriber::registry().with(lines.with_filter(filter));
    #[cfg(feature = "otlp")]
    if let Some(collector) = collector {
        match otlp::traces_to(collector) {
            Ok((traces, layer)) => {
                let _ = subscriber.with(layer).try_init();
                return Telemetry { traces: Some(traces) };
            }
            Err(error) => {
                let _ = subscriber.try_init();
                tracing::warn!(error, "no traces: OTEL_EXPORTER_OTLP_ENDPOINT cannot be used");
                return Telemetry::default();
            }
        }
    }
    // A second start in one process (a test) keeps the first.
    let _ = subscriber.try_init();
    #[cfg(not(feature = "otlp"))]
    if collector.is_some() {
        tracing::warn!("OTEL_EXPORTER_OTLP_ENDPOINT is set, and this binary was built without the feature otlp");
    }
    Telemetry::default()
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

/// The trace that a request belongs to: the caller's, or a new one. The span is told, so that what is exported, what
/// events carry and what a problem names are one trace.
pub fn continue_trace(span: &Span, brought: Option<&str>, ids: &Ids) -> String {
    #[cfg(feature = "otlp")]
    if let Some(named) = otlp::continue_trace(span, brought) {
        return named;
    }
    #[cfg(not(feature = "otlp"))]
    let _ = span;
    brought.map_or_else(|| new_traceparent(ids), str::to_owned)
}

/// A new trace, where the caller brought none.
pub fn new_traceparent(ids: &Ids) -> String {
    format!("00-{}-{}-01", ids.hex::<16>(), ids.hex::<8>())
}

/// The caller's `traceparent` if it is one.
pub fn valid_traceparent(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let hex = |part: &str, length: usize| part.len() == length && part.bytes().all(|b| b.is_ascii_hexdigit());
    let is_some = |part: &str| part.bytes().any(|b| b != b'0');
    matches!(parts.as_slice(), [version, trace, span, flags]
        if hex(version, 2) && *version != "ff" && hex(trace, 32) && hex(span, 16) && hex(flags, 2) && is_some(trace) && is_some(span))
}
