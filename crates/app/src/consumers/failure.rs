//! What happens when events could not be handled.

use super::{Batch, Consumer};
use crate::{
    engine::Engine,
    outcome::{AppResult, Interrupt},
};
use octavo_core_model::{
    Fault, StoreError, Timestamp,
    consumer::{AfterFailure, Failure, SetAside},
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

/// Why a step failed.
pub(super) const fn failure_of(interrupt: &Interrupt) -> Failure {
    match interrupt {
        Interrupt::Fault(Fault::Store(StoreError::Timeout)) => Failure::Timeout,
        _ => Failure::Error,
    }
}

pub(super) fn describe(interrupt: &Interrupt) -> String {
    let mut error = format!("{interrupt:?}");
    error.truncate(error.floor_char_boundary(MAX_ERROR));
    error
}

/// Notes a failure: a batch is handled again one by one, a single event is tried again later, and after the last attempt
/// it is set aside, so that later ones go on. One that takes too long is tried for some minutes.
pub async fn note_failure(
    engine: &Engine,
    consumer: &'static dyn Consumer,
    workspace: WorkspaceId,
    (failure, error): (Failure, String),
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
                if let AfterFailure::SetAside { attempts } = cursor.fail(first, last, failure, now) {
                    let consumer = consumer.name();
                    let event = SetAside { workspace, consumer, sequence: first, error, attempts, at: now };
                    unit.tx.consumers().set_aside(&event).await?;
                }
                Ok(unit.tx.consumers().save(&cursor).await?)
            })
        })
        .await
}
