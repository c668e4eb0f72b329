//! Notifications and the preferences of those who get them.

use super::{
    Scope, dialect,
    dialect::{ListType, among, list, one_of},
};
use crate::{
    prepared::{Columns, Prepare},
    rows::notifications::NotificationRow,
    schema::{notification_digests as digests, notification_preferences as preferences, notifications},
    stored::Stored,
};
use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Text},
};
use octavo_core_model::{
    Timestamp,
    id::{NotificationId, UserId, WorkspaceId},
    notification::{MailPreferences, Notification, NotificationPlace, NotificationType, SubjectType},
};
use octavo_ports::{
    notifications::{DueDigest, Folding, Marked, NotificationFilter, NotificationReads, Notifications},
    store::StoreResult,
};
use octavo_storage_macros::area;

#[area]
impl NotificationReads for Scope {
    async fn find(&mut self, user: UserId, id: NotificationId) -> StoreResult<Option<Notification>> {
        let row = notifications::table.find((Stored(user), Stored(id))).select(NotificationRow::as_select());
        Ok(self.optional(row).await?.and_then(NotificationRow::read))
    }

    async fn list(
        &mut self,
        user: UserId,
        filter: &NotificationFilter,
        before: Option<NotificationPlace>,
        limit: u32,
    ) -> StoreResult<Vec<Notification>> {
        let mut page = notifications::table
            .filter(notifications::user_id.eq(Stored(user)))
            .filter(one_of!(notifications::subject_type, SubjectType::ALL.iter().copied().map(Stored)))
            .order((notifications::updated_at.desc(), notifications::id.desc()))
            .limit(limit.into())
            .select(NotificationRow::as_select())
            .into_boxed();
        // Types that only a newer release knows are left out.
        let kinds = filter.kinds.as_deref().unwrap_or(NotificationType::ALL);
        page = page.filter(one_of!(notifications::kind, kinds.iter().copied().map(Stored)));
        if let Some(workspace) = filter.workspace {
            page = page.filter(notifications::workspace_id.eq(Stored(workspace)));
        }
        if filter.unread {
            page = page.filter(notifications::read_at.is_null());
        }
        page = if filter.archived {
            page.filter(notifications::archived_at.is_not_null())
        } else {
            page.filter(notifications::archived_at.is_null())
        };
        if let Some(NotificationPlace { updated_at, id }) = before {
            let at = updated_at.millis();
            let same_time = notifications::updated_at.eq(at).and(notifications::id.lt(Stored(id)));
            page = page.filter(notifications::updated_at.lt(at).or(same_time));
        }
        Ok(self.all(page).await?.into_iter().filter_map(NotificationRow::read).collect())
    }

    async fn count_unread(&mut self, user: UserId, workspace: Option<WorkspaceId>) -> StoreResult<u64> {
        let mut unread = notifications::table
            .filter(notifications::user_id.eq(Stored(user)))
            .filter(notifications::read_at.is_null())
            .filter(notifications::archived_at.is_null())
            .filter(one_of!(notifications::kind, NotificationType::ALL.iter().copied().map(Stored)))
            .filter(one_of!(notifications::subject_type, SubjectType::ALL.iter().copied().map(Stored)))
            .count()
            .into_boxed();
        if let Some(workspace) = workspace {
            unread = unread.filter(notifications::workspace_id.eq(Stored(workspace)));
        }
        Ok(self.one::<i64, _>(unread).await?.unsigned_abs())
    }

    async fn list_by_id(&mut self, users: &[UserId], ids: &[NotificationId]) -> StoreResult<Vec<Notification>> {
        let found = notifications::table
            .filter(one_of!(notifications::user_id, users.iter().copied().map(Stored)))
            .filter(one_of!(notifications::id, ids.iter().copied().map(Stored)))
            .select(NotificationRow::as_select());
        Ok(self.all(found).await?.into_iter().filter_map(NotificationRow::read).collect())
    }

    async fn list_unread_between(
        &mut self,
        user: UserId,
        kinds: &[NotificationType],
        since: Timestamp,
        until: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Notification>> {
        let unread = notifications::table
            .filter(notifications::user_id.eq(Stored(user)))
            .filter(notifications::updated_at.ge(since.millis()))
            .filter(notifications::created_at.ge(since.millis()))
            .filter(notifications::created_at.lt(until.millis()))
            .filter(notifications::read_at.is_null())
            .filter(notifications::archived_at.is_null())
            .filter(one_of!(notifications::kind, kinds.iter().copied().map(Stored)))
            .order((notifications::updated_at.desc(), notifications::id.desc()))
            .limit(limit.into())
            .select(NotificationRow::as_select());
        Ok(self.all(unread).await?.into_iter().filter_map(NotificationRow::read).collect())
    }

    async fn list_recent(
        &mut self,
        users: &[UserId],
        workspace: WorkspaceId,
        since: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Notification>> {
        let recent = notifications::table
            .filter(one_of!(notifications::user_id, users.iter().copied().map(Stored)))
            .filter(notifications::updated_at.ge(since.millis()))
            .filter(notifications::workspace_id.eq(Stored(workspace)))
            .order((notifications::updated_at, notifications::id))
            .limit(limit.into())
            .select(NotificationRow::as_select());
        Ok(self.all(recent).await?.into_iter().filter_map(NotificationRow::read).collect())
    }

    async fn list_due_digests(&mut self, now: Timestamp, limit: u32) -> StoreResult<Vec<UserId>> {
        let due = digests::table
            .filter(digests::due_at.le(now.millis()))
            .order((digests::due_at, digests::user_id))
            .limit(limit.into())
            .select(digests::user_id);
        Ok(self.all::<Stored<UserId>, _>(due).await?.into_iter().map(|user| user.0).collect())
    }

    async fn list_preferences(&mut self, users: &[UserId]) -> StoreResult<Vec<(UserId, MailPreferences)>> {
        let found = preferences::table
            .filter(one_of!(preferences::user_id, users.iter().copied().map(Stored)))
            .select((preferences::user_id, preferences::preferences));
        let found = self.all::<(Stored<UserId>, Stored<MailPreferences>), _>(found).await?;
        Ok(found.into_iter().map(|(user, decided)| (user.0, decided.0)).collect())
    }
}

#[area]
impl Notifications for Scope {
    async fn insert(&mut self, told: &[Notification]) -> StoreResult<Vec<NotificationId>> {
        let mut inserted = Vec::new();
        for some in told.chunks(dialect::ROWS_AT_ONCE) {
            let rows = some.iter().map(NotificationRow::from).collect();
            let answer = dialect::insert_notifications(self.conn().await?, rows).await;
            inserted.extend(self.checked(answer)?.into_iter().map(|id| id.0));
        }
        Ok(inserted)
    }

    async fn fold(&mut self, folding: Folding<'_>) -> StoreResult<Vec<UserId>> {
        let Folding { workspace, kind, subject, action, users, since, now } = folding;
        // SQLite numbers parameters in the order in which they first appear.
        let among_users = among(3);
        let update = sql_query(format!(
            "UPDATE notifications SET updated_at = CASE WHEN last_action = $1 THEN updated_at ELSE $2 END, \
             count = count + CASE WHEN last_action = $1 THEN 0 ELSE 1 END, last_action = $1 \
             WHERE user_id {among_users} AND workspace_id = $4 AND subject_id = $5 AND kind = $6 AND created_at > $7 \
             AND read_at IS NULL AND archived_at IS NULL AND NOT EXISTS \
             (SELECT 1 FROM notifications AS o \
             WHERE o.user_id = notifications.user_id AND o.workspace_id = $4 AND o.action = $1) RETURNING user_id"
        ))
        .bind::<Text, _>(action)
        .bind::<BigInt, _>(now.millis())
        .bind::<ListType, _>(list(users.iter().copied()))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(subject)
        .bind::<Text, _>(Stored(kind))
        .bind::<BigInt, _>(since.millis());
        let folded = self.all::<Stored<UserId>, _>(update.columns::<Text>().prepared()).await?;
        Ok(folded.into_iter().map(|user| user.0).collect())
    }

    async fn count_again(
        &mut self,
        users: &[UserId],
        workspace: WorkspaceId,
        action: &str,
        now: Timestamp,
    ) -> StoreResult<()> {
        let update = sql_query(format!(
            "UPDATE notifications SET count = count + 1, updated_at = $1 \
             WHERE user_id {} AND workspace_id = $3 AND action = $4",
            among(2)
        ))
        .bind::<BigInt, _>(now.millis())
        .bind::<ListType, _>(list(users.iter().copied()))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(action);
        self.execute(update.prepared()).await.map(drop)
    }

    async fn save(&mut self, notification: &Notification) -> StoreResult<()> {
        let row = notifications::table.find((Stored(notification.user), Stored(notification.id)));
        self.execute(diesel::update(row).set(NotificationRow::from(notification)).prepared()).await.map(drop)
    }

    async fn mark_all(&mut self, user: UserId, which: Marked, now: Timestamp) -> StoreResult<u64> {
        let (set, condition) = if which.archive {
            ("read_at = COALESCE(read_at, $1), archived_at = $1", "")
        } else {
            ("read_at = $1", "AND read_at IS NULL")
        };
        let update = sql_query(format!(
            "UPDATE notifications SET {set} WHERE user_id = $2 AND updated_at < $3 AND ($4 = '' OR workspace_id = $4) \
             AND archived_at IS NULL {condition}"
        ))
        .bind::<BigInt, _>(now.millis())
        .bind::<Text, _>(Stored(user))
        .bind::<BigInt, _>(which.before.map_or(i64::MAX, Timestamp::millis))
        .bind::<Text, _>(which.workspace.map_or_else(String::new, |id| id.to_string()));
        Ok(u64::try_from(self.execute(update.prepared()).await?).unwrap_or(u64::MAX))
    }

    async fn begin_digests(&mut self, users: &[UserId], since: Timestamp, due_at: Timestamp) -> StoreResult<()> {
        // SQLite numbers parameters in the order in which they first appear. The row is locked even if it stays as it is, so
        // that it is not taken before what this unit writes can be seen.
        let insert = sql_query(format!(
            "INSERT INTO notification_digests (user_id, since, due_at) \
             SELECT id, $1, $2 FROM users WHERE id {} ORDER BY id \
             ON CONFLICT (user_id) DO UPDATE SET since = CASE WHEN excluded.since < notification_digests.since \
             THEN excluded.since ELSE notification_digests.since END",
            among(3)
        ))
        .bind::<BigInt, _>(since.millis())
        .bind::<BigInt, _>(due_at.millis())
        .bind::<ListType, _>(list(users.iter().copied()));
        self.execute(insert.prepared()).await.map(drop)
    }

    async fn move_digest(&mut self, user: UserId, due_at: Timestamp) -> StoreResult<()> {
        let row = digests::table.find(Stored(user));
        self.execute(diesel::update(row).set(digests::due_at.eq(due_at.millis())).prepared()).await.map(drop)
    }

    async fn take_digest(&mut self, user: UserId, now: Timestamp) -> StoreResult<Option<DueDigest>> {
        let take =
            sql_query("DELETE FROM notification_digests WHERE user_id = $1 AND due_at <= $2 RETURNING since, due_at")
                .bind::<Text, _>(Stored(user))
                .bind::<BigInt, _>(now.millis());
        let taken = self.optional::<(i64, i64), _>(take.columns::<(BigInt, BigInt)>().prepared()).await?;
        let at = Timestamp::from_millis;
        Ok(taken.map(|(since, due_at)| DueDigest { user, since: at(since), until: now, due_at: at(due_at) }))
    }

    async fn save_preferences(&mut self, user: UserId, decided: &MailPreferences) -> StoreResult<()> {
        let decided = Stored(decided.clone());
        let insert = diesel::insert_into(preferences::table)
            .values((preferences::user_id.eq(Stored(user)), preferences::preferences.eq(&decided)))
            .on_conflict(preferences::user_id)
            .do_update()
            .set(preferences::preferences.eq(&decided))
            .prepared();
        self.execute(insert).await.map(drop)
    }
}
