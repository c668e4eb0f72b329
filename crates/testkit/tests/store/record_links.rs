//! Links between records.

use crate::support::{owner, read, write};
use octavo_core_model::{
    Timestamp,
    id::{PropertyId, RecordId},
    record::RecordLink,
    workspace::Workspace,
};
use octavo_ports::{
    record_links::{LinkSide, LinkingRecord},
    store::Store,
};
use octavo_testkit::{Database, make};

fn property() -> PropertyId {
    make::property_id(1)
}

fn forward() -> LinkSide {
    LinkSide { property: property(), is_reverse: false }
}

fn reverse() -> LinkSide {
    LinkSide { property: property(), is_reverse: true }
}

fn link(source: u64, target: u64, source_order: i64, target_order: i64) -> RecordLink {
    RecordLink { source_order, target_order, ..make::record_link(source, target) }
}

fn ids<const N: usize>(numbers: [u64; N]) -> [RecordId; N] {
    numbers.map(make::record_id)
}

async fn put(store: &dyn Store, workspace: &Workspace, property: PropertyId, links: &[RecordLink]) -> u64 {
    write!(store, unit => unit.record_links().insert(workspace.id, property, links).await)
}

async fn list(store: &dyn Store, workspace: &Workspace, side: LinkSide, records: &[RecordId]) -> Vec<RecordLink> {
    read!(store, view => view.record_links().list(workspace.id, side, records).await)
}

/// All links of a record on a side, read with this limit at a time.
async fn in_pages(
    store: &dyn Store,
    workspace: &Workspace,
    side: LinkSide,
    record: RecordId,
    limit: u32,
) -> Vec<RecordLink> {
    let mut all = Vec::<RecordLink>::new();
    loop {
        let after = all.last().map(|last| {
            if side.is_reverse { (last.target_order, last.source) } else { (last.source_order, last.target) }
        });
        let more = read!(store, view => view.record_links().list_page(workspace.id, side, record, after, limit).await);
        if more.is_empty() {
            return all;
        }
        all.extend(more);
    }
}

pub(crate) async fn links_are_read_from_both_sides_in_their_orders(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    // In the order of the sources; those with equal orders by the target.
    let all = [link(1, 13, -5, 0), link(1, 11, 2, 3), link(1, 12, 2, 0), link(2, 11, 0, -1), link(3, 11, 1, 3)];
    let mut shuffled = all;
    shuffled.reverse();
    assert_eq!(put(&*store, &workspace, property(), &shuffled).await, 5);
    assert_eq!(put(&*store, &workspace, make::property_id(2), &[link(1, 14, 0, 0)]).await, 1);
    assert_eq!(put(&*store, &elsewhere, property(), &[link(1, 11, 8, 8)]).await, 1);

    assert_eq!(list(&*store, &workspace, forward(), &ids([1, 2])).await, all[..4]);
    assert_eq!(list(&*store, &workspace, forward(), &ids([11])).await, []);
    assert_eq!(list(&*store, &workspace, forward(), &[]).await, []);
    assert_eq!(list(&*store, &workspace, reverse(), &ids([12, 11])).await, [all[3], all[1], all[4], all[2]]);
    assert_eq!(list(&*store, &elsewhere, reverse(), &ids([11, 12])).await, [link(1, 11, 8, 8)]);
    for limit in [1, 2, 100] {
        assert_eq!(in_pages(&*store, &workspace, forward(), make::record_id(1), limit).await, all[..3], "{limit}");
        let reversed = [all[3], all[1], all[4]];
        assert_eq!(in_pages(&*store, &workspace, reverse(), make::record_id(11), limit).await, reversed, "{limit}");
    }
    assert_eq!(in_pages(&*store, &elsewhere, forward(), make::record_id(2), 1).await, []);
    let all = ids([1, 2, 3, 11]);
    let first = read!(store, view => view.record_links().list_first(workspace.id, forward(), &all, 2).await);
    assert_eq!(first, [link(1, 13, -5, 0), link(1, 11, 2, 3), link(2, 11, 0, -1), link(3, 11, 1, 3)]);
    let first = read!(store, view => view.record_links().list_first(workspace.id, reverse(), &all, 2).await);
    assert_eq!(first, [link(2, 11, 0, -1), link(1, 11, 2, 3)]);
    let between = async |side, first, last| {
        let records = (make::record_id(first), make::record_id(last));
        read!(store, view => view.record_links().list_between(workspace.id, side, records).await)
    };
    assert_eq!(between(forward(), 1, 2).await, list(&*store, &workspace, forward(), &ids([1, 2])).await);
    assert_eq!(between(reverse(), 12, 13).await, list(&*store, &workspace, reverse(), &ids([12, 13])).await);
    assert_eq!(between(forward(), 4, 9).await, []);
}

pub(crate) async fn a_link_exists_once(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let first = link(1, 11, 1, 1);
    assert_eq!(put(&*store, &workspace, property(), &[first, link(1, 12, 2, 2)]).await, 2);
    assert_eq!(put(&*store, &workspace, property(), &[link(1, 11, 9, 9), link(1, 13, 3, 3)]).await, 1);
    assert_eq!(list(&*store, &workspace, forward(), &ids([1])).await[0], first, "it keeps its places");
    assert_eq!(put(&*store, &workspace, property(), &[]).await, 0);
    let many: Vec<_> = (0..2_100).map(|number| link(2, 100 + number, 0, 0)).collect();
    assert_eq!(put(&*store, &workspace, property(), &many).await, 2_100);
    assert_eq!(put(&*store, &workspace, property(), &many).await, 0);
    let count = read!(store, view => view.record_links().count(workspace.id, property()).await);
    assert_eq!(count, 2_103);
}

pub(crate) async fn links_are_counted_on_each_side(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let links = [link(1, 11, 0, 0), link(1, 12, 0, 0), link(2, 12, 0, 0), link(3, 12, 0, 0), link(3, 13, 0, 0)];
    put(&*store, &workspace, property(), &links).await;
    put(&*store, &workspace, make::property_id(2), &[link(2, 13, 0, 0), link(2, 11, 0, 0)]).await;
    put(&*store, &elsewhere, property(), &[link(2, 11, 0, 0), link(2, 12, 0, 0)]).await;
    let count = async |workspace: &Workspace, property| read!(store, view => view.record_links().count(workspace.id, property).await);
    assert_eq!(count(&workspace, property()).await, 5);
    assert_eq!(count(&workspace, make::property_id(3)).await, 0);
    assert_eq!(count(&elsewhere, property()).await, 2);
    let count_of = async |side, records: &[RecordId]| {
        let mut counts = read!(store, view => view.record_links().count_of(workspace.id, side, records).await);
        counts.sort_unstable();
        counts
    };
    let counted = |counts: [(u64, u64); 2]| counts.map(|(number, count)| (make::record_id(number), count));
    assert_eq!(count_of(forward(), &ids([1, 2, 11])).await, counted([(1, 2), (2, 1)]));
    assert_eq!(count_of(reverse(), &ids([12, 13, 1])).await, counted([(12, 3), (13, 1)]));
    let linked = async |side| read!(store, view => view.record_links().count_linked(workspace.id, side).await);
    assert_eq!((linked(forward()).await, linked(reverse()).await), (3, 3));
    let twice = async |workspace: &Workspace, side, limit| read!(store, view => view.record_links().list_linked_twice(workspace.id, side, limit).await);
    assert_eq!(twice(&workspace, forward(), 10).await, ids([1, 3]));
    assert_eq!(twice(&workspace, forward(), 1).await, ids([1]));
    assert_eq!(twice(&workspace, reverse(), 10).await, ids([12]));
    assert_eq!(twice(&elsewhere, reverse(), 10).await, []);
}

pub(crate) async fn what_links_to_a_record_is_listed_newest_property_first(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let mut all = Vec::new();
    for number in (1..=3).rev() {
        for source in [5, 4, 2] {
            all.push((make::property_id(number), link(source, 11, 0, 0)));
        }
    }
    for (property, link) in all.iter().rev() {
        put(&*store, &workspace, *property, &[*link]).await;
    }
    put(&*store, &workspace, property(), &[link(11, 2, 0, 0), link(2, 12, 0, 0)]).await;
    put(&*store, &elsewhere, property(), &[link(9, 11, 0, 0)]).await;
    for limit in [1, 2, 4, 100] {
        let mut found = Vec::<(PropertyId, RecordLink)>::new();
        loop {
            let after = found.last().map(|(property, link)| (*property, link.source));
            let target = make::record_id(11);
            let more = read!(store, view => view.record_links().list_linking(workspace.id, target, after, limit).await);
            if more.is_empty() {
                break;
            }
            found.extend(more);
        }
        assert_eq!(found, all, "{limit} at a time");
    }
}

pub(crate) async fn records_that_show_a_link_are_listed_newest_first(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let at = |millis: i64| millis * RecordLink::PLACES_IN_A_MILLISECOND;
    let (both, one) = (make::property_id(1), make::property_id(2));
    // The place on the side of the record counts. Two properties can link the same record.
    put(&*store, &workspace, both, &[link(2, 11, at(90), at(3)), link(3, 11, 0, at(5) + 7), link(11, 4, at(4), 0)])
        .await;
    put(&*store, &workspace, one, &[link(2, 11, 0, at(7)), link(5, 11, 0, at(5)), link(11, 6, at(9), 0)]).await;
    put(&*store, &elsewhere, both, &[link(7, 11, 0, at(9))]).await;
    let linking = |(number, millis): (u64, i64)| LinkingRecord {
        record: make::record_id(number),
        linked_at: Timestamp::from_millis(millis),
    };
    let expected: [(&[PropertyId], Vec<_>); 3] = [
        (&[both], vec![(2, 7), (5, 5), (3, 5), (4, 4)]),
        (&[], vec![(2, 7), (5, 5), (3, 5)]),
        (&[both, one], vec![(6, 9), (2, 7), (5, 5), (3, 5), (4, 4)]),
    ];
    for (visible_on_both, expected) in expected {
        let expected: Vec<_> = expected.into_iter().map(linking).collect();
        for limit in [1, 2, 100] {
            let mut found = Vec::<LinkingRecord>::new();
            loop {
                let (after, record) = (found.last().copied(), make::record_id(11));
                let more = read!(store, view => view.record_links()
                    .list_linking_records(workspace.id, record, visible_on_both, after, limit).await);
                if more.is_empty() {
                    break;
                }
                found.extend(more);
            }
            assert_eq!(found, expected, "{limit} at a time");
        }
    }
}

pub(crate) async fn links_are_removed_one_by_one_by_record_and_by_property(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let links = [link(1, 11, 0, 0), link(1, 12, 0, 0), link(2, 11, 0, 0), link(2, 12, 0, 0), link(11, 1, 0, 0)];
    for (workspace, property) in [(&workspace, 1), (&workspace, 2), (&elsewhere, 1)] {
        put(&*store, workspace, make::property_id(property), &links).await;
    }
    let count = async |workspace: &Workspace, property| read!(store, view => view.record_links().count(workspace.id, make::property_id(property)).await);
    let targets = ids([12, 13]);
    let removed =
        write!(store, unit => unit.record_links().remove(workspace.id, property(), make::record_id(1), &targets).await);
    assert_eq!(removed, 1);
    assert_eq!(list(&*store, &workspace, forward(), &ids([1, 2])).await, [links[0], links[2], links[3]]);
    assert_eq!((count(&workspace, 1).await, count(&workspace, 2).await), (4, 5));

    // From and to these, through any property.
    write!(store, unit => unit.record_links().remove_of_records(workspace.id, &ids([1])).await);
    assert_eq!((count(&workspace, 1).await, count(&workspace, 2).await), (2, 2));
    assert_eq!(list(&*store, &workspace, reverse(), &ids([11, 12])).await, links[2..4]);

    let some = async |limit| write!(store, unit => unit.record_links().remove_of_property(workspace.id, property(), limit).await);
    assert_eq!((some(1).await, some(5).await, some(5).await), (1, 1, 0));
    assert_eq!((count(&workspace, 1).await, count(&workspace, 2).await, count(&elsewhere, 1).await), (0, 2, 5));
}
