//! `/comments/{commentId}`

use super::{
    comment::CommentReply,
    sent::{SentMentions, mentions},
};
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, Nothing, Path, routes},
    wire::{Data, body, reply},
};
use octavo_app::{
    Call, Draft, Reply,
    access::RouteAccess,
    comments::{self, CommentEdit},
};
use octavo_core_model::{
    Fault, Level, Timestamp,
    comment::{Comment, CommentStatus},
    fault::{ComputeFault, Conflict, Denial},
    id::{CommentId, UserId},
    text::CommentText,
};

body! {
    /// A change of a comment. Fields that are left out stay as they are.
    pub(crate) CommentBody {
        example: { "body": "Can you check this, @Bob?" };
        /// The text. Names in it are read again; what was mentioned by id stays.
        body "body": optional CommentText,
        /// Whom and what it mentions, in place of all that it mentions now.
        mentions "mentions": optional SentMentions,
    }
}

reply! {
    /// The state of a thread.
    pub(crate) ResolutionReply {
        /// The thread.
        id "id": required CommentId,
        /// `resolved`.
        status "status": required CommentStatus = "resolved",
        /// When it was resolved.
        resolved_at "resolvedAt": nullable Timestamp,
        /// Who resolved it.
        resolved_by "resolvedBy": nullable UserId,
    }
}

const EDIT: Fault = Fault::Forbidden(Denial::RequiresLevel(Level::Edit));
const TRASHED: Fault = Fault::Conflict(Conflict::PageTrashed);

routes! {
    /// Shows a thread.
    ///
    /// With its replies and reactions, for everybody who may see its page.
    GET "/comments/{commentId}" as getComment => get {
        caller: Inside(RouteAccess::PAGES),
        limits: [],
        takes: (comment: Path<CommentId>),
        answers: { 200: Data<CommentReply> },
        refusals: [EDIT, Fault::Compute(ComputeFault::MemoryFull)],
        events: [],
    }

    /// Edits the comment that begins a thread.
    ///
    /// Open to its author, as long as they may see the page, and to owners and admins. A change that changes nothing is
    /// not reported.
    PATCH "/comments/{commentId}" as updateComment => edit {
        caller: Inside(RouteAccess::OWN_PAGES_CHANGE),
        limits: [],
        takes: (comment: Path<CommentId>, body: Body<CommentBody>),
        answers: { 200: Data<CommentReply> },
        refusals: [Fault::Forbidden(Denial::NotAuthor), EDIT, TRASHED],
        events: [CommentUpdated, CommentMentioned],
    }

    /// Deletes a thread.
    ///
    /// With its replies and reactions. Open to its author, as long as they may see the page, and to those who may edit the
    /// page.
    DELETE "/comments/{commentId}" as deleteComment => delete {
        caller: Inside(RouteAccess::PAGES_CHANGE_BY_ADMIN_KEYS),
        limits: [],
        takes: (comment: Path<CommentId>),
        answers: { 204: Nothing },
        refusals: [EDIT, TRASHED],
        events: [CommentDeleted],
    }

    /// Resolves a thread.
    ///
    /// Open to its author, as long as they may see the page, and to those who may edit the page. A thread that is resolved
    /// stays as it is. Replies do not reopen it.
    POST "/comments/{commentId}/resolve" as resolveComment => resolve {
        caller: Inside(RouteAccess::OWN_PAGES_CHANGE),
        limits: [],
        takes: (comment: Path<CommentId>),
        answers: { 200: Data<ResolutionReply> },
        refusals: [EDIT, TRASHED],
        events: [CommentResolved],
    }

    /// Reopens a thread.
    ///
    /// Open to those who may resolve it. A thread that is open stays as it is.
    POST "/comments/{commentId}/reopen" as reopenComment => reopen {
        caller: Inside(RouteAccess::OWN_PAGES_CHANGE),
        limits: [],
        takes: (comment: Path<CommentId>),
        answers: { 200: Data<CommentReply> },
        refusals: [EDIT, TRASHED],
        events: [CommentReopened],
    }
}

impl From<Comment> for ResolutionReply {
    fn from(comment: Comment) -> Self {
        Self {
            id: comment.id,
            status: comment.status(),
            resolved_at: comment.resolution.map(|resolution| resolution.at),
            resolved_by: comment.resolution.map(|resolution| resolution.by),
        }
    }
}

async fn get(dispatcher: Dispatcher, call: Call, comment: Draft<CommentId>) -> Answer {
    let shape = |shown| ok(CommentReply::from(shown));
    dispatcher.read(call, move |view| Box::pin(comments::get(view, comment)), shape).await
}

async fn edit(dispatcher: Dispatcher, call: Call, comment: Draft<CommentId>, body: Draft<CommentBody>) -> Answer {
    let draft = body.and_then(|body| Ok(CommentEdit { body: body.body, mentions: mentions(body.mentions)? }));
    let shape = |shown| ok(CommentReply::from(shown));
    dispatcher.write(call, move |unit| Box::pin(comments::edit(unit, comment, draft)), shape).await
}

async fn delete(dispatcher: Dispatcher, call: Call, comment: Draft<CommentId>) -> Answer {
    let shape = |()| Reply::nothing();
    dispatcher.write(call, move |unit| Box::pin(comments::delete(unit, comment)), shape).await
}

async fn resolve(dispatcher: Dispatcher, call: Call, comment: Draft<CommentId>) -> Answer {
    let shape = |comment| ok(ResolutionReply::from(comment));
    dispatcher.write(call, move |unit| Box::pin(comments::resolve(unit, comment)), shape).await
}

async fn reopen(dispatcher: Dispatcher, call: Call, comment: Draft<CommentId>) -> Answer {
    let shape = |shown| ok(CommentReply::from(shown));
    dispatcher.write(call, move |unit| Box::pin(comments::reopen(unit, comment)), shape).await
}
