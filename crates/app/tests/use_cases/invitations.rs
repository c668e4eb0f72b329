//! Invitations: how time and leaving a workspace affect them and the resulting sessions.

use crate::world::{Calling, Device, Person, World, conflict, denied, fault_of, slot};
use octavo_app::{
    accounts::deletion,
    invitations::{
        self, NewInvitation, Sent,
        accept::{self, Acceptance, Accepted, Acceptor},
        decline::{self, Declined},
        manage, preview,
    },
    members,
    sessions::logout,
    workspaces,
};
use octavo_core_model::{
    Fault, Role, Secret,
    event::Chain,
    fault::{Conflict, Denial, Unknown},
    id::{UserId, WorkspaceId},
    invitation::{InvitationState, InvitationStatus},
    mail::Topic,
    session::{Proof, SessionKind, SessionStatus},
    text::Email,
    time::days,
};
use std::time::Duration;

impl World {
    async fn invite(&self, by: &Device, workspace: WorkspaceId, email: &Email) -> Result<Sent, Fault> {
        let draft = NewInvitation { email: email.clone(), role: Role::Admin, expires_in_days: 7 };
        self.write(self.by(by).at(workspace), move |unit| Box::pin(invitations::create(unit, Ok(draft)))).await
    }

    async fn accept_by_link(&self, token: &Secret<String>, email: &Email) -> Result<Accepted, Fault> {
        let (keep, kept) = slot();
        let draft = Acceptance { token: token.clone(), by: Acceptor::Address(email.clone()) };
        fault_of(accept::accept(&self.engine, self.nobody(), Ok(draft), keep).await)?;
        Ok(kept.lock().unwrap().take().expect("no replay"))
    }

    async fn accept_signed_in(&self, device: &Device, token: &Secret<String>) -> Result<Accepted, Fault> {
        let (keep, kept) = slot();
        let draft = Acceptance { token: token.clone(), by: Acceptor::Caller };
        fault_of(accept::accept(&self.engine, self.by(device), Ok(draft), keep).await)?;
        Ok(kept.lock().unwrap().take().expect("no replay"))
    }

    async fn give_role(&self, by: &Device, workspace: WorkspaceId, member: UserId, role: Role) {
        let call = self.by(by).at(workspace);
        self.write(call, move |unit| Box::pin(members::update(unit, Ok(member), Ok(role)))).await.unwrap();
    }

    /// A verified user with a workspace, and a user who is invited to it.
    async fn inviting(&mut self) -> (Device, WorkspaceId, Person, Device, Secret<String>) {
        let (ada, host) = self.newcomer().await;
        let proof = self.token_to(&ada.email, "evt_").await.unwrap();
        self.verify(proof).await.unwrap();
        let workspace = self.creates_workspace(&ada).await;
        let (grace, device) = self.newcomer().await;
        let proof = self.token_to(&grace.email, "evt_").await.unwrap();
        self.verify(proof).await.unwrap();
        let sent = self.invite(&host, workspace, &grace.email).await.unwrap();
        let token = Secret::new(sent.link_token.reveal().to_owned());
        (host, workspace, grace, device, token)
    }
}

#[tokio::test]
async fn an_invitation_runs_out() {
    let mut world = World::new().await;
    let (host, workspace, grace, device, token) = world.inviting().await;
    world.pass_almost(days(7));
    let looked_at = token.clone();
    world.read(world.nobody(), move |view| Box::pin(preview::preview(view, Ok(looked_at)))).await.unwrap();
    world.pass(Duration::from_millis(1));
    assert_eq!(world.accept_by_link(&token, &grace.email).await.err(), Some(Fault::TokenExpired));
    assert_eq!(world.accept_signed_in(&device, &token).await.err(), Some(Fault::TokenExpired));
    let looked_at = token.clone();
    let preview = world.read(world.nobody(), move |view| Box::pin(preview::preview(view, Ok(looked_at)))).await;
    assert_eq!(preview.err(), Some(Fault::TokenExpired));
    let declined = Declined::Token(token.clone());
    let declined = world.write(world.nobody(), move |unit| Box::pin(decline::decline(unit, Ok(declined)))).await;
    assert_eq!(declined.err(), Some(Fault::TokenExpired));
    let page = |status| invitations::InvitationPage { status, before: None, limit: 9 };
    let expired = world
        .read(world.by(&host).at(workspace), move |view| {
            Box::pin(invitations::list(view, Ok(page(InvitationStatus::Expired))))
        })
        .await
        .unwrap();
    let id = expired[0].invitation.id;
    let resent = world.write(world.by(&host).at(workspace), move |unit| Box::pin(manage::resend(unit, Ok(id)))).await;
    assert_eq!(resent.err(), Some(Fault::TokenExpired));
    world.write(world.by(&host).at(workspace), move |unit| Box::pin(manage::revoke(unit, Ok(id)))).await.unwrap();
    world.invite(&host, workspace, &grace.email).await.expect("one that ran out is in nobody's way");
}

#[tokio::test]
async fn a_session_by_the_link_ends_after_a_day_however_often_it_is_refreshed() {
    let mut world = World::new().await;
    let (_, workspace, grace, _, token) = world.inviting().await;
    let accepted = world.accept_by_link(&token, &grace.email).await.unwrap();
    assert_eq!(accepted.signed_in.session.kind, SessionKind::Invitation);
    let mut device = Device::from(&accepted.signed_in);
    for _ in 0..3 {
        world.pass(Duration::from_hours(7));
        device = world.refresh(&device).await.unwrap();
        assert_eq!((device.claims.workspace, device.claims.proofs.as_slice()), (workspace, &[Proof::Invitation][..]));
    }
    world.pass(Duration::from_hours(3));
    let ended = world.refresh(&device).await.err();
    assert_eq!(ended, Some(Fault::Unauthenticated(Unknown::RefreshInvalid)));
}

#[tokio::test]
async fn a_session_by_the_link_never_reaches_the_personal_workspace() {
    let mut world = World::new().await;
    let (_, workspace, grace, _, token) = world.inviting().await;
    let accepted = world.accept_by_link(&token, &grace.email).await.unwrap();
    let device = Device::from(&accepted.signed_in);
    for table in ["memberships", "user_workspaces"] {
        let sql = format!("DELETE FROM {table} WHERE user_id = '{}' AND workspace_id = '{workspace}'", grace.id);
        world.database.execute(&sql).await;
    }
    let device = world.refresh(&device).await.unwrap();
    assert_eq!(device.claims.workspace, workspace, "the token keeps to the workspace its holder has left");
    let home = world.read(world.by(&device), |view| Box::pin(workspaces::get(view))).await;
    assert_eq!(home.err(), Some(denied(Denial::WorkspaceMismatch)));
    let named = world.by(&device).naming(grace.workspace);
    assert_eq!(
        world.read(named, |view| Box::pin(workspaces::get(view))).await.err(),
        Some(denied(Denial::WorkspaceMismatch))
    );
}

#[tokio::test]
async fn a_session_by_the_link_ends_no_other_and_is_no_sign_in() {
    let mut world = World::new().await;
    let (_, _, grace, device, token) = world.inviting().await;
    world.pass(Duration::from_hours(1));
    let before = world.user(grace.id).await.unwrap().last_login_at;
    let accepted = world.accept_by_link(&token, &grace.email).await.unwrap();
    assert_eq!(world.user(grace.id).await.unwrap().last_login_at, before);
    let thief = Device::from(&accepted.signed_in);
    let named = Some(device.session);
    world.write(world.by(&thief), move |unit| Box::pin(logout::logout(unit, Ok(named)))).await.unwrap();
    assert_eq!(world.sessions(&device, SessionStatus::Active).await.len(), 2);
    let letters = world.mail_to(&grace.email).await;
    assert!(letters.iter().any(|topic| matches!(topic, Topic::JoinedByLink { .. })), "{letters:?}");
    let records = world.audit_records(octavo_core_model::event::Chain::User(grace.id)).await;
    let named = records.iter().filter(|record| record.action == "user.login");
    let changes: Vec<_> =
        named.filter_map(|record| record.personal.as_ref()).map(|pii| pii["changes"].clone()).collect();
    assert_eq!(changes, [serde_json::json!([{ "field": "amr", "from": null, "to": ["inv"] }])]);
}

#[tokio::test]
async fn a_revoked_session_buys_no_new_one_with_an_invitation() {
    let mut world = World::new().await;
    let (_, _, grace, device, token) = world.inviting().await;
    let other = world.signed_in(&grace).await;
    world.revoke(&other, device.session).await.unwrap();
    let refused = world.accept_signed_in(&device, &token).await.err();
    assert_eq!(refused, Some(denied(Denial::SessionRevoked)));
    let accepted = world.accept_signed_in(&other, &token).await.unwrap();
    assert_eq!(accepted.signed_in.session.proofs, [Proof::Password]);
}

#[tokio::test]
async fn a_member_by_now_does_not_join_again() {
    let mut world = World::new().await;
    let (host, workspace, grace, device, token) = world.inviting().await;
    let second = NewInvitation { email: grace.email.clone(), role: Role::Guest, expires_in_days: 1 };
    let second = world
        .write(world.by(&host).at(workspace), move |unit| Box::pin(invitations::create(unit, Ok(second))))
        .await
        .unwrap();
    world.accept_signed_in(&device, &token).await.unwrap();
    let second = Secret::new(second.link_token.reveal().to_owned());
    let refused = world.accept_signed_in(&device, &second).await.err();
    assert_eq!(refused, Some(conflict(Conflict::Taken("userId"))));
    let refused = world.accept_signed_in(&device, &token).await.err();
    assert_eq!(refused, Some(conflict(Conflict::InvitationAnswered(InvitationState::Accepted))));
    let events = world.events(workspace).await;
    let types: Vec<_> = events.iter().map(|(kind, ..)| kind.as_str()).collect();
    assert_eq!(
        types,
        [
            "workspace.invitation_sent",
            "workspace.invitation_sent",
            "workspace.invitation_accepted",
            "workspace.member_added"
        ]
    );
}

#[tokio::test]
async fn an_invitation_counts_while_its_inviter_could_still_send_it() {
    let mut world = World::new().await;
    let (host, workspace, grace, device, token) = world.inviting().await;
    world.accept_signed_in(&device, &token).await.unwrap();
    let (other, _) = world.newcomer().await;
    let sent = world.invite(&device, workspace, &other.email).await.unwrap();
    let (id, token) = (sent.invitation.id, Secret::new(sent.link_token.reveal().to_owned()));
    let lapsed = Some(conflict(Conflict::InvitationAnswered(InvitationState::Revoked)));
    world.give_role(&host, workspace, grace.id, Role::Guest).await;
    assert_eq!(world.accept_by_link(&token, &other.email).await.err(), lapsed);
    let looked_at = token.clone();
    let shown = world.read(world.nobody(), move |view| Box::pin(preview::preview(view, Ok(looked_at)))).await;
    assert_eq!(shown.err(), lapsed);
    let call = world.by(&device).at(workspace);
    let resent = world.write(call, move |unit| Box::pin(manage::resend(unit, Ok(id)))).await;
    assert_eq!(resent.err(), Some(denied(Denial::RequiresRole(Role::Admin))));
    // The account of the inviter counts as well as their role.
    world.give_role(&host, workspace, grace.id, Role::Admin).await;
    let confirmation = Some(format!("DELETE {}", grace.id));
    world.write(world.by(&device), |unit| Box::pin(deletion::schedule(unit, confirmation))).await.unwrap();
    assert_eq!(world.accept_by_link(&token, &other.email).await.err(), lapsed);
    // Somebody else revives it by sending it again.
    let call = world.by(&host).at(workspace);
    let sent = world.write(call, move |unit| Box::pin(manage::resend(unit, Ok(id)))).await.unwrap();
    let token = Secret::new(sent.link_token.reveal().to_owned());
    world.accept_by_link(&token, &other.email).await.unwrap();
}

#[tokio::test]
async fn an_invitation_that_does_not_count_is_in_nobodys_way() {
    let mut world = World::new().await;
    let (host, workspace, grace, device, token) = world.inviting().await;
    world.accept_signed_in(&device, &token).await.unwrap();
    let (other, _) = world.newcomer().await;
    let first = world.invite(&device, workspace, &other.email).await.unwrap();
    let already_invited = Some(conflict(Conflict::Taken("email")));
    assert_eq!(world.invite(&host, workspace, &other.email).await.err(), already_invited);
    world.give_role(&host, workspace, grace.id, Role::Guest).await;
    let second = world.invite(&host, workspace, &other.email).await.unwrap();
    let types = world.events(workspace).await.into_iter().map(|(kind, ..)| kind).collect::<Vec<_>>();
    assert!(types.ends_with(&["workspace.invitation_revoked".to_owned(), "workspace.invitation_sent".to_owned()]));
    // The first one does not come back with the role of its inviter.
    world.give_role(&host, workspace, grace.id, Role::Admin).await;
    assert_eq!(world.invite(&host, workspace, &other.email).await.err(), already_invited);
    let revoked = Some(conflict(Conflict::InvitationAnswered(InvitationState::Revoked)));
    let [first, second] = [first, second].map(|sent| Secret::new(sent.link_token.reveal().to_owned()));
    assert_eq!(world.accept_by_link(&first, &other.email).await.err(), revoked);
    world.accept_by_link(&second, &other.email).await.unwrap();
}

#[tokio::test]
async fn no_trail_names_somebody_who_was_erased() {
    let mut world = World::new().await;
    let (_, workspace, grace, device, token) = world.inviting().await;
    let declined = Declined::Token(token);
    world.write(world.nobody(), move |unit| Box::pin(decline::decline(unit, Ok(declined)))).await.unwrap();
    // A user without an account may create one later.
    let (ada, host) = world.newcomer().await;
    let sent = world.invite(&host, ada.workspace, &Email::parse("late@example.com").unwrap()).await.unwrap();
    let token = Secret::new(sent.link_token.reveal().to_owned());
    let declined = Declined::Token(token);
    world.write(world.nobody(), move |unit| Box::pin(decline::decline(unit, Ok(declined)))).await.unwrap();
    assert!(named(&world, grace.email.as_str()).await > 0);
    assert_eq!(named(&world, "late@example.com").await, 0);
    let confirmation = Some(format!("DELETE {}", grace.id));
    world.write(world.by(&device), |unit| Box::pin(deletion::schedule(unit, confirmation))).await.unwrap();
    world.pass(days(31));
    deletion::purge_due(&world.engine, world.now).await.unwrap();
    assert_eq!(named(&world, grace.email.as_str()).await, 0);
    let left = world.audit_records(Chain::Workspace(workspace)).await;
    assert!(left.iter().any(|entry| entry.action == "workspace.invitation_declined" && entry.personal.is_none()));
}

/// How many audit entries contain a text.
async fn named(world: &World, text: &str) -> i64 {
    world.database.number(&format!("SELECT count(*) FROM audit_entries WHERE pii LIKE '%{text}%'")).await
}
