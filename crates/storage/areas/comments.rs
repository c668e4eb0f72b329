//! Comments, their replies and the reactions to both.

use super::{
    Db, Scope,
    dialect::{ListType, among, list, locked, one_of},
};
use crate::{
    prepared::{Columns, Prepare},
    rows::comments::{CommentReferenceRow, CommentReplyRow, CommentRow, ReactionRow, target},
    schema::{
        blocks, comment_reactions as reactions, comment_references as references, comment_replies as replies, comments,
        follows, pages,
    },
    stored::{AFTER_EVERY_ID, Stored},
};
use diesel::{
    dsl::exists,
    prelude::*,
    select, sql_query,
    sql_types::{BigInt, Text},
};
use octavo_core_model::{
    Timestamp,
    comment::{Comment, CommentStatus, Emoji, Reaction, Reply},
    follow::FollowTarget,
    id::{CommentId, PageId, ReplyId, UserId, WorkspaceId},
    page::Node,
    text::CommentText,
};
use octavo_ports::{
    comments::{CommentFilter, CommentMark, CommentPlace, CommentReads, CommentReference, Comments},
    store::StoreResult,
};
use octavo_storage_macros::area;

/// Whether a thread is on no block, or on one that is not deleted.
macro_rules! shown {
    () => {
        comments::block_id.is_null().or(exists(
            blocks::table
                .filter(blocks::workspace_id.eq(comments::workspace_id))
                .filter(blocks::id.nullable().eq(comments::block_id))
                .filter(blocks::deleted_at.is_null()),
        ))
    };
}

macro_rules! thread {
    ($workspace:expr, $id:expr) => {
        comments::table
            .filter(comments::workspace_id.eq(Stored($workspace)))
            .filter(comments::id.eq(Stored($id)))
            .filter(shown!())
            .select(CommentRow::as_select())
    };
}

/// The replies or reactions in these threads.
macro_rules! in_threads {
    ($table:ident, $workspace:expr, $comments:expr) => {
        $table::table
            .filter($table::workspace_id.eq(Stored($workspace)))
            .filter(one_of!($table::comment_id, $comments.iter().copied().map(Stored)))
    };
}

/// Where a mention stands and when it was made, with the text of the comment, and that of the reply if it has the mention.
type FoundReference =
    ((Stored<CommentId>, String, Stored<PageId>, i64), Stored<CommentText>, Option<Stored<CommentText>>);

#[area]
impl CommentReads for Scope {
    async fn find(&mut self, workspace: WorkspaceId, id: CommentId) -> StoreResult<Option<Comment>> {
        Ok(self.optional::<CommentRow, _>(thread!(workspace, id)).await?.map(Comment::from))
    }

    async fn list_by_id(&mut self, workspace: WorkspaceId, ids: &[CommentId]) -> StoreResult<Vec<Comment>> {
        let found = comments::table
            .filter(comments::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(comments::id, ids.iter().copied().map(Stored)))
            .filter(shown!())
            .select(CommentRow::as_select());
        Ok(self.all::<CommentRow, _>(found).await?.into_iter().map(Comment::from).collect())
    }

    async fn list_by_age(
        &mut self,
        workspace: WorkspaceId,
        after: Option<CommentId>,
        limit: u32,
    ) -> StoreResult<Vec<CommentId>> {
        let list = comments::table
            .filter(comments::workspace_id.eq(Stored(workspace)))
            .filter(comments::id.gt(after.map_or_else(String::new, |id| id.to_string())))
            .filter(shown!())
            .order(comments::id)
            .limit(limit.into())
            .select(comments::id);
        Ok(self.all::<Stored<CommentId>, _>(list).await?.into_iter().map(|id| id.0).collect())
    }

    async fn list_on_pages(
        &mut self,
        workspace: WorkspaceId,
        pages: &[PageId],
        limit: u32,
    ) -> StoreResult<Vec<(PageId, CommentId)>> {
        let list = comments::table
            .filter(comments::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(comments::page_id, pages.iter().copied().map(Stored)))
            .filter(shown!())
            .limit(limit.into())
            .select((comments::page_id, comments::id));
        let list = self.all::<(Stored<PageId>, Stored<CommentId>), _>(list).await?;
        Ok(list.into_iter().map(|(page, id)| (page.0, id.0)).collect())
    }

    async fn list_replies_by_id(
        &mut self,
        workspace: WorkspaceId,
        comments: &[CommentId],
        ids: &[ReplyId],
    ) -> StoreResult<Vec<Reply>> {
        let found = in_threads!(replies, workspace, comments)
            .filter(one_of!(replies::id, ids.iter().copied().map(Stored)))
            .select(CommentReplyRow::as_select());
        Ok(self.all::<CommentReplyRow, _>(found).await?.into_iter().map(Reply::from).collect())
    }

    async fn list(
        &mut self,
        workspace: WorkspaceId,
        filter: &CommentFilter,
        before: Option<CommentId>,
        limit: u32,
    ) -> StoreResult<Vec<Comment>> {
        let before = before.map_or_else(|| AFTER_EVERY_ID.to_owned(), |id| id.to_string());
        let same = pages::workspace_id.eq(comments::workspace_id).and(pages::id.eq(comments::page_id));
        let mut found = comments::table
            .inner_join(pages::table.on(same))
            .filter(comments::workspace_id.eq(Stored(workspace)))
            .filter(comments::id.lt(before))
            .filter(shown!())
            .order(comments::id.desc())
            .limit(limit.into())
            .select(CommentRow::as_select())
            .into_boxed::<Db>();
        found = match filter.page {
            Some(page) => found.filter(comments::page_id.eq(Stored(page))),
            None => found.filter(pages::trashed_at.is_null()),
        };
        if let Some(block) = filter.block {
            found = found.filter(comments::block_id.eq(Stored(block)));
        }
        if filter.on_record {
            found = found.filter(comments::on_record);
        }
        if let Some(team) = filter.team {
            found = found.filter(pages::team_id.eq(Stored(team)));
        }
        if let Some(author) = filter.author {
            found = found.filter(comments::author_id.eq(Stored(author)));
        }
        found = match filter.status {
            Some(CommentStatus::Open) => found.filter(comments::resolved_at.is_null()),
            Some(CommentStatus::Resolved) => found.filter(comments::resolved_at.is_not_null()),
            None => found,
        };
        if let Some(nodes) = &filter.within {
            found = found.filter(one_of!(pages::access_id, nodes.iter().copied().map(Stored)));
        }
        Ok(self.all::<CommentRow, _>(found).await?.into_iter().map(Comment::from).collect())
    }

    async fn find_reply(
        &mut self,
        workspace: WorkspaceId,
        comment: CommentId,
        id: ReplyId,
    ) -> StoreResult<Option<Reply>> {
        let reply =
            replies::table.find((Stored(workspace), Stored(comment), Stored(id))).select(CommentReplyRow::as_select());
        Ok(self.optional(reply).await?.map(Reply::from))
    }

    async fn list_replies(&mut self, workspace: WorkspaceId, comments: &[CommentId]) -> StoreResult<Vec<Reply>> {
        let found = in_threads!(replies, workspace, comments)
            .order((replies::comment_id, replies::id))
            .select(CommentReplyRow::as_select());
        Ok(self.all::<CommentReplyRow, _>(found).await?.into_iter().map(Reply::from).collect())
    }

    async fn measure_replies(&mut self, workspace: WorkspaceId, comments: &[CommentId]) -> StoreResult<u64> {
        let sum = sql_query(format!(
            "SELECT CAST(COALESCE(SUM(octet_length(body) + octet_length(mentions)), 0) AS BIGINT) FROM comment_replies \
             WHERE workspace_id = $1 AND comment_id {}",
            among(2)
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<ListType, _>(list(comments.iter().copied()));
        Ok(self.one::<i64, _>(sum.columns::<BigInt>().prepared()).await?.unsigned_abs())
    }

    async fn list_repliers(
        &mut self,
        workspace: WorkspaceId,
        comment: CommentId,
        limit: u32,
    ) -> StoreResult<Vec<UserId>> {
        let authors = replies::table
            .filter(replies::workspace_id.eq(Stored(workspace)))
            .filter(replies::comment_id.eq(Stored(comment)))
            .select(replies::author_id)
            .distinct()
            .order(replies::author_id)
            .limit(limit.into());
        Ok(self.all::<Stored<UserId>, _>(authors).await?.into_iter().map(|id| id.0).collect())
    }

    async fn list_reactions(
        &mut self,
        workspace: WorkspaceId,
        comments: &[CommentId],
        with_replies: bool,
    ) -> StoreResult<Vec<Reaction>> {
        let found = in_threads!(reactions, workspace, comments)
            .order((reactions::created_at, reactions::emoji, reactions::user_id))
            .select(ReactionRow::as_select());
        let found = if with_replies {
            self.all::<ReactionRow, _>(found).await?
        } else {
            self.all::<ReactionRow, _>(found.filter(reactions::target_id.eq(reactions::comment_id))).await?
        };
        Ok(found.into_iter().map(Reaction::from).collect())
    }

    async fn list_reactors(
        &mut self,
        workspace: WorkspaceId,
        (comment, reply): (CommentId, Option<ReplyId>),
        emoji: Emoji,
    ) -> StoreResult<Vec<UserId>> {
        let users = reactions::table
            .filter(reactions::workspace_id.eq(Stored(workspace)))
            .filter(reactions::comment_id.eq(Stored(comment)))
            .filter(reactions::target_id.eq(target(comment, reply)))
            .filter(reactions::emoji.eq(Stored(emoji)))
            .order((reactions::created_at, reactions::user_id))
            .select(reactions::user_id);
        Ok(self.all::<Stored<UserId>, _>(users).await?.into_iter().map(|id| id.0).collect())
    }

    async fn list_references_to(
        &mut self,
        workspace: WorkspaceId,
        mentioned: PageId,
        within: Option<&[Node]>,
        after: Option<&CommentMark>,
        limit: u32,
    ) -> StoreResult<Vec<CommentReference>> {
        let (time, id) = after.map_or((i64::MAX, AFTER_EVERY_ID.to_owned()), |mark| {
            (mark.created_at.millis(), target(mark.comment, mark.reply))
        });
        let page = pages::workspace_id.eq(references::workspace_id).and(pages::id.eq(references::page_id));
        let comment = comments::workspace_id.eq(references::workspace_id).and(comments::id.eq(references::comment_id));
        let reply = replies::workspace_id
            .eq(references::workspace_id)
            .and(replies::comment_id.eq(references::comment_id))
            .and(replies::id.eq(references::source_id));
        let columns = (references::comment_id, references::source_id, references::page_id, references::created_at);
        let mut list = references::table
            .inner_join(pages::table.on(page))
            .inner_join(comments::table.on(comment))
            .left_join(replies::table.on(reply))
            .filter(pages::trashed_at.is_null())
            .filter(shown!())
            .filter(references::workspace_id.eq(Stored(workspace)))
            .filter(references::target_id.eq(Stored(mentioned)))
            .filter(references::created_at.le(time))
            .filter(references::created_at.lt(time).or(references::source_id.lt(id)))
            .order((references::created_at.desc(), references::source_id.desc()))
            .limit(limit.into())
            .select((columns, comments::body, replies::body.nullable()))
            .into_boxed::<Db>();
        if let Some(nodes) = within {
            list = list.filter(one_of!(pages::access_id, nodes.iter().copied().map(Stored)));
        }
        let reference = |((comment, source, page, created_at), text, in_reply): FoundReference| CommentReference {
            place: CommentPlace { comment: comment.0, reply: source.parse().ok(), page: page.0 },
            text: in_reply.unwrap_or(text).0,
            created_at: Timestamp::from_millis(created_at),
        };
        Ok(self.all::<FoundReference, _>(list).await?.into_iter().map(reference).collect())
    }
}

#[area]
impl Comments for Scope {
    async fn insert(&mut self, comment: &Comment) -> StoreResult<()> {
        let row = CommentRow::from(comment);
        self.execute(diesel::insert_into(comments::table).values(&row)).await.map(drop)
    }

    async fn lock(&mut self, workspace: WorkspaceId, id: CommentId) -> StoreResult<Option<Comment>> {
        Ok(self.optional::<CommentRow, _>(locked!(thread!(workspace, id))).await?.map(Comment::from))
    }

    async fn save(&mut self, comment: &Comment) -> StoreResult<()> {
        let row = comments::table.find((Stored(comment.workspace), Stored(comment.id)));
        self.execute(diesel::update(row).set(CommentRow::from(comment)).prepared()).await.map(drop)
    }

    async fn remove(&mut self, workspace: WorkspaceId, id: CommentId) -> StoreResult<()> {
        let ids = [id];
        self.execute(diesel::delete(in_threads!(reactions, workspace, ids))).await?;
        self.execute(diesel::delete(in_threads!(references, workspace, ids))).await?;
        self.execute(diesel::delete(in_threads!(replies, workspace, ids))).await?;
        let followed = follows::table
            .filter(follows::workspace_id.eq(Stored(workspace)))
            .filter(follows::target_id.eq(Stored(FollowTarget::Thread(id))));
        self.execute(diesel::delete(followed)).await?;
        let row = comments::table.find((Stored(workspace), Stored(id)));
        self.execute(diesel::delete(row)).await.map(drop)
    }

    async fn insert_reply(&mut self, reply: &Reply) -> StoreResult<()> {
        let row = CommentReplyRow::from(reply);
        self.execute(diesel::insert_into(replies::table).values(&row)).await.map(drop)
    }

    async fn replace_references(
        &mut self,
        workspace: WorkspaceId,
        place: &CommentPlace,
        targets: &[PageId],
        at: Timestamp,
    ) -> StoreResult<()> {
        let source = target(place.comment, place.reply);
        let others = in_threads!(references, workspace, [place.comment])
            .filter(references::source_id.eq(source))
            .filter(diesel::dsl::not(one_of!(references::target_id, targets.iter().copied().map(Stored))));
        self.execute(diesel::delete(others)).await?;
        for mentioned in targets {
            let row = CommentReferenceRow::new(workspace, place, *mentioned, at);
            let insert = diesel::insert_into(references::table).values(&row).on_conflict_do_nothing().prepared();
            self.execute(insert).await?;
        }
        Ok(())
    }

    async fn remove_reply(&mut self, workspace: WorkspaceId, comment: CommentId, id: ReplyId) -> StoreResult<()> {
        let to_it = in_threads!(reactions, workspace, [comment]).filter(reactions::target_id.eq(id.to_string()));
        self.execute(diesel::delete(to_it)).await?;
        let from_it = in_threads!(references, workspace, [comment]).filter(references::source_id.eq(id.to_string()));
        self.execute(diesel::delete(from_it)).await?;
        let row = replies::table.find((Stored(workspace), Stored(comment), Stored(id)));
        self.execute(diesel::delete(row)).await.map(drop)
    }

    async fn insert_reaction(&mut self, reaction: &Reaction) -> StoreResult<bool> {
        let row = ReactionRow::from(reaction);
        let insert = diesel::insert_into(reactions::table).values(&row).on_conflict_do_nothing().prepared();
        Ok(self.execute(insert).await? == 1)
    }

    async fn remove_reaction(
        &mut self,
        workspace: WorkspaceId,
        (comment, reply): (CommentId, Option<ReplyId>),
        emoji: Emoji,
        user: UserId,
    ) -> StoreResult<bool> {
        let key = (Stored(workspace), Stored(comment), target(comment, reply), Stored(emoji), Stored(user));
        Ok(self.execute(diesel::delete(reactions::table.find(key))).await? == 1)
    }

    async fn are_left_of(&mut self, workspace: WorkspaceId, page: PageId) -> StoreResult<bool> {
        // Threads are removed after everything in them.
        let of_page = comments::table
            .filter(comments::workspace_id.eq(Stored(workspace)))
            .filter(comments::page_id.eq(Stored(page)));
        self.one(select(exists(of_page))).await
    }
}
