// SPDX-License-Identifier: GPL-3.0-or-later
//! `nets/seed.sh`, the whole way from games to the seed network, with a thousandth of everything.
#![cfg(unix)]

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn seed(games: &Path, folder: &Path) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../nets/seed.sh");
    let mut command = Command::new("sh");
    command.arg(script).args([games, folder]).env("NUE", env!("CARGO_BIN_EXE_nue")).env("SHARE", "1");
    command.output().unwrap()
}

#[test]
fn the_script_makes_the_seed_network_and_goes_on_where_it_was() {
    let base = std::env::temp_dir().join(format!("nue-seed-{}", std::process::id()));
    let _ = fs::remove_dir_all(&base);
    fs::create_dir_all(&base).unwrap();
    let (games, folder) = (base.join("games.vf"), base.join("seed"));
    let missing = seed(&games, &folder);
    assert!(!missing.status.success() && text(&missing.stderr).contains("games.vf: no such file"));

    let nue = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_nue")).args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    nue(&["data", "selfplay", "--games", "40", "--nodes", "100", "-o", &games.display().to_string()]);
    let made = seed(&games, &folder);
    assert!(made.status.success(), "{}{}", text(&made.stdout), text(&made.stderr));
    let net = folder.join("seed.net");
    let about = nue(&["net", "info", &net.display().to_string()]);
    assert!(
        about.contains("40960 -> 256x2 squared -> 32 -> 32 -> 1") && !about.contains("beside"),
        "{about}"
    );

    // What is there is not made again, and what is lost comes back the same.
    let first = fs::read(&net).unwrap();
    fs::remove_file(&net).unwrap();
    fs::remove_dir_all(folder.join("judge5")).unwrap();
    let again = seed(&games, &folder);
    assert!(again.status.success(), "{}", text(&again.stderr));
    let said = text(&again.stdout);
    assert!(said.contains("judge5.net: finished") && !said.contains("judge4.net: finished"), "{said}");
    assert!(fs::read(&net).unwrap() == first);
    fs::remove_dir_all(base).unwrap();
}
