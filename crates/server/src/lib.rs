// SPDX-License-Identifier: GPL-3.0-or-later
//! Play and analyse in the browser: `page <-> messages <-> documents <-> disk`, with search slots beside.
//!
//! The rules of the house are in [`core`], without input or output; around it are thin skins: [`store`] (SQLite or
//! PostgreSQL), [`search`] (engines in turns), `ws` and [`http`] (pages), and [`live`], where they meet. What pages and
//! server say to each other is defined in [`message`].

pub mod core;
pub mod http;
pub mod limits;
pub mod live;
pub mod message;
pub mod metrics;
pub mod nets;
pub mod search;
mod serve;
pub mod store;
mod ws;

pub use serve::{Config, ServeError, Server};
