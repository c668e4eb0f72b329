//! The consumer of the event log that tells users.

use super::{
    audience::Audience,
    deliver::deliver,
    occasion::{self, Followers},
};
use crate::{
    consumers::{Batch, Consumer, Handled},
    engine::Fut,
    outcome::AppResult,
    scope::Unit,
};
use octavo_core_model::{consumer::ConsumerName, event::EventType, id::UserId, notification::READ_KEPT_FOR};
use std::time::Duration;

/// Tells users what concerns them.
pub static NOTIFICATIONS: &dyn Consumer = &Notifications;

/// How many people one unit considers.
const AT_ONCE: usize = 1_000;

/// The same for an event that has failed before, perhaps because it took too long.
const AT_ONCE_AFTER_FAILURE: usize = 100;

struct Notifications;

impl Consumer for Notifications {
    fn name(&self) -> ConsumerName {
        ConsumerName::Notifications
    }

    fn wants(&self, kind: EventType) -> bool {
        occasion::matters(kind)
    }

    fn handle<'a>(&'a self, unit: &'a mut Unit, batch: &'a Batch) -> Fut<'a, Handled> {
        Box::pin(handle(unit, batch))
    }
}

async fn handle(unit: &mut Unit, batch: &Batch) -> AppResult<Handled> {
    let mut room = if batch.is_narrow { AT_ONCE_AFTER_FAILURE } else { AT_ONCE };
    let mut followers = Followers::default();
    // The place inside the first event is the last user that was considered.
    let mut after = batch.place.as_deref().and_then(|place| place.parse::<UserId>().ok());
    for (events, event) in batch.events.iter().enumerate() {
        if room == 0 {
            return Ok(Handled::Until { events, place: None });
        }
        let place = after.take();
        let is_repeated = batch.repeats(&event.logged);
        // What was read and removed since must not come back.
        let is_old = event.logged.occurred_at <= unit.call.now.minus(READ_KEPT_FOR);
        let occasion = if is_repeated && is_old { None } else { occasion::read(unit, event, &mut followers).await? };
        let Some(occasion) = occasion else { continue };
        let workspace = event.logged.workspace;
        let audience = Audience::of(unit, workspace, &occasion).await?;
        let portion = audience.portion(unit, place, room).await?;
        room = room.saturating_sub(portion.considered);
        // A millisecond apart, so that notifications have the order of their events.
        let at = unit.call.now.plus(Duration::from_millis(events as u64));
        deliver(unit, workspace, &occasion, portion.told, at, is_repeated).await?;
        if let Some(last) = portion.goes_on_after {
            return Ok(Handled::Until { events, place: Some(last.to_string()) });
        }
    }
    Ok(Handled::Everything)
}
