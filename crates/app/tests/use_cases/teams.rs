//! Teams: what they report, and what keys may do.

use crate::world::{Calling, Device, Person, World, conflict, denied};
use octavo_app::{
    Call,
    teams::{
        self, NewTeam, TeamDeletion, TeamDetails, TeamPage,
        members::{self, InTeam, NewTeamMember},
    },
};
use octavo_core_model::{
    Fault, KeyScope, Role, TeamRole,
    event::Chain,
    fault::{Conflict, Denial},
    id::{TeamId, UserId, WorkspaceId},
    team::TeamChange,
    text::TeamName,
};

pub(crate) fn named(name: &str) -> NewTeam {
    NewTeam {
        name: TeamName::parse(name).unwrap(),
        slug: None,
        description: None,
        color: None,
        icon_url: None,
        position: None,
        is_private: false,
    }
}

impl World {
    async fn creates_team(&self, call: Call, team: NewTeam) -> Result<TeamDetails, Fault> {
        self.write(call, move |unit| Box::pin(teams::create(unit, Ok(team)))).await
    }

    async fn changes_team(&self, call: Call, id: TeamId, change: TeamChange) -> Result<TeamDetails, Fault> {
        self.write(call, move |unit| Box::pin(teams::update(unit, Ok(id), Ok(change)))).await
    }

    async fn deletes_team(&self, call: Call, id: TeamId) -> Result<TeamDeletion, Fault> {
        self.write(call, move |unit| Box::pin(teams::delete(unit, Ok(id)))).await
    }

    async fn puts_in_team(&self, call: Call, id: TeamId, user: UserId, role: TeamRole) -> Result<InTeam, Fault> {
        let draft = Ok(NewTeamMember { user, role });
        self.write(call, move |unit| Box::pin(members::add(unit, Ok(id), draft))).await
    }

    async fn team_names(&self, call: Call) -> Vec<String> {
        let page = Ok(TeamPage { after: None, limit: 100 });
        let found = self.read(call, move |view| Box::pin(teams::list(view, page))).await.unwrap();
        found.into_iter().map(|shown| shown.team.name.to_string()).collect()
    }

    /// A workspace with an owner and a member.
    async fn pair(&mut self) -> (WorkspaceId, (Person, Device), (Person, Device)) {
        let (owner, member) = (self.newcomer().await, self.newcomer().await);
        let id = self.creates_workspace(&owner.0).await;
        self.adds(self.by(&owner.1).at(id), member.0.id, Role::Member).await.unwrap();
        (id, owner, member)
    }

    async fn last_events(&self, workspace: WorkspaceId, count: usize) -> Vec<String> {
        let events = self.events(workspace).await;
        events[events.len() - count..].iter().map(|(kind, ..)| kind.clone()).collect()
    }
}

#[tokio::test]
async fn every_change_of_a_team_is_reported() {
    let mut world = World::new().await;
    let (id, owner, member) = world.pair().await;
    let call = || world.by(&owner.1).at(id);
    let team = world.creates_team(call(), named("Design")).await.unwrap().team;
    let rename = TeamChange { name: Some(TeamName::parse("Looks").unwrap()), ..TeamChange::default() };
    world.changes_team(call(), team.id, rename.clone()).await.unwrap();
    world.changes_team(call(), team.id, rename).await.unwrap();
    world.puts_in_team(call(), team.id, member.0.id, TeamRole::Member).await.unwrap();
    for role in [TeamRole::Admin, TeamRole::Admin] {
        let (team, user) = (Ok(team.id), Ok(member.0.id));
        world.write(call(), move |unit| Box::pin(members::update(unit, team, user, Ok(role)))).await.unwrap();
    }
    let (of, user) = (Ok(team.id), Ok(member.0.id));
    world.write(call(), move |unit| Box::pin(members::remove(unit, of, user))).await.unwrap();
    assert_eq!(world.deletes_team(call(), team.id).await.unwrap().unassigned_pages, 0);
    let expected = [
        "team.created",
        "team.updated",
        "team.member_added",
        "team.member_updated",
        "team.member_removed",
        "team.deleted",
        "permission.changed",
    ];
    assert_eq!(world.last_events(id, expected.len()).await, expected);
    let audited = world.audit_records(Chain::Workspace(id)).await;
    assert_eq!(audited.last().unwrap().action, "permission.changed");
}

#[tokio::test]
async fn a_key_needs_the_scope_admin_to_change_teams_and_sees_them_all() {
    let mut world = World::new().await;
    let (id, owner, member) = world.pair().await;
    let key = |scope| world.key(id, scope, &owner.0);
    let needs_admin = denied(Denial::KeyScope(KeyScope::Admin));
    for scope in [KeyScope::Read, KeyScope::Write] {
        assert_eq!(world.creates_team(key(scope), named("Design")).await.unwrap_err(), needs_admin);
    }
    let secret = NewTeam { is_private: true, ..named("Secret") };
    let team = world.creates_team(key(KeyScope::Admin), secret).await.unwrap().team;
    assert_eq!(world.team_names(key(KeyScope::Read)).await, ["Secret"]);
    assert_eq!(world.team_names(world.by(&member.1).at(id)).await, [""; 0]);
    let change = TeamChange { is_private: Some(false), ..TeamChange::default() };
    let refused = world.changes_team(key(KeyScope::Write), team.id, change.clone()).await;
    assert_eq!(refused.unwrap_err(), needs_admin);
    world.changes_team(key(KeyScope::Admin), team.id, change).await.unwrap();
    let added = world.puts_in_team(key(KeyScope::Admin), team.id, member.0.id, TeamRole::Admin).await.unwrap();
    assert_eq!((added.person.id, added.membership.role), (member.0.id, TeamRole::Admin));
    assert_eq!(world.deletes_team(key(KeyScope::Write), team.id).await.unwrap_err(), needs_admin);
}

#[tokio::test]
async fn only_members_of_the_workspace_join_its_teams() {
    let mut world = World::new().await;
    let (id, owner, member) = world.pair().await;
    let stranger = world.person().await;
    let call = || world.by(&owner.1).at(id);
    let team = world.creates_team(call(), named("Design")).await.unwrap().team;
    let outside = world.puts_in_team(call(), team.id, stranger.id, TeamRole::Member).await;
    assert_eq!(outside.unwrap_err(), Fault::NoMember);
    world.puts_in_team(call(), team.id, member.0.id, TeamRole::Member).await.unwrap();
    let again = world.puts_in_team(call(), team.id, member.0.id, TeamRole::Admin).await;
    assert_eq!(again.unwrap_err(), conflict(Conflict::Taken("userId")));
    let elsewhere = world.by(&owner.1).at(owner.0.workspace);
    assert_eq!(world.deletes_team(elsewhere, team.id).await.unwrap_err(), Fault::NotFound);
}
