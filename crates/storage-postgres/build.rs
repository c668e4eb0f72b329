//! Rebuilds when a migration is added or changed: a macro embeds them, and cargo cannot see that.

fn main() {
    println!("cargo::rerun-if-changed=../../migrations/postgres");
}
