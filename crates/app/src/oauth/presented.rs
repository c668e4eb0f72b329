//! Recognising the app behind an access token.

use crate::{call::Call, engine::Engine, outcome::AppResult};
use octavo_core_model::{
    Timestamp,
    claims::{AppClaims, PresentedApp},
    fault::Unknown,
};

/// The app in its present state, or the reason why its token is not valid. One statement.
///
/// The token's claims were true when it was issued; whatever the user has revoked since no longer counts.
pub async fn present(engine: &Engine, claims: AppClaims, now: Timestamp) -> AppResult<Result<PresentedApp, Unknown>> {
    let AppClaims { user, grant, family, id, .. } = claims;
    let found = engine
        .read(Call::system(now), move |view| {
            Box::pin(async move { Ok(view.tx.oauth().find_app_access(user, grant, family, id, now).await?) })
        })
        .await?;
    let Some(access) = found else { return Ok(Err(Unknown::TokenMalformed)) };
    Ok(access.check().map(|()| {
        let granted = access.grant;
        let scopes = claims.scopes.iter().copied().filter(|scope| granted.scopes.contains(scope)).collect();
        PresentedApp { name: granted.app.name, scopes, workspaces: granted.workspaces, claims }
    }))
}
