//! The durable queue.

use super::{Scope, dialect::unclaimed, store::next_due};
use crate::{
    prepared::Prepare,
    rows::jobs::{JobRow, attempts_column},
    schema::jobs,
    stored::Stored,
};
use async_trait::async_trait;
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use octavo_core_model::{
    Timestamp,
    id::JobId,
    job::{Job, Lane},
};
use octavo_ports::{
    jobs::{JobReads, Jobs},
    store::StoreResult,
};

#[async_trait]
impl JobReads for Scope {
    async fn is_job_due(&mut self, lane: Lane, now: Timestamp) -> StoreResult<bool> {
        let answer = next_due(self.conn()?, lane).await;
        Ok(self.judge(answer)?.is_some_and(|due| due <= now.millis()))
    }
}

#[async_trait]
impl Jobs for Scope {
    async fn insert_job(&mut self, job: &Job) -> StoreResult<()> {
        let row = JobRow::from(job);
        let answer = diesel::insert_into(jobs::table).values(&row).execute(self.conn()?).await;
        self.judge(answer).map(drop)
    }

    async fn lease_jobs(
        &mut self,
        lane: Lane,
        now: Timestamp,
        leased_until: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Job>> {
        let due = jobs::table
            .filter(jobs::lane.eq(Stored(lane)))
            .filter(jobs::due_at.le(now.millis()))
            .order((jobs::due_at, jobs::id))
            .limit(limit.into())
            .select(JobRow::as_select());
        let answer = unclaimed!(due).load(self.conn()?).await;
        let leased: Vec<Job> = self.judge(answer)?.into_iter().map(Job::from).collect();
        if leased.is_empty() {
            return Ok(leased);
        }
        let rows = jobs::table
            .filter(jobs::lane.eq(Stored(lane)))
            .filter(jobs::id.eq_any(leased.iter().map(|job| Stored(job.id))));
        let answer = diesel::update(rows).set(jobs::due_at.eq(leased_until.millis())).execute(self.conn()?).await;
        self.judge(answer)?;
        Ok(leased)
    }

    async fn remove_job(&mut self, lane: Lane, id: JobId) -> StoreResult<()> {
        let answer = diesel::delete(jobs::table.find((Stored(lane), Stored(id)))).execute(self.conn()?).await;
        self.judge(answer).map(drop)
    }

    async fn retry_job(&mut self, lane: Lane, id: JobId, attempts: u32, run_at: Timestamp) -> StoreResult<()> {
        let again = (jobs::attempts.eq(attempts_column(attempts)), jobs::due_at.eq(run_at.millis()));
        let answer = diesel::update(jobs::table.find((Stored(lane), Stored(id))))
            .set(again)
            .prepared()
            .execute(self.conn()?)
            .await;
        self.judge(answer).map(drop)
    }
}
