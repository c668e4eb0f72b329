//! The durable queue.

use super::{
    Scope,
    dialect::{ROWS_AT_ONCE, one_of, skipping_locked},
    store::next_due,
};
use crate::{
    prepared::Prepare,
    rows::chores::{ChoreRow, attempts_column},
    schema::chores,
    stored::Stored,
};
use diesel::prelude::*;
use octavo_core_model::{
    Timestamp,
    chore::{Chore, Queue},
    id::JobId,
};
use octavo_ports::{
    chores::{ChoreReads, Chores},
    store::StoreResult,
};
use octavo_storage_macros::area;

#[area]
impl ChoreReads for Scope {
    async fn is_due(&mut self, queue: Queue, now: Timestamp) -> StoreResult<bool> {
        let answer = next_due(self.conn().await?, queue).await;
        Ok(self.checked(answer)?.is_some_and(|due| due <= now.millis()))
    }
}

#[area]
impl Chores for Scope {
    async fn insert(&mut self, chore: &Chore) -> StoreResult<()> {
        let row = ChoreRow::from(chore);
        self.execute(diesel::insert_into(chores::table).values(&row)).await.map(drop)
    }

    async fn insert_all(&mut self, chores: &[Chore]) -> StoreResult<()> {
        for some in chores.chunks(ROWS_AT_ONCE) {
            let rows: Vec<_> = some.iter().map(ChoreRow::from).collect();
            self.execute(diesel::insert_into(chores::table).values(&rows)).await?;
        }
        Ok(())
    }

    async fn lease(
        &mut self,
        queue: Queue,
        now: Timestamp,
        leased_until: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Chore>> {
        let due = chores::table
            .filter(chores::queue.eq(Stored(queue)))
            .filter(chores::due_at.le(now.millis()))
            .order((chores::due_at, chores::id))
            .limit(limit.into())
            .select(ChoreRow::as_select());
        let leased: Vec<Chore> = self.all(skipping_locked!(due)).await?.into_iter().map(Chore::from).collect();
        if leased.is_empty() {
            return Ok(leased);
        }
        let rows = chores::table
            .filter(chores::queue.eq(Stored(queue)))
            .filter(one_of!(chores::id, leased.iter().map(|chore| Stored(chore.id))));
        let lease = (chores::due_at.eq(leased_until.millis()), chores::is_leased.eq(true));
        self.execute(diesel::update(rows).set(lease)).await?;
        Ok(leased)
    }

    async fn extend_leases(
        &mut self,
        queue: Queue,
        chores: &[JobId],
        held_until: Timestamp,
        until: Timestamp,
    ) -> StoreResult<u64> {
        let held = chores::table
            .filter(chores::queue.eq(Stored(queue)))
            .filter(one_of!(chores::id, chores.iter().copied().map(Stored)))
            .filter(chores::due_at.eq(held_until.millis()));
        Ok(u64::try_from(self.execute(diesel::update(held).set(chores::due_at.eq(until.millis()))).await?)
            .unwrap_or(u64::MAX))
    }

    async fn remove(&mut self, queue: Queue, id: JobId) -> StoreResult<()> {
        self.execute(diesel::delete(chores::table.find((Stored(queue), Stored(id))))).await.map(drop)
    }

    async fn retry(&mut self, queue: Queue, id: JobId, attempts: u32, run_at: Timestamp) -> StoreResult<()> {
        let again = (
            chores::attempts.eq(attempts_column(attempts)),
            chores::due_at.eq(run_at.millis()),
            chores::is_leased.eq(false),
        );
        let statement = diesel::update(chores::table.find((Stored(queue), Stored(id)))).set(again).prepared();
        self.execute(statement).await.map(drop)
    }

    async fn void_leases(&mut self, now: Timestamp) -> StoreResult<u64> {
        let mut freed = 0;
        for queue in Queue::ALL {
            let held = chores::table.filter(chores::queue.eq(Stored(*queue))).filter(chores::is_leased.eq(true));
            let free = (chores::due_at.eq(now.millis()), chores::is_leased.eq(false));
            freed += self.execute(diesel::update(held).set(free)).await?;
        }
        Ok(u64::try_from(freed).unwrap_or(u64::MAX))
    }
}
