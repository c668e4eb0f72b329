//! Pages: creating, reading, changing, moving and deleting them.

mod backlinks;
mod carry;
mod change;
mod create;
mod duplicate;
mod export;
mod favorites;
mod from_document;
mod into_database;
mod list;
pub mod permissions;
mod place;
mod presence;
mod relocate;
mod shown;
mod subtree;
pub mod trash;
mod tree;
pub mod versions;

pub use crate::page_access::NodeId;
pub use crate::page_events::parent_of;
pub use backlinks::{Backlink, BacklinkList, BacklinkMark, BacklinkSource, InvalidBacklinkMark, backlinks};
pub use carry::Relocation;
pub(crate) use change::change_fields;
pub use change::{PageUpdate, update};
pub use create::{NewPage, PageOrigin, create};
pub(crate) use create::{blank, put as put_node, refuse_files};
pub use duplicate::{Copied, CopyTarget, Duplication, duplicate};
pub(crate) use duplicate::{copy_shared, enter_target_or_refuse};
pub use export::{Exported, export};
pub use favorites::{FavoritePage, FavoritePlace, favorite, favorites, unfavorite};
pub use from_document::{Document, ReadDocument, create_from_document};
pub use list::{Opened, PageList, PublicFilter, Recent, get, list, recent};
pub use place::{Anchor, Place};
pub(crate) use place::{Destination, find_destination};
pub use presence::{SentPresence, presence};
pub use relocate::{MoveTarget, relocate};
pub use shown::{Ancestor, PageDetails};
pub use tree::{Branch, TreeRequest, TreeRoot, tree};

use crate::{
    engine::Engine,
    outcome::AppResult,
    page_access::{
        enter, lineage, listing, lock, look_up, require_current, require_no_record, require_unlocked, require_writable,
        visibility,
    },
    page_events::{emit, place_of, resource},
    page_history::keep_version,
};
use octavo_core_model::{Timestamp, page::Visit};

/// Stores visits of pages. If a visitor is removed from the workspace meanwhile, the visits of others are stored all the
/// same.
pub async fn note_visits(engine: &Engine, now: Timestamp, visits: Vec<Visit>) -> AppResult<()> {
    if visits.is_empty() {
        return Ok(());
    }
    engine
        .chore_repeatably(now, move |unit| {
            let visits = visits.clone();
            Box::pin(async move { Ok(unit.tx.pages().save_visits(&visits).await?) })
        })
        .await
}
