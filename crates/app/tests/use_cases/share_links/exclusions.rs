//! Links end where somebody is excluded, and exclusions outlive membership.

use super::{key, plain};
use crate::world::{Calling, Device, World, denied, email};
use octavo_app::{
    accounts::{deletion, register::Registered},
    members,
    pages::{
        self,
        permissions::{self, GranteeRef, NewGrant, PermissionChange},
    },
    share_links::{self, Copy, NewShareLink},
};
use octavo_core_model::{
    Fault, Level, fault::Denial, grant::Grantee, id::PageId, page::PublicAccess, share_link::ShareLevel, time::days,
};
#[tokio::test]
async fn a_link_ends_where_somebody_is_excluded() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let page = world.page_below(by_owner.clone(), None, "Page").await;
    let open = world.page_below(by_owner.clone(), Some(page), "Open").await;
    let closed = world.page_below(by_owner.clone(), Some(page), "Closed").await;
    let below = world.page_below(by_owner.clone(), Some(closed), "Below").await;
    let address = world.page_below(by_owner.clone(), Some(page), "Closed to an address").await;
    let soon = Some(world.now.plus(days(1)));
    world.excludes(&by_owner, open, GranteeRef::User(member.0.id), soon).await;
    world.excludes(&by_owner, closed, GranteeRef::User(member.0.id), None).await;
    world.excludes(&by_owner, address, GranteeRef::Email(email("zoe@example.com")), None).await;
    let link = world.shares(by_owner.clone(), page, NewShareLink { allow_duplicate: true, ..plain() }).await.unwrap();
    let children = async |world: &World| {
        let shown = world.opens(key(&link), None).await.unwrap();
        shown.children.into_iter().map(|child| child.id).collect::<Vec<_>>()
    };
    assert_eq!(children(&world).await, []);
    world.pass(days(1));
    assert_eq!(children(&world).await, [open], "an entry that ran out excludes nobody");
    for hidden in [closed, below, address] {
        assert_eq!(world.opens(key(&link), Some(hidden)).await.unwrap_err(), Fault::NotFound);
    }
    let public = async |page: PageId| {
        let call = world.by(&owner.1).naming(id);
        let opened = world.read(call, move |view| Box::pin(pages::get(view, Ok(page), Ok(Vec::new())))).await.unwrap();
        opened.shown.public_access
    };
    assert_eq!((public(page).await, public(open).await), (PublicAccess::Direct, PublicAccess::Inherited));
    assert_eq!((public(closed).await, public(below).await), (PublicAccess::None, PublicAccess::None));
    let reader = world.newcomer().await;
    let (call, link_key) = (world.by(&reader.1), key(&link));
    let copied =
        world.write(call, move |unit| Box::pin(share_links::duplicate(unit, link_key, Ok(Copy::default())))).await;
    assert_eq!(copied.unwrap().1.ids.keys().copied().collect::<Vec<_>>(), [page, open]);
    let own = world.shares(world.by(&owner.1).naming(id), closed, plain()).await.unwrap();
    assert_eq!(world.opens(key(&own), Some(below)).await.unwrap().page.id, below, "a link made there shows it");
}

#[tokio::test]
async fn a_member_who_leaves_stays_excluded() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let page = world.page_below(by_owner.clone(), None, "Page").await;
    let closed = world.page_below(by_owner.clone(), Some(page), "Closed").await;
    world.excludes(&by_owner, closed, GranteeRef::User(member.0.id), None).await;
    let edit = NewShareLink { level: ShareLevel::Edit, ..plain() };
    let link = world.shares(by_owner.clone(), page, edit.clone()).await.unwrap();
    let own = world.shares(by_owner.clone(), closed, edit).await.unwrap();
    world.removes(world.by(&member.1).naming(id), member.0.id).await.unwrap();
    assert_eq!(world.opens(key(&link), Some(closed)).await.unwrap_err(), Fault::NotFound);
    assert_eq!(world.joins_by(world.by(&member.1), key(&own)).await.unwrap_err(), denied(Denial::Excluded));
    world.joins_by(world.by(&member.1), key(&link)).await.unwrap();
    assert_eq!(world.level_on(world.by(&member.1).naming(id), closed).await, Err(Fault::NotFound));
}

#[tokio::test]
async fn exclusions_of_a_purged_account_still_end_links() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let other = world.newcomer().await;
    let proof = world.token_to(&other.0.email, "evt_").await.unwrap();
    world.verify(proof).await.unwrap();
    let by_owner = world.by(&owner.1).naming(id);
    let page = world.page_below(by_owner.clone(), None, "Page").await;
    let closed = world.page_below(by_owner.clone(), Some(page), "Closed").await;
    let hidden = world.page_below(by_owner.clone(), Some(page), "Closed to an address").await;
    world.excludes(&by_owner, closed, GranteeRef::User(member.0.id), None).await;
    world.excludes(&by_owner, hidden, GranteeRef::Email(other.0.email.clone()), None).await;
    let link = world.shares(by_owner, page, plain()).await.unwrap();
    for device in [&member.1, &other.1] {
        world.delete(device).await.unwrap();
    }
    world.pass(days(30));
    assert_eq!(deletion::purge_due(&world.engine, world.now).await.unwrap(), 2);
    let owner = world.signed_in(&owner.0).await;
    for (page, former) in [(closed, member.0.id), (hidden, other.0.id)] {
        assert_eq!(world.opens(key(&link), Some(page)).await.unwrap_err(), Fault::NotFound);
        let call = world.by(&owner).naming(id);
        let found = world.read(call, move |view| Box::pin(permissions::get(view, Ok(page)))).await.unwrap();
        let grantees: Vec<_> = found.grants.into_iter().map(|grant| grant.grantee).collect();
        assert_eq!(grantees, [Grantee::User(former)], "no address is kept");
        world.writes_back(world.by(&owner).naming(id), page, &[GranteeRef::User(former)]).await;
    }
}

#[tokio::test]
async fn an_exclusion_stays_with_an_address_that_was_not_verified() {
    let mut world = World::new().await;
    let (id, owner, _) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let page = world.page_below(by_owner.clone(), None, "Page").await;
    let closed = world.page_below(by_owner.clone(), Some(page), "Closed").await;
    let squatter = world.newcomer().await;
    let address = squatter.0.email.clone();
    world.excludes(&by_owner, closed, GranteeRef::Email(address.clone()), None).await;
    let edit = NewShareLink { level: ShareLevel::Edit, ..plain() };
    let link = world.shares(by_owner.clone(), page, edit).await.unwrap();
    world.joins_by(world.by(&squatter.1), key(&link)).await.unwrap();
    let both = [GranteeRef::User(squatter.0.id), GranteeRef::Email(address.clone())];
    world.writes_back(by_owner, closed, &both).await;
    world.relocate(&squatter.1, &address, &email("elsewhere@example.com")).await;
    world.removes(world.by(&squatter.1).naming(id), squatter.0.id).await.unwrap();
    let form = World::registration(address.as_str(), "Rightful owner");
    let Ok(Registered::Account { signed_in, .. }) = world.register(world.nobody(), form).await else {
        panic!("the address is free")
    };
    for device in [squatter.1, Device::from(&*signed_in)] {
        world.joins_by(world.by(&device), key(&link)).await.unwrap();
        assert_eq!(world.level_on(world.by(&device).naming(id), closed).await, Err(Fault::NotFound));
    }
}

#[tokio::test]
async fn an_excluded_user_or_address_cannot_join_by_a_link() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let page = world.page_below(by_owner.clone(), None, "Page").await;
    let guest = world.newcomer().await;
    let edit = world.shares(by_owner.clone(), page, NewShareLink { level: ShareLevel::Edit, ..plain() }).await.unwrap();
    world.excludes(&by_owner, page, GranteeRef::User(member.0.id), None).await;
    world.excludes(&by_owner, page, GranteeRef::Email(guest.0.email.clone()), None).await;
    for device in [&member.1, &guest.1] {
        assert_eq!(world.joins_by(world.by(device), key(&edit)).await.unwrap_err(), denied(Denial::Excluded));
    }
    assert_eq!(world.level_on(world.by(&member.1).naming(id), page).await, Err(Fault::NotFound));
    let other = world.newcomer().await;
    let below = world.page_below(by_owner.clone(), Some(page), "Below").await;
    world.excludes(&by_owner, below, GranteeRef::Email(other.0.email.clone()), None).await;
    assert_eq!(world.joins_by(world.by(&other.1), key(&edit)).await.unwrap().level, Level::Edit);
    let hidden = world.level_on(world.by(&other.1).naming(id), below).await;
    assert_eq!(hidden, Err(Fault::NotFound), "not even where nobody proved the address");
}

#[tokio::test]
async fn writing_back_the_exclusion_of_somebody_who_left_invites_nobody() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let page = world.page_below(by_owner.clone(), None, "Page").await;
    world.excludes(&by_owner, page, GranteeRef::User(member.0.id), None).await;
    let user = member.0.id;
    world.write(by_owner.clone(), move |unit| Box::pin(members::remove(unit, Ok(user)))).await.unwrap();
    let excluded =
        NewGrant { grantee: GranteeRef::Email(member.0.email.clone()), level: Level::None, expires_at: None };
    let same = PermissionChange { grants: Some(vec![excluded]), ..PermissionChange::default() };
    let letters = world.mail_to(&member.0.email).await;
    world.write(by_owner, move |unit| Box::pin(permissions::replace(unit, Ok(page), Ok(same)))).await.unwrap();
    assert_eq!(world.mail_to(&member.0.email).await, letters);
}
