//! Words, phrases, exclusions, classes and scores.

use super::support::{Everything, HERE, Shelf, With, comment, database, look, numbers, page, record};
use octavo_core_model::{Timestamp, id::WorkspaceId};
use octavo_ports::search::{Look, SearchIndex, UnitChanges};
use octavo_search::{Class, Field};

#[test]
fn a_word_finds_words_that_begin_with_it_and_a_phrase_whole_ones() {
    let shelf = Shelf::of(vec![
        page(1).block("The roadmap of the year"),
        page(2).block("A road in the mountains"),
        page(3).block("Broad roads"),
    ]);
    assert_eq!(sorted(shelf.found("road")), [1, 2, 3]);
    assert_eq!(sorted(shelf.found("roadm")), [1]);
    assert_eq!(shelf.found("\"road\""), [2]);
    assert_eq!(shelf.found("\"in the mountains\""), [2]);
    assert_eq!(shelf.found("\"in mountains\""), [0_u64; 0]);
    assert_eq!(shelf.found("\"the road\""), [0_u64; 0]);
}

#[test]
fn all_terms_may_be_in_different_texts_but_a_phrase_is_in_one() {
    let shelf = Shelf::of(vec![
        page(1).title("Quarterly plan").block("red apples").block("green pears"),
        record(2, 9).title("Plan").property("red").property("apples"),
    ]);
    assert_eq!(shelf.found("plan red pears"), [1]);
    assert_eq!(shelf.found("\"apples green\""), [0_u64; 0]);
    assert_eq!(shelf.found("\"red apples\""), [1]);
    assert_eq!(sorted(shelf.found("red apples")), [1, 2]);
}

#[test]
fn a_word_of_several_tokens_is_found_in_a_row_the_last_by_prefix() {
    let shelf = Shelf::of(vec![page(1).block("foo barley"), page(2).block("foo x bar"), page(3).block("東京都庁")]);
    assert_eq!(shelf.found("foo-bar"), [1]);
    assert_eq!(shelf.found("東京"), [3]);
    assert_eq!(shelf.found("京東"), [0_u64; 0]);
}

#[test]
fn excluded_words_and_phrases_hide_units() {
    let shelf = Shelf::of(vec![
        page(1).block("apples and pears"),
        page(2).title("Pearls").block("apples"),
        page(3).block("apples").block("green pears"),
    ]);
    assert_eq!(sorted(shelf.found("apples")), [1, 2, 3]);
    assert_eq!(sorted(shelf.found("apples -pears")), [2]);
    assert_eq!(sorted(shelf.found("apples -pear")), [0_u64; 0]);
    assert_eq!(sorted(shelf.found("apples -\"green pears\"")), [1, 2]);
}

#[test]
fn the_whole_title_comes_first_then_titles_with_all_words_then_the_rest() {
    let shelf = Shelf::of(vec![
        page(1).block("The summer plan. Summer plan, summer plan!").title("Notes"),
        page(2).title("Plan for the summer"),
        page(3).title("Summer: plán"),
        page(4).title("Summer plans"),
        page(5).title("Summer").block("plan"),
    ]);
    let hits = shelf.find(&look("summer plan"), &Everything);
    let classes: Vec<_> = hits.hits.iter().map(|hit| hit.mark.class).collect();
    assert_eq!(numbers(&hits)[0], 3);
    assert_eq!(sorted(numbers(&hits)[1..3].to_vec()), [2, 4]);
    assert_eq!(numbers(&hits)[3..], [5, 1]);
    assert_eq!(classes, [Class::WholeTitle, Class::InTitle, Class::InTitle, Class::Elsewhere, Class::Elsewhere]);
}

#[test]
fn a_property_outweighs_the_text_however_often_the_word_is_there() {
    let often = "walnut ".repeat(500);
    let shelf = Shelf::of(vec![page(1).block(&often), record(2, 9).property("walnut"), comment(3, 1).reply("walnut")]);
    assert_eq!(shelf.found("walnut")[0], 2);
}

#[test]
fn a_rare_word_counts_more_than_a_common_one() {
    let mut units: Vec<_> = (10..60).map(|number| page(number).block("common")).collect();
    units.push(page(1).block("common").property("rare"));
    units.push(page(2).block("rare").property("common"));
    assert_eq!(Shelf::of(units).found("common rare"), [1, 2]);
}

#[test]
fn equal_scores_are_ordered_by_the_last_change_and_then_by_id() {
    let at = |number, millis| {
        let mut unit = page(number).block("same");
        unit.updated_at = Timestamp::from_millis(millis);
        unit
    };
    let shelf = Shelf::of(vec![at(4, 10), at(1, 10), at(2, 30), at(3, 20)]);
    assert_eq!(shelf.found("same"), [2, 3, 1, 4]);
}

#[test]
fn fields_restrict_where_words_are_found() {
    let shelf = Shelf::of(vec![
        page(1).title("kiwi"),
        page(2).block("kiwi"),
        record(3, 9).property("kiwi"),
        comment(4, 1).reply("kiwi"),
        database(5).title("melon").block("kiwi"),
    ]);
    let within = |fields: &[Field]| {
        let look = Look { fields: fields.iter().copied().collect(), ..look("kiwi") };
        sorted(numbers(&shelf.find(&look, &Everything)))
    };
    assert_eq!(within(&[Field::Title]), [1]);
    assert_eq!(within(&[Field::Text]), [2, 5]);
    assert_eq!(within(&[Field::Property, Field::Comment]), [3, 4]);
    assert_eq!(within(&Field::ALL), [1, 2, 3, 4, 5]);
}

#[test]
fn other_workspaces_share_the_index_and_nothing_else() {
    let shelf = Shelf::of(vec![page(1).title("mango")]);
    let elsewhere = WorkspaceId::from_bits(8);
    let units = vec![page(2).title("mango"), page(3).title("mangosteen")];
    let changes = UnitChanges { workspace: elsewhere, removed: Vec::new(), units, progress: None };
    shelf.index.apply(vec![changes]).unwrap();
    assert_eq!(shelf.found("mango"), [1]);
    let there = Look { workspace: elsewhere, ..look("mango") };
    assert_eq!(sorted(numbers(&shelf.find(&there, &Everything))), [2, 3]);
    assert_ne!(HERE, elsewhere);
}

#[test]
fn a_frequent_prefix_finds_every_unit_with_it() {
    let words: Vec<_> = (0..3_000).map(|number| format!("a{number:04}")).collect();
    let units = (1..=3_000).map(|number| page(number).block(&words[number as usize - 1])).collect();
    let shelf = Shelf::of(units);
    let hits = shelf.find(&look("a"), &Everything);
    assert_eq!((hits.total, hits.has_more), (1_000, true));
    assert_eq!(shelf.find(&look("a00"), &Everything).total, 100);
    assert_eq!(shelf.found("a0 a1"), [0_u64; 0]);
}

fn sorted(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort_unstable();
    numbers
}
