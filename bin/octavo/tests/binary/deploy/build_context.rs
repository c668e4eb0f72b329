//! The files that `.dockerignore` leaves to the build of the image.

use std::{
    fs,
    path::{Component, Path, PathBuf},
};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// What cargo reads before it compiles anything, and `build.rs` of the store.
const NEEDED: &[&str] =
    &["Cargo.toml", "Cargo.lock", ".cargo/config.toml", "bin/octavo/Cargo.toml", "migrations/sqlite"];

/// Macros that read a file into the program. The path of the first ones is relative to the file that names it, that of
/// the last one to its crate.
const OF_FILE: &[&str] = &["include_str!(", "include_bytes!("];
const OF_CRATE: &[&str] = &["embed_migrations!("];

/// A line of the file, which excludes paths or includes them again.
struct Rule {
    excludes: bool,
    pattern: Vec<String>,
}

fn rules(text: &str) -> Vec<Rule> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let rule = |line: &str| {
        let pattern = line.strip_prefix('!').unwrap_or(line);
        Rule { excludes: pattern == line, pattern: pattern.split('/').map(str::to_owned).collect() }
    };
    lines.map(rule).collect()
}

/// Whether a path is left out. The last rule for it or for a folder above it decides.
fn is_ignored(rules: &[Rule], path: &str) -> bool {
    let path: Vec<_> = path.split('/').collect();
    rules.iter().rev().find(|rule| fits(&rule.pattern, &path)).is_some_and(|rule| rule.excludes)
}

/// Whether a pattern names a path or a folder above it.
fn fits(pattern: &[String], path: &[&str]) -> bool {
    match pattern.split_first() {
        None => true,
        Some((first, rest)) if first == "**" => (0..=path.len()).any(|skipped| fits(rest, &path[skipped..])),
        Some((first, rest)) => {
            path.split_first().is_some_and(|(name, below)| is_named(first, name) && fits(rest, below))
        }
    }
}

fn is_named(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, end)) => name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end),
    }
}

/// The sources of the program, relative to the root. Modules for tests are not compiled into it.
fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for group in ["bin", "crates"] {
        for entry in fs::read_dir(format!("{ROOT}/{group}")).unwrap() {
            let name = entry.unwrap().file_name();
            for folder in ["src", "vendor"] {
                walk(&Path::new(group).join(&name).join(folder), &mut found);
            }
        }
    }
    found
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(Path::new(ROOT).join(folder)) else { return };
    for entry in entries.map(Result::unwrap) {
        let path = folder.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            if !path.ends_with("tests") {
                walk(&path, found);
            }
        } else if path.extension().is_some_and(|kind| kind == "rs") && !path.ends_with("fuzz.rs") {
            found.push(path);
        }
    }
}

/// The paths that the macros of a source name, relative to the root. Where a name is put together, it is the path of
/// the folder.
fn included(source: &Path) -> Vec<String> {
    let text = fs::read_to_string(Path::new(ROOT).join(source)).unwrap();
    let crate_folder: PathBuf = source.components().take(2).collect();
    let mut found = Vec::new();
    for (macros, base) in [(OF_FILE, source.parent().unwrap()), (OF_CRATE, crate_folder.as_path())] {
        for rest in macros.iter().flat_map(|name| text.split(*name).skip(1)) {
            let argument = rest.trim_start().trim_start_matches("concat!(").trim_start();
            if let Some((path, _)) = argument.strip_prefix('"').and_then(|literal| literal.split_once('"')) {
                found.push(normal(&base.join(path)));
            }
        }
    }
    found
}

/// A path without `..` and without a slash at its end.
fn normal(path: &Path) -> String {
    let mut names: Vec<&str> = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => names.push(name.to_str().unwrap()),
            Component::ParentDir => {
                names.pop();
            }
            _ => {}
        }
    }
    names.join("/")
}

#[test]
fn the_build_of_the_image_gets_every_file_that_the_program_includes() {
    let rules = rules(&fs::read_to_string(format!("{ROOT}/.dockerignore")).unwrap());
    let mut needed: Vec<String> = NEEDED.iter().map(|path| (*path).to_owned()).collect();
    for source in sources() {
        needed.extend(included(&source));
        needed.push(normal(&source));
    }
    for known in ["docs/guides", "migrations/postgres", "crates/server/src/docs_page/start.js"] {
        assert!(needed.iter().any(|path| path == known), "{known} was not found");
    }
    for path in &needed {
        assert!(Path::new(ROOT).join(path).exists(), "{path} does not exist");
        assert!(!is_ignored(&rules, path), "{path} is ignored");
    }
    for unwanted in [".git/config", "deploy/secrets/jwt_secret", "docs/openapi.yaml", "target/release/octavo"] {
        assert!(is_ignored(&rules, unwanted), "{unwanted} is not ignored");
    }
}
