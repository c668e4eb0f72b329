//! The one table of commands. Parsing, `--help` and the docs all come from it.

use super::{
    Command, Delivery, Migrate, NamedUser, PasswordFrom, RotatedKey, UserCommand,
    arguments::{Given, UsageFault},
};
use octavo_core_model::text::{Email, Name};

/// One command.
#[derive(Clone, Copy, Debug)]
pub struct CommandRow {
    pub words: &'static [&'static str],
    /// What follows the words.
    pub usage: &'static str,
    pub meaning: &'static str,
    /// What `--help` of the command adds.
    pub details: &'static str,
    pub operands: &'static [&'static str],
    pub options: &'static [OptionRow],
    pub(super) build: fn(&Given<'_>) -> Result<Command, UsageFault>,
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

/// An option of a command; settings are flags of every command and no options.
#[derive(Clone, Copy, Debug)]
pub struct OptionRow {
    pub name: &'static str,
    /// What to call its value; `None` for a switch.
    pub value: Option<&'static str>,
    pub meaning: &'static str,
}

const fn switch(name: &'static str, meaning: &'static str) -> OptionRow {
    OptionRow { name, value: None, meaning }
}

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
        build: |given| Ok(Command::Serve { migrate: !given.has("no-migrate") }),
    },
    CommandRow {
        words: &["migrate"],
        usage: "[--status]",
        meaning: "bring the database up to date",
        details: "Safe to run from several machines at once.",
        operands: &[],
        options: &[switch("status", "touch nothing; exit 0 when up to date, 1 when migrations are pending")],
        build: |given| Ok(Command::Migrate(if given.has("status") { Migrate::Status } else { Migrate::Apply })),
    },
    CommandRow {
        words: &["check-config"],
        usage: "[--online]",
        meaning: "print every setting with its source, secrets masked",
        details: "Creates nothing. Sources are flag, env, env_file, file and default.",
        operands: &[],
        options: &[switch("online", "also try what the settings name; exit 1 when something does not answer")],
        build: |given| Ok(Command::CheckConfig { online: given.has("online") }),
    },
    CommandRow {
        words: &["openapi"],
        usage: "",
        meaning: "print the description of the API (OpenAPI 3.1)",
        details: "YAML, or JSON with --json.",
        operands: &[],
        options: &[],
        build: |_| Ok(Command::OpenApi),
    },
    CommandRow {
        words: &["user", "create"],
        usage: "EMAIL --name NAME [--password-stdin]",
        meaning: "make an account whose address counts as verified",
        details: "Prints a generated password, once.",
        operands: &["EMAIL"],
        options: &[
            OptionRow { name: "name", value: Some("NAME"), meaning: "what the user is called (required)" },
            switch("password-stdin", "read the password from stdin and print none"),
        ],
        build: create_user,
    },
    CommandRow {
        words: &["user", "list"],
        usage: "",
        meaning: "list all accounts",
        details: "",
        operands: &[],
        options: &[],
        build: |_| Ok(Command::User(UserCommand::List)),
    },
    CommandRow {
        words: &["user", "reset-password"],
        usage: "EMAIL|ID [--send]",
        meaning: "end all sessions of an account and print a link that sets a new password",
        details: "",
        operands: USER,
        options: &[switch("send", "mail the link instead of printing it")],
        build: |given| {
            let delivery = if given.has("send") { Delivery::Mail } else { Delivery::Print };
            Ok(Command::User(UserCommand::ResetPassword { user: named_user(given)?, delivery }))
        },
    },
    CommandRow {
        words: &["user", "suspend"],
        usage: "EMAIL|ID",
        meaning: "end all sessions of an account and allow no new ones",
        details: "",
        operands: USER,
        options: &[],
        build: |given| Ok(Command::User(UserCommand::Suspend(named_user(given)?))),
    },
    CommandRow {
        words: &["user", "reinstate"],
        usage: "EMAIL|ID",
        meaning: "lift a suspension",
        details: "",
        operands: USER,
        options: &[],
        build: |given| Ok(Command::User(UserCommand::Reinstate(named_user(given)?))),
    },
    CommandRow {
        words: &["keys", "rotate"],
        usage: "--jwt | --secret",
        meaning: "put a new key into use",
        details: "A running server takes the new key within a second; tokens and cursors of the old one stay good for their time.",
        operands: &[],
        options: &[
            switch("jwt", "the generated key that signs access tokens"),
            switch(
                "secret",
                "the key that encrypts stored secrets: re-encrypts them to the first one of OCTAVO_SECRET_KEY, or to a new generated one",
            ),
        ],
        build: |given| match (given.has("jwt"), given.has("secret")) {
            (true, false) => Ok(Command::RotateKeys(RotatedKey::Jwt)),
            (false, true) => Ok(Command::RotateKeys(RotatedKey::Secret)),
            _ => Err(given.fault("needs exactly one of --jwt and --secret")),
        },
    },
];

/// Every command, in the order of `--help`.
pub const fn rows() -> &'static [CommandRow] {
    ROWS
}

fn create_user(given: &Given<'_>) -> Result<Command, UsageFault> {
    let email = Email::parse(given.operand(0)).map_err(|_| given.fault("EMAIL is not an email address"))?;
    let name = given.value("name").ok_or_else(|| given.fault("needs --name"))?;
    let name = Name::parse(name).map_err(|_| given.fault("--name must be one line of 1 to 100 characters"))?;
    let password = if given.has("password-stdin") { PasswordFrom::Stdin } else { PasswordFrom::Generator };
    Ok(Command::User(UserCommand::Create { email, name, password }))
}

fn named_user(given: &Given<'_>) -> Result<NamedUser, UsageFault> {
    let text = given.operand(0);
    let by_id = text.parse().map(NamedUser::Id);
    by_id
        .or_else(|_| Email::parse(text).map(NamedUser::Email))
        .map_err(|_| given.fault("EMAIL|ID is neither an email address nor a user id"))
}
