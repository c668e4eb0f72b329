//! `/databases/{databaseId}/properties`

use super::{
    property::{AffectedPropertyReply, PropertyReply},
    sent::{SentConfig, SentDefault, SentFlag, SentName, SentPosition, fields},
};
use crate::{
    answer::{Answer, created, ok},
    dispatcher::Dispatcher,
    route::{Body, Path, Query, routes},
    wire::{Data, Version, body, query, reply},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    databases::{self, ChangedProperty, DeletedProperty, PropertyDeletion, PropertyEdit},
};
use octavo_core_model::{
    Fault, Level,
    fault::{Conflict, DataIssue, DataProblem, Denial},
    id::{DatabaseId, PropertyId},
    version::Stale,
};
use octavo_databases::{PropertyType, Schema, schema::TitleTransfer};
use std::{borrow::Cow, sync::Arc};

body! {
    /// A property to be added.
    pub(crate) NewPropertyBody {
        example: { "name": "Price", "type": "number", "config": { "format": "currency", "currency": "EUR" } };
        /// Its name, unique in the database whatever the case.
        name "name": required SentName,
        /// Its type, which cannot be changed later.
        kind "type": required PropertyType = "number",
        /// Its position; by default at the end.
        position "position": nullable SentPosition,
        /// Whether views show it unless they say otherwise; true by default.
        is_visible "isVisible": nullable SentFlag,
        /// Whether records need a value; false by default.
        required "required": nullable SentFlag,
        /// Its configuration; the keys depend on its type.
        config "config": nullable SentConfig,
        /// The value of new records that are created without one.
        default "default": nullable SentDefault,
        /// The version of the schema that the change is based on.
        schema_version "schemaVersion": optional Version,
    }
}

body! {
    /// A change of a property. Fields that are left out stay as they are.
    pub(crate) PropertyBody {
        example: { "name": "Net price" };
        /// Its name.
        name "name": nullable SentName,
        /// Refused unless it is the present one.
        kind "type": optional PropertyType = "number",
        /// Refused unless it is the present state.
        is_title "isTitle": nullable SentFlag,
        /// Its position.
        position "position": nullable SentPosition,
        /// Whether views show it.
        is_visible "isVisible": nullable SentFlag,
        /// Whether records need a value. Records without one stay as they are.
        required "required": nullable SentFlag,
        /// Keys of its configuration. Options that are not listed any more are removed, also from all records.
        config "config": nullable SentConfig,
        /// The value of new records; null removes it.
        default "default": nullable SentDefault,
        /// The version of the schema that the change is based on.
        schema_version "schemaVersion": optional Version,
    }
}

query! {
    /// What to delete along with the property.
    pub(crate) DeletionQuery {
        /// Whether to delete rollups and formulas that use it too.
        cascade "cascade": optional bool = false,
        /// The version of the schema that the deletion is based on.
        schema_version "schemaVersion": optional Version,
    }
}

reply! {
    /// The properties of a database.
    pub(crate) TitleReply {
        /// The property that is the title now.
        title_property "titleProperty": required PropertyId,
        /// The property that was the title before.
        previous_title_property "previousTitleProperty": required PropertyId,
    }
}

reply! {
    /// A property that was deleted.
    pub(crate) DeletedPropertyReply {
        /// The property.
        deleted_property "deletedProperty": required PropertyId,
        /// The other side of a relation, which was deleted too.
        removed_relations "removedRelations": required Vec<PropertyId> = [],
        /// Rollups that used it.
        removed_rollups "removedRollups": required Vec<PropertyId> = [],
        /// Formulas that used it.
        removed_formulas "removedFormulas": required Vec<PropertyId> = [],
        /// How many records lost a value.
        affected_records "affectedRecords": required u64 = 12,
    }
}

pub(super) const ARCHIVED: Fault = Fault::Conflict(Conflict::DatabaseArchived);
pub(super) const TRASHED: Fault = Fault::Conflict(Conflict::PageTrashed);
pub(super) const EDIT: Fault = Fault::Forbidden(Denial::RequiresLevel(Level::Edit));
pub(super) const NAME_TAKEN: Fault = Fault::FieldTaken(Cow::Borrowed("name"));
const IS_TITLE: &[DataProblem] = &[DataProblem::new(DataIssue::CannotDeleteTitleProperty)];
pub(super) const HAS_DEPENDENTS: &[DataProblem] = &[DataProblem::new(DataIssue::HasDependents)];
const NO_TEXT: &[DataProblem] = &[DataProblem::new(DataIssue::NotTextCompatible)];
const STALE: Fault = Fault::Conflict(Conflict::StaleSchema(Stale { actual: 4, received: 3 }));

routes! {
    /// Lists the properties of a database.
    ///
    /// All of them, in their order.
    GET "/databases/{databaseId}/properties" as listProperties => list {
        caller: Inside(RouteAccess::DATABASES),
        limits: [],
        takes: (database: Path<DatabaseId>),
        answers: { 200: Data<Vec<PropertyReply>> },
        refusals: [EDIT],
        events: [],
    }

    /// Adds a property.
    ///
    /// For callers that may edit the database. Options of `select`, `multi_select` and `status` get ids that are derived
    /// from their names.
    POST "/databases/{databaseId}/properties" as createProperty => add {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (database: Path<DatabaseId>, body: Body<NewPropertyBody>),
        answers: { 201: Data<PropertyReply> },
        refusals: [
            EDIT,
            ARCHIVED,
            TRASHED,
            STALE,
            NAME_TAKEN,
            Fault::Conflict(Conflict::LimitReached(200)),
        ],
        events: [DatabaseUpdated],
    }

    /// Changes a property.
    ///
    /// For callers that may edit the database. Type and title cannot be changed here. An option that is listed without
    /// its id keeps the id of the option with that name.
    PATCH "/databases/{databaseId}/properties/{propertyId}" as updateProperty => change {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (database: Path<DatabaseId>, property: Path<PropertyId>, body: Body<PropertyBody>),
        answers: { 200: Data<AffectedPropertyReply> },
        refusals: [EDIT, ARCHIVED, TRASHED, STALE, NAME_TAKEN],
        events: [DatabaseUpdated],
    }

    /// Deletes a property.
    ///
    /// For callers that may edit the database. Its values are gone with it. The title cannot be deleted, and a property
    /// that rollups or formulas use only with `cascade=true`.
    DELETE "/databases/{databaseId}/properties/{propertyId}" as deleteProperty => delete {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (database: Path<DatabaseId>, property: Path<PropertyId>, query: Query<DeletionQuery>),
        answers: { 200: Data<DeletedPropertyReply> },
        refusals: [
            EDIT,
            ARCHIVED,
            TRASHED,
            Fault::Data(Cow::Borrowed(IS_TITLE)),
            Fault::Data(Cow::Borrowed(HAS_DEPENDENTS)),
        ],
        events: [DatabaseUpdated],
    }

    /// Makes a property the title.
    ///
    /// For callers that may edit the database. The property must be of the type `text` or `rich_text`; the former title
    /// becomes a `text`. Values stay where they are.
    POST "/databases/{databaseId}/properties/{propertyId}/set-title" as setTitleProperty => set_title {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (database: Path<DatabaseId>, property: Path<PropertyId>),
        answers: { 200: Data<TitleReply> },
        refusals: [
            EDIT,
            ARCHIVED,
            TRASHED,
            Fault::Data(Cow::Borrowed(NO_TEXT)),
        ],
        events: [DatabaseUpdated],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, database: Draft<DatabaseId>) -> Answer {
    let shape = |schema: Arc<Schema>| ok(PropertyReply::all(&schema));
    dispatcher.read(call, move |view| Box::pin(databases::list_properties(view, database)), shape).await
}

async fn add(dispatcher: Dispatcher, call: Call, database: Draft<DatabaseId>, body: Draft<NewPropertyBody>) -> Answer {
    let draft = body.map(|body| PropertyEdit {
        expected: body.schema_version.map(|version| version.0),
        sent: fields([
            ("name", Some(Some(body.name.0))),
            ("type", Some(Some(body.kind.name().into()))),
            ("position", body.position.map(|sent| sent.map(|sent| sent.0))),
            ("isVisible", body.is_visible.map(|sent| sent.map(|sent| sent.0))),
            ("required", body.required.map(|sent| sent.map(|sent| sent.0))),
            ("config", body.config.map(|sent| sent.map(|sent| sent.0))),
            ("default", body.default.map(|sent| sent.map(|sent| sent.0))),
        ]),
    });
    let shape = |changed: ChangedProperty| created(PropertyReply::changed(&changed));
    dispatcher
        .write_repeatably(
            call,
            move |unit| Box::pin(databases::add_property(unit, database.clone(), draft.clone())),
            shape,
        )
        .await
}

async fn change(
    dispatcher: Dispatcher,
    call: Call,
    database: Draft<DatabaseId>,
    property: Draft<PropertyId>,
    body: Draft<PropertyBody>,
) -> Answer {
    let draft = body.map(|body| PropertyEdit {
        expected: body.schema_version.map(|version| version.0),
        sent: fields([
            ("name", body.name.map(|sent| sent.map(|sent| sent.0))),
            ("type", body.kind.map(|kind| Some(kind.name().into()))),
            ("isTitle", body.is_title.map(|sent| sent.map(|sent| sent.0))),
            ("position", body.position.map(|sent| sent.map(|sent| sent.0))),
            ("isVisible", body.is_visible.map(|sent| sent.map(|sent| sent.0))),
            ("required", body.required.map(|sent| sent.map(|sent| sent.0))),
            ("config", body.config.map(|sent| sent.map(|sent| sent.0))),
            ("default", body.default.map(|sent| sent.map(|sent| sent.0))),
        ]),
    });
    let shape = |changed: ChangedProperty| ok(PropertyReply::with_affected_records(&changed));
    dispatcher
        .write_repeatably(
            call,
            move |unit| Box::pin(databases::change_property(unit, database.clone(), property.clone(), draft.clone())),
            shape,
        )
        .await
}

async fn delete(
    dispatcher: Dispatcher,
    call: Call,
    database: Draft<DatabaseId>,
    property: Draft<PropertyId>,
    query: Draft<DeletionQuery>,
) -> Answer {
    let wanted = query.map(PropertyDeletion::from);
    let shape = |deleted| ok(DeletedPropertyReply::from(deleted));
    dispatcher
        .write_repeatably(
            call,
            move |unit| Box::pin(databases::delete_property(unit, database.clone(), property.clone(), wanted.clone())),
            shape,
        )
        .await
}

impl From<DeletionQuery> for PropertyDeletion {
    fn from(query: DeletionQuery) -> Self {
        Self { cascade: query.cascade.unwrap_or(false), expected: query.schema_version.map(|version| version.0) }
    }
}

impl From<DeletedProperty> for DeletedPropertyReply {
    fn from(deleted: DeletedProperty) -> Self {
        Self {
            deleted_property: deleted.property,
            removed_relations: deleted.along.relations,
            removed_rollups: deleted.along.rollups,
            removed_formulas: deleted.along.formulas,
            affected_records: deleted.affected_records,
        }
    }
}

async fn set_title(
    dispatcher: Dispatcher,
    call: Call,
    database: Draft<DatabaseId>,
    property: Draft<PropertyId>,
) -> Answer {
    let shape =
        |TitleTransfer { title, previous }| ok(TitleReply { title_property: title, previous_title_property: previous });
    dispatcher
        .write_repeatably(
            call,
            move |unit| Box::pin(databases::set_title(unit, database.clone(), property.clone())),
            shape,
        )
        .await
}
