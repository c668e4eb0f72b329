//! `cargo xtask licenses`: checks that everything we build with may be redistributed with Octavo.

mod expression;

use crate::workspace::Workspace;
use crate::{no_arguments, process, refuse};
use anyhow::{Context as _, Result};
use serde_json::Value;
use std::fs;

/// The packages of npm in the viewer of the API reference.
const VENDORED: &str = "crates/server/vendor/viewer/packages.json";

pub(crate) fn run(arguments: lexopt::Parser) -> Result<()> {
    no_arguments(arguments)?;
    let root = Workspace::load()?.root;
    let mut metadata = process::cargo(&root);
    metadata.args(["metadata", "--format-version", "1"]);
    let metadata = serde_json::from_str::<Value>(&process::output(&mut metadata)?)?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let scripts = fs::read_to_string(root.join(VENDORED)).context(VENDORED)?;
    let scripts = serde_json::from_str::<Vec<Value>>(&scripts).context(VENDORED)?;
    println!("{} packages, {} in vendored files", packages.len(), scripts.len());
    let faults = [faults(packages), faults(&scripts)].concat();
    refuse("packages without a permissive licence", &faults)
}

fn faults(packages: &[Value]) -> Vec<String> {
    let fault = |package: &Value| {
        let verdict = match package["license"].as_str() {
            None => Err("names no licence".to_owned()),
            Some(license) => match expression::permits(license) {
                Ok(true) => Ok(()),
                Ok(false) => Err(license.to_owned()),
                Err(fault) => Err(format!("{license}: {fault}")),
            },
        };
        let name = package["name"].as_str().unwrap_or("?");
        let version = package["version"].as_str().unwrap_or("?");
        verdict.err().map(|fault| format!("{name} {version}: {fault}"))
    };
    packages.iter().filter_map(fault).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn offenders_are_named_with_their_licence() {
        let packages = [
            json!({ "name": "good", "version": "1.0.0", "license": "MIT OR Apache-2.0" }),
            json!({ "name": "bad", "version": "2.0.0", "license": "GPL-3.0-only" }),
            json!({ "name": "silent", "version": "3.0.0", "license": null }),
            json!({ "name": "odd", "version": "4.0.0", "license": "MIT OR" }),
        ];
        let faults = faults(&packages);
        assert_eq!(faults[..2], ["bad 2.0.0: GPL-3.0-only", "silent 3.0.0: names no licence"]);
        assert!(faults.len() == 3 && faults[2].starts_with("odd 4.0.0: MIT OR: "), "{faults:?}");
    }
}
