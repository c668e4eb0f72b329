//! Works through items that are due, one at a time.

use crate::{
    engine::{Engine, Fut},
    outcome::AppResult,
    scope::Unit,
};
use octavo_core_model::Timestamp;

/// How many items are looked up at a time.
pub(crate) const BATCH: u32 = 100;

/// How many rows one unit removes of what can have millions of them. That takes SQLite some 30 ms.
pub(crate) const ROWS_AT_ONCE: u32 = 5_000;

type List<I> = for<'a> fn(&'a mut Unit) -> Fut<'a, Vec<I>>;
type Prepare<I> = for<'a> fn(&'a mut Unit, I) -> Fut<'a, bool>;
type Handle<I> = for<'a> fn(&'a mut Unit, I) -> Fut<'a, ()>;

/// Handles each due item in a unit of its own, so that other writers wait for at most one item, and returns the
/// number of items.
///
/// `list` returns the oldest items, at most [`BATCH`] of them; `handle` must make sure that an item it handled is not
/// listed again.
pub(crate) async fn each<I: Copy + Send + 'static>(
    engine: &Engine,
    now: Timestamp,
    list: List<I>,
    handle: Handle<I>,
) -> AppResult<u32> {
    each_prepared(engine, now, list, None, handle).await
}

/// Like [`each`], for items that can be too large for one unit. `prepare` does a part of the work and returns whether
/// what is left is small. It runs in units of its own until that is so.
pub(crate) async fn each_in_parts<I: Copy + Send + 'static>(
    engine: &Engine,
    now: Timestamp,
    list: List<I>,
    prepare: Prepare<I>,
    handle: Handle<I>,
) -> AppResult<u32> {
    each_prepared(engine, now, list, Some(prepare), handle).await
}

async fn each_prepared<I: Copy + Send + 'static>(
    engine: &Engine,
    now: Timestamp,
    list: List<I>,
    prepare: Option<Prepare<I>>,
    handle: Handle<I>,
) -> AppResult<u32> {
    let mut handled = 0;
    loop {
        let due = engine.chore(now, list).await?;
        for thing in &due {
            let thing = *thing;
            if let Some(prepare) = prepare {
                while !engine.chore(now, move |unit| prepare(unit, thing)).await? {}
            }
            engine.chore(now, move |unit| handle(unit, thing)).await?;
            handled += 1;
        }
        if due.len() < BATCH as usize {
            return Ok(handled);
        }
    }
}
