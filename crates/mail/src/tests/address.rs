//! Reading mail addresses and letterheads.

use crate::{Letterhead, LetterheadFlaw, MailUrl, MailUrlFlaw, Security, SmtpServer};
use octavo_core_model::Secret;
use proptest::prelude::*;
use std::path::PathBuf;

fn parse(text: &str) -> Result<MailUrl, MailUrlFlaw> {
    text.parse()
}

fn server(host: &str, port: u16, security: Security, login: Option<(&str, &str)>) -> MailUrl {
    let login = login.map(|(user, password)| (user.to_owned(), Secret::new(password.to_owned())));
    MailUrl::Smtp(SmtpServer { host: host.to_owned(), port, security, login })
}

#[test]
fn a_folder_is_named_by_its_path() {
    for (text, path) in [("file:mail", "mail"), ("file:/var/mail", "/var/mail"), ("file:///var/mail", "/var/mail")] {
        assert_eq!(parse(text), Ok(MailUrl::Folder(PathBuf::from(path))));
    }
    for wrong in ["file:", "file://", "file://host/var/mail"] {
        assert_eq!(parse(wrong), Err(MailUrlFlaw::Path), "{wrong}");
    }
}

#[test]
fn a_server_is_named_by_scheme_login_host_and_port() {
    use Security::{Opportunistic, StartTls, Tls};
    for (text, expected) in [
        ("smtp://mail.example.com", server("mail.example.com", 25, Opportunistic, None)),
        ("smtp://mail.example.com:2525/", server("mail.example.com", 2525, Opportunistic, None)),
        ("smtp://[::1]:2525", server("::1", 2525, Opportunistic, None)),
        ("smtps://mail.example.com", server("mail.example.com", 465, Tls, None)),
        (
            "smtps://ada%40example.com:p%3Aw%2F%25@mail.example.com:4650",
            server("mail.example.com", 4650, Tls, Some(("ada@example.com", "p:w/%"))),
        ),
        ("smtp://u:p@mail.example.com", server("mail.example.com", 25, StartTls, Some(("u", "p")))),
        ("smtp://u:p@localhost:25", server("localhost", 25, Opportunistic, Some(("u", "p")))),
        ("smtp://u:p@127.0.0.1:25", server("127.0.0.1", 25, Opportunistic, Some(("u", "p")))),
    ] {
        assert_eq!(parse(text), Ok(expected), "{text}");
    }
}

#[test]
fn anything_else_is_refused_with_its_flaw() {
    for (wrong, flaw) in [
        ("", MailUrlFlaw::Scheme),
        ("mail.example.com", MailUrlFlaw::Scheme),
        ("http://mail.example.com", MailUrlFlaw::Scheme),
        ("smtp:mail.example.com", MailUrlFlaw::Scheme),
        ("SMTP//x", MailUrlFlaw::Scheme),
        ("smtp://", MailUrlFlaw::Host),
        ("smtp://:25", MailUrlFlaw::Host),
        ("smtp://host:70000", MailUrlFlaw::Host),
        ("smtp://ho st", MailUrlFlaw::Host),
        ("smtp://[::1", MailUrlFlaw::Host),
        ("smtps://user@host", MailUrlFlaw::Login),
        ("smtps://:password@host", MailUrlFlaw::Login),
        ("smtps://user:%FF@host", MailUrlFlaw::Login),
        ("smtp://host/path", MailUrlFlaw::Surplus),
        ("smtp://host?tls=none", MailUrlFlaw::Surplus),
        ("smtp://host#x", MailUrlFlaw::Surplus),
    ] {
        assert_eq!(parse(wrong), Err(flaw), "{wrong}");
    }
}

#[test]
fn printing_an_address_shows_no_password() {
    assert!(!format!("{:?}", parse("smtps://user:hunter2@host")).contains("hunter2"));
}

#[test]
fn a_letterhead_needs_one_sender_and_an_origin() {
    for from in ["no-reply@example.com", "Octavo <no-reply@example.com>", "\"Octavo, Inc.\" <no-reply@example.com>"] {
        assert!(Letterhead::new(from, "http://127.0.0.1:8080").is_ok(), "{from}");
    }
    for from in ["", "Octavo", "<>", "a@x.com, b@x.com", "Octavo\r\nBcc: x@x.com <a@x.com>", "a@x.com\r\nBcc: b@x.com"]
    {
        assert_eq!(Letterhead::new(from, "https://x.com").unwrap_err(), LetterheadFlaw::From, "{from}");
    }
    for origin in ["", "x.com", "file:///x", "mailto:a@x.com"] {
        assert_eq!(Letterhead::new("a@x.com", origin).unwrap_err(), LetterheadFlaw::Origin, "{origin}");
        let letterhead = Letterhead::new("a@x.com", "https://x.com").unwrap();
        assert_eq!(letterhead.linking_to(origin).unwrap_err(), LetterheadFlaw::Origin, "{origin}");
    }
}

proptest! {
    #[test]
    fn reading_any_text_never_panics(text: String, rest: String) {
        let _ = parse(&text);
        let _ = parse(&format!("smtp://{rest}"));
        let _ = Letterhead::new(&text, &rest);
    }
}
