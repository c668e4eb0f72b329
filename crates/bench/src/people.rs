//! Accounts that exist before a measurement starts, each with a workspace of its own.

use crate::engine::{refused, side_by_side};
use anyhow::Result;
use octavo_core_model::{
    Role, StoreError, Timestamp, TokenHash,
    account::User,
    event::{Actor, Event, EventPayload, FieldChanges, users::ProfileUpdated},
    id::{EventId, MembershipId, SessionId, UserId, WorkspaceId},
    member::Membership,
    session::{INACTIVITY, Proof, RefreshToken, Session, SessionKind},
    text::{Email, Name, Slug},
    time::days,
    workspace::Workspace,
};
use octavo_ports::store::{Record, Store, StoreResult, Transaction};
use std::ops::Range;
use std::sync::Arc;

/// The time of everything here. It is fixed, so that two runs write the same bytes.
pub(crate) const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

/// Below the thousand rows that a unit may insert.
const PEOPLE_IN_A_UNIT: u64 = 50;
const UNITS_AT_ONCE: u64 = 8;

/// Registers users, each with a session.
pub(crate) async fn register(store: &Arc<dyn Store>, numbers: Range<u64>) -> Result<()> {
    let writers = (0..UNITS_AT_ONCE).map(|writer| {
        let (store, numbers) = (Arc::clone(store), numbers.clone());
        async move {
            let starts = numbers.clone().step_by(usize::try_from(PEOPLE_IN_A_UNIT)?);
            for start in starts.filter(|start| (start / PEOPLE_IN_A_UNIT) % UNITS_AT_ONCE == writer) {
                register_few(&*store, start..numbers.end.min(start + PEOPLE_IN_A_UNIT)).await.map_err(refused)?;
            }
            Ok(())
        }
    });
    side_by_side(writers).await?;
    while store.number_events().await.map_err(refused)?.events > 0 {}
    Ok(())
}

async fn register_few(store: &dyn Store, numbers: Range<u64>) -> StoreResult<()> {
    let mut unit = store.writer().await?;
    let mut events = Vec::new();
    for number in numbers {
        events.push(insert(&mut *unit, number).await?);
    }
    unit.commit(Record { events, audits: Vec::new() }).await
}

/// Adds members to a workspace: these users, and new accounts with these numbers.
pub(crate) async fn gather(
    store: &Arc<dyn Store>,
    workspace: WorkspaceId,
    users: &[UserId],
    others: Range<u64>,
) -> StoreResult<()> {
    let mut unit = store.writer().await?;
    let found = unit.workspaces().find(workspace).await?.ok_or(StoreError::Unavailable)?;
    let mut members = Vec::new();
    for id in users {
        members.extend(unit.accounts().find(*id).await?);
    }
    for number in others {
        let other = user(number);
        unit.accounts().insert(&other, None).await?;
        members.push(other);
    }
    for (number, member) in (0..).zip(members.iter().filter(|member| member.id != found.owner)) {
        let membership = Membership {
            id: MembershipId::new(NOW.millis(), scattered(u64::MAX - number)),
            workspace,
            user: member.id,
            role: Role::Member,
            invited_by: Some(found.owner),
            joined_at: NOW,
        };
        unit.members().insert(&membership, &found, &member.into()).await?;
    }
    unit.commit(Record::default()).await
}

async fn insert(unit: &mut dyn Transaction, number: u64) -> StoreResult<Event> {
    let (user, workspace, session) = (user(number), workspace(number), session(number, 0));
    unit.accounts().insert(&user, None).await?;
    unit.workspaces().insert(&workspace).await?;
    let membership = Membership {
        id: MembershipId::new(NOW.millis(), scattered(number)),
        workspace: workspace.id,
        user: user.id,
        role: Role::Owner,
        invited_by: None,
        joined_at: NOW,
    };
    unit.members().insert(&membership, &workspace, &(&user).into()).await?;
    unit.sessions().insert(&session).await?;
    unit.sessions().insert_refresh_token(&refresh_token(&session, number)).await?;
    Ok(event(number, 0))
}

fn user_id(number: u64) -> UserId {
    UserId::new(NOW.millis(), scattered(number))
}

fn workspace_id(number: u64) -> WorkspaceId {
    WorkspaceId::new(NOW.millis(), scattered(number))
}

fn user(number: u64) -> User {
    let email = Email::from_stored(format!("neighbour{number}@example.com"));
    let name = Name::from_stored(format!("Neighbour {number}"));
    User::register(user_id(number), email, name, workspace_id(number), NOW)
}

fn workspace(number: u64) -> Workspace {
    let name = Name::from_stored(format!("Neighbour {number}"));
    let slug = Slug::from_name(name.as_str(), "neighbour");
    Workspace { is_personal: true, ..Workspace::create(workspace_id(number), name, slug, user_id(number), NOW) }
}

/// A person's session with this serial number.
pub(crate) fn session(person: u64, serial: u64) -> Session {
    let created_at = NOW.plus(std::time::Duration::from_millis(serial));
    Session {
        id: SessionId::new(created_at.millis(), scattered(serial)),
        user: user_id(person),
        kind: SessionKind::Login,
        workspace: workspace_id(person),
        user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0".to_owned(),
        address: "192.0.2.17".to_owned(),
        proofs: vec![Proof::Password],
        authenticated_at: created_at,
        created_at,
        last_active_at: created_at,
        expires_at: created_at.plus(INACTIVITY),
        absolute_end: created_at.plus(days(365)),
        end: None,
    }
}

fn refresh_token(session: &Session, number: u64) -> RefreshToken {
    let mut hash = [0; 32];
    hash[..10].copy_from_slice(&scattered(number));
    RefreshToken {
        hash: TokenHash::from_bytes(hash),
        user: session.user,
        session: session.id,
        predecessor: None,
        expires_at: session.expires_at,
        rotated: false,
    }
}

/// An event in a person's own workspace.
pub(crate) fn event(person: u64, serial: u64) -> Event {
    let occurred_at = NOW.plus(std::time::Duration::from_millis(serial));
    Event {
        id: EventId::new(occurred_at.millis(), scattered(serial)),
        workspace: workspace_id(person),
        occurred_at,
        actor: Actor::User(user_id(person)),
        payload: EventPayload::UserProfileUpdated(ProfileUpdated {
            user: user_id(person),
            changes: FieldChanges { changed_fields: vec!["name", "theme"], ..FieldChanges::default() },
        }),
    }
}

/// Ten bytes that are unique for each number and distributed like random ones, so that consecutive numbers are not
/// neighbours in an index.
pub(crate) fn scattered(number: u64) -> [u8; 10] {
    // Multiplying by an odd number and folding the upper half over the lower are both invertible, so the results are
    // unique.
    let mixed = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let mut bytes = [0x5a; 10];
    bytes[..8].copy_from_slice(&mixed.to_be_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::engine::{Engine, threads};
    use octavo_storage::Options;
    use std::collections::HashSet;

    #[test]
    fn no_two_numbers_scatter_to_one_place() {
        let places = (0..100_000).map(scattered).collect::<HashSet<_>>();
        assert_eq!(places.len(), 100_000);
    }

    #[test]
    fn everybody_is_registered_once() {
        let folder = tempfile::tempdir().unwrap();
        let database = Engine::Sqlite.database(folder.path()).unwrap();
        threads().unwrap().block_on(async {
            let store = octavo_storage::open(&database.url, &Options::default()).await.unwrap();
            register(&store, 0..10).await.unwrap();
            register(&store, 10..475).await.unwrap();
            let mut view = store.reader().await.unwrap();
            assert_eq!(view.accounts().list(None, 1000).await.unwrap().len(), 475);
            let own = view.workspaces().list_own(user_id(474)).await.unwrap();
            assert_eq!(own.len(), 1);
            assert!(view.sessions().find(user_id(7), session(7, 0).id).await.unwrap().is_some());
        });
    }
}
