// SPDX-License-Identifier: GPL-3.0-or-later
//! WebSockets: one per page, text frames of JSON.

mod desk;
mod follow;
mod pace;
mod session;

use std::sync::Arc;

use axum::{
    extract::{State, ws::WebSocketUpgrade},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};

use crate::{http::is_own_page, live::House};

/// Small buffers: a page that does nothing should cost next to nothing.
const BUFFER_BYTES: usize = 2 << 10;
/// What may wait in the socket itself before the session waits.
const MOST_WRITE_BYTES: usize = 1 << 20;

/// Accepts a WebSocket, unless there are too many or another site's page asks.
pub(crate) async fn accept(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !is_own_page(&headers) {
        return (StatusCode::FORBIDDEN, "pages of other sites may not connect\n").into_response();
    }
    if house.metrics.sockets() >= house.limits.sockets as u64 {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many connections\n").into_response();
    }
    let most = house.limits.message_bytes;
    upgrade
        .read_buffer_size(BUFFER_BYTES)
        .write_buffer_size(BUFFER_BYTES)
        .max_write_buffer_size(MOST_WRITE_BYTES)
        .max_message_size(most)
        .max_frame_size(most)
        .on_upgrade(move |socket| session::run(house, socket))
}
