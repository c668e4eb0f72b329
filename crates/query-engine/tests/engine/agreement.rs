//! Random queries give the same answer in a table, in a changed table, in a stream, and in the reference.

use crate::{
    dice::Dice,
    random::{self, NOW, SCHEMAS, World},
    reference::{Decoded, RefGroup, Reference},
    sample::{Record, chunks, complete, computed, computed_properties, id_of, puts, record_id, table},
};
use octavo_core_model::{
    Timestamp,
    id::{PropertyId, RecordId},
};
use octavo_databases::{PropertyType, Schema, query::Query};
use octavo_query_engine::{
    AggregateValue, Answer, Change, Chunk, Context, Found, Place, Relation, Request, Scan, Table, Visible, find_all,
    run,
};
use proptest::prelude::*;
use std::{collections::BTreeMap, sync::Arc};

/// A random case.
struct Case<'a> {
    schema: &'a Schema,
    records: Vec<Record>,
    query: Query,
    world: World,
}

/// The answer without pages.
#[derive(Debug, PartialEq)]
struct Whole {
    ids: Vec<RecordId>,
    groups: Option<Vec<RefGroup>>,
    aggregates: Vec<AggregateValue>,
}

impl Case<'_> {
    fn with<T>(&self, then: impl FnOnce(&Context<'_>) -> T) -> T {
        let visible = match self.world.hidden_targets.len() {
            0 => Visible::All,
            2 if self.world.persons_by_name => Visible::Nothing,
            _ => Visible::AllBut(&self.world.hidden_targets),
        };
        let relation = Relation { titles: &self.world.titles, visible };
        let relations: BTreeMap<PropertyId, Relation<'_>> =
            [(id_of(PropertyType::Relation), relation)].into_iter().collect();
        then(&Context {
            caller: self.world.caller,
            persons: &self.world.persons,
            persons_by_name: self.world.persons_by_name,
            relations: &relations,
            hidden: &self.world.hidden,
            ..Context::new(Timestamp::from_millis(NOW), self.world.zone)
        })
    }

    fn request(&self) -> Request<'_> {
        Request {
            parent: self.world.parent,
            with_empty_groups: self.world.with_empty_groups,
            ..Request::new(self.schema, &self.query)
        }
    }

    fn expected(&self) -> Whole {
        self.with(|context| {
            let reference = Reference { schema: self.schema, context };
            let decoded = reference.decode(&self.records);
            let found = reference.find(&decoded, &self.query, self.world.parent);
            let aggregates = reference.aggregates(&found, &self.query);
            if self.query.group.is_empty() {
                let ids = found.iter().map(|record: &&Decoded<'_>| record.record.id).collect();
                return Whole { ids, groups: None, aggregates };
            }
            let groups = reference.groups(&found, &self.query, 0, self.world.with_empty_groups);
            Whole { ids: groups.iter().flat_map(ids_of).collect(), groups: Some(groups), aggregates }
        })
    }

    /// Turns pages until the last one.
    fn pages(&self, mut page: impl FnMut(Option<&Place>) -> Answer) -> Whole {
        let mut whole: Option<Whole> = None;
        let mut place = None;
        loop {
            let answer = page(place.as_ref());
            let ids = answer.found.ids();
            assert!(ids.len() <= usize::from(self.query.page_size.get()));
            assert!(place.is_none() || !ids.is_empty(), "a page that is announced has records");
            let groups = match &answer.found {
                Found::Records(_) => None,
                Found::Groups(groups) => Some(groups.iter().map(RefGroup::of).collect::<Vec<_>>()),
            };
            match &mut whole {
                None => whole = Some(Whole { ids, groups, aggregates: answer.aggregates }),
                Some(whole) => {
                    whole.ids.extend(ids);
                    assert_eq!(whole.aggregates, answer.aggregates);
                    for (group, more) in whole.groups.iter_mut().flatten().zip(groups.iter().flatten()) {
                        group.add(more);
                    }
                }
            }
            place = answer.next;
            if place.is_none() {
                return whole.unwrap();
            }
        }
    }

    fn in_table(&self, table: &Table) -> Whole {
        self.with(|context| {
            let whole = self.pages(|place| run(table, self.request(), context, place, &mut || false).unwrap());
            let all = find_all(table, self.request(), context, &mut || false).unwrap();
            assert_eq!(all, whole.ids, "all records on one page");
            whole
        })
    }

    /// The same over chunks that are not kept.
    fn in_stream(&self, size: usize) -> Whole {
        let mut sorted = self.records.clone();
        sorted.sort_by(|a, b| (a.position.as_bytes(), a.id).cmp(&(b.position.as_bytes(), b.id)));
        let chunks: Vec<_> =
            chunks(self.schema, &sorted, size).iter().map(|chunk| with_computed(chunk, &self.records)).collect();
        self.with(|context| {
            self.pages(|place| {
                let anchor = place.and_then(|place| chunks.iter().find(|chunk| chunk.find(place.anchor).is_some()));
                let mut scan = Scan::new(self.request(), context, place, anchor).unwrap();
                for chunk in &chunks {
                    scan.push(chunk, &mut || false).unwrap();
                }
                scan.finish()
            })
        })
    }
}

fn ids_of(group: &RefGroup) -> Vec<RecordId> {
    group.groups.iter().flat_map(ids_of).chain(group.records.iter().copied()).collect()
}

fn with_computed(chunk: &Chunk, records: &[Record]) -> Chunk {
    computed_properties().into_iter().fold(chunk.clone(), |chunk, property| {
        let column = Arc::new(computed(records, property, &chunk));
        chunk.with_computed(property, column)
    })
}

/// A table that came to these records by changes.
fn changed(dice: &mut Dice, schema: &Schema, records: &[Record]) -> Table {
    let mut old: Vec<Record> = Vec::new();
    for record in records {
        if dice.once_in(2) {
            let mut earlier = random::record(dice, schema, 1);
            earlier.id = record.id;
            old.push(if dice.once_in(3) { record.clone() } else { earlier });
        }
    }
    // Records that are removed later.
    for number in 100..100 + u8::try_from(dice.below(4)).unwrap() {
        old.push(random::record(dice, schema, number));
    }
    let mut table = Table::new(schema, chunks(schema, &old, 1 + dice.below(4)));
    let mut changes = puts(records);
    changes.extend(old.iter().filter(|old| old.id >= record_id(100)).map(|old| Change::Remove(old.id)));
    changes.push(Change::Remove(record_id(99)));
    dice.shuffle(&mut changes);
    for some in changes.chunks(1 + dice.below(5)) {
        table = table.apply(some);
        if dice.once_in(4) {
            table = table.folded();
        }
    }
    complete(&table, records)
}

proptest! {
    #[test]
    fn random_queries_agree_with_the_reference(seed: u64, count in 0..14_usize, depth in 0..4_usize) {
        let mut dice = Dice::new(seed);
        let schema = dice.of(&*SCHEMAS);
        let records = random::records(&mut dice, schema, count);
        let query = random::query(&mut dice, schema, depth);
        let case = Case { schema, records, query, world: random::world(&mut dice) };
        let expected = case.expected();
        prop_assert_eq!(&case.in_table(&table(schema, &case.records)), &expected, "loaded\n{:#?}", case.query);
        let changed = changed(&mut dice, schema, &case.records);
        prop_assert_eq!(&case.in_table(&changed), &expected, "changed\n{:#?}", case.query);
        prop_assert_eq!(&case.in_stream(1 + dice.below(4)), &expected, "streamed\n{:#?}", case.query);
    }
}
