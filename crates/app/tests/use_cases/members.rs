//! Members of a workspace.

use crate::world::{Calling, Device, Person, World, conflict, denied};
use octavo_app::{
    Call, Caller,
    members::{self, MemberPage, NewMember},
};
use octavo_core_model::{
    Fault, KeyScope, Role,
    api_key::ApiKey,
    event::Chain,
    fault::{Conflict, Denial},
    id::{UserId, WorkspaceId},
    member::{Member, MemberFilter},
    text::SearchText,
    workspace::{Limit, Limits},
};
use octavo_testkit::make;
use std::time::Duration;

/// A workspace with an owner, an admin, a member and a guest.
struct Staff {
    id: WorkspaceId,
    owner: (Person, Device),
    admin: (Person, Device),
    member: (Person, Device),
    guest: (Person, Device),
}

const NO_LIMITS: Limits = Limits { members: Limit::None, databases: Limit::None, storage_bytes: Limit::None };

impl World {
    async fn staff(&mut self) -> Staff {
        let owner = self.newcomer().await;
        let id = self.creates_workspace(&owner.0).await;
        let mut staff = Vec::new();
        for role in [Role::Admin, Role::Member, Role::Guest] {
            let (person, device) = self.newcomer().await;
            self.pass(Duration::from_secs(1));
            self.adds(self.by(&owner.1).at(id), person.id, role).await.unwrap();
            staff.push((person, device));
        }
        let [admin, member, guest] = staff.try_into().unwrap();
        Staff { id, owner, admin, member, guest }
    }

    pub(crate) async fn adds(&self, call: Call, user: UserId, role: Role) -> Result<Member, Fault> {
        self.adds_within(call, user, role, NO_LIMITS).await
    }

    async fn adds_within(&self, call: Call, user: UserId, role: Role, limits: Limits) -> Result<Member, Fault> {
        let draft = Ok(NewMember { user, role });
        self.write(call, move |unit| Box::pin(members::add(unit, draft, limits))).await
    }

    pub(crate) async fn makes(&self, call: Call, user: UserId, role: Role) -> Result<Member, Fault> {
        self.write(call, move |unit| Box::pin(members::update(unit, Ok(user), Ok(role)))).await
    }

    pub(crate) async fn removes(&self, call: Call, user: UserId) -> Result<(), Fault> {
        self.write(call, move |unit| Box::pin(members::remove(unit, Ok(user)))).await
    }

    async fn members(&self, call: Call, filter: MemberFilter) -> Vec<Member> {
        let page = MemberPage { before: None, limit: 100, filter, with_teams: false };
        let found = self.read(call, move |view| Box::pin(members::list(view, Ok(page)))).await.unwrap();
        found.into_iter().map(|shown| shown.member).collect()
    }

    pub(crate) fn key(&self, workspace: WorkspaceId, scope: KeyScope, by: &Person) -> Call {
        let plain = make::api_key(1, workspace, by.id);
        let key = ApiKey { scopes: [scope].into(), ..plain };
        Call { caller: Caller::Key(Box::new(make::presented(key))), ..self.nobody() }
    }

    async fn primary_owner(&self, workspace: WorkspaceId) -> UserId {
        self.engine.store.reader().await.unwrap().workspaces().find(workspace).await.unwrap().unwrap().owner
    }
}

impl Staff {
    fn ids(found: &[Member]) -> Vec<UserId> {
        found.iter().map(|member| member.membership.user).collect()
    }
}

const ALL: MemberFilter = MemberFilter { role: None, search: None };

#[tokio::test]
async fn every_member_and_every_key_sees_the_members_newest_first() {
    let mut world = World::new().await;
    let staff = world.staff().await;
    let expected = [staff.guest.0.id, staff.member.0.id, staff.admin.0.id, staff.owner.0.id];
    for (_, device) in [&staff.owner, &staff.admin, &staff.member, &staff.guest] {
        assert_eq!(Staff::ids(&world.members(world.by(device).at(staff.id), ALL).await), expected);
    }
    let key = world.key(staff.id, KeyScope::Read, &staff.owner.0);
    assert_eq!(Staff::ids(&world.members(key, ALL).await), expected);
    let stranger = world.newcomer().await.1;
    let page = Ok(MemberPage { before: None, limit: 9, filter: ALL, with_teams: false });
    let refused = world.read(world.by(&stranger).at(staff.id), move |view| Box::pin(members::list(view, page))).await;
    assert_eq!(refused.unwrap_err(), denied(Denial::WorkspaceMismatch));
}

#[tokio::test]
async fn a_list_is_narrowed_by_role_and_by_name_or_address() {
    let mut world = World::new().await;
    let staff = world.staff().await;
    let call = || world.by(&staff.guest.1).at(staff.id);
    let with = |role| MemberFilter { role: Some(role), search: None };
    assert_eq!(Staff::ids(&world.members(call(), with(Role::Admin)).await), [staff.admin.0.id]);
    let about = |text| MemberFilter { role: None, search: Some(SearchText::parse(text).unwrap()) };
    for text in ["PERSON3@", "Person 3", "n3@exa"] {
        assert_eq!(Staff::ids(&world.members(call(), about(text)).await), [staff.admin.0.id], "{text}");
    }
    for text in ["%", "_", "\\", "3%", "Person_3"] {
        assert_eq!(Staff::ids(&world.members(call(), about(text)).await), [], "{text}");
    }
    assert_eq!(world.members(call(), about("")).await.len(), 4);
    let neither = MemberFilter { role: Some(Role::Owner), ..about("person3@") };
    assert_eq!(Staff::ids(&world.members(call(), neither).await), []);
}

#[tokio::test]
async fn the_role_limits_which_members_may_be_added() {
    let mut world = World::new().await;
    let staff = world.staff().await;
    let newcomer = world.person().await;
    for (caller, role, refusal) in [
        (&staff.member, Role::Guest, Denial::RequiresRole(Role::Admin)),
        (&staff.guest, Role::Guest, Denial::RequiresRole(Role::Admin)),
        (&staff.admin, Role::Owner, Denial::RequiresRole(Role::Owner)),
    ] {
        let refused = world.adds(world.by(&caller.1).at(staff.id), newcomer.id, role).await;
        assert_eq!(refused.unwrap_err(), denied(refusal));
    }
    let write = world.key(staff.id, KeyScope::Write, &staff.owner.0);
    assert_eq!(
        world.adds(write, newcomer.id, Role::Guest).await.unwrap_err(),
        denied(Denial::KeyScope(KeyScope::Admin))
    );
    let admin = world.key(staff.id, KeyScope::Admin, &staff.owner.0);
    assert_eq!(
        world.adds(admin.clone(), newcomer.id, Role::Owner).await.unwrap_err(),
        denied(Denial::RequiresRole(Role::Owner))
    );
    let added = world.adds(admin, newcomer.id, Role::Admin).await.unwrap();
    assert_eq!((added.membership.role, added.membership.invited_by), (Role::Admin, Some(staff.owner.0.id)));
    assert_eq!((added.person.id, added.person.email), (newcomer.id, newcomer.email));
    let events = world.events(staff.id).await;
    let (kind, actor, _) = events.last().unwrap();
    assert_eq!((kind.as_str(), actor.as_str()), ("workspace.member_added", "API_KEY"));
}

#[tokio::test]
async fn only_known_accounts_join_and_only_once() {
    let mut world = World::new().await;
    let staff = world.staff().await;
    let call = || world.by(&staff.owner.1).at(staff.id);
    let (taken, unknown) = (conflict(Conflict::Taken("userId")), Fault::UnknownId("userId"));
    assert_eq!(world.adds(call(), staff.guest.0.id, Role::Member).await.unwrap_err(), taken);
    assert_eq!(world.adds(call(), make::user_id(77), Role::Member).await.unwrap_err(), unknown);
    let (_, leaver) = world.newcomer().await;
    world.delete(&leaver).await.unwrap();
    let call = world.by(&staff.owner.1).at(staff.id);
    assert_eq!(world.adds(call, leaver.claims.user, Role::Member).await.unwrap_err(), unknown);
}

#[tokio::test]
async fn an_owner_being_deleted_does_not_count_as_another_owner() {
    let mut world = World::new().await;
    let staff = world.staff().await;
    let (bob, by_bob) = world.newcomer().await;
    let call = |world: &World| world.by(&staff.owner.1).at(staff.id);
    world.adds(call(&world), bob.id, Role::Owner).await.unwrap();
    world.delete(&by_bob).await.unwrap();
    let last = conflict(Conflict::LastOwner);
    assert_eq!(world.removes(call(&world), staff.owner.0.id).await.unwrap_err(), last);
    assert_eq!(world.makes(call(&world), staff.owner.0.id, Role::Member).await.unwrap_err(), last);
    world.removes(call(&world), bob.id).await.unwrap();
    assert_eq!(world.primary_owner(staff.id).await, staff.owner.0.id);
}

#[tokio::test]
async fn a_workspace_has_no_more_members_than_it_may() {
    let mut world = World::new().await;
    let staff = world.staff().await;
    let (first, second) = (world.person().await, world.person().await);
    let call = || world.by(&staff.owner.1).at(staff.id);
    let limits = Limits { members: Limit::AtMost(5), ..NO_LIMITS };
    world.adds_within(call(), first.id, Role::Guest, limits).await.unwrap();
    let refused = world.adds_within(call(), second.id, Role::Guest, limits).await;
    assert_eq!(refused.unwrap_err(), denied(Denial::MemberQuota));
    let again = world.adds_within(call(), first.id, Role::Guest, limits).await;
    assert_eq!(again.unwrap_err(), conflict(Conflict::Taken("userId")), "who is in needs no place");
}

#[tokio::test]
async fn admins_change_roles_and_leave_owners_alone() {
    let mut world = World::new().await;
    let staff = world.staff().await;
    let (owner, admin, member) = (&staff.owner.0, &staff.admin.0, &staff.member.0);
    let by = |person: &(Person, Device)| world.by(&person.1).at(staff.id);
    for (caller, user, role, needed) in [
        (&staff.member, member.id, Role::Admin, Role::Admin),
        (&staff.admin, owner.id, Role::Member, Role::Owner),
        (&staff.admin, owner.id, Role::Owner, Role::Owner),
        (&staff.admin, member.id, Role::Owner, Role::Owner),
        (&staff.admin, admin.id, Role::Owner, Role::Owner),
    ] {
        let refused = world.makes(by(caller), user, role).await;
        assert_eq!(refused.unwrap_err(), denied(Denial::RequiresRole(needed)), "{user} {role}");
    }
    let changed = world.makes(by(&staff.admin), member.id, Role::Admin).await.unwrap();
    assert_eq!((changed.membership.role, changed.person.id), (Role::Admin, member.id));
    let events = world.events(staff.id).await;
    let kinds: Vec<_> = events.iter().rev().take(2).map(|(kind, ..)| kind.as_str()).collect();
    assert_eq!(kinds, ["permission.changed", "workspace.member_updated"]);
    let audited = world.audit_records(Chain::Workspace(staff.id)).await;
    assert_eq!(audited.last().unwrap().action, "permission.changed");
    world.makes(by(&staff.member), admin.id, Role::Member).await.unwrap();
    let unknown = world.makes(by(&staff.owner), make::user_id(77), Role::Member).await;
    assert_eq!(unknown.unwrap_err(), Fault::NotFound);
}

#[tokio::test]
async fn an_unchanged_role_emits_nothing() {
    let mut world = World::new().await;
    let staff = world.staff().await;
    let before = world.events(staff.id).await;
    world.makes(world.by(&staff.owner.1).at(staff.id), staff.guest.0.id, Role::Guest).await.unwrap();
    world.makes(world.by(&staff.owner.1).at(staff.id), staff.owner.0.id, Role::Owner).await.unwrap();
    assert_eq!(world.events(staff.id).await, before);
}

#[tokio::test]
async fn the_last_owner_stays_one() {
    let mut world = World::new().await;
    let staff = world.staff().await;
    let (call, owner) = (|| world.by(&staff.owner.1).at(staff.id), staff.owner.0.id);
    assert_eq!(world.makes(call(), owner, Role::Admin).await.unwrap_err(), conflict(Conflict::LastOwner));
    assert_eq!(world.removes(call(), owner).await.unwrap_err(), conflict(Conflict::LastOwner));
    world.makes(call(), staff.guest.0.id, Role::Owner).await.unwrap();
    world.makes(call(), owner, Role::Guest).await.unwrap();
    assert_eq!(world.primary_owner(staff.id).await, staff.guest.0.id);
}

#[tokio::test]
async fn the_longest_standing_owner_succeeds_the_primary_one() {
    let mut world = World::new().await;
    let staff = world.staff().await;
    let (admin, member) = (staff.admin.0.id, staff.member.0.id);
    // The admin has been a member for longer, but an owner for a shorter time.
    for user in [member, admin] {
        world.pass(Duration::from_secs(1));
        world.makes(world.by(&staff.owner.1).at(staff.id), user, Role::Owner).await.unwrap();
    }
    assert_eq!(world.primary_owner(staff.id).await, staff.owner.0.id);
    world.removes(world.by(&staff.owner.1).at(staff.id), staff.owner.0.id).await.unwrap();
    assert_eq!(world.primary_owner(staff.id).await, member);
    world.removes(world.by(&staff.admin.1).at(staff.id), admin).await.unwrap();
    assert_eq!(world.primary_owner(staff.id).await, member, "another owner's leaving moves nothing");
}

#[tokio::test]
async fn everybody_may_leave_and_admins_remove_others() {
    let mut world = World::new().await;
    let staff = world.staff().await;
    let by = |person: &(Person, Device)| world.by(&person.1).at(staff.id);
    let (owner, member, guest) = (staff.owner.0.id, staff.member.0.id, staff.guest.0.id);
    let needs = |role| denied(Denial::RequiresRole(role));
    assert_eq!(world.removes(by(&staff.member), guest).await.unwrap_err(), needs(Role::Admin));
    assert_eq!(world.removes(by(&staff.admin), owner).await.unwrap_err(), needs(Role::Owner));
    assert_eq!(world.removes(by(&staff.admin), make::user_id(77)).await.unwrap_err(), Fault::NotFound);
    world.removes(by(&staff.guest), guest).await.unwrap();
    assert_eq!(world.removes(by(&staff.guest), guest).await.unwrap_err(), denied(Denial::WorkspaceMismatch));
    world.removes(by(&staff.admin), member).await.unwrap();
    assert_eq!(world.removes(by(&staff.admin), member).await.unwrap_err(), Fault::NotFound);
    let left = world.members(by(&staff.owner), ALL).await;
    assert_eq!(Staff::ids(&left), [staff.admin.0.id, owner]);
    let events = world.events(staff.id).await;
    let kinds: Vec<_> = events.iter().rev().take(2).map(|(kind, ..)| kind.as_str()).collect();
    assert_eq!(kinds, ["permission.changed", "workspace.member_removed"]);
}

#[tokio::test]
async fn nobody_loses_their_personal_workspace() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let (bob, bobs) = world.newcomer().await;
    let call = || world.by(&device).at(ada.workspace);
    assert_eq!(world.removes(call(), ada.id).await.unwrap_err(), conflict(Conflict::LastOwner));
    world.adds(call(), bob.id, Role::Owner).await.unwrap();
    let kept = conflict(Conflict::PersonalWorkspace);
    for call in [call(), world.by(&bobs).at(ada.workspace)] {
        assert_eq!(world.removes(call.clone(), ada.id).await.unwrap_err(), kept);
        assert_eq!(world.makes(call, ada.id, Role::Guest).await.unwrap_err(), kept);
    }
    world.removes(call(), bob.id).await.unwrap();
    assert_eq!(world.primary_owner(ada.workspace).await, ada.id);
}
