//! `/pages/{pageId}/markdown`

use super::{
    batches::{LOCKED, refused},
    sent::SentEdits,
};
use crate::{
    answer::{Answer, ok, versioned},
    dispatcher::Dispatcher,
    route::{Body, IfMatch, Nothing, Path, expected_version, routes},
    wire::{Data, Reader, Version, body, reply},
};
use octavo_app::{
    Call, Draft, Engine,
    access::RouteAccess,
    blocks::{self, MarkdownEdited, MarkdownEdits, MarkdownPage},
};
use octavo_blocks_tree::markdown::{Anchor, Edit, MAX_EDITS};
use octavo_core_model::{
    Fault, Level,
    fault::{
        BlockProblem, ComputeFault, Conflict, Denial, Hint, Issue, PageLimit, TextFlaw, TextProblem, Unprocessable,
        Violation,
    },
    id::{BlockId, PageId},
    version::{Expected, Stale},
};
use serde_json::{Map, Value};
use std::{mem, sync::Arc};

reply! {
    /// The content of a page as text.
    pub(crate) MarkdownReply {
        /// `CommonMark` with the tables, tasks and strikethrough of GitHub; blocks without an equivalent are written
        /// between `:::type {json}` and `:::`.
        markdown "markdown": required String = "# Plan\n\n- [ ] Ship **it**\n",
        /// The version of the page.
        version "version": required i64 = 7,
    }
}

body! {
    /// Edits of the text of a page, applied in order, all or none.
    pub(crate) MarkdownBody {
        /// 1 to 50 edits.
        edits "edits": required SentEdits = [{ "op": "append", "markdown": "- [ ] Tell everybody" }],
        /// The version of the page that the edits are based on.
        version "version": optional Version,
    }
}

reply! {
    /// The result of edits.
    pub(crate) MarkdownEditedReply {
        /// The new version of the page.
        version "version": required i64 = 8,
        /// All blocks of the page in reading order.
        block_ids "blockIds": required Vec<BlockId>,
        /// The blocks that were deleted.
        deleted_block_ids "deletedBlockIds": required Vec<BlockId>,
    }
}

routes! {
    /// Shows a page as Markdown.
    ///
    /// Open to everybody who may see it. Written to another page, the text creates the same blocks with other ids.
    GET "/pages/{pageId}/markdown" as getPageMarkdown => get {
        caller: Inside(RouteAccess::PAGES),
        limits: [],
        takes: (page: Path<PageId>),
        answers: { 200: Data<MarkdownReply>, 304: Nothing },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Compute(ComputeFault::Busy),
            Fault::Compute(ComputeFault::MemoryFull),
            Fault::Compute(ComputeFault::Timeout),
        ],
        events: [],
    }

    /// Edits a page as Markdown.
    ///
    /// For callers that may edit it. Blocks that do not change keep their ids and versions, and so everything that
    /// depends on them.
    PATCH "/pages/{pageId}/markdown" as editPageMarkdown => edit {
        caller: Inside(RouteAccess::PAGES_CHANGE),
        limits: [],
        takes: (page: Path<PageId>, version: IfMatch, body: Body<MarkdownBody>),
        answers: { 200: Data<MarkdownEditedReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Conflict(Conflict::Stale(Stale { actual: 7, received: 6 })),
            LOCKED,
            Fault::Conflict(Conflict::PageTrashed),
            Fault::Text(TextFlaw { index: None, problem: TextProblem::TooLong { most: 1 << 20 } }),
            Fault::Text(TextFlaw { index: None, problem: TextProblem::FindNotFound }),
            refused!(BlockProblem::InvalidNesting { block: BlockId::LOWEST, parent: None }),
            Fault::Unprocessable(Unprocessable::PageTooLarge(PageLimit::Blocks)),
            Fault::Compute(ComputeFault::Busy),
            Fault::Compute(ComputeFault::MemoryFull),
            Fault::Compute(ComputeFault::Timeout),
        ],
        events: [BlocksChanged, PageUpdated],
        max_body: Some(2 << 20),
    }
}

async fn get(dispatcher: Dispatcher, call: Call, page: Draft<PageId>) -> Answer {
    let shape = |MarkdownPage { markdown, version }| versioned(version, MarkdownReply { markdown, version });
    let read = move |engine: Arc<Engine>, call| async move { blocks::markdown(&engine, call, page).await.map(shape) };
    dispatcher.computing().flow(call, read).await
}

async fn edit(
    dispatcher: Dispatcher,
    call: Call,
    page: Draft<PageId>,
    header: Draft<Option<Expected>>,
    body: Draft<MarkdownBody>,
) -> Answer {
    let draft = header.and_then(|header| {
        let body = body?;
        let expected = expected_version(header, body.version.map(|version| version.0))?;
        Ok(MarkdownEdits { edits: edits(body.edits.0)?, expected })
    });
    let shape = |MarkdownEdited { version, blocks, deleted }| {
        ok(MarkdownEditedReply { version, block_ids: blocks, deleted_block_ids: deleted })
    };
    let edit =
        move |engine: Arc<Engine>, call| async move { blocks::edit_markdown(&engine, call, page, draft, shape).await };
    dispatcher.computing().flow(call, edit).await
}

pub(super) fn edits(sent: Value) -> Draft<Vec<Edit>> {
    let Value::Array(list) = sent else {
        return Err(Violation::new("edits", Issue::InvalidType).with(sent).into());
    };
    match list.len() {
        0 => Err(Violation::new("edits", Issue::TooShort).into()),
        1..=MAX_EDITS => {
            list.into_iter().enumerate().map(|(index, sent)| read(sent, &format!("edits.{index}"))).collect()
        }
        _ => Err(Violation::new("edits", Issue::TooLong).into()),
    }
}

/// What an edit does.
#[derive(Clone, Copy, Debug)]
enum Op {
    Append,
    Prepend,
    ReplaceAll,
    InsertAfter,
    FindReplace,
}

const OPS: [(&str, Op); 5] = [
    ("append", Op::Append),
    ("prepend", Op::Prepend),
    ("replace_all", Op::ReplaceAll),
    ("insert_after", Op::InsertAfter),
    ("find_replace", Op::FindReplace),
];

fn op(fields: &Map<String, Value>, at: &str) -> Result<Op, Violation> {
    let wrong = |issue| flaw(at, "op", issue).hinting(Hint::one_of(OPS.iter().map(|(name, _)| *name)));
    let Some(sent) = fields.get("op") else { return Err(wrong(Issue::Required)) };
    let Value::String(word) = sent else { return Err(wrong(Issue::InvalidType).with(sent.clone())) };
    let known = OPS.iter().find(|(name, _)| name == word).map(|(_, op)| *op);
    known.ok_or_else(|| wrong(Issue::InvalidValue).with(sent.clone()))
}

fn read(sent: Value, at: &str) -> Draft<Edit> {
    let Value::Object(mut fields) = sent else {
        return Err(Violation::new(at, Issue::InvalidType).with(sent).into());
    };
    // Which other fields are required depends on it.
    let op = op(&fields, at)?;
    let mut text = |name: &str| match fields.get_mut(name) {
        Some(Value::String(text)) => Ok(mem::take(text)),
        Some(other) => Err(flaw(at, name, Issue::InvalidType).with(other.clone())),
        None => Err(flaw(at, name, Issue::Required)),
    };
    let markdown = text("markdown")?;
    match op {
        Op::Append => Ok(Edit::Append { markdown }),
        Op::Prepend => Ok(Edit::Prepend { markdown }),
        Op::ReplaceAll => Ok(Edit::ReplaceAll { markdown }),
        Op::InsertAfter => Ok(Edit::InsertAfter { anchor: anchor(&fields, at)?, markdown }),
        Op::FindReplace => {
            let find = text("find")?;
            if find.is_empty() {
                return Err(flaw(at, "find", Issue::TooShort).into());
            }
            let all = match fields.get("all") {
                None | Some(Value::Null) => false,
                Some(Value::Bool(all)) => *all,
                Some(other) => return Err(flaw(at, "all", Issue::InvalidType).with(other.clone()).into()),
            };
            Ok(Edit::FindReplace { find, markdown, all })
        }
    }
}

/// A block named by its id or by its text, but not by both.
fn anchor(fields: &Map<String, Value>, at: &str) -> Draft<Anchor> {
    let sent = |name: &str| fields.get(name).filter(|sent| !sent.is_null());
    match (sent("blockId"), sent("find")) {
        (Some(_), None) => {
            let mut reader = Reader::over(fields);
            let block = reader.required::<BlockId>("blockId");
            block.map(Anchor::Block).ok_or_else(|| flaw(at, "blockId", Issue::InvalidId).into())
        }
        (None, Some(Value::String(find))) if !find.is_empty() => Ok(Anchor::Find(find.clone())),
        (_, Some(_)) => Err(flaw(at, "find", Issue::InvalidValue).into()),
        (None, None) => Err(flaw(at, "blockId", Issue::Required).into()),
    }
}

fn flaw(at: &str, name: &str, issue: Issue) -> Violation {
    Violation::new(format!("{at}.{name}"), issue)
}
