//! The explorer at `/`: its page and files, as the program serves them. The behaviour of the page is tested in a
//! browser, by `.ci/explorer-in-browser`.

use axum::body::Body;
use axum::http::{Request, StatusCode};

use super::{Answer, app, get, send};

/// Returns the addresses that the page refers to, except those of the documentation.
async fn loaded() -> Vec<String> {
    let page = String::from_utf8(get("/").await.body).unwrap();
    let names: Vec<String> = page
        .split("=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .filter(|value| value.starts_with("explorer/"))
        .map(|value| format!("/{value}"))
        .collect();
    assert!(names.len() >= 4, "{page}");
    names
}

async fn packed(path: &str) -> Answer {
    send(&app(), Request::get(path).header("accept-encoding", "gzip").body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn the_page_refers_only_to_this_service_by_relative_urls() {
    let answer = get("/").await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    assert!(!answer.headers.contains_key("set-cookie"));
    let page = String::from_utf8(answer.body).unwrap();
    for name in ["src", "href"] {
        for value in page.split(&format!(" {name}=\"")).skip(1).map(|rest| rest.split('"').next().unwrap()) {
            let is_relative = !value.contains("//") && !value.starts_with('/');
            assert!(is_relative, "{name}=\"{value}\" leads elsewhere, or not below a path prefix");
        }
    }
    for mark in ["<style", " style=", " onload=", " onclick=", "javascript:"] {
        assert!(!page.contains(mark), "the policy refuses {mark}");
    }
    for path in loaded().await {
        assert_eq!(get(&path).await.status, StatusCode::OK, "{path}");
    }
    get("/explorer/nothing.js").await.problem(404, "not-found");
    get("/explorer/").await.problem(404, "not-found");
}

/// File names change with their content, so the files are cached permanently; the page itself is not.
#[tokio::test]
async fn files_are_cached_and_the_page_is_revalidated() {
    let page = get("/").await;
    assert_eq!(page.header("cache-control"), "public, max-age=300");
    for path in loaded().await {
        let file = get(&path).await;
        assert_eq!(file.header("cache-control"), "public, max-age=31536000, immutable", "{path}");
        let again = Request::get(&path).header("if-none-match", file.header("etag")).body(Body::empty()).unwrap();
        assert_eq!(send(&app(), again).await.status, StatusCode::NOT_MODIFIED, "{path}");
    }
}

/// Everything that a first visit loads: the page, its files, and the worker started by the script.
#[tokio::test]
async fn a_first_visit_loads_less_than_300_kilobytes() {
    let script = loaded().await.into_iter().find(|path| path.ends_with(".js")).unwrap();
    let text = String::from_utf8(get(&script).await.body).unwrap();
    let worker = text.split('"').find(|part| part.starts_with("worker-")).unwrap();
    let mut paths = loaded().await;
    paths.push("/".to_owned());
    paths.push(format!("/explorer/{worker}"));
    paths.sort();
    paths.dedup();
    let mut sum = 0;
    for path in paths {
        let answer = packed(&path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        sum += answer.body.len();
    }
    assert!(sum < 300_000, "{sum} bytes");
}
