//! The content of pages: reading it and changing it in batches.

mod batch;
mod changed;
mod check;
mod content;
mod copy;
mod duplicate;
mod embed;
mod initial;
mod instances;
mod instances_elsewhere;
mod known;
mod markdown;
mod memory;
mod mentions;
mod named;
mod read;
mod record;
mod shown;
mod size;
mod sources;
mod transfer;
mod undelete;

pub use batch::{Batch, Change, ChangeKind, ExpectedVersions, Written, archive, change, create, delete, write};
pub(crate) use changed::Changed;
pub use check::InvalidOperation;
pub use content::PageBlocks;
pub(crate) use content::{content, shared_content};
pub(crate) use copy::{MAX_COPIED, admit_copy, copy_content};
pub use duplicate::{BlockDuplication, DuplicatedBlocks, duplicate};
pub(crate) use embed::embed_database;
pub(crate) use initial::initial;
pub(crate) use instances::{delete_instances, delete_instances_of};
pub use markdown::{MarkdownEdited, MarkdownEdits, MarkdownPage, edit_markdown, markdown, refused};
pub(crate) use memory::hold_shown;
pub(crate) use named::ExistingReferences;
pub use read::{BlockList, get, list};
pub(crate) use record::record;
pub use shown::{Appearance, Branch, ShownBlock};
pub(crate) use shown::{many as show_blocks, tree, with_sources};
pub(crate) use size::{bytes_of_pieces, count_of_pieces};
pub(crate) use sources::ChosenSources;
pub(crate) use transfer::visible_part;
pub use transfer::{LeftOut, as_written, readable};
pub use undelete::undelete;

use crate::{
    access::{RouteAccess, WorkspaceCaller},
    outcome::{AppResult, Draft},
    page_access::{self, lineage::Visible},
    scope::Unit,
};
use octavo_blocks_tree::{Block, batch::Stamp};
use octavo_core_model::{
    Level,
    id::{BlockId, PageId},
    page::Page,
};
use octavo_permissions::Authority;

/// A caller that changes blocks.
struct Writer {
    caller: WorkspaceCaller,
    authority: Authority,
}

async fn enter(unit: &mut Unit) -> AppResult<Writer> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::PAGES_CHANGE).await?;
    Ok(Writer { caller, authority })
}

impl Writer {
    /// Locks the page whose blocks are to change, for a caller that may edit it.
    async fn open<'a>(&'a self, unit: &mut Unit, page: &Draft<PageId>) -> AppResult<Option<Visible<'a>>> {
        let Some(seen) = page_access::lock(unit, self.caller.workspace, &self.authority, page).await? else {
            return Ok(None);
        };
        page_access::lineage::need(&self.authority, seen.lineage.level(), Level::Edit)?;
        Ok(Some(seen))
    }

    /// Finds the block of a call and locks its page, for a caller that may edit the page. The block is read after the
    /// page is locked.
    async fn open_block<'a>(
        &'a self,
        unit: &mut Unit,
        id: &Draft<BlockId>,
        with_deleted: bool,
    ) -> AppResult<Option<(Block, Visible<'a>)>> {
        let Ok(id) = id else { return Ok(None) };
        let location = unit.tx.blocks().list_locations(self.caller.workspace, &[*id]).await?.pop();
        let Some(location) = location else { return Ok(None) };
        let Some(seen) = self.open(unit, &Ok(location.page)).await? else { return Ok(None) };
        let block = unit.tx.blocks().find(self.caller.workspace, &[*id]).await?.pop();
        Ok(block.filter(|block| with_deleted || block.deletion.is_none()).map(|block| (block, seen)))
    }

    fn stamp(&self, unit: &Unit, page: &Page) -> Stamp {
        Stamp {
            workspace: page.workspace,
            page: page.id,
            by: self.caller.author(),
            now: unit.call.now,
            page_version: page.version + 1,
        }
    }
}

/// A page that is in the trash or locked cannot be changed.
fn require_changeable(page: &Page) -> AppResult<()> {
    page_access::require_writable(page)?;
    page_access::require_unlocked(page)
}
