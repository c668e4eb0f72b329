//! Checks that the sources of a crate use each of its dependencies.

use super::manifests::settings;
use crate::project_files::ProjectFile;

/// `sources` are the files of the whole workspace. A dependency that is needed for another reason has a comment above
/// it that says so.
pub(crate) fn faults(folder: &str, manifest: &str, sources: &[ProjectFile]) -> Vec<String> {
    let included = included(folder, sources);
    let own = |below: &str| {
        let folder = format!("{folder}/{below}");
        sources.iter().filter(move |source| source.path.starts_with(&folder))
    };
    let is_unused = |table: &str, name: &str| {
        let krate = name.replace('-', "_");
        match table.rsplit('.').next() {
            Some("dependencies") => {
                !own("src/").chain(included.iter().copied()).any(|source| names(&source.text, &krate))
            }
            Some("build-dependencies") => !own("build").any(|source| names(&source.text, &krate)),
            Some("dev-dependencies") => !own("").any(|source| names(&source.text, &krate)),
            _ => false,
        }
    };
    let explained = explained(manifest);
    // A continued line of a list comes without `=`.
    let dependencies = settings(manifest).filter_map(|(table, line)| {
        let (key, _) = line.split_once('=')?;
        Some((table, key.split('.').next()?.trim()))
    });
    dependencies
        .filter(|(table, name)| is_unused(table, name) && !explained.contains(name))
        .map(|(table, name)| format!("{folder}/Cargo.toml: no source uses {name} of [{table}]"))
        .collect()
}

/// The files of folders outside of a crate that it includes: `#[path = "../../other/folder/mod.rs"]`.
fn included<'a>(folder: &str, sources: &'a [ProjectFile]) -> Vec<&'a ProjectFile> {
    let (around, own) = (folder.rsplit_once('/').map_or("", |(around, _)| around), format!("{folder}/src/"));
    let own = sources.iter().filter(|source| source.path.starts_with(&own));
    let outside = own.flat_map(|source| source.text.lines().filter_map(|line| line.trim().strip_prefix(OUTSIDE)));
    let folders = outside.filter_map(|path| Some(format!("{around}/{}/", path.rsplit_once('/')?.0)));
    folders.flat_map(|folder| sources.iter().filter(move |source| source.path.starts_with(&folder))).collect()
}

/// How a path begins that leads from `src` of one crate to another one beside it.
const OUTSIDE: &str = "#[path = \"../../";

/// The dependencies below a comment.
fn explained(manifest: &str) -> Vec<&str> {
    let lines = manifest.lines().zip(manifest.lines().skip(1));
    let below = lines.filter(|(above, _)| above.starts_with('#')).map(|(_, below)| below);
    below.filter_map(|line| line.split(['.', '=']).next()).map(str::trim).collect()
}

/// Whether a source uses a crate: `name::`, `use name;`, `use name as`.
fn names(source: &str, name: &str) -> bool {
    source.match_indices(name).any(|(at, _)| {
        let (before, after) = (&source[..at], &source[at + name.len()..]);
        let is_whole = !before.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.');
        is_whole && (after.starts_with("::") || (before.ends_with("use ") && after.starts_with([';', ' '])))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "[package]\nname = \"octavo-app\"\n\n[dependencies]\nserde.workspace = true\n# For its feature alone.\nlib-sys = { workspace = true }\n\n\
                            [build-dependencies]\nzip.workspace = true\n\n[dev-dependencies]\ntemp-file.workspace = true\n";

    fn source(path: &str, text: &str) -> ProjectFile {
        ProjectFile { path: path.to_owned(), text: text.to_owned() }
    }

    fn found(app: &str, build: &str, test: &str) -> Vec<String> {
        let sources = [
            source("crates/app/src/lib.rs", app),
            source("crates/app/build.rs", build),
            source("crates/app/tests/a.rs", test),
            source("crates/application/src/lib.rs", "use serde::X; use zip::Y; use temp_file::Z;"),
        ];
        faults("crates/app", MANIFEST, &sources)
    }

    #[test]
    fn dependencies_that_are_used_or_explained_are_fine() {
        assert_eq!(
            found("use serde::Serialize;", "fn main() { zip::open() }", "use temp_file as t;"),
            Vec::<String>::new()
        );
        assert_eq!(found("use {serde::Serialize};", "use zip;", "mod a { ::temp_file::new!() }"), Vec::<String>::new());
    }

    #[test]
    fn each_dependency_that_no_source_of_its_kind_uses_is_a_fault() {
        let nothing = found("fn serde() { my_serde::a(); a.serde::<X>() }", "", "use serde::X; use zip::X;");
        let fault = |name: &str, table: &str| format!("crates/app/Cargo.toml: no source uses {name} of [{table}]");
        let expected = [
            fault("serde", "dependencies"),
            fault("zip", "build-dependencies"),
            fault("temp-file", "dev-dependencies"),
        ];
        assert_eq!(nothing, expected);
    }

    #[test]
    fn files_that_a_crate_includes_from_another_folder_count_as_its_own() {
        let manifest = "[dependencies]\nserde.workspace = true\n";
        let shared = source("crates/store/areas/pages.rs", "use serde::Serialize;");
        let including = source("crates/store-a/src/lib.rs", "#[path = \"../../store/areas/mod.rs\"]\nmod areas;");
        let without = source("crates/store-a/src/lib.rs", "mod areas;");
        assert_eq!(faults("crates/store-a", manifest, &[shared.clone(), including]), Vec::<String>::new());
        assert_eq!(faults("crates/store-a", manifest, &[shared, without]).len(), 1);
    }
}
