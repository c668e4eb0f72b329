//! Whom changed blocks mention that they did not mention before.

use super::Changed;
use crate::{outcome::AppResult, scope::Unit};
use octavo_blocks_tree::{Block, Kind, Reference};
use octavo_core_model::{
    comment::MentionType,
    event::{MAX_LISTED, blocks::BlockMention},
    id::BlockId,
    page::Page,
};
use std::collections::{BTreeMap, BTreeSet};

/// The users and teams that are newly mentioned. One statement, before the blocks are saved, if changed blocks mention
/// anybody; otherwise none. Restored blocks mention nobody anew.
pub(super) async fn new(unit: &mut Unit, page: &Page, changed: &Changed) -> AppResult<Vec<BlockMention>> {
    let saved: Vec<_> = changed.saved.iter().filter(|block| !people(block).is_empty()).map(|block| block.id).collect();
    let mut before = BTreeMap::new();
    if !saved.is_empty() {
        for block in unit.tx.blocks().find(page.workspace, &saved).await? {
            before.insert(block.id, people(&block));
        }
    }
    Ok(listed(changed.inserted.iter().chain(&changed.saved), before))
}

/// Whom the blocks of a new page mention.
pub(super) fn in_new(blocks: &[Block]) -> Vec<BlockMention> {
    listed(blocks.iter(), BTreeMap::new())
}

/// Whom blocks mention besides those that they mentioned before.
fn listed<'a>(
    blocks: impl Iterator<Item = &'a Block>,
    mut before: BTreeMap<BlockId, BTreeSet<Reference>>,
) -> Vec<BlockMention> {
    let mut mentions = Vec::new();
    for block in blocks {
        let known = before.remove(&block.id).unwrap_or_default();
        let is_todo = block.kind() == Kind::Todo;
        mentions.extend(people(block).difference(&known).filter_map(|reference| {
            let (kind, id) = match reference {
                Reference::User(id) => (MentionType::User, id.to_string()),
                Reference::Team(id) => (MentionType::Team, id.to_string()),
                _ => return None,
            };
            Some(BlockMention { block_id: block.id, is_todo, kind, id })
        }));
    }
    mentions.truncate(MAX_LISTED);
    mentions
}

fn people(block: &Block) -> BTreeSet<Reference> {
    let mut references = block.body.references();
    references.retain(|reference| matches!(reference, Reference::User(_) | Reference::Team(_)));
    references
}
