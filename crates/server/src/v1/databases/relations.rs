//! `/databases/{databaseId}/relations`
//!
//! A relation is a property; these routes are another way to it.

use super::{
    properties::{ARCHIVED, DeletedPropertyReply, DeletionQuery, EDIT, HAS_DEPENDENTS, NAME_TAKEN, TRASHED},
    sent::{SentFlag, SentName, fields},
};
use crate::{
    answer::{Answer, created, ok},
    dispatcher::Dispatcher,
    route::{Body, Path, Query, routes},
    wire::{Data, Documented, Readable, Version, Writable, body, reply},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    databases::{self, PropertyDeletion, PropertyEdit, RelationDetails},
};
use octavo_core_model::{
    Fault,
    fault::{Conflict, DataIssue, DataProblem, Issue},
    id::{DatabaseId, PropertyId},
    text::{PageTitle, PropertyName},
};
use octavo_databases::types::Cardinality;
use serde::Serializer;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// How many links the records on both sides may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SentCardinality(Cardinality);

impl Documented for SentCardinality {
    fn schema() -> Value {
        json!({ "type": "string", "enum": Cardinality::ALL })
    }

    fn example() -> Value {
        "many_to_many".into()
    }
}

impl Readable for SentCardinality {
    fn read(value: &Value) -> Result<Self, Issue> {
        let text = value.as_str().ok_or(Issue::InvalidType)?;
        text.parse().map(Self).map_err(|_| Issue::InvalidValue)
    }
}

impl Writable for SentCardinality {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

body! {
    /// A relation to be created.
    pub(crate) NewRelationBody {
        /// Its name, unique in the database whatever the case.
        name "name": required SentName,
        /// The database of the linked records.
        target_database_id "targetDatabaseId": required DatabaseId,
        /// How many links the records on both sides may have; any number by default.
        cardinality "cardinality": optional SentCardinality,
        /// Whether a property of the target shows the same links from the other side; false by default.
        bidirectional "bidirectional": optional SentFlag,
        /// The name of that property; by default the title of this database.
        reverse_name "reverseName": nullable SentName,
        /// The version of the schema that the change is based on.
        schema_version "schemaVersion": optional Version,
    }
}

body! {
    /// A change of a relation. Fields that are left out stay as they are.
    pub(crate) RelationBody {
        example: { "name": "Author" };
        /// Its name.
        name "name": optional SentName,
        /// The name of the property on the other side.
        reverse_name "reverseName": nullable SentName,
        /// Whether there is such a property.
        bidirectional "bidirectional": optional SentFlag,
        /// How many links the records on both sides may have. Refused if records have more.
        cardinality "cardinality": optional SentCardinality,
        /// The version of the schema that the change is based on.
        schema_version "schemaVersion": optional Version,
    }
}

reply! {
    /// A relation.
    pub(crate) RelationReply {
        /// The id of the property.
        id "id": required PropertyId,
        /// Its name.
        name "name": required PropertyName = "Author",
        /// The database of the linked records.
        target_database_id "targetDatabaseId": required DatabaseId,
        /// The title of that database; null if the caller may not see it.
        target_title "targetTitle": nullable PageTitle = "People",
        /// How many links the records on both sides may have.
        cardinality "cardinality": required SentCardinality,
        /// Whether a property of the target shows the same links from the other side.
        bidirectional "bidirectional": required bool = true,
        /// That property.
        reverse_property_id "reversePropertyId": nullable PropertyId,
        /// Its name.
        reverse_name "reverseName": nullable PropertyName = "Books",
        /// The rollups that use the relation.
        dependents "dependents": required Vec<PropertyId> = [],
        /// How many links there are.
        link_count "linkCount": required u64 = 12,
    }
}

const BROKEN: Fault = Fault::Data(Cow::Borrowed(&[DataProblem::new(DataIssue::CardinalityViolation)]));
const NO_TARGET: Fault = Fault::UnknownId("targetDatabaseId");

routes! {
    /// Lists the relations of a database.
    ///
    /// All of them, in the order of their properties.
    GET "/databases/{databaseId}/relations" as listRelations => list {
        caller: Inside(RouteAccess::DATABASES),
        limits: [],
        takes: (database: Path<DatabaseId>),
        answers: { 200: Data<Vec<RelationReply>> },
        refusals: [EDIT],
        events: [],
    }

    /// Creates a relation.
    ///
    /// For callers that may edit the database and see the target; if the relation is visible on both sides, for those
    /// that may edit both.
    POST "/databases/{databaseId}/relations" as createRelation => create {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (database: Path<DatabaseId>, body: Body<NewRelationBody>),
        answers: { 201: Data<RelationReply> },
        refusals: [EDIT, ARCHIVED, TRASHED, NAME_TAKEN, NO_TARGET, Fault::Conflict(Conflict::LimitReached(200))],
        events: [DatabaseUpdated],
    }

    /// Changes a relation.
    ///
    /// For callers that may edit the database. Whoever makes it visible on both sides must be allowed to edit the target
    /// too.
    PATCH "/databases/{databaseId}/relations/{relationId}" as updateRelation => update {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (database: Path<DatabaseId>, relation: Path<PropertyId>, body: Body<RelationBody>),
        answers: { 200: Data<RelationReply> },
        refusals: [EDIT, ARCHIVED, TRASHED, NAME_TAKEN, BROKEN],
        events: [DatabaseUpdated],
    }

    /// Deletes a relation.
    ///
    /// Like the property that it is, with all its links.
    DELETE "/databases/{databaseId}/relations/{relationId}" as deleteRelation => delete {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (database: Path<DatabaseId>, relation: Path<PropertyId>, query: Query<DeletionQuery>),
        answers: { 200: Data<DeletedPropertyReply> },
        refusals: [EDIT, ARCHIVED, TRASHED, Fault::Data(Cow::Borrowed(HAS_DEPENDENTS))],
        events: [DatabaseUpdated],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, database: Draft<DatabaseId>) -> Answer {
    let shape = |found: Vec<RelationDetails>| ok(found.into_iter().map(RelationReply::from).collect::<Vec<_>>());
    dispatcher.read(call, move |view| Box::pin(databases::list_relations(view, database)), shape).await
}

async fn create(
    dispatcher: Dispatcher,
    call: Call,
    database: Draft<DatabaseId>,
    body: Draft<NewRelationBody>,
) -> Answer {
    let draft = body.map(|body| {
        let mut config = config(body.cardinality, body.bidirectional, body.reverse_name);
        config.insert("targetDatabaseId".to_owned(), json!(body.target_database_id));
        PropertyEdit {
            expected: body.schema_version.map(|version| version.0),
            sent: fields([
                ("name", Some(Some(body.name.0))),
                ("type", Some(Some("relation".into()))),
                ("config", Some(Some(config.into()))),
            ]),
        }
    });
    let shape = |shown| created(RelationReply::from(shown));
    dispatcher
        .write_repeatably(
            call,
            move |unit| Box::pin(databases::add_relation(unit, database.clone(), draft.clone())),
            shape,
        )
        .await
}

async fn update(
    dispatcher: Dispatcher,
    call: Call,
    database: Draft<DatabaseId>,
    relation: Draft<PropertyId>,
    body: Draft<RelationBody>,
) -> Answer {
    let draft = body.map(|body| {
        let config = config(body.cardinality, body.bidirectional, body.reverse_name);
        let config = (!config.is_empty()).then(|| Some(Value::from(config)));
        PropertyEdit {
            expected: body.schema_version.map(|version| version.0),
            sent: fields([("name", body.name.map(|name| Some(name.0))), ("config", config)]),
        }
    });
    let shape = |shown| ok(RelationReply::from(shown));
    dispatcher
        .write_repeatably(
            call,
            move |unit| Box::pin(databases::change_relation(unit, database.clone(), relation.clone(), draft.clone())),
            shape,
        )
        .await
}

async fn delete(
    dispatcher: Dispatcher,
    call: Call,
    database: Draft<DatabaseId>,
    relation: Draft<PropertyId>,
    query: Draft<DeletionQuery>,
) -> Answer {
    let wanted = query.map(PropertyDeletion::from);
    let shape = |deleted| ok(DeletedPropertyReply::from(deleted));
    dispatcher
        .write_repeatably(
            call,
            move |unit| Box::pin(databases::delete_relation(unit, database.clone(), relation.clone(), wanted.clone())),
            shape,
        )
        .await
}

/// The keys of the configuration that were sent.
#[expect(clippy::option_option, reason = "a field can be left out or null")]
fn config(
    cardinality: Option<SentCardinality>,
    bidirectional: Option<SentFlag>,
    reverse_name: Option<Option<SentName>>,
) -> Map<String, Value> {
    fields([
        ("cardinality", cardinality.map(|sent| Some(sent.0.name().into()))),
        ("bidirectional", bidirectional.map(|sent| Some(sent.0))),
        ("reverseName", reverse_name.map(|sent| sent.map(|sent| sent.0))),
    ])
}

impl From<RelationDetails> for RelationReply {
    fn from(shown: RelationDetails) -> Self {
        let RelationDetails { property, relation, target_title, dependents, link_count } = shown;
        let reverse = relation.reverse.as_ref();
        Self {
            id: property.id,
            name: property.name,
            target_database_id: relation.target,
            target_title,
            cardinality: SentCardinality(relation.cardinality),
            bidirectional: relation.is_bidirectional(),
            reverse_property_id: reverse.map(|reverse| reverse.property),
            reverse_name: reverse.map(|reverse| reverse.name.clone()),
            dependents,
            link_count,
        }
    }
}
