//! Grants to apps, and what ends them.

use super::*;
use crate::world::fault_of;
use octavo_app::browser_account;

#[tokio::test]
async fn consenting_again_widens_and_prolongs_the_grant() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let (client, first) = world.let_in(&device, true).await;
    let team = world.creates_workspace(&ada).await;
    world.pass(days(1));
    let decision = Decision::Approve { workspaces: Some(vec![team]) };
    let address = world.answers(world.by(&device), client.request(&[("scope", "files:read")]), decision).await;
    let second = world.exchanges(&client, &code_of(&address.unwrap())).await.unwrap();
    let [grant] = &world.granted(&device).await[..] else { panic!("one grant") };
    assert_eq!(grant.scopes, client.app.scopes);
    assert!(grant.reaches(team) && grant.reaches(ada.workspace));
    assert_eq!(grant.expires_at, world.now.plus(days(365)));
    assert_eq!((first.claims.grant, second.claims.grant), (grant.id, grant.id));
    assert_eq!(second.claims.scopes, [AppScope::FilesRead], "tokens hold what their code was for");
    let mut view = world.engine.store.reader().await.unwrap();
    let claims = &second.claims;
    let access =
        view.oauth().find_app_access(claims.user, claims.grant, claims.family, claims.id, world.now).await.unwrap();
    assert_eq!(access.unwrap().grant.workspaces, [team]);
}

#[tokio::test]
async fn a_grant_that_covers_the_request_skips_the_question() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let (client, _) = world.let_in(&device, false).await;
    let again = async |scope: &str| {
        world.answers(world.by(&device), client.request(&[("scope", scope)]), Decision::AsBefore).await.unwrap()
    };
    let before = world.granted(&device).await;
    let code = code_of(&again("pages:read").await);
    assert!(world.exchanges(&client, &code).await.is_ok());
    assert!(again("files:read").await.contains("error=consent_required"));
    assert_eq!(world.granted(&device).await[0].expires_at, before[0].expires_at, "nothing was consented to");
}

#[tokio::test]
async fn a_grant_covers_a_scope_only_if_it_was_approved_for_every_workspace() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let team = world.creates_workspace(&ada).await;
    let client = world.registers(world.by(&device), planner(false)).await.unwrap();
    let answer = async |scope: &str, decision: Decision| {
        world.answers(world.by(&device), client.request(&[("scope", scope)]), decision).await.unwrap()
    };
    let approve = async |scope: &str, workspaces: &[WorkspaceId]| {
        code_of(&answer(scope, Decision::Approve { workspaces: Some(workspaces.to_vec()) }).await);
    };
    approve("pages:read", &[ada.workspace]).await;
    approve("pages:read pages:write", &[team]).await;
    let again = answer("pages:read pages:write", Decision::AsBefore).await;
    assert!(again.contains("error=consent_required"), "writing was never approved for the first: {again}");
    code_of(&answer("pages:read", Decision::AsBefore).await);
    approve("pages:write", &[ada.workspace, team]).await;
    let issued = world.exchanges(&client, &code_of(&answer("pages:read pages:write", Decision::AsBefore).await)).await;
    assert_eq!(issued.unwrap().claims.scopes, [AppScope::PagesRead, AppScope::PagesWrite]);
}

#[tokio::test]
async fn a_grant_is_narrowed_by_its_owner_and_not_widened() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let (_, other) = world.newcomer().await;
    let (client, issued) = world.let_in(&device, true).await;
    let id = issued.claims.grant;
    let scopes =
        |scopes: &[AppScope]| RemainingAccess { scopes: Some(scopes.iter().copied().collect()), workspaces: None };
    let limited = |workspaces: &[WorkspaceId]| RemainingAccess { scopes: None, workspaces: Some(workspaces.to_vec()) };
    let wider = scopes(&[AppScope::PagesRead, AppScope::FilesRead]);
    assert_eq!(world.narrows(&device, id, wider).await.err(), Some(Fault::GrantWidened("scopes")));
    let elsewhere = limited(&[WorkspaceId::new(1, [7; 10])]);
    assert_eq!(world.narrows(&device, id, elsewhere).await.err(), Some(Fault::GrantWidened("workspaceIds")));
    assert_eq!(world.narrows(&other, id, RemainingAccess::default()).await.err(), Some(Fault::NotFound));
    let narrowed = world.narrows(&device, id, scopes(&[AppScope::PagesRead])).await.unwrap();
    assert_eq!((narrowed.scopes, narrowed.workspaces), ([AppScope::PagesRead].into(), vec![ada.workspace]));
    let next = world.refreshes(&client, &refresh_of(&issued)).await.unwrap();
    assert_eq!(next.claims.scopes, [AppScope::PagesRead]);
    assert_eq!(world.audit_reasons(&ada, "oauth.grant_revoked").await.len(), 1);
    world.narrows(&device, id, scopes(&[AppScope::PagesRead])).await.unwrap();
    assert_eq!(world.audit_reasons(&ada, "oauth.grant_revoked").await.len(), 1, "nothing changed");
}

#[tokio::test]
async fn a_revoked_grant_gives_nothing() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let (client, issued) = world.let_in(&device, true).await;
    let code = world.approves(&device, &client, "pages:read").await;
    let id = issued.claims.grant;
    world.takes_back(&device, id).await.unwrap();
    world.takes_back(&device, id).await.expect("again changes nothing");
    assert!(!world.counts(&issued).await);
    assert_eq!(world.refreshes(&client, &refresh_of(&issued)).await.err(), Some(INVALID_TOKEN));
    assert_eq!(world.exchanges(&client, &code).await.err(), Some(INVALID_CODE), "nor is a code from before");
    assert!(world.granted(&device).await.is_empty());
    assert_eq!(world.audit_reasons(&ada, "oauth.grant_revoked").await, [None]);
    let gone = world.read(world.by(&device), move |view| Box::pin(grants::get(view, Ok(id)))).await;
    assert_eq!(gone.err(), Some(Fault::NotFound));
    let code = world.approves(&device, &client, "pages:read").await;
    let anew = world.exchanges(&client, &code).await.unwrap();
    assert_ne!(anew.claims.grant, id);
    assert!(!world.counts(&issued).await, "a new grant revives nothing");
}

#[tokio::test]
async fn a_browser_lists_and_withdraws_the_apps_of_its_own_user_only() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let bob = world.person().await;
    let (_, issued) = world.let_in(&device, true).await;
    let (browser, foreign) = (world.browser_of(&ada).await, world.browser_of(&bob).await);
    let list = async |cookie: &Token| {
        let (cookie, page) = (cookie.clone(), GrantPage { before: None, limit: 9 });
        let list = world.read(world.nobody(), move |view| Box::pin(browser_account::list_apps(view, cookie, page)));
        list.await.unwrap()
    };
    let withdraw = async |cookie: &Token| {
        let (cookie, id) = (cookie.clone(), issued.claims.grant);
        let withdraw = world
            .engine
            .change(world.nobody(), move |unit| Box::pin(browser_account::withdraw_app(unit, cookie, Ok(id))));
        fault_of(withdraw.await)
    };
    let own = list(&browser).await;
    assert_eq!(own.grants.iter().map(|grant| grant.id).collect::<Vec<_>>(), [issued.claims.grant]);
    assert_eq!(own.workspaces.iter().map(|own| own.id).collect::<Vec<_>>(), [ada.workspace]);
    assert!(list(&foreign).await.grants.is_empty());
    assert_eq!(withdraw(&foreign).await.err(), Some(Fault::NotFound));
    assert!(world.counts(&issued).await);
    withdraw(&browser).await.unwrap();
    withdraw(&browser).await.expect("again changes nothing");
    assert!(!world.counts(&issued).await && list(&browser).await.grants.is_empty());
    assert_eq!(world.audit_reasons(&ada, "oauth.grant_revoked").await, [None]);
}

#[tokio::test]
async fn a_workspace_keeps_an_app_out() {
    let mut world = World::new().await;
    let (ada, owner) = world.newcomer().await;
    let (bob, device) = world.newcomer().await;
    world.joins(&bob, &ada, Role::Member).await;
    let client = world.registers(world.by(&owner), planner(true)).await.unwrap();
    let both = Decision::Approve { workspaces: Some(vec![ada.workspace, bob.workspace]) };
    let address = world.answers(world.by(&device), client.request(&[]), both).await.unwrap();
    let issued = world.exchanges(&client, &code_of(&address)).await.unwrap();
    let id = issued.claims.grant;
    let list = async || {
        let page = GrantPage { before: None, limit: 9 };
        let call = world.by(&owner).at(ada.workspace);
        let found = world.read(call, move |view| Box::pin(grants::list_into(view, Ok(page)))).await.unwrap();
        found.into_iter().map(|reaching| reaching.grant.id).collect::<Vec<_>>()
    };
    let withdraw = async |device: &Device, workspace| {
        let call = world.by(device).at(workspace);
        world.write(call, move |unit| Box::pin(grants::withdraw(unit, Ok(id)))).await
    };
    assert_eq!(list().await, [id]);
    assert_eq!(withdraw(&device, ada.workspace).await.err(), Some(denied(Denial::RequiresRole(Role::Admin))));
    withdraw(&owner, ada.workspace).await.unwrap();
    assert!(list().await.is_empty());
    assert_eq!(withdraw(&owner, ada.workspace).await.err(), Some(Fault::NotFound));
    assert_eq!(world.granted(&device).await[0].workspaces, [bob.workspace]);
    assert!(world.counts(&issued).await);
    withdraw(&device, bob.workspace).await.unwrap();
    assert!(!world.counts(&issued).await, "a grant that reaches nothing is over");
}

#[tokio::test]
async fn scopes_and_addresses_that_an_app_loses_end_at_once() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let (client, issued) = world.let_in(&device, true).await;
    let code = world.approves(&device, &client, "pages:write").await;
    let scopes = Some([AppScope::PagesRead].into());
    let change = AppChange { scopes, ..AppChange::default() };
    world.changes_app(world.by(&device), client.app.id, change).await.unwrap();
    assert_eq!(world.exchanges(&client, &code).await.err(), Some(INVALID_CODE));
    let issued = world.refreshes(&client, &refresh_of(&issued)).await.unwrap();
    assert_eq!(issued.claims.scopes, [AppScope::PagesRead]);
    let code = world.approves(&device, &client, "pages:read").await;
    let uris = Some(vec![RedirectUri::parse("https://planner.example/new").unwrap()]);
    let change = AppChange { redirect_uris: uris, ..AppChange::default() };
    world.changes_app(world.by(&device), client.app.id, change).await.unwrap();
    assert_eq!(world.exchanges(&client, &code).await.err(), Some(INVALID_CODE));
    assert!(world.counts(&issued).await, "tokens do not rest on an address");
}

#[tokio::test]
async fn a_removed_app_takes_codes_and_tokens_along() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let (client, issued) = world.let_in(&device, false).await;
    let code = world.approves(&device, &client, "pages:read").await;
    world.removes_app(world.by(&device), client.app.id).await.unwrap();
    assert!(!world.counts(&issued).await);
    assert_eq!(world.exchanges(&client, &code).await.err(), Some(UNKNOWN_CLIENT));
    assert_eq!(world.refreshes(&client, &refresh_of(&issued)).await.err(), Some(UNKNOWN_CLIENT));
    assert!(world.granted(&device).await.is_empty());
    let reason = Some("app_deleted".to_owned());
    assert_eq!(world.audit_reasons(&ada, "oauth.token_revoked").await.as_slice(), std::slice::from_ref(&reason));
    assert_eq!(world.audit_reasons(&ada, "oauth.grant_revoked").await, [reason]);
    assert_eq!(world.removes_app(world.by(&device), client.app.id).await.err(), Some(Fault::NotFound));
}

#[tokio::test]
async fn an_account_that_ends_takes_its_grants_along() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let (client, suspended) = world.let_in(&device, true).await;
    operator::suspend(&world.engine, world.now, Handle::Id(ada.id)).await.unwrap();
    operator::reinstate(&world.engine, world.now, Handle::Id(ada.id)).await.unwrap();
    assert!(!world.counts(&suspended).await);
    assert_eq!(world.refreshes(&client, &refresh_of(&suspended)).await.err(), Some(INVALID_TOKEN));
    let (_, leaving) = world.newcomer().await;
    let (_, deleted) = world.let_in(&leaving, true).await;
    world.delete(&leaving).await.unwrap();
    assert!(!world.counts(&deleted).await);
}

#[tokio::test]
async fn the_first_proof_of_a_mailbox_revokes_earlier_grants() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let (_, trapped) = world.let_in(&device, true).await;
    let ada = world.reset(&ada).await;
    assert!(!world.counts(&trapped).await);
    let device = world.signed_in(&ada).await;
    let (_, own) = world.let_in(&device, true).await;
    world.reset(&ada).await;
    assert!(world.counts(&own).await, "a later reset leaves what the owner granted");
}

#[tokio::test]
async fn an_app_gives_up_its_own_tokens_and_no_others() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let (client, first) = world.let_in(&device, false).await;
    let (other, foreign) = world.let_in(&device, false).await;
    let second = world.refreshes(&client, &refresh_of(&first)).await.unwrap();
    let access = |issued: &Issued| SubmittedToken::Access(issued.claims.clone());
    let token = |issued: &Issued| SubmittedToken::Refresh(issued.refresh_token.hash());
    let anonymous = ClientProof::default;
    let wrong = ClientProof { secret: other.proof().secret, ..client.proof() };
    for (proof, given) in [
        (anonymous(), access(&second)),
        (anonymous(), token(&second)),
        (wrong, token(&second)),
        (other.proof(), token(&second)),
        (client.proof(), access(&foreign)),
        (client.proof(), SubmittedToken::Other),
    ] {
        world.gives_up(proof, given).await;
    }
    assert!(world.counts(&first).await && world.counts(&second).await && world.counts(&foreign).await);
    world.gives_up(client.proof(), access(&first)).await;
    assert!(!world.counts(&first).await && world.counts(&second).await);
    world.gives_up(client.proof(), token(&second)).await;
    assert!(!world.counts(&second).await && world.counts(&foreign).await);
    assert_eq!(world.refreshes(&client, &refresh_of(&second)).await.err(), Some(INVALID_TOKEN));
    assert_eq!(world.audit_reasons(&ada, "oauth.token_revoked").await, [None, None]);
    let (_, public) = world.let_in(&device, true).await;
    world.gives_up(anonymous(), token(&public)).await;
    assert!(!world.counts(&public).await, "a public app need not say who it is");
}

#[tokio::test]
async fn introspection_tells_a_confidential_app_of_its_own_tokens() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let (client, issued) = world.let_in(&device, false).await;
    let (other, _) = world.let_in(&device, false).await;
    let (public, of_public) = world.let_in(&device, true).await;
    let access = SubmittedToken::Access(issued.claims.clone());
    let token = SubmittedToken::Refresh(issued.refresh_token.hash());
    let all = [AppScope::PagesRead, AppScope::PagesWrite].into();
    let live = ValidToken::Access { claims: issued.claims.clone(), scopes: all };
    assert_eq!(world.introspects(client.proof(), access.clone()).await, Some(live));
    let found = world.introspects(client.proof(), token.clone()).await;
    assert!(matches!(found, Some(ValidToken::Refresh { user, .. }) if user == issued.claims.user), "{found:?}");
    for (proof, given) in [
        (other.proof(), access.clone()),
        (other.proof(), token.clone()),
        (ClientProof { secret: None, ..client.proof() }, access.clone()),
        (ClientProof::default(), access.clone()),
        (client.proof(), SubmittedToken::Other),
        (public.proof(), SubmittedToken::Access(of_public.claims.clone())),
    ] {
        assert_eq!(world.introspects(proof, given).await, None);
    }
    world.takes_back(&device, issued.claims.grant).await.unwrap();
    assert_eq!(world.introspects(client.proof(), access).await, None);
    assert_eq!(world.introspects(client.proof(), token).await, None);
}

#[tokio::test]
async fn a_refresh_token_of_an_app_opens_no_session() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let (client, issued) = world.let_in(&device, true).await;
    let posing = Device { refresh: refresh_of(&issued), ..device.clone() };
    assert!(world.refresh(&posing).await.is_err());
    assert_eq!(world.refreshes(&client, &device.refresh).await.err(), Some(INVALID_TOKEN));
    assert!(world.counts(&issued).await && world.refresh(&device).await.is_ok());
    assert!(Token::parse(TokenKind::Refresh, &refresh_of(&issued)).is_ok(), "they look alike");
}
