//! Requests of members for access to pages.

use super::{Scope, dialect::one_of};
use crate::{
    prepared::Prepare,
    rows::access_requests::AccessRequestRow,
    schema::{access_requests as requests, pages},
    stored::{AFTER_EVERY_ID, Stored},
};
use diesel::prelude::*;
use octavo_core_model::{
    Timestamp,
    access_request::{AccessRequest, RequestAnswer, RequestStatus},
    id::{AccessRequestId, PageId, UserId, WorkspaceId},
};
use octavo_ports::{
    access_requests::{AccessRequestFilter, AccessRequestReads, AccessRequests},
    store::StoreResult,
};
use octavo_storage_macros::area;

#[area]
impl AccessRequestReads for Scope {
    async fn find(&mut self, workspace: WorkspaceId, id: AccessRequestId) -> StoreResult<Option<AccessRequest>> {
        let request = requests::table.find((Stored(workspace), Stored(id))).select(AccessRequestRow::as_select());
        Ok(self.optional(request).await?.map(AccessRequest::from))
    }

    async fn list(
        &mut self,
        workspace: WorkspaceId,
        filter: &AccessRequestFilter,
        now: Timestamp,
        before: Option<AccessRequestId>,
        limit: u32,
    ) -> StoreResult<Vec<AccessRequest>> {
        let before = before.map_or_else(|| AFTER_EVERY_ID.to_owned(), |id| id.to_string());
        let its_page = pages::workspace_id.eq(requests::workspace_id).and(pages::id.eq(requests::resource_id));
        let mut list = requests::table
            .inner_join(pages::table.on(its_page))
            .filter(requests::workspace_id.eq(Stored(workspace)))
            .filter(requests::id.lt(before))
            .filter(pages::trashed_at.is_null())
            .order(requests::id.desc())
            .limit(limit.into())
            .select(AccessRequestRow::as_select())
            .into_boxed();
        list = match filter.status {
            RequestStatus::Pending => {
                list.filter(requests::answer.is_null()).filter(requests::expires_at.gt(now.millis()))
            }
            RequestStatus::Expired => {
                list.filter(requests::answer.is_null()).filter(requests::expires_at.le(now.millis()))
            }
            RequestStatus::Approved => list.filter(requests::answer.eq(Stored(RequestAnswer::Approved))),
            RequestStatus::Denied => list.filter(requests::answer.eq(Stored(RequestAnswer::Denied))),
        };
        if let Some(page) = filter.page {
            list = list.filter(requests::resource_id.eq(Stored(page)));
        }
        if let Some(nodes) = &filter.within {
            list = list.filter(one_of!(pages::access_id, nodes.iter().copied().map(Stored)));
        }
        Ok(self.all::<AccessRequestRow, _>(list).await?.into_iter().map(AccessRequest::from).collect())
    }
}

#[area]
impl AccessRequests for Scope {
    async fn find_open(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        user: UserId,
        now: Timestamp,
    ) -> StoreResult<Option<AccessRequest>> {
        let open = requests::table
            .filter(requests::workspace_id.eq(Stored(workspace)))
            .filter(requests::user_id.eq(Stored(user)))
            .filter(requests::resource_id.eq(Stored(page)))
            .filter(requests::answer.is_null())
            .filter(requests::expires_at.gt(now.millis()))
            .select(AccessRequestRow::as_select());
        Ok(self.optional(open).await?.map(AccessRequest::from))
    }

    async fn insert(&mut self, request: &AccessRequest) -> StoreResult<()> {
        let row = AccessRequestRow::from(request);
        self.execute(diesel::insert_into(requests::table).values(&row)).await.map(drop)
    }

    async fn remove(&mut self, workspace: WorkspaceId, id: AccessRequestId) -> StoreResult<()> {
        let row = requests::table.find((Stored(workspace), Stored(id)));
        self.execute(diesel::delete(row)).await.map(drop)
    }

    async fn save(&mut self, request: &AccessRequest) -> StoreResult<()> {
        let row = requests::table.find((Stored(request.workspace), Stored(request.id)));
        self.execute(diesel::update(row).set(AccessRequestRow::from(request)).prepared()).await.map(drop)
    }
}
