// SPDX-License-Identifier: GPL-3.0-or-later
//! HTTP: the app, lists, PGN in and out, health and metrics.

mod api;
mod app;

use std::sync::Arc;

use axum::{
    Router,
    extract::{DefaultBodyLimit, Request},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};

pub use self::app::missing;
use crate::{live::House, ws};

/// Everything the server answers. On a loopback address, requests for any other host name are refused: a page of
/// another site must not reach it by a name that points here.
pub fn router(house: Arc<House>, loopback: bool) -> Router {
    let import = post(api::import).layer(DefaultBodyLimit::max(house.limits.import_bytes));
    let router = Router::new()
        .route("/ws", get(ws::accept))
        .route("/api/games", get(api::games))
        .route("/api/studies", get(api::studies))
        .route("/api/game/{file}", get(api::game_pgn))
        .route("/api/study/{file}", get(api::study_pgn))
        .route("/api/import", import)
        .route("/healthz", get(api::health))
        .route("/metrics", get(api::metrics))
        .fallback(app::page)
        .layer(middleware::map_response(add_headers))
        .with_state(house);
    if loopback { router.layer(middleware::from_fn(only_local_names)) } else { router }
}

/// What every answer tells the browser about what the page may do.
async fn add_headers(mut response: Response) -> Response {
    let policy = "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; \
         connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

async fn only_local_names(request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = host_name(host);
    let address = name.trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_ok();
    if name == "localhost" || name.ends_with(".localhost") || address {
        return next.run(request).await;
    }
    (StatusCode::FORBIDDEN, "this server answers to localhost only\n").into_response()
}

/// The host of an authority, without its port.
fn host_name(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => authority,
    }
}

/// Whether a request comes from a page of this server, or from no page at all.
pub(crate) fn is_own_page(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let Some(origin) = text(header::ORIGIN) else { return true };
    let origin = origin.parse::<Uri>().ok().and_then(|uri| uri.authority().map(ToString::to_string));
    origin.is_some() && origin.as_deref() == text(header::HOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_pages_may_connect() {
        let page = |origin: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:3127"));
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            }
            is_own_page(&headers)
        };
        assert!(page(None) && page(Some("http://127.0.0.1:3127")));
        assert!(
            !page(Some("http://example.org")) && !page(Some("http://127.0.0.1:80")) && !page(Some("null"))
        );
    }

    #[test]
    fn a_port_is_no_part_of_a_name() {
        assert_eq!(host_name("localhost:3127"), "localhost");
        assert_eq!(host_name("[::1]:3127"), "[::1]");
        assert_eq!(host_name("[::1]"), "[::1]");
        assert_eq!(host_name("example.org"), "example.org");
    }
}
