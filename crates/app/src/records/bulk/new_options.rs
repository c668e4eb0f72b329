//! Creating the options that plain texts name.

use super::{Context, Operation};
use crate::{databases::add_named_options, outcome::AppResult, scope::Unit};
use octavo_core_model::{id::PropertyId, page::Page};
use octavo_databases::{
    Schema,
    options::Options,
    record::{How, NewOptions, Write, read},
    types::Form,
};
use std::{collections::BTreeMap, sync::Arc};

/// Creates the options that do not exist yet, so that the operations find all of them.
pub(super) async fn create(
    unit: &mut Unit,
    context: &mut Context<'_>,
    node: &Page,
    operations: &[Operation],
) -> AppResult<()> {
    let added = named(&context.held.schema, operations);
    if added.is_empty() {
        return Ok(());
    }
    let (database, schema) = add_named_options(unit, node, &context.held.database, &added).await?;
    context.held.database = database;
    context.held.schema = Arc::new(schema);
    Ok(())
}

/// The options that the operations name and that do not exist. Operations that cannot be read are refused later.
fn named(schema: &Schema, operations: &[Operation]) -> Vec<NewOptions> {
    let how = How { write: Write::Update, form: Form::Any, allows_references: true };
    let mut known: BTreeMap<PropertyId, Options> = BTreeMap::new();
    for operation in operations {
        let (Operation::Create { properties: sent, .. }
        | Operation::Upsert { properties: sent }
        | Operation::Update { properties: Some(sent), .. }) = operation
        else {
            continue;
        };
        let Ok(values) = read(schema, sent.clone(), how) else { continue };
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
