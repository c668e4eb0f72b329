//! Who runs a workspace.

use crate::{
    call::{Call, Caller},
    engine::Engine,
    outcome::AppResult,
};
use octavo_core_model::{KeyScope, Role, Timestamp, id::WorkspaceId};

/// Whether a caller runs a workspace: an owner or admin in person, or an API key of it with the scope `ADMIN`. One
/// statement for a user.
pub async fn runs(engine: &Engine, caller: &Caller, workspace: WorkspaceId, now: Timestamp) -> AppResult<bool> {
    match caller {
        Caller::User(claims) => {
            let user = claims.user;
            let look = engine.read(Call::system(now), move |view| {
                Box::pin(async move { Ok(view.tx.members().find_role(user, workspace).await?) })
            });
            Ok(look.await?.is_some_and(|role| role >= Role::Admin))
        }
        Caller::Key(presented) => Ok(presented.key.workspace == workspace && presented.key.scope() == KeyScope::Admin),
        Caller::App(_) | Caller::Nobody | Caller::Job(_) | Caller::System => Ok(false),
    }
}
