//! Creating records from rows of texts.

use super::{
    Context, Operation, OperationStatus,
    apply::Applying,
    new_options,
    prepare::{Prepared, ReadOperation},
    save::save,
};
use crate::{
    access::WorkspaceCaller, outcome::AppResult, records::access::HeldDatabase, relations::NewLinks, scope::Unit,
};
use octavo_core_model::{Fault, id::PropertyId, page::Page};
use octavo_databases::{
    Property, Schema,
    fault::ValuesFault,
    record::{ReadValues, Write, read_texts},
};
use octavo_permissions::Authority;
use serde_json::Map;
use std::sync::Arc;

/// The texts of one row, by property.
pub(crate) type TextRow<'a> = Vec<(PropertyId, &'a str)>;

/// Creates records from rows in a database that the unit holds.
pub(crate) struct RowWriter<'a> {
    context: Context<'a>,
    node: Page,
}

impl<'a> RowWriter<'a> {
    /// Writes to this database in the name of the caller, who may edit it.
    pub(crate) fn new(caller: WorkspaceCaller, authority: &'a Authority, node: Page, held: HeldDatabase) -> Self {
        let context = Context { caller, authority, team: node.team, held, typecast: true, match_on: Vec::new() };
        Self { context, node }
    }

    pub(crate) fn node(&self) -> &Page {
        &self.node
    }

    pub(crate) fn schema(&self) -> &Arc<Schema> {
        &self.context.held.schema
    }

    /// Creates a record from each row, and returns for each row why there is none. Properties that do not exist are left
    /// out. Options that do not exist are created. The number of statements does not depend on the number of rows.
    pub(crate) async fn create(&mut self, unit: &mut Unit, rows: &[TextRow<'_>]) -> AppResult<Vec<Option<Fault>>> {
        let mut read = self.read(rows);
        let readable: Vec<_> =
            read.iter().flatten().filter(|values| !values.new_options().is_empty()).cloned().collect();
        if new_options::create(unit, &mut self.context, &self.node, readable.into_iter()).await? {
            read = self.read(rows);
        }
        let prepared = Prepared::of_new(unit, &self.context, read.into_iter().map(creating).collect()).await?;
        let (workspace, schema) = (self.context.caller.workspace, &self.context.held.schema);
        let links = NewLinks::prepare(unit, workspace, schema, &prepared.targets()).await?;
        let applying = Applying::new(unit, &self.context, prepared.records, prepared.last_position);
        let mut applying = applying.with_new_links(links);
        for operation in prepared.operations {
            applying.apply(operation).await?;
        }
        let applied = applying.finish();
        let faults = applied.results.iter().map(|result| result.fault.clone()).collect();
        if applied.results.iter().any(|result| result.status == OperationStatus::Created) {
            save(unit, &self.context, applied).await?;
        }
        Ok(faults)
    }

    fn read(&self, rows: &[TextRow<'_>]) -> Vec<Result<ReadValues, ValuesFault>> {
        rows.iter().map(|row| read_row(self.schema(), row)).collect()
    }
}

fn read_row(schema: &Schema, row: &TextRow<'_>) -> Result<ReadValues, ValuesFault> {
    let known = row.iter().filter_map(|(id, text)| Some((schema.property(*id)?, *text)));
    let is_titled = row.iter().any(|(id, _)| schema.property(*id).is_some_and(Property::is_title));
    // A record always has a title, even if no column has any.
    let title = schema.title().filter(|_| !is_titled).map(|title| (title, ""));
    read_texts(schema, known.chain(title), Write::Create)
}

fn creating(read: Result<ReadValues, ValuesFault>) -> ReadOperation {
    let operation =
        Operation::Create { properties: Map::new(), icon: None, cover_url: None, parent: None, label: None };
    ReadOperation { operation, read: Some(read) }
}
