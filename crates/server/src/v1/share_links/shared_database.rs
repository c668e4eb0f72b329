//! `/public/shares/{token}/databases/{databaseId}`: databases and records behind a share link.

use super::{
    key::LinkKey,
    public::listed,
    shared_values::{SharedPropertyReply, SharedValues, SharedViewReply},
};
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, Cursors, Indexing, Path, routes},
    v1::pages::page::AncestorReply,
    wire::{CursorSeal, Data, Documented, Page, PageLimits, Pager, Readable, UnsupportedField, body, reply},
};
use octavo_app::{
    Call, Draft, Reply,
    records::RecordDetails,
    share_links::{self, Key, Node, SharedDatabase, SharedQuery, SharedRecords},
};
use octavo_core_model::{
    Fault, Timestamp,
    fault::{Issue, Unknown, Violation},
    id::{DatabaseId, PageId, PropertyId, RecordId},
    position::Position,
    record::RecordPlace,
    text::{DatabaseDescription, PageIcon, PageTitle},
};
use serde_json::{Value, json};
use std::sync::Arc;

reply! {
    /// The public fields of a database.
    pub(crate) SharedDatabaseFieldsReply {
        /// The id of the database.
        id "id": required DatabaseId,
        /// Its title; it may be empty.
        title "title": required PageTitle,
        /// Its icon.
        icon "icon": nullable PageIcon,
        /// What it is for.
        description "description": nullable DatabaseDescription,
        /// How many records it has that are not archived, whether the link shows them or not; 0 for a link that shows none.
        record_count "recordCount": required u64 = 240,
        /// When it was changed last.
        updated_at "updatedAt": required Timestamp,
    }
}

reply! {
    /// A database as a link shows it.
    pub(crate) SharedDatabaseReply {
        /// The database.
        database "database": required SharedDatabaseFieldsReply,
        /// The pages and databases above it, starting with the page of the link.
        ancestors "ancestors": required Vec<AncestorReply>,
        /// Its properties in their order, without those that name who wrote a record.
        properties "properties": required Vec<SharedPropertyReply>,
        /// Its views in their order.
        views "views": required Vec<SharedViewReply>,
    }
}

/// The size of one answer. A larger number than 200 is lowered to that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnswerSize(u32);

const SIZE: PageLimits = PageLimits { name: "pageSize", default: 50, max: 200 };

impl Documented for AnswerSize {
    fn schema() -> Value {
        json!({ "type": "integer", "minimum": 1, "default": SIZE.default })
    }

    fn example() -> Value {
        SIZE.default.into()
    }
}

impl Readable for AnswerSize {
    fn read(value: &Value) -> Result<Self, Issue> {
        let number = value.as_number().ok_or(Issue::InvalidType)?;
        SIZE.read(Some(&number.to_string())).map(Self)
    }
}

/// The place after which a list continues.
#[derive(Clone, Debug)]
pub(crate) struct SentCursor(String);

impl Documented for SentCursor {
    fn schema() -> Value {
        json!({ "type": "string", "maxLength": 512 })
    }

    fn example() -> Value {
        "kJ2v0cA1u9R6m3f8h5e7".into()
    }
}

impl Readable for SentCursor {
    fn read(value: &Value) -> Result<Self, Issue> {
        value.as_str().map(|text| Self(text.to_owned())).ok_or(Issue::InvalidType)
    }
}

body! {
    /// Which records to list, and what of them.
    pub(crate) SharedQueryBody {
        example: { "pageSize": 100 };
        /// The properties to show; all by default.
        select "select": optional Vec<PropertyId>,
        /// Without effect: a link shows no archived records.
        include_archived "includeArchived": optional bool = false,
        /// The `nextCursor` of the previous answer.
        cursor "cursor": optional SentCursor,
        /// How many records to answer; more than 200 is lowered to that.
        page_size "pageSize": optional AnswerSize,
        /// Refused: there are no queries yet.
        view_id "viewId": optional UnsupportedField,
        /// Refused: there are no queries yet.
        filter "filter": optional UnsupportedField,
        /// Refused: there are no queries yet.
        sort "sort": optional UnsupportedField,
        /// Refused: there are no queries yet.
        group "group": optional UnsupportedField,
        /// Refused: there are no queries yet.
        aggregate "aggregate": optional UnsupportedField,
        /// Refused: there are no queries yet.
        per_group "perGroup": optional UnsupportedField,
    }
}

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

routes! {
    /// Shows a database through a share link.
    ///
    /// The database of the link, or one below that the link includes, with its properties and views. Relations to
    /// databases that the link does not show have no target.
    GET "/public/shares/{token}/databases/{databaseId}" as getSharedDatabase => show {
        caller: Anyone,
        limits: [Share],
        takes: (key: LinkKey, database: Path<DatabaseId>),
        answers: { 200: Data<SharedDatabaseReply> },
        refusals: [Fault::NotFound, Fault::ShareExpired, Fault::Unauthenticated(Unknown::SharePasswordRequired)],
        events: [],
        indexing: Indexing::Excluded,
    }

    /// Lists records through a share link.
    ///
    /// Those of a database that the link shows, in their order, without archived ones and those that a grant of the level
    /// `NONE` or missing inheritance separates from the link. Values name no links to records that the link does not show,
    /// and nobody who wrote a record.
    POST "/public/shares/{token}/databases/{databaseId}/query" as querySharedDatabase => query {
        caller: Anyone,
        limits: [Share],
        takes: (key: LinkKey, database: Path<DatabaseId>, cursors: Cursors, body: Body<SharedQueryBody>),
        answers: { 200: Page<SharedRecordReply> },
        refusals: [Fault::NotFound, Fault::ShareExpired, Fault::Unauthenticated(Unknown::SharePasswordRequired)],
        events: [],
        indexing: Indexing::Excluded,
    }
}

async fn show(dispatcher: Dispatcher, call: Call, key: Key, database: Draft<DatabaseId>) -> Answer {
    let shape = |shown: SharedDatabase| {
        let link = shown.link.clone();
        listed(&link, ok(SharedDatabaseReply::from(shown)))
    };
    dispatcher.read(call, move |view| Box::pin(share_links::database(view, key, database)), shape).await
}

impl From<SharedDatabase> for SharedDatabaseReply {
    fn from(shown: SharedDatabase) -> Self {
        let properties = shown.schema.properties().iter();
        Self {
            properties: properties.map(|property| SharedPropertyReply::new(&shown, property)).collect(),
            views: shown.views.iter().map(SharedViewReply::from).collect(),
            database: SharedDatabaseFieldsReply {
                id: shown.database.id,
                title: shown.node.title,
                icon: shown.node.icon,
                description: shown.database.description,
                record_count: shown.record_count,
                updated_at: shown.database.updated_at,
            },
            ancestors: shown.ancestors.into_iter().map(|node: Node| AncestorReply::from(node)).collect(),
        }
    }
}

async fn query(
    dispatcher: Dispatcher,
    call: Call,
    key: Key,
    database: Draft<DatabaseId>,
    cursors: CursorSeal,
    body: Draft<SharedQueryBody>,
) -> Answer {
    let limit = body.as_ref().ok().and_then(|body| body.page_size).map_or(SIZE.default, |size| size.0);
    let select = body.as_ref().ok().and_then(|body| body.select.clone()).map(Arc::from);
    let asked = body.and_then(|body| asked(body, limit, &cursors));
    let pager = Pager { limit, seal: cursors };
    let shape = move |SharedRecords { link, records, people }| {
        let (records, next_cursor) = pager.cut(records, |shown: &RecordDetails| shown.record.place());
        let people = Arc::new(people);
        let shown = |shown: RecordDetails| SharedRecordReply {
            id: shown.record.id,
            page_id: shown.record.id.page(),
            icon: shown.record.icon.clone(),
            position: shown.record.position.clone(),
            created_time: shown.record.created_at,
            last_edited_time: shown.record.updated_at,
            properties: SharedValues::new(shown, Arc::clone(&people), select.clone()),
        };
        let data: Vec<_> = records.into_iter().map(shown).collect();
        listed(&link, Reply::json(200, &Page { data, next_cursor }))
    };
    dispatcher.read(call, move |view| Box::pin(share_links::query(view, key, database, asked)), shape).await
}

fn asked(body: SharedQueryBody, limit: u32, cursors: &CursorSeal) -> Draft<SharedQuery> {
    let unsupported = [body.view_id, body.filter, body.sort, body.group, body.aggregate, body.per_group];
    if let Some(never) = unsupported.into_iter().flatten().next() {
        match never {}
    }
    // A link shows no archived records.
    let _ = body.include_archived;
    let after = match &body.cursor {
        None => None,
        Some(cursor) => {
            let place: Option<RecordPlace> = cursors.open(&cursor.0);
            Some(place.ok_or_else(|| Violation::new("cursor", Issue::InvalidValue))?)
        }
    };
    Ok(SharedQuery { select: body.select, after, limit: limit + 1 })
}
