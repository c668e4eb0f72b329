//! Finds modules that use each other in a circle.
//!
//! The unit is a module among its siblings: what lies below a module counts as the module, and a module and its parent
//! may use each other. Code that is compiled for tests only does not count.
//!
//! Uses are read from the text: from each `use`, and from paths in code. A name that comes through `use x::*`, or from
//! a macro that another module declares, is not followed; nor is a method that a type has in another module.

mod exceptions;
mod graph;
mod parse;
mod resolve;
mod tokens;
mod tree;

use crate::project_files::ProjectFile;
pub(crate) use exceptions::Exception;

/// Checks a crate. `name` comes first in the names of its modules, `folder` is the one with its manifest, and `files`
/// are those of the whole workspace. `exceptions` are those of the crate.
pub(crate) fn faults(name: &str, folder: &str, files: &[ProjectFile], exceptions: &[Exception]) -> Vec<String> {
    let roots = ["lib.rs", "main.rs"].map(|file| format!("{folder}/src/{file}"));
    let uses = roots.iter().flat_map(|root| resolve::uses(name, &tree::Tree::of(root, files)));
    exceptions::faults(&uses.collect::<Vec<_>>(), exceptions)
}

#[cfg(test)]
mod tests {
    use super::fixture::files;
    use super::*;

    #[test]
    fn a_circle_is_reported_with_file_and_line_of_each_use() {
        let files = files(&[
            ("crates/app/src/lib.rs", "mod a;\nmod b;"),
            ("crates/app/src/a.rs", "//! A.\n\nuse crate::b::{\n    Y,\n    inner::Z,\n};"),
            ("crates/app/src/b/mod.rs", "mod inner;\npub struct Y;"),
            ("crates/app/src/b/inner.rs", "fn f() {\n    crate::a::g()\n}"),
        ]);
        let circle = "2 modules use each other in a circle\n      \
                      app::a uses app::b: crates/app/src/a.rs:4: crate::b::Y\n      \
                      app::b uses app::a: crates/app/src/b/inner.rs:2: crate::a::g";
        assert_eq!(faults("app", "crates/app", &files, &[]), [circle]);
        let exception = Exception { from: "app::b", to: "app::a", reason: "old" };
        assert_eq!(faults("app", "crates/app", &files, &[exception]), Vec::<String>::new());
    }

    #[test]
    fn the_library_and_the_program_of_a_crate_are_both_read() {
        let files = files(&[
            ("bin/x/src/lib.rs", "mod a { use crate::b::B; }\nmod b {}"),
            ("bin/x/src/main.rs", "mod c { use crate::d::D; }\nmod d { use crate::c::C; }"),
        ]);
        assert_eq!(faults("x", "bin/x", &files, &[]).len(), 1);
    }
}

#[cfg(test)]
mod fixture {
    use crate::project_files::ProjectFile;

    /// Files with their texts.
    pub(super) fn files(all: &[(&str, &str)]) -> Vec<ProjectFile> {
        all.iter().map(|&(path, text)| ProjectFile { path: path.to_owned(), text: text.to_owned() }).collect()
    }
}
