//! Mail addresses of the settings: `file:PATH`, `smtp://host` or `smtps://user:password@host:port`.

use octavo_core_model::Secret;
use percent_encoding::percent_decode_str;
use std::{path::PathBuf, str::FromStr};
use url::{Host, Url};

const SMTP_PORT: u16 = 25;
const SMTPS_PORT: u16 = 465;

/// A way to send mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailUrl {
    Folder(PathBuf),
    Smtp(SmtpServer),
}

/// An SMTP server and its protocol settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmtpServer {
    pub host: String,
    pub port: u16,
    pub security: Security,
    /// User name and password.
    pub login: Option<(String, Secret<String>)>,
}

/// How a connection is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// TLS if the server offers it, with any certificate: an attacker who could forge one could also hide the offer.
    Opportunistic,
    /// TLS through STARTTLS with a valid certificate; otherwise no mail is sent.
    StartTls,
    /// TLS with a valid certificate from the first byte.
    Tls,
}

/// Why a text is not a valid mail URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailUrlFlaw {
    /// It starts with none of `file:`, `smtp://` and `smtps://`.
    #[error("must start with file:, smtp:// or smtps://")]
    Scheme,
    /// `file:` without a path, or with a host.
    #[error("file: needs a path and takes no host")]
    Path,
    /// No host, or a broken one.
    #[error("the host or port is missing or malformed")]
    Host,
    /// A user without a password, a password without a user, or broken percent-encoding.
    #[error("user and password belong together, special characters percent-encoded")]
    Login,
    /// More than user, password, host and port.
    #[error("takes nothing after host and port")]
    Surplus,
}

impl FromStr for MailUrl {
    type Err = MailUrlFlaw;

    fn from_str(text: &str) -> Result<Self, MailUrlFlaw> {
        match text.strip_prefix("file:") {
            Some(path) => folder(path).map(Self::Folder),
            None => server(text).map(Self::Smtp),
        }
    }
}

fn folder(path: &str) -> Result<PathBuf, MailUrlFlaw> {
    let path = match path.strip_prefix("//") {
        Some(rest) if !rest.starts_with('/') => return Err(MailUrlFlaw::Path),
        Some(rest) => rest,
        None => path,
    };
    if path.is_empty() { Err(MailUrlFlaw::Path) } else { Ok(PathBuf::from(path)) }
}

fn server(text: &str) -> Result<SmtpServer, MailUrlFlaw> {
    let encrypted = match text.split_once("://") {
        Some(("smtp", _)) => false,
        Some(("smtps", _)) => true,
        _ => return Err(MailUrlFlaw::Scheme),
    };
    let url = Url::parse(text).map_err(|_| MailUrlFlaw::Host)?;
    // `url` does not check the hosts of this scheme by itself, so they are checked here.
    let host = Host::parse(url.host_str().unwrap_or_default()).map_err(|_| MailUrlFlaw::Host)?;
    if !matches!(url.path(), "" | "/") || url.query().is_some() || url.fragment().is_some() {
        return Err(MailUrlFlaw::Surplus);
    }
    let login = match (url.username(), url.password()) {
        ("", None) => None,
        ("", Some(_)) | (_, None | Some("")) => return Err(MailUrlFlaw::Login),
        (user, Some(password)) => Some((decode(user)?, Secret::new(decode(password)?))),
    };
    let security = match (encrypted, &login) {
        (true, _) => Security::Tls,
        // A password is sent encrypted, unless it never leaves the machine.
        (false, Some(_)) if !is_loopback(&host) => Security::StartTls,
        (false, _) => Security::Opportunistic,
    };
    let port = url.port().unwrap_or(if encrypted { SMTPS_PORT } else { SMTP_PORT });
    // Connecting to an IPv6 address needs it without brackets.
    let host = match host {
        Host::Ipv6(address) => address.to_string(),
        other => other.to_string(),
    };
    Ok(SmtpServer { host, port, security, login })
}

fn is_loopback(host: &Host) -> bool {
    match host {
        Host::Domain(name) => name == "localhost",
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    }
}

fn decode(text: &str) -> Result<String, MailUrlFlaw> {
    percent_decode_str(text).decode_utf8().map(Into::into).map_err(|_| MailUrlFlaw::Login)
}
