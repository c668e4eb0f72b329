//! The docs list exactly the settings, buckets and commands that exist.
//!
//! `UPDATE_DOCS=1 cargo nextest run -p octavo docs` rewrites the tables.

use octavo::{
    command,
    settings::table::{self, Fallback, Row},
};
use octavo_core_model::Bucket;
use std::fs;

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");

#[test]
fn the_tables_of_settings_and_buckets_are_those_of_the_binary() {
    holds("settings.md", "settings", &settings_table());
    holds("settings.md", "buckets", &bucket_table());
}

#[test]
fn the_command_table_is_that_of_the_binary() {
    holds("operate.md", "commands", &command_table());
}

/// Whether to rewrite the tables instead of comparing them.
#[expect(clippy::disallowed_methods, reason = "the only way to tell a test something")]
fn rewriting() -> bool {
    std::env::var_os("UPDATE_DOCS").is_some()
}

/// Compares the part of a page between two markers with its expected content.
fn holds(page: &str, mark: &str, table: &str) {
    let path = format!("{DOCS}/{page}");
    let text = fs::read_to_string(&path).unwrap();
    let (begin, end) = (format!("<!-- {mark}: generated -->\n"), format!("<!-- {mark}: end -->\n"));
    let (before, rest) = text.split_once(&begin).unwrap();
    let (written, after) = rest.split_once(&end).unwrap();
    if written != table && rewriting() {
        fs::write(&path, format!("{before}{begin}{table}{end}{after}")).unwrap();
        return;
    }
    assert_eq!(written, table, "{page} is behind: UPDATE_DOCS=1 cargo nextest run -p octavo docs");
}

fn settings_table() -> String {
    let rows = table::rows();
    let single = rows.iter().filter(|row| !row.name.starts_with("RATE_LIMIT_"));
    let line = |row: &Row| {
        format!("| `{}` | {} | {} | {} |\n", row.variable(), default(row), cell(&row.wants), cell(&row.meaning))
    };
    let lines: String = single.map(line).collect();
    format!("| setting | default | value | meaning |\n|---|---|---|---|\n{lines}")
}

fn default(row: &Row) -> String {
    match &row.fallback {
        Fallback::Value(text) if !text.is_empty() => format!("`{text}`"),
        Fallback::Derived(rule) => (*rule).to_owned(),
        Fallback::Generated => "generated".to_owned(),
        Fallback::Value(_) | Fallback::None => "none".to_owned(),
    }
}

/// Escapes a text for a table cell, so that it contains no cell border and no markup.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('*', "\\*").replace('<', "\\<")
}

fn bucket_table() -> String {
    let line = |bucket: &Bucket| {
        let (counted, calls) = scope(*bucket);
        let (limit, window) = (bucket.default_limit(), table::window(*bucket));
        let setting = table::bucket_setting(*bucket);
        format!("| `{}` | `OCTAVO_{setting}` | {limit} in {window} | {counted} | {calls} |\n", bucket.name())
    };
    let lines: String = Bucket::ALL.iter().map(line).collect();
    format!("| bucket | setting | default | counted per | calls |\n|---|---|---|---|---|\n{lines}")
}

/// Whose calls a bucket counts, and which calls.
fn scope(bucket: Bucket) -> (&'static str, &'static str) {
    match bucket {
        Bucket::Generic => (
            "user, or client address of a call without a valid credential",
            "all except free ones and those with an API key",
        ),
        Bucket::ApiKey => ("API key", "those with this key; its own rate limit takes precedence"),
        Bucket::Ip => ("client address", "those of `generic`"),
        Bucket::Credentials => {
            ("client address", "login, registration, password reset (request and confirmation), password change")
        }
        Bucket::Login => ("client address and email", "login"),
        Bucket::Register => ("client address", "registration"),
        Bucket::Screens => ("client address", "pages for signing in, for consent and for mailed links"),
        Bucket::OauthToken => ("app and client address", "tokens for apps"),
        Bucket::OauthRevoke => ("app and client address", "revoking and introspecting tokens of apps"),
        Bucket::PasswordReset => ("email", "password-reset requests"),
        Bucket::EmailVerification => ("user", "verification requests"),
        Bucket::EmailChange => ("user", "email changes"),
        Bucket::WorkspaceCreate => ("user", "new workspaces"),
        Bucket::Invitation => ("workspace; user where they do not run it", "new invitations"),
        Bucket::InvitationResend => ("invitation", "sending an invitation again"),
        Bucket::PageTransfer => ("credential", "export and import of single pages"),
        Bucket::AccessRequest => ("user", "asking for access to pages"),
        Bucket::Share => {
            ("client address and share link", "reading through share links, and joining and copying through them")
        }
        Bucket::ShareUnlock => ("client address and share link", "passwords of share links"),
        Bucket::Presence => ("user and page", "telling where on a page somebody is"),
        Bucket::CommentCreate => ("user or API key", "new comments and replies"),
        Bucket::AuditExport => ("workspace; user where they do not run it", "exports of its audit trail"),
    }
}

fn command_table() -> String {
    let line = |row: &command::CommandRow| format!("| `{}` | {} |\n", row.synopsis().replace('|', "\\|"), row.meaning);
    let lines: String = command::rows().iter().map(line).collect();
    format!("| command | does |\n|---|---|\n{lines}")
}
