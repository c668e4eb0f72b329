//! API keys: who creates them, how they are recognised, and when they stop working.

use crate::world::{Calling, Person, World, conflict, denied};
use octavo_app::{
    Call, Caller, access,
    accounts::profile::{self, Identity},
    api_keys::{self, ApiKeyPage, Issued, KnownKeys, NewApiKey, present},
    workspaces::{self, deletion},
};
use octavo_core_model::{
    Fault, KeyScope, Role, Timestamp,
    api_key::{ApiKeyChange, KeyText, PresentedKey},
    audit::AuditSearch,
    event::Chain,
    fault::{Conflict, Denial, Unknown},
    id::ApiKeyId,
    text::Name,
    time::days,
    workspace::WorkspaceChange,
};
use std::time::Duration;

const HOUR: Duration = Duration::from_hours(1);

fn plain(name: &str, scope: KeyScope) -> NewApiKey {
    let name = Name::parse(name).unwrap();
    NewApiKey { name, scopes: [scope].into(), rate_limit: None, expires_at: None, allowed_networks: Vec::new() }
}

impl World {
    async fn makes_key(&self, call: Call, wanted: NewApiKey) -> Result<Issued, Fault> {
        self.write(call, move |unit| Box::pin(api_keys::create(unit, Ok(wanted)))).await
    }

    async fn rotates(&self, call: Call, id: ApiKeyId, grace: Duration) -> Result<Issued, Fault> {
        self.write(call, move |unit| Box::pin(api_keys::rotate(unit, Ok(id), Ok(grace)))).await
    }

    async fn changes(&self, call: Call, id: ApiKeyId, change: ApiKeyChange) -> Result<(), Fault> {
        self.write(call, move |unit| Box::pin(api_keys::update(unit, Ok(id), Ok(change)))).await.map(drop)
    }

    async fn revokes(&self, call: Call, id: ApiKeyId) -> Result<(), Fault> {
        self.write(call, move |unit| Box::pin(api_keys::revoke(unit, Ok(id)))).await
    }

    async fn presents(&self, issued: &Issued) -> Result<PresentedKey, Unknown> {
        let text = KeyText::parse(issued.text.expose()).unwrap();
        present::present(&self.engine, &KnownKeys::default(), text, self.now).await.unwrap()
    }

    /// A call with a key.
    async fn with(&self, issued: &Issued) -> Call {
        Call { caller: Caller::Key(Box::new(self.presents(issued).await.unwrap())), ..self.nobody() }
    }

    /// Renames the workspace of a key with that key, which only an `ADMIN` key may do.
    async fn renames(&self, issued: &Issued, name: &str) -> Result<(), Fault> {
        let change = WorkspaceChange { name: Some(Name::parse(name).unwrap()), ..WorkspaceChange::default() };
        let call = self.with(issued).await;
        self.write(call, move |unit| Box::pin(workspaces::update(unit, Ok(change)))).await.map(drop)
    }

    async fn actions(&self, person: &Person) -> Vec<String> {
        let chain = Chain::Workspace(person.workspace);
        let mut view = self.engine.store.reader().await.unwrap();
        let entries = view.audits().list_entries(chain, &AuditSearch::all(100)).await.unwrap();
        entries.into_iter().map(|entry| entry.action).collect()
    }
}

#[tokio::test]
async fn only_signed_in_owners_and_admins_manage_keys() {
    let mut world = World::new().await;
    let (ada, owner) = world.newcomer().await;
    let issued = world.makes_key(world.by(&owner), plain("first", KeyScope::Admin)).await.unwrap();
    let mut cases = vec![(world.with(&issued).await, Some(denied(Denial::RequiresUser)))];
    for (role, refusal) in [
        (Role::Admin, None),
        (Role::Member, Some(denied(Denial::RequiresRole(Role::Admin)))),
        (Role::Guest, Some(denied(Denial::RequiresRole(Role::Admin)))),
    ] {
        let (person, device) = world.newcomer().await;
        world.joins(&person, &ada, role).await;
        cases.push((world.by(&device).at(ada.workspace), refusal));
    }
    let (_, stranger) = world.newcomer().await;
    cases.push((world.by(&stranger).at(ada.workspace), Some(denied(Denial::WorkspaceMismatch))));
    for (number, (call, refusal)) in cases.into_iter().enumerate() {
        let id = issued.key.id;
        let page = ApiKeyPage { before: None, limit: 10 };
        let wanted = plain(&format!("key {number}"), KeyScope::Read);
        let listed = world.read(call.clone(), move |view| Box::pin(api_keys::list(view, Ok(page)))).await;
        assert_eq!(listed.err(), refusal, "{number}");
        assert_eq!(world.makes_key(call.clone(), wanted).await.err(), refusal, "{number}");
        assert_eq!(world.changes(call.clone(), id, ApiKeyChange::default()).await.err(), refusal, "{number}");
        assert_eq!(world.rotates(call.clone(), id, days(1)).await.err(), refusal, "{number}");
        if refusal.is_some() {
            assert_eq!(world.revokes(call, id).await.err(), refusal, "{number}");
        }
    }
}

#[tokio::test]
async fn a_key_counts_until_it_is_revoked_or_expires() {
    let mut world = World::new().await;
    let (ada, owner) = world.newcomer().await;
    let lasting = world.makes_key(world.by(&owner), plain("lasting", KeyScope::Read)).await.unwrap();
    let passing = NewApiKey { expires_at: Some(world.now.plus(HOUR)), ..plain("passing", KeyScope::Read) };
    let passing = world.makes_key(world.by(&owner), passing).await.unwrap();
    assert!(world.presents(&lasting).await.is_ok() && world.presents(&passing).await.is_ok());
    world.pass(HOUR);
    assert_eq!(world.presents(&passing).await, Err(Unknown::KeyExpired));
    let longer = ApiKeyChange { expires_at: Some(Some(world.now.plus(HOUR))), ..ApiKeyChange::default() };
    world.changes(world.by(&owner), passing.key.id, longer).await.unwrap();
    assert!(world.presents(&passing).await.is_ok(), "a change counts from the next call on");
    world.pass(Duration::from_millis(1));
    world.revokes(world.by(&owner), lasting.key.id).await.unwrap();
    assert_eq!(world.presents(&lasting).await, Err(Unknown::KeyRevoked));
    world.revokes(world.by(&owner), lasting.key.id).await.unwrap();
    let expected = ["api_key.revoked", "api_key.updated", "api_key.created", "api_key.created"];
    assert_eq!(world.actions(&ada).await, expected, "revoking again writes no audit entry");
    let stranger = Issued { text: KeyText::new([1; 32]).into_secret(), ..lasting };
    assert_eq!(world.presents(&stranger).await, Err(Unknown::TokenMalformed));
}

#[tokio::test]
async fn a_revoked_key_is_forgotten_at_once() {
    let mut world = World::new().await;
    let (_, owner) = world.newcomer().await;
    let issued = world.makes_key(world.by(&owner), plain("key", KeyScope::Read)).await.unwrap();
    let known = KnownKeys::default();
    let text = || KeyText::parse(issued.text.expose()).unwrap();
    let ask = async || present::present(&world.engine, &known, text(), world.now).await.unwrap();
    assert!(ask().await.is_ok() && ask().await.is_ok());
    world.revokes(world.by(&owner), issued.key.id).await.unwrap();
    assert_eq!(ask().await, Err(Unknown::KeyRevoked));
}

#[tokio::test]
async fn a_replaced_secret_works_until_its_grace_ends() {
    let mut world = World::new().await;
    let (ada, owner) = world.newcomer().await;
    let first = world.makes_key(world.by(&owner), plain("key", KeyScope::Read)).await.unwrap();
    world.pass(HOUR);
    let second = world.rotates(world.by(&owner), first.key.id, HOUR).await.unwrap();
    assert_eq!(second.previous_until, Some(world.now.plus(HOUR)));
    world.pass_almost(HOUR);
    assert!(world.presents(&first).await.is_ok());
    world.pass(Duration::from_millis(1));
    assert_eq!(world.presents(&first).await, Err(Unknown::KeyRevoked));
    assert!(world.presents(&second).await.is_ok());
    let third = world.rotates(world.by(&owner), first.key.id, Duration::ZERO).await.unwrap();
    assert_eq!(world.presents(&second).await, Err(Unknown::KeyRevoked));
    assert!(world.presents(&third).await.is_ok());
    assert_eq!(world.actions(&ada).await[..2], ["api_key.rotated", "api_key.rotated"]);
    world.revokes(world.by(&owner), first.key.id).await.unwrap();
    let again = world.rotates(world.by(&owner), first.key.id, HOUR).await;
    assert_eq!(again.err(), Some(conflict(Conflict::KeyRevoked)));
    assert_eq!(world.presents(&third).await, Err(Unknown::KeyRevoked));
}

#[tokio::test]
async fn extending_an_expired_key_needs_a_free_place() {
    let mut world = World::new().await;
    let (_, owner) = world.newcomer().await;
    let end = |at: Timestamp| ApiKeyChange { expires_at: Some(Some(at)), ..ApiKeyChange::default() };
    let passing = NewApiKey { expires_at: Some(world.now.plus(HOUR)), ..plain("passing", KeyScope::Read) };
    let passing = world.makes_key(world.by(&owner), passing).await.unwrap().key.id;
    for number in 1..100 {
        world.makes_key(world.by(&owner), plain(&format!("key {number}"), KeyScope::Read)).await.unwrap();
    }
    let full = Some(conflict(Conflict::KeyLimit));
    assert_eq!(world.makes_key(world.by(&owner), plain("one more", KeyScope::Read)).await.err(), full);
    world.changes(world.by(&owner), passing, end(world.now.plus(2 * HOUR))).await.unwrap();
    world.pass(3 * HOUR);
    world.makes_key(world.by(&owner), plain("one more", KeyScope::Read)).await.unwrap();
    assert_eq!(world.changes(world.by(&owner), passing, end(world.now.plus(HOUR))).await.err(), full);
}

#[tokio::test]
async fn a_key_names_itself_in_what_it_does_and_its_workspace_in_who_it_is() {
    let mut world = World::new().await;
    let (ada, owner) = world.newcomer().await;
    let issued = world.makes_key(world.by(&owner), plain("key", KeyScope::Admin)).await.unwrap();
    let call = world.with(&issued).await;
    let found = world.read(call.clone(), |view| Box::pin(profile::identify(view))).await.unwrap();
    let Identity::Key(known) = found else { panic!("a key is no person") };
    assert_eq!((known.0.id, known.1.id), (issued.key.id, ada.workspace));
    world.renames(&issued, "Renamed").await.unwrap();
    let sql = format!("SELECT count(*) FROM events WHERE actor_type = 'API_KEY' AND actor_id = '{}'", issued.key.id);
    assert_eq!(world.database.number(&sql).await, 1);
    let user = world.read(call, |view| Box::pin(access::user(view))).await;
    assert_eq!(user.err(), Some(denied(Denial::RequiresUser)));
}

#[tokio::test]
async fn a_key_outlives_the_role_and_the_membership_of_its_creator() {
    let mut world = World::new().await;
    let (ada, owner) = world.newcomer().await;
    let (grace, admin) = world.newcomer().await;
    world.joins(&grace, &ada, Role::Admin).await;
    let issued = world.makes_key(world.by(&admin).at(ada.workspace), plain("key", KeyScope::Admin)).await.unwrap();
    world.makes(world.by(&owner).at(ada.workspace), grace.id, Role::Guest).await.unwrap();
    world.renames(&issued, "Without the role").await.unwrap();
    world.removes(world.by(&owner).at(ada.workspace), grace.id).await.unwrap();
    world.renames(&issued, "Without the creator").await.unwrap();
}

#[tokio::test]
async fn a_key_goes_with_its_workspace() {
    let mut world = World::new().await;
    let (ada, owner) = world.newcomer().await;
    let acme = world.creates_workspace(&ada).await;
    let at_acme = world.by(&owner).at(acme);
    let issued = world.makes_key(at_acme.clone(), plain("key", KeyScope::Admin)).await.unwrap();
    let confirmation = Some(format!("DELETE {acme}"));
    world.write(at_acme, move |unit| Box::pin(deletion::schedule(unit, confirmation))).await.unwrap();
    let call = world.with(&issued).await;
    let gone = world.read(call, |view| Box::pin(access::anybody(view))).await;
    assert_eq!(gone, Err(Fault::WorkspaceDeleting));
    world.pass(days(31));
    deletion::purge_due(&world.engine, world.now).await.unwrap();
    assert_eq!(world.presents(&issued).await, Err(Unknown::TokenMalformed));
}
