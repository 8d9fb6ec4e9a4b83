// SPDX-License-Identifier: GPL-3.0-or-later
//! The app itself: files that the build script put into the program, compressed beforehand.

use std::{
    path::{Component, Path},
    sync::Arc,
};

use axum::{
    extract::State,
    http::{HeaderMap, Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};

use crate::live::House;

include!("../../media_type.rs");

/// A file of the app. Compressed forms are missing where they would not be smaller.
struct Asset {
    path: &'static str,
    kind: &'static str,
    plain: &'static [u8],
    brotli: Option<&'static [u8]>,
    gzip: Option<&'static [u8]>,
}

mod embedded {
    use super::Asset;

    include!(concat!(env!("OUT_DIR"), "/assets.rs"));
}

/// The one page; its addresses, such as `/study/NAME`, are told apart in the browser.
const PAGE: &str = "/index.html";

/// What is missing if the program was built without its front end.
pub fn missing() -> Option<&'static str> {
    embedded::MISSING
}

/// A file of the app, or the page for every address that is no file.
pub(super) async fn page(
    State(house): State<Arc<House>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    if !matches!(method, Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    if let Some(folder) = &house.web {
        return from_folder(folder, uri.path()).await;
    }
    if let Some(missing) = missing() {
        return (StatusCode::SERVICE_UNAVAILABLE, format!("{missing}\n")).into_response();
    }
    let path = uri.path();
    let is_file = path.rsplit('/').next().is_some_and(|name| name.contains('.')) || path.starts_with("/api/");
    match (find(path), is_file) {
        (Some(asset), _) => serve(asset, &headers),
        (None, false) => find(PAGE).map_or_else(not_found, |asset| serve(asset, &headers)),
        (None, true) => not_found(),
    }
}

/// A file of a folder, read anew each time.
async fn from_folder(folder: &Path, path: &str) -> Response {
    let inside = Path::new(path.trim_start_matches('/'));
    if !inside.components().all(|part| matches!(part, Component::Normal(_))) {
        return not_found();
    }
    let file = folder.join(if inside.extension().is_some() { inside } else { Path::new("index.html") });
    let kind = media_type(&file);
    let read = tokio::task::spawn_blocking(move || std::fs::read(file)).await;
    match read {
        Ok(Ok(body)) => {
            ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")], body).into_response()
        }
        _ => not_found(),
    }
}

fn not_found() -> Response {
    (StatusCode::NOT_FOUND, "there is no such file\n").into_response()
}

fn find(path: &str) -> Option<&'static Asset> {
    embedded::ASSETS.iter().find(|asset| asset.path == path)
}

fn serve(asset: &'static Asset, headers: &HeaderMap) -> Response {
    let accepted =
        headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let accepts = |name: &str| {
        accepted.split(',').any(|part| part.split(';').next().is_some_and(|it| it.trim() == name))
    };
    let (encoding, body) = match (asset.brotli, asset.gzip) {
        (Some(body), _) if accepts("br") => (Some("br"), body),
        (_, Some(body)) if accepts("gzip") => (Some("gzip"), body),
        _ => (None, asset.plain),
    };
    // Names of assets carry a hash of their content; all others may change with the next version.
    let lasting = asset.path.starts_with("/assets/");
    let cache = if lasting { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut response = (
        [
            (header::CONTENT_TYPE, asset.kind),
            (header::CACHE_CONTROL, cache),
            (header::VARY, "accept-encoding"),
        ],
        body,
    )
        .into_response();
    if let Some(encoding) = encoding {
        response.headers_mut().insert(header::CONTENT_ENCODING, header::HeaderValue::from_static(encoding));
    }
    response
}
