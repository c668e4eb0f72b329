//! Workspaces: who is admitted, who may change what, and what is recorded.

use crate::world::{Calling, Device, World, conflict, denied};
use octavo_app::{
    Call, Caller, chores,
    sessions::{self, SessionPage},
    workspaces::{self, deletion, operator, settings},
};
use octavo_core_model::{
    Fault, KeyScope, Role, Timestamp,
    api_key::{ApiKey, PresentedKey},
    event::Chain,
    fault::{Conflict, Denial, Hint, Issue, Violation},
    id::WorkspaceId,
    member::Membership,
    session::{Proof, SessionStatus},
    settings::SettingsChange,
    time::days,
    workspace::{Limit, OwnLimits, RETENTION, WorkspaceChange},
};
use octavo_ports::store::Record;
use octavo_testkit::make;
use serde_json::json;

async fn get(world: &World, call: Call) -> Result<WorkspaceId, Fault> {
    let (shown, _) = world.read(call, |view| Box::pin(workspaces::get(view))).await?;
    Ok(shown.workspace.id)
}

async fn rename(world: &World, call: Call, name: &str) -> Result<(), Fault> {
    let change = WorkspaceChange { name: Some(make::name(name)), ..WorkspaceChange::default() };
    world.write(call, move |unit| Box::pin(workspaces::update(unit, Ok(change)))).await.map(drop)
}

async fn set(world: &World, call: Call, change: SettingsChange) -> Result<(), Fault> {
    world.write(call, move |unit| Box::pin(settings::update(unit, Ok(change)))).await.map(drop)
}

async fn delete(world: &World, call: Call, id: WorkspaceId) -> Result<Timestamp, Fault> {
    let confirmation = Some(format!("DELETE {id}"));
    world.write(call, move |unit| Box::pin(deletion::schedule(unit, confirmation))).await
}

fn key(workspace: WorkspaceId, scope: KeyScope) -> Caller {
    let plain = make::api_key(1, workspace, make::user_id(1));
    let key = ApiKey { scopes: [scope].into(), ..plain };
    Caller::Key(Box::new(make::presented(key)))
}

#[tokio::test]
async fn roles_below_admin_change_nothing() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    for (role, refusal) in [
        (Role::Guest, Some(Denial::RequiresRole(Role::Admin))),
        (Role::Member, Some(Denial::RequiresRole(Role::Admin))),
        (Role::Admin, None),
    ] {
        let (bob, bobs) = world.newcomer().await;
        world.joins(&bob, &ada, role).await;
        let call = || world.by(&bobs).at(ada.workspace);
        assert_eq!(get(&world, call()).await, Ok(ada.workspace), "{role}");
        assert_eq!(rename(&world, call(), "Acme").await.err(), refusal.map(denied), "{role}");
        assert_eq!(set(&world, call(), SettingsChange::default()).await.err(), refusal.map(denied), "{role}");
        let owner_only = denied(Denial::RequiresRole(Role::Owner));
        assert_eq!(delete(&world, call(), ada.workspace).await.err(), Some(owner_only), "{role}");
    }
    rename(&world, world.by(&device).at(ada.workspace), "Acme").await.unwrap();
}

#[tokio::test]
async fn a_key_acts_in_its_workspace_as_far_as_its_scope_goes() {
    let mut world = World::new().await;
    let (ada, bob) = (world.person().await, world.person().await);
    let call = |scope| Call { caller: key(ada.workspace, scope), ..world.nobody() };
    for scope in KeyScope::ALL.iter().copied() {
        assert_eq!(get(&world, call(scope)).await, Ok(ada.workspace));
        let refusal = (scope < KeyScope::Admin).then_some(denied(Denial::KeyScope(KeyScope::Admin)));
        assert_eq!(rename(&world, call(scope), "Acme").await.err(), refusal, "{scope}");
        let outside = Some(denied(Denial::KeyOutsideWorkspace));
        for foreign in [bob.workspace, WorkspaceId::new(1, [9; 10])] {
            assert_eq!(get(&world, call(scope).at(foreign)).await.err(), outside);
            assert_eq!(get(&world, call(scope).at(ada.workspace).naming(foreign)).await.err(), outside);
        }
        assert_eq!(delete(&world, call(scope), ada.workspace).await.err(), Some(denied(Denial::RequiresUser)));
    }
    let events = world.events(ada.workspace).await;
    let renamed = events.iter().find(|(kind, ..)| kind == "workspace.updated").unwrap();
    assert_eq!((renamed.1.as_str(), renamed.2.starts_with("apk_")), ("API_KEY", true), "the key is the actor");
}

#[tokio::test]
async fn a_key_is_refused_from_elsewhere_and_in_a_workspace_on_its_way_out() {
    let mut world = World::new().await;
    let ada = world.person().await;
    let Caller::Key(mut presented) = key(ada.workspace, KeyScope::Read) else { unreachable!() };
    presented.key.allowed_networks = vec!["198.51.100.0/24".parse().unwrap()];
    let by = |presented: &PresentedKey| Call { caller: Caller::Key(Box::new(presented.clone())), ..world.nobody() };
    assert_eq!(get(&world, by(&presented)).await.err(), Some(denied(Denial::AddressNotAllowed)));
    assert_eq!(get(&world, by(&presented).from("198.51.100.7")).await, Ok(ada.workspace));
    presented.is_workspace_deleting = true;
    assert_eq!(get(&world, by(&presented).from("198.51.100.7")).await.err(), Some(Fault::WorkspaceDeleting));
}

#[tokio::test]
async fn a_token_of_a_removed_workspace_counts_as_personal() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let acme = world.creates_workspace(&ada).await;
    let mut minted = device.clone();
    minted.claims.workspace = acme;
    assert_eq!(get(&world, world.by(&minted)).await, Ok(acme));
    delete(&world, world.by(&device).at(acme), acme).await.unwrap();
    assert_eq!(get(&world, world.by(&minted)).await, Ok(ada.workspace));
    assert_eq!(get(&world, world.by(&minted).naming(acme)).await.err(), Some(Fault::WorkspaceDeleting));
    minted.claims.workspace = world.person().await.workspace;
    assert_eq!(get(&world, world.by(&minted)).await, Ok(ada.workspace));
}

#[tokio::test]
async fn a_session_of_an_invitation_reaches_its_workspace_only() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let acme = world.creates_workspace(&ada).await;
    let mut bound = device.clone();
    bound.claims.workspace = acme;
    bound.claims.proofs = vec![Proof::Invitation];
    let mismatch = Some(denied(Denial::WorkspaceMismatch));
    assert_eq!(get(&world, world.by(&bound)).await, Ok(acme));
    assert_eq!(get(&world, world.by(&bound).at(ada.workspace)).await.err(), mismatch);
    assert_eq!(get(&world, world.by(&bound).naming(ada.workspace)).await.err(), mismatch);
    let listed = world.read(world.by(&bound), |view| {
        Box::pin(workspaces::list(view, Ok(workspaces::WorkspacePage { before: None, limit: 10 })))
    });
    let listed: Vec<_> = listed.await.unwrap().into_iter().map(|shown| shown.workspace.id).collect();
    assert_eq!(listed, [acme]);
    let sessions = world.read(world.by(&bound), |view| {
        Box::pin(sessions::list(view, Ok(SessionPage { status: SessionStatus::Active, before: None, limit: 10 })))
    });
    assert_eq!(sessions.await.err(), Some(denied(Denial::RequiresLogin)));
    delete(&world, world.by(&device).at(acme), acme).await.unwrap();
    assert_eq!(get(&world, world.by(&bound)).await.err(), Some(Fault::WorkspaceDeleting), "it has no other home");
}

#[tokio::test]
async fn allowing_share_links_is_reported_as_a_permission_change() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let call = || world.by(&device).at(ada.workspace);
    set(&world, call(), SettingsChange { trash_retention_days: Some(Some(7)), ..SettingsChange::default() })
        .await
        .unwrap();
    let count = async |kind: &str| world.events(ada.workspace).await.iter().filter(|(found, ..)| found == kind).count();
    assert_eq!((count("workspace.settings_updated").await, count("permission.changed").await), (1, 0));
    let no_links = SettingsChange { share_links_allowed: Some(Some(false)), ..SettingsChange::default() };
    for _ in 0..2 {
        set(&world, call(), no_links.clone()).await.unwrap();
    }
    assert_eq!((count("workspace.settings_updated").await, count("permission.changed").await), (2, 1));
    let records = world.audit_records(Chain::Workspace(ada.workspace)).await;
    let change = &records.iter().find(|record| record.action == "permission.changed").unwrap().personal;
    let expected = json!([{ "field": "shareLinks.allowed", "from": true, "to": false }]);
    assert_eq!(change.as_ref().unwrap()["changes"], expected);
}

#[tokio::test]
async fn a_deletion_is_confirmed_recorded_and_carried_out_in_time() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let acme = world.creates_workspace(&ada).await;
    let call = || world.by(&device).at(acme);
    let confirmation = format!("DELETE {}", ada.workspace);
    let unconfirmed = Violation::new("X-Confirm", Issue::InvalidValue).with(confirmation.into());
    let unconfirmed = unconfirmed.hinting(Hint::one_of([format!("DELETE {acme}")]));
    assert_eq!(delete(&world, call(), ada.workspace).await.err(), Some(unconfirmed.into()));
    assert_eq!(
        delete(&world, world.by(&device).at(ada.workspace), ada.workspace).await.err(),
        Some(conflict(Conflict::PersonalWorkspace))
    );
    assert_eq!(delete(&world, call(), acme).await, Ok(world.now.plus(RETENTION)));
    let records = world.audit_records(Chain::Workspace(acme)).await;
    let record = records.iter().find(|record| record.action == "workspace.deleted").unwrap();
    assert_eq!(record.personal.as_ref().unwrap()["changes"][0]["from"], json!([ada.id]));
    world.pass_almost(RETENTION);
    assert_eq!(deletion::purge_due(&world.engine, world.now).await, Ok(0));
    world.pass(days(1));
    for _ in 0..2 {
        let due = chores::purge(&world.engine, &world.blobs, world.now, true).await.unwrap();
        assert_eq!((due.workspaces, due.accounts), (1, 0), "a look removes nothing");
    }
    let gone = chores::purge(&world.engine, &world.blobs, world.now, false).await.unwrap();
    assert_eq!((gone.workspaces, gone.accounts), (1, 0));
    let rows = format!("SELECT count(*) FROM workspaces WHERE id = '{acme}'");
    assert_eq!(world.database.number(&rows).await, 0);
    assert_eq!(get(&world, world.by(&renewed(&world, device)).at(acme)).await.err(), Some(Fault::NotFound));
}

/// The device with a token that was just issued.
fn renewed(world: &World, mut device: Device) -> Device {
    device.claims.issued_at = world.now;
    device
}

#[tokio::test]
async fn the_operator_lists_limits_and_deletes() {
    let mut world = World::new().await;
    let ada = world.person().await;
    let acme = world.creates_workspace(&ada).await;
    let limits = OwnLimits { members: Some(Limit::AtMost(3)), ..OwnLimits::default() };
    let set = operator::set_limits(&world.engine, world.now, acme, limits).await.unwrap();
    assert_eq!(set.limits, limits);
    let more = OwnLimits { databases: Some(Limit::None), ..OwnLimits::default() };
    let set = operator::set_limits(&world.engine, world.now, acme, more).await.unwrap();
    assert_eq!(set.limits, OwnLimits { members: Some(Limit::AtMost(3)), ..more }, "what is left open stays");
    let purge_at = world.now.plus(RETENTION);
    for _ in 0..2 {
        assert_eq!(operator::delete(&world.engine, world.now, acme).await, Ok(purge_at));
    }
    let records = world.audit_records(Chain::Workspace(acme)).await;
    assert_eq!(records.iter().filter(|record| record.action == "workspace.deleted").count(), 1);
    assert_eq!(records[0].actor, json!({ "type": "SYSTEM", "id": null }));
    let unknown = operator::delete(&world.engine, world.now, WorkspaceId::new(1, [9; 10])).await;
    assert_eq!(unknown, Err(Fault::NotFound.into()));
    let call = Call::system(world.now);
    let listed = world.read(call, move |view| Box::pin(operator::list(view, None, 10))).await.unwrap();
    assert_eq!(listed.len(), 2, "the personal one and the deleted one");
}

/// On SQLite units run one after the other anyway.
#[tokio::test]
async fn a_caller_demoted_or_removed_while_waiting_is_refused() {
    let Some(mut world) = World::on_postgres().await else { return };
    let (owner, admin, removed) = (world.newcomer().await, world.newcomer().await, world.newcomer().await);
    let id = world.creates_workspace(&owner.0).await;
    for person in [&admin.0, &removed.0] {
        world.adds(world.by(&owner.1).at(id), person.id, Role::Admin).await.unwrap();
    }
    let mut unit = world.engine.store.writer().await.unwrap();
    unit.workspaces().lock(id).await.unwrap();
    let meanwhile = async {
        let waiting =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        while world.database.number(waiting).await < 2 {
            tokio::task::yield_now().await;
        }
        let membership = unit.members().find(id, admin.0.id).await.unwrap().unwrap();
        unit.members().save_role(&Membership { role: Role::Member, ..membership }, world.now).await.unwrap();
        unit.members().remove(id, removed.0.id).await.unwrap();
        unit.commit(Record::default()).await.unwrap();
    };
    let (by_admin, by_removed) = (world.by(&admin.1).at(id), world.by(&removed.1).at(id));
    let (demoted, gone, ()) =
        tokio::join!(rename(&world, by_admin, "Mine"), rename(&world, by_removed, "Mine"), meanwhile);
    assert_eq!(demoted, Err(denied(Denial::RequiresRole(Role::Admin))));
    assert_eq!(gone, Err(denied(Denial::WorkspaceMismatch)));
}
