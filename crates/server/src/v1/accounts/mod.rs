//! Accounts: registering, profile, address, deletion.

pub mod deletion;
pub mod email_change;
pub mod email_verification;
pub mod profile;
pub mod register;
pub mod security_events;
pub mod user;

use crate::wire::{body, reply};
use octavo_core_model::{Secret, text::Email};

body! {
    /// A token from a mail.
    pub(crate) TokenBody {
        /// The token in the link of the mail.
        token "token": required Secret<String> = "evt_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
    }
}

body! {
    /// An address.
    pub(crate) EmailBody {
        /// The address.
        email "email": required Email,
    }
}

reply! {
    /// The request was accepted. Whether a mail is sent is not revealed.
    pub(crate) SentReply {
        /// Always true.
        sent "sent": required bool = true,
    }
}
