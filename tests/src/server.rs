//! A running server of a test's own.

use crate::{
    Deployment, Engine, Person, Site, deployment::Ran, mailbox::Mailbox, output::Output, poll, request::Request,
};
use rustix::process::{Pid, Signal, kill_process};
use std::{net::SocketAddr, ops::Deref, process::Child, time::Duration};

/// A debug binary on a busy machine still starts in less.
const START: Duration = Duration::from_mins(1);
const STOP: Duration = Duration::from_mins(1);

#[derive(Debug)]
pub struct Server {
    /// `None` once it was stopped.
    running: Option<Running>,
    site: Site,
    mailbox: Mailbox,
    stdout: Option<Output>,
    stderr: Option<Output>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    deployment: Deployment,
}

impl Server {
    #[track_caller]
    pub fn start(engine: Engine) -> Self {
        Deployment::new(engine).serve()
    }

    #[track_caller]
    pub fn with(engine: Engine, settings: &[(&str, &str)]) -> Self {
        Deployment::new(engine).with(settings).serve()
    }

    #[track_caller]
    pub(crate) fn on(deployment: Deployment) -> Self {
        let mut child = deployment.spawn(&["serve"]);
        let stdout = child.stdout.take().map(Output::collect).unwrap();
        let stderr = child.stderr.take().map(Output::collect).unwrap();
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
                panic!("no server after {ended:?}\nstdout:\n{}\nstderr:\n{}", stdout.finished(), stderr.finished());
            }
        };
        let mailbox = Mailbox::in_folder(deployment.data_folder().join("mail"));
        let running = Some(Running { child, deployment });
        Self { running, site: Site::at(address), mailbox, stdout: Some(stdout), stderr: Some(stderr) }
    }

    pub fn site(&self) -> &Site {
        &self.site
    }

    pub fn mailbox(&self) -> &Mailbox {
        &self.mailbox
    }

    pub fn stdout(&self) -> &Output {
        self.stdout.as_ref().unwrap()
    }

    /// What it logged so far.
    pub fn log(&self) -> &Output {
        self.stderr.as_ref().unwrap()
    }

    pub fn deployment(&self) -> &Deployment {
        &self.running.as_ref().unwrap().deployment
    }

    /// Runs a command beside the server.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.deployment().run(arguments)
    }

    /// Registers an account.
    #[track_caller]
    pub fn person(&self, name: &str) -> Person {
        Person::register(&self.site, name)
    }

    pub fn signal(&self, signal: Signal) {
        let running = self.running.as_ref().unwrap();
        kill_process(Pid::from_child(&running.child), signal).unwrap();
    }

    /// Takes the process away without a word, as a power cut does.
    pub fn kill(mut self) -> Deployment {
        let Running { mut child, deployment } = self.running.take().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        deployment
    }

    /// Waits for the process to end by itself.
    #[track_caller]
    pub fn ended(mut self) -> (Ended, Deployment) {
        let Running { mut child, deployment } = self.running.take().unwrap();
        let status = poll::within(STOP, || child.try_wait().unwrap());
        let Some(status) = status else {
            let _ = child.kill();
            panic!("the server still runs");
        };
        let stdout = self.stdout.take().unwrap().finished();
        let stderr = self.stderr.take().unwrap().finished();
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
        self.running.as_mut().unwrap().child.try_wait().unwrap().is_some()
    }
}

/// How a server ended.
#[derive(Debug)]
pub struct Ended {
    /// `None` when a signal ended it.
    pub exit: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// A server answers like its site.
impl Deref for Server {
    type Target = Site;

    fn deref(&self) -> &Site {
        &self.site
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(running) = &mut self.running {
            let _ = running.child.kill();
            let _ = running.child.wait();
        }
        if std::thread::panicking()
            && let Some(stderr) = self.stderr.take()
        {
            eprintln!("--- log of the server\n{}\n---", tail(&stderr.finished()));
        }
    }
}

fn tail(text: &str) -> String {
    const LINES: usize = 60;
    let lines: Vec<_> = text.lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

/// The loopback address with a port in a line, if it names one.
fn local_address(line: &str) -> Option<SocketAddr> {
    let from = line.find("127.0.0.1:")?;
    let address = line[from..].split(|letter: char| !letter.is_ascii_digit() && !".:".contains(letter)).next()?;
    address.trim_end_matches(['.', ':']).parse().ok()
}

/// A request that goes nowhere near the API's prefix.
impl Server {
    pub fn origin(&self, method: &str, path: &str) -> Request {
        self.site.bare(method, path)
    }
}
