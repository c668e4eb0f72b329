//! The machine that the figures belong to.

use crate::sample::percentile;
use anyhow::Result;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// Cores, processor, memory and kernel in one line.
pub(crate) fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let read = |file| fs::read_to_string(file).unwrap_or_default();
    let memory = gibibytes(&read("/proc/meminfo"));
    let (processor, kernel) = (processor(&read("/proc/cpuinfo")), read("/proc/sys/kernel/osrelease"));
    format!("{cores} cores of {processor}, {memory} GiB of memory, Linux {}", kernel.trim())
}

fn processor(cpuinfo: &str) -> String {
    let mut models = cpuinfo.lines().filter_map(|line| line.strip_prefix("model name"));
    models.next().map_or("an unnamed processor", |rest| rest.trim_start_matches([' ', '\t', ':'])).to_owned()
}

fn gibibytes(meminfo: &str) -> u64 {
    let total = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:")).unwrap_or_default();
    let kibibytes = total.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or_default();
    // The kernel reserves a little memory: 24 GiB are reported as 23.5.
    kibibytes.div_ceil(1024 * 1024)
}

/// How long the disk takes to make four kibibytes durable, which bounds every durable write.
pub(crate) fn sync_time(folder: &Path) -> Result<Duration> {
    const WRITES: usize = 50;
    let path = folder.join("sync");
    let mut file = File::create(&path)?;
    let mut times = Vec::with_capacity(WRITES);
    for _ in 0..WRITES {
        let started = Instant::now();
        file.write_all(&[1; 4096])?;
        file.sync_data()?;
        times.push(started.elapsed());
    }
    fs::remove_file(path)?;
    Ok(percentile(&mut times, 0.5))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn the_disk_is_timed_and_left_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        assert!(sync_time(folder.path()).unwrap() > Duration::ZERO);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn the_machine_is_described_from_what_the_kernel_lists() {
        assert_eq!(processor("processor\t: 0\nmodel name\t: Some CPU 3\nmodel name\t: x\n"), "Some CPU 3");
        assert_eq!(processor(""), "an unnamed processor");
        assert_eq!(gibibytes("MemTotal:       24600000 kB\nMemFree: 1 kB\n"), 24);
        assert!(describe().contains("cores"));
    }
}
