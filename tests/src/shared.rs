//! The server that the tests of one run share: one for each engine, started before the tests and described by a
//! variable.
//!
//! `cargo xtask test` starts the program `octavo-test-servers`, which keeps them running, and passes its output on to
//! the tests. Otherwise every test starts a server of its own, which is slower but makes no other difference.

use crate::{Deployment, Engine, OwnServer, Reason, launcher::Launcher, own_server::print_end_of_log, tenant::Tenant};
use serde_json::{Value, json};
use std::{
    env,
    fs::{self, File},
    net::SocketAddr,
};

/// The shared server, as one test uses it.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) address: SocketAddr,
    pub(crate) launcher: Launcher,
    pub(crate) tenant: Tenant,
}

/// The variable that describes the shared server on an engine.
pub fn variable(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => "OCTAVO_TEST_SERVER_SQLITE",
        Engine::Postgres => "OCTAVO_TEST_SERVER_POSTGRES",
    }
}

/// Starts the server that tests share on an engine. Returns it with the value of the variable that describes it.
pub fn start(engine: Engine) -> (OwnServer, String) {
    let deployment = Deployment::new(engine, Reason::Shared);
    let log = File::create(log_in(deployment.launcher())).unwrap();
    let server = OwnServer::logging_to(deployment, log);
    let mut description = server.launcher().describe();
    description["address"] = json!(server.address());
    (server, description.to_string())
}

impl Shared {
    /// The server that the environment describes.
    #[track_caller]
    pub(crate) fn offered(engine: Engine) -> Option<Self> {
        let text = env::var(variable(engine)).ok().filter(|text| !text.is_empty())?;
        Some(Self::described(&text).unwrap_or_else(|| panic!("{} describes no server: {text}", variable(engine))))
    }

    fn described(text: &str) -> Option<Self> {
        let description = serde_json::from_str::<Value>(text).ok()?;
        let address = description["address"].as_str()?.parse().ok()?;
        Some(Self { address, launcher: Launcher::described(&description)?, tenant: Tenant::new() })
    }
}

/// A failing test shows what the server logged about its calls, and the server's warnings.
impl Drop for Shared {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let log = fs::read_to_string(log_in(&self.launcher)).unwrap_or_default();
            let client = self.tenant.client_address().to_string();
            let is_of_interest = |line: &&str| line.contains(&client) || !line.contains("\"level\":\"info\"");
            print_end_of_log(log.lines().filter(is_of_interest));
        }
    }
}

fn log_in(launcher: &Launcher) -> std::path::PathBuf {
    launcher.folder.join("log")
}
