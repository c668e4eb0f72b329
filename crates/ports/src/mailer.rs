//! Sending mail.

use async_trait::async_trait;
use octavo_core_model::{id::JobId, mail::Letter};

/// Why a letter could not be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailFailure {
    /// Sending it again may succeed. The text is for the operator's log and contains no token and no address.
    Later(String),
    /// The server will never accept it.
    Never(String),
}

#[async_trait]
pub trait Mailer: Send + Sync {
    /// Sends a letter. The message id is derived from the job's id, so that duplicates of a letter can be recognised.
    async fn send(&self, job: JobId, letter: &Letter) -> Result<(), MailFailure>;

    /// Whether letters could be sent now; sends nothing.
    async fn probe(&self) -> bool;
}
