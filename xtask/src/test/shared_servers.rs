//! The servers that end-to-end tests share, one for each engine. A program of the tests keeps them running until a
//! pipe is closed.

use anyhow::{Context as _, Result, bail};
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

/// Stops the servers when it is dropped. If this process is killed, the pipe is closed as well.
#[derive(Debug)]
pub(super) struct SharedServers {
    keeper: Child,
    variables: Vec<(String, String)>,
}

impl SharedServers {
    /// Starts the keeper and reads the variables for the tests: lines `VARIABLE=VALUE` up to an empty one.
    pub(super) fn start(command: &mut Command) -> Result<Self> {
        // A Ctrl-C at the terminal must not kill the keeper before it has cleaned up.
        let mut keeper = command.stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0).spawn()?;
        let lines = keeper.stdout.take().map(BufReader::new).context("its output is piped")?.lines();
        let mut servers = Self { keeper, variables: Vec::new() };
        for line in lines {
            let line = line?;
            if line.is_empty() {
                return Ok(servers);
            }
            let (name, value) = line.split_once('=').with_context(|| format!("no variable: {line}"))?;
            servers.variables.push((name.to_owned(), value.to_owned()));
        }
        bail!("the servers that tests share did not start")
    }

    pub(super) fn variables(&self) -> impl Iterator<Item = (&str, &str)> {
        self.variables.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl Drop for SharedServers {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    fn keeper(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn variables_are_read_up_to_the_empty_line_and_the_keeper_ends_with_the_value() {
        let servers = SharedServers::start(&mut keeper("echo A=1=2; echo B=; echo; exec cat >/dev/null")).unwrap();
        assert_eq!(servers.variables().collect::<Vec<_>>(), [("A", "1=2"), ("B", "")]);
        drop(servers);
    }

    #[test]
    fn a_keeper_that_ends_early_is_a_fault() {
        assert!(SharedServers::start(&mut keeper("echo A=1; exit 3")).is_err());
        assert!(SharedServers::start(&mut keeper("echo nonsense; exec cat >/dev/null")).is_err());
    }
}
