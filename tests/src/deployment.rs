//! An installation: a data folder, a database and settings. It outlives the servers that run on it.

use crate::{Engine, OwnServer, Reason, launcher::Launcher, output::Output, poll, postgres::Database};
use std::{
    path::{Path, PathBuf},
    process::Child,
    time::Duration,
};
use tempfile::TempDir;

/// The buckets, whose limits only tests about them should reach.
const BUCKETS: [&str; 11] = [
    "GENERIC",
    "IP",
    "CREDENTIALS",
    "LOGIN",
    "REGISTER",
    "PASSWORD_RESET",
    "EMAIL_VERIFICATION",
    "EMAIL_CHANGE",
    "SCREENS",
    "SHARE",
    "SHARE_UNLOCK",
];
/// No command takes this long; a command that waits for a database gives up earlier.
const LONGEST: Duration = Duration::from_mins(1);
/// A limit that is large enough for every test and still shown in headers.
const ROOMY: &str = "100000";

#[derive(Debug)]
pub struct Deployment {
    folder: TempDir,
    database: Option<Database>,
    launcher: Launcher,
}

impl Deployment {
    /// The reason is for readers: why the test cannot use the shared server.
    pub fn new(engine: Engine, _reason: Reason) -> Self {
        let folder = tempfile::Builder::new().prefix("octavo-e2e-").tempdir().unwrap();
        let database = (engine == Engine::Postgres).then(Database::create);
        let launcher = Launcher::in_folder(folder.path());
        let mut deployment = Self { folder, database, launcher };
        let path = deployment.data_folder().display().to_string();
        deployment.set("OCTAVO_DATA_DIR", &path);
        deployment.set("OCTAVO_LISTEN", "127.0.0.1:0");
        if let Some(database) = &deployment.database {
            let url = database.url();
            deployment.set("OCTAVO_DATABASE_URL", &url);
        }
        for bucket in BUCKETS {
            deployment.set(&format!("OCTAVO_RATE_LIMIT_{bucket}"), ROOMY);
        }
        deployment
    }

    /// Another node with the same database and a data folder of its own.
    #[must_use]
    pub fn neighbour(&self) -> Self {
        let folder = tempfile::Builder::new().prefix("octavo-e2e-").tempdir().unwrap();
        let launcher = Launcher { folder: folder.path().to_owned(), ..self.launcher.clone() };
        let mut neighbour = Self { folder, database: None, launcher };
        let path = neighbour.data_folder().display().to_string();
        neighbour.set("OCTAVO_DATA_DIR", &path);
        neighbour
    }

    /// Sets a variable for processes that are started from now on.
    pub fn set(&mut self, name: &str, value: &str) {
        self.launcher.settings.insert(name.to_owned(), value.to_owned());
    }

    /// Removes a variable, so that its default applies.
    pub fn unset(&mut self, name: &str) {
        self.launcher.settings.remove(name);
    }

    #[must_use]
    pub fn with(mut self, settings: &[(&str, &str)]) -> Self {
        for (name, value) in settings {
            self.set(name, value);
        }
        self
    }

    /// A folder for this test, which contains the data folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn data_folder(&self) -> PathBuf {
        self.launcher.data_folder()
    }

    pub fn database(&self) -> Option<&Database> {
        self.database.as_ref()
    }

    /// Starts a server and waits until it accepts calls.
    #[track_caller]
    pub fn serve(self) -> OwnServer {
        OwnServer::on(self)
    }

    pub(crate) fn launcher(&self) -> &Launcher {
        &self.launcher
    }

    /// Starts the binary with arguments and does not wait for it.
    pub fn spawn(&self, arguments: &[&str]) -> Child {
        self.launcher.spawn(arguments)
    }

    /// Runs a command to its end.
    pub fn run(&self, arguments: &[&str]) -> CommandResult {
        self.launcher.run(arguments)
    }

    /// Runs a command that reads from its standard input.
    pub fn run_with_input(&self, arguments: &[&str], input: &str) -> CommandResult {
        self.launcher.run_with_input(arguments, input)
    }
}

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
