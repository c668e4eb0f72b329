//! Where letters go, and whom they come from.

use super::{Flaw, Kind, has_blank_or_control};
use octavo_core_model::Secret;
use std::{fmt, path::PathBuf};
use url::Url;

/// The way out for letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailUrl {
    /// A folder that takes one `.eml` file a letter.
    Folder(PathBuf),
    Server(MailServer),
}

/// An SMTP server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailServer {
    /// TLS from the first byte (`smtps://`); otherwise the connection is upgraded when the server offers it.
    pub tls: bool,
    pub host: String,
    pub port: Option<u16>,
    pub login: Option<(String, Secret<String>)>,
}

/// `file:` and a folder, or an SMTP server.
pub(in crate::settings) struct MailKind;

impl Kind for MailKind {
    type Value = MailUrl;

    fn wants(&self) -> String {
        "file:FOLDER, smtp://[user:password@]host[:port], or smtps:// for TLS".to_owned()
    }

    fn parse(&self, text: &str) -> Result<MailUrl, Flaw> {
        match text.strip_prefix("file:") {
            Some(folder) => mail_folder(folder),
            None => server(text).map(MailUrl::Server).ok_or(Flaw::Malformed),
        }
    }
}

fn mail_folder(rest: &str) -> Result<MailUrl, Flaw> {
    let path = match rest.strip_prefix("//") {
        Some(path) if path.starts_with('/') => path,
        Some(_) => {
            return Err(Flaw::because("write file:FOLDER for a relative path, file:/FOLDER for an absolute one"));
        }
        None => rest,
    };
    if path.is_empty() || path.contains('\0') { Err(Flaw::Malformed) } else { Ok(MailUrl::Folder(PathBuf::from(path))) }
}

fn server(text: &str) -> Option<MailServer> {
    let tls = match text.split_once("://")?.0 {
        "smtp" => false,
        "smtps" => true,
        _ => return None,
    };
    let url = Url::parse(text).ok().filter(|_| !has_blank_or_control(text))?;
    let host = url.host_str().filter(|host| !host.is_empty())?.to_owned();
    let bare = matches!(url.path(), "" | "/") && url.query().is_none() && url.fragment().is_none();
    if !bare || url.port() == Some(0) {
        return None;
    }
    let login = match (url.username(), url.password()) {
        ("", None) => None,
        (user, Some(password)) if !user.is_empty() => Some((decoded(user)?, Secret::new(decoded(password)?))),
        _ => return None,
    };
    Some(MailServer { tls, host, port: url.port(), login })
}

/// Undoes percent encoding; `None` when the result is not UTF-8.
fn decoded(text: &str) -> Option<String> {
    percent_encoding::percent_decode_str(text).decode_utf8().ok().map(std::borrow::Cow::into_owned)
}

/// The sender of letters, written `Name <address>` or as an address alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender {
    pub name: Option<String>,
    pub address: String,
}

impl fmt::Display for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name} <{}>", self.address),
            None => f.write_str(&self.address),
        }
    }
}

/// A name and an address. The rules are looser than those for users: `no-reply@localhost` is a fine sender at home.
pub(in crate::settings) struct SenderKind;

impl Kind for SenderKind {
    type Value = Sender;

    fn wants(&self) -> String {
        "an address, alone or as Name <address>".to_owned()
    }

    fn parse(&self, text: &str) -> Result<Sender, Flaw> {
        let (name, address) = match text.strip_suffix('>').and_then(|text| text.rsplit_once('<')) {
            Some((name, address)) => (Some(name.trim().trim_matches('"')), address),
            None => (None, text),
        };
        let name_fits = |name: &str| !name.chars().any(|c| c.is_control() || matches!(c, '<' | '>' | '"' | '\\'));
        let (local, domain) = address.rsplit_once('@').ok_or(Flaw::Malformed)?;
        let part_fits = |part: &str| {
            !part.is_empty()
                && part.is_ascii()
                && !has_blank_or_control(part)
                && !part.contains(['<', '>', '@', ',', ';', '"'])
        };
        if !part_fits(local) || !part_fits(domain) || !name.is_none_or(name_fits) {
            return Err(Flaw::Malformed);
        }
        Ok(Sender { name: name.filter(|name| !name.is_empty()).map(str::to_owned), address: address.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn mail_goes_to_a_folder_or_a_server() {
        assert_eq!(MailKind.parse("file:/srv/mail"), Ok(MailUrl::Folder(PathBuf::from("/srv/mail"))));
        assert_eq!(MailKind.parse("file:mail"), Ok(MailUrl::Folder(PathBuf::from("mail"))));
        let parsed = MailKind.parse("smtps://octavo:p%40ss@mail.example.com:465").unwrap();
        let login = Some(("octavo".to_owned(), Secret::new("p@ss".to_owned())));
        let server = MailServer { tls: true, host: "mail.example.com".to_owned(), port: Some(465), login };
        assert_eq!(parsed, MailUrl::Server(server));
        let MailUrl::Server(server) = MailKind.parse("smtp://localhost").unwrap() else { unreachable!("a server") };
        assert_eq!((server.tls, server.port, server.login), (false, None, None));
    }

    #[test]
    fn anything_else_is_refused() {
        for wrong in [
            "",
            "file:",
            "file://mail",
            "mail.example.com",
            "http://mail.example.com",
            "smtp://",
            "smtp:mail.example.com",
            "smtp://h/path",
            "smtp://h?tls=no",
            "smtp://user@h",
            "smtp://:pass@h",
            "smtp://h:0",
            "smtp://u:%ff@h",
            "smtp://h h",
        ] {
            assert!(MailKind.parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_sender_has_an_address_and_perhaps_a_name() {
        let octavo = SenderKind.parse("Octavo <no-reply@localhost>").unwrap();
        assert_eq!((octavo.name.as_deref(), octavo.address.as_str()), (Some("Octavo"), "no-reply@localhost"));
        assert_eq!(octavo.to_string(), "Octavo <no-reply@localhost>");
        assert_eq!(SenderKind.parse("\"Octavo\" <a@b.c>").unwrap(), SenderKind.parse("Octavo <a@b.c>").unwrap());
        assert_eq!(SenderKind.parse("a@b.c").unwrap().name, None);
        for wrong in
            ["", "Octavo", "Octavo <>", "@b", "a@", "a b@c", "O\r\nBcc: x <a@b.c>", "a@b.c\r\nBcc: x@y", "a@b, c@d"]
        {
            assert_eq!(SenderKind.parse(wrong), Err(Flaw::Malformed), "{wrong:?}");
        }
    }
}
