//! `/records/{recordId}/relations/{propertyId}`

use super::{
    collection::{ARCHIVED, EDIT, TRASHED},
    single::STALE,
};
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, IfMatch, Path, Query, expected_version, routes},
    wire::{Data, Page, Several, Version, body, query, reply},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    records::{self, ChangedLinks, LinkChange, LinkList, LinkMark, LinkedRecord},
};
use octavo_core_model::{
    Fault,
    fault::{DataIssue, DataProblem},
    id::{PageId, PropertyId, RecordId},
    text::{PageIcon, PageTitle},
    version::Expected,
};
use std::borrow::Cow;

query! {
    /// Which links to list.
    pub(crate) LinksQuery {
        page: LinkMark, 20 up to 100;
    }
}

body! {
    /// Links to add and to remove.
    pub(crate) LinksBody {
        example: { "add": ["rpt_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"] };
        /// Records to link; those that are linked already stay linked.
        add "add": optional Several<RecordId, 0, 200>,
        /// Records that are not linked any more.
        remove "remove": optional Several<RecordId, 0, 200>,
        /// The version of the record that the change is based on.
        version "version": optional Version,
    }
}

reply! {
    /// A linked record.
    pub(crate) LinkedRecordReply {
        /// The id of the record.
        id "id": required RecordId,
        /// Its page.
        page_id "pageId": required PageId,
        /// Its title.
        title "title": required PageTitle = "Ada Lovelace",
        /// An emoji, a file or an address.
        icon "icon": nullable PageIcon,
    }
}

reply! {
    /// What became of the links.
    pub(crate) LinksReply {
        /// How many links are new.
        added "added": required u64 = 1,
        /// How many links are gone.
        removed "removed": required u64 = 0,
        /// How many links the caller sees now.
        count "count": required u64 = 3,
        /// The version of the record.
        version "version": required i64 = 4,
    }
}

pub(super) const TOO_MANY_LINKS: Fault =
    Fault::Data(Cow::Borrowed(&[DataProblem::new(DataIssue::CardinalityViolation)]));
pub(super) const NO_TARGET: Fault = Fault::Data(Cow::Borrowed(&[DataProblem::new(DataIssue::RelationIntegrity)]));

routes! {
    /// Lists the records that a record links.
    ///
    /// In the order of the links. Records that the caller may not see are left out.
    GET "/records/{recordId}/relations/{propertyId}" as listLinkedRecords => list {
        caller: Inside(RouteAccess::DATABASES),
        limits: [],
        takes: (record: Path<RecordId>, property: Path<PropertyId>, query: Query<LinksQuery>),
        answers: { 200: Page<LinkedRecordReply> },
        refusals: [EDIT],
        events: [],
    }

    /// Adds and removes links of a record.
    ///
    /// For callers that may edit it. Other links stay as they are, so that several callers can add links at the same
    /// time. If the relation is visible on both sides, the linked records change too.
    POST "/records/{recordId}/relations/{propertyId}" as changeLinks => change {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (record: Path<RecordId>, property: Path<PropertyId>, version: IfMatch, body: Body<LinksBody>),
        answers: { 200: Data<LinksReply> },
        refusals: [EDIT, STALE, ARCHIVED, TRASHED, TOO_MANY_LINKS, NO_TARGET],
        events: [RecordUpdated],
    }
}

async fn list(
    dispatcher: Dispatcher,
    call: Call,
    record: Draft<RecordId>,
    property: Draft<PropertyId>,
    query: Draft<LinksQuery>,
) -> Answer {
    let asked = query.map(|query| LinkList { after: query.page.after, limit: query.page.fetch() });
    let mark = |linked: &LinkedRecord| linked.mark;
    dispatcher
        .list(
            call,
            move |view| Box::pin(records::list_linked(view, record, property, asked)),
            mark,
            LinkedRecordReply::from,
        )
        .await
}

async fn change(
    dispatcher: Dispatcher,
    call: Call,
    record: Draft<RecordId>,
    property: Draft<PropertyId>,
    version: Draft<Option<Expected>>,
    body: Draft<LinksBody>,
) -> Answer {
    let draft = version.and_then(|version| link_change(version, body?));
    let shape = |changed| ok(LinksReply::from(changed));
    dispatcher
        .write_repeatably(
            call,
            move |unit| Box::pin(records::change_links(unit, record.clone(), property.clone(), draft.clone())),
            shape,
        )
        .await
}

fn link_change(header: Option<Expected>, body: LinksBody) -> Draft<LinkChange> {
    let expected = expected_version(header, body.version.map(|version| version.0))?;
    let listed = |ids: Option<Several<RecordId, 0, 200>>| ids.map(|ids| ids.0).unwrap_or_default();
    Ok(LinkChange { add: listed(body.add), remove: listed(body.remove), expected })
}

impl From<LinkedRecord> for LinkedRecordReply {
    fn from(linked: LinkedRecord) -> Self {
        Self { id: linked.id, page_id: linked.id.page(), title: linked.title, icon: linked.icon }
    }
}

impl From<ChangedLinks> for LinksReply {
    fn from(changed: ChangedLinks) -> Self {
        let ChangedLinks { added, removed, count, version } = changed;
        Self { added, removed, count, version }
    }
}
