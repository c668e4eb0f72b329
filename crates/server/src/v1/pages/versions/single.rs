//! `/pages/{pageId}/versions/{versionId}`

use super::version::PageVersionReply;
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, IfMatch, Path, expected_version, routes},
    wire::{Data, Version, VersionLabel, body},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    pages::versions::{self, MAX_LABELLED, Relabelling},
};
use octavo_core_model::{
    Fault, Level,
    fault::{ComputeFault, Conflict, Denial},
    id::{PageId, PageVersionId},
    version::{Expected, Stale},
};

body! {
    /// A change of a version.
    pub(crate) VersionBody {
        example: { "label": "Before the launch" };
        /// Its label; null or an empty text removes it.
        label "label": nullable VersionLabel,
        /// The version of the page that the change is based on.
        version "version": optional Version,
    }
}

routes! {
    /// Shows a version of a page.
    ///
    /// With its blocks, for callers that may edit the page. An instance of a block on another page has the present
    /// content of that block.
    GET "/pages/{pageId}/versions/{versionId}" as getPageVersion => get {
        caller: Inside(RouteAccess::PAGES),
        limits: [],
        takes: (page: Path<PageId>, id: Path<PageVersionId>),
        answers: { 200: Data<PageVersionReply> },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::Edit)), Fault::Compute(ComputeFault::MemoryFull)],
        events: [],
    }

    /// Labels a version of a page.
    ///
    /// For callers that may edit the page. A version with a label is kept for as long as the page; without one it is
    /// removed once there are 200 newer ones.
    PATCH "/pages/{pageId}/versions/{versionId}" as updatePageVersion => relabel {
        caller: Inside(RouteAccess::PAGES_CHANGE),
        limits: [],
        takes: (page: Path<PageId>, id: Path<PageVersionId>, version: IfMatch, body: Body<VersionBody>),
        answers: { 200: Data<PageVersionReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Conflict(Conflict::Stale(Stale { actual: 7, received: 6 })),
            Fault::Conflict(Conflict::PageTrashed),
            Fault::Conflict(Conflict::LimitReached(MAX_LABELLED)),
        ],
        events: [],
    }
}

async fn get(dispatcher: Dispatcher, call: Call, page: Draft<PageId>, id: Draft<PageVersionId>) -> Answer {
    let shape = |found| ok(PageVersionReply::from(found));
    dispatcher.read(call, move |view| Box::pin(versions::get(view, page, id)), shape).await
}

async fn relabel(
    dispatcher: Dispatcher,
    call: Call,
    page: Draft<PageId>,
    id: Draft<PageVersionId>,
    version: Draft<Option<Expected>>,
    body: Draft<VersionBody>,
) -> Answer {
    let draft = version.and_then(|header| {
        let body = body?;
        let expected = expected_version(header, body.version.map(|version| version.0))?;
        Ok(Relabelling { label: body.label.map(|label| label.and_then(|label| label.0)), expected })
    });
    let shape = |version| ok(PageVersionReply::from(version));
    dispatcher.write(call, move |unit| Box::pin(versions::relabel(unit, page, id, draft)), shape).await
}
