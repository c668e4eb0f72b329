//! `/databases/{databaseId}`

use super::database::DatabaseReply;
use crate::{
    answer::{Answer, ok, versioned},
    dispatcher::Dispatcher,
    route::{Body, EarlyFields, Nothing, Path, routes},
    wire::{Data, body},
};
use octavo_app::{
    Call, Draft, Engine,
    access::RouteAccess,
    databases::{self, DatabaseUpdate},
    queries,
};
use octavo_core_model::{
    Fault, Level,
    fault::{Conflict, Denial},
    id::DatabaseId,
    text::{DatabaseDescription, DatabaseTitle, PageIcon},
};
use std::sync::Arc;

body! {
    /// A change of a database. Fields that are left out stay as they are.
    pub(crate) DatabaseBody {
        example: { "title": "People" };
        /// Its title.
        title "title": optional DatabaseTitle,
        /// An emoji, a file or an address; null removes it.
        icon "icon": nullable PageIcon,
        /// What it is for; null removes it.
        description "description": nullable DatabaseDescription,
        /// Whether it is archived. Changing this needs full access.
        archived "archived": optional bool = false,
    }
}

body! {
    /// The part of a change that needs more than the right to edit the database.
    pub(crate) ArchiveBody {
        /// Whether it is archived.
        archived "archived": optional bool = false,
    }
}

routes! {
    /// Shows a database.
    ///
    /// With its properties and views in their order. An archived database is shown like any other one.
    GET "/databases/{databaseId}" as getDatabase => get {
        caller: Inside(RouteAccess::DATABASES),
        limits: [],
        takes: (database: Path<DatabaseId>),
        answers: { 200: Data<DatabaseReply>, 304: Nothing },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::Edit))],
        events: [],
    }

    /// Changes a database.
    ///
    /// For callers that may edit it; archiving it and using it again needs full access. While it is archived, nothing
    /// else of it can be changed.
    PATCH "/databases/{databaseId}" as updateDatabase => update {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (database: Path<DatabaseId>, archive: EarlyFields<ArchiveBody>, body: Body<DatabaseBody>),
        answers: { 200: Data<DatabaseReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Conflict(Conflict::DatabaseArchived),
            Fault::Conflict(Conflict::PageTrashed),
        ],
        events: [DatabaseUpdated],
    }
}

async fn get(dispatcher: Dispatcher, call: Call, database: Draft<DatabaseId>) -> Answer {
    let flow = |engine: Arc<Engine>, call: Call| async move {
        let mut shown = engine.read(call.clone(), |view| Box::pin(databases::get(view, database))).await?;
        let id = shown.database.id;
        queries::count_views(&engine, call, id, shown.views.as_deref_mut().unwrap_or_default()).await?;
        Ok(versioned(shown.database.schema.version, DatabaseReply::from(shown)))
    };
    dispatcher.computing().flow(call, flow).await
}

async fn update(
    dispatcher: Dispatcher,
    call: Call,
    database: Draft<DatabaseId>,
    archive: Draft<ArchiveBody>,
    body: Draft<DatabaseBody>,
) -> Answer {
    let is_archived = archive.map(|archive| archive.archived);
    let draft = body.map(|body| DatabaseUpdate {
        title: body.title,
        icon: body.icon,
        description: body.description,
        is_archived: body.archived,
    });
    let shape = |shown| ok(DatabaseReply::from(shown));
    dispatcher.write(call, move |unit| Box::pin(databases::update(unit, database, is_archived, draft)), shape).await
}
