//! Notifications, preferences and follows.

use crate::{
    pages::chain,
    support::{join, owner, person, read, write},
    sweeps::AT_NOW,
};
use octavo_core_model::{
    Role, Timestamp,
    follow::{Follow, FollowMode, FollowPlace, FollowTarget},
    id::{CommentId, NotificationId, PageId, ReplyId, UserId, WorkspaceId},
    notification::{MailChoice, MailPreferences, Notification, NotificationPlace, NotificationType, Subject},
    page::ResourceId,
};
use octavo_ports::{
    notifications::{DueDigest, Folding, Marked, NotificationFilter},
    sweeps::Horizons,
};
use octavo_testkit::{Database, make};
use std::slice;

fn at(after: i64) -> Timestamp {
    Timestamp::from_millis(make::NOW.millis() + after)
}

fn told(number: u64, user: UserId, workspace: WorkspaceId) -> Notification {
    let number_as_time = i64::try_from(number).unwrap();
    Notification {
        id: make::id(number, NotificationId::new),
        user,
        workspace,
        kind: NotificationType::Mention,
        action: format!("action {number}"),
        actor: Some(make::user_id(9)),
        subject: Subject::Workspace(workspace),
        count: 1,
        read_at: None,
        archived_at: None,
        created_at: at(number_as_time),
        updated_at: at(number_as_time),
    }
}

pub(crate) async fn a_user_is_told_of_an_action_once(database: &Database) {
    let store = database.store().await;
    let (user, workspace) = owner(&*store, 1).await;
    let other = person(&*store, 2).await;
    let page = make::id(1, PageId::new);
    let subject = Subject::Comment { id: make::id(1, CommentId::new), page, reply: Some(make::id(2, ReplyId::new)) };
    let first = Notification { subject, ..told(1, user.id, workspace.id) };
    let insert = async |list: &[Notification]| write!(store, unit => unit.notifications().insert(list).await);
    assert_eq!(insert(slice::from_ref(&first)).await, [first.id]);
    let found = read!(store, view => view.notifications().find(user.id, first.id).await);
    assert_eq!(found, Some(first.clone()));
    assert_eq!(read!(store, view => view.notifications().find(other.id, first.id).await), None);
    let again = Notification { id: make::id(7, NotificationId::new), ..first.clone() };
    let for_other = Notification { user: other.id, ..again.clone() };
    assert_eq!(insert(&[again, for_other.clone()]).await, [for_other.id], "another user is told of it too");
    let mut marked = first.clone();
    assert!(marked.mark(Some(true), Some(true), at(9)));
    write!(store, unit => unit.notifications().save(&marked).await);
    assert_eq!(read!(store, view => view.notifications().find(user.id, first.id).await), Some(marked));
}

pub(crate) async fn notifications_are_listed_and_counted(database: &Database) {
    let store = database.store().await;
    let (user, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let mut all: Vec<_> = (1..=4).map(|number| told(number, user.id, workspace.id)).collect();
    all[1].workspace = elsewhere.id;
    all[2].kind = NotificationType::Comment;
    all[3].read_at = Some(at(9));
    write!(store, unit => unit.notifications().insert(&all).await);
    let list = async |filter: NotificationFilter, before| {
        let found = read!(store, view => view.notifications().list(user.id, &filter, before, 3).await);
        found.into_iter().map(|told| told.id).collect::<Vec<_>>()
    };
    let ids: Vec<_> = all.iter().map(|told| told.id).collect();
    assert_eq!(list(NotificationFilter::default(), None).await, [ids[3], ids[2], ids[1]]);
    let place = NotificationPlace { updated_at: all[1].updated_at, id: ids[1] };
    assert_eq!(list(NotificationFilter::default(), Some(place)).await, [ids[0]]);
    let here = NotificationFilter { workspace: Some(workspace.id), unread: true, ..NotificationFilter::default() };
    assert_eq!(list(here.clone(), None).await, [ids[2], ids[0]]);
    let kinds = Some(vec![NotificationType::Comment, NotificationType::System]);
    assert_eq!(list(NotificationFilter { kinds, ..here }, None).await, [ids[2]]);
    let count = async |place| read!(store, view => view.notifications().count_unread(user.id, place).await);
    assert_eq!((count(None).await, count(Some(workspace.id)).await), (3, 2));
    let mark = async |which| write!(store, unit => unit.notifications().mark_all(user.id, which, at(50)).await);
    let before = Marked { workspace: None, before: Some(all[1].updated_at), archive: false };
    assert_eq!(mark(before).await, 1, "the time itself is not before");
    assert_eq!(mark(Marked { workspace: Some(workspace.id), before: None, archive: true }).await, 3);
    assert_eq!((count(None).await, count(Some(workspace.id)).await), (1, 0));
    let archived = NotificationFilter { archived: true, ..NotificationFilter::default() };
    assert_eq!(list(archived, None).await, [ids[3], ids[2], ids[0]]);
}

pub(crate) async fn changes_of_one_thing_are_folded(database: &Database) {
    let store = database.store().await;
    let (user, workspace) = owner(&*store, 1).await;
    let other = person(&*store, 2).await;
    let page = Subject::Page(make::id(1, PageId::new));
    let change = |number, user| Notification {
        kind: NotificationType::PageUpdated,
        subject: page,
        ..told(number, user, workspace.id)
    };
    let all = [change(10, user.id), change(11, other.id)];
    write!(store, unit => unit.notifications().insert(&all).await);
    let (subject, users) = (page.id(), [user.id, other.id]);
    let fold = async |action: &str, since, now| {
        let folding = Folding {
            workspace: workspace.id,
            kind: NotificationType::PageUpdated,
            subject: &subject,
            action,
            users: &users,
            since: at(since),
            now: at(now),
        };
        let mut folded = write!(store, unit => unit.notifications().fold(folding).await);
        folded.sort_unstable();
        folded
    };
    let mut both = users;
    both.sort_unstable();
    assert_eq!(fold("second", 0, 20).await, both);
    assert_eq!(fold("second", 0, 21).await, both, "a request counts once");
    assert_eq!(fold("third", 10, 22).await, [other.id], "the window begins with the first change");
    assert_eq!(fold("action 10", 0, 23).await, [other.id], "who was told of it otherwise is left out");
    let found = read!(store, view => view.notifications().find(user.id, all[0].id).await).unwrap();
    assert_eq!((found.count, found.updated_at, found.created_at), (2, at(20), at(10)));
    write!(store, unit => unit.notifications().mark_all(other.id, Marked { workspace: None, before: None, archive: false }, at(30)).await);
    assert_eq!(fold("fourth", 0, 31).await, [user.id], "what was read is not changed any more");
}

pub(crate) async fn old_notifications_are_swept(database: &Database) {
    let store = database.store().await;
    let (user, workspace) = owner(&*store, 1).await;
    let mut all: Vec<_> = [1, 5, 2, 6].into_iter().map(|number| told(number, user.id, workspace.id)).collect();
    (all[0].read_at, all[1].read_at) = (Some(at(7)), Some(at(7)));
    write!(store, unit => unit.notifications().insert(&all).await);
    let horizons = Horizons { read_notifications: at(5), unread_notifications: at(3), ..AT_NOW };
    assert_eq!(write!(store, unit => unit.sweeps().count_due(horizons, make::NOW).await).rows.notifications, 2);
    assert_eq!(write!(store, unit => unit.sweeps().sweep(horizons, 10).await).notifications, 2);
    let left = read!(store, view => view.notifications().list(user.id, &NotificationFilter::default(), None, 10).await);
    assert_eq!(left.iter().map(|told| told.id).collect::<Vec<_>>(), [all[3].id, all[1].id]);
}

pub(crate) async fn a_mail_of_the_day_is_taken_once(database: &Database) {
    let store = database.store().await;
    let (first, second) = (person(&*store, 1).await, person(&*store, 2).await);
    let begin = async |users: &[UserId], since, due| write!(store, unit => unit.notifications().begin_digests(users, at(since), at(due)).await);
    begin(&[first.id], 1, 10).await;
    begin(&[first.id, second.id], 2, 20).await;
    begin(&[second.id], 1, 30).await;
    let due = async |now| read!(store, view => view.notifications().list_due_digests(at(now), 10).await);
    assert_eq!(due(9).await, []);
    assert_eq!(due(10).await, [first.id], "the first one counts");
    assert_eq!(due(20).await, [first.id, second.id]);
    write!(store, unit => unit.notifications().move_digest(second.id, at(5)).await);
    assert_eq!(due(20).await, [second.id, first.id]);
    let take = async |user, now| write!(store, unit => unit.notifications().take_digest(user, at(now)).await);
    assert_eq!(take(first.id, 9).await, None);
    let taken = DueDigest { user: first.id, since: at(1), until: at(10), due_at: at(10) };
    assert_eq!(take(first.id, 10).await, Some(taken));
    assert_eq!(take(first.id, 10).await, None);
    let earliest = DueDigest { user: second.id, since: at(1), until: at(20), due_at: at(5) };
    assert_eq!(take(second.id, 20).await, Some(earliest), "with what they were told of first, whoever began it");
    begin(&[second.id], 2, 20).await;
    write!(store, unit => unit.accounts().erase(&second).await);
    assert_eq!(due(20).await, [], "it goes with the account");
}

pub(crate) async fn notifications_are_found_for_mails_and_streams(database: &Database) {
    let store = database.store().await;
    let (user, workspace) = owner(&*store, 1).await;
    let (other, elsewhere) = owner(&*store, 2).await;
    let mut all: Vec<_> = (1..=5).map(|number| told(number, user.id, workspace.id)).collect();
    all[1].read_at = Some(at(9));
    all[2].kind = NotificationType::Comment;
    all[3].workspace = elsewhere.id;
    all[4].user = other.id;
    write!(store, unit => unit.notifications().insert(&all).await);
    let ids: Vec<_> = all.iter().map(|told| told.id).collect();
    let mut own = read!(store, view => view.notifications().list_by_id(&[user.id], &ids).await);
    own.sort_by_key(|told| told.id);
    assert_eq!(own, all[..4]);
    let kinds = [NotificationType::Mention, NotificationType::System];
    let unread =
        read!(store, view => view.notifications().list_unread_between(user.id, &kinds, at(1), at(5), 10).await);
    assert_eq!(unread, [all[3].clone(), all[0].clone()]);
    let unread =
        read!(store, view => view.notifications().list_unread_between(user.id, &kinds, at(2), at(5), 10).await);
    assert_eq!(unread, [all[3].clone()]);
    let unread =
        read!(store, view => view.notifications().list_unread_between(user.id, &kinds, at(1), at(4), 10).await);
    assert_eq!(unread, [all[0].clone()]);
    let recent =
        read!(store, view => view.notifications().list_recent(&[user.id, other.id], workspace.id, at(2), 10).await);
    assert_eq!(recent, [all[1].clone(), all[2].clone(), all[4].clone()]);
    let again = async |users: &[UserId]| write!(store, unit => unit.notifications().count_again(users, workspace.id, "action 1", at(30)).await);
    again(&[user.id, other.id]).await;
    let counted = read!(store, view => view.notifications().find(user.id, ids[0]).await).unwrap();
    assert_eq!((counted.count, counted.updated_at), (2, at(30)));
}

pub(crate) async fn types_of_newer_releases_are_left_out(database: &Database) {
    let store = database.store().await;
    let (user, workspace) = owner(&*store, 1).await;
    let all: Vec<_> = (1..=4).map(|number| told(number, user.id, workspace.id)).collect();
    write!(store, unit => unit.notifications().insert(&all).await);
    database.execute(&format!("UPDATE notifications SET kind = 'DREAM' WHERE id = '{}'", all[3].id)).await;
    database.execute(&format!("UPDATE notifications SET subject_type = 'dream' WHERE id = '{}'", all[2].id)).await;
    let filter = NotificationFilter::default();
    let found = read!(store, view => view.notifications().list(user.id, &filter, None, 2).await);
    assert_eq!(found, [all[1].clone(), all[0].clone()], "they take no room on a page");
    assert_eq!(read!(store, view => view.notifications().count_unread(user.id, None).await), 2);
    assert_eq!(read!(store, view => view.notifications().find(user.id, all[3].id).await), None);
}

pub(crate) async fn preferences_read_back(database: &Database) {
    let store = database.store().await;
    let user = person(&*store, 1).await;
    let find = async || read!(store, view => view.notifications().list_preferences(&[user.id]).await);
    assert_eq!(find().await, []);
    let mut decided = MailPreferences::default();
    for choice in [MailChoice::Off, MailChoice::Daily] {
        decided.decide(NotificationType::Mention, Some(choice));
        write!(store, unit => unit.notifications().save_preferences(user.id, &decided).await);
        assert_eq!(find().await, [(user.id, decided.clone())]);
    }
}

pub(crate) async fn follows_are_found_by_user_and_by_target(database: &Database) {
    let store = database.store().await;
    let (user, workspace) = owner(&*store, 1).await;
    let other = person(&*store, 2).await;
    join(&*store, 2, &workspace, &other, Role::Member).await;
    let (_, elsewhere) = owner(&*store, 3).await;
    let pages = chain(&*store, &workspace, 2).await;
    let node = |page: usize| FollowTarget::Node(ResourceId::Page(pages[page].id));
    let thread = FollowTarget::Thread(make::id(5, CommentId::new));
    let follow = |user: UserId, target, mode, after| Follow {
        workspace: workspace.id,
        user,
        target,
        mode,
        created_at: at(after),
    };
    let all = [
        follow(user.id, node(0), FollowMode::All, 1),
        follow(user.id, node(1), FollowMode::Muted, 2),
        follow(user.id, thread, FollowMode::Comments, 2),
        follow(other.id, node(1), FollowMode::Comments, 3),
    ];
    for one in &all {
        write!(store, unit => unit.follows().put(one).await);
    }
    let list =
        async |mode, before| read!(store, view => view.follows().list(workspace.id, user.id, mode, before, 10).await);
    let has = async |place, mode| read!(store, view => view.follows().has_any(place, mode).await);
    assert!(has(workspace.id, FollowMode::All).await && !has(elsewhere.id, FollowMode::All).await);
    let found = list(None, None).await;
    assert_eq!((found.len(), found[2]), (3, all[0]));
    let place = FollowPlace { created_at: found[0].created_at, target: found[0].target };
    assert_eq!(list(None, Some(place)).await, found[1..]);
    assert_eq!(list(Some(FollowMode::Muted), None).await, [all[1]]);
    let users = async |targets: &[FollowTarget], after| read!(store, view => view.follows().list_users(workspace.id, targets, after, 1).await);
    let mut both = [user.id, other.id];
    both.sort_unstable();
    assert_eq!(users(&[node(0), node(1)], None).await, both[..1]);
    assert_eq!(users(&[node(0), node(1)], Some(both[0])).await, both[1..]);
    let of = read!(store, view => view.follows().list_of(workspace.id, &[node(1), thread], &[other.id]).await);
    assert_eq!(of, [all[3]]);
    let louder = Follow { mode: FollowMode::All, ..all[1] };
    write!(store, unit => unit.follows().put(&louder).await);
    assert_eq!(read!(store, view => view.follows().find(workspace.id, user.id, node(1)).await), Some(louder));
    write!(store, unit => unit.follows().remove(workspace.id, user.id, node(0)).await);
    assert_eq!(list(None, None).await.len(), 2);
    write!(store, unit => unit.members().remove(workspace.id, other.id).await);
    assert_eq!(users(&[node(1)], Some(both[0])).await, if both[1] == other.id { vec![] } else { vec![user.id] });
    write!(store, unit => unit.pages().remove(workspace.id, pages[0].id).await);
    assert_eq!(list(None, None).await, [all[2]], "follows of pages go with them");
    write!(store, unit => unit.comments().remove(workspace.id, make::id(5, CommentId::new)).await);
    assert_eq!(list(None, None).await, []);
}
