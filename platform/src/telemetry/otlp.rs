//! Spans for a collector that speaks OTLP over HTTP (`OTEL_EXPORTER_OTLP_ENDPOINT`).
//!
//! They go out in batches from a thread of the SDK's own, through the HTTP client that we have anyway. A collector that
//! is away costs spans and never a request.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{Request, Response};
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState, TracerProvider};
use opentelemetry_http::{HttpClient, HttpError};
use opentelemetry_otlp::{SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{SdkTracerProvider, Tracer};
use tracing::{Span, Subscriber};
use tracing_opentelemetry::{OpenTelemetryLayer, OpenTelemetrySpanExt};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::registry::LookupSpan;

/// A batch that takes longer is lost.
const EXPORT_LIMIT: Duration = Duration::from_secs(5);
/// How long the end of the process waits for the last batch.
const FAREWELL: Duration = Duration::from_secs(2);

/// Sends what is left when it is dropped.
#[derive(Debug)]
pub(super) struct Traces(SdkTracerProvider);

impl Drop for Traces {
    fn drop(&mut self) {
        if let Err(error) = self.0.shutdown_with_timeout(FAREWELL) {
            tracing::warn!(%error, "the last traces were not taken");
        }
    }
}

/// A layer that turns spans into traces at the collector's address.
pub(super) fn traces_to<S>(collector: &str) -> Result<(Traces, impl Layer<S>), String>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    let agent = ureq::Agent::config_builder()
        .timeout_global(Some(EXPORT_LIMIT))
        .http_status_as_error(false)
        .max_redirects(0)
        .build();
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(Courier(agent.into()))
        .with_endpoint(format!("{}/v1/traces", collector.trim_end_matches('/')))
        .with_timeout(EXPORT_LIMIT)
        .build()
        .map_err(|error| error.to_string())?;
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_resource(Resource::builder().with_service_name("melmastoon").build())
        .build();
    let layer: OpenTelemetryLayer<S, Tracer> = tracing_opentelemetry::layer()
        .with_tracer(provider.tracer("melmastoon"))
        // Where in the source, and on which thread: nobody looks for that in a trace.
        .with_location(false)
        .with_threads(false)
        .with_target(false);
    Ok((Traces(provider), layer.with_filter(LevelFilter::INFO)))
}

/// Puts the span below the caller's, or, where the caller brought none, gives the trace that begins with it. `None`: the
/// caller's own, or no traces are kept.
pub(super) fn continue_trace(span: &Span, brought: Option<&str>) -> Option<String> {
    if let Some(brought) = brought {
        if let Some(parent) = remote(brought) {
            let context = opentelemetry::Context::new().with_remote_span_context(parent);
            // Without a layer there is nothing to be put anywhere.
            let _ = span.set_parent(context);
        }
        return None;
    }
    let context = span.context();
    let span = context.span();
    let begun = span.span_context();
    begun.is_valid().then(|| {
        let (trace, span, flags) = (begun.trace_id(), begun.span_id(), begun.trace_flags().to_u8());
        format!("00-{trace}-{span}-{flags:02x}")
    })
}

fn remote(traceparent: &str) -> Option<SpanContext> {
    let mut parts = traceparent.split('-').skip(1);
    let trace = TraceId::from_hex(parts.next()?).ok()?;
    let span = SpanId::from_hex(parts.next()?).ok()?;
    let flags = u8::from_str_radix(parts.next()?, 16).ok()?;
    Some(SpanContext::new(trace, span, TraceFlags::new(flags & 1), true, TraceState::NONE))
}

/// Our HTTP client as the exporter wants it. It blocks, and may: the thread has nothing else to do.
#[derive(Debug)]
struct Courier(ureq::Agent);

impl HttpClient for Courier {
    fn send_bytes<'a, 'sent>(
        &'a self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'sent>>
    where
        'a: 'sent,
        Self: 'sent,
    {
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let answer = self.0.run(Request::from_parts(head, &body[..]))?;
            let (head, mut body) = answer.into_parts();
            let body = body.with_config().limit(64 * 1024).read_to_vec()?;
            Ok(Response::from_parts(head, body.into()))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use axum::body::Body;
    use tower::ServiceExt;
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;
    use crate::http::{Edge, around};
    use crate::{Clock, Ids};

    /// Takes one batch and gives its head and body.
    fn collector() -> (String, std::thread::JoinHandle<(String, Vec<u8>)>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        let taking = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let (mut received, mut piece) = (Vec::new(), [0; 4_096]);
            loop {
                let end = received.windows(4).position(|four| four == b"\r\n\r\n").map(|at| at + 4);
                let head = end.map(|end| String::from_utf8_lossy(&received[..end]).to_lowercase());
                let length = head.as_ref().and_then(|head| head.split_once("content-length: ")?.1.lines().next());
                let length = length.map(|length| length.trim().parse::<usize>().unwrap());
                if let (Some(end), Some(head), Some(length)) = (end, &head, length)
                    && received.len() >= end + length
                {
                    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
                    return (head.clone(), received.split_off(end));
                }
                let read = stream.read(&mut piece).unwrap();
                assert!(read > 0, "a batch that ended early");
                received.extend_from_slice(&piece[..read]);
            }
        });
        (address, taking)
    }

    fn has(body: &[u8], part: &[u8]) -> bool {
        body.windows(part.len()).any(|window| window == part)
    }

    /// One request through the edge with traces on; what the collector got, and what the caller was told.
    async fn traced(traceparent: Option<&str>) -> (String, Vec<u8>, serde_json::Value) {
        let (address, taking) = collector();
        let (traces, layer) = traces_to(&address).unwrap();
        let guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(layer));
        let routes = axum::Router::new().route("/staff/{id}", axum::routing::get(|| async { "salaam" }));
        let edge = around(routes, Edge::default(), Clock::system(), Ids::seeded(48));
        let mut request = Request::post("/staff/stf_PARWIN").header("x-request-id", "desk-7");
        if let Some(traceparent) = traceparent {
            request = request.header("traceparent", traceparent);
        }
        let request = request.header("authorization", "Bearer secret").body(Body::empty()).unwrap();
        let answer = edge.oneshot(request).await.unwrap();
        let body = axum::body::to_bytes(answer.into_body(), 10_000).await.unwrap();
        drop(guard);
        tokio::task::spawn_blocking(move || drop(traces)).await.unwrap();
        let (head, sent) = taking.join().unwrap();
        (head, sent, serde_json::from_slice(&body).unwrap())
    }

    #[tokio::test]
    async fn a_request_reaches_the_collector_below_its_callers_span() {
        let (head, sent, answer) = traced(Some("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")).await;
        assert!(head.starts_with("post /v1/traces http/1.1"), "{head}");
        assert!(head.contains("content-type: application/x-protobuf"), "{head}");
        assert!(has(&sent, &0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736_u128.to_be_bytes()), "the trace");
        assert!(has(&sent, &0x00f0_67aa_0ba9_02b7_u64.to_be_bytes()), "the parent");
        assert_eq!(answer["traceId"], "4bf92f3577b34da6a3ce929d0e0e4736");
        for part in ["melmastoon", "POST /staff/{id}", "http.response.status_code", "desk-7"] {
            assert!(has(&sent, part.as_bytes()), "{part}");
        }
        for part in ["PARWIN", "secret"] {
            assert!(!has(&sent, part.as_bytes()), "{part} is nobody's business");
        }
    }

    #[tokio::test]
    async fn without_a_caller_the_trace_that_the_answer_names_is_the_one_exported() {
        let (_, sent, answer) = traced(None).await;
        let named = u128::from_str_radix(answer["traceId"].as_str().unwrap(), 16).unwrap();
        assert!(named != 0 && has(&sent, &named.to_be_bytes()), "{answer}");
    }

    #[test]
    fn a_collector_that_is_away_costs_nothing_but_the_spans() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        drop(listener);
        let (traces, layer) = traces_to(&address).unwrap();
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            tracing::info_span!("request").in_scope(|| {});
        });
        drop(traces);
    }
}
