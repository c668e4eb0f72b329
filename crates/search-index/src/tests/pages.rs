//! One page of results after the other.

use super::support::{Everything, Shelf, With, everything, look, number, page};
use octavo_core_model::Timestamp;
use octavo_core_model::id::PageId;
use octavo_ports::search::{Look, Mark, Order, UnitKey};

#[test]
fn pages_of_results_show_each_hit_once_in_one_order() {
    let units = (1..=250).map(|number| {
        let unit = page(number);
        let mut unit = if number % 3 == 0 { unit.title("apple tree") } else { unit.block("an apple") };
        unit.updated_at = Timestamp::from_millis((number % 7).into());
        unit.created_at = Timestamp::from_millis((number % 5).into());
        unit
    });
    let shelf = Shelf::of(units.collect());
    let orders = [Order::Relevance, Order::NewestChange, Order::OldestChange, Order::Newest, Order::Oldest];
    for whole in orders.map(|order| Look { order, limit: 1_000, ..look("apple") }).into_iter().chain([everything()]) {
        let whole = Look { limit: 1_000, ..whole };
        let all: Vec<_> = shelf.find(&whole, &Everything).hits;
        assert_eq!(all.len(), 250);
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let hits = shelf.find(&Look { after: after.clone(), limit: 40, ..whole.clone() }, &Everything);
            assert_eq!(hits.total, 250, "the total counts all pages");
            assert_eq!(hits.has_more, seen.len() + hits.hits.len() < 250);
            seen.extend(hits.hits);
            after = seen.last().map(|hit| hit.mark.clone());
            if !hits.has_more {
                break;
            }
        }
        let keys = |hits: &[octavo_ports::search::Hit]| hits.iter().map(|hit| number(hit.key)).collect::<Vec<_>>();
        assert_eq!(keys(&seen), keys(&all), "{:?}", whole.order);
    }
}

#[test]
fn the_next_page_counts_terms_as_the_first_one_did() {
    let shelf = Shelf::of((1..=20).map(|number| page(number).block("apple")).collect());
    let first = shelf.find(&Look { limit: 5, ..look("apple") }, &Everything);
    shelf.put((21..=400).map(|number| page(number).block("pear")).collect());
    let after = first.hits.last().map(|hit| hit.mark.clone());
    let second = shelf.find(&Look { limit: 50, after, ..look("apple") }, &Everything);
    assert_eq!(second.hits.len(), 15);
    assert_eq!(second.hits[0].mark.score, first.hits[0].mark.score);
}

#[test]
fn marks_are_compared_by_class_score_time_and_key() {
    let mark = |score, millis, key| Mark {
        class: octavo_search::Class::Elsewhere,
        score,
        time: Timestamp::from_millis(millis),
        key: UnitKey::Page(PageId::from_bits(key)),
        weights: Vec::new(),
    };
    for (first, second) in
        [(mark(2, 1, 9), mark(1, 5, 1)), (mark(1, 5, 9), mark(1, 4, 1)), (mark(1, 1, 1), mark(1, 1, 2))]
    {
        assert!(first.compare(&second, Order::Relevance).is_lt());
        assert!(second.compare(&first, Order::Relevance).is_gt());
    }
}
