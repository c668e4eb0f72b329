//! Creating the options that plain texts name.

use super::{Context, Operation};
use crate::{databases::add_named_options, outcome::AppResult, scope::Unit};
use octavo_core_model::{id::PropertyId, page::Page};
use octavo_databases::{
    Schema,
    options::Options,
    record::{How, NewOptions, ReadValues, Write, read},
    types::Form,
};
use std::{collections::BTreeMap, sync::Arc};

/// Creates the options that do not exist yet, so that the values find all of them. Returns whether there were any.
pub(super) async fn create(
    unit: &mut Unit,
    context: &mut Context<'_>,
    node: &Page,
    values: impl Iterator<Item = ReadValues> + Send,
) -> AppResult<bool> {
    let added = named(&context.held.schema, values);
    if added.is_empty() {
        return Ok(false);
    }
    let (database, schema) = add_named_options(unit, node, &context.held.database, &added).await?;
    context.held.database = database;
    context.held.schema = Arc::new(schema);
    Ok(true)
}

/// The values of operations. Operations that cannot be read are refused later.
pub(super) fn values_of(schema: Arc<Schema>, operations: &[Operation]) -> impl Iterator<Item = ReadValues> {
    let how = How { write: Write::Update, form: Form::Any, allows_references: true };
    operations.iter().filter_map(move |operation| match operation {
        Operation::Create { properties: sent, .. }
        | Operation::Upsert { properties: sent }
        | Operation::Update { properties: Some(sent), .. } => read(&schema, sent.clone(), how).ok(),
        _ => None,
    })
}

/// The options that values name and that do not exist.
fn named(schema: &Schema, values: impl Iterator<Item = ReadValues>) -> Vec<NewOptions> {
    let mut known: BTreeMap<PropertyId, Options> = BTreeMap::new();
    for values in values {
        for new in values.new_options() {
            let Some(property) = schema.property(new.property) else { continue };
            let options =
                known.entry(new.property).or_insert_with(|| property.config.options().cloned().unwrap_or_default());
            for option in &new.options {
                // Without room the operation is refused when it is read again.
                if options.by_name(option.name.as_str()).is_none() {
                    let _ = options.append(option.name.clone());
                }
            }
        }
    }
    let new = |(property, options): (PropertyId, Options)| {
        let before = schema.property(property)?.config.options().map_or(0, |options| options.list().len());
        Some(NewOptions { property, options: options.list()[before..].to_vec() })
    };
    known.into_iter().filter_map(new).filter(|new| !new.options.is_empty()).collect()
}
