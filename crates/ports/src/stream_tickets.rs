//! Tickets for streams. A ticket is its own owner: whoever holds it knows nothing else of it.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{stream_ticket::StreamTicket, token::TokenHash};

#[async_trait]
pub trait StreamTicketReads: Send {
    /// Whether there is a ticket with this hash.
    async fn exists(&mut self, hash: &TokenHash) -> StoreResult<bool>;
}

#[async_trait]
pub trait StreamTickets: StreamTicketReads {
    async fn insert(&mut self, ticket: &StreamTicket) -> StoreResult<()>;

    /// Removes a ticket and returns it. Of several units that take the same one, one gets it.
    async fn take(&mut self, hash: &TokenHash) -> StoreResult<Option<StreamTicket>>;
}
