//! Databases and their properties.

use crate::support::{owner, read, write};
use octavo_core_model::{
    database::{Database as Typed, SchemaState},
    id::{DatabaseId, PropertyId, RecordId},
    page::Node,
    record::Record,
    text::{DatabaseDescription, PropertyName},
    workspace::Workspace,
};
use octavo_databases::{
    Property, PropertyConfig, PropertyValue,
    types::{Cardinality, NoConfig, NumberConfig, RelationConfig, Side},
};
use octavo_ports::store::{Record as Report, Store};
use octavo_testkit::{
    Database,
    make::{self, NOW},
};
use std::{sync::Arc, time::Duration};

/// Writes the database with this number.
pub(crate) async fn typed(store: &dyn Store, number: u64, workspace: &Workspace) -> Typed {
    let database = make::database(number, workspace.id);
    write!(store, unit => unit.databases().insert(&database).await);
    database
}

async fn found(store: &dyn Store, database: &Typed) -> Typed {
    read!(store, view => view.databases().find(database.workspace, database.id).await).unwrap()
}

async fn properties(store: &dyn Store, workspace: &Workspace, databases: &[DatabaseId]) -> Vec<Property> {
    let mut found = read!(store, view => view.databases().list_properties(workspace.id, databases).await);
    found.sort_by_key(|property| property.id);
    found
}

fn relation(target: DatabaseId) -> PropertyConfig {
    let cardinality = Cardinality::ManyToMany;
    PropertyConfig::Relation(RelationConfig { target, cardinality, side: Side::Source, reverse: None })
}

pub(crate) async fn a_database_reads_back_and_changes(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let new = typed(&*store, 1, &workspace).await;
    assert_eq!(found(&*store, &new).await, new);
    assert_eq!(read!(store, view => view.databases().find(elsewhere.id, new.id).await), None);
    let same_id = typed(&*store, 1, &elsewhere).await;

    let later = NOW.plus(Duration::from_mins(1));
    let changed = Typed {
        description: Some(DatabaseDescription::parse("What is to be done").unwrap()),
        schema: SchemaState { version: 7, changed_at: later, next_slot: 9, epoch: 3 },
        archived_at: Some(later),
        updated_at: later,
        ..new.clone()
    };
    let sent = Typed { created_by: None, created_at: later, ..changed.clone() };
    write!(store, unit => unit.databases().save(&sent).await);
    assert_eq!(found(&*store, &new).await, changed, "its creation stays");
    assert_eq!(found(&*store, &same_id).await, same_id);
    let locked = write!(store, unit => unit.databases().lock(workspace.id, new.id).await);
    assert_eq!(locked.as_ref(), Some(&changed));
    assert_eq!(write!(store, unit => unit.databases().lock_shared(workspace.id, new.id).await), locked);
    for nothing in [make::database_id(2), make::database_id(3)] {
        assert_eq!(write!(store, unit => unit.databases().lock(workspace.id, nothing).await), None);
        assert_eq!(write!(store, unit => unit.databases().lock_shared(workspace.id, nothing).await), None);
    }
    write!(store, unit => unit.databases().save(&new).await);
    assert_eq!(found(&*store, &new).await, new, "what is optional can be taken away again");
}

pub(crate) async fn databases_are_listed_and_counted_by_workspace(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    for (number, workspace) in [(1, &workspace), (2, &workspace), (3, &workspace), (4, &elsewhere)] {
        typed(&*store, number, workspace).await;
        let root = Node::Workspace(workspace.id);
        let node = make::database_node(number, workspace.id, root, root);
        assert!(write!(store, unit => unit.pages().insert(&node).await));
    }
    let archived = Typed { archived_at: Some(NOW), ..make::database(2, workspace.id) };
    write!(store, unit => unit.databases().save(&archived).await);
    let ids = [4, 3, 2].map(make::database_id);
    let mut listed = read!(store, view => view.databases().list_by_id(workspace.id, &ids).await);
    listed.sort_by_key(|database| database.id);
    assert_eq!(listed, [archived, make::database(3, workspace.id)]);
    assert_eq!(read!(store, view => view.databases().list_by_id(workspace.id, &[]).await), []);
    assert_eq!(read!(store, view => view.databases().count(workspace.id).await), 3);
    assert_eq!(read!(store, view => view.databases().count(elsewhere.id).await), 1);
}

pub(crate) async fn properties_read_back_and_change(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let (tasks, people) = (typed(&*store, 1, &workspace).await, typed(&*store, 2, &workspace).await);
    let other = typed(&*store, 1, &elsewhere).await;
    let all = [
        make::property(1, tasks.id, PropertyConfig::Title(NoConfig)),
        Property {
            default: Some(PropertyValue::Checkbox(true)),
            is_visible: false,
            required: true,
            ..make::property(2, tasks.id, PropertyConfig::Checkbox(NoConfig))
        },
        make::property(3, tasks.id, relation(people.id)),
        make::property(4, people.id, PropertyConfig::Title(NoConfig)),
    ];
    write!(store, unit => unit.databases().insert_properties(workspace.id, &all).await);
    let same_ids = [make::property(1, other.id, PropertyConfig::Title(NoConfig))];
    write!(store, unit => unit.databases().insert_properties(elsewhere.id, &same_ids).await);
    assert_eq!(properties(&*store, &workspace, &[tasks.id, people.id]).await, all);
    assert_eq!(properties(&*store, &workspace, &[people.id]).await, all[3..]);
    assert_eq!(properties(&*store, &workspace, &[]).await, []);

    let changed = Property {
        name: PropertyName::parse("Priority").unwrap(),
        position: all[3].position.clone(),
        is_visible: true,
        required: false,
        config: PropertyConfig::Number(NumberConfig::default()),
        default: None,
        ..all[1].clone()
    };
    let sent = Property { slot: 99, created_at: NOW.plus(Duration::from_secs(1)), ..changed.clone() };
    write!(store, unit => unit.databases().save_property(workspace.id, &sent).await);
    assert_eq!(properties(&*store, &workspace, &[tasks.id]).await[1], changed, "slot and creation stay");
    assert_eq!(properties(&*store, &elsewhere, &[other.id]).await, same_ids);

    write!(store, unit => unit.databases().remove_property(workspace.id, tasks.id, all[0].id).await);
    // A property of another database.
    write!(store, unit => unit.databases().remove_property(workspace.id, tasks.id, all[3].id).await);
    let left: Vec<PropertyId> =
        properties(&*store, &workspace, &[tasks.id, people.id]).await.iter().map(|p| p.id).collect();
    assert_eq!(left, [2, 3, 4].map(make::property_id));
    assert_eq!(properties(&*store, &elsewhere, &[other.id]).await, same_ids);
}

pub(crate) async fn databases_with_relations_are_found_by_their_target(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    for number in 1..=3 {
        typed(&*store, number, &workspace).await;
    }
    let (target, other) = (make::database_id(3), typed(&*store, 1, &elsewhere).await);
    let all = [
        make::property(1, make::database_id(1), relation(target)),
        make::property(2, make::database_id(1), relation(target)),
        make::property(3, make::database_id(2), relation(other.id)),
        make::property(4, target, relation(target)),
    ];
    write!(store, unit => unit.databases().insert_properties(workspace.id, &all).await);
    let related = async |workspace, id| {
        let mut found = read!(store, view => view.databases().list_related(workspace, id).await);
        found.sort_unstable();
        found
    };
    assert_eq!(related(workspace.id, target).await, [make::database_id(1), target]);
    assert_eq!(related(elsewhere.id, target).await, []);
    let plain = Property { config: PropertyConfig::Text(NoConfig), ..all[3].clone() };
    write!(store, unit => unit.databases().save_property(workspace.id, &plain).await);
    assert_eq!(related(workspace.id, target).await, [make::database_id(1)], "it is no relation any more");
}

pub(crate) async fn records_are_counted_over_all_parts(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let (many, none) = (typed(&*store, 1, &workspace).await, typed(&*store, 2, &workspace).await);
    let same_id = typed(&*store, 1, &elsewhere).await;
    let ids: Vec<_> = (0..32).map(|last| RecordId::new(NOW.millis(), [0, 0, 0, 0, 0, 0, 0, 0, 0, last])).collect();
    let writers = ids.iter().map(|id| {
        let (store, id, database) = (Arc::clone(&store), *id, many.clone());
        tokio::spawn(async move {
            write!(store, unit => unit.databases().change_record_count(database.workspace, database.id, id, 3).await);
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    let rows = database.number("SELECT count(*) FROM record_counts").await;
    assert!(rows > 1, "units that create records usually change different rows");
    write!(store, unit => unit.databases().change_record_count(workspace.id, many.id, ids[0], -2).await);
    write!(store, unit => unit.databases().change_record_count(elsewhere.id, same_id.id, ids[0], 1).await);
    let counts = async |workspace| {
        let counts = read!(store, view => view.databases().count_records(workspace, &[many.id, none.id]).await);
        counts.into_iter().filter(|(_, count)| *count > 0).collect::<Vec<_>>()
    };
    assert_eq!(counts(workspace.id).await, [(many.id, 3 * 32 - 2)]);
    assert_eq!(counts(elsewhere.id).await, [(many.id, 1)]);
}

pub(crate) async fn numbers_of_records_have_no_gaps(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let numbered = typed(&*store, 1, &workspace).await;
    let other = typed(&*store, 2, &workspace).await;
    let takers = (1..=20_u32).map(|taker| {
        let (store, database) = (Arc::clone(&store), numbered.clone());
        tokio::spawn(async move {
            let count = taker % 4 + 1;
            let mut unit = store.writer().await.unwrap();
            let first = unit.databases().take_numbers(database.workspace, database.id, count).await.unwrap();
            if taker % 3 == 0 {
                unit.abandon().await.unwrap();
                return Vec::new();
            }
            unit.commit(Report::default()).await.unwrap();
            (first..first + i64::from(count)).collect()
        })
    });
    let mut taken = Vec::new();
    for taker in takers.collect::<Vec<_>>() {
        taken.extend(taker.await.unwrap());
    }
    taken.sort_unstable();
    assert!(taken.len() > 20);
    assert_eq!(taken, (1..=i64::try_from(taken.len()).unwrap()).collect::<Vec<_>>());
    assert_eq!(write!(store, unit => unit.databases().take_numbers(workspace.id, other.id, 5).await), 1);
    assert_eq!(write!(store, unit => unit.databases().take_numbers(workspace.id, other.id, 1).await), 6);
}

pub(crate) async fn records_without_numbers_get_them_in_the_order_of_their_creation(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let typed = typed(&*store, 1, &workspace).await;
    let records = (1..=4).map(|number| make::record(number, &typed)).collect::<Vec<_>>();
    write!(store, unit => unit.databases().take_numbers(workspace.id, typed.id, 7).await);
    let numbered = Record { number: Some(3), ..records[1].clone() };
    let inserted = vec![records[2].clone(), numbered, records[0].clone(), records[3].clone()];
    write!(store, unit => unit.records().insert_many(inserted.clone()).await);
    write!(store, unit => unit.databases().number_records(workspace.id, typed.id).await);
    let ids: Vec<_> = records.iter().map(|record| record.id).collect();
    let mut found = read!(store, view => view.records().list_by_id(workspace.id, &ids).await);
    found.sort_by_key(|record| record.id);
    let numbers: Vec<_> = found.iter().map(|record| record.number).collect();
    assert_eq!(numbers, [Some(8), Some(3), Some(9), Some(10)]);
    assert_eq!(write!(store, unit => unit.databases().take_numbers(workspace.id, typed.id, 1).await), 11);
}
