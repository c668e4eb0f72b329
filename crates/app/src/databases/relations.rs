//! The relations of a database: another way to properties of the type `relation`.

use super::{
    access::find,
    properties::{
        ChangedProperty, DeletedProperty, PropertyDeletion, PropertyEdit, add_property, change_property,
        delete_property,
    },
};
use crate::{
    access::RouteAccess,
    loaded_schemas::schema_of,
    outcome::{AppResult, Draft, Interrupt},
    page_access::{self, visibility::Visibility},
    relations::side_of,
    scope::{Scope, Unit, View},
};
use octavo_core_model::{
    Fault, Level,
    id::{DatabaseId, PropertyId, WorkspaceId},
    text::PageTitle,
};
use octavo_databases::{
    Property, Schema,
    types::{PropertyConfig, RelationConfig},
};
use octavo_permissions::Authority;
use octavo_ports::store::Reads;
use std::collections::BTreeMap;

/// A relation, as a caller sees it.
#[derive(Clone, Debug)]
pub struct RelationDetails {
    pub property: Property,
    pub relation: RelationConfig,
    /// The title of the database that it leads to; `None` if the caller may not see it.
    pub target_title: Option<PageTitle>,
    /// The rollups that use it.
    pub dependents: Vec<PropertyId>,
    pub link_count: u64,
}

/// Lists the relations of a database in the order of its properties.
pub async fn list_relations(view: &mut View, id: Draft<DatabaseId>) -> AppResult<Vec<RelationDetails>> {
    let (caller, authority) = page_access::enter(view, RouteAccess::DATABASES).await?;
    let seen = find(view, &caller, &authority, &id).await?.ok_or(Fault::NotFound)?;
    let schema = schema_of(view, &seen.database).await?;
    details(view, caller.workspace, &authority, &schema, schema.properties()).await
}

/// Creates a relation.
pub async fn add_relation(
    unit: &mut Unit,
    id: Draft<DatabaseId>,
    draft: Draft<PropertyEdit>,
) -> AppResult<RelationDetails> {
    let changed = add_property(unit, id, draft).await.map_err(beside_name)?;
    changed_relation(unit, &changed).await
}

/// Changes a relation.
pub async fn change_relation(
    unit: &mut Unit,
    id: Draft<DatabaseId>,
    relation: Draft<PropertyId>,
    draft: Draft<PropertyEdit>,
) -> AppResult<RelationDetails> {
    let relation = only_relation(unit, &id, relation).await?;
    let changed = change_property(unit, id, relation, draft).await.map_err(beside_name)?;
    changed_relation(unit, &changed).await
}

/// Deletes a relation with its links.
pub async fn delete_relation(
    unit: &mut Unit,
    id: Draft<DatabaseId>,
    relation: Draft<PropertyId>,
    wanted: Draft<PropertyDeletion>,
) -> AppResult<DeletedProperty> {
    let relation = only_relation(unit, &id, relation).await?;
    delete_property(unit, id, relation, wanted).await
}

/// The configuration of a property is an object; these routes have its fields beside the name.
fn beside_name(interrupt: Interrupt) -> Interrupt {
    const CONFIG: &str = "config.";
    let Interrupt::Fault(fault) = interrupt else { return interrupt };
    Interrupt::Fault(match fault {
        Fault::UnknownId(field) => Fault::UnknownId(field.strip_prefix(CONFIG).unwrap_or(field)),
        Fault::FieldTaken(field) => Fault::FieldTaken(match field.strip_prefix(CONFIG) {
            Some(field) => field.to_owned().into(),
            None => field,
        }),
        Fault::Invalid(mut flaws) => {
            for flaw in &mut flaws {
                if let Some(field) = flaw.field.strip_prefix(CONFIG) {
                    flaw.field = field.to_owned();
                }
            }
            Fault::Invalid(flaws)
        }
        Fault::Data(problems) => {
            let mut problems = problems.into_owned();
            for field in problems.iter_mut().filter_map(|problem| problem.field.as_mut()) {
                if let Some(own) = field.strip_prefix(CONFIG) {
                    *field = own.to_owned();
                }
            }
            Fault::Data(problems.into())
        }
        other => other,
    })
}

/// The id of a property, if that is a relation. Others do not exist for these routes.
async fn only_relation(
    unit: &mut Unit,
    database: &Draft<DatabaseId>,
    relation: Draft<PropertyId>,
) -> AppResult<Draft<PropertyId>> {
    let (Ok(database), Ok(id)) = (database, &relation) else { return Ok(relation) };
    let (caller, _) = page_access::enter(unit, RouteAccess::DATABASES_CHANGE).await?;
    let properties = unit.tx.databases().list_properties(caller.workspace, &[*database]).await?;
    let is_other = |property: &Property| property.id == *id && property.config.relation().is_none();
    Ok(if properties.iter().any(is_other) { Err(Fault::NotFound) } else { relation })
}

async fn changed_relation(unit: &mut Unit, changed: &ChangedProperty) -> AppResult<RelationDetails> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::DATABASES_CHANGE).await?;
    let property = changed.schema.property(changed.property).cloned().ok_or(Fault::NotFound)?;
    let found = details(unit, caller.workspace, &authority, &changed.schema, &[property]).await?;
    Ok(found.into_iter().next().ok_or(Fault::NotFound)?)
}

/// The relations among these properties, with what the caller may see of them.
async fn details<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    authority: &Authority,
    schema: &Schema,
    properties: &[Property],
) -> AppResult<Vec<RelationDetails>> {
    let relations = properties.iter().filter_map(|property| property.config.relation().map(|found| (property, found)));
    let relations: Vec<_> = relations.collect();
    let nodes: Vec<_> = relations.iter().map(|(_, relation)| relation.target.node()).collect();
    let nodes = scope.tx.pages().list_by_id(workspace, &nodes).await?;
    let mut visibility = Visibility::of_everything(workspace, authority);
    visibility.look_up(scope, nodes.iter().map(|node| node.access)).await?;
    let seen = nodes.iter().filter(|node| visibility.level_of(node) >= Level::View);
    let titles: BTreeMap<_, _> = seen.map(|node| (node.id, node.title.clone())).collect();
    let mut found = Vec::with_capacity(relations.len());
    for (property, relation) in relations {
        let side = side_of(property, relation);
        found.push(RelationDetails {
            property: property.clone(),
            relation: relation.clone(),
            target_title: titles.get(&relation.target.node()).cloned(),
            dependents: dependents(schema, property.id),
            link_count: scope.tx.record_links().count(workspace, side.property).await?,
        });
    }
    Ok(found)
}

/// The rollups that read their values through a relation.
fn dependents(schema: &Schema, relation: PropertyId) -> Vec<PropertyId> {
    let uses = |property: &&Property| match &property.config {
        PropertyConfig::Rollup(rollup) => rollup.relation == relation,
        _ => false,
    };
    schema.properties().iter().filter(uses).map(|property| property.id).collect()
}
