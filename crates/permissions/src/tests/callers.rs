//! The callers in the reviewed tables: every credential, and every role combined with every role in the team.

use crate::{AppScopes, Authority, Member};
use octavo_core_model::{
    AppScope, KeyScope, Role, TeamRole,
    id::{TeamId, UserId},
};

pub(super) fn user(number: u8) -> UserId {
    UserId::new(0, [number; 10])
}

pub(super) fn team(number: u8) -> TeamId {
    TeamId::new(0, [number; 10])
}

/// A caller and its name in the tables.
pub(super) struct Row {
    pub(super) credential: String,
    pub(super) role: &'static str,
    pub(super) team_role: &'static str,
    pub(super) authority: Authority,
}

/// Callers with a role in team 0. Every caller that is a user is user 0.
pub(super) fn all() -> Vec<Row> {
    let mut rows = vec![row("outsider", "-", "-", Authority::Outsider)];
    rows.extend(KeyScope::ALL.iter().map(|scope| row(&format!("key {scope}"), "-", "-", Authority::Key(*scope))));
    rows.extend(
        members().map(|(member, role, team_role)| row("signed in", role, team_role, Authority::Member(member))),
    );
    let grants = [
        ("app without scope", AppScopes::NONE),
        ("app pages:read", AppScopes::from_iter([AppScope::PagesRead])),
        ("app pages:write", AppScopes::from_iter([AppScope::PagesWrite])),
        ("app pages:read files:write", AppScopes::from_iter([AppScope::PagesRead, AppScope::FilesWrite])),
    ];
    for (words, scopes) in grants {
        let through_app = |(member, role, team_role)| row(words, role, team_role, Authority::App { member, scopes });
        rows.extend(members().map(through_app));
    }
    rows
}

fn row(credential: &str, role: &'static str, team_role: &'static str, authority: Authority) -> Row {
    Row { credential: credential.to_owned(), role, team_role, authority }
}

fn members() -> impl Iterator<Item = (Member, &'static str, &'static str)> {
    let team_roles = [None, Some(TeamRole::Member), Some(TeamRole::Admin)];
    let in_team = move |role: &'static Role| team_roles.into_iter().map(move |team_role| (*role, team_role));
    Role::ALL.iter().rev().flat_map(in_team).map(|(role, team_role)| {
        let member = Member::new(user(0), role, team_role.map(|team_role| (team(0), team_role)));
        (member, role.name(), team_role.map_or("-", TeamRole::name))
    })
}
