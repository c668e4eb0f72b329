//! Measures formulas next to other crates: `cargo bench` in this folder.
