//! Loads the data of events. One event can have hundreds of kilobytes of data, so the data of an answer is limited.

use super::{FoundEvents, LogSlice, ReadEvent, mark};
use crate::{outcome::AppResult, scope::View};
use octavo_core_model::{
    event::LoggedEvent,
    id::{EventId, WorkspaceId},
};
use std::collections::BTreeMap;

/// About how many bytes of data one answer has. It ends with the event that exceeds this; otherwise nobody could read
/// an event that is larger.
const MAX_DATA_BYTES: u64 = 1 << 20;

/// Adds the data. If it is too much for one answer, the caller continues after the events that fit.
pub(super) async fn load(view: &mut View, workspace: WorkspaceId, found: FoundEvents) -> AppResult<LogSlice> {
    let FoundEvents { events, mut head, mut goes_on } = found;
    if events.is_empty() {
        return Ok(LogSlice { events: Vec::new(), head, goes_on });
    }
    let ids: Vec<_> = events.iter().map(|event| event.id).collect();
    let measured: BTreeMap<_, _> = view.tx.events().measure_data(workspace, &ids).await?.into_iter().collect();
    let sizes: Vec<_> = ids.iter().filter_map(|id| Some((*id, *measured.get(id)?))).collect();
    let fitting: Vec<_> = fitting(&sizes).collect();
    let mut data: BTreeMap<_, _> = view.tx.events().load_data(workspace, &fitting).await?.into_iter().collect();
    if fitting.len() < sizes.len() {
        let last = events.iter().rfind(|event| Some(&event.id) == fitting.last());
        head = last.map(mark).or(head);
        goes_on = true;
    }
    // Events whose retention ended between the statements are left out.
    let with_data = |logged: LoggedEvent| Some(ReadEvent { data: data.remove(&logged.id)?, logged });
    Ok(LogSlice { events: events.into_iter().filter_map(with_data).collect(), head, goes_on })
}

/// The first of these events, up to the one whose data exceeds what fits into one answer.
fn fitting(sizes: &[(EventId, u64)]) -> impl Iterator<Item = EventId> {
    let mut before = 0_u64;
    let fitting = sizes.iter().take_while(move |(_, bytes)| {
        let fits = before < MAX_DATA_BYTES;
        before = before.saturating_add(*bytes);
        fits
    });
    fitting.map(|(id, _)| *id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_ends_with_the_event_that_exceeds_its_bytes() {
        let sizes = |bytes: &[u64]| bytes.iter().map(|bytes| (EventId::new(1, [1; 10]), *bytes)).collect::<Vec<_>>();
        let count = |bytes: &[u64]| fitting(&sizes(bytes)).count();
        assert_eq!(count(&[10, 20, 30]), 3);
        assert_eq!(count(&[MAX_DATA_BYTES - 1, 1, 1]), 2);
        assert_eq!(count(&[MAX_DATA_BYTES - 1, 2, 1]), 2);
        assert_eq!(count(&[40 * MAX_DATA_BYTES, 1]), 1, "one that is larger than an answer");
    }
}
