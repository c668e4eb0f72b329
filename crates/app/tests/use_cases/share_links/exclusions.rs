//! Links end where somebody is excluded, and exclusions outlive membership.

use super::{key, plain};
use crate::world::{Calling, Device, Person, World, denied, email};
use octavo_app::{
    Call,
    accounts::{deletion, register::Registered},
    members,
    pages::{
        self,
        permissions::{self, GranteeRef, NewGrant},
    },
    share_links::{self, Copy, NewShareLink},
};
use octavo_core_model::{
    Fault, Level, Role,
    fault::Denial,
    grant::{Grant, Grantee},
    id::PageId,
    page::PublicAccess,
    share_link::ShareLevel,
    time::days,
};
use std::time::Duration;

impl World {
    /// A page and the page below it, which the test closes to somebody.
    async fn page_and_child(&self, call: Call) -> [PageId; 2] {
        let page = self.page_below(call.clone(), None, "Page").await;
        [page, self.page_below(call, Some(page), "Closed").await]
    }

    async fn proves_address(&self, person: &Person) {
        let proof = self.token_to(&person.email, "evt_").await.unwrap();
        self.verify(proof).await.unwrap();
    }

    async fn grants_on(&self, call: Call, page: PageId) -> Vec<Grant> {
        self.read(call, move |view| Box::pin(permissions::get(view, Ok(page)))).await.unwrap().grants
    }

    async fn grantees_on(&self, call: Call, page: PageId) -> Vec<Grantee> {
        self.grants_on(call, page).await.into_iter().map(|grant| grant.grantee).collect()
    }
}

fn editing() -> NewShareLink {
    NewShareLink { level: ShareLevel::Edit, ..plain() }
}

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
        shown.children.into_iter().map(|child| child.id.node()).collect::<Vec<_>>()
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
    assert_eq!(copied.unwrap().1.ids.keys().copied().collect::<Vec<_>>(), [page.into(), open.into()]);
    let own = world.shares(world.by(&owner.1).naming(id), closed, plain()).await.unwrap();
    assert_eq!(world.opens(key(&own), Some(below)).await.unwrap().page.id, below, "a link made there shows it");
}

#[tokio::test]
async fn a_member_who_leaves_stays_excluded() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let [page, closed] = world.page_and_child(by_owner.clone()).await;
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
async fn a_member_who_leaves_and_changes_their_address_stays_excluded() {
    for is_verified in [false, true] {
        let mut world = World::new().await;
        let (id, owner, member) = world.house().await;
        if is_verified {
            world.proves_address(&member.0).await;
        }
        let by_owner = world.by(&owner.1).naming(id);
        let [page, closed] = world.page_and_child(by_owner.clone()).await;
        world.excludes(&by_owner, closed, GranteeRef::User(member.0.id), None).await;
        let link = world.shares(by_owner.clone(), page, editing()).await.unwrap();
        world.removes(world.by(&member.1).naming(id), member.0.id).await.unwrap();
        world.relocate(&member.1, &member.0.email, &email("elsewhere@example.com")).await;
        world.joins_by(world.by(&member.1), key(&link)).await.unwrap();
        assert_eq!(world.level_on(world.by(&member.1).naming(id), closed).await, Err(Fault::NotFound));
        assert_eq!(world.grantees_on(by_owner, closed).await, [Grantee::User(member.0.id)]);
        let form = World::registration(member.0.email.as_str(), "Next owner of the address");
        let Ok(Registered::Account { signed_in, .. }) = world.register(world.nobody(), form).await else {
            panic!("the address is free")
        };
        let next = Device::from(&*signed_in);
        world.joins_by(world.by(&next), key(&link)).await.unwrap();
        let level = world.level_on(world.by(&next).naming(id), closed).await;
        assert_eq!(level, Ok(Level::Edit), "the exclusion named somebody else");
    }
}

#[tokio::test]
async fn whoever_gives_up_an_excluded_address_stays_excluded() {
    let mut world = World::new().await;
    let (id, owner, _) = world.house().await;
    let outsider = world.newcomer().await;
    world.proves_address(&outsider.0).await;
    let by_owner = world.by(&owner.1).naming(id);
    let [page, closed] = world.page_and_child(by_owner.clone()).await;
    world.excludes(&by_owner, closed, GranteeRef::Email(outsider.0.email.clone()), None).await;
    let link = world.shares(by_owner.clone(), page, editing()).await.unwrap();
    world.relocate(&outsider.1, &outsider.0.email, &email("elsewhere@example.com")).await;
    assert_eq!(world.grantees_on(by_owner, closed).await, [Grantee::User(outsider.0.id)]);
    world.joins_by(world.by(&outsider.1), key(&link)).await.unwrap();
    assert_eq!(world.level_on(world.by(&outsider.1).naming(id), closed).await, Err(Fault::NotFound));
}

#[tokio::test]
async fn a_member_who_changes_to_an_excluded_address_is_excluded_at_once() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let user = member.0.id;
    let by_owner = world.by(&owner.1).naming(id);
    let [page, closed] = world.page_and_child(by_owner.clone()).await;
    let closed_later = world.page_below(by_owner.clone(), Some(page), "Closed after a level was granted").await;
    let opened_later = world.page_below(by_owner.clone(), Some(page), "Closed before a level was granted").await;
    let address = email("elsewhere@example.com");
    world.lends(&by_owner, page, user, Level::Edit, 7).await;
    world.lends(&by_owner, closed_later, user, Level::Edit, 7).await;
    world.excludes(&by_owner, opened_later, GranteeRef::Email(address.clone()), None).await;
    world.pass(Duration::from_secs(1));
    let by_owner = world.by(&owner.1).naming(id);
    world.excludes(&by_owner, closed, GranteeRef::Email(address.clone()), None).await;
    world.excludes(&by_owner, closed_later, GranteeRef::Email(address.clone()), None).await;
    world.lends(&by_owner, opened_later, user, Level::Edit, 7).await;
    for page in [closed, closed_later, opened_later] {
        assert!(world.level_on(world.by(&member.1).naming(id), page).await.is_ok(), "another address is excluded");
    }
    world.relocate(&member.1, &member.0.email, &address).await;
    for page in [closed, closed_later] {
        assert_eq!(world.level_on(world.by(&member.1).naming(id), page).await, Err(Fault::NotFound));
        assert_eq!(world.grantees_on(by_owner.clone(), page).await, [Grantee::User(user)]);
    }
    assert!(world.level_on(world.by(&member.1).naming(id), opened_later).await.is_ok(), "the later grant remains");
    assert_eq!(world.grantees_on(by_owner, opened_later).await, [Grantee::User(user)]);
}

#[tokio::test]
async fn a_purge_after_a_change_of_address_leaves_no_address() {
    for joins_again in [false, true] {
        let mut world = World::new().await;
        let (id, owner, member) = world.house().await;
        let outsider = world.newcomer().await;
        world.proves_address(&outsider.0).await;
        let by_owner = world.by(&owner.1).naming(id);
        let [page, closed] = world.page_and_child(by_owner.clone()).await;
        let hidden = world.page_below(by_owner.clone(), Some(page), "Closed to an address").await;
        world.excludes(&by_owner, closed, GranteeRef::User(member.0.id), None).await;
        world.excludes(&by_owner, hidden, GranteeRef::Email(outsider.0.email.clone()), None).await;
        let link = world.shares(by_owner, page, editing()).await.unwrap();
        world.removes(world.by(&member.1).naming(id), member.0.id).await.unwrap();
        for ((person, device), to) in [(&member, "one@example.com"), (&outsider, "two@example.com")] {
            world.relocate(device, &person.email, &email(to)).await;
            if joins_again {
                world.joins_by(world.by(device), key(&link)).await.unwrap();
            }
            world.delete(device).await.unwrap();
        }
        world.pass(days(30));
        assert_eq!(deletion::purge_due(&world.engine, world.now).await.unwrap(), 2);
        let owner = world.signed_in(&owner.0).await;
        for (page, former) in [(closed, member.0.id), (hidden, outsider.0.id)] {
            assert_eq!(world.opens(key(&link), Some(page)).await.unwrap_err(), Fault::NotFound);
            let grantees = world.grantees_on(world.by(&owner).naming(id), page).await;
            assert_eq!(grantees, [Grantee::User(former)]);
        }
        let addresses = "SELECT count(*) FROM access_grants WHERE grantee LIKE '%@%'";
        assert_eq!(world.database.number(addresses).await, 0);
    }
}

#[tokio::test]
async fn the_exclusion_of_a_former_member_can_be_lifted() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let [page, closed] = world.page_and_child(by_owner.clone()).await;
    world.excludes(&by_owner, closed, GranteeRef::User(member.0.id), None).await;
    let link = world.shares(by_owner.clone(), page, editing()).await.unwrap();
    let listed = world.grants_on(by_owner.clone(), closed).await;
    world.removes(world.by(&member.1).naming(id), member.0.id).await.unwrap();
    assert_eq!(world.grants_on(by_owner.clone(), closed).await, listed, "leaving changes nothing");
    let grant = listed[0].id;
    world
        .write(by_owner, move |unit| Box::pin(permissions::revoke(unit, Ok(closed), Ok(grant), Ok(false))))
        .await
        .unwrap();
    assert!(world.opens(key(&link), Some(closed)).await.is_ok());
    world.joins_by(world.by(&member.1), key(&link)).await.unwrap();
    assert_eq!(world.level_on(world.by(&member.1).naming(id), closed).await, Ok(Level::Edit));
}

#[tokio::test]
async fn a_level_granted_later_to_the_address_of_a_former_member_replaces_the_exclusion() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    world.proves_address(&member.0).await;
    let by_owner = world.by(&owner.1).naming(id);
    let page = world.page_below(by_owner.clone(), None, "Page").await;
    let other = world.page_below(by_owner.clone(), None, "Other").await;
    for page in [page, other] {
        world.excludes(&by_owner, page, GranteeRef::User(member.0.id), None).await;
    }
    world.removes(world.by(&member.1).naming(id), member.0.id).await.unwrap();
    world.pass(days(1));
    let wanted =
        NewGrant { grantee: GranteeRef::Email(member.0.email.clone()), level: Level::Comment, expires_at: None };
    let call = world.by(&owner.1).naming(id);
    world.write(call, move |unit| Box::pin(permissions::grant(unit, Ok(page), Ok((wanted, false))))).await.unwrap();
    world.adds(world.by(&owner.1).at(id), member.0.id, Role::Member).await.unwrap();
    assert_eq!(world.level_on(world.by(&member.1).naming(id), page).await, Ok(Level::Comment));
    assert_eq!(world.level_on(world.by(&member.1).naming(id), other).await, Err(Fault::NotFound));
}

#[tokio::test]
async fn an_unverified_user_may_join_again_and_stays_excluded() {
    let mut world = World::new().await;
    let (id, owner, _) = world.house().await;
    let guest = world.newcomer().await;
    let by_owner = world.by(&owner.1).naming(id);
    let [page, closed] = world.page_and_child(by_owner.clone()).await;
    world.excludes(&by_owner, closed, GranteeRef::Email(guest.0.email.clone()), None).await;
    let link = world.shares(by_owner.clone(), page, editing()).await.unwrap();
    for _ in 0..2 {
        world.joins_by(world.by(&guest.1), key(&link)).await.unwrap();
        assert_eq!(world.level_on(world.by(&guest.1).naming(id), closed).await, Err(Fault::NotFound));
        world.removes(world.by(&guest.1).naming(id), guest.0.id).await.unwrap();
    }
    world.proves_address(&guest.0).await;
    world.joins_by(world.by(&guest.1), key(&link)).await.unwrap();
    assert_eq!(world.level_on(world.by(&guest.1).naming(id), closed).await, Err(Fault::NotFound));
    assert_eq!(world.grantees_on(by_owner, closed).await, [Grantee::User(guest.0.id)], "both were the same person");
}

#[tokio::test]
async fn exclusions_of_a_purged_account_still_end_links() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let other = world.newcomer().await;
    world.proves_address(&other.0).await;
    let by_owner = world.by(&owner.1).naming(id);
    let [page, closed] = world.page_and_child(by_owner.clone()).await;
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
        let grantees = world.grantees_on(world.by(&owner).naming(id), page).await;
        assert_eq!(grantees, [Grantee::User(former)], "no address is kept");
        world.writes_back(world.by(&owner).naming(id), page, &[GranteeRef::User(former)]).await;
    }
}

#[tokio::test]
async fn an_exclusion_stays_with_an_address_that_was_not_verified() {
    let mut world = World::new().await;
    let (id, owner, _) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let [page, closed] = world.page_and_child(by_owner.clone()).await;
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
    world.proves_address(&member.0).await;
    let by_owner = world.by(&owner.1).naming(id);
    let page = world.page_below(by_owner.clone(), None, "Page").await;
    world.excludes(&by_owner, page, GranteeRef::User(member.0.id), None).await;
    let user = member.0.id;
    world.write(by_owner.clone(), move |unit| Box::pin(members::remove(unit, Ok(user)))).await.unwrap();
    let letters = world.mail_to(&member.0.email).await;
    for same in [GranteeRef::User(user), GranteeRef::Email(member.0.email.clone())] {
        world.writes_back(by_owner.clone(), page, &[same]).await;
        assert_eq!(world.grantees_on(by_owner.clone(), page).await, [Grantee::User(user)]);
    }
    assert_eq!(world.mail_to(&member.0.email).await, letters);
}
