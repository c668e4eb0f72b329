//! Comments, their replies and the reactions to both.

use crate::support::{join, owner, person, read, write};
use octavo_blocks_tree::{Block, Body, Deletion, Kind};
use octavo_core_model::{
    Role, Timestamp,
    comment::{Anchor, Comment, CommentStatus, Mention, Mentions, Reaction, Reply, Resolution, Selection},
    id::{BlockId, CommentId, PageId, ReplyId, WorkspaceId},
    page::{Node, Page, Trash},
    position::Position,
    text::CommentText,
};
use octavo_ports::{
    comments::{CommentFilter, CommentPlace},
    members::MemberNames,
    store::Store,
};
use octavo_testkit::{Database, make};

fn text(text: &str) -> CommentText {
    CommentText::parse(text).unwrap()
}

fn comment(number: u64, workspace: WorkspaceId, page: PageId, anchor: Anchor) -> Comment {
    Comment {
        id: make::id(number, CommentId::new),
        workspace,
        page,
        anchor,
        body: text(&format!("Comment {number} \u{1F44D}")),
        mentions: Mentions::default(),
        resolution: None,
        reply_count: 0,
        author: make::user_id(1),
        created_at: make::NOW,
        updated_at: make::NOW,
    }
}

fn reply(number: u64, to: &Comment) -> Reply {
    Reply {
        id: make::id(number, ReplyId::new),
        workspace: to.workspace,
        comment: to.id,
        page: to.page,
        body: text("Yes"),
        mentions: Mentions::collect([Mention::Page(to.page)]).unwrap(),
        author: make::user_id(number),
        created_at: make::NOW,
    }
}

fn reaction(to: &Comment, reply: Option<&Reply>, emoji: &str, user: u64, after: i64) -> Reaction {
    Reaction {
        workspace: to.workspace,
        comment: to.id,
        reply: reply.map(|reply| reply.id),
        page: to.page,
        emoji: emoji.parse().unwrap(),
        user: make::user_id(user),
        created_at: Timestamp::from_millis(make::NOW.millis() + after),
    }
}

fn block(number: u64, page: &Page) -> Block {
    Block {
        id: make::id(number, BlockId::new),
        workspace: page.workspace,
        page: page.id,
        parent: None,
        position: Position::from_stored(format!("a{number}")),
        body: Body::empty(Kind::Paragraph),
        version: 1,
        since: 1,
        created_by: None,
        updated_by: None,
        created_at: make::NOW,
        updated_at: make::NOW,
        deletion: None,
    }
}

async fn add(store: &dyn Store, comments: &[&Comment]) {
    for comment in comments {
        write!(store, unit => unit.comments().insert(comment).await);
    }
}

async fn page(store: &dyn Store, number: u64, workspace: WorkspaceId) -> Page {
    let page = make::page(number, workspace, Node::Workspace(workspace), Node::Workspace(workspace));
    assert!(write!(store, unit => unit.pages().insert(&page).await));
    page
}

async fn listed(store: &dyn Store, workspace: WorkspaceId, filter: CommentFilter) -> Vec<CommentId> {
    let found = read!(store, view => view.comments().list(workspace, &filter, None, 100).await);
    found.into_iter().map(|comment| comment.id).collect()
}

pub(crate) async fn threads_read_back(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let home = page(&*store, 1, workspace.id).await;
    let home_block = block(1, &home);
    write!(store, unit => unit.blocks().insert(std::slice::from_ref(&home_block)).await);
    let selection = Selection::of("Z\u{fc}rich", 0..2, None).unwrap();
    let whole = comment(1, workspace.id, home.id, Anchor::Page);
    let record = comment(2, workspace.id, home.id, Anchor::Record);
    let on_block = comment(3, workspace.id, home.id, Anchor::Block(home_block.id));
    let on_text = comment(4, workspace.id, home.id, Anchor::Text(home_block.id, selection));
    let theirs = comment(1, elsewhere.id, home.id, Anchor::Page);
    add(&*store, &[&whole, &record, &on_block, &on_text, &theirs]).await;
    let find = async |workspace, id| read!(store, view => view.comments().find(workspace, id).await);
    for one in [&whole, &record, &on_block, &on_text, &theirs] {
        assert_eq!(find(one.workspace, one.id).await.as_ref(), Some(one));
    }
    assert_eq!(find(elsewhere.id, record.id).await, None, "each workspace has its own");
    let mentions = [Mention::User(make::user_id(2)), Mention::Outsider(make::user_id(3)), Mention::Page(home.id)];
    let changed = Comment {
        body: text("Other"),
        mentions: Mentions::collect(mentions).unwrap(),
        resolution: Some(Resolution { at: make::NOW, by: make::user_id(2) }),
        reply_count: 7,
        updated_at: Timestamp::from_millis(make::NOW.millis() + 5),
        ..whole.clone()
    };
    let sent = Comment {
        page: make::page_id(9),
        anchor: Anchor::Record,
        author: make::user_id(9),
        created_at: changed.updated_at,
        ..changed.clone()
    };
    write!(store, unit => unit.comments().save(&sent).await);
    assert_eq!(find(workspace.id, whole.id).await, Some(changed.clone()), "what never changes is not saved");
    assert_eq!(find(elsewhere.id, theirs.id).await, Some(theirs));
    assert_eq!(write!(store, unit => unit.comments().lock(workspace.id, whole.id).await), Some(changed));
}

pub(crate) async fn threads_are_listed_newest_first(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let root = Node::Workspace(workspace.id);
    let home = page(&*store, 1, workspace.id).await;
    let own = Page { team: None, ..make::page(2, workspace.id, root, Node::Page(make::page_id(2))) };
    let trash = Trash { at: make::NOW, root: make::page_id(3), by: None, purge_at: make::NOW };
    let trashed = Page { trash: Some(trash), ..make::page(3, workspace.id, root, root) };
    for page in [&own, &trashed] {
        assert!(write!(store, unit => unit.pages().insert(page).await));
    }
    let first = comment(1, workspace.id, home.id, Anchor::Page);
    let resolution = Some(Resolution { at: make::NOW, by: make::user_id(1) });
    let second = Comment { resolution, ..comment(2, workspace.id, home.id, Anchor::Record) };
    let third = Comment { author: make::user_id(2), ..comment(3, workspace.id, own.id, Anchor::Page) };
    let hidden = comment(4, workspace.id, trashed.id, Anchor::Page);
    let theirs = comment(5, elsewhere.id, home.id, Anchor::Page);
    add(&*store, &[&first, &second, &third, &hidden, &theirs]).await;
    let all = CommentFilter::default;
    let of_home = || CommentFilter { page: Some(home.id), ..all() };
    for (filter, expected) in [
        (all(), vec![&third, &second, &first]),
        (of_home(), vec![&second, &first]),
        (CommentFilter { page: Some(trashed.id), ..all() }, vec![&hidden]),
        (CommentFilter { on_record: true, ..of_home() }, vec![&second]),
        (CommentFilter { status: Some(CommentStatus::Open), ..of_home() }, vec![&first]),
        (CommentFilter { status: Some(CommentStatus::Resolved), ..all() }, vec![&second]),
        (CommentFilter { author: Some(make::user_id(2)), ..all() }, vec![&third]),
        (CommentFilter { within: Some(vec![Node::Page(own.id)]), ..all() }, vec![&third]),
        (CommentFilter { within: Some(Vec::new()), ..all() }, vec![]),
    ] {
        let expected: Vec<_> = expected.into_iter().map(|comment| comment.id).collect();
        assert_eq!(listed(&*store, workspace.id, filter.clone()).await, expected, "{filter:?}");
    }
    let next = read!(store, view => view.comments().list(workspace.id, &all(), Some(third.id), 1).await);
    assert_eq!(next, [second]);
}

pub(crate) async fn threads_on_deleted_blocks_are_hidden(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let home = page(&*store, 1, workspace.id).await;
    let there = block(1, &home);
    let gone = Block { deletion: Some(Deletion { at: make::NOW, root: make::id(2, BlockId::new) }), ..block(2, &home) };
    write!(store, unit => unit.blocks().insert(&[there.clone(), gone.clone()]).await);
    let shown = comment(1, workspace.id, home.id, Anchor::Block(there.id));
    let hidden = comment(2, workspace.id, home.id, Anchor::Block(gone.id));
    add(&*store, &[&shown, &hidden]).await;
    let of = |block| CommentFilter { page: Some(home.id), block, ..CommentFilter::default() };
    assert_eq!(listed(&*store, workspace.id, of(None)).await, [shown.id]);
    assert_eq!(listed(&*store, workspace.id, of(Some(there.id))).await, [shown.id]);
    assert_eq!(listed(&*store, workspace.id, of(Some(gone.id))).await, []);
    assert_eq!(read!(store, view => view.comments().find(workspace.id, hidden.id).await), None);
    assert_eq!(write!(store, unit => unit.comments().lock(workspace.id, hidden.id).await), None);
}

pub(crate) async fn replies_and_reactions_belong_to_their_thread(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let home = page(&*store, 1, workspace.id).await;
    let [first, second] = [1, 2].map(|number| comment(number, workspace.id, home.id, Anchor::Page));
    add(&*store, &[&first, &second]).await;
    let (early, late, other) = (reply(1, &first), reply(2, &first), reply(3, &second));
    for reply in [&late, &early, &other] {
        write!(store, unit => unit.comments().insert_reply(reply).await);
    }
    let replies = async |ids: &[CommentId]| read!(store, view => view.comments().list_replies(workspace.id, ids).await);
    assert_eq!(replies(&[first.id]).await, [early.clone(), late.clone()]);
    assert_eq!(replies(&[second.id, first.id]).await.len(), 3);
    assert_eq!(replies(&[]).await, []);
    let find = async |thread: &Comment, id| read!(store, view => view.comments().find_reply(workspace.id, thread.id, id).await);
    assert_eq!(find(&first, early.id).await.as_ref(), Some(&early));
    assert_eq!(find(&second, early.id).await, None);
    let bytes = read!(store, view => view.comments().measure_replies(workspace.id, &[first.id, second.id]).await);
    assert!((9..1000).contains(&bytes), "{bytes}");
    assert_eq!(read!(store, view => view.comments().measure_replies(workspace.id, &[]).await), 0);
    let authors = read!(store, view => view.comments().list_repliers(workspace.id, first.id, 9).await);
    assert_eq!(authors, [make::user_id(1), make::user_id(2)]);
    let heart = reaction(&first, None, "\u{2764}", 2, 1);
    let again = Reaction { created_at: make::NOW, ..heart.clone() };
    let thumb = reaction(&first, Some(&early), "\u{1F44D}", 1, 0);
    for (reaction, is_new) in [(&heart, true), (&again, false), (&thumb, true)] {
        assert_eq!(write!(store, unit => unit.comments().insert_reaction(reaction).await), is_new);
    }
    let reactions = async |thread: &Comment| read!(store, view => view.comments().list_reactions(workspace.id, &[thread.id], true).await);
    assert_eq!(reactions(&first).await, [thumb.clone(), heart.clone()]);
    assert_eq!(reactions(&second).await, []);
    let to_threads = read!(store, view => view.comments().list_reactions(workspace.id, &[first.id], false).await);
    assert_eq!(to_threads, std::slice::from_ref(&heart));
    for (target, emoji, users) in [
        ((first.id, None), heart.emoji, vec![heart.user]),
        ((first.id, Some(early.id)), thumb.emoji, vec![thumb.user]),
        ((first.id, None), thumb.emoji, vec![]),
    ] {
        assert_eq!(read!(store, view => view.comments().list_reactors(workspace.id, target, emoji).await), users);
    }
    for is_there in [true, false] {
        let target = (first.id, None);
        let removed =
            write!(store, unit => unit.comments().remove_reaction(workspace.id, target, heart.emoji, heart.user).await);
        assert_eq!(removed, is_there);
    }
    write!(store, unit => unit.comments().remove_reply(workspace.id, first.id, early.id).await);
    assert_eq!((replies(&[first.id]).await, reactions(&first).await), (vec![late], vec![]));
    assert!(write!(store, unit => unit.comments().insert_reaction(&heart).await));
    write!(store, unit => unit.comments().remove(workspace.id, first.id).await);
    assert_eq!((replies(&[first.id]).await, reactions(&first).await), (vec![], vec![]));
    assert_eq!(replies(&[second.id]).await, [other]);
    assert_eq!(listed(&*store, workspace.id, CommentFilter::default()).await, [second.id]);
}

pub(crate) async fn comments_of_removed_pages_go_in_parts(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let [gone, kept] = [page(&*store, 1, workspace.id).await, page(&*store, 2, workspace.id).await];
    for (number, page) in [(1, &gone), (2, &gone), (3, &kept)] {
        let comment = comment(number, workspace.id, page.id, Anchor::Page);
        add(&*store, &[&comment]).await;
        let reply = reply(number, &comment);
        write!(store, unit => unit.comments().insert_reply(&reply).await);
        let (place, at) = (CommentPlace::from(&reply), reply.created_at);
        write!(store, unit => unit.comments().replace_references(workspace.id, &place, &[kept.id], at).await);
        assert!(
            write!(store, unit => unit.comments().insert_reaction(&reaction(&comment, None, "\u{1F44D}", 1, 0)).await)
        );
    }
    write!(store, unit => unit.pages().remove(workspace.id, gone.id).await);
    let left = async |page: &Page| write!(store, unit => unit.comments().are_left_of(workspace.id, page.id).await);
    let mut parts = 0;
    loop {
        let removed = write!(store, unit => unit.pages().remove_content(workspace.id, &[gone.id], 4).await);
        parts += 1;
        if removed.complete == 1 {
            break;
        }
        assert!(parts < 9);
    }
    assert!(parts > 1, "eight rows are more than a part");
    let naming = read!(store, view => view.comments().list_references_to(workspace.id, kept.id, None, None, 9).await);
    assert_eq!(naming.iter().map(|reference| reference.place.page).collect::<Vec<_>>(), [kept.id]);
    assert_eq!((left(&gone).await, left(&kept).await), (false, true));
    let ids = [1, 2, 3].map(|number| make::id(number, CommentId::new));
    assert_eq!(read!(store, view => view.comments().list_replies(workspace.id, &ids).await).len(), 1);
    assert_eq!(read!(store, view => view.comments().list_reactions(workspace.id, &ids, true).await).len(), 1);
}

pub(crate) async fn names_of_members_come_in_the_order_of_joining(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let bob = person(&*store, 2).await;
    join(&*store, 2, &workspace, &bob, Role::Guest).await;
    let names = read!(store, view => view.members().list_names(workspace.id).await);
    let expected = [&ada, &bob].map(|user| MemberNames {
        user: user.id,
        name: user.name.as_str().to_lowercase(),
        display_name: user.display_name.as_str().to_lowercase(),
    });
    assert_eq!(names, expected);
}
