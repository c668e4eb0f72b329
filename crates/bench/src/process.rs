//! Data about a process from Linux.

use anyhow::{Context as _, Result};
use std::fs;
use std::time::Duration;

/// The processor time that all threads of a process have used so far.
pub(crate) fn processor_time(process: u32) -> Result<Duration> {
    parse_processor_time(&fs::read_to_string(format!("/proc/{process}/stat"))?)
}

/// Linux counts in hundredths of a second on every architecture.
const TICK: Duration = Duration::from_millis(10);

fn parse_processor_time(stat: &str) -> Result<Duration> {
    // The name in parentheses may contain anything. The twelfth and thirteenth fields after it are user and system
    // time.
    let fields = stat.rsplit_once(')').context("an unreadable stat")?.1.split_whitespace().collect::<Vec<_>>();
    let ticks = |index: usize| fields.get(index).and_then(|field| field.parse::<u32>().ok()).context("a short stat");
    Ok(TICK * (ticks(11)? + ticks(12)?))
}

/// The memory of a process, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Memory {
    /// All resident memory, including pages of the program.
    pub(crate) resident: u64,
    /// Memory that it has written itself: heaps and stacks.
    pub(crate) anonymous: u64,
}

pub(crate) fn memory(process: u32) -> Result<Memory> {
    parse_memory(&fs::read_to_string(format!("/proc/{process}/status"))?)
}

fn parse_memory(status: &str) -> Result<Memory> {
    let bytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).with_context(|| format!("no {name}"))?;
        let kibibytes = line.trim().strip_suffix(" kB").context("memory is not given in kB")?;
        anyhow::Ok(kibibytes.parse::<u64>()? * 1024)
    };
    Ok(Memory { resident: bytes("VmRSS:")?, anonymous: bytes("RssAnon:")? })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn processor_time_is_read_behind_a_name_with_spaces() {
        let stat = "42 (a (b) c) S 1 42 42 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 4 0 100 1000 10";
        assert_eq!(parse_processor_time(stat).unwrap(), Duration::from_secs(3));
        assert!(parse_processor_time("42 (x) S 1").is_err());
    }

    #[test]
    fn memory_is_read_in_bytes() {
        let read = parse_memory("VmPeak:\t9 kB\nVmRSS:\t   1024 kB\nRssAnon:\t    512 kB\n").unwrap();
        assert_eq!(read, Memory { resident: 1_048_576, anonymous: 524_288 });
        assert!(parse_memory("VmRSS:\t9 kB\n").is_err());
    }

    #[test]
    fn this_process_can_be_read() {
        let process = std::process::id();
        assert!(memory(process).unwrap().resident > 100_000);
        assert!(processor_time(process).is_ok());
    }
}
