//! Listing the records of a database in their order.

use super::shown::{Extent, RecordDetails, require_known};
use crate::{
    access::RouteAccess,
    loaded_schemas::schema_of,
    outcome::{AppResult, Draft},
    page_access::{self, lineage},
    relations::Reader,
    scope::View,
};
use octavo_core_model::{
    Fault,
    id::{DatabaseId, PropertyId, RecordId},
    record::RecordPlace,
};
use octavo_ports::records::RecordFilter;

/// Which records to list.
#[derive(Clone, Debug)]
pub struct RecordList {
    pub with_archived: bool,
    /// Only parts of this record.
    pub part_of: Option<RecordId>,
    /// The properties that the caller wants to see; all if there is no selection.
    pub select: Option<Vec<PropertyId>>,
    pub after: Option<RecordPlace>,
    pub limit: u32,
}

/// Lists records that the caller may see.
pub async fn list(
    view: &mut View,
    database: Draft<DatabaseId>,
    asked: Draft<RecordList>,
) -> AppResult<Vec<RecordDetails>> {
    let (caller, authority) = page_access::enter(view, RouteAccess::DATABASES).await?;
    let node = lineage::find(view, &caller, &authority, &database).await?.ok_or(Fault::NotFound)?;
    let id = node.page.id.as_database();
    let database = view.tx.databases().find(caller.workspace, id).await?.ok_or(Fault::NotFound)?;
    let asked = asked?;
    let schema = schema_of(view, &database).await?;
    require_known(&schema, asked.select.as_deref())?;
    let within = Reader::Caller(&authority).records_within(view, caller.workspace, id).await?;
    let filter = RecordFilter { with_archived: asked.with_archived, parent: asked.part_of, within };
    let records = view.tx.records().list(caller.workspace, id, &filter, asked.after.as_ref(), asked.limit).await?;
    let (reader, extent) =
        (Reader::Caller(&authority), Extent { properties: asked.select.as_deref(), ..Extent::default() });
    RecordDetails::load_for(view, caller.workspace, reader, records, &schema, extent).await
}
