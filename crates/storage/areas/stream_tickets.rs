//! Tickets for streams.

use super::Scope;
use crate::{
    prepared::{Columns, Prepare},
    rows::stream_tickets::StreamTicketRow,
    schema::stream_tickets,
    stored::Stored,
};
use diesel::{
    dsl::exists,
    prelude::*,
    select, sql_query,
    sql_types::{BigInt, Text},
};
use octavo_core_model::{stream_ticket::StreamTicket, token::TokenHash};
use octavo_ports::{
    store::StoreResult,
    stream_tickets::{StreamTicketReads, StreamTickets},
};
use octavo_storage_macros::area;

#[area]
impl StreamTicketReads for Scope {
    async fn exists(&mut self, hash: &TokenHash) -> StoreResult<bool> {
        self.one(select(exists(stream_tickets::table.find(Stored(*hash))))).await
    }
}

#[area]
impl StreamTickets for Scope {
    async fn insert(&mut self, ticket: &StreamTicket) -> StoreResult<()> {
        let row = StreamTicketRow::from(ticket);
        self.execute(diesel::insert_into(stream_tickets::table).values(&row)).await.map(drop)
    }

    async fn take(&mut self, hash: &TokenHash) -> StoreResult<Option<StreamTicket>> {
        let take =
            sql_query("DELETE FROM stream_tickets WHERE hash = $1 RETURNING hash, workspace_id, holder, expires_at")
                .bind::<Text, _>(Stored(*hash))
                .columns::<(Text, Text, Text, BigInt)>()
                .prepared();
        let taken = self.optional::<StreamTicketRow, _>(take).await?;
        Ok(taken.map(StreamTicket::from))
    }
}
