//! `/comments` and `/pages/{pageId}/comments`

use super::{
    comment::CommentReply,
    sent::{SentMentions, SentSelection, mentions},
};
use crate::{
    answer::{Answer, created},
    dispatcher::Dispatcher,
    route::{Body, EarlyFields, Located, Path, Query, routes},
    v1::locations,
    wire::{Data, Listed, Page, body, query},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    comments::{self, CommentList, NamedAnchor, NamedSelection, NewComment, ShownComment},
};
use octavo_core_model::{
    Fault, Level,
    comment::{CommentDetail, CommentStates},
    fault::{ComputeFault, Conflict, Denial},
    id::{BlockId, CommentId, PageId, RecordId, TeamId, UserId},
    text::CommentText,
};

body! {
    /// What a thread is on. One of these is enough: a block and a record say which page it is.
    pub(crate) CommentAnchor {
        /// The page.
        page_id "pageId": nullable PageId,
        /// A block of the page.
        block_id "blockId": nullable BlockId,
        /// The record that the page belongs to.
        record_id "recordId": nullable RecordId,
    }
}

body! {
    /// A thread to begin. It is on a page, a block or a record; one of their ids is enough.
    pub(crate) NewCommentBody {
        example: { "pageId": "pg_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", "body": "Can you check this, @Ada?" };
        /// The page.
        page_id "pageId": nullable PageId,
        /// A block of the page.
        block_id "blockId": nullable BlockId,
        /// The record that the page belongs to.
        record_id "recordId": nullable RecordId,
        /// The part of the block's text that it is about.
        selection "selection": nullable SentSelection,
        /// The text. Names of members and teams after an `@` mention them.
        body "body": required CommentText,
        /// Whom and what it mentions, in place of the names in the text. What does not exist is left out.
        mentions "mentions": optional SentMentions,
        /// The team of the page, for callers that want to be sure of it.
        team_id "teamId": nullable TeamId,
    }
}

query! {
    /// Which threads of a page to list.
    pub(crate) CommentsOfPageQuery {
        page: CommentId, 20 up to 100;
        /// Only those on this block.
        block_id "blockId": optional BlockId,
        /// Only those on the record that the page belongs to.
        record_id "recordId": optional RecordId,
        /// Only open or only resolved ones; all by default.
        status "status": optional CommentStates = "open",
        /// What to show besides the threads. Reactions are always shown.
        include "include": optional Listed<CommentDetail> = ["replies"],
    }
}

query! {
    /// Which threads to list.
    pub(crate) CommentsQuery {
        page: CommentId, 20 up to 100;
        /// Only those on this page.
        page_id "pageId": optional PageId,
        /// Only those on this block.
        block_id "blockId": optional BlockId,
        /// Only those on this record.
        record_id "recordId": optional RecordId,
        /// Only those on pages of this team.
        team_id "teamId": optional TeamId,
        /// Only those that this person began.
        author_id "authorId": optional UserId,
        /// Only open or only resolved ones; all by default.
        status "status": optional CommentStates = "open",
        /// What to show besides the threads. Reactions are always shown.
        include "include": optional Listed<CommentDetail> = ["replies"],
    }
}

const EDIT: Fault = Fault::Forbidden(Denial::RequiresLevel(Level::Edit));
const MEMORY: Fault = Fault::Compute(ComputeFault::MemoryFull);

routes! {
    /// Begins a thread.
    ///
    /// For callers that may comment on the page. It is on a page, on a block of it, on a part of the text of that block, or
    /// on a record; what is named must belong together. With an API key, the user who created the key is the author.
    POST "/comments" as createComment => create {
        caller: Inside(RouteAccess::PAGES_CHANGE),
        limits: [CommentCreate],
        takes: (anchor: EarlyFields<CommentAnchor>, body: Body<NewCommentBody>),
        answers: { 201: Located<Data<CommentReply>> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Comment)),
            EDIT,
            Fault::UnknownId("pageId"),
            Fault::Conflict(Conflict::PageTrashed),
            MEMORY,
        ],
        events: [CommentCreated, CommentMentioned],
    }

    /// Lists threads.
    ///
    /// Those on active pages that the caller may see, newest first, or those on the page, block or record that is named.
    GET "/comments" as listComments => list {
        caller: Inside(RouteAccess::PAGES),
        limits: [],
        takes: (query: Query<CommentsQuery>),
        answers: { 200: Page<CommentReply> },
        refusals: [Fault::UnknownId("pageId"), EDIT, MEMORY],
        events: [],
    }

    /// Lists the threads on a page.
    ///
    /// Newest first, including those on its blocks and, for the page of a record, on the record.
    GET "/pages/{pageId}/comments" as listPageComments => list_of_page {
        caller: Inside(RouteAccess::PAGES),
        limits: [],
        takes: (page: Path<PageId>, query: Query<CommentsOfPageQuery>),
        answers: { 200: Page<CommentReply> },
        refusals: [EDIT, MEMORY],
        events: [],
    }
}

async fn create(
    dispatcher: Dispatcher,
    call: Call,
    anchor: Draft<CommentAnchor>,
    body: Draft<NewCommentBody>,
) -> Answer {
    let anchor = anchor.map(|anchor| NamedAnchor {
        page: anchor.page_id.flatten(),
        block: anchor.block_id.flatten(),
        record: anchor.record_id.flatten(),
    });
    let draft = body.and_then(|body| {
        // They are read early.
        let _ = (body.page_id, body.block_id, body.record_id);
        Ok(NewComment {
            selection: body.selection.flatten().map(NamedSelection::from),
            body: body.body,
            mentions: mentions(body.mentions)?,
            team: body.team_id.flatten(),
        })
    });
    let shape = |shown: ShownComment| {
        let location = locations::comment(shown.comment.id);
        created(CommentReply::from(shown)).at(location)
    };
    dispatcher.write(call, move |unit| Box::pin(comments::create(unit, anchor, draft)), shape).await
}

fn with_replies(include: Option<&Listed<CommentDetail>>) -> bool {
    include.is_some_and(|include| include.0.contains(&CommentDetail::Replies))
}

async fn list(dispatcher: Dispatcher, call: Call, query: Draft<CommentsQuery>) -> Answer {
    let asked = query.map(|query| CommentList {
        anchor: NamedAnchor { page: query.page_id, block: query.block_id, record: query.record_id },
        team: query.team_id,
        author: query.author_id,
        status: query.status.and_then(CommentStates::only),
        with_replies: with_replies(query.include.as_ref()),
        before: query.page.after,
        limit: query.page.fetch(),
    });
    let position = |shown: &ShownComment| shown.comment.id;
    dispatcher.list(call, move |view| Box::pin(comments::list(view, asked)), position, CommentReply::from).await
}

async fn list_of_page(
    dispatcher: Dispatcher,
    call: Call,
    page: Draft<PageId>,
    query: Draft<CommentsOfPageQuery>,
) -> Answer {
    let asked = query.map(|query| CommentList {
        anchor: NamedAnchor { page: None, block: query.block_id, record: query.record_id },
        status: query.status.and_then(CommentStates::only),
        with_replies: with_replies(query.include.as_ref()),
        before: query.page.after,
        limit: query.page.fetch(),
        ..CommentList::default()
    });
    let position = |shown: &ShownComment| shown.comment.id;
    dispatcher
        .list(call, move |view| Box::pin(comments::list_of_page(view, page, asked)), position, CommentReply::from)
        .await
}
