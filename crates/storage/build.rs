//! Rebuilds when a migration comes or changes: they are embedded by a macro that cargo cannot look into.

fn main() {
    println!("cargo::rerun-if-changed=../../migrations");
}
