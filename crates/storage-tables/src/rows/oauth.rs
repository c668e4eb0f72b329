//! Rows of apps that act for people, of grants, codes and tokens.

use crate::{
    schema::{oauth_app_secrets, oauth_apps, oauth_codes, oauth_families, oauth_grants, oauth_refresh_tokens},
    stored::{Hash32, Stored},
};
use diesel::prelude::{AsChangeset, Insertable, Queryable, QueryableByName, Selectable};
use octavo_core_model::{
    AppScope, Timestamp, TokenHash,
    id::{ClientId, FamilyId, GrantId, UserId, WorkspaceId},
    oauth::{
        App, AppSecret, AuthorizationCode, Challenge, Family, FamilyToken, Grant, GrantedApp, RedirectUri, Scopes,
    },
    session::Proof,
    text::{Name, WebAddress},
};

/// One bit per scope, by its position among all of them: new scopes must come last.
pub fn bits(scopes: &Scopes) -> i64 {
    (0..)
        .zip(AppScope::ALL)
        .filter(|(_, scope)| scopes.contains(*scope))
        .fold(0, |bits, (place, _)| bits | (1 << place))
}

pub fn scopes(bits: i64) -> Scopes {
    (0..).zip(AppScope::ALL).filter(|(place, _)| bits & (1 << place) != 0).map(|(_, scope)| *scope).collect()
}

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = oauth_apps, treat_none_as_null = true, treat_none_as_default_value = false)]
#[diesel(primary_key(workspace_id, id, is_public, created_by, created_at))] // what saving leaves alone
pub struct AppRow {
    workspace_id: Stored<WorkspaceId>,
    id: Stored<ClientId>,
    is_public: bool,
    created_by: Stored<UserId>,
    created_at: i64,
    name: Stored<Name>,
    redirect_uris: Stored<Vec<RedirectUri>>,
    scopes: i64,
    logo_url: Option<Stored<WebAddress>>,
}

impl From<&App> for AppRow {
    fn from(app: &App) -> Self {
        Self {
            workspace_id: Stored(app.workspace),
            id: Stored(app.id),
            is_public: app.public,
            created_by: Stored(app.created_by),
            created_at: app.created_at.millis(),
            name: Stored(app.name.clone()),
            redirect_uris: Stored(app.redirect_uris.clone()),
            scopes: bits(&app.scopes),
            logo_url: app.logo_url.clone().map(Stored),
        }
    }
}

impl From<AppRow> for App {
    fn from(row: AppRow) -> Self {
        Self {
            id: row.id.0,
            workspace: row.workspace_id.0,
            name: row.name.0,
            public: row.is_public,
            redirect_uris: row.redirect_uris.0,
            scopes: scopes(row.scopes),
            logo_url: row.logo_url.map(|url| url.0),
            created_by: row.created_by.0,
            created_at: Timestamp::from_millis(row.created_at),
        }
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = oauth_app_secrets, treat_none_as_default_value = false)]
pub struct AppSecretRow {
    workspace_id: Stored<WorkspaceId>,
    client_id: Stored<ClientId>,
    hash: Stored<TokenHash>,
    ends_at: Option<i64>,
}

impl AppSecretRow {
    /// The present secret of an app.
    pub fn present(app: &App, hash: &TokenHash) -> Self {
        Self { workspace_id: Stored(app.workspace), client_id: Stored(app.id), hash: Stored(*hash), ends_at: None }
    }
}

impl From<AppSecretRow> for AppSecret {
    fn from(row: AppSecretRow) -> Self {
        Self { hash: row.hash.0, ends_at: row.ends_at.map(Timestamp::from_millis) }
    }
}

#[derive(Debug, Queryable, QueryableByName, Selectable, Insertable)]
#[diesel(table_name = oauth_grants, treat_none_as_default_value = false)]
pub struct GrantRow {
    user_id: Stored<UserId>,
    id: Stored<GrantId>,
    client_id: Stored<ClientId>,
    client_name: Stored<Name>,
    client_logo_url: Option<Stored<WebAddress>>,
    client_is_public: bool,
    scopes: i64,
    workspaces: Stored<Vec<WorkspaceId>>,
    created_at: i64,
    last_used_at: Option<i64>,
    expires_at: i64,
    revoked_at: Option<i64>,
    over_at: i64,
    common_scopes: i64,
}

impl From<&Grant> for GrantRow {
    fn from(grant: &Grant) -> Self {
        Self {
            user_id: Stored(grant.user),
            id: Stored(grant.id),
            client_id: Stored(grant.app.id),
            client_name: Stored(grant.app.name.clone()),
            client_logo_url: grant.app.logo_url.clone().map(Stored),
            client_is_public: grant.app.public,
            scopes: bits(&grant.scopes),
            workspaces: Stored(grant.workspaces.clone()),
            created_at: grant.created_at.millis(),
            last_used_at: grant.last_used_at.map(Timestamp::millis),
            expires_at: grant.expires_at.millis(),
            revoked_at: grant.revoked_at.map(Timestamp::millis),
            over_at: grant.revoked_at.unwrap_or(grant.expires_at).millis(),
            common_scopes: bits(&grant.common_scopes),
        }
    }
}

impl From<GrantRow> for Grant {
    fn from(row: GrantRow) -> Self {
        Self {
            id: row.id.0,
            user: row.user_id.0,
            app: GrantedApp {
                id: row.client_id.0,
                name: row.client_name.0,
                logo_url: row.client_logo_url.map(|url| url.0),
                public: row.client_is_public,
            },
            scopes: scopes(row.scopes),
            common_scopes: scopes(row.common_scopes),
            workspaces: row.workspaces.0,
            created_at: Timestamp::from_millis(row.created_at),
            last_used_at: row.last_used_at.map(Timestamp::from_millis),
            expires_at: Timestamp::from_millis(row.expires_at),
            revoked_at: row.revoked_at.map(Timestamp::from_millis),
        }
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = oauth_codes, treat_none_as_default_value = false)]
pub struct CodeRow {
    user_id: Stored<UserId>,
    hash: Stored<TokenHash>,
    client_id: Stored<ClientId>,
    grant_id: Stored<GrantId>,
    family_id: Stored<FamilyId>,
    redirect_uri: Stored<RedirectUri>,
    scopes: i64,
    workspaces: Stored<Vec<WorkspaceId>>,
    challenge: Option<Hash32>,
    proofs: Stored<Vec<Proof>>,
    authenticated_at: i64,
    absolute_end: i64,
    created_at: i64,
    expires_at: i64,
    redeemed_at: Option<i64>,
}

impl From<&AuthorizationCode> for CodeRow {
    fn from(code: &AuthorizationCode) -> Self {
        Self {
            user_id: Stored(code.user),
            hash: Stored(code.hash),
            client_id: Stored(code.client),
            grant_id: Stored(code.grant),
            family_id: Stored(code.family),
            redirect_uri: Stored(code.redirect_uri.clone()),
            scopes: bits(&code.scopes),
            workspaces: Stored(code.workspaces.clone()),
            challenge: code.challenge.map(|challenge| Hash32(*challenge.as_bytes())),
            proofs: Stored(code.proofs.clone()),
            authenticated_at: code.authenticated_at.millis(),
            absolute_end: code.absolute_end.millis(),
            created_at: code.created_at.millis(),
            expires_at: code.expires_at.millis(),
            redeemed_at: code.redeemed_at.map(Timestamp::millis),
        }
    }
}

impl From<CodeRow> for AuthorizationCode {
    fn from(row: CodeRow) -> Self {
        Self {
            hash: row.hash.0,
            user: row.user_id.0,
            client: row.client_id.0,
            grant: row.grant_id.0,
            family: row.family_id.0,
            redirect_uri: row.redirect_uri.0,
            scopes: scopes(row.scopes),
            workspaces: row.workspaces.0,
            challenge: row.challenge.map(|hash| Challenge::from_bytes(hash.0)),
            proofs: row.proofs.0,
            authenticated_at: Timestamp::from_millis(row.authenticated_at),
            absolute_end: Timestamp::from_millis(row.absolute_end),
            created_at: Timestamp::from_millis(row.created_at),
            expires_at: Timestamp::from_millis(row.expires_at),
            redeemed_at: row.redeemed_at.map(Timestamp::from_millis),
        }
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = oauth_families, treat_none_as_default_value = false)]
pub struct FamilyRow {
    user_id: Stored<UserId>,
    id: Stored<FamilyId>,
    client_id: Stored<ClientId>,
    grant_id: Stored<GrantId>,
    scopes: i64,
    workspaces: Stored<Vec<WorkspaceId>>,
    proofs: Stored<Vec<Proof>>,
    authenticated_at: i64,
    created_at: i64,
    expires_at: i64,
    absolute_end: i64,
    revoked_at: Option<i64>,
    over_at: i64,
}

impl From<&Family> for FamilyRow {
    fn from(family: &Family) -> Self {
        Self {
            user_id: Stored(family.user),
            id: Stored(family.id),
            client_id: Stored(family.client),
            grant_id: Stored(family.grant),
            scopes: bits(&family.scopes),
            workspaces: Stored(family.workspaces.clone()),
            proofs: Stored(family.proofs.clone()),
            authenticated_at: family.authenticated_at.millis(),
            created_at: family.created_at.millis(),
            expires_at: family.expires_at.millis(),
            absolute_end: family.absolute_end.millis(),
            revoked_at: family.revoked_at.map(Timestamp::millis),
            over_at: family.revoked_at.unwrap_or(family.expires_at).millis(),
        }
    }
}

impl From<FamilyRow> for Family {
    fn from(row: FamilyRow) -> Self {
        Self {
            id: row.id.0,
            user: row.user_id.0,
            client: row.client_id.0,
            grant: row.grant_id.0,
            scopes: scopes(row.scopes),
            workspaces: row.workspaces.0,
            proofs: row.proofs.0,
            authenticated_at: Timestamp::from_millis(row.authenticated_at),
            created_at: Timestamp::from_millis(row.created_at),
            expires_at: Timestamp::from_millis(row.expires_at),
            absolute_end: Timestamp::from_millis(row.absolute_end),
            revoked_at: row.revoked_at.map(Timestamp::from_millis),
        }
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = oauth_refresh_tokens, treat_none_as_default_value = false)]
pub struct FamilyTokenRow {
    user_id: Stored<UserId>,
    hash: Stored<TokenHash>,
    family_id: Stored<FamilyId>,
    predecessor: Stored<TokenHash>,
    expires_at: i64,
    rotated: bool,
}

impl From<&FamilyToken> for FamilyTokenRow {
    fn from(token: &FamilyToken) -> Self {
        Self {
            user_id: Stored(token.user),
            hash: Stored(token.hash),
            family_id: Stored(token.family),
            predecessor: Stored(token.predecessor),
            expires_at: token.expires_at.millis(),
            rotated: token.rotated,
        }
    }
}

impl From<FamilyTokenRow> for FamilyToken {
    fn from(row: FamilyTokenRow) -> Self {
        Self {
            hash: row.hash.0,
            user: row.user_id.0,
            family: row.family_id.0,
            predecessor: row.predecessor.0,
            expires_at: Timestamp::from_millis(row.expires_at),
            rotated: row.rotated,
        }
    }
}
