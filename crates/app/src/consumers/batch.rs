//! The events that a consumer handles next.

use super::Consumer;
use crate::{events::ReadEvent, outcome::AppResult, scope::Unit};
use octavo_core_model::{
    consumer::Cursor,
    event::{EventType, LoggedEvent},
};
use octavo_ports::events::LogPart;
use std::collections::BTreeMap;

/// How many events are looked at at a time. Reading them costs little without their data.
const LOOKED_AT: u32 = 500;

/// How many events are handled at a time.
const HANDLED: usize = 100;

/// About how many bytes of data a batch has. It ends with the event that exceeds this.
const MAX_BYTES: u64 = 1 << 20;

/// Events of one workspace, in their order.
#[derive(Clone, Debug)]
pub struct Batch {
    pub events: Vec<ReadEvent>,
    /// Where to go on inside the first event.
    pub place: Option<String>,
    /// Events up to this one were handled before.
    pub repeated_up_to: i64,
    /// Whether the first event has failed before, so less should be done at once.
    pub is_narrow: bool,
    /// The last event of the log that was looked at.
    pub(super) end: i64,
    /// Whether that was the end of the log.
    pub(super) is_last: bool,
}

impl Batch {
    /// Whether an event was handled before, and is repeated by a replay.
    pub fn repeats(&self, event: &LoggedEvent) -> bool {
        event.sequence <= self.repeated_up_to
    }

    /// The first and the last event that a failure concerns; `None` if there is none.
    pub(super) fn ends(&self) -> Option<(i64, i64)> {
        let (first, last) = (self.events.first()?, self.events.last()?);
        Some((first.logged.sequence, last.logged.sequence))
    }

    /// Loads what follows the cursor. `None` at the end of the log.
    pub(super) async fn load(unit: &mut Unit, consumer: &dyn Consumer, cursor: &Cursor) -> AppResult<Option<Self>> {
        let workspace = cursor.workspace;
        let found = unit.tx.events().list(workspace, &LogPart::Whole, cursor.sequence, LOOKED_AT).await?;
        let mut is_last = found.len() < LOOKED_AT as usize;
        let Some(mut end) = found.last().map(|event| event.sequence) else { return Ok(None) };
        // Types that only a newer release knows are skipped.
        let is_wanted = |event: &LoggedEvent| event.kind.parse::<EventType>().is_ok_and(|kind| consumer.wants(kind));
        let mut wanted: Vec<_> = found.into_iter().filter(is_wanted).collect();
        let most = if cursor.is_careful() { 1 } else { HANDLED };
        let ids: Vec<_> = wanted.iter().take(most).map(|event| event.id).collect();
        let mut fitting = 0;
        if !ids.is_empty() {
            let mut bytes = 0;
            for (_, size) in unit.tx.events().measure_data(workspace, &ids).await? {
                fitting += 1;
                bytes += size;
                if bytes > MAX_BYTES {
                    break;
                }
            }
        }
        if let Some(left) = wanted.get(fitting) {
            end = left.sequence - 1;
            is_last = false;
            wanted.truncate(fitting);
        }
        let ids: Vec<_> = wanted.iter().map(|event| event.id).collect();
        let mut data = BTreeMap::new();
        if !ids.is_empty() {
            data.extend(unit.tx.events().load_data(workspace, &ids).await?);
        }
        // Events whose retention ended between the statements are left out.
        let events = wanted.into_iter().filter_map(|logged| Some(ReadEvent { data: data.remove(&logged.id)?, logged }));
        Ok(Some(Self {
            events: events.collect(),
            place: cursor.place.clone(),
            repeated_up_to: cursor.handled_up_to,
            is_narrow: cursor.attempts > 0,
            end,
            is_last,
        }))
    }
}
