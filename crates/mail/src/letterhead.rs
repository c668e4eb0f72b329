//! What all letters of a deployment share: the sender and the origin of their links.

use lettre::{
    message::{Mailbox, Mailboxes},
    transport::smtp::extension::ClientId,
};
use url::{Host, Origin, Url};

/// The sender of all letters and the origin of their links.
#[derive(Clone, Debug)]
pub struct Letterhead {
    pub(crate) from: Mailbox,
    origin: String,
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
    /// `from` is `Name <address>` or an address; `origin` is the public origin.
    pub fn new(from: &str, origin: &str) -> Result<Self, LetterheadFlaw> {
        if from.chars().any(char::is_control) {
            return Err(LetterheadFlaw::From);
        }
        // Parsed as a list, so that a second sender is noticed and not dropped.
        let senders: Mailboxes = from.parse().map_err(|_| LetterheadFlaw::From)?;
        let mut senders = senders.into_iter();
        let (Some(from), None) = (senders.next(), senders.next()) else { return Err(LetterheadFlaw::From) };
        let url = Url::parse(origin).map_err(|_| LetterheadFlaw::Origin)?;
        match url.origin() {
            Origin::Tuple(scheme, host, _) if scheme == "http" || scheme == "https" => {
                Ok(Self { from, origin: url.origin().ascii_serialization(), host })
            }
            _ => Err(LetterheadFlaw::Origin),
        }
    }

    /// The address of a page with a token.
    pub(crate) fn link(&self, page: &str, token: &str) -> String {
        format!("{}/{page}?token={token}", self.origin)
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
