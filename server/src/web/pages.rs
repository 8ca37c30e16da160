//! Our pages over HTTP: one document for every page of the list that the router shares with us, and the files it is made of.

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use platform::http::Problem;
use serde::Deserialize;

use super::build::{self, Found};

/// The pages, for the router in the browser and for us alike: any other path is none of ours.
const PAGES: &str = include_str!("../../../web/src/app/pages.json");
const DOCUMENT: &str = "index.html";

/// Nothing from elsewhere, nothing inline, in nobody's frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; \
                      connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";
/// The names of these files change with what is in them.
const FOR_A_YEAR: &str = "public, max-age=31536000, immutable";
/// Asked for every time; whoever has it already is told so.
const ASK_AGAIN: &str = "no-cache";

#[derive(Deserialize)]
struct Page {
    path: String,
}

/// `/board`, `/rooms/{id}`: every path that is a page.
pub fn page_paths() -> Vec<String> {
    let pages: Vec<Page> = serde_json::from_str(PAGES).unwrap_or_default();
    let spelled = |path: &str| {
        let part = |part: &str| part.strip_prefix(':').map_or_else(|| part.to_owned(), |name| format!("{{{name}}}"));
        path.split('/').map(part).collect::<Vec<_>>().join("/")
    };
    std::iter::once("/".to_owned()).chain(pages.iter().map(|page| spelled(&page.path))).collect()
}

/// The pages, and the files of the build; whatever else is asked for is a problem like any other.
pub fn page_routes() -> Router {
    let pages = page_paths().iter().fold(Router::new(), |router, path| router.route(path, get(document)));
    pages.fallback(file)
}

async fn document(headers: HeaderMap) -> Response {
    found(DOCUMENT, &headers).unwrap_or_else(|| guarded(Html(NOT_BUILT).into_response(), ASK_AGAIN))
}

async fn file(request: Request) -> Response {
    let name = request.uri().path().trim_start_matches('/').to_owned();
    // The service worker fetches the document by its own name too.
    let readable = request.method().is_safe();
    match readable.then(|| found(&name, request.headers())).flatten() {
        Some(response) => response,
        None => Problem::of_status(StatusCode::NOT_FOUND).into_response(),
    }
}

fn found(name: &str, headers: &HeaderMap) -> Option<Response> {
    let text = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let Found { file, encoding } = build::find(name, text(&header::ACCEPT_ENCODING))?;
    let sha256 = file.metadata.sha256_hash();
    let hash = u128::from_be_bytes(std::array::from_fn(|at| sha256[at]));
    let etag = format!("\"{hash:032x}\"");
    let unchanged = text(&header::IF_NONE_MATCH).split(',').any(|one| one.trim().trim_start_matches("W/") == etag);
    let mut response = if unchanged {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let mut response = file.data.into_owned().into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind_of(name)));
        response
    };
    let out = response.headers_mut();
    if let Some(encoding) = encoding.filter(|_| !unchanged) {
        out.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    out.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(etag) = HeaderValue::from_str(&etag) {
        out.insert(header::ETAG, etag);
    }
    Some(guarded(response, if name.starts_with("assets/") { FOR_A_YEAR } else { ASK_AGAIN }))
}

fn guarded(mut response: Response, kept: &'static str) -> Response {
    let out = response.headers_mut();
    out.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    response
}

fn kind_of(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

const NOT_BUILT: &str = "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Melmastoon</title>\n\
<h1>Melmastoon is running, without its pages</h1>\n\
<p>This binary was built without the web app. To get it, install Node.js 20.19 or newer and run <code>make web</code>, then build \
again; <code>make run</code> does both.</p>\n\
<p>The REST interface works: <a href=\"/docs\">its documentation</a>, <a href=\"/openapi.json\">OpenAPI</a>, \
<a href=\"/asyncapi.json\">AsyncAPI</a>.</p>\n</html>\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_are_those_of_the_routers_list_and_none_hides_the_interface() {
        let paths = page_paths();
        for path in
            ["/", "/login", "/board", "/rooms/{id}", "/my/{taskId}", "/desk/chart", "/print/all", "/print/{staffId}"]
        {
            assert!(paths.iter().any(|one| one == path), "{path} in {paths:?}");
        }
        for taken in ["/housekeeping", "/staff/", "/reservation", "/web/", "/internal", "/events", "/docs", "/assets"] {
            assert!(!paths.iter().any(|one| one.starts_with(taken)), "{taken} in {paths:?}");
        }
        let _ = page_routes();
    }
}
