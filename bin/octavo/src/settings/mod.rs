//! Settings: read from flags, environment, named files and one TOML file, checked together, and typed from then on.
//!
//! [`table`] declares each setting; [`load`] is the only way to create [`Settings`]. Nothing here accesses the
//! process or the disk: `main` passes in the arguments, the environment and a function that reads files.

mod conflicts;
mod effective;
mod fault;
mod kinds;
mod mask;
mod private_key;
mod raw;
mod reader;
mod resolve;
mod row;
mod source;
mod sources;
pub mod table;
mod toml_file;
mod words;

#[cfg(test)]
mod tests;

pub use effective::Effective;
pub use fault::Fault;
pub use kinds::{CorsOrigins, DatabaseUrl, DeploymentKey, Origin};
pub use mask::Secrecy;
pub use resolve::{JwtKey, RateLimits, Settings};
pub use source::Source;
pub use sources::{ReadFile, Sources};
pub use words::Nodes;

use reader::Reader;
use table::Draft;

/// Valid settings and their sources.
#[derive(Debug)]
pub struct Loaded {
    pub settings: Settings,
    pub effective: Vec<Effective>,
}

/// Reads all settings, or returns everything that is wrong with them.
pub fn load(sources: &Sources<'_>) -> Result<Loaded, Vec<Fault>> {
    let rows = table::rows();
    let mut faults = Vec::new();
    let offers = sources::gather(sources, &rows, &mut faults);
    let draft = Draft::read(&mut Reader { offers: &offers, faults: &mut faults });
    conflicts::check(&draft, &offers, &mut faults);
    let private_key = private_key::read(&draft, sources.read, &mut faults);
    match resolve::resolve(draft, private_key) {
        Some(settings) if faults.is_empty() => {
            Ok(Loaded { effective: effective::of(&rows, &offers, &settings), settings })
        }
        _ => {
            faults.sort();
            faults.dedup();
            Err(faults)
        }
    }
}
