// SPDX-License-Identifier: GPL-3.0-or-later
//! The layer check: which crate may use which, compared with what the manifests say.
//!
//! Only what ends in the product counts: normal and build dependencies. Tests may use anything.

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::cargo;

/// What one crate may use.
struct Layer {
    name: &'static str,
    /// Crates of this workspace.
    inside: &'static [&'static str],
    /// Crates of others.
    outside: &'static [&'static str],
}

/// The direction of dependencies, lowest layer first; ARCHITECTURE.md gives the reasons.
const LAYERS: &[Layer] = &[
    Layer { name: "rules", inside: &[], outside: &["thiserror"] },
    Layer { name: "protocol", inside: &["rules"], outside: &["thiserror"] },
    Layer { name: "contest", inside: &["rules"], outside: &[] },
    Layer {
        name: "formats",
        inside: &["rules"],
        outside: &["thiserror", "bzip2", "flate2", "memchr", "pgn-reader", "ruzstd", "zstd"],
    },
    Layer { name: "features", inside: &["rules"], outside: &["thiserror"] },
    Layer { name: "nnue", inside: &["rules", "features"], outside: &["thiserror", "ruzstd", "libc"] },
    Layer {
        name: "engine",
        inside: &["rules", "protocol", "features", "nnue"],
        outside: &["thiserror", "shakmaty", "shakmaty-syzygy"],
    },
    Layer {
        name: "arena",
        inside: &["rules", "protocol", "formats", "contest", "engine"],
        outside: &["thiserror", "serde_json"],
    },
    Layer {
        name: "trainer",
        inside: &["rules", "formats", "features", "nnue"],
        outside: &["thiserror", "serde", "toml", "rayon", "cudarc"],
    },
    Layer {
        name: "plot",
        inside: &[],
        outside: &["thiserror", "plotters", "plotters-backend", "tiny-skia", "ttf-parser"],
    },
    Layer {
        name: "data",
        inside: &["rules", "protocol", "formats", "contest", "features", "engine", "arena"],
        outside: &["thiserror", "serde_json"],
    },
    Layer {
        name: "server",
        inside: &["rules", "formats", "features", "nnue", "engine"],
        outside: &["thiserror", "serde", "serde_json", "axum", "tokio", "futures-util", "sqlx"],
    },
    Layer {
        name: "nue",
        inside: &[
            "rules", "protocol", "formats", "contest", "features", "nnue", "engine", "arena", "trainer",
            "plot", "data", "server",
        ],
        outside: &["anyhow", "clap", "indicatif", "serde_json", "tokio"],
    },
    Layer { name: "xtask", inside: &[], outside: &["anyhow", "clap", "serde_json"] },
];

/// Checks the workspace; fails with the list of everything that is not allowed.
pub(crate) fn run() -> anyhow::Result<()> {
    let violations = violations(&cargo::metadata()?, LAYERS)?;
    ensure!(violations.is_empty(), "dependencies against the layers:\n  {}", violations.join("\n  "));
    println!("every dependency follows the layers");
    Ok(())
}

fn violations(metadata: &Value, layers: &[Layer]) -> anyhow::Result<Vec<String>> {
    let packages = metadata["packages"].as_array().context("metadata without packages")?;
    let mut found = Vec::new();
    for package in packages {
        let name = text(package, "name")?;
        let Some(layer) = layers.iter().find(|layer| layer.name == name) else {
            found.push(format!("{name} has no place in the table of layers"));
            continue;
        };
        for dependency in package["dependencies"].as_array().context("package without dependencies")? {
            let used = text(dependency, "name")?;
            let (allowed, kind) = match &dependency["path"] {
                Value::Null => (layer.outside, "the outside crate"),
                _ => (layer.inside, "the crate"),
            };
            if dependency["kind"] != "dev" && !allowed.contains(&used) {
                found.push(format!("{name} must not use {kind} {used}"));
            }
        }
    }
    Ok(found)
}

fn text<'a>(value: &'a Value, key: &str) -> anyhow::Result<&'a str> {
    value[key].as_str().with_context(|| format!("metadata without '{key}'"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A package with one dependency on a crate of the workspace (`inside`) or of others.
    fn package(name: &str, used: &str, kind: Value, inside: bool) -> Value {
        let path = if inside { json!(format!("/house/crates/{used}")) } else { Value::Null };
        json!({ "name": name, "dependencies": [{ "name": used, "kind": kind, "path": path }] })
    }

    fn check(package: Value) -> Vec<String> {
        violations(&json!({ "packages": [package] }), LAYERS).unwrap()
    }

    #[test]
    fn listed_edges_pass() {
        assert!(check(package("engine", "rules", Value::Null, true)).is_empty());
        assert!(check(package("rules", "thiserror", Value::Null, false)).is_empty());
    }

    #[test]
    fn an_edge_up_the_layers_fails() {
        let found = check(package("rules", "engine", Value::Null, true));
        assert_eq!(found, ["rules must not use the crate engine"]);
    }

    #[test]
    fn build_dependencies_count() {
        let found = check(package("features", "protocol", json!("build"), true));
        assert_eq!(found, ["features must not use the crate protocol"]);
    }

    #[test]
    fn an_unlisted_outside_crate_fails() {
        let found = check(package("protocol", "tokio", Value::Null, false));
        assert_eq!(found, ["protocol must not use the outside crate tokio"]);
    }

    #[test]
    fn an_outside_crate_cannot_pass_by_an_inside_name() {
        assert_eq!(check(package("protocol", "rules", Value::Null, false)).len(), 1);
    }

    #[test]
    fn tests_may_use_anything() {
        assert!(check(package("rules", "cozy-chess", json!("dev"), false)).is_empty());
    }

    #[test]
    fn a_crate_without_a_layer_fails() {
        let found = check(package("util", "rules", Value::Null, true));
        assert_eq!(found, ["util has no place in the table of layers"]);
    }
}
