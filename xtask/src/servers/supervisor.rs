//! The process between `cargo xtask test` and a server: when the run ends, in whatever way, the server ends too.
//!
//! The run holds the writing end of a pipe that the supervisor reads. It is closed whether the run finishes, fails,
//! or is interrupted or killed, which a signal handler in the run could not guarantee. The supervisor and the server
//! have process groups of their own, so that a Ctrl-C at the terminal does not reach them before the pipe is closed.

use super::account::Account;
use crate::process;
use anyhow::{Context as _, Result, bail};
use std::io::Read;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

pub(crate) const VERB: &str = "supervise";

const GRACE: Duration = Duration::from_secs(10);
const POLL: Duration = Duration::from_millis(20);

/// The server to keep running.
pub(crate) struct Order {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    /// The signal that stops the server quickly and cleanly.
    pub(crate) stop: &'static str,
    pub(crate) account: Option<Account>,
    /// Removed when the server has stopped on request.
    pub(crate) folder: PathBuf,
}

impl Order {
    /// The command that runs this as a separate process.
    pub(crate) fn command(&self) -> Result<Command> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args([VERB, self.stop, &Account::to_argument(self.account)]);
        command.arg(&self.folder).arg(&self.program).args(&self.arguments).process_group(0);
        Ok(command)
    }
}

/// `xtask supervise SIGNAL ACCOUNT FOLDER PROGRAM ARGUMENTS...`
pub(crate) fn run(mut arguments: lexopt::Parser) -> Result<()> {
    use lexopt::ValueExt as _;
    let mut words = arguments.raw_args()?;
    let mut next = || words.next().context("xtask supervise is started by xtask alone");
    let (stop, account, folder, program) = (next()?.string()?, next()?.string()?, next()?, next()?);
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::null()).process_group(0);
    Account::apply(Account::parse(&account)?, &mut command);
    let server = command.spawn()?;
    keep(server, std::io::stdin(), &stop, GRACE, Path::new(&folder))
}

/// Waits for the end of the pipe, then stops the server and removes its folder. If the server exits before that, it
/// is an error, and the folder is kept for its log.
fn keep(mut server: Child, run: impl Read + Send + 'static, stop: &str, grace: Duration, folder: &Path) -> Result<()> {
    let over = end_of(run);
    loop {
        if let Some(status) = server.try_wait()? {
            bail!("the server ended by itself: {status}");
        }
        if over.recv_timeout(POLL) != Err(mpsc::RecvTimeoutError::Timeout) {
            break;
        }
    }
    end(&mut server, stop, grace)?;
    std::fs::remove_dir_all(folder)?;
    Ok(())
}

fn end_of(mut run: impl Read + Send + 'static) -> mpsc::Receiver<()> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut run, &mut std::io::sink());
        let _ = sender.send(());
    });
    receiver
}

fn end(server: &mut Child, stop: &str, grace: Duration) -> Result<()> {
    signal(server, stop);
    let deadline = Instant::now() + grace;
    while Instant::now() < deadline {
        if server.try_wait()?.is_some() {
            return Ok(());
        }
        std::thread::sleep(POLL);
    }
    signal(server, "KILL");
    server.wait()?;
    Ok(())
}

/// Signals the whole process group of the server. Uses the shell's built-in `kill`, because a minimal machine may
/// have no other.
fn signal(server: &Child, name: &str) {
    let mut kill = Command::new("sh");
    kill.args(["-c", &format!("kill -s {name} -- -{}", server.id())]);
    process::succeeds(&mut kill);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("octavo-xtask-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn shell(script: &str) -> Child {
        Command::new("sh").args(["-c", script]).process_group(0).stdin(Stdio::null()).spawn().unwrap()
    }

    fn is_alive(id: u32) -> bool {
        process::succeeds(Command::new("sh").args(["-c", &format!("kill -0 {id}")]))
    }

    #[test]
    fn the_end_of_the_run_is_the_end_of_the_server_and_of_its_folder() {
        let (folder, server) = (folder("end"), shell("exec sleep 600"));
        let id = server.id();
        keep(server, std::io::empty(), "INT", GRACE, &folder).unwrap();
        assert!(!is_alive(id));
        assert!(!folder.exists());
    }

    #[test]
    fn a_server_that_ignores_the_signal_is_killed() {
        let (folder, mut server) = (folder("stubborn"), shell("trap '' INT; echo; sleep 600; sleep 600"));
        let id = server.id();
        let started = Instant::now();
        end(&mut server, "INT", Duration::from_millis(100)).unwrap();
        assert!(!is_alive(id));
        assert!(started.elapsed() < Duration::from_mins(1));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_server_that_ends_by_itself_leaves_its_folder_for_reading() {
        let (folder, server) = (folder("early"), shell("exit 7"));
        let (reader, _writer) = std::io::pipe().unwrap();
        let fault = keep(server, reader, "INT", GRACE, &folder).unwrap_err().to_string();
        assert!(fault.contains("ended by itself") && fault.contains('7'), "{fault}");
        assert!(folder.exists());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
