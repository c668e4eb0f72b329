//! Sending mail.

use async_trait::async_trait;
use octavo_core_model::{id::JobId, mail::Letter};

/// Why a letter did not go out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailFailure {
    /// Worth another try. The text is for the operator's log and holds no token and no address.
    Later(String),
    /// The server will never take it.
    Never(String),
}

#[async_trait]
pub trait Mailer: Send + Sync {
    /// Sends a letter. The job's id makes the message id, so that a letter sent twice can be told.
    async fn send(&self, job: JobId, letter: &Letter) -> Result<(), MailFailure>;

    /// Whether the way out is open, without sending anything.
    async fn probe(&self) -> bool;
}
