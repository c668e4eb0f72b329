//! `/comments/{commentId}/reactions`

use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, Nothing, Path, Query, routes},
    wire::{Data, body, query, reply},
};
use octavo_app::{
    Call, Draft, Reply,
    access::RouteAccess,
    comments::{self, ReactionState, ReactionTarget},
};
use octavo_core_model::{
    Fault, Level,
    comment::Emoji,
    fault::{Conflict, Denial},
    id::{CommentId, ReplyId, UserId},
};

body! {
    /// A reaction.
    pub(crate) ReactionBody {
        /// The emoji, one of a hundred.
        emoji "emoji": required Emoji,
        /// The reply that it is to; by default it is to the comment that begins the thread.
        reply_id "replyId": nullable ReplyId,
    }
}

query! {
    /// The reaction to take back.
    pub(crate) ReactionQuery {
        /// The emoji.
        emoji "emoji": required Emoji,
        /// The reply that it is to; by default it is to the comment that begins the thread.
        reply_id "replyId": optional ReplyId,
    }
}

reply! {
    /// Who reacts to a comment or reply with an emoji.
    pub(crate) ReactionStateReply {
        /// The thread.
        comment_id "commentId": required CommentId,
        /// The reply; null for the comment that begins the thread.
        reply_id "replyId": nullable ReplyId = null,
        /// The emoji.
        emoji "emoji": required Emoji,
        /// How many people react with it.
        count "count": required u64 = 1,
        /// These people, from the first on.
        user_ids "userIds": required Vec<UserId>,
    }
}

const COMMENT: Fault = Fault::Forbidden(Denial::RequiresLevel(Level::Comment));
const EDIT: Fault = Fault::Forbidden(Denial::RequiresLevel(Level::Edit));
const TRASHED: Fault = Fault::Conflict(Conflict::PageTrashed);

routes! {
    /// Reacts to a comment or reply.
    ///
    /// For callers that may comment on the page. A person reacts once with each emoji; doing it again changes nothing. With
    /// an API key, the user who created the key reacts.
    POST "/comments/{commentId}/reactions" as addReaction => add {
        caller: Inside(RouteAccess::PAGES_CHANGE),
        limits: [],
        takes: (comment: Path<CommentId>, body: Body<ReactionBody>),
        answers: { 200: Data<ReactionStateReply> },
        refusals: [COMMENT, Fault::UnknownId("replyId"), TRASHED],
        events: [CommentReactionAdded],
    }

    /// Takes a reaction back.
    ///
    /// The caller's own. The answer shows who else reacts with the emoji; it is empty if nobody does.
    DELETE "/comments/{commentId}/reactions" as removeReaction => remove {
        caller: Inside(RouteAccess::OWN_PAGES_CHANGE),
        limits: [],
        takes: (comment: Path<CommentId>, query: Query<ReactionQuery>),
        answers: { 200: Data<ReactionStateReply>, 204: Nothing },
        refusals: [EDIT, Fault::UnknownId("replyId"), TRASHED],
        events: [CommentReactionRemoved],
    }
}

impl From<ReactionState> for ReactionStateReply {
    fn from(state: ReactionState) -> Self {
        let ReactionState { comment, target: ReactionTarget { emoji, reply }, users } = state;
        Self { comment_id: comment, reply_id: reply, emoji, count: users.len() as u64, user_ids: users }
    }
}

async fn add(dispatcher: Dispatcher, call: Call, comment: Draft<CommentId>, body: Draft<ReactionBody>) -> Answer {
    let target = body.map(|body| ReactionTarget { emoji: body.emoji, reply: body.reply_id.flatten() });
    let shape = |state| ok(ReactionStateReply::from(state));
    dispatcher.write(call, move |unit| Box::pin(comments::react(unit, comment, target)), shape).await
}

async fn remove(dispatcher: Dispatcher, call: Call, comment: Draft<CommentId>, query: Draft<ReactionQuery>) -> Answer {
    let target = query.map(|query| ReactionTarget { emoji: query.emoji, reply: query.reply_id });
    let shape = |state: ReactionState| {
        if state.users.is_empty() { Reply::nothing() } else { ok(ReactionStateReply::from(state)) }
    };
    dispatcher.write(call, move |unit| Box::pin(comments::unreact(unit, comment, target)), shape).await
}
