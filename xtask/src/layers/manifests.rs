//! Every crate must inherit its lints and the versions of its dependencies from the workspace.

pub(crate) fn faults(folder: &str, manifest: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if !settings(manifest).any(|(table, line)| table == "lints" && line == "workspace = true") {
        faults.push(format!("{folder}/Cargo.toml lacks `workspace = true` in [lints]"));
    }
    for (table, line) in settings(manifest) {
        if table.ends_with("dependencies") && !shares_its_version(line) {
            faults.push(format!("{folder}/Cargo.toml: `{line}` does not come from [workspace.dependencies]"));
        }
        // `[dependencies.name]` would need separate parsing; one form is enough.
        if table.contains("dependencies.") {
            faults.push(format!("{folder}/Cargo.toml: write [{table}] as one line"));
        }
    }
    faults
}

fn shares_its_version(line: &str) -> bool {
    let Some((name, value)) = line.split_once('=') else { return true };
    let value = value.trim();
    (name.trim().ends_with(".workspace") && value == "true") || value.contains("workspace = true")
}

/// The settings of a manifest, each with its table. Continued lines of a list have no `=`.
pub(super) fn settings(manifest: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut table = "";
    manifest.lines().filter_map(move |line| {
        let line = line.split(" #").next().unwrap_or_default().trim();
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            table = name;
            return None;
        }
        (!line.is_empty() && !line.starts_with('#')).then_some((table, line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
[package]
name = "octavo-app"
version.workspace = true

[lints]
workspace = true

[dependencies]
# Why.
serde.workspace = true
tokio = { workspace = true, features = ["sync"] } # for the queue
chrono = { workspace = true, features = [
    "alloc",
] }

[target.'cfg(unix)'.dev-dependencies]
tempfile.workspace = true
"#;

    #[test]
    fn a_crate_that_takes_everything_from_the_workspace_is_fine() {
        assert_eq!(faults("crates/app", GOOD), Vec::<String>::new());
    }

    #[test]
    fn own_lints_are_a_fault() {
        let own = GOOD.replace("[lints]\nworkspace = true", "[lints.rust]\nunsafe_code = \"allow\"");
        assert_eq!(faults("crates/app", &own), ["crates/app/Cargo.toml lacks `workspace = true` in [lints]"]);
    }

    #[test]
    fn an_own_version_is_a_fault_in_every_kind_of_table() {
        for line in ["serde = \"1\"", "serde = { version = \"1\" }", "serde.version = \"1\"", "x = { path = \"../x\" }"]
        {
            let normal = GOOD.replace("serde.workspace = true", line);
            assert_eq!(faults("f", &normal).len(), 1, "{line}");
            let of_tests = GOOD.replace("tempfile.workspace = true", line);
            assert_eq!(faults("f", &of_tests).len(), 1, "{line}");
        }
        assert!(!faults("f", &format!("{GOOD}\n[dependencies.serde]\nversion = \"1\"\n")).is_empty());
    }
}
