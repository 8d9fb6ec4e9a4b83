// SPDX-License-Identifier: GPL-3.0-or-later
//! A PostgreSQL of the tests' own: a cluster in a temporary folder, gone when the tests are over.

use std::{
    env, fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::Context;

use crate::{cargo, packages};

/// A running cluster.
pub(crate) struct Cluster {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
}

impl Cluster {
    /// Starts a cluster, installing PostgreSQL first where that is possible; says why where it is not.
    pub(crate) fn start() -> anyhow::Result<Result<Cluster, String>> {
        let found = programs().or_else(|| packages::install("postgresql").then(programs).flatten());
        let Some(programs) = found else {
            return Ok(Err(packages::advice("PostgreSQL", "postgresql")));
        };
        let folder = env::temp_dir().join(format!("nue-postgres-{}", std::process::id()));
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        if packages::is_root() {
            cargo::run(cargo::program("chown").arg("postgres").arg(&folder))?;
        }
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let cluster = Cluster { programs, folder, port };
        let data = cluster.folder.join("data");
        let (quiet, log) = (Stdio::null, cluster.folder.join("log"));
        let options = format!("-c listen_addresses=127.0.0.1 -c port={port} -k {}", cluster.folder.display());
        let init = ["--auth=trust", "--username=nue", "--no-sync", "--encoding=UTF8", "--locale=C", "-D"];
        cargo::run(cluster.program("initdb").args(init).arg(&data).stdout(quiet()))?;
        let start = ["start", "--wait", "--silent", "-o", &options, "-D"];
        cargo::run(cluster.program("pg_ctl").args(start).arg(&data).arg("-l").arg(log).stdout(quiet()))?;
        Ok(Ok(cluster))
    }

    /// Where it listens.
    pub(crate) fn url(&self) -> String {
        format!("postgres://nue@127.0.0.1:{}/postgres", self.port)
    }

    /// A program of PostgreSQL, which refuses to be run by root.
    fn program(&self, name: &str) -> Command {
        let program = self.programs.join(name);
        if !packages::is_root() {
            return cargo::program(program);
        }
        let mut command = cargo::program("runuser");
        command.args(["-u", "postgres", "--"]).arg(program).current_dir(&self.folder);
        command
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let data = self.folder.join("data");
        let stop = ["stop", "--mode=immediate", "--silent", "-D"];
        let _ = self.program("pg_ctl").args(stop).arg(data).stdout(Stdio::null()).status();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The folder with the newest programs; Debian keeps them outside the path.
fn programs() -> Option<PathBuf> {
    let number = |path: &Path| path.file_name()?.to_str()?.parse::<u32>().ok();
    let versions =
        fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten().map(|entry| entry.path());
    let newest = versions.filter(|path| path.join("bin/initdb").exists()).max_by_key(|path| number(path));
    let in_path = || env::split_paths(&env::var_os("PATH")?).find(|folder| folder.join("initdb").exists());
    newest.map(|path| path.join("bin")).or_else(in_path)
}
