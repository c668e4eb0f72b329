//! The index finds what the reference matcher of `octavo_search` says.

use super::support::{AllBut, Few, Shelf, With, comment, look, number, page, record};
use octavo_core_model::Timestamp;
use octavo_ports::search::{NodeFilter, Order, Unit};
use octavo_search::{Class, Fields, Query};
use proptest::{collection::vec, prelude::*, sample::select};
use std::collections::{BTreeMap, BTreeSet};

const WORDS: [&str; 9] = ["a", "ab", "abc", "b", "ba", "c", "Ça", "東", "東京"];

fn text() -> impl Strategy<Value = String> {
    vec(select(&WORDS[..]), 0..5).prop_map(|words| words.join(" "))
}

fn query() -> impl Strategy<Value = String> {
    let term = (select(&["", "", "-"][..]), any::<bool>(), vec(select(&WORDS[..]), 1..3));
    let term = term.prop_map(|(hyphen, is_phrase, words)| {
        if is_phrase { format!("{hyphen}\"{}\"", words.join(" ")) } else { format!("{hyphen}{}", words.join("-")) }
    });
    vec(term, 1..4).prop_map(|terms| terms.join(" "))
}

/// Units of random shapes, on one of a few pages.
fn units() -> impl Strategy<Value = Vec<Unit>> {
    let shape = (text(), vec(text(), 0..3), text(), prop::option::of((text(), 0..4_u32)), 0..3_u8, 0..3_i64);
    vec(shape, 0..14).prop_map(|shapes| (0..).zip(shapes).map(|(number, shape)| unit(number, shape)).collect())
}

type Shape = (String, Vec<String>, String, Option<(String, u32)>, u8, i64);

fn unit(number: u32, (title, blocks, property, borrowed, kind, at): Shape) -> Unit {
    let mut unit = match kind {
        0 => comment(100 + number, number % 4).reply(&property),
        1 => record(100 + number, number % 4).title(&title).property(&property),
        _ => page(100 + number).title(&title),
    };
    if kind > 0 {
        unit = blocks.iter().fold(unit, |unit, text| unit.block(text));
        if let Some((text, source)) = borrowed {
            unit = unit.borrowed_block(&text, source);
        }
    }
    unit.updated_at = Timestamp::from_millis(at);
    unit
}

/// What somebody finds, with the class of each hit.
fn expected(units: &[Unit], query: &Query, filter: &dyn NodeFilter) -> BTreeMap<u64, Class> {
    let visible = units.iter().filter(|unit| filter.shows(unit.place));
    let class = |unit: &Unit| {
        let texts = unit.texts.iter().filter(|text| text.source.is_none_or(|source| filter.shows(source)));
        let class = query.class(texts.map(|text| (text.place.field(), text.text.as_str())), Fields::ALL)?;
        Some((number(unit.key), class))
    };
    visible.filter_map(class).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_index_finds_what_the_reference_finds(
        units in units(),
        batch in 1..5_usize,
        queries in vec(query(), 12),
        hidden in vec(0..4_u32, 0..3),
        few in any::<bool>(),
    ) {
        let shelf = Shelf::new();
        for units in units.chunks(batch) {
            shelf.put(units.to_vec());
        }
        let hidden: BTreeSet<_> = hidden.into_iter().collect();
        let all = (0..4).chain(100..120);
        let filter: Box<dyn NodeFilter> = if few {
            Box::new(Few::nodes(all.filter(|node| !hidden.contains(node))))
        } else {
            Box::new(AllBut::nodes(hidden))
        };
        for text in queries {
            let Ok(query) = Query::parse(&text) else { continue };
            let expected = expected(&units, &query, &*filter);
            let hits = shelf.find(&look(&text), &*filter);
            let certain: BTreeMap<_, _> = hits.hits.iter().map(|hit| (number(hit.key), hit.mark.class)).collect();
            let doubtful: BTreeSet<_> = hits.doubtful.iter().map(|hit| number(hit.key)).collect();
            for (unit, class) in &certain {
                prop_assert_eq!(expected.get(unit), Some(class), "{}: {}", text, unit);
            }
            for unit in expected.keys() {
                prop_assert!(certain.contains_key(unit) || doubtful.contains(unit), "{}: {} is missing", text, unit);
            }
            prop_assert_eq!(hits.total, certain.len());
            prop_assert!(doubtful.iter().all(|unit| !certain.contains_key(unit)));
            let in_order = hits.hits.is_sorted_by(|one, other| one.mark.compare(&other.mark, Order::Relevance).is_lt());
            prop_assert!(in_order);
        }
    }
}
