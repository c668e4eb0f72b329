//! Extracts the interactive page of the API description from its package, as files to embed in the binary.
//!
//! Its style sheet contains icons as `data:` addresses, which the page's content security policy forbids. They become
//! files too.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a build that cannot go on has to stop, and learns from its environment where to write"
)]

use base64::{Engine, engine::general_purpose::STANDARD};
use percent_encoding::percent_decode_str;
use std::{
    env,
    fmt::Write,
    fs,
    io::{Cursor, Read},
    path::PathBuf,
};
use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;
use zip::ZipArchive;

struct Asset {
    name: String,
    media: &'static str,
    bytes: Vec<u8>,
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let mut archive = ZipArchive::new(Cursor::new(SWAGGER_UI_VENDORED)).expect("the package holds an archive");
    let style = String::from_utf8(read(&mut archive, "swagger-ui.css")).expect("a style sheet is text");
    let (style, mut assets) = without_data_addresses(&style);
    assets.push(Asset { name: "swagger-ui.css".into(), media: "text/css; charset=utf-8", bytes: style.into_bytes() });
    for (name, media) in
        [("swagger-ui-bundle.js", "text/javascript; charset=utf-8"), ("favicon-32x32.png", "image/png")]
    {
        assets.push(Asset { name: name.into(), media, bytes: read(&mut archive, name) });
    }
    write_all(&assets);
}

fn read(archive: &mut ZipArchive<Cursor<&'static [u8]>>, name: &str) -> Vec<u8> {
    let wanted = format!("/dist/{name}");
    let is_wanted = |path: &String| path.ends_with(&wanted) && !path.contains("/flavors/");
    let path = archive.file_names().map(|path| path.unwrap().into_owned()).find(is_wanted);
    let path = path.expect("the archive holds the page");
    let mut bytes = Vec::new();
    archive.by_name(&path).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

/// Moves the data of each `url(data:...)` into a file, and refers to the file instead.
fn without_data_addresses(style: &str) -> (String, Vec<Asset>) {
    let (mut found, mut rest, mut assets) = (String::new(), style, Vec::new());
    while let Some(at) = rest.find("url(") {
        let (before, address) = rest.split_at(at + "url(".len());
        let quote = address.starts_with('"');
        let end = address.find(if quote { "\")" } else { ")" }).expect("an address ends");
        let text = address[..end].trim_start_matches('"');
        rest = &address[end + usize::from(quote)..];
        found.push_str(before);
        if let Some(data) = text.strip_prefix("data:") {
            let asset = icon(assets.len(), data);
            found.push_str(&asset.name);
            assets.push(asset);
        } else {
            write!(found, "\"{text}\"").unwrap();
        }
    }
    found.push_str(rest);
    (found, assets)
}

fn icon(number: usize, data: &str) -> Asset {
    let (kind, content) = data.split_once(',').expect("a data address has content");
    let (media, ending) = match kind.split(';').next().unwrap() {
        "image/svg+xml" => ("image/svg+xml", "svg"),
        "image/png" => ("image/png", "png"),
        "image/jpeg" => ("image/jpeg", "jpg"),
        other => panic!("the style sheet carries {other}"),
    };
    let bytes = if kind.ends_with(";base64") {
        STANDARD.decode(content).expect("base64")
    } else {
        // A quote inside a quoted address is escaped.
        percent_decode_str(&content.replace("\\\"", "\"")).collect()
    };
    Asset { name: format!("icon-{number}.{ending}"), media, bytes }
}

fn write_all(assets: &[Asset]) {
    let folder = PathBuf::from(env::var_os("OUT_DIR").unwrap());
    let mut list = String::from("&[\n");
    for Asset { name, media, bytes } in assets {
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        let literal = path.to_str().expect("a path in UTF-8");
        writeln!(list, "    ({name:?}, {media:?}, include_bytes!({literal:?})),").unwrap();
    }
    list.push(']');
    fs::write(folder.join("assets.rs"), list).unwrap();
}
