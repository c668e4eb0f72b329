//! Finds modules that use each other in a circle.
//!
//! The unit is a module among its siblings: what lies below a module counts as the module, and a module and its parent
//! may use each other.

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
mod fixture {
    use crate::project_files::ProjectFile;

    /// Files with their texts.
    pub(super) fn files(all: &[(&str, &str)]) -> Vec<ProjectFile> {
        all.iter().map(|&(path, text)| ProjectFile { path: path.to_owned(), text: text.to_owned() }).collect()
    }
}
