//! The result of a command.

use crate::{output::Output, poll};
use std::{process::Child, time::Duration};

/// No command takes this long; a command that waits for a database gives up earlier.
const LONGEST: Duration = Duration::from_mins(1);

/// The result of a command.
#[derive(Debug)]
pub struct CommandResult {
    /// `None` if a signal ended it.
    pub exit: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl CommandResult {
    #[track_caller]
    pub fn of(mut child: Child) -> Self {
        let stdout = child.stdout.take().map(Output::collect).unwrap();
        let stderr = child.stderr.take().map(Output::collect).unwrap();
        let status = poll::within(LONGEST, || child.try_wait().unwrap());
        if status.is_none() {
            let _ = child.kill();
            let _ = child.wait();
        }
        let (stdout, stderr) = (stdout.finished(), stderr.finished());
        let status = status.unwrap_or_else(|| panic!("it still ran after {LONGEST:?}\n{stdout}\n{stderr}"));
        Self { exit: status.code(), stdout, stderr }
    }

    /// Checks the exit code.
    #[track_caller]
    pub fn exits(self, status: i32) -> Self {
        assert_eq!(self.exit, Some(status), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// The `data` of the JSON that it printed.
    #[track_caller]
    pub fn data(&self) -> serde_json::Value {
        let document: serde_json::Value = serde_json::from_str(&self.stdout).unwrap_or_else(|fault| {
            panic!("not one JSON document: {fault}\n{}", self.stdout);
        });
        document["data"].clone()
    }
}
