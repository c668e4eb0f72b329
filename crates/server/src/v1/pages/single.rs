//! `/pages/{pageId}`

use super::{page::PageReply, permissions::PermissionsReply};
use crate::{
    answer::{Answer, accepted, ok, versioned},
    dispatcher::Dispatcher,
    route::{Body, EarlyFields, IfMatch, Nothing, Path, Query, expected_version, routes},
    wire::{ChangedByMove, ConfirmationText, Data, Listed, Version, body, query, reply},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    pages::{
        self, Opened, PageUpdate,
        trash::{self, Removal, Trashed},
    },
};
use octavo_core_model::{
    Fault, Level, Timestamp,
    fault::{ComputeFault, Confirmed, Conflict, Denial, Unprocessable},
    id::{PageId, UserId},
    page::{PageChange, PageDetail, PageState},
    text::{PageIcon, PageTitle, WebAddress},
    version::{Expected, Stale},
};
use std::sync::Arc;

query! {
    /// Additional parts of the answer.
    pub(crate) PageQuery {
        /// `blocks` for its content, up to 2000 blocks; `permissions` for callers that may edit it.
        include "include": optional Listed<PageDetail> = ["blocks"],
    }
}

body! {
    /// A change of a page. Fields that are left out stay as they are.
    pub(crate) PageBody {
        example: { "title": "Roadmap" };
        /// Its title.
        title "title": optional PageTitle,
        /// An emoji, a file or an address; null removes it.
        icon "icon": nullable PageIcon,
        /// The address of its cover; null removes it.
        cover_url "coverUrl": nullable WebAddress = "https://example.com/cover.png",
        /// Whether the page is locked against changes. Only the user who locked it, or one with full access, can
        /// unlock it.
        is_locked "isLocked": optional bool = false,
        /// The version that the change is based on.
        version "version": optional Version,
        /// Refused: there is a separate route for moving a page.
        parent_id "parentId": optional ChangedByMove,
        /// Refused: there is a separate route for moving a page.
        team_id "teamId": optional ChangedByMove,
        /// Refused: there is a separate route for moving a page.
        position "position": optional ChangedByMove,
    }
}

body! {
    /// The part of a change that may need more than the right to edit the page.
    pub(crate) LockBody {
        /// Whether the page is locked against changes.
        is_locked "isLocked": optional bool = false,
    }
}

query! {
    /// How to remove a page.
    pub(crate) RemovalQuery {
        /// Whether to delete a page in the trash permanently.
        permanent "permanent": optional bool = false,
    }
}

body! {
    /// The confirmation of a removal.
    pub(crate) RemovalBody {
        /// The id of the page, to confirm its permanent deletion.
        confirm "confirm": optional ConfirmationText = "pg_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The version that the call is based on.
        version "version": optional Version,
    }
}

reply! {
    /// A page that was removed.
    pub(crate) RemovalReply {
        /// The id of the page.
        id "id": required PageId,
        /// `trashed`, for a page that was moved to the trash.
        state "state": optional PageState = "trashed",
        /// When it was moved to the trash.
        trashed_at "trashedAt": optional Timestamp,
        /// When it is deleted permanently.
        purge_at "purgeAt": optional Timestamp,
        /// How many pages were moved to the trash, including this one.
        trashed_count "trashedCount": optional u64 = 4,
        /// `deleting`, for a page that is deleted permanently.
        status "status": optional &'static str | ["deleting"] = "deleting",
    }
}

const LOCKED: Fault = Fault::Conflict(Conflict::PageLocked { by: UserId::LOWEST });

routes! {
    /// Shows a page.
    ///
    /// With the pages above it that the caller may see. A page in the trash is shown to callers that may edit it.
    /// Reading a page records a visit of the user.
    GET "/pages/{pageId}" as getPage => get {
        caller: Inside(RouteAccess::PAGES),
        limits: [],
        takes: (page: Path<PageId>, query: Query<PageQuery>),
        answers: { 200: Data<PageReply>, 304: Nothing },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::Edit)), Fault::Compute(ComputeFault::MemoryFull)],
        events: [],
    }

    /// Changes a page.
    ///
    /// Its title, icon, cover or lock, for callers that may edit it. A locked page must be unlocked before other
    /// changes; the same call can do both.
    PATCH "/pages/{pageId}" as updatePage => update {
        caller: Inside(RouteAccess::PAGES_CHANGE),
        limits: [],
        takes: (page: Path<PageId>, version: IfMatch, lock: EarlyFields<LockBody>, body: Body<PageBody>),
        answers: { 200: Data<PageReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Conflict(Conflict::Stale(Stale { actual: 7, received: 6 })),
            LOCKED,
            Fault::Conflict(Conflict::PageTrashed),
        ],
        events: [PageUpdated],
    }

    /// Moves a page to the trash, or deletes it permanently.
    ///
    /// Callers that may edit it can move it to the trash, with all active pages below it; repeating that changes
    /// nothing. With `permanent=true`, a page in the trash is deleted permanently with all pages below it, which
    /// requires full access and its id as `confirm` in the body.
    DELETE "/pages/{pageId}" as deletePage => remove {
        caller: Inside(RouteAccess::PAGES_CHANGE),
        limits: [],
        takes: (page: Path<PageId>, query: Query<RemovalQuery>, version: IfMatch, body: Body<RemovalBody>),
        answers: { 200: Data<RemovalReply>, 202: Data<RemovalReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Conflict(Conflict::Stale(Stale { actual: 7, received: 6 })),
            LOCKED,
            Fault::Conflict(Conflict::NotTrashed),
            Fault::Unprocessable(Unprocessable::RecordPage),
            Fault::ConfirmRequired(Confirmed::Page),
        ],
        events: [PageTrashed, PageDeleted],
    }
}

async fn get(dispatcher: Dispatcher, call: Call, page: Draft<PageId>, query: Draft<PageQuery>) -> Answer {
    let details = query.map(|query| query.include.map(|listed| listed.0).unwrap_or_default());
    let backend = Arc::clone(dispatcher.backend());
    let shape = move |Opened { shown, permissions, content, visit }| {
        if let Some(visit) = visit {
            backend.activity.note_visit(visit);
        }
        let page = PageReply { permissions: permissions.map(PermissionsReply::from), ..shown.into() };
        versioned(
            page.version,
            match content {
                Some(content) => page.with_content(content),
                None => page,
            },
        )
    };
    dispatcher.read(call, move |view| Box::pin(pages::get(view, page, details)), shape).await
}

async fn update(
    dispatcher: Dispatcher,
    call: Call,
    page: Draft<PageId>,
    version: Draft<Option<Expected>>,
    lock: Draft<LockBody>,
    body: Draft<PageBody>,
) -> Answer {
    let is_locked = lock.map(|lock| lock.is_locked);
    let draft = version.and_then(|version| body.and_then(|body| change(version, body)));
    let shape = |shown| ok(PageReply::from(shown));
    dispatcher.write(call, move |unit| Box::pin(pages::update(unit, page, is_locked, draft)), shape).await
}

fn change(header: Option<Expected>, body: PageBody) -> Draft<PageUpdate> {
    if let Some(never) = body.parent_id.or(body.team_id).or(body.position) {
        match never {}
    }
    let expected = expected_version(header, body.version.map(|version| version.0))?;
    let PageBody { title, icon, cover_url, is_locked, .. } = body;
    Ok(PageUpdate { change: PageChange { title, icon, cover_url, is_locked }, expected })
}

async fn remove(
    dispatcher: Dispatcher,
    call: Call,
    page: Draft<PageId>,
    query: Draft<RemovalQuery>,
    version: Draft<Option<Expected>>,
    body: Draft<RemovalBody>,
) -> Answer {
    let permanent = query.map(|query| query.permanent.unwrap_or(false));
    let is_permanent = permanent == Ok(true);
    let draft = permanent.and_then(|_| removal_of(version?, body?));
    if is_permanent {
        let shape = |id| accepted(RemovalReply { status: Some("deleting"), ..removal(id) });
        return dispatcher
            .write_repeatably(call, move |unit| Box::pin(trash::destroy(unit, page.clone(), draft.clone())), shape)
            .await;
    }
    let expected = draft.map(|draft| draft.expected);
    let shape = |thrown| ok(RemovalReply::from(thrown));
    dispatcher
        .write_repeatably(call, move |unit| Box::pin(trash::throw_away(unit, page.clone(), expected.clone())), shape)
        .await
}

fn removal_of(header: Option<Expected>, body: RemovalBody) -> Draft<Removal> {
    let expected = expected_version(header, body.version.map(|version| version.0))?;
    Ok(Removal { confirmation: body.confirm.and_then(|confirm| confirm.0), expected })
}

const fn removal(id: PageId) -> RemovalReply {
    RemovalReply { id, state: None, trashed_at: None, purge_at: None, trashed_count: None, status: None }
}

impl From<Trashed> for RemovalReply {
    fn from(Trashed { id, at, purge_at, count }: Trashed) -> Self {
        Self {
            state: Some(PageState::Trashed),
            trashed_at: Some(at),
            purge_at: Some(purge_at),
            trashed_count: Some(count),
            ..removal(id)
        }
    }
}
