//! A page that is moved into a database becomes the page of a new record.

use super::hold;
use crate::{
    outcome::AppResult,
    record_values::{has_numbers, snapshot, written_bytes},
    scope::Unit,
    write_budget::WrittenSize,
};
use octavo_blocks_tree::RichText;
use octavo_core_model::{
    database::Database,
    event::{
        EventPayload,
        records::{OfRecord, RecordCreated, RecordOrigin},
    },
    id::{DatabaseId, UserId, WorkspaceId},
    page::Page,
    position::Position,
    record::{Record, RecordPage},
};
use octavo_databases::{
    Schema,
    stored::encode,
    value::{PropertyValue, Values},
};
use std::sync::Arc;

/// A database that takes in a page. Nobody else changes its schema, archives or removes it meanwhile.
#[derive(Clone, Debug)]
pub(crate) struct Host {
    database: Database,
    schema: Arc<Schema>,
}

impl Host {
    /// Locks the database. Refuses if it is archived.
    pub(crate) async fn lock(unit: &mut Unit, workspace: WorkspaceId, id: DatabaseId) -> AppResult<Self> {
        let (database, schema) = hold(unit, workspace, id).await?;
        Ok(Self { database, schema })
    }

    /// The position behind all records.
    pub(crate) async fn end(&self, unit: &mut Unit) -> AppResult<Position> {
        let Database { workspace, id, .. } = self.database;
        let last = unit.tx.records().find_last_position(workspace, id).await?;
        Ok(Position::after(last.as_ref()))
    }

    /// Creates the record of a page that has been put into the database. The title is that of the page; other
    /// properties get their default. Properties that require a value can be left without one here, because the move
    /// of a page cannot name any.
    pub(crate) async fn adopt(&self, unit: &mut Unit, page: &Page, by: UserId) -> AppResult<()> {
        let Database { workspace, id: database, .. } = self.database;
        let values = self.first_values(page);
        let now = unit.call.now;
        let mut record = Record {
            id: page.id.as_record(),
            workspace,
            database,
            parent: None,
            position: page.position.clone(),
            bag: encode(&values),
            icon: page.icon.clone(),
            cover_url: page.cover_url.clone(),
            number: None,
            archived_at: None,
            page: if page.has_entries() { RecordPage::WithEntries } else { RecordPage::Stored },
            version: 1,
            created_by: Some(by),
            created_at: now,
            updated_by: Some(by),
            updated_at: now,
        };
        unit.count_written(WrittenSize::of_records(1, written_bytes(&record)))?;
        if has_numbers(&self.schema) {
            record.number = Some(unit.tx.databases().take_numbers(workspace, database, 1).await?);
        }
        unit.tx.records().insert_many(vec![record.clone()]).await?;
        unit.tx.databases().change_record_count(workspace, database, record.id, 1).await?;
        let properties = snapshot(&values, &self.schema);
        let created = RecordCreated { parent_record_id: None, properties, via: Some(RecordOrigin::Move) };
        unit.emit(workspace, EventPayload::RecordCreated(OfRecord::new(&record, page.team, created)));
        Ok(())
    }

    fn first_values(&self, page: &Page) -> Values {
        let defaults = self.schema.properties().iter().map(|property| (property.slot, property.default.clone()));
        let mut values: Values = defaults.filter_map(|(slot, value)| Some((slot, value?))).collect();
        if let Some(title) = self.schema.title() {
            values.set(title.slot, Some(PropertyValue::RichText(RichText::plain(page.title.as_str()))));
        }
        values
    }
}
