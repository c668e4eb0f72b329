//! Knowing an app by the token that a call brings.

use crate::{
    call::Call,
    engine::{AppResult, Engine},
};
use octavo_core_model::{
    Timestamp,
    claims::{AppClaims, PresentedApp},
    fault::Unknown,
};

/// The app as it stands now, or why its token does not count. One statement.
///
/// What the token says its app may do was so when it was issued; what its user took back since then does not count any more.
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
