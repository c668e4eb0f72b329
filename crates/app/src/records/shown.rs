//! A record as a caller sees it.

use super::access::find;
use crate::{
    access::RouteAccess,
    computed::values_of_few,
    loaded_schemas::schema_of,
    outcome::{AppResult, Draft},
    page_access,
    record_values::values_of,
    relations::{Reader, SHOWN_LINKS, SHOWN_OF_ONE, links_of},
    scope::{Scope, View},
};
use octavo_core_model::{
    Fault,
    fault::{Issue, Violation},
    id::{PropertyId, RecordId, WorkspaceId},
    record::Record,
};
use octavo_databases::{Property, RecordFacts, Schema, value::Values};
use octavo_permissions::Authority;
use octavo_ports::store::Reads;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// A record with everything that is shown of it.
#[derive(Clone, Debug)]
pub struct RecordDetails {
    pub record: Record,
    pub values: Values,
    pub schema: Arc<Schema>,
    /// How many records are parts of it.
    pub part_count: u64,
    /// Its links to records that the caller may see, by property.
    pub links: BTreeMap<PropertyId, Vec<RecordId>>,
    /// Its computed values in the form of the API, by property.
    pub computed: BTreeMap<PropertyId, Value>,
}

/// How much is loaded of records.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extent<'a> {
    /// The properties that will be shown; all of them if it is `None`. Links and computed values of others are not read.
    pub(crate) properties: Option<&'a [PropertyId]>,
    /// How many links of each relation, if not as many as a value shows.
    pub(crate) most_links: Option<u32>,
}

impl Extent<'_> {
    fn has(&self, property: &Property) -> bool {
        self.properties.is_none_or(|wanted| wanted.contains(&property.id))
    }
}

impl RecordDetails {
    /// Records of one database. One statement to count their parts, those of [`links_of`] and [`values_of_few`], and those of
    /// [`Reader::visible`] if they are parts of others: parents that the reader does not see are not named.
    pub(crate) async fn load<T: Reads + ?Sized>(
        scope: &mut Scope<T>,
        workspace: WorkspaceId,
        authority: &Authority,
        records: Vec<Record>,
        schema: &Arc<Schema>,
    ) -> AppResult<Vec<Self>> {
        Self::load_for(scope, workspace, Reader::Caller(authority), records, schema, Extent::default()).await
    }

    /// The same for any reader and extent.
    pub(crate) async fn load_for<T: Reads + ?Sized>(
        scope: &mut Scope<T>,
        workspace: WorkspaceId,
        reader: Reader<'_>,
        records: Vec<Record>,
        schema: &Arc<Schema>,
        extent: Extent<'_>,
    ) -> AppResult<Vec<Self>> {
        if records.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<_> = records.iter().map(|record| record.id).collect();
        let counts = count_parts(scope, workspace, reader, schema, &ids).await?;
        let wanted: Vec<_> = schema.properties().iter().filter(|property| extent.has(property)).collect();
        let usual = if records.len() == 1 { SHOWN_OF_ONE } else { SHOWN_LINKS };
        let most_links = extent.most_links.unwrap_or(usual);
        let mut links = links_of(scope, workspace, reader, &wanted, &ids, most_links).await?;
        let mut computed = values_of_few(scope, workspace, reader, schema, &records, &wanted).await?;
        let parents: BTreeSet<_> =
            records.iter().filter_map(|record| Some((record.database, record.parent?))).collect();
        let parents = if parents.is_empty() { parents } else { reader.visible(scope, workspace, &parents).await? };
        let details = |mut record: Record| {
            record.parent = record.parent.filter(|parent| parents.contains(&(record.database, *parent)));
            let (values, part_count) = (values_of(&record, schema)?, counts.get(&record.id).copied().unwrap_or(0));
            let links = links.remove(&record.id).unwrap_or_default();
            let computed = computed.remove(&record.id).unwrap_or_default();
            Ok(Self { record, values, schema: Arc::clone(schema), part_count, links, computed })
        };
        records.into_iter().map(details).collect()
    }
}

/// How many parts the reader sees of each record. One statement; two more if there are parts and the reader may not see some
/// record of the database.
async fn count_parts<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    reader: Reader<'_>,
    schema: &Schema,
    ids: &[RecordId],
) -> AppResult<BTreeMap<RecordId, u64>> {
    let counts = scope.tx.records().count_parts(workspace, ids).await?;
    let mut counts: BTreeMap<_, _> = counts.into_iter().collect();
    if counts.is_empty() {
        return Ok(counts);
    }
    let hidden = reader.hidden_records(scope, workspace, schema.database()).await?;
    if !hidden.is_empty() {
        for record in scope.tx.records().list_by_id(workspace, &Vec::from_iter(hidden)).await? {
            if let Some(count) = record.parent.and_then(|parent| counts.get_mut(&parent)) {
                *count = count.saturating_sub(1);
            }
        }
    }
    Ok(counts)
}

/// What is known of a record besides its values.
pub fn facts_of<'a>(
    record: &Record,
    links: &'a BTreeMap<PropertyId, Vec<RecordId>>,
    computed: &'a BTreeMap<PropertyId, Value>,
) -> RecordFacts<'a> {
    RecordFacts {
        created_at: record.created_at,
        created_by: record.created_by,
        edited_at: record.updated_at,
        edited_by: record.updated_by,
        number: record.number.and_then(|number| u64::try_from(number).ok()),
        links,
        computed,
    }
}

/// Refuses a selection with a property that the database does not have.
pub(super) fn require_known(schema: &Schema, select: Option<&[PropertyId]>) -> Result<(), Fault> {
    let is_unknown = |id: &&PropertyId| schema.property(**id).is_none();
    match select.and_then(|ids| ids.iter().find(is_unknown)) {
        None => Ok(()),
        Some(id) => Err(Violation::new("select", Issue::UnknownField).with(id.to_string().into()).into()),
    }
}

/// Returns one record. `select` names the properties that the caller wants to see.
pub async fn get(
    view: &mut View,
    id: Draft<RecordId>,
    select: Draft<Option<Vec<PropertyId>>>,
) -> AppResult<RecordDetails> {
    let (caller, authority) = page_access::enter(view, RouteAccess::DATABASES).await?;
    let seen = find(view, &caller, &authority, &id).await?.ok_or(Fault::NotFound)?;
    let database = view.tx.databases().find(caller.workspace, seen.record.database).await?.ok_or(Fault::NotFound)?;
    let schema = schema_of(view, &database).await?;
    let select = select?;
    require_known(&schema, select.as_deref())?;
    let (reader, extent) = (Reader::Caller(&authority), Extent { properties: select.as_deref(), ..Extent::default() });
    let found = RecordDetails::load_for(view, caller.workspace, reader, vec![seen.record], &schema, extent).await?;
    Ok(found.into_iter().next().ok_or(Fault::NotFound)?)
}
