//! An installation: a data folder, a database and settings. It outlives the servers that run on it.

use crate::{Engine, Reason, command_result::CommandResult, launcher::Launcher, postgres::Database};
use std::{
    path::{Path, PathBuf},
    process::Child,
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
