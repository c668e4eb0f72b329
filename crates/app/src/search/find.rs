//! Searching.

use super::{
    SearchRequest,
    doubtful::confirm,
    filter::SearchFilter,
    follow::{Followed, load},
    found::{SearchPage, Total, load_units},
    highlights::highlight,
    place::SearchPlace,
    request::{Prepared, prepare},
};
use crate::{
    call::Call,
    engine::Engine,
    outcome::{AppResult, Draft},
};
use octavo_core_model::{
    Fault,
    cancellation::Cancellation,
    fault::ComputeFault,
    id::{EventId, WorkspaceId},
};
use octavo_ports::{
    compute::WorkKind,
    search::{Hits, IndexFailure, MAX_TOTAL},
};
use std::{sync::Arc, time::Duration};

/// Changes that are older than this are found by a search; it waits for the index if it must. With what the search takes
/// besides, that is less than a second.
const FRESH: Duration = Duration::from_millis(700);

/// How long a search waits for the index.
const WAIT: Duration = Duration::from_secs(5);

/// Finds what the caller may view.
pub async fn search(engine: &Engine, call: Call, wanted: Draft<SearchRequest>) -> AppResult<SearchPage> {
    let prepared = engine.read(call.clone(), move |view| Box::pin(prepare(view, wanted))).await?;
    let Prepared { look, part, seen, pages, visibility, followed } = prepared;
    if look.kinds.is_empty() {
        return Ok(SearchPage::default());
    }
    let workspace = look.workspace;
    let followed = match followed {
        Some(followed) => followed,
        None => load(engine, &call, workspace).await?,
    };
    await_index(engine, &call, workspace, &followed).await?;
    let (index, look) = (Arc::clone(engine.search_index()), Arc::new(look));
    let asked = Arc::clone(&look);
    let work = move |stop: &Cancellation| {
        let filter = SearchFilter::new(followed.apply(), seen, part, pages.as_deref());
        let hits = index.find(&asked, &filter, stop);
        (Arc::new(filter), hits)
    };
    let ((filter, hits), _slot) = engine.compute(WorkKind::Short, call.work_owner(), work).await?;
    engine.page_maps().put(workspace, filter.map());
    let hits = hits.map_err(of_failure)?;
    let confirmed = confirm(engine, &call, &look, &filter, &hits).await?;
    let Hits { hits: mut found, total, mut has_more, .. } = hits;
    found.extend(confirmed.behind);
    found.sort_by(|one, other| one.mark.compare(&other.mark, look.order));
    has_more |= found.len() > look.limit;
    found.truncate(look.limit);
    let total = total + confirmed.count;
    let total = Total { value: total.min(MAX_TOTAL), is_exact: total < MAX_TOTAL && confirmed.are_all };
    let next = found.last().filter(|_| has_more).map(|last| SearchPlace(last.mark.clone()));
    let loaded = Arc::clone(&filter);
    let units = engine.read(call.clone(), move |view| {
        Box::pin(async move { load_units(view, workspace, &visibility, &loaded, &found).await })
    });
    let mut units = units.await?;
    highlight(engine, &call, &look, &filter, &mut units).await?;
    Ok(SearchPage { units, total, next })
}

/// Waits until the index has what a search has to find.
async fn await_index(engine: &Engine, call: &Call, workspace: WorkspaceId, followed: &Followed) -> AppResult<()> {
    let last = followed.last_sequence();
    let has = |needed: i64| -> AppResult<bool> {
        let progress = engine.search_index().progress(workspace).map_err(of_failure)?;
        Ok(progress.is_some_and(|progress| progress.is_complete && progress.up_to >= needed))
    };
    if has(last)? {
        return Ok(());
    }
    let long_ago = call.now.millis().saturating_sub(i64::try_from(FRESH.as_millis()).unwrap_or_default());
    let first_new = EventId::new(long_ago.max(0), [0; 10]);
    let read = engine.read(call.clone(), move |view| {
        Box::pin(async move { Ok(view.tx.events().find_sequence_from(workspace, first_new).await?) })
    });
    let needed = read.await?.map_or(last, |first| first - 1).min(last);
    if has(needed)? {
        return Ok(());
    }
    engine.search_index().reach(workspace, needed, WAIT).await;
    if has(needed)? { Ok(()) } else { Err(Fault::IndexBehind.into()) }
}

fn of_failure(failure: IndexFailure) -> Fault {
    match failure {
        IndexFailure::Cancelled => ComputeFault::Timeout.into(),
        IndexFailure::Unavailable => Fault::IndexBehind,
    }
}
