//! `/databases`

use super::{
    database::DatabaseReply,
    sent::SentProperties,
    view::{SentViews, UNFIT_CONFIG, UNFIT_FILTER, UNFIT_GROUP, UNFIT_SORT},
};
use crate::{
    answer::{Answer, created},
    dispatcher::Dispatcher,
    route::{Body, Located, Query, routes},
    v1::locations,
    wire::{Data, Page, UnsupportedField, body, query},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    databases::{self, DatabaseDetails, DatabaseList, DatabaseMark, DatabasePlace, NewDatabase},
};
use octavo_core_model::{
    Fault, Level,
    database::DatabaseOrder,
    fault::{Conflict, Denial, Issue, Unprocessable, Violation},
    id::{BlockId, PageId, TeamId},
    page::PageSort,
    text::{DatabaseDescription, DatabaseTitle, PageIcon, SearchText},
};
use std::borrow::Cow;

query! {
    /// Which databases to list.
    pub(crate) DatabasesQuery {
        page: DatabaseMark, 20 up to 100;
        /// Only databases whose title contains this text.
        q "q": optional SearchText,
        /// Only databases of this team.
        team_id "teamId": optional TeamId,
        /// Only databases in this page.
        page_id "pageId": optional PageId,
        /// Whether to include archived databases.
        include_archived "includeArchived": optional bool = false,
        /// The order: `title` by default, or `-updatedAt`.
        sort "sort": optional DatabaseOrder = "title",
    }
}

body! {
    /// The properties of a new database. All fields are optional.
    pub(crate) NewDatabaseBody {
        example: {
            "title": "Products",
            "properties": [
                { "name": "Name", "type": "title" },
                { "name": "Price", "type": "number", "config": { "format": "currency", "currency": "EUR" } }
            ],
            "views": [{ "name": "By price", "type": "table", "sort": [{ "propertyId": "Price", "direction": "desc" }] }]
        };
        /// Its title; empty by default.
        title "title": optional DatabaseTitle,
        /// An emoji, a file or an address.
        icon "icon": nullable PageIcon,
        /// What it is for.
        description "description": nullable DatabaseDescription,
        /// The page in which to put it; null or left out means the root of the workspace.
        parent_id "parentId": nullable PageId,
        /// The page in which to put it and that shows it, in a block of the type `database` at its end.
        page_id "pageId": nullable PageId,
        /// A block of the type `database` on that page which is to show it instead of a new one.
        block_id "blockId": nullable BlockId,
        /// 1 to 200 properties, exactly one of the type `title`; by default a title with the name `Name`.
        properties "properties": optional SentProperties,
        /// Up to 20 views, which name properties by their ids or names; by default, or if there are none, a table with
        /// the name `Table`.
        views "views": optional SentViews,
        /// Refused: there are no templates yet.
        template_id "templateId": optional UnsupportedField,
        /// Refused: there are no templates yet.
        variables "variables": optional UnsupportedField,
    }
}

routes! {
    /// Lists databases.
    ///
    /// The databases that the caller may see, without their properties and views.
    GET "/databases" as listDatabases => list {
        caller: Inside(RouteAccess::DATABASES),
        limits: [],
        takes: (query: Query<DatabasesQuery>),
        answers: { 200: Page<DatabaseReply> },
        refusals: [],
        events: [],
    }

    /// Creates a database.
    ///
    /// In a page for callers that may edit that page, at the root of the workspace for members above guest. Creators of
    /// a database at the root are granted full access to it by name, unless they have that anyway.
    POST "/databases" as createDatabase => create {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (body: Body<NewDatabaseBody>),
        answers: { 201: Located<Data<DatabaseReply>> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Forbidden(Denial::DatabaseQuota),
            Fault::Conflict(Conflict::PageTrashed),
            Fault::Conflict(Conflict::TooManyPages(50_000)),
            Fault::FieldTaken(Cow::Borrowed("properties.1.name")),
            Fault::Unprocessable(Unprocessable::MaxDepth),
            Fault::Data(Cow::Borrowed(UNFIT_CONFIG)),
            Fault::Data(Cow::Borrowed(UNFIT_FILTER)),
            Fault::Data(Cow::Borrowed(UNFIT_SORT)),
            Fault::Data(Cow::Borrowed(UNFIT_GROUP)),
        ],
        events: [DatabaseCreated, BlocksChanged, PageUpdated],
        max_body: Some(2 << 20),
    }
}

async fn list(dispatcher: Dispatcher, call: Call, query: Draft<DatabasesQuery>) -> Answer {
    let asked = query.map(|query| DatabaseList {
        title: query.q.map(|text| text.as_str().to_owned()),
        team: query.team_id,
        page: query.page_id,
        with_archived: query.include_archived.unwrap_or(false),
        order: query.sort.unwrap_or(DatabaseOrder::Title),
        limit: query.page.fetch(),
        after: query.page.after,
    });
    let sort = asked.as_ref().map_or(PageSort::NEWEST_CHANGE, DatabaseList::sort);
    let position = move |shown: &DatabaseDetails| shown.node.mark(sort);
    dispatcher.list(call, move |view| Box::pin(databases::list(view, asked)), position, DatabaseReply::from).await
}

/// The place in a body: a page that shows the database, a page that does not, or the root.
fn place(body: &NewDatabaseBody) -> Draft<DatabasePlace> {
    let (parent, page, block) = (body.parent_id.flatten(), body.page_id.flatten(), body.block_id.flatten());
    match (parent, page, block) {
        (Some(parent), Some(_), _) => {
            Err(Violation::new("parentId", Issue::InvalidValue).with(parent.to_string().into()).into())
        }
        (_, None, Some(_)) => Err(Violation::new("pageId", Issue::Required).into()),
        (_, Some(page), _) => Ok(DatabasePlace { parent: Some(page), is_embedded: true }),
        (parent, None, None) => Ok(DatabasePlace { parent, is_embedded: false }),
    }
}

async fn create(dispatcher: Dispatcher, call: Call, body: Draft<NewDatabaseBody>) -> Answer {
    let place = body.as_ref().map_err(Clone::clone).and_then(place);
    let draft = body.map(|body| {
        if let Some(never) = body.template_id.or(body.variables) {
            match never {}
        }
        NewDatabase {
            title: body.title,
            icon: body.icon.flatten(),
            description: body.description.flatten(),
            block: body.block_id.flatten(),
            properties: body.properties.map(|sent| sent.0),
            views: body.views.map(|sent| sent.0),
        }
    });
    let shape = |shown: DatabaseDetails| {
        let location = locations::database(shown.database.id);
        created(DatabaseReply::from(shown)).at(location)
    };
    dispatcher
        .write_repeatably(call, move |unit| Box::pin(databases::create(unit, place.clone(), draft.clone())), shape)
        .await
}
