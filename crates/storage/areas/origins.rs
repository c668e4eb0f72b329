//! The places each user signed in from before.

use super::Scope;
use crate::{prepared::Prepare, schema::origins, stored::Stored};
use diesel::{dsl::exists, prelude::*, select};
use octavo_core_model::{Timestamp, id::UserId};
use octavo_ports::{
    origins::{Origin, OriginReads, Origins},
    store::StoreResult,
};
use octavo_storage_macros::area;

#[area]
impl OriginReads for Scope {
    async fn knows_network(&mut self, user: UserId, network: &str, since: Timestamp) -> StoreResult<bool> {
        let seen = origins::table
            .filter(origins::user_id.eq(Stored(user)))
            .filter(origins::network.eq(network))
            .filter(origins::last_seen_at.ge(since.millis()));
        self.one(select(exists(seen))).await
    }

    async fn knows_origin(&mut self, user: UserId, origin: &Origin, since: Timestamp) -> StoreResult<bool> {
        let seen = origins::table
            .find((Stored(user), &origin.network, &origin.program))
            .filter(origins::last_seen_at.ge(since.millis()));
        self.one(select(exists(seen))).await
    }
}

#[area]
impl Origins for Scope {
    async fn remember(&mut self, user: UserId, origin: &Origin, at: Timestamp) -> StoreResult<()> {
        let seen = origins::last_seen_at.eq(at.millis());
        let insert = diesel::insert_into(origins::table)
            .values((
                origins::user_id.eq(Stored(user)),
                origins::network.eq(&origin.network),
                origins::program.eq(&origin.program),
                seen,
            ))
            .on_conflict((origins::user_id, origins::network, origins::program))
            .do_update()
            .set(seen)
            .prepared();
        self.execute(insert).await.map(drop)
    }
}
