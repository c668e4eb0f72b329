//! Writes changes of the blocks of a page: the blocks, their earlier versions, their references, the page and the
//! events.

use super::{Changed, instances_elsewhere::Instances, mentions, size};
use crate::{
    access::WorkspaceCaller,
    outcome::AppResult,
    page_events::{emit, shown_fields},
    page_history::keep_version,
    scope::Unit,
    write_budget::WrittenSize,
};
use octavo_blocks_tree::{
    Kind, Reference,
    batch::{Change, Removal},
};
use octavo_core_model::{
    StoreError,
    event::{
        EventPayload, FieldChanges, MAX_LISTED,
        blocks::{BlockChange, BlockMention, BlockMove, BlockOp, BlockPlace, BlocksChanged},
        pages::PageUpdated,
    },
    id::{BlockId, PageId, UserId},
    page::Page,
    position::Position,
};
use octavo_ports::blocks::{BlockRemoval, InstancePages, PageReference, ReferenceKind};
use std::collections::{BTreeMap, BTreeSet};

/// Writes changes of a page's blocks under its lock, including those on other pages with instances of deleted blocks.
/// Writes nothing if nothing changes.
pub(crate) async fn record(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    page: &mut Page,
    mut changed: Changed,
) -> AppResult<()> {
    if changed.is_empty() {
        return Ok(());
    }
    unit.expect_content(changed.written_blocks(), 0)?;
    let Some(elsewhere) = take_instances_along(unit, page, &mut changed).await? else {
        return write(unit, caller.author(), page, &changed).await;
    };
    let locked = elsewhere.lock(unit, page.workspace).await?;
    write(unit, caller.author(), page, &changed).await?;
    for (mut other, instances) in locked {
        delete_alone(unit, caller.author(), &mut other, &instances).await?;
    }
    elsewhere.leave_the_rest(unit, page.workspace, changed.removed_blocks().collect(), caller.author()).await
}

/// Deletes instances on a locked page whose sources are gone.
pub(super) async fn delete_alone(unit: &mut Unit, by: UserId, page: &mut Page, instances: &[BlockId]) -> AppResult<()> {
    let changed = Changed {
        removed: instances.iter().map(|id| alone(*id)).collect(),
        changes: instances.iter().map(|id| gone(*id)).collect(),
        ..Changed::default()
    };
    write(unit, by, page, &changed).await
}

/// Deletes instances together with their sources. Those on this page are added to its changes; those on other pages
/// are returned. None if no block is deleted.
async fn take_instances_along(unit: &mut Unit, page: &Page, changed: &mut Changed) -> AppResult<Option<Instances>> {
    let removed: Vec<_> = changed.removed_blocks().collect();
    if removed.is_empty() {
        return Ok(None);
    }
    // From here on nobody can create another instance.
    unit.tx.blocks().lock(page.workspace, &removed).await?;
    let gone_already: BTreeSet<_> = removed.iter().copied().collect();
    let on_this_page = InstancePages::Only(page.id);
    let here = unit.tx.blocks().list_instances(page.workspace, &removed, on_this_page, u32::MAX).await?;
    // Blocks that this change creates are not in the store yet.
    let made = changed.inserted.iter().filter(|block| block.body.source().is_some_and(|id| gone_already.contains(&id)));
    let here: BTreeSet<_> = here
        .iter()
        .map(|instance| instance.id)
        .chain(made.map(|block| block.id))
        .filter(|id| !gone_already.contains(id))
        .collect();
    changed.saved.retain(|block| !here.contains(&block.id));
    changed.changes.extend(here.iter().map(|id| gone(*id)));
    changed.removed.extend(here.iter().map(|id| alone(*id)));
    Instances::find(unit, page.workspace, &removed, InstancePages::AllExcept(page.id)).await.map(Some)
}

const fn gone(instance: BlockId) -> Change {
    Change::Delete { block: instance, kind: Kind::SyncedBlock }
}

fn alone(instance: BlockId) -> Removal {
    Removal { root: instance, blocks: vec![instance] }
}

async fn write(unit: &mut Unit, by: UserId, page: &mut Page, changed: &Changed) -> AppResult<()> {
    let size = WrittenSize::of_blocks(changed.written_blocks(), size::bytes_of(changed.present_blocks()));
    if changed.only_removes() {
        unit.only_removes();
        unit.add_written(size);
    } else {
        unit.count_written(size)?;
    }
    let mut history = keep_version(unit, page, changed.effect(), by).await?;
    let page_version = page.version + 1;
    if let Some(kept) = history.newest {
        let touched = changed.touched();
        let bytes = unit.tx.histories().keep_block_states(page.workspace, &touched, kept.page_version).await?;
        unit.add_written(WrittenSize::of_bytes(bytes));
    }
    let mentions = mentions::new(unit, page, changed).await?;
    if !changed.inserted.is_empty() && !unit.tx.blocks().insert(&changed.inserted).await? {
        return Err(octavo_core_model::fault::Conflict::Taken("id").into());
    }
    for blocks in [&changed.saved, &changed.returned] {
        if !blocks.is_empty() {
            unit.tx.blocks().save(blocks).await?;
        }
    }
    if !changed.respread.is_empty() {
        unit.tx.blocks().respread(page.workspace, &changed.respread, page_version).await?;
    }
    delete(unit, page, &changed.removed, by).await?;
    let now = unit.call.now;
    write_references(unit, page, changed).await?;
    size::grow(unit, page, &mut history, changed).await?;
    unit.tx.histories().save(page.workspace, page.id, &history).await?;
    let before = page.clone();
    let fields = page.apply(changed.restored.clone().unwrap_or_default(), by, now);
    if fields.is_empty() {
        page.touch(by, now);
    }
    unit.tx.pages().save(page).await?;
    emit_changes(unit, (&before, page), changed, mentions, fields);
    Ok(())
}

/// Blocks that are deleted without others share one statement; each subtree takes a statement of its own.
async fn delete(unit: &mut Unit, page: &Page, removed: &[Removal], by: UserId) -> AppResult<()> {
    let (alone, with_others): (Vec<_>, Vec<_>) = removed.iter().partition(|removal| removal.blocks.len() == 1);
    let alone: Vec<_> = alone.into_iter().map(|removal| removal.root).collect();
    let with_others = with_others.into_iter().map(|removal| (Some(removal.root), &*removal.blocks));
    for (root, blocks) in with_others.chain([(None, &*alone)]).filter(|(_, blocks)| !blocks.is_empty()) {
        let (page_version, now) = (page.version + 1, unit.call.now);
        unit.tx
            .blocks()
            .delete(&BlockRemoval { workspace: page.workspace, root, blocks, page_version, by, now })
            .await?;
    }
    Ok(())
}

/// Locks the sources of instances, so that they cannot be deleted before the instances exist.
async fn lock_sources(unit: &mut Unit, page: &Page, changed: &Changed) -> AppResult<BTreeMap<BlockId, PageId>> {
    let sources: BTreeSet<_> = changed.present_blocks().filter_map(|block| block.body.source()).collect();
    if sources.is_empty() {
        return Ok(BTreeMap::new());
    }
    let locked = unit.tx.blocks().lock_shared(page.workspace, &Vec::from_iter(sources)).await?;
    let there: BTreeSet<_> = locked.iter().filter(|source| !source.is_deleted).map(|source| source.id).collect();
    let was_there: BTreeSet<_> = changed.saved.iter().map(|block| block.id).collect();
    let mut new = changed.present_blocks().filter(|block| !was_there.contains(&block.id));
    if new.any(|block| block.body.source().is_some_and(|source| !there.contains(&source))) {
        // The source existed a moment ago. The next attempt reports that it does not exist.
        return Err(StoreError::Collision.into());
    }
    Ok(locked.into_iter().map(|source| (source.id, source.page)).collect())
}

pub(super) async fn write_references(unit: &mut Unit, page: &Page, changed: &Changed) -> AppResult<()> {
    let pages_of_sources = lock_sources(unit, page, changed).await?;
    let mut references = Vec::new();
    for block in changed.present_blocks() {
        let reference = |target, kind| PageReference {
            workspace: page.workspace,
            block: block.id,
            page: page.id,
            target,
            kind,
            created_at: unit.call.now,
        };
        let synced = block.body.source().and_then(|source| pages_of_sources.get(&source));
        references.extend(synced.map(|target| reference(*target, ReferenceKind::Synced)));
        let kind = if block.kind() == Kind::ChildPage { ReferenceKind::Pointer } else { ReferenceKind::Mention };
        for named in block.body.references() {
            if let Reference::Page(target) = named {
                references.push(reference(target, kind));
            }
        }
        references.extend(block.body.linked_pages().into_iter().map(|target| reference(target, ReferenceKind::Link)));
    }
    let saved = changed.saved.iter().chain(&changed.returned).map(|block| block.id);
    let before: Vec<_> = saved.chain(changed.removed_blocks()).collect();
    unit.tx.blocks().replace_references(page.workspace, &before, &references).await?;
    Ok(())
}

fn emit_changes(
    unit: &mut Unit,
    (before, page): (&Page, &Page),
    changed: &Changed,
    new_mentions: Vec<BlockMention>,
    mut fields: Vec<&'static str>,
) {
    let (before, after) = (shown_fields(before, &fields), shown_fields(page, &fields));
    if !changed.leaves_blocks() {
        let listed = changed.changes.iter().take(MAX_LISTED).map(|change| block_change(change, page)).collect();
        let (actor, change_count) = (unit.acting().0.id(), changed.changes.len() as u64);
        let blocks = BlocksChanged { actor, workspace_id: page.workspace, changes: listed, change_count, new_mentions };
        emit(unit, page, EventPayload::BlocksChanged, blocks);
        fields.push("blocks");
    }
    let updated = PageUpdated { changes: FieldChanges { changed_fields: fields, before, after } };
    emit(unit, page, EventPayload::PageUpdated, updated);
}

fn block_change(change: &Change, page: &Page) -> BlockChange {
    let with_op = |op, block: &BlockId, kind: &Kind, moved| BlockChange {
        op,
        block_id: *block,
        page_id: page.id,
        kind: kind.name(),
        moved,
    };
    let place = |(parent, position): &(Option<BlockId>, Position)| BlockPlace {
        parent_id: *parent,
        position: position.as_str().to_owned(),
    };
    match change {
        Change::Insert { block, kind } => with_op(BlockOp::Insert, block, kind, None),
        Change::Update { block, kind } => with_op(BlockOp::Update, block, kind, None),
        Change::Delete { block, kind } => with_op(BlockOp::Delete, block, kind, None),
        Change::Move { block, kind, from, to } => {
            with_op(BlockOp::Move, block, kind, Some(BlockMove { from: place(from), to: place(to) }))
        }
    }
}
