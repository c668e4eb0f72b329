//! The account under which a server runs: PostgreSQL refuses to run as root.

use crate::process;
use anyhow::{Context as _, Result};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

/// Another account than that of the present user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) user: u32,
    pub(crate) group: u32,
}

impl Account {
    /// `None` if the present user is suitable. Uses an existing account, so that a test run adds none to the machine.
    pub(crate) fn unprivileged() -> Result<Option<Self>> {
        if !is_root()? {
            return Ok(None);
        }
        let accounts = std::fs::read_to_string("/etc/passwd")?;
        let found = ["postgres", "nobody"].into_iter().find_map(|name| Self::named(name, &accounts));
        found.map(Some).context("run as root, and neither postgres nor nobody is a user here")
    }

    fn named(name: &str, accounts: &str) -> Option<Self> {
        let row = accounts.lines().map(|line| line.split(':').collect::<Vec<_>>()).find(|row| row[0] == name)?;
        Some(Self { user: row.get(2)?.parse().ok()?, group: row.get(3)?.parse().ok()? })
    }

    /// The form in which it is passed to the supervisor.
    pub(crate) fn to_argument(account: Option<Self>) -> String {
        account.map_or_else(String::new, |account| format!("{}:{}", account.user, account.group))
    }

    pub(crate) fn parse(argument: &str) -> Result<Option<Self>> {
        if argument.is_empty() {
            return Ok(None);
        }
        let (user, group) = argument.split_once(':').context("an account is user:group")?;
        Ok(Some(Self { user: user.parse()?, group: group.parse()? }))
    }

    pub(crate) fn apply(account: Option<Self>, command: &mut Command) {
        if let Some(account) = account {
            command.uid(account.user).gid(account.group);
        }
    }

    /// Whether the account can write to the folder; below `/root`, for example, it cannot.
    pub(crate) fn can_write(account: Option<Self>, folder: &Path) -> bool {
        let mut probe = Command::new("test");
        probe.arg("-w").arg(folder);
        Self::apply(account, &mut probe);
        process::succeeds(&mut probe)
    }
}

pub(crate) fn is_root() -> Result<bool> {
    Ok(process::output(Command::new("id").arg("-u"))?.trim() == "0")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    const ACCOUNTS: &str = "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65533:nobody:/:/usr/sbin/nologin\nbroken\n";

    #[test]
    fn an_account_is_read_from_the_list_of_users() {
        assert_eq!(Account::named("nobody", ACCOUNTS), Some(Account { user: 65534, group: 65533 }));
        assert_eq!(Account::named("postgres", ACCOUNTS), None);
        assert_eq!(Account::named("broken", ACCOUNTS), None);
    }

    #[test]
    fn an_account_survives_being_handed_on() {
        for account in [None, Some(Account { user: 101, group: 104 })] {
            assert_eq!(Account::parse(&Account::to_argument(account)).unwrap(), account);
        }
        assert!(Account::parse("root").is_err());
    }
}
