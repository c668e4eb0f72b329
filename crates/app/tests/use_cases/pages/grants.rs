//! Grants to addresses, which end with the invitation to the address.

use crate::world::{Calling, Device, Person, World, email};
use octavo_app::{
    Call, chores,
    invitations::{self, NewInvitation},
    pages::permissions::{self, GranteeRef, NewGrant, PermissionChange},
};
use octavo_core_model::{
    Level, Role,
    grant::Grantee,
    id::{PageId, WorkspaceId},
    text::Email,
    time::days,
};
use std::time::Duration;

const INVITATIONS: &str = "SELECT role, state FROM invitations ORDER BY created_at";

/// Grants a level to an address.
async fn granted(world: &World, call: Call, page: PageId) -> permissions::SavedGrant {
    granted_to(world, call, page, email("zoe@example.com")).await
}

async fn granted_to(world: &World, call: Call, page: PageId, email: Email) -> permissions::SavedGrant {
    leveled(world, call, page, email, Level::View).await
}

async fn leveled(world: &World, call: Call, page: PageId, email: Email, level: Level) -> permissions::SavedGrant {
    let wanted = NewGrant { grantee: GranteeRef::Email(email), level, expires_at: None };
    world.write(call, move |unit| Box::pin(permissions::grant(unit, Ok(page), Ok((wanted, false))))).await.unwrap()
}

async fn invited(world: &World, call: Call, role: Role) {
    let wanted = NewInvitation { email: email("zoe@example.com"), role, expires_in_days: 7 };
    world.write(call, move |unit| Box::pin(invitations::create(unit, Ok(wanted)))).await.unwrap();
}

/// A workspace with an owner and an admin.
async fn run_by_two(world: &mut World) -> (WorkspaceId, (Person, Device), (Person, Device)) {
    let (id, owner, admin) = world.team_of_two().await;
    world.makes(world.by(&owner.1).naming(id), admin.0.id, Role::Admin).await.unwrap();
    (id, owner, admin)
}

async fn grants_of(world: &World, call: Call, page: PageId) -> permissions::Permissions {
    world.read(call, move |view| Box::pin(permissions::get(view, Ok(page)))).await.unwrap()
}

#[tokio::test]
async fn a_grant_to_an_address_can_be_made_again_after_its_invitation_expired() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let page = world.page_in(world.by(&owner.1).naming(id), None, "Page").await;
    let first = granted(&world, world.by(&owner.1).naming(id), page).await;
    world.pass(days(7));
    let second = granted(&world, world.by(&owner.1).naming(id), page).await;
    assert_eq!((first.replaced, second.replaced), (false, false), "the first one went with its invitation");
    assert_eq!(grants_of(&world, world.by(&owner.1).naming(id), page).await.grants, [second.grant]);
}

#[tokio::test]
async fn a_grant_to_an_address_ends_with_its_invitation() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let page = world.page_in(world.by(&owner.1).naming(id), None, "Page").await;
    granted(&world, world.by(&owner.1).naming(id), page).await;
    let before = grants_of(&world, world.by(&owner.1).naming(id), page).await;
    let released = async |world: &World, only_look| {
        chores::purge(&world.engine, &world.blobs, world.now, only_look).await.unwrap().address_grants
    };
    world.pass_almost(days(7));
    assert_eq!(released(&world, false).await, 0);
    assert_eq!(grants_of(&world, world.by(&owner.1).naming(id), page).await.grants.len(), 1);
    world.pass(days(1));
    assert_eq!((released(&world, true).await, released(&world, false).await, released(&world, false).await), (1, 1, 0));
    let after = grants_of(&world, world.by(&owner.1).naming(id), page).await;
    assert_eq!((after.grants, after.version), (Vec::new(), before.version + 1));
}

#[tokio::test]
async fn a_grant_replaces_an_invitation_whose_inviter_is_no_admin_any_more() {
    let mut world = World::new().await;
    let (id, owner, (grace, device)) = run_by_two(&mut world).await;
    let by_owner = |world: &World| world.by(&owner.1).naming(id);
    let hers = world.page_in(by_owner(&world), None, "Hers").await;
    let owners = world.page_in(by_owner(&world), None, "The owner's").await;
    let other = world.page_in(by_owner(&world), None, "Other").await;
    granted(&world, world.by(&device).naming(id), hers).await;
    let kept = granted(&world, by_owner(&world), owners).await;
    world.makes(by_owner(&world), grace.id, Role::Member).await.unwrap();
    world.pass(Duration::from_millis(1));
    assert_eq!(world.database.rows(INVITATIONS).await, [["GUEST", "PENDING"]]);
    let versions = async |world: &World| {
        [grants_of(world, by_owner(world), hers).await.version, grants_of(world, by_owner(world), owners).await.version]
    };
    let [of_hers, of_owners] = versions(&world).await;
    granted(&world, by_owner(&world), other).await;
    let replaced = [["GUEST", "REVOKED"], ["GUEST", "PENDING"]];
    assert_eq!(world.database.rows(INVITATIONS).await, replaced);
    assert_eq!(grants_of(&world, by_owner(&world), hers).await.grants, []);
    assert_eq!(grants_of(&world, by_owner(&world), owners).await.grants, [kept.grant]);
    assert_eq!(versions(&world).await, [of_hers + 1, of_owners], "the owner's grant has not changed");
    assert!(!granted(&world, by_owner(&world), hers).await.replaced);
    assert_eq!(world.database.rows(INVITATIONS).await, replaced, "the new invitation counts");
}

#[tokio::test]
async fn a_page_shared_again_has_a_new_grant_unless_the_present_one_stays() {
    for is_by_owner in [true, false] {
        let mut world = World::new().await;
        let (id, owner, (grace, device)) = run_by_two(&mut world).await;
        let by_owner = |world: &World| world.by(&owner.1).naming(id);
        let first = world.page_in(by_owner(&world), None, "First").await;
        let page = world.page_in(by_owner(&world), None, "Page").await;
        let by_grace = world.by(&device).naming(id);
        granted(&world, by_grace.clone(), first).await;
        let before = granted(&world, if is_by_owner { by_owner(&world) } else { by_grace }, page).await;
        world.makes(by_owner(&world), grace.id, Role::Member).await.unwrap();
        let after = granted(&world, by_owner(&world), page).await;
        assert_eq!((after.replaced, after.grant.id == before.grant.id), (is_by_owner, is_by_owner));
        assert_eq!(after.grant.created_by, Some(owner.0.id));
        assert_eq!(grants_of(&world, by_owner(&world), page).await.grants, [after.grant]);
    }
}

#[tokio::test]
async fn an_address_that_is_invited_again_loses_what_a_former_admin_granted_it() {
    for (role, states) in [
        (Role::Guest, [["GUEST", "REVOKED"], ["GUEST", "PENDING"]]),
        (Role::Member, [["GUEST", "PENDING"], ["MEMBER", "PENDING"]]),
    ] {
        let mut world = World::new().await;
        let (id, owner, (grace, device)) = run_by_two(&mut world).await;
        let page = world.page_in(world.by(&owner.1).naming(id), None, "Page").await;
        granted(&world, world.by(&device).naming(id), page).await;
        world.makes(world.by(&owner.1).naming(id), grace.id, Role::Member).await.unwrap();
        world.pass(Duration::from_millis(1));
        invited(&world, world.by(&owner.1).at(id), role).await;
        assert_eq!(world.database.rows(INVITATIONS).await, states);
        assert_eq!(grants_of(&world, world.by(&owner.1).naming(id), page).await.grants, []);
    }
}

#[tokio::test]
async fn an_address_that_is_invited_again_loses_a_level_that_a_former_admin_gave_it() {
    for (changes, stays) in [("hers", false), ("owner's", true), ("hers, owner's", true), ("owner's, hers", false)] {
        let mut world = World::new().await;
        let (id, owner, (grace, device)) = run_by_two(&mut world).await;
        let by_owner = |world: &World| world.by(&owner.1).naming(id);
        let other = world.page_in(by_owner(&world), None, "Other").await;
        let page = world.page_in(by_owner(&world), None, "Page").await;
        // The invitation is hers, so it does not count later.
        granted(&world, world.by(&device).naming(id), other).await;
        granted(&world, by_owner(&world), page).await;
        for (change, level) in changes.split(", ").zip([Level::Comment, Level::Edit]) {
            world.pass(Duration::from_millis(1));
            let by = if change == "hers" { &device } else { &owner.1 };
            let given = leveled(&world, world.by(by).naming(id), page, email("zoe@example.com"), level).await;
            assert_eq!(given.grant.created_by, Some(owner.0.id));
        }
        world.makes(by_owner(&world), grace.id, Role::Member).await.unwrap();
        world.pass(Duration::from_millis(1));
        invited(&world, world.by(&owner.1).at(id), Role::Guest).await;
        let left = grants_of(&world, by_owner(&world), page).await.grants;
        assert_eq!(!left.is_empty(), stays, "{changes}");
    }
}

#[tokio::test]
async fn an_address_with_another_invitation_that_counts_keeps_its_grants() {
    let mut world = World::new().await;
    let (id, owner, (grace, device)) = run_by_two(&mut world).await;
    let page = world.page_in(world.by(&owner.1).naming(id), None, "Page").await;
    let kept = granted(&world, world.by(&device).naming(id), page).await;
    world.pass(Duration::from_millis(1));
    invited(&world, world.by(&owner.1).at(id), Role::Member).await;
    world.makes(world.by(&owner.1).naming(id), grace.id, Role::Member).await.unwrap();
    world.pass(Duration::from_millis(1));
    invited(&world, world.by(&owner.1).at(id), Role::Guest).await;
    let states = [["GUEST", "REVOKED"], ["MEMBER", "PENDING"], ["GUEST", "PENDING"]];
    assert_eq!(world.database.rows(INVITATIONS).await, states);
    assert_eq!(grants_of(&world, world.by(&owner.1).naming(id), page).await.grants, [kept.grant]);
}

#[tokio::test]
async fn a_new_member_does_not_get_what_a_former_admin_granted_their_address() {
    let mut world = World::new().await;
    let (id, owner, (grace, device)) = run_by_two(&mut world).await;
    let by_owner = |world: &World| world.by(&owner.1).naming(id);
    let (zoe, _) = world.newcomer().await;
    let hers = world.page_in(by_owner(&world), None, "Hers").await;
    let owners = world.page_in(by_owner(&world), None, "The owner's").await;
    granted_to(&world, world.by(&device).naming(id), hers, zoe.email.clone()).await;
    granted_to(&world, by_owner(&world), owners, zoe.email.clone()).await;
    world.makes(by_owner(&world), grace.id, Role::Member).await.unwrap();
    world.adds(world.by(&owner.1).at(id), zoe.id, Role::Guest).await.unwrap();
    assert_eq!(grants_of(&world, by_owner(&world), hers).await.grants, []);
    let kept = grants_of(&world, by_owner(&world), owners).await.grants;
    assert_eq!(kept.into_iter().map(|grant| grant.grantee).collect::<Vec<_>>(), [Grantee::User(zoe.id)]);
}

#[tokio::test]
async fn a_grant_stays_when_somebody_writes_it_back_who_may_not_invite() {
    let mut world = World::new().await;
    let (id, owner, (grace, device)) = world.team_of_two().await;
    let by_owner = |world: &World| world.by(&owner.1).naming(id);
    world.makes(by_owner(&world), grace.id, Role::Admin).await.unwrap();
    let page = world.page_in(world.by(&device).naming(id), None, "Page").await;
    let full = NewGrant { grantee: GranteeRef::User(grace.id), level: Level::FullAccess, expires_at: None };
    let email = GranteeRef::Email(Email::parse("zoe@example.com").unwrap());
    let wanted = [full, NewGrant { grantee: email, level: Level::View, expires_at: None }];
    let change = || PermissionChange { grants: Some(wanted.to_vec()), ..PermissionChange::default() };
    world.allows(world.by(&device).naming(id), page, change()).await;
    world.makes(by_owner(&world), grace.id, Role::Member).await.unwrap();
    world.allows(world.by(&device).naming(id), page, change()).await;
    assert_eq!(grants_of(&world, by_owner(&world), page).await.grants.len(), 2);
    assert_eq!(world.database.rows("SELECT state FROM invitations").await, [["PENDING"]]);
}
