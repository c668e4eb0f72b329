//! Grants to addresses, which end with the invitation to the address.

use crate::world::{Calling, World};
use octavo_app::{
    Call, chores,
    pages::permissions::{self, GranteeRef, NewGrant, PermissionChange},
};
use octavo_core_model::{Level, Role, id::PageId, text::Email, time::days};
use std::time::Duration;

/// Grants a level to an address.
async fn granted(world: &World, call: Call, page: PageId) -> permissions::SavedGrant {
    let grantee = GranteeRef::Email(Email::parse("zoe@example.com").unwrap());
    let wanted = NewGrant { grantee, level: Level::View, expires_at: None };
    world.write(call, move |unit| Box::pin(permissions::grant(unit, Ok(page), Ok((wanted, false))))).await.unwrap()
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
    let (id, owner, (grace, device)) = world.team_of_two().await;
    let by_owner = |world: &World| world.by(&owner.1).naming(id);
    world.makes(by_owner(&world), grace.id, Role::Admin).await.unwrap();
    let shared = world.page_in(by_owner(&world), None, "Shared").await;
    let other = world.page_in(by_owner(&world), None, "Other").await;
    let first = granted(&world, world.by(&device).naming(id), shared).await;
    world.makes(by_owner(&world), grace.id, Role::Member).await.unwrap();
    world.pass(Duration::from_millis(1));
    let invitations = "SELECT state FROM invitations ORDER BY created_at";
    assert_eq!(world.database.rows(invitations).await, [["PENDING"]]);
    granted(&world, by_owner(&world), other).await;
    assert_eq!(world.database.rows(invitations).await, [["REVOKED"], ["PENDING"]]);
    let kept = grants_of(&world, by_owner(&world), shared).await.grants;
    assert_eq!(kept.iter().map(|grant| grant.id).collect::<Vec<_>>(), [first.grant.id]);
    let again = granted(&world, by_owner(&world), shared).await;
    assert!(again.replaced && again.grant.id == first.grant.id);
    assert_eq!(world.database.rows(invitations).await, [["REVOKED"], ["PENDING"]]);
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
