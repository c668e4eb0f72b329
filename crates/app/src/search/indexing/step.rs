//! One step of following the log of a workspace.

use super::{
    follow::{Followed, follow},
    obstacle::Obstacle,
    part::do_part,
    rest::{self, Rest},
    round::Round,
};
use crate::{call::Call, engine::Engine, outcome::AppResult};
use octavo_core_model::{Timestamp, id::WorkspaceId};
use octavo_ports::{
    events::{LogEnds, LogPart},
    search::{Progress, Removal, SearchIndex, UnitChanges},
};

/// How many events are handled at once.
const EVENTS: u32 = 200;

/// The workspaces after the given one, in the order of their ids, each with the number of the last event of its log.
pub async fn list_ends(
    engine: &Engine,
    after: Option<WorkspaceId>,
    limit: u32,
    now: Timestamp,
) -> AppResult<Vec<(WorkspaceId, i64)>> {
    let list = engine.read(Call::system(now), move |view| {
        Box::pin(async move { Ok(view.tx.events().list_log_ends(after, limit).await?) })
    });
    list.await
}

/// Adds the next changes of a workspace to a round, and returns whether there will be more. Nothing is done for a
/// workspace that is in the round already.
pub async fn prepare(
    engine: &Engine,
    index: &dyn SearchIndex,
    round: &mut Round,
    workspace: WorkspaceId,
    now: Timestamp,
) -> Result<bool, Obstacle> {
    if round.has(workspace) {
        return Ok(true);
    }
    let ends = engine.read(Call::system(now), move |view| {
        Box::pin(async move { Ok(view.tx.events().find_log_ends(workspace).await?) })
    });
    let ends = ends.await?;
    let Some(progress) = index.progress(workspace)?.filter(|progress| follows_without_gap(progress, &ends)) else {
        round.add(begin(workspace, ends.last_sequence), 0);
        return Ok(true);
    };
    let (up_to, followed) = read_on(engine, index, workspace, progress.up_to, now).await?;
    let is_at_end = up_to >= ends.last_sequence;
    let mut rests = rest::read(&progress.rest);
    let Followed { mut units, mut removed, rests: added, mut bytes, elsewhere, .. } = followed;
    rest::add(&mut rests, added);
    // A part of the rest after each few events, so that neither waits for the other.
    if let Some(first) = rests.first().copied() {
        let part = do_part(engine, index, workspace, first, now).await?;
        rests.remove(0);
        rests.splice(0..0, part.next);
        rest::add(&mut rests, part.added);
        // What an event says is newer.
        let known: std::collections::BTreeSet<_> = units.iter().map(|unit| unit.key).collect();
        units.extend(part.units.into_iter().filter(|unit| !known.contains(&unit.key)));
        removed.extend(part.removed.into_iter().map(Removal::Unit));
        bytes += part.bytes;
    }
    let is_complete = progress.is_complete || rests.is_empty();
    let has_more = !is_at_end || !rests.is_empty();
    let reached = Progress { up_to, is_complete, rest: rest::write(&rests) };
    if units.is_empty() && removed.is_empty() && reached == progress {
        return Ok(has_more);
    }
    round.add(UnitChanges { workspace, removed, units, progress: Some(reached) }, bytes);
    for (other, rest) in elsewhere {
        round.add_rest(index, other, rest)?;
    }
    Ok(has_more)
}

/// Whether the log still has all events that come next. A log whose end is before them belongs to a store that was
/// restored from a copy.
fn follows_without_gap(progress: &Progress, ends: &LogEnds) -> bool {
    let next = progress.up_to + 1;
    ends.last_sequence + 1 == next
        || (ends.last_sequence >= next && ends.oldest.as_ref().is_some_and(|oldest| oldest.sequence <= next))
}

/// Begins to index a workspace. What its log says from here on is followed meanwhile.
fn begin(workspace: WorkspaceId, up_to: i64) -> UnitChanges {
    let progress = Progress { up_to, is_complete: false, rest: rest::write(&Rest::EVERYTHING) };
    UnitChanges { workspace, removed: vec![Removal::Workspace], units: Vec::new(), progress: Some(progress) }
}

/// Reads events and what they changed: fewer events if that is much. Returns how far that is.
async fn read_on(
    engine: &Engine,
    index: &dyn SearchIndex,
    workspace: WorkspaceId,
    after: i64,
    now: Timestamp,
) -> Result<(i64, Followed), Obstacle> {
    let mut most = EVENTS;
    loop {
        let events = engine.read(Call::system(now), move |view| {
            Box::pin(async move { Ok(view.tx.events().list(workspace, &LogPart::Whole, after, most).await?) })
        });
        let events = events.await?;
        let Some(last) = events.last() else { return Ok((after, Followed::default())) };
        let up_to = last.sequence;
        let followed = follow(engine, index, workspace, &events, now).await?;
        if !followed.is_cut {
            return Ok((up_to, followed));
        }
        most = (u32::try_from(events.len()).unwrap_or(most) / 4).max(1);
    }
}
