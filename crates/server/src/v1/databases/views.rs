//! `/databases/{databaseId}/views`

use super::view::{NewViewBody, UNFIT_CONFIG, UNFIT_FILTER, UNFIT_GROUP, UNFIT_SORT, ViewBody, ViewReply};
use crate::{
    answer::{Answer, created, ok},
    dispatcher::Dispatcher,
    route::{Body, Nothing, Path, routes},
    wire::{Data, body},
};
use octavo_app::{Call, Draft, Engine, Reply, access::RouteAccess, databases, queries};
use octavo_core_model::{
    Fault, Level,
    fault::{Conflict, DataIssue, DataProblem, Denial},
    id::{DatabaseId, ViewId},
};
use std::{borrow::Cow, sync::Arc};

body! {
    /// A place among the views.
    pub(crate) ViewPlaceBody {
        example: { "beforeId": null };
        /// The view before which to put it; null or left out means the end.
        before_id "beforeId": nullable ViewId,
    }
}

const EDIT: Fault = Fault::Forbidden(Denial::RequiresLevel(Level::Edit));
const ARCHIVED: Fault = Fault::Conflict(Conflict::DatabaseArchived);
const TRASHED: Fault = Fault::Conflict(Conflict::PageTrashed);
const TYPE_IS_FIXED: &[DataProblem] = &[DataProblem::new(DataIssue::ImmutableType)];
const IS_LAST: &[DataProblem] = &[DataProblem::new(DataIssue::LastView)];

routes! {
    /// Lists the views of a database.
    ///
    /// All of them, in their order.
    GET "/databases/{databaseId}/views" as listViews => list {
        caller: Inside(RouteAccess::DATABASES),
        limits: [],
        takes: (database: Path<DatabaseId>),
        answers: { 200: Data<Vec<ViewReply>> },
        refusals: [EDIT],
        events: [],
    }

    /// Creates a view.
    ///
    /// For callers that may edit the database, which has at most 100 views. Filter, sort, groups and configuration must
    /// fit its properties. Charts and dashboards that views show belong to the same database. Forms do not exist yet.
    POST "/databases/{databaseId}/views" as createView => create {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (database: Path<DatabaseId>, body: Body<NewViewBody>),
        answers: { 201: Data<ViewReply> },
        refusals: [
            EDIT,
            ARCHIVED,
            TRASHED,
            Fault::Conflict(Conflict::LimitReached(100)),
            Fault::Data(Cow::Borrowed(UNFIT_CONFIG)),
            Fault::Data(Cow::Borrowed(UNFIT_FILTER)),
            Fault::Data(Cow::Borrowed(UNFIT_SORT)),
            Fault::Data(Cow::Borrowed(UNFIT_GROUP)),
        ],
        events: [DatabaseUpdated],
    }

    /// Changes a view.
    ///
    /// For callers that may edit the database. The type cannot be changed. Configuration, filter, sort and groups of a
    /// locked view can be changed only by a request that also unlocks it.
    PATCH "/databases/{databaseId}/views/{viewId}" as updateView => change {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (database: Path<DatabaseId>, view: Path<ViewId>, body: Body<ViewBody>),
        answers: { 200: Data<ViewReply> },
        refusals: [
            EDIT,
            ARCHIVED,
            TRASHED,
            Fault::Conflict(Conflict::ViewLocked),
            Fault::Data(Cow::Borrowed(TYPE_IS_FIXED)),
            Fault::Data(Cow::Borrowed(UNFIT_CONFIG)),
            Fault::Data(Cow::Borrowed(UNFIT_FILTER)),
            Fault::Data(Cow::Borrowed(UNFIT_SORT)),
            Fault::Data(Cow::Borrowed(UNFIT_GROUP)),
        ],
        events: [DatabaseUpdated],
    }

    /// Deletes a view.
    ///
    /// For callers that may edit the database. Its last view cannot be deleted. Records are not touched.
    DELETE "/databases/{databaseId}/views/{viewId}" as deleteView => delete {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (database: Path<DatabaseId>, view: Path<ViewId>),
        answers: { 204: Nothing },
        refusals: [EDIT, ARCHIVED, TRASHED, Fault::Data(Cow::Borrowed(IS_LAST))],
        events: [DatabaseUpdated],
    }

    /// Moves a view among the others.
    ///
    /// For callers that may edit the database. If there is no room at that place, all views of the database get new
    /// positions.
    POST "/databases/{databaseId}/views/{viewId}/reorder" as reorderView => reorder {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (database: Path<DatabaseId>, view: Path<ViewId>, body: Body<ViewPlaceBody>),
        answers: { 200: Data<ViewReply> },
        refusals: [EDIT, ARCHIVED, TRASHED],
        events: [DatabaseUpdated],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, database: Draft<DatabaseId>) -> Answer {
    let flow = |engine: Arc<Engine>, call: Call| async move {
        let mut views = engine.read(call.clone(), |view| Box::pin(databases::list_views(view, database))).await?;
        if let Some(first) = views.first() {
            let database = first.view.database;
            queries::count_views(&engine, call, database, &mut views).await?;
        }
        Ok(ok(views.into_iter().map(ViewReply::from).collect::<Vec<_>>()))
    };
    dispatcher.computing().flow(call, flow).await
}

async fn create(dispatcher: Dispatcher, call: Call, database: Draft<DatabaseId>, body: Draft<NewViewBody>) -> Answer {
    let sent = body.map(NewViewBody::sent);
    let shape = |made| created(ViewReply::from(made));
    dispatcher.write(call, move |unit| Box::pin(databases::create_view(unit, database, sent)), shape).await
}

async fn change(
    dispatcher: Dispatcher,
    call: Call,
    database: Draft<DatabaseId>,
    view: Draft<ViewId>,
    body: Draft<ViewBody>,
) -> Answer {
    let sent = body.map(ViewBody::sent);
    let shape = |changed| ok(ViewReply::from(changed));
    dispatcher.write(call, move |unit| Box::pin(databases::change_view(unit, database, view, sent)), shape).await
}

async fn delete(dispatcher: Dispatcher, call: Call, database: Draft<DatabaseId>, view: Draft<ViewId>) -> Answer {
    let shape = |()| Reply::nothing();
    dispatcher.write(call, move |unit| Box::pin(databases::delete_view(unit, database, view)), shape).await
}

async fn reorder(
    dispatcher: Dispatcher,
    call: Call,
    database: Draft<DatabaseId>,
    view: Draft<ViewId>,
    body: Draft<ViewPlaceBody>,
) -> Answer {
    let before = body.map(|body| body.before_id.flatten());
    let shape = |moved| ok(ViewReply::from(moved));
    dispatcher.write(call, move |unit| Box::pin(databases::reorder_view(unit, database, view, before)), shape).await
}
