//! The pages about an account: whom the cookie of a browser stands for, and what may be ended with it.

use crate::world::{Calling, Device, PASSWORD, Person, World, conflict, denied, fault_of, unknown};
use octavo_app::{
    Signup,
    accounts::register,
    browser_account::{self, OwnSessions},
    browser_sessions,
    invitations::{
        self, NewInvitation,
        accept_in_browser::{self, AcceptedInBrowser, Newcomer},
    },
    sessions::login::Login,
};
use octavo_core_model::{
    Fault, Role, Secret, Token, TokenKind,
    account::User,
    fault::{Conflict, Denial, Unknown},
    id::{SessionId, WorkspaceId},
    mail::Topic,
    session::SessionStatus,
    text::{Email, Name, NewPassword},
};
use std::time::Duration;

const SIGNED_OUT: Fault = Fault::Unauthenticated(Unknown::TokenMissing);

impl World {
    /// Signs a user in with a browser and returns its cookie.
    pub(crate) async fn browser_of(&self, person: &Person) -> Token {
        let login = Login { email: person.email.clone(), password: Secret::new(person.password.clone()) };
        browser_sessions::sign_in(&self.engine, self.nobody(), Ok(login), None).await.unwrap()
    }

    /// The user who is signed in with a browser.
    async fn user_in(&self, cookie: &Token) -> Option<User> {
        let cookie = cookie.clone();
        let find =
            self.read(self.nobody(), move |view| Box::pin(async move { browser_sessions::find(view, &cookie).await }));
        find.await.unwrap().map(|browser_user| browser_user.user)
    }

    async fn sessions_in(&self, cookie: &Token) -> Result<OwnSessions, Fault> {
        let cookie = cookie.clone();
        self.read(self.nobody(), move |view| Box::pin(browser_account::list_sessions(view, cookie))).await
    }

    async fn ends(&self, cookie: &Token, id: SessionId) -> Result<(), Fault> {
        let cookie = cookie.clone();
        let end =
            self.engine.change(self.nobody(), move |unit| Box::pin(browser_account::end_session(unit, cookie, Ok(id))));
        fault_of(end.await)
    }

    async fn ends_others(&self, cookie: &Token) -> Result<usize, Fault> {
        let cookie = cookie.clone();
        let end =
            self.engine.change(self.nobody(), move |unit| Box::pin(browser_account::end_other_sessions(unit, cookie)));
        fault_of(end.await)
    }

    /// Invites an address; returns the mailed token, if the inviter's address is verified, and the shared one.
    async fn invites(
        &self,
        by: &Device,
        workspace: WorkspaceId,
        email: &Email,
    ) -> (Option<Secret<String>>, Secret<String>) {
        let draft = NewInvitation { email: email.clone(), role: Role::Member, expires_in_days: 7 };
        let call = self.by(by).at(workspace);
        let sent = self.write(call, move |unit| Box::pin(invitations::create(unit, Ok(draft)))).await.unwrap();
        (self.token_to(email, "itn_").await, Secret::new(sent.link_token.reveal().to_owned()))
    }

    /// A user with a verified address and a workspace to invite to.
    async fn host(&mut self) -> (Device, WorkspaceId) {
        let (ada, host) = self.newcomer().await;
        let proof = self.token_to(&ada.email, "evt_").await.unwrap();
        self.verify(proof).await.unwrap();
        (host, self.creates_workspace(&ada).await)
    }

    async fn accepts_in(&self, cookie: &Token, token: &Secret<String>) -> Result<AcceptedInBrowser, Fault> {
        let (token, cookie) = (token.clone(), cookie.clone());
        fault_of(accept_in_browser::accept_signed_in(&self.engine, self.nobody(), token, cookie).await)
    }

    async fn accepts_as_newcomer(&self, token: &Secret<String>) -> Result<AcceptedInBrowser, Fault> {
        let newcomer =
            Newcomer { name: Name::parse("Grace").unwrap(), password: NewPassword::parse(PASSWORD).unwrap() };
        fault_of(accept_in_browser::accept_as_newcomer(&self.engine, self.nobody(), token.clone(), newcomer).await)
    }
}

#[tokio::test]
async fn users_see_and_end_their_own_sessions_only() {
    let mut world = World::new().await;
    let (ada, phone) = world.newcomer().await;
    let (bob, laptop) = world.newcomer().await;
    let (browser, foreign) = (world.browser_of(&ada).await, world.browser_of(&bob).await);
    let own = world.sessions_in(&browser).await.unwrap();
    assert_eq!(own.user.id, ada.id);
    assert_eq!(own.sessions.iter().map(|session| session.id).collect::<Vec<_>>(), [own.current, phone.session]);
    let others = world.sessions_in(&foreign).await.unwrap();
    for id in [laptop.session, others.current] {
        assert_eq!(world.ends(&browser, id).await.err(), Some(Fault::NotFound));
    }
    assert_eq!(world.sessions(&laptop, SessionStatus::Active).await.len(), 2, "nothing of Bob's has ended");
    world.ends(&browser, phone.session).await.unwrap();
    world.ends(&browser, phone.session).await.expect("again changes nothing");
    assert_eq!(world.refresh(&phone).await.err(), Some(denied(Denial::SessionRevoked)));
    assert_eq!(world.audited(ada.id, "session.revoked").await, 1);
    assert_eq!(world.sessions_in(&browser).await.unwrap().sessions.len(), 1);
}

#[tokio::test]
async fn ending_all_others_spares_the_browser_and_other_users() {
    let mut world = World::new().await;
    let (ada, _) = world.newcomer().await;
    let (_, laptop) = world.newcomer().await;
    let (browser, second) = (world.browser_of(&ada).await, world.browser_of(&ada).await);
    assert_eq!(world.ends_others(&browser).await, Ok(2));
    assert!(world.user_in(&browser).await.is_some() && world.user_in(&second).await.is_none());
    assert!(world.refresh(&laptop).await.is_ok());
}

#[tokio::test]
async fn a_cookie_without_a_live_session_reaches_nothing() {
    let mut world = World::new().await;
    let (ada, phone) = world.newcomer().await;
    let stray = Token::new(TokenKind::Browser, [7; 32]);
    let ended = world.browser_of(&ada).await;
    let cookie = ended.clone();
    world.engine.change(world.nobody(), move |unit| Box::pin(browser_sessions::sign_out(unit, cookie))).await.unwrap();
    let old = world.browser_of(&ada).await;
    world.pass(Duration::from_hours(12));
    for cookie in [stray, ended, old] {
        assert_eq!(world.sessions_in(&cookie).await.err(), Some(SIGNED_OUT));
        assert_eq!(world.ends(&cookie, phone.session).await.err(), Some(SIGNED_OUT));
        assert_eq!(world.ends_others(&cookie).await.err(), Some(SIGNED_OUT));
    }
    assert!(world.refresh(&phone).await.is_ok());
}

#[tokio::test]
async fn registering_in_a_browser_signs_it_in_and_mails_a_link() {
    let world = World::new().await;
    let form = || World::registration("ada@example.com", "Ada");
    let cookie = register::register_in_browser(&world.engine, world.nobody(), form()).await.unwrap().unwrap();
    let user = world.user_in(&cookie).await.unwrap();
    assert_eq!(user.email.as_str(), "ada@example.com");
    assert!(!user.is_verified());
    assert!(world.token_to(&user.email, "evt_").await.is_some());
    let again = fault_of(register::register_in_browser(&world.engine, world.nobody(), form()).await);
    assert_eq!(again.err(), Some(conflict(Conflict::Taken("email"))));
}

#[tokio::test]
async fn registering_in_a_browser_follows_the_rules_of_the_deployment() {
    for signup in [Signup::Invite, Signup::Closed] {
        let world = World::ruled(|rules| rules.signup = signup).await;
        let form = World::registration("ada@example.com", "Ada");
        let refused = fault_of(register::register_in_browser(&world.engine, world.nobody(), form).await);
        assert_eq!(refused.err(), Some(denied(Denial::SignupClosed)));
    }
    let world = World::ruled(|rules| rules.conceal_registration = true).await;
    for _ in 0..2 {
        let form = World::registration("ada@example.com", "Ada");
        let cookie = register::register_in_browser(&world.engine, world.nobody(), form).await.unwrap();
        assert_eq!(cookie, None, "a cookie would show that the address was new");
    }
    let mails = world.mail_to(&Email::parse("ada@example.com").unwrap()).await;
    assert!(matches!(mails[..], [Topic::VerifyEmail { .. }, Topic::AlreadyRegistered]), "{mails:?}");
}

#[tokio::test]
async fn a_newcomer_joins_and_is_signed_in() {
    let mut world = World::new().await;
    let (host, workspace) = world.host().await;
    let [grace, max] = ["grace", "max"].map(|name| Email::parse(&format!("{name}@example.com")).unwrap());
    let (mailed, _) = world.invites(&host, workspace, &grace).await;
    let mailed = mailed.unwrap();
    let accepted = world.accepts_as_newcomer(&mailed).await.unwrap();
    assert_eq!((accepted.workspace.id, accepted.role), (workspace, Role::Member));
    assert!(accepted.user.is_verified(), "the mailed token verifies the address");
    let user = world.user_in(&accepted.cookie.unwrap()).await.unwrap();
    assert_eq!(user.email, grace);
    assert_eq!(world.accepts_as_newcomer(&mailed).await.err(), Some(conflict(Conflict::Taken("email"))));
    let (_, shared) = world.invites(&host, workspace, &max).await;
    assert!(!world.accepts_as_newcomer(&shared).await.unwrap().user.is_verified());
}

#[tokio::test]
async fn a_user_accepts_with_the_account_of_the_browser() {
    let mut world = World::new().await;
    let (host, workspace) = world.host().await;
    let (grace, phone) = world.newcomer().await;
    let proof = world.token_to(&grace.email, "evt_").await.unwrap();
    world.verify(proof).await.unwrap();
    let (max, _) = world.newcomer().await;
    let (browser, foreign) = (world.browser_of(&grace).await, world.browser_of(&max).await);
    let (_, token) = world.invites(&host, workspace, &grace.email).await;
    assert_eq!(world.accepts_in(&foreign, &token).await.err(), Some(denied(Denial::EmailMismatch)));
    let stray = Token::new(TokenKind::Browser, [7; 32]);
    assert_eq!(world.accepts_in(&stray, &token).await.err(), Some(unknown(Unknown::TokenMissing)));
    let accepted = world.accepts_in(&browser, &token).await.unwrap();
    assert_eq!((accepted.cookie, accepted.has_lost_password), (None, false), "the browser stays signed in");
    assert_eq!(world.sessions(&phone, SessionStatus::Active).await.len(), 2, "no session was added");
    assert_eq!(world.user_in(&browser).await.map(|user| user.id), Some(grace.id));
}

#[tokio::test]
async fn the_first_proof_of_an_address_leaves_the_browser_as_the_only_session() {
    let mut world = World::new().await;
    let (host, workspace) = world.host().await;
    let (grace, phone) = world.newcomer().await;
    let browser = world.browser_of(&grace).await;
    let (mailed, _) = world.invites(&host, workspace, &grace.email).await;
    let accepted = world.accepts_in(&browser, &mailed.unwrap()).await.unwrap();
    assert!(accepted.has_lost_password && accepted.user.is_verified());
    assert_eq!(world.user_in(&browser).await, None);
    assert_eq!(world.user_in(&accepted.cookie.unwrap()).await.map(|user| user.id), Some(grace.id));
    assert_eq!(world.refresh(&phone).await.err(), Some(denied(Denial::SessionRevoked)));
    assert_eq!(world.try_login(&grace).await.err(), Some(unknown(Unknown::Login)));
}
