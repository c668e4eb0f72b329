//! Works through items that are due, one at a time.

use crate::{
    engine::{Engine, Fut},
    outcome::AppResult,
    scope::Unit,
};
use octavo_core_model::Timestamp;

/// How many items are looked up at a time.
pub(crate) const BATCH: u32 = 100;

/// Handles each due item in a unit of its own, so that other writers wait for at most one item, and returns the
/// number of items.
///
/// `list` returns the oldest items, at most [`BATCH`] of them; `handle` must make sure that an item it handled is not
/// listed again.
pub(crate) async fn each<I: Copy + Send + 'static>(
    engine: &Engine,
    now: Timestamp,
    list: for<'a> fn(&'a mut Unit) -> Fut<'a, Vec<I>>,
    handle: for<'a> fn(&'a mut Unit, I) -> Fut<'a, ()>,
) -> AppResult<u32> {
    let mut handled = 0;
    loop {
        let due = engine.chore(now, list).await?;
        for thing in &due {
            let thing = *thing;
            engine.chore(now, move |unit| handle(unit, thing)).await?;
            handled += 1;
        }
        if due.len() < BATCH as usize {
            return Ok(handled);
        }
    }
}
