//! Command lines as people type them.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::{
    Command, Delivery, Migrate, NamedUser, Parsed, PasswordFrom, RotatedKey, SearchCommand, UserCommand,
    WorkspaceCommand, help, parse, rows,
};
use crate::settings::table;
use octavo_core_model::{
    consumer::ConsumerName,
    text::{Email, Name},
    workspace::{Limit, OwnLimits},
};

fn parsed(line: &[&str]) -> Parsed {
    let settings: Vec<_> = table::rows().iter().map(table::Row::flag).collect();
    parse(line.iter().map(|word| word.as_bytes().to_vec()).collect(), &settings)
}

fn command(line: &[&str]) -> Command {
    match parsed(line) {
        Parsed::Run { command, .. } => command,
        other => unreachable!("{line:?}: {other:?}"),
    }
}

fn faults(line: &[&str]) -> Vec<String> {
    match parsed(line) {
        Parsed::Refuse { faults, .. } => faults.iter().map(ToString::to_string).collect(),
        other => unreachable!("{line:?}: {other:?}"),
    }
}

fn ada() -> Email {
    Email::parse("ada@example.com").unwrap()
}

#[test]
fn each_command_is_understood() {
    let id = "usr_01J8Z3K4M5N6P7Q8R9S0T1V2W3";
    let user = |command| Command::User(command);
    let wks = "wks_01J8Z3K4M5N6P7Q8R9S0T1V2W3";
    let wks_id = wks.parse().unwrap();
    let workspace = |command| Command::Workspace(command);
    let limits =
        OwnLimits { members: Some(Limit::AtMost(5)), storage_bytes: Some(Limit::None), ..OwnLimits::default() };
    let by_email = || NamedUser::Email(ada());
    let by_id = || NamedUser::Id(id.parse().unwrap());
    let create = |password| user(UserCommand::Create { email: ada(), name: Name::parse("Ada L.").unwrap(), password });
    for (line, expected) in [
        (&[][..], Command::Serve { migrate: true }),
        (&["--no-migrate"], Command::Serve { migrate: false }),
        (&["serve"], Command::Serve { migrate: true }),
        (&["serve", "--no-migrate"], Command::Serve { migrate: false }),
        (&["migrate"], Command::Migrate(Migrate::Apply)),
        (&["--status", "migrate"], Command::Migrate(Migrate::Status)),
        (&["migrate", "--distribute"], Command::Migrate(Migrate::Distribute { dry_run: false })),
        (&["migrate", "--distribute", "--dry-run"], Command::Migrate(Migrate::Distribute { dry_run: true })),
        (&["check-config"], Command::CheckConfig { online: false }),
        (&["check-config", "--online"], Command::CheckConfig { online: true }),
        (&["health"], Command::Health),
        (&["openapi"], Command::OpenApi),
        (&["user", "create", "ADA@example.com", "--name", "Ada L."], create(PasswordFrom::Generator)),
        (&["--name=Ada L.", "user", "--password-stdin", "create", "ada@example.com"], create(PasswordFrom::Stdin)),
        (&["user", "list"], user(UserCommand::List)),
        (&["user", "suspend", "ada@example.com"], user(UserCommand::Suspend(by_email()))),
        (&["user", "reinstate", "--", id], user(UserCommand::Reinstate(by_id()))),
        (
            &["user", "reset-password", id],
            user(UserCommand::ResetPassword { user: by_id(), delivery: Delivery::Print }),
        ),
        (
            &["user", "reset-password", "ada@example.com", "--send"],
            user(UserCommand::ResetPassword { user: by_email(), delivery: Delivery::Mail }),
        ),
        (&["workspace", "list"], workspace(WorkspaceCommand::List)),
        (&["workspace", "delete", wks, "--yes"], workspace(WorkspaceCommand::Delete { id: wks_id, yes: true })),
        (
            &["workspace", "set-limits", wks, "members=5", "storageBytes=none"],
            workspace(WorkspaceCommand::SetLimits { id: wks_id, limits }),
        ),
        (&["search", "rebuild"], Command::Search(SearchCommand::Rebuild)),
        (&["search", "verify"], Command::Search(SearchCommand::Verify)),
        (&["events", "replay", "notifications"], Command::ReplayEvents(ConsumerName::Notifications)),
        (&["purge"], Command::Purge { dry_run: false }),
        (&["purge", "--dry-run"], Command::Purge { dry_run: true }),
        (&["keys", "rotate", "--jwt"], Command::RotateKeys(RotatedKey::Jwt)),
        (&["keys", "rotate", "--secret"], Command::RotateKeys(RotatedKey::Secret)),
    ] {
        assert_eq!(command(line), expected, "{line:?}");
    }
}

#[test]
fn settings_and_json_may_precede_or_follow_the_command() {
    let expected = vec![("listen".to_owned(), b"127.0.0.1:0".to_vec()), ("debug-events".to_owned(), b"false".to_vec())];
    for line in [
        &["--listen", "127.0.0.1:0", "--debug-events=false", "--json", "user", "list"][..],
        &["user", "--listen=127.0.0.1:0", "--json", "list", "--debug-events", "false"],
        &["user", "list", "--listen", "127.0.0.1:0", "--debug-events", "false", "--json"],
    ] {
        let command = Command::User(UserCommand::List);
        assert_eq!(parsed(line), Parsed::Run { command, json: true, flags: expected.clone() }, "{line:?}");
    }
}

#[test]
fn a_flag_takes_the_next_argument_as_its_value() {
    let Parsed::Run { flags, .. } = parsed(&["--jwt-secret", "--json", "--mail-from=a=b", "--log", ""]) else {
        unreachable!("a command")
    };
    let values: Vec<_> = flags.iter().map(|(_, value)| String::from_utf8_lossy(value)).collect();
    assert_eq!(values, ["--json", "a=b", ""]);
}

#[test]
fn invalid_arguments_are_reported() {
    for (line, fault) in [
        (&["sreve"][..], "octavo sreve: there is no such command"),
        (&["user"], "octavo user: needs a further word"),
        (&["user", "sing"], "octavo user sing: there is no such command"),
        (&["serve", "now"], "octavo serve: has no use for \"now\""),
        (&["serve", "--status"], "octavo serve: takes no --status"),
        (&["serve", "--no-migrate", "--no-migrate"], "octavo serve: --no-migrate is given more than once"),
        (&["serve", "--no-migrate=true"], "--no-migrate: takes no value"),
        (&["serve", "--json=true"], "--json: takes no value"),
        (&["serve", "--lissten", "127.0.0.1:0"], "--lissten: there is no such flag"),
        (&["serve", "-x"], "-x: there is no such flag"),
        (&["serve", "--config-file", "x"], "--config-file: there is no such flag"),
        (&["serve", "--listen"], "--listen: needs a value"),
        (&["user", "create", "--name", "Ada"], "octavo user create: needs EMAIL"),
        (&["user", "create", "ada@example.com"], "octavo user create: needs --name"),
        (&["user", "create", "ada", "--name", "Ada"], "octavo user create: EMAIL is not an email address"),
        (
            &["user", "create", "ada@example.com", "--name", "A\nda"],
            "octavo user create: --name must be one line of 1 to 100 characters",
        ),
        (&["user", "suspend", "ada"], "octavo user suspend: EMAIL|ID is neither an email address nor a user id"),
        (&["migrate", "--status", "--distribute"], "octavo migrate: takes one of --status and --distribute"),
        (&["migrate", "--dry-run"], "octavo migrate: --dry-run needs --distribute"),
        (&["events", "replay", "nothing"], "octavo events replay: CONSUMER must be notifications"),
        (&["keys", "rotate"], "octavo keys rotate: needs exactly one of --jwt and --secret"),
        (&["keys", "rotate", "--jwt", "--secret"], "octavo keys rotate: needs exactly one of --jwt and --secret"),
        (&["workspace", "delete", "acme"], "octavo workspace delete: ID is no workspace id"),
        (
            &["workspace", "set-limits", "wks_01J8Z3K4M5N6P7Q8R9S0T1V2W3"],
            "octavo workspace set-limits: needs LIMIT=N...",
        ),
        (
            &["workspace", "set-limits", "wks_01J8Z3K4M5N6P7Q8R9S0T1V2W3", "members=0"],
            "octavo workspace set-limits: members wants a whole number, or none",
        ),
        (
            &["workspace", "set-limits", "wks_01J8Z3K4M5N6P7Q8R9S0T1V2W3", "cats=3"],
            "octavo workspace set-limits: there is no limit \"cats\"",
        ),
        (&["completions"], "octavo completions: needs bash|zsh|fish"),
        (&["completions", "sh"], "octavo completions: there are completions for bash, zsh and fish only"),
        (&["serve", "a\nb"], "octavo serve: has no use for \"a\\nb\""),
    ] {
        assert_eq!(faults(line), [fault], "{line:?}");
    }
    let not_text = parse(vec![vec![0xff]], &[]);
    assert!(matches!(not_text, Parsed::Refuse { .. }));
}

#[test]
fn settings_are_checked_even_if_the_command_is_wrong() {
    let Parsed::Refuse { flags, .. } = parsed(&["sreve", "--listen", "nowhere"]) else { unreachable!("a refusal") };
    assert_eq!(flags, [("listen".to_owned(), b"nowhere".to_vec())]);
}

#[test]
fn each_command_has_help() {
    for row in rows() {
        let mut line = row.words.to_vec();
        line.push("--help");
        let Parsed::Print(text) = parsed(&line) else { unreachable!("help of {line:?}") };
        assert!(text.contains(&row.synopsis()), "{text}");
        for option in row.options {
            assert!(text.contains(&format!("--{}", option.name)) && text.contains(option.meaning), "{text}");
        }
    }
    let Parsed::Print(text) = parsed(&["--help"]) else { unreachable!("help") };
    assert!(rows().iter().all(|row| text.contains(&row.synopsis())), "{text}");
    let Parsed::Print(text) = parsed(&["user", "-h"]) else { unreachable!("help") };
    assert!(text.contains("octavo user list") && !text.contains("octavo serve"), "{text}");
}

#[test]
fn help_on_the_program_begins_with_examples_and_the_first_settings() {
    let Parsed::Print(text) = parsed(&["--help"]) else { unreachable!("help") };
    let settings = table::rows();
    let mut end = 0;
    for (example, _) in help::EXAMPLES {
        let words: Vec<_> = example.split(' ').skip(1).collect();
        assert!(matches!(parsed(&words), Parsed::Run { .. }), "{example}");
        end = text.find(example).unwrap();
    }
    for name in help::FIRST_SETTINGS {
        let row = settings.iter().find(|row| row.name == name).unwrap();
        let at = text.find(&format!("  --{} ", row.flag())).unwrap();
        assert!(at > end, "in this order: {text}");
        end = at;
    }
    assert!(end < text.find("Usage:").unwrap(), "{text}");
    assert_eq!(text.matches("\n  --").count(), help::FIRST_SETTINGS.len() + 1, "no other setting, and --json: {text}");
}

#[test]
fn help_on_settings_lists_each_with_its_default_and_no_other() {
    let Parsed::Print(text) = parsed(&["help", "settings"]) else { unreachable!("help") };
    let settings = table::rows();
    for row in &settings {
        let line = text.split(&format!("\n  --{} ", row.flag())).nth(1).unwrap();
        if let table::Fallback::Value(value) = &row.fallback
            && !value.is_empty()
        {
            assert!(line.split("\n  --").next().unwrap().contains(&format!("[{value}]")), "{}: {text}", row.name);
        }
    }
    assert_eq!(text.matches("\n  --").count(), settings.len(), "{text}");
}

#[test]
fn help_names_no_unknown_setting_and_no_unknown_flag() {
    let lines = rows().iter().map(|row| [&["help"][..], row.words].concat());
    let lines = lines.chain([vec!["help"], vec!["help", "settings"], vec!["help", "user"]]);
    let settings = table::rows();
    for line in lines {
        let Parsed::Print(text) = parsed(&line) else { unreachable!("help of {line:?}") };
        for word in text.split(|letter: char| !(letter.is_ascii_alphanumeric() || "_-".contains(letter))) {
            if let Some(name) = word.strip_prefix("OCTAVO_") {
                assert!(settings.iter().any(|row| row.name == name), "{line:?}: {word}");
            }
            if let Some(flag) = word.strip_prefix("--").filter(|flag| !flag.is_empty()) {
                let is_option = rows().iter().flat_map(|row| row.options).any(|option| option.name == flag);
                let is_common = ["json", "help", "version"].contains(&flag);
                let is_setting = settings.iter().any(|row| row.flag() == flag);
                assert!(is_option || is_common || is_setting, "{line:?}: {word}");
            }
        }
    }
}

#[test]
fn help_on_a_command_can_be_asked_for_in_two_ways() {
    for words in [&["user", "create"][..], &["user"], &["serve"]] {
        let asked = parsed(&[&["help"][..], words].concat());
        assert!(matches!(asked, Parsed::Print(_)), "{asked:?}");
        assert_eq!(asked, parsed(&[words, &["--help"][..]].concat()));
    }
    assert_eq!(parsed(&["help"]), parsed(&["--help"]));
    assert_eq!(faults(&["help", "sreve"]), ["octavo sreve: there is no such command"]);
    assert_eq!(faults(&["help", "--status"]), ["octavo help: takes no --status"]);
}

#[test]
fn no_option_has_the_name_of_a_setting() {
    let settings: Vec<_> = table::rows().iter().map(table::Row::flag).collect();
    for option in rows().iter().flat_map(|row| row.options) {
        assert!(!settings.iter().any(|setting| setting == option.name), "{}", option.name);
    }
}
