//! `/comments/{commentId}/replies`

use super::{
    comment::ThreadReply,
    sent::{SentMentions, mentions},
};
use crate::{
    answer::{Answer, created},
    dispatcher::Dispatcher,
    route::{Body, Nothing, Path, routes},
    wire::{Data, body},
};
use octavo_app::{
    Call, Draft, Reply,
    access::RouteAccess,
    comments::{self, NewReply},
};
use octavo_core_model::{
    Fault, Level,
    comment::Comment,
    fault::{Conflict, Denial},
    id::{CommentId, ReplyId},
    text::CommentText,
};

body! {
    /// A reply to write.
    pub(crate) NewReplyBody {
        example: { "body": "Looks right to me." };
        /// The text. Names of members and teams after an `@` mention them.
        body "body": required CommentText,
        /// Whom and what it mentions, in place of the names in the text. What does not exist is left out.
        mentions "mentions": optional SentMentions,
    }
}

routes! {
    /// Replies in a thread.
    ///
    /// For callers that may comment on the page. A resolved thread stays resolved. A thread has at most 5000 replies.
    POST "/comments/{commentId}/replies" as createReply => create {
        caller: Inside(RouteAccess::PAGES_CHANGE),
        limits: [CommentCreate],
        takes: (comment: Path<CommentId>, body: Body<NewReplyBody>),
        answers: { 201: Data<ThreadReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Comment)),
            Fault::Conflict(Conflict::PageTrashed),
            Fault::Conflict(Conflict::LimitReached(Comment::MOST_REPLIES)),
        ],
        events: [CommentReplyCreated],
    }

    /// Deletes a reply.
    ///
    /// With the reactions to it. Open to its author, as long as they may see the page, and to those who may edit the page.
    DELETE "/comments/{commentId}/replies/{replyId}" as deleteReply => delete {
        caller: Inside(RouteAccess::OWN_PAGES_CHANGE),
        limits: [],
        takes: (comment: Path<CommentId>, reply: Path<ReplyId>),
        answers: { 204: Nothing },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Conflict(Conflict::PageTrashed),
        ],
        events: [CommentReplyDeleted],
    }
}

async fn create(dispatcher: Dispatcher, call: Call, comment: Draft<CommentId>, body: Draft<NewReplyBody>) -> Answer {
    let draft = body.and_then(|body| Ok(NewReply { body: body.body, mentions: mentions(body.mentions)? }));
    let shape = |shown| created(ThreadReply::from(shown));
    dispatcher.write(call, move |unit| Box::pin(comments::reply(unit, comment, draft)), shape).await
}

async fn delete(dispatcher: Dispatcher, call: Call, comment: Draft<CommentId>, reply: Draft<ReplyId>) -> Answer {
    let shape = |()| Reply::nothing();
    dispatcher.write(call, move |unit| Box::pin(comments::delete_reply(unit, comment, reply)), shape).await
}
