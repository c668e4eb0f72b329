//! What happens when events could not be handled.

use super::{Batch, Consumer};
use crate::{
    engine::Engine,
    outcome::{AppResult, Interrupt},
};
use octavo_core_model::{
    Fault, StoreError, Timestamp,
    consumer::{AfterFailure, SetAside},
    id::WorkspaceId,
};

/// The longest description of an error that is kept.
const MAX_ERROR: usize = 500;

/// Whether the same events may succeed a moment later, without counting as an attempt.
pub(super) const fn is_transient(interrupt: &Interrupt) -> bool {
    matches!(
        interrupt,
        Interrupt::Fault(Fault::Store(StoreError::Unavailable | StoreError::Busy | StoreError::Collision))
    )
}

pub(super) fn describe(interrupt: &Interrupt) -> String {
    let mut error = format!("{interrupt:?}");
    error.truncate(error.floor_char_boundary(MAX_ERROR));
    error
}

/// Notes a failure: a batch is handled again one by one, a single event is tried again later, and after the last attempt
/// it is set aside, so that later ones go on.
pub async fn note_failure(
    engine: &Engine,
    consumer: &'static dyn Consumer,
    workspace: WorkspaceId,
    error: String,
    now: Timestamp,
) -> AppResult<()> {
    engine
        .chore_repeatably(now, move |unit| {
            let error = error.clone();
            Box::pin(async move {
                let locked = unit.tx.consumers().lock(workspace, consumer.name()).await?;
                let Some(mut cursor) = locked.filter(|cursor| !cursor.waits(now)) else { return Ok(()) };
                let Some(batch) = Batch::load(unit, consumer, &cursor).await? else { return Ok(()) };
                let Some((first, last)) = batch.ends() else { return Ok(()) };
                if let AfterFailure::SetAside { attempts } = cursor.fail(first, last, now) {
                    let consumer = consumer.name();
                    let event = SetAside { workspace, consumer, sequence: first, error, attempts, at: now };
                    unit.tx.consumers().set_aside(&event).await?;
                }
                Ok(unit.tx.consumers().save(&cursor).await?)
            })
        })
        .await
}
