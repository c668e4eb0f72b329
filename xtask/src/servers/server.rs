//! A running server, stopped when the value is dropped.

use super::supervisor::Order;
use anyhow::{Result, bail};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const READY_WITHIN: Duration = Duration::from_secs(30);
const POLL: Duration = Duration::from_millis(20);

#[derive(Debug)]
pub(crate) struct Server {
    supervisor: Child,
    folder: PathBuf,
}

impl Server {
    /// Starts the server and waits until it answers.
    pub(crate) fn start(order: &Order, answers: impl Fn() -> bool) -> Result<Self> {
        let log = File::create(log_in(&order.folder))?;
        let mut command = order.command()?;
        command.stdin(Stdio::piped()).stdout(log.try_clone()?).stderr(log);
        let mut server = Self { supervisor: command.spawn()?, folder: order.folder.clone() };
        let deadline = Instant::now() + READY_WITHIN;
        // Check first whether the server has exited: another program may answer on a port that it could not get.
        while server.supervisor.try_wait()?.is_none() {
            if answers() {
                return Ok(server);
            }
            if Instant::now() > deadline {
                bail!("it does not answer after {READY_WITHIN:?}: {}", server.last_words());
            }
            std::thread::sleep(POLL);
        }
        bail!("it ended at once: {}", server.last_words())
    }

    fn last_words(&self) -> String {
        let log = fs::read_to_string(log_in(&self.folder)).unwrap_or_default();
        let lines = log.lines().collect::<Vec<_>>();
        lines[lines.len().saturating_sub(5)..].join(" | ")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.supervisor.stdin.take());
        let _ = self.supervisor.wait();
        // Still there only if the server had exited before it was asked to.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn log_in(folder: &Path) -> PathBuf {
    folder.join("log")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn the_last_words_of_a_failed_start_are_the_end_of_its_log() {
        let folder = std::env::temp_dir().join(format!("octavo-xtask-log-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(log_in(&folder), "1\n2\n3\n4\n5\n6\nno room\n").unwrap();
        let ended = std::process::Command::new("true").spawn().unwrap();
        let server = Server { supervisor: ended, folder: folder.clone() };
        assert_eq!(server.last_words(), "3 | 4 | 5 | 6 | no room");
        drop(server);
        assert!(!folder.exists());
    }
}
