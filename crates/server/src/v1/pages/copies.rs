//! `/pages/{pageId}/duplicate` and `/pages/{pageId}/backlinks`

use super::{collection::anchor, home::HomeOfCopy, page::PageReply};
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    route::{Body, EarlyFields, Located, Path, Query, RouteReply, routes},
    v1::locations,
    wire::{Documented, Json, Named, Neighbour, Page, Parent, Writable, Written, body, query, reply},
};
use octavo_app::{
    Call, Draft, Reply,
    access::RouteAccess,
    pages::{self, Backlink, BacklinkList, BacklinkMark, BacklinkSource, Copied, CopyTarget, Duplication},
};
use octavo_core_model::{
    Fault, Level,
    fault::{ComputeFault, Conflict, Denial, Unprocessable},
    id::{PageId, TeamId, WorkspaceId},
    page::ResourceId,
    position::Position,
    text::PageTitle,
};
use serde::{Serializer, ser::SerializeStruct};
use serde_json::{Map, Value, json};

body! {
    /// The properties of a copy.
    pub(crate) DuplicateBody {
        example: { "title": "Roadmap (copy)" };
        /// The parent page of the copy; null for the root; by default the parent of the original.
        parent_id "parentId": nullable Parent,
        /// The team of a copy at the root.
        team_id "teamId": nullable TeamId = null,
        /// The sibling after which to put it.
        after_page_id "afterPageId": optional Neighbour,
        /// The sibling before which to put it. Send at most one of these three; without any it is put at the end.
        before_page_id "beforePageId": optional Neighbour,
        /// Its position among its siblings.
        position "position": optional Position,
        /// Its title; by default that of the page followed by ` (copy)`.
        title "title": optional PageTitle = "Roadmap (copy)",
        /// Whether to copy the descendants that the caller may see.
        include_children "includeChildren": optional bool = true,
        /// Whether to copy the records of databases.
        include_records "includeRecords": optional bool = true,
        /// Another workspace of the caller, for users in person.
        workspace_id "workspaceId": optional WorkspaceId,
    }
}

query! {
    /// Which backlinks to list.
    pub(crate) BacklinksQuery {
        page: BacklinkMark, 20 up to 100;
    }
}

reply! {
    /// A reference to a page.
    pub(crate) BacklinkReply {
        /// What contains the reference: `block`, `comment` or `record`.
        source_type "sourceType": required &'static str | ["block", "comment", "record"] = "block",
        /// The id of the block, comment or record.
        source_id "sourceId": required String = "blk_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The page that contains it.
        page_id "pageId": required PageId,
        /// The title of that page.
        title "title": required PageTitle,
        /// The kind of reference: `mention`, `link`, `pointer`, `synced` or `relation`.
        kind "kind": required &'static str | ["mention", "link", "pointer", "synced", "relation"] = "mention",
        /// The surrounding text.
        excerpt "excerpt": required String = "see the roadmap",
    }
}

/// A copy, and a map from the original pages and databases to their copies.
#[derive(Debug)]
pub(crate) struct CopyReply {
    page: PageReply,
    ids: Json,
}

impl RouteReply for CopyReply {}

impl CopyReply {
    pub(crate) fn into_reply(self) -> Reply {
        Reply::json(201, &Written(&self)).at(locations::page(self.page.id))
    }
}

impl From<Copied> for CopyReply {
    fn from(Copied { shown, ids }: Copied) -> Self {
        let ids = ids.into_iter().map(|(old, new)| (old.to_string(), json!(new))).collect::<Map<_, _>>();
        Self { page: shown.into(), ids: Json(Value::Object(ids)) }
    }
}

impl Documented for CopyReply {
    const HOLDS_SECRET: bool = PageReply::HOLDS_SECRET;

    fn schema() -> Value {
        let about = "The id of each page and database that was copied, with the id of its copy.";
        let ids = json!({ "type": "object", "additionalProperties": ResourceId::schema(), "description": about });
        json!({
            "type": "object",
            "properties": { "data": PageReply::schema(), "idMap": ids },
            "required": ["data", "idMap"],
        })
    }

    fn example() -> Value {
        json!({ "data": PageReply::example(), "idMap": {} })
    }

    fn collect(named: &mut Named) {
        PageReply::collect(named);
    }
}

impl Writable for CopyReply {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut shown = serializer.serialize_struct("CopyReply", 2)?;
        shown.serialize_field("data", &Written(&self.page))?;
        shown.serialize_field("idMap", &Written(&self.ids))?;
        shown.end()
    }
}

routes! {
    /// Duplicates a page.
    ///
    /// For callers that may see it and may put pages at the place of the copy. Copies the descendants that they may
    /// see too, at most 500 pages and databases, and 20000 blocks and records. Databases are copied with properties,
    /// views, records, and the links and pages of these. Grants, locks, versions and favorites are not copied; a copy
    /// inherits access. References to a copied page, block, database or record lead to the copy. A relation to a database
    /// that is not copied leads to the same records, without a reverse. Users may copy to another workspace of theirs;
    /// references and relations to anything else are dropped then.
    POST "/pages/{pageId}/duplicate" as duplicatePage => duplicate {
        caller: Inside(RouteAccess::PAGES_CHANGE),
        limits: [],
        takes: (page: Path<PageId>, home: EarlyFields<HomeOfCopy>, body: Body<DuplicateBody>),
        answers: { 201: Located<CopyReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Forbidden(Denial::RequiresUser),
            Fault::Forbidden(Denial::RequiresLogin),
            Fault::Forbidden(Denial::DatabaseQuota),
            Fault::Conflict(Conflict::PageTrashed),
            Fault::Conflict(Conflict::TooManyPages(50_000)),
            Fault::Unprocessable(Unprocessable::TooLarge),
            Fault::Unprocessable(Unprocessable::MaxDepth),
            Fault::Unprocessable(Unprocessable::DatabaseParent),
            Fault::Compute(ComputeFault::MemoryFull),
        ],
        events: [PageCreated],
    }

    /// Lists the references to a page.
    ///
    /// For callers that may see it: the blocks that mention it, link to it, point to it or show one of its blocks,
    /// and for the page of a record also the records that have a relation to it; newest first, as far as the caller may
    /// see their pages. A link counts if its address ends with the id of the page. The excerpt of a record is empty.
    GET "/pages/{pageId}/backlinks" as listBacklinks => backlinks {
        caller: Inside(RouteAccess::PAGES),
        limits: [],
        takes: (page: Path<PageId>, query: Query<BacklinksQuery>),
        answers: { 200: Page<BacklinkReply> },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::Edit))],
        events: [],
    }
}

async fn duplicate(
    dispatcher: Dispatcher,
    call: Call,
    page: Draft<PageId>,
    home: Draft<HomeOfCopy>,
    body: Draft<DuplicateBody>,
) -> Answer {
    let (landing, draft) = (home.map(CopyTarget::from), body.and_then(duplication));
    let shape = |copied| CopyReply::from(copied).into_reply();
    dispatcher
        .write_repeatably(
            call,
            move |unit| Box::pin(pages::duplicate(unit, page.clone(), landing.clone(), draft.clone())),
            shape,
        )
        .await
}

fn duplication(body: DuplicateBody) -> Draft<Duplication> {
    let anchor = anchor(body.after_page_id, body.before_page_id, body.position)?;
    // The place is parsed separately.
    let _ = (body.parent_id, body.team_id, body.workspace_id);
    Ok(Duplication {
        anchor,
        title: body.title,
        with_children: body.include_children,
        with_records: body.include_records,
    })
}

async fn backlinks(dispatcher: Dispatcher, call: Call, page: Draft<PageId>, query: Draft<BacklinksQuery>) -> Answer {
    let asked = query.map(|query| BacklinkList { after: query.page.after, limit: query.page.fetch() });
    let shape = |backlink: Backlink| {
        let (source_type, source_id, kind) = match backlink.source {
            BacklinkSource::Block(block, kind) => ("block", block.to_string(), kind.name()),
            BacklinkSource::Comment(comment, _) => ("comment", comment.to_string(), "mention"),
            BacklinkSource::Record(record) => ("record", record.to_string(), "relation"),
        };
        let Backlink { page: page_id, title, excerpt, .. } = backlink;
        BacklinkReply { source_type, source_id, page_id, title, kind, excerpt }
    };
    dispatcher.list(call, move |view| Box::pin(pages::backlinks(view, page, asked)), Backlink::mark, shape).await
}
