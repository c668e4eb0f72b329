//! `/blocks/{blockId}`

use super::{
    batches::{LOCKED, refused},
    block::BlockReply,
    known_fields, operations,
    sent::{SentContent, SentKind, SentPosition, SentProperties},
};
use crate::{
    answer::{Answer, versioned},
    dispatcher::Dispatcher,
    route::{Body, IfMatch, Located, Nothing, Path, RouteReply, expected_version, routes},
    v1::locations,
    wire::{Data, Documented, Named, Version, Writable, Written, body, reply},
};
use octavo_app::{
    Call, Draft, Reply,
    access::RouteAccess,
    blocks::{self, BlockDuplication, DuplicatedBlocks, ExpectedVersions, ShownBlock},
};
use octavo_core_model::{
    Fault, Level,
    fault::{BlockProblem, ComputeFault, Conflict, Denial, Issue, Violation},
    id::BlockId,
    version::{Expected, Stale},
};
use serde::{Serializer, ser::SerializeStruct};
use serde_json::{Map, Value, json};

body! {
    /// A change of a block. Fields that are left out stay as they are.
    pub(crate) BlockBody {
        example: { "content": "Ship it today" };
        checks: known_fields::check_block;
        /// Another type; content that the new type cannot hold is dropped.
        kind "type": optional SentKind = "todo",
        /// Its content: the keys to change, or a replacement for its text.
        content "content": optional SentContent = "Ship it today",
        /// Its appearance; replaces all properties.
        properties "properties": nullable SentProperties = { "checked": true },
        /// True deletes the block and everything in it; false restores it with what was deleted along with it.
        /// Restoring cannot be combined with other changes; for a block that is not deleted, false may be sent along
        /// with other fields.
        archived "archived": optional bool = false,
        /// The version of the page that the change is based on.
        base_version "baseVersion": optional Version,
        /// The version of the block that the change is based on.
        version "version": optional Version,
    }
}

body! {
    /// The new place of a block.
    pub(crate) BlockMoveBody {
        example: { "parentId": null };
        /// The new parent block; null for the top of the page.
        parent_id "parentId": nullable BlockId = null,
        /// The sibling after which to put it.
        after_block_id "afterBlockId": nullable BlockId = null,
        /// The sibling before which to put it. Send at most one of these three; without any the block is added at the
        /// end.
        before_block_id "beforeBlockId": nullable BlockId = null,
        /// Its position.
        position "position": optional SentPosition = "a1",
        /// The version of the block that the move is based on.
        version "version": optional Version,
    }
}

body! {
    /// The place of the copy; by default right after the original.
    pub(crate) BlockCopyBody {
        /// The parent block of the copy; null for the parent of the original.
        parent_id "parentId": nullable BlockId = null,
        /// The sibling after which to put it.
        after_block_id "afterBlockId": nullable BlockId = null,
    }
}

reply! {
    /// The result of a deletion.
    pub(crate) DeletedBlockReply {
        /// The deleted block.
        id "id": required BlockId,
        /// True.
        deleted "deleted": required bool = true,
        /// The block and its descendants, parents before children.
        block_ids "blockIds": required Vec<BlockId>,
    }
}

reply! {
    /// The result of a duplication.
    pub(crate) DuplicatedReply {
        /// True.
        duplicated "duplicated": required bool = true,
        /// The copy of the block.
        new_root_id "newRootId": required BlockId,
        /// The copy and the copies of all its descendants.
        block_ids "blockIds": required Vec<BlockId>,
    }
}

impl RouteReply for DuplicatedReply {}

/// The new state of a block and the new version of its page.
#[derive(Debug)]
pub(crate) struct ChangedReply<T = BlockReply> {
    data: T,
    page_version: i64,
}

impl ChangedReply {
    pub(super) fn new(shown: ShownBlock, page_version: i64) -> Self {
        Self { data: shown.into(), page_version }
    }
}

impl<T: Documented + Writable> RouteReply for ChangedReply<T> {}

impl<T: Documented> Documented for ChangedReply<T> {
    const HOLDS_SECRET: bool = T::HOLDS_SECRET;

    fn schema() -> Value {
        let version = json!({ "type": "integer", "description": "The version that the page has now." });
        json!({
            "type": "object",
            "properties": { "data": T::schema(), "pageVersion": version },
            "required": ["data", "pageVersion"],
        })
    }

    fn example() -> Value {
        json!({ "data": T::example(), "pageVersion": 8 })
    }

    fn collect(named: &mut Named) {
        T::collect(named);
    }
}

impl<T: Writable> Writable for ChangedReply<T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut shown = serializer.serialize_struct("ChangedReply", 2)?;
        shown.serialize_field("data", &Written(&self.data))?;
        shown.serialize_field("pageVersion", &self.page_version)?;
        shown.end()
    }
}

const STALE: Fault = Fault::Conflict(Conflict::Stale(Stale { actual: 7, received: 6 }));

routes! {
    /// Shows a block.
    ///
    /// With all its descendants. Open to everybody who may see its page.
    GET "/blocks/{blockId}" as getBlock => get {
        caller: Inside(RouteAccess::PAGES),
        limits: [],
        takes: (block: Path<BlockId>),
        answers: { 200: Data<BlockReply>, 304: Nothing },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::Edit)), Fault::Compute(ComputeFault::MemoryFull)],
        events: [],
    }

    /// Changes a block.
    ///
    /// For callers that may edit its page. An instance is changed through its source. `archived: false` restores a
    /// deleted block to its old place, or to the end of the page if that is gone.
    PATCH "/blocks/{blockId}" as updateBlock => update {
        caller: Inside(RouteAccess::PAGES_CHANGE),
        limits: [],
        takes: (block: Path<BlockId>, version: IfMatch, body: Body<BlockBody>),
        answers: { 200: ChangedReply },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            STALE,
            LOCKED,
            Fault::Conflict(Conflict::PageTrashed),
            refused!(BlockProblem::SyncedReadonly { source: BlockId::LOWEST }),
            refused!(BlockProblem::InvalidNesting { block: BlockId::LOWEST, parent: None }),
            Fault::Compute(ComputeFault::MemoryFull),
        ],
        events: [BlocksChanged, PageUpdated],
    }

    /// Deletes a block.
    ///
    /// With everything in it and all instances of these blocks, for callers that may edit its page. It can be restored
    /// from a version of the page, or with `archived: false`.
    DELETE "/blocks/{blockId}" as deleteBlock => remove {
        caller: Inside(RouteAccess::PAGES_CHANGE),
        limits: [],
        takes: (block: Path<BlockId>, version: IfMatch),
        answers: { 200: ChangedReply<DeletedBlockReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            STALE,
            LOCKED,
            Fault::Conflict(Conflict::PageTrashed),
        ],
        events: [BlocksChanged, PageUpdated],
    }

    /// Moves a block.
    ///
    /// Moves it with everything in it to another place on its page, for callers that may edit the page.
    POST "/blocks/{blockId}/move" as moveBlock => relocate {
        caller: Inside(RouteAccess::PAGES_CHANGE),
        limits: [],
        takes: (block: Path<BlockId>, version: IfMatch, body: Body<BlockMoveBody>),
        answers: { 200: ChangedReply },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            STALE,
            LOCKED,
            Fault::Conflict(Conflict::PageTrashed),
            refused!(BlockProblem::CycleDetected(BlockId::LOWEST)),
            refused!(BlockProblem::MaxDepth(BlockId::LOWEST)),
            refused!(BlockProblem::InvalidNesting { block: BlockId::LOWEST, parent: None }),
        ],
        events: [BlocksChanged, PageUpdated],
    }

    /// Duplicates a block.
    ///
    /// With everything in it, on the same page, for callers that may edit the page. Instances whose source is copied
    /// too show the copy.
    POST "/blocks/{blockId}/duplicate" as duplicateBlock => duplicate {
        caller: Inside(RouteAccess::PAGES_CHANGE),
        limits: [],
        takes: (block: Path<BlockId>, version: IfMatch, body: Body<BlockCopyBody>),
        answers: { 201: Located<DuplicatedReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            STALE,
            LOCKED,
            Fault::Conflict(Conflict::PageTrashed),
            refused!(BlockProblem::MaxDepth(BlockId::LOWEST)),
            refused!(BlockProblem::InvalidNesting { block: BlockId::LOWEST, parent: None }),
            Fault::Compute(ComputeFault::MemoryFull),
        ],
        events: [BlocksChanged, PageUpdated],
    }
}

async fn get(dispatcher: Dispatcher, call: Call, block: Draft<BlockId>) -> Answer {
    let shape = |branch| {
        let block = BlockReply::from(branch);
        versioned(block.version, block)
    };
    dispatcher.read(call, move |view| Box::pin(blocks::get(view, block)), shape).await
}

async fn update(
    dispatcher: Dispatcher,
    call: Call,
    block: Draft<BlockId>,
    header: Draft<Option<Expected>>,
    body: Draft<BlockBody>,
) -> Answer {
    let shape = |(shown, version)| Reply::json(200, &Written(&ChangedReply::new(shown, version)));
    let (archived, other_field) = body.as_ref().map_or((None, None), |body| (body.archived, other_field(body)));
    let sent = header.and_then(|header| {
        let body = body?;
        let version = expected_version(header, body.version.as_ref().map(|version| version.0))?;
        let base = body.base_version.as_ref().map(|base| Expected::Exactly(base.0));
        Ok((body, ExpectedVersions { base, version }))
    });
    match (archived, other_field) {
        (Some(true), _) => {
            let rest = sent.and_then(|(_, rest)| match other_field {
                Some(field) => Err(Violation::new(field, Issue::InvalidValue).into()),
                None => Ok(rest),
            });
            dispatcher
                .write_repeatably(call, move |unit| Box::pin(blocks::archive(unit, block.clone(), rest.clone())), shape)
                .await
        }
        (Some(false), None) => {
            let rest = sent.map(|(_, rest)| rest);
            dispatcher
                .write_repeatably(
                    call,
                    move |unit| Box::pin(blocks::undelete(unit, block.clone(), rest.clone())),
                    shape,
                )
                .await
        }
        (Some(false) | None, _) => {
            let draft = sent.and_then(|(body, rest)| change(body, rest));
            dispatcher
                .write_repeatably(call, move |unit| Box::pin(blocks::change(unit, block.clone(), draft.clone())), shape)
                .await
        }
    }
}

/// A field of a body other than the one for deletion. Restoring cannot be combined with other changes.
fn other_field(body: &BlockBody) -> Option<&'static str> {
    let others =
        [("type", body.kind.is_some()), ("content", body.content.is_some()), ("properties", body.properties.is_some())];
    others.into_iter().find(|(_, is_sent)| *is_sent).map(|(name, _)| name)
}

fn change(body: BlockBody, rest: ExpectedVersions) -> Draft<blocks::Change> {
    let beside_return = body.archived.and_then(|_| other_field(&body));
    let mut fields = Map::new();
    let mut put = |name: &str, value: Option<Value>| fields.extend(value.map(|value| (name.to_owned(), value)));
    put("type", body.kind.map(|kind| kind.0));
    put("content", body.content.map(|content| content.0));
    put("properties", body.properties.map(|properties| properties.map_or_else(|| json!({}), |sent| sent.0)));
    let patch = operations::patch(&mut fields, "").map_err(Fault::Invalid)?;
    Ok(blocks::Change { rest, kind: blocks::ChangeKind::Update(patch), beside_return })
}

async fn remove(dispatcher: Dispatcher, call: Call, block: Draft<BlockId>, version: Draft<Option<Expected>>) -> Answer {
    let shape = |(id, block_ids, page_version)| {
        let data = DeletedBlockReply { id, deleted: true, block_ids };
        Reply::json(200, &Written(&ChangedReply { data, page_version }))
    };
    let rest = version.map(|version| ExpectedVersions { base: None, version });
    dispatcher
        .write_repeatably(call, move |unit| Box::pin(blocks::delete(unit, block.clone(), rest.clone())), shape)
        .await
}

async fn relocate(
    dispatcher: Dispatcher,
    call: Call,
    block: Draft<BlockId>,
    header: Draft<Option<Expected>>,
    body: Draft<BlockMoveBody>,
) -> Answer {
    let draft = header.and_then(|header| {
        let body = body?;
        let version = expected_version(header, body.version.as_ref().map(|version| version.0))?;
        let mut fields = Map::new();
        let mut put = |name: &str, value: Option<Value>| fields.extend(value.map(|value| (name.to_owned(), value)));
        let id = |id: Option<BlockId>| id.map(|id| Value::String(id.to_string()));
        put("parentId", body.parent_id.map(|parent| id(parent).unwrap_or_default()));
        put("afterBlockId", id(body.after_block_id.flatten()));
        put("beforeBlockId", id(body.before_block_id.flatten()));
        put("position", body.position.map(|position| position.0));
        let target = operations::target(&fields, "").map_err(Fault::Invalid)?;
        Ok(blocks::Change {
            rest: ExpectedVersions { base: None, version },
            kind: blocks::ChangeKind::Move(target),
            beside_return: None,
        })
    });
    let shape = |(shown, version)| Reply::json(200, &Written(&ChangedReply::new(shown, version)));
    dispatcher
        .write_repeatably(call, move |unit| Box::pin(blocks::change(unit, block.clone(), draft.clone())), shape)
        .await
}

async fn duplicate(
    dispatcher: Dispatcher,
    call: Call,
    block: Draft<BlockId>,
    version: Draft<Option<Expected>>,
    body: Draft<BlockCopyBody>,
) -> Answer {
    let draft = version.and_then(|expected| {
        let body = body?;
        Ok(BlockDuplication { parent: body.parent_id.flatten(), after: body.after_block_id.flatten(), expected })
    });
    let shape = |DuplicatedBlocks { root, blocks }| {
        let reply = DuplicatedReply { duplicated: true, new_root_id: root, block_ids: blocks };
        Reply::json(201, &Written(&reply)).at(locations::block(root))
    };
    dispatcher
        .write_repeatably(call, move |unit| Box::pin(blocks::duplicate(unit, block.clone(), draft.clone())), shape)
        .await
}
