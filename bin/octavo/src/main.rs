//! Passes arguments, environment and files of the process to the library. Nothing else reads them.

use octavo::{
    run,
    start::{Start, start},
};
use std::{
    fs::File,
    io::{self, Read},
    path::Path,
    process::ExitCode,
};

/// Gives the memory of long documents back to the system within seconds, also while the server is idle. The allocator
/// of the C library keeps hundreds of megabytes after a few parallel imports. It is replaced for SQLite too
/// (`unprefixed_malloc_on_supported_platforms`).
#[cfg(all(feature = "jemalloc", target_os = "linux", target_env = "gnu"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Settings and keys are small. The limit stops a device or a wrong path from filling the memory.
const LARGEST_FILE: u64 = 1 << 20;

fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    File::open(path)?.take(LARGEST_FILE + 1).read_to_end(&mut content)?;
    if content.len() as u64 > LARGEST_FILE { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(content) }
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that reads the environment")]
fn main() -> ExitCode {
    match start(std::env::args_os().skip(1).collect(), std::env::vars_os().collect(), &read_file) {
        Start::Print(text) => match run::print(&text) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        Start::Refuse(lines) => {
            run::complain(&lines);
            ExitCode::from(2)
        }
        Start::Run(ready) => run::run(*ready),
    }
}
