//! `/pages/{pageId}/versions`

use super::version::PageVersionReply;
use crate::{
    answer::{Answer, created},
    dispatcher::Dispatcher,
    route::{Body, IfMatch, Located, Path, Query, expected_version, routes},
    v1::locations,
    wire::{Data, Page, Version, VersionLabel, body, query},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    pages::versions::{self, MAX_LABELLED, NewVersion, VersionList},
};
use octavo_core_model::{
    Fault, Level,
    fault::{Conflict, Denial},
    id::{PageId, PageVersionId},
    page::{PageVersion, VersionKind},
    version::{Expected, Stale},
};
use std::{fmt, str::FromStr};

/// The version after which the list continues.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VersionMark {
    page_version: i64,
    id: PageVersionId,
}

impl fmt::Display for VersionMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.page_version, self.id)
    }
}

impl FromStr for VersionMark {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (page_version, id) = text.split_once(' ').ok_or(())?;
        Ok(Self { page_version: page_version.parse().map_err(|_| ())?, id: id.parse().map_err(|_| ())? })
    }
}

query! {
    /// Which versions to list.
    pub(crate) VersionsQuery {
        page: VersionMark, 20 up to 100;
        /// Only versions of this kind.
        kind "kind": optional VersionKind,
    }
}

body! {
    /// A version to be saved.
    pub(crate) NewVersionBody {
        example: { "label": "Before the launch" };
        /// Its label; an empty one counts as none.
        label "label": nullable VersionLabel,
        /// The version of the page that the call is based on.
        version "version": optional Version,
    }
}

routes! {
    /// Lists the versions of a page.
    ///
    /// For callers that may edit the page, newest first. The newest 200 versions and all labelled ones are kept.
    GET "/pages/{pageId}/versions" as listPageVersions => list {
        caller: Inside(RouteAccess::PAGES),
        limits: [],
        takes: (page: Path<PageId>, query: Query<VersionsQuery>),
        answers: { 200: Page<PageVersionReply> },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::Edit))],
        events: [],
    }

    /// Saves a version of a page.
    ///
    /// Saves the present state, for callers that may edit the page; the page itself does not change. Versions are also
    /// saved automatically: before a change if the newest one is more than ten minutes old, and before every change
    /// that removes content. At most 100 versions of a page can have a label.
    POST "/pages/{pageId}/versions" as createPageVersion => create {
        caller: Inside(RouteAccess::PAGES_CHANGE),
        limits: [],
        takes: (page: Path<PageId>, version: IfMatch, body: Body<NewVersionBody>),
        answers: { 201: Located<Data<PageVersionReply>> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Conflict(Conflict::Stale(Stale { actual: 7, received: 6 })),
            Fault::Conflict(Conflict::PageTrashed),
            Fault::Conflict(Conflict::LimitReached(MAX_LABELLED)),
        ],
        events: [PageVersionCreated],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, page: Draft<PageId>, query: Draft<VersionsQuery>) -> Answer {
    let asked = query.map(|query| VersionList {
        kind: query.kind,
        before: query.page.after.map(|mark| (mark.page_version, mark.id)),
        limit: query.page.fetch(),
    });
    let position = |version: &PageVersion| VersionMark { page_version: version.page_version, id: version.id };
    dispatcher
        .list(call, move |view| Box::pin(versions::list(view, page, asked)), position, PageVersionReply::from)
        .await
}

async fn create(
    dispatcher: Dispatcher,
    call: Call,
    page: Draft<PageId>,
    version: Draft<Option<Expected>>,
    body: Draft<NewVersionBody>,
) -> Answer {
    let draft = version.and_then(|header| {
        let body = body?;
        let expected = expected_version(header, body.version.map(|version| version.0))?;
        Ok(NewVersion { label: body.label.flatten().and_then(|label| label.0), expected })
    });
    let shape = |version: PageVersion| {
        let location = locations::page_version(version.page, version.id);
        created(PageVersionReply::from(version)).at(location)
    };
    dispatcher.write(call, move |unit| Box::pin(versions::create(unit, page, draft)), shape).await
}
