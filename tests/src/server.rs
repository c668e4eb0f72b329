//! A running server, for tests that only call it.

use crate::{
    Deployment, Engine, OwnServer, Person, Reason, Site, command_result::CommandResult, launcher::Launcher,
    mailbox::Mailbox, own_server::Process, request::Request, shared::Shared, tenant::Tenant,
};
use std::{ops::Deref, path::Path};

#[derive(Debug)]
pub struct Server {
    site: Site,
    tenant: Tenant,
    mailbox: Mailbox,
    launcher: Launcher,
    /// The process, if there was no server to share and this value keeps one running.
    _process: Option<Process>,
    /// The shared server of the run: shows its log if the test fails.
    _shared: Option<Shared>,
}

impl Server {
    /// The server that all tests of a run share, or one for this test if there is none.
    #[track_caller]
    pub fn start(engine: Engine) -> Self {
        let Some(shared) = Shared::offered(engine) else {
            let (server, process) = Self::own(engine, Reason::Shared).into_parts();
            return Self { _process: Some(process), ..server };
        };
        let tenant = shared.tenant;
        let mailbox = Mailbox::of_tenant(shared.launcher.data_folder().join("mail"), tenant);
        let (site, launcher) = (Site::at(shared.address).as_tenant(tenant), shared.launcher.clone());
        Self { site, tenant, mailbox, launcher, _process: None, _shared: Some(shared) }
    }

    /// A server with these settings for this test only.
    #[track_caller]
    pub fn with(engine: Engine, settings: &[(&str, &str)]) -> OwnServer {
        assert!(!settings.is_empty(), "a server without settings of its own can be shared: `Server::start`");
        Deployment::new(engine, Reason::Settings).with(settings).serve()
    }

    /// A server for this test only.
    #[track_caller]
    pub fn own(engine: Engine, reason: Reason) -> OwnServer {
        Deployment::new(engine, reason).serve()
    }

    /// The view of a server that belongs to one test.
    pub(crate) fn of_owner(site: Site, launcher: Launcher) -> Self {
        let mailbox = Mailbox::in_folder(launcher.data_folder().join("mail"));
        Self { site, tenant: Tenant::ALONE, mailbox, launcher, _process: None, _shared: None }
    }

    pub(crate) fn launcher(&self) -> &Launcher {
        &self.launcher
    }

    pub fn site(&self) -> &Site {
        &self.site
    }

    pub fn mailbox(&self) -> &Mailbox {
        &self.mailbox
    }

    /// A folder with the data folder.
    pub fn folder(&self) -> &Path {
        &self.launcher.folder
    }

    /// Runs a command beside the server.
    #[track_caller]
    pub fn run(&self, arguments: &[&str]) -> CommandResult {
        self.run_here(arguments, Launcher::run)
    }

    /// Runs a command that reads from its standard input.
    #[track_caller]
    pub fn run_with_input(&self, arguments: &[&str], input: &str) -> CommandResult {
        self.run_here(arguments, |launcher, arguments| launcher.run_with_input(arguments, input))
    }

    fn run_here(&self, arguments: &[&str], run: impl FnOnce(&Launcher, &[&str]) -> CommandResult) -> CommandResult {
        let arguments: Vec<_> = arguments.iter().map(|argument| self.tenant.text_to_server(argument)).collect();
        let ran = run(&self.launcher, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let [stdout, stderr] = [ran.stdout, ran.stderr].map(|text| self.tenant.text_to_test(text));
        CommandResult { exit: ran.exit, stdout, stderr }
    }

    /// Registers an account.
    #[track_caller]
    pub fn person(&self, name: &str) -> Person {
        Person::register(&self.site, name)
    }

    /// A request outside of the API's prefix.
    pub fn origin(&self, method: &str, path: &str) -> Request {
        self.site.bare(method, path)
    }
}

/// A server of its own that is only called runs for as long as this value exists.
impl From<OwnServer> for Server {
    fn from(own: OwnServer) -> Self {
        let (server, process) = own.into_parts();
        Self { _process: Some(process), ..server }
    }
}

/// A server answers like its site.
impl Deref for Server {
    type Target = Site;

    fn deref(&self) -> &Site {
        &self.site
    }
}
