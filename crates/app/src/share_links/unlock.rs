//! Opening a share link with its password.

use super::{open, password_proof::issue};
use crate::{
    call::Call,
    engine::Engine,
    outcome::{AppResult, Draft},
};
use octavo_core_model::{
    Fault, Secret, Token,
    fault::Unknown,
    share_link::{ShareLink, UNLOCKED_FOR},
};
use octavo_ports::passwords::PasswordHash;

/// A link that was opened with a password.
#[derive(Clone, Debug)]
pub struct Unlocked {
    pub link: ShareLink,
    /// Proof of the password, which opens the link for a limited time.
    pub access: Secret<String>,
}

/// Opens a link with its password. A link without a password opens with any password.
pub async fn unlock(
    engine: &Engine,
    call: Call,
    token: Draft<Token>,
    password: Draft<Secret<String>>,
) -> AppResult<Unlocked> {
    let (now, owner) = (call.now, call.work_owner());
    let opened = engine.read(call, move |view| Box::pin(async move { open::find(view, &token).await })).await?;
    let (password, link) = (password?, opened.link);
    if let Some(hash) = &link.password {
        let compared = engine.compare(owner, password, Some(PasswordHash(hash.clone()))).await?;
        if !compared.matches {
            return Err(Fault::Unauthenticated(Unknown::SharePasswordWrong).into());
        }
    }
    let access = issue(&engine.keyring(), &link, now.plus(UNLOCKED_FOR));
    Ok(Unlocked { link, access })
}
