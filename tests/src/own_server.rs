//! A running server for one test, which may stop it, kill it and read its output.

use crate::{Deployment, Server, Site, output::Output, poll};
use rustix::process::{Pid, Signal, kill_process};
use std::{
    fs::File,
    net::SocketAddr,
    ops::Deref,
    process::{Child, Stdio},
    time::Duration,
};

/// A debug binary on a busy machine still starts in less.
const START: Duration = Duration::from_mins(1);
const STOP: Duration = Duration::from_mins(1);

#[derive(Debug)]
pub struct OwnServer {
    server: Server,
    process: Process,
}

/// The process of a server, which is stopped when this is dropped.
#[derive(Debug)]
pub(crate) struct Process {
    /// `None` once it was stopped.
    running: Option<Running>,
    stdout: Option<Output>,
    /// `None` also if it is written to a file.
    stderr: Option<Output>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    deployment: Deployment,
}

impl Deployment {
    /// Starts a server and waits until it accepts calls.
    #[track_caller]
    pub fn serve(self) -> OwnServer {
        OwnServer::start(self, Stdio::piped())
    }
}

impl OwnServer {
    /// Writes the log to a file, which other processes can read.
    #[track_caller]
    pub(crate) fn logging_to(deployment: Deployment, log: File) -> Self {
        Self::start(deployment, log.into())
    }

    #[track_caller]
    fn start(deployment: Deployment, log: Stdio) -> Self {
        let launcher = deployment.launcher().clone();
        let mut child = launcher.command(&["serve"]).stderr(log).spawn().expect("the binary can be started");
        let stdout = child.stdout.take().map(Output::collect).unwrap();
        let stderr = child.stderr.take().map(Output::collect);
        let address = poll::within(START, || {
            let found = stdout.lines().iter().find_map(|line| local_address(line));
            match found {
                Some(address) => Some(Ok(address)),
                None => child.try_wait().unwrap().map(Err),
            }
        });
        let address = match address {
            Some(Ok(address)) => address,
            ended => {
                let _ = child.kill();
                let _ = child.wait();
                let (stdout, stderr) = (stdout.finished(), stderr.map(Output::finished).unwrap_or_default());
                panic!("no server after {ended:?}\nstdout:\n{stdout}\nstderr:\n{stderr}");
            }
        };
        let process = Process { running: Some(Running { child, deployment }), stdout: Some(stdout), stderr };
        Self { server: Server::of_owner(Site::at(address), launcher), process }
    }

    pub(crate) fn into_parts(self) -> (Server, Process) {
        (self.server, self.process)
    }

    pub fn stdout(&self) -> &Output {
        self.process.stdout.as_ref().unwrap()
    }

    /// What it logged so far.
    pub fn log(&self) -> &Output {
        self.process.stderr.as_ref().unwrap()
    }

    /// How much memory the server has.
    pub fn resident_bytes(&self) -> u64 {
        let id = self.process.running.as_ref().unwrap().child.id();
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
    }

    pub fn deployment(&self) -> &Deployment {
        &self.process.running.as_ref().unwrap().deployment
    }

    pub fn signal(&self, signal: Signal) {
        let running = self.process.running.as_ref().unwrap();
        kill_process(Pid::from_child(&running.child), signal).unwrap();
    }

    /// Kills the process, like a power failure.
    pub fn kill(mut self) -> Deployment {
        let Running { mut child, deployment } = self.process.running.take().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        deployment
    }

    /// Waits for the process to end by itself.
    #[track_caller]
    pub fn ended(mut self) -> (Ended, Deployment) {
        let Running { mut child, deployment } = self.process.running.take().unwrap();
        let status = poll::within(STOP, || child.try_wait().unwrap());
        let Some(status) = status else {
            let _ = child.kill();
            panic!("the server still runs");
        };
        let stdout = self.process.stdout.take().unwrap().finished();
        let stderr = self.process.stderr.take().unwrap().finished();
        (Ended { exit: status.code(), stdout, stderr }, deployment)
    }

    /// Stops it politely and waits.
    #[track_caller]
    pub fn stop(self) -> (Ended, Deployment) {
        self.signal(Signal::TERM);
        self.ended()
    }

    /// Whether the process has ended.
    pub fn has_ended(&mut self) -> bool {
        self.process.running.as_mut().unwrap().child.try_wait().unwrap().is_some()
    }
}

/// How a server has ended.
#[derive(Debug)]
pub struct Ended {
    /// `None` when a signal ended it.
    pub exit: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// An own server can do everything that a shared one can.
impl Deref for OwnServer {
    type Target = Server;

    fn deref(&self) -> &Server {
        &self.server
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(running) = &mut self.running {
            let _ = running.child.kill();
            let _ = running.child.wait();
        }
        if std::thread::panicking()
            && let Some(stderr) = self.stderr.take()
        {
            let log = stderr.finished();
            print_end_of_log(log.lines());
        }
    }
}

/// Shows the end of the log of a failed test.
pub(crate) fn print_end_of_log<'a>(lines: impl Iterator<Item = &'a str>) {
    const LINES: usize = 60;
    let lines: Vec<_> = lines.collect();
    eprintln!("--- log of the server\n{}\n---", lines[lines.len().saturating_sub(LINES)..].join("\n"));
}

/// The loopback address with a port in a line, if it names one.
fn local_address(line: &str) -> Option<SocketAddr> {
    let from = line.find("127.0.0.1:")?;
    let address = line[from..].split(|letter: char| !letter.is_ascii_digit() && !".:".contains(letter)).next()?;
    address.trim_end_matches(['.', ':']).parse().ok()
}
