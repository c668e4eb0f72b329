//! Writing the copies of databases.

use super::{
    Original, Originals,
    dashboards::CopiedDashboards,
    links::copy_links,
    plan::{Copies, Plan},
    values::CopiedValues,
};
use crate::{
    access::WorkspaceCaller, outcome::AppResult, page_access::visibility::Visibility, relations::Reader, scope::Unit,
};
use octavo_blocks_tree::CopiedIds;
use octavo_core_model::{
    Level,
    chart::Chart,
    database::{Database, SchemaState},
    id::{ChartId, DatabaseId, PropertyId, ViewId, WorkspaceId},
    record::{Record, RecordPage},
};
use octavo_databases::{
    Property,
    copy::{CopiedNames, copied_properties, copied_view},
    types::RelationConfig,
};
use std::collections::BTreeSet;

/// Writes the copies of databases, and returns what mentions in blocks can lead to. Their nodes are written with the pages.
pub(crate) async fn write(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    reader: Reader<'_>,
    from: WorkspaceId,
    originals: &Originals,
    copies: &Copies,
) -> AppResult<CopiedIds> {
    let mut ids = copies.mentioned();
    let dashboards = CopiedDashboards::read(unit, from, copies).await?;
    if originals.is_empty() && dashboards.is_empty() {
        return Ok(ids);
    }
    let stays = from == caller.workspace;
    let mut names = CopiedNames::default();
    dashboards.name(unit, &mut names);
    copies.records.iter().for_each(|(original, copy)| names.add(*original, *copy));
    for Original { database, schema, views, charts, .. } in &originals.0 {
        if let Some(copy) = copies.database(database.id) {
            names.add(database.id, copy);
        }
        for property in schema.properties() {
            names.add(property.id, unit.id(PropertyId::new));
        }
        for view in views {
            let copy = unit.id(ViewId::new);
            names.add(view.id, copy);
            ids.views.insert(view.id, copy);
        }
        for chart in charts {
            let copy = unit.id(ChartId::new);
            names.add(chart.id, copy);
            ids.charts.insert(chart.id, copy);
        }
    }
    let kept_targets = if stays { kept_targets(unit, reader, from, originals, copies).await? } else { BTreeSet::new() };
    let plan = Plan { copies, names, kept_targets };
    let members = if stays { None } else { Some(unit.tx.members().list_ids(caller.workspace).await?) };
    let members = members.map(|members| members.into_iter().collect());
    let values = CopiedValues { ids: &ids, members };
    for original in &originals.0 {
        if let Some(id) = copies.database(original.database.id) {
            write_one(unit, caller, original, id, &plan, &values).await?;
        }
    }
    dashboards.write(unit, caller, copies, &plan.names, stays).await?;
    copy_links(unit, reader, caller.workspace, originals, &plan).await?;
    Ok(ids)
}

/// The databases that are not copied and that the reader sees. A link shows no relations to what it does not cover.
async fn kept_targets(
    unit: &mut Unit,
    reader: Reader<'_>,
    workspace: WorkspaceId,
    originals: &Originals,
    copies: &Copies,
) -> AppResult<BTreeSet<DatabaseId>> {
    let Reader::Caller(authority) = reader else { return Ok(BTreeSet::new()) };
    let targets = originals.0.iter().flat_map(|original| original.schema.relation_targets());
    let outside: BTreeSet<_> = targets.filter(|target| copies.database(*target).is_none()).collect();
    if outside.is_empty() {
        return Ok(outside);
    }
    let nodes: Vec<_> = outside.iter().map(|target| target.node()).collect();
    let nodes = unit.tx.pages().list_by_id(workspace, &nodes).await?;
    let mut visibility = Visibility::of_everything(workspace, authority);
    visibility.look_up(unit, nodes.iter().map(|node| node.access)).await?;
    let seen = nodes.iter().filter(|node| node.trash.is_none() && visibility.level_of(node) >= Level::View);
    Ok(seen.map(|node| node.id.as_database()).collect())
}

async fn write_one(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    original: &Original,
    id: DatabaseId,
    plan: &Plan<'_>,
    values: &CopiedValues<'_>,
) -> AppResult<()> {
    let (workspace, now) = (caller.workspace, unit.call.now);
    let Original { database, schema, views, charts, .. } = original;
    let copy = Database {
        id,
        workspace,
        schema: SchemaState { version: 1, changed_at: now, next_slot: database.schema.next_slot, epoch: 0 },
        created_by: Some(caller.author()),
        created_at: now,
        updated_at: now,
        ..database.clone()
    };
    unit.tx.databases().insert(&copy).await?;
    let fate = |_: &Property, relation: &RelationConfig| plan.fate(relation);
    let properties = copied_properties(schema, id, &plan.names, &fate, now).into_iter();
    let with_default =
        |property: Property| Property { default: property.default.and_then(|value| values.value(value)), ..property };
    let properties: Vec<_> = properties.map(with_default).collect();
    unit.tx.databases().insert_properties(workspace, &properties).await?;
    let copied = |view: &octavo_databases::views::StoredView| {
        let copy = values.ids.views.get(&view.id)?;
        Some(copied_view(view.clone(), *copy, &plan.names, now))
    };
    let views: Vec<_> = views.iter().filter_map(copied).collect();
    unit.tx.databases().insert_views(workspace, id, &views).await?;
    for chart in charts {
        let Some(copy) = values.ids.charts.get(&chart.id) else { continue };
        let author = Some(caller.author());
        let copy = Chart {
            id: *copy,
            workspace,
            database: id,
            name: chart.name.clone(),
            settings: plan.names.renamed(chart.settings.clone()),
            version: 1,
            created_by: author,
            updated_by: author,
            created_at: now,
            updated_at: now,
        };
        unit.tx.charts().insert(&copy).await?;
    }
    write_records(unit, caller, original, id, plan, values).await
}

async fn write_records(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    original: &Original,
    database: DatabaseId,
    plan: &Plan<'_>,
    values: &CopiedValues<'_>,
) -> AppResult<()> {
    let (workspace, now, author) = (caller.workspace, unit.call.now, Some(caller.author()));
    let mut copies = Vec::with_capacity(original.records.len());
    for record in &original.records {
        let Some(id) = plan.copies.record(record.id) else { continue };
        let has_row = plan.copies.nodes.contains_key(&record.id.page());
        copies.push(Record {
            id,
            workspace,
            database,
            parent: record.parent.and_then(|parent| plan.copies.record(parent)),
            bag: values.bag(record, &original.schema)?,
            page: if has_row { RecordPage::Stored } else { RecordPage::Implied },
            version: 1,
            created_by: author,
            created_at: now,
            updated_by: author,
            updated_at: now,
            ..record.clone()
        });
    }
    let active = copies.iter().filter(|record| record.archived_at.is_none()).count();
    // The copies keep their numbers, and new records get higher ones.
    let last = copies.iter().filter_map(|record| record.number).max();
    let last = last.and_then(|last| u32::try_from(last).ok()).filter(|last| *last > 0);
    let first = copies.first().map(|record| record.id);
    unit.tx.records().insert_many(copies).await?;
    if let Some(first) = first.filter(|_| active > 0) {
        let active = i64::try_from(active).unwrap_or(i64::MAX);
        unit.tx.databases().change_record_count(workspace, database, first, active).await?;
    }
    if let Some(last) = last {
        unit.tx.databases().take_numbers(workspace, database, last).await?;
    }
    Ok(())
}
