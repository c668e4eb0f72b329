//! Finds out whom and what a comment mentions.

use crate::{access::WorkspaceCaller, blocks::ExistingReferences, outcome::AppResult, scope::Unit};
use octavo_blocks_tree::Reference;
use octavo_core_model::{
    account::AccountStatus,
    comment::{Mention, Mentions, Names, mentioned},
    fault::{Hint, Issue, Violation},
    id::{UserId, WorkspaceId},
    text::CommentText,
};
use octavo_permissions::{Authority, teams};
use octavo_ports::comments::CommentPlace;
use std::{collections::BTreeSet, iter};

/// The mentions that a caller sent, without those that do not exist for them; without any, those that the text makes by
/// name, and these others.
pub(super) async fn find(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &Authority,
    body: &CommentText,
    sent: Option<Vec<Mention>>,
    others: impl IntoIterator<Item = Mention>,
) -> AppResult<Mentions> {
    let found = match sent {
        Some(sent) => existing(unit, caller, authority, sent).await?,
        None => by_name(unit, caller, authority, body).await?.into_iter().chain(others).collect(),
    };
    Ok(Mentions::collect(found).map_err(|_| too_many())?)
}

fn too_many() -> Violation {
    Violation::new("mentions", Issue::TooLong)
        .hinting(Hint { max: i64::try_from(Mentions::MOST).ok(), ..Hint::default() })
}

/// Records which pages a text mentions, for their backlinks. One statement, and one for each page; none if no page is, or
/// was before, mentioned.
pub(super) async fn record(
    unit: &mut Unit,
    workspace: WorkspaceId,
    place: &CommentPlace,
    mentions: &Mentions,
    before: &Mentions,
) -> AppResult<()> {
    let pages = mentions.pages();
    if pages == before.pages() {
        return Ok(());
    }
    Ok(unit.tx.comments().replace_references(workspace, place, &pages, unit.call.now).await?)
}

/// Those that exist for the caller. A user who is no member can be mentioned too, but not by name.
async fn existing(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &Authority,
    sent: Vec<Mention>,
) -> AppResult<Vec<Mention>> {
    let references: Vec<_> = sent.iter().copied().map(reference).collect();
    let there = ExistingReferences::load(unit, caller, authority, &references, iter::empty()).await?;
    let is_there = |mention: Mention| there.has(reference(mention));
    let strangers: Vec<_> = sent.iter().filter(|mention| !is_there(**mention)).filter_map(|m| m.user()).collect();
    let outsiders = accounts(unit, &strangers).await?;
    let resolve = |mention: Mention| match mention {
        mention if is_there(mention) => Some(mention),
        Mention::User(id) if outsiders.contains(&id) => Some(Mention::Outsider(id)),
        _ => None,
    };
    Ok(sent.into_iter().filter_map(resolve).collect())
}

const fn reference(mention: Mention) -> Reference {
    match mention {
        Mention::User(id) | Mention::Outsider(id) => Reference::User(id),
        Mention::Team(id) => Reference::Team(id),
        Mention::Page(id) => Reference::Page(id),
        Mention::Database(id) => Reference::Database(id),
    }
}

/// Which of these are accounts that were not purged.
async fn accounts(unit: &mut Unit, users: &[UserId]) -> AppResult<BTreeSet<UserId>> {
    if users.is_empty() {
        return Ok(BTreeSet::new());
    }
    let people = unit.tx.members().list_people(users).await?;
    Ok(people.into_iter().filter(|person| person.status != AccountStatus::Deleted).map(|person| person.id).collect())
}

/// The members and teams that a text names. Two statements; none if it contains no `@`.
async fn by_name(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &Authority,
    body: &CommentText,
) -> AppResult<Vec<Mention>> {
    if !body.as_str().contains('@') {
        return Ok(Vec::new());
    }
    let mut names = Names::default();
    for member in unit.tx.members().list_names(caller.workspace).await? {
        names.add_member(&member.name, member.user);
        names.add_member(&member.display_name, member.user);
    }
    let seen = teams::visibility(authority);
    for team in unit.tx.teams().list(caller.workspace, seen, None, u32::MAX).await? {
        names.add_team(team.name.as_str(), team.id);
    }
    Ok(mentioned(body.as_str(), &names))
}
