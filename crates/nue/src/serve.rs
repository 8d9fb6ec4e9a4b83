// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue serve`: play and analyse in the browser.

use std::{
    env,
    net::{IpAddr, Ipv4Addr},
    path::PathBuf,
    process::{Command, ExitCode, Stdio},
};

use anyhow::Context;
use clap::Args;
use server::{Config, Server, limits::Limits};

/// Serve the app: play and analyse in the browser.
///
/// Games and studies are kept in the data folder as you work. The server listens on this machine only, unless
/// `--host` says otherwise: it has no accounts, so whoever reaches it can change everything.
#[derive(Args)]
#[command(after_help = "Examples:
  nue serve
  nue serve --port 8080 --data games --net first.net
  nue serve --database-url postgres://nue@localhost/nue")]
pub(crate) struct Serve {
    /// The port; 0 for any free one
    #[arg(long, default_value_t = 3127)]
    port: u16,

    /// The address to listen on; 0.0.0.0 for all
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,

    /// The folder of games and studies; one in your home if not given
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// A PostgreSQL database instead of the file in the data folder
    #[arg(long, value_name = "URL")]
    database_url: Option<String>,

    /// A network to look into besides the built-in one, may be repeated; the engine plays with the first
    #[arg(long, value_name = "FILE")]
    net: Vec<PathBuf>,

    /// How many searches run at a time; as many as there are cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    slots: Option<u16>,

    /// The hash table of each search slot in MiB
    #[arg(long, value_name = "MB", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,

    /// Do not open the browser
    #[arg(long)]
    no_open: bool,

    /// Take the app from a folder, for work on it
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    web: Option<PathBuf>,
}

impl Serve {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(self.serve())?;
        Ok(ExitCode::SUCCESS)
    }

    async fn serve(self) -> anyhow::Result<()> {
        let data = match self.data {
            Some(data) => data,
            None => data_folder().context("there is no home folder: say --data DIR")?,
        };
        if let (Some(missing), None) = (server::http::missing(), &self.web) {
            eprintln!("{missing}");
        }
        let config = Config {
            host: self.host,
            port: self.port,
            data,
            database_url: self.database_url,
            web: self.web,
            nets: self.net,
            slots: self.slots.map(usize::from),
            hash_mb: self.hash as usize,
            limits: Limits::default(),
        };
        let server = Server::bind(config).await?;
        let address = format!("http://{}/", server.address());
        say!("Nue is at {address}");
        say!("Press Ctrl+C to stop.");
        if !self.no_open {
            open_browser(&address);
        }
        server.run(told_to_stop()).await?;
        Ok(())
    }
}

/// Where programs of this system keep their data.
fn data_folder() -> Option<PathBuf> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || variable("HOME");
    let folder = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Application Support"))
    } else {
        variable("XDG_DATA_HOME").or_else(|| home().map(|home| home.join(".local/share")))
    };
    Some(folder?.join("nue"))
}

/// Ctrl+C, or what service managers send.
async fn told_to_stop() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};

        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupted => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    let _ = interrupted.await;
}

/// Opens the page where there is somebody to see it; that it does not work is no error.
fn open_browser(address: &str) {
    let opener = if cfg!(windows) {
        Some(("explorer", address))
    } else if cfg!(target_os = "macos") {
        Some(("open", address))
    } else {
        let screen = env::var_os("DISPLAY").or_else(|| env::var_os("WAYLAND_DISPLAY"));
        screen.map(|_| ("xdg-open", address))
    };
    if let Some((program, address)) = opener {
        let quiet = Command::new(program)
            .arg(address)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        drop(quiet);
    }
}
