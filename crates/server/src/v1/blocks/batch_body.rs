//! The formats of a batch.

use super::{
    operations,
    sent::{SentEntries, SentInsert, SentNeighbour, SentNewBlock, SentOperations, SentPage},
};
use crate::wire::{Reader, Version, body};
use octavo_app::{
    Draft,
    blocks::{Batch, InvalidOperation},
};
use octavo_blocks_tree::batch::{MAX_OPERATIONS, Operation};
use octavo_core_model::{
    Fault,
    fault::{Hint, Issue, Violation},
    id::PageId,
    version::Expected,
};
use serde_json::{Map, Value, json};

body! {
    /// Changes of the blocks of one page: as `ops`, as `operations`, or as a single `op`. Send exactly one of them.
    pub(crate) BatchBody {
        example: {
            "pageId": "pg_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
            "ops": [
                { "op": "upsert", "block": { "type": "heading_2", "content": "Goals" } },
                { "op": "upsert", "block": { "type": "todo", "content": "Ship it" } }
            ]
        };
        /// The page whose blocks change.
        page_id "pageId": optional SentPage = "pg_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The version of the page that the changes are based on.
        base_version "baseVersion": optional Version,
        /// 1 to 200 of `{ op: "upsert", block }`, `{ op: "update", blockId, patch, version? }`, `{ op: "delete",
        /// blockId, version? }` and `{ op: "move", blockId, move, version? }`, applied in this order.
        ops "ops": optional SentOperations = [{ "op": "upsert", "block": { "type": "paragraph", "content": "Hello" } }],
        /// The same as `{ op, pageId, blockId, version, block, target }`.
        operations "operations": optional SentEntries,
        /// `insert`, for a single block.
        op "op": optional SentInsert,
        /// The block after which to put the single one; null for the end.
        after "after": nullable SentNeighbour,
        /// The single block.
        block "block": optional SentNewBlock,
    }
}

/// The page and the changes to it.
pub(super) fn read(body: Draft<BatchBody>, header: Draft<Option<Expected>>) -> (Draft<PageId>, Draft<Batch>) {
    let body = match body {
        Ok(body) => body,
        Err(fault) => return (Err(fault.clone()), Err(fault)),
    };
    let page = page_of(&body);
    let batch = header.and_then(|header| batch(body, header));
    (page, batch)
}

fn batch(body: BatchBody, header: Option<Expected>) -> Draft<Batch> {
    let base = body.base_version.as_ref().map(|version| version.0);
    let base = match (header, base) {
        (Some(Expected::Exactly(sent)), Some(base)) if sent != base => {
            return Err(Violation::new("baseVersion", Issue::InvalidValue).with(base.into()).into());
        }
        (_, Some(base)) => Some(Expected::Exactly(base)),
        (header, None) => header,
    };
    let field = if body.ops.as_ref().is_some_and(|ops| ops.0.is_array()) { "ops" } else { "operations" };
    let sent = sent_operations(body)?;
    if sent.len() > MAX_OPERATIONS {
        return Err(Fault::TooManyOperations(u32::try_from(MAX_OPERATIONS).unwrap_or(u32::MAX)));
    }
    if sent.is_empty() {
        let bounds = Hint { min: Some(1), max: i64::try_from(MAX_OPERATIONS).ok(), ..Hint::default() };
        return Err(Violation::new(field, Issue::TooShort).hinting(bounds).into());
    }
    Ok(Batch { base, operations: sent.into_iter().map(operation).collect() })
}

/// Reads an operation. Its flaws are reported together with those of the others.
fn operation(sent: Value) -> Result<Operation, InvalidOperation> {
    let id = sent.get("block").and_then(|block| block.get("id")).and_then(Value::as_str);
    let block = id.and_then(|id| id.parse().ok());
    operations::operation(sent).map_err(|flaws| InvalidOperation { flaws, block })
}

/// The operations in the format of `ops`, whatever format was sent.
fn sent_operations(body: BatchBody) -> Draft<Vec<Value>> {
    let list = |name: &str, sent: Value| match sent {
        Value::Array(list) => Ok(list),
        other => Err(Fault::from(Violation::new(name, Issue::InvalidType).with(other))),
    };
    // A field that is null counts as not sent.
    let ops = body.ops.map(|ops| ops.0).filter(|ops| !ops.is_null());
    let operations = body.operations.map(|operations| operations.0).filter(|operations| !operations.is_null());
    let op = body.op.map(|op| op.0).filter(|op| !op.is_null());
    match (ops, operations, op) {
        (Some(ops), None, None) => list("ops", ops),
        (None, Some(operations), None) => Ok(list("operations", operations)?.into_iter().map(as_operation).collect()),
        (None, None, Some(op)) => single(&op, body.block, body.after.flatten()).map(|operation| vec![operation]),
        (None, None, None) => Err(Violation::new("ops", Issue::Required).into()),
        (Some(_), Some(_), _) => Err(Violation::new("operations", Issue::InvalidValue).into()),
        (_, _, Some(_)) => Err(Violation::new("op", Issue::InvalidValue).into()),
    }
}

/// Reads `{ op: insert, after, block }`.
fn single(op: &Value, block: Option<SentNewBlock>, after: Option<SentNeighbour>) -> Draft<Value> {
    if !matches!(op.as_str(), Some("insert" | "upsert")) {
        return Err(Violation::new("op", Issue::InvalidValue).with(op.clone()).into());
    }
    let mut block = match block {
        Some(SentNewBlock(Value::Object(block))) => block,
        Some(_) => return Err(Violation::new("block", Issue::InvalidType).into()),
        None => return Err(Violation::new("block", Issue::Required).into()),
    };
    if let Some(SentNeighbour(after)) = after {
        if ["afterBlockId", "beforeBlockId", "position"]
            .iter()
            .any(|other| block.get(*other).is_some_and(|sent| !sent.is_null()))
        {
            return Err(Violation::new("after", Issue::InvalidValue).with(after).into());
        }
        block.insert("afterBlockId".to_owned(), after);
    }
    Ok(Value::Object(Map::from_iter([("op".to_owned(), "upsert".into()), ("block".to_owned(), block.into())])))
}

/// Converts an entry of `operations` to one of `ops`.
pub(super) fn as_operation(entry: Value) -> Value {
    let Value::Object(mut entry) = entry else { return entry };
    let mut operation = Map::new();
    for name in ["op", "version"] {
        operation.extend(entry.remove(name).map(|value| (name.to_owned(), value)));
    }
    let id = entry.remove("blockId");
    let target = entry.remove("target").unwrap_or_else(|| json!({}));
    match operation.get("op").and_then(Value::as_str) {
        Some("insert" | "upsert") => {
            let mut block = entry.remove("block").unwrap_or_default();
            if let (Value::Object(block), Value::Object(target)) = (&mut block, target) {
                block.extend(target);
                block.extend(id.clone().map(|id| ("id".to_owned(), id)));
            }
            operation.insert("block".to_owned(), block);
        }
        Some("update") => operation.extend(entry.remove("block").map(|patch| ("patch".to_owned(), patch))),
        Some("move") => operation.extend([("move".to_owned(), target)]),
        _ => {}
    }
    operation.extend(id.map(|id| ("blockId".to_owned(), id)));
    Value::Object(operation)
}

/// The page of the batch, wherever it is named.
fn page_of(body: &BatchBody) -> Draft<PageId> {
    let beside = body.page_id.as_ref().map(|page| &page.0);
    let entries = body.operations.as_ref().and_then(|operations| operations.0.as_array());
    let within = entries.into_iter().flatten().filter_map(|entry| entry.get("pageId"));
    let mut named = beside.into_iter().chain(within);
    let Some(first) = named.next() else { return Err(Violation::new("pageId", Issue::Required).into()) };
    if let Some(other) = named.find(|other| *other != first) {
        return Err(Violation::new("pageId", Issue::InvalidValue).with(other.clone()).into());
    }
    let fields = Map::from_iter([("pageId".to_owned(), first.clone())]);
    let mut reader = Reader::over(&fields);
    match reader.required::<PageId>("pageId") {
        Some(page) => Ok(page),
        None => Err(Fault::Invalid(reader.into_violations())),
    }
}
