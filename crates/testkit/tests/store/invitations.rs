//! Invitations, their tokens, and the rows of the invited address.

use crate::{
    pages::chain,
    support::{owner, person, read, write},
};
use octavo_core_model::{
    Level, Role, Timestamp,
    grant::Grantee,
    id::InvitationId,
    invitation::{Invitation, InvitationState, InvitationStatus, Inviter, TokenDelivery},
    text::Email,
    time::days,
};
use octavo_ports::store::Store;
use octavo_testkit::{
    Database,
    make::{self, NOW},
};

/// Inserts an invitation with a mailed token of the same number and a shared one.
async fn invited(store: &dyn Store, invitation: &Invitation, number: u64) {
    write!(store, unit => unit.invitations().insert(invitation).await);
    write!(store, unit => unit.invitations().insert_token(invitation, TokenDelivery::Mailed, &make::hash(number)).await);
    write!(store, unit => unit.invitations().insert_token(invitation, TokenDelivery::Shared, &make::hash(number + 1000)).await);
}

fn ids(invitations: &[Invitation]) -> Vec<InvitationId> {
    invitations.iter().map(|invitation| invitation.id).collect()
}

pub(crate) async fn an_invitation_reads_back_in_its_workspace_only(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let (bob, elsewhere) = owner(&*store, 2).await;
    let invitation = make::invitation(1, &workspace, &ada, "grace@example.com");
    invited(&*store, &invitation, 1).await;
    assert_eq!(
        read!(store, view => view.invitations().find(workspace.id, invitation.id).await),
        Some(invitation.clone())
    );
    assert_eq!(read!(store, view => view.invitations().find(elsewhere.id, invitation.id).await), None);
    let (mailed, unknown) = (make::hash(1), make::hash(9));
    assert_eq!(read!(store, view => view.invitations().find_inviting_workspace(&mailed).await), Some(workspace.id));
    assert_eq!(read!(store, view => view.invitations().find_inviting_workspace(&unknown).await), None);
    let delivery = async |workspace, hash| {
        let found = read!(store, view => view.invitations().find_by_token(workspace, &hash).await);
        found.map(|(found, delivery)| (found.id, delivery))
    };
    assert_eq!(delivery(workspace.id, mailed).await, Some((invitation.id, TokenDelivery::Mailed)));
    assert_eq!(delivery(workspace.id, make::hash(1001)).await, Some((invitation.id, TokenDelivery::Shared)));
    assert_eq!(delivery(elsewhere.id, mailed).await, None);
    write!(store, unit => unit.invitations().replace_tokens(&invitation).await);
    assert_eq!(delivery(workspace.id, mailed).await, Some((invitation.id, TokenDelivery::Replaced)));
    let by_another = Invitation { invited_by: bob.id, invited_by_key: Some(make::api_key_id(1)), ..invitation.clone() };
    write!(store, unit => unit.invitations().save(&by_another).await);
    assert_eq!(read!(store, view => view.invitations().find(workspace.id, invitation.id).await), Some(by_another));
}

pub(crate) async fn expired_invitations_behind_grants_are_found(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let page = chain(&*store, &workspace, 1).await.remove(0);
    let end = NOW.plus(days(7));
    // One that expired with grants, one for an address that was invited again, one without grants, and a revoked one.
    let cases = [
        (1, "one@example.com", end, InvitationState::Pending),
        (2, "two@example.com", end, InvitationState::Pending),
        (3, "two@example.com", end.plus(days(1)), InvitationState::Pending),
        (4, "three@example.com", end, InvitationState::Pending),
        (5, "four@example.com", end, InvitationState::Revoked),
    ];
    for (number, address, expires_at, state) in cases {
        let invitation = make::invitation(number, &workspace, &ada, address);
        invited(&*store, &Invitation { expires_at, state, ..invitation }, number).await;
        if address != "three@example.com" {
            let grant = make::access_grant(number, &page, Grantee::Email(make::email(address)), Level::View);
            write!(store, unit => unit.grants().put(&grant).await);
        }
    }
    let lapsed = async |now| write!(store, unit => unit.invitations().list_lapsed(now, 10).await);
    let id = |number| (workspace.id, make::invitation(number, &workspace, &ada, "a@example.com").id);
    assert_eq!(lapsed(end.minus(days(1))).await, []);
    assert_eq!(lapsed(end).await, [id(1)]);
    assert_eq!(lapsed(end.plus(days(1))).await, [id(1), id(2), id(3)]);
    write!(store, unit => unit.grants().remove_access_of_email(workspace.id, &make::email("two@example.com")).await);
    assert_eq!(lapsed(end.plus(days(1))).await, [id(1)]);
}

pub(crate) async fn invitations_are_listed_by_status_newest_first(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let mut sent = Vec::new();
    for number in 1..=6 {
        let mut invitation = make::invitation(number, &workspace, &ada, &format!("person{number}@example.org"));
        invitation.state = match number {
            3 => InvitationState::Revoked,
            4 => InvitationState::Declined,
            _ => InvitationState::Pending,
        };
        invitation.expires_at = NOW.plus(days(if number == 5 { 1 } else { 7 }));
        invited(&*store, &invitation, number).await;
        sent.push(invitation);
    }
    let list = async |status, now: Timestamp, before, limit| {
        ids(&read!(store, view => view.invitations().list(workspace.id, status, now, before, limit).await))
    };
    let pending = InvitationStatus::Pending;
    assert_eq!(list(pending, NOW, None, 9).await, [sent[5].id, sent[4].id, sent[1].id, sent[0].id]);
    assert_eq!(list(pending, NOW.plus(days(1)), None, 9).await, [sent[5].id, sent[1].id, sent[0].id]);
    assert_eq!(list(InvitationStatus::Expired, NOW.plus(days(1)), None, 9).await, [sent[4].id]);
    assert_eq!(list(InvitationStatus::Expired, NOW, None, 9).await, []);
    assert_eq!(list(pending, NOW, Some(sent[5].id), 2).await, [sent[4].id, sent[1].id]);
    assert_eq!(list(InvitationStatus::Revoked, NOW, None, 9).await, [sent[2].id]);
    assert_eq!(list(InvitationStatus::Declined, NOW, None, 9).await, [sent[3].id]);
    assert_eq!(list(InvitationStatus::Accepted, NOW, None, 9).await, []);
}

pub(crate) async fn open_invitations_are_found_by_address(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let mut first = make::invitation(1, &workspace, &ada, "grace@example.com");
    let second = Invitation { role: Role::Guest, ..make::invitation(2, &workspace, &ada, "grace@example.com") };
    invited(&*store, &first, 1).await;
    invited(&*store, &second, 2).await;
    let open = async |workspace, email: &str, now| {
        let email = make::email(email);
        write!(store, unit => unit.invitations().list_open(workspace, &email, now).await)
    };
    assert_eq!(open(workspace.id, "grace@example.com", NOW).await, [first.clone(), second.clone()]);
    assert_eq!(open(workspace.id, "alan@example.com", NOW).await, []);
    assert_eq!(open(elsewhere.id, "grace@example.com", NOW).await, []);
    assert_eq!(open(workspace.id, "grace@example.com", first.expires_at).await, []);
    first.state = InvitationState::Accepted;
    write!(store, unit => unit.invitations().save(&first).await);
    assert_eq!(open(workspace.id, "grace@example.com", NOW).await, [second]);
}

pub(crate) async fn an_address_finds_its_invitations_in_all_workspaces(database: &Database) {
    let store = database.store().await;
    let (ada, first) = owner(&*store, 1).await;
    let (bob, second) = owner(&*store, 2).await;
    let address = "grace@example.com";
    let mut sent = [
        make::invitation(1, &first, &ada, address),
        make::invitation(2, &second, &bob, address),
        make::invitation(3, &first, &ada, address),
        make::invitation(4, &first, &ada, "alan@example.com"),
    ];
    sent[2].role = Role::Guest;
    for (invitation, number) in sent.iter().zip(1..) {
        invited(&*store, invitation, number).await;
    }
    let list = async |before, limit, now| {
        let email = make::email(address);
        ids(&read!(store, view => view.invitations().list_to(&email, now, before, limit).await))
    };
    assert_eq!(list(None, 9, NOW).await, [sent[2].id, sent[1].id, sent[0].id]);
    assert_eq!(list(Some(sent[2].id), 1, NOW).await, [sent[1].id]);
    assert_eq!(list(None, 9, sent[0].expires_at).await, []);
    sent[1].state = InvitationState::Declined;
    write!(store, unit => unit.invitations().save(&sent[1]).await);
    assert_eq!(list(None, 9, NOW).await, [sent[2].id, sent[0].id]);
    let place = async |email: &str, id| {
        let email = make::email(email);
        read!(store, view => view.invitations().find_invited_workspace(&email, id).await)
    };
    assert_eq!(place(address, sent[1].id).await, Some(second.id), "also one that was answered");
    assert_eq!(place("alan@example.com", sent[1].id).await, None);
}

pub(crate) async fn inviters_are_shown_without_the_address_they_no_longer_have(database: &Database) {
    let store = database.store().await;
    let (ada, bob) = (person(&*store, 1).await, person(&*store, 2).await);
    write!(store, unit => unit.accounts().erase(&bob).await);
    let mut found = read!(store, view => view.invitations().list_inviters(&[ada.id, bob.id, make::user_id(9)]).await);
    found.sort_by_key(|inviter| inviter.id);
    let former = make::name("Former member");
    let expected = [
        Inviter { id: ada.id, name: ada.name, email: Some(ada.email) },
        Inviter { id: bob.id, name: former, email: None },
    ];
    assert_eq!(found, expected);
    assert_eq!(read!(store, view => view.invitations().list_inviters(&[]).await), []);
}

/// The numbers of invitations, tokens, rows of invited addresses and directory entries.
async fn rows(database: &Database) -> [i64; 4] {
    let mut counts = [0; 4];
    for (count, sql) in counts.iter_mut().zip([
        "SELECT count(*) FROM invitations",
        "SELECT count(*) FROM invitation_tokens",
        "SELECT count(*) FROM invitations_by_email",
        "SELECT count(*) FROM directory WHERE kind = 'invitation'",
    ]) {
        *count = database.number(sql).await;
    }
    counts
}

pub(crate) async fn invitations_go_with_their_workspace_and_with_their_address(database: &Database) {
    let store = database.store().await;
    let (ada, gone) = owner(&*store, 1).await;
    let (bob, stays) = owner(&*store, 2).await;
    let grace = person(&*store, 3).await;
    let to = |email: &Email| email.as_str().to_owned();
    for (number, workspace, inviter, email) in [
        (1, &gone, &ada, "alan@example.com".to_owned()),
        (2, &stays, &bob, "alan@example.com".to_owned()),
        (3, &gone, &ada, to(&grace.email)),
        (4, &stays, &bob, to(&grace.email)),
    ] {
        invited(&*store, &make::invitation(number, workspace, inviter, &email), number).await;
    }
    assert_eq!(rows(database).await, [4, 8, 4, 8]);
    write!(store, unit => unit.workspaces().remove(gone.id).await);
    assert_eq!(rows(database).await, [2, 4, 2, 4]);
    let pages = chain(&*store, &stays, 2).await;
    for (number, (page, email, level)) in (1..).zip([
        (0, to(&grace.email), Level::View),
        (0, "alan@example.com".to_owned(), Level::View),
        (1, to(&grace.email), Level::None),
    ]) {
        let grant = make::access_grant(number, &pages[page], Grantee::Email(make::email(&email)), level);
        write!(store, unit => unit.grants().put(&grant).await);
    }
    write!(store, unit => unit.accounts().erase(&grace).await);
    assert_eq!(rows(database).await, [1, 2, 1, 2]);
    let grants = async |number: usize| {
        let page = pages[number].id;
        read!(store, view => view.grants().list(stays.id, &[page], NOW).await).len()
    };
    assert_eq!((grants(0).await, grants(1).await), (1, 1), "what grace could see goes with the invitation");
    let left = make::email("alan@example.com");
    assert_eq!(read!(store, view => view.invitations().list_to(&left, NOW, None, 9).await).len(), 1);
}

pub(crate) async fn an_erased_address_loses_its_invitations_in_every_workspace(database: &Database) {
    let store = database.store().await;
    let (ada, first) = owner(&*store, 1).await;
    let (bob, second) = owner(&*store, 2).await;
    let grace = person(&*store, 3).await;
    let own = grace.email.as_str().to_owned();
    let alan = "alan@example.com".to_owned();
    // Two of them in one workspace, and in an order that mixes the workspaces.
    for (number, workspace, inviter, email) in [
        (1, &second, &bob, &own),
        (2, &first, &ada, &own),
        (3, &second, &bob, &own),
        (4, &first, &ada, &alan),
        (5, &second, &bob, &alan),
    ] {
        invited(&*store, &make::invitation(number, workspace, inviter, email), number).await;
    }
    let mut pages = Vec::new();
    for (number, workspace) in (1..).zip([&first, &second]) {
        let page = chain(&*store, workspace, 1).await.remove(0);
        for (offset, address) in [(0, &own), (10, &alan)] {
            let grantee = Grantee::Email(make::email(address));
            let grant = make::access_grant(number + offset, &page, grantee, Level::View);
            write!(store, unit => unit.grants().put(&grant).await);
        }
        pages.push(page);
    }
    write!(store, unit => unit.accounts().erase(&grace).await);
    assert_eq!(rows(database).await, [2, 4, 2, 4]);
    for page in &pages {
        let left = read!(store, view => view.grants().list(page.workspace, &[page.id], NOW).await);
        let left: Vec<_> = left.into_iter().map(|grant| grant.grantee).collect();
        assert_eq!(left, [Grantee::Email(make::email(&alan))]);
    }
}

pub(crate) async fn hiding_affects_the_invitations_of_one_workspace_only(database: &Database) {
    let store = database.store().await;
    let (ada, closing) = owner(&*store, 1).await;
    let (bob, open) = owner(&*store, 2).await;
    let address = make::email("grace@example.com");
    let sent = [
        make::invitation(1, &closing, &ada, "grace@example.com"),
        make::invitation(2, &open, &bob, "grace@example.com"),
        make::invitation(3, &closing, &ada, "alan@example.com"),
    ];
    for (number, invitation) in (1..).zip(&sent) {
        invited(&*store, invitation, number).await;
    }
    write!(store, unit => unit.invitations().hide(closing.id).await);
    let waiting = async |email: &Email| {
        read!(store, view => view.invitations().list_to(email, NOW, None, 9).await)
            .iter()
            .map(|one| one.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(waiting(&address).await, [sent[1].id]);
    assert_eq!(waiting(&make::email("alan@example.com")).await, []);
    let kept = read!(store, view => view.invitations().find(closing.id, sent[0].id).await);
    assert_eq!(kept.as_ref(), Some(&sent[0]), "the workspace itself keeps it as it was");
    write!(store, unit => unit.invitations().hide(make::workspace_id(9)).await);
    assert_eq!(waiting(&address).await, [sent[1].id]);
}

pub(crate) async fn the_workspaces_of_invitations_are_named(database: &Database) {
    let store = database.store().await;
    let ((_, first), (_, second)) = (owner(&*store, 1).await, owner(&*store, 2).await);
    let ids = [second.id, first.id, make::workspace_id(9)];
    let mut found = read!(store, view => view.invitations().list_inviting_workspaces(&ids).await);
    found.sort_by_key(|workspace| workspace.id);
    assert_eq!(found, [first, second], "what is not there is left out");
    assert_eq!(read!(store, view => view.invitations().list_inviting_workspaces(&[]).await), []);
}
