//! The page of a record follows the record: both have the same title, icon and cover.

use crate::{outcome::AppResult, page_access::require_unlocked, pages::change_fields, scope::Unit};
use octavo_core_model::{
    id::UserId,
    page::{Page, PageChange},
    record::{Record, RecordPage},
};

/// Locks the page of a record if it has a row. Before the record itself, as calls that change the page do.
pub(super) async fn lock(unit: &mut Unit, record: &Record) -> AppResult<Option<Page>> {
    match record.page {
        RecordPage::Implied => Ok(None),
        RecordPage::Stored | RecordPage::WithEntries => {
            Ok(unit.tx.pages().lock(record.workspace, record.id.page()).await?)
        }
    }
}

/// Changes the page of a record along with it. A page that somebody has locked against changes refuses them. `locked` is its
/// row, if it had one before this unit locked the record.
pub(super) async fn change(
    unit: &mut Unit,
    record: &Record,
    locked: Option<Page>,
    change: PageChange,
    by: UserId,
) -> AppResult<()> {
    if change == PageChange::default() {
        return Ok(());
    }
    let page = match locked {
        Some(page) => Some(page),
        None => lock(unit, record).await?,
    };
    if let Some(mut page) = page {
        if page.is_kept_by_lock(&change) {
            require_unlocked(&page)?;
        }
        change_fields(unit, &mut page, change, by).await?;
    }
    Ok(())
}
