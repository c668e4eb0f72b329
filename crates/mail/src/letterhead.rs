//! What all letters of a deployment share: the sender, the host that sends them, and the origin of their links.

use lettre::{
    message::{Mailbox, Mailboxes},
    transport::smtp::extension::ClientId,
};
use octavo_core_model::mail::{Notice, OPENING_PAGE};
use url::{Host, Origin, Url};

/// The sender of all letters, the host that sends them, and the origin of their links.
#[derive(Clone, Debug)]
pub struct Letterhead {
    pub(crate) from: Mailbox,
    /// The origin of the pages to which links lead.
    pages: String,
    host: Host,
}

/// Why a letterhead is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LetterheadFlaw {
    /// The sender is not one address, with or without a name.
    #[error("not a sender such as `Octavo <no-reply@example.com>`")]
    From,
    /// The origin is not an http or https origin.
    #[error("not an http or https origin")]
    Origin,
}

impl Letterhead {
    /// `from` is `Name <address>` or an address; `origin` is the public origin, to which links lead.
    pub fn new(from: &str, origin: &str) -> Result<Self, LetterheadFlaw> {
        if from.chars().any(char::is_control) {
            return Err(LetterheadFlaw::From);
        }
        // Parsed as a list, so that a second sender is noticed and not dropped.
        let senders: Mailboxes = from.parse().map_err(|_| LetterheadFlaw::From)?;
        let mut senders = senders.into_iter();
        let (Some(from), None) = (senders.next(), senders.next()) else { return Err(LetterheadFlaw::From) };
        let (pages, host) = web_origin(origin)?;
        Ok(Self { from, pages, host })
    }

    /// The same letterhead with links to the pages of another origin.
    pub fn linking_to(self, pages: &str) -> Result<Self, LetterheadFlaw> {
        let (pages, _) = web_origin(pages)?;
        Ok(Self { pages, ..self })
    }

    /// The address of a page with a token.
    pub(crate) fn link(&self, page: &str, token: &str) -> String {
        format!("{}/{page}?token={token}", self.pages)
    }

    /// The address at which somebody opens what a notification is about.
    pub(crate) fn opening_link(&self, notice: &Notice) -> String {
        let Notice { workspace, subject, id, .. } = notice;
        // Ids and types need no escapes.
        format!("{}/{OPENING_PAGE}?workspace={workspace}&type={subject}&id={id}", self.pages)
    }

    /// A message id of this deployment.
    pub(crate) fn message_id(&self, name: &str) -> String {
        format!("<{name}@{}>", self.host)
    }

    /// The name with which the deployment introduces itself to an SMTP server.
    pub(crate) fn greeting(&self) -> ClientId {
        match &self.host {
            Host::Domain(name) => ClientId::Domain(name.clone()),
            Host::Ipv4(address) => ClientId::Ipv4(*address),
            Host::Ipv6(address) => ClientId::Ipv6(*address),
        }
    }
}

/// Reads an http or https origin. Returns how browsers write it, and its host.
fn web_origin(text: &str) -> Result<(String, Host), LetterheadFlaw> {
    let origin = Url::parse(text).map_err(|_| LetterheadFlaw::Origin)?.origin();
    let written = origin.ascii_serialization();
    match origin {
        Origin::Tuple(scheme, host, _) if scheme == "http" || scheme == "https" => Ok((written, host)),
        _ => Err(LetterheadFlaw::Origin),
    }
}
