//! The audit trail: which manipulations are detected, and what is removed because of its age.

use crate::world::{Calling, Device, Person, World, denied};
use octavo_app::{
    Call,
    accounts::deletion,
    audit::{self, KeptHead, SeqRange, Verification},
    workspaces::settings,
};
use octavo_core_model::{
    Fault, Role,
    audit::{AuditRecord, AuditSearch, ChainLink},
    event::Chain,
    fault::Denial,
    settings::SettingsChange,
    time::days,
};
use std::time::Duration;

/// A user whose workspace has a trail with this many sealed entries, one per minute.
async fn user_with_entries(world: &mut World, entries: usize) -> (Person, Device) {
    let (ada, device) = world.newcomer().await;
    extend(world, &device, entries).await;
    (ada, device)
}

async fn extend(world: &mut World, device: &Device, entries: usize) {
    for number in 0..entries {
        world.pass(Duration::from_mins(1));
        let change = SettingsChange { share_links_allowed: Some(Some(number % 2 == 1)), ..SettingsChange::default() };
        set(world, device, change).await;
    }
    world.engine.store.seal_audits().await.unwrap();
}

async fn set(world: &World, device: &Device, change: SettingsChange) {
    world.write(world.by(device), move |unit| Box::pin(settings::update(unit, Ok(change)))).await.unwrap();
}

async fn verify(world: &World, call: Call, from: Option<i64>, to: Option<i64>) -> Result<Verification, Fault> {
    world.read(call, move |view| Box::pin(audit::verify(view, Ok(SeqRange { from, to })))).await
}

async fn broken_at(world: &World, device: &Device) -> Option<i64> {
    verify(world, world.by(device), None, None).await.unwrap().broken_at
}

async fn is_consistent(world: &World, device: &Device, kept: &ChainLink) -> bool {
    let kept = KeptHead { seq: kept.seq, hash: kept.hash.clone() };
    world.read(world.by(device), move |view| Box::pin(audit::is_consistent(view, Ok(kept)))).await.unwrap()
}

async fn list(world: &World, call: Call) -> Result<Vec<AuditRecord>, Fault> {
    world.read(call, |view| Box::pin(audit::list(view, Ok(AuditSearch::all(100))))).await
}

async fn head(world: &World, person: &Person) -> ChainLink {
    let mut view = world.engine.store.reader().await.unwrap();
    view.audits().find_head(Chain::Workspace(person.workspace)).await.unwrap().unwrap().last
}

async fn touch(world: &World, person: &Person, sql: &str) {
    world.database.execute(&sql.replace("{chain}", &person.workspace.to_string())).await;
}

#[tokio::test]
async fn an_edited_row_is_found() {
    let mut world = World::new().await;
    let (ada, device) = user_with_entries(&mut world, 6).await;
    assert_eq!(broken_at(&world, &device).await, None);
    let kept = head(&world, &ada).await;
    for (place, change) in [
        (6, "pii = replace(pii, 'Person', 'Nobody')"),
        (5, "salt = replace(salt, '0', '1')"),
        (4, "outcome = 'FAILURE'"),
        (3, "actor = replace(actor, 'USER', 'SYSTEM')"),
        (2, "hash = prev_hash"),
        (1, "at = at - 1000"),
    ] {
        touch(&world, &ada, &format!("UPDATE audit_entries SET {change} WHERE chain = '{{chain}}' AND seq = {place}"))
            .await;
        assert_eq!(broken_at(&world, &device).await, Some(place), "{change}");
    }
    assert!(!is_consistent(&world, &device, &kept).await, "its own row was touched");
    let verdict = verify(&world, world.by(&device), Some(1), Some(1)).await.unwrap();
    assert_eq!((verdict.broken_at, verdict.checked), (Some(1), 1));
}

#[tokio::test]
async fn a_dropped_row_is_found() {
    let mut world = World::new().await;
    let (ada, device) = user_with_entries(&mut world, 6).await;
    touch(&world, &ada, "DELETE FROM audit_entries WHERE chain = '{chain}' AND seq = 4").await;
    assert_eq!(broken_at(&world, &device).await, Some(4));
    touch(&world, &ada, "DELETE FROM audit_entries WHERE chain = '{chain}' AND seq = 1").await;
    assert_eq!(broken_at(&world, &device).await, Some(1));
}

#[tokio::test]
async fn a_truncated_trail_is_found_by_its_head_or_by_a_kept_head() {
    let mut world = World::new().await;
    let (ada, device) = user_with_entries(&mut world, 6).await;
    let kept = head(&world, &ada).await;
    assert!(is_consistent(&world, &device, &kept).await);
    touch(&world, &ada, "DELETE FROM audit_entries WHERE chain = '{chain}' AND seq > 4").await;
    assert_eq!(broken_at(&world, &device).await, Some(5));
    touch(
        &world,
        &ada,
        "UPDATE audit_heads SET seq = 4, hash = (SELECT hash FROM audit_entries WHERE chain = '{chain}' AND seq = 4) \
         WHERE chain = '{chain}'",
    )
    .await;
    assert_eq!(broken_at(&world, &device).await, None, "the rest hangs together");
    assert!(!is_consistent(&world, &device, &kept).await);
    // Not even after the trail has grown beyond it again.
    extend(&mut world, &device, 4).await;
    assert_eq!(broken_at(&world, &device).await, None);
    assert!(!is_consistent(&world, &device, &kept).await);
}

#[tokio::test]
async fn expired_entries_are_pruned_oldest_first() {
    let mut world = World::new().await;
    let (ada, device) = user_with_entries(&mut world, 5).await;
    let kept = head(&world, &ada).await;
    world.pass(days(100));
    // The first of these sets the present value again.
    extend(&mut world, &device, 4).await;
    assert_eq!(audit::prune_due(&world.engine, world.now).await.unwrap(), 0, "nothing is a year old");
    world.pass(days(265));
    let own = world.audit_records(Chain::User(ada.id)).await.len();
    let pruned = audit::prune_due(&world.engine, world.now).await.unwrap();
    let own_left = world.audit_records(Chain::User(ada.id)).await.len();
    assert_eq!(usize::try_from(pruned).unwrap(), 5 + own - own_left);
    let call = world.by(&device);
    let left: Vec<_> =
        list(&world, call.clone()).await.unwrap().into_iter().map(|entry| entry.seal.unwrap().seq).collect();
    assert_eq!(left, [8, 7, 6]);
    let verdict = verify(&world, call.clone(), None, None).await.unwrap();
    assert_eq!((verdict.broken_at, verdict.range, verdict.checked), (None, Some((6, 8)), 3));
    assert!(is_consistent(&world, &device, &kept).await, "the last that was pruned is remembered");
    // The rest is pruned later; the trail continues from there.
    world.pass(days(101));
    audit::prune_due(&world.engine, world.now).await.unwrap();
    assert_eq!(list(&world, world.by(&device)).await.unwrap(), []);
    extend(&mut world, &device, 2).await;
    let verdict = verify(&world, world.by(&device), None, None).await.unwrap();
    assert_eq!((verdict.broken_at, verdict.range), (None, Some((9, 10))));
    // An attacker has made up the pruned part.
    touch(&world, &ada, "UPDATE audit_heads SET pruned_hash = hash WHERE chain = '{chain}'").await;
    assert_eq!(broken_at(&world, &device).await, Some(9));
}

#[tokio::test]
async fn a_shorter_retention_counts_after_a_week() {
    let mut world = World::new().await;
    let (_, device) = user_with_entries(&mut world, 2).await;
    world.pass(days(60));
    let change = SettingsChange { audit_log_retention_days: Some(Some(30)), ..SettingsChange::default() };
    set(&world, &device, change).await;
    for (later, left) in [(days(0), 2), (days(6), 2), (days(1) + Duration::from_secs(1), 0)] {
        world.pass(later);
        audit::prune_due(&world.engine, world.now).await.unwrap();
        assert_eq!(list(&world, world.by(&device)).await.unwrap().len(), left, "{later:?}");
    }
}

#[tokio::test]
async fn a_purged_account_leaves_valid_chains_without_its_name() {
    let mut world = World::new().await;
    let (host, hosts) = world.newcomer().await;
    let (guest, guests) = world.newcomer().await;
    world.joins(&guest, &host, Role::Admin).await;
    extend(&mut world, &hosts, 1).await;
    let change = SettingsChange { share_links_allowed: Some(Some(true)), ..SettingsChange::default() };
    let call = world.by(&guests).at(host.workspace);
    world.write(call, move |unit| Box::pin(settings::update(unit, Ok(change)))).await.unwrap();
    let confirmation = Some(format!("DELETE {}", guest.id));
    world.write(world.by(&guests), |unit| Box::pin(deletion::schedule(unit, confirmation))).await.unwrap();
    world.engine.store.seal_audits().await.unwrap();
    world.pass(days(31));
    deletion::purge_due(&world.engine, world.now).await.unwrap();
    world.engine.store.seal_audits().await.unwrap();
    let entries = list(&world, world.by(&hosts)).await.unwrap();
    let named: Vec<_> = entries.iter().map(|entry| entry.personal.is_some()).collect();
    assert_eq!(named, [true, false, true], "the guest's own; behind it that the membership ended");
    assert_eq!(broken_at(&world, &hosts).await, None);
    let name = format!("Person {}", 2);
    let left = world.database.number(&format!("SELECT count(*) FROM audit_entries WHERE pii LIKE '%{name}%'")).await;
    assert_eq!(left, 0);
    let mut view = world.engine.store.reader().await.unwrap();
    let own = view.audits().list_sealed_entries(Chain::User(guest.id), 1, 100).await.unwrap();
    assert!(ChainLink::origin().follow(&own).is_ok());
    assert_eq!(own.len(), 2, "that it was scheduled, and that it was done");
}

#[tokio::test]
async fn only_owners_and_admins_read_the_trail() {
    let mut world = World::new().await;
    let (host, hosts) = user_with_entries(&mut world, 2).await;
    for (role, refusal) in [
        (Role::Guest, Some(Denial::RequiresRole(Role::Admin))),
        (Role::Member, Some(Denial::RequiresRole(Role::Admin))),
        (Role::Admin, None),
    ] {
        let (bob, bobs) = world.newcomer().await;
        world.joins(&bob, &host, role).await;
        let call = || world.by(&bobs).at(host.workspace);
        assert_eq!(list(&world, call()).await.err(), refusal.map(denied), "{role}");
        assert_eq!(verify(&world, call(), None, None).await.err(), refusal.map(denied), "{role}");
    }
    assert_eq!(list(&world, world.by(&hosts)).await.unwrap().len(), 2);
}
