//! Grants on pages.

use crate::{
    pages::chain,
    support::{join, owner, person, read, write},
};
use octavo_core_model::{
    Level, Role, Timestamp,
    grant::{Grant, Grantee, MemberGrantees},
    id::UserId,
    page::Page,
    time::days,
};
use octavo_testkit::{Database, make};
use std::collections::BTreeSet;

pub(crate) async fn a_grant_takes_the_place_of_the_one_before(database: &Database) {
    let store = database.store().await;
    let (user, workspace) = owner(&*store, 1).await;
    let pages = chain(&*store, &workspace, 2).await;
    let to = Grantee::User(user.id);
    let first = make::access_grant(1, &pages[0], to.clone(), Level::View);
    write!(store, unit => unit.grants().put(&first).await);
    let list = async || read!(store, view => view.grants().list(workspace.id, &[pages[0].id], make::NOW).await);
    assert_eq!(list().await, std::slice::from_ref(&first));
    let later = make::NOW.plus(days(1));
    let second = Grant { level: Level::Edit, expires_at: Some(later), updated_at: later, ..first.clone() };
    write!(store, unit => unit.grants().put(&second).await);
    assert_eq!(list().await, std::slice::from_ref(&second));
    write!(store, unit => unit.grants().remove(workspace.id, pages[1].id, &to).await);
    assert_eq!(list().await.len(), 1);
    write!(store, unit => unit.grants().remove(workspace.id, pages[0].id, &to).await);
    assert_eq!(list().await, []);
}

pub(crate) async fn expired_grants_do_not_count(database: &Database) {
    let store = database.store().await;
    let (user, workspace) = owner(&*store, 1).await;
    let page = chain(&*store, &workspace, 1).await.remove(0);
    let end = make::NOW.plus(days(1));
    let grant = make::access_grant(1, &page, Grantee::User(user.id), Level::View);
    write!(store, unit => unit.grants().put(&Grant { expires_at: Some(end), ..grant.clone() }).await);
    let whom = MemberGrantees { user: user.id, teams: Vec::new() };
    for (now, count) in [(make::NOW, 1), (end, 0)] {
        assert_eq!(read!(store, view => view.grants().list(workspace.id, &[page.id], now).await).len(), count);
        let levels = read!(store, view => view.grants().list_levels_for(workspace.id, None, &whom, now).await);
        assert_eq!(levels.len(), count);
        let levels = read!(store, view => {
            view.grants().list_levels_by_grantee(workspace.id, &[Grantee::User(user.id)], now, 10).await
        });
        assert_eq!(levels.len(), count);
    }
}

pub(crate) async fn only_grants_that_concern_a_member_are_found(database: &Database) {
    let store = database.store().await;
    let (user, workspace) = owner(&*store, 1).await;
    let pages = chain(&*store, &workspace, 2).await;
    let (own, other) = (make::team(1, &workspace).id, make::team(2, &workspace).id);
    let all = [
        (Grantee::User(user.id), Level::Comment),
        (Grantee::User(make::user_id(9)), Level::Edit),
        (Grantee::Team(own), Level::Edit),
        (Grantee::Team(other), Level::FullAccess),
        (Grantee::Workspace(workspace.id), Level::None),
        (Grantee::Email(make::email("guest@example.com")), Level::View),
    ];
    for (number, (grantee, level)) in (1..).zip(all) {
        let grant = make::access_grant(number, &pages[1], grantee, level);
        write!(store, unit => unit.grants().put(&grant).await);
    }
    let whom = MemberGrantees { user: user.id, teams: vec![own] };
    let found = read!(store, view => view.grants().list_levels_for(workspace.id, None, &whom, make::NOW).await);
    let mut levels: Vec<_> = found.into_iter().map(|found| (found.level, found.page)).collect();
    levels.sort_unstable();
    assert_eq!(levels, [Level::None, Level::Comment, Level::Edit].map(|level| (level, pages[1].id)));
    let on = |pages: Vec<_>| {
        let (store, whom, workspace) = (&store, &whom, workspace.id);
        async move {
            read!(store, view => view.grants().list_levels_for(workspace, Some(&pages), whom, make::NOW).await).len()
        }
    };
    assert_eq!((on(vec![pages[0].id]).await, on(vec![pages[1].id]).await), (0, 3));
    let grantees = [Grantee::User(user.id), Grantee::Team(own)];
    for (limit, count) in [(10, 2), (1, 1)] {
        let levels =
            read!(store, view => view.grants().list_levels_by_grantee(workspace.id, &grantees, make::NOW, limit).await);
        assert_eq!(levels.len(), count);
    }
}

pub(crate) async fn a_grant_to_an_address_becomes_the_members(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let pages = chain(&*store, &workspace, 2).await;
    let guest = person(&*store, 2).await;
    for (number, page) in (1..).zip(&pages) {
        let grant = make::access_grant(number, page, Grantee::Email(guest.email.clone()), Level::View);
        write!(store, unit => unit.grants().put(&grant).await);
    }
    write!(store, unit => unit.grants().transfer(workspace.id, &guest.email, guest.id, make::NOW).await);
    let found = read!(store, view => view.grants().list(workspace.id, &[pages[0].id, pages[1].id], make::NOW).await);
    assert_eq!(found.iter().map(|grant| grant.grantee.clone()).collect::<Vec<_>>(), vec![Grantee::User(guest.id); 2]);
    let third = person(&*store, 3).await;
    for (number, page, level) in [(4, &pages[0], Level::None), (5, &pages[1], Level::View)] {
        let grant = make::access_grant(number, page, Grantee::Email(third.email.clone()), level);
        write!(store, unit => unit.grants().put(&grant).await);
    }
    write!(store, unit => unit.grants().transfer_access(workspace.id, &third.email, third.id, make::NOW).await);
    let left = read!(store, view => view.grants().list(workspace.id, &[pages[0].id, pages[1].id], make::NOW).await);
    let left: Vec<_> = left.into_iter().map(|grant| (grant.page, grant.grantee)).collect();
    assert!(left.contains(&(pages[0].id, Grantee::Email(third.email.clone()))), "an exclusion stays with the address");
    assert!(left.contains(&(pages[1].id, Grantee::User(third.id))));
    assert_eq!(left.len(), 4);
    write!(store, unit => unit.grants().remove_access_of_email(workspace.id, &third.email).await);
    write!(store, unit => unit.grants().remove(workspace.id, pages[1].id, &Grantee::User(third.id)).await);
    let other = make::email("other@example.com");
    let grant = make::access_grant(3, &pages[0], Grantee::Email(other.clone()), Level::View);
    write!(store, unit => unit.grants().put(&grant).await);
    write!(store, unit => unit.grants().remove_access_of_email(workspace.id, &other).await);
    assert_eq!(database.number("SELECT count(*) FROM access_grants").await, 3);
}

pub(crate) async fn what_some_people_granted_an_address_stays(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let pages = chain(&*store, &workspace, 5).await;
    let (email, other) = (make::email("guest@example.com"), make::email("other@example.com"));
    let (first, second) = (make::user_id(1), make::user_id(2));
    let grants = [
        (0, &email, Level::View, Some(first)),
        (1, &email, Level::Edit, Some(second)),
        (2, &email, Level::None, Some(second)),
        (3, &email, Level::View, None),
        (4, &other, Level::View, Some(second)),
    ];
    for (number, (page, email, level, given_by)) in (1..).zip(grants) {
        let grant = make::access_grant(number, &pages[page], Grantee::Email(email.clone()), level);
        // Who gave an earlier level does not matter.
        let raised = Grant { created_by: Some(make::user_id(9)), given_by: Some(make::user_id(9)), ..grant };
        write!(store, unit => unit.grants().put(&raised).await);
        let grant = Grant { given_by, ..raised };
        write!(store, unit => unit.grants().put(&grant).await);
    }
    let mut givers = write!(store, unit => unit.grants().list_givers_of_access(workspace.id, &email).await);
    givers.sort_unstable();
    assert_eq!(givers, [first, second]);
    let ids: Vec<_> = pages.iter().map(|page| page.id).collect();
    let left_by = async |givers: &[UserId]| {
        write!(store, unit => unit.grants().remove_access_not_given_by(workspace.id, &email, givers).await);
        let left = read!(store, view => view.grants().list(workspace.id, &ids, make::NOW).await);
        left.into_iter().map(|grant| grant.page).collect::<BTreeSet<_>>()
    };
    let versions = async || database.number("SELECT CAST(sum(grants_version) AS BIGINT) FROM pages").await;
    let before = versions().await;
    assert_eq!(left_by(&[first]).await, BTreeSet::from([ids[0], ids[2], ids[4]]));
    assert_eq!(versions().await, before + 2, "of the pages that lost a grant");
    assert_eq!(left_by(&[]).await, BTreeSet::from([ids[2], ids[4]]));
    assert_eq!(versions().await, before + 3);
}

pub(crate) async fn exclusions_of_an_address_are_found_and_apply_to_a_new_member_too(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let pages = chain(&*store, &workspace, 3).await;
    let member = person(&*store, 3).await;
    let address = Grantee::Email(member.email.clone());
    let excluded = make::access_grant(1, &pages[0], address.clone(), Level::None);
    let over = make::access_grant(2, &pages[1], address.clone(), Level::None);
    for grant in [
        excluded.clone(),
        Grant { expires_at: Some(make::NOW), ..over },
        make::access_grant(3, &pages[2], address, Level::View),
    ] {
        write!(store, unit => unit.grants().put(&grant).await);
    }
    let found = async |workspace| {
        let email = &member.email;
        read!(store, view => view.grants().list_exclusions_of(workspace, email, make::NOW).await)
    };
    assert_eq!(found(workspace.id).await, std::slice::from_ref(&excluded));
    assert_eq!(found(elsewhere.id).await, []);
    let versions = async || database.number("SELECT CAST(sum(grants_version) AS BIGINT) FROM pages").await;
    let before = versions().await;
    let copy = make::access_grant(4, &pages[0], Grantee::User(member.id), Level::None);
    let copies = std::slice::from_ref(&copy);
    write!(store, unit => {
        unit.grants().copy_exclusions(workspace.id, &member.email, member.id, copies, make::NOW).await
    });
    assert_eq!(versions().await, before + 1, "of the page with the new grant");
    let on_page = read!(store, view => view.grants().list(workspace.id, &[pages[0].id], make::NOW).await);
    assert_eq!(on_page.len(), 2);
    assert!(on_page.contains(&excluded) && on_page.contains(&copy));
}

pub(crate) async fn changes_of_all_grants_of_somebody_are_counted_on_each_page(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let pages = chain(&*store, &workspace, 3).await;
    let (guest, member) = (person(&*store, 2).await, person(&*store, 3).await);
    join(&*store, 3, &workspace, &member, Role::Member).await;
    let grants = [
        (0, Grantee::Email(guest.email.clone())),
        (1, Grantee::Email(guest.email.clone())),
        (1, Grantee::User(member.id)),
    ];
    for (number, (page, grantee)) in (1..).zip(grants) {
        let grant = make::access_grant(number, &pages[page], grantee, Level::View);
        write!(store, unit => unit.grants().put(&grant).await);
    }
    let versions = async || {
        let mut versions = Vec::new();
        for page in &pages {
            let found = read!(store, view => view.pages().find(workspace.id, page.id).await);
            versions.push(found.unwrap().grants_version - page.grants_version);
        }
        versions
    };
    write!(store, unit => unit.grants().transfer(workspace.id, &guest.email, guest.id, make::NOW).await);
    assert_eq!(versions().await, [1, 1, 0]);
    write!(store, unit => unit.grants().remove_access_of_email(workspace.id, &guest.email).await);
    assert_eq!(versions().await, [1, 1, 0], "there are none any more");
    write!(store, unit => unit.members().remove(workspace.id, member.id).await);
    assert_eq!(versions().await, [1, 2, 0]);
}

pub(crate) async fn a_copied_exclusion_replaces_one_that_ends_sooner(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let pages = chain(&*store, &workspace, 3).await;
    let guest = person(&*store, 2).await;
    let soon = Some(make::NOW.plus(days(1)));
    let (user, address) = (Grantee::User(guest.id), Grantee::Email(guest.email.clone()));
    let excludes = |number, page: usize, grantee: &Grantee, expires_at| {
        let grant = make::access_grant(number, &pages[page], grantee.clone(), Level::None);
        Grant { expires_at, ..grant }
    };
    let (lasting, temporary) = (excludes(1, 0, &user, None), excludes(2, 1, &user, soon));
    let of_address = [excludes(3, 0, &address, soon), excludes(4, 1, &address, None), excludes(5, 2, &address, None)];
    for grant in [&lasting, &temporary].into_iter().chain(&of_address) {
        write!(store, unit => unit.grants().put(grant).await);
    }
    let copies = [excludes(6, 0, &user, soon), excludes(7, 1, &user, None), excludes(8, 2, &user, None)];
    write!(store, unit => {
        unit.grants().copy_exclusions(workspace.id, &guest.email, guest.id, &copies, make::NOW).await
    });
    let [_, second, third] = copies;
    for (page, expected) in pages.iter().zip([lasting, second, third]) {
        let mut found = read!(store, view => view.grants().list(workspace.id, &[page.id], make::NOW).await);
        found.retain(|grant| grant.grantee == user);
        assert_eq!(found, [expected]);
    }
    assert_eq!(database.number("SELECT count(*) FROM access_grants").await, 6, "those of the address stay");
}

pub(crate) async fn of_two_grants_that_meet_on_a_page_one_remains(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let guest = person(&*store, 2).await;
    let (now, later) = (make::NOW, make::NOW.plus(days(1)));
    let (over, day, week) = (Some(now), Some(later), Some(now.plus(days(7))));
    // That of the user, that of the address, and whether the latter remains.
    let cases = [
        ((Level::None, None, now), (Level::None, day, later), false),
        ((Level::None, week, later), (Level::None, day, now), false),
        ((Level::None, day, now), (Level::None, week, now), true),
        ((Level::None, day, later), (Level::None, None, now), true),
        ((Level::None, None, now), (Level::Edit, None, later), true),
        ((Level::None, None, now), (Level::Edit, week, later), true),
        ((Level::None, None, now), (Level::Edit, over, later), false),
        ((Level::None, None, now), (Level::Edit, None, now), false),
        ((Level::None, None, later), (Level::Edit, None, now), false),
        ((Level::None, over, later), (Level::Edit, None, now), true),
        ((Level::Edit, None, now), (Level::None, None, later), true),
        ((Level::Edit, None, now), (Level::None, over, later), false),
        ((Level::Edit, None, later), (Level::None, None, now), false),
    ];
    let pages = chain(&*store, &workspace, 13).await;
    let grant = |page, grantee, (level, expires_at, updated_at)| {
        let grant = make::access_grant(1, page, grantee, level);
        Grant { expires_at, updated_at, ..grant }
    };
    let (user, address) = (Grantee::User(guest.id), Grantee::Email(guest.email.clone()));
    for (page, (of_user, of_address, _)) in pages.iter().zip(cases) {
        for grant in [grant(page, user.clone(), of_user), grant(page, address.clone(), of_address)] {
            write!(store, unit => unit.grants().put(&grant).await);
        }
    }
    write!(store, unit => unit.grants().transfer(workspace.id, &guest.email, guest.id, now).await);
    let always = Timestamp::from_millis(i64::MIN);
    for (page, (of_user, of_address, is_replaced)) in pages.iter().zip(cases) {
        let left = read!(store, view => view.grants().list(workspace.id, &[page.id], always).await);
        let expected = grant(page, user.clone(), if is_replaced { of_address } else { of_user });
        assert_eq!(left, [expected], "{of_user:?} {of_address:?}");
    }
}

pub(crate) async fn exclusions_outlive_a_membership_and_an_invitation(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let pages = chain(&*store, &workspace, 3).await;
    let member = person(&*store, 2).await;
    join(&*store, 2, &workspace, &member, Role::Member).await;
    let (user, address) = (Grantee::User(member.id), Grantee::Email(member.email.clone()));
    let grants = [
        (0, user.clone(), Level::None),
        (1, user.clone(), Level::Edit),
        (1, address.clone(), Level::View),
        (2, address.clone(), Level::None),
    ];
    for (number, (page, grantee, level)) in (1..).zip(grants) {
        let grant = make::access_grant(number, &pages[page], grantee, level);
        write!(store, unit => unit.grants().put(&grant).await);
    }
    let versions = async || database.number("SELECT CAST(sum(grants_version) AS BIGINT) FROM pages").await;
    let before = versions().await;
    write!(store, unit => unit.members().remove(workspace.id, member.id).await);
    assert_eq!(versions().await, before + 1, "of the page that the member could edit");
    write!(store, unit => unit.grants().remove_access_of_email(workspace.id, &member.email).await);
    assert_eq!(versions().await, before + 2, "of the page that the address could see");
    let ids: Vec<_> = pages.iter().map(|page| page.id).collect();
    let left = read!(store, view => view.grants().list(workspace.id, &ids, make::NOW).await);
    assert!(left.iter().all(|grant| grant.level == Level::None));
    let left: BTreeSet<_> = left.into_iter().map(|grant| (grant.page, grant.grantee)).collect();
    assert_eq!(left, BTreeSet::from([(ids[0], user), (ids[2], address)]));
}

pub(crate) async fn exclusions_of_an_address_pass_to_its_owner_in_every_workspace(database: &Database) {
    let store = database.store().await;
    let (bob, eve) = (person(&*store, 3).await, person(&*store, 4).await);
    let mut workspaces = Vec::new();
    for number in 1..=2 {
        let (_, workspace) = owner(&*store, number).await;
        let pages = chain(&*store, &workspace, 2).await;
        let grants = [(0, &bob, Level::None), (0, &eve, Level::None), (1, &bob, Level::View)];
        for (number, (page, user, level)) in (1..).zip(grants) {
            let grant = make::access_grant(number, &pages[page], Grantee::Email(user.email.clone()), level);
            write!(store, unit => unit.grants().put(&grant).await);
        }
        workspaces.push(pages);
    }
    let by_name = make::access_grant(4, &workspaces[0][0], Grantee::User(bob.id), Level::None);
    write!(store, unit => unit.grants().put(&by_name).await);
    let versions = async || database.number("SELECT CAST(sum(grants_version) AS BIGINT) FROM pages").await;
    let before = versions().await;
    write!(store, unit => unit.grants().transfer_exclusions(&bob.email, bob.id, make::NOW).await);
    assert_eq!(versions().await, before + 2, "of the pages that exclude the address");
    for pages in &workspaces {
        let grantees = async |page: &Page| {
            let left = read!(store, view => view.grants().list(page.workspace, &[page.id], make::NOW).await);
            left.into_iter().map(|grant| grant.grantee).collect::<BTreeSet<_>>()
        };
        let expected = [Grantee::User(bob.id), Grantee::Email(eve.email.clone())];
        assert_eq!(grantees(&pages[0]).await, BTreeSet::from(expected));
        assert_eq!(grantees(&pages[1]).await, BTreeSet::from([Grantee::Email(bob.email.clone())]), "gives access");
    }
}

pub(crate) async fn grants_are_removed_with_their_grantee(database: &Database) {
    let store = database.store().await;
    let (owner, workspace) = owner(&*store, 1).await;
    let page = chain(&*store, &workspace, 1).await.remove(0);
    let team = make::team(1, &workspace);
    assert!(write!(store, unit => unit.teams().insert(&team).await));
    let mut people = Vec::new();
    for number in 2..=4 {
        let user = person(&*store, number).await;
        join(&*store, number, &workspace, &user, Role::Member).await;
        let grant = make::access_grant(number, &page, Grantee::User(user.id), Level::View);
        write!(store, unit => unit.grants().put(&grant).await);
        people.push(user);
    }
    for (number, grantee) in [(8, Grantee::Team(team.id)), (9, Grantee::User(owner.id))] {
        let grant = make::access_grant(number, &page, grantee, Level::View);
        write!(store, unit => unit.grants().put(&grant).await);
    }
    let count = async || database.number("SELECT count(*) FROM access_grants").await;
    write!(store, unit => unit.members().remove(workspace.id, people[0].id).await);
    assert_eq!(count().await, 4);
    write!(store, unit => unit.accounts().erase(&people[1]).await);
    assert_eq!(count().await, 3);
    write!(store, unit => unit.accounts().remove(&people[2]).await);
    assert_eq!(count().await, 2);
    write!(store, unit => unit.grants().remove_all_to_team(workspace.id, team.id).await);
    assert_eq!(count().await, 1);
}

pub(crate) async fn pages_that_exclude_somebody_are_found(database: &Database) {
    let store = database.store().await;
    let (user, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let pages = chain(&*store, &workspace, 5).await;
    let (soon, address) = (make::NOW.plus(days(1)), Grantee::Email(make::email("guest@example.com")));
    let grants = [
        make::access_grant(1, &pages[0], Grantee::User(user.id), Level::None),
        make::access_grant(2, &pages[0], address.clone(), Level::None),
        make::access_grant(3, &pages[1], address, Level::None),
        make::access_grant(4, &pages[2], Grantee::User(user.id), Level::View),
        Grant { expires_at: Some(make::NOW), ..make::access_grant(5, &pages[3], Grantee::User(user.id), Level::None) },
        Grant { expires_at: Some(soon), ..make::access_grant(6, &pages[4], Grantee::User(user.id), Level::None) },
    ];
    for grant in &grants {
        write!(store, unit => unit.grants().put(grant).await);
    }
    let ids: Vec<_> = pages.iter().map(|page| page.id).collect();
    let found = async |workspace, pages: &[_], now| {
        let found = read!(store, view => view.grants().list_excluding_pages(workspace, pages, now).await);
        found.into_iter().collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    };
    assert_eq!(found(workspace.id, &ids, make::NOW).await, [ids[0], ids[1], ids[4]]);
    assert_eq!(found(workspace.id, &ids[1..], soon).await, [ids[1]], "until they run out");
    assert_eq!(found(elsewhere.id, &ids, make::NOW).await, []);
}
