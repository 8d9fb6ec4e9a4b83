// SPDX-License-Identifier: GPL-3.0-or-later
//! The messages for TypeScript. The file in `web/` is what this writes, or the test fails.

use std::{collections::BTreeMap, env, fs, path::Path};

use ts_rs::{Config, TS, TypeVisitor};

use super::{ClientMessage, GameList, Imported, ServerMessage, StudyList};

const HEADING: &str = "// SPDX-License-Identifier: GPL-3.0-or-later
// Generated from crates/server/src/message by `cargo xtask messages`; changes belong there.
";

/// Every type that the visited ones are made of, by name.
struct Declarations<'a> {
    config: &'a Config,
    found: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if T::output_path().is_none() {
            return;
        }
        let name = T::ident(self.config);
        if self.found.contains_key(&name) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        let text = format!("{docs}export {}\n", T::decl(self.config));
        self.found.insert(name, text);
        T::visit_dependencies(self);
    }
}

fn generated() -> String {
    let config = Config::default().with_large_int("number");
    let mut declarations = Declarations { config: &config, found: BTreeMap::new() };
    declarations.visit::<ClientMessage>();
    declarations.visit::<ServerMessage>();
    declarations.visit::<GameList>();
    declarations.visit::<StudyList>();
    declarations.visit::<Imported>();
    let types: Vec<String> = declarations.found.into_values().collect();
    format!("{HEADING}\n{}", types.join("\n"))
}

#[test]
fn the_typescript_file_is_what_the_types_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/lib/messages.ts");
    let text = generated();
    if env::var_os("NUE_WRITE_MESSAGES").is_some() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder of the file");
        fs::write(&path, &text).expect("the file is written");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == text, "web/src/lib/messages.ts is out of date: run `cargo xtask messages`");
}
