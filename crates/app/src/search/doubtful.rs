//! Units that fit a query only by texts that come from elsewhere, of which the caller may not view all.

use super::{filter::SearchFilter, highlights::visible_texts, indexing};
use crate::{call::Call, engine::Engine, outcome::AppResult};
use octavo_ports::{
    compute::WorkKind,
    search::{Hit, Hits, Look, Unit, UnitKey},
};
use std::{collections::BTreeMap, sync::Arc};

/// How many bytes of texts are looked at. If the units in doubt have more, the total is not exact.
const MAX_BYTES: u64 = 4 << 20;

/// The units in doubt that the caller finds.
#[derive(Debug, Default)]
pub(super) struct Confirmed {
    /// Those behind the mark of the search.
    pub(super) behind: Vec<Hit>,
    /// How many there are on all pages of results.
    pub(super) count: usize,
    /// Whether all that were in doubt were looked at.
    pub(super) are_all: bool,
}

/// Looks at the texts of units in doubt. Nothing is read if there are none.
pub(super) async fn confirm(
    engine: &Engine,
    call: &Call,
    look: &Arc<Look>,
    filter: &Arc<SearchFilter>,
    hits: &Hits,
) -> AppResult<Confirmed> {
    if hits.doubtful.is_empty() {
        return Ok(Confirmed { are_all: !hits.doubtful_cut, ..Confirmed::default() });
    }
    let (workspace, doubtful) = (look.workspace, hits.doubtful.clone());
    let keys: Vec<_> = doubtful.iter().map(|hit| hit.key).collect();
    let read = engine.read(call.clone(), move |view| {
        Box::pin(async move { indexing::load(view, workspace, &keys, MAX_BYTES).await })
    });
    let loaded = read.await?;
    let are_all = loaded.rest.is_empty() && !hits.doubtful_cut;
    let (look, filter) = (Arc::clone(look), Arc::clone(filter));
    let work = move |_: &_| matching(&look, &filter, doubtful, loaded.units);
    let ((behind, count), _slot) = engine.compute(WorkKind::Short, call.work_owner(), work).await?;
    Ok(Confirmed { behind, count, are_all })
}

fn matching(look: &Look, filter: &SearchFilter, doubtful: Vec<Hit>, units: Vec<Unit>) -> (Vec<Hit>, usize) {
    let Some(query) = &look.query else { return (Vec::new(), 0) };
    let units: BTreeMap<UnitKey, Unit> = units.into_iter().map(|unit| (unit.key, unit)).collect();
    let (mut behind, mut count) = (Vec::new(), 0);
    for mut hit in doubtful {
        let Some(unit) = units.get(&hit.key) else { continue };
        let texts = visible_texts(unit, filter).map(|text| (text.place.field(), text.text.as_str()));
        let Some(class) = query.class(texts, look.fields) else { continue };
        hit.mark.class = class;
        count += 1;
        if look.after.as_ref().is_none_or(|after| after.compare(&hit.mark, look.order).is_lt()) {
            behind.push(hit);
        }
    }
    (behind, count)
}
