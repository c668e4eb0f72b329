//! The octavo binary as a library: command line, settings, data folder, log and wiring. `main.rs` only passes on the
//! process's arguments, environment and streams, so that everything else can be tested without a process.

mod background;
pub mod command;
mod compute;
pub mod data_dir;
pub mod logging;
pub mod run;
mod search_folder;
pub mod settings;
pub mod start;
mod wiring;
