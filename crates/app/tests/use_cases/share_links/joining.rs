//! The levels of those who join by a link, and when they end.

use super::{key, plain};
use crate::world::{Calling, World};
use octavo_app::{
    members,
    pages::permissions::{self, GranteeRef, NewGrant, PermissionChange},
    share_links::NewShareLink,
};
use octavo_core_model::{Fault, Level, Role, share_link::ShareLevel, time::days};
#[tokio::test]
async fn joining_lowers_nobody_whose_rights_are_narrowed_for_a_while() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let page = world.page_below(by_owner.clone(), None, "Page").await;
    let comment =
        world.shares(by_owner.clone(), page, NewShareLink { level: ShareLevel::Comment, ..plain() }).await.unwrap();
    let viewing = NewGrant {
        grantee: GranteeRef::User(member.0.id),
        level: Level::View,
        expires_at: Some(world.now.plus(days(1))),
    };
    world
        .write(by_owner, move |unit| Box::pin(permissions::grant(unit, Ok(page), Ok((viewing, false)))))
        .await
        .unwrap();
    assert_eq!(world.joins_by(world.by(&member.1), key(&comment)).await.unwrap().level, Level::Comment);
    world.pass(days(1));
    assert_eq!(
        world.level_on(world.by(&member.1).naming(id), page).await,
        Ok(Level::Edit),
        "as if they had not joined"
    );
}

#[tokio::test]
async fn a_narrowing_ends_when_its_own_entry_does() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let other = world.newcomer().await;
    world.adds(by_owner.clone(), other.0.id, Role::Member).await.unwrap();
    let page = world.page_below(by_owner.clone(), None, "Page").await;
    let wanted = NewShareLink { level: ShareLevel::Comment, ..plain() };
    let comment = world.shares(by_owner.clone(), page, wanted).await.unwrap();
    for (user, level, lasts) in [(member.0.id, Level::View, 1), (other.0.id, Level::Edit, 9)] {
        let expires_at = Some(world.now.plus(days(lasts)));
        let wanted = NewGrant { grantee: GranteeRef::User(user), level, expires_at };
        let grant = world
            .write(by_owner.clone(), move |unit| Box::pin(permissions::grant(unit, Ok(page), Ok((wanted, false)))));
        grant.await.unwrap();
    }
    assert_eq!(world.joins_by(world.by(&member.1), key(&comment)).await.unwrap().level, Level::Comment);
    world.pass(days(1));
    let level = world.level_on(world.by(&member.1).naming(id), page).await;
    assert_eq!(level, Ok(Level::Edit), "the grant of somebody else does not count");
}

#[tokio::test]
async fn joining_keeps_a_later_temporary_level_that_is_higher() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let top = world.page_below(by_owner.clone(), None, "Top").await;
    let middle = world.page_below(by_owner.clone(), Some(top), "Middle").await;
    let page = world.page_below(by_owner.clone(), Some(middle), "Page").await;
    for (on, level, lasts) in [(top, Level::None, 9), (middle, Level::FullAccess, 3), (page, Level::View, 1)] {
        world.lends(&by_owner, on, member.0.id, level, lasts).await;
    }
    let wanted = NewShareLink { level: ShareLevel::Comment, ..plain() };
    let comment = world.shares(by_owner, page, wanted).await.unwrap();
    assert_eq!(world.joins_by(world.by(&member.1), key(&comment)).await.unwrap().level, Level::Comment);
    world.pass(days(1));
    assert_eq!(world.level_on(world.by(&member.1).naming(id), page).await, Ok(Level::FullAccess));
}

#[tokio::test]
async fn joining_does_not_limit_what_a_narrowed_guest_has_later_as_a_member() {
    let mut world = World::new().await;
    let (id, owner, _) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let guest = world.newcomer().await;
    world.adds(by_owner.clone(), guest.0.id, Role::Guest).await.unwrap();
    let top = world.page_below(by_owner.clone(), None, "Top").await;
    let page = world.page_below(by_owner.clone(), Some(top), "Page").await;
    let forever = NewGrant { grantee: GranteeRef::User(guest.0.id), level: Level::FullAccess, expires_at: None };
    let grant =
        world.write(by_owner.clone(), move |unit| Box::pin(permissions::grant(unit, Ok(top), Ok((forever, false)))));
    grant.await.unwrap();
    world.lends(&by_owner, page, guest.0.id, Level::View, 1).await;
    let edit = world.shares(by_owner, page, NewShareLink { level: ShareLevel::Edit, ..plain() }).await.unwrap();
    assert_eq!(world.joins_by(world.by(&guest.1), key(&edit)).await.unwrap().level, Level::Edit);
    world.pass(days(1));
    let (call, user) = (world.by(&owner.1).at(id), guest.0.id);
    world.write(call, move |unit| Box::pin(members::update(unit, Ok(user), Ok(Role::Member)))).await.unwrap();
    assert_eq!(world.level_on(world.by(&guest.1).naming(id), page).await, Ok(Level::FullAccess));
}

#[tokio::test]
async fn joining_makes_an_expiring_level_permanent() {
    for (temporary, afterwards) in [(Level::Edit, Ok(Level::Edit)), (Level::FullAccess, Err(Fault::NotFound))] {
        let mut world = World::new().await;
        let (id, owner, member) = world.house().await;
        let by_owner = world.by(&owner.1).naming(id);
        let page = world.page_below(by_owner.clone(), None, "Page").await;
        let cut = PermissionChange { inherit: Some(false), ..PermissionChange::default() };
        world
            .write(by_owner.clone(), move |unit| Box::pin(permissions::replace(unit, Ok(page), Ok(cut))))
            .await
            .unwrap();
        let end = Some(world.now.plus(days(1)));
        let lent = NewGrant { grantee: GranteeRef::User(member.0.id), level: temporary, expires_at: end };
        world
            .write(by_owner.clone(), move |unit| Box::pin(permissions::grant(unit, Ok(page), Ok((lent, false)))))
            .await
            .unwrap();
        let edit = world.shares(by_owner, page, NewShareLink { level: ShareLevel::Edit, ..plain() }).await.unwrap();
        assert_eq!(world.joins_by(world.by(&member.1), key(&edit)).await.unwrap().level, temporary);
        world.pass(days(1));
        assert_eq!(world.level_on(world.by(&member.1).naming(id), page).await, afterwards, "{temporary}");
    }
}
