//! `/pages`

use super::{home::Home, page::PageReply};
use crate::v1::{
    blocks::{batches::refused, pieces, sent::SentBlocks},
    locations,
};
use crate::{
    answer::{Answer, created},
    dispatcher::Dispatcher,
    route::{Body, EarlyFields, Located, Query, routes},
    wire::{Data, Markdown, Neighbour, Page, Parent, Root, Sort, UnsupportedField, body, query},
};
use octavo_app::{
    Call, Draft, Engine, Reply, WorkKind,
    access::RouteAccess,
    pages::{self, Anchor, Document, NewPage, PageDetails, PageList, PageOrigin, Place, Recent},
};
use octavo_blocks_tree::{Piece, markdown};
use octavo_core_model::{
    Fault, Level, Timestamp,
    cancellation::Cancellation,
    fault::{
        BlockProblem, ComputeFault, Conflict, Denial, Issue, PageLimit, TextFlaw, TextProblem, Unprocessable, Violation,
    },
    id::{BlockId, PageId, TeamId, UserId},
    page::{PageMark, PageSort, PublicAccess},
    position::Position,
    text::{PageIcon, PageTitle, WebAddress},
};
use std::sync::Arc;

query! {
    /// Which pages to list.
    pub(crate) PagesQuery {
        page: PageMark, 20 up to 100;
        /// Only children of this page; `root` for root pages.
        parent_id "parentId": optional Root,
        /// Only pages of this team.
        team_id "teamId": optional TeamId,
        /// Only pages that this user created.
        created_by "createdBy": optional UserId,
        /// Only pages that were changed after this time.
        updated_after "updatedAfter": optional Timestamp,
        /// Only pages with this kind of public access.
        public_access "publicAccess": optional PublicAccess,
        /// Whether to include the pages of records.
        include_record_pages "includeRecordPages": optional bool = false,
        /// The order: `position` by default if `parentId` is sent, otherwise `-updatedAt`.
        sort "sort": optional Sort,
    }
}

body! {
    /// The properties of a new page. All fields are optional.
    pub(crate) NewPageBody {
        example: {
            "title": "Roadmap",
            "blocks": [
                { "type": "heading_2", "content": "Goals" },
                { "type": "todo", "content": "Ship it", "properties": { "checked": false } }
            ]
        };
        /// Its id, if the caller chooses it.
        id "id": optional PageId,
        /// Its title; empty by default.
        title "title": optional PageTitle,
        /// An emoji, a file or an address.
        icon "icon": nullable PageIcon,
        /// The address of its cover.
        cover_url "coverUrl": nullable WebAddress = "https://example.com/cover.png",
        /// The parent page, or the record whose page is the parent; null or left out means the root.
        parent_id "parentId": nullable Parent,
        /// The team of a root page.
        team_id "teamId": nullable TeamId = null,
        /// The sibling after which to put it.
        after_page_id "afterPageId": optional Neighbour,
        /// The sibling before which to put it. Send at most one of these three; without any it is put at the end.
        before_page_id "beforePageId": optional Neighbour,
        /// Its position.
        position "position": optional Position,
        /// Whether it inherits access.
        inherit "inherit": optional bool = true,
        /// Its content: at most 1000 blocks as in `POST /blocks`, nested as `children`.
        blocks "blocks": optional SentBlocks = [{ "type": "paragraph", "content": "Hello", "children": [] }],
        /// Its content as Markdown of at most 1 MB. Without a `title`, a first-level heading at the beginning becomes
        /// the title.
        markdown "markdown": optional Markdown,
        /// Refused: there are no templates yet.
        template_id "templateId": optional UnsupportedField,
        /// Refused: there are no templates yet.
        variables "variables": optional UnsupportedField,
    }
}

routes! {
    /// Lists pages.
    ///
    /// The active pages that the caller may see.
    GET "/pages" as listPages => list {
        caller: Inside(RouteAccess::PAGES),
        limits: [],
        takes: (query: Query<PagesQuery>),
        answers: { 200: Page<PageReply> },
        refusals: [],
        events: [],
    }

    /// Creates a page.
    ///
    /// In a page for callers that may edit that page; at the root of the workspace for members above guest; at the
    /// root of a team for members of the team, owners, admins and API keys with the scope `WRITE`. Creators of a root
    /// page, or of one that does not inherit, are granted full access to it by name, unless they have that anyway.
    /// The page may be created with `blocks` or `markdown` as its content; `templateId` is refused.
    POST "/pages" as createPage => create {
        caller: Inside(RouteAccess::PAGES_CHANGE),
        limits: [],
        takes: (home: EarlyFields<Home>, body: Body<NewPageBody>),
        answers: { 201: Located<Data<PageReply>> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Conflict(Conflict::Taken("id")),
            Fault::Conflict(Conflict::PageTrashed),
            Fault::Conflict(Conflict::TooManyPages(50_000)),
            Fault::Unprocessable(Unprocessable::MaxDepth),
            Fault::Unprocessable(Unprocessable::DatabaseParent),
            refused!(BlockProblem::InvalidNesting { block: BlockId::LOWEST, parent: None }),
            Fault::Text(TextFlaw { index: None, problem: TextProblem::TooLong { most: 1 << 20 } }),
            Fault::Unprocessable(Unprocessable::PageTooLarge(PageLimit::Bytes)),
            Fault::Compute(ComputeFault::Busy),
            Fault::Compute(ComputeFault::MemoryFull),
            Fault::Compute(ComputeFault::Timeout),
        ],
        events: [PageCreated],
        max_body: Some(2 << 20),
    }

    /// Lists the pages visited last.
    ///
    /// The last 50 pages that the caller visited and may still see, latest visit first, in one answer.
    GET "/pages/recent" as listRecentPages => recent {
        caller: Inside(RouteAccess::OWN_PAGES),
        limits: [],
        takes: (),
        answers: { 200: Page<PageReply> },
        refusals: [],
        events: [],
    }
}

/// Reads the three ways to name a place among siblings, of which at most one may be sent.
pub(super) fn anchor(after: Option<Neighbour>, before: Option<Neighbour>, position: Option<Position>) -> Draft<Anchor> {
    let second = |field: &str| Err(Violation::new(field, Issue::InvalidValue).into());
    match (after, before, position) {
        (None, None, None) => Ok(Anchor::Last),
        (Some(id), None, None) => Ok(Anchor::After(id.0)),
        (None, Some(id), None) => Ok(Anchor::Before(id.0)),
        (None, None, Some(position)) => Ok(Anchor::At(position)),
        (Some(_), Some(_), _) => second("beforePageId"),
        (_, _, Some(_)) => second("position"),
    }
}

/// The content of a new page, from blocks or text, and the title with which the text begins.
fn content(
    blocks: Option<SentBlocks>,
    text: Option<Markdown>,
    untitled: bool,
    cancellation: &Cancellation,
) -> Draft<(Option<PageTitle>, Vec<Piece>)> {
    match (blocks, text) {
        (Some(_), Some(_)) => Err(Violation::new("markdown", Issue::InvalidValue).into()),
        (Some(blocks), None) => Ok((None, pieces::read(blocks.0)?)),
        (None, None) => Ok((None, Vec::new())),
        (None, Some(Markdown(text))) => {
            let pieces = markdown::read_cancellable(&text, cancellation).map_err(octavo_app::blocks::refused)?;
            if !untitled {
                return Ok((None, pieces));
            }
            let (heading, rest) = markdown::heading_as_title(pieces.clone());
            match heading.and_then(|heading| PageTitle::parse(&heading).ok()) {
                Some(title) => Ok((Some(title), rest)),
                None => Ok((None, pieces)),
            }
        }
    }
}

fn draft(body: NewPageBody, cancellation: &Cancellation) -> Draft<NewPage> {
    if let Some(never) = body.template_id.or(body.variables) {
        match never {}
    }
    let anchor = anchor(body.after_page_id, body.before_page_id, body.position)?;
    // The place is parsed separately.
    let _ = (body.parent_id, body.team_id);
    let (heading, content) = content(body.blocks, body.markdown, body.title.is_none(), cancellation)?;
    Ok(NewPage {
        content,
        origin: PageOrigin::Here,
        id: body.id,
        title: body.title.or(heading),
        icon: body.icon.flatten(),
        cover_url: body.cover_url.flatten(),
        anchor,
        inherit: body.inherit,
    })
}

async fn list(dispatcher: Dispatcher, call: Call, query: Draft<PagesQuery>) -> Answer {
    let asked = query.map(|query| PageList {
        parent: query.parent_id.map(|root| root.0),
        team: query.team_id,
        created_by: query.created_by,
        updated_after: query.updated_after,
        public_access: query.public_access,
        include_record_pages: query.include_record_pages.unwrap_or(false),
        sort: query.sort.map(|sort| sort.0),
        limit: query.page.fetch(),
        after: query.page.after,
    });
    let sort = asked.as_ref().map_or(PageSort::POSITION, PageList::sort);
    let position = move |shown: &PageDetails| shown.page.mark(sort);
    dispatcher.list(call, move |view| Box::pin(pages::list(view, asked)), position, PageReply::from).await
}

async fn create(dispatcher: Dispatcher, call: Call, home: Draft<Home>, body: Draft<NewPageBody>) -> Answer {
    let place = home.map(Place::from);
    if let Ok(NewPageBody { markdown: Some(Markdown(text)), .. }) = &body {
        let kind = WorkKind::of_text(text);
        let read = move |cancellation: &Cancellation| body.and_then(|body| draft(body, cancellation));
        let document = Document { kind, read: Box::new(read) };
        let create = |engine: Arc<Engine>, call| async move {
            pages::create_from_document(&engine, call, place, Ok(document), |(shown, _)| of_new(shown)).await
        };
        return dispatcher.computing().flow(call, create).await;
    }
    let draft = body.and_then(|body| draft(body, &Cancellation::default()));
    dispatcher
        .write_repeatably(call, move |unit| Box::pin(pages::create(unit, place.clone(), draft.clone())), of_new)
        .await
}

fn of_new(shown: PageDetails) -> Reply {
    let location = locations::page(shown.page.id);
    created(PageReply::from(shown)).at(location)
}

async fn recent(dispatcher: Dispatcher, call: Call) -> Answer {
    // The answer must include visits that this node has not stored yet.
    let (visits, now) = (dispatcher.backend().activity.take_visits(), call.now);
    let shape = |found: Vec<Recent>| {
        let data = found.into_iter().map(PageReply::from).collect();
        Reply::json(200, &Page { data, next_cursor: None })
    };
    dispatcher
        .flow(call, move |engine, call| async move {
            pages::note_visits(&engine, now, visits).await?;
            engine.read(call, |view| Box::pin(pages::recent(view))).await.map(shape)
        })
        .await
}
