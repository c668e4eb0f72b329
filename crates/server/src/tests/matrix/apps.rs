//! Apps that the owner of the test workspace has authorized.

use super::{Caller, world::random};
use crate::tests::server::{Person, Server, now};
use octavo_core_model::{
    AppScope, Timestamp,
    claims::AppClaims,
    id::{ClientId, FamilyId, GrantId, TokenId, WorkspaceId},
    oauth::{App, Family, Grant, Scopes},
    session::Proof,
    text::Name,
    time::days,
};
use octavo_ports::store::{Record, Transaction};
use std::sync::Arc;

/// Creates a token for each kind of app. Writes to the store directly, because the routes are under test.
pub(super) fn let_in(
    server: &Server,
    workspace: WorkspaceId,
    owner: &Person,
    long_ago: Timestamp,
) -> Vec<(Caller, String)> {
    let home = server.claims_of(owner).workspace;
    let every: Scopes = AppScope::ALL.iter().copied().collect();
    let kinds = [
        (Caller::ReadingApp, workspace, [AppScope::PagesRead].into(), now()),
        (Caller::WritingApp, workspace, every.clone(), now()),
        (Caller::AppElsewhere, home, every, now()),
        (Caller::RevokedApp, workspace, [AppScope::PagesRead].into(), now()),
        (Caller::ExpiredApp, workspace, [AppScope::PagesRead].into(), long_ago),
    ];
    let (store, user) = (Arc::clone(&server.backend.engine().store), owner.id);
    let granted = server.block_on(async move {
        let mut unit = store.writer().await.unwrap();
        let mut granted = Vec::new();
        for (kind, reached, scopes, issued_at) in kinds {
            let app = App {
                id: random(ClientId::new),
                workspace,
                name: Name::parse(kind.name()).unwrap(),
                public: true,
                redirect_uris: Vec::new(),
                scopes,
                logo_url: None,
                created_by: user,
                created_at: now(),
            };
            granted.push((kind, grant(&mut *unit, &app, reached, issued_at, kind == Caller::RevokedApp).await));
        }
        unit.commit(Record::default()).await.unwrap();
        granted
    });
    let signer = server.backend.access_tokens();
    granted.into_iter().map(|(kind, claims)| (kind, signer.sign_for_app(&claims))).collect()
}

async fn grant(
    unit: &mut dyn Transaction,
    app: &App,
    reached: WorkspaceId,
    issued_at: Timestamp,
    revoked: bool,
) -> AppClaims {
    unit.oauth().insert_app(app, None).await.unwrap();
    let (user, scopes) = (app.created_by, app.scopes.clone());
    let grant = Grant {
        id: random(GrantId::new),
        user,
        app: app.into(),
        scopes: scopes.clone(),
        common_scopes: scopes.clone(),
        workspaces: vec![reached],
        created_at: now(),
        last_used_at: None,
        expires_at: now().plus(days(365)),
        revoked_at: None,
    };
    unit.oauth().insert_grant(&grant).await.unwrap();
    let family = Family {
        id: random(FamilyId::new),
        user,
        client: app.id,
        grant: grant.id,
        scopes: scopes.clone(),
        workspaces: vec![reached],
        proofs: vec![Proof::Password],
        authenticated_at: now(),
        created_at: now(),
        expires_at: now().plus(days(30)),
        absolute_end: now().plus(days(365)),
        revoked_at: None,
    };
    unit.oauth().insert_family(&family).await.unwrap();
    if revoked {
        unit.oauth().revoke_grants(user, Some(grant.id), now()).await.unwrap();
    }
    AppClaims {
        user,
        client: app.id,
        grant: grant.id,
        family: family.id,
        scopes: scopes.into_iter().collect(),
        id: random(TokenId::new),
        proofs: family.proofs,
        authenticated_at: now(),
        issued_at,
    }
}
