//! The size of the subtree that a unit is about to change.

use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::page::Page;
use octavo_ports::pages::SubtreeSize;

/// Measures the subtree of a page. If it is so large that the unit may take long, the unit ends here and runs again in
/// a turn with other long ones. The first run counts only until it knows that: measuring a large tree takes long, too.
pub(super) async fn measure(unit: &mut Unit, page: &Page) -> AppResult<SubtreeSize> {
    let enough = unit.enough_to_wait_for_a_turn();
    let size = unit.tx.pages().measure_subtree(page, enough).await?;
    unit.expect_pages(size.pages)?;
    Ok(size)
}
