//! Creating, changing and deleting teams.

use super::{TeamDetails, Visible, count, enter_for_change, resource};
use crate::{
    access::{RouteAccess, enter_locked},
    audit_entry::NewAuditEntry,
    outcome::{AppResult, Draft, LOST},
    scope::Unit,
    workspaces::slugs::{Namespace, lowest_free},
};
use octavo_core_model::{
    Fault,
    event::{
        Chain, EventPayload, EventType, FieldChanges,
        permissions::{PermissionChanged, TeamPrivacy},
        teams::{TeamDeleted, TeamUpdated},
    },
    fault::Conflict,
    id::TeamId,
    position::Position,
    team::{Team, TeamChange},
    text::{Color, Description, Slug, TeamName, WebAddress},
};
use octavo_permissions::{
    self as permissions,
    teams::{TeamEdit, may_edit_team},
};
use serde_json::{Map, Value, json};

/// The properties of a new team.
#[derive(Clone, Debug)]
pub struct NewTeam {
    pub name: TeamName,
    /// By default derived from the name.
    pub slug: Option<Slug>,
    pub description: Option<Description>,
    pub color: Option<Color>,
    pub icon_url: Option<WebAddress>,
    /// By default after the last team.
    pub position: Option<Position>,
    pub is_private: bool,
}

/// Creates a team without members.
pub async fn create(unit: &mut Unit, draft: Draft<NewTeam>) -> AppResult<TeamDetails> {
    let (_, workspace) = enter_locked(unit, RouteAccess::ADMINS).await?;
    unit.claim().await?;
    let wanted = draft?;
    let position = match wanted.position {
        Some(position) => position,
        None => Position::after(unit.tx.teams().find_last_position(workspace.id).await?.as_ref()),
    };
    let now = unit.call.now;
    let mut team = Team {
        id: unit.id(TeamId::new),
        workspace: workspace.id,
        slug: wanted.slug.clone().unwrap_or_else(|| Slug::from_name(wanted.name.as_str(), "team")),
        name: wanted.name,
        description: wanted.description,
        color: wanted.color,
        icon_url: wanted.icon_url,
        position,
        is_private: wanted.is_private,
        created_at: now,
        updated_at: now,
    };
    if !unit.tx.teams().insert(&team).await? {
        if wanted.slug.is_some() {
            return Err(Fault::Conflict(Conflict::Taken("slug")).into());
        }
        let number = lowest_free(unit, Namespace::Teams(workspace.id), &team.slug).await?;
        team.slug = team.slug.numbered(number);
        if !unit.tx.teams().insert(&team).await? {
            return Err(LOST);
        }
    }
    unit.emit(workspace.id, EventPayload::TeamCreated((&team).into()));
    Ok(TeamDetails { team, member_count: 0, page_count: 0 })
}

/// Changes a team.
pub async fn update(unit: &mut Unit, id: Draft<TeamId>, draft: Draft<TeamChange>) -> AppResult<TeamDetails> {
    let Visible { mut team, authority } = enter_for_change(unit, RouteAccess::MEMBERS, &id).await?;
    let touches_privacy = draft.as_ref().is_ok_and(|change| change.is_private.is_some());
    let edit = if touches_privacy { TeamEdit::Privacy } else { TeamEdit::OtherFields };
    may_edit_team(&authority, permissions::Team { id: team.id, is_private: team.is_private }, edit)?;
    unit.claim().await?;
    let before = team.clone();
    let changed = team.apply(draft?, unit.call.now);
    if changed.is_empty() {
        return count(unit, team).await;
    }
    let wants_slug = team.slug != before.slug;
    if wants_slug && !unit.tx.teams().taken_slugs(team.workspace, std::slice::from_ref(&team.slug)).await?.is_empty() {
        return Err(Fault::Conflict(Conflict::Taken("slug")).into());
    }
    unit.tx.teams().save(&team).await?;
    let (before, after) = (fields(&before, &changed), fields(&team, &changed));
    let fields = FieldChanges { changed_fields: changed, before, after };
    unit.emit(team.workspace, EventPayload::TeamUpdated(TeamUpdated { team_id: team.id, changes: fields }));
    count(unit, team).await
}

fn fields(team: &Team, names: &[&'static str]) -> Map<String, Value> {
    let value = |name: &str| match name {
        "name" => json!(team.name),
        "slug" => json!(team.slug),
        "description" => json!(team.description),
        "color" => json!(team.color),
        "iconUrl" => json!(team.icon_url),
        "position" => json!(team.position.as_str()),
        _ => json!(team.is_private),
    };
    names.iter().map(|name| ((*name).to_owned(), value(name))).collect()
}

/// The result of a deletion.
#[derive(Clone, Copy, Debug)]
pub struct TeamDeletion {
    /// How many pages no longer belong to a team.
    pub unassigned_pages: u64,
}

/// Deletes a team and all grants to it.
pub async fn delete(unit: &mut Unit, id: Draft<TeamId>) -> AppResult<TeamDeletion> {
    let Visible { team, .. } = enter_for_change(unit, RouteAccess::ADMINS, &id).await?;
    unit.claim().await?;
    let pages = unit.tx.pages().count_by_team(team.workspace, &[team.id]).await?;
    unit.expect_pages(pages.iter().map(|(_, count)| count).sum())?;
    let unassigned_pages = unit.tx.pages().release_from_team(team.workspace, team.id, team.is_private).await?;
    unit.tx.grants().remove_all_to_team(team.workspace, team.id).await?;
    unit.tx.teams().remove(team.workspace, team.id).await?;
    let deletion = TeamDeletion { unassigned_pages };
    let deleted = TeamDeleted { team_id: team.id, name: team.name.clone(), unassigned_page_count: unassigned_pages };
    unit.emit(team.workspace, EventPayload::TeamDeleted(deleted));
    let before = TeamPrivacy { is_private: team.is_private };
    let lost = PermissionChanged::TeamDeleted { team_id: team.id, before, after: () };
    unit.emit(team.workspace, EventPayload::PermissionChanged(lost));
    let change = json!({ "field": "team", "from": team.name, "to": null });
    let audit_entry =
        NewAuditEntry::new(Chain::Workspace(team.workspace), EventType::PermissionChanged, resource(&team));
    unit.audit(audit_entry.labelled(team.name.as_str()).with_changes(vec![change]));
    Ok(deletion)
}
