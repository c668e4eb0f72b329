//! `/pages/{pageId}/move` and `/pages/{pageId}/restore`

use super::{
    collection::anchor,
    home::{Home, NewHome, excluded},
    page::PageReply,
};
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, EarlyFields, IfMatch, Path, RouteReply, expected_version, routes},
    wire::{Data, Documented, Named, Neighbour, Parent, Version, Writable, Written, body},
};
use octavo_app::{
    Call, Draft, Reply,
    access::RouteAccess,
    pages::{
        self, Place, Relocation,
        trash::{self, Restored},
    },
};
use octavo_core_model::{
    Fault, Level,
    fault::{Conflict, Denial, Unprocessable},
    id::{DatabaseId, PageId, TeamId},
    position::Position,
    version::{Expected, Stale},
};
use serde::{Serializer, ser::SerializeStruct};
use serde_json::{Value, json};

body! {
    /// The new place of a page. Fields that are left out stay as they are.
    pub(crate) MoveBody {
        example: { "parentId": null };
        /// The new parent page; null for the root.
        parent_id "parentId": nullable Parent,
        /// The team of a root page; null for none.
        team_id "teamId": nullable TeamId = null,
        /// The sibling after which to put it.
        after_page_id "afterPageId": optional Neighbour,
        /// The sibling before which to put it. Send at most one of these three.
        before_page_id "beforePageId": optional Neighbour,
        /// Its position among its siblings. Without any of these, a page that changes its parent is put at the end,
        /// and others keep their position.
        position "position": optional Position,
        /// The database in which the page becomes a record, in place of all other fields but `version`.
        database_id "databaseId": optional DatabaseId,
        /// The version that the move is based on.
        version "version": optional Version,
    }
}

body! {
    /// Where to restore a page.
    pub(crate) RestoreBody {
        /// The new parent page; null for the root.
        parent_id "parentId": nullable Parent,
        /// The team of a root page.
        team_id "teamId": nullable TeamId = null,
        /// The version that the call is based on.
        version "version": optional Version,
    }
}

/// A page that was restored from the trash.
#[derive(Debug)]
pub(crate) struct RestoredReply {
    page: PageReply,
    relocated: bool,
}

impl RouteReply for RestoredReply {}

impl Documented for RestoredReply {
    const HOLDS_SECRET: bool = PageReply::HOLDS_SECRET;

    fn schema() -> Value {
        let about = "Whether the page is in another place than before.";
        let relocated = json!({ "type": "boolean", "description": about });
        json!({
            "type": "object",
            "properties": { "data": PageReply::schema(), "relocated": relocated },
            "required": ["data", "relocated"],
        })
    }

    fn example() -> Value {
        json!({ "data": PageReply::example(), "relocated": false })
    }

    fn collect(named: &mut Named) {
        PageReply::collect(named);
    }
}

impl Writable for RestoredReply {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut shown = serializer.serialize_struct("RestoredReply", 2)?;
        shown.serialize_field("data", &Written(&self.page))?;
        shown.serialize_field("relocated", &self.relocated)?;
        shown.end()
    }
}

routes! {
    /// Moves a page.
    ///
    /// With its descendants, for callers that may edit it and may put pages at the new place. Full access is required
    /// if the move changes the team, takes the page out from under one that does not inherit, or would raise the
    /// mover's own level on the page or a descendant. Moves within a workspace run one after the other.
    ///
    /// With `databaseId`, for callers that may edit that database, the page becomes the page of a new record, behind all
    /// others. It keeps its id, title, content, descendants and grants. Properties get their defaults.
    POST "/pages/{pageId}/move" as movePage => relocate {
        caller: Inside(RouteAccess::PAGES_CHANGE),
        limits: [],
        takes: (page: Path<PageId>, version: IfMatch, home: EarlyFields<NewHome>, body: Body<MoveBody>),
        answers: { 200: Data<PageReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Forbidden(Denial::RequiresLevel(Level::FullAccess)),
            Fault::Conflict(Conflict::Stale(Stale { actual: 7, received: 6 })),
            Fault::Conflict(Conflict::PageTrashed),
            Fault::Conflict(Conflict::DatabaseArchived),
            Fault::Unprocessable(Unprocessable::CycleDetected),
            Fault::Unprocessable(Unprocessable::MaxDepth),
            Fault::Unprocessable(Unprocessable::DatabaseParent),
            Fault::Unprocessable(Unprocessable::RecordPage),
        ],
        events: [PageMoved, RecordCreated],
    }

    /// Restores a page from the trash.
    ///
    /// With the descendants that were moved to the trash together with it. It returns to its old place; if that is in
    /// the trash, to the nearest page above that is not, otherwise to the root. Another place requires the same
    /// rights as a move there. A page that is not in the trash stays as it is.
    POST "/pages/{pageId}/restore" as restorePage => restore {
        caller: Inside(RouteAccess::PAGES_CHANGE),
        limits: [],
        takes: (page: Path<PageId>, version: IfMatch, home: EarlyFields<Home>, body: Body<RestoreBody>),
        answers: { 200: RestoredReply },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Forbidden(Denial::RequiresLevel(Level::FullAccess)),
            Fault::Conflict(Conflict::Stale(Stale { actual: 7, received: 6 })),
            Fault::Conflict(Conflict::PageTrashed),
            Fault::Unprocessable(Unprocessable::MaxDepth),
            Fault::Unprocessable(Unprocessable::DatabaseParent),
            Fault::Unprocessable(Unprocessable::RecordPage),
        ],
        events: [PageRestored],
    }
}

async fn relocate(
    dispatcher: Dispatcher,
    call: Call,
    page: Draft<PageId>,
    version: Draft<Option<Expected>>,
    home: Draft<NewHome>,
    body: Draft<MoveBody>,
) -> Answer {
    let target = home.and_then(NewHome::target);
    let draft = version.and_then(|version| body.and_then(|body| relocation(version, body)));
    let shape = |shown| ok(PageReply::from(shown));
    dispatcher
        .write_repeatably(
            call,
            move |unit| Box::pin(pages::relocate(unit, page.clone(), target.clone(), draft.clone())),
            shape,
        )
        .await
}

fn relocation(header: Option<Expected>, body: MoveBody) -> Draft<Relocation> {
    let expected = expected_version(header, body.version.map(|version| version.0))?;
    if body.database_id.is_some() {
        let beside = [
            ("afterPageId", body.after_page_id.is_some()),
            ("beforePageId", body.before_page_id.is_some()),
            ("position", body.position.is_some()),
        ];
        let flaws: Vec<_> =
            beside.into_iter().filter(|(_, is_sent)| *is_sent).map(|(name, _)| excluded(name)).collect();
        if !flaws.is_empty() {
            return Err(Fault::Invalid(flaws));
        }
    }
    let anchor = anchor(body.after_page_id, body.before_page_id, body.position)?;
    // The place is parsed separately.
    let _ = (body.parent_id, body.team_id);
    Ok(Relocation { anchor, expected })
}

async fn restore(
    dispatcher: Dispatcher,
    call: Call,
    page: Draft<PageId>,
    version: Draft<Option<Expected>>,
    home: Draft<Home>,
    body: Draft<RestoreBody>,
) -> Answer {
    let place = home.map(Place::from);
    let expected = version.and_then(|version| {
        let body = body?;
        // The place is parsed separately.
        let _ = (body.parent_id, body.team_id);
        expected_version(version, body.version.map(|version| version.0))
    });
    let shape =
        |Restored { shown, relocated }| Reply::json(200, &Written(&RestoredReply { page: shown.into(), relocated }));
    dispatcher
        .write_repeatably(
            call,
            move |unit| Box::pin(trash::restore(unit, page.clone(), place.clone(), expected.clone())),
            shape,
        )
        .await
}
