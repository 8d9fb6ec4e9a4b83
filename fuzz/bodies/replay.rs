// SPDX-License-Identifier: GPL-3.0-or-later
//! The corpus of a fuzz target as an ordinary test; `cargo xtask fuzz` looks for new inputs.

use std::{fs, panic, path::Path};

/// Gives every input of a corpus to the body of its target. `least` is how many there must be: an empty folder proves
/// nothing.
pub(crate) fn replay(target: &str, least: usize, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut inputs = 0;
    for entry in fs::read_dir(&folder).expect("folder of the corpus") {
        let path = entry.expect("entry of the corpus").path();
        let bytes = fs::read(&path).expect("input of the corpus");
        let outcome = panic::catch_unwind(|| check(&bytes));
        assert!(outcome.is_ok(), "input {} fails", path.display());
        inputs += 1;
    }
    assert!(inputs >= least, "only {inputs} inputs in {}", folder.display());
}
