//! Showing a database on the page that contains it.

use super::{
    Writer,
    batch::{plan_and_save, single},
};
use crate::{
    access::WorkspaceCaller,
    outcome::{AppResult, Interrupt},
    scope::Unit,
};
use octavo_blocks_tree::{
    Body, Kind,
    batch::{Insertion, Operation, Patch, Target},
};
use octavo_core_model::{
    Fault,
    fault::{Issue, Violation},
    id::{BlockId, DatabaseId, PageId},
};
use octavo_permissions::Authority;
use serde_json::json;

/// Puts a database into a block of the type `database` that is on the page, or into a new one at its end.
pub(crate) async fn embed_database(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &Authority,
    page: PageId,
    block: Option<BlockId>,
    database: DatabaseId,
) -> AppResult<()> {
    let writer = Writer { caller: caller.clone(), authority: authority.clone() };
    let seen = writer.open(unit, &Ok(page)).await?.ok_or(Fault::NotFound)?;
    let content = json!({ "databaseId": database });
    let operation = if let Some(id) = block {
        require_database_block(unit, caller, page, id).await?;
        Operation::Update { block: id, version: None, patch: Patch { content: Some(content), ..Patch::default() } }
    } else {
        let body = Body::read(Kind::Database, Some(content), None, "").map_err(Fault::Invalid)?;
        Operation::Insert(Insertion { id: None, body, target: Target::default() })
    };
    let batch = super::Batch { base: None, operations: [Ok(operation)].into() };
    plan_and_save(unit, &writer, seen, &batch).await.map_err(single)?;
    Ok(())
}

/// Refuses a block that is not on the page, or of another type.
async fn require_database_block(unit: &mut Unit, caller: &WorkspaceCaller, page: PageId, id: BlockId) -> AppResult<()> {
    let found = unit.tx.blocks().find(caller.workspace, &[id]).await?.pop();
    let found = found.filter(|block| block.page == page && block.deletion.is_none());
    let block = found.ok_or_else(|| Interrupt::from(Fault::UnknownId("blockId")))?;
    if block.body.kind() == Kind::Database {
        return Ok(());
    }
    Err(Violation::new("blockId", Issue::InvalidValue).with(id.to_string().into()).into())
}
