//! The table of commands and of the flags that all of them have. Parsing, help and the docs all use it.

use super::{
    Command, Delivery, Migrate, NamedUser, PasswordFrom, RotatedKey, SearchCommand, UserCommand, WorkspaceCommand,
    command_arguments::{CommandArguments, UsageFault},
};
use octavo_core_model::{
    consumer::ConsumerName,
    id::WorkspaceId,
    text::{Email, Name},
    workspace::{Limit, OwnLimits},
};

/// One command.
#[derive(Clone, Copy, Debug)]
pub struct CommandRow {
    pub words: &'static [&'static str],
    /// What follows the words of the command.
    pub usage: &'static str,
    pub meaning: &'static str,
    /// The additional text of the command's `--help`.
    pub details: &'static str,
    pub operands: &'static [&'static str],
    pub options: &'static [OptionRow],
    pub(super) action: Action,
}

/// What a command line does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    /// Runs this command, with the settings.
    Run(fn(&CommandArguments<'_>) -> Result<Command, UsageFault>),
    /// Prints help, whatever the settings are.
    Help,
    /// Prints the completions for a shell, whatever the settings are.
    Completions,
}

impl CommandRow {
    /// The whole line to type.
    pub fn synopsis(&self) -> String {
        let mut words = vec!["octavo"];
        words.extend(self.words);
        words.extend((!self.usage.is_empty()).then_some(self.usage));
        words.join(" ")
    }
}

/// An option of a command; settings are flags of every command, not options.
#[derive(Clone, Copy, Debug)]
pub struct OptionRow {
    pub name: &'static str,
    /// The name of its value; `None` for a switch.
    pub value: Option<&'static str>,
    pub meaning: &'static str,
}

/// A flag of every command that is no setting.
#[derive(Clone, Copy, Debug)]
pub(super) struct CommonRow {
    pub(super) flag: CommonFlag,
    /// Its name without dashes.
    pub(super) name: &'static str,
    pub(super) short: Option<char>,
    pub(super) meaning: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommonFlag {
    Json,
    Help,
    Version,
}

/// The flags of every command.
pub(super) const COMMON: &[CommonRow] = &[
    CommonRow {
        flag: CommonFlag::Json,
        name: "json",
        short: None,
        meaning: "print one JSON document { data } instead of text",
    },
    CommonRow {
        flag: CommonFlag::Help,
        name: "help",
        short: Some('h'),
        meaning: "print help; after a command, help on that command",
    },
    CommonRow { flag: CommonFlag::Version, name: "version", short: Some('V'), meaning: "print the version" },
];

impl CommonRow {
    /// Whether an argument is this flag.
    pub(super) fn is(&self, argument: &str) -> bool {
        argument.strip_prefix("--") == Some(self.name)
            || self.short.is_some_and(|short| argument.strip_prefix('-').is_some_and(|rest| rest.chars().eq([short])))
    }
}

const fn switch(name: &'static str, meaning: &'static str) -> OptionRow {
    OptionRow { name, value: None, meaning }
}

/// The largest limit: every JSON parser represents it exactly.
const MOST: u64 = (1 << 53) - 1;

const USER: &[&str] = &["EMAIL|ID"];

const ROWS: &[CommandRow] = &[
    CommandRow {
        words: &["serve"],
        usage: "[--no-migrate]",
        meaning: "serve; the same as no command at all",
        details: "Brings the database up to date, then serves until SIGTERM or SIGINT. Once calls are accepted, one line on stdout names\n\
                  the address and that of the docs. A second server on the same data folder or database is refused.",
        operands: &[],
        options: &[switch("no-migrate", "fail when the database is not up to date instead of migrating it")],
        action: Action::Run(|given| Ok(Command::Serve { migrate: !given.has("no-migrate") })),
    },
    CommandRow {
        words: &["migrate"],
        usage: "[--status | --distribute [--dry-run]]",
        meaning: "bring the database up to date",
        details: "Safe to run from several machines at once.",
        operands: &[],
        options: &[
            switch("status", "touch nothing; exit 0 when up to date, 1 when migrations are pending"),
            switch(
                "distribute",
                "declare the tables of an up-to-date database to Citus; those it knows are left alone",
            ),
            switch("dry-run", "with --distribute: print the statements and run none"),
        ],
        action: Action::Run(|given| {
            let (status, distribute, dry_run) = (given.has("status"), given.has("distribute"), given.has("dry-run"));
            match (status, distribute) {
                (true, true) => Err(given.fault("takes one of --status and --distribute")),
                (_, false) if dry_run => Err(given.fault("--dry-run needs --distribute")),
                (_, true) => Ok(Command::Migrate(Migrate::Distribute { dry_run })),
                (true, false) => Ok(Command::Migrate(Migrate::Status)),
                (false, false) => Ok(Command::Migrate(Migrate::Apply)),
            }
        }),
    },
    CommandRow {
        words: &["check-config"],
        usage: "[--online]",
        meaning: "print every setting with its source, secrets masked",
        details: "Creates nothing. Sources are flag, env, env_file, file and default.",
        operands: &[],
        options: &[switch("online", "also try what the settings name; exit 1 when something does not answer")],
        action: Action::Run(|given| Ok(Command::CheckConfig { online: given.has("online") })),
    },
    CommandRow {
        words: &["health"],
        usage: "",
        meaning: "ask the running server whether it can take calls",
        details: "Asks at OCTAVO_LISTEN. Exit 0 when the server is ready, 1 when it is not or does not answer. For health checks of\n\
                  containers and services.",
        operands: &[],
        options: &[],
        action: Action::Run(|_| Ok(Command::Health)),
    },
    CommandRow {
        words: &["openapi"],
        usage: "",
        meaning: "print the description of the API (OpenAPI 3.1)",
        details: "YAML, or JSON with --json.",
        operands: &[],
        options: &[],
        action: Action::Run(|_| Ok(Command::OpenApi)),
    },
    CommandRow {
        words: &["user", "create"],
        usage: "EMAIL --name NAME [--password-stdin]",
        meaning: "create an account whose address counts as verified",
        details: "Prints a generated password, once.",
        operands: &["EMAIL"],
        options: &[
            OptionRow { name: "name", value: Some("NAME"), meaning: "what the user is called (required)" },
            switch("password-stdin", "read the password from stdin and print none"),
        ],
        action: Action::Run(create_user),
    },
    CommandRow {
        words: &["user", "list"],
        usage: "",
        meaning: "list all accounts",
        details: "",
        operands: &[],
        options: &[],
        action: Action::Run(|_| Ok(Command::User(UserCommand::List))),
    },
    CommandRow {
        words: &["user", "reset-password"],
        usage: "EMAIL|ID [--send]",
        meaning: "end all sessions of an account and print a link that sets a new password",
        details: "",
        operands: USER,
        options: &[switch("send", "mail the link instead of printing it")],
        action: Action::Run(|given| {
            let delivery = if given.has("send") { Delivery::Mail } else { Delivery::Print };
            Ok(Command::User(UserCommand::ResetPassword { user: named_user(given)?, delivery }))
        }),
    },
    CommandRow {
        words: &["user", "suspend"],
        usage: "EMAIL|ID",
        meaning: "end all sessions of an account and allow no new ones",
        details: "",
        operands: USER,
        options: &[],
        action: Action::Run(|given| Ok(Command::User(UserCommand::Suspend(named_user(given)?)))),
    },
    CommandRow {
        words: &["user", "reinstate"],
        usage: "EMAIL|ID",
        meaning: "lift a suspension",
        details: "",
        operands: USER,
        options: &[],
        action: Action::Run(|given| Ok(Command::User(UserCommand::Reinstate(named_user(given)?)))),
    },
    CommandRow {
        words: &["workspace", "list"],
        usage: "",
        meaning: "list all workspaces",
        details: "Deleted ones are listed until they are removed permanently.",
        operands: &[],
        options: &[],
        action: Action::Run(|_| Ok(Command::Workspace(WorkspaceCommand::List))),
    },
    CommandRow {
        words: &["workspace", "set-limits"],
        usage: "ID members=N databases=N storageBytes=N",
        meaning: "give a workspace limits of its own",
        details: "Any of the three; what is left out stays. none instead of a number is no limit.",
        operands: &["ID", "LIMIT=N..."],
        options: &[],
        action: Action::Run(|given| {
            Ok(Command::Workspace(WorkspaceCommand::SetLimits { id: workspace(given)?, limits: limits(given)? }))
        }),
    },
    CommandRow {
        words: &["workspace", "delete"],
        usage: "ID [--yes]",
        meaning: "delete a workspace; it is removed permanently after 30 days",
        details: "Asks for the id once more on a terminal; elsewhere --yes is needed.",
        operands: &["ID"],
        options: &[switch("yes", "do not ask")],
        action: Action::Run(|given| {
            Ok(Command::Workspace(WorkspaceCommand::Delete { id: workspace(given)?, yes: given.has("yes") }))
        }),
    },
    CommandRow {
        words: &["purge"],
        usage: "[--dry-run]",
        meaning: "remove at once what has expired",
        details: "Deleted accounts and workspaces, old events, what is left of ended sessions. A server does the same by itself within an hour.",
        operands: &[],
        options: &[switch("dry-run", "count it, and remove nothing")],
        action: Action::Run(|given| Ok(Command::Purge { dry_run: given.has("dry-run") })),
    },
    CommandRow {
        words: &["keys", "rotate"],
        usage: "--jwt | --secret",
        meaning: "switch to a new key",
        details: "A running server takes the new key within a second; tokens and cursors of the old one stay good for their time.",
        operands: &[],
        options: &[
            switch("jwt", "the generated key that signs access tokens"),
            switch(
                "secret",
                "the key that encrypts stored secrets: re-encrypts them to the first one of OCTAVO_SECRET_KEY, or to a new generated one",
            ),
        ],
        action: Action::Run(|given| match (given.has("jwt"), given.has("secret")) {
            (true, false) => Ok(Command::RotateKeys(RotatedKey::Jwt)),
            (false, true) => Ok(Command::RotateKeys(RotatedKey::Secret)),
            _ => Err(given.fault("needs exactly one of --jwt and --secret")),
        }),
    },
    CommandRow {
        words: &["events", "replay"],
        usage: "CONSUMER",
        meaning: "let a consumer read all event logs again: notifications",
        details: "It begins with the oldest event that is kept, and also tries again what it could not handle. A running server does the work; nobody is notified twice.",
        operands: &["CONSUMER"],
        options: &[],
        action: Action::Run(|given| match given.operand(0).parse::<ConsumerName>() {
            Ok(consumer) => Ok(Command::ReplayEvents(consumer)),
            Err(_) => Err(given.fault("CONSUMER must be notifications")),
        }),
    },
    CommandRow {
        words: &["search", "rebuild"],
        usage: "",
        meaning: "make the search index of this node anew, and show the progress",
        details: "A running server makes the new index beside the old one, which searches use meanwhile.",
        operands: &[],
        options: &[],
        action: Action::Run(|_| Ok(Command::Search(SearchCommand::Rebuild))),
    },
    CommandRow {
        words: &["search", "verify"],
        usage: "",
        meaning: "compare the search index of this node with the store",
        details: "It names pages, records, databases and comments that are missing, outdated or superfluous in the index, and fails if there are any. It can run beside a server.",
        operands: &[],
        options: &[],
        action: Action::Run(|_| Ok(Command::Search(SearchCommand::Verify))),
    },
    CommandRow {
        words: &["completions"],
        usage: "bash|zsh|fish",
        meaning: "print a script with which a shell completes commands and flags",
        details: "The script says where to keep it.",
        operands: &["bash|zsh|fish"],
        options: &[],
        action: Action::Completions,
    },
    CommandRow {
        words: &["help"],
        usage: "[settings | COMMAND]",
        meaning: "print help on the program, all settings, or help on a command",
        details: "",
        operands: &["[settings|COMMAND...]"],
        options: &[],
        action: Action::Help,
    },
];

/// Every command, in the order of `--help`.
pub const fn rows() -> &'static [CommandRow] {
    ROWS
}

fn create_user(given: &CommandArguments<'_>) -> Result<Command, UsageFault> {
    let email = Email::parse(given.operand(0)).map_err(|_| given.fault("EMAIL is not an email address"))?;
    let name = given.value("name").ok_or_else(|| given.fault("needs --name"))?;
    let name = Name::parse(name).map_err(|_| given.fault("--name must be one line of 1 to 100 characters"))?;
    let password = if given.has("password-stdin") { PasswordFrom::Stdin } else { PasswordFrom::Generator };
    Ok(Command::User(UserCommand::Create { email, name, password }))
}

fn named_user(given: &CommandArguments<'_>) -> Result<NamedUser, UsageFault> {
    let text = given.operand(0);
    let by_id = text.parse().map(NamedUser::Id);
    by_id
        .or_else(|_| Email::parse(text).map(NamedUser::Email))
        .map_err(|_| given.fault("EMAIL|ID is neither an email address nor a user id"))
}

fn workspace(given: &CommandArguments<'_>) -> Result<WorkspaceId, UsageFault> {
    given.operand(0).parse().map_err(|_| given.fault("ID is no workspace id"))
}

fn limits(given: &CommandArguments<'_>) -> Result<OwnLimits, UsageFault> {
    let mut limits = OwnLimits::default();
    for word in given.operands_from(1) {
        let (name, count) = word.split_once('=').ok_or_else(|| given.fault(&format!("\"{word}\" has no =")))?;
        let limit = match count {
            "none" => Limit::None,
            _ => match count.parse::<u64>().ok().filter(|count| (1..=MOST).contains(count)) {
                Some(count) => Limit::AtMost(count),
                None => return Err(given.fault(&format!("{name} wants a whole number, or none"))),
            },
        };
        let slot = match name {
            "members" => &mut limits.members,
            "databases" => &mut limits.databases,
            "storageBytes" => &mut limits.storage_bytes,
            _ => return Err(given.fault(&format!("there is no limit \"{name}\""))),
        };
        *slot = Some(limit);
    }
    Ok(limits)
}
