//! One step of a consumer in one workspace.

use super::{Consumer, Handled, batch::Batch, failure};
use crate::{call::Call, engine::Engine, outcome::AppResult, scope::Unit};
use octavo_core_model::{Timestamp, consumer::ConsumerName, id::WorkspaceId};

/// What a step did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advance {
    /// Everything is handled.
    AtEnd,
    /// It handled something, and there is more.
    Moved,
    /// It failed, and an event was set aside or will be tried again.
    Failed(String),
    /// Another node is at work, or an event waits for its next attempt.
    NotNow,
}

/// Workspaces, after the given one, with events that a consumer has not handled.
pub async fn list_behind(
    engine: &Engine,
    consumer: ConsumerName,
    after: Option<WorkspaceId>,
    limit: u32,
    now: Timestamp,
) -> AppResult<Vec<WorkspaceId>> {
    let call = Call::system(now);
    let list = engine.read(call, move |view| {
        Box::pin(async move { Ok(view.tx.consumers().list_behind(consumer, after, now, limit).await?) })
    });
    list.await
}

/// Workspaces with an event at which a consumer failed and which it may try again now.
pub async fn list_failed(
    engine: &Engine,
    consumer: ConsumerName,
    limit: u32,
    now: Timestamp,
) -> AppResult<Vec<WorkspaceId>> {
    let call = Call::system(now);
    let list = engine.read(call, move |view| {
        Box::pin(async move { Ok(view.tx.consumers().list_failed(consumer, now, limit).await?) })
    });
    list.await
}

/// Lets a consumer handle the next events of a workspace, in one unit.
pub async fn advance(
    engine: &Engine,
    consumer: &'static dyn Consumer,
    workspace: WorkspaceId,
    now: Timestamp,
) -> AppResult<Advance> {
    let step = engine.chore_repeatably(now, move |unit| Box::pin(step(unit, consumer, workspace)));
    match step.await {
        Err(interrupt) if !failure::is_transient(&interrupt) => {
            let (failure, error) = (failure::failure_of(&interrupt), failure::describe(&interrupt));
            failure::note_failure(engine, consumer, workspace, (failure, error.clone()), now).await?;
            Ok(Advance::Failed(error))
        }
        done => done,
    }
}

async fn step(unit: &mut Unit, consumer: &'static dyn Consumer, workspace: WorkspaceId) -> AppResult<Advance> {
    let Some(mut cursor) = unit.tx.consumers().lock(workspace, consumer.name()).await? else {
        return Ok(Advance::NotNow);
    };
    if cursor.waits(unit.call.now) {
        return Ok(Advance::NotNow);
    }
    // Read before the events: what is numbered meanwhile comes with the next step.
    let head = unit.tx.events().find_log_ends(workspace).await?.last_sequence;
    let Some(batch) = Batch::load(unit, consumer, &cursor).await? else {
        // Nothing is left of what the cursor has not passed.
        if cursor.sequence < head {
            cursor.advance(head, None);
            unit.tx.consumers().save(&cursor).await?;
        }
        return Ok(Advance::AtEnd);
    };
    let handled = if batch.events.is_empty() { Handled::Everything } else { consumer.handle(unit, &batch).await? };
    let is_at_end = batch.is_last && handled == Handled::Everything;
    match handled {
        Handled::Everything => cursor.advance(batch.end, None),
        Handled::Until { events, place } => {
            let next = batch.events.get(events).map_or(batch.end + 1, |event| event.logged.sequence);
            cursor.advance(next - 1, place);
        }
    }
    unit.tx.consumers().save(&cursor).await?;
    Ok(if is_at_end { Advance::AtEnd } else { Advance::Moved })
}
