//! Running a plan over tables.

use super::plan::{Computation, ComputedPlan, ComputedStep};
use chrono_tz::Tz;
use octavo_core_model::{
    Timestamp,
    id::{DatabaseId, PropertyId, UserId},
};
use octavo_databases::{PropertyType, Schema};
use octavo_formula::{Costs, RowError};
use octavo_query_engine::{
    Bounds, ComputedBuilder, ComputedColumn, ComputedValue, Context, FormulaRequest, Relation, Rollup, RollupRequest,
    Stopped, Table, Titles, Visible, formula_column,
};
use std::{collections::BTreeMap, sync::Arc};

/// What computations depend on besides the records. A record shows everybody the same values, so they depend neither on the
/// caller nor on a time zone: days are those of UTC.
#[derive(Debug)]
pub(crate) struct ComputeInputs<'a> {
    pub(crate) now: Timestamp,
    /// The names of persons, for formulas that read them.
    pub(crate) persons: &'a BTreeMap<UserId, String>,
    /// Whether columns for which there is no memory are left out, instead of ending the computation.
    pub(crate) leaves_out: bool,
}

type Tables = BTreeMap<DatabaseId, Arc<Table>>;

/// Adds the columns of a plan to tables. A database without a table counts as one without records.
pub(crate) fn compute(
    plan: &ComputedPlan,
    tables: &mut Tables,
    inputs: &ComputeInputs<'_>,
    bounds: &mut dyn Bounds,
) -> Result<(), Stopped> {
    let mut costs = BTreeMap::new();
    for step in &plan.steps {
        let (Some(table), Some(schema)) = (tables.get(&step.database), plan.schemas.get(&step.database)) else {
            continue;
        };
        let parts = match &step.computation {
            _ if step.is_hidden => same(table, ComputedValue::Null),
            Computation::Cycle => same(table, cycle(schema, step.property)),
            Computation::Formula { .. } => {
                let values = formula(step, schema, tables, inputs, &mut costs, bounds);
                let over_budget = ComputedValue::Error(RowError::FormulaBudget.code());
                or_left_out(values, inputs, || same(table, over_budget))?
            }
            Computation::Rollup { .. } => {
                let values = rollup(step, plan, tables, inputs, bounds);
                or_left_out(values, inputs, || same(table, ComputedValue::Null))?
            }
        };
        let completed = Arc::new(table.with_computed(step.property, &parts));
        tables.insert(step.database, completed);
    }
    Ok(())
}

type Parts = Vec<Arc<ComputedColumn>>;

/// What a column has instead of values for which there is no memory.
fn or_left_out(
    values: Result<Parts, Stopped>,
    inputs: &ComputeInputs<'_>,
    left_out: impl FnOnce() -> Parts,
) -> Result<Parts, Stopped> {
    match values {
        Err(Stopped::TooLarge) if inputs.leaves_out => Ok(left_out()),
        values => values,
    }
}

/// The same value for every record. Chunks of the same length share a column: it takes no memory for each of them.
fn same(table: &Table, value: ComputedValue<'_>) -> Parts {
    let mut columns = BTreeMap::new();
    let column = |length: usize| {
        let mut builder = ComputedBuilder::new(length);
        (0..length).for_each(|_| builder.push(value));
        Arc::new(builder.finish())
    };
    table
        .chunks()
        .map(|chunk| Arc::clone(columns.entry(chunk.len()).or_insert_with_key(|length| column(*length))))
        .collect()
}

/// What a property shows that uses itself.
fn cycle(schema: &Schema, property: PropertyId) -> ComputedValue<'static> {
    let is_formula = schema.property(property).is_some_and(|property| property.kind() == PropertyType::Formula);
    if is_formula { ComputedValue::Error(RowError::Cycle.code()) } else { ComputedValue::Null }
}

fn formula(
    step: &ComputedStep,
    schema: &Schema,
    tables: &Tables,
    inputs: &ComputeInputs<'_>,
    costs: &mut BTreeMap<PropertyId, Vec<Costs>>,
    bounds: &mut dyn Bounds,
) -> Result<Parts, Stopped> {
    let Computation::Formula { program, uses } = &step.computation else { return Ok(Vec::new()) };
    let Some(table) = tables.get(&step.database) else { return Ok(Vec::new()) };
    let relations = titles(schema, tables);
    let context = Context { persons: inputs.persons, relations: &relations, ..Context::new(inputs.now, Tz::UTC) };
    let (mut parts, mut spent) = (Vec::new(), Vec::new());
    for (at, chunk) in table.chunks().enumerate() {
        let used: Vec<_> = uses.iter().filter_map(|used| costs.get(used)?.get(at)).collect();
        let request = FormulaRequest { program, schema, used: &used };
        let (column, cost) = formula_column(&request, &context, chunk, bounds)?;
        parts.push(Arc::new(column));
        spent.push(cost);
    }
    costs.insert(step.property, spent);
    Ok(parts)
}

/// The titles of the records that relations lead to, as far as there are tables of them.
fn titles<'a>(schema: &Schema, tables: &'a Tables) -> BTreeMap<PropertyId, Relation<'a>> {
    let relations = schema.properties().iter().filter_map(|property| {
        let table = tables.get(&property.config.relation()?.target)?;
        let titles: &dyn Titles = table.as_ref();
        Some((property.id, Relation { titles, visible: Visible::All }))
    });
    relations.collect()
}

fn rollup(
    step: &ComputedStep,
    plan: &ComputedPlan,
    tables: &Tables,
    inputs: &ComputeInputs<'_>,
    bounds: &mut dyn Bounds,
) -> Result<Parts, Stopped> {
    let Computation::Rollup { relation, target, config, filter } = &step.computation else { return Ok(Vec::new()) };
    let Some(table) = tables.get(&step.database) else { return Ok(Vec::new()) };
    let parts = || {
        let target_schema = plan.schemas.get(target)?;
        let relation = plan.schemas.get(&step.database)?.property(*relation)?;
        let property = target_schema.property(config.target)?;
        let target = tables.get(target)?;
        let (aggregate, filter) = (config.aggregate, filter.as_ref());
        Some(RollupRequest { relation, target, target_schema, property, aggregate, filter })
    };
    let Some(request) = parts() else { return Ok(same(table, ComputedValue::Null)) };
    let context = Context::new(inputs.now, Tz::UTC);
    let rollup = Rollup::new(request, &context, bounds)?;
    let mut columns = Vec::new();
    for chunk in table.chunks() {
        columns.push(Arc::new(rollup.column(chunk, bounds)?));
    }
    Ok(columns)
}
