//! A workspace, its members, its keys, and callers without access to it.

use super::{Caller, apps, wire::request};
use crate::tests::server::{Person, Server, now};
use octavo_core_model::{
    Claims, KeyScope, Role, Timestamp,
    api_key::{ApiKey, KeyText},
    id::{ApiKeyId, MembershipId, UserId, WorkspaceId},
    member::{Membership, Person as Profile},
    text::Name,
};
use octavo_credentials::OsRandom;
use octavo_ports::{
    random::Random,
    store::{Record, Transaction},
};
use serde_json::json;
use std::{collections::HashMap, sync::Arc, time::Duration};

const MINUTE: Duration = Duration::from_mins(1);

#[derive(Debug)]
pub(super) struct World {
    pub(super) workspace: WorkspaceId,
    tokens: HashMap<Caller, String>,
}

impl World {
    pub(super) fn new(server: &Server, name: &str) -> Self {
        let person = |kind: &str| server.person(&format!("{name}-{kind}"));
        let (owner, foreign) = (person("owner"), person("foreign"));
        let workspace = create_workspace(server, &owner);
        let members = [
            (Caller::Admin, person("admin"), Role::Admin),
            (Caller::Member, person("member"), Role::Member),
            (Caller::Guest, person("guest"), Role::Guest),
            (Caller::Suspended, person("suspended"), Role::Admin),
            (Caller::Deleting, person("deleting"), Role::Admin),
        ];
        let removed = person("removed");
        let stay = members.iter().map(|(_, person, role)| (person.id, *role)).collect();
        let keys = fill(server, workspace, home(server, &foreign), owner.id, stay);
        server.suspend(&members[3].1);
        delete(server, &members[4].1);
        let minted = server.token_with(&removed, |claims| Claims { workspace, role: Role::Member, ..claims });
        let long_ago = now().minus(Duration::from_hours(1));
        let expired = server.token_issued(&owner, long_ago);
        let apps = apps::let_in(server, workspace, &owner, long_ago);
        let tokens = members
            .map(|(kind, person, _)| (kind, person.token))
            .into_iter()
            .chain(keys)
            .chain(apps)
            .chain([
                (Caller::Malformed, "svc_live_abcdefghijklmnopqrstuvwxyzabcdef123456".to_owned()),
                (Caller::Expired, expired),
                (Caller::Owner, owner.token),
                (Caller::Removed, minted),
                (Caller::Foreign, foreign.token),
            ])
            .collect();
        Self { workspace, tokens }
    }

    /// The token that a caller of this kind sends.
    pub(super) fn token(&self, caller: Caller) -> Option<&str> {
        self.tokens.get(&caller).map(String::as_str)
    }
}

fn create_workspace(server: &Server, owner: &Person) -> WorkspaceId {
    let call = request("POST /api/v1/workspaces").bearer(&owner.token).json(&json!({ "name": "Acme" }));
    server.send(&call).json()["data"]["id"].as_str().unwrap().parse().unwrap()
}

fn home(server: &Server, person: &Person) -> WorkspaceId {
    server.claims_of(person).workspace
}

fn delete(server: &Server, person: &Person) {
    let confirm = format!("DELETE {}", person.id);
    let answer = server.send(&request("DELETE /api/v1/users/me").bearer(&person.token).header("X-Confirm", confirm));
    assert_eq!(answer.status, 202, "{answer:?}");
}

/// Creates the members and the keys. Writes to the store directly, because the routes are under test.
fn fill(
    server: &Server,
    workspace: WorkspaceId,
    elsewhere: WorkspaceId,
    owner: UserId,
    members: Vec<(UserId, Role)>,
) -> Vec<(Caller, String)> {
    let store = Arc::clone(&server.backend.engine().store);
    server.block_on(async move {
        let mut unit = store.writer().await.unwrap();
        for (user, role) in members {
            join(&mut *unit, workspace, user, role).await;
        }
        let (read, write, admin) = (KeyScope::Read, KeyScope::Write, KeyScope::Admin);
        let mut keys = Vec::new();
        for (kind, home, scope) in [
            (Caller::ReadKey, workspace, read),
            (Caller::WriteKey, workspace, write),
            (Caller::AdminKey, workspace, admin),
            (Caller::ForeignKey, elsewhere, admin),
            (Caller::RevokedKey, workspace, admin),
            (Caller::ExpiredKey, workspace, admin),
        ] {
            let before = Some(now().minus(MINUTE));
            let text = give(&mut *unit, kind, home, owner, |key| {
                key.scopes = [scope].into();
                key.revoked_at = before.filter(|_| kind == Caller::RevokedKey);
                key.expires_at = before.filter(|_| kind == Caller::ExpiredKey);
            });
            keys.push((kind, text.await));
        }
        unit.commit(Record::default()).await.unwrap();
        keys
    })
}

async fn join(unit: &mut dyn Transaction, workspace: WorkspaceId, user: UserId, role: Role) {
    let workspace = unit.workspaces().find(workspace).await.unwrap().unwrap();
    let person = Profile::from(&unit.accounts().find(user).await.unwrap().unwrap());
    let membership = Membership {
        id: random(MembershipId::new),
        workspace: workspace.id,
        user,
        role,
        invited_by: None,
        joined_at: now(),
    };
    unit.members().insert(&membership, &workspace, &person).await.unwrap();
}

async fn give(
    unit: &mut dyn Transaction,
    kind: Caller,
    workspace: WorkspaceId,
    owner: UserId,
    shape: impl FnOnce(&mut ApiKey),
) -> String {
    let text = KeyText::new(bytes());
    let mut key = ApiKey {
        id: random(ApiKeyId::new),
        workspace,
        name: Name::parse(kind.name()).unwrap(),
        prefix: text.prefix(),
        scopes: [].into(),
        rate_limit: None,
        allowed_networks: Vec::new(),
        last_used_at: None,
        expires_at: None,
        revoked_at: None,
        created_by: owner,
        created_at: now(),
    };
    shape(&mut key);
    unit.api_keys().insert(&key, &text.hash()).await.unwrap();
    text.into_secret().into_inner()
}

pub(super) fn bytes<const N: usize>() -> [u8; N] {
    let random: &mut dyn Random = &mut OsRandom;
    random.bytes()
}

pub(super) fn random<I>(make: impl FnOnce(i64, [u8; 10]) -> I) -> I {
    make(Timestamp::millis(now()), bytes())
}
