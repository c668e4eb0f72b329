//! `/public/shares/{token}/databases/{databaseId}/query`: records behind a share link.

use super::{key::LinkKey, public::listed, shared_values::SharedValues};
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    route::{Body, Cursors, Indexing, Path, routes},
    v1::{
        databases::view::{UNFIT_FILTER, UNFIT_GROUP, UNFIT_SORT},
        records::{
            group_key::GroupKeyReply,
            query::{QueryBody, TOO_LARGE, UNFIT_AGGREGATE},
            query_reply::{ShownResult, query_replies},
        },
    },
    wire::{CursorSeal, reply},
};
use octavo_app::{
    Call, Draft, Engine, Reply,
    queries::GroupKey,
    records::RecordDetails,
    share_links::{self, Key, SharedPeople, SharedQueryResult},
};
use octavo_core_model::{
    Fault, Timestamp,
    fault::{ComputeFault, Unknown},
    id::{DatabaseId, PageId, PropertyId, RecordId},
    position::Position,
    text::PageIcon,
};
use std::{borrow::Cow, sync::Arc};

reply! {
    /// A record as a link shows it.
    pub(crate) SharedRecordReply {
        /// The id of the record.
        id "id": required RecordId,
        /// Its page, which the link shows too.
        page_id "pageId": required PageId,
        /// An emoji, a file or an address.
        icon "icon": nullable PageIcon,
        /// Its position among the records of the database.
        position "position": required Position = "a0",
        /// When it was created.
        created_time "createdTime": required Timestamp,
        /// When it last changed.
        last_edited_time "lastEditedTime": required Timestamp,
        /// Its values by the ids of properties. People are shown by what others see of them.
        properties "properties": required SharedValues,
    }
}

query_replies!(
    SharedQueryReply, SharedRecordsReply, SharedGroupedReply, SharedGroupsReply, SharedGroupReply, SharedInnerGroups
    of SharedRecordReply
);

routes! {
    /// Queries records through a share link.
    ///
    /// Those of a database that the link shows, without archived ones and those that a grant of the level `NONE` or missing
    /// inheritance separates from the link. Values name no links to records that the link does not show, and nobody who
    /// wrote a record. Groups of persons are by their
    /// display names, and persons cannot be filtered.
    POST "/public/shares/{token}/databases/{databaseId}/query" as querySharedDatabase => query {
        caller: Anyone,
        limits: [Share],
        takes: (key: LinkKey, database: Path<DatabaseId>, body: Body<QueryBody>, seal: Cursors),
        answers: { 200: SharedQueryReply },
        refusals: [
            Fault::NotFound,
            Fault::ShareExpired,
            Fault::Unauthenticated(Unknown::SharePasswordRequired),
            Fault::Data(Cow::Borrowed(UNFIT_FILTER)),
            Fault::Data(Cow::Borrowed(UNFIT_SORT)),
            Fault::Data(Cow::Borrowed(UNFIT_GROUP)),
            Fault::Data(Cow::Borrowed(UNFIT_AGGREGATE)),
            Fault::Data(Cow::Borrowed(TOO_LARGE)),
            Fault::Compute(ComputeFault::Busy),
            Fault::Compute(ComputeFault::TablesFull),
            Fault::Compute(ComputeFault::Timeout),
        ],
        events: [],
        indexing: Indexing::Excluded,
    }
}

async fn query(
    dispatcher: Dispatcher,
    call: Call,
    key: Key,
    database: Draft<DatabaseId>,
    body: Draft<QueryBody>,
    seal: CursorSeal,
) -> Answer {
    let wanted = body.and_then(|body| body.request(&seal));
    let flow = move |engine: Arc<Engine>, call: Call| async move {
        let SharedQueryResult { link, result, people } =
            share_links::query(&engine, call, key, database, wanted).await?;
        let (select, people): (Arc<[_]>, _) = (Arc::from(result.select.as_slice()), Arc::new(people));
        let record = |id: &RecordId| {
            let shown = result.records.get(id)?.clone();
            Some(SharedRecordReply::new(shown, Arc::clone(&people), Arc::clone(&select)))
        };
        let key = |key: &GroupKey| GroupKeyReply::of(key, &result.schema);
        let next_cursor = result.next.map(|place| seal.seal(&place));
        let shown = ShownResult { result: &result, record: &record, key: &key, next_cursor };
        Ok(listed(&link, Reply::json(200, &SharedQueryReply::of(&shown))))
    };
    dispatcher.computing().flow(call, flow).await
}

impl SharedRecordReply {
    fn new(shown: RecordDetails, people: Arc<SharedPeople>, select: Arc<[PropertyId]>) -> Self {
        Self {
            id: shown.record.id,
            page_id: shown.record.id.page(),
            icon: shown.record.icon.clone(),
            position: shown.record.position.clone(),
            created_time: shown.record.created_at,
            last_edited_time: shown.record.updated_at,
            properties: SharedValues::new(shown, people, Some(select)),
        }
    }
}
