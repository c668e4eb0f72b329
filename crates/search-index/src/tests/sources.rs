//! Texts that come from elsewhere count only for callers that may view their source.

use super::support::{AllBut, Everything, Few, Shelf, With, everything, look, number, numbers, page, record};
use octavo_ports::search::{Hits, NodeKey, Place};

fn doubtful(hits: &Hits) -> Vec<u64> {
    hits.doubtful.iter().map(|hit| number(hit.key)).collect()
}

fn linked(page: u64, database: u64) -> Place {
    Place { page: NodeKey(page), database: Some(NodeKey(database)) }
}

#[test]
fn a_borrowed_text_is_found_if_its_source_is_shown_and_in_doubt_otherwise() {
    let shelf = Shelf::of(vec![
        page(1).block("own words").borrowed_block("shared words", 50),
        record(2, 9).title("Task").linked("Secret project", linked(60, 61)),
    ]);
    assert_eq!(shelf.found("shared"), [1]);
    assert_eq!(shelf.found("secret task"), [2]);
    let hidden = AllBut::nodes([50, 60]);
    let hits = shelf.find(&look("shared"), &hidden);
    assert_eq!((numbers(&hits), doubtful(&hits), hits.total), (vec![], vec![1], 0));
    let hits = shelf.find(&look("secret task"), &hidden);
    assert_eq!((numbers(&hits), doubtful(&hits)), (vec![], vec![2]));
    assert_eq!(doubtful(&shelf.find(&look("secret"), &AllBut::nodes([61]))), [2], "the database of a source counts");
}

#[test]
fn own_words_are_certain_even_if_a_source_is_hidden() {
    let shelf = Shelf::of(vec![page(1).block("apples").borrowed_block("apples too", 50), page(2).block("apples")]);
    let all = shelf.find(&look("apples"), &Everything);
    let hits = shelf.find(&look("apples"), &AllBut::nodes([50]));
    assert_eq!((hits.total, doubtful(&hits)), (2, vec![]));
    let score = |hits: &Hits, unit| hits.hits.iter().find(|hit| number(hit.key) == unit).map(|hit| hit.mark.score);
    assert!(score(&all, 1) > score(&all, 2), "both texts count");
    assert_eq!(score(&hits, 1), score(&hits, 2), "a hidden text does not change the score");
}

#[test]
fn an_excluded_word_in_a_hidden_text_excludes_nothing_for_certain() {
    let shelf = Shelf::of(vec![page(1).block("apples").borrowed_block("pears", 50)]);
    assert_eq!(shelf.found("apples -pears"), [0_u64; 0]);
    let hits = shelf.find(&look("apples -pears"), &AllBut::nodes([50]));
    assert_eq!((numbers(&hits), doubtful(&hits)), (vec![], vec![1]));
    let own = Shelf::of(vec![page(1).block("apples").block("pears").borrowed_block("pears", 50)]);
    let hits = own.find(&look("apples -pears"), &AllBut::nodes([50]));
    assert_eq!((numbers(&hits), doubtful(&hits)), (vec![], vec![]));
}

#[test]
fn a_unit_on_a_hidden_page_is_not_even_in_doubt() {
    let shelf = Shelf::of(vec![page(1).borrowed_block("shared", 50)]);
    let hits = shelf.find(&look("shared"), &AllBut::nodes([1, 50]));
    assert_eq!((numbers(&hits), doubtful(&hits)), (vec![], vec![]));
    let hits = shelf.find(&look("shared"), &Few::nodes([1]));
    assert_eq!(doubtful(&hits), [1]);
    assert_eq!(numbers(&shelf.find(&everything(), &Few::nodes([1]))), [1], "without words there is no doubt");
}

#[test]
fn hits_in_doubt_are_bounded_and_those_of_the_page_come_first() {
    let units = (1..=400).map(|number| page(number).borrowed_block("shared", 1_000));
    let shelf = Shelf::of(units.chain([page(900).block("shared")]).collect());
    let hidden = AllBut::nodes([1_000]);
    let hits = shelf.find(&look("shared"), &hidden);
    assert_eq!((hits.doubtful.len(), hits.doubtful_cut, hits.total), (300, true, 1));
    let mut after = look("shared");
    after.after = Some(hits.doubtful[249].mark.clone());
    let hits = shelf.find(&after, &hidden);
    assert_eq!(hits.doubtful.len(), 300);
    assert_eq!(number(hits.doubtful[0].key), 251);
    assert_eq!(number(hits.doubtful[149].key), 400);
    assert_eq!(number(hits.doubtful[150].key), 1, "earlier ones count for the total");
    assert!(hits.doubtful_cut);
}
