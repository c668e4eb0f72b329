//! Loads the data of events. The data of one event can have hundreds of kilobytes, so one answer has only so many bytes.

use super::{FoundEvents, LogSlice, ReadEvent, mark};
use crate::{outcome::AppResult, scope::View};
use octavo_core_model::{event::LoggedEvent, id::WorkspaceId};
use std::collections::BTreeMap;

/// About how many bytes of data one answer has. The event that exceeds it is the last one: otherwise nobody could read an
/// event that is larger.
const MOST_BYTES: u64 = 1 << 20;

/// Adds the data. If it is too much for one answer, the caller continues after the events that fit.
pub(super) async fn load(view: &mut View, workspace: WorkspaceId, found: FoundEvents) -> AppResult<LogSlice> {
    let FoundEvents { events, mut head, mut goes_on } = found;
    if events.is_empty() {
        return Ok(LogSlice { events: Vec::new(), head, goes_on });
    }
    let sequences: Vec<_> = events.iter().map(|event| event.sequence).collect();
    let sizes = view.tx.events().measure_data(workspace, &sequences).await?;
    let fitting: Vec<_> = fitting(&sizes).map(|(sequence, _)| *sequence).collect();
    let mut data: BTreeMap<_, _> = view.tx.events().load_data(workspace, &fitting).await?.into_iter().collect();
    if fitting.len() < sizes.len() {
        let last = events.iter().rfind(|event| Some(&event.sequence) == fitting.last());
        head = last.map(mark).or(head);
        goes_on = true;
    }
    // Events whose retention ended between the statements are left out.
    let with_data = |logged: LoggedEvent| Some(ReadEvent { data: data.remove(&logged.sequence)?, logged });
    Ok(LogSlice { events: events.into_iter().filter_map(with_data).collect(), head, goes_on })
}

/// The first of these events, up to the one whose data exceeds what fits into one answer.
fn fitting(sizes: &[(i64, u64)]) -> impl Iterator<Item = &(i64, u64)> {
    let mut before = 0_u64;
    sizes.iter().take_while(move |(_, bytes)| {
        let fits = before < MOST_BYTES;
        before = before.saturating_add(*bytes);
        fits
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_ends_with_the_event_that_exceeds_its_bytes() {
        let count = |sizes: &[u64]| fitting(&sizes.iter().map(|bytes| (1, *bytes)).collect::<Vec<_>>()).count();
        assert_eq!(count(&[10, 20, 30]), 3);
        assert_eq!(count(&[MOST_BYTES - 1, 1, 1]), 2);
        assert_eq!(count(&[MOST_BYTES - 1, 2, 1]), 2);
        assert_eq!(count(&[40 * MOST_BYTES, 1]), 1, "one that is larger than an answer");
    }
}
