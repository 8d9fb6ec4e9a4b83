// SPDX-License-Identifier: GPL-3.0-or-later
//! Programs that some tests need and that the system's package manager may bring.

use std::{
    process::{Command, Stdio},
    sync::LazyLock,
};

/// Whether this user may install packages.
pub(crate) fn is_root() -> bool {
    static ROOT: LazyLock<bool> = LazyLock::new(|| {
        let user = Command::new("id").arg("-u").output();
        user.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
    });
    *ROOT
}

/// Installs a Debian package if that is possible here.
pub(crate) fn install(package: &str) -> bool {
    if !is_root() {
        return false;
    }
    println!("installing {package} with apt-get");
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        command.stdin(Stdio::null()).stdout(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    let install = ["install", "--yes", "--no-install-recommends", package];
    apt(&install) || apt(&["update"]) && apt(&install)
}

/// What to do where it is not.
pub(crate) fn advice(program: &str, package: &str) -> String {
    format!("{program} was not found and could not be installed here; run: sudo apt-get install {package}")
}
