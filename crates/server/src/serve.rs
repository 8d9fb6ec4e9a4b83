// SPDX-License-Identifier: GPL-3.0-or-later
//! A server from its first to its last breath: data folder, listener, requests, orderly end.

use std::{
    fs::{self, File, TryLockError},
    io,
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use axum::serve::ListenerExt;
use thiserror::Error;
use tokio::{
    net::TcpListener,
    time::{sleep, timeout},
};

use crate::{
    http,
    limits::Limits,
    live::House,
    nets::{LoadError, Nets},
    search::{Setup, Slots},
    store::{Store, StoreError},
};

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen.
    pub host: IpAddr,
    /// The port; 0 for any free one.
    pub port: u16,
    /// The data folder.
    pub data: PathBuf,
    /// A database instead of the file in the data folder.
    pub database_url: Option<String>,
    /// A folder with the app, instead of the one in the program: for work on the app.
    pub web: Option<PathBuf>,
    /// Networks to show besides the built-in one; the engine plays with the first.
    pub nets: Vec<PathBuf>,
    /// How many searches run at a time; as many as there are cores if not given.
    pub slots: Option<usize>,
    /// The hash table of a slot in MiB.
    pub hash_mb: usize,
    /// The limits.
    pub limits: Limits,
}

/// Why a server does not start.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the message of each variant says what it and its fields mean")]
pub enum ServeError {
    #[error("data folder '{path}': {source}", path = path.display())]
    Data { path: PathBuf, source: io::Error },
    #[error("data folder '{path}' is used by another server", path = .0.display())]
    InUse(PathBuf),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Net(#[from] LoadError),
    #[error("cannot listen on {address}: {source}")]
    Listen { address: SocketAddr, source: io::Error },
    #[error("the server failed: {0}")]
    Serve(io::Error),
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    house: Arc<House>,
    /// Held until the end: one server at a time works in a data folder.
    _folder: Option<File>,
}

impl Server {
    /// Opens the database and begins to listen.
    ///
    /// # Errors
    /// When the folder, the database, a network or the address cannot be used.
    pub async fn bind(config: Config) -> Result<Server, ServeError> {
        let nets = Nets::load(&config.nets)?;
        let (store, folder) = match &config.database_url {
            Some(url) => (Store::open(url).await?, None),
            None => {
                let folder = lock_folder(&config.data)?;
                (Store::sqlite(&config.data.join("nue.db")).await?, Some(folder))
            }
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let slots = Slots::new(Setup {
            slots: config.slots.unwrap_or(cores).max(1),
            lengths: config.limits.turns,
            hash_mb: config.hash_mb,
            evaluation: nets.evaluation(),
        });
        let address = SocketAddr::new(config.host, config.port);
        let failed = |source| ServeError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let mut house = House::new(config.limits, store, slots, nets);
        house.web = config.web;
        let house = Arc::new(house);
        Ok(Server { listener, address, house, _folder: folder })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `end` comes true, then finishes what was begun.
    ///
    /// # Errors
    /// When the listener fails.
    pub async fn run(self, end: impl Future<Output = ()> + Send + 'static) -> Result<(), ServeError> {
        let Server { listener, address, house, _folder } = self;
        let router = http::router(Arc::clone(&house), address.ip().is_loopback());
        let closing = Arc::clone(&house);
        let graceful = async move {
            end.await;
            closing.closing.send_replace(true);
        };
        let mut closed = house.closing.subscribe();
        // Messages are small and wanted at once.
        let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        let serving = axum::serve(listener, router).with_graceful_shutdown(graceful).into_future();
        // A connection that does not end must not keep the server from ending.
        let patience = async {
            let _ = closed.wait_for(|closed| *closed).await;
            sleep(house.limits.shutdown).await;
        };
        tokio::select! {
            served = serving => served.map_err(ServeError::Serve)?,
            () = patience => {}
        }
        let leaving = async {
            while house.metrics.sockets() > 0 {
                sleep(Duration::from_millis(10)).await;
            }
        };
        let _ = timeout(house.limits.shutdown, leaving).await;
        let slots = Arc::clone(&house);
        let _ = tokio::task::spawn_blocking(move || slots.slots.close()).await;
        house.store.clone().close().await;
        Ok(())
    }
}

fn lock_folder(path: &PathBuf) -> Result<File, ServeError> {
    let failed = |source| ServeError::Data { path: path.clone(), source };
    fs::create_dir_all(path).map_err(failed)?;
    let file = File::create(path.join("nue.lock")).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(ServeError::InUse(path.clone())),
        Err(TryLockError::Error(source)) => Err(failed(source)),
    }
}
