//! The members of the workspace, as cargo describes them.

use crate::process;
use anyhow::{Context as _, Result};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    pub(crate) target: PathBuf,
    pub(crate) members: Vec<Member>,
}

#[derive(Debug, Default)]
pub(crate) struct Member {
    pub(crate) name: String,
    /// Relative to the root, with `/` between the parts.
    pub(crate) folder: String,
    /// From `[package.metadata.octavo]`; absent is a fault that `check-layers` reports.
    pub(crate) layer: Option<u64>,
    pub(crate) pure: Option<bool>,
    pub(crate) has_library: bool,
    /// The names of the packages that it is built with, without those that only its tests use.
    pub(crate) built_with: Vec<String>,
}

impl Workspace {
    pub(crate) fn load() -> Result<Self> {
        let root = root()?;
        let mut command = process::cargo(&root);
        command.args(["metadata", "--format-version", "1", "--no-deps"]);
        Self::parse(&serde_json::from_str(&process::output(&mut command)?)?)
    }

    fn parse(metadata: &Value) -> Result<Self> {
        let root = PathBuf::from(text(metadata, "workspace_root")?);
        let target = PathBuf::from(text(metadata, "target_directory")?);
        let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
        let mut members = packages.iter().map(|package| member(&root, package)).collect::<Result<Vec<_>>>()?;
        members.sort_by(|a, b| a.folder.cmp(&b.folder));
        Ok(Self { root, target, members })
    }

    /// The member with this name; the common prefix may be left out.
    pub(crate) fn member(&self, name: &str) -> Result<&Member> {
        let named = |wanted: &str| self.members.iter().find(|member| member.name == wanted);
        let found = named(name).or_else(|| named(&format!("octavo-{name}")));
        found.with_context(|| format!("the workspace has no crate {name}"))
    }

    pub(crate) fn pure_members(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| member.pure == Some(true))
    }

    pub(crate) fn read(&self, path: &str) -> Result<String> {
        fs::read_to_string(self.root.join(path)).with_context(|| path.to_owned())
    }
}

/// Uses the folder of this crate at run time: a binary that was built in one clone may run in another one.
fn root() -> Result<PathBuf> {
    let own = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    Ok(own.parent().context("xtask is not in a workspace")?.to_owned())
}

fn member(root: &Path, package: &Value) -> Result<Member> {
    let manifest = PathBuf::from(text(package, "manifest_path")?);
    let folder = manifest.parent().and_then(|folder| folder.strip_prefix(root).ok());
    let folder = folder.with_context(|| format!("{} is outside the workspace", manifest.display()))?;
    let kinds = |target: &Value| target["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "lib"));
    Ok(Member {
        name: text(package, "name")?.to_owned(),
        folder: folder.to_string_lossy().replace('\\', "/"),
        layer: package["metadata"]["octavo"]["layer"].as_u64(),
        pure: package["metadata"]["octavo"]["pure"].as_bool(),
        has_library: list(package, "targets").iter().any(kinds),
        built_with: built_with(package),
    })
}

fn built_with(package: &Value) -> Vec<String> {
    let used = list(package, "dependencies").iter().filter(|dependency| dependency["kind"] != "dev");
    used.filter_map(|dependency| dependency["name"].as_str()).map(str::to_owned).collect()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str> {
    value[key].as_str().with_context(|| format!("cargo metadata lacks {key}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use serde_json::json;

    fn example() -> Workspace {
        let package = json!({
            "name": "octavo-app",
            "manifest_path": "/w/crates/app/Cargo.toml",
            "metadata": { "octavo": { "layer": 3, "pure": true } },
            "targets": [{ "kind": ["lib"] }],
            "dependencies": [
                { "name": "octavo-ports", "kind": null },
                { "name": "octavo-testkit", "kind": "dev" },
                { "name": "cc", "kind": "build" }
            ]
        });
        let bare = json!({ "name": "xtask", "manifest_path": "/w/xtask/Cargo.toml", "metadata": null });
        let metadata = json!({ "workspace_root": "/w", "target_directory": "/t", "packages": [bare, package] });
        Workspace::parse(&metadata).unwrap()
    }

    #[test]
    fn members_carry_their_layer_and_what_they_are_built_with() {
        let workspace = example();
        let app = &workspace.members[0];
        assert_eq!(
            (app.folder.as_str(), app.layer, app.pure, app.has_library),
            ("crates/app", Some(3), Some(true), true)
        );
        assert_eq!(app.built_with, ["octavo-ports", "cc"]);
        assert_eq!((workspace.members[1].layer, workspace.members[1].has_library), (None, false));
    }

    #[test]
    fn a_member_is_found_by_its_full_or_short_name() {
        let workspace = example();
        assert_eq!(workspace.member("app").unwrap().name, "octavo-app");
        assert_eq!(workspace.member("octavo-app").unwrap().name, "octavo-app");
        assert!(workspace.member("nothing").is_err());
    }
}
