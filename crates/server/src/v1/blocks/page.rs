//! `/pages/{pageId}/blocks`

use super::{
    batches::{LOCKED, STALE_BASE, refused},
    block::{BlockReply, flat},
    known_fields, operations, schema,
    sent::{SentContent, SentKind, SentPosition, SentProperties},
    single::ChangedReply,
};
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    route::{Body, IfMatch, Located, Path, Query, routes},
    v1::locations,
    wire::{Documented, Page, Readable, Written, body, query},
};
use octavo_app::{
    Call, Draft, Reply,
    access::RouteAccess,
    blocks::{self, Batch, BlockList, Branch, ShownBlock},
};
use octavo_blocks_tree::batch::Operation;
use octavo_core_model::{
    Fault, Level, Role,
    fault::{BlockProblem, ComputeFault, Conflict, Denial, Issue, PageLimit, Unprocessable},
    id::{BlockId, PageId},
    version::Expected,
};
use octavo_ports::blocks::BlockMark;
use serde_json::{Map, Value};

query! {
    /// Which blocks to list.
    pub(crate) BlocksQuery {
        page: BlockMark, 100 up to 500;
        /// Children of this block; by default the top of the page.
        parent_block_id "parentBlockId": optional Within,
        /// A flat list, parents before children, instead of a tree.
        flat "flat": optional bool = false,
        /// Also deleted blocks; for owners and admins.
        include_deleted "includeDeleted": optional bool = false,
    }
}

/// The parent block; empty for the top of the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Within(Option<BlockId>);

impl Documented for Within {
    fn schema() -> Value {
        BlockId::schema()
    }

    fn example() -> Value {
        BlockId::example()
    }
}

impl Readable for Within {
    fn read(value: &Value) -> Result<Self, Issue> {
        if value.as_str() == Some("") { Ok(Self(None)) } else { BlockId::read(value).map(|id| Self(Some(id))) }
    }
}

body! {
    /// A block to be created.
    pub(crate) NewBlockBody as schema::put_new {
        example: { "type": "paragraph", "content": "Ship it" };
        checks: known_fields::check_block;
        /// Its id, if the caller chooses it.
        id "id": nullable BlockId,
        /// One of the 30 types.
        kind "type": required SentKind = "paragraph",
        /// Its content: an object, or a text for types whose content is a text.
        content "content": optional SentContent = "Ship it",
        /// Its appearance.
        properties "properties": nullable SentProperties = { "align": "left" },
        /// The new parent block; null for the top of the page.
        parent_id "parentId": nullable BlockId = null,
        /// The sibling after which to put it.
        after_block_id "afterBlockId": nullable BlockId = null,
        /// The sibling before which to put it. Send at most one of these three; without any the block is added at the
        /// end.
        before_block_id "beforeBlockId": nullable BlockId = null,
        /// Its position.
        position "position": optional SentPosition = "a1",
    }
}

routes! {
    /// Lists the blocks of a page.
    ///
    /// Open to everybody who may see the page. Blocks of the first level in order, each with all its descendants.
    /// `limit` counts the first level. With `includeDeleted=true` an answer has at most 20000 blocks and 16 MB. If it would
    /// have more, it is 422 `too_large`: send a smaller `limit`, or a `parentBlockId`.
    GET "/pages/{pageId}/blocks" as listBlocks => list {
        caller: Inside(RouteAccess::PAGES),
        limits: [],
        takes: (page: Path<PageId>, query: Query<BlocksQuery>),
        answers: { 200: Page<BlockReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Forbidden(Denial::RequiresRole(Role::Admin)),
            Fault::Unprocessable(Unprocessable::ListTooLarge(PageLimit::Blocks)),
            Fault::Compute(ComputeFault::MemoryFull),
        ],
        events: [],
    }

    /// Adds a block to a page.
    ///
    /// For callers that may edit the page. `If-Match` names the version of the page.
    POST "/pages/{pageId}/blocks" as createBlock => create {
        caller: Inside(RouteAccess::PAGES_CHANGE),
        limits: [],
        takes: (page: Path<PageId>, version: IfMatch, body: Body<NewBlockBody>),
        answers: { 201: Located<ChangedReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            STALE_BASE,
            LOCKED,
            Fault::Conflict(Conflict::PageTrashed),
            refused!(BlockProblem::Taken(BlockId::LOWEST)),
            refused!(BlockProblem::InvalidNesting { block: BlockId::LOWEST, parent: None }),
        ],
        events: [BlocksChanged, PageUpdated],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, page: Draft<PageId>, query: Draft<BlocksQuery>) -> Answer {
    let is_flat = query.as_ref().is_ok_and(|query| query.flat == Some(true));
    let asked = query.map(|query| BlockList {
        parent: query.parent_block_id.and_then(|within| within.0),
        with_deleted: query.include_deleted.unwrap_or(false),
        after: query.page.after.clone(),
        limit: query.page.fetch(),
    });
    let position = |branch: &Branch| BlockMark::of(&branch.shown.block);
    if is_flat {
        return dispatcher.list_all(call, move |view| Box::pin(blocks::list(view, page, asked)), position, flat).await;
    }
    dispatcher.list(call, move |view| Box::pin(blocks::list(view, page, asked)), position, BlockReply::from).await
}

async fn create(
    dispatcher: Dispatcher,
    call: Call,
    page: Draft<PageId>,
    version: Draft<Option<Expected>>,
    body: Draft<NewBlockBody>,
) -> Answer {
    let batch = version.and_then(|base| Ok(Batch { base, operations: [Ok(insertion(body?)?)].into() }));
    let shape = |(shown, version): (ShownBlock, i64)| {
        let location = locations::block(shown.block.id);
        Reply::json(201, &Written(&ChangedReply::new(shown, version))).at(location)
    };
    dispatcher
        .write_repeatably(call, move |unit| Box::pin(blocks::create(unit, page.clone(), batch.clone())), shape)
        .await
}

/// The fields are parsed again as those of an operation, because their meaning depends on the type.
fn insertion(body: NewBlockBody) -> Draft<Operation> {
    let mut fields = Map::from_iter([("type".to_owned(), body.kind.0)]);
    let mut put = |name: &str, value: Option<Value>| fields.extend(value.map(|value| (name.to_owned(), value)));
    let id = |id: Option<BlockId>| id.map(|id| Value::String(id.to_string()));
    put("id", id(body.id.flatten()));
    put("content", body.content.map(|content| content.0));
    put("properties", body.properties.flatten().map(|properties| properties.0));
    put("parentId", body.parent_id.map(|parent| id(parent).unwrap_or_default()));
    put("afterBlockId", id(body.after_block_id.flatten()));
    put("beforeBlockId", id(body.before_block_id.flatten()));
    put("position", body.position.map(|position| position.0));
    operations::insertion(&mut fields, "").map(Operation::Insert).map_err(Fault::Invalid)
}
