//! Notifications as their recipient may see them now.

use crate::{outcome::AppResult, page_access::visibility::Visibility, record_pages::list_implied, scope::Scope};
use octavo_core_model::{
    Level, Role,
    account::FORMER_MEMBER,
    id::{CommentId, InvitationId, PageId, ReplyId, UserId, WorkspaceId},
    member::Person,
    notification::{Notification, NotificationType, Subject},
    text::WebAddress,
    workspace::OwnWorkspace,
};
use octavo_permissions::{Authority, Member};
use octavo_ports::store::Reads;
use std::collections::{BTreeMap, BTreeSet};

/// The longest preview, in characters.
const PREVIEW: usize = 200;

/// A notification with what its recipient may know.
#[derive(Clone, Debug)]
pub struct ShownNotification {
    pub notification: Notification,
    /// Who did it; `None` for the system.
    pub actor: Option<NotificationActor>,
    /// The title of what it is about; `None` if the recipient may not know it.
    pub resource_title: Option<String>,
    /// What a notice of the service says; `None` for other types.
    pub title: Option<String>,
    /// The beginning of the comment; `None` if the recipient may not see it, or if it is gone.
    pub preview: Option<String>,
}

#[derive(Clone, Debug)]
pub struct NotificationActor {
    pub id: UserId,
    pub name: String,
    pub avatar_url: Option<WebAddress>,
}

/// What a notice of the service says.
fn notice_of(told: &Notification) -> Option<String> {
    let declined = matches!((told.kind, told.subject), (NotificationType::System, Subject::Invitation(_)));
    declined.then(|| "An invitation that you sent was declined".to_owned())
}

/// What a recipient may know of one workspace.
#[derive(Default)]
struct Known {
    /// The titles of pages and databases.
    titles: BTreeMap<PageId, String>,
    name: Option<String>,
    comments: BTreeMap<CommentId, String>,
    replies: BTreeMap<ReplyId, String>,
    /// The addresses that were invited.
    invited: BTreeMap<InvitationId, String>,
}

/// Shows notifications to their recipient: two statements, and at most six for each workspace that they belong to, besides
/// those for records whose page has no row.
pub(super) async fn many<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    user: UserId,
    found: Vec<Notification>,
) -> AppResult<Vec<ShownNotification>> {
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let actors: BTreeSet<_> = found.iter().filter_map(|told| told.actor).collect();
    let mut people = BTreeMap::new();
    if !actors.is_empty() {
        let list = scope.tx.members().list_people(&Vec::from_iter(actors)).await?;
        people.extend(list.into_iter().map(|person| (person.id, person)));
    }
    let mut by_workspace: BTreeMap<WorkspaceId, Vec<Subject>> = BTreeMap::new();
    for told in &found {
        by_workspace.entry(told.workspace).or_default().push(told.subject);
    }
    let mut known = BTreeMap::new();
    for own in scope.tx.workspaces().list_own(user).await? {
        if let Some(subjects) = by_workspace.get(&own.id) {
            known.insert(own.id, Known::load(scope, user, &own, subjects).await?);
        }
    }
    let show = |told: Notification| {
        let here = known.get(&told.workspace);
        ShownNotification {
            actor: told.actor.map(|id| actor(id, people.get(&id))),
            resource_title: here.and_then(|known| known.title(told.subject)),
            title: notice_of(&told),
            preview: here.and_then(|known| known.preview(told.subject)),
            notification: told,
        }
    };
    Ok(found.into_iter().map(show).collect())
}

fn actor(id: UserId, person: Option<&Person>) -> NotificationActor {
    match person {
        Some(person) => {
            NotificationActor { id, name: person.display_name.to_string(), avatar_url: person.avatar_url.clone() }
        }
        None => NotificationActor { id, name: FORMER_MEMBER.to_owned(), avatar_url: None },
    }
}

impl Known {
    async fn load<T: Reads + ?Sized>(
        scope: &mut Scope<T>,
        user: UserId,
        own: &OwnWorkspace,
        subjects: &[Subject],
    ) -> AppResult<Self> {
        let workspace = own.id;
        let mut known = Self { name: Some(own.name.to_string()), ..Self::default() };
        if own.role >= Role::Admin {
            for subject in subjects {
                if let Subject::Invitation(id) = subject
                    && let Some(invitation) = scope.tx.invitations().find(workspace, *id).await?
                {
                    known.invited.insert(*id, invitation.email.to_string());
                }
            }
        }
        let nodes: BTreeSet<_> = subjects.iter().filter_map(|subject| subject.node()).collect();
        if nodes.is_empty() {
            return Ok(known);
        }
        let teams = scope.tx.teams().list_roles(workspace, user).await?;
        let authority = Authority::Member(Member::new(user, own.role, teams));
        known.titles = titles(scope, workspace, &authority, nodes).await?;
        let (mut comments, mut replies) = (BTreeSet::new(), BTreeSet::new());
        for subject in subjects {
            if let Subject::Comment { id, page, reply } = subject
                && known.titles.contains_key(page)
            {
                comments.insert(*id);
                replies.extend(*reply);
            }
        }
        if !comments.is_empty() {
            let ids = Vec::from_iter(comments);
            for comment in scope.tx.comments().list_by_id(workspace, &ids).await? {
                known.comments.insert(comment.id, preview(comment.body.as_str()));
            }
            if !replies.is_empty() {
                let replies = Vec::from_iter(replies);
                for reply in scope.tx.comments().list_replies_by_id(workspace, &ids, &replies).await? {
                    known.replies.insert(reply.id, preview(reply.body.as_str()));
                }
            }
        }
        Ok(known)
    }

    fn title(&self, subject: Subject) -> Option<String> {
        match (subject, subject.node()) {
            (Subject::Workspace(_), _) => self.name.clone(),
            (_, Some(node)) => self.titles.get(&node).cloned(),
            (_, None) => None,
        }
    }

    fn preview(&self, subject: Subject) -> Option<String> {
        match subject {
            // A thread on a deleted block is hidden with its replies.
            Subject::Comment { id, reply: Some(reply), .. } => {
                self.replies.get(&reply).filter(|_| self.comments.contains_key(&id)).cloned()
            }
            Subject::Comment { id, reply: None, .. } => self.comments.get(&id).cloned(),
            Subject::Invitation(id) => self.invited.get(&id).cloned(),
            _ => None,
        }
    }
}

fn preview(text: &str) -> String {
    text.chars().take(PREVIEW).collect()
}

/// The titles of the nodes that the reader may view. Those in the trash are hidden from readers that may not edit them.
async fn titles<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    authority: &Authority,
    nodes: BTreeSet<PageId>,
) -> AppResult<BTreeMap<PageId, String>> {
    let ids: Vec<_> = nodes.iter().copied().collect();
    let mut found = scope.tx.pages().list_by_id(workspace, &ids).await?;
    let stored: BTreeSet<_> = found.iter().map(|page| page.id).collect();
    let without_row: Vec<_> = ids.into_iter().filter(|id| !stored.contains(id)).collect();
    found.extend(list_implied(scope, workspace, &without_row).await?);
    let mut visibility = Visibility::of_everything(workspace, authority);
    visibility.look_up(scope, found.iter().map(|page| page.access)).await?;
    let mut titles = BTreeMap::new();
    for page in found {
        let needed = if page.trash.is_some() { Level::Edit } else { Level::View };
        if visibility.level_of(&page) >= needed {
            titles.insert(page.id, page.title.to_string());
        }
    }
    Ok(titles)
}
