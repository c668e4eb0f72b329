//! Reading operations on blocks.

use crate::wire::{Reader, Version};
use octavo_blocks_tree::{
    batch::{Anchor, Insertion, Operation, Patch, Target},
    json::{body, kind},
};
use octavo_core_model::{
    fault::{Hint, Issue, Violation},
    id::BlockId,
    position::Position,
};
use serde_json::{Map, Value, json};

type Flaws = Vec<Violation>;

/// Reads `{ op, ... }`. Moves texts out of the value instead of copying them.
pub(super) fn operation(sent: Value) -> Result<Operation, Flaws> {
    let Value::Object(mut fields) = sent else {
        return Err(vec![Violation::new("op", Issue::InvalidType).with(sent)]);
    };
    let fields = &mut fields;
    match fields.get("op").and_then(Value::as_str) {
        Some("upsert" | "insert") => insertion(object(fields, "block")?, "block").map(Operation::Insert),
        Some("update") => {
            let (block, version) = named(fields)?;
            Ok(Operation::Update { block, version, patch: patch(object(fields, "patch")?, "patch")? })
        }
        Some("delete") => {
            let (block, version) = named(fields)?;
            Ok(Operation::Delete { block, version })
        }
        Some("move") => {
            let (block, version) = named(fields)?;
            Ok(Operation::Move { block, version, target: target(object(fields, "move")?, "move")? })
        }
        Some(_) => {
            let known = Hint::one_of(["upsert", "update", "delete", "move"]);
            Err(vec![flaw(fields, "op", Issue::InvalidValue).hinting(known)])
        }
        None => {
            Err(vec![flaw(fields, "op", if fields.contains_key("op") { Issue::InvalidType } else { Issue::Required })])
        }
    }
}

fn flaw(fields: &Map<String, Value>, name: &str, issue: Issue) -> Violation {
    let violation = Violation::new(name, issue);
    match fields.get(name) {
        Some(sent) => violation.with(sent.clone()),
        None => violation,
    }
}

fn object<'a>(fields: &'a mut Map<String, Value>, name: &str) -> Result<&'a mut Map<String, Value>, Flaws> {
    match fields.get_mut(name) {
        Some(Value::Object(object)) => Ok(object),
        Some(other) => Err(vec![Violation::new(name, Issue::InvalidType).with(other.take())]),
        None => Err(vec![Violation::new(name, Issue::Required)]),
    }
}

/// The block that an operation names, and its expected version.
fn named(fields: &Map<String, Value>) -> Result<(BlockId, Option<i64>), Flaws> {
    let mut reader = Reader::over(fields);
    let block = reader.required::<BlockId>("blockId");
    let version = reader.optional::<Version>("version");
    match (block, version) {
        (Some(block), Some(version)) => Ok((block, version.map(|version| version.0))),
        _ => Err(reader.into_violations()),
    }
}

/// Reads a block to be created: `{ id?, type, content?, properties?, parentId?, afterBlockId | beforeBlockId |
/// position }`.
pub(super) fn insertion(fields: &mut Map<String, Value>, at: &str) -> Result<Insertion, Flaws> {
    let mut reader = Reader::over(fields);
    let id = reader.nullable::<BlockId>("id").map(Option::flatten);
    let mut flaws = under(at, reader.into_violations());
    let target = target(fields, at).unwrap_or_else(|more| {
        flaws.extend(more);
        Target::default()
    });
    let body = body(fields, at).map_err(|more| flaws.extend(more));
    match (id, body) {
        (Some(id), Ok(body)) if flaws.is_empty() => Ok(Insertion { id, body, target }),
        _ => Err(flaws),
    }
}

/// Reads the changes of a block. The content is parsed later, when the type of the block is known.
pub(super) fn patch(fields: &mut Map<String, Value>, at: &str) -> Result<Patch, Flaws> {
    let mut reader = Reader::over(fields);
    let parent = reader.nullable::<BlockId>("parentId");
    let position = reader.optional::<Position>("position");
    let mut flaws = under(at, reader.into_violations());
    let kind = kind(fields, at).unwrap_or_else(|more| {
        flaws.extend(more);
        None
    });
    if fields.get("content").is_some_and(|sent| !sent.is_object() && !sent.is_string()) {
        flaws.extend(under(at, vec![flaw(fields, "content", Issue::InvalidType)]));
    }
    let content = fields.remove("content");
    if fields.get("properties").is_some_and(|sent| !sent.is_object() && !sent.is_null()) {
        flaws.extend(under(at, vec![flaw(fields, "properties", Issue::InvalidType)]));
    }
    // Null clears the properties, like every nullable field.
    let properties = fields.remove("properties").map(|sent| if sent.is_null() { json!({}) } else { sent });
    match (parent, position) {
        (Some(parent), Some(position)) if flaws.is_empty() => Ok(Patch { kind, content, properties, parent, position }),
        _ => Err(flaws),
    }
}

/// Reads `{ parentId?, afterBlockId | beforeBlockId | position }`.
pub(super) fn target(fields: &Map<String, Value>, at: &str) -> Result<Target, Flaws> {
    let mut reader = Reader::over(fields);
    let parent = reader.nullable::<BlockId>("parentId");
    let after = reader.nullable::<BlockId>("afterBlockId").map(Option::flatten);
    let before = reader.nullable::<BlockId>("beforeBlockId").map(Option::flatten);
    let position = reader.optional::<Position>("position");
    let (Some(parent), Some(after), Some(before), Some(position)) = (parent, after, before, position) else {
        return Err(under(at, reader.into_violations()));
    };
    let second = |name: &str| Err(under(at, vec![flaw(fields, name, Issue::InvalidValue)]));
    let anchor = match (after, before, position) {
        (None, None, None) => Anchor::Last,
        (Some(id), None, None) => Anchor::After(id),
        (None, Some(id), None) => Anchor::Before(id),
        (None, None, Some(position)) => Anchor::At(position),
        (Some(_), Some(_), _) => return second("beforeBlockId"),
        (_, _, Some(_)) => return second("position"),
    };
    Ok(Target { parent, anchor })
}

/// Flaws within an object, with the path to it.
fn under(at: &str, flaws: Flaws) -> Flaws {
    if at.is_empty() {
        return flaws;
    }
    flaws.into_iter().map(|flaw| Violation { field: format!("{at}.{}", flaw.field), ..flaw }).collect()
}
