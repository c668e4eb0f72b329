//! Sending mail.

use async_trait::async_trait;
use octavo_core_model::{id::JobId, mail::Letter};

/// Why a letter did not go out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailFailure {
    /// Worth another try. The text is for the operator's log and holds no token and no address.
    Later(String),
    /// The server will never accept it.
    Never(String),
}

#[async_trait]
pub trait Mailer: Send + Sync {
    /// Sends a letter. The message id is made from the job's id, so that a letter that is sent twice can be recognized.
    async fn send(&self, job: JobId, letter: &Letter) -> Result<(), MailFailure>;

    /// Whether the way out is open, without sending anything.
    async fn probe(&self) -> bool;
}
