//! Whatever is sent for a block is refused, or is a block that Markdown can tell.
//!
//! The first byte chooses the type, the rest is the JSON of content and properties.
#![no_main]

use libfuzzer_sys::fuzz_target;
use octavo_blocks_tree::{Body, Kind, Piece, RichText, markdown};
use serde_json::Value;

fuzz_target!(|sent: &[u8]| {
    let Some((kind, json)) = sent.split_first() else { return };
    let Ok(keys) = serde_json::from_slice::<Value>(json) else { return };
    let kind = Kind::ALL[usize::from(*kind) % Kind::ALL.len()];
    let Ok(body) = Body::read(kind, Some(&keys), Some(&keys), "block") else { return };
    if let Some(text) = body.text() {
        assert_eq!(RichText::from_stored(&text.to_json()), text);
    }
    for other in Kind::ALL {
        let _ = body.turned_into(*other);
    }
    let pieces = vec![Piece::new(body)];
    assert_eq!(markdown::read(&markdown::write(&pieces)), Ok(pieces));
});
