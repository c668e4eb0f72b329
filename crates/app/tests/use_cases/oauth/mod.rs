//! Apps: registration, consent, the tokens that they get and when those stop working.

mod granted;
mod narrowed;

use crate::world::{Calling, Device, Person, World, conflict, denied, fault_of, invalid};
use octavo_app::{
    Call,
    oauth::{
        apps::{self, NewApp, NewSecret, Registered},
        authorization::{self, Answered, Decision},
        client::ClientProof,
        grants::{self, GrantPage, RemainingAccess},
        revocation::{self, SubmittedToken, ValidToken},
        token::{self, Issued, TokenRequest},
    },
    operator::{self, Handle},
    sessions::refresh::principal,
};
use octavo_core_model::{
    AppScope, Fault, Role, Secret, Token, TokenKind,
    fault::{Conflict, Denial, Issue, OauthFlaw, Violation},
    id::{ClientId, GrantId, WorkspaceId},
    oauth::{App, AppChange, AuthorizationRequest, Grant, Parameter, RedirectUri},
    text::Name,
    time::days,
};
use std::time::Duration;

const URI: &str = "https://planner.example/back";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const INVALID_CODE: Fault = invalid_grant("code", Issue::InvalidValue);
const INVALID_TOKEN: Fault = invalid_grant("refresh_token", Issue::InvalidValue);
const WRONG_VERIFIER: Fault = invalid_grant("code_verifier", Issue::InvalidValue);
const UNKNOWN_CLIENT: Fault = invalid_client("client_id", Issue::InvalidValue);
const WRONG_SECRET: Fault = invalid_client("client_secret", Issue::InvalidValue);
const NO_SECRET: Fault = invalid_client("client_secret", Issue::Required);
const OTHER_CLIENT: Fault = Fault::Oauth(OauthFlaw::OtherClient);
const INVALID_SCOPE: Fault = Fault::Oauth(OauthFlaw::InvalidScope);
const SECOND: Duration = Duration::from_secs(1);

const fn invalid_grant(parameter: &'static str, issue: Issue) -> Fault {
    Fault::Oauth(OauthFlaw::InvalidGrant { parameter, issue })
}

const fn invalid_client(parameter: &'static str, issue: Issue) -> Fault {
    Fault::Oauth(OauthFlaw::InvalidClient { parameter, issue })
}

fn planner(public: bool) -> NewApp {
    NewApp {
        name: Name::parse("Planner").unwrap(),
        public,
        redirect_uris: vec![RedirectUri::parse(URI).unwrap()],
        scopes: [AppScope::PagesRead, AppScope::PagesWrite, AppScope::FilesRead].into(),
        logo_url: None,
    }
}

/// An app and its credentials.
#[derive(Clone)]
struct Client {
    app: App,
    secret: Option<String>,
}

impl Client {
    fn proof(&self) -> ClientProof {
        let secret = self.secret.clone().map(Secret::new);
        ClientProof { id: Some(self.app.id.to_string()), secret }
    }

    fn request(&self, changes: &[(&'static str, &str)]) -> AuthorizationRequest {
        let id = self.app.id.to_string();
        let mut pairs = vec![
            ("response_type", "code"),
            ("client_id", &id),
            ("redirect_uri", URI),
            ("state", "s 1"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ];
        for (name, value) in changes {
            pairs.retain(|(known, _)| known != name);
            pairs.push((name, value));
        }
        AuthorizationRequest::from_pairs(pairs)
    }
}

fn code_of(address: &str) -> String {
    let query = address.split_once('?').unwrap().1;
    let code = query.split('&').find_map(|pair| pair.strip_prefix("code=")).expect("a code");
    code.to_owned()
}

fn refresh_of(issued: &Issued) -> String {
    issued.refresh_token.reveal().to_owned()
}

/// The owner of the idempotency keys of calls with a code or a refresh token.
fn holder(text: &str) -> String {
    let kind = if text.starts_with("oc_") { TokenKind::AuthorizationCode } else { TokenKind::Refresh };
    principal(&Token::parse(kind, text).unwrap().hash())
}

impl World {
    async fn registers(&self, call: Call, wanted: NewApp) -> Result<Client, Fault> {
        let registered: Registered = self.write(call, move |unit| Box::pin(apps::register(unit, Ok(wanted)))).await?;
        Ok(Client { app: registered.app, secret: registered.secret.map(|secret| secret.expose().clone()) })
    }

    async fn changes_app(&self, call: Call, id: ClientId, change: AppChange) -> Result<App, Fault> {
        self.write(call, move |unit| Box::pin(apps::update(unit, Ok(id), Ok(change)))).await
    }

    async fn removes_app(&self, call: Call, id: ClientId) -> Result<ClientId, Fault> {
        self.write(call, move |unit| Box::pin(apps::remove(unit, Ok(id)))).await
    }

    async fn rotates_secret(&self, call: Call, id: ClientId, grace: Duration) -> Result<NewSecret, Fault> {
        self.write(call, move |unit| Box::pin(apps::rotate_secret(unit, Ok(id), Ok(grace)))).await
    }

    async fn answers(&self, call: Call, request: AuthorizationRequest, decision: Decision) -> Result<String, Fault> {
        let rules = std::sync::Arc::clone(&self.engine.rules);
        let answered = Answered { request, decision };
        let answered =
            self.write(call, move |unit| Box::pin(authorization::authorize(unit, Ok(answered), rules))).await;
        answered.map(|response| response.address())
    }

    /// Consents and returns the code for the app.
    async fn approves(&self, device: &Device, client: &Client, scope: &str) -> String {
        let decision = Decision::Approve { workspaces: None };
        let request = client.request(&[("scope", scope)]);
        code_of(&self.answers(self.by(device), request, decision).await.unwrap())
    }

    async fn asks(&self, call: Call, proof: ClientProof, request: TokenRequest) -> Result<Issued, Fault> {
        self.write(call, move |unit| Box::pin(token::issue(unit, proof, Ok(request)))).await
    }

    async fn exchanges(&self, client: &Client, code: &str) -> Result<Issued, Fault> {
        self.asks(self.nobody(), client.proof(), for_code(code, URI, Some(VERIFIER))).await
    }

    async fn refreshes(&self, client: &Client, token: &str) -> Result<Issued, Fault> {
        self.asks(self.nobody(), client.proof(), for_token(token, None)).await
    }

    /// A user's app that the same user has authorized, with its first tokens.
    async fn let_in(&self, device: &Device, public: bool) -> (Client, Issued) {
        let client = self.registers(self.by(device), planner(public)).await.unwrap();
        let code = self.approves(device, &client, "pages:read pages:write").await;
        let issued = self.exchanges(&client, &code).await.unwrap();
        (client, issued)
    }

    /// Whether an access token is still valid.
    async fn counts(&self, issued: &Issued) -> bool {
        let claims = &issued.claims;
        let mut view = self.engine.store.reader().await.unwrap();
        let access =
            view.oauth().find_app_access(claims.user, claims.grant, claims.family, claims.id, self.now).await.unwrap();
        access.is_some_and(|access| access.is_live)
    }

    async fn granted(&self, device: &Device) -> Vec<Grant> {
        let page = GrantPage { before: None, limit: 100 };
        self.read(self.by(device), move |view| Box::pin(grants::list(view, Ok(page)))).await.unwrap()
    }

    async fn narrows(&self, device: &Device, id: GrantId, less: RemainingAccess) -> Result<Grant, Fault> {
        self.write(self.by(device), move |unit| Box::pin(grants::narrow(unit, Ok(id), Ok(less)))).await
    }

    async fn takes_back(&self, device: &Device, id: GrantId) -> Result<(), Fault> {
        self.write(self.by(device), move |unit| Box::pin(grants::revoke(unit, Ok(id)))).await
    }

    async fn gives_up(&self, proof: ClientProof, given: SubmittedToken) {
        self.write(self.nobody(), move |unit| Box::pin(revocation::revoke(unit, proof, Ok(given)))).await.unwrap();
    }

    async fn introspects(&self, proof: ClientProof, given: SubmittedToken) -> Option<ValidToken> {
        let call = self.nobody();
        self.read(call, move |view| Box::pin(revocation::introspect(view, proof, Ok(given)))).await.unwrap()
    }

    async fn audit_reasons(&self, person: &Person, action: &str) -> Vec<Option<String>> {
        let entries = self.audit(person.id).await;
        entries.into_iter().filter(|(name, _)| name == action).map(|(_, reason)| reason).collect()
    }
}

fn for_code(code: &str, uri: &str, verifier: Option<&str>) -> TokenRequest {
    TokenRequest::Code {
        code: Secret::new(code.to_owned()),
        redirect_uri: uri.to_owned(),
        verifier: verifier.map(|text| Secret::new(text.to_owned())),
    }
}

fn for_token(token: &str, scope: Option<&str>) -> TokenRequest {
    TokenRequest::Refresh { token: Secret::new(token.to_owned()), scope: scope.map(str::to_owned) }
}

#[tokio::test]
async fn owners_and_admins_handle_the_apps_of_their_workspace() {
    let mut world = World::new().await;
    let (ada, owner) = world.newcomer().await;
    let client = world.registers(world.by(&owner), planner(false)).await.unwrap();
    for (role, refusal) in [
        (Role::Admin, None),
        (Role::Member, Some(denied(Denial::OauthRole))),
        (Role::Guest, Some(denied(Denial::OauthRole))),
    ] {
        let (person, device) = world.newcomer().await;
        world.joins(&person, &ada, role).await;
        let call = || world.by(&device).at(ada.workspace);
        assert_eq!(world.registers(call(), planner(true)).await.err(), refusal, "{role}");
        assert_eq!(world.changes_app(call(), client.app.id, AppChange::default()).await.err(), refusal, "{role}");
        assert_eq!(world.rotates_secret(call(), client.app.id, SECOND).await.err(), refusal, "{role}");
    }
    let (bob, other) = world.newcomer().await;
    let elsewhere = world.by(&other).at(bob.workspace);
    assert_eq!(world.removes_app(elsewhere, client.app.id).await.err(), Some(Fault::NotFound));
    let shown = world.read(world.nobody(), move |view| Box::pin(apps::show(view, Ok(client.app.id)))).await.unwrap();
    assert_eq!(shown, client.app);
}

#[tokio::test]
async fn an_app_gets_tokens_for_the_granted_scopes() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let client = world.registers(world.by(&device), planner(false)).await.unwrap();
    let decision = Decision::Approve { workspaces: None };
    let request = client.request(&[("scope", "pages:read")]);
    let address = world.answers(world.by(&device), request, decision).await.unwrap();
    assert!(address.starts_with(&format!("{URI}?code=oc_")), "{address}");
    assert!(address.ends_with("&state=s%201&iss=https%3A%2F%2Foctavo.example"), "{address}");
    let issued = world.exchanges(&client, &code_of(&address)).await.unwrap();
    let claims = &issued.claims;
    assert_eq!((claims.user, claims.client), (ada.id, client.app.id));
    assert_eq!(claims.scopes, [AppScope::PagesRead]);
    assert_eq!((&claims.proofs, claims.authenticated_at), (&device.claims.proofs, device.claims.authenticated_at));
    let [grant] = &world.granted(&device).await[..] else { panic!("one grant") };
    assert_eq!((grant.id, &grant.workspaces), (claims.grant, &vec![ada.workspace]));
    assert_eq!(grant.expires_at, world.now.plus(days(365)));
    assert_eq!(grant.last_used_at, Some(world.now));
    let next = world.refreshes(&client, &refresh_of(&issued)).await.unwrap();
    assert_eq!((next.claims.family, &next.claims.scopes), (claims.family, &claims.scopes));
    assert_ne!(next.claims.id, claims.id);
    for (action, count) in [("oauth.grant_created", 1), ("oauth.code_issued", 1), ("oauth.token_issued", 2)] {
        assert_eq!(world.audit_reasons(&ada, action).await.len(), count, "{action}");
    }
}

#[tokio::test]
async fn declining_sends_the_app_away() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let client = world.registers(world.by(&device), planner(true)).await.unwrap();
    let address = world.answers(world.by(&device), client.request(&[]), Decision::Deny).await.unwrap();
    let description = "error_description=The%20user%20has%20declined.";
    let expected = format!("{URI}?error=access_denied&state=s%201&iss=https%3A%2F%2Foctavo.example&{description}");
    assert_eq!(address, expected);
    assert!(world.granted(&device).await.is_empty());
}

#[tokio::test]
async fn faults_of_a_request_are_reported_in_the_words_of_the_api() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let (bob, _) = world.newcomer().await;
    let client = world.registers(world.by(&device), planner(true)).await.unwrap();
    let nobody = ClientId::new(1, [9; 10]).to_string();
    let flawed = |parameter: Parameter| {
        let violation = Violation::new(parameter.name(), Issue::InvalidValue);
        Fault::from(violation.hinting(parameter.hint(Issue::InvalidValue)))
    };
    for (change, expected) in [
        (("client_id", nobody.as_str()), UNKNOWN_CLIENT),
        (("redirect_uri", "https://evil.test/"), invalid("redirect_uri", Issue::InvalidValue)),
        (("response_type", "token"), flawed(Parameter::ResponseType)),
        (("scope", "databases:read"), INVALID_SCOPE),
        (("code_challenge_method", "plain"), flawed(Parameter::CodeChallengeMethod)),
        (("resource", "https://evil.test/"), flawed(Parameter::Resource)),
    ] {
        let decision = Decision::Approve { workspaces: None };
        let answer = world.answers(world.by(&device), client.request(&[change]), decision).await;
        assert_eq!(answer.err(), Some(expected), "{change:?}");
    }
    for (workspaces, issue) in [(vec![], Issue::TooShort), (vec![bob.workspace], Issue::InvalidValue)] {
        let decision = Decision::Approve { workspaces: Some(workspaces) };
        let Err(Fault::Invalid(violations)) = world.answers(world.by(&device), client.request(&[]), decision).await
        else {
            panic!("a choice that is not the user's")
        };
        assert_eq!((violations[0].field.as_str(), violations[0].issue), ("workspaceIds", issue));
    }
    assert!(world.granted(&device).await.is_empty());
}

#[tokio::test]
async fn an_ended_session_lets_no_app_in() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let other = world.signed_in(&ada).await;
    let client = world.registers(world.by(&device), planner(true)).await.unwrap();
    world.revoke(&other, device.session).await.unwrap();
    let decision = Decision::Approve { workspaces: None };
    let answer = world.answers(world.by(&device), client.request(&[]), decision).await;
    assert_eq!(answer.err(), Some(denied(Denial::SessionRevoked)));
}

#[tokio::test]
async fn a_code_is_good_for_its_app_its_address_and_its_verifier_only() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let client = world.registers(world.by(&device), planner(true)).await.unwrap();
    let other = world.registers(world.by(&device), planner(true)).await.unwrap();
    let code = world.approves(&device, &client, "pages:read").await;
    let nobody = ClientProof::default;
    let wrong = VERIFIER.replace('d', "e");
    let wrong_uri = invalid_grant("redirect_uri", Issue::InvalidValue);
    for (proof, request, expected) in [
        (other.proof(), for_code(&code, URI, Some(VERIFIER)), OTHER_CLIENT),
        (client.proof(), for_code(&code, URI, None), invalid_grant("code_verifier", Issue::Required)),
        (client.proof(), for_code(&code, URI, Some(&wrong)), WRONG_VERIFIER),
        (client.proof(), for_code(&code, URI, Some(CHALLENGE)), WRONG_VERIFIER),
        (client.proof(), for_code(&code, &format!("{URI}/"), Some(VERIFIER)), wrong_uri),
        (client.proof(), for_code("oc_", URI, Some(VERIFIER)), INVALID_CODE),
        (client.proof(), for_token(&code, None), INVALID_TOKEN),
        (nobody(), for_code(&code, URI, Some(&wrong)), WRONG_VERIFIER),
    ] {
        assert_eq!(world.asks(world.nobody(), proof, request.clone()).await.err(), Some(expected), "{request:?}");
    }
    world.pass(60 * SECOND);
    assert_eq!(world.exchanges(&client, &code).await.err(), Some(INVALID_CODE));
    let code = world.approves(&device, &client, "pages:read").await;
    world.pass_almost(60 * SECOND);
    let issued = world.asks(world.nobody(), nobody(), for_code(&code, URI, Some(VERIFIER))).await;
    assert!(issued.is_ok(), "a public app need not say who it is");
}

#[tokio::test]
async fn a_verifier_for_a_code_without_a_challenge_is_a_downgrade() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let client = world.registers(world.by(&device), planner(false)).await.unwrap();
    let id = client.app.id.to_string();
    let request = || {
        let pairs = [("response_type", "code"), ("client_id", &id), ("redirect_uri", URI)];
        AuthorizationRequest::from_pairs(pairs)
    };
    let approve = async || {
        let decision = Decision::Approve { workspaces: None };
        code_of(&world.answers(world.by(&device), request(), decision).await.unwrap())
    };
    let code = approve().await;
    assert_eq!(world.exchanges(&client, &code).await.err(), Some(WRONG_VERIFIER));
    assert!(world.asks(world.nobody(), client.proof(), for_code(&code, URI, None)).await.is_ok());
}

#[tokio::test]
async fn a_confidential_app_proves_who_it_is() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let (client, issued) = world.let_in(&device, false).await;
    let other = world.registers(world.by(&device), planner(false)).await.unwrap();
    let public = world.registers(world.by(&device), planner(true)).await.unwrap();
    let proof = |id: Option<&Client>, secret: Option<&str>| ClientProof {
        id: id.map(|client| client.app.id.to_string()),
        secret: secret.map(|text| Secret::new(text.to_owned())),
    };
    let secret = client.secret.as_deref();
    for (proof, expected) in [
        (proof(None, None), NO_SECRET),
        (proof(Some(&client), None), NO_SECRET),
        (proof(Some(&client), Some("")), NO_SECRET),
        (proof(Some(&client), Some("ocs_wrong")), WRONG_SECRET),
        (proof(Some(&client), other.secret.as_deref()), WRONG_SECRET),
        (proof(None, secret), invalid_client("client_id", Issue::Required)),
        (proof(Some(&public), secret), WRONG_SECRET),
    ] {
        let answer = world.asks(world.nobody(), proof.clone(), for_token(&refresh_of(&issued), None)).await;
        assert_eq!(answer.err(), Some(expected), "{proof:?}");
    }
    let answer = world.asks(world.nobody(), other.proof(), for_token(&refresh_of(&issued), None)).await;
    assert_eq!(answer.err(), Some(OTHER_CLIENT), "known, but not the one");
    let old = client.clone();
    let grace = 3600 * SECOND;
    let call = || world.by(&device).at(ada.workspace);
    assert_eq!(world.rotates_secret(call(), public.app.id, grace).await.err(), Some(conflict(Conflict::PublicApp)));
    let new = world.rotates_secret(call(), client.app.id, grace).await.unwrap();
    assert_eq!(new.previous_until, world.now.plus(grace));
    let renewed = Client { secret: Some(new.secret.expose().clone()), ..client };
    let issued = world.refreshes(&renewed, &refresh_of(&issued)).await.unwrap();
    let issued = world.refreshes(&old, &refresh_of(&issued)).await.unwrap();
    world.pass(grace);
    assert_eq!(world.refreshes(&old, &refresh_of(&issued)).await.err(), Some(WRONG_SECRET));
    assert!(world.refreshes(&renewed, &refresh_of(&issued)).await.is_ok());
}

#[tokio::test]
async fn a_reused_code_ends_the_tokens_it_gave() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let client = world.registers(world.by(&device), planner(true)).await.unwrap();
    let (_, sibling) = world.let_in(&device, true).await;
    let code = world.approves(&device, &client, "pages:read").await;
    let issued = world.exchanges(&client, &code).await.unwrap();
    assert!(world.counts(&issued).await);
    assert_eq!(world.exchanges(&client, &code).await.err(), Some(INVALID_CODE));
    assert!(!world.counts(&issued).await);
    assert_eq!(world.refreshes(&client, &refresh_of(&issued)).await.err(), Some(INVALID_TOKEN));
    assert_eq!(world.audit_reasons(&ada, "oauth.token_revoked").await, [Some("code_reuse".to_owned())]);
    assert!(world.counts(&sibling).await, "other families go on");
}

#[tokio::test]
async fn a_reused_refresh_token_ends_its_family() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let (client, first) = world.let_in(&device, true).await;
    let second = world.refreshes(&client, &refresh_of(&first)).await.unwrap();
    assert_eq!(world.refreshes(&client, &refresh_of(&first)).await.err(), Some(INVALID_TOKEN));
    assert!(!world.counts(&second).await && !world.counts(&first).await);
    assert_eq!(world.refreshes(&client, &refresh_of(&second)).await.err(), Some(INVALID_TOKEN));
    assert_eq!(world.audit_reasons(&ada, "oauth.token_revoked").await, [Some("reuse_detected".to_owned())]);
}

#[tokio::test]
async fn a_lost_answer_is_repeated_until_its_tokens_are_used() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let client = world.registers(world.by(&device), planner(true)).await.unwrap();
    let code = world.approves(&device, &client, "pages:read").await;
    let keyed = async |text: &str, request: TokenRequest| {
        let call = world.nobody().keyed_by(&holder(text), "k", text);
        let proof = client.proof();
        let shape = |issued: Issued| octavo_app::Reply::json(200, &issued.refresh_token.reveal());
        let reply = world.engine.write(call, move |unit| Box::pin(token::issue(unit, proof, Ok(request))), shape).await;
        let reply = fault_of(reply)?;
        Ok::<_, Fault>((serde_json::from_slice::<String>(&reply.body).unwrap(), reply.replayed))
    };
    let exchange = async || keyed(&code, for_code(&code, URI, Some(VERIFIER))).await;
    let (first, _) = exchange().await.unwrap();
    assert_eq!(exchange().await, Ok((first.clone(), true)), "a retry");
    let refresh = async || keyed(&first, for_token(&first, None)).await;
    let (second, _) = refresh().await.unwrap();
    assert_eq!(refresh().await, Ok((second.clone(), true)), "a retry");
    assert!(world.refreshes(&client, &second).await.is_ok());
    assert_eq!(refresh().await.err(), Some(INVALID_TOKEN), "the successor was used");
    assert_eq!(exchange().await.err(), Some(INVALID_CODE), "so was its first token");
}

#[tokio::test]
async fn a_refresh_may_ask_for_less_and_never_for_more() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let (client, first) = world.let_in(&device, true).await;
    let ask = async |token: &Issued, scope| {
        world.asks(world.nobody(), client.proof(), for_token(&refresh_of(token), Some(scope))).await
    };
    for wrong in ["files:read", "pages:read files:read", "nonsense"] {
        assert_eq!(ask(&first, wrong).await.err(), Some(INVALID_SCOPE), "{wrong}");
    }
    let second = ask(&first, "pages:read").await.expect("a refusal uses nothing up");
    assert_eq!(second.claims.scopes, [AppScope::PagesRead]);
    let third = world.refreshes(&client, &refresh_of(&second)).await.unwrap();
    assert_eq!(third.claims.scopes, [AppScope::PagesRead, AppScope::PagesWrite], "what was granted stays granted");
}

#[tokio::test]
async fn a_family_lives_30_days_without_use_and_a_year_at_most() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let (client, mut issued) = world.let_in(&device, true).await;
    let begun = world.now;
    while world.now.since(begun) < days(350) {
        world.pass_almost(days(30));
        issued = world.refreshes(&client, &refresh_of(&issued)).await.unwrap();
    }
    world.now = begun.plus(days(365));
    assert!(!world.counts(&issued).await);
    assert_eq!(world.refreshes(&client, &refresh_of(&issued)).await.err(), Some(INVALID_TOKEN));
    let (_, late) = world.newcomer().await;
    let (client, issued) = world.let_in(&late, true).await;
    world.pass(days(30));
    assert_eq!(world.refreshes(&client, &refresh_of(&issued)).await.err(), Some(INVALID_TOKEN));
}
