//! Any text reads, and what it means reads back from what is written of it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use octavo_blocks_tree::markdown::{read, write};

fuzz_target!(|text: &str| {
    if let Ok(pieces) = read(text) {
        assert_eq!(read(&write(&pieces)), Ok(pieces));
    }
});
