//! Our pages are served without a build too: the paths are theirs, and everything else speaks problem+json.

use axum::http::Method;

use crate::test_hotel::{Ask, TestHotel};

#[tokio::test]
async fn a_page_of_the_list_is_a_document_and_guarded() {
    let hotel = TestHotel::open().await;
    for path in server::web::page_paths() {
        let page = hotel.ask(Ask::get(path.replace(['{', '}'], ""))).await;
        assert_eq!(page.status, 200, "{path}");
        assert!(page.header("content-type").is_some_and(|kind| kind.starts_with("text/html")), "{path}");
        let policy = page.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none';") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(page.header("cache-control"), Some("no-cache"), "{path}");
        assert_eq!(page.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
}

#[tokio::test]
async fn what_is_neither_a_page_nor_a_file_is_a_problem() {
    let hotel = TestHotel::open().await;
    for path in ["/nowhere", "/assets/none.js", "/boards", "/rooms", "/assets/../Cargo.toml", "/sw.js.br"] {
        hotel.ask(Ask::get(path)).await.refused(404, "MELMASTOON.PLATFORM.NO_SUCH_ROUTE");
    }
    hotel.ask(Ask::post("/board")).await.refused(405, "MELMASTOON.PLATFORM.METHOD_NOT_ALLOWED");
    hotel.ask(Ask::new(Method::DELETE, "/nowhere")).await.refused(404, "MELMASTOON.PLATFORM.NO_SUCH_ROUTE");
    let api = hotel.ask(Ask::get("/housekeeping/v1/nowhere")).await;
    api.refused(404, "MELMASTOON.PLATFORM.NO_SUCH_ROUTE");
    assert_eq!(api.header("cache-control"), Some("no-store"));
}
