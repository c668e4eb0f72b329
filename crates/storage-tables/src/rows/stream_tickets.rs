//! Rows of tickets for streams.

use crate::{schema::stream_tickets, stored::Stored};
use diesel::prelude::{Insertable, Queryable};
use octavo_core_model::{
    Timestamp, TokenHash,
    id::WorkspaceId,
    stream_ticket::{StreamTicket, TicketHolder},
};

#[derive(Debug, Insertable, Queryable)]
#[diesel(table_name = stream_tickets, treat_none_as_default_value = false)]
pub struct StreamTicketRow {
    hash: Stored<TokenHash>,
    workspace_id: Stored<WorkspaceId>,
    holder: Stored<TicketHolder>,
    expires_at: i64,
}

impl From<&StreamTicket> for StreamTicketRow {
    fn from(ticket: &StreamTicket) -> Self {
        Self {
            hash: Stored(ticket.hash),
            workspace_id: Stored(ticket.workspace),
            holder: Stored(ticket.holder.clone()),
            expires_at: ticket.expires_at.millis(),
        }
    }
}

impl From<StreamTicketRow> for StreamTicket {
    fn from(row: StreamTicketRow) -> Self {
        Self {
            hash: row.hash.0,
            workspace: row.workspace_id.0,
            holder: row.holder.0,
            expires_at: Timestamp::from_millis(row.expires_at),
        }
    }
}
