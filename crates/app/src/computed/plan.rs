//! What is computed, in which order, and from what.

use super::types::{types_of, types_of_rollup};
use crate::{loaded_schemas::schema_of, outcome::AppResult, relations::Reader, scope::Scope};
use octavo_core_model::id::{DatabaseId, PropertyId, WorkspaceId};
use octavo_databases::{
    Property, PropertyConfig, PropertyType, Schema,
    query::{Columns, Filter},
    types::{FilterKind, RollupConfig},
};
use octavo_formula::{Expr, Program, Types, check, compile, order, parse};
use octavo_ports::store::Reads;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// How many databases one plan reads at most. Rollups that lead further are empty.
const MOST_DATABASES: usize = 20;

/// Computed properties in an order in which each comes after those that it uses.
#[derive(Debug, Default)]
pub(crate) struct ComputedPlan {
    pub(crate) schemas: BTreeMap<DatabaseId, Arc<Schema>>,
    pub(crate) steps: Vec<ComputedStep>,
    /// Databases whose titles a formula reads.
    pub(crate) titled: BTreeSet<DatabaseId>,
    /// Whether a formula reads names of persons.
    pub(crate) reads_persons: bool,
}

/// One property to compute.
#[derive(Debug)]
pub(crate) struct ComputedStep {
    pub(crate) database: DatabaseId,
    pub(crate) property: PropertyId,
    pub(crate) computation: Computation,
    /// Whether it is empty for the reader, because it depends on a database that the reader cannot see.
    pub(crate) is_hidden: bool,
    /// The types that its values can have.
    pub(crate) types: Types,
}

#[derive(Debug)]
pub(crate) enum Computation {
    Formula {
        program: Arc<Program>,
        /// The formulas of the same record that it uses, directly or through others.
        uses: BTreeSet<PropertyId>,
    },
    Rollup {
        relation: PropertyId,
        target: DatabaseId,
        config: RollupConfig,
        filter: Option<Filter>,
    },
    /// The property uses itself, possibly through others.
    Cycle,
}

impl ComputedPlan {
    /// The databases whose records are read, besides the one that the plan is for.
    pub(crate) fn databases(&self) -> BTreeSet<DatabaseId> {
        let targets = self.steps.iter().filter_map(|step| match step.computation {
            Computation::Rollup { target, .. } if !step.is_hidden => Some(target),
            _ => None,
        });
        targets.chain(self.titled.iter().copied()).collect()
    }

    /// The properties that are read from records, by database. Computed ones are among them.
    pub(crate) fn inputs(&self) -> BTreeMap<DatabaseId, BTreeSet<PropertyId>> {
        let mut inputs: BTreeMap<DatabaseId, BTreeSet<PropertyId>> = BTreeMap::new();
        for step in &self.steps {
            match &step.computation {
                Computation::Cycle => {}
                Computation::Formula { program, .. } => {
                    let named = program.inputs().iter().filter_map(|named| named.parse::<PropertyId>().ok());
                    inputs.entry(step.database).or_default().extend(named);
                }
                Computation::Rollup { relation, target, config, filter } => {
                    inputs.entry(step.database).or_default().insert(*relation);
                    let filtered = filter.iter().flat_map(Filter::leaves).map(|(_, leaf)| leaf.property);
                    inputs.entry(*target).or_default().extend(filtered.chain([config.target]));
                }
            }
        }
        for database in &self.titled {
            let title = self.schemas.get(database).and_then(|schema| schema.title());
            inputs.entry(*database).or_default().extend(title.map(|title| title.id));
        }
        inputs
    }
}

/// Plans these properties of a database, and whatever they depend on. No statement if none of them is computed from other
/// databases; otherwise two for each of these, and those that say which of them the reader sees.
pub(crate) async fn plan<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    reader: Reader<'_>,
    schema: &Arc<Schema>,
    wanted: impl IntoIterator<Item = PropertyId>,
) -> AppResult<ComputedPlan> {
    let mut search = Search::default();
    search.plan.schemas.insert(schema.database(), Arc::clone(schema));
    search.want(schema, wanted);
    while let Some(id) = search.missing.pop_first() {
        if search.plan.schemas.len() >= MOST_DATABASES {
            continue;
        }
        let Some(database) = scope.tx.databases().find(workspace, id).await? else { continue };
        let found = schema_of(scope, &database).await?;
        search.plan.schemas.insert(id, Arc::clone(&found));
        let waiting = search.waiting.remove(&id).unwrap_or_default();
        search.want(&found, waiting);
        search.add_filters(&found);
    }
    let others: Vec<_> = search.plan.schemas.keys().copied().filter(|id| *id != schema.database()).collect();
    let mut visible = reader.visible_databases(scope, workspace, &others).await?;
    visible.insert(schema.database());
    if let Reader::Link(_) = reader {
        // What a link does not show must not be read from a summary of it either.
        for database in visible.clone() {
            if !reader.hidden_records(scope, workspace, database).await?.is_empty() {
                visible.remove(&database);
            }
        }
    }
    Ok(search.ordered(&visible, matches!(reader, Reader::Link(_))))
}

#[derive(Default)]
struct Search {
    plan: ComputedPlan,
    formulas: BTreeMap<PropertyId, Expr>,
    found: BTreeMap<PropertyId, (DatabaseId, Computation)>,
    uses: BTreeMap<PropertyId, Vec<PropertyId>>,
    /// Databases whose schemas are not read yet.
    missing: BTreeSet<DatabaseId>,
    /// Properties that are wanted in them.
    waiting: BTreeMap<DatabaseId, BTreeSet<PropertyId>>,
}

impl Search {
    fn want(&mut self, schema: &Schema, wanted: impl IntoIterator<Item = PropertyId>) {
        let mut open: Vec<PropertyId> = wanted.into_iter().collect();
        while let Some(id) = open.pop() {
            let Some(property) = schema.property(id) else { continue };
            if self.found.contains_key(&id) {
                continue;
            }
            let (computation, used) = match &property.config {
                PropertyConfig::Formula(config) => self.formula(schema, id, &config.expression),
                PropertyConfig::Rollup(config) => match self.rollup(schema, config) {
                    Some(found) => found,
                    None => continue,
                },
                _ => continue,
            };
            let within = used.iter().copied().filter(|used| schema.property(*used).is_some());
            open.extend(within);
            self.uses.insert(id, used);
            self.found.insert(id, (schema.database(), computation));
        }
    }

    fn formula(&mut self, schema: &Schema, id: PropertyId, expression: &str) -> (Computation, Vec<PropertyId>) {
        // What is saved was parsed before. If a later release no longer knows it, it computes nothing.
        let Ok(expr) = parse(expression) else { return (Computation::Cycle, Vec::new()) };
        let program = Arc::new(compile(&expr));
        let used = program.inputs().iter().filter_map(|named| schema.property(named.parse().ok()?));
        let mut computed = Vec::new();
        for property in used {
            self.read(property);
            computed.extend(is_computed(property).then_some(property.id));
        }
        self.formulas.insert(id, expr);
        (Computation::Formula { program, uses: BTreeSet::new() }, computed)
    }

    /// Notes what a formula reads besides the record itself.
    fn read(&mut self, property: &Property) {
        if let Some(relation) = property.config.relation() {
            self.plan.titled.insert(relation.target);
            self.need(relation.target, None);
        }
        self.plan.reads_persons |= property.kind().facts().filter == FilterKind::Person;
    }

    fn rollup(&mut self, schema: &Schema, config: &RollupConfig) -> Option<(Computation, Vec<PropertyId>)> {
        let target = schema.property(config.relation)?.config.relation()?.target;
        self.need(target, Some(config.target));
        let own = (target == schema.database()).then_some(schema);
        let filter = self.plan.schemas.get(&target).map(Arc::as_ref).or(own).and_then(|of| stored_filter(config, of));
        let mut used = vec![config.target];
        used.extend(filter.iter().flat_map(Filter::leaves).map(|(_, leaf)| leaf.property));
        let computation = Computation::Rollup { relation: config.relation, target, config: config.clone(), filter };
        Some((computation, used))
    }

    /// Notes that a property of a database is wanted, whose schema may not be known yet.
    fn need(&mut self, database: DatabaseId, property: Option<PropertyId>) {
        if let Some(schema) = self.plan.schemas.get(&database).cloned() {
            self.want(&schema, property);
            return;
        }
        self.missing.insert(database);
        self.waiting.entry(database).or_default().extend(property);
    }

    /// The plan for a reader that sees all records of these databases. Readers of share links do not see what was computed
    /// from persons, whom they know by their display names only, or from titles of linked records, which may be archived.
    fn ordered(mut self, visible: &BTreeSet<DatabaseId>, of_link: bool) -> ComputedPlan {
        let order = order(&self.uses);
        let mut hidden = BTreeSet::new();
        let mut types = BTreeMap::new();
        let cyclic = order.cyclic.into_iter().map(|id| (id, true));
        for (id, is_cyclic) in cyclic.chain(order.ordered.into_iter().map(|id| (id, false))) {
            let Some((database, computation)) = self.found.remove(&id) else { continue };
            let leads_away = self.databases_read(database, &computation).any(|target| !visible.contains(&target));
            let uses_hidden = self.uses.get(&id).is_some_and(|uses| uses.iter().any(|used| hidden.contains(used)));
            let is_hidden = leads_away || uses_hidden || of_link && self.is_withheld(database, &computation);
            if is_hidden {
                hidden.insert(id);
            }
            let computation = match computation {
                _ if is_cyclic => Computation::Cycle,
                Computation::Formula { program, .. } => {
                    Computation::Formula { program, uses: self.formulas_below(id, database) }
                }
                other => other,
            };
            let own = self.types(id, database, &computation, &types);
            types.insert(id, own);
            self.plan.steps.push(ComputedStep { database, property: id, computation, is_hidden, types: own });
        }
        self.plan
    }

    /// The types that the values of a computed property can have; `known` are those of the properties that it uses.
    fn types(
        &self,
        id: PropertyId,
        database: DatabaseId,
        computation: &Computation,
        known: &BTreeMap<PropertyId, Types>,
    ) -> Types {
        match (computation, self.formulas.get(&id), self.plan.schemas.get(&database)) {
            (Computation::Rollup { config, .. }, ..) => types_of_rollup(config.aggregate),
            (Computation::Formula { .. }, Some(expr), Some(schema)) => {
                check(expr, |named| types_of(schema.property(named.parse().ok()?)?, known)).result
            }
            _ => Types::ANY,
        }
    }

    /// The databases whose records a computation reads: the target of a rollup, and those whose titles a formula shows.
    fn databases_read<'a>(
        &'a self,
        database: DatabaseId,
        computation: &'a Computation,
    ) -> impl Iterator<Item = DatabaseId> + 'a {
        let (target, program) = match computation {
            Computation::Rollup { target, .. } => (Some(*target), None),
            Computation::Formula { program, .. } => (None, Some(program)),
            Computation::Cycle => (None, None),
        };
        let schema = self.plan.schemas.get(&database);
        let inputs = program.into_iter().flat_map(|program| program.inputs());
        let titled =
            inputs.filter_map(move |named| Some(schema?.property(named.parse().ok()?)?.config.relation()?.target));
        target.into_iter().chain(titled)
    }

    /// Whether the result of a computation can reveal persons or titles of linked records.
    fn is_withheld(&self, database: DatabaseId, computation: &Computation) -> bool {
        let is_withheld = |database: &DatabaseId, id: PropertyId| {
            let property = self.plan.schemas.get(database).and_then(|schema| schema.property(id));
            property.is_some_and(|property| {
                property.kind().facts().filter == FilterKind::Person || property.config.relation().is_some()
            })
        };
        match computation {
            Computation::Formula { program, .. } => {
                let mut ids = program.inputs().iter().filter_map(|named| named.parse().ok());
                ids.any(|id| is_withheld(&database, id))
            }
            Computation::Rollup { target, config, .. } => is_withheld(target, config.target),
            Computation::Cycle => false,
        }
    }

    /// The formulas of the same record that a formula uses, directly or through others.
    fn formulas_below(&self, id: PropertyId, database: DatabaseId) -> BTreeSet<PropertyId> {
        let (mut below, mut open) = (BTreeSet::new(), vec![id]);
        let schema = self.plan.schemas.get(&database);
        while let Some(next) = open.pop() {
            for used in self.uses.get(&next).into_iter().flatten() {
                let is_formula = schema
                    .and_then(|schema| schema.property(*used))
                    .is_some_and(|property| property.kind() == PropertyType::Formula);
                if is_formula && below.insert(*used) {
                    open.push(*used);
                }
            }
        }
        below
    }

    /// Reads the filters of rollups that were met before the schema of their target was known.
    fn add_filters(&mut self, target_schema: &Schema) {
        let mut filtered = BTreeSet::new();
        for (id, (_, computation)) in &mut self.found {
            if let Computation::Rollup { target, config, filter, .. } = computation
                && filter.is_none()
                && *target == target_schema.database()
            {
                *filter = stored_filter(config, target_schema);
                let leaves: Vec<_> = filter.iter().flat_map(Filter::leaves).map(|(_, leaf)| leaf.property).collect();
                filtered.extend(leaves.iter().copied());
                self.uses.entry(*id).or_default().extend(leaves);
            }
        }
        self.want(target_schema, filtered);
    }
}

fn stored_filter(config: &RollupConfig, target: &Schema) -> Option<Filter> {
    let saved = config.filter.as_ref()?;
    Filter::read(saved, Columns::stored(target)).ok().flatten()
}

pub(super) fn is_computed(property: &Property) -> bool {
    matches!(property.kind(), PropertyType::Formula | PropertyType::Rollup)
}
