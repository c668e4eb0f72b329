//! Any HTML reads, and what is read can be told in Markdown and in HTML.
#![no_main]

use libfuzzer_sys::fuzz_target;
use octavo_blocks_tree::{html, markdown};

fuzz_target!(|text: &str| {
    if let Ok((title, pieces)) = html::read(text) {
        assert_eq!(markdown::read(&markdown::write(&pieces)).as_ref(), Ok(&pieces));
        let written = html::write(&title.unwrap_or_default(), &pieces, &|id| Some(format!("/{id}")));
        assert!(html::read(&written).is_ok());
    }
});
