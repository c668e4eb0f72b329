//! What a query found in the texts of its results.

use super::{filter::SearchFilter, found::FoundUnit, found::Highlight, indexing};
use crate::{call::Call, engine::Engine, outcome::AppResult};
use octavo_ports::{
    compute::WorkKind,
    search::{Look, TextPlace, Unit, UnitText},
};
use octavo_search::excerpts;
use std::{collections::BTreeMap, sync::Arc};

/// How many bytes of texts are in memory at once.
const BYTES_AT_ONCE: u64 = 2 << 20;

/// How often that many bytes are read. Results after that are shown without excerpts.
const MOST_READS: usize = 8;

/// The texts of a unit that the caller may view.
pub(super) fn visible_texts<'u>(
    unit: &'u Unit,
    filter: &'u SearchFilter,
) -> impl Iterator<Item = &'u UnitText> + use<'u> {
    unit.texts.iter().filter(|text| text.source.is_none_or(|source| filter.is_visible(source)))
}

/// Adds excerpts to units. Nothing is read without words to find.
pub(super) async fn highlight(
    engine: &Engine,
    call: &Call,
    look: &Arc<Look>,
    filter: &Arc<SearchFilter>,
    found: &mut [FoundUnit],
) -> AppResult<()> {
    if look.query.is_none() {
        return Ok(());
    }
    let workspace = look.workspace;
    let mut keys: Vec<_> = found.iter().map(|unit| unit.key).collect();
    for _ in 0..MOST_READS {
        if keys.is_empty() {
            break;
        }
        let read = engine.read(call.clone(), move |view| {
            Box::pin(async move { indexing::load(view, workspace, &keys, BYTES_AT_ONCE).await })
        });
        let loaded = read.await?;
        keys = loaded.rest;
        let (look, filter, units) = (Arc::clone(look), Arc::clone(filter), loaded.units);
        let work = move |_: &_| -> BTreeMap<_, _> {
            units.iter().map(|unit| (unit.key, highlights_of(unit, &look, &filter))).collect()
        };
        let (mut shown, _slot) =
            engine.compute(WorkKind::of_bytes(kept(loaded.bytes)), call.work_owner(), work).await?;
        for unit in found.iter_mut() {
            if let Some(highlights) = shown.remove(&unit.key) {
                unit.highlights = highlights;
            }
        }
    }
    Ok(())
}

fn kept(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

fn highlights_of(unit: &Unit, look: &Look, filter: &SearchFilter) -> Vec<Highlight> {
    let Some(query) = &look.query else { return Vec::new() };
    let visible: Vec<_> = visible_texts(unit, filter).collect();
    let texts: Vec<_> = visible.iter().map(|text| (text.place.field(), text.text.as_str())).collect();
    let highlight = |(at, excerpt): (usize, octavo_search::Excerpt)| {
        let (block, property) = match visible[at].place {
            TextPlace::Text(block) => (block, None),
            TextPlace::Property(property) => (None, Some(property)),
            TextPlace::Title | TextPlace::Comment => (None, None),
        };
        Highlight { field: texts[at].0, block, property, text: excerpt.text, ranges: excerpt.ranges }
    };
    excerpts(query, &texts, look.fields).into_iter().map(highlight).collect()
}
