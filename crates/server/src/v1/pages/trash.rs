//! `/pages/trash`

use super::page::PageReply;
use crate::{
    answer::{Answer, accepted},
    dispatcher::Dispatcher,
    route::{Body, Query, routes},
    wire::{ConfirmationText, Data, Page, body, query, reply},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    pages::trash::{self, Discarded, TrashList},
};
use octavo_core_model::{
    Fault, Timestamp,
    fault::Confirmed,
    id::{PageId, UserId},
};
use std::{fmt, str::FromStr};

/// The page after which the list of the trash continues.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrashMark {
    at: Timestamp,
    id: PageId,
}

impl fmt::Display for TrashMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.at.millis(), self.id)
    }
}

impl FromStr for TrashMark {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (at, id) = text.split_once(' ').ok_or(())?;
        Ok(Self { at: Timestamp::from_millis(at.parse().map_err(|_| ())?), id: id.parse().map_err(|_| ())? })
    }
}

query! {
    /// Which part of the trash to list.
    pub(crate) TrashQuery {
        page: TrashMark, 20 up to 100;
        /// The pages that were moved to the trash together with this one; by default those that were moved by
        /// themselves.
        root_id "rootId": optional PageId,
        /// Only pages that this user moved to the trash.
        trashed_by "trashedBy": optional UserId,
    }
}

body! {
    /// The confirmation for emptying the trash.
    pub(crate) EmptyTrashBody {
        example: { "confirm": "wks_01KAHQ5ZJ8T3M6N9P2R4S7V0WX" };
        /// The id of the workspace.
        confirm "confirm": optional ConfirmationText = "wks_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
    }
}

reply! {
    /// A trash that is being emptied.
    pub(crate) EmptyTrashReply {
        /// `deleting`.
        status "status": required &'static str | ["deleting"] = "deleting",
        /// How many pages had been moved to the trash by themselves.
        root_count "rootCount": required u64 = 3,
    }
}

routes! {
    /// Lists the trash.
    ///
    /// The pages that the caller could restore, last trashed first: those that they could edit.
    GET "/pages/trash" as listTrash => list {
        caller: Inside(RouteAccess::PAGES),
        limits: [],
        takes: (query: Query<TrashQuery>),
        answers: { 200: Page<PageReply> },
        refusals: [],
        events: [],
    }

    /// Empties the trash.
    ///
    /// For owners, admins and API keys with the scope `ADMIN`: permanently deletes everything in the trash of the
    /// workspace. The body must contain the id of the workspace. The rest of a large trash is deleted after the
    /// answer.
    DELETE "/pages/trash" as emptyTrash => empty {
        caller: Inside(RouteAccess::ADMINS),
        limits: [],
        takes: (body: Body<EmptyTrashBody>),
        answers: { 202: Data<EmptyTrashReply> },
        refusals: [Fault::ConfirmRequired(Confirmed::Workspace)],
        events: [PageDeleted],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, query: Draft<TrashQuery>) -> Answer {
    let asked = query.map(|query| TrashList {
        root: query.root_id,
        trashed_by: query.trashed_by,
        before: query.page.after.map(|mark| (mark.at, mark.id)),
        limit: query.page.fetch(),
    });
    let position = |found: &Discarded| {
        let at = found.page.trash.map_or(found.page.updated_at, |trash| trash.at);
        TrashMark { at, id: found.page.id }
    };
    dispatcher.list(call, move |view| Box::pin(trash::list(view, asked)), position, PageReply::from).await
}

async fn empty(dispatcher: Dispatcher, call: Call, body: Draft<EmptyTrashBody>) -> Answer {
    let confirmation = body.map(|body| body.confirm.and_then(|confirm| confirm.0));
    let shape = |root_count| accepted(EmptyTrashReply { status: "deleting", root_count });
    dispatcher.write_repeatably(call, move |unit| Box::pin(trash::empty(unit, confirmation.clone())), shape).await
}
