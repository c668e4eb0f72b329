//! Opening a link.

use super::password_proof::opens;
use crate::{
    outcome::{AppResult, Draft},
    scope::{Scope, View},
};
use octavo_core_model::{
    Fault, Token,
    fault::Unknown,
    page::Page,
    share_link::{ShareLink, ShareStatus},
};
use octavo_ports::store::Reads;

/// What a caller presents to open a link: the token in its address, and proof of the password.
#[derive(Clone, Debug)]
pub struct Key {
    pub token: Draft<Token>,
    pub access: Option<String>,
}

/// A link and the page or database that it shows.
#[derive(Clone, Debug)]
pub struct Opened {
    pub link: ShareLink,
    pub page: Page,
}

/// Finds the link of a token if it is still valid. Two statements.
pub(super) async fn find<T: Reads + ?Sized>(scope: &mut Scope<T>, token: &Draft<Token>) -> AppResult<Opened> {
    let hash = token.as_ref().map_err(|_| Fault::NotFound)?.hash();
    let workspace = scope.tx.share_links().find_workspace(&hash).await?.ok_or(Fault::NotFound)?;
    let found = scope.tx.share_links().find_opened(workspace, &hash).await?;
    let (link, page) = found.filter(|(_, page)| page.trash.is_none()).ok_or(Fault::NotFound)?;
    match link.status(scope.call.now) {
        ShareStatus::Revoked => Err(Fault::NotFound.into()),
        ShareStatus::Expired => Err(Fault::ShareExpired.into()),
        ShareStatus::Active => Ok(Opened { link, page }),
    }
}

/// Opens a link, or returns why that is refused.
pub(super) async fn open<T: Reads + ?Sized>(scope: &mut Scope<T>, key: &Key) -> AppResult<Opened> {
    let opened = find(scope, &key.token).await?;
    let (keyring, now) = (scope.keyring(), scope.call.now);
    let is_unlocked = || key.access.as_deref().is_some_and(|access| opens(&keyring, &opened.link, access, now));
    if opened.link.password.is_some() && !is_unlocked() {
        return Err(Fault::Unauthenticated(Unknown::SharePasswordRequired).into());
    }
    Ok(opened)
}

/// The page a link leads to.
pub async fn share(view: &mut View, key: Key) -> AppResult<Opened> {
    open(view, &key).await
}
