//! The computed values of some records.

use super::{
    compute::{ComputeInputs, compute},
    plan::{Computation, ComputedPlan, is_computed, plan},
    shown::shown,
};
use crate::{
    outcome::AppResult,
    relations::{Reader, ends, side_of},
    scope::Scope,
};
use octavo_core_model::{
    Fault,
    fault::ComputeFault,
    id::{DatabaseId, PropertyId, RecordId, UserId, WorkspaceId},
    record::Record,
};
use octavo_databases::{Property, Schema, types::FilterKind};
use octavo_formula::Types;
use octavo_ports::store::Reads;
use octavo_query_engine::{Bounds, Chunk, ChunkBuilder, Layout, Row, Stopped, Table};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// How many links of one relation are read for an answer. An answer that needs more is refused.
const MOST_LINKED: u64 = 200_000;

/// How often formulas may ask whether to go on: they do so every some hundred microseconds. What is computed here holds
/// a connection, on SQLite perhaps the only one that writes.
const MOST_CHECKS: u32 = 2_000;

/// How many bytes of computed values an answer has in memory. What comes after them has `formula_budget`, or nothing if it
/// is a rollup: an answer that shows what was written must not be the reason why that cannot be written.
const MOST_BYTES: usize = 32 << 20;

/// How many records are read in one statement.
const AT_ONCE: usize = 1_000;

/// The computed values of some records of a database, in the form of the API.
pub(crate) type ComputedValues = BTreeMap<RecordId, BTreeMap<PropertyId, Value>>;

/// Computes these properties of some records: formulas from the records themselves, rollups from the records that they link
/// to. No statement if none of the properties is computed, or if formulas use nothing but their records.
pub(crate) async fn values_of_few<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    reader: Reader<'_>,
    schema: &Arc<Schema>,
    records: &[Record],
    properties: &[&Property],
) -> AppResult<ComputedValues> {
    let wanted: Vec<_> =
        properties.iter().filter(|property| is_computed(property)).map(|property| property.id).collect();
    if wanted.is_empty() || records.is_empty() {
        return Ok(ComputedValues::new());
    }
    let plan = plan(scope, workspace, reader, schema, wanted.iter().copied()).await?;
    let mut few = Few::of(schema.database(), records);
    few.follow(scope, workspace, &plan).await?;
    let persons = persons_of(scope, &plan, &few).await?;
    let inputs = ComputeInputs { now: scope.call.now, persons: &persons, leaves_out: true };
    let mut tables = few.tables(&plan);
    let mut bounds = FewBounds { checks: MOST_CHECKS, bytes: MOST_BYTES };
    compute(&plan, &mut tables, &inputs, &mut bounds).map_err(|_| Fault::from(ComputeFault::Timeout))?;
    let Some(table) = tables.get(&schema.database()) else { return Ok(ComputedValues::new()) };
    let types: BTreeMap<_, _> = plan.steps.iter().map(|step| (step.property, step.types)).collect();
    let value = |record: RecordId, property: PropertyId| {
        let types = types.get(&property).copied().unwrap_or(Types::ANY);
        Some((property, shown(schema.property(property)?, types, table.computed_value(property, record)?)))
    };
    let values = |record: &Record| {
        (record.id, wanted.iter().filter_map(|property| value(record.id, *property)).collect::<BTreeMap<_, _>>())
    };
    Ok(records.iter().map(values).collect())
}

/// What the computed values of an answer may still take.
struct FewBounds {
    checks: u32,
    bytes: usize,
}

impl Bounds for FewBounds {
    fn go_on(&mut self) -> Result<(), Stopped> {
        self.checks = self.checks.checked_sub(1).ok_or(Stopped::Deadline)?;
        Ok(())
    }

    fn hold(&mut self, bytes: usize) -> Result<(), Stopped> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(Stopped::TooLarge)?;
        Ok(())
    }

    fn release(&mut self, bytes: usize) {
        self.bytes += bytes;
    }
}

type Links = Vec<(PropertyId, Vec<RecordId>)>;

/// The records that matter for a few, by database.
struct Few {
    records: BTreeMap<DatabaseId, BTreeMap<RecordId, Record>>,
    links: BTreeMap<RecordId, Links>,
    /// For which records each property is needed.
    needed: BTreeMap<PropertyId, BTreeSet<RecordId>>,
    own: BTreeSet<RecordId>,
}

impl Few {
    fn of(database: DatabaseId, records: &[Record]) -> Self {
        let own: BTreeSet<_> = records.iter().map(|record| record.id).collect();
        let records = records.iter().map(|record| (record.id, record.clone())).collect();
        let records = BTreeMap::from([(database, records)]);
        Self { records, links: BTreeMap::new(), needed: BTreeMap::new(), own }
    }

    /// Reads the links that the plan follows and the records at their ends. A property is needed for the records that the
    /// answer shows, and for those that another property needs it for, which comes later in the plan.
    async fn follow<T: Reads + ?Sized>(
        &mut self,
        scope: &mut Scope<T>,
        workspace: WorkspaceId,
        plan: &ComputedPlan,
    ) -> AppResult<()> {
        for step in plan.steps.iter().rev().filter(|step| !step.is_hidden) {
            let Some(schema) = plan.schemas.get(&step.database) else { continue };
            let mut of = self.needed.remove(&step.property).unwrap_or_default();
            if self
                .records
                .get(&step.database)
                .is_some_and(|records| self.own.iter().all(|id| records.contains_key(id)))
            {
                of.extend(&self.own);
            }
            match &step.computation {
                Computation::Cycle => {}
                Computation::Formula { program, .. } => {
                    let inputs = program.inputs().iter().filter_map(|named| schema.property(named.parse().ok()?));
                    for property in inputs {
                        if is_computed(property) {
                            self.needed.entry(property.id).or_default().extend(&of);
                        } else if let Some(relation) = property.config.relation() {
                            let target = relation.target;
                            let linked = self.follow_links(scope, workspace, schema, property.id, &of).await?;
                            self.read(scope, workspace, target, linked).await?;
                        }
                    }
                }
                Computation::Rollup { relation, target, config, filter } => {
                    let linked = self.follow_links(scope, workspace, schema, *relation, &of).await?;
                    let filtered = filter.iter().flat_map(|filter| filter.leaves()).map(|(_, leaf)| leaf.property);
                    for property in filtered.chain([config.target]) {
                        self.needed.entry(property).or_default().extend(&linked);
                        if let Some(schema) = plan.schemas.get(target) {
                            // What these records link to themselves is a value like others.
                            self.follow_links(scope, workspace, schema, property, &linked).await?;
                        }
                    }
                    self.read(scope, workspace, *target, linked).await?;
                }
            }
        }
        Ok(())
    }

    /// The records that these records link to by a relation. Two statements; none if the property is no relation.
    async fn follow_links<T: Reads + ?Sized>(
        &mut self,
        scope: &mut Scope<T>,
        workspace: WorkspaceId,
        schema: &Schema,
        property: PropertyId,
        of: &BTreeSet<RecordId>,
    ) -> AppResult<BTreeSet<RecordId>> {
        let Some(property) = schema.property(property) else { return Ok(BTreeSet::new()) };
        let Some(relation) = property.config.relation() else { return Ok(BTreeSet::new()) };
        let side = side_of(property, relation);
        let ids: Vec<_> = of.iter().copied().collect();
        let mut linked = BTreeSet::new();
        let mut found: BTreeMap<RecordId, Vec<RecordId>> = BTreeMap::new();
        let counts = scope.tx.record_links().count_of(workspace, side, &ids).await?;
        if counts.iter().map(|(_, count)| count).sum::<u64>() > MOST_LINKED {
            return Err(Fault::from(ComputeFault::MemoryFull).into());
        }
        for link in scope.tx.record_links().list(workspace, side, &ids).await? {
            let (record, target) = ends(side, &link);
            found.entry(record).or_default().push(target);
            linked.insert(target);
        }
        for (record, targets) in found {
            let known = self.links.entry(record).or_default();
            known.retain(|(known, _)| *known != property.id);
            known.push((property.id, targets));
        }
        Ok(linked)
    }

    /// Reads records of a database that were not read yet.
    async fn read<T: Reads + ?Sized>(
        &mut self,
        scope: &mut Scope<T>,
        workspace: WorkspaceId,
        database: DatabaseId,
        ids: BTreeSet<RecordId>,
    ) -> AppResult<()> {
        let known = self.records.entry(database).or_default();
        let new: Vec<_> = ids.into_iter().filter(|id| !known.contains_key(id)).collect();
        for ids in new.chunks(AT_ONCE) {
            let found = scope.tx.records().list_by_id(workspace, ids).await?;
            known.extend(found.into_iter().map(|record| (record.id, record)));
        }
        Ok(())
    }

    fn tables(&self, plan: &ComputedPlan) -> BTreeMap<DatabaseId, Arc<Table>> {
        let inputs = plan.inputs();
        let table = |(database, records): (&DatabaseId, &BTreeMap<RecordId, Record>)| {
            let schema = plan.schemas.get(database)?;
            let layout = Arc::new(inputs.get(database).map_or_else(Layout::default, |read| Layout::only(schema, read)));
            let chunks = self.chunks(&layout, records);
            Some((*database, Arc::new(Table::new(schema, chunks))))
        };
        self.records.iter().filter_map(table).collect()
    }

    fn chunks(&self, layout: &Arc<Layout>, records: &BTreeMap<RecordId, Record>) -> Vec<Chunk> {
        let mut chunks = Vec::new();
        let mut builder = ChunkBuilder::new(layout);
        for (id, record) in records {
            if builder.is_full() {
                chunks.push(std::mem::replace(&mut builder, ChunkBuilder::new(layout)).finish());
            }
            let links = self.links.get(id).map_or(&[][..], Vec::as_slice);
            // A record with values that cannot be read counts as one without them.
            let _ = builder.push(&Row::of(record, links));
        }
        chunks.push(builder.finish());
        chunks
    }
}

/// The names of the persons that formulas read. One statement, or none.
async fn persons_of<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    plan: &ComputedPlan,
    few: &Few,
) -> AppResult<BTreeMap<UserId, String>> {
    if !plan.reads_persons {
        return Ok(BTreeMap::new());
    }
    let mut persons = BTreeSet::new();
    for (database, table) in few.tables(plan) {
        let Some(schema) = plan.schemas.get(&database) else { continue };
        let columns = schema.properties().iter();
        let columns = columns.filter(|property| property.kind().facts().filter == FilterKind::Person);
        persons.extend(columns.flat_map(|property| table.persons(property)));
    }
    names(scope, persons).await
}

/// The names of persons. One statement, or none.
pub(crate) async fn names<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    persons: BTreeSet<UserId>,
) -> AppResult<BTreeMap<UserId, String>> {
    if persons.is_empty() {
        return Ok(BTreeMap::new());
    }
    let persons: Vec<_> = persons.into_iter().collect();
    let people = scope.tx.members().list_people(&persons).await?;
    Ok(people.into_iter().map(|person| (person.id, person.name.as_str().to_owned())).collect())
}
