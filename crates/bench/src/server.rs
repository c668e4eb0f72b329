//! A server in a separate process, which is stopped when the value is dropped.

use crate::load::{Request, exchange};
use crate::process::{self, Memory};
use anyhow::{Result, bail};
use octavo_core_model::bucket::Bucket;
use std::fs::{self, File};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const READY_WITHIN: Duration = Duration::from_mins(1);
const ENDED_WITHIN: Duration = Duration::from_secs(40);
const POLL: Duration = Duration::from_micros(500);

/// The largest limit that a setting accepts. Buckets stay turned on, because counting is part of a request.
const HARDLY_LIMITED: &str = "1000000";

#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    /// Octavo with default settings, except for its limits.
    pub(crate) fn octavo(binary: &Path, folder: &Path, database: Option<&str>) -> Result<Self> {
        let mut command = Command::new(binary);
        command.arg("serve").env("OCTAVO_LISTEN", "127.0.0.1:0").env("OCTAVO_DATA_DIR", folder.join("data"));
        // Tokens name it as their issuer, and must stay valid when the server starts again on another port.
        command.env("OCTAVO_PUBLIC_URL", "http://localhost");
        if let Some(database) = database {
            command.env("OCTAVO_DATABASE_URL", database);
        }
        for bucket in Bucket::ALL {
            command.env(format!("OCTAVO_RATE_LIMIT_{}", bucket.name().to_uppercase()), HARDLY_LIMITED);
        }
        command.env("OCTAVO_LIMIT_WRITTEN_BYTES", "0");
        Self::start(command, folder)
    }

    pub(crate) fn bare(body_bytes: usize, folder: &Path) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["bare", "--body-bytes", &body_bytes.to_string()]);
        Self::start(command, folder)
    }

    /// Waits for the line with the address. Output goes to files, as on a real host; the process that makes the load
    /// would have to read a pipe.
    fn start(mut command: Command, folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder)?;
        let (output, errors) = (folder.join("stdout"), folder.join("stderr"));
        command.stdin(Stdio::null()).stdout(File::create(&output)?).stderr(File::create(&errors)?);
        let mut child = command.spawn()?;
        let deadline = Instant::now() + READY_WITHIN;
        loop {
            if let Some(address) = listening(&fs::read_to_string(&output)?) {
                return Ok(Self { child, address });
            }
            if let Some(status) = child.try_wait()? {
                bail!("a server ended with {status}: {}", last_words(&errors));
            }
            if Instant::now() > deadline {
                let _ = child.kill();
                bail!("a server is not ready after {READY_WITHIN:?}: {}", last_words(&errors));
            }
            std::thread::sleep(POLL);
        }
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Waits until it reports that it is ready.
    pub(crate) fn wait_until_ready(&self) -> Result<()> {
        let request = Request { method: "GET", path: "/health/ready", token: None, workspace: None, body: None };
        let deadline = Instant::now() + READY_WITHIN;
        loop {
            match exchange(self.address, &request) {
                Ok((200, _)) => return Ok(()),
                other if Instant::now() > deadline => bail!("not ready: {other:?}"),
                _ => std::thread::sleep(POLL),
            }
        }
    }

    /// Stops it as an operator would.
    pub(crate) fn stop(mut self) -> Result<()> {
        Command::new("kill").args(["-TERM", &self.process().to_string()]).status()?;
        let deadline = Instant::now() + ENDED_WITHIN;
        while self.child.try_wait()?.is_none() {
            if Instant::now() > deadline {
                bail!("a server did not end");
            }
            std::thread::sleep(POLL);
        }
        Ok(())
    }

    /// Its memory once that no longer changes.
    pub(crate) fn settled_memory(&self, quiet: Duration) -> Result<Memory> {
        let deadline = Instant::now() + READY_WITHIN;
        let (mut memory, mut since) = (process::memory(self.process())?, Instant::now());
        while since.elapsed() < quiet && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(100));
            let now = process::memory(self.process())?;
            if now != memory {
                (memory, since) = (now, Instant::now());
            }
        }
        Ok(memory)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The address in the first complete line with one.
fn listening(output: &str) -> Option<SocketAddr> {
    let lines = output.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    lines.filter_map(|line| line.split_once("http://")).find_map(|(_, rest)| {
        let end = rest.find(|letter: char| !(letter.is_ascii_digit() || letter == '.' || letter == ':'));
        rest[..end.unwrap_or(rest.len())].parse().ok()
    })
}

fn last_words(log: &PathBuf) -> String {
    let log = fs::read_to_string(log).unwrap_or_default();
    let lines = log.lines().collect::<Vec<_>>();
    lines[lines.len().saturating_sub(5)..].join(" | ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn the_address_is_found_in_the_start_line() {
        let line = "Octavo serves http://127.0.0.1:4117 (documentation: http://127.0.0.1:4117/docs)\n";
        assert_eq!(listening(line), Some("127.0.0.1:4117".parse().unwrap()));
        assert_eq!(listening(&line[..40]), None, "a line that is still being written");
        assert_eq!(listening("starting\n"), None);
        assert_eq!(listening("see http://example.com\nhttp://127.0.0.1:1\n"), Some("127.0.0.1:1".parse().unwrap()));
    }

    #[test]
    fn a_server_that_ends_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "echo no room >&2; exit 3"]);
        let fault = Server::start(command, folder.path()).unwrap_err().to_string();
        assert!(fault.contains("no room") && fault.contains('3'), "{fault}");
    }

    #[test]
    fn a_server_is_ended_with_its_value() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "echo http://127.0.0.1:9; exec sleep 600"]);
        let server = Server::start(command, folder.path()).unwrap();
        let process = server.process();
        assert!(server.settled_memory(Duration::from_millis(1)).unwrap().resident > 0);
        drop(server);
        assert!(process::memory(process).is_err());
    }
}
