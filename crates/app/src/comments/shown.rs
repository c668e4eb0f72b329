//! Comments as a particular reader sees them.

use crate::{outcome::AppResult, page_access::visibility::Visibility, record_pages::list_implied, scope::Scope};
use octavo_core_model::{
    Fault, Level,
    account::FORMER_MEMBER,
    comment::{Comment, Emoji, Mention, Mentions, Reaction, Reply},
    id::{CommentId, PageId, ReplyId, TeamId, UserId, WorkspaceId},
    member::Person,
    page::ResourceId,
    text::WebAddress,
};
use octavo_permissions::{Authority, teams};
use octavo_ports::store::Reads;
use std::collections::{BTreeMap, BTreeSet};

/// A thread with everything that is shown of it.
#[derive(Clone, Debug)]
pub struct ShownComment {
    pub comment: Comment,
    /// The team of its page.
    pub team: Option<TeamId>,
    pub author: Author,
    pub mentions: Vec<ShownMention>,
    pub reactions: Vec<ReactionCount>,
    /// From the oldest on; `None` if they were not asked for.
    pub replies: Option<Vec<ShownReply>>,
}

#[derive(Clone, Debug)]
pub struct ShownReply {
    pub reply: Reply,
    pub author: Author,
    pub mentions: Vec<ShownMention>,
    pub reactions: Vec<ReactionCount>,
}

/// Who wrote something.
#[derive(Clone, Debug)]
pub struct Author {
    pub id: UserId,
    pub name: String,
    pub avatar_url: Option<WebAddress>,
}

/// A mention with the name or title of what is mentioned; `None` if the reader may not know it.
#[derive(Clone, Debug)]
pub struct ShownMention {
    pub mention: Mention,
    pub name: Option<String>,
}

/// Who reacts with an emoji, from the first on.
#[derive(Clone, Debug)]
pub struct ReactionCount {
    pub emoji: Emoji,
    pub users: Vec<UserId>,
}

/// Shows threads on pages that the reader may see. Up to twelve statements, and one for each schema of a mentioned record
/// that is not known yet.
pub(super) async fn many<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    authority: &Authority,
    workspace: WorkspaceId,
    comments: Vec<Comment>,
    with_replies: bool,
) -> AppResult<Vec<ShownComment>> {
    if comments.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<_> = comments.iter().map(|comment| comment.id).collect();
    let replies = if with_replies { load_replies(scope, workspace, &comments).await? } else { Vec::new() };
    let pages: BTreeSet<_> = comments.iter().map(|comment| comment.page).collect();
    let pages = scope.tx.pages().list_by_id(workspace, &Vec::from_iter(pages)).await?;
    let teams: BTreeMap<_, _> = pages.iter().map(|page| (page.id, page.team)).collect();
    let mut reactions = Reactions::of(scope.tx.comments().list_reactions(workspace, &ids, with_replies).await?);
    let names = {
        let threads = comments.iter().map(|comment| (comment.author, &comment.mentions));
        let texts = threads.chain(replies.iter().map(|reply| (reply.author, &reply.mentions)));
        Names::load(scope, authority, workspace, &texts.collect::<Vec<_>>()).await?
    };
    let mut by_thread: BTreeMap<CommentId, Vec<ShownReply>> = BTreeMap::new();
    for reply in replies {
        let counts = reactions.take(reply.comment, Some(reply.id));
        by_thread.entry(reply.comment).or_default().push(names.show_reply(reply, counts));
    }
    let show = |comment: Comment| ShownComment {
        team: teams.get(&comment.page).copied().flatten(),
        author: names.author(comment.author),
        mentions: names.mentions(&comment.mentions),
        reactions: reactions.take(comment.id, None),
        replies: with_replies.then(|| by_thread.remove(&comment.id).unwrap_or_default()),
        comment,
    };
    Ok(comments.into_iter().map(show).collect())
}

pub(super) async fn one<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    authority: &Authority,
    comment: Comment,
    with_replies: bool,
) -> AppResult<ShownComment> {
    let shown = many(scope, authority, comment.workspace, vec![comment], with_replies).await?.pop();
    shown.ok_or_else(|| Fault::Internal("a comment was shown and is gone").into())
}

/// Shows a new reply, which has no reactions.
pub(super) async fn reply<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    authority: &Authority,
    reply: Reply,
) -> AppResult<ShownReply> {
    let names = Names::load(scope, authority, reply.workspace, &[(reply.author, &reply.mentions)]).await?;
    Ok(names.show_reply(reply, Vec::new()))
}

/// Loads all replies, after holding memory for them.
async fn load_replies<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    comments: &[Comment],
) -> AppResult<Vec<Reply>> {
    let ids: Vec<_> = comments.iter().filter(|comment| comment.reply_count > 0).map(|comment| comment.id).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let own: usize = comments.iter().map(|comment| comment.body.as_str().len()).sum();
    let bytes = scope.tx.comments().measure_replies(workspace, &ids).await?;
    scope.call.content.hold(scope.call.work_owner(), bytes + own as u64)?;
    Ok(scope.tx.comments().list_replies(workspace, &ids).await?)
}

/// Reactions by what they are to, in the order in which each emoji was first used.
struct Reactions(BTreeMap<(CommentId, Option<ReplyId>), Vec<ReactionCount>>);

impl Reactions {
    fn of(reactions: Vec<Reaction>) -> Self {
        let mut counts: BTreeMap<_, Vec<ReactionCount>> = BTreeMap::new();
        for Reaction { comment, reply, emoji, user, .. } in reactions {
            let of_target = counts.entry((comment, reply)).or_default();
            match of_target.iter_mut().find(|count| count.emoji == emoji) {
                Some(count) => count.users.push(user),
                None => of_target.push(ReactionCount { emoji, users: vec![user] }),
            }
        }
        Self(counts)
    }

    fn take(&mut self, comment: CommentId, reply: Option<ReplyId>) -> Vec<ReactionCount> {
        self.0.remove(&(comment, reply)).unwrap_or_default()
    }
}

/// The names and titles that texts need, as far as the reader may know them.
struct Names {
    people: BTreeMap<UserId, Person>,
    teams: BTreeMap<TeamId, String>,
    titles: BTreeMap<PageId, (ResourceId, String)>,
}

impl Names {
    async fn load<T: Reads + ?Sized>(
        scope: &mut Scope<T>,
        authority: &Authority,
        workspace: WorkspaceId,
        texts: &[(UserId, &Mentions)],
    ) -> AppResult<Self> {
        let mentions: BTreeSet<_> = texts.iter().flat_map(|(_, mentions)| mentions.iter()).collect();
        let authors = texts.iter().map(|(author, _)| *author);
        let people: BTreeSet<_> = authors.chain(mentions.iter().filter_map(|mention| mention.user())).collect();
        let people = scope.tx.members().list_people(&Vec::from_iter(people)).await?;
        let mut teams = BTreeMap::new();
        if mentions.iter().any(|mention| matches!(mention, Mention::Team(_))) {
            let seen = teams::visibility(authority);
            let found = scope.tx.teams().list(workspace, seen, None, u32::MAX).await?;
            teams.extend(found.into_iter().map(|team| (team.id, team.name.to_string())));
        }
        let nodes: BTreeSet<_> = mentions.iter().copied().filter_map(node).collect();
        Ok(Self {
            people: people.into_iter().map(|person| (person.id, person)).collect(),
            teams,
            titles: titles(scope, authority, workspace, nodes).await?,
        })
    }

    fn author(&self, id: UserId) -> Author {
        let person = self.people.get(&id);
        Author {
            id,
            name: person.map_or(FORMER_MEMBER, |person| person.name.as_str()).to_owned(),
            avatar_url: person.and_then(|person| person.avatar_url.clone()),
        }
    }

    fn mentions(&self, mentions: &Mentions) -> Vec<ShownMention> {
        mentions.iter().map(|mention| ShownMention { mention, name: self.name(mention) }).collect()
    }

    fn name(&self, mention: Mention) -> Option<String> {
        match mention {
            Mention::User(id) => Some(self.author(id).name),
            Mention::Outsider(_) => None,
            Mention::Team(id) => self.teams.get(&id).cloned(),
            Mention::Page(_) | Mention::Database(_) => {
                let (resource, title) = self.titles.get(&node(mention)?)?;
                let is_database = matches!(mention, Mention::Database(_));
                (matches!(resource, ResourceId::Database(_)) == is_database).then(|| title.clone())
            }
        }
    }

    fn show_reply(&self, reply: Reply, reactions: Vec<ReactionCount>) -> ShownReply {
        let (author, mentions) = (self.author(reply.author), self.mentions(&reply.mentions));
        ShownReply { reply, author, mentions, reactions }
    }
}

fn node(mention: Mention) -> Option<PageId> {
    match mention {
        Mention::Page(id) => Some(id),
        Mention::Database(id) => Some(id.node()),
        Mention::User(_) | Mention::Outsider(_) | Mention::Team(_) => None,
    }
}

/// The titles of these pages and databases, as far as they are in use and the reader may see them.
async fn titles<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    authority: &Authority,
    workspace: WorkspaceId,
    mut nodes: BTreeSet<PageId>,
) -> AppResult<BTreeMap<PageId, (ResourceId, String)>> {
    let mut titles = BTreeMap::new();
    if nodes.is_empty() {
        return Ok(titles);
    }
    let mut found = scope.tx.pages().list_by_id(workspace, &nodes.iter().copied().collect::<Vec<_>>()).await?;
    for page in &found {
        nodes.remove(&page.id);
    }
    // Pages of records need not have a row.
    found.extend(list_implied(scope, workspace, &Vec::from_iter(nodes)).await?);
    let mut visibility = Visibility::of_everything(workspace, authority);
    visibility.look_up(scope, found.iter().map(|page| page.access)).await?;
    for page in found {
        if page.trash.is_none() && visibility.level_of(&page) >= Level::View {
            titles.insert(page.id, (page.resource(), page.title.to_string()));
        }
    }
    Ok(titles)
}
