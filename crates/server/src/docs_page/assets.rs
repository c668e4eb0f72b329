//! The files that the reference loads. All of them are part of the program.

use super::viewer;
use crate::answer::Document;
use actix_web::web::Bytes;
use std::{
    borrow::Cow,
    collections::BTreeMap,
    path::Path,
    sync::{Arc, LazyLock},
};

/// Our own files. Scripts are separate files because the policy of the page allows no inline scripts.
const OWN: &[(&str, &str)] = &[
    ("accessible.js", include_str!("accessible.js")),
    ("nonce.js", include_str!("nonce.js")),
    ("page.css", include_str!("page.css")),
    ("start.js", include_str!("start.js")),
];

/// A digest of all files, which is part of the address of each. It changes with them, so browsers may cache them
/// forever.
pub(crate) static DIGEST: LazyLock<String> = LazyLock::new(|| {
    let own = OWN.iter().map(|(name, text)| (*name, text.as_bytes()));
    let mut hasher = blake3::Hasher::new();
    for (name, bytes) in own.chain(viewer::FILES.iter().copied()) {
        hasher.update(name.as_bytes()).update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    }
    hasher.finalize().to_hex()[..16].to_owned()
});

/// The address of a file, relative to the reference, which is at two places.
pub(super) fn address(file: &str) -> String {
    format!("docs/assets/{}/{file}", *DIGEST)
}

/// The scripts that the reference needs at once. The head of the page names them, so that the browser loads them in
/// parallel instead of discovering them one after another.
pub(super) fn first_scripts() -> impl Iterator<Item = &'static str> {
    OWN.iter().map(|(name, _)| *name).filter(|name| is_script(name)).chain(viewer::FIRST.iter().copied())
}

/// A file, if the digest is that of this program.
pub(crate) fn asset(digest: &str, path: &str) -> Option<Document> {
    if digest != *DIGEST {
        return None;
    }
    DOCUMENTS.get(path).cloned()
}

static DOCUMENTS: LazyLock<BTreeMap<&str, Document>> = LazyLock::new(|| {
    let own = OWN.iter().map(|(name, text)| (*name, document(name, text.as_bytes(), false)));
    own.chain(viewer::FILES.iter().map(|(name, bytes)| (*name, document(name, bytes, true)))).collect()
});

fn document(name: &str, bytes: &'static [u8], is_brotli: bool) -> Document {
    let media = if is_script(name) { "text/javascript; charset=utf-8" } else { "text/css; charset=utf-8" };
    let (body, policy) = (Bytes::from_static(bytes), Cow::Borrowed("default-src 'none'"));
    Document { media, body, policy, etag: None, is_brotli, encodings: Some(Arc::default()) }
}

/// The name of one of the viewer's scripts, as an example.
pub(crate) fn example_chunk() -> &'static str {
    viewer::FILES.iter().find_map(|(path, _)| path.strip_prefix("chunks/")).unwrap_or_default()
}

fn is_script(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|kind| kind == "js")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    /// The text of a file.
    fn text(path: &str) -> String {
        let document = asset(&DIGEST, path).unwrap_or_else(|| panic!("{path}"));
        if !document.is_brotli {
            return String::from_utf8(document.body.to_vec()).unwrap();
        }
        let mut decoded = Vec::new();
        brotli::BrotliDecompress(&mut &*document.body, &mut decoded).unwrap();
        String::from_utf8(decoded).unwrap()
    }

    /// The files that a script imports before it runs.
    fn imports(path: &str) -> Vec<String> {
        let text = text(path);
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let quoted = text.match_indices(".js\"").filter_map(|(end, _)| {
            let (before, name) = text[..end].rsplit_once('"')?;
            let is_import = ["from", "import"].iter().any(|word| before.trim_end().ends_with(word));
            (is_import && name.starts_with("./")).then(|| format!("{}.js", &name[2..]))
        });
        quoted.map(|name| if folder.is_empty() { name } else { format!("{folder}/{name}") }).collect()
    }

    #[test]
    fn scripts_import_only_files_that_the_page_names_in_its_head() {
        let first: Vec<_> = first_scripts().collect();
        let mut count = 0;
        for script in &first {
            for import in imports(script) {
                assert!(first.contains(&&*import), "{script} imports {import}");
                count += 1;
            }
        }
        assert!(count > 20, "{count}");
        assert!(imports("start.js").contains(&"standalone.esm.js".to_owned()));
    }

    #[test]
    fn files_of_another_release_are_not_served() {
        assert!(asset("0000000000000000", "start.js").is_none());
        assert!(asset(&DIGEST, "nothing.js").is_none());
    }

    /// An open part is as long as all others together.
    #[test]
    fn the_viewer_starts_with_all_parts_closed() {
        let start = text("start.js");
        assert!(start.contains("defaultOpenFirstTag: false") && !start.contains("defaultOpenAllTags: true"), "{start}");
        let known = text(viewer::FIRST.iter().find(|name| name.contains("standalone")).unwrap());
        assert!(known.contains("defaultOpenFirstTag"), "the viewer has renamed the setting");
    }

    /// With other settings it loads fonts, or sends requests and texts through services of its authors.
    #[test]
    fn the_viewer_is_told_to_contact_nobody() {
        let start = text("start.js");
        for setting in [
            "withDefaultFonts: false",
            "telemetry: false",
            "agent: { disabled: true }",
            "mcp: { disabled: true }",
            "hideClientButton: true",
            "showDeveloperTools: \"never\"",
            "persistAuth: false",
        ] {
            assert!(start.contains(setting), "{setting}");
        }
        assert!(!start.contains("proxy"), "{start}");
    }
}
