// SPDX-License-Identifier: GPL-3.0-or-later
//! Builds the front end with Node, where there is Node, and puts it into the program.
//!
//! Without Node, or when its packages cannot be had, the crate builds all the same, and the server says what is
//! missing. `NUE_WEB=skip` leaves the front end out on purpose; any other value of that variable only makes cargo run
//! this again, which it does not do by itself when Node has been installed.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

include!("media_type.rs");

/// What the front end is made of, below `web/`.
const SOURCES: [&str; 8] = [
    "src",
    "public",
    "index.html",
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    "svelte.config.js",
    "tsconfig.json",
];

const NO_NODE: &str = "Node was not found; install Node 20.19 or newer (nodejs.org) and build it again with NUE_WEB=1 \
     in the environment";

/// Writes a file compressed beside itself, by Node's own compressors.
const COMPRESS: &str = "
const { readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const zlib = require('node:zlib');
const best = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 11 } };
for (const entry of readdirSync(process.argv[1], { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const file = join(entry.parentPath ?? entry.path, entry.name);
  const plain = readFileSync(file);
  for (const [end, packed] of [['.br', zlib.brotliCompressSync(plain, best)], ['.gz', zlib.gzipSync(plain, { level: 9 })]]) {
    if (packed.length < plain.length) writeFileSync(file + end, packed);
  }
}";

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let web = manifest.join("../../web");
    println!("cargo::rerun-if-env-changed=NUE_WEB");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=media_type.rs");
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", web.join(source).display());
    }
    let built = out.join("web");
    let code = match build(&web, &built) {
        Ok(()) => embed(&built),
        Err(reason) => {
            if env::var("NUE_WEB").as_deref() != Ok("skip") {
                println!("cargo::warning=the web app is left out: {reason}");
            }
            let missing = format!("This program was built without its web app: {reason}.");
            format!(
                "pub(super) static ASSETS: &[Asset] = &[];\npub(super) const MISSING: Option<&str> = Some({missing:?});\n"
            )
        }
    };
    fs::write(out.join("assets.rs"), code).expect("OUT_DIR can be written");
}

/// Builds the front end; the reason why not is the end of a sentence.
fn build(web: &Path, built: &Path) -> Result<(), String> {
    if env::var("NUE_WEB").as_deref() == Ok("skip") {
        return Err("NUE_WEB=skip said so; build it again without that variable".to_owned());
    }
    let _ = fs::remove_dir_all(built);
    if !web.join("index.html").exists() {
        return Err("the folder web is missing".to_owned());
    }
    if Command::new("node").arg("--version").output().is_err() {
        return Err(NO_NODE.to_owned());
    }
    if needs_packages(web) {
        run(npm().args(["ci", "--no-audit", "--no-fund"]).current_dir(web), "npm ci")?;
    }
    run(npm().args(["run", "build"]).env("NUE_WEB_OUT", built).current_dir(web), "npm run build")?;
    run(Command::new("node").arg("-e").arg(COMPRESS).arg(built), "compressing the app")
}

/// Whether the installed packages are not those of the lock file.
fn needs_packages(web: &Path) -> bool {
    let time = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    let (wanted, installed) =
        (time(&web.join("package-lock.json")), time(&web.join("node_modules/.package-lock.json")));
    installed.is_none() || installed < wanted
}

fn npm() -> Command {
    Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

fn run(command: &mut Command, what: &str) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("'{what}' could not be started ({error})"))?;
    if output.status.success() {
        return Ok(());
    }
    let complaint = String::from_utf8_lossy(&output.stderr).trim().replace('\n', " | ");
    let end: String = complaint.chars().rev().take(600).collect::<Vec<_>>().into_iter().rev().collect();
    Err(format!("'{what}' failed ({end})"))
}

/// A table of all files, as Rust.
fn embed(built: &Path) -> String {
    let mut files = Vec::new();
    collect(built, &mut files);
    files.sort();
    let mut code = String::from(
        "pub(super) const MISSING: Option<&str> = None;\npub(super) static ASSETS: &[Asset] = &[\n",
    );
    for file in files.iter().filter(|file| !matches!(ending(file), "br" | "gz")) {
        let packed = |end: &str| {
            let packed = PathBuf::from(format!("{}.{end}", file.display()));
            match files.contains(&packed) {
                true => format!("Some(include_bytes!({:?}))", packed.display().to_string()),
                false => "None".to_owned(),
            }
        };
        let path = file.strip_prefix(built).expect("a file of the app").to_string_lossy().replace('\\', "/");
        code.push_str(&format!(
            "    Asset {{ path: {:?}, kind: {:?}, plain: include_bytes!({:?}), brotli: {}, gzip: {} }},\n",
            format!("/{path}"),
            media_type(file),
            file.display().to_string(),
            packed("br"),
            packed("gz"),
        ));
    }
    code.push_str("];\n");
    code
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.path() {
            path if path.is_dir() => collect(&path, files),
            path => files.push(path),
        }
    }
}
