//! Jobs.

use super::{Db, Scope, dialect::locked};
use crate::{
    prepared::Prepare,
    rows::jobs::JobRow,
    schema::jobs,
    stored::{AFTER_EVERY_ID, Stored},
};
use diesel::prelude::*;
use octavo_core_model::{
    Timestamp,
    id::JobId,
    job::{Job, JobOwner},
};
use octavo_ports::{
    jobs::{JobReads, JobSearch, Jobs, StartedBy},
    store::StoreResult,
};
use octavo_storage_macros::area;

#[area]
impl JobReads for Scope {
    async fn find(&mut self, owner: JobOwner, id: JobId) -> StoreResult<Option<Job>> {
        let job = jobs::table.find((Stored(owner), Stored(id))).select(JobRow::as_select());
        Ok(self.optional(job).await?.map(Job::from))
    }

    async fn list(&mut self, owner: JobOwner, search: JobSearch) -> StoreResult<Vec<Job>> {
        let page = matching(owner, search).order(jobs::id.desc()).limit(search.limit.into());
        Ok(self.all(page.select(JobRow::as_select())).await?.into_iter().map(Job::from).collect())
    }
}

fn matching<'a>(owner: JobOwner, search: JobSearch) -> jobs::BoxedQuery<'a, Db> {
    let before = search.before.map_or_else(|| AFTER_EVERY_ID.to_owned(), |id| id.to_string());
    let mut page = jobs::table.filter(jobs::owner.eq(Stored(owner))).filter(jobs::id.lt(before)).into_boxed();
    match search.started_by {
        StartedBy::Anybody => {}
        StartedBy::User(user) => page = page.filter(jobs::created_by.eq(Stored(user))),
        StartedBy::Key(key) => page = page.filter(jobs::by_key.eq(Stored(key))),
    }
    if let Some(kind) = search.kind {
        page = page.filter(jobs::kind.eq(Stored(kind)));
    }
    if let Some(status) = search.status {
        page = page.filter(jobs::status.eq(Stored(status)));
    }
    page
}

#[area]
impl Jobs for Scope {
    async fn insert(&mut self, job: &Job) -> StoreResult<()> {
        let row = JobRow::from(job);
        self.execute(diesel::insert_into(jobs::table).values(&row)).await.map(drop)
    }

    async fn lock(&mut self, owner: JobOwner, id: JobId) -> StoreResult<Option<Job>> {
        let job = jobs::table.find((Stored(owner), Stored(id))).select(JobRow::as_select());
        Ok(self.optional(locked!(job)).await?.map(Job::from))
    }

    async fn save(&mut self, job: &Job) -> StoreResult<()> {
        let row = jobs::table.find((Stored(job.owner), Stored(job.id)));
        self.execute(diesel::update(row).set(JobRow::from(job)).prepared()).await.map(drop)
    }

    async fn list_due_bytes(&mut self, now: Timestamp, limit: u32) -> StoreResult<Vec<(JobOwner, JobId)>> {
        let due = jobs::table
            .filter(jobs::bytes_until.le(now.millis()))
            .order((jobs::bytes_until, jobs::id))
            .limit(limit.into())
            .select((jobs::owner, jobs::id));
        Ok(self
            .all::<(Stored<JobOwner>, Stored<JobId>), _>(due)
            .await?
            .into_iter()
            .map(|(owner, id)| (owner.0, id.0))
            .collect())
    }
}

impl Scope {
    /// Removes the jobs of an owner. Their files were removed long before.
    pub(super) async fn forget_jobs(&mut self, owner: JobOwner) -> StoreResult<()> {
        self.execute(diesel::delete(jobs::table.filter(jobs::owner.eq(Stored(owner))))).await.map(drop)
    }
}
