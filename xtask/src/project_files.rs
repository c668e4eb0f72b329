//! The files of the project, without build output and hidden folders.

use anyhow::Result;
use std::fs;
use std::path::Path;

/// A text file: its path relative to the root, and its content.
#[derive(Debug, Clone)]
pub(crate) struct ProjectFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Every file with this extension, sorted by path.
///
/// Walks the folders instead of asking git, so that an unpacked archive is checked like a clone.
pub(crate) fn with_extension(root: &Path, extension: &str) -> Result<Vec<ProjectFile>> {
    let mut found = Vec::new();
    walk(root, "", extension, &mut found)?;
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

fn walk(folder: &Path, prefix: &str, extension: &str, found: &mut Vec<ProjectFile>) -> Result<()> {
    // Cargo marks its target folders with this file, wherever they are.
    if folder.join("CACHEDIR.TAG").exists() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            if !name.starts_with('.') && name != "octavo-data" && name != "node_modules" {
                walk(&path, &format!("{prefix}{name}/"), extension, found)?;
            }
        } else if path.extension().is_some_and(|own| own == extension) {
            found.push(ProjectFile { path: format!("{prefix}{name}"), text: fs::read_to_string(&path)? });
        }
    }
    Ok(())
}
