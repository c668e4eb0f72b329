//! The modules of one crate, found as the compiler finds them: from the root along each `mod`.

use super::parse::{Declared, Import, Mention, Parsed, parse};
use crate::project_files::ProjectFile;
use std::collections::BTreeMap;

/// The names of a module from the root of its crate, which is empty.
pub(super) type Path = Vec<String>;

#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) modules: BTreeMap<Path, Module>,
}

#[derive(Debug, Default)]
pub(super) struct Module {
    pub(super) file: String,
    pub(super) imports: Vec<Import>,
    pub(super) mentions: Vec<Mention>,
}

impl Tree {
    /// `root` is the path of `lib.rs` or `main.rs`.
    pub(super) fn of(root: &str, files: &[ProjectFile]) -> Self {
        let texts = files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
        let mut walk = Walk { texts, tree: Self::default() };
        walk.visit(root, &Path::new(), folder_of(root));
        walk.tree
    }
}

struct Walk<'a> {
    texts: BTreeMap<&'a str, &'a str>,
    tree: Tree,
}

impl Walk<'_> {
    /// Reads a file and the modules that it declares, which are in `folder` unless they say otherwise.
    fn visit(&mut self, file: &str, module: &Path, folder: &str) {
        let Some(parsed) = self.texts.get(file).map(|text| parse(text)) else { return };
        if parsed.is_test {
            return;
        }
        let declared = self.note(file, module, parsed);
        let mut folders = BTreeMap::from([(Path::new(), folder.to_owned())]);
        for Declared { within, name, path, is_inline } in declared {
            let Some(around) = folders.get(&within).cloned() else { continue };
            let child = joined(&within, [name.clone()]);
            if is_inline {
                folders.insert(child, format!("{around}/{}", path.unwrap_or(name)));
                continue;
            }
            let child = joined(module, child);
            if let Some(path) = path {
                let start = if within.is_empty() { folder_of(file) } else { &around };
                let file = plain(&format!("{start}/{path}"));
                self.visit(&file, &child, folder_of(&file));
            } else {
                let own = format!("{around}/{name}");
                let (flat, nested) = (format!("{own}.rs"), format!("{own}/mod.rs"));
                let file = if self.texts.contains_key(flat.as_str()) { flat } else { nested };
                self.visit(&file, &child, &own);
            }
        }
    }

    /// Adds the module of a file and those that are written in it. Returns what the file declares.
    fn note(&mut self, file: &str, module: &Path, parsed: Parsed) -> Vec<Declared> {
        self.module(file, module, Path::new());
        for declared in parsed.modules.iter().filter(|declared| declared.is_inline) {
            self.module(file, module, joined(&declared.within, [declared.name.clone()]));
        }
        for import in parsed.imports {
            self.module(file, module, import.within.clone()).imports.push(import);
        }
        for mention in parsed.mentions {
            self.module(file, module, mention.within.clone()).mentions.push(mention);
        }
        parsed.modules
    }

    fn module(&mut self, file: &str, module: &Path, within: Path) -> &mut Module {
        let found = self.tree.modules.entry(joined(module, within)).or_default();
        if found.file.is_empty() {
            file.clone_into(&mut found.file);
        }
        found
    }
}

pub(super) fn joined(path: &[String], more: impl IntoIterator<Item = String>) -> Path {
    path.iter().cloned().chain(more).collect()
}

fn folder_of(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Resolves `..` in a path.
fn plain(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circles::fixture::files;

    fn modules(all: &[(&str, &str)]) -> Vec<(String, String)> {
        let tree = Tree::of("c/src/lib.rs", &files(all));
        tree.modules.into_iter().map(|(path, module)| (path.join("::"), module.file)).collect()
    }

    fn listed(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|&(path, file)| (path.to_owned(), file.to_owned())).collect()
    }

    #[test]
    fn modules_are_files_folders_and_parts_of_files() {
        let found = modules(&[
            ("c/src/lib.rs", "mod a; mod b; mod c { mod d; }"),
            ("c/src/a.rs", ""),
            ("c/src/b/mod.rs", "mod e;"),
            ("c/src/b/e.rs", ""),
            ("c/src/c/d.rs", ""),
            ("c/src/stray.rs", ""),
        ]);
        let expected = [
            ("", "c/src/lib.rs"),
            ("a", "c/src/a.rs"),
            ("b", "c/src/b/mod.rs"),
            ("b::e", "c/src/b/e.rs"),
            ("c", "c/src/lib.rs"),
            ("c::d", "c/src/c/d.rs"),
        ];
        assert_eq!(found, listed(&expected));
    }

    #[test]
    fn a_folder_that_is_compiled_twice_is_two_modules() {
        let engine = |name: &str| format!("#[path = \"engine\"] mod {name} {{ #[path = \"mod.rs\"] mod own; }}");
        let found = modules(&[
            ("c/src/lib.rs", &(engine("x") + &engine("y"))),
            ("c/src/engine/mod.rs", "mod a;"),
            ("c/src/engine/a.rs", "#[path = \"../other.rs\"] mod b;"),
            ("c/src/other.rs", ""),
        ]);
        let paths = found.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>();
        let expected = ["", "x", "x::own", "x::own::a", "x::own::a::b", "y", "y::own", "y::own::a", "y::own::a::b"];
        assert_eq!(paths, expected);
    }

    #[test]
    fn modules_of_tests_are_left_out() {
        let found = modules(&[
            ("c/src/lib.rs", "#[cfg(test)] mod tests; #[cfg(test)] mod more {} mod a; mod b;"),
            ("c/src/tests.rs", ""),
            ("c/src/a.rs", "#![cfg(test)]"),
            ("c/src/b.rs", ""),
        ]);
        assert_eq!(found, listed(&[("", "c/src/lib.rs"), ("b", "c/src/b.rs")]));
    }
}
