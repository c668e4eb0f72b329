//! The part of `/pages/import` that is about tables.

use super::import_body::{DatabaseField, ImportBody, ImportReply, SentMapping, text_of};
use crate::{
    answer::{Answer, created},
    dispatcher::Dispatcher,
    v1::locations,
};
use octavo_app::{
    Call, Draft, Engine,
    csv_import::{self, ImportedTable, Table, TableTarget},
    pages::Place,
};
use octavo_core_model::{
    Fault,
    fault::{Hint, Issue, RejectedRow, Violation},
    text::DatabaseTitle,
};
use octavo_databases::import::Mapping;
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) async fn import(
    dispatcher: Dispatcher,
    call: Call,
    place: Draft<Place>,
    database: Draft<DatabaseField>,
    body: Draft<ImportBody>,
) -> Answer {
    let target = match database.map(|field| field.id.flatten()) {
        Ok(Some(id)) => TableTarget::Existing(Ok(id)),
        Ok(None) => TableTarget::New(place),
        Err(fault) => TableTarget::Existing(Err(fault)),
    };
    let table = body.and_then(read);
    let import = |engine: Arc<Engine>, call| async move {
        let shape = |done: ImportedTable| {
            let location = locations::database(done.database);
            created(ImportReply::from(done)).at(location)
        };
        csv_import::import(&engine, call, target, table, shape).await
    };
    dispatcher.importing().flow(call, import).await
}

fn read(body: ImportBody) -> Draft<Table> {
    let mut flaws = Vec::new();
    if body.database_id.flatten().is_some() {
        let rule = "only without `databaseId`, because the records go where the database is";
        let sent = [
            ("parentId", body.parent_id.as_ref().is_some_and(Option::is_some)),
            ("teamId", body.team_id.flatten().is_some()),
        ];
        let sent = sent.into_iter().filter(|(_, is_sent)| *is_sent);
        flaws
            .extend(sent.map(|(field, _)| Violation::new(field, Issue::InvalidValue).hinting(Hint::ruled_by(&[rule]))));
    }
    let title = body.title.as_ref().and_then(|title| {
        let read = DatabaseTitle::parse(title.as_str());
        if read.is_err() {
            let most = Hint { max: i64::try_from(DatabaseTitle::MAX).ok(), ..Hint::default() };
            flaws.push(Violation::new("title", Issue::TooLong).hinting(most));
        }
        read.ok()
    });
    let mapping = match body.mapping.clone() {
        Some(SentMapping(Value::Object(sent))) => Mapping::read(sent).unwrap_or_else(|found| {
            flaws.extend(found);
            Mapping::default()
        }),
        _ => Mapping::default(),
    };
    let (delimiter, atomic) = (body.delimiter, body.atomic.unwrap_or(false));
    if !flaws.is_empty() {
        return Err(Fault::Invalid(flaws));
    }
    Ok(Table { text: text_of(body)?.into(), title, mapping, delimiter, atomic })
}

impl From<ImportedTable> for ImportReply {
    fn from(done: ImportedTable) -> Self {
        let rejected = |row: RejectedRow| json!({ "row": row.row, "column": row.column, "issue": row.issue }).into();
        Self {
            page_id: done.page,
            database_id: Some(done.database),
            imported_records: done.imported,
            rejected_rows: done.rejected.into_iter().map(rejected).collect(),
            warnings: done.warnings,
        }
    }
}
