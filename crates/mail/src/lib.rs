//! Mail as files in a folder or through SMTP.

mod address;
mod file;
mod html;
mod letterhead;
mod message;
mod notices;
mod smtp;
mod template;
mod wording;

#[cfg(test)]
mod tests;

pub use address::{MailUrl, MailUrlFlaw, Security, SmtpServer};
pub use file::FileMailer;
pub use letterhead::{Letterhead, LetterheadFlaw};
pub use smtp::SmtpMailer;

use octavo_ports::mailer::Mailer;
use std::sync::Arc;

/// The mailer for an address.
pub fn mailer(address: MailUrl, letterhead: Letterhead) -> Arc<dyn Mailer> {
    match address {
        MailUrl::Folder(folder) => Arc::new(FileMailer::new(folder, letterhead)),
        MailUrl::Smtp(server) => Arc::new(SmtpMailer::new(server, letterhead)),
    }
}
