//! What people and linked records are called.

use crate::{
    loaded_schemas::schema_of,
    outcome::AppResult,
    record_values::title_of,
    records::{RecordDetails, facts_of},
    scope::View,
};
use octavo_core_model::id::{DatabaseId, PropertyId, RecordId, UserId, WorkspaceId};
use octavo_databases::{Cell, Schema, cell::Names, stored::decode_slots, value::PropertyValue};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

/// How many linked records are read at once.
const TARGETS_AT_ONCE: usize = 1_000;

/// The names of what exported records mention.
#[derive(Clone, Debug, Default)]
pub struct ExportedNames {
    users: BTreeMap<UserId, String>,
    titles: BTreeMap<RecordId, String>,
}

impl Names for ExportedNames {
    fn user(&self, id: UserId) -> Option<Cow<'_, str>> {
        self.users.get(&id).map(|name| name.as_str().into())
    }

    fn record(&self, id: RecordId) -> Option<Cow<'_, str>> {
        self.titles.get(&id).map(|title| title.as_str().into())
    }
}

/// Reads names as they are needed. Those of people are kept: there are few of them, and they come again.
pub(super) struct NameReader {
    workspace: WorkspaceId,
    known: ExportedNames,
}

impl NameReader {
    pub(super) fn new(workspace: WorkspaceId) -> Self {
        Self { workspace, known: ExportedNames::default() }
    }

    pub(super) const fn known(&self) -> &ExportedNames {
        &self.known
    }

    /// Reads the names that these properties of these records mention.
    pub(super) async fn read(
        &mut self,
        view: &mut View,
        schema: &Schema,
        select: &[PropertyId],
        records: &[RecordDetails],
    ) -> AppResult<()> {
        let (mut users, mut targets) = (BTreeSet::new(), BTreeMap::<DatabaseId, BTreeSet<RecordId>>::new());
        let computed = BTreeMap::new();
        for property in select.iter().filter_map(|id| schema.property(*id)) {
            let target = property.config.relation().map(|relation| relation.target);
            for details in records {
                let facts = facts_of(&details.record, &details.links, &computed);
                match (facts.cell(property, &details.values), target) {
                    (Cell::User(user), _) => users.extend([user]),
                    (Cell::Value(PropertyValue::Persons(ids)), _) => users.extend(ids.iter().copied()),
                    (Cell::Links(ids), Some(target)) => targets.entry(target).or_default().extend(ids.iter().copied()),
                    _ => {}
                }
            }
        }
        self.read_users(view, users).await?;
        self.known.titles.clear();
        for (target, ids) in targets {
            self.read_titles(view, target, Vec::from_iter(ids)).await?;
        }
        Ok(())
    }

    async fn read_users(&mut self, view: &mut View, users: BTreeSet<UserId>) -> AppResult<()> {
        let unknown: Vec<_> = users.into_iter().filter(|id| !self.known.users.contains_key(id)).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let people = view.tx.members().list_people(&unknown).await?;
        self.known.users.extend(people.into_iter().map(|person| (person.id, person.name.as_str().to_owned())));
        Ok(())
    }

    async fn read_titles(&mut self, view: &mut View, target: DatabaseId, ids: Vec<RecordId>) -> AppResult<()> {
        let Some(database) = view.tx.databases().find(self.workspace, target).await? else { return Ok(()) };
        let schema = schema_of(view, &database).await?;
        let slots: Vec<_> = schema.title().map(|title| title.slot).into_iter().collect();
        for ids in ids.chunks(TARGETS_AT_ONCE) {
            for record in view.tx.records().list_by_id(self.workspace, ids).await? {
                let title = decode_slots(&record.bag, &schema, &slots).map(|values| title_of(&values, &schema));
                self.known.titles.insert(record.id, title.map(|title| title.as_str().to_owned()).unwrap_or_default());
            }
        }
        Ok(())
    }
}
