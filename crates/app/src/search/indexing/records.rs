//! The texts of records: their titles, their values, the blocks of their pages.
//!
//! Option names and what is in front of numbers are those of the schema, names of people and titles of linked records are
//! looked up. Formulas and rollups are computed when they are read, so they have no texts here; nor have the properties
//! that show who wrote a record and when, for which searches have filters.

use super::pages::{PageTexts, texts_of_blocks};
use crate::{
    loaded_schemas::schema_of,
    outcome::AppResult,
    record_values::{title_of, values_of},
    relations::{SHOWN_LINKS, ends, side_of},
    scope::Scope,
};
use octavo_core_model::{
    id::{DatabaseId, PageId, PropertyId, RecordId, UserId, WorkspaceId},
    record::Record,
};
use octavo_databases::{
    Property, Schema,
    types::{RecordField, Storage},
    value::{PropertyValue, Values},
};
use octavo_ports::{
    search::{Dependency, Place, TextPlace, Unit, UnitKey, UnitText},
    store::Reads,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// A linked record: its database and its title.
type Target = (DatabaseId, String);

/// What the texts of records are made of, besides the records themselves.
#[derive(Default)]
struct Context {
    schemas: BTreeMap<DatabaseId, Arc<Schema>>,
    links: BTreeMap<(RecordId, PropertyId), Vec<RecordId>>,
    targets: BTreeMap<RecordId, Target>,
    people: BTreeMap<UserId, Vec<String>>,
}

pub(super) async fn units_of_records<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    ids: &[RecordId],
) -> AppResult<Vec<Unit>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let records = scope.tx.records().list_by_id(workspace, ids).await?;
    let mut context = Context::default();
    context.load_schemas(scope, workspace, records.iter().map(|record| record.database)).await?;
    let values: Vec<_> = records.iter().map(|record| context.values_of(record)).collect();
    context.load_links(scope, workspace, &records).await?;
    context.load_people(scope, &values).await?;
    let pages: Vec<PageId> = records.iter().map(|record| record.id.page()).collect();
    let mut blocks = texts_of_blocks(scope, workspace, &pages).await?;
    let unit = |(record, values): (Record, Values)| {
        let blocks = blocks.remove(&record.id.page()).unwrap_or_default();
        context.unit(&record, &values, blocks)
    };
    Ok(records.into_iter().zip(values).filter_map(unit).collect())
}

impl Context {
    async fn load_schemas<T: Reads + ?Sized>(
        &mut self,
        scope: &mut Scope<T>,
        workspace: WorkspaceId,
        databases: impl Iterator<Item = DatabaseId>,
    ) -> AppResult<()> {
        let missing: BTreeSet<_> = databases.filter(|id| !self.schemas.contains_key(id)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        for database in scope.tx.databases().list_by_id(workspace, &Vec::from_iter(missing)).await? {
            self.schemas.insert(database.id, schema_of(scope, &database).await?);
        }
        Ok(())
    }

    /// The values of a record. Those that cannot be read are left out: nobody sees them either.
    fn values_of(&self, record: &Record) -> Values {
        let schema = self.schemas.get(&record.database);
        schema.and_then(|schema| values_of(record, schema).ok()).unwrap_or_default()
    }

    /// Loads the first links of each relation, and the titles of the records that they lead to.
    async fn load_links<T: Reads + ?Sized>(
        &mut self,
        scope: &mut Scope<T>,
        workspace: WorkspaceId,
        records: &[Record],
    ) -> AppResult<()> {
        let mut by_database: BTreeMap<DatabaseId, Vec<RecordId>> = BTreeMap::new();
        for record in records {
            by_database.entry(record.database).or_default().push(record.id);
        }
        let mut targets = BTreeSet::new();
        for (database, ids) in by_database {
            let Some(schema) = self.schemas.get(&database).map(Arc::clone) else { continue };
            for property in schema.properties() {
                let Some(relation) = property.config.relation() else { continue };
                let side = side_of(property, relation);
                for link in scope.tx.record_links().list_first(workspace, side, &ids, SHOWN_LINKS).await? {
                    let (record, target) = ends(side, &link);
                    self.links.entry((record, property.id)).or_default().push(target);
                    targets.insert(target);
                }
            }
        }
        if targets.is_empty() {
            return Ok(());
        }
        let found = scope.tx.records().list_by_id(workspace, &Vec::from_iter(targets)).await?;
        self.load_schemas(scope, workspace, found.iter().map(|record| record.database)).await?;
        for record in found {
            if let Some(schema) = self.schemas.get(&record.database) {
                let title = title_of(&self.values_of(&record), schema);
                self.targets.insert(record.id, (record.database, title.as_str().to_owned()));
            }
        }
        Ok(())
    }

    async fn load_people<T: Reads + ?Sized>(&mut self, scope: &mut Scope<T>, values: &[Values]) -> AppResult<()> {
        let persons = values.iter().flat_map(Values::iter).filter_map(|(_, value)| persons(value)).flatten();
        let persons: BTreeSet<_> = persons.copied().collect();
        if persons.is_empty() {
            return Ok(());
        }
        for person in scope.tx.members().list_people(&Vec::from_iter(persons)).await? {
            let mut names = vec![person.name.as_str().to_owned(), person.display_name.as_str().to_owned()];
            names.dedup();
            self.people.insert(person.id, names);
        }
        Ok(())
    }

    /// `None` if the database of the record is gone.
    fn unit(&self, record: &Record, values: &Values, blocks: PageTexts) -> Option<Unit> {
        let schema = self.schemas.get(&record.database)?;
        let mut depends_on = blocks.depends_on;
        let title = title_of(values, schema).as_str().to_owned();
        let mut texts = vec![UnitText { place: TextPlace::Title, text: title, source: None }];
        for property in schema.properties() {
            self.add_property(record, property, values, &mut texts, &mut depends_on);
        }
        texts.extend(blocks.texts);
        Some(Unit {
            key: UnitKey::Record(record.id),
            place: Place { page: record.id.page().into(), database: Some(record.database.into()) },
            is_archived: record.archived_at.is_some(),
            created_by: record.created_by,
            updated_by: record.updated_by,
            created_at: record.created_at,
            updated_at: record.updated_at,
            texts,
            depends_on: depends_on.into_iter().collect(),
        })
    }

    fn add_property(
        &self,
        record: &Record,
        property: &Property,
        values: &Values,
        texts: &mut Vec<UnitText>,
        depends_on: &mut BTreeSet<Dependency>,
    ) {
        let place = TextPlace::Property(property.id);
        let mut add = |text: String, source| texts.push(UnitText { place, text, source });
        match property.kind().facts().storage {
            Storage::Links => {
                for target in self.links.get(&(record.id, property.id)).into_iter().flatten() {
                    depends_on.insert(Dependency::Record(*target));
                    if let Some((database, title)) = self.targets.get(target) {
                        let source = Place { page: target.page().into(), database: Some((*database).into()) };
                        add(title.clone(), Some(source));
                    }
                }
            }
            Storage::Record(RecordField::Number) => {
                if let Some(number) = record.number {
                    add(property.config.unique_id(number.unsigned_abs()), None);
                }
            }
            Storage::Bag(_) if !property.is_title() => {
                let Some(value) = values.get(property.slot) else { return };
                for person in persons(value).into_iter().flatten() {
                    depends_on.insert(Dependency::User(*person));
                }
                self.texts_of(property, value).into_iter().for_each(|text| add(text, None));
            }
            Storage::Bag(_) => {
                // The title has only the first line.
                let text = values.get(property.slot).and_then(PropertyValue::text).unwrap_or_default();
                let rest = text.lines().skip(1).collect::<Vec<_>>().join("\n");
                if !rest.trim().is_empty() {
                    add(rest, None);
                }
            }
            Storage::Record(_) | Storage::Computed | Storage::Nothing => {}
        }
    }

    /// What people read of a value, each item of a list by itself.
    fn texts_of(&self, property: &Property, value: &PropertyValue) -> Vec<String> {
        let option = |id: &octavo_databases::options::OptionId| {
            let option = property.config.options()?.by_id(id.as_str())?;
            Some(option.name.as_str().to_owned())
        };
        match value {
            PropertyValue::RichText(text) => vec![text.text().to_owned()],
            PropertyValue::Text(text) => vec![text.clone()],
            PropertyValue::Number(number) => vec![number.to_string()],
            PropertyValue::Option(id) => option(id).into_iter().collect(),
            PropertyValue::Options(ids) => ids.iter().filter_map(option).collect(),
            PropertyValue::Date(date) => {
                [Some(date.start.to_string()), date.end.map(|end| end.to_string())].into_iter().flatten().collect()
            }
            PropertyValue::Range(range) => {
                [Some(range.start.to_string()), range.end.map(|end| end.to_string())].into_iter().flatten().collect()
            }
            PropertyValue::Persons(ids) => ids.iter().filter_map(|id| self.people.get(id)).flatten().cloned().collect(),
            PropertyValue::Link(link) => [Some(link.url.clone()), link.title.clone()].into_iter().flatten().collect(),
            // A tick has no text, and files have no names yet.
            PropertyValue::Checkbox(_) | PropertyValue::Files(_) => Vec::new(),
        }
    }
}

fn persons(value: &PropertyValue) -> Option<&[UserId]> {
    if let PropertyValue::Persons(ids) = value { Some(ids) } else { None }
}
