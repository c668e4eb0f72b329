//! What a user or a workspace takes from an app does not come back to its existing codes and tokens.

use super::*;
use octavo_app::{Caller, oauth::presented, workspaces};
use octavo_core_model::{claims::PresentedApp, oauth::Narrowing};
use octavo_ports::store::Record;

const READ: AppScope = AppScope::PagesRead;
const WRITE: AppScope = AppScope::PagesWrite;

/// Makes two tests of each function, one for each engine.
macro_rules! on_both_engines {
    ($($case:ident)*) => {
        mod sqlite {
            $(#[tokio::test]
            async fn $case() {
                super::$case(crate::world::World::new().await).await;
            })*
        }
        mod postgres {
            $(#[tokio::test]
            async fn $case() {
                if let Some(world) = crate::world::World::on_postgres().await {
                    super::$case(world).await;
                }
            })*
        }
    };
}

on_both_engines! {
    scopes_that_a_user_took_away_do_not_come_back
    workspaces_that_a_user_took_away_do_not_come_back
    a_workspace_that_an_admin_withdrew_does_not_come_back
    scopes_that_an_app_lost_do_not_come_back
}

impl World {
    /// Consents for these workspaces and returns the code for the app.
    async fn approves_in(&self, device: &Device, client: &Client, scope: &str, workspaces: &[WorkspaceId]) -> String {
        let decision = Decision::Approve { workspaces: Some(workspaces.to_vec()) };
        let request = client.request(&[("scope", scope)]);
        code_of(&self.answers(self.by(device), request, decision).await.unwrap())
    }

    /// The app behind an access token, as it is now.
    async fn app_behind(&self, issued: &Issued) -> PresentedApp {
        presented::present(&self.engine, issued.claims.clone(), self.now).await.unwrap().unwrap()
    }

    /// What an access token allows now, and in which workspaces.
    async fn reach(&self, issued: &Issued) -> (Vec<AppScope>, Vec<WorkspaceId>) {
        let app = self.app_behind(issued).await;
        (app.scopes, app.workspaces)
    }
}

async fn scopes_that_a_user_took_away_do_not_come_back(mut world: World) {
    let (ada, device) = world.newcomer().await;
    let team = world.creates_workspace(&ada).await;
    let (client, issued) = world.let_in(&device, true).await;
    let code = world.approves(&device, &client, "pages:read pages:write").await;
    let less = RemainingAccess { scopes: Some([READ].into()), workspaces: None };
    world.narrows(&device, issued.claims.grant, less).await.unwrap();
    let code_for_team = world.approves_in(&device, &client, "pages:read pages:write", &[team]).await;
    assert!(world.granted(&device).await[0].scopes.contains(&WRITE), "in the team");
    assert_eq!(world.reach(&issued).await, (vec![READ], vec![ada.workspace]));
    let refreshed = world.refreshes(&client, &refresh_of(&issued)).await.unwrap();
    assert_eq!(refreshed.claims.scopes, [READ]);
    let from_code = world.exchanges(&client, &code).await.unwrap();
    assert_eq!(from_code.claims.scopes, [READ], "nor to a code from before");
    let of_team = world.exchanges(&client, &code_for_team).await.unwrap();
    assert_eq!(world.reach(&of_team).await, (vec![READ, WRITE], vec![team]));
}

async fn workspaces_that_a_user_took_away_do_not_come_back(mut world: World) {
    let (ada, device) = world.newcomer().await;
    let (home, team) = (ada.workspace, world.creates_workspace(&ada).await);
    let client = world.registers(world.by(&device), planner(true)).await.unwrap();
    let approve = async |workspaces: &[WorkspaceId]| {
        world.approves_in(&device, &client, "pages:read pages:write", workspaces).await
    };
    let in_both = world.exchanges(&client, &approve(&[home, team]).await).await.unwrap();
    let at_home = world.exchanges(&client, &approve(&[home]).await).await.unwrap();
    let (code_for_both, code_for_home) = (approve(&[home, team]).await, approve(&[home]).await);
    let less = RemainingAccess { scopes: None, workspaces: Some(vec![team]) };
    world.narrows(&device, in_both.claims.grant, less).await.unwrap();
    let code = world.approves_in(&device, &client, "pages:read", &[home]).await;
    assert!(world.granted(&device).await[0].reaches(home), "for reading");
    assert_eq!(world.reach(&in_both).await, (vec![READ, WRITE], vec![team]));
    let from_code = world.exchanges(&client, &code_for_both).await.unwrap();
    assert_eq!(world.reach(&from_code).await, (vec![READ, WRITE], vec![team]));
    assert_eq!(world.exchanges(&client, &code_for_home).await.err(), Some(INVALID_CODE), "it is for nothing any more");
    let anew = world.exchanges(&client, &code).await.unwrap();
    assert_eq!(world.reach(&anew).await, (vec![READ], vec![home]));
    // A token that reaches nothing any more stays valid and is outside of every workspace.
    let at_home = world.refreshes(&client, &refresh_of(&at_home)).await.unwrap();
    assert!(world.counts(&at_home).await);
    let call = Call { caller: Caller::App(Box::new(world.app_behind(&at_home).await)), ..world.nobody() };
    let refused = world.read(call.naming(home), |view| Box::pin(workspaces::get(view))).await.err();
    assert_eq!(refused, Some(denied(Denial::AppOutsideWorkspace)));
}

async fn a_workspace_that_an_admin_withdrew_does_not_come_back(mut world: World) {
    let (ada, owner) = world.newcomer().await;
    let (bob, device) = world.newcomer().await;
    world.joins(&bob, &ada, Role::Member).await;
    let client = world.registers(world.by(&owner), planner(true)).await.unwrap();
    let both = [ada.workspace, bob.workspace];
    let code = world.approves_in(&device, &client, "pages:read pages:write", &both).await;
    let issued = world.exchanges(&client, &code).await.unwrap();
    let (call, id) = (world.by(&owner).at(ada.workspace), issued.claims.grant);
    world.write(call, move |unit| Box::pin(grants::withdraw(unit, Ok(id)))).await.unwrap();
    world.approves_in(&device, &client, "pages:read", &[ada.workspace]).await;
    assert!(world.granted(&device).await[0].reaches(ada.workspace), "for reading");
    assert_eq!(world.reach(&issued).await, (vec![READ, WRITE], vec![bob.workspace]));
}

async fn scopes_that_an_app_lost_do_not_come_back(mut world: World) {
    let (ada, device) = world.newcomer().await;
    let team = world.creates_workspace(&ada).await;
    let (client, issued) = world.let_in(&device, true).await;
    for scopes in [[READ].into(), [READ, WRITE].into()] {
        let change = AppChange { scopes: Some(scopes), ..AppChange::default() };
        world.changes_app(world.by(&device), client.app.id, change).await.unwrap();
    }
    world.approves_in(&device, &client, "pages:write", &[team]).await;
    assert!(world.granted(&device).await[0].scopes.contains(&WRITE), "in the team");
    assert_eq!(world.reach(&issued).await, (vec![READ], vec![ada.workspace]));
}

/// On SQLite units run one after the other anyway.
#[tokio::test]
async fn a_code_that_its_app_loses_while_it_is_exchanged_gives_no_tokens() {
    let Some(mut world) = World::on_postgres().await else { return };
    let (_, device) = world.newcomer().await;
    let (client, _) = world.let_in(&device, true).await;
    let code = world.approves(&device, &client, "pages:read pages:write").await;
    let lost = Narrowing { scopes: [WRITE].into(), ..Narrowing::default() };
    let mut unit = world.engine.store.writer().await.unwrap();
    unit.oauth().narrow_app(client.app.id, &lost).await.unwrap();
    let meanwhile = async {
        world.waits_for_a_blocked_call().await;
        unit.commit(Record::default()).await.unwrap();
    };
    let (exchanged, ()) = tokio::join!(world.exchanges(&client, &code), meanwhile);
    assert_eq!(exchanged.err(), Some(INVALID_CODE));
}

/// A change of an app first locks its grants, with the names that they repeat.
#[tokio::test]
async fn an_app_loses_scopes_while_a_code_is_exchanged_without_a_deadlock() {
    let Some(mut world) = World::on_postgres().await else { return };
    let (_, device) = world.newcomer().await;
    let (client, _) = world.let_in(&device, true).await;
    let code = world.approves(&device, &client, "pages:read pages:write").await;
    let lost = Narrowing { scopes: [WRITE].into(), ..Narrowing::default() };
    let mut unit = world.engine.store.writer().await.unwrap();
    unit.oauth().save_app(&client.app).await.unwrap();
    let meanwhile = async {
        world.waits_for_a_blocked_call().await;
        unit.oauth().narrow_app(client.app.id, &lost).await.unwrap();
        unit.commit(Record::default()).await.unwrap();
    };
    let (exchanged, ()) = tokio::join!(world.exchanges(&client, &code), meanwhile);
    assert_eq!(exchanged.err(), Some(INVALID_CODE));
}

#[tokio::test]
async fn an_app_is_removed_while_a_token_is_refreshed_without_a_deadlock() {
    let Some(mut world) = World::on_postgres().await else { return };
    let (_, device) = world.newcomer().await;
    let (client, issued) = world.let_in(&device, true).await;
    let token = refresh_of(&issued);
    let mut unit = world.engine.store.writer().await.unwrap();
    unit.oauth().save_app(&client.app).await.unwrap();
    let meanwhile = async {
        world.waits_for_a_blocked_call().await;
        unit.oauth().remove_app(&client.app, world.now).await.unwrap();
        unit.commit(Record::default()).await.unwrap();
    };
    let (refreshed, ()) = tokio::join!(world.refreshes(&client, &token), meanwhile);
    assert!(!world.counts(&refreshed.unwrap()).await, "the app had identified itself before it was removed");
}
