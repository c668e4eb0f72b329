//! Records of databases.

use crate::{
    support::{owner, read, write},
    typed_databases::typed,
};
use octavo_core_model::{
    database::Database as Typed,
    id::RecordId,
    position::Position,
    record::{Record, RecordPage, RecordPlace},
    text::{PageIcon, WebAddress},
};
use octavo_ports::{
    compute::WorkOwner,
    records::RecordFilter,
    store::{Record as Report, Store},
};
use octavo_testkit::{
    Database,
    make::{self, NOW},
};
use std::{sync::Arc, time::Duration};

async fn put(store: &dyn Store, records: &[Record]) {
    write!(store, unit => unit.records().insert_many(records.to_vec()).await);
}

async fn found(store: &dyn Store, record: &Record) -> Record {
    read!(store, view => view.records().find(record.workspace, record.id).await).unwrap()
}

fn at(position: &str, record: Record) -> Record {
    Record { position: Position::from_stored(position.to_owned()), ..record }
}

/// The numbers of the records, read with this limit at a time.
async fn listed(store: &dyn Store, database: &Typed, filter: &RecordFilter, limit: u32) -> Vec<RecordId> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let more = read!(store, view => {
            view.records().list(database.workspace, database.id, filter, after.as_ref(), limit).await
        });
        let Some(last) = more.last() else { return all };
        after = Some(RecordPlace { position: last.position.clone(), id: last.id });
        all.extend(more.iter().map(|record| record.id));
    }
}

pub(crate) async fn a_record_reads_back_and_changes(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let (tasks, other) = (typed(&*store, 1, &workspace).await, typed(&*store, 1, &elsewhere).await);
    let later = NOW.plus(Duration::from_mins(1));
    let new = Record { number: Some(12), page: RecordPage::WithEntries, ..make::record(1, &tasks) };
    put(&*store, &[new.clone(), make::record(2, &tasks)]).await;
    assert_eq!(found(&*store, &new).await, new);
    assert_eq!(read!(store, view => view.records().find(elsewhere.id, new.id).await), None);
    let same_id = make::record(1, &other);
    put(&*store, std::slice::from_ref(&same_id)).await;

    let changed = Record {
        parent: Some(make::record_id(2)),
        position: Position::from_stored("b1".to_owned()),
        bag: r#"{"1":"x"}"#.to_owned(),
        icon: Some(PageIcon::parse("🌱").unwrap()),
        cover_url: Some(WebAddress::from_stored("https://example.com/cover.png".to_owned())),
        archived_at: Some(later),
        version: 2,
        updated_by: None,
        updated_at: later,
        ..new.clone()
    };
    let sent = Record {
        database: make::database_id(9),
        number: Some(99),
        page: RecordPage::Implied,
        created_by: None,
        created_at: later,
        ..changed.clone()
    };
    write!(store, unit => unit.records().save_many(vec![sent]).await);
    assert_eq!(found(&*store, &new).await, changed, "database, number, page and creation stay");
    assert_eq!(found(&*store, &same_id).await, same_id);
    assert_eq!(write!(store, unit => unit.records().lock(workspace.id, new.id).await), Some(changed));
    assert_eq!(write!(store, unit => unit.records().lock(workspace.id, make::record_id(3)).await), None);
    write!(store, unit => unit.records().save_many(vec![new.clone()]).await);
    assert_eq!(found(&*store, &new).await, new, "what is optional can be taken away again");
}

pub(crate) async fn many_records_are_written_at_once(database: &Database) {
    const MANY: u64 = 2_100;
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let tasks = typed(&*store, 1, &workspace).await;
    let mut all: Vec<_> = (1..=MANY).map(|number| make::record(number, &tasks)).collect();
    put(&*store, &all).await;
    for record in &mut all {
        record.bag = format!(r#"{{"1":"{}"}}"#, record.position.as_str());
        record.version = 2;
    }
    write!(store, unit => unit.records().save_many(all.clone()).await);
    let ids: Vec<_> = all.iter().rev().map(|record| record.id).collect();
    let locked = write!(store, unit => unit.records().lock_many(workspace.id, &ids).await);
    assert_eq!(locked, all, "in the order of their ids");
    let mut read = read!(store, view => view.records().list_by_id(workspace.id, &ids).await);
    read.sort_by_key(|record| record.id);
    assert_eq!(read, all);
    let (mut bags, mut after) = (Vec::new(), None);
    loop {
        let more = read!(store, view => view.records().list_bags(workspace.id, tasks.id, after, 1_000).await);
        let Some((last, _)) = more.last() else { break };
        after = Some(*last);
        bags.extend(more);
    }
    let (mut by_age, mut after) = (Vec::new(), None);
    loop {
        let more = read!(store, view => view.records().list_by_age(workspace.id, tasks.id, after, 1_000).await);
        let Some(last) = more.last() else { break };
        after = Some(last.id);
        by_age.extend(more);
    }
    assert_eq!(by_age, all);
    assert_eq!(bags, all.into_iter().map(|record| (record.id, record.bag)).collect::<Vec<_>>());
    write!(store, unit => unit.records().insert_many(Vec::new()).await);
    write!(store, unit => unit.records().save_many(Vec::new()).await);
}

pub(crate) async fn records_come_in_their_order_page_by_page(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let (tasks, people) = (typed(&*store, 1, &workspace).await, typed(&*store, 2, &workspace).await);
    let same_id = typed(&*store, 1, &elsewhere).await;
    assert_eq!(read!(store, view => view.records().find_last_position(workspace.id, tasks.id).await), None);
    let part = |record| Record { parent: Some(make::record_id(1)), ..record };
    let archived = |record| Record { archived_at: Some(NOW), ..record };
    let page = |page, record| Record { page, ..record };
    put(
        &*store,
        &[
            at("a1", make::record(1, &tasks)),
            at("B", archived(make::record(2, &tasks))),
            at("a1", part(make::record(3, &tasks))),
            at("a", page(RecordPage::WithEntries, make::record(4, &tasks))),
            at("a1", page(RecordPage::Stored, make::record(5, &tasks))),
            at("z", part(page(RecordPage::WithEntries, make::record(6, &tasks)))),
            at("a2", archived(part(make::record(7, &tasks)))),
            at("a1", make::record(8, &people)),
        ],
    )
    .await;
    put(&*store, &[at("zz", make::record(9, &same_id))]).await;
    let all = || RecordFilter { with_archived: true, ..RecordFilter::default() };
    let parts = || RecordFilter { parent: Some(make::record_id(1)), ..RecordFilter::default() };
    let within = |numbers: &[u64], filter| {
        let ids = numbers.iter().copied().map(make::record_id).collect();
        RecordFilter { within: Some(ids), ..filter }
    };
    let cases: [(_, &[u64]); 8] = [
        (RecordFilter::default(), &[4, 1, 3, 5, 6]),
        (all(), &[2, 4, 1, 3, 5, 7, 6]),
        (parts(), &[3, 6]),
        (RecordFilter { with_archived: true, ..parts() }, &[3, 7, 6]),
        (within(&[], RecordFilter::default()), &[1, 3, 5]),
        (within(&[4], RecordFilter::default()), &[4, 1, 3, 5]),
        (within(&[6, 9], all()), &[2, 1, 3, 5, 7, 6]),
        (within(&[4], parts()), &[3]),
    ];
    for (filter, expected) in cases {
        let expected: Vec<_> = expected.iter().copied().map(make::record_id).collect();
        for limit in [1, 2, 3, 100] {
            assert_eq!(listed(&*store, &tasks, &filter, limit).await, expected, "{filter:?}, {limit} at a time");
        }
    }
    assert_eq!(listed(&*store, &people, &all(), 2).await, [make::record_id(8)]);
    let last = read!(store, view => view.records().find_last_position(workspace.id, tasks.id).await);
    assert_eq!(last, Some(Position::from_stored("z".to_owned())));
}

pub(crate) async fn records_whose_pages_have_entries_are_found(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let (tasks, people) = (typed(&*store, 1, &workspace).await, typed(&*store, 2, &workspace).await);
    let same_id = typed(&*store, 1, &elsewhere).await;
    let with_entries = |record| Record { page: RecordPage::WithEntries, ..record };
    put(
        &*store,
        &[make::record(1, &tasks), with_entries(make::record(2, &tasks)), with_entries(make::record(3, &people))],
    )
    .await;
    put(&*store, &[make::record(1, &same_id)]).await;
    let found_in = async || {
        let mut ids = read!(store, view => view.records().list_with_entries(workspace.id, tasks.id).await);
        ids.sort_unstable();
        ids
    };
    assert_eq!(found_in().await, [make::record_id(2)]);
    let note = async |number, state| {
        write!(store, unit => unit.records().note_page(workspace.id, make::record_id(number).page(), state).await);
    };
    note(1, RecordPage::WithEntries).await;
    note(2, RecordPage::Stored).await;
    note(9, RecordPage::Stored).await; // a page of no record
    assert_eq!(found_in().await, [make::record_id(1)]);
    let expected = Record { page: RecordPage::Stored, ..make::record(2, &tasks) };
    assert_eq!(found(&*store, &expected).await, expected);
    note(1, RecordPage::Implied).await;
    assert_eq!(found(&*store, &make::record(1, &tasks)).await, make::record(1, &tasks));
    assert_eq!(found(&*store, &make::record(1, &same_id)).await, make::record(1, &same_id));
    assert_eq!(found_in().await, []);
}

pub(crate) async fn records_are_parts_of_records(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let (tasks, same_id) = (typed(&*store, 1, &workspace).await, typed(&*store, 1, &elsewhere).await);
    let part =
        |number, of: u64, database| Record { parent: Some(make::record_id(of)), ..make::record(number, database) };
    // 1 > 2 > 3 > 4, 1 > 5, and 6 by itself. Elsewhere, the same ids are the other way round.
    let archived = Record { archived_at: Some(NOW), ..part(5, 1, &tasks) };
    put(&*store, &[make::record(1, &tasks), part(2, 1, &tasks), part(3, 2, &tasks), part(4, 3, &tasks), archived])
        .await;
    put(&*store, &[make::record(6, &tasks)]).await;
    put(&*store, &[make::record(4, &same_id), part(1, 4, &same_id)]).await;
    let above =
        async |number| read!(store, view => view.records().list_above(workspace.id, make::record_id(number)).await);
    let below =
        async |number| read!(store, view => view.records().measure_below(workspace.id, make::record_id(number)).await);
    assert_eq!(above(4).await, [3, 2, 1].map(make::record_id));
    assert_eq!(above(5).await, [make::record_id(1)]);
    for nothing in [1, 6, 7] {
        assert_eq!(above(nothing).await, [], "{nothing}");
    }
    for (number, levels) in [(1, 3), (2, 2), (3, 1), (4, 0), (6, 0), (7, 0)] {
        assert_eq!(below(number).await, levels, "{number}");
    }
    let ids: Vec<_> = (1..=7).map(make::record_id).collect();
    let mut counts = read!(store, view => view.records().count_parts(workspace.id, &ids).await);
    counts.sort_unstable();
    assert_eq!(counts, [(1, 2), (2, 1), (3, 1)].map(|(number, parts)| (make::record_id(number), parts)));

    let gone = [1, 3, 9].map(make::record_id);
    write!(store, unit => unit.records().remove_many(workspace.id, &gone).await);
    let mut left = read!(store, view => view.records().list_by_id(workspace.id, &ids).await);
    left.sort_by_key(|record| record.id);
    let parents: Vec<_> = left.iter().map(|record| (record.id, record.parent)).collect();
    assert_eq!(
        parents,
        [2, 4, 5, 6].map(|number| (make::record_id(number), None)),
        "parts stay, without their parents"
    );
    let elsewhere = read!(store, view => view.records().list_above(elsewhere.id, make::record_id(1)).await);
    assert_eq!(elsewhere, [make::record_id(4)]);
}

pub(crate) async fn walks_through_parts_end(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let tasks = typed(&*store, 1, &workspace).await;
    let part = |number, of: u64| Record { parent: Some(make::record_id(of)), ..make::record(number, &tasks) };
    put(&*store, &[part(1, 2), part(2, 1)]).await;
    let above = read!(store, view => view.records().list_above(workspace.id, make::record_id(1)).await);
    assert!(above.len() < 100, "{}", above.len());
    let below = read!(store, view => view.records().measure_below(workspace.id, make::record_id(1)).await);
    assert!((10..100).contains(&below), "too deep for anything: {below}");
}

pub(crate) async fn no_change_of_a_record_is_lost(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let tasks = typed(&*store, 1, &workspace).await;
    let record = make::record(1, &tasks);
    put(&*store, std::slice::from_ref(&record)).await;
    let writers = (0..20).map(|number| {
        let (store, record) = (Arc::clone(&store), record.clone());
        tokio::spawn(async move {
            let mut unit = store.writer().await.unwrap();
            unit.databases().lock_shared(record.workspace, record.database).await.unwrap();
            let mut locked = if number % 2 == 0 {
                unit.records().lock(record.workspace, record.id).await.unwrap().unwrap()
            } else {
                unit.records().lock_many(record.workspace, &[record.id]).await.unwrap().remove(0)
            };
            locked.touch(make::user_id(1), NOW);
            unit.records().save_many(vec![locked]).await.unwrap();
            unit.commit(Report::default()).await.unwrap();
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    assert_eq!(found(&*store, &record).await.version, 21);
}

pub(crate) async fn a_snapshot_sees_nothing_that_is_committed_after_it_began(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let tasks = typed(&*store, 1, &workspace).await;
    let record = make::record(1, &tasks);
    put(&*store, std::slice::from_ref(&record)).await;
    for round in 0..3 {
        let before = found(&*store, &record).await;
        let mut snapshot = store.snapshot_for(WorkOwner::Workspace(workspace.id)).await.unwrap();
        let changed = Record { version: before.version + 1, ..before.clone() };
        write!(&*store, unit => unit.records().save_many(vec![changed.clone()]).await);
        assert_eq!(snapshot.records().find(workspace.id, record.id).await.unwrap(), Some(before), "round {round}");
        assert_eq!(found(&*store, &record).await, changed);
        assert_eq!(snapshot.records().list_by_age(workspace.id, tasks.id, None, 9).await.unwrap().len(), 1);
        // The connection goes back without its transaction.
        drop(snapshot);
    }
}
