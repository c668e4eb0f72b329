//! The mail server and the sender. The mail crate validates them.

use super::{Flaw, Kind};
use octavo_mail::{Letterhead, MailUrl, MailUrlFlaw};

/// `file:` and a folder, or an SMTP server.
pub(in crate::settings) struct MailKind;

impl Kind for MailKind {
    type Value = MailUrl;

    fn wants(&self) -> String {
        "file:FOLDER, smtp://[user:password@]host[:port], or smtps:// for TLS".to_owned()
    }

    fn parse(&self, text: &str) -> Result<MailUrl, Flaw> {
        text.parse().map_err(|flaw| match flaw {
            MailUrlFlaw::Scheme => Flaw::Malformed,
            flaw => Flaw::because(flaw.to_string()),
        })
    }
}

/// The sender of letters: `Name <address>` or only an address.
pub(in crate::settings) struct SenderKind;

impl Kind for SenderKind {
    type Value = String;

    fn wants(&self) -> String {
        "an address, alone or as Name <address>".to_owned()
    }

    fn parse(&self, text: &str) -> Result<String, Flaw> {
        // The origin of links does not matter for checking a sender.
        Letterhead::new(text, "http://localhost").map(|_| text.to_owned()).map_err(|_| Flaw::Malformed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_sender_needs_no_domain() {
        let sender = "Octavo <no-reply@localhost>";
        assert_eq!(SenderKind.parse(sender), Ok(sender.to_owned()));
    }

    #[test]
    fn a_sender_is_one_address_on_one_line() {
        for wrong in ["", "Octavo", "Octavo <>", "a@b.c, d@e.f", "Octavo\r\nBcc: x@y.z <a@b.c>"] {
            assert_eq!(SenderKind.parse(wrong), Err(Flaw::Malformed), "{wrong:?}");
        }
    }

    #[test]
    fn mail_that_goes_nowhere_is_refused() {
        for wrong in ["", "mail.example.com", "http://mail.example.com", "file:", "smtp://user@mail.example.com"] {
            assert!(MailKind.parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
