//! Registration.

use crate::world::{Calling, PASSWORD, World, conflict, denied, email, fault_of, invalid};
use octavo_app::{
    Reply, Signup,
    accounts::register::{self, Registered},
};
use octavo_core_model::{
    Fault,
    fault::{Conflict, Denial, Issue},
    mail::Topic,
};

fn form(address: &str) -> register::Registration {
    World::registration(address, "Ada Lovelace")
}

#[tokio::test]
async fn registering_makes_an_account_a_workspace_and_a_session() {
    let world = World::new().await;
    let Ok(Registered::Account { signed_in, workspace }) =
        world.register(world.nobody(), form("Ada@Example.com")).await
    else {
        panic!("registered")
    };
    let user = &signed_in.user;
    assert_eq!(
        (user.email.as_str(), user.name.as_str(), user.display_name.as_str()),
        ("ada@example.com", "Ada Lovelace", "Ada Lovelace")
    );
    assert_eq!((user.locale.as_str(), user.timezone.as_str(), user.email_verified_at), ("en-US", "UTC", None));
    assert_eq!(
        (workspace.name.as_str(), workspace.slug.as_str()),
        ("Ada Lovelace's workspace", "ada-lovelace-s-workspace")
    );
    assert_eq!((workspace.is_personal, workspace.owner, signed_in.claims.workspace), (true, user.id, workspace.id));
    assert_eq!(world.user(user.id).await.as_ref(), Some(user));
    let by_ada = |kind: &str| (kind.to_owned(), "USER".to_owned(), user.id.to_string());
    assert_eq!(world.events(workspace.id).await, [by_ada("user.registered"), by_ada("workspace.created")]);
    assert!(matches!(world.mail_to(&user.email).await.as_slice(), [Topic::VerifyEmail { .. }]));
}

#[tokio::test]
async fn a_taken_address_is_a_conflict_whatever_its_case() {
    let mut world = World::new().await;
    let ada = world.person().await;
    let count =
        "SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM workspaces) + (SELECT count(*) FROM events)";
    let before = world.database.number(count).await;
    let again = form(&ada.email.as_str().to_uppercase());
    assert_eq!(world.register(world.nobody(), again).await.err(), Some(conflict(Conflict::Taken("email"))));
    assert_eq!(world.database.number(count).await, before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_twenty_who_want_one_address_one_gets_it() {
    let world = std::sync::Arc::new(World::new().await);
    let tries = (0..20).map(|_| {
        let world = world.clone();
        tokio::spawn(async move { world.register(world.nobody(), form("ada@example.com")).await.is_ok() })
    });
    let mut winners = 0;
    for tried in tries.collect::<Vec<_>>() {
        winners += u32::from(tried.await.unwrap());
    }
    assert_eq!(winners, 1);
    assert_eq!(world.database.number("SELECT count(*) FROM workspaces").await, 1);
}

#[tokio::test]
async fn people_of_one_name_get_workspaces_of_their_own() {
    let world = World::new().await;
    let slug = async |address: &str, name: &str| {
        let form = World::registration(address, name);
        match world.register(world.nobody(), form).await {
            Ok(Registered::Account { workspace, .. }) => workspace.slug.to_string(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(slug("a@example.com", "Ada").await, "ada-s-workspace");
    assert_eq!(slug("b@example.com", "Ada").await, "ada-s-workspace-2");
    assert_eq!(slug("c@example.com", "ada").await, "ada-s-workspace-3");
    assert_eq!(slug("d@example.com", "\u{65e5}\u{672c}").await, "s-workspace");
}

#[tokio::test]
async fn a_closed_deployment_says_so_before_it_looks_at_the_body() {
    for signup in [Signup::Invite, Signup::Closed] {
        let world = World::ruled(|rules| rules.signup = signup).await;
        let flawed = Err(invalid("email", Issue::Required));
        for draft in [flawed, Ok(form("ada@example.com"))] {
            let answer = register::register(&world.engine, world.nobody(), draft, |_| Reply::nothing()).await;
            assert_eq!(fault_of(answer).err(), Some(denied(Denial::SignupClosed)));
        }
        assert_eq!(world.hasher.jobs_done(), 0);
    }
}

#[tokio::test]
async fn concealed_registration_answers_alike_and_tells_the_owner() {
    let world = World::ruled(|rules| rules.conceal_registration = true).await;
    for jobs in 1..=2 {
        let answer = world.register(world.nobody(), form("ada@example.com")).await;
        assert!(matches!(answer, Ok(Registered::Concealed)), "{answer:?}");
        assert_eq!(world.hasher.jobs_done(), jobs, "known or not, a password is hashed");
    }
    let letters = world.mail_to(&email("ada@example.com")).await;
    assert!(matches!(letters.as_slice(), [Topic::VerifyEmail { .. }, Topic::AlreadyRegistered]), "{letters:?}");
    assert_eq!(world.database.number("SELECT count(*) FROM sessions").await, 0);
    let ada = email("ada@example.com");
    let early = world.login(world.nobody(), &ada, PASSWORD).await.err();
    assert_eq!(early, world.login(world.nobody(), &email("new@example.com"), PASSWORD).await.err());
    let proof = world.token_to(&ada, "evt_").await.unwrap();
    world.verify(proof).await.unwrap();
    let signed_in = world.login(world.nobody(), &ada, PASSWORD).await.unwrap();
    assert_eq!(world.audited(signed_in.user.id, "user.new_device").await, 0, "registered from here");
}

#[tokio::test]
async fn a_registration_tried_again_is_answered_alike_and_hashes_nothing() {
    let world = World::new().await;
    let attempt = async |body: &str| {
        let shape = |registered| match registered {
            Registered::Account { signed_in, .. } => Reply::json(201, &signed_in.refresh_token.reveal()),
            Registered::Concealed => Reply::nothing(),
        };
        let call = world.nobody().keyed("k", body);
        fault_of(register::register(&world.engine, call, Ok(form("ada@example.com")), shape).await)
    };
    let first = attempt("body").await.unwrap();
    // The server may also receive a replay unchanged; both get the same answer.
    let again =
        register::register(&world.engine, world.nobody().keyed("k", "body"), Ok(form("ada@example.com")), |_| {
            Reply::nothing()
        });
    let octavo_app::Interrupt::Replay(again) = again.await.unwrap_err() else { panic!("a replay") };
    assert_eq!((again.status, again.body, again.replayed), (201, first.body, true));
    assert_eq!(attempt("another body").await.err(), Some(Fault::KeyReused));
    assert_eq!(world.hasher.jobs_done(), 1);
}

#[tokio::test]
async fn a_flawed_form_hashes_nothing() {
    let world = World::new().await;
    let flaw = invalid("password", Issue::TooShort);
    let answer = register::register(&world.engine, world.nobody(), Err(flaw.clone()), |_| Reply::nothing()).await;
    assert_eq!(fault_of(answer).err(), Some(flaw));
    assert_eq!(world.hasher.jobs_done(), 0);
}
