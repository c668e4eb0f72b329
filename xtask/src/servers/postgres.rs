//! A PostgreSQL server with empty data.

use super::account::Account;
use super::server::Server;
use super::supervisor::Order;
use super::{Started, apt, on_a_free_port};
use crate::process;
use anyhow::{Context as _, Result, bail};
use std::fs;
use std::os::unix::fs::{DirBuilderExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const USER: &str = "octavo";

pub(super) fn start(scratch: &Path, durable: bool) -> Result<Started> {
    let programs = programs()?;
    let account = Account::unprivileged()?;
    let (port, server) = on_a_free_port(|port| {
        let folder = folder(scratch, account)?;
        let started = launch(&programs, account, &folder, port, durable);
        if started.is_err() {
            let _ = fs::remove_dir_all(&folder);
        }
        started
    })?;
    let url = format!("postgres://{USER}@127.0.0.1:{port}/postgres");
    Ok(Started { url, origin: programs.display().to_string(), server })
}

fn launch(programs: &Path, account: Option<Account>, folder: &Path, port: u16, durable: bool) -> Result<Server> {
    let data = folder.join("data");
    initialise(programs, account, &data)?;
    let order = Order {
        program: programs.join("postgres"),
        arguments: arguments(&data, port, durable),
        stop: "INT", // Fast shutdown: roll back, disconnect everybody, exit.
        account,
        folder: folder.to_owned(),
    };
    let port = port.to_string();
    Server::start(&order, || {
        let mut probe = Command::new(programs.join("pg_isready"));
        process::succeeds(probe.args(["--host", "127.0.0.1", "--port", &port, "--username", USER]))
    })
}

/// In the collation of a language `a` comes before `B`, in ours after it. Here the default collation is that of a
/// language, so that a column without `COLLATE "C"` makes a test fail, and not the database of a customer. ICU
/// provides it without system locales.
fn initialise(programs: &Path, account: Option<Account>, data: &Path) -> Result<()> {
    let plain = ["--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions", "--username", USER];
    let by_language = ["--locale-provider=icu", "--icu-locale=en-US"];
    let attempt = |extra: &[&str]| {
        let mut command = Command::new(programs.join("initdb"));
        command.arg("--pgdata").arg(data).args(plain).args(extra).env("LC_ALL", "C").stdin(Stdio::null());
        Account::apply(account, &mut command);
        command.current_dir(data.parent().unwrap_or(Path::new("/"))).output()
    };
    if attempt(&by_language)?.status.success() {
        return Ok(());
    }
    eprintln!("xtask: this PostgreSQL has no ICU order; a missing COLLATE \"C\" will not show in tests");
    let done = attempt(&[])?;
    if done.status.success() {
        return Ok(());
    }
    bail!("initdb: {}", String::from_utf8_lossy(&done.stderr).trim())
}

/// Nothing here outlives the run, so durability is off unless it is requested.
fn arguments(data: &Path, port: u16, durable: bool) -> Vec<String> {
    let mut settings = vec![
        format!("port={port}"),
        "listen_addresses=127.0.0.1".to_owned(),
        "unix_socket_directories=".to_owned(),
        "max_connections=300".to_owned(),
    ];
    if !durable {
        settings.extend(["fsync=off", "synchronous_commit=off", "full_page_writes=off"].map(str::to_owned));
    }
    let mut arguments = vec!["-D".to_owned(), data.display().to_string()];
    arguments.extend(settings.into_iter().flat_map(|setting| ["-c".to_owned(), setting]));
    arguments
}

/// A separate folder for one server: below the target folder, or in the system's temporary folder if the account
/// cannot write there.
fn folder(scratch: &Path, account: Option<Account>) -> Result<PathBuf> {
    let name = format!("octavo-postgres-{}", std::process::id());
    for place in [scratch.to_owned(), std::env::temp_dir()] {
        let folder = place.join(&name);
        fs::create_dir_all(&place)?;
        // No other process has this id, so a folder with it is left from a run that crashed with the machine.
        let _ = fs::remove_dir_all(&folder);
        fs::DirBuilder::new().mode(0o700).create(&folder).with_context(|| folder.display().to_string())?;
        if let Some(account) = account {
            chown(&folder, Some(account.user), Some(account.group))?;
        }
        if Account::can_write(account, &folder) {
            return Ok(folder);
        }
        fs::remove_dir(&folder)?;
    }
    bail!("no folder that the account of the server can write to")
}

/// The folder of the server programs, which are installed first if necessary.
fn programs() -> Result<PathBuf> {
    if let Some(found) = installed() {
        return Ok(found);
    }
    apt::install("postgresql")?;
    installed().context("installed, but its programs are not where they usually are")
}

fn installed() -> Option<PathBuf> {
    // The links in PATH often cover only half of the programs; all of them are where the link leads.
    let linked = process::program("postgres").and_then(|file| Some(file.canonicalize().ok()?.parent()?.to_owned()));
    let places = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt", "/usr"];
    let versions = newest_first(places.iter().flat_map(|place| versions_in(Path::new(place))).collect());
    linked.into_iter().chain(versions).find(|folder| is_complete(folder))
}

fn is_complete(folder: &Path) -> bool {
    ["postgres", "initdb", "pg_isready"].iter().all(|program| folder.join(program).is_file())
}

/// `15/bin`, `postgresql@17/bin` or `pgsql-16/bin` below a folder with several versions.
fn versions_in(place: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    entries.map(|entry| entry.path().join("bin")).filter(|folder| version(folder).is_some()).collect()
}

fn newest_first(mut folders: Vec<PathBuf>) -> Vec<PathBuf> {
    folders.sort_by_key(|folder| std::cmp::Reverse(version(folder)));
    folders
}

fn version(programs: &Path) -> Option<u32> {
    let name = programs.parent()?.file_name()?.to_str()?;
    let number = ["postgresql@", "pgsql-", ""].iter().find_map(|prefix| name.strip_prefix(prefix))?;
    number.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_comes_first_by_number_and_not_by_letter() {
        let folders = ["/usr/lib/postgresql/9/bin", "/opt/postgresql@17/bin", "/usr/pgsql-15/bin"];
        let sorted = newest_first(folders.iter().map(PathBuf::from).collect());
        assert_eq!(
            sorted,
            ["/opt/postgresql@17/bin", "/usr/pgsql-15/bin", "/usr/lib/postgresql/9/bin"].map(PathBuf::from)
        );
        assert_eq!(version(Path::new("/usr/lib/bin")), None);
    }

    #[test]
    fn durability_is_given_up_only_when_nobody_asked_for_it() {
        let gives_up = |durable| arguments(Path::new("/d"), 1, durable).iter().any(|word| word == "fsync=off");
        assert!(gives_up(false));
        assert!(!gives_up(true));
    }
}
